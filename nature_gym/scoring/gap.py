"""The gap g: how far an answer is from the paper's own score, as a share of that score.

Source: design of NatureBench (arXiv 2606.24530): g = direction (m - s) / |s| an instance, plain mean over a task's
instances, -1 for an instance without a finite score, no clipping.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from nature_gym.errors import FindingsError
from nature_gym.metrics.entry import HIGHER, Direction
from nature_gym.scoring.printed import Mode, UnreadableScoreError, direction_of, read_score

FAILED = -1.0
"""What an instance without a finite score counts, and a task without a valid answer."""
SURPASSING = 0.1
"""A gap beyond this surpasses the paper; exactly this only matches."""


class AnchorError(FindingsError):
    """An instance has no anchor that a gap can be measured against."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What an instance's primary metric is held against; ``value`` is finite and not 0."""

    metric: str
    direction: Direction
    value: float


@dataclass(frozen=True, slots=True)
class TaskGap:
    """The gap of one answer to one task. ``value`` is None where no instance has an anchor (naturebench mode)."""

    value: float | None
    instances: Mapping[str, float]
    left_out: tuple[str, ...] = ()


def anchor_value(printed: Any, direction: str, mode: Mode = "naturegym") -> float:
    """The best of the values listed in ``printed``, in the metric's direction.

    ``printed`` is ``sota_score`` as metadata.json has it: a list of {value, method}, or a single such entry, string or
    number. Raises AnchorError where one cannot be read (in naturebench mode: where none can), or the best is 0.
    """
    better = direction_of(direction)
    values: list[float] = []
    reasons: list[str] = []
    for entry in printed if isinstance(printed, list) else [printed]:
        value = (
            entry.get("value") if isinstance(entry, Mapping) and (mode != "naturebench" or "value" in entry) else entry
        )
        try:
            values.append(read_score(value, better, mode).value)
        except UnreadableScoreError as error:
            reasons.append(f"{str(value)[:80]!r} cannot be read: {error.message}")
    if reasons and (mode != "naturebench" or not values):
        raise AnchorError(reasons[0], hint="Give the value as the paper prints it, one number with its spread.")
    if not values:
        raise AnchorError("no score of the paper is listed", hint="List the method's variants under sota_score.")
    best = max(values) if better == HIGHER else min(values)
    if best == 0.0:
        raise AnchorError("the paper's score is 0: a gap relative to it is not defined", hint="Choose another metric.")
    return best


def instance_gap(score: float | None, anchor: Anchor) -> float:
    """g of one instance: ``direction (score - anchor) / |anchor|``, and -1 without a finite score."""
    if score is None or not math.isfinite(score):
        return FAILED
    sign = 1.0 if anchor.direction == HIGHER else -1.0
    gap = sign * (score - anchor.value) / abs(anchor.value)
    return gap if math.isfinite(gap) else FAILED


def task_gap(
    scores: Mapping[str, float | None], anchors: Mapping[str, Anchor | None], mode: Mode = "naturegym"
) -> TaskGap:
    """g of a task: the plain mean over the instances in ``anchors``, scored or not.

    ``anchors`` has None for an instance without one: AnchorError, and in naturebench mode it leaves the denominator.
    """
    missing = tuple(name for name, anchor in anchors.items() if anchor is None)
    if missing and mode != "naturebench":
        raise AnchorError(
            f"instance {missing[0]} has no anchor", hint="'naturegym score parse' says why a score fails."
        )
    gaps = {name: instance_gap(scores.get(name), anchor) for name, anchor in anchors.items() if anchor is not None}
    if not gaps and mode != "naturebench":
        raise AnchorError("the task has no instance", hint="List its instances under performance_entries.")
    return TaskGap(math.fsum(gaps.values()) / len(gaps) if gaps else None, gaps, missing)


def best_gap(attempts: Iterable[float | None]) -> float | None:
    """An agent's g on a task: the best over its valid attempts within the budget; None without any."""
    return max((gap for gap in attempts if gap is not None and math.isfinite(gap)), default=None)


def matches(gap: float) -> bool:
    """Whether ``gap`` is as good as the paper's score."""
    return gap >= 0.0


def surpasses(gap: float) -> bool:
    """Whether ``gap`` is better than the paper's score by more than a tenth of it."""
    return gap > SURPASSING
