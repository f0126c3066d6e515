"""Row numbers in index files: arrays (of truth values, too), JSON lists, columns, numbers between blanks and line ends.

They come in blocks: a file of a hundred million numbers is not held in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table

_BLOCK = 1 << 20
_DIGITS = 18
"""As many digits are a whole number of 64 bits in any case."""

Numbers = npt.NDArray[np.int64]


def row_numbers(path: Path, key: str | None) -> Numbers:
    """All row numbers of a file; as :func:`row_number_blocks`."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *row_number_blocks(path, key)])


def row_number_blocks(path: Path, key: str | None) -> Iterator[Numbers]:
    """The row numbers in an index file, block by block; ``key`` names the column, array, or place in JSON.

    Raises SplitError for what are no whole numbers.
    """
    try:
        if is_array_file(path):
            arrays = Arrays(path)
            yield _whole(arrays.array(key or arrays.only_key()).ravel())
        elif path.suffix.lower() == ".json":
            yield _whole(np.asarray(json_list(path, key)).ravel())
        elif key is not None:
            for texts in Table(path).texts(key):
                yield _whole(np.asarray(texts, dtype=np.float64))
        else:
            yield from _in_text(path)
    except (ValueError, TypeError, OverflowError, KeyError, IndexError) as error:
        raise SplitError(
            f"{path.name} cannot be read as row numbers: {error}",
            hint="A number a line, an array, or a JSON list; 'key' names the column or array.",
        ) from error


def json_list(path: Path, key: str | None) -> list[Any]:
    """The list at a place (``a.0.b``) in a JSON file. Raises TypeError, KeyError, ValueError where there is none."""
    import orjson

    value = orjson.loads(path.read_bytes())
    for step in filter(None, (key or "").split(".")):
        value = value[int(step)] if isinstance(value, list) else value[step]
    if not isinstance(value, list):
        raise TypeError("there is no list in it; 'key' names its place")
    return value


def _whole(numbers: npt.NDArray[Any]) -> Numbers:
    if numbers.dtype == bool:
        return np.flatnonzero(numbers)
    whole = numbers.astype(np.int64)
    if numbers.dtype.kind not in "iuf" or not np.array_equal(whole, numbers):
        raise ValueError("it holds other things than whole numbers")
    return whole


def _in_text(path: Path) -> Iterator[Numbers]:
    """Numbers between blanks and line ends, as savetxt writes them too; a first line that is none is a heading."""
    with path.open("rb") as file:
        first = file.readline(1 << 16).removeprefix(b"\xef\xbb\xbf")
        try:
            yield _whole(np.array([float(word) for word in first.split()], dtype=np.float64))
        except ValueError:
            if _is_number_line(first):
                raise
        rest = b""
        while read := file.read(_BLOCK):
            data = rest + read
            end = max(data.rfind(b"\n"), data.rfind(b" ")) + 1
            yield _parsed(data[:end])
            rest = data[end:]
        yield _parsed(rest)


def _is_number_line(line: bytes) -> bool:
    try:
        [float(word) for word in line.split()]
    except ValueError:
        return False
    return True


def _parsed(data: bytes) -> Numbers:
    """Plain digits a place at a time for all numbers at once; anything else as numpy reads it."""
    if data.translate(None, b"0123456789\n"):
        return _whole(_floats(data))
    if not data:
        return np.zeros(0, dtype=np.int64)
    block = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", dtype=np.uint8)
    ends = np.flatnonzero(block == ord("\n"))
    lengths = np.diff(ends, prepend=-1) - 1
    ends, lengths = ends[lengths > 0], lengths[lengths > 0]
    if not len(ends) or lengths.max() > _DIGITS:
        return _whole(_floats(data))
    found = np.zeros(len(ends), dtype=np.int64)
    for place in range(int(lengths.max())):
        digit = block[np.maximum(ends - 1 - place, 0)].astype(np.int64) - ord("0")
        found += np.where(lengths > place, digit, 0) * 10**place
    return found


def _floats(data: bytes) -> npt.NDArray[np.float64]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(data.decode("ascii"), dtype=np.float64, sep=" ")
        except (DeprecationWarning, UnicodeDecodeError) as error:
            raise ValueError("there is a line that is no number") from error
