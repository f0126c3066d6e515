"""Uses of what libraries had once and have no more, in the versions that were chosen.

The one idea: names are followed from the import that binds them (``import numpy as np`` ... ``np.float``), and looked
up in a table of what went, with the version without it. Methods are looked up where a value is known to be a table or
an array (:mod:`nature_gym.environment.kinds`); a few names are so plain that they need no such knowledge. What a
program does if the attribute is missing (``try`` with an ``except AttributeError``) is its own affair; a handler of any
exception only hides that it fails.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from nature_gym.environment.imports import parsed
from nature_gym.environment.kinds import Kinds, bound_names, dotted_name
from nature_gym.environment.removed_names import ARGUMENTS, METHODS, PLAIN_METHODS, TABLE, Gone


@dataclass(frozen=True, slots=True)
class Use:
    """One use, where it stands."""

    file: str
    line: int
    name: str
    gone: Gone
    version: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def told(self) -> str:
        instead = f"; {self.gone.instead} is there" if self.gone.instead else ""
        return f"{self.name} went in {self.gone.distribution} {self.gone.since}, and here is {self.version}{instead}"


_FORGIVING = {"AttributeError", "ImportError", "ModuleNotFoundError"}


def removed_uses(sources: Mapping[str, str], versions: Mapping[str, str]) -> Iterator[Use]:
    """Uses in ``sources`` (path -> text) of what is not in ``versions`` (distribution, or ``python`` -> version)."""
    for file, text in sorted(sources.items()):
        tree = parsed(text)
        if tree is None:
            continue
        seen: set[tuple[int, str]] = set()
        for line, name, gone in sorted(_gone_names(tree), key=lambda one: one[:2]):
            version = versions.get(gone.distribution)
            if version is not None and gone.is_gone(version) and (line, name) not in seen:
                seen.add((line, name))
                yield Use(file, line, name, gone, version)


def _gone_names(tree: ast.Module) -> Iterator[tuple[int, str, Gone]]:
    """Names of the table that a source uses, whatever the version."""
    bound = bound_names(tree)
    libraries = {name.partition(".")[0] for name in bound.values()}
    kinds = cache(lambda: Kinds(tree, bound))  # most sources have no attribute that needs them
    for node in _unguarded(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            dotted = dotted_name(node, bound)
            names = [dotted] if dotted else []
            if not dotted and (gone := _gone_method(node, libraries, kinds)):
                yield node.lineno, f".{node.attr}", gone
        elif isinstance(node, ast.Call):
            arguments = ARGUMENTS.get(dotted_name(node.func, bound) or "", {})
            for one in node.keywords:
                if one.arg in arguments:
                    yield one.value.lineno, f"{ast.unparse(node.func)}({one.arg}=)", arguments[one.arg]
        for name in names:
            if hit := _hit(name):
                yield node.lineno, hit, TABLE[hit]  # type: ignore[attr-defined] # of those three


def _gone_method(node: ast.Attribute, libraries: set[str], kinds: Callable[[], Kinds]) -> Gone | None:
    """What became of a method, by the kind of the value that it is of, or by its name alone."""
    library, gone = PLAIN_METHODS.get(node.attr, ("", None))
    if gone is not None and library in libraries:
        return gone
    sides = [side for side, methods in METHODS.items() if node.attr in methods]
    kind = kinds().of(node.value) if sides and libraries & {"pandas", "numpy"} else None
    side = "array" if kind == "array" else "table"
    return METHODS[side][node.attr] if kind is not None and side in sides else None


def _hit(name: str) -> str | None:
    """The entry of the table that a dotted name is, or lies in."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(2, len(parts) + 1))
    return next((prefix for prefix in prefixes if prefix in TABLE), None)


def _unguarded(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those in a ``try`` that handles the lack of an attribute."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.Try) and any(_forgives(handler) for handler in node.handlers):
            todo += [*node.orelse, *node.finalbody]
        else:
            todo += ast.iter_child_nodes(node)


def _forgives(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in _FORGIVING for kind in kinds)
