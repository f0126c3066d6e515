from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.environment.programs import programs_of_folder

EXAMPLE = Path(__file__).resolve().parents[3] / "task_packages" / "examples" / "demo-48a07731"


def test_a_folder_gives_its_programs_notebooks_and_requirement_files(tmp_path: Path) -> None:
    notebook = {"cells": [{"cell_type": "code", "source": ["%matplotlib inline\n", "import umap"]}], "nbformat": 4}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "broken.ipynb").write_text("{")
    (tmp_path / "b.py").write_bytes(b"\xef\xbb\xbfimport numpy\n# \xff")
    (tmp_path / "requirements.txt").write_text("numpy")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.py").write_text("import torch")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    found = programs_of_folder(tmp_path)
    assert set(found.sources) == {"a.ipynb", "b.py"}
    assert "import umap" in found.sources["a.ipynb"]
    assert found.requirement_files == {"requirements.txt": "numpy"}


def test_a_package_says_its_base(tmp_path: Path) -> None:
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "Dockerfile.v3").write_text("# a task\nFROM naturebench-base:v3\n")
    assert programs_of_folder(tmp_path).base == "naturebench-base:v3"
    assert programs_of_folder(EXAMPLE).base == "naturegym-slim:v1"


def test_the_command_explains_and_ends_with_1_where_something_is_gone(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["env", "resolve", str(EXAMPLE), "--json"])
    told = json.loads(done.stdout)
    assert done.exit_code == 0
    assert told["sound"]
    assert [(one["module"], one["origin"], one["version"]) for one in told["imports"]] == [("numpy", "base", "1.26.4")]
    assert told["local"] == ["tmm"]
    (tmp_path / "a.py").write_text("from sklearn.externals import joblib\n")
    gone = CliRunner().invoke(app, ["env", "resolve", str(tmp_path)])
    assert gone.exit_code == 1
    assert "sklearn.externals.joblib went in scikit-learn 0.23" in " ".join(gone.stdout.split())


@pytest.mark.parametrize("arguments", [["--as-of", "yesterday"], ["--base", "other:v1"]])
def test_wrong_options_are_usage(tmp_path: Path, arguments: list[str]) -> None:
    done = CliRunner().invoke(app, ["env", "resolve", str(tmp_path), *arguments])
    assert getattr(done.exception, "exit_code", None) == 2
