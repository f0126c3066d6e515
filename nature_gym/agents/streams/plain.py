"""Plain text: a line printed is a line said, a line of the error stream an error's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nature_gym.agents.events import Event
from nature_gym.agents.streams.lines import lines


def read_plain(stdout: Path, stderr: Path) -> Iterator[Event]:
    """What a program printed, line by line."""
    for line in lines(stdout):
        if line.strip():
            yield Event("text", line.decode("utf-8", "replace"))
    yield from read_errors(stderr)


def read_errors(stderr: Path) -> Iterator[Event]:
    """What a program complained about."""
    for line in lines(stderr):
        if line.strip():
            yield Event("error", line.decode("utf-8", "replace"))
