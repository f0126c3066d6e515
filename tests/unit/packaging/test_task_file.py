"""task.yaml: errors point at the line, say what may stand there; what is written reads back the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.demo.tasks import write_task
from nature_gym.demo.world import build_world
from nature_gym.errors import UsageError
from nature_gym.packaging.specification import TaskSpecification, json_schema
from nature_gym.packaging.task_file import TaskFileError, read_task, schema_text
from nature_gym.packaging.task_file import write_task as write
from tests.unit.packaging.conftest import TASK

GOOD = yaml.safe_dump(TASK, sort_keys=False)


def complaints(path: Path, text: str | bytes) -> list[tuple[int, str]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(TaskFileError) as caught:
        read_task(path)
    assert caught.value.hint
    return [(one.line, one.what) for one in caught.value.complaints]


def changed(old: str, new: str) -> tuple[str, int]:
    """The good task with one change, and the line in which it is."""
    assert old in GOOD
    return GOOD.replace(old, new, 1), GOOD[: GOOD.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("primary: Chemistry", "primary: Alchemy", "one of 'Mathematics'"),
        ("  sub: ", "  subb: ", "no field 'subb' here; did you mean 'sub'?"),
        ("domain:", "domane:", "no field 'domane' here; did you mean 'domain'?"),
        ("format: 1", "format: 2", "it is one of 1"),
        ("id: tiny-0001", "id: Tiny 0001", "does not look like"),
        ("role: inputs", "role: answers", "belong under reference"),
        ("direction: ", "direction: sideways # ", "'higher_is_better' or 'lower_is_better'"),
    ],
)
def test_an_error_points_at_its_line_and_says_what_may_stand_there(
    tmp_path: Path, old: str, new: str, what: str
) -> None:
    text, line = changed(old, new)
    found = complaints(tmp_path / "task.yaml", text)
    assert any(what in said for _, said in found), found
    if "belong" not in what:
        assert line in [at for at, _ in found], (line, found)


def test_what_is_missing_is_told_where_it_should_be(tmp_path: Path) -> None:
    text = re.sub(r"^name: .*\n", "", GOOD, count=1, flags=re.MULTILINE)
    assert complaints(tmp_path / "task.yaml", text) == [(1, "'name' is needed and missing")]


def test_all_errors_are_told_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    text = GOOD.replace("primary: Chemistry", "primary: Alchemy").replace("format: 1", "format: 7")
    found = complaints(tmp_path / "task.yaml", text)
    assert [line for line, _ in found] == sorted(line for line, _ in found)
    assert len(found) == 2


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("a: [1, 2", "no YAML"),
        ("a: 1\na: 2\n", "'a' stands here twice"),
        ("a: &a [*a]\n", "holds too much, or itself"),
        ("a: !!python/object/apply:os.system [echo]\n", "no tags"),
        ("[a]: 1\n", "a key is a word"),
        (b"\xff\xfe\x00", "no YAML"),
        ("- 1\n", "dictionary"),
        ("x: " + "[" * 200 + "]" * 200, ""),
        ("a0: &a0 [1, 1]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(30)), "too much"),
    ],
)  # fmt: skip
def test_what_is_no_task_is_refused_in_words_and_bounded_time(tmp_path: Path, text: str | bytes, what: str) -> None:
    assert any(what in said for _, said in complaints(tmp_path / "task.yaml", text))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_by_lines(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("task") / "task.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(TaskFileError) as caught:
        read_task(path)
    assert all(one.line >= 1 for one in caught.value.complaints)


def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file"):
        read_task(tmp_path / "task.yaml")


PASSING = [entry for entry in build_world().entries if entry.truth.verdict == "passed"]


@pytest.mark.parametrize("number", range(len(PASSING)))
def test_the_demos_tasks_are_read_written_and_fit_the_schema(tmp_path: Path, number: int) -> None:
    path = write_task(PASSING[number], tmp_path)
    task = read_task(path)
    write(tmp_path / "again.yaml", task)
    assert read_task(tmp_path / "again.yaml") == task
    jsonschema.validate(
        json.loads(json.dumps(yaml.safe_load((tmp_path / "again.yaml").read_text()), default=str)), json_schema()
    )


def test_the_published_schema_is_that_of_the_code(repository: Path) -> None:
    """Where this fails: ``naturegym task schema > docs/task.schema.json``."""
    assert (repository / "docs/task.schema.json").read_bytes() == schema_text()


def test_the_schema_refuses_what_the_code_refuses() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(TASK, schema)
    assert TaskSpecification.model_validate(TASK).id == TASK["id"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**TASK, "domane": {}}, schema)
