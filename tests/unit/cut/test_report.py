from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.cut.folder import cut_folder
from nature_gym.cut.report import CutReport, report_of
from tests.unit.cut.trees import grow

FILES = {
    "train.py": "import pandas as pd\nfrom torch import nn\nclass Net(nn.Module):\n    pass\n"
    "pd.read_csv('data/a.csv')\nloss.backward()\npd.DataFrame().to_csv('results/b.csv')\nopen('data/missing.txt')\n",
    "data/a.csv": "x,y\n1,2\n",
    "results/b.csv": "x\n",
}


def test_json_has_the_promised_parts_and_every_file_once(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["cut", str(grow(tmp_path, FILES)), "--json", "--method", "Net"])
    assert result.exit_code == 0
    told = orjson.loads(result.stdout)
    assert list(told) == ["files", "patterns", "core", "splits", "metrics_code", "warnings"]
    assert [each["path"] for each in told["files"]] == ["data/a.csv", "results/b.csv"]
    assert set(told["files"][0]) == {"path", "category", "confidence", "kept", "evidence"}
    assert [each["kept"] for each in told["files"]] == [True, False]
    assert set(told["files"][0]["evidence"][0]) == {"file", "line", "what"}
    assert [each["path"] for each in told["patterns"]] == ["data/missing.txt"]
    assert told["core"][0]["name"] == "Net"
    CutReport.model_validate(told)


def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv")).write_text("x")
    assert report_of(cut_folder(tmp_path)).files[0].path == "caf\\udce9.csv"
    assert CliRunner().invoke(app, ["cut", str(tmp_path), "--json"]).exit_code == 0


def test_text_groups_files_and_names_the_core(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["cut", str(grow(tmp_path, FILES))])
    assert result.exit_code == 0
    assert "keep  initial_state" in result.output
    assert "drop  algorithm_output" in result.output
    assert "core  train.py:3 Net" in result.output


def test_why_shows_the_lines_of_code(tmp_path: Path) -> None:
    root = grow(tmp_path, FILES)
    result = CliRunner().invoke(app, ["cut", str(root), "--why", "results/b.csv"])
    assert result.exit_code == 0
    assert "train.py:7" in result.output
    assert "pd.DataFrame().to_csv('results/b.csv')" in result.output
    told = orjson.loads(CliRunner().invoke(app, ["cut", str(root), "--why", "b.csv", "--json"]).stdout)
    assert (told["path"], told["category"]) == ("results/b.csv", "algorithm_output")


@pytest.mark.parametrize("arguments", [["nowhere"], [".", "--why", "no-such-file"]])
def test_what_is_not_there_is_a_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(grow(tmp_path, FILES))
    result = CliRunner().invoke(app, ["cut", *arguments])
    assert result.exit_code != 0
    assert getattr(result.exception, "exit_code", None) == 2
