"""The worker of ``naturegym ui``: it runs what is asked for, is told of when it dies, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import requests

from flows.deployments import OFFERS
from flows.environment import prefect_environment
from flows.server import LocalServer, running_server
from flows.worker import STATE
from nature_gym.config import Settings
from nature_gym.files import is_held
from nature_gym.runs import RunRecord, all_runs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
ENDED = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


class Ui:
    """``naturegym ui --json`` as a process, once its deployments are there."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nature_gym.cli.main", "ui", "--json", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        self.told: dict[str, Any] = orjson.loads(line)

    def ask(self, path: str, **body: Any) -> Any:
        answer = requests.post(f"{self.told['api_url']}/{path}", json=body, timeout=30)
        answer.raise_for_status()
        return answer.json()

    def begin(self, deployment: str, **parameters: Any) -> str:
        """Start a run, as a form does; its id."""
        path = f"deployments/{self.told['deployments'][deployment]}/create_flow_run"
        return str(self.ask(path, parameters=parameters, state={"type": "SCHEDULED"})["id"])

    def state(self, run: str) -> dict[str, Any]:
        (found,) = self.ask("flow_runs/filter", flow_runs={"id": {"any_": [run]}})
        return dict(found["state"])

    def until(self, what: Callable[[], Any], seconds: float = 200) -> Any:
        """Look until ``what`` is so."""
        deadline = time.monotonic() + seconds
        while not (found := what()):
            assert time.monotonic() < deadline, "it did not come to pass"
            assert self.process.poll() is None, self.process.communicate()[1].decode()
            time.sleep(0.2)
        return found

    def until_ended(self, run: str) -> dict[str, Any]:
        self.until(lambda: self.state(run)["type"] in ENDED)
        return self.state(run)

    def end(self, number: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(number)
        errors = self.process.communicate(timeout=60)[1].decode()
        return self.process.returncode, errors


@pytest.fixture
def ui(settings: Settings) -> Iterator[Ui]:
    started = Ui()
    yield started
    if started.process.poll() is None:
        started.process.kill()
        started.process.communicate()


def in_group(leader: int) -> list[int]:
    """The processes of a group that live."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (OSError, IndexError):
            continue
        if folder.name.isdigit() and int(fields[2]) == leader and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def test_deployments_are_offered_run_and_gone_with_ctrl_c(settings: Settings, ui: Ui) -> None:
    assert set(ui.told["deployments"]) == {offer.name for offer in OFFERS}
    found = {one["name"]: one for one in ui.ask("deployments/filter")}
    assert {name for name, one in found.items() if one["schedules"]} == {"corpus-refresh", "check-corpus"}
    ui.until(lambda: {one["status"] for one in ui.ask("deployments/filter")} == {"READY"})
    limits = {name: one["global_concurrency_limit"]["limit"] for name, one in found.items()}
    assert limits == {offer.name: offer.limit for offer in OFFERS}
    run = ui.begin("check-corpus")
    state = ui.until_ended(run)
    assert (state["type"], state["message"]) == ("COMPLETED", "nothing to do")
    (record,) = all_runs(settings.runs)
    assert (record.kind, record.flow_run, record.state) == ("check-corpus", run, "completed")
    failed = ui.until_ended(ui.begin("check-package", package=str(settings.home)))
    assert failed["type"] == "FAILED"
    worker = ui.told["worker"]
    code, errors = ui.end(signal.SIGINT)
    assert (code, errors.splitlines()[-1]) == (0, "Stopped.")
    assert in_group(worker) == []
    assert running_server(settings) is None
    assert not is_held(settings.home / "prefect" / STATE)


def standing(settings: Settings) -> RunRecord | None:
    return next((run for run in all_runs(settings.runs) if run.state == "running"), None)


def test_a_worker_that_is_killed_is_told_started_again_and_its_run_is_crashed_and_no_process_of_it_lives(
    settings: Settings, silent_host: str, ui: Ui
) -> None:
    run = ui.begin("corpus-refresh", until="harvest")
    record = ui.until(lambda: standing(settings))
    worker = ui.told["worker"]
    os.kill(worker, signal.SIGKILL)
    ui.until(lambda: is_held(settings.home / "prefect" / STATE) and in_group(worker) == [])
    assert record.pid not in in_group(worker)
    assert ui.until_ended(run)["type"] in {"CRASHED", "CANCELLED"}
    assert {one.state for one in all_runs(settings.runs)} <= {"crashed", "cancelled"}
    code, errors = ui.end(signal.SIGTERM)
    assert code == 0
    assert "The worker died (signal 9) and is started again" in errors


def test_a_run_that_is_killed_is_crashed_and_one_that_slept_is_not(
    settings: Settings, silent_host: str, ui: Ui
) -> None:
    first = ui.begin("corpus-refresh", until="harvest")
    record = ui.until(lambda: standing(settings))
    os.kill(record.pid, signal.SIGSTOP)
    os.kill(record.pid, signal.SIGCONT)
    assert ui.state(first)["type"] == "RUNNING"
    os.kill(record.pid, signal.SIGKILL)
    assert ui.until_ended(first)["type"] == "CRASHED"
    ui.until_ended(ui.begin("check-corpus"))
    code, _ = ui.end(signal.SIGINT)
    assert code == 0


@pytest.fixture
def silent_host(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A host that takes questions and answers none: a refresh stands at it until it is ended."""
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        monkeypatch.setenv("NATUREGYM_MIRROR", url)
        monkeypatch.setenv("NATUREGYM_TIMEOUT", "600")
        yield url


def test_the_file_deploys_to_a_server_that_runs_elsewhere(settings: Settings, repository: Path) -> None:
    program = Path(sys.executable).with_name("prefect")
    with LocalServer(settings) as server:
        environment = os.environ | prefect_environment(settings) | {"PREFECT_API_URL": server.api_url}
        environment["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "INFO"

        def prefect(*words: str) -> None:
            done = subprocess.run(
                [program, "--no-prompt", *words], cwd=repository, env=environment, capture_output=True, text=True,
                timeout=200, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr

        prefect("work-pool", "create", "naturegym", "--type", "process", "--overwrite")
        prefect("deploy", "--all")
        answer = requests.post(f"{server.api_url}/deployments/filter", json={}, timeout=30)
        found = {one["name"]: one for one in answer.json()}
    assert set(found) == {offer.name for offer in OFFERS}
    for offer in OFFERS:
        one = found[offer.name]
        assert (one["work_pool_name"], one["description"]) == ("naturegym", offer.description)
        assert [entry["schedule"]["cron"] for entry in one["schedules"]] == ([offer.cron] if offer.cron else [])
        assert one["global_concurrency_limit"]["limit"] == offer.limit
        assert one["concurrency_options"]["collision_strategy"] == offer.collision
        assert one["parameter_openapi_schema"]["properties"]
