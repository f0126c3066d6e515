"""The main job on the real corpus: each step takes what is stale, from the harvest to checked packages.

The one idea: a refresh keeps no state of its own. Steps are flows of their own, seen as subflows in Prefect, and the
records say what is left to do; so the call that resumes is the call that began. A step that the infrastructure failed
is tried again, and where it stays broken the steps after it go on with what there is.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import httpx
from prefect import Flow, flow
from prefect.client.schemas.objects import State
from prefect.runtime import deployment, flow_run
from prefect.settings import PREFECT_API_URL
from prefect.states import Completed, Failed
from pydantic import Field

from flows.acquire import acquire
from flows.build import build
from flows.calibrate import CalibrationRequest, calibrate
from flows.check import check_corpus, check_package
from flows.cut import cut
from flows.fetch import fetch
from flows.harvest import harvest
from flows.judge import judge
from flows.launch import Launch, nested
from flows.read import read
from flows.refresh_told import Told, publish
from flows.retrying import RETRY_SECONDS, may_pass, pause
from flows.screen import screen
from flows.served import end_with_the_worker
from flows.server import wait_until_healthy
from flows.session import Session, open_session
from flows.steps import (
    AT_ONCE,
    LAST_BY_ITSELF,
    OF_PAPERS,
    Step,
    chosen,
    ready_for,
    steps_until,
    uncalibrated,
    unchecked,
)
from flows.sweep import publish_leaderboard, sweep
from flows.task_runners import task_runner
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sweeping.request import ALL, SweepRequest, meant

log = logging.getLogger(__name__)

API_ATTEMPTS, API_SECONDS = 4, 120.0
"""How often a step is begun again because Prefect's API went away, and how long it is waited for."""
DONE_WORSE = ("error", "infra_error")
"""Kinds of results that are our fault."""
_OF_PAPERS: Mapping[Step, Flow[..., Any]] = {
    "fetch": fetch, "read": read, "screen": screen, "acquire": acquire, "cut": cut, "build": build,
}  # fmt: skip


@dataclass(slots=True)
class _Refresh:
    """One refresh under way."""

    session: Session
    venues: str
    only: list[str] | None
    agents: Sequence[str]
    budget: float
    waits: list[float]
    told: list[Told] = field(default_factory=list)
    error: InfrastructureError | None = None

    @property
    def settings(self) -> Settings:
        return self.session.settings


def run_name() -> str:
    """``refresh nature-family until check``, ``refresh 2 papers until cut``."""
    given = flow_run.parameters
    only = given.get("only")
    what = given.get("venues") if only is None else only[0] if len(only) == 1 else f"{len(only)} papers"
    return f"refresh {what} until {given.get('until')}"


@flow(
    name="corpus-refresh",
    flow_run_name=run_name,
    persist_result=False,
    description="Bring the corpus up to date: each step works on what is new or changed.",
)
def corpus_refresh(
    venues: str = "nature-family",
    until: Step = LAST_BY_ITSELF,
    only: list[str] | None = None,
    agents: list[str] | None = None,
    budget: Annotated[float, Field(gt=0)] = 4 * 3600.0,
) -> State[Any]:
    """Bring the corpus up to date: each step works on what is new, changed, or failed by our own fault before.

    The run fails where a step could not be carried out, or some paper could not be worked on by our fault. Papers that
    are rejected or unusable are results.

    Args:
        venues: A shipped venue list, or a YAML file.
        until: The last step.
        only: Ids or DOIs of papers; empty for the corpus.
        agents: Agents to be swept; the first also calibrates.
        budget: Solving time of a trial, in seconds.
    """
    end_with_the_worker()
    given = {"venues": venues, "until": until, "only": only, "agents": agents, "budget": budget}
    with open_session("refresh", given) as session:
        steps = steps_until(until)
        if "sweep" in steps and not agents:
            raise UsageError("a sweep needs agents", hint="As in --agents constant,tabular; 'naturegym agents list'.")
        waits = list(RETRY_SECONDS) if deployment.get_id() else []
        work = _Refresh(session, venues, chosen(session.papers, only), agents or [], budget, waits)
        for step in steps:
            _step(work, step)
        publish(session, work.told, until)
        if work.error is not None:
            raise work.error
        return _concluded(work)


def _step(work: _Refresh, step: Step) -> None:
    if step == "harvest":
        if work.only is None:
            _run(work, step, harvest, {"venues": work.venues})
    elif step in OF_PAPERS:
        # None is all: the flow lists what is ready once, by itself.
        papers = None if work.only is None else ready_for(step, work.session.papers, work.only)
        if papers is None or papers:
            _run(work, step, _OF_PAPERS[step], {"papers": papers})
    elif step == "check":
        _check(work)
    elif step == "calibrate":
        _calibrate(work)
    else:
        _sweep(work)


