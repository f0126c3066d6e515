"""Takes metrics' source, with all that it calls, as one text that stands alone.

A package's evaluator is not to need this project, and is not to hold a second, untested version of its
metrics. So the functions' own source is taken: the definitions that they reach, in an order in which each stands after
those that it uses, and the imports that these need, merged.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from nature_gym.errors import UsageError
from nature_gym.metrics.registry import find
from nature_gym.syntax import tree_of

PACKAGE = "nature_gym.metrics."
LARGEST_FILE = 100_000


@dataclass(frozen=True, slots=True)
class Source:
    """Source that stands alone: ``imports`` are lines, ``definitions`` what comes below them."""

    imports: tuple[str, ...]
    definitions: str

    @property
    def text(self) -> str:
        """As a module."""
        return "\n".join(["from __future__ import annotations", "", *self.imports, "", "", ""]) + self.definitions


@dataclass(frozen=True, slots=True)
class _Module:
    """What the top level of a module defines and imports."""

    definitions: dict[str, tuple[str, frozenset[str]]]
    """Name to its source and the names that stand in it."""
    imports: dict[str, tuple[str, str]]
    """Name to the module it is from and its name there; without one it is the module itself."""
    parameters: dict[str, tuple[str, ...]]
    """Function to the names of its parameters."""


@dataclass(slots=True)
class _Taken:
    own: dict[str, _Module] = field(default_factory=dict)
    """A task's own file, under its path."""
    origins: dict[str, str] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    imports: set[tuple[str, str, str]] = field(default_factory=set)


def take(names: Iterable[str]) -> Source:
    """The source of the metrics ``names`` (names or aliases), each once, in an order that depends on the set alone.

    Raises UsageError for a name that is no metric.
    """
    taken = _Taken()
    for metric in sorted({find(name).name: find(name) for name in names}.items()):
        _pull(metric[1].function.__module__, metric[0], taken)
    return _source(taken)


def _source(taken: _Taken) -> Source:
    return Source(tuple(_import_lines(taken.imports)), "\n\n".join(taken.parts))


def take_file(path: Path, name: str) -> Source:
    """The source of the function ``name`` in a task's own file, with all that it calls there and in this registry.

    The file is read and never run. It may import, and define functions, classes and constants; anything else at its top
    level would run when an evaluator is loaded. The function takes reference and prediction, as all metrics do. Raises
    UsageError where the file is not so.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UsageError(f"{path} is larger than {LARGEST_FILE} bytes.", hint="A metric is a small Python file.")
        known = _analysed(path.read_text(encoding="utf-8"), strict=True)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(
            f"{path} is no metric: {error}.", hint="It may import and define, and do nothing else."
        ) from error
    takes = known.parameters.get(name, ())
    if takes[:2] != ("reference", "prediction"):
        raise UsageError(
            f"{path} defines no function {name}(reference, prediction).",
            hint="Name the function as the metric is named.",
        )
    taken = _Taken(own={str(path): known})
    _pull(str(path), name, taken)
    return _source(taken)


def _pull(module: str, name: str, taken: _Taken) -> None:
    """Take the definition of ``name``, after those that it uses."""
    known = taken.own.get(module) or _read(module)
    if name in known.imports:
        origin, original = known.imports[name]
        if origin.startswith(PACKAGE):
            if original != name:
                raise ValueError(f"{module} takes {original} from {origin} under another name")
            _pull(origin, name, taken)
        else:
            taken.imports.add((origin, original, name))
        return
    if name not in known.definitions:
        return  # a builtin, a parameter, a local
    if name in taken.origins:
        if taken.origins[name] != module:
            raise ValueError(f"{name} is defined in {taken.origins[name]} and, otherwise, in {module}")
        return
    taken.origins[name] = module
    text, used = known.definitions[name]
    for other in sorted(used - {name}):
        _pull(module, other, taken)
    taken.parts.append(text)


@cache
def _read(module: str) -> _Module:
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ValueError(f"{module} has no source to take")
    return _analysed(Path(found.origin).read_text(encoding="utf-8"))


def _analysed(text: str, *, strict: bool = False) -> _Module:
    """What a module's text defines; a ``strict`` reader raises ValueError for statements that do something else."""
    read = _Module({}, {}, {})
    for node in tree_of(text).body:
        match node:
            case ast.Import():
                for alias in node.names:
                    read.imports[alias.asname or alias.name.partition(".")[0]] = (alias.name, "")
            case ast.ImportFrom() if node.module != "__future__":
                for alias in node.names:
                    read.imports[alias.asname or alias.name] = (node.module or "", alias.name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                read.definitions[name] = _definition(text, node)
                if isinstance(node, ast.FunctionDef):
                    read.parameters[name] = tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                read.definitions[name] = _definition(text, node)
            case ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                pass
            case _ if strict:
                raise ValueError(f"line {node.lineno} neither imports nor defines")
    return read


def _definition(text: str, node: ast.stmt) -> tuple[str, frozenset[str]]:
    lines = text.splitlines()
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(one.lineno for one in decorators)]) - 1
    source = "\n".join(lines[first : node.end_lineno]) + "\n"
    return source, frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _import_lines(imports: set[tuple[str, str, str]]) -> Iterable[str]:
    """Import statements, those of the standard library first, the names of one module on one line."""
    groups: tuple[list[str], list[str]] = ([], [])
    for module in sorted({module for module, _, _ in imports}):
        lines = groups[module.partition(".")[0] not in sys.stdlib_module_names]
        own = sorted((original, name) for origin, original, name in imports if origin == module)
        for _, name in (one for one in own if not one[0]):
            lines.append(f"import {module}" + ("" if name == module.partition(".")[0] else f" as {name}"))
        if single := [f"{one} as {name}" if one != name else one for one, name in own if one]:
            lines.append(f"from {module} import {', '.join(single)}")
    yield from groups[0]
    if all(groups):
        yield ""
    yield from groups[1]
