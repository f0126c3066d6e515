"""``naturegym cut`` of folders with a draft, and of papers that were not acquired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.acquisition.stage import AcquireStage
from nature_gym.cli.main import app
from nature_gym.cut.stage import CutStage
from nature_gym.errors import FindingsError, PaperError, UsageError
from nature_gym.packaging.task_file import read_task
from nature_gym.records import Papers

PROGRAM = "import pandas as pd\ndf = pd.read_csv('data/train.csv')\ny = df['price']\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a training and a test table."""
    monkeypatch.setenv("NATUREGYM_HOME", str(tmp_path / "home"))
    data = tmp_path / "repository" / "data"
    data.mkdir(parents=True)
    for side, rows in (("train", 8), ("test", 4)):
        lines = [f"h{side}{row},{row},{row * 2}" for row in range(rows)]
        (data / f"{side}.csv").write_text("\n".join(["house_id,size,price", *lines]) + "\n")
    (data.parent / "train.py").write_text(PROGRAM)
    return data.parent


def test_a_folder_gets_a_draft_beside_its_cut(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "task.yaml"
    done = CliRunner().invoke(app, ["cut", str(folder), "--draft", str(target), "--json"])
    assert done.exit_code == 0, done.output
    assert {file["path"] for file in json.loads(done.stdout)["files"]} >= {"data/train.csv", "data/test.csv"}
    task = read_task(target)
    assert task.instances[0].answer[0].id == "house_id"
    assert task.sources["code"].path == "repository"
    assert any(question in done.stderr for question in task.questions)
    preview = CliRunner().invoke(app, ["task", "preview", str(target)])
    assert preview.exit_code == 0, preview.output


def test_a_folder_that_shows_no_sides_gets_none(folder: Path, tmp_path: Path) -> None:
    for path in (folder / "data").iterdir():
        path.unlink()
    target = tmp_path / "task.yaml"
    done = CliRunner().invoke(app, ["cut", str(folder), "--draft", str(target)])
    assert isinstance(done.exception, FindingsError)
    assert not target.exists()


def test_a_paper_that_nobody_knows(folder: Path) -> None:
    assert isinstance(CliRunner().invoke(app, ["cut", "10.1234/nothing"]).exception, UsageError)


def test_a_draft_by_name_is_for_folders(folder: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["cut", "10.1234/nothing", "--draft", str(tmp_path / "x.yaml")])
    assert isinstance(done.exception, UsageError)
    assert not list(tmp_path.glob("*.yaml"))


@pytest.mark.parametrize(("command", "stage"), [("cut", CutStage), ("acquire", AcquireStage)])
def test_a_paper_that_failed_ends_with_1_also_when_nothing_is_done_again(
    naturegym_home: Path, monkeypatch: pytest.MonkeyPatch, command: str, stage: type
) -> None:
    asked = []

    def refuse(*_: object) -> None:
        asked.append(1)
        raise PaperError("nothing shows how the data part", hint="Write it by hand.")

    paper = Papers(naturegym_home / "papers")["10.5555_x"]
    paper.path.mkdir(parents=True)
    monkeypatch.setattr(stage, "inputs", lambda *_: "the same")
    monkeypatch.setattr(stage, "work", refuse)
    monkeypatch.setattr("nature_gym.acquisition.plan.screened", lambda _: None)
    codes = [CliRunner().invoke(app, [command, "10.5555_x", "--json"]).exit_code for _ in range(2)]
    assert (codes, len(asked)) == ([1, 1], 1)
    CliRunner().invoke(app, [command, "10.5555_x", "--force"])
    assert len(asked) == 2
