"""Patience: which troubles pass by themselves, how long to wait for that, and when to give up.

Waiting that a host asks for (Retry-After) is kept by :mod:`nature_gym.web.hosts`, for everybody who asks
that host. Waiting of our own accord grows with each attempt, with some jitter, and hinders nobody else.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

ATTEMPTS = 4
"""How often a request is made again."""
PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses that are worth asking again for."""
_BACKOFF = 0.5
_EPOCH = 10**9
LONGEST = 10 * 365 * 86_400.0
"""Ten years, in seconds: what a host asks for beyond that means never, and no calendar reaches so far."""


def asked_to_wait(status: int, headers: Mapping[str, str], now: float) -> float:
    """Seconds that the answer asks to be left alone for; 0 where it asks for nothing.

    Retry-After holds seconds or a date. Where a 429 lacks it, the budget's renewal stands for it; that is
    in seconds from now, or as the time of day (GitHub's) in seconds since 1970.
    """
    if status not in PASSING:
        return 0.0
    seconds = _seconds(headers.get("Retry-After", ""), now)
    if seconds is None and status == 429 and headers.get("X-RateLimit-Remaining") == "0":
        seconds = _seconds(headers.get("X-RateLimit-Reset", ""), now)
    return min(max(0.0, seconds or 0.0), LONGEST)


def _seconds(text: str, now: float) -> float | None:
    try:
        number = float(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(text)
        except ValueError:
            return None
        return when.replace(tzinfo=when.tzinfo or dt.UTC).timestamp() - now
    return number - now if number > _EPOCH else number


def pause(attempt: int) -> None:
    """Wait before the ``attempt``-th repetition (1, 2, ...): about 0.5, 1, 2, 4 seconds."""
    time.sleep(_BACKOFF * 2 ** (attempt - 1) * random.uniform(0.5, 1.5))
