"""Stored trials as a leaderboard: the best attempt of each, the mean over seeds, and what the judge made of them.

The idea: a unit is a task with a seed, and every agent has every unit, run or not: one that is missing, or that the
infrastructure broke, is a unit without a score. So a rate over units is the mean of the rates of the seeds, and with
one seed the figures are the published ones. Only trials under the same conditions stand side by side.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nature_gym.errors import NatureGymError, UsageError
from nature_gym.evaluation.trial import open_task
from nature_gym.packaging.package import Package
from nature_gym.scoring.board import Board, Standing, intervals_of
from nature_gym.scoring.gap import matches, surpasses
from nature_gym.scoring.leaderboard import Figures, TaskResult, Verdict, counted_gap, figures, figures_by, ranked
from nature_gym.scoring.statistics import win_rates
from nature_gym.sweeping.folders import COUNTED, VERDICT, TrialFolder, read_json
from nature_gym.sweeping.plan import HOUR, cost_of, solving_seconds
from nature_gym.sweeping.scores import Version, anchors_digest, scores_of

Unit = tuple[str, int]
"""A package's name, and a seed."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge said of a trial's best attempt. ``policy`` is the digest of how it judged."""

    verdict: Verdict
    reason: str = ""
    judge: str = ""
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial as a leaderboard counts it. ``gap`` is that of its best attempt."""

    trial: TrialFolder
    gap: float | None
    attempt: int | None
    judged: Judged
    version: Version

    def result(self, *, judged: bool = True) -> TaskResult:
        """As figures count it; without ``judged`` as if every score were valid."""
        name = f"{self.trial.spec.package}#{self.trial.spec.seed}"
        verdict: Verdict = "not_applicable" if self.gap is None else self.judged.verdict if judged else "valid"
        return TaskResult(name, self.gap, verdict)


