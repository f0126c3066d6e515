"""The main job on a served corpus: incremental, resumable after a kill, truthful in Prefect, shared by two workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.server import running_server
from nature_gym.config import Settings
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.server import MiniWeb
from nature_gym.demo.model import World
from nature_gym.demo.world import build_world
from nature_gym.records import Papers
from nature_gym.runs import all_runs

from .refreshing import Refresh, all_outputs, pointed_at

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
OPEN = {"state": {"type": {"any_": ["RUNNING", "PENDING", "CANCELLING"]}}}
PAPERS = 8


def few(world: World, papers: int) -> World:
    """The first papers of the world, of which some pass."""
    return World(entries=world.entries[:papers], seed=world.seed)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniWeb]:
    world = few(build_world(0), PAPERS)
    with MiniWeb(world, behaviour=Behaviour(crawl_delay=0), git_cache=tmp_path_factory.mktemp("git")) as served:
        yield served


@pytest.fixture
def refresh(web: MiniWeb, settings: Settings) -> Iterator[Callable[..., Refresh]]:
    started: list[Refresh] = []

    def start(*arguments: str, **environment: str) -> Refresh:
        started.append(Refresh(pointed_at(web.url) | environment, *arguments))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.kill()


def test_each_step_takes_what_is_stale_and_a_second_refresh_finds_nothing(
    settings: Settings, refresh: Callable[..., Refresh], request: pytest.FixtureRequest
) -> None:
    first = refresh("--until", "screen").end()
    assert (first["code"], first["state"]) == (0, "Completed")
    papers = first["steps"]["harvest"]["new"]
    assert first["steps"]["read"]["done"] == first["steps"]["screen"]["done"] > 0
    made = all_outputs(settings)
    assert len(made) == papers
    second = refresh("--until", "screen").end()
    assert {kind for step in ("fetch", "read", "screen") for kind in second["steps"][step]} <= {"current", "no_access"}
    assert all_outputs(settings) == made
    prefect = request.getfixturevalue("prefect")
    names = Counter(run["name"] for run in prefect("flow_runs/filter"))
    assert names["refresh nature-family until screen"] == 2
    assert names["read all papers"] == 2
    artifacts = {one["key"]: one["data"] for one in prefect("artifacts/filter")}
    assert {"funnel", "corpus-refresh", "corpus-refresh-budgets", "read-progress"} <= artifacts.keys()
    assert "| read |" in artifacts["corpus-refresh"]
    assert settings.papers.as_uri() in artifacts["corpus-refresh"]
    assert prefect("flow_runs/filter", flow_runs=OPEN) == []


def test_a_refresh_that_is_killed_is_crashed_at_the_next_one_which_does_the_rest_and_nothing_twice(
    settings: Settings, refresh: Callable[..., Refresh], request: pytest.FixtureRequest
) -> None:
    killed = refresh("--until", "read")
    killed.until_told("read: ")
    killed.kill()
    before = all_outputs(settings)
    end = refresh("--until", "read").end()
    assert (end["code"], end["state"]) == (0, "Completed")
    after = all_outputs(settings)
    assert all(after[paper].items() >= stages.items() for paper, stages in before.items())
    runs = all_runs(settings.runs)
    assert "running" not in {run.state for run in runs}
    assert [run.state for run in runs if run.kind == "refresh"] == ["crashed", "completed"]
    prefect = request.getfixturevalue("prefect")
    assert prefect("flow_runs/filter", flow_runs=OPEN) == []
    assert prefect("task_runs/count", task_runs=OPEN) == 0


def test_a_refresh_whose_machine_slept_and_whose_server_died_meanwhile_goes_on(
    settings: Settings, refresh: Callable[..., Refresh]
) -> None:
    slept = refresh("--until", "read")
    slept.until_told("fetch: ")
    server = running_server(settings)
    assert server is not None
    slept.send(signal.SIGSTOP)
    os.killpg(server.pid, signal.SIGKILL)
    slept.send(signal.SIGCONT)
    end = slept.end()
    assert end["code"] == 0, end["errors"]
    assert end["steps"]["read"]["done"] > 0
    runs = all_runs(settings.runs)
    assert [run.state for run in runs if run.kind == "refresh"] == ["completed"]
    # A step that was at it when the server died says so, and was begun again.
    assert {run.state for run in runs} <= {"completed", "failed"}


def test_only_one_paper_is_worked_on_and_the_corpus_is_not_asked_for(
    settings: Settings, refresh: Callable[..., Refresh], web: MiniWeb
) -> None:
    refresh("--until", "harvest").end()
    paper = next(iter(Papers(settings.papers))).id
    end = refresh("--until", "read", "--only", paper).end()
    assert "harvest" not in end["steps"]
    stages = {one.id: set(one.publications()) for one in Papers(settings.papers)}
    assert stages.pop(paper) > {"harvest", "fetch"}
    assert set().union(*stages.values()) == {"harvest"}


WORKER = """
import sys, orjson
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from flows.launch import run_flow
from nature_gym.config import load_settings
end = run_flow("tests.integration.flows.noop:singly", load_settings(), {})
print(orjson.dumps(end.run.counts).decode())
"""


@pytest.mark.postgres
def test_two_workers_on_one_corpus_do_each_paper_once(
    settings: Settings, make_papers: Callable[..., list[str]], postgres_url: str, naturegym_home: Path, repository: Path
) -> None:
    papers = make_papers(*(f"10.1_{number:02}" for number in range(40)))
    environment = os.environ | {"NATUREGYM_DATABASE_URL": postgres_url}
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(repository)], env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    counts: list[dict[str, Any]] = [orjson.loads(worker.communicate(timeout=250)[0]) for worker in workers]
    assert sorted((naturegym_home / "worked.log").read_text().split()) == papers
    assert sum(one.get("done", 0) for one in counts) == len(papers)
    assert [one.get("done", 0) + one.get("current", 0) for one in counts] == [len(papers)] * 2
