"""The trials of a sweep: packages x agents x seeds, what of it is done, and what the rest will take at most."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nature_gym.agents.interface import Agent, View
from nature_gym.errors import UsageError
from nature_gym.evaluation.trial import BUDGET_SECONDS, Feedback
from nature_gym.kept import Kept
from nature_gym.packaging.package import Package
from nature_gym.sweeping.folders import COUNTED, TrialFolder, TrialFolders
from nature_gym.sweeping.identity import task_digest
from nature_gym.sweeping.slots import gpus_here
from nature_gym.sweeping.spec import Policy, TrialSpec

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which every trial of a sweep runs. ``budget`` in seconds."""

    budget: float = BUDGET_SECONDS
    feedback: Feedback = "scores"
    image: str = ""
    policy: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class Plan:
    """``todo`` is to run, ``done`` has ended before and stays, ``failed`` waits for ``--rerun``."""

    todo: tuple[TrialSpec, ...]
    done: tuple[TrialFolder, ...] = ()
    failed: tuple[TrialFolder, ...] = ()

    @property
    def total(self) -> int:
        """How many trials there are in all."""
        return len(self.todo) + len(self.done) + len(self.failed)


def trials_of(
    packages: Sequence[Package], agents: Iterable[str], seeds: Iterable[int], conditions: Conditions,
    kept: Kept | None = None,
) -> list[TrialSpec]:  # fmt: skip
    """Every trial, seeds outermost, so that all tasks have one before any has two.

    Raises UsageError where two packages have the same name, or a file of one cannot be read.
    """
    names = Counter(package.path.name for package in packages)
    if (twice := next((name for name, count in names.items() if count > 1), None)) is not None:
        raise UsageError(f"Two packages are named {twice!r}.", hint="Results are told by that name; rename one.")
    try:
        digests = {package.path.name: task_digest(package, kept) for package in packages}
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}.", hint="Make it readable.") from error
    unique = list(dict.fromkeys(agents))
    return [
        TrialSpec(
            name, digest, agent, seed, conditions.budget, conditions.feedback, conditions.image, conditions.policy
        )
        for seed in dict.fromkeys(seeds)
        for name, digest in digests.items()
        for agent in unique
    ]


def planned(trials: Iterable[TrialSpec], folders: TrialFolders, rerun: Iterable[str] = ()) -> Plan:
    """What of ``trials`` is still to run: those that never ended, were cancelled, or ended as ``rerun`` names."""
    again = set(rerun)
    todo, done, failed = [], [], []
    for trial in trials:
        found = folders.get(trial.id)
        status = found.status if found is not None else None
        if found is None or status is None or status == "cancelled" or status in again:
            todo.append(trial)
        elif status in COUNTED:
            done.append(found)
        else:
            failed.append(found)
    return Plan(tuple(todo), tuple(done), tuple(failed))


def needs_gpu(package: Package) -> bool:
    """Whether the package asks for an accelerator."""
    asked = package.metadata.get("compute_resource_requirements")
    return isinstance(asked, dict) and asked.get("gpu_compute", "none") != "none"


def estimate(
    plan: Plan, packages: Mapping[str, Package], agent: Callable[[str], Agent], folders: TrialFolders, *, parallel: int
) -> dict[str, Any]:
    """What the rest of a sweep takes at most: trials, hours, GPU hours, and dollars.

    The ceiling of dollars is the dearest hour of the same agent among stored trials, times the hours to come; 0 for
    an agent that reaches no host; null where one that does has no stored trial. ``gpus`` are those of this machine.
    """
    hours = sum(trial.budget for trial in plan.todo) / HOUR
    gpu_hours = sum(trial.budget for trial in plan.todo if needs_gpu(packages[trial.package])) / HOUR
    dearest = _dearest_hours(folders)
    agents: dict[str, dict[str, Any]] = {}
    for name in dict.fromkeys(trial.agent for trial in plan.todo):
        own = sum(trial.budget for trial in plan.todo if trial.agent == name) / HOUR
        offline = not agent(name).launch(View(0, 1.0, "")).hosts
        rate = 0.0 if offline else dearest.get(name)
        agents[name] = {"hours": own, "cost_ceiling": None if rate is None else rate * own}
    costs = [one["cost_ceiling"] for one in agents.values()]
    return {
        "trials": plan.total, "done": len(plan.done), "failed": len(plan.failed), "to_run": len(plan.todo),
        "hours": hours, "wall_hours": hours / max(1, parallel), "gpu_hours": gpu_hours, "gpus": len(gpus_here()),
        "cost_ceiling": None if None in costs else sum(costs), "agents": agents,
    }  # fmt: skip


def _dearest_hours(folders: TrialFolders) -> dict[str, float]:
    """Dollars of the dearest hour of solving, by agent."""
    found: dict[str, float] = {}
    for trial in folders:
        solving, cost = solving_seconds(trial), cost_of(trial)
        if cost and solving > 0:
            found[trial.spec.agent] = max(found.get(trial.spec.agent, 0.0), cost * HOUR / max(solving, 60.0))
    return found


def solving_seconds(trial: TrialFolder) -> float:
    """How long the agent worked: time until its end, without that of scoring."""
    phases = trial.record.get("phases")
    found = phases.get("solving", 0.0) if isinstance(phases, dict) else 0.0
    return max(0.0, float(found) - float(trial.record.get("paused", 0.0)))


def cost_of(trial: TrialFolder) -> float:
    """What its model cost, in dollars, as its trajectory tells."""
    spent = trial.record.get("spent")
    return float(spent.get("cost", 0.0)) if isinstance(spent, dict) else 0.0


def default_parallel(policy: Policy) -> int:
    """How many trials run at once where nobody says: as many as the processors carry."""
    return max(1, int((os.cpu_count() or 1) // policy.cpus))


def by_name(packages: Iterable[Package]) -> dict[str, Package]:
    """Packages by the names of their folders."""
    return {package.path.name: package for package in packages}
