"""Carrying out what an instance declares: every file made, every row accounted for, one line of provenance a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nature_gym.digests import digest_file
from nature_gym.packaging import operations as op
from nature_gym.packaging.specification import Instance, MadeFile, TaskSpecification
from nature_gym.splitting.arrays import Arrays, names_of
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask
from nature_gym.splitting.parts import Parted, Thing, open_thing, part_rows
from nature_gym.splitting.sources import Sources
from nature_gym.splitting.tables import Table, quoted

VISIBLE, HIDDEN = "problem/data", "evaluation/ground_truth"
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a file comes from: its source with digest, what was done, how many rows went in and came out."""

    file: str
    digest: str
    size: int
    source: str
    source_digest: str
    operations: tuple[str, ...]
    rows_in: int | None = None
    rows_out: int | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SplitCounts:
    """How many rows each part of a split has; those dropped under an empty name."""

    instance: str
    split: str
    of: str
    counts: dict[str, int]
    because: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """Everything that was made."""

    files: tuple[Provenance, ...]
    splits: tuple[SplitCounts, ...]


def carry_out_task(task: TaskSpecification, root: Path, target: Path, *, progress: Progress = lambda *_: None) -> Made:
    """Make every file of ``task`` below ``target``: ``problem/data/<instance>/``, ``evaluation/ground_truth/...``.

    ``root`` is the folder of ``task.yaml``. Raises SplitError that names the instance and the file.
    """
    sources = Sources(root, task.sources)
    total = sum(len(instance.files) + len(instance.reference.files) for instance in task.instances)
    files: list[Provenance] = []
    splits: list[SplitCounts] = []
    for instance in task.instances:
        work = _Instance(instance, sources)
        for made, side in _sided(instance):
            progress(f"{instance.name}/{made.file}", len(files), total)
            try:
                files += work.make(made, target, f"{side}/{instance.name}")
            except SplitError as error:
                raise SplitError(f"{instance.name}: {made.file}: {error.message}", hint=error.hint) from error
        splits += work.counts()
    return Made(tuple(files), tuple(splits))


def _sided(instance: Instance) -> list[tuple[MadeFile, str]]:
    """Each file with its side: references are hidden, but for a scorer that the agent may call, too."""
    found = [(made, VISIBLE) for made in instance.files]
    return found + [(made, HIDDEN) for made in instance.reference.files]


