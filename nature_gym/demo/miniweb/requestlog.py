"""What was asked of the mini-web, and how politely.

A bounded list of requests, and per host the figures that tests of politeness need: how many
requests were in flight at once, and the most that began within one second.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field


@dataclass(slots=True)
class Seen:
    """One request. ``status`` is 0 until it is answered, and stays 0 where it never was."""

    host: str
    method: str
    path: str
    query: str
    began: float
    """Seconds since the mini-web started."""
    concurrent: int
    """Requests in flight at this host when it began, itself included."""
    status: int = 0
    seconds: float = 0.0
    fault: str | None = None

    def as_json(self) -> dict[str, object]:
        """The entry as ``/_demo/log`` prints it."""
        return asdict(self)


@dataclass(slots=True)
class HostFigures:
    """The totals of one host."""

    requests: int = 0
    in_flight: int = 0
    most_at_once: int = 0
    most_in_a_second: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    recent: deque[float] = field(default_factory=deque)

    def as_json(self) -> dict[str, object]:
        """The figures as ``/_demo/stats`` prints them."""
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "most_at_once": self.most_at_once,
            "most_in_a_second": self.most_in_a_second,
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
        }


class RequestLog:
    """The log of one mini-web. Written by its event loop; other threads may read copies."""

    def __init__(self, size: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._zero = clock()
        self._entries: deque[Seen] = deque(maxlen=size)
        self._hosts: dict[str, HostFigures] = {}

    def __iter__(self) -> Iterator[Seen]:
        return iter(list(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def entries(self, host: str | None = None) -> list[Seen]:
        """The requests kept, oldest first; of one host only, where it is named."""
        return [seen for seen in list(self._entries) if host in {None, seen.host}]

    def stats(self) -> dict[str, HostFigures]:
        """Host -> its figures since the start, or since :meth:`clear`."""
        return dict(self._hosts)

    def clear(self) -> None:
        """Forget the entries and the figures (requests in flight are still counted)."""
        self._entries.clear()
        self._hosts = {host: HostFigures(in_flight=figures.in_flight) for host, figures in self._hosts.items()}

    def begin(self, host: str, method: str, path: str, query: str) -> Seen:
        """Note that a request came in."""
        now = self._clock() - self._zero
        figures = self._hosts.setdefault(host, HostFigures())
        figures.requests += 1
        figures.in_flight += 1
        figures.most_at_once = max(figures.most_at_once, figures.in_flight)
        figures.recent.append(now)
        while figures.recent[0] <= now - 1:
            figures.recent.popleft()
        figures.most_in_a_second = max(figures.most_in_a_second, len(figures.recent))
        seen = Seen(host, method, path, query, now, figures.in_flight)
        self._entries.append(seen)
        return seen

    def end(self, seen: Seen) -> None:
        """Note that it was answered, or its connection cut."""
        seen.seconds = self._clock() - self._zero - seen.began
        figures = self._hosts.setdefault(seen.host, HostFigures(in_flight=1))
        figures.in_flight -= 1
        figures.statuses[seen.status] += 1
