"""Homes with Prefect's database made (it takes 15 s, so once), and flows run as processes of their own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from flows.server import STATE, LocalServer, running_server
from nature_gym.config import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMAND = Path(__file__).with_name("command.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These start servers of 300 MB: those of a module one after the other, in one process."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group(f"prefect {item.path.stem}"))


@pytest.fixture(scope="session")
def prefect_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Prefect folder in which a server was started once: database made, pages unpacked."""
    settings = Settings(home=tmp_path_factory.mktemp("template"))
    with LocalServer(settings) as server:
        folder = server.folder
    (folder / STATE).unlink()
    return folder


@pytest.fixture
def settings(naturegym_home: Path, prefect_template: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """Settings of a home where a server starts quickly; whatever server is left in the end is a fault, and ended."""
    monkeypatch.setenv("NATUREGYM_WORKERS", "2")
    naturegym_home.mkdir()
    shutil.copytree(prefect_template, naturegym_home / "prefect")
    settings = load_settings()
    yield settings
    left = running_server(settings)
    if left is not None:
        with suppress(ProcessLookupError):
            os.killpg(left.pid, signal.SIGKILL)


@pytest.fixture
def make_papers(naturegym_home: Path) -> Callable[..., list[str]]:
    """Makes empty paper folders, and gives their ids."""

    def make(*ids: str) -> list[str]:
        for paper in ids:
            (naturegym_home / "papers" / paper).mkdir(parents=True)
        return list(ids)

    return make


class Command:
    """A flow's process (see command.py), read line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def until_done(self, papers: int) -> None:
        """Read on until that many papers are done."""
        for line in self._lines():
            if line["event"] == "progress" and line["done"] >= papers:
                return
        pytest.fail(f"the command ended early: {self.process.communicate()[1].decode()}")

    def end(self) -> dict[str, Any]:
        """What the last line says, once the process is through; its exit code is in ``code``."""
        last = None
        for line in self._lines():
            last = line
        errors = self.process.communicate()[1].decode()
        assert last is not None, errors
        return last | {"code": self.process.returncode, "errors": errors}

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def _lines(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield orjson.loads(line)


@pytest.fixture
def command() -> Iterator[Callable[..., Command]]:
    """Starts a flow as a process of its own: ``command("singly", papers=[...])``."""
    started: list[Command] = []

    def start(flow: str, **parameters: Any) -> Command:
        started.append(Command(flow, orjson.dumps(parameters).decode()))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.kill()
        one.process.communicate()


@pytest.fixture
def prefect(settings: Settings) -> Iterator[Callable[..., Any]]:
    """Asks the API of the home's server, which runs for this: ``prefect("flow_runs/filter", **body)``."""
    import requests

    with LocalServer(settings) as server, requests.Session() as session:

        def ask(path: str, **body: Any) -> Any:
            answer = session.post(f"{server.api_url}/{path}", json=body, timeout=30)
            answer.raise_for_status()
            return answer.json()

        yield ask
