"""What is left when a flow or its server is killed, and how the next command finds it."""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from flows.server import running_server
from nature_gym.files import is_held
from nature_gym.runs import all_runs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nature_gym.config import Settings

    from .conftest import Command

OPEN = {"state": {"type": {"any_": ["RUNNING", "PENDING", "CANCELLING"]}}}


class HalfWay:
    """A flow of sixteen papers that has done ten and is kept inside the next."""

    def __init__(self, home: Path, start: Callable[..., Command]) -> None:
        self._gate = home / "gate"
        os.mkfifo(self._gate)
        self.command = start("singly")
        self.command.until_done(10)
        self._writer = self._gate.open("w")  # returns when a paper is at the gate

    def let_go(self) -> None:
        """Let those at the gate go on, and those that come find no gate."""
        self._gate.unlink()
        self._writer.close()


@pytest.fixture
def half_way(naturegym_home: Path, make_papers: Callable[..., list[str]], command: Callable[..., Command]) -> HalfWay:
    make_papers(*(f"10.1_{number:02}" for number in range(10)), *(f"10.1_{number}-gate" for number in range(10, 16)))
    return HalfWay(naturegym_home, command)


def test_a_killed_flow_leaves_no_server_and_is_crashed_at_the_next_start_which_does_the_rest(
    settings: Settings,
    naturegym_home: Path,
    half_way: HalfWay,
    command: Callable[..., Command],
    request: pytest.FixtureRequest,
) -> None:
    half_way.command.kill()
    half_way.let_go()
    end = command("singly").end()  # waits for the dead one's server to go, and starts its own
    assert (end["state"], end["run"]["counts"]) == ("Completed", {"current": 10, "done": 6})
    assert running_server(settings) is None
    assert [run.state for run in all_runs(settings.runs)] == ["crashed", "completed"]
    times = Counter((naturegym_home / "worked.log").read_text().split())
    assert {paper for paper, count in times.items() if count > 1} <= {"10.1_10-gate", "10.1_11-gate"}
    assert len(times) == 16
    prefect = request.getfixturevalue("prefect")
    runs = prefect("flow_runs/filter", sort="START_TIME_ASC")
    assert [run["state_type"] for run in runs] == ["CRASHED", "COMPLETED"]
    assert runs[0]["state"]["message"] == "its process died without a word"
    assert prefect("task_runs/count", task_runs=OPEN) == 0


def test_a_server_killed_meanwhile_is_started_again_and_costs_the_run_nothing(
    settings: Settings, naturegym_home: Path, half_way: HalfWay, command: Callable[..., Command]
) -> None:
    server = running_server(settings)
    assert server is not None
    os.killpg(server.pid, signal.SIGKILL)
    half_way.let_go()
    end = half_way.command.end()
    assert (end["event"], end["code"], end["state"]) == ("end", 0, "Completed")
    assert end["run"]["counts"] == {"done": 16}
    assert (end["warning"] == "") == end["recorded"]
    assert running_server(settings) is None
    end = command("singly").end()
    assert (end["state"], end["run"]["counts"]) == ("Completed", {"current": 16})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_flow_is_cancelled_in_both_records(
    settings: Settings,
    naturegym_home: Path,
    half_way: HalfWay,
    number: signal.Signals,
    request: pytest.FixtureRequest,
) -> None:
    half_way.command.process.send_signal(number)
    half_way.let_go()
    end = half_way.command.end()
    assert (end["event"], end["code"]) == ("interrupted", 130)
    assert running_server(settings) is None
    (run,) = all_runs(settings.runs)
    assert (run.state, run.reason) == ("cancelled", "interrupted")
    prefect = request.getfixturevalue("prefect")
    (flow_run,) = prefect("flow_runs/filter")
    assert flow_run["state_type"] == "CANCELLED"
    assert prefect("task_runs/count", task_runs=OPEN) == 0


def test_two_flows_of_a_home_share_the_server_and_the_last_one_ends_it(
    settings: Settings,
    naturegym_home: Path,
    half_way: HalfWay,
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
) -> None:
    server = running_server(settings)
    make_papers("10.2_a")
    assert command("noop", papers=["10.2_a"]).end()["recorded"] is True
    assert running_server(settings) == server
    half_way.let_go()
    assert half_way.command.end()["recorded"] is True
    assert not is_held(naturegym_home / "prefect" / "server.json")
