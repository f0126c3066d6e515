"""Regression against scikit-learn and scipy, by blocks, and where ours decides otherwise."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics as sk

from nature_gym.metrics import inputs
from nature_gym.metrics import regression as ours

VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e4, 1e4).map(lambda value: round(value, 3)))
PAIRS = st.integers(2, 12).flatmap(lambda n: st.tuples(*[st.lists(VALUES, min_size=n, max_size=n)] * 2))
Pair = tuple[list[float], list[float]]


@given(PAIRS)
def test_errors_are_as_by_scikit_learn(pair: Pair) -> None:
    assert ours.mse(*pair) == pytest.approx(sk.mean_squared_error(*pair))
    assert ours.rmse(*pair) == pytest.approx(sk.root_mean_squared_error(*pair))
    assert ours.mae(*pair) == pytest.approx(sk.mean_absolute_error(*pair))
    assert ours.median_absolute_error(*pair) == pytest.approx(sk.median_absolute_error(*pair))
    assert ours.max_error(*pair) == pytest.approx(sk.max_error(*pair))
    if all(pair[0]):
        assert ours.mape(*pair) == pytest.approx(sk.mean_absolute_percentage_error(*pair))


@given(PAIRS)
def test_explained_shares_are_as_by_scikit_learn(pair: Pair) -> None:
    assume(np.std(pair[0]) > 1e-3)
    assert ours.r2(*pair) == pytest.approx(sk.r2_score(*pair), rel=1e-6, abs=1e-9)
    assert ours.explained_variance(*pair) == pytest.approx(sk.explained_variance_score(*pair), rel=1e-6, abs=1e-9)


@given(PAIRS)
def test_correlations_are_as_by_scipy(pair: Pair) -> None:
    assume(min(np.std(one) for one in pair) > 1e-3)
    assert ours.pearson(*pair) == pytest.approx(stats.pearsonr(*pair).statistic, abs=1e-9)
    assert ours.spearman(*pair) == pytest.approx(stats.spearmanr(*pair).statistic, abs=1e-9)
    assert ours.kendall(*pair) == pytest.approx(stats.kendalltau(*pair).statistic, abs=1e-9)


@given(PAIRS)
def test_concordance_by_its_definition(pair: Pair) -> None:
    assume(np.std(pair[0]) > 1e-3)
    one, other = map(np.array, pair)
    expected = 2 * np.cov(one, other, ddof=0)[0, 1] / (one.var() + other.var() + (one.mean() - other.mean()) ** 2)
    assert ours.concordance(*pair) == pytest.approx(expected, abs=1e-9)
    assert abs(ours.concordance(*pair)) <= abs(ours.pearson(*pair)) + 1e-9


@given(PAIRS, st.floats(0.1, 10), st.floats(-10, 10))
def test_correlation_knows_no_scale(pair: Pair, factor: float, shift: float) -> None:
    assume(min(np.std(one) for one in pair) > 1e-2)
    moved = [factor * value + shift for value in pair[1]]
    assert ours.pearson(pair[0], moved) == pytest.approx(ours.pearson(*pair), abs=1e-6)


@pytest.mark.parametrize("function", [ours.r2, ours.explained_variance, ours.pearson, ours.spearman, ours.kendall])
def test_a_constant_reference_is_an_error_and_a_constant_prediction_is_not(function: Callable[..., float]) -> None:
    with pytest.raises(ValueError, match="constant"):
        function([0.1, 0.1, 0.1], [1.0, 2.0, 3.0])
    assert function([1.0, 2.0, 3.0], [0.1, 0.1, 0.1]) <= 1e-12


def test_one_sample() -> None:
    assert ours.rmse([1.0], [3.0]) == 2.0
    with pytest.raises(ValueError, match="constant"):
        ours.pearson([1.0], [3.0])


@pytest.mark.parametrize("by", ["range", "mean", "std", "rms"])
def test_a_scale_of_zero_is_an_error(by: str) -> None:
    with pytest.raises(ValueError, match=by):
        ours.nrmse([0.0, 0.0], [1.0, 1.0], by)
    with pytest.raises(ValueError, match="by is"):
        ours.nrmse([0.0, 1.0], [1.0, 1.0], "median")


@pytest.mark.parametrize(
    ("reference", "prediction", "sentence"),
    [
        ([1.0, 2.0], [1.0], "shape"),
        ([1.0], [[1.0]], "shape"),
        ([], [], "empty"),
        (["a"], [1.0], "real numbers"),
        ([1.0], [1j], "real numbers"),
        ([1.0], [None], "real numbers"),
        ([1e200], [1.0], "beyond"),
        ([1.0], [float("nan")], "not finite"),
    ],
)
def test_what_are_no_two_arrays_of_numbers_is_refused(reference: Any, prediction: Any, sentence: str) -> None:
    for function in (ours.mse, ours.mae, ours.max_error, ours.median_absolute_error):
        with pytest.raises(ValueError, match=sentence):
            function(reference, prediction)


def test_an_error_relative_to_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="relative"):
        ours.mape([0.0, 1.0], [1.0, 1.0])
    with pytest.raises(ValueError, match="relative"):
        ours.relative_l2([[0.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]])


@pytest.mark.parametrize("kind", ["float16", "float32", "int8", "uint8", "int64", "bool"])
def test_types_of_numbers_do_not_wrap_around(kind: str) -> None:
    one, other = np.array([0, 1, 1, 0]).astype(kind), np.array([1, 0, 1, 0]).astype(kind)
    assert ours.mse(one, other) == 0.5
    assert ours.mae(one, other) == 0.5
    if kind == "uint8":
        assert ours.mae(np.array([0], kind), np.array([255], kind)) == 255.0


def test_blocks_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    one, other = random.normal(size=1000), random.normal(size=1000)
    functions = [ours.mse, ours.mae, ours.r2, ours.pearson, ours.max_error, ours.smape, ours.nrmse, ours.relative_l2]
    whole = [function(one, other) for function in functions]
    monkeypatch.setattr(inputs, "BLOCK", 7)
    assert [function(one, other) for function in functions] == pytest.approx(whole)


def test_an_array_on_disk_is_never_held_whole(tmp_path: Path) -> None:
    size = 8_000_000
    for name in ("reference", "prediction"):
        np.lib.format.open_memmap(tmp_path / f"{name}.npy", mode="w+", dtype=np.float32, shape=(size,))[:] = 1.5
    pair = [np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("reference", "prediction")]
    tracemalloc.start()
    assert ours.rmse(*pair) == 0.0
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 80e6  # the two as float64 would be 128 MB


def test_kendall_of_many_is_quick_and_right() -> None:
    random = np.random.default_rng(2)
    one, other = random.integers(0, 50, 20_000), random.integers(0, 50, 20_000)
    assert ours.kendall(one, other) == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)
