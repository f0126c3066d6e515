"""naturegym inventory and acquire, as far as no paper is needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.errors import UsageError


def test_inventory_prints_one_json_document(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "train.csv").write_text("id,y\n1,2\n3,4\n")
    (folder / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00")
    done = CliRunner().invoke(app, ["inventory", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    bad, train = json.loads(done.stdout)["files"]
    assert (bad["path"], bad["readable"]) == ("bad.npy", False)
    assert (train["format"], train["structure"]["rows"]) == ("csv", 2)


def test_inventory_says_for_people_what_is_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("id,y\n1,2\n3,4\n")
    done = CliRunner().invoke(app, ["inventory", str(tmp_path / "train.csv")])
    assert done.exit_code == 0
    assert "2 columns: id, y" in done.stdout


def test_papers_that_are_not_there_are_refused() -> None:
    done = CliRunner().invoke(app, ["acquire", "10.1234/nothing", "--dry-run"])
    assert isinstance(done.exception, UsageError)


def test_dry_run_of_an_empty_home_takes_nothing(naturegym_home: Path) -> None:
    done = CliRunner().invoke(app, ["acquire", "--dry-run", "--json"])
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])
    assert not (naturegym_home / "trees").exists()


@pytest.mark.parametrize("command", ["acquire", "inventory"])
def test_help_has_an_example(command: str) -> None:
    assert "Example:" in CliRunner().invoke(app, [command, "--help"]).stdout
