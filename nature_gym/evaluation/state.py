"""What must outlive the service: trials, their attempts, their time. One transaction a change.

The idea: an attempt is begun in one transaction and ended in another. Between the two it is ``scoring``, and whoever
starts after a crash finds it so. Ending is done once: a second ending of the same attempt changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from nature_gym.errors import NatureGymError
from nature_gym.evaluation.clock import PAUSE_SHARE, Clock

Status = Literal["scoring", "scored", "invalid", "refused", "fault", "interrupted"]
"""``scored``: some instance has a score. ``invalid``: none has. ``refused``: the answer was not taken in.
``fault``: the evaluator failed. ``interrupted``: the service died before it had the answer."""
STATUSES: tuple[Status, ...] = ("scoring", "scored", "invalid", "refused", "fault", "interrupted")


class ScoringRunningError(NatureGymError):
    """An answer of this trial is being scored."""


class DeadlineError(NatureGymError):
    """The trial's budget is used up."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A trial as it began. ``opened`` in seconds since 1970, ``budget`` in seconds, ``token`` as its digest."""

    trial: str
    token: str
    opened: float
    budget: float
    pause_share: float = PAUSE_SHARE


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attempt ended. ``paused`` is the time it took to score, in seconds."""

    status: Status
    ended: float
    paused: float
    gap: float | None = None
    result: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One submission. ``gap`` is the aggregate g where it was scored; ``result`` is all that was found."""

    number: int
    begun: float
    status: Status
    ended: float | None = None
    paused: float = 0.0
    gap: float | None = None
    result: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a trial stands: its time, how many attempts it made, which was best, which is being scored."""

    opening: Opening
    clock: Clock
    attempts: int
    best: Attempt | None
    scoring: Attempt | None


class TrialState(Protocol):
    """Where trials are kept. Safe to use from several threads and processes."""

    def open(self, opening: Opening) -> Opening:
        """Begin a trial; where it was begun before, what was kept then, unchanged."""

    def begin(self, trial: str, now: float) -> int:
        """Begin an attempt: its number, from 1. Raises ScoringRunningError and DeadlineError."""

    def begin_again(self, trial: str, number: int, now: float) -> None:
        """Say that the scoring of an attempt, which a crash cut off, begins anew."""

    def finish(self, trial: str, number: int, ending: Ending) -> bool:
        """End an attempt; False where it had ended before, and then nothing is changed."""

    def standing(self, trial: str) -> Standing:
        """Where a trial stands. Raises UsageError for one that nobody opened."""

    def attempts(self, trial: str) -> tuple[Attempt, ...]:
        """All attempts, in their order."""

    def restore(self, opening: Opening, attempts: tuple[Attempt, ...]) -> None:
        """Take in a trial from its folder, where the database knows nothing of it."""
