from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.studies.coating_design import PUBLISHED, entry
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
    "Random search": "random",
    "Nearest neighbour": "nearest",
    "Inverse network": "inverse-net",
    "Genetic search": "genetic",
    "FilmScout": "filmscout",
}
FAMILIES = ("antireflection", "edge", "splitter")


@pytest.fixture
def study() -> Entry:
    return entry(Words(0, "coating_design"))


@pytest.fixture
def checkout(study: Entry, tmp_path: Path) -> Path:
    return materialise(study.repositories[0], PUBLISHED, tmp_path)


def scores(checkout: Path) -> Scores:
    return read_scores(checkout / "results/main.csv", "method", "family")


def test_every_wording_agrees_with_its_truth() -> None:
    for seed in range(6):
        for unseen in (False, True):
            assert flaws(entry(Words(seed, "coating_design", unseen=unseen))) == []


def test_stored_designs_score_as_printed(study: Entry, checkout: Path) -> None:
    (checkout / "results/main.csv").unlink()
    run("python evaluate.py", checkout)
    measured = scores(checkout)
    for label, method in ROWS.items():
        cells = printed(study.paper, 2)[label]
        for place, family in enumerate(FAMILIES):
            error, deviation = cells[2 * place].split(" ± ")
            assert close(error, 100 * measured[method, family]["mean_band_error"]), (label, family)
            assert close(deviation, 100 * measured[method, family]["sd"]), (label, family)
            successes = round(8 * measured[method, family]["success_rate"])
            assert cells[2 * place + 1] == f"{successes}/8"


def test_library_and_targets_are_made_again(checkout: Path) -> None:
    stored = dict(np.load(checkout / "data/library.npz"))
    targets = {path.name: path.read_bytes() for path in (checkout / "data/targets").iterdir()}
    shutil.rmtree(checkout / "data/targets")
    (checkout / "data/library.npz").unlink()
    for command in documented_commands(checkout / "README.md")[:2]:
        run(command, checkout)
    again = dict(np.load(checkout / "data/library.npz"))
    assert again.keys() == stored.keys()
    for name, array in stored.items():
        np.testing.assert_allclose(again[name], array, atol=1e-3)
    assert {path.name: path.read_bytes() for path in (checkout / "data/targets").iterdir()} == targets


@pytest.mark.slow
def test_documented_commands_give_the_printed_tables(study: Entry, checkout: Path) -> None:
    for folder in ("checkpoints", "results", "data/encoded"):
        shutil.rmtree(checkout / folder)
    commands = documented_commands(checkout / "README.md")
    assert len(commands) == 6
    for command in commands[2:]:
        run(command, checkout)
    measured = scores(checkout)
    for label, method in {**ROWS, "FilmScout-norefine": "filmscout-norefine"}.items():
        cells = printed(study.paper, 2).get(label, [])[::2] or printed(study.paper, 3)[label]
        for cell, family in zip(cells, FAMILIES, strict=True):
            assert close(cell, 100 * measured[method, family]["mean_band_error"]), (label, family)
    assert best(measured, "mean_band_error", ROWS.values(), FAMILIES, lowest=True) == {"filmscout"}
