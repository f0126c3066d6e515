"""Modules of ours as plain files of a workspace.

The idea: a solver that runs inside a box is written and tested here like the rest, and is put there as text, its
imports of our modules turned into imports of the files beside it; so that it needs nothing of ours where it runs.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from nature_gym.syntax import tree_of

CLIENT = "scoring_client.py"
TREES = "source_trees.py"
PLACES = {
    "nature_gym.agents.client": "scoring_client",
    "nature_gym.agents.solvers": "solvers",
    "nature_gym.baseline": "baseline",
    "nature_gym.syntax": "source_trees",
}
"""What our modules are called in a workspace."""


@cache
def client_files() -> Mapping[str, bytes]:
    """The client alone."""
    return {CLIENT: _text("nature_gym.agents", "client")}


@cache
def solver_files(*modules: str) -> Mapping[str, bytes]:
    """Modules of ``nature_gym.agents.solvers`` with the client, and what reads a README and writes answers."""
    solvers = {f"solvers/{one}.py": _text("nature_gym.agents.solvers", one) for one in ("__init__", *modules)}
    baseline: dict[str, bytes] = {"baseline/__init__.py": _text("nature_gym.baseline", "__init__")}
    read = list(solvers.values())
    for content in read:  # grows: what a module imports may import more
        for one in _imported(content):
            if f"baseline/{one}.py" not in baseline:
                baseline[f"baseline/{one}.py"] = text = _text("nature_gym.baseline", one)
                read.append(text)
    return {**client_files(), TREES: _text("nature_gym", "syntax"), **baseline, **solvers}


def _imported(content: bytes) -> list[str]:
    """The modules of ``baseline`` that a module imports."""
    found = []
    for node in ast.walk(tree_of(content)):
        if isinstance(node, ast.ImportFrom) and node.module == "baseline":
            found += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("baseline."):
            found.append(str(node.module).removeprefix("baseline."))
    return found


def _text(package: str, module: str) -> bytes:
    text = files(package).joinpath(f"{module}.py").read_text(encoding="utf-8")
    for ours, there in PLACES.items():
        text = text.replace(ours, there)
    return text.encode()
