"""Every kind of split gives the rows that the paper's own code would give, each row to one part."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    train_test_split,
)

from nature_gym.packaging.operations import Split
from nature_gym.splitting import parts
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.parts import NONE, Parted, open_thing, part_rows
from nature_gym.splitting.tables import Table

ROWS = 240
Places = Callable[..., list[np.ndarray]]


class Folder:
    """The files that a split names, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, path: str) -> Path:
        return self.folder / path.partition("/")[2]

    def table(self, path: str) -> Table:
        return Table(self.file(path))


def split_of(**fields: Any) -> Any:
    return TypeAdapter(Split).validate_python({"of": "data/all.csv", **fields})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    numbers = np.random.default_rng(3)
    frame = pd.DataFrame({
        "id": [f"p{n:03d}" for n in range(ROWS)],
        "label": numbers.integers(0, 12, ROWS),
        "half": numbers.choice([0.5, 1.0, 10.0], ROWS),
        "site": numbers.choice(["north", "South", "east"], ROWS),
        "patient": numbers.integers(0, 40, ROWS),
        "day": pd.date_range("2019-12-01", periods=ROWS).strftime("%Y-%m-%d"),
        "age": numbers.integers(1, 90, ROWS),
    })  # fmt: skip
    frame.to_csv(tmp_path / "all.csv", index=False)
    np.savez(tmp_path / "all.npz", X=numbers.random((ROWS, 3)), y=frame["label"].to_numpy(), names=np.array(["a", "b"]))
    return tmp_path


@pytest.fixture
def places(folder: Path) -> Places:
    def carry_out(within: np.ndarray | None = None, of: str = "all.csv", **fields: Any) -> list[np.ndarray]:
        split = split_of(**fields)
        if within is not None and within.dtype == bool:
            within = np.flatnonzero(within)
        parted = part_rows("main", split, open_thing(folder / of), within, Folder(folder))
        counts = parted.counts()
        assert sum(counts.values()) == ROWS
        return [np.flatnonzero(parted.rows(name)) for name in parted.names]

    return carry_out


def same(found: list[np.ndarray], *wanted: Any) -> bool:
    return len(found) == len(wanted) and all(
        np.array_equal(one, np.sort(np.asarray(other))) for one, other in zip(found, wanted, strict=True)
    )


TWO = {"parts": ["train", "test"]}


@pytest.mark.parametrize("size", [0.2, 0.33, 50])
@pytest.mark.parametrize("stratify", [(), ("label",), ("half",), ("site",), ("label", "site"), ("label", "half")])
def test_train_test_split_is_scikit_learns_own(
    folder: Path, places: Places, size: float, stratify: tuple[str, ...]
) -> None:
    frame = pd.read_csv(folder / "all.csv")
    columns = None if not stratify else frame[stratify[0]] if len(stratify) == 1 else frame[list(stratify)]
    try:
        wanted = train_test_split(np.arange(ROWS), test_size=size, random_state=7, stratify=columns)
    except ValueError:
        with pytest.raises(SplitError, match="cannot be made"):
            places(kind="random", seed=7, size=size, stratify=stratify, **TWO)
        return
    assert same(places(kind="random", seed=7, size=size, stratify=stratify, **TWO), *wanted)


def test_without_shuffling_the_last_rows_are_the_test_set(places: Places) -> None:
    wanted = train_test_split(np.arange(ROWS), test_size=0.25, shuffle=False)
    assert same(places(kind="random", seed=0, size=0.25, shuffle=False, **TWO), *wanted)


@given(rows=st.integers(2, 300), seed=st.integers(0, 2**31), size=st.floats(0.05, 0.9))
def test_of_very_many_rows_the_same_permutation_is_drawn(rows: int, seed: int, size: float) -> None:
    split = split_of(kind="random", seed=seed, size=size, **TWO)
    task = parts._Task("main", split, None, None, rows, None)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        try:
            wanted = parts._shuffled(task, split)
        except SplitError:
            return
        patch.setattr(parts, "MANY", 1)
        assert [part.tolist() for part in parts._shuffled(task, split)] == [part.tolist() for part in wanted]


