"""The installed ``harvest``, ``fetch`` and ``read`` as processes of their own: killed, stopped, sent away for hours.

The mini-web serves the demo world and counts what it is asked; one Prefect server serves all the runs of a test.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.server import LocalServer
from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.model import World
from nature_gym.demo.world import build_world
from nature_gym.fulltext.stage import FetchStage, fetchable
from nature_gym.harvest.corpus import harvest_corpus
from nature_gym.harvest.venues import load_venues
from nature_gym.reading.stage import ReadStage, readable
from nature_gym.records import Papers
from nature_gym.runs import all_runs
from nature_gym.stages import Stage, carry_out

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
COMMAND = Path(sys.executable).with_name("naturegym")
PAGE = 2
KILLS = int(os.environ.get("KILLS") or 6)
"""How often a command is killed: each start costs seconds, so twenty are for a change of what writes or resumes."""


@dataclass(frozen=True)
class Watched(Behaviour):
    """Tells of each request before it is answered."""

    on_request: Callable[[], None] = lambda: None
    delays: dict[str, float] = field(default_factory=dict)

    def delay(self, host: str, address: str, nth: int) -> float:
        self.on_request()
        return self.delays.get(host, super().delay(host, address, nth))


class Outside:
    """The demo world as it is served; ``after`` requests from now on, ``then`` is called."""

    def __init__(self, world: World, folder: Path, **behaviour: Any) -> None:
        self._left = 0
        self._then: Callable[[], None] = lambda: None
        self.web = MiniWeb(
            world,
            behaviour=Watched(on_request=self._asked, **{"crawl_delay": 0, "page_cap": PAGE} | behaviour),
            git_cache=folder,
        )

    def after(self, requests: int, then: Callable[[], None]) -> None:
        self._left, self._then = requests, then

    def _asked(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._then()

    def point(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NATUREGYM_MIRROR", self.web.url)
        monkeypatch.setenv("NATUREGYM_REQUESTS_PER_SECOND", "1000")


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(0)


@pytest.fixture
def outside(
    settings: Settings, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Outside]:
    outside = Outside(world, tmp_path / "git", **getattr(request, "param", {}))
    with outside.web, LocalServer(settings):
        outside.point(monkeypatch)
        yield outside


def start(*argv: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [COMMAND, *argv, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def naturegym(*argv: str) -> tuple[int, Any]:
    process = start(*argv)
    printed, complaints = process.communicate()
    assert printed, complaints.decode()
    return process.returncode, orjson.loads(printed)


def kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def harvested(settings: Settings) -> dict[str, int]:
    venues = load_venues("nature-family")
    return harvest_corpus(settings, venues, venues.first, venues.last)


def carried_out(stage: Stage, papers: Papers, ids: list[str]) -> None:
    for paper in ids:
        carry_out(stage, papers[paper])


def here(settings: Settings, home: Path, upto: str) -> tuple[Settings, dict[str, int]]:
    """The stages up to one, undisturbed and in this process, in another home."""
    own = load_settings(home=home, mirror=os.environ["NATUREGYM_MIRROR"], database_url="", requests_per_second=1000)
    counts = harvested(own)
    papers = Papers(own.papers)
    if upto != "harvest":
        carried_out(FetchStage(own), papers, fetchable(papers))
    if upto == "read":
        carried_out(ReadStage(own), papers, readable(papers))
    return own, counts


def state(settings: Settings, stage: str) -> dict[str, Any]:
    """What a stage left of each paper; times, and what holds them, apart."""
    left = {}
    for paper in Papers(settings.papers):
        record = paper.record(stage)
        assert paper.errors() == {}
        if record is not None:
            outputs = {name: output for name, output in record.outputs.items() if name != "sources.json"}
            left[paper.id] = (record.status, record.verdict, record.reason, outputs, record.facts)
    return left


def left_over(settings: Settings) -> list[str]:
    """What lies in papers' folders and belongs to nothing: drafts, swaps, files half written."""
    found = []
    for paper in Papers(settings.papers):
        current = set(paper.publications().values())
        found += [
            f"{paper.id}/{path.name}"
            for path in paper.path.iterdir()
            if path.name.startswith((".tmp.", ".swap."))
            or (path.name not in current and path.is_dir() and not path.is_symlink())
        ]
    return found


class Killer:
    """Runs a command again and again, and kills its process group at random moments, until it gets through or tires."""

    def __init__(self, outside: Outside, seed: int) -> None:
        self._outside = outside
        self._chance = random.Random(seed)
        self.kills = 0
        self.told: Any = None
        """What the run that got through printed."""

    def at_requests(self, command: str, most: int) -> None:
        """Kill some milliseconds after one of the first ``most`` requests."""
        for _ in range(KILLS):
            process = start(command)
            moment = self._chance.uniform(0, 0.03)
            self._outside.after(
                self._chance.randint(1, most),
                lambda process=process, moment=moment: threading.Timer(moment, kill, [process]).start(),  # type: ignore[misc]
            )
            if self._ended(process):
                return

    def at_times(self, command: str, settings: Settings, most: float) -> None:
        """Kill within ``most`` seconds of the moment at which the run begins to work."""
        for _ in range(KILLS):
            known = len(all_runs(settings.runs))
            process = start(command)
            while process.poll() is None and len(all_runs(settings.runs)) == known:
                time.sleep(0.01)
            time.sleep(self._chance.uniform(0, most))
            kill(process)
            if self._ended(process):
                return

    def _ended(self, process: subprocess.Popen[bytes]) -> bool:
        printed, _ = process.communicate()
        if process.returncode == -signal.SIGKILL:
            self.kills += 1
            return False
        self.told = orjson.loads(printed)
        return True


