"""Ranking against scikit-learn and against plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from nature_gym.metrics import ranking as ours

LISTS = st.integers(2, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3).map(float), min_size=n, max_size=n).filter(any),
        st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n),
    )
)
List = tuple[list[float], list[float]]


@given(LISTS, st.integers(1, 8))
def test_gain_is_as_by_scikit_learn(pair: List, k: int) -> None:
    assert ours.ndcg(*pair) == pytest.approx(sk.ndcg_score([pair[0]], [pair[1]]))
    assert ours.ndcg(*pair, k=k) == pytest.approx(sk.ndcg_score([pair[0]], [pair[1]], k=k))
    exponential = [2**value - 1 for value in pair[0]]
    assert ours.ndcg(*pair, k=k, exponential=True) == pytest.approx(sk.ndcg_score([exponential], [pair[1]], k=k))


def worst_order(pair: List) -> list[bool]:
    """Whether each item is relevant, best score first, relevant ones last in a tie."""
    return [relevance > 0 for relevance, _ in sorted(zip(*pair, strict=True), key=lambda item: (-item[1], item[0] > 0))]


@given(LISTS, st.integers(1, 8))
def test_ranks_by_plain_loops(pair: List, k: int) -> None:
    hits = worst_order(pair)
    first = hits.index(True) + 1
    precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits) if hit]
    assert ours.mean_reciprocal_rank(*pair) == pytest.approx(1 / first)
    assert ours.mean_average_precision(*pair) == pytest.approx(sum(precisions) / len(precisions))
    assert ours.hit_at_k(*pair, k=k) == float(first <= k)
    assert ours.recall_at_k(*pair, k=k) == pytest.approx(sum(hits[:k]) / sum(hits))
    assert ours.precision_at_k(*pair, k=k) == pytest.approx(sum(hits[:k]) / k)


@given(st.integers(0, 2**32))
def test_without_ties_average_precision_is_scikit_learns(seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = np.append(1, random.integers(0, 2, 9))
    scores = random.permutation(10).astype(float)
    assert ours.mean_average_precision(truth, scores) == pytest.approx(sk.average_precision_score(truth, scores))


def test_lists_are_averaged_and_items_that_are_not_there_are_passed_over() -> None:
    gap = math.nan
    reference = [[0, 1, gap], [1, 0, 0], [0, 0, 0]]
    scores = [[3.0, 2.0, 99.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]
    assert ours.mean_reciprocal_rank(reference, scores) == pytest.approx((1 / 2 + 1 / 3) / 2)


FUNCTIONS = [ours.ndcg, ours.mean_average_precision, ours.mean_reciprocal_rank, ours.hit_at_k, ours.recall_at_k]


@pytest.mark.parametrize("function", [*FUNCTIONS, ours.precision_at_k])
def test_nothing_to_find_is_an_error(function: Callable[..., float]) -> None:
    with pytest.raises(ValueError, match="relevant item"):
        function([[0, 0], [0, 0]], [[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="negative"):
        function([-1, 1], [1.0, 2.0])


@pytest.mark.parametrize("function", [ours.hit_at_k, ours.recall_at_k, ours.precision_at_k, ours.ndcg])
def test_the_first_none_are_no_rank(function: Callable[..., float]) -> None:
    with pytest.raises(ValueError, match="k is 0"):
        function([0, 1], [1.0, 2.0], k=0)


def test_enrichment_is_between_nothing_and_all() -> None:
    active = [1] * 5 + [0] * 95
    best = list(range(100, 0, -1))
    assert ours.enrichment_factor(active, best, fraction=0.05) == pytest.approx(20.0)
    assert ours.enrichment_factor(active, best[::-1], fraction=0.05) == 0.0
    assert ours.enrichment_factor(active, [1.0] * 100, fraction=0.05) == 0.0
    assert ours.bedroc(active, best) == pytest.approx(1.0)
    assert ours.bedroc(active, best[::-1]) == pytest.approx(0.0)
    for function in (ours.enrichment_factor, ours.bedroc):
        with pytest.raises(ValueError, match="no active"):
            function([0, 0], [1.0, 2.0])
    with pytest.raises(ValueError, match="actives alone"):
        ours.bedroc([1, 1], [1.0, 2.0])
