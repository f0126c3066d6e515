"""Scores made anew after an anchor or an evaluator was corrected, from what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nature_gym.evaluation.improvement import EvaluatorFaultError
from nature_gym.evaluation.trial import open_task
from nature_gym.packaging.package import Package
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.results import trial_board
from nature_gym.sweeping.scores import recompute, rescore, scores_of, version_of
from nature_gym.sweeping.trial_run import Ground, run_trial
from tests.integration.sweeping.conftest import EVALUATOR, METADATA, Script, make_spec


@pytest.fixture
def trial(tmp_path: Path, package: Package, ground: Ground) -> TrialFolder:
    """A trial that scored 0.25 and then 0.75 against an anchor of 0.5."""
    spec, folders = make_spec(), TrialFolders(tmp_path / "home")
    script = Script("submit([0, 1, 0, 1]); submit([1, 0, 1, 0])")
    run_trial(spec, package, script, folders.begin(spec), ground)
    found = folders.get(spec.id)
    assert found is not None
    return found


def test_scores_are_of_the_version_under_which_they_were_given(trial: TrialFolder, package: Package) -> None:
    scores = scores_of(trial)
    assert [one.gap for one in scores.attempts] == [pytest.approx(-0.5), pytest.approx(0.5)]
    assert scores.version == version_of(open_task(package))


def test_a_corrected_anchor_changes_g_and_leaves_the_evidence(trial: TrialFolder, package: Package) -> None:
    given = (trial.path / "attempts" / "2" / "attempt.json").read_bytes()
    text = json.dumps(METADATA).replace('"0.5"', '"0.75"')
    (package.path / "metadata.json").write_text(text, encoding="utf-8")
    corrected = Package(package.path)
    assert trial_board([trial], {}).stale == ["small-1"]
    before, after = recompute(trial, open_task(corrected))
    assert before.best is not None
    assert before.best.gap == pytest.approx(0.5)
    assert after.best is not None
    assert after.best.gap == pytest.approx(0.0)
    assert scores_of(trial) == after
    assert after.version == version_of(open_task(corrected))
    assert trial_board([trial], {}).stale == []
    assert (trial.path / "attempts" / "2" / "attempt.json").read_bytes() == given


def test_a_mended_evaluator_scores_the_kept_answers(trial: TrialFolder, package: Package, ground: Ground) -> None:
    mended = EVALUATOR.replace("/ len(truth)}", "/ len(truth) / 2}")
    (package.path / "evaluation" / "evaluator.py").write_text(mended, encoding="utf-8")
    task = open_task(Package(package.path))
    before, after = rescore(trial, task, ground.store, ground.sandbox, seconds=30)
    assert [one.raw_scores["a"]["Score"] for one in before.attempts] == [0.25, 0.75]
    assert [one.raw_scores["a"]["Score"] for one in after.attempts] == [0.125, 0.375]
    assert [one.gap for one in after.attempts] == [pytest.approx(-0.75), pytest.approx(-0.25)]
    assert not after.left
    assert scores_of(trial).version == version_of(task)


def test_an_answer_that_was_not_kept_keeps_its_score_and_is_named(
    trial: TrialFolder, package: Package, ground: Ground
) -> None:
    attempt = json.loads((trial.path / "attempts" / "2" / "attempt.json").read_bytes())
    (digest,) = [one["sha256"] for one in attempt["result"]["answer"].values()]
    ground.store.path(f"sha256:{digest}").unlink()
    _, after = rescore(trial, open_task(package), ground.store, ground.sandbox, seconds=30)
    assert after.best is not None
    assert after.best.number == 2
    assert after.best.gap == pytest.approx(0.5)
    assert list(after.left) == [2]


def test_an_evaluator_that_breaks_on_an_answer_takes_its_score(
    trial: TrialFolder, package: Package, ground: Ground
) -> None:
    broken = EVALUATOR.replace("    return {", "    if answer[1] == 0:\n        raise ValueError\n    return {")
    (package.path / "evaluation" / "evaluator.py").write_text(broken, encoding="utf-8")
    _, after = rescore(trial, open_task(package), ground.store, ground.sandbox, seconds=30)
    assert [(one.status, one.gap) for one in after.attempts] == [("scored", pytest.approx(-0.5)), ("fault", None)]


def test_an_evaluator_that_cannot_start_changes_nothing(trial: TrialFolder, package: Package, ground: Ground) -> None:
    (package.path / "evaluation" / "evaluator.py").write_text("import os; os._exit(3)", encoding="utf-8")
    before = scores_of(trial)
    with pytest.raises(EvaluatorFaultError):
        rescore(trial, open_task(package), ground.store, ground.sandbox, seconds=30)
    assert scores_of(trial) == before
