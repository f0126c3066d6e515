"""Carrying out what an instance declares: every file made, every row accounted for, one line of provenance a file."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nature_gym.digests import digest_file
from nature_gym.packaging import operations as op
from nature_gym.packaging.specification import Instance, MadeFile, TaskSpecification
from nature_gym.splitting.arrays import Arrays, names_of, write_arrays
from nature_gym.splitting.dealing import Deal, Dealt, deal_rows
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask
from nature_gym.splitting.members import take_member
from nature_gym.splitting.parts import Parted, Rows, Thing, drawn_rows, open_thing, part_rows
from nature_gym.splitting.sources import Sources
from nature_gym.splitting.tables import Table, is_table

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
    notes: tuple[str, ...] = ()

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
    sources = Sources(root, task.sources, task.tables)
    sources.check()
    total = sum(len(instance.files) + len(instance.reference.files) for instance in task.instances)
    files: list[Provenance] = []
    splits: list[SplitCounts] = []
    done = 0
    for instance in task.instances:
        work = Work(instance, sources)
        with naming(instance.name):
            work.deal([(made, f"{side}/{instance.name}") for made, side in sided(instance)], target)
        for made, side in sided(instance):
            progress(f"{instance.name}/{made.file}", done, total)
            with naming(f"{instance.name}: {made.file}"):
                files += work.make(made, target, f"{side}/{instance.name}")
            done += 1
        with naming(instance.name):
            splits += work.counts()
    return Made(tuple(files), tuple(splits))


@contextlib.contextmanager
def naming(what: str) -> Iterator[None]:
    """Where in a task something went wrong, before what went wrong."""
    try:
        yield
    except SplitError as error:
        raise SplitError(f"{what}: {error.message}", hint=error.hint) from error


def sided(instance: Instance) -> list[tuple[MadeFile, str]]:
    """Each file with its side: references are hidden, all others are seen."""
    return [(made, VISIBLE) for made in instance.files] + [(made, HIDDEN) for made in instance.reference.files]


class Work:
    """One instance at work; a split is made once, when a file first needs it."""

    def __init__(self, instance: Instance, sources: Sources) -> None:
        self._instance = instance
        self._sources = sources
        self._parted: dict[str, Parted] = {}
        self._dealt: dict[str, Dealt] = {}

    def counts(self) -> list[SplitCounts]:
        """The counts of every split; one that no file uses is checked all the same."""
        return [
            SplitCounts(self._instance.name, name, split.of, self.split(name).counts(), split.because)
            for name, split in self._instance.splits.items()
        ]

    def deal(self, files: Sequence[tuple[MadeFile, str]], target: Path) -> None:
        """Write those of ``files`` (each with its folder) that are rows of a text as they stand: one pass a text.

        :meth:`make` finds them written.
        """
        deals: dict[Path, dict[str, Deal]] = {}
        for made, folder in files:
            with naming(made.file):
                for _, path, name in self.pairs(made, folder):
                    if self._is_of_rows(made, path):
                        _make_room(target, name)
                        self._sources.digest_ahead(path)
                        if name in deals.setdefault(path, {}):
                            raise SplitError(f"{name} is made twice", hint="Give one of the files another name.")
                        deals[path][name] = self._deal(made, path, target / name)
        for path, named in deals.items():
            thing = self._sources.open(path)
            found = deal_rows(path, list(named.values()), thing.form) if isinstance(thing, Table) else []
            self._dealt |= dict(zip(named, found, strict=True))
            for name, deal in named.items():
                _check_written(self._dealt[name].rows, deal.count())

    def _is_of_rows(self, made: MadeFile, path: Path) -> bool:
        """Whether a file is made of some of the rows of a text, nothing else being done to them."""
        if (made.part is None and not made.steps) or not is_table(path):
            return False
        thing = self._sources.open(path)
        return (
            all(isinstance(step, op.Rows | op.Matching) for step in made.steps)
            and isinstance(thing, Table)
            and thing.kind != "parquet"
            and _format_of(Path(made.file) if not made.file.endswith("/") else path, thing) == _format_of(path, thing)
        )

    def _deal(self, made: MadeFile, path: Path, file: Path) -> Deal:
        thing = self._sources.open(path)
        if made.part is not None and not made.steps:
            parted, part = self._part(made.part, path, thing)
            return Deal(file, parted.codes, parted.names.index(part))
        keep = self.kept(made.part, made.steps, path, thing)
        return Deal.of_mask(file, np.ones(thing.rows, dtype=bool) if keep is None else keep)

    def make(self, made: MadeFile, target: Path, folder: str) -> list[Provenance]:
        """Make one file, or all that a pattern matches, below ``target``/``folder``."""
        return [self._make_one(made, path, take, target, name) for take, path, name in self.pairs(made, folder)]

    def pairs(self, made: MadeFile, folder: str) -> list[tuple[str, Path, str]]:
        """(source's path, file, name of what is made of it) for each file that ``made`` takes."""
        found = self._sources.files(made.take)
        if made.file.endswith("/"):
            return [(take, path, f"{folder}/{made.file}{name}") for take, name, path in found]
        if len(found) == 1:
            return [(found[0][0], found[0][2], f"{folder}/{made.file}")]
        raise SplitError(f"{made.take} matches {len(found)} files", hint="End 'file' in / for a folder of them.")

    def _make_one(self, made: MadeFile, path: Path, take: str, target: Path, name: str) -> Provenance:
        file = target / name
        rows: tuple[int | None, int | None] = (None, None)
        dealt = self._dealt.pop(name, None)
        if dealt is None:
            _make_room(target, name)
        if dealt is not None:
            thing = self._sources.open(path)
            rows, digest = (thing.rows, dealt.rows), dealt.digest
        elif made.part is None and not made.steps:
            _copy(path, file)
            digest = self._sources.digest(path)
        else:
            self._sources.digest_ahead(path)
            rows = self.cut(made, path, file)
            digest = digest_file(file)
        operations = ([f"part {made.part}"] if made.part else []) + [told(step) for step in made.steps]
        return Provenance(
            name, digest, file.stat().st_size, take, self._sources.digest(path), tuple(operations), *rows,
            notes=self._notes(path, made),
        )  # fmt: skip

    def _notes(self, path: Path, made: MadeFile) -> tuple[str, ...]:
        if (made.part is None and not made.steps) or not is_table(path):
            return ()
        thing = self._sources.open(path)
        if isinstance(thing, Table) and thing.kind == "csv" and not thing.survey.is_utf8:
            return ("not UTF-8; bytes are kept where rows are taken, and read as Latin-1 where columns are",)
        return ()

    def cut(self, made: MadeFile, path: Path, file: Path, most: int | None = None) -> tuple[int | None, int | None]:
        """Carry out part and steps; (rows in, rows out). ``most``: only the first so many rows, to look at."""
        steps = list(made.steps)
        if steps and isinstance(steps[0], op.Member):
            with tempfile.TemporaryDirectory(dir=file.parent, prefix=".split-") as scratch:
                member = take_member(path, steps[0].member, Path(scratch))
                if len(steps) == 1:
                    member.rename(file)
                    return None, None
                return self._cut(made, steps[1:], member, open_thing(member), file, most)
        return self._cut(made, steps, path, self._sources.open(path), file, most)

    def _cut(
        self, made: MadeFile, steps: list[Any], path: Path, thing: Thing, file: Path, most: int | None
    ) -> tuple[int, int]:
        keep = self.kept(made.part, steps, path, thing)
        if most is not None:
            keep = np.ones(rows_taken(thing, steps) or 0, dtype=bool) if keep is None else keep
            keep[np.flatnonzero(keep)[most:]] = False
        steps = [step for step in steps if not isinstance(step, op.Rows | op.Matching)]
        if isinstance(thing, Arrays):
            written = thing.write(keep, _keys(thing, steps, file), file)
        else:
            written = self._cut_table(thing, keep, steps, file)
        rows_in = thing.rows if isinstance(thing, Table) or made.part is not None else rows_taken(thing, steps) or 0
        _check_written(written, rows_in if keep is None else int(keep.sum()))
        return rows_in, written

    def _part(self, part: str, path: Path, thing: Thing) -> tuple[Parted, str]:
        """A split with the name of its part, where it has as many rows as ``thing``."""
        split, _, name = part.partition("/")
        parted = self.split(split)
        if len(parted.codes) != thing.rows:
            raise SplitError(
                f"{path.name} has {thing.rows:,} rows, and what split {split!r} splits has {len(parted.codes):,}",
                hint="A part can be taken of files with the same rows in the same order.",
            )
        return parted, name

    def kept(self, part: str | None, steps: Sequence[Any], path: Path, thing: Thing) -> Mask | None:
        """The rows that go into the file; None for all."""
        keep: Mask | None = None
        if part is not None:
            parted, name = self._part(part, path, thing)
            keep = parted.rows(name)
        for step in steps:
            if isinstance(step, op.Rows | op.Matching):
                if not isinstance(thing, Table):
                    raise SplitError("rows of arrays are chosen by splits", hint="Make a split, and take its part.")
                chosen = (
                    thing.holds(step.rows)
                    if isinstance(step, op.Rows)
                    else thing.matches(step.matching.column, step.matching.pattern)
                )
                keep = chosen if keep is None else keep & chosen
                if not keep.any():
                    raise SplitError(f"'{told(step)}' leaves no row", hint="Correct it.")
        return keep

    def _cut_table(self, table: Table, keep: Mask | None, steps: Sequence[Any], file: Path) -> int:
        whole = [Taken(name, table.headings[name], f"t.{table.sql(name)}") for name in table.columns]
        columns = list(whole)
        join = ""
        also: list[Path] = []
        to = _format_of(file, table)
        for number, step in enumerate(steps):
            if isinstance(step, op.Join):
                other = self._sources.table(step.join.table)
                join += _join(table, other, step.join, number, keep)
                also.append(other.path)
                taken = step.join.columns or [name for name in other.columns if name != step.join.on]
                columns += [
                    Taken(name, other.headings.get(name, name), f"j{number}.{other.sql(name)}") for name in taken
                ]
            elif isinstance(step, op.Convert):
                to = step.convert
            else:
                columns = _columns(columns, step, table)
        if columns == whole and to == _format_of(table.path, table):
            return table.write_rows(keep, file)
        if not file.name.lower().removesuffix(".gz").endswith(_ENDINGS[to]):
            raise SplitError(f"{file.name} is no name for {to}", hint=f"End it in {_ENDINGS[to][0]}.")
        if columns != whole:
            _check_doubled(columns, whole)
        if to in ("npy", "npz"):
            return _table_to_arrays(table, keep, columns, file)
        if to in ("csv", "tsv"):
            return table.write_columns(keep, [(taken.heading, taken.sql) for taken in columns], file, to, join, also)
        return table.write_columns(keep, [(taken.name, taken.sql) for taken in columns], file, to, join, also)

    def split(self, name: str) -> Parted:
        """A split carried out. Raises SplitError where it cannot be, or loses or doubles rows."""
        if name not in self._parted:
            split = self._instance.splits[name]
            outer, _, part = split.of.partition("/")
            within = (
                self._rows(outer, part, drawn=split.taken_in == "drawn") if outer in self._instance.splits else None
            )
            self._parted[name] = part_rows(name, split, self._split_thing(name), within, self._sources)
        return self._parted[name]

    def _rows(self, name: str, part: str, *, drawn: bool) -> Rows:
        """The rows of a part in the order of the file, or in that in which they were drawn."""
        if not drawn:
            return np.flatnonzero(self.split(name).rows(part))
        split = self._instance.splits[name]
        if not isinstance(split, op.ByChance):
            raise SplitError(f"split {name!r} draws no rows", hint="'taken_in: drawn' is for parts of random splits.")
        outer, _, within = split.of.partition("/")
        is_inner = outer in self._instance.splits
        rows = self._rows(outer, within, drawn=split.taken_in == "drawn") if is_inner else None
        return drawn_rows(name, split, self._split_thing(name), rows, self._sources, part)

    def _split_thing(self, name: str) -> Thing:
        """The file that a split splits in the end; chains end, for the specification was checked for rings."""
        of = self._instance.splits[name].of
        while (outer := of.partition("/")[0]) in self._instance.splits:
            of = self._instance.splits[outer].of
        return self._sources.open(self._sources.file(of))


@dataclass(frozen=True, slots=True)
class Taken:
    """A column on its way: the name that steps use, the heading that is written, where it comes from."""

    name: str
    heading: str
    sql: str


def _make_room(target: Path, name: str) -> None:
    """The folder of a file to be made. Raises SplitError where there is such a file already, or cannot be one."""
    file = target / name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(exist_ok=False)
        file.unlink()
    except OSError as error:
        if error.errno == errno.EEXIST and not file.parent.is_file():
            raise SplitError(f"{name} is made twice", hint="Give one of the files another name.") from error
        if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.EILSEQ):
            raise SplitError(f"{name} cannot be a file: {error.strerror}", hint="Give it another name.") from error
        raise


