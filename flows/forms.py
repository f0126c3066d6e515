"""Flows as a form starts them: each parameter typed and described, so that Prefect's pages ask for it properly.

They do what the flows of the same name do that commands start, and try again what the infrastructure failed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from pydantic import Field

from flows import calibrate as calibrating
from flows import check as checking
from flows import sweep as sweeping
from flows.calibrate import CalibrationRequest
from flows.retrying import tried_again
from flows.served import end_with_the_worker
from nature_gym.evaluation.trial import BUDGET_SECONDS
from nature_gym.sweeping.request import ALL, SweepRequest

Backend = Literal["settings", "docker", "bubblewrap", "process"]
Status = Literal["infra_error", "agent_error", "timed_out", "cancelled"]
Seconds = Annotated[float, Field(gt=0)]


def _name(kind: str, parameter: str) -> str:
    given = flow_run.parameters.get(parameter) or []
    names = [Path(one).name for one in ([given] if isinstance(given, str) else given)]
    return f"{kind} {', '.join(names)}"[:100]


@flow(
    name="check-package",
    flow_run_name=lambda: _name("check", "package"),
    persist_result=False,
    description="Put one package through the checks; the report is kept, and shown as an artifact.",
)
def check_package(
    package: Annotated[str, Field(min_length=1)],
    static: bool = False,
) -> State[Any]:
    """Put one package through the checks; the report is kept, and shown as an artifact. Fails where a check does.

    Args:
        package: The package's folder.
        static: Leave out checks that have to run code.
    """
    end_with_the_worker()
    return tried_again("check-package", lambda: checking.check_package.fn(package, static))


@flow(
    name="check-corpus",
    flow_run_name="check corpus",
    persist_result=False,
    description="Check the packages that changed since their last check, and show all of them in one table.",
)
def check_corpus(
    folder: str | None = None,
    every: bool = False,
    static: bool = False,
) -> State[Any]:
    """Check the packages that changed since their last check, and show all of them in one table.

    Args:
        folder: A folder of packages; empty for those of the home.
        every: Check the others, too, that did not change since.
        static: Leave out checks that have to run code.
    """
    end_with_the_worker()
    return tried_again("check-corpus", lambda: checking.check_corpus.fn(folder, every, static))


@flow(
    name="calibrate",
    flow_run_name=lambda: _name("calibrate", "packages"),
    persist_result=False,
    description="Look at packages in five ways, and say of each: admit, repair with what, or drop.",
)
def calibrate(
    packages: Annotated[list[str], Field(min_length=1)],
    agent: str = "",
    budget: Seconds = BUDGET_SECONDS,
    backend: Backend = "settings",
    parallel: Annotated[int, Field(ge=0)] = 0,
    force: bool = False,
) -> State[Any]:
    """Look at packages in five ways, and say of each: admit, repair with what, or drop.

    Args:
        packages: Folders of packages.
        agent: Makes the Base and the Reproduce pass; empty for neither.
        budget: Solving time of a trial, in seconds.
        backend: What runs foreign code; 'settings' goes by the settings.
        parallel: Trials at once; 0 for as many as processors carry.
        force: Make the passes though checks do not admit a package.
    """
    end_with_the_worker()
    asked = CalibrationRequest(
        packages, agent=agent, budget=budget, backend=_named(backend), parallel=parallel, force=force
    )
    return tried_again("calibrate", lambda: calibrating.calibrate.fn(asked.as_json()))


@flow(
    name="sweep",
    flow_run_name=lambda: _name("sweep", "agents"),
    persist_result=False,
    description="Run every agent on every package that has no trial yet, and show the leaderboard.",
)
def sweep(
    agents: Annotated[list[str], Field(min_length=1)],
    packages: list[str] = [ALL],  # noqa: B006 -- shown in the form, never changed
    seeds: Annotated[int, Field(ge=1)] = 1,
    budget: Seconds = BUDGET_SECONDS,
    backend: Backend = "settings",
    parallel: Annotated[int, Field(ge=0)] = 0,
    rerun: list[Status] = [],  # noqa: B006
) -> State[Any]:
    """Run every agent on every package that has no trial yet, and show the leaderboard.

    Args:
        agents: Agents, as 'naturegym agents list' names them.
        packages: Folders of packages, or 'all' for those admitted.
        seeds: Trials of each agent on each package.
        budget: Solving time of a trial, in seconds.
        backend: What runs foreign code; 'settings' goes by the settings.
        parallel: Trials at once; 0 for as many as processors carry.
        rerun: Run those again that ended so.
    """
    end_with_the_worker()
    asked = SweepRequest(
        agents, packages, seeds, budget, backend=_named(backend), parallel=parallel, rerun=rerun
    )  # fmt: skip
    return tried_again("sweep", lambda: sweeping.sweep.fn(asked.as_json()))


def _named(backend: Backend) -> str:
    """A back end as requests name it: empty for the settings'."""
    return "" if backend == "settings" else backend
