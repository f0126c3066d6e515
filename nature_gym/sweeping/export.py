"""An agent's stored trials as a result package: one seed, a row a task, the evidence of each.

Files are read one task at a time: trajectories of ninety tasks do not fit into memory together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from nature_gym.errors import FindingsError, UsageError
from nature_gym.scoring.results import Result
from nature_gym.scoring.submission import About, Conditions, Submission, result_document, write_package
from nature_gym.sweeping.evidence import LARGEST_TRAJECTORY
from nature_gym.sweeping.folders import TRAJECTORY, VERDICT
from nature_gym.sweeping.results import Outcome, TrialBoard

MISSING = "not_run"
LARGEST_EVIDENCE = 8 << 20
_EVIDENCE = {"submissions.jsonl": "submissions.jsonl", "judge_verdict.json": VERDICT, TRAJECTORY: TRAJECTORY}


class Evidence(Mapping[str, Mapping[str, bytes]]):
    """The files of each task under raw-results, read when they are asked for."""

    def __init__(self, rows: Mapping[str, tuple[Result, Outcome | None]]) -> None:
        self._rows = rows

    def __getitem__(self, case: str) -> Mapping[str, bytes]:
        result, outcome = self._rows[case]
        if outcome is None:
            return {"result.json": result_document(result)}
        trial = outcome.trial
        files = {
            "result.json": result_document(
                result, trial=trial.id, attempt=outcome.attempt, seed=trial.spec.seed, agent=trial.spec.agent,
                evaluation=outcome.version.evaluation, anchors=outcome.version.anchors,
                task_digest=trial.spec.task_digest, spent=trial.record.get("spent"), phases=trial.record.get("phases"),
            )
        }  # fmt: skip
        for name, source in _EVIDENCE.items():
            limit = LARGEST_TRAJECTORY if name == TRAJECTORY else LARGEST_EVIDENCE
            if (content := _content(trial.path / source, limit)) is not None:
                files[name] = content
        if TRAJECTORY not in files:
            files[TRAJECTORY] = b""
        return files

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def export(folder: Path, found: TrialBoard, agent: str, seed: int, submission: Submission) -> Sequence[Result]:
    """Write the result package of one agent and seed; its rows.

    Raises UsageError for an agent or seed that has no trial, FindingsError where a score was not judged.
    """
    side = found.agents.get(agent)
    if side is None or seed not in found.seeds:
        raise UsageError(f"There is no trial of {agent[:60]!r} with seed {seed}.", hint="'naturegym trials list'.")
    rows = {task: _row(task, side.outcomes.get((task, seed))) for task in found.tasks}
    if unjudged := [task for task, (result, _) in rows.items() if result.judge_verdict == "unknown"]:
        raise FindingsError(
            f"{len(unjudged)} scores were not judged ({', '.join(unjudged[:3])}).",
            hint="'naturegym judge' judges them; 'naturegym judge --failed' those where a judge failed.",
        )
    results = [result for result, _ in rows.values()]
    write_package(folder, submission, results, Evidence(rows))
    return results


def submission_of(found: TrialBoard, about: About, *, compute: str, deviations: str = "") -> Submission:
    """Who and how; ``about.agent`` is the agent as trials have it, and gets its versions, as far as these tell them."""
    side = found.agents.get(about.agent)
    outcomes = list(side.outcomes.values()) if side else []
    versions = sorted({str(one.trial.record.get("agent_version", "")) for one in outcomes} - {""})
    judges = sorted({one.judged.judge for one in outcomes if one.judged.judge}) or ["none"]
    about = about.model_copy(update={"agent": " ".join([about.agent, *versions])})
    conditions = Conditions(
        timeout_seconds=max(1, int(found.conditions["budget"])), web_search=False, compute=compute,
        judge_model=", ".join(judges), human_intervention=False, deviations_from_reference=deviations,
    )  # fmt: skip
    return Submission(submission=about, evaluation=conditions)


def _row(task: str, outcome: Outcome | None) -> tuple[Result, Outcome | None]:
    if outcome is None:
        return Result(task, MISSING, None, "not_applicable"), None
    status = outcome.trial.status or MISSING
    if outcome.gap is None:
        return Result(task, status, None, "not_applicable"), outcome
    reason = outcome.judged.reason if outcome.judged.verdict == "invalid" else ""
    return Result(task, status, outcome.gap, outcome.judged.verdict, reason), outcome


def _content(path: Path, limit: int) -> bytes | None:
    """A file of ours, cut at the last whole line where it is larger than ``limit``; None where there is none."""
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        return None
    return content if len(content) <= limit else content[: content.rfind(b"\n", 0, limit) + 1]
