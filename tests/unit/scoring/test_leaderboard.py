from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.scoring.leaderboard import (
    Figures,
    TaskResult,
    Verdict,
    counted_gap,
    figures,
    figures_by,
    ranked,
)

RESULTS = [
    TaskResult("a", 0.6, "valid"),
    TaskResult("b", 0.1, "valid"),
    TaskResult("c", 0.0, "valid"),
    TaskResult("d", -0.5, "valid"),
    TaskResult("e", -0.51, "valid"),
    TaskResult("f", 0.9, "invalid"),
    TaskResult("g", 0.9, "unknown"),
    TaskResult("h", None, "not_applicable"),
]
VERDICTS: list[Verdict] = ["valid", "invalid", "not_applicable", "unknown"]
ANY = st.lists(
    st.tuples(st.one_of(st.none(), st.floats(-3, 3)), st.sampled_from(VERDICTS)), min_size=1, max_size=20
).map(lambda rows: [TaskResult(str(place), *row) for place, row in enumerate(rows)])


def test_the_figures_of_a_small_set() -> None:
    found = figures(RESULTS)
    assert (
        found.task_count,
        found.scored_count,
        found.valid_count,
        found.invalid_count,
        found.unknown_count,
        found.no_score_count,
    ) == (8, 7, 5, 1, 1, 1)
    assert (found.score_rate, found.completion_rate) == (87.5, 62.5)
    assert (found.match_sota, found.surpass_sota) == (37.5, 12.5)
    assert found.mean_g_all == pytest.approx((0.6 + 0.1 + 0.0 - 0.5 - 0.51 - 3.0) / 8, abs=1e-6)
    assert found.median_g_all == pytest.approx((-0.51 - 0.5) / 2)
    assert found.median_g_valid == 0.0
    assert list(found.distribution.values()) == [1, 1, 1, 1, 1, 2, 0, 1]


@given(ANY)
def test_no_task_is_dropped_from_the_bins(results: list[TaskResult]) -> None:
    found = figures(results)
    assert sum(found.distribution.values()) == found.task_count == len(results)
    assert found.surpass_sota <= found.match_sota <= found.completion_rate <= found.score_rate


@given(ANY)
def test_what_is_not_valid_counts_minus_one(results: list[TaskResult]) -> None:
    counted = [counted_gap(result) for result in results]
    expected = [r.gap if r.gap is not None and r.verdict == "valid" else -1.0 for r in results]
    assert counted == expected
    assert figures(results).mean_g_all == pytest.approx(sum(expected) / len(expected), abs=1e-6)


def test_percentages_have_six_decimals() -> None:
    third = figures([TaskResult("a", 1.0, "valid"), TaskResult("b", None, "valid"), TaskResult("c", None, "valid")])
    assert third.match_sota == 33.333333


def test_without_tasks_there_is_nothing_to_average() -> None:
    empty = figures([])
    assert (empty.score_rate, empty.mean_g_all, empty.median_g_valid) == (0.0, None, None)


def test_a_task_that_is_there_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        figures([RESULTS[0], RESULTS[0]])


def test_groups_part_the_set() -> None:
    group = {result.task: "odd" if place % 2 else "even" for place, result in enumerate(RESULTS)}
    parts = figures_by(RESULTS, group)
    assert list(parts) == ["even", "odd"]
    assert sum(part.valid_count for part in parts.values()) == figures(RESULTS).valid_count
    with pytest.raises(KeyError):
        figures_by(RESULTS, {})


def _with(surpass: int, match: int) -> Figures:
    gaps = [0.2] * surpass + [0.0] * (match - surpass) + [-0.2] * (10 - match)
    return figures(TaskResult(str(place), gap, "valid") for place, gap in enumerate(gaps))


def test_ranks_go_by_surpass_then_match_and_ties_share() -> None:
    agents = {"d": _with(1, 2), "b": _with(3, 3), "c": _with(3, 3), "a": _with(3, 5), "e": _with(0, 9)}
    assert ranked(agents) == [(1, "a"), (2, "b"), (2, "c"), (4, "d"), (5, "e")]
    assert ranked({}) == []
