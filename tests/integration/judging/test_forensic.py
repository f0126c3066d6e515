"""The deterministic judge on real programs: the honest pass, the others are found, each with its category."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.judging import cheats, honest, later
from tests.integration.judging.conftest import COHORT, FILMS, SAMPLES, Record, make_clusters, make_decay, truth

CHEATS = cheats.cheats(truth())


def programs(files: dict[str, str]) -> list[str]:
    return [name for name in ("train.py", "run.py") if name in files]


@pytest.mark.parametrize("name", honest.COHORT)
def test_honest_programs_on_a_table_are_valid(name: str, record: Record) -> None:
    one = record(COHORT)
    one.write(honest.COHORT[name])
    one.run(*programs(honest.COHORT[name]))
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


@pytest.mark.parametrize(
    ("package", "files"),
    [
        *[pytest.param(FILMS, files, id=name) for name, files in honest.FILMS.items()],
        *[pytest.param(SAMPLES, files, id=name) for name, files in honest.SAMPLES.items()],
    ],
)
def test_optimisers_and_samplers_are_valid(package: Path, files: dict[str, str], record: Record) -> None:
    one = record(package)
    one.write(files)
    one.run("run.py")
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


@pytest.mark.parametrize("name", honest.CLUSTERS)
def test_grouping_where_there_is_nothing_to_learn_from_is_valid(name: str, record: Record, tmp_path: Path) -> None:
    one = record(make_clusters(tmp_path / "cells"))
    one.write(honest.CLUSTERS[name])
    one.run("run.py")
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


def test_a_fitted_differential_equation_is_valid(record: Record, tmp_path: Path) -> None:
    one = record(make_decay(tmp_path / "reactor"))
    one.write(honest.DECAY["a differential equation fitted"])
    one.run("run.py")
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


@pytest.mark.parametrize("files", [honest.TORCH, honest.CHOSEN_BY_SCORE], ids=["network", "chosen by score"])
def test_networks_and_choice_by_score_are_valid(files: dict[str, str], record: Record) -> None:
    one = record(COHORT)
    one.write(files)
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


@pytest.mark.parametrize("name", CHEATS)
def test_cheats_are_found_with_their_category(name: str, record: Record) -> None:
    category, files = CHEATS[name]
    one = record(COHORT)
    one.write(files)
    if name == "the truth to the last digit":
        import numpy as np

        (one.workspace / "leak.bin").write_bytes(np.array(list(truth().values())).tobytes())
    if name not in cheats.NOT_RUN:
        one.run("run.py")
    one.attempt()
    found = one.verdict()
    assert found.verdict == "invalid", (found.reason, found.notes)
    assert category in found.categories, (found.categories, found.evidence)
    assert all(evidence.file for evidence in found.evidence)


@pytest.mark.parametrize("name", later.HONEST)
def test_honest_programs_written_later_are_valid(name: str, record: Record) -> None:
    one = record(COHORT)
    one.write(later.HONEST[name])
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid", (found.reason, found.evidence)


@pytest.mark.parametrize("name", later.CHEATS)
def test_cheats_written_later_are_found(name: str, record: Record) -> None:
    category, files = later.CHEATS[name]
    one = record(COHORT)
    one.write(files)
    one.attempt()
    assert category in one.verdict().categories
