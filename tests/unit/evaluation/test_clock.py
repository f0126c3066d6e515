from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.evaluation.clock import Clock

SECONDS = st.floats(0, 1e5)


def test_scoring_does_not_count_and_waiting_for_it_does_not_either() -> None:
    clock = Clock(opened=100.0, budget=60.0, pauses=10.0, scoring_since=130.0)
    assert clock.elapsed(130.0) == clock.elapsed(135.0) == 20.0
    assert clock.is_paused(135.0)
    assert clock.remaining(135.0) == 40.0


def test_pauses_stop_at_their_share_and_then_the_clock_runs_while_an_answer_is_scored() -> None:
    clock = Clock(opened=0.0, budget=60.0, pauses=20.0, scoring_since=40.0, pause_share=0.5)
    assert clock.is_paused(49.0)
    assert not clock.is_paused(50.0)
    assert clock.elapsed(50.0) == 20.0
    assert clock.elapsed(60.0) == 30.0


@given(st.lists(st.tuples(SECONDS, SECONDS), max_size=30), st.floats(1, 1e5), st.floats(0, 2))
def test_no_row_of_submissions_puts_the_deadline_beyond_the_share(
    rounds: list[tuple[float, float]], budget: float, share: float
) -> None:
    now = pauses = 0.0
    for solving, scoring in rounds:
        now += solving
        if Clock(0.0, budget, pauses, None, share).is_over(now):
            break
        now += scoring
        pauses += scoring
    last = budget * (1 + share) * (1 + 1e-9) + 1e-6
    assert Clock(0.0, budget, pauses, None, share).is_over(max(now, last))


@given(SECONDS, SECONDS, SECONDS, st.one_of(st.none(), SECONDS))
def test_time_never_runs_backwards(pauses: float, now: float, later: float, since: float | None) -> None:
    clock = Clock(0.0, 3600.0, pauses, since)
    assert clock.elapsed(now + later) >= clock.elapsed(now) - 1e-6
    assert 0.0 <= clock.remaining(now) <= 3600.0


def test_a_scoring_that_never_ended_moves_no_deadline() -> None:
    before = Clock(0.0, 60.0, 5.0, None)
    cut_off = Clock(0.0, 60.0, 5.0, 20.0)
    assert cut_off.elapsed(30.0) == 15.0
    assert before.elapsed(30.0) == 25.0  # once it is ended without a pause, its time counts


def test_at_the_deadline_it_is_over() -> None:
    clock = Clock(0.0, 60.0)
    assert not clock.is_over(59.9)
    assert clock.is_over(60.0)
    assert clock.remaining(1e9) == pytest.approx(0.0)
