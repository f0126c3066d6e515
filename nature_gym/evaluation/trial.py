"""What a trial measures: a package's instances with their anchors, within a budget, into a folder.

The idea: whatever can be wrong with a package for scoring (an anchor that cannot be read, a metric without a direction,
no evaluator) is found when the trial is opened, and not at an agent's first answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nature_gym.errors import FindingsError
from nature_gym.evaluation.clock import PAUSE_SHARE
from nature_gym.evaluation.intake import AnswerLimits
from nature_gym.packaging.package import EVALUATOR, Package
from nature_gym.scoring.gap import Anchor, AnchorError, anchor_value
from nature_gym.scoring.printed import Mode, direction_of

BUDGET_SECONDS = 14_400.0
SCORING_SECONDS = 3_600.0
SCORING_MEMORY = 8 << 30

Feedback = Literal["scores", "none"]
"""What an agent is told of an answer: exact scores on the hidden set, as published, or only that it was taken."""
FEEDBACK: tuple[Feedback, ...] = ("scores", "none")


class UnscorableError(FindingsError):
    """A package lacks what scoring needs."""


@dataclass(frozen=True, slots=True)
class Task:
    """A package as scoring sees it. ``anchors`` has each instance; None where it has no anchor (naturebench mode)."""

    name: str
    evaluation: Path
    anchors: Mapping[str, Anchor | None]
    mode: Mode = "naturegym"

    @property
    def instances(self) -> tuple[str, ...]:
        """Their names, in the order of metadata.json."""
        return tuple(self.anchors)


@dataclass(frozen=True, slots=True)
class Trial:
    """One agent on one task. ``folder`` holds what counts as evidence, and no agent sees it.

    ``workspace`` is the agent's; ``output`` is the name of its folder of answers in there. Seconds and bytes.
    """

    id: str
    task: Task
    folder: Path
    workspace: Path
    output: str = "output"
    budget: float = BUDGET_SECONDS
    pause_share: float = PAUSE_SHARE
    feedback: Feedback = "scores"
    scoring_seconds: float = SCORING_SECONDS
    scoring_memory: int = SCORING_MEMORY
    submissions_per_minute: int = 60
    answers: AnswerLimits = field(default_factory=AnswerLimits)


def open_task(package: Package, mode: Mode = "naturegym") -> Task:
    """What scoring needs of ``package``. Raises UnscorableError, and AnchorError for an instance without an anchor."""
    path = package.path / EVALUATOR
    if not path.is_file() or path.is_symlink():
        raise UnscorableError(
            f"{package.path} has no {EVALUATOR}", hint="'naturegym package validate' says what else is missing."
        )
    metadata = package.raw_metadata
    entries = metadata.get("performance_entries") if isinstance(metadata, dict) else None
    if not isinstance(entries, list) or not entries:
        raise UnscorableError(
            f"{package.path}/metadata.json lists no performance_entries", hint="They say what a score is held against."
        )
    anchors: dict[str, Anchor | None] = {}
    for entry in entries:
        name, anchor = _anchor(entry, mode)
        if name in anchors:
            raise UnscorableError(f"instance {name} stands twice in performance_entries", hint="Merge its metrics.")
        anchors[name] = anchor
    listed = package.constants.get("INSTANCES")
    if isinstance(listed, list) and (more := [name for name in listed if name not in anchors]):
        raise UnscorableError(
            f"the evaluator scores instance {more[0]!r}, of which metadata.json knows nothing",
            hint="'naturegym check run' compares the two.",
        )
    return Task(package.name or package.path.name, path.parent, anchors, mode)


def _anchor(entry: Any, mode: Mode) -> tuple[str, Anchor | None]:
    """An instance's name, and its anchor."""
    name = entry.get("dataset_name") if isinstance(entry, dict) else None
    metrics = entry.get("metrics") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not name or not isinstance(metrics, list):
        raise UnscorableError("an entry of performance_entries has no dataset_name or no metrics", hint="Add them.")
    primary = [one for one in metrics if isinstance(one, dict) and one.get("is_primary") is True]
    if len(primary) != 1:
        raise UnscorableError(
            f"instance {name} has {len(primary)} primary metrics, and one is needed", hint="Set is_primary of one."
        )
    metric = str(primary[0].get("name", ""))
    direction = direction_of(str(primary[0].get("metric_direction")))
    try:
        value = anchor_value(primary[0].get("sota_score"), direction, mode)
    except AnchorError as error:
        if mode == "naturebench":
            return name, None
        raise AnchorError(f"instance {name}, metric {metric}: {error.message}", hint=error.hint) from error
    return name, Anchor(metric, direction, value)
