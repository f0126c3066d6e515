"""The flow that judges trials, through a Prefect server."""

from __future__ import annotations

import shutil
from pathlib import Path

from flows.launch import run_flow
from nature_gym.config import Settings
from nature_gym.files import write_json
from nature_gym.judging.verdict import read_outcome
from nature_gym.runs import all_runs
from tests.integration.judging import honest
from tests.integration.judging.cheats import cheats
from tests.integration.judging.conftest import COHORT, Recorder, truth


def test_trials_are_judged_counted_and_shown(settings: Settings, tmp_path: Path) -> None:
    shutil.copytree(COHORT, settings.packages / COHORT.name)
    trials = settings.home / "trials"
    trials.mkdir(parents=True)
    for name, files in (("aaaa", honest.COHORT["mean"]), ("bbbb", cheats(truth())["zeros"][1])):
        one = Recorder(COHORT, tmp_path / name)
        one.write(files)
        one.attempt()
        one.folder.rename(trials / name)
        write_json(trials / name / "spec.json", {"package": COHORT.name})
        write_json(trials / name / "trial.json", {"status": "succeeded", "opened": 0.0})
    run_flow("flows.judge:judge", settings, {})
    said = {name: outcome.verdict for name in ("aaaa", "bbbb") if (outcome := read_outcome(trials / name))}
    assert said == {"aaaa": "valid", "bbbb": "invalid"}
    newest = list(all_runs(settings.runs))[-1]
    assert newest.counts == {"valid": 1, "invalid": 1}
