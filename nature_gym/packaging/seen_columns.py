"""The columns of values in a visible file, whatever its form: where answers could stand.

The idea: whoever looks for answers sees a table, an archive of arrays, a JSON document, a text of one value a line, or
one of these packed; here each becomes columns by name. Everything is bounded: what is larger is looked at by its
measures alone, or is a table, of which only columns that may matter are read.
"""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import re
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from nature_gym.acquisition.archive_members import zstd
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table, is_table, is_whole

Values = npt.NDArray[Any]
Columns = Mapping[str, Values]
Choose = Callable[[Table], Sequence[str]]
"""Which columns of a table are to be read."""

LARGEST = 1 << 30
LARGEST_TEXT = 64 << 20
LARGEST_UNPACKED = 256 << 20
MOST_MEMBERS = 200
MOST_COLUMNS = 64
MOST_JSON = 2_000
DEEPEST = 3
_PACKED: Mapping[str, Callable[..., Any]] = {
    ".gz": gzip.open, ".tgz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": zstd.open,
}  # fmt: skip
_CELLS = re.compile(rb"[,;\t ]+")
AT_A_LOOK = 32
"""Columns whose numbers are told apart at the same time: DuckDB takes some 2 MB for each, however few its rows."""
_TEXTS = (".txt", ".csv", ".tsv", ".dat", ".lst", ".out", ".text", ".tab", "")


def columns_of(path: Path, name: str, choose: Choose, depth: int = 0) -> Iterator[tuple[str, Columns]]:
    """Groups of columns of one length each, with the name of the file (and of the member of an archive)."""
    suffix = PurePosixPath(name).suffix.lower()
    try:
        size = path.stat().st_size
        if not size or size > LARGEST:
            return
        if is_array_file(path):
            yield name, dict(_arrays(path))
        elif suffix == ".zip" and depth < DEEPEST:
            yield from _members(path, name, choose, depth)
        elif suffix == ".tar" and depth < DEEPEST:
            yield from _tar_members(path, name, choose, depth)
        elif suffix in _PACKED and depth < DEEPEST:
            yield from _unpacked(path, name, choose, depth)
        elif suffix == ".json" and size <= LARGEST_TEXT:
            yield from ((name, found) for found in _json(json.loads(path.read_bytes())))
        else:
            if is_table(path) and suffix != ".txt":
                table = Table(path)
                yield name, {column: table.values(column) for column in choose(table)}
            if suffix in _TEXTS and size <= LARGEST_TEXT:
                yield name, dict(_without_heading(path))
    except (SplitError, duckdb.Error, ValueError, OSError, EOFError, RecursionError, zlib.error, zipfile.BadZipFile):
        return
    except (RuntimeError, NotImplementedError, tarfile.TarError, lzma.LZMAError, zstd.ZstdError):
        return  # a locked archive, or one packed in a manner that is not known


def telling_columns(table: Table, sample: Sequence[float], share: float) -> set[str]:
    """The columns of a table that hold at least ``share`` of the numbers ``sample``, to a float's precision.

    One look at the table for every ``AT_A_LOOK`` columns.
    """
    names = [name for name, kind in table.types() if kind != "BOOLEAN" and not (is_whole(kind) and _broken(sample))]
    if not names or not sample:
        return set()
    listed = ", ".join(f"CAST({float(np.float32(one))!r} AS FLOAT)" for one in sample)
    telling: set[str] = set()
    for first in range(0, len(names), AT_A_LOOK):
        some = names[first : first + AT_A_LOOK]
        values = [f"TRY_CAST({table.sql(name)} AS FLOAT)" for name in some]
        asked = [f"count(DISTINCT {value}) FILTER ({value} IN ({listed}))" for value in values]
        (counts,) = table.select(", ".join(asked))
        telling |= {name for name, count in zip(some, counts, strict=True) if count >= share * len(sample)}
    return telling


def _broken(sample: Sequence[float]) -> bool:
    """Whether most of the numbers are not whole, so that no column of whole numbers holds them."""
    return sum(one != int(one) for one in sample) > len(sample) // 2


# -- forms -------------------------------------------------------------------------------------


def _arrays(path: Path) -> Iterator[tuple[str, Values]]:
    arrays = Arrays(path)
    for key in arrays.shapes():
        array = arrays.array(key)
        yield key, array
        if array.ndim == 2 and 1 <= array.shape[1] <= MOST_COLUMNS:
            yield from ((f"{key}[:, {place}]", array[:, place]) for place in range(array.shape[1]))


