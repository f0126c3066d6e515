"""The service killed at any moment: no attempt is lost or counted twice, and no deadline moves."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.evaluation.events import TrialRecord
from nature_gym.evaluation.state import Ending, Opening
from nature_gym.sandbox.interface import Sandbox
from tests.integration.evaluation.conftest import TRUTH, OpenDesk, Workspace
from tests.integration.evaluation.protocol_client import Client

KILLS = int(os.environ.get("KILLS", "3"))
EXAMPLE = Path(__file__).parents[3] / "task_packages" / "examples" / "demo-48a07731"


class Service:
    """``naturegym serve-eval`` as a user runs it."""

    def __init__(self, folder: Path) -> None:
        argv = [sys.executable, "-m", "nature_gym.cli.main", "serve-eval", str(EXAMPLE), "--output-dir", str(folder)]
        argv += ["--budget", "5000", "--backend", "bubblewrap"]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout is not None
        said = json.loads(self.process.stdout.readline())
        self.token = said["eval_token"]
        host, port = said["url"].removeprefix("http://").split(":")
        self.client = Client(http.client.HTTPConnection(host, int(port), timeout=60), self.token)

    def kill(self) -> None:
        self.client.close()
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_again_and_again_the_trial_goes_on(tmp_path: Path, sandbox: Sandbox, naturegym_home: Path) -> None:
    folder = tmp_path / "trial"
    chance = random.Random(8)
    answered: dict[int, object] = {}
    tokens, opened = set(), set()
    for kill in range(KILLS + 1):
        service = Service(folder)
        tokens.add(service.token)
        opened.add(json.loads((folder / "trial" / "trial.json").read_bytes())["opened"])
        killer = None
        if kill < KILLS:
            killer = subprocess.Popen(
                ["/bin/sh", "-c", f"sleep {chance.uniform(0.0, 0.5):.3f}; kill -9 {service.process.pid}"]
            )
        with contextlib.suppress(OSError, http.client.HTTPException):
            for _ in range(40 if killer else 1):
                for name in ("antireflection", "edge", "splitter"):
                    (folder / "workspace" / "output" / name).mkdir(exist_ok=True)
                    (folder / "workspace" / "output" / name / "designs.csv").write_text("name\nx\n")
                answer = service.client.evaluate()
                if answer.code in (200, 400) and "attempt" in answer.body:
                    assert answer.body["attempt"] not in answered
                    answered[answer.body["attempt"]] = answer.body["raw_scores"]
        if killer:
            killer.wait()
        else:
            until = time.monotonic() + 60
            while service.client.time_remaining().body["is_paused"] and time.monotonic() < until:
                pass
        service.kill()
    assert len(tokens) == len(opened) == 1
    engine = open_database(f"sqlite:///{naturegym_home}/naturegym.db")
    trial = json.loads((folder / "trial" / "trial.json").read_bytes())["trial"]
    attempts = Trials(engine).attempts(trial)
    engine.dispose()
    assert [one.number for one in attempts] == list(range(1, len(attempts) + 1))
    assert all(one.status in ("invalid", "interrupted") for one in attempts)
    for number, raw in answered.items():
        assert attempts[number - 1].result["raw_scores"] == raw
    lines = (folder / "trial" / "submissions.jsonl").read_text().splitlines()
    assert [json.loads(line)["attempt"] for line in lines] == [one.number for one in attempts]
    assert TrialRecord(folder / "trial").attempts() == attempts


def begun(state: Trials, desk_trial: Path) -> None:
    """A service that died after it had begun the first attempt."""
    opening = Opening("t", "digest", time.time() - 50.0, 100.0)
    state.open(opening)
    state.begin("t", opening.opened + 10.0)
    desk_trial.mkdir(exist_ok=True)


def test_an_answer_that_was_taken_in_is_scored_when_the_service_is_back(
    open_desk: OpenDesk, workspace: Workspace, state: Trials, tmp_path: Path
) -> None:
    begun(state, tmp_path / "trial")
    (tmp_path / "trial" / "scoring" / "current").mkdir(parents=True)
    workspace.answer(a=TRUTH, b=TRUTH)
    for name in ("a", "b"):
        (workspace.folder / "output" / name).rename(tmp_path / "trial" / "scoring" / "current" / name)
    desk = open_desk()
    until = time.monotonic() + 60
    while desk.standing().scoring is not None and time.monotonic() < until:
        pass
    best = desk.standing().best
    assert best is not None
    assert (best.number, best.gap) == (1, 1.0)
    clock = desk.standing().clock
    assert clock.elapsed(clock.opened + 60.0) > 55.0  # the time of the dead service is no pause
    assert set(best.result["answer"]) == {"a/answer.json", "b/answer.json"}


def test_an_answer_that_was_not_taken_in_is_interrupted_and_the_trial_goes_on(
    open_desk: OpenDesk, workspace: Workspace, state: Trials, tmp_path: Path
) -> None:
    begun(state, tmp_path / "trial")
    (tmp_path / "trial" / "scoring" / "taking").mkdir(parents=True)
    desk = open_desk()
    assert [one.status for one in state.attempts("t")] == ["interrupted"]
    workspace.answer(a=TRUTH, b=TRUTH)
    assert desk.evaluate(desk.token)["attempt"] == 2


def test_a_torn_line_is_written_anew(open_desk: OpenDesk, workspace: Workspace) -> None:
    with open_desk() as desk:
        workspace.answer(a=TRUTH, b=TRUTH)
        desk.evaluate(desk.token)
        desk.evaluate(desk.token)
        desk.flush()
        path = desk.trial.folder / "submissions.jsonl"
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2 + 20])
        (desk.trial.folder / "attempts" / "2" / "attempt.json").unlink()
    open_desk()
    assert path.read_bytes() == whole
    assert (desk.trial.folder / "attempts" / "2" / "attempt.json").exists()


def test_a_trial_that_the_database_lost_comes_back_from_its_folder(
    open_desk: OpenDesk, workspace: Workspace, state: Trials, tmp_path: Path
) -> None:
    with open_desk() as desk:
        workspace.answer(a=TRUTH, b=TRUTH)
        desk.evaluate(desk.token)
        before = desk.standing()
        desk.flush()
    engine = open_database(f"sqlite:///{tmp_path / 'another.db'}")
    lost = Trials(engine)
    lost.restore(TrialRecord(desk.trial.folder).opening() or before.opening, TrialRecord(desk.trial.folder).attempts())
    assert lost.standing("t") == before
    engine.dispose()


def test_an_evaluators_sandbox_that_is_gone_is_started_anew(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk()
    workspace.answer(a=TRUTH, b=TRUTH)
    desk.evaluate(desk.token)
    running = desk._evaluator._running
    assert running is not None
    running.stop()
    codes = []
    for _ in range(2):
        try:
            codes.append(desk.evaluate(desk.token)["aggregate_improvement"])
        except Exception as error:  # noqa: BLE001 -- what matters is that the second goes through
            codes.append(type(error).__name__)
    assert codes[1] == 1.0
    assert codes[0] in (1.0, "EvaluatorFaultError")


def test_an_end_that_the_database_could_not_take_blocks_no_later_answer(
    open_desk: OpenDesk, workspace: Workspace, state: Trials, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk()
    workspace.answer(a=TRUTH, b=TRUTH)
    real = state.finish
    faults = iter([OSError("no room"), OSError("no room")])

    def finish(trial: str, number: int, ending: Ending) -> bool:
        for fault in faults:
            raise fault
        return real(trial, number, ending)

    monkeypatch.setattr(state, "finish", finish)
    with contextlib.suppress(Exception):
        desk.evaluate(desk.token)
    assert desk.evaluate(desk.token)["attempt"] == 2
    assert [one.status for one in state.attempts("t")] == ["fault", "scored"]
