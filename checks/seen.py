"""X1 and X2: answers that can be seen, and test samples that can be learnt by heart.

The idea: numbers of some precision are like fingerprints. What the references hold of such numbers is looked for in
all that can be read out of the visible files: as text, and as 4 or 8 bytes wherever they begin, in archives and packed
files as well. Samples are compared by their rows, whatever their order.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import numpy.typing as npt

from checks.facts import output_section
from checks.model import Finding
from checks.package import DATA, README, TRUTH, CheckedPackage
from checks.registry import Skip, check
from checks.unpacked import content_of, suffix_of
from nature_gym.errors import NatureGymError
from nature_gym.packaging.firewall import visible_bytes

TABLES = (".csv", ".tsv")
LARGEST_REFERENCE = 64 << 20
LARGEST_VISIBLE = 512 << 20
LARGEST_TABLE = 64 << 20
MOST_SOUGHT = 4000
FEWEST, SHARE = 5, 0.2
NUMBER = re.compile(rb"-?\d+\.\d{3,17}(?:[eE][-+]?\d{1,3})?")
TEST = re.compile(r"(?:^|[_-])(?:test|eval|query|input|inputs|heldout)(?:[_.-]|$)", re.IGNORECASE)
DEVELOPMENT = re.compile(
    r"(?:^|[_-])(?:train|training|dev|val|valid|validation|reference|labelled)(?:[_.-]|$)", re.IGNORECASE
)
IDENTIFIER = re.compile(r"(?:^|[_ ])(?:id|ids|index|name|row|uuid|barcode)$|^unnamed|^$", re.IGNORECASE)
Values = npt.NDArray[np.float64]


@check("X1", reads=(README,))
def hidden_values(package: CheckedPackage) -> Iterator[Finding]:
    """Numbers of the references do not stand in what an agent can see, archives and packed files included.

    Looked for are numbers with four or more digits, as text and in binary. Columns that a visible test table has as
    well are inputs or ids, and left out unless section 5 asks for them. Instances that task.yaml scores by an oracle
    may show what they are scored by.

    Passes: labels that stand in evaluation/ground_truth alone.
    Fails: a column "response" in test.csv; the array of labels in problem/data/a/all.npz.
    Mend: take them out, and see how they came there.
    """
    oracles = _oracles(package)
    looked = False
    left = LARGEST_VISIBLE
    for instance in package.instances(TRUTH):
        if instance in oracles:
            continue
        sought = _references(package, instance)
        if len(sought) < FEWEST:
            continue
        looked = True
        for name in package.below(f"{DATA}/{instance}"):
            left -= package.files[name]
            if left < 0:
                message = f"more than {LARGEST_VISIBLE >> 20} MiB are visible; the rest was not looked at"
                yield Finding(file=name, message=message, level="warn")
                return
            found = _seen(package.path / name, sought)
            if found >= max(FEWEST, SHARE * len(sought)):
                message = f"holds {found} of {len(sought)} numbers of the references of {instance!r}"
                yield Finding(file=name, message=message, hint="An agent can read the answers there.")
    if not looked:
        raise Skip("the references have no numbers by which they could be known")


def _oracles(package: CheckedPackage) -> set[str]:
    import yaml

    try:
        task = yaml.safe_load(package.text("task.yaml").content)
    except (yaml.YAMLError, ValueError, RecursionError):
        return set()
    listed = task.get("instances") if isinstance(task, dict) else None
    return {
        str(one.get("name"))
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and isinstance(one.get("reference"), dict) and one["reference"].get("kind") == "oracle"
    }


def _references(package: CheckedPackage, instance: str) -> Values:
    """Numbers by which the references of an instance are known, sorted, some thousand of them at most."""
    known = _columns_of_inputs(package, instance)
    found = [np.empty(0)]
    for name in package.below(f"{TRUTH}/{instance}"):
        if package.files[name] <= LARGEST_REFERENCE:
            found += _numbers(package.path / name, known)
    values = np.unique(np.concatenate(found))
    values = values[_telling(values)]
    return values[:: max(1, len(values) // MOST_SOUGHT)]


def _telling(values: Values) -> npt.NDArray[np.bool_]:
    """Which values have four digits or more, so that they hardly come about twice by chance."""
    with np.errstate(all="ignore"):
        scale = 10.0 ** (3 - np.floor(np.log10(np.abs(values))))
        rounded = np.round(values * scale / 10) * 10 / scale
        telling = np.isfinite(values) & (values != 0) & (np.abs(rounded - values) > 1e-9 * np.abs(values))
    return np.asarray(telling & (values != np.floor(values)))


def _columns_of_inputs(package: CheckedPackage, instance: str) -> set[str]:
    """Columns of visible test tables that section 5 does not ask for."""
    section = output_section(package.document(README))
    asked = "\n".join(package.document(README).within(section)) if section else ""
    found: set[str] = set()
    for name in package.below(f"{DATA}/{instance}"):
        if TEST.search(PurePosixPath(name).stem) and suffix_of(name) in TABLES:
            header = next(_rows(package.path / name), [])
            found |= {one for one in header if not re.search(rf"(?<!\w){re.escape(one)}(?!\w)", asked)}
    return found


def _numbers(path: Path, without: set[str]) -> Iterator[Values]:
    """The numbers of a reference: of arrays, of columns of tables, of JSON and text. What cannot be read gives none."""
    suffix = suffix_of(path.name)
    try:
        content = content_of(path, LARGEST_REFERENCE)
        if suffix in (".npy", ".npz"):
            loaded = np.load(io.BytesIO(content), allow_pickle=False)
            for array in [loaded] if suffix == ".npy" else [loaded[key] for key in loaded.files]:
                if np.issubdtype(array.dtype, np.floating):
                    yield array.astype(np.float64).ravel()
            return
    except (OSError, ValueError, KeyError, EOFError, MemoryError):
        return
    if suffix in TABLES:
        rows = _rows(path)
        keep = [place for place, one in enumerate(next(rows, [])) if one not in without]
        content = "\n".join(row[place] for row in rows for place in keep if place < len(row)).encode()
    if suffix in (*TABLES, ".json", ".jsonl", ".txt"):
        yield _parsed(content)


def _parsed(content: bytes) -> Values:
    return np.asarray([float(one) for one in NUMBER.findall(content)], dtype=np.float64)


def _rows(path: Path) -> Iterator[list[str]]:
    """The rows of a table of text, within bounds."""
    try:
        text = content_of(path, LARGEST_TABLE).decode("utf-8", errors="replace").replace("\0", "")
        yield from csv.reader(io.StringIO(text), delimiter="\t" if suffix_of(path.name) == ".tsv" else ",")
    except (OSError, csv.Error):
        return


def _seen(path: Path, sought: Values) -> int:
    """How many of the numbers stand in a visible file, in whatever way they are written."""
    seen = np.zeros(len(sought), dtype=bool)
    singles = sought.astype(np.float32)
    order = np.argsort(singles)
    try:
        for piece, _ in visible_bytes(path, path.name):
            _mark(seen, sought, _parsed(piece.data))
            for shift in range(8):
                _mark(
                    seen, sought, np.frombuffer(piece.data[shift : shift + (len(piece.data) - shift) // 8 * 8], "<f8")
                )
                if shift < 4:
                    data = piece.data[shift : shift + (len(piece.data) - shift) // 4 * 4]
                    _mark(seen, singles, np.frombuffer(data, "<f4"), order)
            if seen.all():
                break
    except (OSError, NatureGymError, RuntimeError, ValueError, MemoryError):
        pass  # what cannot be unpacked hides nothing that could be read
    return int(seen.sum())


def _mark(seen: npt.NDArray[np.bool_], sought: Any, there: Any, order: Any = None) -> None:
    if not len(there):
        return
    places = np.searchsorted(sought, there, sorter=order)
    inside = places < len(sought)
    indices = places[inside] if order is None else order[places[inside]]
    seen[indices[sought[indices] == there[inside]]] = True


@check("X2")
def duplicated_samples(package: CheckedPackage) -> Iterator[Finding]:
    """Samples of the test data do not stand in the development data of the same instance.

    Rows of tables and of arrays are compared; columns of ids aside, by the columns that both tables have. Tables whose
    rows are mostly alike within themselves tell nothing. Which file is which is read from its name.

    Passes: train.csv and test.csv without a common row.
    Warns: 12 of 100 rows of test.csv stand in train.csv, too.
    Mend: split anew by groups of equal samples, or say in Special Notes that the paper's split has them.
    """
    compared = False
    for instance in package.instances(DATA):
        names = [name for name in package.below(f"{DATA}/{instance}") if package.files[name] <= LARGEST_TABLE]
        tests = [name for name in names if TEST.search(PurePosixPath(name).stem)]
        others = [name for name in names if DEVELOPMENT.search(PurePosixPath(name).stem) and name not in tests]
        for test in tests:
            for other in others:
                if suffix_of(test) != suffix_of(other):
                    continue
                pair = _samples(package.path / test, package.path / other)
                if pair is None:
                    continue
                compared = True
                samples, known = pair
                same = [place for place, one in enumerate(samples) if one in known]
                if same:
                    message = f"{len(same)} of {len(samples)} samples stand in {PurePosixPath(other).name}, too"
                    line = same[0] + 2 if suffix_of(test) in TABLES else 1
                    yield Finding(file=test, line=line, message=message, level="warn", hint="Leave them out of one.")
    if not compared:
        raise Skip("no test data stand beside development data of the same form")


def _samples(test: Path, other: Path) -> tuple[list[Any], set[Any]] | None:
    """The rows of two files that can be compared: those of the first, and the set of the second; None where not."""
    if suffix_of(test.name) in TABLES:
        ours, theirs = list(_rows(test)), list(_rows(other))
        if not ours or not theirs:
            return None
        common = [one for one in ours[0] if one in theirs[0] and not IDENTIFIER.search(one)]
        rows, known = _picked(ours, common), set(_picked(theirs, common))
    elif suffix_of(test.name) == ".npy":
        try:
            arrays = [np.load(io.BytesIO(content_of(one, LARGEST_TABLE)), allow_pickle=False) for one in (test, other)]
        except (OSError, ValueError, EOFError, MemoryError):
            return None
        if any(one.ndim < 2 for one in arrays) or arrays[0].shape[1:] != arrays[1].shape[1:]:
            return None
        rows, known = [one.tobytes() for one in arrays[0]], {one.tobytes() for one in arrays[1]}
    else:
        return None
    return (rows, known) if rows and len(set(rows)) >= 0.9 * len(rows) else None


def _picked(rows: list[list[str]], columns: list[str]) -> list[Any]:
    places = [rows[0].index(one) for one in columns]
    return [tuple(row[place] for place in places) for row in rows[1:] if len(row) == len(rows[0])] if places else []
