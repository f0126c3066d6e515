"""Source that stands alone: complete, in order, without this project, and giving the same values."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from nature_gym.errors import UsageError
from nature_gym.metrics import source
from nature_gym.metrics.registry import find, metrics, missing_packages
from nature_gym.metrics.source import take, take_file
from nature_gym.metrics.trial import Trial, run_trials


def run_alone(text: str, folder: Path) -> str:
    """What ``text`` prints in a process that does not see this project."""
    script = folder / "alone.py"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", metrics())
def test_the_source_of_a_metric_stands_alone(name: str) -> None:
    text = take([name]).text
    tree = ast.parse(text)
    assert "nature_gym" not in text
    assert "METRICS" not in text
    defined: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            used = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
            assert used - defined - {"np", "npt", "re", "math", "tuple", "range", "step", "str", "map"} == set()
            defined.add(node.targets[0].id)
    assert name in defined


def test_a_source_runs_where_this_project_is_not(tmp_path: Path) -> None:
    text = take(["R²", "AUROC", "silhouette"]).text
    printed = run_alone(
        f"{text}\nimport json, sys\nassert 'nature_gym' not in sys.modules\n"
        "print(json.dumps([r2([1, 2, 3], [1, 2, 4]), roc_auc([0, 1], [0.1, 0.2])]))\n",
        tmp_path,
    )
    assert json.loads(printed) == [0.5, 1.0]


def test_all_metrics_together_give_their_examples_here_and_apart() -> None:
    trials = run_trials(metrics().values())
    assert [trial for trial in trials if trial.state == "failed"] == []
    assert {trial.metric for trial in trials if trial.state == "skipped"} == {
        metric.name for metric in metrics().values() if missing_packages(metric)
    }


def test_a_definition_is_taken_once_and_imports_are_merged() -> None:
    text = take(["RMSE", "mse", "psnr", "spearman", "graph_connectivity", "mae"]).text
    tree = ast.parse(text)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert len(names) == len(set(names))
    assert text.count("import numpy as np\n") == 1
    assert "\nfrom scipy.sparse import coo_matrix\n" in text
    lines = text.splitlines()
    assert lines[0] == "from __future__ import annotations"
    assert lines.index("from typing import Any") < lines.index("import numpy as np")


def test_the_order_of_names_and_aliases_do_not_matter() -> None:
    assert take(["RMSE", "R²", "MAE"]) == take(["mae", "r2", "rmse", "rmse"])


def test_what_is_not_asked_for_is_not_taken() -> None:
    text = take(["accuracy"]).text
    assert "scipy" not in text
    assert "def roc_auc" not in text
    assert "def coded" in text


def test_an_unknown_metric_has_no_source() -> None:
    with pytest.raises(UsageError, match="no metric"):
        take(["accuracy", "nonsense-score"])


def test_two_definitions_of_one_name_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {}
    for place in ("one", "two"):
        path = tmp_path / f"{place}_module.py"
        path.write_text(f"LIMIT = {len(place)}\n\n\ndef {place}():\n    return LIMIT\n")
        modules[place] = f"{place}_module"
    monkeypatch.syspath_prepend(str(tmp_path))
    taken = source._Taken()
    source._pull(modules["one"], "one", taken)
    with pytest.raises(ValueError, match="LIMIT is defined in one_module and, otherwise, in two_module"):
        source._pull(modules["two"], "two", taken)


def test_a_metric_that_gives_another_value_than_its_example_fails_its_trial() -> None:
    from dataclasses import replace

    metric = find("RMSE")
    wrong = replace(metric, example=replace(metric.example, value=9.0))
    narrow = replace(metric, high=0.1)
    assert [trial.state for trial in run_trials([wrong, narrow])] == ["failed", "failed"]
    assert run_trials([metric]) == [Trial("rmse", "passed", f"{metric.example.value:.12g}")]


OWN = '''"""A task's own metric."""
import numpy as np

from nature_gym.metrics.regression import rmse

SCALE: float = 10.0


def scaled(value):
    return SCALE * value


def scaled_rmse(reference, prediction, power=1):
    """Ten times the RMSE."""
    return scaled(rmse(reference, prediction)) ** power
'''


def test_a_file_of_a_task_is_taken_with_what_it_calls(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    text = take_file(path, "scaled_rmse").text
    assert run_alone(f"{text}\nprint(scaled_rmse([0.0], [2.0]))\n", tmp_path) == "20.0\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (OWN + "\nprint(SCALE)\n", "line 17 neither imports nor defines"),
        (OWN.replace("SCALE: float = 10.0", "SCALE = x = 10.0"), "neither imports nor defines"),
        ("def other(reference, prediction):\n    return 0.0\n", r"no function scaled_rmse\(reference, prediction\)"),
        ("def scaled_rmse(a, b):\n    return 0.0\n", r"no function scaled_rmse\(reference, prediction\)"),
        ("def scaled_rmse(:\n", "invalid syntax"),
        ("(" * 5000, "no metric"),
        ("\x00", "no metric"),
        ("# " + "x" * 100_000, "larger than"),
    ],
)
def test_a_file_that_does_anything_else_is_refused_unrun(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(content)
    with pytest.raises(UsageError, match=sentence):
        take_file(path, "scaled_rmse")


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        take_file(tmp_path / "none.py", "x")
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="no metric"):
        take_file(tmp_path / "bytes.py", "x")
