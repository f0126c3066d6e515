"""A file to be looked into: its bytes, unpacked where it is packed, as far as anybody asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from nature_gym.acquisition.archive_members import Packing, open_packed

Structure = dict[str, Any]
"""What is found: JSON values, and never more than people would read."""

MOST_READ = 256 << 20
"""So much of a file is read to count what it holds; beyond it, the count is of that part."""
MOST_NAMES = 200
"""So many names (columns, keys, members) are told."""
LONGEST_NAME = 200


class UnreadableError(Exception):
    """The file is not what its name or its first bytes say, or is damaged."""


@dataclass(frozen=True, slots=True)
class Source:
    """``head`` are its first bytes, unpacked; ``name`` is without the suffix of the packing."""

    path: Path
    name: str
    head: bytes
    packing: Packing | None = None

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The content as a stream, which can only be read forward where it is packed."""
        if self.packing is not None:
            with open_packed(self.path, self.packing) as stream:
                yield stream
        else:
            with self.path.open("rb") as stream:
                yield stream

    def blocks(self, most: int = MOST_READ) -> Iterator[bytes]:
        """The beginning of the content, up to ``most`` bytes."""
        with self.open() as stream:
            while most > 0 and (block := stream.read(min(1 << 20, most))):
                most -= len(block)
                yield block

    def beginning(self, most: int) -> bytes:
        return b"".join(self.blocks(most))

    @property
    def size(self) -> int:
        return self.path.stat().st_size


def names(values: Any) -> list[str]:
    """Names, as many and as long as people would read."""
    listed: list[str] = []
    for value in values:
        if len(listed) >= MOST_NAMES:
            break
        listed.append(str(value)[:LONGEST_NAME].encode("utf-8", "backslashreplace").decode())
    return listed


def count_lines(source: Source) -> tuple[int, bool]:
    """(Lines, whether all were counted); a last line without an end counts, too."""
    lines, last, read = 0, b"\n", 0
    for block in source.blocks():
        lines += block.count(b"\n")
        read += len(block)
        last = block[-1:]
    return lines + (last != b"\n"), read < MOST_READ
