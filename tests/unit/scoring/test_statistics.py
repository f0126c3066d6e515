from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.scoring.statistics import bootstrap, cost_per_match, mean, median, win_rate, win_rates

GAPS = st.dictionaries(st.sampled_from("abcdef"), st.floats(-2, 2), min_size=1)


def test_the_interval_of_a_mean_is_near_the_normal_one() -> None:
    values = np.random.default_rng(3).normal(size=400)
    found = bootstrap([[value] for value in values], mean, draws=4000)
    half = 1.96 * values.std() / np.sqrt(values.size)
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=0.02)
    assert found.high == pytest.approx(values.mean() + half, abs=0.02)


def test_seeds_widen_the_interval_by_their_own_spread() -> None:
    tasks = [[-1.0, 1.0]] * 20  # every task's mean is 0: all chance is in the seeds
    found = bootstrap(tasks, mean, draws=2000)
    assert found.value == 0.0
    assert found.high == pytest.approx(1.96 * np.sqrt(0.5 / 20), abs=0.06)


def test_a_draw_of_two_tasks_is_as_all_draws_are() -> None:
    every = [np.mean(pair) for pair in itertools.product([0.0, 1.0], repeat=2)]
    for level in (0.6, 0.4):  # the ends fall within steps of a quarter each
        found = bootstrap([[0.0], [1.0]], mean, level=level, draws=20_000)
        ends = [50 * (1 - level), 50 * (1 + level)]
        assert [found.low, found.high] == np.percentile(every, ends, method="inverted_cdf").tolist()


def test_the_same_seed_gives_the_same_interval() -> None:
    tasks = [[0.1, 0.4], [0.2], [0.9, 0.3, 0.5]]
    assert bootstrap(tasks, median, draws=200) == bootstrap(tasks, median, draws=200)
    assert bootstrap(tasks, median, draws=200) != bootstrap(tasks, median, draws=200, seed=1)


def test_tasks_with_other_numbers_of_seeds_draw_from_their_own() -> None:
    found = bootstrap([[5.0], [5.0, 5.0, 5.0]], mean, draws=300)
    assert (found.low, found.value, found.high) == (5.0, 5.0, 5.0)


@pytest.mark.parametrize(("tasks", "level"), [([], 0.95), ([[1.0], []], 0.95), ([[1.0]], 1.0), ([[1.0]], 0.0)])
def test_what_has_no_interval_is_refused(tasks: list[list[float]], level: float) -> None:
    with pytest.raises(ValueError, match=r"task|level"):
        bootstrap(tasks, mean, level=level)


@given(GAPS, st.data())
def test_win_rates_of_a_pair_sum_to_one(one: dict[str, float], data: st.DataObject) -> None:
    other = {task: data.draw(st.one_of(st.just(gap), st.floats(-2, 2))) for task, gap in one.items()}
    assert win_rate(one, other) + win_rate(other, one) == pytest.approx(1.0)
    assert win_rate(one, one) == 0.5
    assert win_rates({"x": one, "y": other})["x"] == {"y": win_rate(one, other)}


def test_agents_with_other_tasks_are_not_compared() -> None:
    with pytest.raises(ValueError, match="same tasks"):
        win_rate({"a": 1.0}, {"b": 1.0})


def test_the_cost_of_a_match() -> None:
    assert cost_per_match({"a": 3.0, "b": 1.0}, ["a", "b"]) == 2.0
    assert cost_per_match({"a": 3.0}, []) is None
