"""What runs a flow's tasks: threads by default, Dask or Ray by setting."""

from __future__ import annotations

import importlib.util
from typing import Any

from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from nature_gym.config import Settings
from nature_gym.errors import UsageError


def task_runner(settings: Settings) -> TaskRunner[Any]:
    """The task runner that ``settings`` ask for. Raises UsageError where its extra is not installed."""
    kind = settings.task_runner
    if kind == "dask":
        _require("prefect_dask", kind)
        from prefect_dask.task_runners import DaskTaskRunner

        # Processes of one thread each: Dask is chosen for work that holds Python's lock.
        return DaskTaskRunner(  # type: ignore[no-any-return,unused-ignore]
            cluster_kwargs={"n_workers": settings.workers, "threads_per_worker": 1, "dashboard_address": None}
        )
    if kind == "ray":
        _require("prefect_ray", kind)
        from prefect_ray.task_runners import RayTaskRunner

        return RayTaskRunner(  # type: ignore[no-any-return,unused-ignore]
            init_kwargs={"num_cpus": settings.workers, "include_dashboard": False}
        )
    return ThreadPoolTaskRunner(max_workers=settings.workers)


def _require(module: str, kind: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise UsageError(
            f"the task runner {kind!r} is not installed",
            hint=f"Run `make {kind}` in the NatureGym folder to add it, or set NATUREGYM_TASK_RUNNER=threads.",
        )