def test_the_second_part_of_very_many_rows_is_drawn_in_less_memory_and_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = 200_000  # more than the lower half of a row's number can tell
    split = split_of(kind="random", seed=11, size=0.3, **TWO)
    task = parts._Task("main", split, None, None, rows, None)  # type: ignore[arg-type]
    _, wanted = train_test_split(np.arange(rows), test_size=0.3, random_state=11)
    monkeypatch.setattr(parts, "TOO_MANY", 1)
    monkeypatch.setattr(parts, "_AT_ONCE", 7_000)
    assert np.flatnonzero(parts._by_chance(task)).tolist() == sorted(wanted.tolist())


def test_groups_stay_together_as_group_shuffle_split_draws_them(folder: Path, places: Places) -> None:
    frame = pd.read_csv(folder / "all.csv")
    wanted = next(GroupShuffleSplit(1, test_size=0.3, random_state=5).split(frame, groups=frame["patient"]))
    assert same(places(kind="random", seed=5, size=0.3, group="patient", **TWO), *wanted)


@pytest.mark.parametrize("fold", [0, 3])
@pytest.mark.parametrize(
    ("chosen", "splitter"),
    [
        ({}, KFold(4)),
        ({"shuffle": True, "seed": 2}, KFold(4, shuffle=True, random_state=2)),
        ({"stratify": "label"}, StratifiedKFold(4)),
        ({"stratify": "site", "shuffle": True, "seed": 1}, StratifiedKFold(4, shuffle=True, random_state=1)),
        ({"group": "patient"}, GroupKFold(4)),
        ({"group": "patient", "stratify": "site"}, StratifiedGroupKFold(4)),
    ],
)
def test_folds_are_scikit_learns_own(
    folder: Path, places: Places, fold: int, chosen: dict[str, Any], splitter: Any
) -> None:
    frame = pd.read_csv(folder / "all.csv")
    strata = frame[chosen["stratify"]] if "stratify" in chosen else None
    groups = frame[chosen["group"]] if "group" in chosen else None
    wanted = list(splitter.split(frame, strata, groups))[fold]
    assert same(places(kind="fold", folds=4, fold=fold, **chosen, **TWO), *wanted)


def test_permutations_of_numpy_and_python_take_either_end(places: Places) -> None:
    shuffled = list(range(ROWS))
    random.Random(4).shuffle(shuffled)
    orders = {
        "numpy": np.random.default_rng(4).permutation(ROWS),
        "numpy_legacy": np.random.RandomState(4).permutation(ROWS),
        "python": np.array(shuffled),
    }
    for generator, order in orders.items():
        found = places(kind="random", seed=4, size=60, generator=generator, **TWO)
        assert same(found, order[60:], order[:60])
        found = places(kind="random", seed=4, size=0.25, generator=generator, taken="last", **TWO)
        assert same(found, order[:-60], order[-60:])


def test_expressions_patterns_columns_time_and_order(folder: Path, places: Places) -> None:
    frame = pd.read_csv(folder / "all.csv")
    n = np.arange(ROWS)
    old = (frame["age"] >= 40).to_numpy()
    assert same(places(kind="expression", parts={"old": "age >= 40", "young": "age < 40"}), n[old], n[~old])
    late = (frame["day"] >= "2020-02-01").to_numpy()
    assert same(places(kind="time", column="day", cut="2020-02-01", **TWO), n[~late], n[late])
    assert same(places(kind="time", column="age", cut=40, **TWO), n[~old], n[old])
    site = frame["site"].to_numpy()
    found = places(kind="column", column="site", parts={"a": ["north"], "b": ["South", "east"]})
    assert same(found, n[site == "north"], n[site != "north"])
    found = places(kind="pattern", column="id", parts={"a": "^p0", "b": "^p[12]"})
    assert same(found, n[:100], n[100:])
    assert same(places(kind="order", parts=["a", "b", "c"], sizes=[100, 40]), n[:100], n[100:140], n[140:])


def test_numbers_in_a_column_are_equal_however_they_are_written(places: Places, folder: Path) -> None:
    half = pd.read_csv(folder / "all.csv")["half"].to_numpy()
    found = places(kind="column", column="half", parts={"a": [1], "b": [0.5, 10]})
    assert same(found, np.flatnonzero(half == 1), np.flatnonzero(half != 1))


