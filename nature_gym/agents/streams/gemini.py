"""``gemini -p --output-format stream-json``: a line of JSON an event; the last tells tokens. Dollars are not told.

What the model says comes in pieces, which are put together.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from nature_gym.agents.events import Event
from nature_gym.agents.streams.codex import Price
from nature_gym.agents.streams.lines import Json, count, mapping, objects, plain
from nature_gym.agents.streams.plain import read_errors

MOST_PIECES = 1 << 20
"""Characters up to which pieces are put together."""


def read_gemini(stdout: Path, stderr: Path, price: Price = lambda *_: 0.0) -> Iterator[Event]:
    """What it did."""
    reader = _Reader(price)
    for line in objects(stdout):
        if isinstance(line, str):
            yield from reader.flushed()
            yield Event("system", line)
        else:
            yield from reader.events(line)
    yield from reader.flushed()
    yield from read_errors(stderr)


class _Reader:
    def __init__(self, price: Price) -> None:
        self.price = price
        self.began: float | None = None
        self.pieces: list[str] = []
        self.since: float | None = None
        self.tools: dict[str, str] = {}

    def flushed(self) -> Iterator[Event]:
        if self.pieces:
            yield Event("text", "".join(self.pieces), self.since)
            self.pieces.clear()

    def events(self, line: Json) -> Iterator[Event]:
        kind = line.get("type")
        time = self._time(line.get("timestamp"))
        if kind == "message" and line.get("role") == "assistant":
            self.since = self.since if self.pieces else time
            self.pieces.append(plain(line.get("content")))
            if not line.get("delta") or sum(map(len, self.pieces)) > MOST_PIECES:
                yield from self.flushed()
            return
        yield from self.flushed()
        if kind == "tool_use":
            name = plain(line.get("tool_name"))
            self.tools[plain(line.get("tool_id"))] = name
            yield Event("tool_call", plain(line.get("parameters")), time, name)
        elif kind == "tool_result":
            failed = line.get("status") == "error"
            text = plain(mapping(line.get("error")).get("message") if failed else None) or plain(line.get("output"))
            yield Event(
                "error" if failed else "tool_result", text, time, self.tools.get(plain(line.get("tool_id")), "")
            )
        elif kind == "result":
            stats = mapping(line.get("stats"))
            into, out = count(stats.get("input_tokens")), count(stats.get("output_tokens"))
            failed = line.get("status") == "error"
            yield Event("error" if failed else "result", plain(mapping(line.get("error")).get("message")), time,
                        input_tokens=into, output_tokens=out, cost=self.price(into, out))  # fmt: skip
        elif kind == "error":
            yield Event("error", plain(line.get("message")), time)
        elif kind == "init":
            yield Event("system", f"model {plain(line.get('model'))}", time)
        else:
            yield Event("system", plain(line.get("content", line)), time)

    def _time(self, stamp: Any) -> float | None:
        """Seconds since the first event."""
        try:
            at = datetime.fromisoformat(plain(stamp)).timestamp()
        except (ValueError, OverflowError, OSError):
            return None
        self.began = at if self.began is None else self.began
        return max(0.0, at - self.began)
