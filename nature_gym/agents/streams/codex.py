"""``codex exec --json``: a line of JSON an event of a thread, its turns and their items.

The usage at a turn's end is that of the thread so far; an event is given what it adds. Dollars are not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from nature_gym.agents.events import Event
from nature_gym.agents.streams.lines import Json, count, mapping, objects, plain
from nature_gym.agents.streams.plain import read_errors

Price = Callable[[int, int], float]
"""Dollars of input and output tokens."""


def read_codex(stdout: Path, stderr: Path, price: Price = lambda *_: 0.0) -> Iterator[Event]:
    """What it did."""
    reader = _Reader(price)
    for line in objects(stdout):
        yield from (Event("text", line),) if isinstance(line, str) else reader.events(line)
    yield from read_errors(stderr)


class _Reader:
    def __init__(self, price: Price) -> None:
        self.price = price
        self.counted = (0, 0)
        self.begun: set[str] = set()

    def events(self, line: Json) -> Iterator[Event]:
        kind = plain(line.get("type"))
        item = mapping(line.get("item"))
        if kind == "item.started":
            if call := _call(item):
                self.begun.add(plain(item.get("id")))
                yield call
        elif kind == "item.completed":
            yield from self._completed(item)
        elif kind == "turn.completed":
            yield self._turn(mapping(line.get("usage")))
        elif kind in ("turn.failed", "error"):
            yield Event("error", plain(mapping(line.get("error")).get("message", line.get("message"))))
        elif kind in ("thread.started", "thread.resumed"):
            yield Event("system", kind)
        elif kind not in ("turn.started", "item.updated"):
            yield Event("system", plain(line))

    def _completed(self, item: Json) -> Iterator[Event]:
        kind = item.get("type")
        if kind == "agent_message":
            yield Event("text", plain(item.get("text")))
        elif kind in ("reasoning", "plan"):
            yield Event("thought", plain(item.get("text")))
        elif kind == "todo_list":
            yield Event("thought", plain(item.get("items")))
        elif kind == "error":
            yield Event("error", plain(item.get("message")))
        elif call := _call(item):
            if plain(item.get("id")) not in self.begun:
                yield call
            failed = item.get("status") in ("failed", "declined") or item.get("exit_code") not in (None, 0)
            yield Event("error" if failed else "tool_result", _outcome(item), tool=call.tool)
        else:
            yield Event("system", plain(item))

    def _turn(self, usage: Json) -> Event:
        now = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
        before = self.counted if now[0] >= self.counted[0] and now[1] >= self.counted[1] else (0, 0)
        self.counted = now
        into, out = now[0] - before[0], now[1] - before[1]
        return Event("result", "", input_tokens=into, output_tokens=out, cost=self.price(into, out))


def _call(item: Json) -> Event | None:
    """The call that an item is, or None."""
    kind = plain(item.get("type"))
    if kind == "command_execution":
        return Event("tool_call", plain(item.get("command")), tool=kind)
    if kind == "file_change":
        return Event("tool_call", plain(item.get("changes")), tool=kind)
    if kind == "mcp_tool_call":
        return Event("tool_call", plain(item.get("arguments")), tool=f"{item.get('server')}.{item.get('tool')}")
    if kind == "web_search":
        return Event("tool_call", plain(item.get("query")), tool=kind)
    if kind == "collab_tool_call":
        return Event("tool_call", plain(item.get("prompt")), tool=plain(item.get("tool")))
    return None


def _outcome(item: Json) -> str:
    if item.get("type") == "command_execution":
        return f"exit code {item.get('exit_code')}\n{plain(item.get('aggregated_output'))}"
    return plain(item.get("error") or item.get("result") or item.get("status"))
