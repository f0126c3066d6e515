"""The installed command's harvest, fetch and read, as processes of their own, against the served demo world."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.server import LocalServer, running_server
from nature_gym.config import Settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.world import build_world

pytestmark = pytest.mark.slow
COMMAND = Path(sys.executable).with_name("naturegym")
PAGE = 5


@dataclass(frozen=True)
class Watched(Behaviour):
    """Tells of each page that OpenAlex is asked for, by its number, before it answers."""

    on_page: Callable[[int], None] = lambda _: None
    pages: list[str] = field(default_factory=list)

    def delay(self, host: str, address: str, nth: int) -> float:
        if host == "api.openalex.org" and "cursor=" in address:
            self.pages.append(address)
            self.on_page(len(self.pages))
        return super().delay(host, address, nth)


class Commands:
    """``naturegym`` with one server for all its runs; ``kill_at`` is the page at which the one that runs is killed."""

    def __init__(self) -> None:
        self.kill_at = 0
        self._process: subprocess.Popen[bytes] | None = None

    def asked(self, page: int) -> None:
        if page == self.kill_at and self._process is not None:
            self._process.kill()

    def __call__(self, *argv: str) -> tuple[int, Any]:
        """The exit code, and what the command printed as JSON (None where it printed nothing)."""
        self._process = subprocess.Popen([COMMAND, *argv, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        printed, complaints = self._process.communicate()
        code = self._process.returncode
        assert code in {0, -9}, complaints.decode()
        return code, orjson.loads(printed) if printed else None


@pytest.fixture
def naturegym(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    commands = Commands()
    behaviour = Watched(crawl_delay=0, page_cap=PAGE, on_page=commands.asked)
    with MiniWeb(build_world(0), behaviour=behaviour) as web, LocalServer(settings):
        monkeypatch.setenv("NATUREGYM_MIRROR", web.url)
        monkeypatch.setenv("NATUREGYM_REQUESTS_PER_SECOND", "1000")
        yield commands


def test_a_corpus_is_harvested_through_a_kill_fetched_and_read(settings: Settings, naturegym: Commands) -> None:
    naturegym.kill_at = 5
    assert naturegym("harvest") == (-9, None)
    crashed = naturegym("status")[1]["runs"][-1]
    assert (crashed["kind"], crashed["state"]) == ("harvest", "crashed")
    # The fifth page is asked for while the fourth is taken in.
    assert 3 * PAGE <= crashed["counts"]["new"] <= 4 * PAGE

    harvested = naturegym("harvest")[1]
    total = harvested["in_all"]["new"]
    own = harvested["counts"]["new"] + harvested["counts"].get("unchanged", 0)
    assert harvested["state"] == "Completed"
    assert total - PAGE <= crashed["counts"]["new"] + own <= total
    assert naturegym("harvest")[1]["counts"].get("new", 0) == 0

    fetched, read = naturegym("fetch")[1], naturegym("read")[1]
    assert (fetched["state"], read["state"]) == ("Completed", "Completed")
    again = [naturegym("fetch")[1], naturegym("read")[1]]
    assert [set(one["counts"]) for one in again] == [{"current"}, {"current"}]

    status = naturegym("status")[1]
    funnel = {line["stage"]: line for line in status["funnel"]}
    assert list(funnel) == ["harvest", "fetch", "read"]
    assert all((line["errors"], line["waiting"]) == (0, 0) for line in funnel.values())
    assert funnel["harvest"]["done"] == total
    for stage, told in (("fetch", fetched["counts"]), ("read", read["counts"])):
        done = told["done"] + told.get("no_access", 0) + told.get("not_found", 0)
        assert (funnel[stage]["done"], funnel[stage]["failed"]) == (done, told.get("failed", 0))
    assert funnel["fetch"]["done"] + funnel["fetch"]["failed"] == total
    assert funnel["read"]["done"] > total / 2
    assert [run["kind"] for run in status["runs"]] == ["harvest", "fetch", "read", "fetch", "read"]
    assert {run["state"] for run in status["runs"]} == {"completed"}
    assert running_server(settings) is not None, "all of them used the one that runs"
