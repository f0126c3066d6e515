"""A sweep killed at drawn moments: each trial ends once, what died is kept aside, and nothing of it is left running."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from nature_gym.sandbox import folders as boxes
from nature_gym.sweeping import room
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.scores import scores_of
from nature_gym.sweeping.trial_run import Ground
from tests.integration.sweeping.conftest import make_package

DRIVER = Path(__file__).with_name("driver.py")
KILLS = int(os.environ.get("KILLS", "4"))


def start(home: Path, packages: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(DRIVER), str(home), str(packages), "0.2"], stderr=subprocess.PIPE)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_killed_again_and_again_every_trial_ends_once(tmp_path: Path, ground: Ground) -> None:
    home, packages = tmp_path / "swept", tmp_path / "packages"
    for name in ("one", "two", "three"):
        make_package(packages / name, readme=name)
    chance = random.Random(9)
    ended: dict[str, object] = {}
    folders = TrialFolders(home)
    for _ in range(KILLS):
        process = start(home, packages)
        until = time.monotonic() + 60
        while not list(folders) and time.monotonic() < until:
            with suppress(subprocess.TimeoutExpired):  # it imports: there is nothing to kill yet
                process.wait(0.05)
        try:
            process.wait(chance.uniform(0.5, 4.0))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        assert process.stderr is not None
        process.stderr.close()
        for trial in folders:
            if trial.id in ended:
                assert trial.record == ended[trial.id], "a trial that had ended was begun again"
            elif trial.status is not None:
                ended[trial.id] = trial.record
    process = start(home, packages)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 0, said.decode()
    trials = list(folders)
    assert len(trials) == 12
    assert {trial.status for trial in trials} == {"succeeded"}
    for trial in trials:
        assert (trial.path / "submissions.jsonl").read_bytes().count(b"\n") == 1
        best = scores_of(trial).best
        assert best is not None
        assert best.gap == pytest.approx(1.0 if trial.spec.agent == "a" else 0.5)
    for trial in trials:
        for before in folders.runs_before(trial.id):
            assert before.status is None, "what was moved aside had died"
            assert before.spec == trial.spec
    assert any(folders.runs_before(trial.id) for trial in trials), "no kill met a trial under way"
    room.sweep()
    assert not list(boxes.abandoned(room.KIND))
