"""Which trial is next: fair over agents and packages, within limits."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.sweeping.scheduler import Scheduler
from nature_gym.sweeping.spec import TrialSpec


def trials(agents: int, packages: int, seeds: int) -> list[TrialSpec]:
    return [
        TrialSpec(f"p{package}", "sha256:0", f"agent{agent}:m", seed)
        for seed in range(seeds) for package in range(packages) for agent in range(agents)
    ]  # fmt: skip


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3), st.data())
def test_slots_are_shared_evenly_and_each_trial_is_given_out_once(
    agents: int, packages: int, seeds: int, data: st.DataObject
) -> None:
    scheduler = Scheduler(trials(agents, packages, seeds))
    left = Counter({f"agent{agent}:m": packages * seeds for agent in range(agents)})
    under_way: list[TrialSpec] = []
    given_out = []
    while len(scheduler) or under_way:
        while len(under_way) < 3:
            running = Counter(one.agent for one in under_way)
            fewest = min((running[name] for name, count in left.items() if count), default=0)
            trial = scheduler.next()
            if trial is None:
                break
            assert running[trial.agent] == fewest
            left[trial.agent] -= 1
            under_way.append(trial)
            given_out.append(trial.id)
        scheduler.ended(under_way.pop(data.draw(st.integers(0, len(under_way) - 1))))
    assert len(given_out) == len(set(given_out)) == agents * packages * seeds
    assert scheduler.running == 0


def test_packages_take_turns_and_seeds_come_last() -> None:
    scheduler = Scheduler(trials(1, 3, 2))
    order = []
    while (trial := scheduler.next()) is not None:
        order.append((trial.package, trial.seed))
        scheduler.ended(trial)
    assert order == [("p0", 0), ("p1", 0), ("p2", 0), ("p0", 1), ("p1", 1), ("p2", 1)]


def test_a_limit_holds_one_agent_back_and_no_other_and_is_told() -> None:
    scheduler = Scheduler(trials(2, 2, 1), limits={"agent0": 1})
    first = [scheduler.next() for _ in range(4)]
    assert [one.agent if one else None for one in first] == ["agent0:m", "agent1:m", "agent1:m", None]
    (waiting,) = scheduler.waiting()
    assert waiting.reason == "another trial of agent0 to end, of which 1 may run at once"
    assert first[0] is not None
    scheduler.ended(first[0])
    again = scheduler.next()
    assert again is not None
    assert again.agent == "agent0:m"


def test_one_that_may_not_run_keeps_its_place_and_lets_others_pass() -> None:
    scheduler = Scheduler(trials(1, 2, 1))
    found = scheduler.next(lambda trial: trial.package == "p1")
    assert found is not None
    assert found.package == "p1"
    assert scheduler.next(lambda trial: False) is None
    assert len(scheduler) == 1
    assert [one.reason for one in scheduler.waiting(lambda _: "a GPU")] == ["a GPU"]


def test_ending_twice_counts_once() -> None:
    scheduler = Scheduler(trials(1, 2, 1), limits={"agent0": 1})
    trial = scheduler.next()
    assert trial is not None
    scheduler.ended(trial)
    scheduler.ended(trial)
    scheduler.next()
    assert scheduler.running == 1
    assert scheduler.next() is None
