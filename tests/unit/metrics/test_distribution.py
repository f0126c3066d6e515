"""Distributions against scipy, and against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg, stats
from scipy.spatial.distance import jensenshannon

from nature_gym.metrics import distribution as ours

VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3).map(lambda value: round(value, 3)))
SAMPLES = st.tuples(*[st.lists(VALUES, min_size=1, max_size=10)] * 2)
COUNTS = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any)] * 2)
)


@pytest.mark.filterwarnings("ignore:ks_2samp:RuntimeWarning")  # of its p-value, which is not asked for
@given(SAMPLES)
def test_samples_are_compared_as_by_scipy(pair: tuple[list[float], list[float]]) -> None:
    assert ours.wasserstein(*pair) == pytest.approx(stats.wasserstein_distance(*pair), abs=1e-9)
    assert ours.energy_distance(*pair) == pytest.approx(stats.energy_distance(*pair), abs=1e-6)
    assert ours.kolmogorov_smirnov(*pair) == pytest.approx(stats.ks_2samp(*pair, method="exact").statistic)


@given(COUNTS)
def test_probabilities_are_compared_as_by_scipy(pair: tuple[list[int], list[int]]) -> None:
    assert ours.js_distance(*pair) == pytest.approx(jensenshannon(*pair, base=2), abs=1e-7)
    assert ours.js_divergence(*pair) == pytest.approx(ours.js_distance(*pair) ** 2, abs=1e-9)
    if all(q > 0 or p == 0 for p, q in zip(*pair, strict=True)):
        assert ours.kl_divergence(*pair) == pytest.approx(stats.entropy(*pair), abs=1e-9)
    else:
        with pytest.raises(ValueError, match="infinite"):
            ours.kl_divergence(*pair)


@given(st.integers(0, 2**32))
def test_the_gaussian_distance_by_a_matrix_root(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = random.normal(size=(20, 3)), random.normal(size=(15, 3)) * 2 + 1
    spreads = np.cov(one, rowvar=False), np.cov(other, rowvar=False)
    root = linalg.sqrtm(spreads[0] @ spreads[1]).real
    expected = ((one.mean(0) - other.mean(0)) ** 2).sum() + np.trace(spreads[0] + spreads[1] - 2 * root)
    assert ours.frechet_distance(one, other) == pytest.approx(expected, rel=1e-6)


@given(st.integers(0, 2**32))
def test_the_discrepancy_by_all_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    one, other = random.normal(size=(9, 2)), random.normal(size=(6, 2)) + 1

    def mean_kernel(a: np.ndarray, b: np.ndarray, width: float) -> float:
        return float(np.mean([[np.exp(-((x - y) ** 2).sum() / (2 * width**2)) for y in b] for x in a]))

    for width in (0.5, 2.0):
        expected = mean_kernel(one, one, width) + mean_kernel(other, other, width) - 2 * mean_kernel(one, other, width)
        assert ours.mmd(one, other, width) == pytest.approx(expected, abs=1e-9)
    apart = [float(np.linalg.norm(one[i] - one[j])) for i in range(9) for j in range(i)]
    assert ours.mmd(one, other) == pytest.approx(ours.mmd(one, other, float(np.median(apart))))


def test_what_has_no_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="lie together"):
        ours.mmd([[1.0], [1.0]], [[2.0], [3.0]])
    with pytest.raises(ValueError, match="positive"):
        ours.mmd([[1.0], [2.0]], [[2.0], [3.0]], bandwidth=-1.0)
    with pytest.raises(ValueError, match="two points"):
        ours.frechet_distance([[1.0]], [[2.0], [3.0]])
    with pytest.raises(ValueError, match="negative"):
        ours.js_divergence([0.5, 0.5], [-0.5, 1.5])
