"""Answers that can be seen: a reference that is among the visible files, as a file, a column or an array.

The idea: what a metric compares with is known to the task, so each such column or array is looked for in each visible
table and archive of its instance. A column is the same where its values are, in their order or sorted; one with fewer
than three values has to be the same in order, since two columns of labels often have equal counts. What was measured
of a column tells of most that they differ; only the others are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from nature_gym.digests import digest_file, regular_files
from nature_gym.packaging.evaluator import InstanceData
from nature_gym.packaging.faults import Finding
from nature_gym.packaging.grading import Contract
from nature_gym.packaging.measure import Column
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.engine import HIDDEN, VISIBLE
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table, is_table

FEWEST = 5
LARGEST = 1 << 30
Values = npt.NDArray[Any]


def find_leaks(
    task: TaskSpecification, contracts: Mapping[str, Contract], data: Mapping[str, InstanceData], package: Path
) -> Iterator[Finding]:
    """Each place where the answers of an instance can be seen. An oracle's references may be."""
    for instance in task.instances:
        if instance.reference.kind == "oracle":
            continue
        visible, hidden = package / VISIBLE / instance.name, package / HIDDEN / instance.name
        answers = {made.file for made in instance.reference.files if made.role in ("answers", "statistics")}
        yield from _same_files(visible, hidden, answers)
        references = {
            (use["reference"][0], tuple(use["reference"][1]))
            for use in contracts[instance.name]["metrics"]
            if use["reference"] is not None
        }
        for file, keys in sorted(references):
            yield from _same_values(data[instance.name], visible, hidden, file, keys)


def _same_files(visible: Path, hidden: Path, answers: set[str]) -> Iterator[Finding]:
    """Visible files that are, byte for byte, files with answers."""
    sizes = {path: path.stat().st_size for path in regular_files(visible)}
    for path in regular_files(hidden):
        name = path.relative_to(hidden).as_posix()
        same = [other for other, size in sizes.items() if size == path.stat().st_size and size]
        if same and any(name == one or (one.endswith("/") and name.startswith(one)) for one in answers):
            digest = digest_file(path)
            for other in same:
                if digest_file(other) == digest:
                    yield Finding(_name(other, visible), None, name, "the file with the answers")


def _same_values(
    data: InstanceData, visible: Path, hidden: Path, reference: str, keys: tuple[str, ...]
) -> Iterator[Finding]:
    """Columns and arrays of visible files that equal one of the reference's; only those of as many rows are read."""
    hidden_data = data.hidden[reference]
    rows = hidden_data.rows
    wanted = [column for column in hidden_data.columns if not keys or column.name in keys]
    unasked = {column.name for column in hidden_data.columns if column not in wanted}
    answers: dict[str, Values] | None = None
    for file, measured in data.visible.items():
        if rows is None or not (
            measured.rows == rows or any(column.shape[:1] == (rows,) for column in measured.columns)
        ):
            continue
        apart = {column.name for column in measured.columns if not _may_equal(column, wanted)}
        for name, values in _columns(visible / file, apart):
            if answers is None:
                answers = {
                    key: values for key, values in _columns(hidden / reference, unasked) if not keys or key in keys
                }
            for key, answer in answers.items():
                if _same(values, answer):
                    what = f"{reference}: {key}" if key else reference
                    yield Finding(_name(visible / file, visible), None, name or file, f"equals the answers in {what}")


def _may_equal(column: Column, answers: Sequence[Column]) -> bool:
    """Whether what was measured leaves it open that a column or array equals one of the answers."""
    return not answers or any(_alike(column, answer) for answer in answers)


def _alike(one: Column, answer: Column) -> bool:
    if len(answer.shape) == 2:  # its columns were not measured apart
        return True
    if one.low and answer.low:
        return (one.low, one.high, one.missing) == (answer.low, answer.high, answer.missing)
    return not ((one.low and answer.dtype == "string") or (answer.low and one.dtype == "string"))


def _columns(path: Path, without: set[str]) -> Iterator[tuple[str, Values]]:
    """The columns of a table, or arrays of an archive and their columns, but for some.

    Nothing of other files, nor of those too large to be compared.
    """
    try:
        if path.stat().st_size > LARGEST:
            return
        if is_table(path) and path.suffix.lower() != ".txt":
            table = Table(path)
            yield from ((name, table.values(name)) for name in table.columns if name not in without)
        elif is_array_file(path):
            arrays = Arrays(path)
            for key in arrays.shapes():
                array = arrays.array(key)
                if key not in without:
                    yield key, array
                if array.ndim == 2 and 1 < array.shape[1] <= 64:
                    yield from ((f"{key}[:, {place}]", array[:, place]) for place in range(array.shape[1]))
    except (SplitError, duckdb.Error, ValueError, OSError):
        return


def _same(one: Values, other: Values) -> bool:
    """Whether two arrays hold the same values: in order, or sorted where most of them differ from each other."""
    one, other = _comparable(one), _comparable(other)
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind or one.size < FEWEST:
        return False
    numbers = one.dtype.kind == "f"
    if numbers and (np.fmin.reduce(one, None), np.fmax.reduce(one, None)) != (
        np.fmin.reduce(other, None), np.fmax.reduce(other, None)
    ):  # fmt: skip
        return False
    distinct = len(np.unique(other))
    if distinct < 2:
        return False
    if np.array_equal(one, other, equal_nan=numbers):
        return True
    if one.ndim != 1 or distinct <= one.size // 2:
        return False
    return bool(np.array_equal(np.sort(one), np.sort(other), equal_nan=numbers))


def _comparable(values: Values) -> Values:
    if values.dtype.kind in "biuf":
        return np.asarray(values, dtype=np.float64)
    return np.asarray(values).astype(str)


def _name(path: Path, visible: Path) -> str:
    return f"{VISIBLE}/{visible.name}/{path.relative_to(visible).as_posix()}"
