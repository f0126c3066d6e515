"""Papers that set a trap and pass: what they print is what their files and programs give."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nature_gym.demo.fates import measured
from nature_gym.demo.fates.composing import Assignment
from nature_gym.demo.model import Entry
from nature_gym.demo.words import Words


def data_of(entry: Entry) -> dict[str, bytes]:
    files = {file.name: file.read() for deposit in entry.deposits for file in deposit.files}
    files |= {page.url.rpartition("/")[2]: page.body for page in entry.pages if page.behaviour == "flaky"}
    return files


def written(seed: int) -> list[Entry]:
    return [fate(Assignment(Words(seed, fate.__name__), fate.__name__, 90)) for fate in measured.FATES]


@pytest.mark.parametrize("entry", written(0), ids=lambda entry: entry.truth.traps[0])
def test_the_authors_programs_give_the_printed_scores(entry: Entry, tmp_path: Path) -> None:
    for name, content in entry.repositories[0].files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    committed = json.loads((tmp_path / "results" / "scores.json").read_bytes())
    (tmp_path / "results" / "scores.json").unlink()
    (tmp_path / "data").mkdir()
    for name, content in data_of(entry).items():
        (tmp_path / "data" / name).write_bytes(content)
    subprocess.run([sys.executable, "run.py"], cwd=tmp_path, check=True)
    scores = json.loads((tmp_path / "results" / "scores.json").read_bytes())
    task = entry.truth.task
    assert task is not None
    for setting in task.settings:
        got = scores[setting.name.lower()]
        assert [f"{value:.3f}" for value in got[task.method]] == list(setting.sota.values())
        for row, values in got.items():
            assert values == pytest.approx(committed[setting.name.lower()][row], rel=1e-9)
    printed = {row[0]: [cell.strip("*") for cell in row[1:]] for row in entry.paper.tables[0].rows}
    for row, cells in printed.items():
        assert cells == [f"{value:.3f}" for setting in task.settings for value in scores[setting.name.lower()][row]]


@pytest.mark.parametrize("seed", range(12))
def test_the_method_wins_for_any_seed(seed: int) -> None:
    for entry in written(seed):
        *_, method = entry.paper.tables[0].rows
        assert all(cell.startswith("**") for cell in method[1:])


def test_files_hold_as_many_samples_as_the_paper_says() -> None:
    for entry in written(1):
        for name, content in data_of(entry).items():
            rows = content.decode().splitlines()[1:]
            assert len(rows) == (measured.TRAINING if "train" in name else measured.TEST)
            assert len({row.split(",")[0] for row in rows}) == len(rows)


def test_development_and_evaluation_are_files_that_are_there() -> None:
    for entry in written(2):
        assert entry.truth.task is not None
        for setting in entry.truth.task.settings:
            assert {*setting.development, *setting.evaluation} <= set(data_of(entry))
