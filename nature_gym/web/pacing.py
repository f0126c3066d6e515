"""Pacing: no host is asked faster than it was agreed, whatever number of threads ask."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Pace:
    """Lets requests to one host start at most ``per_second`` times a second, in the order of asking."""

    def __init__(
        self,
        per_second: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._gap = 1 / per_second
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next = -float("inf")

    def wait(self) -> None:
        """Return when it is this caller's turn."""
        with self._lock:
            turn = max(self._next, self._clock())
            self._next = turn + self._gap
        delay = turn - self._clock()
        if delay > 0:
            self._sleep(delay)


class Paces:
    """One pace for each host, made when the host is first met."""

    def __init__(self, make: Callable[[], Pace]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._paces: dict[str, Pace] = {}

    def of(self, host: str) -> Pace:
        with self._lock:
            return self._paces.setdefault(host, self._make())