def test_a_column_of_another_table_is_joined_by_id(places: Places, folder: Path) -> None:
    fold = ["train" if n % 3 else "test" for n in range(ROWS)]
    pd.DataFrame({"key": [f"p{n:03d}" for n in range(ROWS)], "fold": fold}).rename(columns={"key": "id"}).sample(
        frac=1, random_state=1
    ).to_csv(folder / "folds.csv", index=False)
    found = places(
        kind="column", column="fold", table="data/folds.csv", id="id", parts={"train": ["train"], "test": ["test"]}
    )
    assert same(found, [n for n in range(ROWS) if n % 3], range(0, ROWS, 3))


@pytest.mark.parametrize(
    "form", ["txt", "savetxt", "headed.csv", "npy", "mask.npy", "json", "nested.json", "npz", "column.csv"]
)
def test_index_files_of_all_forms_name_the_same_rows(places: Places, folder: Path, form: str) -> None:
    test = np.sort(np.random.default_rng(0).choice(ROWS, 50, replace=False))
    key: dict[str, str] = {}
    first = 0
    for part, rows in (("train", np.setdiff1d(np.arange(ROWS), test)), ("test", test)):
        path = folder / f"{part}.{'txt' if form == 'savetxt' else form}"
        if form == "txt":
            path.write_text("\n".join(map(str, rows + 1)))
            first = 1
        elif form == "savetxt":
            np.savetxt(path, rows)
        elif form == "headed.csv":
            path.write_text("\ufeffindex\n" + "".join(f"{row}\r\n" for row in rows), encoding="utf-8")
        elif form == "npy":
            np.save(path, rows)
        elif form == "mask.npy":
            np.save(path, np.isin(np.arange(ROWS), rows))
        elif form == "json":
            path.write_bytes(orjson.dumps(rows.tolist()))
        elif form == "nested.json":
            path.write_bytes(orjson.dumps({"folds": [{part: rows.tolist()}]}))
            key[part] = f"folds.0.{part}"
        elif form == "npz":
            np.savez(path, **{part: rows, "other": rows[:3]})  # type: ignore[arg-type]
            key[part] = part
        else:
            pd.DataFrame({"row": rows, "note": "x"}).to_csv(path)
            key[part] = "row"
    suffix = "txt" if form == "savetxt" else form
    files = {part: f"data/{part}.{suffix}" for part in ("train", "test")}
    found = places(kind="index_file", parts=files, key=key, first=first)
    assert same(found, np.setdiff1d(np.arange(ROWS), test), test)
    if form == "npy":
        assert same(places(of="all.npz", kind="index_file", parts=files), np.setdiff1d(np.arange(ROWS), test), test)


def test_a_part_is_split_again_by_the_rows_of_the_file_or_of_the_part(places: Places, folder: Path) -> None:
    within = np.arange(ROWS) % 2 == 0
    inner = np.flatnonzero(within)
    wanted = train_test_split(inner, test_size=0.2, random_state=1)
    assert same(places(within=within, kind="random", seed=1, size=0.2, **TWO), *wanted)
    np.save(folder / "a.npy", np.arange(100))
    np.save(folder / "b.npy", np.arange(100, 120))
    files = {"a": "data/a.npy", "b": "data/b.npy"}
    assert same(places(within=within, kind="index_file", counted="part", parts=files), inner[:100], inner[100:])
    with pytest.raises(SplitError, match="are not in"):
        places(within=within, kind="index_file", parts=files, rest="drop", because="a test")


def test_id_files_put_the_named_rows_into_their_part(places: Places, folder: Path) -> None:
    (folder / "a.txt").write_text("".join(f"p{n:03d}\n" for n in range(100)))
    (folder / "b.json").write_bytes(orjson.dumps([f"p{n:03d}" for n in range(100, ROWS)]))
    found = places(kind="id_file", id="id", parts={"a": "data/a.txt", "b": "data/b.json"})
    assert same(found, range(100), range(100, ROWS))


def test_arrays_are_split_by_a_key(places: Places, folder: Path) -> None:
    label = np.load(folder / "all.npz")["y"]
    found = places(of="all.npz", kind="column", column="y", parts={"a": [0, 1], "b": list(range(2, 12))})
    assert same(found, np.flatnonzero(label < 2), np.flatnonzero(label >= 2))
    wanted = train_test_split(np.arange(ROWS), test_size=0.25, random_state=3, stratify=label)
    assert same(places(of="all.npz", kind="random", seed=3, size=0.25, stratify=["y"], **TWO), *wanted)


