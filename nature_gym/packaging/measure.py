"""What the data themselves say: trees, shapes, types, counts and ranges, measured when a package is built.

The idea: nothing that can be counted is written by hand, so that documents and data cannot disagree. Each file
becomes one :class:`Measured`, whatever its format; a format that is not known is a size and a count of lines.
Files are looked at with bounded memory; nothing is unpickled. What was measured is kept by the content's digest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb
import h5py
import numpy as np
import numpy.typing as npt

from nature_gym.digests import regular_files
from nature_gym.kept import Kept
from nature_gym.packaging.extents import extents as extents_of
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table, is_real, is_whole

RULES = 1
"""Another number where something is measured in another way: what was kept is measured again."""
LARGEST_JSON = 64 << 20
MOST_VALUES = 12
MOST_TOLD = 60
"""Of wider tables no values are told."""
BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, a key of an archive of arrays or of an object.

    ``shape`` is that of an array, and empty for a column. ``low`` and ``high`` are the ends of its range, as texts;
    ``values`` are all values of a column of few texts.
    """

    name: str
    dtype: str
    shape: tuple[int, ...] = ()
    low: str = ""
    high: str = ""
    missing: int = 0
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """A file: ``file`` is its path below its instance's folder, ``rows`` its samples where it has such."""

    file: str
    kind: str
    size: int
    rows: int | None = None
    columns: tuple[Column, ...] = ()

    @property
    def schema(self) -> tuple[Any, ...]:
        """What two files have in common that one description does for."""
        return self.kind, tuple((column.name, column.dtype, len(column.shape)) for column in self.columns)

    def column(self, name: str) -> Column | None:
        """The column or key of that name."""
        return next((column for column in self.columns if column.name == name), None)


def measure_folder(
    folder: Path, digests: Mapping[str, str] | None = None, kept: Kept | None = None
) -> tuple[Measured, ...]:
    """Every file below ``folder``, by its path, in an order that depends on the names alone.

    ``digests`` has those of files (by path) whose contents need not be measured again where they are ``kept``.
    """
    files = {path.relative_to(folder).as_posix(): path for path in regular_files(folder)}
    keys = {
        name: f"measured {digests[name]} {path.suffix.lower()[-40:]} {RULES}"
        for name, path in files.items()
        if digests is not None and kept is not None and name in digests
    }
    known = kept.get(keys.values()) if kept is not None else {}
    found = {
        name: _from_json(name, known[keys[name]]) if keys.get(name) in known else measure(files[name], name)
        for name in sorted(files)
    }
    if kept is not None:
        kept.put({key: asdict(found[name]) for name, key in keys.items() if key not in known})
    return tuple(found.values())


def _from_json(name: str, told: Mapping[str, Any]) -> Measured:
    """What was kept of a content, as of a file called ``name``."""
    columns = (Column(**one | {key: tuple(one[key]) for key in ("shape", "values")}) for one in told["columns"])
    return Measured(name, told["kind"], told["size"], told["rows"], tuple(columns))


def measure(path: Path, name: str) -> Measured:
    """One file, called ``name``. A file that is not what its name says is measured as bytes."""
    suffix = path.suffix.lower()
    size = path.stat().st_size
    kind = suffix.lstrip(".") or "file"
    try:
        if suffix in (".csv", ".tsv", ".tab", ".parquet", ".pq", ".jsonl", ".ndjson"):
            return _table(path, name, kind, size)
        if is_array_file(path):
            return _arrays(path, name, kind, size)
        if suffix == ".json" and size <= LARGEST_JSON:
            return _json(path, name, size)
        if suffix in (".txt", ".fasta", ".fa", ".smi", ".md", ".py"):
            return Measured(name, kind, size, rows=_lines(path, b">" if suffix in (".fasta", ".fa") else b""))
    except (SplitError, duckdb.Error, OSError, ValueError, KeyError, RecursionError):
        return Measured(name, kind, size)
    return Measured(name, kind, size)


# -- formats ---------------------------------------------------------------------------------


def _table(path: Path, name: str, kind: str, size: int) -> Measured:
    table = Table(path)
    most = MOST_VALUES if len(table.columns) <= MOST_TOLD else 0
    rows, extents = extents_of(table, most)
    columns = tuple(
        Column(one.name, _plain_type(one.sql_type), (), number_text(one.low), number_text(one.high), one.missing,
               one.values)
        for one in extents
    )  # fmt: skip
    return Measured(name, kind, size, rows, columns)


def _plain_type(sql_type: str) -> str:
    if is_real(sql_type) or is_whole(sql_type):
        return "float" if is_real(sql_type) else "int"
    return {"BOOLEAN": "bool", "VARCHAR": "string", "DATE": "date"}.get(sql_type, sql_type.lower()[:40])


def _arrays(path: Path, name: str, kind: str, size: int) -> Measured:
    arrays = Arrays(path)
    shapes = arrays.shapes()
    columns = [_array(key, shapes[key], path) for key in sorted(shapes)]
    return Measured(name, kind, size, arrays.likely_rows, tuple(columns))


def _array(key: str, shape: tuple[int, ...], path: Path) -> Column:
    suffix = path.suffix.lower()
    if suffix in (".npy", ".npz"):
        array = Arrays(path).array(key)
        return _range("" if suffix == ".npy" else key, array, shape)
    with h5py.File(path, "r") as file:
        data = file[key]
        if data.dtype.kind in "biuf" and data.size * data.dtype.itemsize <= 1 << 30:
            return _range(key, np.asarray(data[()]), shape)
        return Column(key, "string" if data.dtype.kind in "OS" else data.dtype.name, shape)


def _range(name: str, array: npt.NDArray[Any], shape: tuple[int, ...]) -> Column:
    if array.dtype.kind not in "biuf" or array.size == 0:
        return Column(name, "string" if array.dtype.kind in "US" else array.dtype.name, shape)
    flat = array.reshape(-1)
    low, high, missing = np.inf, -np.inf, 0
    for start in range(0, flat.size, BLOCK):
        block = flat[start : start + BLOCK]
        if block.dtype.kind == "f":
            lost = np.isnan(block)
            missing += int(lost.sum())
            block = block[~lost]
        if block.size:
            low, high = min(low, block.min()), max(high, block.max())
    ends = (number_text(low), number_text(high)) if low <= high else ("", "")
    return Column(name, array.dtype.name, shape, *ends, missing)


def _json(path: Path, name: str, size: int) -> Measured:
    value = json.loads(path.read_bytes())
    if isinstance(value, dict):
        columns = tuple(Column(str(key), _json_type(entry)) for key, entry in sorted(value.items())[:200])
        return Measured(name, "json", size, columns=columns)
    if isinstance(value, list):
        first = value[0] if value and isinstance(value[0], dict) else {}
        columns = tuple(Column(str(key), _json_type(entry)) for key, entry in sorted(first.items())[:200])
        return Measured(name, "json", size, len(value), columns)
    return Measured(name, "json", size)


def _json_type(value: Any) -> str:
    if isinstance(value, list):
        return f"list of {len(value):,}"
    names = {dict: "object", str: "string", bool: "bool", int: "int", float: "float"}
    return names.get(type(value), "null")


def _lines(path: Path, beginning: bytes) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip() and line.startswith(beginning))


def number_text(value: Any) -> str:
    """A number as documents print it: whole ones whole, others to six digits."""
    if value is None:
        return ""
    number = float(value)
    if number == int(number) if np.isfinite(number) else False:
        return str(int(number)) if abs(number) < 1e15 else f"{number:.6g}"
    return f"{number:.6g}"
