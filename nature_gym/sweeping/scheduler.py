"""Which trial is next: fair over packages and agents, within limits; and what each of the others waits for.

The idea: the next one is of the agent that has the fewest running, then the fewest so far; among these, of the package
of which that is true. So slots are shared evenly, a slow agent holds up no quick one, and a sweep that is cut off has
touched about as many packages with each agent.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nature_gym.sweeping.spec import TrialSpec


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a trial is not running: ``reason`` is a sentence's end, as in 'waits for a CPU slot'."""

    trial: TrialSpec
    reason: str


class Scheduler:
    """The trials that are still to run. Used by one thread.

    ``limits`` is how many trials of an agent may run at once, by its name or by the part before the colon.
    """

    def __init__(self, trials: Iterable[TrialSpec], *, limits: Mapping[str, int] | None = None) -> None:
        self._queues: dict[tuple[str, str], deque[TrialSpec]] = {}
        self._limits = dict(limits or {})
        self._running: dict[str, TrialSpec] = {}
        self._agents: Counter[str] = Counter()
        self._packages: Counter[str] = Counter()
        self._had: Counter[str] = Counter()
        self._package_had: Counter[str] = Counter()
        self._limited: Counter[str] = Counter()
        for trial in trials:
            self.add(trial)

    def __len__(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    @property
    def running(self) -> int:
        """How many were given out and have not ended."""
        return len(self._running)

    def add(self, trial: TrialSpec) -> None:
        """Put a trial behind the others of its package and agent."""
        self._queues.setdefault((trial.agent, trial.package), deque()).append(trial)

    def next(self, may: Callable[[TrialSpec], bool] = lambda _: True) -> TrialSpec | None:
        """The trial to run now, which then counts as running; None where none may.

        ``may`` is asked for one trial after another until it says yes; others keep their places.
        """
        for _, pair in sorted((self._order(pair), pair) for pair in self._queues):
            trial = self._queues[pair][0]
            if self._limit_of(trial.agent) or not may(trial):
                continue
            self._queues[pair].popleft()
            if not self._queues[pair]:
                del self._queues[pair]
            self._count(trial, 1)
            self._had[trial.agent] += 1
            self._package_had[trial.package] += 1
            self._running[trial.id] = trial
            return trial
        return None

    def ended(self, trial: TrialSpec) -> None:
        """A trial that was given out has ended."""
        if self._running.pop(trial.id, None) is not None:
            self._count(trial, -1)

    def waiting(self, lacking: Callable[[TrialSpec], str] = lambda _: "") -> list[Waiting]:
        """What each trial that is not running waits for; ``lacking`` tells what the machine lacks for one, or ''."""
        found = []
        for _, pair in sorted((self._order(pair), pair) for pair in self._queues):
            for trial in self._queues[pair]:
                reason = self._limit_of(trial.agent) or lacking(trial) or "its turn"
                found.append(Waiting(trial, reason))
        return found

    def _order(self, pair: tuple[str, str]) -> tuple[int, int, int, int]:
        agent, package = pair
        return self._agents[agent], self._had[agent], self._packages[package], self._package_had[package]

    def _count(self, trial: TrialSpec, by: int) -> None:
        self._agents[trial.agent] += by
        self._packages[trial.package] += by
        for name in {trial.agent, trial.agent.partition(":")[0]}:
            self._limited[name] += by

    def _limit_of(self, agent: str) -> str:
        """The limit that keeps an agent from another trial now, in words."""
        for name in dict.fromkeys((agent, agent.partition(":")[0])):
            limit = self._limits.get(name)
            if limit is not None and self._limited[name] >= limit:
                return f"another trial of {name} to end, of which {limit} may run at once"
        return ""
