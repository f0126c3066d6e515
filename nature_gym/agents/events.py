"""What an agent did, in one form, whichever program it is: a line of JSON an event in ``trajectory.jsonl``.

Threat: an agent writes its own trajectory. Its texts are cut at a bound, and freed of terminal escapes and of secrets,
before they are written (:mod:`nature_gym.agents.intake`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, get_args

import orjson

Kind = Literal["system", "thought", "text", "tool_call", "tool_result", "error", "result"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Event:
    """One step. ``time`` in seconds since the agent began, None where its program does not tell; ``cost`` in dollars.

    ``tokens`` and ``cost`` are those of this step alone, so that they can be summed.
    """

    kind: Kind
    text: str
    time: float | None = None
    tool: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Totals:
    """A trajectory summed. ``seconds`` is the time of its last event that has one."""

    events: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float | None = None


def totals(events: Iterable[Event]) -> Totals:
    """Tokens, dollars and time of a trajectory."""
    count = calls = into = out = 0
    cost, seconds = 0.0, None
    for one in events:
        count += 1
        calls += one.kind == "tool_call"
        into, out, cost = into + one.input_tokens, out + one.output_tokens, cost + one.cost
        seconds = one.time if one.time is not None and (seconds is None or one.time > seconds) else seconds
    return Totals(count, calls, into, out, cost, seconds)


def write_events(path: Path, events: Iterable[Event]) -> Totals:
    """Write a trajectory, a line an event, and sum it. Give events that went through an intake."""

    def written() -> Iterator[Event]:
        with path.open("wb") as file:
            for one in events:
                file.write(orjson.dumps(asdict(one), option=orjson.OPT_APPEND_NEWLINE))
                yield one

    return totals(written())


def read_events(path: Path) -> Iterator[Event]:
    """A trajectory as it was written; a line torn by a crash is passed over."""
    names = {one.name for one in fields(Event)}
    with path.open("rb") as file:
        for line in file:
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(value, dict) and value.get("kind") in KINDS and isinstance(value.get("text"), str):
                yield Event(**{name: value[name] for name in names & value.keys()})
