"""How much of a trial's budget is left.

The idea: the clock is worked out from what is kept, never counted up in memory. An agent has its budget of wall time;
while an answer is scored the clock stands, and that pause is kept when the scoring ends. Pauses add up to at most a
share of the budget, so submitting in a row buys no more than that. A scoring that a killed service never ended
is no pause: its time counts as solving, and no deadline moves.
"""

from __future__ import annotations

from dataclasses import dataclass

PAUSE_SHARE = 0.5
"""Pauses add at most this share of the budget to a trial's wall time."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A trial's time, in seconds; moments are seconds since 1970.

    ``pauses`` is the time of the scorings that ended; ``scoring_since`` is when the running one began.
    """

    opened: float
    budget: float
    pauses: float = 0.0
    scoring_since: float | None = None
    pause_share: float = PAUSE_SHARE

    def paused(self, now: float) -> float:
        """How long the clock has stood so far."""
        running = max(0.0, now - self.scoring_since) if self.scoring_since is not None else 0.0
        return min(self.pauses + running, self.pause_share * self.budget)

    def elapsed(self, now: float) -> float:
        """How much time was spent solving."""
        return max(0.0, now - self.opened - self.paused(now))

    def remaining(self, now: float) -> float:
        """How much is left; 0 from the deadline on."""
        return max(0.0, self.budget - self.elapsed(now))

    def is_paused(self, now: float) -> bool:
        """Whether the clock stands: an answer is being scored, and the share of pauses is not used up."""
        return self.scoring_since is not None and self.paused(now) < self.pause_share * self.budget

    def is_over(self, now: float) -> bool:
        """Whether the deadline has passed; an answer taken before it is still scored."""
        return self.remaining(now) <= 0.0
