"""Modules of ours as plain files of a workspace.

The idea: a solver that runs inside a box is written and tested here like the rest, and is put there as text, its
imports of our modules turned into imports of the files beside it; so that it needs nothing of ours where it runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

CLIENT = "scoring_client.py"
PLACES = {
    "nature_gym.agents.client": "scoring_client",
    "nature_gym.agents.solvers": "solvers",
    "nature_gym.baseline": "baseline",
}
"""What our modules are called in a workspace."""
_BASELINE = "nature_gym.baseline"


@cache
def client_files() -> Mapping[str, bytes]:
    """The client alone."""
    return {CLIENT: _text("nature_gym.agents", "client")}


@cache
def solver_files(*modules: str) -> Mapping[str, bytes]:
    """Modules of ``nature_gym.agents.solvers`` with the client, and what reads a README and writes answers."""
    baseline = sorted(one.name for one in files(_BASELINE).iterdir() if one.name.endswith(".py"))
    found = {f"baseline/{one}": _text(_BASELINE, one.removesuffix(".py")) for one in baseline}
    found |= {f"solvers/{one}.py": _text("nature_gym.agents.solvers", one) for one in ("__init__", *modules)}
    return {**client_files(), **found}


def _text(package: str, module: str) -> bytes:
    text = files(package).joinpath(f"{module}.py").read_text(encoding="utf-8")
    for ours, there in PLACES.items():
        text = text.replace(ours, there)
    return text.encode()
