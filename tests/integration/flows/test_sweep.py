"""Sweeps and calibrations as commands, through a Prefect server: every trial in our records and in Prefect's."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from flows.server import running_server
from nature_gym.config import Settings
from nature_gym.packaging.package import Package
from nature_gym.sandbox.choosing import back_end
from nature_gym.sweeping.admission import keep_report
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.identity import task_digest
from nature_gym.sweeping.scores import scores_of
from tests.integration.sweeping.conftest import make_package

COMMAND = Path(sys.executable).with_name("naturegym")
AGENT = "command:sh -c 'mkdir -p /workspace/output/a; echo [1,0,1,1] > /workspace/output/a/answer.json; {more}'"


def submitting(more: str) -> str:
    """An agent that answers rightly, submits, and does more."""
    ask = (
        "import os, json, urllib.request as u; "
        'u.urlopen(os.environ["EVAL_SERVICE_URL"] + "/evaluate", '
        'json.dumps({"eval_token": os.environ["EVAL_TOKEN"]}).encode())'
    ).replace('"', '\\"')
    return AGENT.format(more=f'python3 -c "{ask}"; {more}')


@pytest.fixture(autouse=True)
def _needs_a_sandbox() -> None:
    if reason := back_end("bubblewrap").missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")


@pytest.fixture
def packages(tmp_path: Path) -> list[Path]:
    return [make_package(tmp_path / "packages" / name, readme=name).path for name in ("one", "two")]


def argv(agent: str, packages: list[Path], *options: str) -> list[str]:
    return [
        str(COMMAND), "sweep", "--agents", agent, "--packages", ",".join(map(str, packages)), "--budget", "60s",
        "--backend", "bubblewrap", "--seeds", "2", "--parallel", "2", "--json", *options,
    ]  # fmt: skip


def answered(command: list[str]) -> tuple[int, Any]:
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return done.returncode, orjson.loads(done.stdout)


@pytest.mark.timeout(300)
def test_every_trial_is_in_our_records_and_in_prefects(
    settings: Settings, packages: list[Path], prefect: Callable[..., Any]
) -> None:
    agent = AGENT.format(more="true")
    code, told = answered(argv(agent, packages, "--dry-run"))
    assert (code, told["trials"], told["to_run"], told["cost_ceiling"]) == (0, 4, 4, 0.0)
    assert not list(TrialFolders(settings.home))
    code, told = answered(argv(agent, packages))
    assert (code, told["state"], told["counts"]) == (0, "Completed", {"succeeded": 4})
    assert [one.status for one in TrialFolders(settings.home)] == ["succeeded"] * 4
    runs = prefect("task_runs/filter")
    assert sorted(run["name"][-14:] for run in runs) == ["on one, seed 0", "on one, seed 1", "on two, seed 0",
                                                         "on two, seed 1"]  # fmt: skip
    assert {run["state"]["type"] for run in runs} == {"COMPLETED"}
    assert {tag for run in runs for tag in run["tags"]} >= {"trial", "agent:command"}
    assert "leaderboard" in {one["key"] for one in prefect("artifacts/filter")}
    code, told = answered(argv(agent, packages))
    assert (code, told["run"], told["done_before"]) == (0, None, 4)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_ctrl_c_and_a_kill_leave_what_the_same_command_goes_on_with(settings: Settings, packages: list[Path]) -> None:
    agent = submitting("sleep 4")
    folders = TrialFolders(settings.home)
    for number in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(argv(agent, packages), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not any(
            one.status is None and (one.path / "attempts").exists() and folders.is_claimed(one.id) for one in folders
        ):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        assert process.stderr is not None
        assert process.returncode is None, process.stderr.read().decode()
        os.kill(process.pid, number)
        assert process.wait(30) == (130 if number == signal.SIGINT else -signal.SIGKILL)
        process.stderr.close()
    assert "cancelled" in {one.status for one in folders} | {
        before.status for one in folders for before in folders.runs_before(one.id)
    }
    code, told = answered(argv(agent, packages))
    assert (code, told["state"]) == (0, "Completed")
    assert [one.status for one in folders] == ["succeeded"] * 4
    assert told["counts"]["succeeded"] + told["done_before"] == 4


OPEN = {"state": {"type": {"any_": ["RUNNING", "PENDING", "SCHEDULED", "CANCELLING"]}}}


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_kills_of_the_prefect_server_cost_no_trial_and_leave_no_run_open(
    settings: Settings, packages: list[Path], request: pytest.FixtureRequest
) -> None:
    """``KILLS=20`` for a longer look. A server that dies is started again; a command that gives up is given again."""
    chance, kills = random.Random(4), int(os.environ.get("KILLS", "3"))
    codes: list[int] = []
    folders = TrialFolders(settings.home)
    seeds, killed = max(2, kills // 2), 0
    command = argv(submitting("sleep 2"), packages, "--seeds", str(seeds))
    ended: dict[str, Mapping[str, Any]] = {}
    while not codes or codes[-1]:
        assert len(codes) <= kills + 1, codes
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0.2, 6.0))
            server = running_server(settings)
            if killed < kills and server is not None and process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(server.pid, signal.SIGKILL)
                    killed += 1
        assert process.stderr is not None
        process.stderr.close()
        codes.append(process.returncode)
        assert process.returncode in (0, 3), codes
        for trial in folders:
            if trial.id in ended:
                assert trial.record == ended[trial.id], "a trial that had ended was begun again"
            elif trial.status == "succeeded":
                ended[trial.id] = trial.record
    assert killed
    assert [one.status for one in folders] == ["succeeded"] * 2 * seeds
    assert {before.status for one in folders for before in folders.runs_before(one.id)} <= {None, "cancelled"}
    assert all(len(scores_of(one).attempts) == 1 for one in folders)
    prefect = request.getfixturevalue("prefect")
    assert prefect("task_runs/count", task_runs=OPEN) == 0
    assert prefect("flow_runs/count", flow_runs=OPEN) == 0


def test_the_default_sweep_is_of_admitted_packages(settings: Settings) -> None:
    for name in ("one", "two"):
        make_package(settings.packages / name, readme=name)
    digest = task_digest(Package(settings.packages / "two"))
    keep_report(settings.home, "two", {"task_digest": digest, "verdict": "admit"}, "")
    command = [str(COMMAND), "sweep", "--agents", "command:true", "--backend", "bubblewrap", "--dry-run", "--json"]
    code, told = answered(command)
    assert (code, told["trials"], told["not_admitted"]) == (0, 1, {"one": "it was not calibrated"})
    assert answered([*command, "--unadmitted"])[1]["trials"] == 2
    (settings.packages / "two" / "problem" / "README.md").write_text("another")
    code, told = answered(command)
    assert code == 2
    assert "no package to sweep" in told["error"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_calibration_makes_its_passes_and_writes_the_report(
    settings: Settings, packages: list[Path], tmp_path: Path
) -> None:
    paper = tmp_path / "text.md"
    paper.write_text("BREW", encoding="utf-8")
    # The Base pass has no paper and answers nothing; the Reproduce pass answers rightly.
    agent = submitting("true").replace("sh -c '", "sh -c 'test -f /task/paper.md || exit 0; ")
    code, told = answered([
        str(COMMAND), "calibrate", str(packages[0]), "--agent", agent, "--paper", str(paper), "--budget", "60s",
        "--backend", "bubblewrap", "--force", "--json",
    ])  # fmt: skip
    (report,) = told["reports"]
    passes = {one["name"]: one for one in report["passes"]}
    assert passes["reproduce"]["grade"] == "success", passes
    assert passes["reproduce"]["gap"] == pytest.approx(1.0)
    assert passes["base"]["grade"] == "failure"
    assert passes["floor"]["agent"] == "constant"
    # This package is too small to pass the checks: so it is sent back, with what they say.
    assert (code, report["verdict"]) == (1, "repair")
    assert "checks do not admit" in report["defects"][0]["evidence"]
    assert (settings.home / "calibration" / "one" / "report.md").read_text().startswith("# one: repair")
