"""The data of an instance as the baseline sees them: files, and in each its columns.

Part of a program that stands by itself (:mod:`nature_gym.baseline.solver`): Python 3.10, and numpy or h5py where a file
is of theirs.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Columns = dict[str, Any]
LARGEST_FILE = 1 << 30
LARGEST_PACKED = 1 << 28
MOST_ROWS = 5_000_000
MOST_FILES = 400
TO_ANSWER = re.compile(r"test|quer|eval|infer|predict|input|target|challenge|submission|unlabel", re.IGNORECASE)
TO_LEARN = re.compile(r"train|dev|valid|label|reference|gallery|library|support", re.IGNORECASE)


class NoAnswerError(Exception):
    """What the form leaves open and the data do not tell; the text says it."""


class NoDataError(NoAnswerError):
    """Data that are not there, or cannot be read."""


class LimitError(NoAnswerError):
    """What this program does not understand or cannot write, which need not be a fault of whoever asks for it."""


def records_of(value: Any) -> Columns:
    """The columns of a JSON value: of a list of objects, of an object of lists, of an object of objects."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return {key: [one.get(key) for one in value] for key in value[0]}
    if isinstance(value, list):
        return {"": value}
    if isinstance(value, dict) and value:
        inner = next(
            (one for one in value.values() if isinstance(one, list) and one and isinstance(one[0], dict)), None
        )
        if inner is not None:
            return records_of(inner)
        if all(isinstance(one, list) for one in value.values()):
            return dict(value)
        if all(isinstance(one, dict) for one in value.values()):
            names = list(next(iter(value.values())))
            return {"<key>": list(value), **{name: [one.get(name) for one in value.values()] for name in names}}
        return {"<key>": list(value), "<value>": list(value.values())}
    return {}


def read_fasta(path: Path) -> Columns:
    """Ids and sequences."""
    ids: list[str] = []
    sequences: list[str] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(">"):
            ids.append((line[1:].split() or [""])[0])
            sequences.append("")
        elif sequences:
            sequences[-1] += line.strip()
    return {"id": ids, "sequence": sequences}


def read_hdf5(path: Path) -> Columns:
    """Columns of obs, and the arrays at the top."""
    import h5py

    found: Columns = {}
    with h5py.File(path, "r") as file:
        obs = file.get("obs")
        if isinstance(obs, h5py.Group):
            index = obs.attrs.get("_index", "_index")
            for name, one in obs.items():
                if isinstance(one, h5py.Dataset):
                    values = one.asstr()[:] if one.dtype.kind == "O" else one[:]
                    found["<key>" if name == index else name] = values
                elif "codes" in one and "categories" in one:
                    kinds = one["categories"]
                    kinds = kinds.asstr()[:] if kinds.dtype.kind == "O" else kinds[:]
                    found[name] = [kinds[code] if code >= 0 else "" for code in one["codes"][:]]
        for name, one in file.items():
            if isinstance(one, h5py.Dataset) and one.size < LARGEST_FILE // 8 and one.dtype.kind in "fiub":
                found[name] = one[:]
    return found


