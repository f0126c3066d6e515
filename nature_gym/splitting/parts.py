"""Who goes where: for each kind of split, the number of each row's part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nature_gym.packaging import operations as op
from nature_gym.splitting.arrays import Arrays, is_array_file
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask
from nature_gym.splitting.tables import Table, is_table

NONE = 255
"""The number of a row that is in no part."""

Codes = npt.NDArray[np.uint8]
Thing = Table | Arrays


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
        counted = np.bincount(self.codes, minlength=NONE + 1)
        found = {name: int(counted[number]) for number, name in enumerate(self.names)}
        return {**found, "": int(counted[NONE])}


def open_thing(path: Path) -> Thing:
    """A table or a file of arrays. Raises SplitError for what has no rows."""
    if is_array_file(path):
        return Arrays(path)
    if is_table(path):
        return Table(path)
    raise SplitError(f"{path.name} has no rows that could be split", hint="Tables and arrays can; copy other files.")


def part_rows(name: str, split: op.Split, thing: Thing, within: Mask | None, find: Callable[[str], Path]) -> Parted:
    """The part of each row of ``thing``, by ``split``.

    ``within``: only these rows are split (they are a part of another split). ``find`` opens the files that the split
    names. Raises SplitError where a row is in two parts, or in none although ``rest`` does not say so.
    """
    names = tuple(split.parts)
    total = thing.rows
    inner = np.arange(total) if within is None else np.flatnonzero(within)
    codes = np.full(total, NONE, dtype=np.uint8)
    codes[inner] = _KINDS[split.kind](_Task(name, split, thing, inner, find))
    lost = int((codes[inner] == NONE).sum())
    if lost and split.rest != "drop":
        raise SplitError(
            f"split {name!r} leaves {lost:,} of {len(inner):,} rows in no part (the first is row "
            f"{int(inner[np.flatnonzero(codes[inner] == NONE)[0]])})",
            hint="Correct the split; or say 'rest: drop' and 'because:' why they are left out.",
        )
    empty = [part for part, count in Parted(names, codes).counts().items() if part and not count]
    if empty:
        raise SplitError(f"split {name!r} leaves nothing in {', '.join(empty)}", hint="Correct the split.")
    return Parted(names, codes)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a kind of split works on; ``rows`` are the numbers of the rows that are split, in order."""

    name: str
    split: Any
    thing: Thing
    rows: npt.NDArray[np.int64]
    find: Callable[[str], Path]

    @property
    def table(self) -> Table:
        if not isinstance(self.thing, Table):
            raise SplitError(
                f"split {self.name!r} is by {self.split.kind}, which needs a table, not {self.thing.path.name}",
                hint="Split arrays by index files, by chance, by order or by fold.",
            )
        return self.thing

    def column(self, column: str) -> npt.NDArray[Any]:
        """The values of a column or key, for the rows that are split."""
        if isinstance(self.thing, Arrays):
            return self.thing.array(column)[self.rows]
        return self.thing.values(column)[self.rows]

    def texts(self, column: str) -> npt.NDArray[Any]:
        if isinstance(self.thing, Arrays):
            return self.thing.array(column)[self.rows].astype(str).astype(object)
        return self.thing.texts(column)[self.rows]

    def merge(self, masks: Iterator[tuple[str, Mask]]) -> Codes:
        """Codes from a mask for each part. Raises SplitError where a row is in two."""
        codes = np.full(len(self.rows), NONE, dtype=np.uint8)
        for number, (part, mask) in enumerate(masks):
            twice = mask & (codes != NONE)
            if twice.any():
                first = int(np.flatnonzero(twice)[0])
                raise SplitError(
                    f"split {self.name!r} puts {int(twice.sum()):,} rows into both "
                    f"{list(self.split.parts)[codes[first]]} and {part} (the first is row {int(self.rows[first])})",
                    hint="Each row belongs to one part.",
                )
            codes[mask] = number
        return codes

    def two(self, second: npt.NDArray[np.int64]) -> Codes:
        """Codes of two parts from the places of the second one."""
        codes = np.zeros(len(self.rows), dtype=np.uint8)
        codes[second] = 1
        return codes


def _by_expression(task: _Task) -> Codes:
    table, split = task.table, task.split
    return task.merge((part, table.holds(sql)[task.rows]) for part, sql in split.parts.items())


def _by_pattern(task: _Task) -> Codes:
    table, split = task.table, task.split
    return task.merge((part, table.matches(split.column, text)[task.rows]) for part, text in split.parts.items())


