"""Agents tried in a box against a real service; a stand-in answers where a model would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.agents.interface import Agent
from nature_gym.agents.tiny import write_tiny
from nature_gym.agents.trying import Tried, try_agent
from nature_gym.sandbox.choosing import back_end

TryAgent = Callable[..., Tried]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "package")


@pytest.fixture
def trying(tmp_path: Path) -> TryAgent:
    """Tries an agent on a package: ``trying(agent, package, name, seed=..., model=...)``; its folder is name's."""
    sandbox = back_end("bubblewrap")
    if reason := sandbox.missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")

    def tried(agent: Agent, package: Path, name: str = "trial", seed: int = 0, model: Path | None = None) -> Tried:
        folder = tmp_path / name
        folder.mkdir()
        own = open_database(f"sqlite:///{folder / 'state.db'}")
        try:
            return try_agent(agent, package, folder, sandbox, Trials(own), budget=240.0, seed=seed, model=model)
        finally:
            own.dispose()

    return tried
