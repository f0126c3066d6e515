from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.studies.equilibrium_sampling import CONCEPT, LATER_RECORD, PUBLISHED, RECORD, entry
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
    tree_at,
)

TEMPERATURES = ("cold", "warm", "hot")
METHODS = ("md", "kde", "gmm", "kde-rw", "brew")


@pytest.fixture
def study() -> Entry:
    return entry(Words(0, "equilibrium_sampling"))


@pytest.fixture
def checkout(study: Entry, tmp_path: Path) -> Path:
    """The repository at publication, with the cited version of the data in the place of the download."""
    folder = materialise(study.repositories[0], PUBLISHED, tmp_path)
    for file in study.deposits[0].files:
        (folder / "data" / file.name).write_bytes(file.read())
    return folder


def test_every_wording_agrees_with_its_truth() -> None:
    for seed in range(6):
        for unseen in (False, True):
            assert flaws(entry(Words(seed, "equilibrium_sampling", unseen=unseen))) == []


def test_the_repository_moves_on_to_other_data_after_publication(study: Entry) -> None:
    script = "scripts/download_data.sh"
    then, now = tree_at(study.repositories[0], PUBLISHED), study.repositories[0].files
    assert re.findall(rb"^RECORD=(\d+)", then[script], re.MULTILINE) == [RECORD.encode()]
    assert re.findall(rb"^RECORD=(\d+)", now[script], re.MULTILINE) == [LATER_RECORD.encode()]
    cited, newest = study.deposits
    assert (cited.number, newest.number) == (RECORD, LATER_RECORD)
    assert cited.concept == newest.concept == CONCEPT
    changed = {file.name for file, other in zip(cited.files, newest.files, strict=True) if file.read() != other.read()}
    assert changed == {"reference_cold.npz", "trajectories_cold.npz"}


def test_deposited_data_are_made_by_the_authors_script(study: Entry, checkout: Path) -> None:
    (checkout / "again").mkdir()
    run("python data_tools/simulate.py --out again", checkout)
    for file in study.deposits[0].files:
        with np.load(checkout / "data" / file.name) as stored, np.load(checkout / "again" / file.name) as again:
            np.testing.assert_allclose(again["xy"], stored["xy"], atol=1e-3)


def test_stored_samples_score_as_printed(study: Entry, checkout: Path) -> None:
    run("python main.py score", checkout)
    measured = read_scores(checkout / "results/scores.csv", "method", "temperature")
    assert {method for method, _ in measured} == {"brew"}
    _compare(printed(study.paper, 1)["BREW"], measured, "brew")


@pytest.mark.slow
def test_documented_commands_give_the_printed_tables(study: Entry, checkout: Path) -> None:
    commands = documented_commands(checkout / "README.md")
    assert commands[0] == "bash scripts/download_data.sh"
    for command in commands[1:]:
        run(command, checkout)
    measured = read_scores(checkout / "results/scores.csv", "method", "temperature")
    for method in METHODS:
        _compare(printed(study.paper, 1)[method.upper()], measured, method)
    for label, cells in printed(study.paper, 2).items():
        for cell, temperature in zip(cells, TEMPERATURES, strict=True):
            assert close(cell, 1000 * measured[label.lower(), temperature]["sw"])
    for column in ("sw", "js"):
        assert best(measured, column, METHODS, TEMPERATURES, lowest=True) == {"brew"}


def _compare(cells: list[str], measured: Scores, method: str) -> None:
    columns = [(column, temperature) for column in ("sw", "js") for temperature in TEMPERATURES]
    for cell, (column, temperature) in zip(cells, columns, strict=True):
        mean, deviation = cell.split(" ± ")
        assert close(mean, 1000 * measured[method, temperature][column]), (method, column, temperature)
        assert close(deviation, 1000 * measured[method, temperature][f"{column}_sd"]), (
            method,
            column,
            temperature,
        )
