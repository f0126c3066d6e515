"""How the mini-web behaves: delays, faults, limits and budgets.

Everything is decided from (seed, host, address, how often it was asked), never from a shared
source of chance: requests that arrive in another order meet the same delays and faults.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

Fault = Literal["error", "unavailable", "timeout", "truncated", "garbled"]
"""500, 503, no answer until the client gives up, a body cut short, a body of another shape."""

FAULTS: tuple[Fault, ...] = ("error", "unavailable", "timeout", "truncated", "garbled")
ANY = "*"
"""Stands for every host that is not named itself."""


def chance(*parts: object) -> float:
    """A number in [0, 1) that depends on nothing but ``parts``."""
    digest = hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Settings of one mini-web. Times are in seconds, rates are shares of requests.

    >>> Behaviour(latency={"*": 0.02}, faults={"zenodo.org": {"error": 0.1}}).delay("a.org", "/", 1)
    0.02
    """

    seed: int = 0
    latency: Mapping[str, float] = field(default_factory=dict)
    """Host -> seconds before the first byte. :data:`ANY` is for all others."""
    jitter: float = 0.0
    """Latencies are spread evenly by this share to either side: 0.5 of 20 ms gives 10 to 30 ms."""
    faults: Mapping[str, Mapping[Fault, float]] = field(default_factory=dict)
    """Host -> kind of fault -> share of its requests that meet it."""
    faults_in_a_row: int | None = None
    """Only the first so many requests for an address can meet a fault. ``None``: all of them."""
    hang_seconds: float = 60.0
    """How long a request that is to time out is held before its connection is cut."""
    slow_seconds: float = 3.0
    """How long a page that is ``slow`` lets one wait for its first byte."""
    retry_after: float = 1.0
    """What a page that is ``limited`` asks for, unless its headers say otherwise."""
    budgets: Mapping[str, int] = field(default_factory=dict)
    """Host -> requests in a window; then 429 (GitHub's API: 403) with Retry-After."""
    budget_window: float = 36_000.0
    """Length of that window, from its first request. The default is the ten hours of a used-up day."""
    page_cap: int = 200
    """The most works OpenAlex gives on a page. A cap below 200 is applied without a word."""
    api_keys: frozenset[str] | None = None
    """The keys OpenAlex knows. ``None``: it asks for none."""
    updated_filter: bool = True
    """Whether the plan allows ``from_updated_date``."""
    robots: bool = True
    """Whether the article site has a robots.txt."""
    crawl_delay: float = 1.0
    log_size: int = 50_000
    """Requests kept in the log; the oldest go first."""

    def delay(self, host: str, address: str, nth: int) -> float:
        """Seconds before the answer to the ``nth`` request for ``address``."""
        latency = self.latency.get(host, self.latency.get(ANY, 0.0))
        if latency and self.jitter:
            latency *= 1 + self.jitter * (2 * chance(self.seed, "delay", host, address, nth) - 1)
        return latency

    def fault(self, host: str, address: str, nth: int) -> Fault | None:
        """The fault that the ``nth`` request for ``address`` meets, if any."""
        rates = self.faults.get(host, self.faults.get(ANY))
        if not rates or (self.faults_in_a_row is not None and nth > self.faults_in_a_row):
            return None
        drawn = chance(self.seed, "fault", host, address, nth)
        for kind in FAULTS:
            drawn -= rates.get(kind, 0.0)
            if drawn < 0:
                return kind
        return None

    def as_json(self) -> dict[str, object]:
        """The settings, for ``/_demo/settings``. Keys are counted, not told."""
        told = asdict(self)
        told["api_keys"] = None if self.api_keys is None else len(self.api_keys)
        return told
