"""Records of delimited text, by place: where each begins and ends, quotation marks respected, nothing interpreted.

Rows are taken as the bytes that they are, so that every number, quotation mark and line end survives. Blocks are
looked at with numpy: a record ends at a line feed with an even number of quotation marks before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

BLOCK = 8 << 20
_LF, _CR = 10, 13

Mask = npt.NDArray[np.bool_]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Form:
    """How a file's records are written: the quotation mark (None for none) and how many records are heading."""

    quote: bytes | None = b'"'
    heading: int = 1
    keeps_blank: bool = False
    """Whether empty lines are records; in tables they are not."""


def _blocks(file: BinaryIO, form: Form) -> Iterator[tuple[npt.NDArray[np.uint8], Offsets]]:
    """Whole records with where each one ends (exclusive) in the bytes that come with them."""
    rest = b""
    while True:
        read = file.read(BLOCK)
        data = rest + read
        if not data:
            return
        block = np.frombuffer(data, dtype=np.uint8)
        ends = _ends(block, form)
        if not read:
            if not len(ends) or ends[-1] != len(block):  # the last line has no end
                ends = np.append(ends, len(block))
            yield block, ends
            return
        if not len(ends):
            rest = data
            continue
        yield block[: ends[-1]], ends
        rest = data[ends[-1] :]


def _ends(block: npt.NDArray[np.uint8], form: Form) -> Offsets:
    feeds = block == _LF
    if form.quote is not None:
        marks = block == form.quote[0]
        if marks.any():
            inside = np.bitwise_and(np.cumsum(marks, dtype=np.int64), 1).astype(bool)
            feeds &= ~inside
    return np.flatnonzero(feeds).astype(np.int64) + 1


def _records(block: npt.NDArray[np.uint8], ends: Offsets, form: Form) -> tuple[Offsets, Mask]:
    """(where each line begins, whether it is a record) of a block."""
    starts = np.concatenate(([0], ends[:-1]))
    if form.keeps_blank:
        return starts, np.ones(len(ends), dtype=bool)
    lengths = ends - starts
    first = block[starts]
    blank = (lengths == 1) & (first == _LF)
    blank |= (lengths == 2) & (first == _CR) & (block[np.minimum(starts + 1, len(block) - 1)] == _LF)
    return starts, ~blank


def count_rows(path: Path, form: Form) -> int:
    """How many records the file has, the heading apart."""
    count = 0
    with path.open("rb") as file:
        for block, ends in _blocks(file, form):
            count += int(_records(block, ends, form)[1].sum())
    return max(0, count - form.heading)


def take_rows(path: Path, keep: Mask, target: Path, form: Form) -> int:
    """Write the heading and the rows for which ``keep`` holds to ``target``, byte for byte; how many rows that are."""
    with path.open("rb") as file, target.open("wb") as out:
        lines = sum(_take(block, ends, wanted, out) for block, ends, wanted in _aligned(file, keep, form))
    return max(0, lines - form.heading)


def _aligned(file: BinaryIO, keep: Mask, form: Form) -> Iterator[tuple[npt.NDArray[np.uint8], Offsets, Mask]]:
    """Blocks with what is to be kept of their lines; the heading always is, blank lines never."""
    seen = -form.heading
    for block, ends in _blocks(file, form):
        _, is_record = _records(block, ends, form)
        wanted = np.zeros(len(ends), dtype=bool)
        numbers = seen + np.cumsum(is_record) - 1
        heading = is_record & (numbers < 0)
        rows = is_record & (numbers >= 0)
        wanted[rows] = keep[numbers[rows]]
        yield block, ends, wanted | heading
        seen = int(numbers[-1]) + 1


def _take(block: npt.NDArray[np.uint8], ends: Offsets, wanted: Mask, out: BinaryIO) -> int:
    lengths = np.diff(ends, prepend=0)
    if wanted.all():
        out.write(block.data)
    elif wanted.any():
        out.write(block[np.repeat(wanted, lengths)].data)
    if wanted.any() and block[ends[np.flatnonzero(wanted)[-1]] - 1] != _LF:
        out.write(b"\n")  # the last line of the file had no end
    return int(wanted.sum())
