"""A leaderboard's figures: what an agent did over all tasks of a set.

The denominator is always all tasks of the set. A task is one of four things: without a score, scored and judged valid,
judged invalid, or of a verdict that is not known; the last is counted as what it is, never as valid and never dropped.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from nature_gym.scoring.gap import FAILED, matches, surpasses

Verdict = Literal["valid", "invalid", "not_applicable", "unknown"]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """An agent's best attempt at a task: its g (None without a score), and what the judge said of it."""

    task: str
    gap: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Figures:
    """By their published names. Rates are percentages of ``task_count``, gaps (g) None where there is nothing to
    average, all to six decimals; ``distribution`` counts each task once.
    """

    task_count: int
    scored_count: int
    valid_count: int
    invalid_count: int
    no_score_count: int
    unknown_count: int
    score_rate: float
    completion_rate: float
    match_sota: float
    surpass_sota: float
    mean_g_all: float | None
    median_g_all: float | None
    median_g_valid: float | None
    distribution: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """As published, for files; verdicts that are unknown are told beside that wherever there are any."""
        told = asdict(self)
        if not self.unknown_count:
            del told["unknown_count"]
            told["distribution"] = {name: count for name, count in self.distribution.items() if name != "unknown"}
        return told


BINS: tuple[tuple[str, Callable[[float], bool]], ...] = (
    ("g_lt_minus_0_5", lambda gap: gap < -0.5),
    ("g_minus_0_5_to_0", lambda gap: -0.5 <= gap < 0.0),
    ("g_0_to_0_1", lambda gap: 0.0 <= gap <= 0.1),
    ("g_0_1_to_0_5", lambda gap: 0.1 < gap <= 0.5),
    ("g_gt_0_5", lambda gap: gap > 0.5),
)
"""Of valid tasks by their gap; invalid, unknown and unscored ones have bins of their own."""


def counted_gap(result: TaskResult) -> float:
    """What a task counts in means over all tasks: its g where it is valid, else -1."""
    return result.gap if result.gap is not None and result.verdict == "valid" else FAILED


def figures(results: Iterable[TaskResult]) -> Figures:
    """The figures over ``results``, which has every task of the set once.

    Raises ValueError for a task that is there twice.
    """
    every = list(results)
    if len({result.task for result in every}) < len(every):
        raise ValueError("a task is there twice")
    scored = [result for result in every if result.gap is not None]
    valid = [result.gap for result in scored if result.gap is not None and result.verdict == "valid"]
    invalid = sum(result.verdict == "invalid" for result in scored)
    counted = [counted_gap(result) for result in every]

    def percentage(count: int) -> float:
        return round(100.0 * count / len(every), 6) if every else 0.0

    return Figures(
        task_count=len(every),
        scored_count=len(scored),
        valid_count=len(valid),
        invalid_count=invalid,
        no_score_count=len(every) - len(scored),
        unknown_count=len(scored) - len(valid) - invalid,
        score_rate=percentage(len(scored)),
        completion_rate=percentage(len(valid)),
        match_sota=percentage(sum(map(matches, valid))),
        surpass_sota=percentage(sum(map(surpasses, valid))),
        mean_g_all=_rounded(statistics.fmean, counted),
        median_g_all=_rounded(statistics.median, counted),
        median_g_valid=_rounded(statistics.median, valid),
        distribution={
            "no_score": len(every) - len(scored),
            "invalid": invalid,
            "unknown": len(scored) - len(valid) - invalid,
            **{name: sum(map(holds, valid)) for name, holds in BINS},
        },
    )


def _rounded(average: Callable[[list[float]], float], values: list[float]) -> float | None:
    return round(average(values), 6) if values else None


def figures_by(results: Iterable[TaskResult], group: Mapping[str, str]) -> dict[str, Figures]:
    """The figures of each group of tasks (a domain, a resource tier), groups in alphabetical order.

    ``group`` maps a task to the name of its group; raises KeyError for a task that it lacks.
    """
    parted: dict[str, list[TaskResult]] = {}
    for result in results:
        parted.setdefault(group[result.task], []).append(result)
    return {name: figures(parted[name]) for name in sorted(parted)}


def ranked(agents: Mapping[str, Figures]) -> list[tuple[int, str]]:
    """Agents with their ranks from 1: by Surpass, then Match; equals share a rank (1, 2, 2, 4)."""
    order = sorted(agents, key=lambda name: (-agents[name].surpass_sota, -agents[name].match_sota, name))
    table: list[tuple[int, str]] = []
    for place, name in enumerate(order, start=1):
        last = agents[table[-1][1]] if table else None
        same = last is not None and (last.surpass_sota, last.match_sota) == (
            agents[name].surpass_sota,
            agents[name].match_sota,
        )
        table.append((table[-1][0] if same else place, name))
    return table
