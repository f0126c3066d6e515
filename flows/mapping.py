"""A stage over many papers: only what is stale, in chunks where papers are cheap, one by one where not.

A task run costs Prefect's server some 30 ms of processor, with three states, three events and a line of its log; so
papers that cost little more than that go together.
Tasks are given ids, and where the stage is made (``module:factory``), never objects: any task runner
can carry them, and whatever process takes one makes its own stage, once.

A paper is worked on under a lease. One that another worker is at is left until all others are done, and then waited
for: it is current by then, or its worker died.
"""

from __future__ import annotations

import functools
import importlib
import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture
from prefect.states import Completed, Failed

from db.leases import Leases
from flows.session import Session, stopping
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Result, Stage, carry_out, is_current

StageFactory = Callable[[Settings], Stage]
"""Makes a stage from the settings. A function or class at the top of a module, so that it has a name; the stage is
used by several threads at a time."""

REAL_WORK_SECONDS = 0.25
"""What a paper must cost to be worth a task run of its own."""

SMALLEST_CHUNK, LARGEST_CHUNK = 10, 50
_CHUNK_SECONDS = 2.0
_AHEAD = 4
"""Task runs made ahead for each worker: enough that none waits, few enough that stopping is quick."""


@dataclass(slots=True)
class StageReport:
    """What came of a stage: results counted by kind and by verdict. It does not grow with the papers."""

    stage: str
    counts: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)

    def take(self, results: Iterable[Result]) -> None:
        for result in results:
            self.counts[result.kind] += 1
            self.verdicts[result.verdict] += 1


def map_stage(
    session: Session,
    factory: StageFactory,
    papers: Iterable[str] | None = None,
    *,
    seconds_each: float,
    force: bool = False,
    stop_after: Callable[[Result], bool] = lambda _: False,
) -> StageReport:
    """Carry a stage out for ``papers`` (all, if None), and give what came of them.

    ``seconds_each`` is about what a paper costs; it decides how many go into a task run. What goes wrong
    with a paper is in the report and on the disk, and never stops the others, unless ``stop_after`` says that
    no other paper can fare better: then none is begun any more. Raises InfrastructureError where records
    cannot be written at all.
    """
    name = name_of(factory)
    stage = factory(session.settings)
    ids = [paper.id for paper in session.papers] if papers is None else list(papers)
    report = StageReport(stage.name)
    stale = []
    for paper in ids:
        if not force and _is_current(stage, session.papers[paper]):
            current = Result(paper, "current")
            report.take([current])
            session.take([current])
        else:
            stale.append(paper)
    chunks = deque((chunk, False) for chunk in split(stale, seconds_each, session.settings.workers))
    begun: dict[Any, list[str]] = {}
    total, done = len(ids), len(ids) - len(stale)
    session.tell(stage.name, done, total, report.counts)
    submit = carry_out_chunk.with_options(tags=[stage.name])
    settings_json = session.settings.model_dump_json()
    finished: queue.SimpleQueue[PrefectFuture[Any]] = queue.SimpleQueue()
    under_way = 0
    while chunks or under_way:
        while chunks and under_way < _AHEAD * session.settings.workers:
            chunk, wait = chunks.popleft()
            future = submit.submit(title(stage.name, chunk), name, settings_json, chunk, force, session.run.id, wait)
            begun[future.task_run_id] = chunk
            session.made_task_run()
            future.add_done_callback(finished.put)
            under_way += 1
        future = finished.get()
        results = _results(future)
        under_way -= 1
        elsewhere = set(begun.pop(future.task_run_id)).difference(result.paper for result in results)
        chunks.extend(([paper], True) for paper in sorted(elsewhere))
        report.take(results)
        session.take(results)
        if any(stop_after(result) for result in results):
            chunks.clear()
        done += len(results)
        session.tell(stage.name, done, total, report.counts)
    session.index()
    return report


@task(name="stage", task_run_name="{title}", cache_policy=NO_CACHE, persist_result=False, retries=0)
def carry_out_chunk(
    title: str,  # noqa: ARG001 -- the task run's name is made of it
    factory: str,
    settings: str,
    papers: Sequence[str],
    force: bool,
    run: str,
    wait: bool = False,
) -> State[list[Result]]:
    """Carry a stage out for some papers, one after the other. The state says what came of them together.

    Papers that another worker is at have no result, unless this one shall ``wait`` for them.
    """
    stage, folders, leases = _workshop(factory, settings)
    results = []
    for paper in papers:
        if run in stopping:
            break
        with leases.held(f"{stage.name} {paper}", wait=wait, give_up=lambda: run in stopping) as mine:
            if mine:
                results.append(carry_out(stage, folders[paper], force=force))
    return conclude(results)


