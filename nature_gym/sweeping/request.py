"""What a sweep is asked for, in words, and what that means here: packages, agents, conditions, a plan.

The idea: the same few words give the same plan, so the command that is given again goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nature_gym.agents.interface import Agent
from nature_gym.agents.registry import agent_kinds, agent_named
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.evaluation.trial import BUDGET_SECONDS, FEEDBACK, SCORING_SECONDS
from nature_gym.packaging.package import Package, open_package
from nature_gym.sandbox.choosing import chosen_sandbox
from nature_gym.sandbox.interface import Sandbox
from nature_gym.sweeping.admission import why_not_admitted
from nature_gym.sweeping.folders import STATUSES, TrialFolders
from nature_gym.sweeping.identity import kept_digests, task_digest
from nature_gym.sweeping.plan import Conditions, Plan, by_name, default_parallel, planned, trials_of
from nature_gym.sweeping.spec import Policy, Purpose

ALL = "all"
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)")
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """``packages`` are paths, or :data:`ALL` for those of the home that are admitted. ``budget`` in seconds.

    ``parallel`` 0 is as many as the processors carry; ``gpus`` None is those that the driver lists.
    """

    agents: Sequence[str]
    packages: Sequence[str] = (ALL,)
    seeds: int = 1
    budget: float = BUDGET_SECONDS
    feedback: str = "scores"
    image: str = ""
    backend: str = ""
    scoring_seconds: float = SCORING_SECONDS
    cpus: float = 2.0
    memory: int = 8 << 30
    rerun: Sequence[str] = ()
    limits: Mapping[str, int] = field(default_factory=dict)
    parallel: int = 0
    unadmitted: bool = False
    purpose: Purpose = "sweep"

    def as_json(self) -> dict[str, Any]:
        """For a flow's parameters."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Meant:
    """What a request means. ``left_out`` are packages that are not admitted, with the reason."""

    plan: Plan
    packages: Mapping[str, Package]
    agents: Mapping[str, Agent]
    folders: TrialFolders
    sandbox: Sandbox
    conditions: Conditions
    parallel: int
    left_out: Mapping[str, str]


def meant(request: SweepRequest, settings: Settings, *, named: Callable[[str], Agent] = agent_named) -> Meant:
    """What a request means. Raises UsageError for what it cannot mean; InfrastructureError where no sandbox works."""
    feedback = next((word for word in FEEDBACK if word == request.feedback), None)
    if feedback is None:
        raise UsageError(f"There is no feedback {request.feedback[:40]!r}.", hint=f"There are: {', '.join(FEEDBACK)}.")
    if unknown := [word for word in request.rerun if word not in STATUSES]:
        raise UsageError(f"There is no status {unknown[0][:40]!r}.", hint=f"There are: {', '.join(STATUSES)}.")
    if request.seeds < 1 or request.budget <= 0:
        raise UsageError("A sweep has a seed at least, and a budget.", hint="As in --seeds 3 --budget 4h.")
    packages, left_out = _packages(request, settings)
    agents = {name: named(name) for name in dict.fromkeys(request.agents)}
    if not agents:
        raise UsageError("No agent is named.", hint="As in --agents constant,tabular; 'naturegym agents list'.")
    for name, agent in agents.items():
        if reason := agent.missing():
            raise InfrastructureError(f"{name} cannot run here: {reason}", hint="'naturegym agents test' looks closer.")
    sandbox = chosen_sandbox(request.backend or settings.sandbox, image=request.image)
    policy = Policy(
        backend=sandbox.name, cpus=request.cpus, memory=request.memory, scoring_seconds=request.scoring_seconds,
        purpose=request.purpose,
    )  # fmt: skip
    conditions = Conditions(request.budget, feedback, request.image, policy)
    folders = TrialFolders(settings.home)
    trials = trials_of(
        list(packages.values()), agents, range(request.seeds), conditions, kept_digests(settings.home)
    )  # fmt: skip
    plan = planned(trials, folders, request.rerun)
    parallel = request.parallel or default_parallel(policy)
    return Meant(plan, packages, agents, folders, sandbox, conditions, parallel, left_out)


def _packages(request: SweepRequest, settings: Settings) -> tuple[dict[str, Package], dict[str, str]]:
    named = [open_package(Path(name)) for name in request.packages if name != ALL]
    paths = [package for one in named for package in [Package(one.path.resolve())]]
    left_out: dict[str, str] = {}
    if ALL in request.packages:
        kept = kept_digests(settings.home)
        for path in sorted(settings.packages.iterdir()) if settings.packages.is_dir() else []:
            if path.name.startswith(".") or not (path / "problem").is_dir():
                continue
            package = Package(path.resolve() if path.is_symlink() else path)
            reason = "" if request.unadmitted else why_not_admitted(
                settings.home, path.name, task_digest(package, kept)
            )  # fmt: skip
            if reason:
                left_out[path.name] = reason
            else:
                paths.append(package)
    if not paths:
        hint = "'naturegym calibrate PACKAGE' admits one; or name paths, or give --unadmitted."
        raise UsageError(f"There is no package to sweep ({len(left_out)} are not admitted).", hint=hint)
    unique = {package.path: package for package in paths}
    if len(by_name(unique.values())) < len(unique):
        trials_of(list(unique.values()), (), (), Conditions())  # which says the name
    return by_name(unique.values()), left_out


def agents_in(texts: Sequence[str]) -> list[str]:
    """Agents as options name them: several with commas between, where what follows a comma is an agent's name.

    >>> agents_in(["constant,command:python3 -c 'print(1, 2)'"])
    ['constant', "command:python3 -c 'print(1, 2)'"]
    """
    kinds = agent_kinds()
    found: list[str] = []
    for text in texts:
        own: list[str] = []
        for part in text.split(","):
            if own and part.strip().partition(":")[0] not in kinds:
                own[-1] += f",{part}"
            else:
                own.append(part.strip())
        found += [one for one in own if one]
    return found


def seconds_of(text: str) -> float:
    """A span of time: ``4h``, ``90m``, ``30s``, ``14400``. Raises UsageError."""
    match = _SPAN.fullmatch(text.strip())
    if match is None or not float(match[1]):
        raise UsageError(f"{text[:40]!r} is no span of time.", hint="Write it as 4h, 90m, 30s or 14400.")
    return float(match[1]) * _UNITS[match[2]]