def read_table(path: Path) -> Columns:
    """Columns as texts."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        csv.field_size_limit(1 << 24)
        first = file.readline()
        file.seek(0)
        separator = (
            "\t" if first.count("\t") > first.count(",") else ";" if first.count(";") > first.count(",") else ","
        )
        rows = csv.reader(file, delimiter=separator)
        heading = [name.strip() for name in next(rows, [])]
        columns: list[list[str]] = [[] for _ in heading]
        for number, row in enumerate(rows):
            if number >= MOST_ROWS:
                break
            if row:
                for column, cell in zip(columns, row + [""] * (len(heading) - len(row)), strict=False):
                    column.append(cell.strip())
    return dict(zip(heading, columns, strict=False))


def read_arrays(path: Path) -> Columns:
    """The arrays of an npy or npz file; what would have to be unpickled is left out."""
    import numpy as np

    if path.suffix.lower() == ".npy":
        return {"": np.load(path, mmap_mode="r", allow_pickle=False)}
    found: Columns = {}
    with np.load(path, allow_pickle=False) as archive:
        for name in archive.files:
            try:
                found[name] = archive[name]
            except ValueError:
                continue
    return found


def read(path: Path) -> Columns:
    """The columns of a file by their names, those without a name under ''. Raises whatever its reader does."""
    if path.suffix.lower() == ".gz":
        return read_packed(path)
    kind = READERS.get(path.suffix.lower())
    if kind is None or (path.stat().st_size > LARGEST_FILE and kind is not read_arrays):
        return {}
    return kind(path)


def read_packed(path: Path) -> Columns:
    """The columns of a file that gzip packed; none where it unpacks to more than is read."""
    kind = READERS.get(Path(path.stem).suffix.lower())
    if kind is None:
        return {}
    with tempfile.TemporaryDirectory() as folder, gzip.open(path) as packed:
        plain = Path(folder) / path.stem
        with plain.open("wb") as file:
            while piece := packed.read(1 << 20):
                file.write(piece)
                if file.tell() > LARGEST_PACKED:
                    return {}
        return kind(plain)


def is_known(name: str) -> bool:
    """Whether a file of this name can be read here, or is none that has data."""
    path = Path(name)
    suffix = (Path(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()
    return suffix in READERS or suffix in (".py", ".md", ".yaml", ".yml", ".sh", "")


def read_json(path: Path) -> Columns:
    """Columns of a JSON value."""
    return records_of(json.loads(path.read_bytes()))


def read_json_lines(path: Path) -> Columns:
    """Columns of a file with an object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return records_of([json.loads(line) for line in lines if line.strip()])


def read_lines(path: Path) -> Columns:
    """Lines that are not empty."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return {"": [line.strip() for line in lines if line.strip()]}


READERS: dict[str, Callable[[Path], Columns]] = {
    **dict.fromkeys((".npy", ".npz"), read_arrays),
    **dict.fromkeys((".csv", ".tsv", ".tab"), read_table),
    ".json": read_json,
    ".jsonl": read_json_lines,
    **dict.fromkeys((".fasta", ".fa", ".faa", ".fna"), read_fasta),
    **dict.fromkeys((".h5ad", ".h5", ".hdf5"), read_hdf5),
    **dict.fromkeys((".smi", ".smiles", ".txt"), read_lines),
}


class Data:
    """The files of an instance; each is read when it is asked for, once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not folder.is_dir():
            raise NoDataError(f"there is no folder DATA_DIR/{folder.name}")
        own = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        shared = sorted(path for path in folder.parent.glob("*") if path.is_file() and not path.is_symlink())
        self.paths = {str(path.relative_to(folder)): path for path in own[:MOST_FILES]}
        self.paths.update({path.name: path for path in shared[:MOST_FILES] if path.name not in self.paths})
        self.unreadable: dict[str, str] = {}
        self._read: dict[str, Columns] = {}

    def columns(self, name: str) -> Columns:
        """The columns of a file; none of one that cannot be read."""
        if name not in self._read:
            try:
                self._read[name] = read(self.paths[name])
            except ImportError:
                raise  # numpy or h5py is not here: that says nothing of the file
            except Exception as error:  # noqa: BLE001 -- a file that is not of its form is told where it was needed
                self.unreadable[name] = f"{type(error).__name__}: {str(error)[:200]}"
                self._read[name] = {}
        return self._read[name]

    def ranked(self, follows: Sequence[str] = ()) -> list[str]:
        """Files, those first that look like what is to be answered."""

        def rank(name: str) -> tuple[int, str]:
            base = name.rpartition("/")[2]
            asked = any(one in (name, base) or Path(one).stem == Path(base).stem for one in follows)
            return -4 * asked - 2 * bool(TO_ANSWER.search(base)) + 2 * bool(TO_LEARN.search(base)), name

        return sorted(self.paths, key=rank)

    def learned(self, column: str) -> list[Any]:
        """The values of a column wherever they are given, empty ones aside."""
        found: list[Any] = []
        for name in self.ranked()[::-1]:
            values = self.columns(name).get(column)
            if values is not None:
                found.extend(
                    one for one in list(values)[:MOST_ROWS] if one is not None and str(one) not in ("", "nan", "NaN")
                )
        return found
