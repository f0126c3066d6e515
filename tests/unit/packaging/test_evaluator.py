"""Nothing from a task becomes code of its evaluator, whatever a text, a name or a path holds."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nature_gym.metrics import source
from nature_gym.metrics.registry import metrics
from nature_gym.packaging import evaluator, grading, render
from nature_gym.packaging.evaluator import InstanceData, contracts_of, evaluator_source, literal
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.markdown import headings
from nature_gym.packaging.measure import Column, Measured
from nature_gym.packaging.specification import TaskSpecification
from tests.unit.packaging.conftest import TASK, WriteTask

HOSTILE = [
    '"""', "'''", "{{ 7*7 }}", "{% raw %}", "`", "```\n# x", "\\", "\n", "\r", "\x00", "\x1b[31m", "\u2028", "😀", '"',
    "'", "]}\nimport os\nos.abort()\n", "|", "<!--", "<script>", "# heading", "a\n===", "${x}", "%s", "\ud7ff", "#}",
    "-->",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12)), min_size=1, max_size=5).map("".join)
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=25,
)


@given(plain)
def test_a_literal_reads_back_as_the_value(value: Any) -> None:
    text = literal(value)
    assert ast.literal_eval(text) == value
    text.encode("utf-8")


def _hostile_task(text: str, column: str) -> tuple[TaskSpecification, dict[str, InstanceData]]:
    task = copy.deepcopy(TASK)
    name = text.strip() or "x"
    task["problem"] = dict.fromkeys(("background", "objective", "input", "output", "dataset"), text) | {"notes": [text]}
    task["name"] = (name * 3)[:120] if len(name) < 3 else name[:120]
    task["domain"]["sub"] = text
    instance = task["instances"][0]
    instance |= {"title": text, "description": text}
    instance["files"][0] |= {"meaning": text, "fields": [{"name": column, "meaning": text, "unit": text}]}
    instance["answer"][0]["meaning"] = text
    instance["answer"][0]["columns"] = [
        {"name": "run", "dtype": "string", "meaning": text, "values": [text, "x"]},
        {"name": column, "meaning": text},
    ]
    for number, use in enumerate(instance["metrics"]):
        use |= {
            "name": f"{text}{number}",
            "prediction": f"predictions.csv:{column}",
            "reference": f"yields.csv:{column}",
        }
        use |= {"definition": text, "place": text, "unit": text}
    fields = (Column("run", "string"), Column(column, "float", (), "0", "1", 0, (text,)))
    measured = Measured("yields.csv", "csv", 10, 8, fields)
    visible = {name: Measured(name, "csv", 10, 8, fields) for name in ("train.csv", "test.csv")}
    return TaskSpecification.model_validate(task), {"runs": InstanceData(visible, {"yields.csv": measured})}


columns = texts.filter(lambda text: "," not in text and text not in ("run", "") and text == text.strip())


@settings(max_examples=60)
@given(texts.filter(bool), columns)
def test_hostile_words_stay_words(text: str, column: str) -> None:
    task, data = _hostile_task(text, column)
    written = evaluator_source(task, contracts_of(task, data), None)
    tame, tame_data = _hostile_task("word", "word")
    tree, expected = ast.parse(written), ast.parse(evaluator_source(tame, contracts_of(tame, tame_data), None))
    constants = {"CONTRACTS", "METRIC_NAMES", "INSTANCES"}
    assert [ast.dump(node) for node in tree.body if _name(node) not in constants] == [
        ast.dump(node) for node in expected.body if _name(node) not in constants
    ]
    found = {_name(node): ast.literal_eval(node.value) for node in tree.body if _name(node) in constants}  # type: ignore[attr-defined]
    assert found["METRIC_NAMES"] == [use.name for use in task.instances[0].metrics]
    readme, description = render.readme(task, data), render.data_description(task, data)
    assert [name for level, name in headings(readme) if level == 2] == list(render.README_SECTIONS)
    assert [name for level, name in headings(description) if level == 2] == list(render.DESCRIPTION_SECTIONS)
    json.dumps(render.metadata(task))
    template = ast.parse(render.run_py(task, data))
    assert {_name(node) for node in template.body} >= {"INSTANCES", "FILES", "solve", "main"}


def _name(node: ast.stmt) -> str:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return getattr(node, "name", "")


def test_every_metric_of_the_registry_fits_into_one_evaluator() -> None:
    merged = evaluator._Merged()
    merged.add(source.take(metrics()))
    merged.add(evaluator._grading(frozenset(grading.READERS)))
    text = "from __future__ import annotations\n" + "\n".join([*merged.import_lines(), *merged.definitions.values()])
    names: dict[str, Any] = {}
    exec(compile(text, "evaluator", "exec"), names)
    assert names["rmse"]([1.0, 2.0], [1.0, 4.0]) == pytest.approx(np.sqrt(2))
    assert set(metrics()) <= set(names)


def test_columns_may_hold_colons_and_commas() -> None:
    known = {"a.csv": ["x,y", "p:q", "x", "y"], "a.csv:b": ["z"]}
    assert evaluator._selected("a.csv:x,y", known, "answer") == ("a.csv", ["x,y"])
    assert evaluator._selected("a.csv:p:q", known, "answer") == ("a.csv", ["p:q"])
    assert evaluator._selected("a.csv:x, y", {"a.csv": ["x", "y"]}, "answer") == ("a.csv", ["x", "y"])
    assert evaluator._selected("a.csv:b:z", known, "answer") == ("a.csv:b", ["z"])
    with pytest.raises(BuildError, match="no column 'w'"):
        evaluator._selected("a.csv:w", known, "answer")


OWN = '''"""Mine."""
import numpy as np

def {name}(reference, prediction, scale=1.0):
    return float(np.mean(np.abs(np.asarray(reference) - np.asarray(prediction)))) * scale
'''


def _with_own(name: str) -> Callable[[dict[str, Any]], None]:
    def change(task: dict[str, Any]) -> None:
        task["metrics_file"] = "lab/own.py"
        task["instances"][0]["metrics"][0] |= {"metric": f"task:{name}", "options": {"scale": 2.0}}

    return change


def test_a_tasks_own_metric_is_taken_from_its_file(
    write_task: WriteTask, tmp_path: Path, evaluate: Callable[[Path, Path], Any]
) -> None:
    from nature_gym.packaging.build import build

    task = write_task(_with_own("doubled"), {"lab/own.py": OWN.format(name="doubled").encode()})
    text = "run,temperature,time,yield\n" + "".join(f"e{n},1,2,{n}\n" for n in range(8))
    (task.parent / "lab/test.csv").write_text(text)
    built = build(task, tmp_path / "out")
    folder = tmp_path / "output/runs"
    folder.mkdir(parents=True)
    (folder / "predictions.csv").write_text("run,yield\n" + "".join(f"e{n},{n + 1}\n" for n in range(8)))
    assert evaluate(built.path, tmp_path / "output")["runs"]["RMSE"] == 2.0


@pytest.mark.parametrize("name", ["numeric", "grade", "read_rows", "json"])
def test_an_own_metric_that_takes_a_name_of_the_evaluators_is_refused(
    name: str, write_task: WriteTask, tmp_path: Path
) -> None:
    from nature_gym.packaging.build import build

    task = write_task(_with_own(name), {"lab/own.py": OWN.format(name=name).encode()})
    with pytest.raises(BuildError, match=name):
        build(task, tmp_path / "out")
