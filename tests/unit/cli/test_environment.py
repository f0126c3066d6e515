"""``naturegym env resolve`` from the outside: papers, folders and task.yaml files, and pins written back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.config import load_settings
from nature_gym.demo.tasks import write_task
from nature_gym.demo.world import build_world
from nature_gym.errors import UsageError
from nature_gym.packaging.task_file import read_task
from tests.unit.environment.conftest import Index, index  # noqa: F401 -- a fixture

ENTRY = next(entry for entry in build_world().entries if entry.paper.id == "10.5555_s41467-022-34127-1")
EXAMPLE = Path(__file__).resolve().parents[3] / "task_packages" / "examples" / "demo-d8158413"
runner = CliRunner()


def resolved(*arguments: str, code: int = 0) -> Any:
    result = runner.invoke(app, ["env", "resolve", *arguments, "--json"])
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


@pytest.fixture
def paper() -> Path:
    """The task.yaml of a paper that was cut."""
    return write_task(ENTRY, load_settings().papers / ENTRY.paper.id / "cut")


@pytest.mark.parametrize("name", [ENTRY.paper.id, ENTRY.paper.doi, f"https://doi.org/{ENTRY.paper.doi}"])
def test_a_paper_is_named_by_its_id_or_doi(name: str, paper: Path) -> None:
    told = resolved(name)
    assert told["sound"]
    assert {one["module"] for one in told["imports"]} == {one["module"] for one in resolved(str(paper))["imports"]}


@pytest.mark.parametrize("name", ["10.5555_s41467-000-00000-0", "nothing"])
def test_a_paper_that_is_not_there_is_a_wrong_call(name: str) -> None:
    assert isinstance(runner.invoke(app, ["env", "resolve", name]).exception, UsageError)


def test_pins_are_written_into_the_task_on_request(tmp_path: Path, index: Index) -> None:  # noqa: F811
    index.add("lifelines", "1.0", "2019-05-01")
    index.add("lifelines", "2.0", "2023-05-01")
    package = tmp_path / "package"
    shutil.copytree(EXAMPLE, package)
    (package / "extra.py").write_text("import lifelines\n")
    task_file = package / "task.yaml"
    before = task_file.read_bytes()
    assert resolved(str(package))["packages"][0]["pin"] == "lifelines==2.0"
    assert task_file.read_bytes() == before
    assert resolved(str(package), "--write", "--as-of", "2020-01-01")["written"] is True
    assert read_task(task_file).environment.packages == ("lifelines==1.0",)
    assert resolved(str(package), "--write")["written"] is False
    (package / "more.py").write_text("import nowhere_at_all\n")
    held = task_file.read_bytes()
    assert resolved(str(package), "--write", code=1)["written"] is False
    assert task_file.read_bytes() == held


def test_an_image_of_nothing_is_refused_before_an_engine_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nature_gym.environment.image.engine", lambda: pytest.fail("asked for an engine"))
    result = runner.invoke(app, ["env", "build", "nosuch"])
    assert isinstance(result.exception, UsageError)
    assert "There is no package, no base image and no built paper called 'nosuch'." in result.exception.message
