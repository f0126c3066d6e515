"""Who goes where: for each kind of split, the number of each row's part."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nature_gym.packaging import operations as op
from nature_gym.packaging.operations import TableForm
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask
from nature_gym.splitting.row_numbers import json_list, row_number_blocks, row_numbers
from nature_gym.splitting.tables import Categories, Table, is_table

NONE = 255
"""The number of a row that is in no part."""

MANY = 20_000_000
TOO_MANY = 200_000_000
"""Of so many rows not even the numbers are held in memory at once."""
_AT_ONCE = 1 << 22
Codes = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.int64]
Thing = Table | Arrays


class Files(Protocol):
    """Whoever knows the files that a split names."""

    def file(self, path: str) -> Path: ...

    def table(self, path: str) -> Table: ...


@dataclass(frozen=True, slots=True)
class Parted:
    """A split carried out: ``codes`` says for each row which of ``names`` it belongs to."""

    names: tuple[str, ...]
    codes: Codes

    def rows(self, part: str) -> Mask:
        """The rows of one part."""
        return np.equal(self.codes, self.names.index(part))

    def counts(self) -> dict[str, int]:
        """Part -> rows; rows in no part are counted under an empty name."""
        counted = np.zeros(NONE + 1, dtype=np.int64)
        for start in range(0, len(self.codes), _AT_ONCE):  # it counts eight bytes a row
            counted += np.bincount(self.codes[start : start + _AT_ONCE], minlength=NONE + 1)
        found = {name: int(counted[number]) for number, name in enumerate(self.names)}
        return {**found, "": int(counted[NONE])}


def open_thing(path: Path, told: TableForm = TableForm()) -> Thing:  # noqa: B008 - it does not change
    """A table or a file of arrays. Raises SplitError for what has no rows."""
    if is_array_file(path):
        return Arrays(path, told)
    if is_table(path):
        return Table(path, told)
    raise SplitError(f"{path.name} has no rows that could be split", hint="Tables and arrays can; copy other files.")


def part_rows(name: str, split: op.Split, thing: Thing, within: Rows | None, files: Files) -> Parted:
    """The part of each row of ``thing``, by ``split``.

    ``within``: only these rows are split, in this order (they are a part of another split). ``files`` has what the
    split names. Raises SplitError where a row is in two parts, or in none although ``rest`` does not say so.
    """
    names = tuple(split.parts)
    task = _task(name, split, thing, within, files)
    count = task.count
    codes = _KINDS[split.kind](task)
    if within is not None:
        inner, codes = codes, np.full(thing.rows, NONE, dtype=np.uint8)
        codes[within] = inner
    lost = codes[task.place] == NONE
    if split.rest != "drop" and (missing := int(lost.sum())):
        raise SplitError(
            f"split {name!r} leaves {missing:,} of {count:,} rows in no part (the first is row "
            f"{task.row(int(np.argmax(lost)))})",
            hint="Correct the split; or say 'rest: drop' and 'because:' why they are left out.",
        )
    empty = [part for part, count in Parted(names, codes).counts().items() if part and not count]
    if empty:
        raise SplitError(f"split {name!r} leaves nothing in {', '.join(empty)}", hint="Correct the split.")
    return Parted(names, codes)


def drawn_rows(name: str, split: op.ByChance, thing: Thing, within: Rows | None, files: Files, part: str) -> Rows:
    """The rows of one part of a random split in the order in which they were drawn, as code has them that goes on."""
    task = _task(name, split, thing, within, files)
    places = _drawn(task)[list(split.parts).index(part)]
    return np.asarray(places, dtype=np.int64) if task.rows is None else task.rows[places]


def _task(name: str, split: op.Split, thing: Thing, within: Rows | None, files: Files) -> _Task:
    count = thing.rows if within is None else len(within)
    if not count:
        raise SplitError(f"split {name!r}: {thing.path.name} has no rows to split", hint="Look at the file.")
    return _Task(name, split, thing, within, count, files)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a kind of split works on; ``rows`` are the numbers of the rows that are split, in order, None for all."""

    name: str
    split: Any
    thing: Thing
    rows: Rows | None
    count: int
    files: Files

    @property
    def place(self) -> npt.NDArray[np.int64] | slice:
        """Where the rows that are split stand in an array with one entry a row."""
        return slice(None) if self.rows is None else self.rows

    def row(self, place: int) -> int:
        """The number of the row at a place among those that are split."""
        return place if self.rows is None else int(self.rows[place])

    @property
    def table(self) -> Table:
        if not isinstance(self.thing, Table):
            raise SplitError(
                f"split {self.name!r} is by {self.split.kind}, which needs a table, not {self.thing.path.name}",
                hint="Split arrays by column (a key), index files, by chance, by order or by fold.",
            )
        return self.thing

    def categories(self, column: str, *, as_text: bool = False) -> Categories:
        """The values of a column or key as categories, for the rows that are split."""
        found = self.thing.categories(column, as_text=as_text)
        return Categories(found.codes[self.place], found.values)

    def texts(self, column: str) -> Iterator[tuple[int, str]]:
        """(place among the rows that are split, text) of a column or key."""
        place_of = None if self.rows is None else np.full(self.thing.rows, -1, dtype=np.int64)
        if place_of is not None:
            place_of[self.rows] = np.arange(self.count)
        row = 0
        for block in self.thing.texts(column):
            for text in block:
                place = row if place_of is None else int(place_of[row])
                if place >= 0:
                    yield place, text
                row += 1

    def merge(self, masks: Iterator[tuple[str, Mask]]) -> Codes:
        """Codes from a mask for each part. Raises SplitError where a row is in two."""
        codes = np.full(self.count, NONE, dtype=np.uint8)
        for number, (part, mask) in enumerate(masks):
            twice = np.not_equal(codes, NONE)
            twice &= mask
            if twice.any():
                first = int(np.argmax(twice))
                raise SplitError(
                    f"split {self.name!r} puts {int(twice.sum()):,} rows into both "
                    f"{list(self.split.parts)[codes[first]]} and {part} (the first is row {self.row(first)})",
                    hint="Each row belongs to one part.",
                )
            codes[mask] = number
        return codes

    def two(self, second: npt.NDArray[Any]) -> Codes:
        """Codes of two parts from the places of the second one."""
        codes = np.zeros(self.count, dtype=np.uint8)
        for start in range(0, len(second), _AT_ONCE):
            codes[second[start : start + _AT_ONCE]] = 1
        return codes


