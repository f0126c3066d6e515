"""Segmentation against scikit-learn and against plain loops over pixels and objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from nature_gym.metrics import segmentation as ours


def maps(seed: int, kinds: int, shape: tuple[int, ...] = (5, 6)) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    one = random.integers(0, kinds, shape)
    return one, np.where(random.random(shape) < 0.6, one, random.integers(0, kinds, shape))


@given(st.integers(0, 2**32))
def test_overlaps_are_as_by_scikit_learn(seed: int) -> None:
    one, other = maps(seed, 2)
    assert ours.dice(one, other) == pytest.approx(sk.f1_score(one.ravel(), other.ravel(), zero_division=1))
    assert ours.iou(one, other) == pytest.approx(sk.jaccard_score(one.ravel(), other.ravel(), zero_division=1))
    one, other = maps(seed, 4)
    assert ours.mean_iou(one, other) == pytest.approx(sk.jaccard_score(one.ravel(), other.ravel(), average="macro"))
    assert ours.mean_dice(one, other) == pytest.approx(sk.f1_score(one.ravel(), other.ravel(), average="macro"))
    labels = [kind for kind in np.unique([one, other]) if kind != 0]
    theirs = sk.jaccard_score(one.ravel(), other.ravel(), average="macro", labels=labels)
    assert ours.mean_iou(one, other, ignore=0) == pytest.approx(theirs)


def test_two_empty_masks_are_alike_and_one_is_not() -> None:
    empty, full = np.zeros((3, 3), bool), np.ones((3, 3), bool)
    assert ours.dice(empty, empty) == ours.iou(empty, empty) == 1.0
    assert ours.dice(empty, full) == ours.iou(full, empty) == 0.0


def surface(mask: Any) -> list[tuple[int, ...]]:
    """Pixels with a neighbour along an axis that is outside, by looking at each."""
    padded = np.pad(mask, 1)
    found = []
    for place in np.argwhere(padded):
        steps = [step * sign for step in np.eye(mask.ndim, dtype=int) for sign in (1, -1)]
        if not all(padded[tuple(place + step)] for step in steps):
            found.append(tuple(int(x) - 1 for x in place))
    return found


@given(st.integers(0, 2**32))
def test_surface_distance_by_looking_at_all_pixels(seed: int) -> None:
    one, other = (values.astype(bool) for values in maps(seed, 2, (4, 5, 3)))
    spacing = np.array([1.0, 0.5, 2.0])
    if not (one.any() and other.any()):
        return
    here, there = (np.array(surface(mask)) * spacing for mask in (one, other))
    apart = np.linalg.norm(here[:, None] - there[None], axis=2)
    expected = max(np.percentile(apart.min(axis=axis), 95) for axis in (0, 1))
    assert ours.hausdorff95(one, other, spacing) == pytest.approx(expected)
    assert ours.hausdorff95(other, one, spacing) == pytest.approx(expected)


def test_an_empty_prediction_is_as_far_as_the_image_is_wide() -> None:
    mask = np.zeros((3, 4), bool)
    with pytest.raises(ValueError, match="empty"):
        ours.hausdorff95(mask, ~mask)
    assert ours.hausdorff95(~mask, mask) == 5.0
    with pytest.raises(ValueError, match="spacing"):
        ours.hausdorff95(~mask, ~mask, [1.0])


@given(st.integers(0, 2**32))
def test_objects_by_comparing_all_pairs(seed: int) -> None:
    one, other = maps(seed, 4)
    objects, found = ([other_map == k for k in np.unique(other_map) if k] for other_map in (one, other))
    if not objects:
        return
    ratios = [(a & b).sum() / (a | b).sum() for a in objects for b in found]
    matched = [ratio for ratio in ratios if ratio > 0.5]
    total = len(objects) + len(found)
    assert ours.panoptic_quality(one, other) == pytest.approx(2 * sum(matched) / total)
    assert ours.instance_f1(one, other) == pytest.approx(2 * len(matched) / total)
    assert ours.instance_average_precision(one, other) == pytest.approx(len(matched) / (total - len(matched)))
    assert ours.panoptic_quality(one, np.where(other, other + 7, 0)) == pytest.approx(2 * sum(matched) / total)


@pytest.mark.parametrize(
    ("function", "reference", "prediction", "sentence"),
    [
        (ours.dice, [[0, 2]], [[0, 1]], "mask of 0 and 1"),
        (ours.dice, [[0, 1]], [[0.5, 1]], "mask of 0 and 1"),
        (ours.mean_iou, [[0.0, 1.0]], [[0.0, 1.0]], "integer type"),
        (ours.panoptic_quality, [[0, 0]], [[0, 1]], "no object"),
        (ours.panoptic_quality, [[0.0, 1.0]], [[0, 1]], "integer type"),
        (ours.dice, [[0, 1]], [[0], [1]], "shape"),
    ],
)
def test_what_is_no_map_is_refused(function: Any, reference: Any, prediction: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        function(reference, prediction)


def test_a_threshold_below_one_half_would_match_twice() -> None:
    with pytest.raises(ValueError, match="one half"):
        ours.instance_f1([[1]], [[1]], threshold=0.3)
