"""Back ends to test, each skipped with its reason where it cannot be used."""

import shutil
from functools import cache

import docker
import pytest

from nature_gym.environment import image
from nature_gym.sandbox.choosing import back_end
from nature_gym.sandbox.interface import Sandbox

BACK_ENDS = ["bubblewrap", pytest.param("docker", marks=pytest.mark.docker), "process"]


def usable(name: str, request: pytest.FixtureRequest) -> Sandbox:
    if name == "docker":
        with_image(request.getfixturevalue("docker_client"))
    sandbox = back_end(name)
    if reason := sandbox.missing():
        pytest.skip(f"{name}: {reason}")
    return sandbox


@cache
def with_image(client: docker.DockerClient) -> None:
    """Some image with Python: one that is here, or a small Debian that is made now."""
    if any(client.images.list(name) for name in (image.SLIM, *image.ROOTS)):
        return
    if shutil.which("mmdebstrap") is None:
        pytest.skip("there is no image, and no mmdebstrap to make one")
    image._debian(client)


@pytest.fixture(params=BACK_ENDS)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return usable(request.param, request)


@pytest.fixture(params=BACK_ENDS[:2])
def isolating(request: pytest.FixtureRequest) -> Sandbox:
    """The back ends that keep something from a command."""
    return usable(request.param, request)
