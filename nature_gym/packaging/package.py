"""A package as it lies on a disk: ours, or anyone's in the published format. Read, never run.

Every file is known by one walk, every text read and parsed once. What a package says of itself stands in several places
(metadata, documents, evaluator, folders); here each is read on its own, so that whoever compares them, as the checks
do, sees what each one says.

Threat: a package is anyone's. Links could lead out of it, FIFOs and devices never end, names need not be UTF-8, and a
text can be as large as a disk. So the walk follows no link, only regular files are opened (asked of the open file, not
of its name), texts beyond :data:`LARGEST_TEXT` are not read, and nothing is imported, unpickled or run.
"""

from __future__ import annotations

import ast
import json
import os
import stat
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Literal

from nature_gym.errors import UsageError
from nature_gym.packaging.drawn_tree import tree as drawn
from nature_gym.packaging.metadata import Metadata
from nature_gym.syntax import tree_of

__all__ = ["Metadata"]

README, DESCRIPTION = "problem/README.md", "problem/data_description.md"
EVALUATOR, METADATA = "evaluation/evaluator.py", "metadata.json"
DOCKERFILE, PACKAGES = "environment/Dockerfile.v3", "environment/packages.json"
REQUIRED = (README, DESCRIPTION, EVALUATOR, METADATA, DOCKERFILE, PACKAGES)
DATA, TRUTH = "problem/data", "evaluation/ground_truth"
LARGEST_TEXT = 4 << 20
LARGEST_DOCUMENT = 1 << 20
MOST_ENTRIES = 2_000_000
DEEPEST = 64
Kind = Literal["file", "folder", "link", "fifo", "socket", "device"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, a folder, or what is neither; ``size`` in bytes."""

    kind: Kind
    size: int


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the package, or why there is none."""

    content: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """A Python file: its tree, or where and why there is none."""

    tree: ast.Module | None
    text: str
    error: str = ""
    line: int = 1
    column: int = 1


class Package:
    """A package's folder. With ``instead`` it is the package as it would be with these texts (None: without them)."""

    def __init__(self, path: Path, *, instead: Mapping[str, bytes | None] | None = None) -> None:
        self.path = path
        self._instead = instead or {}
        self._texts: dict[str, Text] = {}
        self._codes: dict[str, Code] = {}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """All that is in the package, by its path below it, in an order that depends on the names alone."""
        found = dict(_walk(self.path))
        for name, content in self._instead.items():
            if content is not None:
                found[name] = Entry("file", len(content))
                continue
            for gone in [one for one in found if one == name or one.startswith(f"{name}/")]:
                del found[gone]
        return dict(sorted(found.items()))

    @cached_property
    def files(self) -> dict[str, int]:
        """Regular files with their sizes."""
        return {name: entry.size for name, entry in self.entries.items() if entry.kind == "file"}

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """The names in each folder ('' is the package itself)."""
        found: dict[str, list[str]] = {"": []}
        for name, entry in self.entries.items():
            folder, _, own = name.rpartition("/")
            found.setdefault(folder, []).append(own)
            if entry.kind == "folder":
                found.setdefault(name, [])
        return found

    def below(self, folder: str) -> Iterator[str]:
        """The regular files below a folder, by their paths in the package."""
        start = f"{folder}/"
        return (name for name in self.files if name.startswith(start))

    def instances(self, where: str = DATA) -> list[str]:
        """The instance folders below ``where``."""
        return [
            name
            for name in self.children.get(where, ())
            if self.entries[f"{where}/{name}"].kind == "folder" and not name.startswith((".", "__"))
        ]

    # -- texts -------------------------------------------------------------------------------

    def text(self, name: str) -> Text:
        """A text file; what is not UTF-8 in it is replaced."""
        if name not in self._texts:
            self._texts[name] = self._read(name)
        return self._texts[name]

    def _read(self, name: str) -> Text:
        entry = self.entries.get(name)
        if entry is None:
            return Text(missing="is missing")
        if entry.kind != "file":
            return Text(missing=f"is a {entry.kind}, not a file")
        if entry.size > (LARGEST_DOCUMENT if name.endswith((".md", ".py")) else LARGEST_TEXT):
            return Text(missing=f"has {entry.size:,} bytes, too many to be read as text")
        try:
            content = self._instead.get(name) or read_bytes(self.path / name, LARGEST_TEXT)
        except OSError as error:
            return Text(missing=f"cannot be read: {error.strerror}")
        return Text(content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n"))

    def code(self, name: str) -> Code:
        """A Python file, parsed and compiled, never run."""
        if name not in self._codes:
            self._codes[name] = parse(self.text(name).content)
        return self._codes[name]

    # -- what it says of itself --------------------------------------------------------------

    @cached_property
    def raw_metadata(self) -> Any:
        """``metadata.json`` as it is; None where it is no JSON."""
        return loads(self.text(METADATA).content)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """``metadata.json`` where it is an object, else empty."""
        return self.raw_metadata if isinstance(self.raw_metadata, dict) else {}

    @property
    def name(self) -> str:
        """The task's name, as metadata say it."""
        return str(self.metadata.get("task_name", ""))

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The constants of the evaluator that are plain values: INSTANCES, METRIC_NAMES and so on."""
        found: dict[str, Any] = {}
        tree = self.code(EVALUATOR).tree
        for node in tree.body if tree else ():
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                try:
                    found[target.id] = ast.literal_eval(value)
                except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                    continue
        return found

    def tree(self) -> str:
        """Its files as a tree."""
        return drawn({f"{self.path.name}/{name}": size for name, size in self.files.items()})

    def summary(self) -> dict[str, Any]:
        """What it is, for people and programs."""
        entries = self.metadata.get("performance_entries")
        return {
            "package": str(self.path),
            "task_name": self.name,
            "instances": self.instances(),
            "metrics": [
                {"instance": entry.get("dataset_name"), **{key: metric.get(key) for key in (
                    "name", "is_primary", "metric_direction", "sota_score", "baseline_score")}}
                for entry in _listed(entries) if isinstance(entry, dict)
                for metric in _listed(entry.get("metrics")) if isinstance(metric, dict)
            ],
            "files": len(self.files),
            "size": sum(self.files.values()),
        }  # fmt: skip


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def open_package(path: Path) -> Package:
    """The package at ``path``, or the only one in that folder. Raises UsageError where there is none."""
    if _is_package(path):
        return Package(path)
    inside = [one for one in sorted(path.iterdir()) if _is_package(one)] if path.is_dir() else []
    if len(inside) == 1:
        return Package(inside[0])
    names = ", ".join(one.name for one in inside[:6])
    hint = f"There are several: {names}." if inside else "A package is a folder with problem/ and evaluation/ in it."
    raise UsageError(f"There is no package at {path}.", hint=hint)


def _is_package(path: Path) -> bool:
    return (path / "problem").is_dir() and ((path / "evaluation").is_dir() or (path / METADATA).is_file())


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """A regular file to be read. Raises OSError for a link, a FIFO or a device in its place."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "not a regular file", str(path))
        yield file


def read_bytes(path: Path, limit: int) -> bytes:
    """At most ``limit`` bytes of a regular file. Raises OSError for a link, a FIFO or a device in its place."""
    with open_regular(path) as file:
        return file.read(limit)


def loads(text: str) -> Any:
    """The JSON value of a text; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def parse(text: str) -> Code:
    """Parse and compile a Python source; nothing of it is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = tree_of(text)
            compile(tree, "<package>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return Code(None, text, error.msg or "syntax error", error.lineno or 1, error.offset or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        return Code(None, text, str(error) or "is nested too deeply")
    return Code(tree, text)


def _walk(root: Path) -> Iterator[tuple[str, Entry]]:
    """Every entry below ``root``; links are told and not followed."""
    folders = [("", 0)]
    count = 0
    while folders:
        folder, depth = folders.pop()
        try:
            scan = os.scandir(root / folder)
        except OSError:
            continue
        with scan:
            for one in scan:
                count += 1
                if count > MOST_ENTRIES:
                    return
                name = f"{folder}/{one.name}" if folder else one.name
                try:
                    status = one.stat(follow_symlinks=False)
                except OSError:
                    continue
                kind = _kind(status.st_mode)
                yield name, Entry(kind, status.st_size)
                if kind == "folder" and depth < DEEPEST:
                    folders.append((name, depth + 1))


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISFIFO(mode):
        return "fifo"
    return "socket" if stat.S_ISSOCK(mode) else "device"
