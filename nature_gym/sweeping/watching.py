"""What is going on now: the phase of each trial that runs here, its time left and best g.

The idea: whoever runs a trial says its phase to a :class:`Watch`; whoever looks asks it, and it asks the desks. Nothing
here is a record: what counts is in the trials' folders.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from nature_gym.errors import NatureGymError
from nature_gym.evaluation.state import Standing
from nature_gym.sweeping.spec import TrialSpec

Phase = Literal["set-up", "solving", "scoring"]


@dataclass(slots=True)
class Live:
    """A trial that runs here. ``left`` in seconds, None before the clock runs; ``best`` is the best g so far."""

    spec: TrialSpec
    phase: Phase
    left: float | None = None
    best: float | None = None
    attempts: int = 0


@dataclass(slots=True)
class _Known:
    spec: TrialSpec
    phase: Phase
    standing: Callable[[], Standing] | None = None


class Watch:
    """The trials that run in this process. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, _Known] = {}
        self.done = self.total = 0
        self.waiting: list[tuple[TrialSpec, str]] = []
        """Trials that have not begun, with what each waits for."""

    def tell(self, spec: TrialSpec, phase: Phase, standing: Callable[[], Standing] | None = None) -> None:
        """A trial has come to a phase."""
        with self._lock:
            self._known[spec.id] = _Known(spec, phase, standing)

    def over(self, spec: TrialSpec) -> None:
        """A trial has ended."""
        with self._lock:
            self._known.pop(spec.id, None)

    def look(self, now: Callable[[], float] = time.time) -> list[Live]:
        """The trials that run, as they are now."""
        with self._lock:
            known = list(self._known.values())
        return [_live(one, now()) for one in known]


def _live(known: _Known, now: float) -> Live:
    live = Live(known.spec, known.phase)
    if known.standing is not None:
        with suppress(NatureGymError):  # the next look may succeed
            standing = known.standing()
            live.left, live.attempts = standing.clock.remaining(now), standing.attempts
            live.best = standing.best.gap if standing.best else None
            if standing.scoring is not None:
                live.phase = "scoring"
    return live


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


def current_watch() -> Watch:
    """The watch of whoever started this; a new one where nobody looks."""
    return _watch.get() or Watch()


@contextmanager
def watched() -> Iterator[Watch]:
    """A watch that what the block starts will use."""
    watch = Watch()
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)
