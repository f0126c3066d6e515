"""What following a source leaves behind: the paths that reach a call, the names that are known, and the budget.

The other half of :mod:`checks.following`, of which expressions, calls and statements each have a module of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from checks.library import MOST_ROUNDS
from checks.values import PACKAGE, Dotted, alternatives, is_path, placed

MOST_STEPS = 150_000
DEEPEST = 24

TESTS = {
    "exists",
    "is_file",
    "is_dir",
    "isfile",
    "isdir",
    "stat",
    "lstat",
    "getsize",
    "is_symlink",
    "lexists",
    "islink",
    "access",
}
WRITES = {
    "mkdir",
    "makedirs",
    "write_text",
    "write_bytes",
    "unlink",
    "touch",
    "dump",
    "savez",
    "save",
    "to_csv",
    "rename",
}
LISTS = {"glob", "rglob", "iterdir"}
Flow = str


@dataclass(frozen=True, slots=True)
class Reading:
    """A path that reaches a call: ``place`` in the package or below 'output', the call's name, and where.

    ``verb`` is read, test (does it exist), write or list; ``optional`` where it stands under a test of its existence.
    """

    place: str
    call: str
    verb: str
    line: int
    column: int
    optional: bool = False


class Enough(Exception):  # noqa: N818 -- no error
    """The budget is spent."""


class Names(dict[str, Any]):
    """The names of a function; those that it has not are looked up around it."""

    def __init__(self, around: Names | None = None) -> None:
        super().__init__()
        self.around = around

    def find(self, name: str) -> Any:
        """The value of a name."""
        here: Names | None = self
        while here is not None:
            if name in here:
                return here[name]
            here = here.around
        return Dotted(f"builtins.{name}")

    def copy(self) -> Names:
        """The same names, to be changed apart."""
        again = Names(self.around)
        again.update(self)
        return again


class Notes:
    """One source that is being followed. ``names`` are the entries of the package, ``text`` reads one of them."""

    def __init__(
        self, tree: ast.Module, script: str, names: Iterable[str] = (), text: Callable[[str], str] = lambda _: ""
    ) -> None:
        self.tree = tree
        self._text = text
        self.names = names if isinstance(names, dict) else dict.fromkeys(names)
        self.globals = Names()
        self.globals.update({"__file__": f"{PACKAGE}/{script}", "__name__": "__main__"})
        self.readings: dict[Reading, None] = {}
        self.returned: dict[str, Any] = {}
        self.dumped: list[Any] = []
        self._perhaps = 0
        self.complete = True
        self._called: set[str] = set()
        self._steps = 0
        self._depth = 0
        self._optional: list[str] = []

    def _whole(self, work: Callable[[], Any]) -> None:
        try:
            work()
        except (Enough, RecursionError):
            self.complete = False

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Enough

    def _block(self, body: list[ast.stmt], names: Names) -> Flow:
        raise NotImplementedError

    def _note(self, node: ast.Call, name: str, values: list[Any], keywords: dict[str, Any], *, verb: str = "") -> None:
        """Note the paths among the values that a call is given."""
        short = name.rpartition(".")[2]
        mode = keywords.get("mode", "r")
        if not verb:
            writes = short in WRITES or (short == "open" and isinstance(mode, str) and mode[:1] in ("w", "a", "x"))
            verb = "test" if short in TESTS else "write" if writes else "read"
        for value in values:
            for one in _paths(value):
                if place := placed(one):
                    optional = any(place == tested or place.startswith(f"{tested}/") for tested in self._optional)
                    self.readings[Reading(place, name, verb, node.lineno, node.col_offset + 1, optional)] = None


def _paths(value: Any, depth: int = 0) -> Iterator[str]:
    for one in alternatives(value):
        if is_path(one) or (isinstance(one, str) and "/" in one):
            yield one
        elif isinstance(one, list | tuple) and depth < 3:
            for part in one[:MOST_ROUNDS]:
                yield from _paths(part, depth + 1)
