"""How much of a host's budget of requests is used, window by window."""

from __future__ import annotations


class Meter:
    """What is left of a host's budget, in the windows of :class:`Behaviour`."""

    def __init__(self, budget: int, window: float) -> None:
        self.budget = budget
        self.window = window
        self.used = 0
        self._began: float | None = None

    def spend(self, now: float) -> bool:
        """Count one request; whether the budget covers it."""
        if self._began is None or now >= self._began + self.window:
            self._began, self.used = now, 0
        if self.used >= self.budget:
            return False
        self.used += 1
        return True

    def reset_in(self, now: float) -> int:
        """Whole seconds until the window ends, at least 1."""
        return max(1, round((now if self._began is None else self._began) + self.window - now))
