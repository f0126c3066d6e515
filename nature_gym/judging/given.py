"""What a package gives and keeps back, as a judge needs it: which files are to learn from, which items answers are
asked for, and what the answers should be.

Files are told apart by what the data description says of them in our words, else by the fields it marks as TARGET, else
by their names. A file of which nothing can be told counts as one to learn from: the benefit of the doubt.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import numpy as np

from nature_gym.baseline.asked import asked_files, instances_of
from nature_gym.digests import digest_file
from nature_gym.packaging.package import DATA, DESCRIPTION, README, TRUTH, Package

Role = Literal["train", "test", "code", "resource"]
LARGEST_VALUES = 64 << 20
"""Bytes of a file whose values or digest are looked at."""
MOST_IDS = 200_000
MOST_VALUES = 2_000_000
_SAID: tuple[tuple[str, Role], ...] = (
    (r"Development data", "train"), (r"Evaluation inputs", "test"), (r"code that scores an answer", "code"),
    (r"external resource", "resource"),
)  # fmt: skip
_TRAIN = re.compile(
    r"train|(?<![a-z])dev|(?<![a-z])val(?:id)?(?![a-z])|librar|histor|labell?ed|fit(?![a-z])", re.IGNORECASE
)
_TEST = re.compile(r"test|eval|quer|unlabell?ed|holdout|predict|targets?(?![a-z])", re.IGNORECASE)
_PLAIN = re.compile(r"codebook|readme|licen|schema|vocab|dictionary|config|meta(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Given:
    """``roles``: file name or path below an instance -> role. ``ids`` are those of test items, where they have any.

    ``rows`` are the counts of answers that are asked for. ``truth`` are numbers by file of the reference, in order;
    ``digests`` and ``data_digests`` name reference and data files by SHA-256 -> path.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    instances: tuple[str, ...] = ()
    asked: frozenset[str] = frozenset()
    id_columns: frozenset[str] = frozenset()
    target_columns: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    rows: frozenset[int] = frozenset()
    truth: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    data_digests: Mapping[str, str] = field(default_factory=dict)
    modules: frozenset[str] = frozenset()

    @property
    def has_training(self) -> bool:
        """Whether there is anything to learn from."""
        return "train" in self.roles.values()

    def role(self, text: str) -> Role | None:
        """The role of the data file that a piece of a path names."""
        name = text.strip().lstrip("./")
        if name in self.roles:
            return self.roles[name]
        return self.roles.get(PurePosixPath(name).name) if name else None


def given_of(package: Package) -> Given:
    """What ``package`` gives and keeps back. Nothing of it is run; what cannot be read is left out."""
    readme = package.text(README).content
    asked = asked_files(readme)
    roles = _roles(package, {PurePosixPath(one.file).name for one in asked})
    ids = {one.id for one in asked if one.id} | _id_columns(package.text(DESCRIPTION).content)
    columns = {column.name for one in asked for column in one.columns} - ids
    truth = {name: values for name, values in _truth(package) if values.size}
    keys = set(_ids(package, ids))
    rows = {one.rows for one in asked if one.rows} | {len(values) for values in truth.values()}
    return Given(
        roles=roles,
        instances=tuple(instances_of(readme) or package.instances()),
        asked=frozenset(PurePosixPath(one.file).name for one in asked),
        id_columns=frozenset(ids),
        target_columns=frozenset(columns),
        ids=frozenset(keys),
        rows=frozenset(rows),
        truth=truth,
        digests=_digests(package, TRUTH),
        data_digests=_digests(package, DATA),
        modules=frozenset(_modules(roles)),
    )


# -- roles -----------------------------------------------------------------------------------


def _roles(package: Package, asked: set[str]) -> dict[str, Role]:
    files = [PurePosixPath(name).relative_to(DATA) for name in package.below(DATA)]
    said = dict(_said(package.text(DESCRIPTION).content))
    found: dict[str, Role] = {}
    for path in files:
        below = PurePosixPath(*path.parts[1:]) if len(path.parts) > 1 else path
        known = said.get(below.as_posix()) or said.get(below.name)
        role: Role = "code" if below.suffix == ".py" else known or _guessed(below)
        found[below.as_posix()] = found[path.as_posix()] = role
        found.setdefault(below.name, role)
    for name in asked & found.keys():  # an answer is called like a data file: its name says nothing
        del found[name]
    if "train" not in found.values() and not said:
        unknown = [name for name in found if not _TEST.search(name) and not _PLAIN.search(name)]
        found |= dict.fromkeys((name for name in unknown if found[name] != "code"), "train")
    return found