def _by_column(task: _Task) -> Codes:
    split: op.ByColumn = task.split
    if split.table is None:
        values = task.texts(split.column)
    else:
        if split.id is None:
            raise SplitError(f"split {task.name!r} takes a column of another table, without an id", hint="Give 'id'.")
        other = Table(task.find(split.table))
        of = dict(zip(_unique(other, split.id), other.texts(split.column).tolist(), strict=True))
        values = np.array([of.get(key, "") for key in task.texts(split.id).tolist()], dtype=object)
    return task.merge((part, _among(values, wanted)) for part, wanted in split.parts.items())


def _among(values: npt.NDArray[Any], wanted: tuple[Any, ...]) -> Mask:
    """Which texts are among the wanted values; numbers are equal however they are written."""
    texts = {str(value).lower() if isinstance(value, bool) else str(value) for value in wanted}
    numbers = {float(value) for value in wanted if isinstance(value, int | float) and not isinstance(value, bool)}

    def fits(text: str) -> bool:
        if text in texts or (text.lower() in ("true", "false") and text.lower() in texts):
            return True
        try:
            return bool(numbers) and float(text) in numbers
        except ValueError:
            return False

    known: dict[str, bool] = {}
    return np.fromiter((known[t] if t in known else known.setdefault(t, fits(t)) for t in values.tolist()), bool)