def _check_written(written: int, wanted: int) -> None:
    if written != wanted:
        raise SplitError(
            f"{written:,} rows were written, and {wanted:,} should be", hint="This is a defect; please report it."
        )


def _check_doubled(columns: Sequence[Taken], whole: Sequence[Taken]) -> None:
    """Two columns of one heading are as the source has them, or a mistake."""
    before = Counter(taken.heading for taken in whole)
    for heading, count in Counter(taken.heading for taken in columns).items():
        if count > max(1, before[heading]):
            raise SplitError(f"{count} columns would be called {heading!r}", hint="Rename one of them.")


def rows_taken(thing: Thing, steps: Sequence[Any]) -> int | None:
    """The rows of what is taken whole: of a table, or of those arrays of a file that the steps leave.

    A file with arrays of both sides has no rows of its own. Raises SplitError for a key that is not there.
    """
    if isinstance(thing, Table):
        return thing.rows
    return thing.rows_among(_keys(thing, steps).values())


def _keys(arrays: Arrays, steps: Sequence[Any], file: Path | None = None) -> dict[str, str]:
    """New key -> key of the arrays that ``steps`` leave, for ``file``. Raises SplitError where they cannot be done."""
    names = names_of(list(arrays.shapes()))
    for step in steps:
        if isinstance(step, op.Keep | op.Drop | op.Rename):
            wanted = step.keep if isinstance(step, op.Keep) else step.drop if isinstance(step, op.Drop) else step.rename
            if missing := [key for key in wanted if key not in names]:
                raise SplitError(f"{arrays.path.name} has no key {missing[0]!r}", hint=f"Keys: {', '.join(names)}.")
        if isinstance(step, op.Keep):
            names = {key: names[key] for key in step.keep}
        elif isinstance(step, op.Drop):
            names = {key: old for key, old in names.items() if key not in step.drop}
        elif isinstance(step, op.Rename):
            renamed = {step.rename.get(key, key): old for key, old in names.items()}
            if len(renamed) != len(names):
                raise SplitError(f"'{told(step)}' gives two arrays one name", hint="Choose another name.")
            names = renamed
        elif isinstance(step, op.Convert):
            if file is not None and not file.name.lower().endswith(_ENDINGS[step.convert]):
                raise SplitError(f"{file.name} is no name for {step.convert}", hint="Name it as its format.")
        else:
            raise SplitError(
                f"'{told(step)}' cannot be done to arrays", hint="Arrays know keep, drop, rename, convert."
            )
    if not names:
        raise SplitError("no array is left", hint="Keep one.")
    return names


