"""``naturegym judge``: what is asked, what is kept, and what is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.config import Settings
from nature_gym.errors import UsageError
from nature_gym.files import write_json
from nature_gym.judging import running
from nature_gym.judging.case import Case
from nature_gym.judging.running import Forensic, judge_trials, judges_named, trial_folders
from nature_gym.judging.verdict import Verdict
from tests.integration.judging import honest
from tests.integration.judging.cheats import cheats
from tests.integration.judging.conftest import COHORT, EXAMPLES, Record, Recorder, truth
from tests.model_server import Said, model_server

Trial = Callable[[str, dict[str, str]], Path]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def trial(record: Record, home: Path, tmp_path: Path) -> Trial:
    """Puts a recorded trial into the home."""

    def put(name: str, files: dict[str, str]) -> Path:
        one = Recorder(COHORT, tmp_path / name)
        one.write(files)
        one.attempt()
        folder = home / "trials" / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        one.folder.rename(folder)
        write_json(folder / "spec.json", {"package": COHORT.name})
        told = json.loads((folder / "trial.json").read_bytes())
        write_json(folder / "trial.json", {**told, "status": "succeeded"})
        return folder

    return put


def settings(home: Path, **more: Any) -> Settings:
    return Settings(home=home, **more)


def run(home: Path, *arguments: str, **environment: str) -> tuple[int, dict[str, Any]]:
    given = {"NATUREGYM_HOME": str(home), **environment}
    result = CliRunner().invoke(app, ["judge", "--packages", str(EXAMPLES), "--json", *arguments], env=given)
    return result.exit_code, json.loads(result.stdout)


def test_trials_are_judged_and_the_exit_code_says_what_was_found(home: Path, trial: Trial) -> None:
    trial("aaaa", honest.COHORT["ridge pipeline"])
    assert run(home)[0] == 0
    folder = trial("bbbb", cheats(truth())["zeros"][1])
    code, found = run(home)
    assert code == 1
    assert {one["trial"]: one["verdict"] for one in found["trials"]} == {"aaaa": "valid", "bbbb": "invalid"}
    kept = json.loads((folder / "verdict.json").read_bytes())
    assert (kept["verdict"], kept["attempt"]) == ("invalid", 1)
    assert kept["policy_digest"].startswith("sha256:")
    assert json.loads((folder / "verdicts" / "forensic.json").read_bytes())["evidence"]


def test_a_verdict_that_holds_is_not_asked_for_again_and_a_stale_one_is(
    home: Path, trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial("aaaa", honest.COHORT["mean"])
    assert run(home)[1]["trials"][0]["asked"] == ["forensic"]
    assert run(home)[1]["trials"][0]["asked"] == []
    assert run(home, "--again")[1]["trials"][0]["asked"] == ["forensic"]
    monkeypatch.setattr(running, "policy_digest", lambda: "sha256:other")
    assert run(home)[1]["trials"][0]["asked"] == ["forensic"]


def test_an_error_is_shown_and_judged_again_by_failed(home: Path, trial: Trial) -> None:
    trial("aaaa", honest.COHORT["mean"])
    trial("bbbb", honest.COHORT["least squares"])
    replies = [Said("it is fine"), Said("it is fine")]
    right = {
        "verdict": "valid", "reason": "fitted",
        "evidence": [{"file": "run.py", "quote": "train = pd.read_csv(DATA_DIR"}],
    }  # fmt: skip
    with model_server(lambda _: replies.pop() if replies else right) as server:
        given = {
            "NATUREGYM_MODEL_PROVIDER": "openai", "NATUREGYM_MODEL_URL": server.url("openai"),
            "NATUREGYM_MODEL_PRICE": "0/0",
        }  # fmt: skip
        judges = ("--judge", "forensic", "--judge", "llm:m-1")
        code, found = run(home, *judges, **given)
        assert code == 3
        words = {one["trial"]: one["judges"] for one in found["trials"]}
        assert words["aaaa"] == {"forensic": "valid", "llm:m-1": "error"}
        assert words["bbbb"] == {"forensic": "valid", "llm:m-1": "valid"}
        assert found["agreement"][0]["left_out"] == 1
        code, found = run(home, "--failed", *judges, **given)
        assert [one["trial"] for one in found["trials"]] == ["aaaa"]
        assert found["trials"][0]["asked"] == ["llm:m-1"]
        assert (code, found["trials"][0]["verdict"]) == (0, "valid")
        assert run(home, "--failed", *judges, **given)[1]["trials"] == []


def test_a_judge_that_breaks_down_is_an_error_of_its_own(
    home: Path, trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_: Forensic, case: Case) -> Verdict:
        raise ZeroDivisionError(case.name)

    monkeypatch.setattr(Forensic, "judge", breaks)
    folders = [trial("aaaa", honest.COHORT["mean"])]
    (found,) = judge_trials(folders, [Forensic()], settings(home), packages=EXAMPLES)
    assert found.outcome is not None
    assert found.outcome.verdict == "error"
    assert "ZeroDivisionError" in found.outcome.reason


def test_a_trial_that_cannot_be_judged_stops_no_other(home: Path, trial: Trial) -> None:
    broken, fine = trial("aaaa", honest.COHORT["mean"]), trial("bbbb", honest.COHORT["mean"])
    write_json(broken / "spec.json", {"package": "gone"})
    found = list(judge_trials([broken, fine], [Forensic()], settings(home), packages=EXAMPLES))
    assert [one.outcome.verdict if one.outcome else one.why for one in found][1] == "valid"
    assert "package gone" in found[0].why
    assert run(home)[0] == 3


def test_unscored_and_unfinished_trials_are_not_judged(home: Path, trial: Trial) -> None:
    unscored = trial("aaaa", honest.COHORT["mean"])
    (unscored / "attempts" / "1" / "attempt.json").unlink()
    cancelled = trial("bbbb", honest.COHORT["mean"])
    write_json(cancelled / "trial.json", {"status": "cancelled"})
    code, found = run(home)
    assert code == 0
    assert [(one["trial"], one["judged"]) for one in found["trials"]] == [("aaaa", False)]
    assert not (unscored / "verdict.json").exists()


def test_the_program_of_the_scored_attempt_is_judged_and_not_what_came_after(home: Path, tmp_path: Path) -> None:
    one = Recorder(COHORT, tmp_path / "two")
    one.write(cheats(truth())["zeros"][1])
    one.attempt(0.1)
    one.write(honest.COHORT["mean"])
    one.attempt(0.3)
    one.write(cheats(truth())["rules by hand"][1])
    one.attempt(0.2)
    assert one.verdict().verdict == "valid"
    one.write(cheats(truth())["an array of answers"][1])
    one.attempt(0.9)
    assert one.verdict().categories[0] == "hard_coded"


def test_judges_and_trials_by_name(home: Path, trial: Trial) -> None:
    folder = trial("abcd", honest.COHORT["mean"])
    assert trial_folders(home, ["ab"]) == trial_folders(home, [str(folder)]) == [folder]
    assert [one.name for one in judges_named(["llm:x", "forensic", "llm:x"], settings(home))] == ["llm:x", "forensic"]
    for wrong in (lambda: trial_folders(home, ["zz"]), lambda: judges_named(["oracle"], settings(home))):
        with pytest.raises(UsageError):
            wrong()
