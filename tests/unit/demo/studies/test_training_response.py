from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pandas as pd
import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.studies.training_response import PUBLISHED, SOURCE_URL, entry
from nature_gym.demo.words import Words
from tests.unit.demo.studies.authors import (
    Scores,
    best,
    close,
    documented_commands,
    flaws,
    materialise,
    printed,
    read_scores,
    run,
)

ROWS = {
    "Mean": "mean",
    "Ridge regression": "ridge",
    "Random forest": "random-forest",
    "Partial least squares": "pls",
    "Ridge chain": "ridge-chain",
    "COPAN-indep": "COPAN-indep",
    "COPAN-nores": "COPAN-nores",
    "COPAN": "COPAN",
}


@pytest.fixture
def study() -> Entry:
    return entry(Words(0, "training_response"))


@pytest.fixture
def checkout(study: Entry, tmp_path: Path) -> Path:
    return materialise(study.repositories[0], PUBLISHED, tmp_path)


def _compare(study: Entry, checkout: Path) -> Scores:
    parts = ("copan", "baselines")
    read = [read_scores(checkout / f"results/scores_{part}.csv", "method", "target") for part in parts]
    measured = read[0] | read[1]
    exercise = read_scores(checkout / "results/scores_exercise.csv", "method", "target")
    for label, cells in printed(study.paper, 2).items():
        method = ROWS[label]
        numbers = [measured[method, "mean"][name] for name in ("nrmse", "nmae", "spearman")]
        numbers.append(exercise.get((method, "mean"), {}).get("nrmse", math.nan))
        for cell, number in zip(cells, numbers, strict=True):
            assert math.isnan(number) if cell == "–" else close(cell, number), (label, cell)
    return measured


def test_every_wording_agrees_with_its_truth() -> None:
    for seed in range(6):
        for unseen in (False, True):
            assert flaws(entry(Words(seed, "training_response", unseen=unseen))) == []


def test_stored_results_are_those_printed(study: Entry, checkout: Path) -> None:
    _compare(study, checkout)


def test_subjects_and_measurements_are_counted_right(study: Entry, checkout: Path) -> None:
    panel = pd.read_csv(checkout / "data/panel.csv").merge(
        pd.read_csv(checkout / "data/partition.csv"), on="subject_id"
    )
    for label, part in (("Development", "part == 'development'"), ("Test", "part == 'test'"), ("All", "record > 0")):
        rows = panel.query(part)
        counts = [len(rows), *rows[["progression", "ltg", "glu"]].count()]
        assert printed(study.paper, 1)[label] == [str(count) for count in counts]


def test_tables_are_made_again_from_the_original(study: Entry, checkout: Path) -> None:
    stored = {name: (checkout / "data" / name).read_bytes() for name in ("subjects.csv", "panel.csv")}
    (page,) = study.pages
    assert page.url == SOURCE_URL
    (checkout / "diabetes.tab.txt").write_bytes(page.body)
    run("python tools/make_panel.py diabetes.tab.txt", checkout)
    assert {name: (checkout / "data" / name).read_bytes() for name in stored} == stored


def test_notebooks_are_notebooks(checkout: Path) -> None:
    for path in (checkout / "notebooks").iterdir():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert notebook["nbformat"] == 4
        assert {cell["cell_type"] for cell in notebook["cells"]} == {"markdown", "code"}


@pytest.mark.slow
def test_documented_commands_give_the_printed_tables(study: Entry, checkout: Path) -> None:
    for folder in ("features", "fits", "results"):
        shutil.rmtree(checkout / folder)
    partition = (checkout / "data/partition.csv").read_bytes()
    (command,) = documented_commands(checkout / "README.md")
    (checkout / "results").mkdir()
    run(command, checkout)
    assert (checkout / "data/partition.csv").read_bytes() == partition
    measured = _compare(study, checkout)
    assert best(measured, "nrmse", ROWS.values(), ("mean",), lowest=True) == {"COPAN"}
