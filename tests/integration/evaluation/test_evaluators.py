"""Evaluators that break, in the sandbox: each gives a typed error, and the trial goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from nature_gym.errors import UsageError
from nature_gym.evaluation.desk import InvalidAnswerError, TooFastError, UnknownTokenError
from nature_gym.evaluation.improvement import EvaluatorFaultError
from nature_gym.evaluation.intake import IntakeError
from tests.integration.evaluation.conftest import EVALUATOR, TRUTH, OpenDesk, Workspace

BREAKS = """
_well = run_evaluation


def run_evaluation():
    if Path(os.environ["OUTPUT_DIR"], "break").exists():
"""
FAULTS = {
    "raises": ("        raise ValueError('secret')\n", "crash"),
    "kills itself": ("        os.kill(os.getpid(), 9)\n", "crash"),
    "hangs": ("        while True: pass\n", "timeout"),
    "sleeps": ("        import time; time.sleep(1000)\n", "timeout"),
    "takes memory": ("        len(bytes(1 << 40))\n", "memory"),
    "exits with 0": ("        os._exit(0)\n", "no_result"),
    "calls exit": ("        raise SystemExit(0)\n", "no_result"),
    "gives nothing": ("        return None\n", "result"),
    "gives NaN": ("        return {'a': {'Score': float('nan')}}\n", "result"),
    "gives infinity": ("        return {'a': {'Score': 1e400}}\n", "result"),
    "names others": ("        return {'c': {'Score': 1.0}}\n", "result"),
    "gives a class": ("        return {'a': {'Score': type('Score', (), {})()}}\n", "result"),
    "gives too much": ("        return {'a': {'Score': 'x' * (20 << 20)}}\n", "result"),
    "writes 10 GB": (
        "        with open('big', 'wb') as file:\n            for _ in range(10240): file.write(bytes(1 << 20))\n",
        "crash",
    ),
}  # fmt: skip
END = "    return _well()\n"


@pytest.mark.parametrize("as_processes", [False, True])
@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_evaluator_is_told_and_the_trial_goes_on(
    open_desk: OpenDesk, workspace: Workspace, name: str, as_processes: bool
) -> None:
    lines, kind = FAULTS[name]
    seconds = 2.0 if kind == "timeout" else 60.0
    desk = open_desk(EVALUATOR + BREAKS + lines + END, as_processes=as_processes, scoring_seconds=seconds)
    workspace.answer(a=TRUTH, b=TRUTH)
    (workspace.folder / "output" / "break").touch()
    with pytest.raises(EvaluatorFaultError) as caught:
        desk.evaluate(desk.token)
    assert caught.value.kind == kind
    assert "secret" not in caught.value.message
    (workspace.folder / "output" / "break").unlink()
    desk.trial = replace(desk.trial, scoring_seconds=60.0)  # a busy machine takes its time over a right answer
    assert desk.evaluate(desk.token)["aggregate_improvement"] == 1.0
    desk.flush()
    record = json.loads((desk.trial.folder / "attempts" / "1" / "attempt.json").read_bytes())
    assert (record["status"], record["result"]["kind"]) == ("fault", kind)


def test_what_is_printed_is_kept_in_part_however_much_it_is(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk(
        EVALUATOR + BREAKS + "        for _ in range(256): os.write(1, b'x' * (1 << 20))\n        print('end')\n" + END
    )
    workspace.answer(a=TRUTH, b=TRUTH)
    (workspace.folder / "output" / "break").touch()
    assert desk.evaluate(desk.token)["aggregate_improvement"] == 1.0
    desk.flush()
    printed = json.loads((desk.trial.folder / "attempts" / "1" / "attempt.json").read_bytes())["result"]["output"]
    assert printed.endswith("end\n")
    assert "bytes left out" in printed
    assert len(printed) < 40_000


def test_what_a_fork_leaves_running_is_ended(open_desk: OpenDesk, workspace: Workspace) -> None:
    lines = (
        "        import subprocess\n"
        "        subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        "    left = [name for name in os.listdir('/proc') if name.isdigit()\n"
        "            and b'sleep' in open(f'/proc/{name}/cmdline', 'rb').read()]\n"
        "    print('running:', len(left))\n"
    )
    desk = open_desk(EVALUATOR + BREAKS + lines + END)
    workspace.answer(a=TRUTH, b=TRUTH)
    (workspace.folder / "output" / "break").touch()
    desk.evaluate(desk.token)
    (workspace.folder / "output" / "break").unlink()
    desk.evaluate(desk.token)
    desk.flush()
    printed = [
        json.loads((desk.trial.folder / "attempts" / number / "attempt.json").read_bytes())["result"]["output"]
        for number in ("1", "2")
    ]
    assert printed == ["running: 1\n", "running: 0\n"]


def test_a_fork_leaves_no_state_behind(open_desk: OpenDesk, workspace: Workspace) -> None:
    source = EVALUATOR.replace("def run_evaluation():\n", "SEEN = []\n\n\ndef run_evaluation():\n    SEEN.append(1)\n")
    source = source.replace(
        "    return result", "    print(len(SEEN), os.listdir('.'))\n    open('left', 'w')\n    return result"
    )
    desk = open_desk(source)
    workspace.answer(a=TRUTH, b=TRUTH)
    for number in (1, 2):
        desk.evaluate(desk.token)
        desk.flush()
        record = json.loads((desk.trial.folder / "attempts" / str(number) / "attempt.json").read_bytes())
        assert record["result"]["output"] == "1 []\n"


def test_what_was_loaded_stays_right_when_a_fork_changes_it(open_desk: OpenDesk, workspace: Workspace) -> None:
    source = EVALUATOR.replace(
        "    return result", "        truth[0] = 7\n        with open(TRUTH / name / 'truth.json') as file:\n"
        "            assert json.load(file)[0] == 1\n    return result"
    )  # fmt: skip
    desk = open_desk(source)
    workspace.answer(a=TRUTH, b=TRUTH)
    for _ in range(4):
        assert desk.evaluate(desk.token)["aggregate_improvement"] == 1.0
    assert desk._evaluator.hello == {"mode": "fork", "reason": "", "kept": 2}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n",
            "1 threads",
        ),
        ("import os\nos.listdir(os.environ['OUTPUT_DIR'])\n", "without an answer"),
    ],
)
def test_where_a_fork_is_unsafe_each_answer_gets_a_process_and_it_is_said(
    open_desk: OpenDesk, workspace: Workspace, lines: str, reason: str
) -> None:
    desk = open_desk(lines + EVALUATOR)
    workspace.answer(a=TRUTH, b=TRUTH)
    assert desk.evaluate(desk.token)["aggregate_improvement"] == 1.0
    assert desk.works_as == "process"
    said: dict[str, Any] = json.loads((desk.trial.folder / "trial.json").read_bytes())["evaluator"]
    assert reason in said["reason"]


def test_an_answer_is_scored_by_instance_and_paths_are_not_told(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk()
    workspace.answer(a=[1, 0, 0, 0])
    assert desk.evaluate(desk.token) == {
        "attempt": 1,
        "raw_scores": {"a": {"Score": 0.5}, "b": {"Score": None, "error": "answer.json is missing, or no JSON"}},
        "per_instance_improvement": {"a": 0.0, "b": -1.0},
        "aggregate_improvement": -0.5,
        "best_aggregate_improvement": -0.5,
        "best_attempt": 1,
    }


def test_an_answer_of_which_nothing_can_be_scored_is_invalid_and_never_the_best(
    open_desk: OpenDesk, workspace: Workspace
) -> None:
    desk = open_desk()
    (workspace.folder / "output" / "other.txt").touch()
    with pytest.raises(InvalidAnswerError) as caught:
        desk.evaluate(desk.token)
    assert set(caught.value.body["raw_scores"]) == {"a", "b"}
    assert desk.best_score(desk.token) == {"best_aggregate_improvement": None, "best_attempt": None, "attempts": 1}


def test_without_feedback_nothing_of_the_scores_is_told_and_all_is_kept(
    open_desk: OpenDesk, workspace: Workspace
) -> None:
    desk = open_desk(feedback="none")
    workspace.answer(a=TRUTH, b=TRUTH)
    told = desk.evaluate(desk.token)
    assert told == {
        "attempt": 1, "raw_scores": {}, "per_instance_improvement": {}, "aggregate_improvement": None,
        "best_aggregate_improvement": None, "best_attempt": None,
    }  # fmt: skip
    assert desk.best_score(desk.token)["best_aggregate_improvement"] is None
    best = desk.standing().best
    assert best is not None
    assert best.gap == 1.0


def test_refusals_are_recorded(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk()
    (workspace.folder / "output" / "link").symlink_to("/etc/passwd")
    with pytest.raises(IntakeError):
        desk.evaluate(desk.token)
    desk.flush()
    line = json.loads((desk.trial.folder / "submissions.jsonl").read_bytes())
    assert (line["attempt"], line["status"], line["reason"]) == (1, "refused", "link is a link; write the file itself")


def test_wrong_tokens_and_hurry_are_refused_before_anything_is_read(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk(submissions_per_minute=2)
    workspace.answer(a=TRUTH, b=TRUTH)
    for ask in (desk.evaluate, desk.best_score, desk.time_remaining):
        with pytest.raises(UnknownTokenError):
            ask("not the token")
    desk.evaluate(desk.token)
    desk.evaluate(desk.token)
    with pytest.raises(TooFastError) as caught:
        desk.evaluate(desk.token)
    assert 0 < caught.value.wait <= 30
    assert desk.standing().attempts == 2


def test_one_process_serves_a_trial(open_desk: OpenDesk) -> None:
    open_desk()
    with pytest.raises(UsageError):
        open_desk()


def test_attempts_keep_the_source_they_were_made_with(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk()
    workspace.answer(a=TRUTH, b=TRUTH)
    for text in ("print(1)\n", "print(2)\n"):
        (workspace.folder / "run.py").write_text(text, encoding="utf-8")
        desk.evaluate(desk.token)
    desk.flush()
    for number, text in (("1", "print(1)\n"), ("2", "print(2)\n")):
        digest = json.loads((desk.trial.folder / "attempts" / number / "source.json").read_bytes())["files"]["run.py"]
        assert (desk.trial.folder / "sources" / digest[:2] / digest).read_text() == text
