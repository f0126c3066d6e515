"""Running a flow from a command: the environment, an API, the flow, and what became of it.

Importing this module imports no Prefect; that happens in :func:`run_flow`, after the environment is
set and while the local server is starting. A flow is named by where it is, ``flows.read:read``, for
the same reason.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flows.environment import apply
from flows.server import LocalServer, Say, is_healthy
from nature_gym.config import Settings, load_settings
from nature_gym.errors import InfrastructureError
from nature_gym.runs import RunRecord

if TYPE_CHECKING:
    from flows.server_api import ServerApi

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is. ``counts`` are results by kind: current, done, failed, error."""

    stage: str
    done: int
    total: int
    counts: Mapping[str, int]


ShowProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a flow that ran to its end.

    ``recorded``: whether Prefect has all of its task runs; ``warning`` says what to know where not.
    """

    run: RunRecord
    state: str
    recorded: bool
    warning: str = ""


@dataclass(slots=True)
class Launch:
    """What a flow is told by whoever started it, and what it leaves behind."""

    settings: Settings
    show_progress: ShowProgress = lambda _: None
    run: RunRecord | None = None
    error: BaseException | None = None
    task_runs: int = 0
    flow_runs: set[str] = field(default_factory=set)
    """Ids in Prefect of the flow runs that made task runs: the flow's own, and those of flows that it started."""
    runs: list[RunRecord] = field(default_factory=list)
    """Runs of flows that the flow started, as they ended."""


_launch: ContextVar[Launch | None] = ContextVar("launch", default=None)


def current_launch() -> Launch:
    """What the flow that runs now was told. A Prefect worker starts flows without us: then the settings in force."""
    return _launch.get() or Launch(load_settings())


@contextmanager
def nested(settings: Settings) -> Iterator[Launch]:
    """What a flow is told that the flow which runs now starts, with ``settings`` of its own.

    The same watcher sees how far it is.
    """
    outer = current_launch()
    inner = Launch(settings, outer.show_progress)
    token = _launch.set(inner)
    try:
        yield inner
    finally:
        _launch.reset(token)
        outer.task_runs += inner.task_runs
        outer.flow_runs |= inner.flow_runs
        outer.runs += [*inner.runs, *([inner.run] if inner.run is not None else [])]


@contextmanager
def reachable_api(settings: Settings, *, say: Say | None = None) -> Iterator[str]:
    """Address of a Prefect API that answers, for as long as the block lasts.

    The one that is set, else the local server of the home. Several flows of one command do well to
    run inside one such block: the server then starts once.
    """
    apply(settings)
    if settings.prefect_api_url:
        if not is_healthy(settings.prefect_api_url, seconds=settings.timeout):
            raise InfrastructureError(
                f"no Prefect API answers at {settings.prefect_api_url}",
                hint="Correct or unset NATUREGYM_PREFECT_API_URL; unset, a local server is started.",
            )
        yield settings.prefect_api_url
        return
    with local_server(settings, say=say) as server:
        yield server.api_url


@contextmanager
def local_server(
    settings: Settings, *, host: str = "127.0.0.1", port: int = 0, say: Say | None = None
) -> Iterator[LocalServer]:
    """The local server of the home, healthy, for as long as the block lasts; joined where it runs, else started."""
    apply(settings)
    server = LocalServer(settings, host=host, port=port, say=say)
    try:
        server.start()
        os.environ["PREFECT_API_URL"] = server.api_url
        # Prefect takes long to import, and the server long to start: at the same time.
        importlib.import_module("prefect.flows")
        server.wait_until_healthy()
        yield server
    finally:
        server.stop()


def sweep(settings: Settings, api_url: str) -> list[RunRecord]:
    """Mark runs whose process died as crashed, here and in Prefect; gives those newly marked."""
    from flows.server_api import ServerApi, settings_for

    with settings_for(api_url), ServerApi(settings) as api:
        return api.sweep()


def run_flow(
    flow: str,
    settings: Settings,
    parameters: Mapping[str, Any] | None = None,
    *,
    show_progress: ShowProgress | None = None,
    say: Say | None = None,
) -> Finished:
    """Run ``flow`` (``module:name``) here, and wait until Prefect has recorded it.

    Raises what the flow raises as one of our errors; InfrastructureError where no API can be had, or
    where it went away before the flow was through; KeyboardInterrupt for Ctrl-C and SIGTERM, when
    both records say that the run was cancelled. Papers that failed do not raise: they are in the counts.
    """
    launch = Launch(settings, show_progress or (lambda _: None))
    with reachable_api(settings, say=say) as api_url:
        os.environ["PREFECT_API_URL"] = api_url
        from flows.server_api import ServerApi, settings_for

        with settings_for(api_url), ServerApi(settings) as api:
            api.sweep()
            state = _run(flow, parameters or {}, launch, api)
            if launch.run is None:
                raise RuntimeError(f"{flow} opened no session")
            recorded = state is not None and api.wait_until_recorded(launch.flow_runs, launch.task_runs)
    warning = "" if recorded else "Prefect did not record all of the run; our own records are complete"
    return Finished(launch.run, state or "unknown", recorded, warning)


def _run(flow: str, parameters: Mapping[str, Any], launch: Launch, api: ServerApi) -> str | None:
    """The name of the state in which Prefect saw the flow end; None where Prefect could not be told any more."""
    from httpx import HTTPError
    from prefect import tags
    from prefect.exceptions import TerminationSignal

    from flows.task_runners import task_runner

    module, _, name = flow.partition(":")
    runnable = getattr(importlib.import_module(module), name)
    runnable = runnable.with_options(task_runner=task_runner(launch.settings))
    token = _launch.set(launch)
    try:
        with tags("naturegym"):
            state = runnable(**parameters, return_state=True)
    except (KeyboardInterrupt, TerminationSignal) as error:
        _tell_of_interruption(launch, api)
        raise KeyboardInterrupt from error
    except Exception as error:
        if launch.error is not None and not isinstance(launch.error, HTTPError):
            raise launch.error from None
        if not api.is_trouble(error):
            raise
        if launch.run is not None and launch.run.state == "completed":
            return None
        raise InfrastructureError(
            f"Prefect's API stopped answering while the flow ran: {str(error) or type(error).__name__}",
            hint="What was finished is recorded; run the command again for the rest.",
        ) from error
    finally:
        _launch.reset(token)
    if isinstance(launch.error, KeyboardInterrupt):
        _tell_of_interruption(launch, api)
    if launch.error is not None:
        raise launch.error
    if launch.run is None:  # it ended before its own first line: wrong parameters, a defect
        state.result(raise_on_failure=True)
    return str(state.name)


def _tell_of_interruption(launch: Launch, api: ServerApi) -> None:
    for run in (*launch.runs, launch.run):
        if run is not None and run.state == "cancelled":
            api.tell(run, "CANCELLED", "interrupted")
