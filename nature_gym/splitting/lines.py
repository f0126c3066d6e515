"""Records of delimited text, by place: where each begins and ends, quotation marks respected, nothing interpreted.

Rows are taken as the bytes that they are, so that every number, quotation mark and line end survives. Blocks are
looked at with numpy: a record ends at a line feed with an even number of quotation marks before it. That is right
where marks stand at the ends of cells only; a block in which one does not (``5" pipe``) is read cell by cell.
"""

from __future__ import annotations

import functools
import gzip
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import numpy.typing as npt
from isal import igzip
from isal.igzip_lib import IsalError

from nature_gym.splitting.faults import SplitError

BLOCK = 1 << 20
LONGEST = 64 << 20
"""A record of more bytes than this is none, but a quotation mark that is never closed."""
_AHEAD = 4
_LF, _CR = 10, 13
_DAMAGED = cast("type[Exception]", IsalError)

Mask = npt.NDArray[np.bool_]
Offsets = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Form:
    """How a file's records are written: delimiter, quotation mark (None for none), how many records are heading."""

    delimiter: bytes = b","
    quote: bytes | None = b'"'
    heading: int = 1


@dataclass(frozen=True, slots=True)
class Survey:
    """What one look at the whole file tells: rows, the longest record in bytes, whether it is UTF-8 throughout."""

    rows: int
    longest: int
    is_utf8: bool


def survey(path: Path, form: Form) -> Survey:
    """Count the records of a file, the heading apart. Raises SplitError where a record has no end."""
    count = longest = 0
    is_utf8 = True
    with open_text(path) as file:
        for block, ends in _blocks(file, form, path.name):
            is_record = _records(block, ends)
            count += len(ends) if is_record is None else int(is_record.sum())
            longest = max(longest, int(np.diff(ends, prepend=0).max()))
            is_utf8 = is_utf8 and _is_utf8(block)
    return Survey(max(0, count - form.heading), longest, is_utf8)


def head_records(path: Path, form: Form, count: int) -> list[bytes]:
    """The first ``count`` records as bytes, the heading among them, without their line ends."""
    found: list[bytes] = []
    with open_text(path) as file:
        for block, ends in _blocks(file, form, path.name, size=1 << 18):
            is_record = _records(block, ends)
            starts = np.concatenate(([0], ends[:-1]))
            chosen = slice(None) if is_record is None else is_record
            for start, end in zip(starts[chosen], ends[chosen], strict=True):
                found.append(block[start:end].tobytes().rstrip(b"\r\n"))
                if len(found) == count:
                    return found
    return found


def lines_of(path: Path, form: Form) -> Iterator[tuple[Bytes, Offsets, Mask | None]]:
    """The whole file in blocks of whole lines, with each line's end and whether it is a record (None: all are).

    Blocks are looked at ahead of their use, in a thread of their own. Raises SplitError as :func:`survey`.
    """
    with open_text(path) as file, ThreadPoolExecutor(1) as reader:
        blocks = _blocks(file, form, path.name)

        def following() -> tuple[Bytes, Offsets, Mask | None] | None:
            found = next(blocks, None)
            return None if found is None else (*found, _records(*found))

        waiting = deque(reader.submit(following) for _ in range(_AHEAD))
        while (found := waiting.popleft().result()) is not None:
            waiting.append(reader.submit(following))
            yield found


@contextmanager
def open_text(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, uncompressed where its name ends in ``.gz``. Raises SplitError where they cannot be."""
    try:
        with path.open("rb") if path.suffix.lower() != ".gz" else igzip.IGzipFile(path, "rb") as file:  # type: ignore[no-untyped-call]
            yield cast("BinaryIO", file)
    except (gzip.BadGzipFile, EOFError, _DAMAGED) as error:
        raise SplitError(f"{path.name} cannot be unpacked: {error}", hint="Is the file complete?") from error


def _blocks(file: BinaryIO, form: Form, name: str, size: int = BLOCK) -> Iterator[tuple[Bytes, Offsets]]:
    """Whole lines with where each one ends (exclusive) in the bytes that come with them."""
    rest = b""
    while True:
        read = file.read(size)
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
            if len(data) > LONGEST:
                raise SplitError(
                    f"{name} has a record of more than {LONGEST >> 20} MB",
                    hint="A quotation mark is not closed, or the file is no text; 'tables:' says how it is written.",
                )
            rest = data
            size = max(size, len(data))  # so that a long record is not read over and over
            continue
        yield block[: ends[-1]], ends
        rest = data[ends[-1] :]


def _ends(block: Bytes, form: Form) -> Offsets:
    """Where records end: after line feeds that no quotation marks enclose."""
    if form.quote is None:
        return np.flatnonzero(block == _LF) + 1
    found = np.flatnonzero((block == _LF) | (block == form.quote[0]))
    is_mark = block[found] == form.quote[0]
    if not is_mark.any():
        return found + 1
    if not _all_at_ends(block, found[is_mark], form):
        return _ends_by_cells(block.tobytes(), form)
    is_within = np.logical_xor.accumulate(is_mark)
    ends: Offsets = found[~(is_mark | is_within)] + 1
    return ends


def _all_at_ends(block: Bytes, marks: Offsets, form: Form) -> bool:
    """Whether each opening mark follows a delimiter, line end or mark, and each closing one is followed by such."""
    around = np.zeros(256, dtype=bool)
    around[[form.delimiter[0], _LF, _CR, *(form.quote or b"")]] = True
    opening, closing = marks[0::2], marks[1::2]
    before = opening[opening > 0] - 1
    after = closing[closing < len(block) - 1] + 1
    return bool(around[block[before]].all() and around[block[after]].all())


@functools.lru_cache(maxsize=16)
def _cell(delimiter: bytes, quote: bytes) -> re.Pattern[bytes]:
    """One cell and what ends it; a mark opens a cell only at its beginning."""
    d, q = re.escape(delimiter), re.escape(quote)
    return re.compile(rb"(?:%b(?:[^%b]|%b%b)*+(?:%b[^%b\n]*+|\Z)|[^%b\n]*+)(%b|\n|\Z)" % (q, q, q, q, q, d, d, d))


def _ends_by_cells(data: bytes, form: Form) -> Offsets:
    cell = _cell(form.delimiter, form.quote or b"")
    ends: list[int] = []
    place = 0
    while place < len(data):
        match = cell.match(data, place)
        if match is None:
            break
        place = match.end()
        if match.group(1) == b"\n":
            ends.append(place)
    return np.asarray(ends, dtype=np.int64)


def _records(block: Bytes, ends: Offsets) -> Mask | None:
    """Which lines are records: blank ones are none. None where all are."""
    lengths = np.diff(ends, prepend=0)
    short = np.flatnonzero(lengths <= 2)
    starts = ends[short] - lengths[short]
    blank = (lengths[short] == 1) & (block[starts] == _LF)
    blank |= (lengths[short] == 2) & (block[starts] == _CR) & (block[ends[short] - 1] == _LF)
    if not blank.any():
        return None
    found = np.ones(len(ends), dtype=bool)
    found[short[blank]] = False
    return found


def _is_utf8(block: Bytes) -> bool:
    data = block.tobytes()
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
