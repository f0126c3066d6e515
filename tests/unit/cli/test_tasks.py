"""``naturegym task`` and ``naturegym split`` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.demo.tasks import write_task
from nature_gym.demo.world import build_world

ENTRY = next(entry for entry in build_world().entries if entry.paper.id == "10.5555_s41467-022-34127-1")
runner = CliRunner()


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return write_task(ENTRY, tmp_path / "task")


def test_a_task_is_validated_line_by_line(task: Path) -> None:
    assert runner.invoke(app, ["task", "validate", str(task)]).exit_code == 0
    assert json.loads(runner.invoke(app, ["task", "validate", str(task), "--json"]).stdout)["valid"]
    lines = task.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines) if "separability: moderate" in text)
    lines[line] = lines[line].replace("separability", "seperability")
    task.write_text("\n".join(lines), encoding="utf-8")
    result = runner.invoke(app, ["task", "validate", str(task), "--json"])
    assert result.exit_code == 1
    (error,) = json.loads(result.stdout)["errors"]
    assert (error["line"], "did you mean 'separability'" in error["what"]) == (line + 1, True)


def test_a_preview_counts_and_shows_rows(task: Path) -> None:
    found = json.loads(runner.invoke(app, ["task", "preview", str(task), "--rows", "2", "--json"]).stdout)
    assert found["splits"][0]["counts"] == {"development": 309, "evaluation": 133, "": 0}
    assert all(len(file["head"]) == 2 for file in found["files"] if file["file"].endswith(".csv"))
    text = runner.invoke(app, ["task", "preview", str(task)])
    assert text.exit_code == 0
    assert "development 309, evaluation 133" in text.stdout
    (task.parent / "code/data/splits/test_idx.txt").write_text("1\n5000\n")
    assert runner.invoke(app, ["task", "preview", str(task)]).exit_code == 1


def test_a_split_is_made_whole_and_the_same_again(task: Path, tmp_path: Path) -> None:
    results = [
        runner.invoke(app, ["split", str(task), "--out", str(tmp_path / name), "--json"]) for name in ("one", "two")
    ]
    one, two = (json.loads(result.stdout) for result in results)
    assert one["digest"] == two["digest"]
    assert one["splits"][0]["counts"] == {"development": 309, "evaluation": 133, "": 0}
    assert (tmp_path / "one/provenance.jsonl").is_file()
    assert "problem/data" in runner.invoke(app, ["split", str(task)]).stdout
    assert (task.parent / "split/evaluation/ground_truth").is_dir()


def test_the_schema_is_json() -> None:
    assert json.loads(runner.invoke(app, ["task", "schema"]).stdout)["title"] == "NatureGym task"


def test_a_word_that_means_no_task_is_a_wrong_call() -> None:
    result = runner.invoke(app, ["split", "10.5555/none"])
    assert result.exit_code != 0
