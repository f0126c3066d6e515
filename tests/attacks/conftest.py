"""Scenes, each played once a back end, for all tests that look at it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nature_gym.sandbox.interface import Sandbox
from tests.attacks.catalogue import ATTACKS, SCENES
from tests.attacks.stage import Played, play
from tests.integration.sandbox.conftest import usable


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one scene and back end stay with one process: each would play it again."""
    for item in items:
        given = getattr(item, "callspec", None)
        if Path(__file__).parent not in item.path.parents or given is None or "sandbox" not in given.params:
            continue
        scene = given.params["scene"] if "scene" in given.params else given.params["attack"].scene
        item.add_marker(pytest.mark.xdist_group(f"{given.params['sandbox']} {scene}"))


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
