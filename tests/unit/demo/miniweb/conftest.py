from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nature_gym.demo.miniweb import Behaviour, make_app
from tests.unit.demo.miniweb.small_world import PlainPress, small_world


class Visitor:
    """Asks the mini-web for real addresses, one at a time, without following redirects."""

    def __init__(self, client: TestClient) -> None:
        self._client = client

    def __call__(self, address: str, *, method: str = "GET", **headers: str) -> Any:
        """The answer, a response of whichever httpx the test client uses."""
        path = address.removeprefix("https://").lstrip("/")
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._client.request(method, f"/{path}", headers=named, follow_redirects=False)


class Clock:
    """A clock that goes on when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def press() -> PlainPress:
    return PlainPress()


@pytest.fixture
def visit(tmp_path: Path, press: PlainPress, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """A visitor of a small world; ``@pytest.mark.parametrize("visit", [Behaviour(...)], indirect=True)`` sets it up."""
    behaviour = getattr(request, "param", Behaviour())
    app = make_app(small_world(), behaviour=behaviour, git_cache=tmp_path / "git", press=press, clock=clock)
    with TestClient(app) as client:
        yield Visitor(client)