def _columns(columns: list[Taken], step: Any, table: Table) -> list[Taken]:
    """The columns after ``step``. Raises SplitError for one that is not there."""
    known = {taken.name: taken for taken in columns}
    named = step.keep if isinstance(step, op.Keep) else step.drop if isinstance(step, op.Drop) else list(step.rename)
    for name in named:
        if name not in known:
            shown = ", ".join(list(known)[:12]) + (", ..." if len(known) > 12 else "")
            raise SplitError(f"{table.path.name} has no column {name!r}", hint=f"Columns: {shown}.")
    if isinstance(step, op.Keep):
        if len(set(step.keep)) != len(step.keep):
            raise SplitError(f"'{told(step)}' names a column twice", hint="Name it once.")
        return [known[name] for name in step.keep]
    if isinstance(step, op.Drop):
        left = [taken for taken in columns if taken.name not in step.drop]
        if not left:
            raise SplitError("no column is left", hint="Drop fewer.")
        return left
    return [
        Taken(step.rename[taken.name], step.rename[taken.name], taken.sql) if taken.name in step.rename else taken
        for taken in columns
    ]


def _join(table: Table, other: Table, join: op.Join.With, number: int, keep: Mask | None) -> str:
    """SQL of a join in which each row finds exactly one partner. Raises SplitError where one does not."""
    theirs: set[str] = set()
    for block in other.texts(join.on):
        for key in block:
            if key in theirs:
                raise SplitError(
                    f"{other.path.name} has {join.on} {key!r} more than once", hint="Ids are needed once each."
                )
            theirs.add(key)
    row = 0
    lonely: dict[str, int] = {}
    for block in table.texts(join.on):
        for key in block:
            if key not in theirs and (keep is None or keep[row]):
                lonely.setdefault(key, row)
            row += 1
    if lonely:
        key, row = next(iter(lonely.items()))
        raise SplitError(
            f"{len(lonely):,} ids find no partner in {other.path.name}; the first is {key!r} in row {row}",
            hint="Drop such rows by a 'rows' step, or correct the ids.",
        )
    mine, its = table.sql(join.on), other.sql(join.on)
    return (
        f" JOIN {other.readable()} AS j{number} ON coalesce(CAST(t.{mine} AS VARCHAR), '') = "
        f"coalesce(CAST(j{number}.{its} AS VARCHAR), '')"
    )


