from __future__ import annotations

import threading

import pytest

from db.trials import Trials
from nature_gym.errors import UsageError
from nature_gym.evaluation.state import DeadlineError, Ending, Opening, ScoringRunningError

OPENING = Opening("t", "digest", 1000.0, 60.0)


def scored(gap: float, paused: float = 0.0) -> Ending:
    return Ending("scored", 1001.0, paused, gap, {"aggregate_improvement": gap})


def test_a_trial_that_was_begun_before_keeps_its_deadline(either_state: Trials) -> None:
    either_state.open(OPENING)
    assert either_state.open(Opening("t", "other", 5000.0, 9999.0)) == OPENING
    assert either_state.standing("t").opening == OPENING


def test_attempts_are_numbered_and_the_first_of_the_best_stays_the_best(either_state: Trials) -> None:
    either_state.open(OPENING)
    for number, gap in enumerate((-0.5, 0.25, 0.25, 0.1), 1):
        assert either_state.begin("t", 1000.0) == number
        assert either_state.finish("t", number, scored(gap))
    best = either_state.standing("t").best
    assert best is not None
    assert (best.number, best.gap, best.result) == (2, 0.25, {"aggregate_improvement": 0.25})
    assert [one.number for one in either_state.attempts("t")] == [1, 2, 3, 4]


def test_one_answer_at_a_time(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.begin("t", 1000.0)
    with pytest.raises(ScoringRunningError):
        either_state.begin("t", 1001.0)
    either_state.finish("t", 1, Ending("fault", 1002.0, 0.0))
    assert either_state.begin("t", 1003.0) == 2


def test_of_many_at_once_one_begins(either_state: Trials) -> None:
    either_state.open(OPENING)
    numbers: list[int] = []
    refused: list[Exception] = []

    def begin() -> None:
        try:
            numbers.append(either_state.begin("t", 1000.0))
        except ScoringRunningError as error:
            refused.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers == [1]
    assert len(refused) == 7


def test_no_answer_after_the_deadline_and_pauses_put_it_off(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.begin("t", 1050.0)
    either_state.finish("t", 1, scored(0.0, paused=20.0))
    assert either_state.begin("t", 1079.0) == 2
    either_state.finish("t", 2, Ending("invalid", 1079.0, 0.0))
    with pytest.raises(DeadlineError):
        either_state.begin("t", 1080.0)


def test_an_attempt_ends_once(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.begin("t", 1000.0)
    assert either_state.finish("t", 1, scored(0.5, paused=3.0))
    assert not either_state.finish("t", 1, scored(9.0, paused=30.0))
    standing = either_state.standing("t")
    assert standing.best is not None
    assert (standing.best.gap, standing.clock.pauses) == (0.5, 3.0)


def test_a_scoring_that_begins_again_pauses_from_then_on(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.begin("t", 1010.0)
    either_state.begin_again("t", 1, 1040.0)
    assert either_state.standing("t").clock.elapsed(1050.0) == 40.0


def test_a_lost_trial_comes_back_whole_and_a_present_one_is_left_alone(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.begin("t", 1000.0)
    either_state.finish("t", 1, scored(0.5, paused=2.0))
    attempts = either_state.attempts("t")
    either_state.restore(Opening("u", "digest2", 1.0, 2.0), attempts)
    assert either_state.attempts("u") == attempts
    either_state.restore(OPENING, ())
    assert either_state.attempts("t") == attempts


def test_trials_are_apart(either_state: Trials) -> None:
    either_state.open(OPENING)
    either_state.open(Opening("u", "digest2", 1000.0, 60.0))
    either_state.begin("t", 1000.0)
    assert either_state.begin("u", 1000.0) == 1
    with pytest.raises(UsageError):
        either_state.standing("v")
