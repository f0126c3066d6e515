"""Structures: what turning, shifting and mirroring do; values of other programs are in test_reference_values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from nature_gym.metrics import structure as ours

SEEDS = st.integers(0, 2**32)


def chain(seed: int, length: int = 24) -> Any:
    random = np.random.default_rng(seed)
    steps = random.normal(size=(length, 3))
    return np.cumsum(3.8 * steps / np.linalg.norm(steps, axis=1, keepdims=True), axis=0)


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_turning_and_shifting_change_nothing(seed: int) -> None:
    one = chain(seed)
    other = one + np.random.default_rng(seed).normal(size=one.shape)
    moved = Rotation.random(random_state=seed % 1000).apply(other) + np.array([10.0, -20.0, 30.0])
    for function in (ours.rmsd, ours.tm_score, ours.gdt_ts, ours.lddt):
        assert function(one, moved) == pytest.approx(function(one, other), abs=1e-6)
        assert function(one, Rotation.random(random_state=1).apply(one)) in (
            pytest.approx(0, abs=1e-6),
            pytest.approx(1),
        )


@settings(deadline=None, max_examples=20)
@given(SEEDS)
def test_no_superposition_lies_better_than_the_one_found(seed: int) -> None:
    one, other = chain(seed), chain(seed + 1)
    laid, root_sum = Rotation.align_vectors(one - one.mean(0), other - other.mean(0))
    assert ours.rmsd(one, other) == pytest.approx(root_sum / np.sqrt(len(one)))
    apart = np.linalg.norm(laid.apply(other - other.mean(0)) - (one - one.mean(0)), axis=1)
    scale = max(1.24 * np.cbrt(len(one) - 15) - 1.8, 0.5)
    assert ours.tm_score(one, other) >= (1 / (1 + (apart / scale) ** 2)).mean() - 1e-9
    assert ours.gdt_ts(one, other) >= np.mean([(apart <= limit).mean() for limit in (1, 2, 4, 8)]) - 1e-9


def test_a_mirror_image_is_another_structure() -> None:
    one = chain(7)
    mirrored = one * [1, 1, -1]
    assert ours.rmsd(one, mirrored) > 1.0
    assert ours.tm_score(one, mirrored) < 0.9
    assert ours.lddt(one, mirrored) == pytest.approx(1.0)  # distances alone


def test_half_a_structure_in_place_scores_half() -> None:
    one = chain(3, 60)
    other = one.copy()
    other[30:] = other[30:] + 500.0 * np.arange(1, 31)[:, None]
    assert ours.gdt_ts(one, other) == pytest.approx(0.5, abs=0.02)
    assert ours.tm_score(one, other) == pytest.approx(0.5, abs=0.02)


def test_distances_by_plain_loops() -> None:
    one = chain(5, 12)
    other = one + np.random.default_rng(0).normal(size=one.shape)
    kept = total = 0
    for i in range(12):
        for j in range(i):
            before, after = (float(np.linalg.norm(points[i] - points[j])) for points in (one, other))
            if before < 15.0:
                total += 4
                kept += sum(abs(before - after) < limit for limit in (0.5, 1, 2, 4))
    assert ours.lddt(one, other) == pytest.approx(kept / total)


def test_contacts_by_plain_loops() -> None:
    one = chain(9, 40)
    scores = np.random.default_rng(0).random((40, 40))
    pairs = [(i, j) for i in range(40) for j in range(i + 6, 40)]
    first = sorted(pairs, key=lambda pair: -scores[pair])[:20]
    expected = np.mean([np.linalg.norm(one[i] - one[j]) < 12.0 for i, j in first])
    assert ours.contact_precision(one, scores, cutoff=12.0, separation=6, fraction=0.5) == pytest.approx(expected)
    assert ours.contact_precision(one, np.ones((40, 40)), cutoff=12.0, separation=6, fraction=0.5) == 0.0


def test_a_fold_of_five_hundred_is_scored_in_seconds() -> None:
    import time

    one = chain(1, 500)
    started = time.process_time()
    assert 0 < ours.tm_score(one, chain(2, 500)) < 0.5
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("function", "reference", "prediction", "sentence"),
    [
        (ours.rmsd, [[1.0, 2.0]], [[1.0, 2.0]], "atoms, 3"),
        (ours.tm_score, [[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], "too short"),
        (ours.rmsd, [[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]] * 2, "shape"),
        (ours.lddt, [[0.0, 0.0, 0.0], [99.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]] * 2, "no two atoms"),
        (ours.contact_precision, [[0.0, 0.0, 0.0]] * 3, [[0.0] * 3] * 3, "no contact"),
        (ours.contact_precision, [[0.0, 0.0, 0.0]] * 3, [[0.0] * 2] * 3, "n, n"),
    ],
)
def test_what_is_no_structure_is_refused(function: Any, reference: Any, prediction: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        function(reference, prediction)
