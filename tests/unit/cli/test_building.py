"""``naturegym build`` and ``naturegym package`` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.config import load_settings
from nature_gym.demo.tasks import task_id, write_task
from nature_gym.demo.world import build_world
from nature_gym.errors import UsageError

ENTRY = next(entry for entry in build_world().entries if entry.paper.id == "10.5555_s41467-022-34127-1")
runner = CliRunner()


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return write_task(ENTRY, tmp_path / "task")


def test_a_task_is_built_without_a_database_and_shown(task: Path, tmp_path: Path) -> None:
    built = runner.invoke(app, ["build", str(task), "--out", str(tmp_path / "out"), "--check", "--json"])
    assert built.exit_code == 0, built.output
    (told,) = json.loads(built.stdout)
    assert (told["task"], told["problems"]) == (task_id(ENTRY), [])
    assert not load_settings().home.joinpath("naturegym.db").exists()
    for command in ("show", "validate", "tree"):
        result = runner.invoke(app, ["package", command, told["package"], "--json"])
        assert result.exit_code == 0, result.output
    shown = runner.invoke(app, ["package", "show", told["package"]])
    assert "R2" in shown.stdout
    again = json.loads(runner.invoke(app, ["build", str(task), "--out", str(tmp_path / "out"), "--json"]).stdout)
    assert again[0]["changed"] == []
    copy = tmp_path / "copy"
    shutil.copytree(told["package"], copy)
    assert runner.invoke(app, ["package", "diff", told["package"], str(copy)]).exit_code == 0
    (copy / "metadata.json").unlink()
    assert runner.invoke(app, ["package", "diff", told["package"], str(copy)]).exit_code == 1
    assert runner.invoke(app, ["package", "validate", str(copy)]).exit_code == 1


def test_a_task_that_would_tell_its_method_ends_with_1_and_the_others_are_built(task: Path, tmp_path: Path) -> None:
    other = write_task(ENTRY, tmp_path / "other")
    other.write_text(other.read_text().replace("Diabetes runs", "As PANORA shows, diabetes runs"))
    result = runner.invoke(app, ["build", str(other), str(task), "--out", str(tmp_path / "out"), "--json"])
    assert result.exit_code == 1
    refused, built = json.loads(result.stdout)
    assert "problem/README.md at byte" in refused["error"]
    assert Path(built["package"]).is_dir()


def test_a_papers_package_is_recorded_and_skipped_while_it_is_current(tmp_path: Path) -> None:
    settings = load_settings()
    folder = settings.papers / ENTRY.paper.id
    task = write_task(ENTRY, folder / "cut")
    first = json.loads(runner.invoke(app, ["build", ENTRY.paper.id, "--json"]).stdout)[0]
    assert Path(first["package"]).parent == settings.packages
    record = json.loads((folder / "build" / "record.json").read_text())
    assert (record["stage"], record["verdict"]) == ("build", "built")
    assert json.loads(runner.invoke(app, ["build", ENTRY.paper.id, "--json"]).stdout)[0]["changed"] == []
    task.write_text(task.read_text().replace("Diabetes runs", "Diabetes takes"))
    changed = json.loads(runner.invoke(app, ["build", ENTRY.paper.id, "--json"]).stdout)[0]["changed"]
    assert changed == ["problem/README.md", "provenance.json", "task.yaml"]
    shutil.rmtree(first["package"])
    assert runner.invoke(app, ["build", ENTRY.paper.id]).exit_code == 0
    assert Path(first["package"]).is_dir()


@pytest.mark.parametrize("arguments", [[], ["--all", "x.yaml"]])
def test_what_to_build_has_to_be_said(arguments: list[str]) -> None:
    result = runner.invoke(app, ["build", *arguments])
    assert result.exit_code != 0


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_is_no_folder_for_packages(below: str, task: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    result = runner.invoke(app, ["build", str(task), "--out", str(tmp_path / "file" / below)])
    assert isinstance(result.exception, UsageError)
    assert "is a file" in result.exception.message


def test_a_check_that_finds_nothing_says_so(task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nature_gym.cli.problems.problems_of", lambda *_: [])
    result = runner.invoke(app, ["build", str(task), "--out", str(tmp_path / "out"), "--check"])
    assert "the checks find nothing wrong" in result.stdout
    plain = runner.invoke(app, ["build", str(task), "--out", str(tmp_path / "out")])
    assert "checks" not in plain.stdout