def _table_to_arrays(table: Table, keep: Mask | None, columns: Sequence[Taken], file: Path) -> int:
    """Columns as arrays; joined ones are not among them."""
    of = {f"t.{table.sql(name)}": name for name in table.columns}
    if foreign := [taken.name for taken in columns if taken.sql not in of]:
        raise SplitError(f"{foreign[0]!r} is joined, and arrays are made of one table", hint="Write a table.")
    read = table.arrays([of[taken.sql] for taken in columns], keep)
    named = {taken.name: read[of[taken.sql]] for taken in columns}
    if file.suffix.lower() == ".npy" and len({array.dtype.kind for array in named.values()} - set("iufb")) and (
        len(named) > 1
    ):  # fmt: skip
        raise SplitError("texts and numbers do not go into one array", hint="Keep columns of one kind, or write .npz.")
    write_arrays(named, file)
    return len(next(iter(read.values())))


_ENDINGS: dict[str, tuple[str, ...]] = {
    "csv": (".csv", ".txt", ".data", ".dat"), "tsv": (".tsv", ".tab", ".txt"), "parquet": (".parquet", ".pq"),
    "json": (".json",), "jsonl": (".jsonl", ".ndjson"), "npy": (".npy",), "npz": (".npz",),
}  # fmt: skip


def _format_of(file: Path, table: Table) -> str:
    """What a name says that a file is; of ``.txt`` and the like, what the table is."""
    suffix = Path(file.name.lower().removesuffix(".gz")).suffix
    found = next((to for to, endings in _ENDINGS.items() if suffix == endings[0] or suffix in endings[1:2]), "")
    if found and suffix not in (".txt", ".data", ".dat"):
        return found
    return "tsv" if table.kind == "csv" and table.written.delimiter == "\t" else table.kind


_FICLONE = 0x40049409


def _copy(path: Path, file: Path) -> None:
    """A copy that shares its blocks where the file system has such; else a hard link; else a copy of all bytes."""
    with contextlib.suppress(OSError), path.open("rb") as source, file.open("xb") as target:
        fcntl.ioctl(target, _FICLONE, source.fileno())
        return
    file.unlink(missing_ok=True)
    try:
        os.link(path, file)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.EACCES):
            raise
        shutil.copyfile(path, file)


def told(step: Any) -> str:
    """A step as it stands in ``task.yaml``."""
    ((key, value),) = step.model_dump(mode="json", exclude_none=True).items()
    return f"{key}: {value}"