def test_scaffolds_stay_together_the_largest_first(tmp_path: Path) -> None:
    pytest.importorskip("rdkit", reason="the scaffold split needs RDKit")
    smiles = [
        "c1ccccc1C",
        "c1ccccc1CC",
        "c1ccccc1O",
        "C1CCCCC1C",
        "C1CCCCC1",
        "c1ccncc1",
        "CCO",
        "CCC",
        "CCCC",
        "c1ccoc1",
    ]
    (tmp_path / "all.csv").write_text("smiles\n" + "\n".join(smiles) + "\n")
    split = split_of(kind="scaffold", column="smiles", parts=["train", "valid", "test"], sizes=[0.6, 0.2, 0.2])
    parted = part_rows("main", split, open_thing(tmp_path / "all.csv"), None, Folder(tmp_path))
    # Groups: no ring 6 7 8, benzene 0 1 2, cyclohexane 3 4, furan 9, pyridine 5; of equal ones the later goes first.
    assert parted.codes.tolist() == [0, 0, 0, 1, 1, 2, 0, 0, 0, 2]
    (tmp_path / "all.csv").write_text("smiles\nCCO\nnot a molecule\n")
    with pytest.raises(SplitError, match="row 1 is no molecule"):
        part_rows("main", split, open_thing(tmp_path / "all.csv"), None, Folder(tmp_path))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "expression", "parts": {"a": "age > 30", "b": "age > 50"}}, "rows into both a and b"),
        ({"kind": "expression", "parts": {"a": "age > 30", "b": "age < 30"}}, r"leaves \d+ of 240 rows in no part"),
        ({"kind": "expression", "parts": {"a": "age > 0", "b": "age < 0"}}, "leaves nothing in b"),
        ({"kind": "expression", "parts": {"a": "aeg > 0"}}, "which is no column"),
        ({"kind": "column", "column": "sit", "parts": {"a": ["x"]}}, "has no column 'sit'"),
        ({"kind": "order", "parts": ["a", "b"], "sizes": [500]}, "wants 500 rows"),
        ({"kind": "time", "column": "site", "cut": "2020-01-01", **TWO}, "have no date in 'site'"),
        ({"kind": "time", "column": "site", "cut": 5, **TWO}, "have no number in 'site'"),
        ({"kind": "random", "seed": 1, "size": 500, **TWO}, "cannot be made"),
        ({"kind": "random", "seed": 1, "size": 500, "generator": "numpy", **TWO}, "cannot be a part"),
        ({"kind": "pattern", "column": "id", "parts": {"a": "("}}, "all.csv"),
        ({"kind": "index_file", "parts": {"a": "data/bad.txt", "b": "data/all.npz"}}, "cannot be read as row numbers"),
        ({"kind": "index_file", "parts": {"a": "data/far.txt"}}, "rows that are not there, 999"),
        ({"kind": "index_file", "parts": {"a": "data/twice.txt"}}, "more than once, 4 among them"),
        ({"kind": "id_file", "id": "id", "parts": {"a": "data/ids.txt"}}, "1 ids that the table does not have, 'q1'"),
    ],
)
def test_what_cannot_be_done_says_which_split_and_which_rows(
    folder: Path, places: Places, fields: dict[str, Any], message: str
) -> None:
    (folder / "bad.txt").write_text("1\n2\nthree\n")
    (folder / "far.txt").write_text("1\n999\n")
    (folder / "twice.txt").write_text("4\n5\n4\n")
    (folder / "ids.txt").write_text("p001\nq1\n")
    with pytest.raises(SplitError, match=message) as caught:
        places(**fields)
    assert caught.value.hint


def test_rows_that_are_dropped_are_counted_and_in_no_part(folder: Path) -> None:
    split = split_of(kind="expression", parts={"a": "age < 30"}, rest="drop", because="children only")
    parted = part_rows("main", split, open_thing(folder / "all.csv"), None, Folder(folder))
    assert isinstance(parted, Parted)
    assert parted.counts()[""] == (parted.codes == NONE).sum() > 0
