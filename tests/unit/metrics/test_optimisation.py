"""Optimisation: hypervolumes by throwing points; pymoo's values are in test_reference_values."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nature_gym.metrics import optimisation as ours


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_volumes_by_throwing_points(seed: int, width: int) -> None:
    random = np.random.default_rng(seed)
    points = random.random((6, width))
    thrown = random.random((20_000, width))
    worse = np.any(np.all(thrown[:, None] >= points[None], axis=2), axis=1)
    assert ours.hypervolume(np.ones(width), points) == pytest.approx(worse.mean(), abs=0.02)


@given(st.integers(0, 2**32))
def test_a_proposal_never_takes_volume_away(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.random((7, 3))
    volumes = [ours.hypervolume([0.8] * 3, points[:count]) for count in range(1, 8)]
    assert volumes == sorted(volumes)
    assert ours.hypervolume([0.8] * 3, np.concatenate([points, points])) == pytest.approx(volumes[-1])


def test_what_would_take_too_long_is_refused_at_once() -> None:
    random = np.random.default_rng(0)
    sphere = np.abs(random.normal(size=(500, 6)))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    started = time.process_time()
    with pytest.raises(ValueError, match="too long"):
        ours.hypervolume([2.0] * 6, sphere)
    assert time.process_time() - started < 5


def test_regret_and_successes() -> None:
    assert ours.simple_regret([3.0], [5.0]) == 0.0
    with pytest.raises(ValueError, match="one number"):
        ours.simple_regret([3.0, 4.0], [5.0])
    with pytest.raises(ValueError, match="success"):
        ours.success_rate(None, [0.5])
    with pytest.raises(ValueError, match="columns"):
        ours.hypervolume([1.0, 1.0], [[0.5]])
