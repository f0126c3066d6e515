"""Survival by plain loops; scikit-survival's and lifelines' values are in test_reference_values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.metrics import survival as ours

COHORTS = st.lists(
    st.tuples(st.integers(1, 6), st.integers(0, 1), st.integers(-2, 2).map(float)), min_size=2, max_size=9
)


@given(COHORTS)
def test_pairs_by_plain_loops(cohort: list[tuple[int, int, float]]) -> None:
    points, pairs = 0.0, 0
    for time, event, risk in cohort:
        for other, came, against in cohort:
            if event and (time < other or (time == other and not came)):
                pairs += 1
                points += 1.0 if risk > against else 0.5 if risk == against else 0.0
    rows, risks = [list(row[:2]) for row in cohort], [row[2] for row in cohort]
    if pairs:
        assert ours.concordance_index(rows, risks) == pytest.approx(points / pairs)
        assert ours.concordance_index(rows, [-risk for risk in risks]) == pytest.approx(1 - points / pairs)
    else:
        with pytest.raises(ValueError, match="compared"):
            ours.concordance_index(rows, risks)


def test_curves_that_step_at_the_event_are_perfect_and_their_opposite_is_not() -> None:
    rows = [[2, 1], [4, 1], [6, 1], [8, 1]]
    times = [2.0, 3.0, 5.0, 7.0]
    curves = [[1.0 if time > at else 0.0 for at in times] for time, _ in rows]
    assert ours.integrated_brier(rows, curves, times) == 0.0
    assert ours.integrated_brier(rows, [[1 - chance for chance in row] for row in curves], times) == 1.0


@pytest.mark.parametrize(
    ("reference", "prediction", "times", "sentence"),
    [
        ([[1, 1], [2, 1]], [[0.5], [0.5]], [1.0], "two at least"),
        ([[1, 1], [2, 1]], [[0.5] * 2] * 2, [1.0, 2.0], "before its last"),
        ([[1, 1], [9, 1]], [[0.5] * 2] * 2, [5.0, 3.0], "rise"),
        ([[1, 1], [9, 1]], [[1.5] * 2] * 2, [3.0, 5.0], "from 0 to 1"),
        ([[1, 2], [9, 1]], [[0.5] * 2] * 2, [3.0, 5.0], "0 or 1"),
        ([[-1, 1], [9, 1]], [[0.5] * 2] * 2, [3.0, 5.0], "negative"),
        ([[1, 1, 1], [9, 1, 1]], [[0.5] * 2] * 2, [3.0, 5.0], "time and event"),
        ([[1, 1], [9, 1]], [[0.5] * 3] * 2, [3.0, 5.0], "2 times"),
    ],
)
def test_what_are_no_curves_is_refused(reference: Any, prediction: Any, times: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ours.integrated_brier(reference, prediction, times)
