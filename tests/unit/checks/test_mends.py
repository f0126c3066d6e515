"""What --fix changes: what a check complains of, and nothing else; shown before, whole or not at all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from checks.mends import apply_mends, mends_of
from checks.package import CheckedPackage
from checks.running import run_checks
from checks.suppressions import suppress
from nature_gym.cli.main import app
from nature_gym.digests import digest_folder
from tests.unit.checks.packages import cells, fold, written

EXAMPLE = Path(__file__).parents[3] / "task_packages" / "examples" / "demo-d8158413"
README, DESCRIPTION, PACKAGES = "problem/README.md", "problem/data_description.md", "environment/packages.json"


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return shutil.copytree(EXAMPLE, tmp_path / "package")


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    return written(tmp_path / "theirs", cells())


def mended(path: Path) -> list[str]:
    mends = mends_of(CheckedPackage(path))
    apply_mends(path, mends)
    return [one.file for one in mends]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (README, "# One-year progression", "# The progression"),
        (README, "## 3. Dataset Information", "## Data"),
        (DESCRIPTION, "## 2. Dataset Overview", "## Overview"),
        ("metadata.json", '"lower_is_better"', '"up"'),
        ("environment/Dockerfile.v3", "FROM", "# FROM"),
        (PACKAGES, '"base_image": "', '"base_image": "x'),
        ("evaluation/evaluator.py", "def run_evaluation", "def (run_evaluation"),
    ],
)
def test_a_file_that_was_rendered_is_rendered_anew_byte_for_byte(file: str, old: str, new: str, ours: Path) -> None:
    text = (ours / file).read_text()
    assert old in text
    (ours / file).write_text(text.replace(old, new))
    assert run_checks(ours, static=True).summary.failed + run_checks(ours, static=True).summary.warned > 0
    assert file in mended(ours)
    assert digest_folder(ours) == digest_folder(EXAMPLE)


@pytest.mark.parametrize("file", [README, DESCRIPTION, "metadata.json", PACKAGES, "evaluation/evaluator.py"])
def test_a_file_that_is_missing_comes_back(file: str, ours: Path) -> None:
    (ours / file).unlink()
    mended(ours)
    assert digest_folder(ours) == digest_folder(EXAMPLE)


def test_a_good_package_has_nothing_to_mend(ours: Path, theirs: Path) -> None:
    assert mended(ours) == mended(theirs) == []


def test_an_edit_that_no_check_complains_of_stays(ours: Path) -> None:
    text = (ours / README).read_text()
    (ours / README).write_text(text.replace("a different course", "another course"))
    (ours / "problem/data/.DS_Store").write_text("x")
    assert mended(ours) == ["problem/data/.DS_Store"]
    assert "another course" in (ours / README).read_text()


def test_caches_go_and_by_products_stay(theirs: Path) -> None:
    for name in (
        "evaluation/__pycache__/a.pyc",
        ".git/config",
        "problem/data/breast/Thumbs.db",
        "evaluation/train.log",
    ):
        (theirs / name).parent.mkdir(exist_ok=True)
        (theirs / name).write_text("x")
    assert mended(theirs) == [".git", "evaluation/__pycache__", "problem/data/breast/Thumbs.db"]
    assert (theirs / "evaluation/train.log").exists()
    assert {one.file for one in run_checks(theirs, static=True).check("C3.2").findings} == {"evaluation/train.log"}


def test_a_foreign_tree_is_drawn_as_the_files_are_and_the_text_around_it_stays(theirs: Path) -> None:
    (theirs / "problem/data/lung-2/more.csv").write_text("x")
    assert run_checks(theirs, static=True).check("C1.8").status == "fail"
    assert mended(theirs) == [DESCRIPTION]
    assert run_checks(theirs, static=True).check("C1.8").status == "pass"
    before, after = str(cells()[DESCRIPTION]), (theirs / DESCRIPTION).read_text()
    assert before.partition("```")[0] == after.partition("```")[0]
    assert before.rpartition("```")[2] == after.rpartition("```")[2]
    assert "more.csv" in after


def test_a_foreign_packages_json_follows_the_dockerfile(tmp_path: Path) -> None:
    files = fold()
    files["environment/Dockerfile.v3"] = "FROM naturegym-slim:v1\nRUN pip install scikit-bio==0.6.2\n"
    path = written(tmp_path, files)
    assert run_checks(path, static=True).check("C0.5").status == "warn"
    assert mended(path) == [PACKAGES]
    value = json.loads((path / PACKAGES).read_text())
    assert value["task_packages"] == [{"pip": "scikit-bio", "import": "skbio", "version": "0.6.2"}]
    assert value["from_base"] == ["numpy"]
    assert run_checks(path, static=True).check("C0.5").status == "pass"


def test_what_is_suppressed_is_left_alone(theirs: Path) -> None:
    (theirs / "problem/.DS_Store").write_text("x")
    suppress(theirs, "C3.2", "an example of one", "problem/.DS_Store")
    assert mended(theirs) == []


def test_a_mend_that_would_break_something_else_is_left_out(ours: Path) -> None:
    """The task calls an instance otherwise than its data: rendered anew, the README would no longer fit."""
    (ours / README).write_text((ours / README).read_text().replace("# One-year", "# A year"))
    task = ours / "task.yaml"
    task.write_text(task.read_text().replace("unit: ", "unit: x").replace("name: MAE", "name: Other"))
    failing = {one.id for one in run_checks(ours, static=True).checks if one.status == "fail"}
    mended(ours)
    after = {one.id for one in run_checks(ours, static=True).checks if one.status == "fail"}
    assert after <= failing


def test_links_are_not_written_through(theirs: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(theirs / "environment")
    (theirs / "environment").symlink_to(outside)
    (theirs / "problem/__pycache__").symlink_to(outside)
    (outside / "kept.txt").write_text("x")
    mended(theirs)
    assert [path.name for path in outside.iterdir()] == ["kept.txt"]


def test_where_a_new_content_cannot_be_written_nothing_is_changed(
    theirs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (theirs / "problem/data/lung-2/more.csv").write_text("x")
    (theirs / "environment/packages.json").write_text("{}")
    mends = mends_of(CheckedPackage(theirs))
    assert len(mends) == 2
    before = digest_folder(theirs)
    calls = iter((None, OSError(28, "no space")))

    def fsync(_: int) -> None:
        if error := next(calls):
            raise error

    monkeypatch.setattr("checks.mends.os.fsync", fsync)
    with pytest.raises(OSError, match="no space"):
        apply_mends(theirs, mends)
    assert digest_folder(theirs) == before


def test_the_command_shows_first_and_applies_with_yes(theirs: Path) -> None:
    (theirs / "problem/.DS_Store").write_text("x")
    shown = CliRunner().invoke(app, ["check", str(theirs), "--static", "--fix"])
    assert (theirs / "problem/.DS_Store").exists()
    assert "-problem/.DS_Store" in shown.output
    assert "Nothing was changed" in shown.output
    assert shown.exit_code == 1
    done = CliRunner().invoke(app, ["check", str(theirs), "--static", "--fix", "--yes", "--json"])
    value = json.loads(done.stdout)
    assert (value["applied"], [one["action"] for one in value["mends"]]) == (True, ["remove"])
    assert value["summary"]["failed"] == done.exit_code == 0
    assert not (theirs / "problem/.DS_Store").exists()