def _by_expression(task: _Task) -> Codes:
    masks = task.table.hold_each(list(task.split.parts.values()))
    return task.merge((part, mask[task.place]) for part, mask in zip(task.split.parts, masks, strict=True))


def _by_pattern(task: _Task) -> Codes:
    masks = task.table.match_each(task.split.column, list(task.split.parts.values()))
    return task.merge((part, mask[task.place]) for part, mask in zip(task.split.parts, masks, strict=True))


def _by_column(task: _Task) -> Codes:
    split: op.ByColumn = task.split
    if split.table is None or split.id is None:
        found = task.categories(split.column, as_text=True)
        values = [_as_text(value) for value in found.values]
        return task.merge((part, _among(values, wanted)[found.codes]) for part, wanted in split.parts.items())
    other = task.files.table(split.table)
    of = _pairs(other, split.id, split.column)
    fits = [
        (
            part,
            {
                value: bool(ok)
                for value, ok in zip(set(of.values()), _among(list(set(of.values())), wanted), strict=True)
            },
        )
        for part, wanted in split.parts.items()
    ]
    masks = [np.zeros(task.count, dtype=bool) for _ in fits]
    for place, key in task.texts(split.id):
        value = of.get(key)
        if value is not None:
            for mask, (_, fit) in zip(masks, fits, strict=True):
                mask[place] = fit[value]
    return task.merge(zip(split.parts, masks, strict=True))


def _pairs(table: Table, key: str, column: str) -> dict[str, str]:
    """Id -> value of a table. Raises SplitError where an id stands there twice."""
    found: dict[str, str] = {}
    for keys, values in zip(table.texts(key), table.texts(column), strict=True):
        for name, value in zip(keys, values, strict=True):
            if name in found:
                raise SplitError(
                    f"{table.path.name} has {key} {name!r} more than once", hint="Ids are needed once each."
                )
            found[name] = value
    return found


def _as_text(value: Any) -> str:
    return "" if value is None else str(value)


def _among(values: Sequence[str], wanted: tuple[Any, ...]) -> Mask:
    """Which texts are among the wanted values; numbers are equal however they are written."""
    texts = {str(value) for value in wanted if not isinstance(value, bool)}
    truths = {str(value).lower() for value in wanted if isinstance(value, bool)}
    numbers = {_number(str(value)) for value in wanted if type(value) in (int, float)} - {None}
    return np.fromiter(
        (text in texts or text.lower() in truths or _number(text) in numbers for text in values),
        bool,
        count=len(values),
    )