def test_harvest_killed_again_and_again_ends_as_if_it_had_not_been(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    calm, counts = here(settings, tmp_path / "calm", "harvest")
    pages = len(outside.web.log.entries("api.openalex.org"))
    outside.web.log.clear()
    killer = Killer(outside, 1)
    killer.at_requests("harvest", 2)
    assert killer.kills >= KILLS // 2
    told = killer.told or naturegym("harvest")[1]
    assert told["in_all"] == counts
    assert state(settings, "harvest") == state(calm, "harvest")
    assert left_over(settings) == []
    asked = len(outside.web.log.entries("api.openalex.org"))
    assert pages <= asked <= pages + 2 * killer.kills, "the page under way and the one ahead, at each kill"
    assert [run.state for run in all_runs(settings.runs)][-1] == "completed"


def test_fetch_killed_again_and_again_ends_as_if_it_had_not_been(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    calm, _ = here(settings, tmp_path / "calm", "fetch")
    harvested(load_settings())
    outside.web.log.clear()
    killer = Killer(outside, 2)
    killer.at_requests("fetch", 16)
    assert killer.kills >= KILLS // 2
    assert naturegym("fetch")[0] == 0
    assert state(settings, "fetch") == state(calm, "fetch")
    assert left_over(settings) == []
    asked = Counter((seen.host, seen.path, seen.query) for seen in outside.web.log)
    hosts = {host for host, _, _ in asked}
    assert asked.total() - len(asked) <= killer.kills * len(hosts), "at most what was under way at each host"


def test_read_killed_again_and_again_ends_as_if_it_had_not_been(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    calm, _ = here(settings, tmp_path / "calm", "read")
    own = load_settings()
    harvested(own)
    papers = Papers(own.papers)
    carried_out(FetchStage(own), papers, fetchable(papers))
    killer = Killer(outside, 3)
    killer.at_times("read", own, 0.7)
    assert killer.kills >= KILLS // 2
    done = {paper.id: paper.publication("read") for paper in papers if paper.publication("read")}
    code, _ = naturegym("read")
    assert code in {0, 1}
    assert state(settings, "read") == state(calm, "read")
    assert left_over(settings) == []
    assert {paper: papers[paper].publication("read") for paper in done} == done, "nothing was read twice"


@pytest.mark.parametrize("outside", [{"budgets": {"www.nature.com": 30}}], indirect=True)
def test_a_host_that_closes_for_hours_stops_the_fetch_which_says_when_to_come_back(
    settings: Settings, outside: Outside, request: pytest.FixtureRequest
) -> None:
    harvested(load_settings())
    code, told = naturegym("fetch")
    assert code == 3
    assert "www.nature.com asks to be left alone until" in told["error"]
    assert "after that" in told["hint"]
    run = all_runs(settings.runs)[-1]
    assert run.state == "failed"
    assert run.reason == told["error"]
    assert run.counts["done"] > 3, "what came before stays"
    asked = len(outside.web.log.entries("www.nature.com"))
    assert asked <= 31
    prefect = request.getfixturevalue("prefect")
    (flow_run,) = prefect("flow_runs/filter")
    assert flow_run["state_type"] == "FAILED"
    code, again = naturegym("fetch")
    assert (code, "until" in again["error"]) == (3, True)
    assert len(outside.web.log.entries("www.nature.com")) == asked, "nobody asks before that"


@pytest.mark.parametrize("outside", [{"budgets": {"api.openalex.org": 5}}], indirect=True)
def test_a_budget_that_is_gone_stops_the_harvest_which_says_when_to_come_back(
    settings: Settings, outside: Outside
) -> None:
    code, told = naturegym("harvest")
    assert code == 3
    assert "our budget is used up" in told["error"]
    assert "Run the same command again after" in told["hint"]
    run = all_runs(settings.runs)[-1]
    assert (run.state, run.reason) == ("failed", told["error"])
    assert run.counts["new"] >= 4


@pytest.mark.parametrize("outside", [{"crawl_delay": 20}], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_fetch_that_waits_for_its_host_stops_within_seconds_when_told_to(
    settings: Settings, outside: Outside, number: signal.Signals, request: pytest.FixtureRequest
) -> None:
    harvested(load_settings())
    outside.web.log.clear()
    asked = threading.Event()
    outside.after(2, asked.set)
    process = start("fetch")
    assert asked.wait(120)
    began = time.monotonic()
    process.send_signal(number)
    printed, complaints = process.communicate(timeout=60)
    took = time.monotonic() - began
    assert process.returncode == 130, complaints.decode()
    assert orjson.loads(printed)["error"] == "fetch was stopped"
    assert b"Run the same command again" in complaints
    assert b"fetch: 0 of" in complaints, "and progress was told before"
    assert took < 5, "three seconds, and some for a busy machine"
    assert all_runs(settings.runs)[-1].state == "cancelled"
    naturegym("read")  # any next run tells Prefect what became of this one
    prefect = request.getfixturevalue("prefect")
    states = {run["name"].split()[0]: run["state_type"] for run in prefect("flow_runs/filter")}
    assert states["fetch"] == "CANCELLED"