class Results(list[Result]):
    """The results of a task run. Prefect writes the data of a failed state into its log: there, a word is enough."""

    def __repr__(self) -> str:
        return f"{len(self)} results"


def conclude(results: list[Result]) -> State[list[Result]]:
    """The state of a task run: failed for a fault of ours, and for a single paper that is unusable.

    A rejected paper is a success. In a chunk, unusable papers are counted in the message: else nearly
    every chunk of a large corpus would be red, and red would say nothing.
    """
    if len(results) == 1:
        (only,) = results
        message = ": ".join(part for part in (only.verdict, only.reason) if part)
        return (Failed if only.kind in ("failed", "error") else Completed)(message=message, data=Results(results))
    if not results:
        return Completed(message="left to another worker", data=Results(results))
    counts = Counter(result.kind for result in results)
    message = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    errors = [result for result in results if result.kind == "error"]
    if errors:
        first = f"; first: {errors[0].paper}: {errors[0].verdict}: {errors[0].reason}"
        return Failed(message=message + first, data=Results(results))
    return Completed(message=message, data=Results(results))


def split(papers: Sequence[str], seconds_each: float, workers: int) -> list[list[str]]:
    """The papers of each task run: one where a paper is real work, else 10 to 50, about two seconds' worth."""
    if seconds_each >= REAL_WORK_SECONDS:
        return [[paper] for paper in papers]
    size = int(_CHUNK_SECONDS / max(seconds_each, 0.001))
    fair = -(-len(papers) // workers)  # every worker gets some
    size = max(SMALLEST_CHUNK, min(size, fair, LARGEST_CHUNK))
    return [list(papers[start : start + size]) for start in range(0, len(papers), size)]


def title(stage: str, chunk: Sequence[str]) -> str:
    """Name of a task run: ``read 10.5555_x``, or ``read 50 papers from 10.5555_x``."""
    return f"{stage} {chunk[0]}" if len(chunk) == 1 else f"{stage} {len(chunk)} papers from {chunk[0]}"


def name_of(factory: StageFactory) -> str:
    """Where ``factory`` is, as ``module:name``, so that another process finds it."""
    name = f"{factory.__module__}:{getattr(factory, '__qualname__', '')}"
    if find(name) is not factory:
        raise TypeError(f"{factory!r} is not at the top of a module, so other processes could not find it")
    return name


def find(name: str) -> Any:
    """What is at ``module:name``; None where there is no such name."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute, None)


_making = threading.Lock()
"""Threads that begin together would each make a stage: and a run's byte budget would count for each."""


def _workshop(factory: str, settings: str) -> tuple[Stage, Papers, Leases]:
    """A process makes a stage once: its HTTP sessions and compiled rules are shared by its threads."""
    with _making:
        return _made(factory, settings)


@functools.lru_cache(maxsize=8)
def _made(factory: str, settings: str) -> tuple[Stage, Papers, Leases]:
    parsed = Settings.model_validate_json(settings)
    stage: Stage = find(factory)(parsed)
    return stage, Papers(parsed.papers), leases_of(parsed.database, parsed.home)


@functools.cache
def leases_of(database: str, home: Path) -> Leases:
    """The leases of a home, one object a process."""
    return Leases(database, home)


def _is_current(stage: Stage, paper: PaperFolder) -> bool:
    try:
        return is_current(stage, paper)
    except Exception:  # noqa: BLE001 -- the task meets it again, and records it on the paper
        return False


def _results(future: PrefectFuture[Any]) -> list[Result]:
    """What a finished task run brought. Raises what stopped it, where that was not a paper's trouble."""
    future.wait()
    state: State[list[Result]] = future.state
    outcome: Any = state.result(raise_on_failure=False)
    if isinstance(outcome, OSError):
        raise InfrastructureError(
            f"records cannot be written: {outcome}",
            hint="Make room on the disk (NATUREGYM_HOME), then run the command again.",
        ) from outcome
    if isinstance(outcome, BaseException):
        raise outcome
    return list(outcome)
