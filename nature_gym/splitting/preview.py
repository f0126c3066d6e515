"""What a task would make, without making it: counts of each split, and the first rows of each file.

The rows are made by the very operations, on the first few rows that they keep. Of a large text only its beginning is
looked at, and the preview says so: its counts are those of that beginning.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from nature_gym.errors import NatureGymError
from nature_gym.packaging import operations as op
from nature_gym.packaging.specification import Instance, MadeFile, TaskSpecification
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.engine import HIDDEN, VISIBLE, Work, rows_taken, sided, told
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import open_text
from nature_gym.splitting.parts import Thing, open_thing
from nature_gym.splitting.sources import Sources
from nature_gym.splitting.tables import Table, is_table

LARGE = 256 << 20
"""Of a text of more bytes, its beginning of :data:`BEGINNING` bytes is looked at."""
BEGINNING = 16 << 20
_OF_ALL_ROWS = ("index_file", "id_file", "order")
"""Splits that say nothing of a beginning: they name rows that are not in it."""


@dataclass(frozen=True, slots=True)
class StepPreview:
    """One operation, and how many rows there are after it."""

    operation: str
    rows: int | None


@dataclass(frozen=True, slots=True)
class FilePreview:
    """A file that would be made: side ``visible`` or ``hidden``, the steps, its first rows; or what goes wrong."""

    instance: str
    file: str
    side: str
    source: str
    rows_in: int | None = None
    steps: tuple[StepPreview, ...] = ()
    head: tuple[dict[str, str], ...] = ()
    arrays: dict[str, tuple[int, ...]] = field(default_factory=dict)
    sampled: bool = False
    files: int = 1
    error: str = ""


@dataclass(frozen=True, slots=True)
class SplitPreview:
    """A split: the rows of each part, those dropped under an empty name; or what goes wrong."""

    instance: str
    split: str
    kind: str
    of: str
    counts: dict[str, int] = field(default_factory=dict)
    sampled: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """All of a task's splits and files."""

    splits: tuple[SplitPreview, ...]
    files: tuple[FilePreview, ...]

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {"splits": [asdict(split) for split in self.splits], "files": [asdict(file) for file in self.files]}

    @property
    def errors(self) -> list[str]:
        """What goes wrong, in words."""
        wrong = [(split.instance, split.error) for split in self.splits]
        wrong += [(file.instance, file.error) for file in self.files]
        return [f"{instance}: {error}" for instance, error in wrong if error]


def preview_task(task: TaskSpecification, root: Path, *, rows: int = 5) -> Preview:
    """Try every operation of ``task`` on its data. What is the task's fault is in the preview, and not raised."""
    splits: list[SplitPreview] = []
    files: list[FilePreview] = []
    with tempfile.TemporaryDirectory(prefix="naturegym-preview-") as scratch:
        sources = Beginnings(root, task, Path(scratch))
        for instance in task.instances:
            work = Work(instance, sources)
            splits += [_split(work, instance, name, sources) for name in instance.splits]
            for number, (made, side) in enumerate(sided(instance)):
                place = Path(scratch, instance.name, str(number))
                place.mkdir(parents=True)
                files.append(_file(work, instance, made, side, sources, place, rows))
    return Preview(tuple(splits), tuple(files))


class Beginnings(Sources):
    """Sources of which large texts are cut off after their beginning."""

    def __init__(self, root: Path, task: TaskSpecification, scratch: Path) -> None:
        super().__init__(root, task.sources, task.tables)
        self._scratch = scratch
        self.cut_off: set[Path] = set()

    def open(self, path: Path) -> Thing:
        """A file with rows, or its beginning."""
        thing = super().open(path)
        if (
            isinstance(thing, Table)
            and thing.kind != "parquet"
            and path.stat().st_size > LARGE
            and path not in self.cut_off
        ):
            thing = self._things[path] = self._beginning(thing)
            self.cut_off.add(path)
        return thing

    def _beginning(self, table: Table) -> Table:
        """The whole records in a file's first bytes, as a table of the same form."""
        part = self._scratch / f"beginning-{len(self.cut_off)}{Path(table.path.name.removesuffix('.gz')).suffix}"
        with open_text(table.path) as file:
            data = file.read(BEGINNING)
        part.write_bytes(data[: data.rfind(b"\n") + 1] or data)
        return table.like(part)


def _split(work: Work, instance: Instance, name: str, sources: Beginnings) -> SplitPreview:
    split = instance.splits[name]
    shown = SplitPreview(instance.name, name, split.kind, split.of)
    try:
        counts = work.split(name).counts()
    except SplitError as error:
        if sources.cut_off and split.kind in _OF_ALL_ROWS:
            return replace(shown, sampled=True)
        return replace(shown, error=_in_words(error), sampled=bool(sources.cut_off))
    return replace(shown, counts=counts, sampled=bool(sources.cut_off))


def _file(
    work: Work, instance: Instance, made: MadeFile, side: str, sources: Beginnings, place: Path, rows: int
) -> FilePreview:
    name = "visible" if side == VISIBLE else "hidden" if side == HIDDEN else side
    shown = FilePreview(instance.name, made.file, name, made.take)
    try:
        pairs = work.pairs(made, "")
        shown = replace(shown, files=len(pairs))
        _, path, target = pairs[0]
        file = place / Path(target).name
        if made.part is None and not made.steps:
            return _looked_at(shown, path, sources.open(path) if is_table(path) else None, rows)
        steps = [step for step in made.steps if not isinstance(step, op.Member)]
        if len(steps) == len(made.steps):
            shown = _counted(shown, work, made, path, sources.open(path))
        work.cut(made, path, file, rows)
        return _looked_at(shown, file, None, rows)
    except SplitError as error:
        split = made.part.partition("/")[0] if made.part else ""
        if sources.cut_off and split and instance.splits[split].kind in _OF_ALL_ROWS:
            return replace(shown, sampled=True)
        return replace(shown, error=f"{made.file}: {_in_words(error)}")


def _counted(shown: FilePreview, work: Work, made: MadeFile, path: Path, thing: Thing) -> FilePreview:
    """Rows after the part and after each step that chooses rows."""
    found: list[StepPreview] = []
    total = thing.rows if made.part is not None else rows_taken(thing, made.steps)
    if made.part is not None:
        keep = work.kept(made.part, (), path, thing)
        found.append(StepPreview(f"part {made.part}", total if keep is None else int(keep.sum())))
    chosen: list[Any] = []
    for step in made.steps:
        chosen.append(step)
        is_choice = isinstance(step, op.Rows | op.Matching)
        keep = work.kept(made.part, chosen, path, thing) if is_choice else None
        found.append(StepPreview(told(step), int(np.count_nonzero(keep)) if keep is not None else None))
    return replace(shown, rows_in=total, steps=tuple(found))


def _looked_at(shown: FilePreview, file: Path, thing: Thing | None, rows: int) -> FilePreview:
    """With the first rows of a table, or the shapes of arrays."""
    if is_array_file(file):
        return replace(shown, arrays=Arrays(file).shapes())
    if not is_table(file):
        return shown
    table = thing or open_thing(file)
    if not isinstance(table, Table):
        return shown
    head = tuple(table.head(rows))
    return replace(shown, head=head, rows_in=shown.rows_in if shown.rows_in is not None else table.rows)


def _in_words(error: NatureGymError) -> str:
    return f"{error.message} {error.hint}".strip()
