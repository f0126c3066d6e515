"""Sweeping: a task a trial, those that may run now; progress and the leaderboard to look at.

What decides, waits and records is :mod:`nature_gym.sweeping`; Prefect shows it. Tasks are tagged ``trial``,
``agent:NAME`` and ``gpu``, so a tag's concurrency limit of Prefect holds for them beside the slots of the machine.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.exceptions import TerminationSignal
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from db.engine import open_database
from db.trials import Trials
from flows.artifacts import publish_markdown
from flows.session import Session, open_session
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.scoring.board_formats import FORMATS
from nature_gym.store import Store
from nature_gym.sweeping import room
from nature_gym.sweeping.identity import domain_of
from nature_gym.sweeping.plan import needs_gpu
from nature_gym.sweeping.request import Meant, SweepRequest, meant
from nature_gym.sweeping.results import trial_board
from nature_gym.sweeping.slots import Slots, gpus_here
from nature_gym.sweeping.sweep import Ended, Job, Sweep
from nature_gym.sweeping.trial_run import Ground
from nature_gym.sweeping.watching import current_watch

LOOK_SECONDS = 0.5
"""How often slots are looked at that other processes hold."""
_jobs: dict[str, tuple[Sweep, Job]] = {}
"""Jobs that were given to a task of this process: what they hold cannot leave it."""


def run_name() -> str:
    """``sweep constant, tabular``."""
    return f"sweep {', '.join(flow_run.parameters.get('request', {}).get('agents', []))}"[:100]


@flow(name="sweep", flow_run_name=run_name, persist_result=False)
def sweep(request: dict[str, Any]) -> State[Any]:
    """Run the trials that ``request`` means (:class:`nature_gym.sweeping.request.SweepRequest`) and that are missing.

    The run fails where the infrastructure failed a trial for good.
    """
    with open_session("sweep", request) as session:
        found = meant(SweepRequest(**request), session.settings)
        carry_out(session, found, limits=request.get("limits") or {})
        publish_leaderboard(session, found)
        return concluded(session.counts)


def carry_out(session: Session, found: Meant, *, limits: Mapping[str, int] | None = None, papers: Any = None) -> Sweep:
    """Run what a plan has to run, side by side, each trial as a task."""
    with standing_ground(session, found) as ground:
        slots = Slots(session.settings.home, cpus=found.parallel, gpus=gpus_here())
        sweep_ = Sweep(
            found.plan, found.packages, found.agents, found.folders, ground, slots, limits=limits,
            **({"papers": papers} if papers else {}),
        )  # fmt: skip
        try:
            _drive(session, sweep_, found)
        except (KeyboardInterrupt, TerminationSignal):
            ground.cancelled.set()
            raise
        return sweep_


@contextmanager
def standing_ground(session: Session, found: Meant) -> Iterator[Ground]:
    """What trials stand on, for as long as the block runs; what killed processes left is removed before."""
    room.sweep()
    engine = open_database(session.settings.database)
    try:
        yield Ground(
            found.sandbox, Trials(engine), Store(session.settings.store), current_watch(), threading.Event()
        )  # fmt: skip
    finally:
        engine.dispose()


def _drive(session: Session, sweep_: Sweep, found: Meant) -> None:
    finished: queue.SimpleQueue[PrefectFuture[Any]] = queue.SimpleQueue()
    stage = "sweep"
    session.tell(stage, 0, sweep_.total, sweep_.counts)
    while not sweep_.is_over:
        while sweep_.running < found.parallel and (job := sweep_.next()) is not None:
            _submit(session, sweep_, job, gpu=needs_gpu(found.packages[job.spec.package]), finished=finished)
        if not sweep_.running:
            threading.Event().wait(LOOK_SECONDS)
            continue
        try:
            future = finished.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            continue
        _take(sweep_, future)
        session.count(sweep_.counts)
        done = sum(count for kind, count in sweep_.counts.items() if kind != "retried")
        session.tell(stage, done, sweep_.total, sweep_.counts)


def _submit(
    session: Session, sweep_: Sweep, job: Job, *, gpu: bool, finished: queue.SimpleQueue[PrefectFuture[Any]]
) -> None:
    spec = job.spec
    tags = ["trial", f"agent:{spec.agent.partition(':')[0]}", *(["gpu"] if gpu else [])]
    _jobs[spec.id] = (sweep_, job)
    future = run_one.with_options(tags=tags).submit(f"{spec.agent} on {spec.package}, seed {spec.seed}", spec.id)
    session.made_task_run()
    future.add_done_callback(finished.put)


def _take(sweep_: Sweep, future: PrefectFuture[Any]) -> None:
    """Take back what a task brought. Raises what stopped it, where that was not its trial's trouble."""
    future.wait()
    outcome: Any = future.state.result(raise_on_failure=False)
    if isinstance(outcome, OSError):
        raise InfrastructureError(
            f"records cannot be written: {outcome}", hint="Make room on the disk, then run the command again."
        ) from outcome
    if isinstance(outcome, BaseException):
        raise outcome
    sweep_.ended(outcome)


@task(name="trial", task_run_name="{title}", cache_policy=NO_CACHE, persist_result=False, retries=0)
def run_one(title: str, trial: str) -> State[Ended]:  # noqa: ARG001 -- the task run's name is made of it
    """Run one trial of this process's sweep; its state says what came of it."""
    if trial not in _jobs:
        raise UsageError(
            "A trial holds slots of its own process.", hint="Sweep with NATUREGYM_TASK_RUNNER=threads."
        )  # fmt: skip
    sweep_, job = _jobs.pop(trial)
    ended = sweep_.carry_out(job)
    best = "" if ended.best is None else f", best g {ended.best:+.4f}"
    message = ": ".join(part for part in (ended.status, ended.reason) if part) + best
    return (Failed if ended.status == "infra_error" else Completed)(message=message, data=ended)


def concluded(counts: Mapping[str, int]) -> State[None]:
    """How a sweep ended: failed where the infrastructure broke trials."""
    told = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in sorted(counts.items()) if count)
    return (Failed if counts.get("infra_error") else Completed)(message=told or "nothing to do")


def publish_leaderboard(session: Session, found: Meant) -> None:
    """The board of the swept agents and packages, as a text."""
    domains = {name: domain_of(package) or "unknown" for name, package in found.packages.items()}
    try:
        board = trial_board(
            found.folders, domains, agents=list(found.agents), packages=list(found.packages)
        )  # fmt: skip
    except UsageError:
        return
    publish_markdown(FORMATS["markdown"](board.board), key="leaderboard", description=f"run {session.run.id}")