def _json(value: Any) -> Iterator[Columns]:
    """Lists of plain values, objects of plain values, and lists of objects, at any depth."""
    waiting: list[tuple[str, Any]] = [("", value)]
    for _ in range(MOST_JSON):
        if not waiting:
            return
        where, one = waiting.pop()
        if isinstance(one, dict):
            plain = {key: entry for key, entry in one.items() if not isinstance(entry, dict | list)}
            if len(plain) > 1:
                yield {f"{where}(keys)": np.asarray(list(plain)), f"{where}(values)": _plain(list(plain.values()))}
            inner = [(f"{where}{key}.", entry) for key, entry in one.items() if isinstance(entry, dict | list)]
            waiting += inner[:MOST_JSON]
            if inner and all(isinstance(entry, dict) for _, entry in inner):
                yield from _records(
                    [entry for _, entry in inner if isinstance(entry, dict)], where, list(map(str, one))
                )
        elif isinstance(one, list) and one:
            if all(isinstance(entry, dict) for entry in one):
                yield from _records(one, where)
                waiting += [(f"{where}{place}.", entry) for place, entry in enumerate(one[:MOST_COLUMNS])]
            elif not any(isinstance(entry, dict | list) for entry in one):
                yield {where.rstrip("."): _plain(one)}
            elif all(isinstance(entry, list) and len(entry) == len(one[0]) for entry in one) and one[0]:
                rows = list(zip(*one, strict=True))[:MOST_COLUMNS]
                yield {f"{where}{place}": _plain(list(row)) for place, row in enumerate(rows)}
            else:
                waiting += [(f"{where}{place}.", entry) for place, entry in enumerate(one[:MOST_COLUMNS])]


def _records(records: list[dict[str, Any]], where: str, keys: list[str] | None = None) -> Iterator[Columns]:
    shared = [key for key in records[0] if all(key in one for one in records)][:MOST_COLUMNS]
    found = {f"{where}{key}": _plain([one[key] for one in records]) for key in shared}
    if keys is not None and len(keys) == len(records):
        found[f"{where}(keys)"] = np.asarray(keys)
    yield found


def _plain(values: list[Any]) -> Values:
    numbers = all(isinstance(one, int | float) or one is None for one in values)
    return (
        np.asarray([np.nan if one is None else one for one in values], dtype=np.float64)
        if numbers
        else (np.asarray([str(one) for one in values]))
    )


def _without_heading(path: Path) -> Iterator[tuple[str, Values]]:
    """The columns of a text without a heading, by their places; none where its first lines are not alike."""
    with path.open("rb") as file:
        head = [_CELLS.split(line.strip()) for line in (file.readline(1 << 16) for _ in range(20)) if line.strip()]
        width = len(head[0]) if head else 0
        if not 1 <= width <= MOST_COLUMNS or any(len(cells) != width for cells in head):
            return
        is_heading = all(_number(cell) is None for cell in head[0])
        if width > 1 and is_heading and any(_number(cell) is not None for cell in head[-1]):
            return  # it was looked at as a table
        file.seek(0)
        rows = [cells for line in file if len(cells := _CELLS.split(line.strip())) == width and cells[0]]
    for place in range(width):
        cells = [row[place].decode("utf-8", errors="replace").strip("\"'") for row in rows]
        yield f"column {place + 1}", np.asarray(cells)


def _number(cell: bytes) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def _members(path: Path, name: str, choose: Choose, depth: int) -> Iterator[tuple[str, Columns]]:
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist() if not one.is_dir()][:MOST_MEMBERS]
        for member in members:
            if member.file_size <= LARGEST_UNPACKED:
                with archive.open(member) as content:
                    yield from _inner(content, member.filename, f"{name}!{member.filename}", choose, depth)


def _unpacked(path: Path, name: str, choose: Choose, depth: int) -> Iterator[tuple[str, Columns]]:
    stem, suffix = name[: -len(PurePosixPath(name).suffix)], PurePosixPath(name).suffix.lower()
    with _PACKED[suffix](path, "rb") as content:
        yield from _inner(content, f"{stem}.tar" if suffix == ".tgz" else stem, name, choose, depth)


def _tar_members(path: Path, name: str, choose: Choose, depth: int) -> Iterator[tuple[str, Columns]]:
    with tarfile.open(path, "r:") as archive:
        for member in itertools.islice((one for one in archive if one.isreg()), MOST_MEMBERS):
            content = archive.extractfile(member) if member.size <= LARGEST_UNPACKED else None
            if content is not None:
                yield from _inner(content, member.name, f"{name}!{member.name}", choose, depth)


def _inner(content: Any, name: str, place: str, choose: Choose, depth: int) -> Iterator[tuple[str, Columns]]:
    """What a packed file holds, unpacked beside nothing that is seen."""
    data = content.read(LARGEST_UNPACKED + 1)
    if len(data) > LARGEST_UNPACKED:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"member{PurePosixPath(name).suffix.lower()[:20]}"
        path.write_bytes(io.BytesIO(data).getbuffer())
        yield from ((place, found) for _, found in columns_of(path, path.name, choose, depth + 1))
