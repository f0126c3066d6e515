"""Many targets, with gaps: the mean over targets of what the metric gives on the labelled samples alone."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from nature_gym.metrics import multitarget as ours

PAIRS = [
    (ours.masked_roc_auc, sk.roc_auc_score),
    (ours.masked_average_precision, sk.average_precision_score),
    (ours.masked_rmse, sk.root_mean_squared_error),
    (ours.masked_mae, sk.mean_absolute_error),
    (ours.masked_r2, sk.r2_score),
]


@pytest.mark.parametrize(("one", "theirs"), PAIRS)
@given(seed=st.integers(0, 2**32))
def test_each_target_counts_alike_over_its_own_labels(
    one: Callable[..., float], theirs: Callable[..., float], seed: int
) -> None:
    random = np.random.default_rng(seed)
    reference = random.integers(0, 2, (12, 3)).astype(float)
    reference[0], reference[1] = 0, 1
    reference[2:][random.random((10, 3)) < 0.4] = np.nan
    scores = random.normal(size=(12, 3))
    known = ~np.isnan(reference)
    expected = np.mean([theirs(reference[known[:, t], t], scores[known[:, t], t]) for t in range(3)])
    assert one(reference, scores) == pytest.approx(expected)
    scores[~known] = math.nan  # nobody looks there
    assert one(reference, scores) == pytest.approx(expected)


def test_a_target_with_one_class_is_left_out() -> None:
    reference = [[0, 1], [1, 1], [0, 1]]
    scores = [[0.1, 0.9], [0.9, 0.1], [0.2, 0.5]]
    assert ours.masked_roc_auc(reference, scores) == 1.0
    with pytest.raises(ValueError, match="no target"):
        ours.masked_roc_auc([[1, 1], [1, 1]], [[0.1, 0.9], [0.9, 0.1]])


def test_a_missing_answer_is_refused_where_there_is_a_label() -> None:
    with pytest.raises(ValueError, match="not finite"):
        ours.masked_rmse([[1.0, 2.0], [3.0, math.nan]], [[1.0, math.nan], [3.0, 4.0]])
    with pytest.raises(ValueError, match="targets"):
        ours.masked_rmse([1.0, 2.0], [1.0, 2.0])
