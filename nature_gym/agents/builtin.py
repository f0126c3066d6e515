"""Agents that need no model: constant, tabular, and any program that is named.

The idea: a solver is files of ours put into the workspace and run there by the box's Python, as an agent's own program
would be; so it sees what every agent sees, and serves as an example.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nature_gym import __version__
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Launch, View
from nature_gym.agents.prompt import prompt_for
from nature_gym.agents.shipping import client_files, solver_files
from nature_gym.agents.streams.plain import read_plain

PROMPT_FILE = "PROMPT.md"
TABULAR = (
    "tabular", "constant", "answers", "targets", "roles", "tables", "fitting", "grading", "grouping", "ranking",
    "writing",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Solver:
    """A program of :mod:`nature_gym.agents.solvers`. ``modules`` are its files, the first the one that is run."""

    name: str
    modules: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def missing(self) -> str:
        """Nothing: the box's Python is all that it needs."""
        return ""

    def version(self) -> str:
        """Ours."""
        return __version__

    def launch(self, view: View) -> Launch:
        """Its files, and how it is run."""
        return Launch(
            ("python3", "-m", f"solvers.{self.modules[0]}"),
            {**view.environment(), **self.environment, "PYTHONDONTWRITEBYTECODE": "1"},
            files=solver_files(*self.modules),
        )

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        """Its lines."""
        return read_plain(stdout, stderr)


@dataclass(frozen=True, slots=True)
class Command:
    """Any program of the box: ``argv`` is run in the workspace with the client, and the prompt in PROMPT.md."""

    name: str
    argv: Sequence[str]

    def missing(self) -> str:
        """Nothing that can be told from outside: its program lies in the box."""
        return "" if self.argv else "It names no program; say which one, as in 'command:python3 solve.py'."

    def version(self) -> str:
        """What is run."""
        return shlex.join(self.argv)

    def launch(self, view: View) -> Launch:
        """The program with every agent's environment."""
        files = {**client_files(), PROMPT_FILE: prompt_for(view).encode()}
        return Launch(tuple(self.argv), view.environment(), files=files)

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        """Its lines."""
        return read_plain(stdout, stderr)


def constant(name: str) -> Solver:
    """The floor."""
    return Solver(name, ("constant",), {"STRATEGY": "constant"})


def tabular(name: str) -> Solver:
    """Fits models to tables."""
    return Solver(name, TABULAR, {"STRATEGY": "constant", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})


def command(name: str, line: str) -> Command:
    """A program by its command line. Raises ValueError for quotes that do not close."""
    return Command(name, tuple(shlex.split(line)))