def _number(text: str) -> int | float | None:
    """A number, exactly: whole ones as int, so that long ids are not rounded into each other."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _by_index_file(task: _Task) -> Codes:
    split: op.ByIndexFile = task.split
    in_file = split.counted == "file"
    total = task.thing.rows if in_file else task.count

    def masks() -> Iterator[tuple[str, Mask]]:
        for part, path in split.parts.items():
            mask = _numbered(task.files.file(path), path, split, part, total)
            if in_file and task.rows is not None and int(mask[task.place].sum()) != int(mask.sum()):
                raise SplitError(
                    f"{path} names rows that are not in {split.of}",
                    hint="Say 'counted: part' where its numbers count that part's rows.",
                )
            yield part, mask[task.place] if in_file else mask

    return task.merge(masks())


def _numbered(file: Path, path: str, split: op.ByIndexFile, part: str, total: int) -> Mask:
    """The rows that an index file names. Raises SplitError for rows that are not there, or stand there twice."""
    key = split.key.get(part)
    mask = np.zeros(total, dtype=bool)
    count = 0
    for block in row_number_blocks(file, key):
        numbers = block - split.first
        wrong = numbers[(numbers < 0) | (numbers >= total)]
        if len(wrong):
            raise SplitError(
                f"{path} names rows that are not there, {int(wrong[0]) + split.first} among them: there are {total:,}, "
                f"counted from {split.first}",
                hint="Are 'first' and 'counted' right, and is it the right table?",
            )
        mask[numbers] = True
        count += len(numbers)
    if int(mask.sum()) != count:
        numbers, times = np.unique(row_numbers(file, key), return_counts=True)
        twice = numbers[times > 1]
        raise SplitError(
            f"{path} names {len(twice):,} rows more than once, {int(twice[0])} among them",
            hint="Each row belongs to a part once.",
        )
    return mask


def _by_id_file(task: _Task) -> Codes:
    split: op.ByIdFile = task.split
    names = list(split.parts)
    part_of: dict[str, int] = {}
    for number, (part, path) in enumerate(split.parts.items()):
        for key in _ids(task.files.file(path), split.key.get(part)):
            if part_of.setdefault(key, number) != number:
                raise SplitError(
                    f"split {task.name!r}: id {key!r} is both in {names[part_of[key]]} and in {part}",
                    hint="Each row belongs to one part.",
                )
    codes = np.full(task.count, NONE, dtype=np.uint8)
    unseen = set(part_of)
    some: list[str] = []
    for place, key in task.texts(split.id):
        if len(some) < 3:
            some.append(key)
        if (number_ := part_of.get(key)) is not None:
            codes[place] = number_
            unseen.discard(key)
    if unseen:
        raise SplitError(
            f"split {task.name!r} names {len(unseen):,} ids that the table does not have, {min(unseen)!r} among them",
            hint=f"The table's ids look like {', '.join(map(repr, some))}.",
        )
    return codes


def _ids(path: Path, key: str | None) -> list[str]:
    try:
        if path.suffix.lower() == ".json":
            return [str(value) for value in json_list(path, key)]
        if is_array_file(path):
            arrays = Arrays(path)
            return [text for block in arrays.texts(key or arrays.only_key()) for text in block]
        if key is not None:
            return [text for block in Table(path).texts(key) for text in block]
        return [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise SplitError(f"{path.name} cannot be read as ids: {error}", hint="One id a line, or 'key'.") from error


def _by_chance(task: _Task) -> Codes:
    split: op.ByChance = task.split
    is_plain = split.generator == "sklearn" and split.shuffle and not split.stratify and split.group is None
    if is_plain and task.count >= TOO_MANY:
        second = _second_of(split, task.count)
        if not 0 < second < task.count:
            raise SplitError(f"split {task.name!r}: {second:,} of {task.count:,} rows", hint="Correct its size.")
        return task.two(_beginning_of_shuffle(split.seed, task.count, second))
    return task.two(_drawn(task)[1])


def _drawn(task: _Task) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The places of both parts, in the order in which they were drawn."""
    split: op.ByChance = task.split
    count = task.count
    if split.generator == "sklearn":
        return _sklearn(task, split)
    size = round(split.size * count) if split.size < 1 else int(split.size)
    if not 0 < size < count:
        raise SplitError(f"split {task.name!r}: {size:,} of {count:,} rows cannot be a part", hint="Correct its size.")
    order = _permuted(split, count)
    return (order[size:], order[:size]) if split.taken == "first" else (order[:-size], order[-size:])


