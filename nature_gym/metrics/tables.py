"""A metric's inputs as files: arrays in .npy, rows in .csv.

A CSV file's first row is its header unless every cell of it is a number. Where its first column is called id (or
index, key, name, ..._id, or nothing, as pandas leaves it) or holds text beside columns of numbers, it holds ids, and
two files that both have ids are brought into the reference's order by them. Empty cells are missing values (NaN).
Nothing is unpickled; large arrays stay on the disk.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nature_gym.errors import FindingsError, UsageError

_ID_NAMES = frozenset({"", "id", "ids", "index", "key", "name", "sample"})
_TRUTHS = {"true": "1", "false": "0"}


@dataclass(frozen=True, slots=True)
class Table:
    """What a file holds. ``values``: one row (or entry) a sample; ``ids`` and ``columns`` where the file has them."""

    values: Any
    ids: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


def read_table(path: Path) -> Table:
    """Read a .npy or .csv file.

    Raises UsageError for a file that is not there or of another kind, FindingsError for one that does not hold
    what its name says.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", hint="Give the path of a .npy or .csv file.")
    match path.suffix.lower():
        case ".npy":
            return Table(_array(path))
        case ".csv":
            return _rows(path)
    raise UsageError(f"{path} is neither .npy nor .csv.", hint="Save the values in one of these two formats.")


def aligned(reference: Table, prediction: Table) -> tuple[Any, Any]:
    """The values of both, the prediction's rows in the order of the reference's ids, its columns by their names.

    Raises FindingsError for ids that are missing, extra or given twice.
    """
    values = prediction.values
    if reference.ids and prediction.ids:
        for table, what in ((reference, "reference"), (prediction, "prediction")):
            name, times = Counter(table.ids).most_common(1)[0]
            if times > 1:
                raise FindingsError(f"The {what} has the id {name[:80]!r} {times} times.", hint="Give each id once.")
        place = {name: row for row, name in enumerate(prediction.ids)}
        if missing := [name for name in reference.ids if name not in place]:
            raise FindingsError(
                f"The prediction lacks {len(missing)} ids, the first of them {missing[0][:80]!r}.",
                hint="Give each id of the reference once.",
            )
        if extra := sorted(place.keys() - set(reference.ids)):
            raise FindingsError(
                f"The prediction has {len(extra)} ids that the reference lacks, such as {extra[0][:80]!r}.",
                hint="Give the reference's ids alone.",
            )
        values = values[[place[name] for name in reference.ids]]
    if sorted(reference.columns) == sorted(prediction.columns) and len(set(reference.columns)) > 1:
        values = values[:, [prediction.columns.index(name) for name in reference.columns]]
    return reference.values, values


def _array(path: Path) -> Any:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        reason = "it holds pickled objects" if re.search("pickle|object", str(error)) else "it is not a whole .npy file"
        raise FindingsError(
            f"{path} cannot be read: {reason}.", hint="Save a plain array with numpy.save(path, array)."
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biufU":
        raise FindingsError(f"{path} holds no array of numbers or strings.", hint="Save a plain array with numpy.save.")
    return array


def _rows(path: Path) -> Table:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise FindingsError(f"{path} is not a CSV file in UTF-8: {error}.", hint="Save it as UTF-8 text.") from error
    if not rows:
        raise FindingsError(f"{path} is empty.", hint="Give one row a sample.")
    header = [] if all(_is_number(cell) for cell in rows[0]) else rows.pop(0)
    if not rows:
        raise FindingsError(f"{path} has a header and no rows.", hint="Give one row a sample.")
    width = len(header or rows[0])
    if odd := next((place for place, row in enumerate(rows, 1 + bool(header)) if len(row) != width), 0):
        raise FindingsError(f"{path} has a row (the {odd}th) that is not of {width} cells.", hint="Mend that row.")
    columns = [_column(cells) for cells in zip(*rows, strict=True)]
    ids: tuple[str, ...] = ()
    if width > 1 and _holds_ids(header[0] if header else None, columns):
        ids, columns, header = tuple(row[0] for row in rows), columns[1:], header[1:]
    return Table(_joined(path, columns, header), ids, tuple(name.strip() for name in header))


def _holds_ids(name: str | None, columns: list[Any]) -> bool:
    named = name is not None and (name.strip().casefold() in _ID_NAMES or name.strip().casefold().endswith("_id"))
    return named or (columns[0].dtype.kind == "U" and all(column.dtype.kind != "U" for column in columns[1:]))


def _joined(path: Path, columns: list[Any], header: list[str]) -> Any:
    if len(columns) == 1:
        return columns[0]
    if text := [place for place, column in enumerate(columns) if column.dtype.kind == "U"]:
        if len(text) == len(columns):
            return np.stack(columns, axis=1)
        name = header[text[0]] if header else f"number {text[0] + 1}"
        raise FindingsError(f"{path} holds text in its column {name} beside numbers.", hint="Leave that column out.")
    return np.stack(columns, axis=1)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell.strip().lower() in _TRUTHS
    return "_" not in cell


def _column(cells: tuple[str, ...]) -> Any:
    """A column as integers, else as floats (an empty cell is NaN), else as strings."""
    given = [_TRUTHS.get(cell.strip().lower(), cell) for cell in cells]
    if any(cell.strip() and not _is_number(cell) for cell in given):
        return np.array(cells)
    try:
        return np.array([int(cell) for cell in given], dtype=np.int64)
    except (ValueError, OverflowError):
        return np.array([float(cell) if cell.strip() else np.nan for cell in given])
