"""What OpenAlex says of our budget with each answer: read from its headers, never assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests

_PREFIX = "x-ratelimit-"


class Budget:
    """The last that was heard, as ``{"limit", "remaining", "reset", "limit-usd", ...}``; empty where nothing was."""

    def __init__(self) -> None:
        self.told: dict[str, float] = {}

    def hear(self, response: requests.Response, *_: Any, **__: Any) -> None:
        """Take note of an answer's headers; fit to be a hook of a session."""
        told = read(response.headers)
        if told:
            self.told = told

    @property
    def is_gone(self) -> bool:
        """Whether the next request would not be covered."""
        return "remaining" in self.told and self.told["remaining"] < max(1.0, self.told.get("credits-used", 1.0))

    @property
    def renewed_in(self) -> float:
        """Seconds until it is renewed; 0 where that was not said."""
        return self.told.get("reset", 0.0)


def read(headers: Mapping[str, str]) -> dict[str, float]:
    """The numbers of an answer's ``X-RateLimit-*`` headers.

    >>> read({"X-RateLimit-Remaining": "99", "Content-Type": "text/html"})
    {'remaining': 99.0}
    """
    told = {}
    for name, value in headers.items():
        if name.lower().startswith(_PREFIX):
            try:
                told[name.lower().removeprefix(_PREFIX)] = float(value)
            except ValueError:
                continue
    return told


def in_words(told: Mapping[str, float]) -> str:
    """The budget for people: ``99,970 of 100,000 credits left, $0.9997 of $1.0000, renewed in 23 h``."""
    parts = []
    if "remaining" in told:
        of = f" of {told['limit']:,.0f}" if "limit" in told else ""
        parts.append(f"{told['remaining']:,.0f}{of} credits left")
    if "remaining-usd" in told:
        of = f" of ${told['limit-usd']:,.4f}" if "limit-usd" in told else ""
        parts.append(f"${told['remaining-usd']:,.4f}{of} left")
    if told.get("reset"):
        parts.append(f"renewed in {told['reset'] / 3600:,.1f} h")
    return ", ".join(parts)
