"""From what an evaluator gave to raw scores, errors and gaps.

Threat: the evaluator may be broken, and an answer may have broken it. So what it gave is read as hostile: only known
instances, only numbers and nulls, texts cut short and without paths of its machine. Whatever else it holds is a
fault of the evaluator, never a score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from nature_gym.errors import FindingsError
from nature_gym.evaluation.trial import Task
from nature_gym.scoring.gap import task_gap

MOST_METRICS = 200
MOST_CHARACTERS = 500
ERROR = "error"
_PATH = re.compile(r"(?:/[^\s/'\",:;()]+)+/([^\s/'\",:;()]*)")

FaultKind = Literal["start", "crash", "timeout", "memory", "no_result", "result"]
REASONS: Mapping[FaultKind, str] = {
    "start": "the evaluator could not be started",
    "crash": "the evaluator broke down on this answer",
    "timeout": "scoring this answer took longer than it may",
    "memory": "scoring this answer took more memory than it may",
    "no_result": "the evaluator ended without a result",
    "result": "the evaluator gave a result that is not one",
}


class EvaluatorFaultError(FindingsError):
    """The evaluator failed. ``message`` may be shown to an agent; ``detail`` is for the host's log alone."""

    def __init__(self, kind: FaultKind, detail: str = "") -> None:
        super().__init__(REASONS[kind], hint="The trial's folder says more, in attempts/<n>/attempt.json.")
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Scores:
    """One answer's scores. ``gaps`` and ``gap`` are g by instance and of the task, see :mod:`nature_gym.scoring.gap`.

    ``gap`` is None where no instance has an anchor. ``scored`` is false where no instance has a primary score.
    """

    raw: dict[str, dict[str, float | None]]
    errors: dict[str, str]
    gaps: dict[str, float]
    gap: float | None
    scored: bool

    def as_raw_scores(self) -> dict[str, dict[str, float | str | None]]:
        """As the evaluator's contract has it: metrics, and "error" beside them where there is one."""
        merged: dict[str, dict[str, float | str | None]] = {}
        for instance, metrics in self.raw.items():
            merged[instance] = dict(metrics)
            if instance in self.errors:
                merged[instance][ERROR] = self.errors[instance]
        return merged


def read_result(result: Any, task: Task) -> Scores:
    """What ``run_evaluation`` gave, as scores. Raises EvaluatorFaultError of kind ``result``."""
    if not isinstance(result, dict):
        raise EvaluatorFaultError("result", f"a {type(result).__name__} in place of a mapping by instance")
    if unknown := [str(name) for name in result if name not in task.anchors]:
        raise EvaluatorFaultError("result", f"an instance that the task does not have: {unknown[0][:100]!r}")
    raw: dict[str, dict[str, float | None]] = {}
    errors: dict[str, str] = {}
    for instance, anchor in task.anchors.items():
        if instance not in result:
            raw[instance] = {anchor.metric: None} if anchor else {}
            errors[instance] = "the evaluator gave nothing for this instance"
            continue
        raw[instance], said = _metrics(instance, result[instance])
        if said is not None:
            errors[instance] = plain_text(said)
    scores = {name: raw[name].get(anchor.metric) for name, anchor in task.anchors.items() if anchor is not None}
    gap = task_gap(scores, task.anchors, task.mode)
    return Scores(raw, errors, dict(gap.instances), gap.value, any(value is not None for value in scores.values()))


def _metrics(instance: str, given: Any) -> tuple[dict[str, float | None], str | None]:
    """The numbers of one instance, and its error."""
    if not isinstance(given, dict) or len(given) > MOST_METRICS:
        raise EvaluatorFaultError("result", f"{instance} has no mapping of at most {MOST_METRICS} metrics")
    values: dict[str, float | None] = {}
    for name, value in given.items():
        if name == ERROR:
            continue
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise EvaluatorFaultError("result", f"{instance}: {str(name)[:100]!r} is a {type(value).__name__}")
        try:
            number = None if value is None else float(value)
        except OverflowError:
            number = math.inf
        if number is not None and not math.isfinite(number):
            raise EvaluatorFaultError("result", f"{instance}: {str(name)[:100]!r} is {number}, which is not finite")
        values[str(name)] = number
    said = given.get(ERROR)
    return values, None if said is None else str(said)


def plain_text(text: str) -> str:
    """``text`` from an evaluator as it may be shown: short, printable, and with file names in place of paths."""
    printable = "".join(one if one.isprintable() else " " for one in text[: 4 * MOST_CHARACTERS])
    return " ".join(_PATH.sub(r"\1", printable).split())[:MOST_CHARACTERS]
