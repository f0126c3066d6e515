"""Clusterings against scikit-learn; connectivity against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from nature_gym.metrics import clustering as ours

PAIRS = st.integers(2, 14).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(lambda labels: len(set(labels)) > 1),
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
    )
)
Pair = tuple[list[int], list[int]]


@given(PAIRS)
def test_clusterings_are_compared_as_by_scikit_learn(pair: Pair) -> None:
    assert ours.adjusted_rand(*pair) == pytest.approx(sk.adjusted_rand_score(*pair), abs=1e-9)
    assert ours.normalized_mutual_information(*pair) == pytest.approx(sk.normalized_mutual_info_score(*pair), abs=1e-9)
    assert ours.homogeneity(*pair) == pytest.approx(sk.homogeneity_score(*pair), abs=1e-9)
    assert ours.completeness(*pair) == pytest.approx(sk.completeness_score(*pair), abs=1e-9)
    assert ours.v_measure(*pair) == pytest.approx(sk.v_measure_score(*pair), abs=1e-9)
    if len(set(pair[0])) < len(pair[0]):
        assert ours.fowlkes_mallows(*pair) == pytest.approx(sk.fowlkes_mallows_score(*pair), abs=1e-9)


@given(PAIRS)
def test_adjusted_information_is_as_by_scikit_learn(pair: Pair) -> None:
    theirs = sk.adjusted_mutual_info_score(*pair)
    if len(set(pair[0])) < len(pair[0]):  # where each sample is a class, theirs is rounding over rounding
        assert ours.adjusted_mutual_information(*pair) == pytest.approx(theirs, abs=1e-6)


@given(PAIRS, st.permutations(range(5)))
def test_names_of_clusters_do_not_matter(pair: Pair, names: list[int]) -> None:
    renamed = [f"cluster {names[label]}" for label in pair[1]]
    for function in (ours.adjusted_rand, ours.adjusted_mutual_information, ours.v_measure, ours.purity):
        assert function(pair[0], renamed) == pytest.approx(function(*pair), abs=1e-9)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_silhouette_is_as_by_scikit_learn(seed: int, classes: int) -> None:
    random = np.random.default_rng(seed)
    labels = np.append(np.arange(classes), random.integers(0, classes, 15))
    points = random.integers(-3, 4, (labels.size, 2)).astype(float) + 1e6  # far from the origin: no digits to spare
    assert ours.silhouette(labels, points) == pytest.approx(sk.silhouette_score(labels=labels, X=points), abs=1e-6)


def test_one_class_is_an_error_and_one_cluster_is_not() -> None:
    every = [ours.adjusted_rand, ours.normalized_mutual_information, ours.adjusted_mutual_information, ours.homogeneity]
    for function in every:
        with pytest.raises(ValueError, match="one class only"):
            function([1, 1, 1], [0, 1, 2])
        assert function([0, 1, 1], [0, 0, 0]) == pytest.approx(0.0, abs=1e-12)
    for one in (ours.silhouette, ours.graph_connectivity, ours.ilisi):
        with pytest.raises(ValueError, match="one class only"):
            one([1, 1, 1], [[0.0], [1.0], [2.0]])


def test_connectivity_is_whole_for_blobs_and_falls_with_each_that_is_split() -> None:
    random = np.random.default_rng(4)
    blobs = np.concatenate([random.normal(10 * k, 0.5, (30, 3)) for k in range(4)])
    whole = np.repeat([0, 1, 2, 3], 30)
    assert ours.graph_connectivity(whole, blobs, k=5) == 1.0
    split = np.repeat([0, 1, 0, 2], 30)  # class 0 lies in two blobs
    assert ours.graph_connectivity(split, blobs, k=5) == pytest.approx((0.5 + 1 + 1) / 3)


def test_mixed_batches_score_high_and_parted_ones_low() -> None:
    random = np.random.default_rng(4)
    points, batches = random.normal(size=(300, 2)), random.integers(0, 2, 300)
    assert ours.ilisi(batches, points) > 0.8
    assert ours.ilisi(batches, points + 100 * batches[:, None]) == pytest.approx(0.0, abs=1e-6)
    assert ours.clisi(batches, points + 100 * batches[:, None]) == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(ValueError, match="perplexity"):
        ours.ilisi([0, 1, 0, 1], [[0.0], [1.0], [2.0], [3.0]])


def test_many_small_clusters_take_no_table_of_all_pairs() -> None:
    names = np.arange(100_000) // 2
    assert ours.adjusted_rand(names, names) == 1.0
    assert ours.homogeneity(names, np.arange(100_000)) == pytest.approx(1.0)
