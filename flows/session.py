"""A run from inside its flow: its record, its results counted, its progress told, the index kept up.

A flow opens a session, maps stages over papers with it, and returns :meth:`Session.final_state`::

    @flow(name="read")
    def read(papers: list[str] | None = None) -> State:
        with open_session("read", {"papers": papers}) as session:
            map_stage(session, ReadStage, papers, seconds_each=0.2)
            return session.final_state()
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from prefect.client.schemas.objects import State
from prefect.exceptions import TerminationSignal
from prefect.runtime import flow_run
from prefect.states import Completed, Failed
from sqlalchemy import Engine

from db.checks import refresh_checks
from db.engine import open_database
from db.index import refresh
from flows.artifacts import ProgressBar
from flows.launch import Launch, Progress, current_launch
from nature_gym.config import Settings
from nature_gym.records import Papers
from nature_gym.runs import Run, running
from nature_gym.stages import Result

_INDEX_PAPERS = 200
_INDEX_SECONDS = 2.0

stopping: set[str] = set()
"""Ids of runs in this process whose tasks shall not begin another paper."""


class Session:
    """A run in progress, as its flow sees it. Used by the flow's own thread alone."""

    def __init__(self, launch: Launch, run: Run, engine: Engine) -> None:
        self.settings: Settings = launch.settings
        self.run = run
        self.papers = Papers(self.settings.papers)
        self.counts: Counter[str] = Counter()
        self._launch = launch
        self._engine = engine
        self._to_index: list[str] = []
        self._indexed = time.monotonic()
        self._bars: dict[str, ProgressBar] = {}

    def made_task_run(self) -> None:
        """Note that a task run was made: a command waits until Prefect has recorded those that were."""
        self._launch.task_runs += 1
        if self.run.record.flow_run is not None:
            self._launch.flow_runs.add(self.run.record.flow_run)

    def take(self, results: Iterable[Result]) -> None:
        """Count results, and let the index know of those that changed a paper's folder."""
        for result in results:
            self.counts[result.kind] += 1
            if result.kind != "current":
                self._to_index.append(result.paper)
        self._index_when_due()

    def count(self, counts: Mapping[str, int], changed: Iterable[str] = ()) -> None:
        """What this run came to so far, where it counts other things than results; and papers whose folder changed.

        The run's record has it at once: these come by the page, and a run that is killed keeps them.
        """
        self.counts = Counter({kind: count for kind, count in counts.items() if count})
        self._to_index.extend(changed)
        self._note()
        self._index_when_due()

    def tell(self, stage: str, done: int, total: int, counts: Mapping[str, int]) -> None:
        """Tell whoever watches how far ``stage`` is: the command's bar, and one in the Prefect UI."""
        self._launch.show_progress(Progress(stage, done, total, counts))
        if stage not in self._bars:
            self._bars[stage] = ProgressBar(stage)
        self._bars[stage].show(done, total)

    def index(self) -> None:
        """Bring the index up to date for what was taken since, and the run's record with it."""
        ids, self._to_index = self._to_index, []
        if ids:
            refresh(self._engine, self.papers, self.settings.runs, only=ids)
        self._note()
        self._indexed = time.monotonic()

    def index_checks(self) -> None:
        """Bring the index up to date with the records of checks."""
        from checks.history import FOLDER  # checks take a while to load, and few flows look at a package

        refresh_checks(self._engine, self.settings.home / FOLDER)

    def _index_when_due(self) -> None:
        if len(self._to_index) >= _INDEX_PAPERS or time.monotonic() - self._indexed > _INDEX_SECONDS:
            self.index()

    def _note(self) -> None:
        """Write the counts into the run's record, where they changed."""
        if self.run.record.counts != dict(self.counts):
            self.run.note(counts=dict(self.counts))

    def final_state(self) -> State[None]:
        """How the flow ended: failed where the fault is ours, and completed where papers were merely unusable."""
        kinds = {"done": "done", "current": "already current", "failed": "unusable", "error": "could not be worked on"}
        told = ", ".join(f"{self.counts[kind]} {words}" for kind, words in kinds.items() if self.counts[kind])
        others = (f"{count} {kind.replace('_', ' ')}" for kind, count in self.counts.items() if kind not in kinds)
        message = told or ", ".join(others) or "nothing to do"
        return Failed(message=message) if self.counts["error"] else Completed(message=message)


@contextmanager
def open_session(kind: str, parameters: Mapping[str, Any] | None = None) -> Iterator[Session]:
    """The run of the flow that calls: recorded as completed, failed or cancelled by how the block is left."""
    launch = current_launch()
    settings = launch.settings
    engine: Engine | None = None
    run: Run | None = None
    try:
        engine = open_database(settings.database)
        with running(settings.runs, kind, dict(parameters or {})) as run:
            run.note(flow_run=flow_run.get_id())
            session = Session(launch, run, engine)
            try:
                yield session
                session.index()
            except TerminationSignal as error:
                raise KeyboardInterrupt from error
            finally:
                stopping.add(run.id)
                run.note(counts=dict(session.counts))
        # Everything, not only what this run did: an earlier one may have died between record and index.
        refresh(engine, session.papers, settings.runs)
    except BaseException as error:
        launch.error = error
        raise
    finally:
        launch.run = run.record if run is not None else None
        if engine is not None:
            engine.dispose()