@dataclass(frozen=True, slots=True)
class AgentResults:
    """An agent's side of the board. ``spread`` is the standard deviation over seeds, by figure; hours are of solving.

    ``before`` are the figures before the judge.
    """

    agent: str
    outcomes: Mapping[Unit, Outcome]
    missing: int
    before: Figures
    spread: Mapping[str, float]
    cost: float
    hours: float
    matched: int

    def as_json(self) -> dict[str, Any]:
        """For files."""
        return {
            "trials": len(self.outcomes), "missing": self.missing, "before_judge": self.before.as_dict(),
            "spread_over_seeds": dict(self.spread), "cost": self.cost, "hours": self.hours,
            "cost_per_match": self.cost / self.matched if self.matched else None,
            "hours_per_match": self.hours / self.matched if self.matched else None,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrialBoard:
    """``board`` with what only trials can tell. ``left_out`` counts trials under other conditions."""

    board: Board
    agents: Mapping[str, AgentResults]
    tasks: Sequence[str]
    seeds: Sequence[int]
    conditions: Mapping[str, Any]
    left_out: int
    judges: Mapping[str, int]
    versions: Mapping[str, Sequence[str]]
    comparable: bool
    stale: Sequence[str] = ()
    """Packages whose anchors were changed since these scores were made."""

    def lines(self) -> list[str]:
        """What whoever reads the board has to know, a sentence each."""
        told = [
            f"{len(self.tasks)} tasks, {len(self.seeds)} seeds; counts are of trials. Conditions: "
            + ", ".join(f"{name} {value}" for name, value in self.conditions.items() if value)
        ]
        told.append("judged by: " + ", ".join(f"{name} ({count} trials)" for name, count in self.judges.items()))
        told.append("versions of evaluator/anchors: " + ", ".join(
            f"{name} {' '.join(found)}" for name, found in self.versions.items()
        ))  # fmt: skip
        mixed = [name for name, found in self.versions.items() if len(found) > 1]
        if mixed:
            told.append(f"scores of several versions stand side by side: {', '.join(mixed)}; rescore or recompute them")
        if self.stale:
            told.append(f"the anchors were changed since: {', '.join(self.stale)}; 'naturegym score recompute'")
        if self.left_out:
            told.append(f"{self.left_out} trials under other conditions, or on other states of a package, are left out")
        if not self.comparable:
            told.append("some trials ran in a sandbox that keeps too little away: these scores may not be compared")
        return told

    def as_dict(self) -> dict[str, Any]:
        """For files."""
        return {
            **self.board.as_dict(),
            "trials": {
                "tasks": list(self.tasks), "seeds": list(self.seeds), "conditions": dict(self.conditions),
                "left_out": self.left_out, "judges": dict(self.judges),
                "versions": {name: list(found) for name, found in self.versions.items()},
                "comparable": self.comparable, "stale": list(self.stale),
                "agents": {name: one.as_json() for name, one in self.agents.items()},
            },
        }  # fmt: skip


def judged_of(trial: TrialFolder, attempt: int | None) -> Judged:
    """What the judge said of ``attempt``; unknown where it said nothing, of another attempt, or failed."""
    try:
        told = read_json(trial.path / VERDICT)
    except (OSError, ValueError):
        return Judged("unknown")
    if not isinstance(told, dict):
        return Judged("unknown")
    about = told.get("attempt")
    word = told.get("verdict")
    verdict: Verdict = "valid" if word == "valid" else "invalid" if word == "invalid" else "unknown"
    reason, policy = str(told.get("reason") or ""), str(told.get("policy_digest") or "")
    judges = told.get("judges")
    judge = ", ".join(sorted(map(str, judges))) if isinstance(judges, dict) else ""
    if about and about != attempt:
        return Judged("unknown", f"the judge looked at attempt {about}", judge, policy)
    return Judged(verdict, reason, judge, policy)


def outcome_of(trial: TrialFolder) -> Outcome:
    """A trial's best attempt, and what became of it. A trial that never ended well has no score."""
    scores = scores_of(trial)
    best = scores.best if trial.status in COUNTED else None
    number = best.number if best else None
    return Outcome(trial, best.gap if best else None, number, judged_of(trial, number), scores.version)


def trial_board(
    trials: Iterable[TrialFolder], domains: Mapping[str, str], *, agents: Sequence[str] = (),
    packages: Sequence[str] = (),
) -> TrialBoard:  # fmt: skip
    """The board of the sweep's trials; of ``agents`` and ``packages`` alone where some are named.

    ``domains`` maps packages that are known to their domains. Raises UsageError where nothing is left.
    """
    every = [
        trial for trial in trials
        if trial.spec.policy.purpose == "sweep" and trial.status is not None and trial.status != "cancelled"
        and (not agents or trial.spec.agent in agents) and (not packages or trial.spec.package in packages)
    ]  # fmt: skip
    if not every:
        raise UsageError("There is no trial to show.", hint="'naturegym sweep' makes some; or name --results.")
    chosen, conditions = _comparable(every)
    outcomes = [outcome_of(trial) for trial in chosen]
    tasks = sorted(set(packages) or {one.trial.spec.package for one in outcomes})
    seeds = sorted({one.trial.spec.seed for one in outcomes})
    names = list(dict.fromkeys([*agents, *sorted(one.trial.spec.agent for one in outcomes)]))
    sides = {name: _side(name, [one for one in outcomes if one.trial.spec.agent == name], tasks, seeds)
             for name in names}  # fmt: skip
    board = _board(sides, tasks, seeds, {task: domains.get(task, "unknown") for task in tasks})
    versions: dict[str, set[str]] = {}
    for one in outcomes:
        versions.setdefault(one.trial.spec.package, set()).add(str(one.version))
    judges = Counter(
        f"{one.judged.judge or 'judge'} {one.judged.policy[:19]}" if one.judged.policy or one.judged.judge else "none"
        for one in outcomes if one.gap is not None
    )  # fmt: skip
    return TrialBoard(
        board, sides, tasks, seeds, conditions, len(every) - len(chosen), judges,
        {name: sorted(found) for name, found in sorted(versions.items())},
        all(one.trial.record.get("comparable", False) for one in outcomes if one.gap is not None),
        _stale(outcomes),
    )  # fmt: skip


def results_by_unit(side: AgentResults, tasks: Sequence[str], seeds: Sequence[int], *, judged: bool = True) -> list[
    TaskResult
]:  # fmt: skip
    """A result for every unit; one without a trial has no score."""
    found = []
    for task in tasks:
        for seed in seeds:
            one = side.outcomes.get((task, seed))
            found.append(
                one.result(judged=judged) if one else TaskResult(f"{task}#{seed}", None, "not_applicable")
            )  # fmt: skip
    return found


def _comparable(trials: Sequence[TrialFolder]) -> tuple[list[TrialFolder], dict[str, Any]]:
    """The trials under the conditions, and on the state of each package, of the one that ended last."""
    ordered = sorted(trials, key=lambda one: float(one.record.get("finished", 0.0)))
    last = ordered[-1].spec
    states = {trial.spec.package: trial.spec.task_digest for trial in ordered if _conditions(trial) == _of(last)}
    chosen = [
        trial for trial in trials
        if _conditions(trial) == _of(last) and trial.spec.task_digest == states[trial.spec.package]
    ]  # fmt: skip
    told = {
        "budget": last.budget, "feedback": last.feedback, "image": last.image, "policy": last.policy.digest,
        "backend": last.policy.backend,
    }  # fmt: skip
    return chosen, told


def _stale(outcomes: Sequence[Outcome]) -> list[str]:
    """Packages, where they still lie where they were swept, whose anchors are others now."""
    found: dict[str, bool] = {}
    for one in outcomes:
        name, place = one.trial.spec.package, one.trial.record.get("path")
        if name not in found and isinstance(place, str) and one.gap is not None:
            try:
                found[name] = anchors_digest(open_task(Package(Path(place)))) != one.version.anchors
            except (NatureGymError, OSError):
                found[name] = False
    return sorted(name for name, stale in found.items() if stale)


def _conditions(trial: TrialFolder) -> tuple[Any, ...]:
    return _of(trial.spec)


def _of(spec: Any) -> tuple[Any, ...]:
    return spec.budget, spec.feedback, spec.image, spec.policy


def _side(agent: str, outcomes: Sequence[Outcome], tasks: Sequence[str], seeds: Sequence[int]) -> AgentResults:
    by_unit = {(one.trial.spec.package, one.trial.spec.seed): one for one in outcomes}
    missing = sum(
        1 for task in tasks for seed in seeds
        if (one := by_unit.get((task, seed))) is None or one.trial.status not in COUNTED
    )  # fmt: skip
    side = AgentResults(agent, by_unit, missing, figures([]), {}, 0.0, 0.0, 0)
    results = results_by_unit(side, tasks, seeds)
    matched = sum(one.verdict == "valid" and one.gap is not None and matches(one.gap) for one in results)
    return AgentResults(
        agent, by_unit, missing, figures(results_by_unit(side, tasks, seeds, judged=False)),
        _spread(results, seeds), sum(cost_of(one.trial) for one in outcomes),
        sum(solving_seconds(one.trial) for one in outcomes) / HOUR, matched,
    )  # fmt: skip


def _spread(results: Sequence[TaskResult], seeds: Sequence[int]) -> dict[str, float]:
    """The standard deviation over seeds of match, surpass (percent) and mean g; empty for one seed."""
    if len(seeds) < 2:
        return {}
    by_seed = [figures(one for one in results if one.task.endswith(f"#{seed}")) for seed in seeds]
    return {
        name: round(statistics.stdev(float(getattr(one, name) or 0.0) for one in by_seed), 6)
        for name in ("match_sota", "surpass_sota", "mean_g_all")
    }  # fmt: skip


def _board(
    sides: Mapping[str, AgentResults], tasks: Sequence[str], seeds: Sequence[int], domains: Mapping[str, str]
) -> Board:
    results = {name: results_by_unit(side, tasks, seeds) for name, side in sides.items()}
    overall = {name: figures(found) for name, found in results.items()}
    units = {f"{task}#{seed}": domain for task, domain in domains.items() for seed in seeds}
    standings = [
        Standing(rank, name, overall[name], figures_by(results[name], units), intervals_of(_by_task(results[name])))
        for rank, name in ranked(overall)
    ]
    gaps = {name: {one.task: counted_gap(one) for one in found} for name, found in results.items()}
    return Board(standings, win_rates(gaps) if len(gaps) > 1 else {})


def _by_task(results: Sequence[TaskResult]) -> list[list[TaskResult]]:
    """The results of each task, a seed each."""
    parted: dict[str, list[TaskResult]] = {}
    for one in results:
        parted.setdefault(one.task.rpartition("#")[0], []).append(one)
    return list(parted.values())


def domains_of(trials: Iterable[TrialFolder]) -> dict[str, str]:
    """The domain of each package, as its trials noted it."""
    return {one.spec.package: str(one.record["domain"]) for one in trials if one.record.get("domain")}


def summary(outcome: Outcome) -> dict[str, Any]:
    """One trial in a few words, for lists."""
    trial = outcome.trial
    return {
        "trial": trial.id, "package": trial.spec.package, "agent": trial.spec.agent, "seed": trial.spec.seed,
        "pass": trial.spec.policy.purpose, "status": trial.status, "attempts": trial.record.get("attempts", 0),
        "best": outcome.gap, "best_attempt": outcome.attempt, "verdict": outcome.judged.verdict,
        "hours": solving_seconds(trial) / HOUR, "cost": cost_of(trial), "version": asdict(outcome.version),
        "surpasses": outcome.gap is not None and surpasses(outcome.gap),
    }  # fmt: skip
