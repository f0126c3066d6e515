"""Writes the columns of an answer in the format that is asked for.

Runs inside a box. A file is written beside its place and put there by one rename, so that a scoring sees it whole.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from nature_gym.baseline.extent import Form

Columns = dict[str, list[Any]]


def write_answer(path: Path, form: Form, columns: Columns) -> None:
    """Write ``columns`` to ``path``, in the order of the form. Raises KeyError for a format that is not of a table."""
    order = [one["name"] for one in form["columns"] if one["name"] in columns]
    ordered = {name: columns[name] for name in [*order, *(one for one in columns if one not in order)]}
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("wb") as file:
        WRITERS[form["format"]](file, form, ordered)
    os.replace(draft, path)  # noqa: PTH105 -- over what is there


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _table(file: IO[bytes], form: Form, columns: Columns) -> None:
    import io

    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    rows = csv.writer(text, delimiter="\t" if form["format"] == "tsv" else ",", lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values(), strict=True))
    text.detach()


def _lines(file: IO[bytes], _: Form, columns: Columns) -> None:
    for row in _rows(columns):
        file.write(json.dumps(row).encode() + b"\n")


def _json(file: IO[bytes], form: Form, columns: Columns) -> None:
    """A list of records; an object by id, or one that holds the list, where the example has it so."""
    rows, key, example = _rows(columns), form["id"], form["example"]
    found: Any = rows
    if isinstance(example, dict):
        held = [name for name, one in example.items() if isinstance(one, list) and one and isinstance(one[0], dict)]
        if held:
            found = {held[0]: rows}
        elif key in columns:
            others = [name for name in columns if name != key]
            nested = all(isinstance(one, dict) for one in example.values())
            found = {str(row[key]): {name: row[name] for name in others} if nested else row[others[0]] for row in rows}
    file.write(json.dumps(found).encode())


def _array(file: IO[bytes], form: Form, columns: Columns) -> None:
    np.save(file, np.array(next(iter(columns.values())), dtype=form["dtype"] or "float64"), allow_pickle=False)


def _arrays(file: IO[bytes], form: Form, columns: Columns) -> None:
    dtypes = {one["name"]: one["dtype"] for one in form["columns"]}
    np.savez(file, **{name: _of(values, dtypes.get(name) or "") for name, values in columns.items()})


def _of(values: list[Any], dtype: str) -> Any:
    return np.array(values, dtype=dtype or None) if not dtype.startswith("str") else np.array(values, dtype=str)


def _plain(file: IO[bytes], _: Form, columns: Columns) -> None:
    file.write("".join(f"{one}\n" for one in next(iter(columns.values()))).encode())


WRITERS: dict[str, Callable[[IO[bytes], Form, Columns], None]] = {
    "csv": _table, "tsv": _table, "jsonl": _lines, "json": _json, "npy": _array, "npz": _arrays, "txt": _plain,
}  # fmt: skip
"""Formats of tables."""
