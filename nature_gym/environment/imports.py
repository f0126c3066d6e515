"""What Python sources import, read from their syntax trees.

The one idea: three things are set aside and told apart from what must be there: the standard library of Python 3.11,
modules that lie beside the source, and what the source itself can do without (imports in a ``try`` that handles their
failure, imports for type checkers alone).
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from nature_gym.environment.names import is_known
from nature_gym.syntax import tree_of

LARGEST_SOURCE = 4 << 20
LATER = frozenset({"annotationlib", "compression"})
"""In the standard library only after Python 3.11."""
EARLIER = frozenset({
    "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils", "imghdr", "imp",
    "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes", "sndhdr", "smtpd", "spwd", "sunau",
    "telnetlib", "uu", "xdrlib",
})  # fmt: skip
"""In the standard library of Python 3.11, and gone since: the answer is the same whatever Python we run on."""
STANDARD = (sys.stdlib_module_names | EARLIER) - LATER
_FORGIVING = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(frozen=True, slots=True, order=True)
class Imported:
    """One import: the dotted module, where it stands, and whether the source can do without."""

    module: str
    file: str
    line: int
    optional: bool = False

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Imports:
    """The imports of a tree of sources that are neither its own nor the standard library's; and what is no Python 3."""

    needed: tuple[Imported, ...]
    optional: tuple[Imported, ...]
    local: tuple[str, ...]
    unreadable: tuple[str, ...]


def imports(sources: Mapping[str, str]) -> Imports:
    """What ``sources`` (path with slashes -> text) need from elsewhere, each module once a file."""
    tree = _Tree(sources)
    found: set[Imported] = set()
    local: set[str] = set()
    unreadable = []
    for file, text in sorted(sources.items()):
        each = parsed(text)
        if each is None:
            unreadable.append(file)
            continue
        for one in imports_of(each, file):
            if one.top in STANDARD:
                continue
            if tree.holds(one):
                local.add(one.top)
            else:
                found.add(one)
    needed = _first_places(one for one in found if not one.optional)
    tops = {one.top for one in needed}
    optional = _first_places(one for one in found if one.optional and one.top not in tops)
    return Imports(needed, optional, tuple(sorted(local)), tuple(unreadable))


def parsed(text: str) -> ast.Module | None:
    """The tree of a source; None where it is no Python 3, or too large or too deep to be read."""
    if len(text) > LARGEST_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # their escapes and comparisons are not ours to judge
            return tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def imports_of(tree: ast.Module, file: str = "") -> Iterator[Imported]:
    """Every absolute import of one source, in no order."""
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, optional = todo.pop()
        for name in _named(node):
            yield Imported(name, file, getattr(node, "lineno", 0), optional)
        if isinstance(node, ast.Try | ast.TryStar):
            forgiven = optional or any(_forgives(handler) for handler in node.handlers)
            todo += [(child, forgiven) for child in (*node.body, *node.handlers)]
            todo += [(child, optional) for child in (*node.orelse, *node.finalbody)]
        elif isinstance(node, ast.If) and _for_types(node.test):
            todo += [(child, True) for child in node.body]
            todo += [(child, optional) for child in node.orelse]
        else:
            todo += [(child, optional) for child in ast.iter_child_nodes(node)]


def _named(node: ast.AST) -> list[str]:
    """The modules that a statement or a call imports by name."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        # What follows "import" may be a module of a package that many distributions share (google.cloud).
        return [f"{node.module}.{alias.name}" if alias.name != "*" else node.module for alias in node.names]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = ast.unparse(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
        name = node.args[0].value
        if called in ("importlib.import_module", "import_module", "__import__") and isinstance(name, str):
            return [name] if name.partition(".")[0].isidentifier() else []
    return []


def _forgives(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _FORGIVING) for kind in kinds)


def _for_types(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _first_places(found: Iterable[Imported]) -> tuple[Imported, ...]:
    """Each module once a file, at its first line."""
    first: dict[tuple[str, str], Imported] = {}
    for one in sorted(found):
        first.setdefault((one.module, one.file), one)
    return tuple(first.values())


class _Tree:
    """The modules that lie in a tree of sources."""

    def __init__(self, files: Iterable[str]) -> None:
        self._names: set[str] = set()
        self._places: set[str] = set()
        for file in files:
            path = PurePosixPath(file)
            if path.suffix != ".py":
                continue
            if path.stem.isidentifier():
                self._names.add(path.stem)
            self._places.add(str(path.with_suffix("")))
            for parent in path.parents:
                self._names.add(parent.name)
                self._places.add(str(parent))

    def holds(self, one: Imported) -> bool:
        """Beside the source or above it; or anywhere, as programs bend their path, unless it is a package's name."""
        own = PurePosixPath(one.file)
        beside = any(str(parent / one.top) in self._places for parent in own.parents)
        return beside or (one.top in self._names and not is_known(one.top))