def _check(work: _Refresh) -> None:
    if work.only is None:
        _run(work, "check", check_corpus, {})
        return
    for package in unchecked(work.settings, work.session.papers, work.only):
        _run(work, "check", check_package, {"package": str(package)})


def _calibrate(work: _Refresh) -> None:
    packages = uncalibrated(work.settings, work.session.papers, work.only)
    if packages:
        agent = work.agents[0] if work.agents else ""
        asked = CalibrationRequest([str(path) for path in packages], agent=agent, budget=work.budget)
        _run(work, "calibrate", calibrate, {"request": asked.as_json()})


def _sweep(work: _Refresh) -> None:
    """Sweep, judge, and show the leaderboard with its verdicts."""
    request = SweepRequest(work.agents, (ALL,), budget=work.budget)
    found = meant(request, work.settings)
    _run(work, "sweep", sweep, {"request": request.as_json()}, workers=found.parallel)
    _run(work, "judge", judge, {})
    publish_leaderboard(work.session, found)


def _run(
    work: _Refresh, step: str, step_flow: Flow[..., Any], parameters: Mapping[str, Any], *, workers: int = 0
) -> None:
    """One step as a subflow, tried again where the infrastructure failed it; what came of it is counted."""
    settings = _settings_for(step, work.settings, workers)
    started = time.monotonic()
    while True:
        error = _once(step_flow, parameters, settings, told := Told(step))
        if error is None or not may_pass(error) or not work.waits:
            break
        pause(step, error, work.waits.pop(0))
    told.seconds = time.monotonic() - started
    work.told.append(told)
    if error is not None:
        if not isinstance(error, InfrastructureError):
            raise error
        told.failed = error.message
        work.error = work.error or error
    work.session.count({**work.session.counts, **_summed(work.told)})


def _once(
    step_flow: Flow[..., Any], parameters: Mapping[str, Any], settings: Settings, told: Told
) -> BaseException | None:
    """Run the subflow; what stopped it, if anything did. A server that died meanwhile is waited for."""
    for _ in range(API_ATTEMPTS):
        error = _attempt(step_flow, parameters, settings, told)
        if not isinstance(error, httpx.HTTPError):
            return error
        log.warning("Prefect's API did not answer during %s: %s", told.step, error)
        if not wait_until_healthy(PREFECT_API_URL.value() or "", seconds=API_SECONDS):
            break
    return InfrastructureError(
        f"Prefect's API stopped answering during {told.step}",
        hint="What was finished is recorded; run the command again for the rest.",
    )


def _attempt(
    step_flow: Flow[..., Any], parameters: Mapping[str, Any], settings: Settings, told: Told
) -> BaseException | None:
    with nested(settings) as launch:
        run: Callable[..., State[Any]] = step_flow.with_options(task_runner=task_runner(settings))
        try:
            state = run(**parameters, return_state=True)
        except httpx.HTTPError as error:
            return error
    _note(told, launch)
    if launch.error is not None:
        return launch.error
    if launch.run is None:  # it ended before its first line
        state.result(raise_on_failure=True)
    return None


def _note(told: Told, launch: Launch) -> None:
    if launch.run is not None:
        told.run, told.flow_run = launch.run.id, launch.run.flow_run
        told.counts = dict(launch.run.counts)


def _settings_for(step: str, settings: Settings, workers: int) -> Settings:
    if step == "fetch":
        return settings.model_copy(update={"workers": max(settings.workers, AT_ONCE)})
    if step in {"sweep", "calibrate"}:  # trials hold slots of this process
        return settings.model_copy(update={"workers": workers or settings.workers, "task_runner": "threads"})
    return settings


def _summed(told: Sequence[Told]) -> dict[str, int]:
    """All counts together, by step: ``read done``."""
    counts: dict[str, int] = {}
    for one in told:
        for kind, count in one.counts.items():
            counts[f"{one.step} {kind}"] = counts.get(f"{one.step} {kind}", 0) + count
    return counts


def _concluded(work: _Refresh) -> State[None]:
    ours = sum(one.counts.get(kind, 0) for one in work.told for kind in DONE_WORSE)
    told = "; ".join(one.brief() for one in work.told if one.brief()) or "nothing to do"
    make: Callable[..., State[None]] = Failed if ours else Completed
    return make(message=told)