def _unique(table: Table, column: str) -> list[str]:
    """The ids of a table. Raises SplitError where one stands there twice."""
    ids: list[str] = table.texts(column).tolist()
    if len(set(ids)) != len(ids):
        seen: set[str] = set()
        twice = next(key for key in ids if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise SplitError(f"{table.path.name} has {column} {twice!r} more than once", hint="Ids are needed once each.")
    return ids


def _by_index_file(task: _Task) -> Codes:
    split: op.ByIndexFile = task.split
    total = task.thing.rows

    def masks() -> Iterator[tuple[str, Mask]]:
        for part, path in split.parts.items():
            numbers = _numbers(task.find(path), split.key.get(part)) - split.first
            if len(numbers) and (numbers.min() < 0 or numbers.max() >= total):
                raise SplitError(
                    f"{path} names row {int(numbers.max()) + split.first}, and there are {total:,} "
                    f"(counted from {split.first})",
                    hint="Is 'first' right, and is it the right table?",
                )
            if len(np.unique(numbers)) != len(numbers):
                raise SplitError(f"{path} names a row more than once", hint="Each row belongs to a part once.")
            mask = np.zeros(total, dtype=bool)
            mask[numbers] = True
            yield part, mask[task.rows]

    return task.merge(masks())


def _numbers(path: Path, key: str | None) -> npt.NDArray[np.int64]:
    """The row numbers in an index file: an array, a JSON list, a column, or a number a line."""
    try:
        if is_array_file(path):
            arrays = Arrays(path)
            found = arrays.array(key or next(iter(arrays.shapes()))).ravel()
            if found.dtype == bool:
                found = np.flatnonzero(found)
            return found.astype(np.int64)
        if path.suffix.lower() == ".json":
            return np.asarray(_json(path, key), dtype=np.int64).ravel()
        if key is not None:
            return np.asarray(Table(path).texts(key), dtype=np.float64).astype(np.int64)
        lines = path.read_text(encoding="utf-8-sig").split()
        if lines and not lines[0].lstrip("-").isdigit():
            lines = lines[1:]  # a heading
        return np.asarray(lines, dtype=np.int64)
    except (ValueError, OSError, UnicodeDecodeError) as error:
        raise SplitError(f"{path.name} cannot be read as row numbers: {error}", hint="One number a line.") from error


def _json(path: Path, key: str | None) -> Any:
    import orjson

    value = orjson.loads(path.read_bytes())
    for step in (key or "").split("."):
        if step:
            value = value[step]
    return value


def _by_id_file(task: _Task) -> Codes:
    split: op.ByIdFile = task.split
    ids = task.texts(split.id).tolist()
    place = {key: number for number, key in enumerate(ids)}

    def masks() -> Iterator[tuple[str, Mask]]:
        for part, path in split.parts.items():
            wanted = _ids(task.find(path), split.key.get(part))
            missing = [key for key in wanted if key not in place]
            if missing:
                raise SplitError(
                    f"{path} names {len(missing):,} ids that the table does not have, {missing[0]!r} among them",
                    hint=f"The table's ids look like {', '.join(map(repr, ids[:3]))}.",
                )
            mask = np.zeros(len(ids), dtype=bool)
            chosen = set(wanted)
            mask[:] = [key in chosen for key in ids]
            yield part, mask

    return task.merge(masks())


def _ids(path: Path, key: str | None) -> list[str]:
    if path.suffix.lower() == ".json":
        return [str(value) for value in _json(path, key)]
    if is_array_file(path):
        arrays = Arrays(path)
        return [str(value) for value in arrays.array(key or next(iter(arrays.shapes()))).ravel().tolist()]
    if key is not None:
        return [str(value) for value in Table(path).texts(key)]
    return [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]


def _by_chance(task: _Task) -> Codes:
    split: op.ByChance = task.split
    count = len(task.rows)
    size = round(split.size * count) if split.size < 1 else int(split.size)
    if split.generator == "sklearn":
        return task.two(_sklearn(task, split))
    if split.stratify or split.group:
        raise SplitError(
            f"split {task.name!r}: generator {split.generator} neither stratifies nor groups", hint="sklearn does."
        )
    return task.two(_permuted(split, count)[:size])


def _sklearn(task: _Task, split: op.ByChance) -> npt.NDArray[np.int64]:
    """The second part's places, by scikit-learn itself."""
    from sklearn.model_selection import GroupShuffleSplit, train_test_split

    places = np.arange(len(task.rows))
    size: float | int = split.size if split.size < 1 else int(split.size)
    try:
        if split.group is not None:
            shuffled = GroupShuffleSplit(n_splits=1, test_size=size, random_state=split.seed)
            groups = task.texts(split.group)
            return np.asarray(next(shuffled.split(places, groups=groups))[1])
        strata = None
        if split.stratify:
            columns = [task.texts(column) for column in split.stratify]
            strata = (
                columns[0] if len(columns) == 1 else np.array(["\x1f".join(row) for row in zip(*columns, strict=True)])
            )
        state = split.seed if split.shuffle else None
        _, second = train_test_split(places, test_size=size, random_state=state, stratify=strata, shuffle=split.shuffle)
        return np.asarray(second)
    except ValueError as error:
        raise SplitError(f"split {task.name!r} cannot be made: {error}", hint="Correct its size or strata.") from error


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
    from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

    split: op.ByFold = task.split
    if split.fold >= split.folds:
        raise SplitError(f"split {task.name!r}: there is no fold {split.fold} of {split.folds}", hint="The first is 0.")
    places = np.arange(len(task.rows))
    state = split.seed if split.shuffle else None
    if split.group is not None:
        folds = GroupKFold(split.folds).split(places, groups=task.texts(split.group))
    elif split.stratify is not None:
        stratified = StratifiedKFold(split.folds, shuffle=split.shuffle, random_state=state)
        folds = stratified.split(places, task.texts(split.stratify))
    else:
        folds = KFold(split.folds, shuffle=split.shuffle, random_state=state).split(places)
    return task.two(np.asarray(list(folds)[split.fold][1]))


def _by_time(task: _Task) -> Codes:
    split: op.ByTime = task.split
    cut = split.cut
    # ISO dates sort as they pass
    before = task.texts(split.column) < cut if isinstance(cut, str) else task.column(split.column).astype(float) < cut
    return np.where(np.asarray(before, dtype=bool), 0, 1).astype(np.uint8)


def _by_scaffold(task: _Task) -> Codes:
    try:
        from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles
    except ImportError as error:
        raise SplitError("a scaffold split needs RDKit", hint="Install rdkit.") from error
    split: op.ByScaffold = task.split
    groups: dict[str, list[int]] = {}
    for place, smiles in enumerate(task.texts(split.column).tolist()):
        try:
            groups.setdefault(MurckoScaffoldSmiles(smiles=smiles, includeChirality=False), []).append(place)
        except ValueError as error:
            raise SplitError(f"row {place} is no molecule: {smiles!r}", hint="Correct the column.") from error
    ordered = sorted(groups.values(), key=lambda places: (-len(places), places[0]))
    codes = np.full(len(task.rows), len(split.parts) - 1, dtype=np.uint8)
    limits = [share * len(task.rows) for share in split.sizes]
    filled = [0] * len(split.parts)
    for places in ordered:
        fits = (n for n, limit in enumerate(limits[:-1]) if filled[n] + len(places) <= limit)
        number = next(fits, len(split.parts) - 1)
        filled[number] += len(places)
        codes[places] = number
    return codes


def _by_order(task: _Task) -> Codes:
    split: op.ByOrder = task.split
    codes = np.full(len(task.rows), NONE, dtype=np.uint8)
    start = 0
    for number in range(len(split.parts)):
        last = number >= len(split.sizes)
        end = len(task.rows) if last else start + split.sizes[number]
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
