"""The sources of an attempt as one program: parsed, never run.

Python files, the code cells of notebooks, and programs that an agent gave to the interpreter in its shell, which leave
no file behind and stand in the trajectory alone.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from nature_gym.agents.events import Event
from nature_gym.syntax import tree_of

MOST_NODES = 120_000
"""Some 20 s to trace at worst; an agent's programs have a few thousand."""
_HERE = re.compile(r"python[\d.]*\b[^\n]{0,200}<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n(.*?)\n\s*\1\b", re.DOTALL)
_INLINE = re.compile(r"python[\d.]*\s+-c\s+(?:'([^']{20,})'|\"((?:[^\"\\]|\\.){20,})\")", re.DOTALL)
_OTHERS = frozenset({".r", ".jl", ".m", ".c", ".cpp", ".cc", ".f90", ".rs", ".go", ".js", ".java", ".pl", ".sh"})
"""Programs in languages that are not read here."""


@dataclass(frozen=True, slots=True)
class Module:
    """One file's code. ``name`` is what it is imported by."""

    file: str
    name: str
    tree: ast.Module
    lines: tuple[str, ...]

    def line(self, number: int) -> str:
        """A line's text, cut."""
        return self.lines[number - 1].strip()[:300] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True, slots=True)
class Program:
    """``modules`` by file; ``broken``: file -> why it is no Python; ``others``: programs in other languages."""

    modules: Mapping[str, Module] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()


def parsed(texts: Mapping[str, str], *, skip: Iterable[str] = (), first: Iterable[str] = ()) -> Program:
    """The program that a workspace's texts make; ``skip`` is left out, ``first`` read before what may be too much."""
    modules: dict[str, Module] = {}
    broken: dict[str, str] = {}
    others = []
    left = MOST_NODES
    early = set(first)
    for file in sorted(texts.keys() - set(skip), key=lambda name: (name not in early, len(texts[name]), name)):
        suffix = PurePosixPath(file).suffix.lower()
        if suffix in _OTHERS:
            others.append(file)
        text = _cells(texts[file]) if suffix == ".ipynb" else texts[file] if suffix == ".py" else None
        if text is None:
            continue
        tree = _tree(text)
        if isinstance(tree, str):
            broken[file] = tree
            continue
        left -= sum(1 for _ in ast.walk(tree))
        if left < 0:
            broken[file] = "beyond what is read"
            continue
        modules[file] = Module(file, PurePosixPath(file).stem, tree, tuple(text.split("\n")))
    return Program(modules, broken, tuple(others))


def from_shell(events: Iterable[Event]) -> Program:
    """Programs that the agent gave to Python in its shell, in their order."""
    modules: dict[str, Module] = {}
    for number, event in enumerate(events):
        if event.kind != "tool_call":
            continue
        for text in _shell_programs(_plain(event.text)):
            tree = _tree(text)
            if isinstance(tree, ast.Module) and len(modules) < 200:
                name = f"trajectory.jsonl#{number + 1}"
                modules[name] = Module(name, f"shell_{number}", tree, tuple(text.split("\n")))
    return Program(modules)


def _plain(text: str) -> str:
    """A call's text; where it is JSON, all its strings."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return "\n".join(_strings(value))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _shell_programs(text: str) -> Iterator[str]:
    for match in _HERE.finditer(text):
        yield match[2]
    for match in _INLINE.finditer(text):
        yield match[1] or match[2].replace('\\"', '"')


def _cells(text: str) -> str:
    """The code of a notebook, magics left out."""
    try:
        cells = json.loads(text).get("cells", [])
        sources = ["".join(one.get("source", [])) for one in cells if one.get("cell_type") == "code"]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return "("
    return "\n".join(re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE) for source in sources)


def _tree(text: str) -> ast.Module | str:
    """The tree, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tree_of(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "is nested too deeply"