class _Instance:
    """One instance at work; splits are made once, when a file first needs them."""

    def __init__(self, instance: Instance, sources: Sources) -> None:
        self._instance = instance
        self._sources = sources
        self._parted: dict[str, Parted] = {}
        self._digests: dict[Path, str] = {}

    def counts(self) -> list[SplitCounts]:
        for name in self._instance.splits:
            self._split(name)  # a split that no file uses is checked all the same
        return [
            SplitCounts(
                self._instance.name,
                name,
                self._instance.splits[name].of,
                parted.counts(),
                self._instance.splits[name].because,
            )
            for name, parted in self._parted.items()
        ]

    def make(self, made: MadeFile, target: Path, folder: str) -> list[Provenance]:
        """Make one file, or all that a pattern matches, below ``target``/``folder``."""
        found = self._sources.files(made.take)
        if made.file.endswith("/"):
            pairs = [(path, f"{folder}/{made.file}{name}") for name, path in found]
        elif len(found) == 1:
            pairs = [(found[0][1], f"{folder}/{made.file}")]
        else:
            raise SplitError(f"{made.take} matches {len(found)} files", hint="End 'file' in / for a folder of them.")
        return [self._make_one(made, path, target, name) for path, name in pairs]

    def _make_one(self, made: MadeFile, path: Path, target: Path, name: str) -> Provenance:
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        rows_in: int | None = None
        rows_out: int | None = None
        if made.part is None and not made.steps:
            _copy(path, file)
        else:
            rows_in, rows_out = self._cut(made, path, file)
        operations = ([f"part {made.part}"] if made.part else []) + [_told(step) for step in made.steps]
        return Provenance(
            name,
            digest_file(file),
            file.stat().st_size,
            made.take,
            self._digest(path),
            tuple(operations),
            rows_in,
            rows_out,
        )

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = digest_file(path)
        return self._digests[path]

    def _cut(self, made: MadeFile, path: Path, file: Path) -> tuple[int, int]:
        thing = open_thing(path)
        keep = self._keep(made, path, thing)
        rows_in = thing.rows
        if isinstance(thing, Arrays):
            written = _cut_arrays(thing, keep, made, file)
        else:
            written = self._cut_table(thing, keep, made, file)
        wanted = rows_in if keep is None else int(keep.sum())
        if written != wanted:
            raise SplitError(
                f"{written:,} rows were written, and {wanted:,} should be", hint="A join doubled or lost rows."
            )
        return rows_in, written

    def _keep(self, made: MadeFile, path: Path, thing: Thing) -> Mask | None:
        """The rows that go into the file; None for all."""
        keep: Mask | None = None
        if made.part is not None:
            split, _, part = made.part.partition("/")
            parted = self._split(split)
            if len(parted.codes) != thing.rows:
                raise SplitError(
                    f"{path.name} has {thing.rows:,} rows, and what split {split!r} splits has {len(parted.codes):,}",
                    hint="A part can be taken of files with the same rows in the same order.",
                )
            keep = parted.rows(part)
        for step in made.steps:
            if isinstance(step, op.Rows | op.Matching):
                if not isinstance(thing, Table):
                    raise SplitError("rows of arrays are chosen by splits", hint="Make a split, and take its part.")
                chosen = (
                    thing.holds(step.rows)
                    if isinstance(step, op.Rows)
                    else thing.matches(step.matching.column, step.matching.pattern)
                )
                keep = chosen if keep is None else keep & chosen
        return keep

    def _cut_table(self, table: Table, keep: Mask | None, made: MadeFile, file: Path) -> int:
        columns = [(name, f"t.{quoted(name)}") for name in table.columns]
        join = ""
        to = _format_of(file, table)
        for number, step in enumerate(made.steps):
            if isinstance(step, op.Join):
                other = Table(self._sources.file(step.join.table))
                join += _join(table, other, step.join, number)
                taken = step.join.columns or [name for name in other.columns if name != step.join.on]
                for name in taken:
                    other.check(name)
                    columns.append((name, f"j{number}.{quoted(name)}"))
            else:
                columns = _columns(columns, step, table)
        unchanged = columns == [(name, f"t.{quoted(name)}") for name in table.columns]
        if unchanged and to == _format_of(table.path, table):
            return table.write_rows(keep, file)
        if len({name for name, _ in columns}) != len(columns):
            raise SplitError("two columns would have the same name", hint="Rename one of them.")
        if to in ("npy", "npz"):
            return _table_to_arrays(table, keep, [name for name, _ in columns], columns, file)
        return table.write_columns(keep, columns, file, to, join)

    def _split(self, name: str) -> Parted:
        if name not in self._parted:
            split = self._instance.splits[name]
            outer, _, part = split.of.partition("/")
            within: Mask | None = None
            of = split.of
            chain = {name}
            while outer in self._instance.splits:
                if outer in chain:
                    raise SplitError(f"split {name!r} is of itself", hint="Say what file is split.")
                chain.add(outer)
                if within is None:
                    within = self._split(outer).rows(part)
                of = self._instance.splits[outer].of
                outer = of.partition("/")[0]
            thing = open_thing(self._sources.file(of))
            self._parted[name] = part_rows(name, split, thing, within, self._sources.file)
        return self._parted[name]


def _cut_arrays(arrays: Arrays, keep: Mask | None, made: MadeFile, file: Path) -> int:
    names = names_of(list(arrays.shapes()))
    for step in made.steps:
        if isinstance(step, op.Keep):
            names = {key: key for key in step.keep}
        elif isinstance(step, op.Drop):
            gone = set(step.drop)
            if missing := sorted(gone - set(names)):
                raise SplitError(f"{arrays.path.name} has no key {missing[0]!r}", hint=f"Keys: {', '.join(names)}.")
            names = {key: old for key, old in names.items() if key not in gone}
        elif isinstance(step, op.Rename):
            names = {step.rename.get(key, key): old for key, old in names.items()}
        elif not isinstance(step, op.Convert):
            raise SplitError(
                f"'{_told(step)}' cannot be done to arrays", hint="Arrays know keep, drop, rename, convert."
            )
    return arrays.write(keep, names, file)


