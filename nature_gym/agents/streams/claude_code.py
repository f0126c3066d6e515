"""``claude -p --output-format stream-json --verbose``: a line of JSON a message.

A message with several blocks comes as several lines that repeat its usage, so usage is counted once a message; the
last line tells the whole run's tokens and dollars, and what the messages did not tell of it is the last event's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nature_gym.agents.events import Event
from nature_gym.agents.streams.lines import Json, count, items, mapping, objects, plain
from nature_gym.agents.streams.plain import read_errors

_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def read_claude_code(stdout: Path, stderr: Path) -> Iterator[Event]:
    """What it did."""
    reader = _Reader()
    for line in objects(stdout):
        yield from (Event("text", line),) if isinstance(line, str) else reader.events(line)
    yield from read_errors(stderr)


class _Reader:
    def __init__(self) -> None:
        self.counted: dict[str, tuple[int, int]] = {}
        self.told = (0, 0)
        self.cost = 0.0
        self.tools: dict[str, str] = {}

    def events(self, line: Json) -> Iterator[Event]:
        kind = line.get("type")
        message = mapping(line.get("message"))
        if kind == "assistant":
            yield from self._said(message)
        elif kind == "user":
            yield from self._results(message.get("content"))
        elif kind == "result":
            yield self._result(line)
        elif kind == "system":
            yield Event("system", plain({name: line[name] for name in ("subtype", "model", "tools", "mcp_servers",
                                                                       "permissionMode") if name in line}))  # fmt: skip
        else:
            yield Event("system", plain(line))

    def _said(self, message: Json) -> Iterator[Event]:
        into, out = self._usage(message)
        for block in items(message.get("content")) or [{"type": "text", "text": plain(message.get("content"))}]:
            part = mapping(block)
            kind = part.get("type")
            if kind == "tool_use":
                name = plain(part.get("name"))
                self.tools[plain(part.get("id"))] = name
                yield Event("tool_call", plain(part.get("input")), tool=name, input_tokens=into, output_tokens=out)
            elif kind in ("thinking", "redacted_thinking"):
                yield Event("thought", plain(part.get("thinking")), input_tokens=into, output_tokens=out)
            else:
                yield Event("text", plain(part.get("text", part)), input_tokens=into, output_tokens=out)
            into = out = 0

    def _usage(self, message: Json) -> tuple[int, int]:
        """What a message adds to what was counted of it before."""
        usage = mapping(message.get("usage"))
        key = plain(message.get("id"))
        now = sum(count(usage.get(one)) for one in _INPUT), count(usage.get("output_tokens"))
        before = self.counted.get(key, (0, 0))
        self.counted[key] = max(now[0], before[0]), max(now[1], before[1])
        return self.counted[key][0] - before[0], self.counted[key][1] - before[1]

    def _results(self, content: Any) -> Iterator[Event]:
        if isinstance(content, str):
            yield Event("system", content)
        for block in items(content):
            part = mapping(block)
            if part.get("type") != "tool_result":
                yield Event("system", plain(part.get("text", part)))
                continue
            texts = [plain(mapping(one).get("text", one)) for one in items(part.get("content"))]
            text = "\n".join(texts) or plain(part.get("content"))
            yield Event("error" if part.get("is_error") else "tool_result", text,
                        tool=self.tools.get(plain(part.get("tool_use_id")), ""))  # fmt: skip

    def _result(self, line: Json) -> Event:
        usage = mapping(line.get("usage"))
        whole = sum(count(usage.get(one)) for one in _INPUT), count(usage.get("output_tokens"))
        seen = [sum(one[side] for one in self.counted.values()) + self.told[side] for side in (0, 1)]
        rest = max(0, whole[0] - seen[0]), max(0, whole[1] - seen[1])
        self.told = self.told[0] + rest[0], self.told[1] + rest[1]
        dollars = line.get("total_cost_usd")
        cost = max(0.0, float(dollars) - self.cost) if isinstance(dollars, int | float) else 0.0
        self.cost += cost
        milliseconds = line.get("duration_ms")
        time = milliseconds / 1000 if isinstance(milliseconds, int | float) else None
        text = plain(line.get("result", line.get("subtype")))
        return Event("error" if line.get("is_error") else "result", text, time,
                     input_tokens=rest[0], output_tokens=rest[1], cost=cost)  # fmt: skip