def _sklearn(task: _Task, split: op.ByChance) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The places of both parts, by scikit-learn itself."""
    from sklearn.model_selection import GroupShuffleSplit, train_test_split

    if split.shuffle and not split.stratify and split.group is None:
        return _shuffled(task, split)
    places = np.arange(task.count)
    size: float | int = split.size if split.size < 1 else int(split.size)
    try:
        if split.group is not None:
            shuffled = GroupShuffleSplit(n_splits=1, test_size=size, random_state=split.seed)
            groups = task.categories(split.group).codes
            first, second = next(shuffled.split(places, groups=groups))
            return np.asarray(first), np.asarray(second)
        strata = _strata([task.categories(column) for column in split.stratify])
        state = split.seed if split.shuffle else None
        first, second = train_test_split(
            places, test_size=size, random_state=state, stratify=strata, shuffle=split.shuffle
        )
        return np.asarray(first), np.asarray(second)
    except ValueError as error:
        raise SplitError(f"split {task.name!r} cannot be made: {error}", hint="Correct its size or strata.") from error


def _shuffled(task: _Task, split: op.ByChance) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """``train_test_split`` without strata: the first entries of a permutation.

    scikit-learn draws it; of very many rows we do, in the same way and half the memory.
    """
    from sklearn.model_selection import ShuffleSplit

    size: float | int = split.size if split.size < 1 else int(split.size)
    try:
        if task.count < MANY:
            drawn = ShuffleSplit(1, test_size=size, random_state=split.seed).split(np.empty((task.count, 0), np.int8))
            first, second = next(drawn)
            return np.asarray(first), np.asarray(second)
    except ValueError as error:
        raise SplitError(f"split {task.name!r} cannot be made: {error}", hint="Correct its size.") from error
    order = np.arange(task.count, dtype=np.int32)
    np.random.RandomState(split.seed).shuffle(order)
    second = _second_of(split, task.count)
    return order[second:], order[:second]


def _second_of(split: op.ByChance, count: int) -> int:
    """How many rows scikit-learn puts into the second part."""
    return math.ceil(split.size * count) if split.size < 1 else int(split.size)


def _beginning_of_shuffle(seed: int, count: int, length: int) -> npt.NDArray[np.uint32]:
    """The first ``length`` entries of the shuffled numbers of ``count`` rows, by NumPy's older generator.

    What a shuffle draws does not depend on what it moves: the lower and the upper halves of the numbers, shuffled one
    after the other from the same seed, are the numbers shuffled, in half the memory.
    """
    found = np.zeros(length, dtype=np.uint32)
    for shift in (0, 16):
        half = np.empty(count, dtype=np.uint16)
        for start in range(0, count, _AT_ONCE):
            end = min(count, start + _AT_ONCE)
            half[start:end] = np.arange(start, end, dtype=np.uint32) >> np.uint32(shift) & np.uint32(0xFFFF)
        np.random.RandomState(seed).shuffle(half)
        found |= half[:length].astype(np.uint32) << np.uint32(shift)
        del half
    return found


def _strata(columns: Sequence[Categories]) -> npt.NDArray[Any] | None:
    """What scikit-learn stratifies by. Its draw depends on the order of strata, and so on how values are sorted:

    one column as its values are, several as their texts between blanks, numbers as floats where one column has such.
    """
    if not columns:
        return None
    if len(columns) == 1:
        return columns[0].codes
    numeric = all(isinstance(value, int | float) for column in columns for value in column.values)
    has_floats = numeric and any(isinstance(value, float) for column in columns for value in column.values)
    texts = [[str(float(value) if has_floats else value) for value in column.values] for column in columns]
    kinds: dict[tuple[int, ...], int] = {}
    rows = zip(*(column.codes.tolist() for column in columns), strict=True)
    codes = np.fromiter((kinds.setdefault(row, len(kinds)) for row in rows), np.int64, count=len(columns[0].codes))
    joined = [" ".join(text[code] for text, code in zip(texts, row, strict=True)) for row in kinds]
    order = {text: place for place, text in enumerate(sorted(set(joined)))}
    return np.asarray([order[text] for text in joined], dtype=np.int64)[codes]


def _permuted(split: op.ByChance, count: int) -> npt.NDArray[np.int64]:
    if split.generator == "numpy":
        return np.random.default_rng(split.seed).permutation(count)
    if split.generator == "numpy_legacy":
        return np.asarray(np.random.RandomState(split.seed).permutation(count), dtype=np.int64)
    if split.generator == "python":
        order = list(range(count))
        random.Random(split.seed).shuffle(order)
        return np.asarray(order, dtype=np.int64)
    try:
        import torch
    except ImportError as error:
        raise SplitError("a split made by torch needs torch", hint="Install it, or use an index file.") from error
    return np.asarray(torch.randperm(count, generator=torch.Generator().manual_seed(split.seed)).numpy())


def _by_fold(task: _Task) -> Codes:
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    split: op.ByFold = task.split
    places = np.arange(task.count)
    chosen: dict[str, Any] = {"shuffle": split.shuffle, "random_state": split.seed if split.shuffle else None}
    strata = task.categories(split.stratify).codes if split.stratify is not None else None
    groups = task.categories(split.group).codes if split.group is not None else None
    kind = {(False, False): KFold, (True, False): StratifiedKFold, (False, True): GroupKFold,
            (True, True): StratifiedGroupKFold}[strata is not None, groups is not None]  # fmt: skip
    try:
        folds = kind(split.folds, **chosen).split(places, strata, groups)
        return task.two(np.asarray(next(itertools.islice(folds, split.fold, None))[1]))
    except ValueError as error:
        raise SplitError(f"split {task.name!r} cannot be made: {error}", hint="Correct its folds.") from error


def _by_time(task: _Task) -> Codes:
    split: op.ByTime = task.split
    if isinstance(task.thing, Arrays):
        before = task.thing.before(split.column, split.cut)
    elif not isinstance(split.cut, str):
        before = task.table.before(split.column, repr(split.cut), "DOUBLE")
    else:
        before = task.table.before(split.column, split.cut, "TIMESTAMP" if _is_date(split.cut) else "VARCHAR")
    return np.where(before[task.place], 0, 1).astype(np.uint8)


def _is_date(text: str) -> bool:
    try:
        return dt.datetime.fromisoformat(text) is not None and len(text) >= len("2020-01-31")
    except ValueError:
        return False


def _by_scaffold(task: _Task) -> Codes:
    try:
        from rdkit import rdBase
        from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles
    except ImportError as error:
        raise SplitError("a scaffold split needs RDKit", hint="Install rdkit.") from error
    split: op.ByScaffold = task.split
    groups: dict[str, list[int]] = {}
    with rdBase.BlockLogs():  # what it says of a molecule is in our error
        for place, smiles in task.texts(split.column):
            try:
                scaffold = MurckoScaffoldSmiles(smiles=smiles, includeChirality=False)  # type: ignore[no-untyped-call]
                groups.setdefault(scaffold, []).append(place)
            except (ValueError, RuntimeError) as error:
                raise SplitError(
                    f"split {task.name!r}: row {task.row(place)} is no molecule: {smiles[:80]!r}",
                    hint="Choose rows with molecules by an expression first.",
                ) from error
    ordered = sorted(groups.values(), key=lambda places: (len(places), places[0]), reverse=True)
    limits = [total * task.count for total in itertools.accumulate(split.sizes)]
    codes = np.zeros(task.count, dtype=np.uint8)
    filled = [0] * len(split.parts)
    for places in ordered:
        room = (n for n, limit in enumerate(limits[:-1]) if sum(filled[: n + 1]) + len(places) <= limit)
        number = next(room, len(split.parts) - 1)
        filled[number] += len(places)
        codes[places] = number
    return codes


def _by_order(task: _Task) -> Codes:
    split: op.ByOrder = task.split
    codes = np.full(task.count, NONE, dtype=np.uint8)
    start = 0
    if sum(split.sizes) > task.count:
        raise SplitError(
            f"split {task.name!r} wants {sum(split.sizes):,} rows, and there are {task.count:,}",
            hint="Correct its sizes.",
        )
    for number in range(len(split.parts)):
        last = number >= len(split.sizes)
        end = task.count if last else start + split.sizes[number]
        codes[start:end] = number
        start = end
    return codes


_KINDS: Mapping[str, Callable[[_Task], Codes]] = {
    "expression": _by_expression,
    "column": _by_column,
    "index_file": _by_index_file,
    "id_file": _by_id_file,
    "random": _by_chance,
    "fold": _by_fold,
    "time": _by_time,
    "scaffold": _by_scaffold,
    "pattern": _by_pattern,
    "order": _by_order,
}
