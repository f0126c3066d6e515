"""The baseline as a program of one file, in the form of an entry point: run.py with main and INSTANCES.

The idea: its text is that of a few modules of ours, one behind the other, with what the task asks for filled in; so it
needs nothing of ours where it runs, and can be read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pprint import pformat

from nature_gym.baseline.asked import Asked, asked_files, instances_of
from nature_gym.errors import FindingsError
from nature_gym.syntax import tree_of

PARTS = ("data", "extent", "values", "content", "answering")
"""The modules that make it up, in the order in which they need each other."""
STRATEGIES = ("varied", "constant")
"""What the environment variable STRATEGY may be."""
NO_ANSWER = 3
"""The exit status of a solver that could not tell what to write; the last lines of its stderr say why."""
OPEN = "INSTANCES: list[str] = []\nFORMS: list[Form] = []\n"
_ABOUT = '''"""A baseline: answers of the form that is asked for, without a model.

Reads DATA_DIR, writes OUTPUT_DIR. STRATEGY is "varied" (values drawn from what the data show) or "constant" (mean,
commonest value, middle of a range). Needs Python 3.10, and numpy or h5py where files are of theirs.
"""
'''


class NoBaselineError(FindingsError):
    """A README from which nobody can tell what to write."""


def solver_source(asked: Sequence[Asked], instances: Sequence[str]) -> str:
    """The text of a ``run.py`` that writes what is ``asked`` for each of ``instances``."""
    forms = pformat([one.as_form() for one in asked], width=110, sort_dicts=False)
    head, filled, rest = _program().partition(OPEN)
    if not filled:
        raise AssertionError(OPEN)
    return f"{head}INSTANCES: list[str] = {list(instances)!r}\nFORMS: list[Form] = {forms}\n{rest}"


def solver_for(readme: str, instances: Sequence[str] = ()) -> str:
    """The ``run.py`` for a README, whose INSTANCES are taken where none are given.

    Raises NoBaselineError where section 5 names no file, or no instance is known.
    """
    asked = asked_files(readme)
    names = list(instances) or instances_of(readme)
    if not asked:
        raise NoBaselineError("section 5 names no file", hint="Name each file with its format in section 5.")
    if not names:
        raise NoBaselineError("no instance is known", hint="Fill INSTANCES in section 6.")
    return solver_source(asked, names)


@cache
def _program() -> str:
    """The modules as one, their imports first."""
    imports: dict[str, None] = {}
    bodies = []
    for part in PARTS:
        text = files("nature_gym.baseline").joinpath(f"{part}.py").read_text(encoding="utf-8")
        lines = text.split("\n")
        last = 0
        for node in _head(tree_of(text)):
            last = node.end_lineno or node.lineno
            if isinstance(node, ast.Import):
                imports[ast.unparse(node)] = None
            elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(("nature_gym", "__future__")):
                for name in node.names:
                    imports[f"from {node.module} import {name.name}"] = None
        bodies.append("\n".join(lines[last:]).strip("\n"))
    head = "\n".join(sorted(imports, key=lambda one: (one.startswith("from"), one)))
    return f"{_ABOUT}\nfrom __future__ import annotations\n\n{head}\n\n" + "\n\n\n".join(bodies) + "\n"


def _head(tree: ast.Module) -> Iterator[ast.stmt]:
    """The docstring and the imports at the top of a module."""
    for node in tree.body:
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr):
            return
        yield node
