"""Scores as they count now: made anew from what is kept, where an anchor or an evaluator was corrected.

The idea: what an attempt was given is evidence and is never changed. A trial's ``scores.json`` has what its attempts
count now, and of which version that is: the digest of the anchors, and that of the evaluator with its ground truth. An
anchor that was corrected costs arithmetic; an evaluator that was corrected scores the kept answers again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nature_gym.digests import PREFIX, digest_folder, digest_json
from nature_gym.errors import FindingsError
from nature_gym.evaluation.evaluator import CURRENT, Evaluator
from nature_gym.evaluation.events import TrialRecord
from nature_gym.evaluation.improvement import EvaluatorFaultError, Scores, read_result
from nature_gym.evaluation.state import Attempt
from nature_gym.evaluation.trial import Task
from nature_gym.files import write_json
from nature_gym.sandbox.interface import Sandbox
from nature_gym.scoring.gap import task_gap
from nature_gym.store import Store
from nature_gym.sweeping.answers import NotKeptError, put_back
from nature_gym.sweeping.folders import SCORES, TrialFolder, read_json

SHORT = 12


@dataclass(frozen=True, slots=True)
class Score:
    """What an attempt counts. ``gap`` is None where it has no score."""

    number: int
    status: str
    gap: float | None
    gaps: Mapping[str, float]
    raw_scores: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Version:
    """Of which evaluator and anchors scores are. Digests."""

    evaluation: str
    anchors: str

    def __str__(self) -> str:
        """In short, for people."""
        return f"{self.evaluation.removeprefix(PREFIX)[:SHORT]}/{self.anchors.removeprefix(PREFIX)[:SHORT]}"


@dataclass(frozen=True, slots=True)
class TrialScores:
    """All attempts of a trial as they count now. ``left`` are those that could not be scored again, and why."""

    version: Version
    attempts: tuple[Score, ...]
    left: Mapping[int, str]

    @property
    def best(self) -> Score | None:
        """The best attempt, the first of equals."""
        scored = [one for one in self.attempts if one.gap is not None]
        return max(scored, key=lambda one: (one.gap, -one.number), default=None)


def version_of(task: Task) -> Version:
    """The version that a package gives now."""
    return Version(digest_json(digest_folder(task.evaluation)), anchors_digest(task))


def anchors_digest(task: Task) -> str:
    """The digest of a task's anchors."""
    return _anchors_digest(_anchors(task))


def scores_of(trial: TrialFolder) -> TrialScores:
    """What a trial's attempts count: as they were made anew, else as they were given."""
    try:
        told = read_json(trial.path / SCORES)
        attempts = tuple(Score(**one) for one in told["attempts"])
        left = {int(number): str(why) for number, why in told["left"].items()}
        return TrialScores(Version(told["evaluation"], told["anchors"]), attempts, left)
    except (OSError, ValueError, KeyError, TypeError):
        return _given(trial)


def recompute(trial: TrialFolder, task: Task) -> tuple[TrialScores, TrialScores]:
    """Hold the stored raw scores against the anchors of ``task``; the scores before and after, which are kept."""
    before = scores_of(trial)
    attempts = tuple(_held_against(one, task) if one.status == "scored" else one for one in before.attempts)
    version = Version(before.version.evaluation, _anchors_digest(_anchors(task)))
    return before, _kept(trial, TrialScores(version, attempts, before.left))


def rescore(
    trial: TrialFolder, task: Task, store: Store, sandbox: Sandbox, *, seconds: float
) -> tuple[TrialScores, TrialScores]:
    """Score the kept answers of a trial with the evaluator of ``task``; the scores before and after, which are kept.

    An attempt whose answer was not kept stays as it was, and is named. Raises EvaluatorFaultError of kind 'start' where
    the evaluator cannot be started, InfrastructureError; then nothing is changed.
    """
    before = scores_of(trial)
    ended = {one.number: one for one in TrialRecord(trial.path).attempts()}
    attempts, left = [], {}
    image = trial.spec.image
    with tempfile.TemporaryDirectory(prefix="ng-") as place:
        answers = Path(place, "answers")
        answers.mkdir()
        answers.chmod(0o755)
        with Evaluator(task.evaluation, answers, sandbox, image=image, label=trial.id) as evaluator:
            for one in before.attempts:
                if one.status in ("refused", "interrupted"):
                    attempts.append(one)
                    continue
                try:
                    attempts.append(_scored_again(ended[one.number], task, store, evaluator, answers, seconds))
                except (NotKeptError, KeyError) as error:
                    attempts.append(one)
                    left[one.number] = error.message if isinstance(error, NotKeptError) else "it has no record"
    after = TrialScores(version_of(task), tuple(attempts), left)
    return before, _kept(trial, after)


def _scored_again(
    attempt: Attempt, task: Task, store: Store, evaluator: Evaluator, answers: Path, seconds: float
) -> Score:
    with tempfile.TemporaryDirectory(dir=answers, prefix=".making-") as making:
        current = Path(making, CURRENT)
        current.mkdir()
        current.chmod(0o755)
        put_back(attempt.result.get("answer", {}), store, current)
        place = current.rename(answers / CURRENT)
        try:
            return _score(attempt.number, read_result(evaluator.score(seconds).result, task))
        except EvaluatorFaultError:
            return Score(attempt.number, "fault", None, {}, {})
        finally:
            _remove(place)


def _remove(folder: Path) -> None:
    from nature_gym.sandbox import folders

    folders.remove(folder)


def _score(number: int, scores: Scores) -> Score:
    if not scores.scored:
        return Score(number, "invalid", None, {}, scores.as_raw_scores())
    return Score(number, "scored", scores.gap, scores.gaps, scores.as_raw_scores())


def _held_against(one: Score, task: Task) -> Score:
    """The same raw scores, and g against the anchors as they are."""
    values = {
        name: _number(one.raw_scores.get(name, {}).get(anchor.metric)) if anchor else None
        for name, anchor in task.anchors.items()
    }
    found = task_gap(values, task.anchors, task.mode)
    return replace(one, gap=found.value, gaps=dict(found.instances))


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _given(trial: TrialFolder) -> TrialScores:
    attempts = tuple(
        Score(
            one.number, one.status, one.gap, one.result.get("per_instance_improvement") or {},
            one.result.get("raw_scores") or {},
        )
        for one in TrialRecord(trial.path).attempts()
    )  # fmt: skip
    version = Version(str(trial.record.get("evaluation", "")), _anchors_digest(trial.record.get("anchors", {})))
    return TrialScores(version, attempts, {})


def _kept(trial: TrialFolder, scores: TrialScores) -> TrialScores:
    if trial.status is None:
        raise FindingsError(f"trial {trial.id} has not ended", hint="Wait for its end.")
    told = {**asdict(scores.version), "attempts": [asdict(one) for one in scores.attempts],
            "left": {str(number): why for number, why in scores.left.items()}}  # fmt: skip
    write_json(trial.path / SCORES, told)
    return scores


def _anchors(task: Task) -> dict[str, Any]:
    return {name: asdict(anchor) if anchor else None for name, anchor in task.anchors.items()}


def _anchors_digest(anchors: Any) -> str:
    return digest_json(anchors)
