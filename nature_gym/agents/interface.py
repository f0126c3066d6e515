"""What an agent's adapter gives: how its program is asked for, started, and read.

A new agent is a class with these members, registered by name in :mod:`nature_gym.agents.registry`. An adapter starts
nothing itself: whoever runs a trial puts ``argv`` into a sandbox, with :class:`View` mounted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol

from nature_gym.agents.events import Event
from nature_gym.sandbox.interface import WORKSPACE, Mount

PROBLEM = PurePosixPath("/task/problem")
OUTPUT = WORKSPACE / "output"


@dataclass(frozen=True, slots=True)
class View:
    """What an agent sees, at the paths inside its sandbox. ``budget`` in seconds."""

    seed: int
    budget: float
    token: str
    service_url: str = "http://127.0.0.1:8321"
    problem: PurePosixPath = PROBLEM
    workspace: PurePosixPath = WORKSPACE
    output: PurePosixPath = OUTPUT
    paper: PurePosixPath | None = None
    """Where the paper lies in a Reproduce pass: a folder with paper.md, and paper.pdf where there is one."""
    proxy_url: str = ""
    """The way out to ``Launch.hosts``, as the box has it; empty where there is none."""
    model_url: str = ""
    """Where the model answers, if not at its provider's own address: a stand-in, a gateway."""
    package: Path | None = None
    """The package on the host, for adapters that look something up before the start; nothing of it is told inside."""

    def environment(self) -> Mapping[str, str]:
        """The variables that every agent gets."""
        way_out = {
            "HTTPS_PROXY": self.proxy_url,
            "https_proxy": self.proxy_url,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
        }
        return {
            "DATA_DIR": str(self.problem / "data"),
            "OUTPUT_DIR": str(self.output),
            "EVAL_SERVICE_URL": self.service_url,
            "EVAL_TOKEN": self.token,
            "SEED": str(self.seed),
            "BUDGET_SECONDS": f"{self.budget:g}",
            **(way_out if self.proxy_url else {}),
        }


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start it in its sandbox. ``hosts`` are all that it may reach; ``files`` are put into its workspace.

    ``mounts`` are folders of this machine that its program needs, read-only; none where it lies in the box's image.
    """

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    hosts: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    mounts: tuple[Mount, ...] = ()


class Agent(Protocol):
    """An adapter."""

    @property
    def name(self) -> str:
        """With its options, the agent's identity in results: ``claude-code:MODEL``."""

    def missing(self) -> str:
        """Why it cannot run here (one sentence and what to do), or ''."""

    def version(self) -> str:
        """The version of its program, or of the adapter where that is all there is."""

    def launch(self, view: View) -> Launch:
        """How to start it."""

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        """What it did, from what its program printed. Lines that cannot be read are events of kind 'text'."""
