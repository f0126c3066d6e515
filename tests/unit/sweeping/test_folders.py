"""Trials' folders: claims, runs moved aside, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.errors import UsageError
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.plan import planned
from nature_gym.sweeping.spec import TrialSpec
from tests.unit.sweeping.trials import stored

SPEC = TrialSpec("p", "sha256:0", "x", 0)


def test_a_second_run_keeps_the_evidence_of_the_first(tmp_path: Path) -> None:
    folders = TrialFolders(tmp_path)
    (folders.begin(SPEC) / "stdout").write_text("first")
    (folders.begin(SPEC) / "stdout").write_text("second")
    third = folders.begin(SPEC)
    assert sorted(path.name for path in third.iterdir()) == ["spec.json"]
    assert [(one.path / "stdout").read_text() for one in folders.runs_before(SPEC.id)] == ["first", "second"]
    assert [one.id for one in folders] == [SPEC.id]


def test_a_claim_is_held_by_one(tmp_path: Path) -> None:
    folders = TrialFolders(tmp_path)
    with folders.claimed(SPEC.id) as mine, folders.claimed(SPEC.id) as other:
        assert (mine, other) == (True, False)
        assert folders.is_claimed(SPEC.id)
    assert not folders.is_claimed(SPEC.id)


def test_a_trial_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    trial = stored(tmp_path, "p", "x", 0, [0.1])
    folders = TrialFolders(tmp_path)
    assert folders.find(trial.id[:5]).id == trial.id
    folders.begin(trial.spec)
    assert folders.find(trial.id[:5]).status is None
    assert folders.find(f"{trial.id}.1").status == "succeeded"
    for name in ("", "zzz", "../etc"):
        with pytest.raises(UsageError):
            folders.find(name)


def test_damaged_and_strange_folders_are_no_trials(tmp_path: Path) -> None:
    folders = TrialFolders(tmp_path)
    folder = folders.begin(SPEC)
    (folder / "spec.json").write_text("{")
    (folders.root / "notes").mkdir()
    assert list(folders) == []


def test_of_a_plan_what_never_ended_is_to_do_and_failures_wait_for_rerun(tmp_path: Path) -> None:
    statuses = ("succeeded", "timed_out", "agent_error", "infra_error", "cancelled", None)
    specs = [stored(tmp_path, "p", "x", seed, [], status=status).spec for seed, status in enumerate(statuses)]
    folders = TrialFolders(tmp_path)
    plan = planned([*specs, TrialSpec("p", "sha256:0", "x", 99)], folders)
    assert [one.seed for one in plan.todo] == [4, 5, 99]
    assert [one.spec.seed for one in plan.done] == [0, 1, 2]
    assert [one.spec.seed for one in plan.failed] == [3]
    assert [one.seed for one in planned(specs, folders, ["infra_error", "timed_out"]).todo] == [1, 3, 4, 5]
