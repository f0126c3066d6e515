"""Stored trials as a leaderboard, against figures worked out by hand; and as a result package."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from nature_gym.errors import FindingsError, UsageError
from nature_gym.scoring.results import read_results
from nature_gym.scoring.submission import About, problems_of
from nature_gym.sweeping.export import export, submission_of
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.results import TrialBoard, trial_board
from nature_gym.sweeping.spec import Policy
from tests.unit.sweeping.trials import stored

VALID = {"verdict": "valid", "reason": "learned", "judges": {"forensic": "valid"}, "policy_digest": "sha256:p"}
INVALID = {**VALID, "verdict": "invalid", "reason": "hard-coded"}
ABOUT = About(model="none", agent="good", organization="Us", submission_date=dt.date(2026, 1, 2), contact="us")


def board(home: Path, **options: list[str]) -> TrialBoard:
    return trial_board(TrialFolders(home), {}, **options)


def test_the_best_attempt_of_each_trial_counts_and_seeds_are_averaged(tmp_path: Path) -> None:
    stored(tmp_path, "p", "good", 0, [-0.5, 0.2, 0.1], verdict=VALID)
    stored(tmp_path, "p", "good", 1, [-0.4], verdict=VALID)
    stored(tmp_path, "q", "good", 0, [0.0], verdict=VALID)
    stored(tmp_path, "q", "good", 1, [0.3], verdict=VALID)
    (standing,) = (found := board(tmp_path)).board.standings
    assert standing.overall.mean_g_all == pytest.approx((0.2 - 0.4 + 0.0 + 0.3) / 4)
    assert standing.overall.match_sota == 75.0
    assert standing.overall.surpass_sota == 50.0
    spread = found.agents["good"].spread
    # seed 0: match 100, surpass 50, mean 0.1; seed 1: match 50, surpass 50, mean -0.05
    assert spread["match_sota"] == pytest.approx(50 / 2**0.5, abs=1e-6)
    assert spread["surpass_sota"] == 0.0
    assert spread["mean_g_all"] == pytest.approx(0.15 / 2**0.5, abs=1e-6)
    side = found.agents["good"]
    assert (side.cost, side.matched) == (8.0, 3)
    assert side.hours == pytest.approx(0.4)


def test_missing_and_broken_trials_have_no_score_and_stay_in_the_denominator(tmp_path: Path) -> None:
    stored(tmp_path, "p", "good", 0, [0.2], verdict=VALID)
    stored(tmp_path, "p", "other", 0, [0.3], verdict=VALID)
    stored(tmp_path, "q", "other", 0, [0.3], status="infra_error")
    found = board(tmp_path)
    figures = {one.agent: one.overall for one in found.board.standings}
    assert (figures["good"].task_count, figures["good"].no_score_count) == (2, 1)
    assert (figures["other"].match_sota, figures["other"].no_score_count) == (50.0, 1)
    assert (found.agents["good"].missing, found.agents["other"].missing) == (1, 1)


def test_before_and_after_the_judge_stand_side_by_side(tmp_path: Path) -> None:
    stored(tmp_path, "p", "good", 0, [0.2], verdict=INVALID)
    stored(tmp_path, "q", "good", 0, [0.2])
    stored(tmp_path, "r", "good", 0, [0.2], verdict={**VALID, "verdict": "error"})
    stored(tmp_path, "s", "good", 0, [0.2], verdict=VALID)
    found = board(tmp_path)
    (standing,) = found.board.standings
    assert (found.agents["good"].before.match_sota, standing.overall.match_sota) == (100.0, 25.0)
    assert (standing.overall.invalid_count, standing.overall.unknown_count) == (1, 2)
    assert found.judges == {"forensic sha256:p": 3, "none": 1}


def test_a_verdict_on_another_attempt_is_none(tmp_path: Path) -> None:
    stored(tmp_path, "p", "good", 0, [0.1, 0.2], verdict={**VALID, "attempt": 1})
    (standing,) = board(tmp_path).board.standings
    assert standing.overall.unknown_count == 1


def test_trials_under_other_conditions_do_not_stand_beside_these(tmp_path: Path) -> None:
    stored(tmp_path, "p", "good", 0, [0.9], verdict=VALID, spec={"budget": 60.0}, finished=1.0)
    stored(tmp_path, "p", "good", 0, [0.1], verdict=VALID, finished=2.0)
    stored(tmp_path, "p", "good", 0, [0.8], verdict=VALID, spec={"policy": Policy(purpose="base")}, finished=3.0)
    found = board(tmp_path)
    assert found.board.standings[0].overall.mean_g_all == pytest.approx(0.1)
    assert found.left_out == 1
    assert any("other conditions" in line for line in found.lines())


def test_without_trials_there_is_no_board(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        board(tmp_path)


def test_a_result_package_of_trials_is_in_order(tmp_path: Path) -> None:
    for name, verdict, gaps in (("p", VALID, [0.2]), ("q", INVALID, [0.5]), ("r", None, [])):
        trial = stored(tmp_path / "home", name, "good", 0, gaps, verdict=verdict, agent_version="7")
        (trial.path / "trajectory.jsonl").write_text("{}\n")
    found = board(tmp_path / "home", packages=["p", "q", "r", "s"])
    rows = export(tmp_path / "out", found, "good", 0, submission_of(found, ABOUT, compute="2 cores"))
    assert problems_of(tmp_path / "out", ["p", "q", "r", "s"]) == []
    assert read_results(tmp_path / "out" / "results.csv") == rows
    assert [(one.case_id, one.final_status, one.best_score, one.judge_verdict) for one in rows] == [
        ("p", "succeeded", 0.2, "valid"), ("q", "succeeded", 0.5, "invalid"),
        ("r", "succeeded", None, "not_applicable"), ("s", "not_run", None, "not_applicable"),
    ]  # fmt: skip
    assert "good 7" in (tmp_path / "out" / "submission.yaml").read_text()


def test_scores_that_nobody_judged_are_not_exported(tmp_path: Path) -> None:
    stored(tmp_path / "home", "p", "good", 0, [0.2])
    found = board(tmp_path / "home")
    with pytest.raises(FindingsError, match="not judged"):
        export(tmp_path / "out", found, "good", 0, submission_of(found, ABOUT, compute="2 cores"))
    assert not (tmp_path / "out").exists()
