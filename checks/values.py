"""The values that :mod:`checks.following` knows: plain ones of Python, paths with a root, and what is not known.

The idea: a path is a text that begins with a root which no program can write, so that joining, f-strings and
``os.path`` work on it as on any text. A part that is not known is the sign :data:`WILD` in it.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ROOT = "\ue000"
PACKAGE, OUTPUT = f"{ROOT}package", f"{ROOT}output"
TRUTH_ROOT, DATA_ROOT = f"{PACKAGE}/evaluation/ground_truth", f"{PACKAGE}/problem/data"
WILD = "\ue001"
LONGEST = 4096
MOST = 5000
MOST_ALTERNATIVES = 64
OUTPUT_WORDS = re.compile(
    r"(^|_)(outputs?|out|preds?|predictions?|subm\w*)(_?(dir|path|folder|root|base))?$", re.IGNORECASE
)
TRUTH_WORDS = re.compile(r"(^|_)(gt|ground_?truth|truth|references?)(_?(dir|path|folder|root|base))?$", re.IGNORECASE)
DATA_WORDS = re.compile(r"(^|_)data(_?(dir|path|folder|root|base))$", re.IGNORECASE)


class Unknown:
    """What is not known."""

    def __repr__(self) -> str:
        return "?"


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Either:
    """One of several values."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Dotted:
    """A module, or what is in one, by its full name."""

    name: str


@dataclass(slots=True)
class Function:
    """A function of the source, with the names around it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    around: Any
    owner: Any = None
    defaults: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that was opened, or its content as it stands there."""

    path: str


class Filling(dict[Any, Any]):
    """A mapping that makes an entry when one is asked for that it has not, as ``collections.defaultdict`` does."""

    def __init__(self, factory: Any) -> None:
        super().__init__()
        self.factory = factory


@dataclass(frozen=True, slots=True)
class Partial:
    """A function with its first arguments."""

    function: Any
    given: tuple[Any, ...]
    keywords: dict[str, Any]


@dataclass(slots=True)
class Class:
    """A class of the source; ``fields`` are its annotated names, in order, ``items`` the members of an enumeration."""

    name: str
    members: dict[str, Any]
    fields: list[str]
    bases: tuple[Class, ...] = ()
    items: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Instance:
    """An object of a class of the source."""

    of: Class
    attributes: dict[str, Any] = field(default_factory=dict)


def either(values: list[Any]) -> Any:
    """Alternatives as one value."""
    flat: list[Any] = []
    for value in values:
        for one in value.values if isinstance(value, Either) else (value,):
            if not any(one is known or (type(one) is type(known) and _equal(one, known)) for known in flat):
                flat.append(one)
    known = [one for one in flat if one is not UNKNOWN]
    if not known or len(known) > MOST_ALTERNATIVES:
        return UNKNOWN
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def _equal(one: Any, other: Any) -> bool:
    """Whether two plain values are equal; containers are compared by what they are, which costs nothing."""
    return isinstance(one, str | int | float | bool | type(None) | Dotted) and bool(one == other)


def alternatives(value: Any) -> tuple[Any, ...]:
    """A value as its alternatives."""
    return value.values if isinstance(value, Either) else (value,)


def put(holder: dict[Any, Any], key: Any, value: Any, *, perhaps: bool = False) -> None:
    """Set an entry of a mapping, or ``perhaps``: then what it was is an alternative.

    Under a key that is not known it may be any, which :data:`WILD` stands for.
    """
    if len(holder) >= MOST:
        return
    known = isinstance(key, str | int | float | bool) or (isinstance(key, tuple) and _plain(key))
    key = key if known else WILD
    holder[key] = either([holder[key], value]) if key in holder and (perhaps or not known) else value


def got(holder: dict[Any, Any], key: Any, default: Any) -> Any:
    """An entry of a mapping by a key that is known."""
    return holder[key] if key in holder else holder.get(WILD, default)


def _plain(values: tuple[Any, ...]) -> bool:
    return all(isinstance(one, str | int | float | bool) for one in values)


def is_path(value: Any) -> bool:
    """Whether a value is a path with a root."""
    return isinstance(value, str) and value.startswith(ROOT)


def join(*parts: Any) -> Any:
    """Paths joined; a part that is not known is any one name."""
    found = [""]
    for part in parts:
        ends = [one if isinstance(one, str) else WILD for one in alternatives(part)]
        found = [_joined(start, end) for start in found for end in ends][:MOST_ALTERNATIVES]
    return either(list(found))


def _joined(start: str, end: str) -> str:
    if end.startswith((ROOT, "/")) or not start:
        return posixpath.normpath(end) if end else start
    return posixpath.normpath(f"{start}/{end}")[:LONGEST]


def placed(path: str) -> str:
    """A path as a place in the package ('evaluation/...') or of the answers ('output/...'); '' where it is neither."""
    parts = [part for part in path.split("/") if part]
    if "ground_truth" in parts:
        return "/".join(("evaluation", *parts[parts.index("ground_truth") :]))
    if path.startswith(f"{PACKAGE}/"):
        return path[len(PACKAGE) + 1 :]
    if path.startswith(OUTPUT):
        return f"output{path[len(OUTPUT) :]}"
    if not path.startswith(ROOT) and parts and parts[0] in ("output", "outputs"):
        return "/".join(("output", *parts[1:]))
    return ""


def matching(path: str, names: Any) -> Iterator[str]:
    """The names that a place may mean: itself, or those that fit where a part is not known."""
    if WILD not in path and not any(sign in path for sign in "*?["):
        if path in names:
            yield path
        return
    pattern = re.compile(
        "/".join(fnmatch.translate(part.replace(WILD, "*"))[4:-3].replace(".*", "[^/]*") for part in path.split("/"))
    )
    yield from (name for name in names if pattern.fullmatch(name))


def named(name: str) -> Any:
    """What a parameter or an option of that name most likely is."""
    if OUTPUT_WORDS.search(name):
        return OUTPUT
    if TRUTH_WORDS.search(name):
        return TRUTH_ROOT
    return DATA_ROOT if DATA_WORDS.search(name) else UNKNOWN