def _columns(columns: list[tuple[str, str]], step: Any, table: Table) -> list[tuple[str, str]]:
    """The columns after ``step``. Raises SplitError for one that is not there."""
    known = [name for name, _ in columns]
    named = (
        step.keep if isinstance(step, op.Keep) else step.drop if isinstance(step, op.Drop)
        else list(step.rename) if isinstance(step, op.Rename) else []
    )  # fmt: skip
    for name in named:
        if name not in known:
            raise SplitError(f"{table.path.name} has no column {name!r}", hint=f"Columns: {', '.join(known[:12])}.")
    if isinstance(step, op.Keep):
        of = dict(columns)
        return [(name, of[name]) for name in step.keep]
    if isinstance(step, op.Drop):
        return [(name, sql) for name, sql in columns if name not in step.drop]
    if isinstance(step, op.Rename):
        return [(step.rename.get(name, name), sql) for name, sql in columns]
    return columns


def _join(table: Table, other: Table, join: op.Join.With, number: int) -> str:
    """SQL of a join in which each row finds exactly one partner. Raises SplitError where one does not."""
    table.check(join.on)
    other.check(join.on)
    theirs = other.texts(join.on).tolist()
    if len(set(theirs)) != len(theirs):
        raise SplitError(f"{other.path.name} has an id in {join.on!r} more than once", hint="Ids are needed once each.")
    lonely = set(table.texts(join.on).tolist()) - set(theirs)
    if lonely:
        raise SplitError(
            f"{len(lonely):,} rows find no partner in {other.path.name}, {min(lonely)!r} among them",
            hint="Drop them by a 'rows' step, or correct the ids.",
        )
    on = quoted(join.on)
    return f" JOIN {other.scan(text=True)} AS j{number} ON CAST(t.{on} AS VARCHAR) = CAST(j{number}.{on} AS VARCHAR)"


def _table_to_arrays(
    table: Table, keep: Mask | None, names: list[str], columns: list[tuple[str, str]], file: Path
) -> int:
    """Columns as arrays: in ``.npz`` each under its name; in ``.npy`` one axis for one, two for several."""
    plain = {name: sql.removeprefix("t.")[1:-1].replace('""', '"') for name, sql in columns}
    read = {name: table.values(plain[name]) for name in names}
    read = {name: values if keep is None else values[keep] for name, values in read.items()}
    if file.suffix.lower() == ".npz":
        np.savez(file, **{name: _plain_array(values) for name, values in read.items()})
    else:
        arrays = [_plain_array(values) for values in read.values()]
        np.save(file, arrays[0] if len(arrays) == 1 else np.stack(arrays, axis=1), allow_pickle=False)
    return len(next(iter(read.values())))


def _plain_array(values: Any) -> Any:
    array = np.asarray(values)
    return array.astype(str) if array.dtype == object else array


def _format_of(file: Path, table: Table) -> str:
    suffix = file.suffix.lower().lstrip(".")
    known = {"csv": "csv", "tsv": "tsv", "tab": "tsv", "parquet": "parquet", "pq": "parquet", "json": "json",
             "jsonl": "jsonl", "ndjson": "jsonl", "npy": "npy", "npz": "npz"}  # fmt: skip
    if suffix in known:
        return known[suffix]
    return "tsv" if table.kind == "csv" and table.dialect.delimiter == "\t" else table.kind


def _copy(path: Path, file: Path) -> None:
    """A hard link where the disk has one to give, so that nothing is stored twice; else a copy."""
    try:
        os.link(path, file)
    except OSError:
        shutil.copyfile(path, file)


def _told(step: Any) -> str:
    """A step as it stands in ``task.yaml``."""
    ((key, value),) = step.model_dump(mode="json").items()
    return f"{key}: {value}"
