"""Dealing rows out: one pass over a text writes all files that are made of its rows, byte for byte.

One thread finds the lines, one takes those of each file, one digests and writes what was taken: numpy, SHA-256 and
the disk leave the interpreter free. So a file that is split into many parts is read once, and nothing that is written
has to be read again.
"""

from __future__ import annotations

import gzip
import hashlib
import shutil
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Self, cast

import numpy as np
import numpy.typing as npt

from nature_gym.digests import PREFIX
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import BLOCK, Bytes, Form, Mask, Offsets, lines_of

_WAITING = 8
"""How many pieces may wait to be written."""
_LOOKED_AT = 1 << 22

Codes = npt.NDArray[np.uint8]
Piece = bytes | memoryview


@dataclass(frozen=True, slots=True)
class Deal:
    """The rows whose entry in ``codes`` (one a row) is ``code`` go to ``target``."""

    target: Path
    codes: Codes
    code: int

    @classmethod
    def of_mask(cls, target: Path, keep: Mask) -> Deal:
        """The rows for which ``keep`` holds."""
        return cls(target, keep.view(np.uint8), 1)

    def mask(self) -> Mask:
        """For each row whether it is dealt."""
        return np.equal(self.codes, self.code)

    def count(self) -> int:
        """How many rows are dealt."""
        return sum(int(np.count_nonzero(block == self.code)) for _, block in self._backwards())

    def end(self) -> int:
        """The number after that of the last row."""
        for start, block in self._backwards():
            if len(found := np.flatnonzero(block == self.code)):
                return start + int(found[-1]) + 1
        return 0

    def _backwards(self) -> Iterator[tuple[int, Codes]]:
        """Blocks, so that no array with an entry a row is made to look at them."""
        for end in range(len(self.codes), 0, -_LOOKED_AT):
            start = max(0, end - _LOOKED_AT)
            yield start, self.codes[start:end]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A file that was written: how many rows, the heading apart, and its digest."""

    rows: int
    digest: str


def deal_rows(path: Path, deals: Sequence[Deal], form: Form) -> list[Dealt]:
    """Write the heading and the rows of each deal to its target. Targets that end in ``.gz`` are compressed.

    Nothing is read beyond the last row that is dealt. Raises SplitError where a record has no end, or where there are
    more rows than entries; OSError as the file system gives it.
    """
    end = max(deal.end() for deal in deals)
    entries = min(len(deal.codes) for deal in deals)
    with ExitStack() as stack:
        outs = [stack.enter_context(_Digesting(deal.target)) for deal in deals]
        writer = stack.enter_context(_Writer())
        row = -form.heading
        rows = [0] * len(deals)
        for block, ends, is_record in lines_of(path, form):
            count = len(ends) if is_record is None else int(is_record.sum())
            if row + count > entries:
                raise SplitError(f"{path.name} has more rows than it had", hint="Does something write to it?")
            for number, taken in enumerate(_taken(block, ends, is_record, row, deals)):
                lines, data = taken
                rows[number] += lines
                if len(data):
                    writer.write(outs[number], data)
            row += count
            if row >= end and row >= 0:
                break
        writer.finish()
    return [Dealt(max(0, count - form.heading), out.digest) for count, out in zip(rows, outs, strict=True)]


def take_rows(path: Path, keep: Mask, target: Path, form: Form) -> int:
    """Write the heading and the rows for which ``keep`` holds to ``target``, byte for byte; how many rows that are."""
    (dealt,) = deal_rows(path, [Deal.of_mask(target, keep)], form)
    return dealt.rows


def compressed(path: Path, target: Path) -> None:
    """Write ``path`` to ``target``, compressed."""
    with path.open("rb") as file, _Digesting(target) as out:
        shutil.copyfileobj(file, cast("IO[bytes]", out), BLOCK)


def _taken(
    block: Bytes, ends: Offsets, is_record: Mask | None, row: int, deals: Sequence[Deal]
) -> Iterator[tuple[int, Bytes]]:
    """For each deal the lines of a block that go to it: how many, and their bytes. ``row`` is the first line's."""
    lengths = np.diff(ends, prepend=0)
    places = slice(None) if is_record is None else is_record
    count = len(ends) if is_record is None else int(is_record.sum())
    headings = min(count, max(0, -row))
    spread: dict[int, tuple[Codes, Codes]] = {}  # the same codes, line by line and byte by byte, are for many deals
    for deal in deals:
        key = id(deal.codes)
        if key not in spread:
            codes = np.zeros(len(ends), dtype=np.uint8)
            within = np.zeros(count, dtype=np.uint8)
            within[headings:] = deal.codes[row + headings : row + count]
            codes[places] = within
            spread[key] = codes, np.repeat(codes, lengths)
        codes, bytewise = spread[key]
        wanted, bytes_wanted = codes == deal.code, bytewise == deal.code
        if headings or is_record is not None:  # the heading is for every file, blank lines are for none
            heads = np.zeros(count, dtype=bool)
            heads[:headings] = True
            rows = np.ones(len(ends), dtype=bool) if is_record is None else is_record.copy()
            wanted &= rows
            wanted[np.flatnonzero(rows)[heads]] = True
            bytes_wanted = np.repeat(wanted, lengths)
        data = block[: len(bytes_wanted)][bytes_wanted]
        if len(data) and data[-1] != ord("\n"):
            data = np.append(data, np.uint8(ord("\n")))  # the last line of the file had no end
        yield int(np.count_nonzero(wanted)), data


class _Digesting:
    """A new file that digests what is written to it; compressed where its name says so, the same on every day."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._sha = hashlib.sha256()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._file = stack.enter_context(self._target.open("wb"))
            self.write: Callable[[Piece], int] = self._write
            if self._target.suffix.lower() == ".gz":
                raw = cast("BinaryIO", _Raw(self._write))
                packed = stack.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
                self.write = packed.write
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def digest(self) -> str:
        """The digest of the file, once it is closed."""
        return PREFIX + self._sha.hexdigest()

    def _write(self, data: Piece) -> int:
        self._sha.update(data)
        return self._file.write(data)


@dataclass(frozen=True, slots=True)
class _Raw:
    """As much of a file as compression writes to."""

    write: object

    def flush(self) -> None:
        """Nothing waits here."""


class _Writer:
    """Writes in a thread, in order; what goes wrong there is raised by a later call."""

    def __enter__(self) -> Self:
        self._pool = ThreadPoolExecutor(1)
        self._waiting: deque[Future[int]] = deque()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def write(self, out: _Digesting, data: Bytes) -> None:
        """Write ``data``, in its turn."""
        self._waiting.append(self._pool.submit(out.write, data.data))
        if len(self._waiting) > _WAITING:
            self._waiting.popleft().result()

    def finish(self) -> None:
        """Wait until all is written."""
        while self._waiting:
            self._waiting.popleft().result()
