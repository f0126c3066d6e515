"""Scenes, each played once a back end, for all tests that look at it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nature_gym.sandbox.interface import Sandbox
from tests.attacks.catalogue import ATTACKS, SCENES
from tests.attacks.stage import Played, play
from tests.integration.sandbox.conftest import usable


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sandbox, str], Played]:
    """``played(sandbox, scene)``: all attacks of a scene, in one trial."""
    known: dict[tuple[str, str], Played] = {}

    def found(sandbox: Sandbox, scene: str) -> Played:
        key = (sandbox.name, scene)
        if key not in known:
            names = [one.name for one in ATTACKS if one.scene == scene and one.only in {"", sandbox.name}]
            known[key] = play(tmp_path_factory.mktemp("attacks"), sandbox, SCENES[scene], names)
        return known[key]

    return found


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """The back ends in which agents run."""
    return usable(request.param, request)
