"""Tables of the data as numbers: a table's columns, and the features that a training and an evaluation table share.

Runs inside a box. Numbers stay, empty cells are NaN; few texts become a column each, many become counts of their
letters (a sequence, a molecule); an array with more axes is a block of columns.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nature_gym.baseline.data import Data

Array = Any
"""A numpy array."""
FEW = 50
MOST_WIDTH = 20_000
MOST_LETTERS = 200
EMPTY = ("", "nan", "NaN", "NA", "None", "null")


@dataclass(slots=True)
class Table:
    """``columns``: name -> an array of floats (rows,), of floats (rows, width), or of texts (rows,)."""

    name: str
    rows: int
    columns: dict[str, Array] = field(default_factory=dict)


def table_of(data: Data, name: str) -> Table:
    """A file as a table: its columns of the length that most have."""
    found = data.columns(name)
    sizes = collections.Counter(len(one) for one in found.values() if getattr(one, "ndim", 1))
    rows = sizes.most_common(1)[0][0] if sizes else 0
    table = Table(name, rows)
    for key, values in found.items():
        if getattr(values, "ndim", 1) and len(values) == rows and (column := _column(values)) is not None:
            table.columns[key or Path(name).stem] = column  # an array has no name but its file's
    return table


def texts(values: Any) -> list[str]:
    """Values as texts, bytes decoded."""
    return [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in list(values)]


def is_text(values: Array) -> bool:
    """Whether a column is of texts."""
    return bool(values.dtype.kind == "O")


def empty(values: Array) -> Array:
    """Where a column of texts or floats has no value."""
    if is_text(values):
        return np.array([str(one).strip() in EMPTY for one in values])
    return ~np.isfinite(values)


def _column(values: Any) -> Array | None:
    if getattr(values, "ndim", 1) > 1:
        block = np.asarray(values)
        wide = block.reshape(len(block), -1)
        return wide.astype(float) if block.dtype.kind in "fiub" and wide.shape[1] <= MOST_WIDTH else None
    if getattr(values, "dtype", None) is not None and values.dtype.kind in "fiub":
        return np.asarray(values, float)
    given: list[Any] = list(values)
    if any(isinstance(one, list | dict) for one in given):
        return None
    cells = texts("" if one is None else one for one in given)
    try:
        return np.array([np.nan if one.strip() in EMPTY else float(one) for one in cells])
    except ValueError:
        return np.array(cells, dtype=object)


def features(train: Table, test: Table, left_out: Sequence[str]) -> tuple[Array, Array] | None:
    """(training rows, width) and (evaluation rows, width), of the columns that both have; None where there are none."""
    shared = [one for one in train.columns if one in test.columns and one not in left_out]
    pairs = [(train.columns[one], test.columns[one]) for one in shared]
    if not pairs:
        ours, theirs = (_block(one, left_out) for one in (train, test))
        if ours is None or theirs is None or ours.shape[1] != theirs.shape[1]:
            return None
        return ours, theirs
    blocks = [one for pair in pairs if (one := _encoded(*pair)) is not None]
    if not blocks:
        return None
    ours, theirs = (np.concatenate([one[side] for one in blocks], axis=1) for side in (0, 1))
    return ours, theirs


def _block(table: Table, left_out: Sequence[str]) -> Array | None:
    """All numbers of a table side by side: for tables that name the same columns differently."""
    found = [
        one[:, None] if one.ndim == 1 else one
        for name, one in table.columns.items()
        if not is_text(one) and name not in left_out
    ]
    return np.concatenate(found, axis=1) if found else None


def _encoded(ours: Array, theirs: Array) -> tuple[Array, Array] | None:
    if not is_text(ours) and not is_text(theirs):
        if ours.ndim != theirs.ndim or ours.shape[1:] != theirs.shape[1:]:
            return None
        return (ours[:, None], theirs[:, None]) if ours.ndim == 1 else (ours, theirs)
    ours, theirs = np.array(texts(ours), dtype=object), np.array(texts(theirs), dtype=object)
    levels = [one for one, _ in collections.Counter(map(str, ours)).most_common(FEW + 1)]
    if len(levels) <= min(FEW, max(2, len(ours) // 4)):
        marked = [np.array([[float(cell == one) for one in levels] for cell in side]) for side in (ours, theirs)]
        return marked[0], marked[1]
    seen = collections.Counter(part for cell in ours for part in _parts(cell))
    letters = [one for one, _ in seen.most_common(MOST_LETTERS)]
    return _counts(ours, letters), _counts(theirs, letters)


def _parts(cell: str) -> list[str]:
    return [*cell, *map("".join, itertools.pairwise(cell))]


def _counts(cells: Array, letters: Sequence[str]) -> Array:
    place = {one: number for number, one in enumerate(letters, 1)}
    counts = np.zeros((len(cells), len(letters) + 1))
    for row, cell in enumerate(cells):
        counts[row, 0] = len(cell)
        for part in _parts(cell):
            if part in place:
                counts[row, place[part]] += 1.0
    return counts


def aligned(ours: Array, theirs: Array) -> Array:
    """Evaluation features moved and stretched to the training features' mean and spread, for inputs that drifted."""
    with np.errstate(all="ignore"):
        spread, target = np.nanstd(theirs, axis=0), np.nanstd(ours, axis=0)
        moved = (theirs - np.nanmean(theirs, axis=0)) / np.where(spread > 0, spread, 1.0) * target
        return moved + np.nanmean(ours, axis=0)
