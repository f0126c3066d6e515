"""The second half of ``naturegym demo``: packages are checked and calibrated, agents swept over them, judged, ranked.

The steps are the real flows with small budgets. What is up to date is not done again: where nothing is left to do, no
server is started. Base and Reproduce passes are made of one package, to show them: no built-in agent reads a paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nature_gym.errors import InfrastructureError
from nature_gym.packaging.package import Package
from nature_gym.sweeping.admission import report_of
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.identity import kept_digests, task_digest
from nature_gym.sweeping.request import ALL, SweepRequest, meant
from nature_gym.sweeping.results import domains_of, trial_board

if TYPE_CHECKING:
    from nature_gym.config import Settings
    from nature_gym.sweeping.results import TrialBoard

AGENTS = ("constant", "tabular")
BUDGET = 15.0
"""Seconds that an agent has for a demo task: its tables have some hundred rows."""
Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class Measured:
    """What became of the demo's packages.

    ``verdicts`` are those of the admission reports, ``lost`` has a line for each trial that the machine broke;
    ``skipped`` says why nothing was run, or is empty.
    """

    steps: dict[str, dict[str, int]] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)
    board: TrialBoard | None = None
    lost: list[str] = field(default_factory=list)
    skipped: str = ""


def measure(settings: Settings, progress: Progress, *, backend: str = "") -> Measured:
    """Check, calibrate, sweep and judge. ``settings`` are the demo's own; ``backend`` is a sandbox by name.

    Where no sandbox is asked for and none works, nothing is run, and ``skipped`` says so; other failures are raised.
    """
    request = SweepRequest(AGENTS, (ALL,), budget=BUDGET, cpus=1.0, unadmitted=True, backend=backend)
    try:
        found = meant(request, settings)
    except InfrastructureError as error:
        if backend:
            raise
        return Measured(skipped=f"{error.message} {error.hint}")
    measured = Measured()
    packages = {name: package.path for name, package in found.packages.items()}
    stale = _stale(settings, found.packages)
    if stale or found.plan.todo:
        from flows.launch import reachable_api

        with reachable_api(settings):
            for names, agent in ((stale[:1], "tabular"), (stale[1:], "")):
                if names:
                    asked = {
                        "packages": [str(packages[name]) for name in names], "agent": agent, "budget": BUDGET,
                        "parallel": found.parallel, "backend": backend,
                    }  # fmt: skip
                    done = _flow("calibrate", settings, {"request": asked}, progress, workers=found.parallel)
                    measured.steps["calibrate"] = dict(Counter(measured.steps.get("calibrate", {})) + Counter(done))
            if found.plan.todo:
                given = {"request": request.as_json()}
                measured.steps["sweep"] = _flow("sweep", settings, given, progress, workers=found.parallel)
            swept = [trial.id for trial in (*found.plan.todo, *(one.spec for one in found.plan.done))]
            measured.steps["judge"] = _flow("judge", settings, {"trials": swept}, progress)
    folders = TrialFolders(settings.home)
    measured.verdicts = {name: report_of(settings.home, name).get("verdict", "none") for name in packages}
    measured.lost = [
        f"{trial.spec.agent} on {trial.spec.package}: {trial.record.get('reason', '')}"
        for trial in folders if trial.status == "infra_error"
    ]  # fmt: skip
    measured.board = trial_board(folders, domains_of(folders), agents=list(AGENTS), packages=list(packages))
    return measured


def _stale(settings: Settings, packages: Mapping[str, Package]) -> list[str]:
    """The packages that have no admission report of their present state."""
    kept = kept_digests(settings.home)
    return [
        name
        for name, package in packages.items()
        if report_of(settings.home, name).get("task_digest") != task_digest(package, kept)
    ]


def _flow(
    name: str, settings: Settings, parameters: Mapping[str, Any], progress: Progress, *, workers: int = 1
) -> dict[str, int]:
    from flows.launch import run_flow
    from nature_gym.sweeping.watching import watched

    own = settings.model_copy(update={"workers": workers, "task_runner": "threads"})
    with watched():
        finished = run_flow(
            f"flows.{name}:{name}", own, parameters, show_progress=lambda one: progress(name, one.done, one.total)
        )
    return dict(finished.run.counts)
