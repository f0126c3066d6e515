"""What an agent printed, and what it did: written by us while it runs, up to a bound.

Threat: an agent prints without end to fill a disk. Invariant: of each stream :data:`LARGEST_STREAM` bytes are kept, the
rest is counted; a trajectory has at most :data:`MOST_EVENTS` events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import orjson

from nature_gym.agents.events import Event
from nature_gym.sweeping.folders import STDERR, STDOUT

LARGEST_STREAM = 64 << 20
LARGEST_TRAJECTORY = 128 << 20
MOST_EVENTS = 200_000


class Streams:
    """The two streams of a program, into two files of a trial's folder."""

    def __init__(self, folder: Path, *, largest: int = LARGEST_STREAM) -> None:
        self.paths = {"stdout": folder / STDOUT, "stderr": folder / STDERR}
        self.totals = dict.fromkeys(self.paths, 0)
        self._largest = largest
        self._files = {name: path.open("xb") for name, path in self.paths.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for file in self._files.values():
            with suppress(OSError):
                file.close()

    def take(self, name: Literal["stdout", "stderr"], piece: bytes) -> None:
        """Take in a piece as it comes (:data:`nature_gym.sandbox.interface.Stream`)."""
        room = self._largest - self.totals[name]
        self.totals[name] += len(piece)
        if room > 0:
            self._files[name].write(piece[:room])

    def as_json(self) -> dict[str, Any]:
        """For the record: bytes in all, and whether all of them were kept."""
        return {name: {"bytes": total, "kept": min(total, self._largest)} for name, total in self.totals.items()}


def remove_secrets(path: Path, secrets: Collection[str]) -> None:
    """Take secrets of ours out of a stream that was kept, as far as they stand there as they are."""
    content = path.read_bytes()
    clean = content
    for secret in secrets:
        clean = clean.replace(secret.encode("utf-8", "surrogateescape"), b"[removed]")
    if clean != content:
        path.write_bytes(clean)


@dataclass(slots=True)
class Spent:
    """What a trajectory adds up to. ``cost`` in dollars."""

    events: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    complete: bool = True


def write_trajectory(path: Path, events: Iterable[Event]) -> Spent:
    """Write a line an event, and add up what they cost; what lies beyond the bounds is added up and not written."""
    spent, size = Spent(), 0
    with path.open("wb") as file:
        for event in events:
            spent.events += 1
            spent.input_tokens += event.input_tokens
            spent.output_tokens += event.output_tokens
            spent.cost += event.cost
            line = orjson.dumps(asdict(event), option=orjson.OPT_APPEND_NEWLINE, default=str)
            size += len(line)
            if spent.events > MOST_EVENTS or size > LARGEST_TRAJECTORY:
                spent.complete = False
                continue
            file.write(line)
    return spent