def _guessed(path: PurePosixPath) -> Role:
    name = path.as_posix()
    if _TRAIN.search(name):
        return "train"
    if _TEST.search(name):
        return "test"
    return "resource" if _PLAIN.search(name) else "train"


def _said(description: str) -> Iterator[tuple[str, Role]]:
    """File -> role, as the data description's subsections say it."""
    for section in re.split(r"^### ", description, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        names = re.findall(r"`([^`]+)`", heading)
        role = next((role for pattern, role in _SAID if re.search(pattern, text)), None)
        if role is None and re.search(r"\|\s*TARGET\s*\|", text):
            role = "train"
        if role is not None:
            yield from ((name, role) for name in names)
            yield from ((name, role) for name in re.findall(r"^\|[^|\n]*\|\s*`([^`]+)`", text, re.MULTILINE))


def _id_columns(description: str) -> set[str]:
    return set(re.findall(r"^\|\s*`([^`]+)`\s*\|\s*ID\s*\|", description, re.MULTILINE))


def _modules(roles: Mapping[str, Role]) -> Iterator[str]:
    """Names by which the code of a package can be imported."""
    for name, role in roles.items():
        if role == "code":
            path = PurePosixPath(name)
            yield from (part for part in (*path.parts[:-1], path.stem) if part.isidentifier() and part != "__init__")


# -- values ----------------------------------------------------------------------------------


def _truth(package: Package) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    for name in package.below(TRUTH):
        if package.files[name] <= LARGEST_VALUES:
            with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, RecursionError):
                for key, values in read_numbers(package.path / name):
                    yield f"{name}{key}", values


def _ids(package: Package, columns: Iterable[str]) -> Iterator[str]:
    """The ids in the reference, and in the inputs of tables."""
    wanted = set(columns)
    count = 0
    for folder in (TRUTH, DATA):
        for name in package.below(folder):
            path = PurePosixPath(name)
            test = folder == TRUTH or bool(_TEST.search(path.name))
            if not test or path.suffix not in (".csv", ".tsv") or package.files[name] > LARGEST_VALUES:
                continue
            for row in _rows(package.path / name):
                for column in wanted & row.keys():
                    if row[column] and count < MOST_IDS:
                        count += 1
                        yield str(row[column])


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file, suppress(csv.Error):
        yield from csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")


def _digests(package: Package, folder: str) -> dict[str, str]:
    found = {}
    for name in package.below(folder):
        if 0 < package.files[name] <= LARGEST_VALUES:
            with suppress(OSError):
                found[digest_file(package.path / name).removeprefix("sha256:")] = name
    return found


def read_numbers(path: Path, name: str = "") -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """The numbers of a file, a flat array a column or key, with what to call it. Pickles are never loaded.

    ``name`` says the format where the path does not. Raises OSError, and ValueError for what is not what its name says.
    """
    suffix = PurePosixPath(name or path.name).suffix.lower()
    if suffix in (".csv", ".tsv"):
        columns: dict[str, list[str]] = {}
        content = path.read_text(encoding="utf-8-sig", errors="replace")
        for row in csv.DictReader(io.StringIO(content), delimiter="\t" if suffix == ".tsv" else ","):
            for key, value in row.items():
                if isinstance(key, str):
                    columns.setdefault(key, []).append(value or "")
        for key, texts in columns.items():
            yield f":{key}", _floats(texts)
    elif suffix == ".npy":
        yield "", _flat(np.load(path, allow_pickle=False))
    elif suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            for key in arrays.files:
                yield f":{key}", _flat(arrays[key])
    elif suffix == ".json":
        yield "", _floats(_leaves(json.loads(path.read_bytes())))
    elif suffix == ".txt":
        yield "", _floats(path.read_text(encoding="utf-8", errors="replace").split())


def _flat(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if values.size > MOST_VALUES or values.dtype.kind not in "fiub":
        return np.empty(0)
    return values.ravel().astype(np.float64)


def _floats(values: Iterable[Any]) -> np.ndarray[Any, Any]:
    """As numbers; empty where most are none."""
    found, others = [], 0
    for value in values:
        try:
            found.append(float(value))
        except (TypeError, ValueError):
            others += 1
    return np.array(found) if len(found) > others else np.empty(0)


def _leaves(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack.extend(reversed(list(one.values())))
        elif isinstance(one, list):
            stack.extend(reversed(one))
        elif isinstance(one, int | float) and not isinstance(one, bool):
            yield one


def literal(node: ast.expr) -> Any:
    """A literal's value, None where it is none."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
