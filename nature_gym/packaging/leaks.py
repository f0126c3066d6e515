"""Answers that can be seen: a reference that is among the visible files, as a file, a column or an array.

The idea: what a metric compares with is known to the task, so each such column or array is looked for among the columns
of each visible file of its instance (:mod:`~nature_gym.packaging.seen_columns`), and held against them
(:mod:`~nature_gym.packaging.sameness`). What was measured of a column, and one look at a table for a sample of the
answers, tell of most that they differ; only the others are read.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nature_gym.digests import digest_file, digest_json, regular_files
from nature_gym.kept import Kept
from nature_gym.packaging.evaluator import InstanceData
from nature_gym.packaging.faults import Finding
from nature_gym.packaging.grading import Contract
from nature_gym.packaging.measure import Column, Measured
from nature_gym.packaging.sameness import FEWEST, NEARLY_ALL, Values, comparable, same_by_ids, tells
from nature_gym.packaging.seen_columns import Columns, columns_of, telling_columns
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.splitting.engine import HIDDEN, VISIBLE
from nature_gym.splitting.tables import Table

RULES = 2
"""Another number where answers are looked for in another way."""
SAMPLE = 50
MOST_IDS = 4
SHARE = 0.75
"""Of a sample of the answers, what a column has to hold to be read."""


def find_leaks(
    task: TaskSpecification,
    contracts: Mapping[str, Contract],
    data: Mapping[str, InstanceData],
    package: Path,
    digests: Mapping[str, str] | None = None,
    kept: Kept | None = None,
) -> Iterator[Finding]:
    """Each place where the answers of an instance can be seen. An oracle's references may be.

    ``digests`` are those of files by path in the package; with them what tells nothing is ``kept``.
    """
    known = Known(digests or {}, package, kept)
    for instance in task.instances:
        if instance.reference.kind == "oracle":
            continue
        visible, hidden = package / VISIBLE / instance.name, package / HIDDEN / instance.name
        answers = {made.file for made in instance.reference.files if made.role in ("answers", "statistics")}
        yield from _same_files(visible, hidden, answers)
        references = {
            (
                use["reference"][0],
                tuple(use["reference"][1]),
                contracts[instance.name]["answers"][use["prediction"][0]]["id"] or "",
            )
            for use in contracts[instance.name]["metrics"]
            if use["reference"] is not None
        }
        for file, keys, id_key in sorted(references):
            yield from _same_values(data[instance.name], visible, hidden, file, keys, id_key or None, known)


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
    data: InstanceData,
    visible: Path,
    hidden: Path,
    reference: str,
    keys: tuple[str, ...],
    id_key: str | None,
    known: Known,
) -> Iterator[Finding]:
    """Columns and arrays of visible files that tell those of the reference."""
    measured = data.hidden[reference]
    answers, ids = _answers(hidden / reference, keys, id_key)
    if not answers:
        return
    wanted = [column for column in measured.columns if not keys or column.name in keys]
    for file, seen in data.visible.items():
        key = known.key(visible / file, hidden / reference, (*keys, id_key or ""))
        if known.is_clean(key):
            continue
        found = False

        def choose(table: Table, seen: Measured = seen) -> list[str]:
            return _chosen(table, seen, measured.rows, wanted, answers, id_key)

        for place, columns in columns_of(visible / file, file, choose):
            for name, key_told, what in _told(columns, answers, ids):
                found = True
                where = f"{VISIBLE}/{visible.name}/{place}"
                yield Finding(where, None, name or file, f"{what} in {reference}{f': {key_told}' if key_told else ''}")
        if not found:
            known.put_clean(key)


def _told(columns: Columns, answers: Columns, ids: Values | None) -> Iterator[tuple[str, str, str]]:
    """(column, key of the answers, what it tells) for each of a group of columns."""
    known = {name: comparable(values) for name, values in columns.items()}
    named = [values for values in columns.values() if ids is not None and _are_ids(values, ids)]
    for name, values in known.items():
        for key, answer in answers.items():
            what = tells(values, answer)
            by_ids = (not what and ids is not None) and any(
                one is not columns[name] and one.shape == values.shape and same_by_ids(one, values, ids, answer)
                for one in named
            )
            if what or by_ids:
                yield name, key, what or "is by its ids the answers"


def _are_ids(values: Values, ids: Values) -> bool:
    if values.ndim != 1 or len(values) < NEARLY_ALL * len(ids):
        return False
    there = set(values.astype(str).tolist())
    return len(there) == len(values) and sum(one in there for one in ids.tolist()) >= NEARLY_ALL * len(ids)


def _answers(path: Path, keys: tuple[str, ...], id_key: str | None) -> tuple[dict[str, Values], Values | None]:
    """The answers by column, and the ids beside them; nothing of a file that is too large or not known."""
    answers: dict[str, Values] = {}
    ids: Values | None = None

    def choose(table: Table) -> list[str]:
        return [name for name in table.columns if not keys or name in keys or name == id_key]

    plain = path.suffix.lower() not in (".csv", ".tsv", ".tab")
    for _, columns in itertools.islice(columns_of(path, path.name, choose), None if plain else 1):
        for name, values in columns.items():
            if name == id_key:
                ids = values.astype(str)
            elif not keys or name in keys or name.partition("[")[0] in keys:
                answers.setdefault(name, comparable(values))
    return answers, ids


def _chosen(
    table: Table, seen: Measured, rows: int | None, wanted: Sequence[Column], answers: Columns, id_key: str | None
) -> list[str]:
    """The columns of a table that have to be read, by what was measured and one look for a sample of the answers."""
    if seen.rows is not None and rows is not None and seen.rows < NEARLY_ALL * rows:
        return []
    columns = {column.name: column for column in seen.columns}
    likely: set[str] = set()
    if rows is None or seen.rows in (None, rows):
        likely |= {name for name in table.columns if name not in columns or _may_equal(columns[name], wanted)}
    for column in columns.values():  # few values, the same as the answers have
        if any((column.low and _alike(column, one)) or (one.values and column.values == one.values) for one in wanted):
            likely.add(column.name)
    if seen.rows != rows:
        for answer in answers.values():
            if answer.dtype.kind == "f" and answer.ndim == 1:
                finite = np.unique(answer[np.isfinite(answer)].astype(np.float32))
                sample = finite[:: max(1, len(finite) // SAMPLE)].tolist() if len(finite) >= FEWEST else []
                likely |= telling_columns(table, sample, SHARE)
    if likely and id_key:  # what answers are told by
        texts = [name for name in table.columns if name in columns and _may_be_ids(columns[name])]
        likely |= {id_key, *texts[:MOST_IDS]}
    return [name for name in table.columns if name in likely]


def _may_be_ids(column: Column) -> bool:
    return column.dtype in ("string", "int") and not column.values and not column.missing


def _may_equal(column: Column, answers: Sequence[Column]) -> bool:
    """Whether what was measured leaves it open that a column or array equals one of the answers."""
    return not answers or any(_alike(column, answer) for answer in answers)


def _alike(one: Column, answer: Column) -> bool:
    if len(answer.shape) == 2:  # its columns were not measured apart
        return True
    if one.low and answer.low:
        near = math.isclose(float(one.low), float(answer.low), rel_tol=1e-5) and math.isclose(
            float(one.high), float(answer.high), rel_tol=1e-5
        )
        return near and one.missing == answer.missing
    return not ((one.low and answer.dtype == "string") or (answer.low and one.dtype == "string"))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known by contents: that a visible file tells nothing of a reference."""

    digests: Mapping[str, str]
    package: Path
    kept: Kept | None

    def key(self, visible: Path, hidden: Path, keys: tuple[str, ...]) -> str:
        """A word for two contents; empty where they are not known."""
        names = [path.relative_to(self.package).as_posix() for path in (visible, hidden)]
        told = [self.digests.get(name) for name in names]
        return "" if None in told else f"no answers {digest_json([told, visible.suffix, keys, RULES])}"

    def is_clean(self, key: str) -> bool:
        """Whether it was found that the one tells nothing of the other."""
        return bool(key) and self.kept is not None and key in self.kept.get([key])

    def put_clean(self, key: str) -> None:
        """Remember that it tells nothing."""
        if key and self.kept is not None:
            self.kept.put({key: True})


def _name(path: Path, visible: Path) -> str:
    return f"{VISIBLE}/{visible.name}/{path.relative_to(visible).as_posix()}"
