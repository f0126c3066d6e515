"""What we ask of a Prefect server besides running flows: is all recorded, and which runs are dead.

Prefect believes a run that was killed to be running for ever. Our run records know better, by the lock
that the kernel freed, so each start tells Prefect.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Any, Self

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    FlowRunFilterState,
    FlowRunFilterStateType,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.events.worker import EventsWorker
from prefect.exceptions import ObjectNotFound
from prefect.logging.handlers import APILogWorker
from prefect.settings import PREFECT_API_URL, PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

from nature_gym.config import Settings
from nature_gym.runs import RunRecord, all_runs, mark_crashed

log = logging.getLogger(__name__)

_TROUBLE = (httpx.HTTPError, ObjectNotFound, OSError)
_OPEN = [StateType.RUNNING, StateType.PENDING, StateType.CANCELLING]
TERMINAL = [StateType.COMPLETED, StateType.FAILED, StateType.CRASHED, StateType.CANCELLED]
_STRANGER_AGE = dt.timedelta(minutes=1)
_PAGE = 200
_LOST = "how it ended was lost; our own records have it"


@contextmanager
def settings_for(api_url: str) -> Iterator[None]:
    """Prefect's settings for flows that report to ``api_url``, whatever it was when Prefect was imported."""
    # A flow waits up to a second for the end of its heartbeat's thread; our run locks do the heartbeat's work.
    with temporary_settings({PREFECT_API_URL: api_url, PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        yield


class ServerApi(AbstractContextManager["ServerApi"]):
    """A client of the API that :func:`settings_for` put in force."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_ours = not settings.prefect_api_url
        self._client: SyncPrefectClient = get_client(sync_client=True)

    def __enter__(self) -> Self:
        self._client.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        # What the flow's process has not sent yet goes to this API, or nowhere.
        for worker in (EventsWorker, APILogWorker):
            worker.drain_all(timeout=10, at_exit=False)
        self._client.__exit__(kind, error, at)

    @staticmethod
    def is_trouble(error: BaseException) -> bool:
        """Whether ``error`` is the API's not answering, or not as it should."""
        return isinstance(error, _TROUBLE)

    def sweep(self) -> list[RunRecord]:
        """Mark runs whose process died as crashed, in our records and in Prefect; gives those newly marked."""
        crashed = mark_crashed(self._settings.runs)
        try:
            self._sweep_prefect()
        except _TROUBLE as error:
            log.warning("Prefect could not be told of runs that died: %s", error)
        return crashed

    def _sweep_prefect(self) -> None:
        records = {record.flow_run: record for record in all_runs(self._settings.runs) if record.flow_run}
        for run in self._open_flow_runs():
            record = records.get(str(run.id))
            if record is not None and record.state != "running":
                self._end(run, _STATES[record.state], record.reason or record.state)
            elif record is None and self._is_ours and run.deployment_id is None and _is_old(run):
                # Killed before its record was written. On a server of several homes it may be anybody's.
                self._end(run, StateType.CRASHED, "its process died before it wrote a record")

    def sweep_served(self) -> None:
        """End runs in Prefect that a worker of this home left open when it died. For a new worker, before it begins."""
        records = {record.flow_run for record in all_runs(self._settings.runs)}
        try:
            for run in self._open_flow_runs():
                if run.deployment_id is not None and run.work_pool_name is None and str(run.id) not in records:
                    self._end(run, StateType.CRASHED, "its worker died before it wrote a record")
        except _TROUBLE as error:
            log.warning("Prefect could not be told of runs that a dead worker left: %s", error)

    def tell(self, record: RunRecord | None, state: str, message: str) -> None:
        """Put a run's state in Prefect, whatever Prefect thinks. An API that does not answer is not told."""
        if record is None or record.flow_run is None:
            return
        try:
            for run in self._client.read_flow_runs(flow_run_filter=_by_id(record.flow_run)):
                self._end(run, StateType(state), message)
        except _TROUBLE as error:
            log.warning("Prefect could not be told that run %s is %s: %s", record.id, state.lower(), error)

    def wait_until_recorded(self, flow_runs: Collection[str], task_runs: int) -> bool:
        """Wait until Prefect has recorded the end of that many task runs of these flow runs; whether it has in time.

        They reach its database by a queue in our process and another in the server, which are lost
        with the processes.
        """
        deadline = time.monotonic() + 10 + task_runs / 50
        try:
            while flow_runs and (recorded := self.count_task_runs(flow_runs, TERMINAL)) < task_runs:
                if time.monotonic() > deadline:
                    log.warning("Prefect has recorded %d of %d task runs", recorded, task_runs)
                    for flow_run in flow_runs:
                        self._end_task_runs(flow_run, StateType.CRASHED, _LOST)
                    return False
                time.sleep(0.1)
        except _TROUBLE as error:
            log.warning("Prefect stopped answering before all task runs were recorded: %s", error)
            return False
        return True

    def count_task_runs(self, flow_runs: Collection[str], states: Sequence[StateType] = ()) -> int:
        """How many task runs of these flow runs Prefect has recorded, in ``states`` or in any."""
        body: dict[str, Any] = {"flow_runs": {"id": {"any_": sorted(flow_runs)}}}
        if states:
            body["task_runs"] = {"state": {"type": {"any_": [state.value for state in states]}}}
        answer = self._client.request("POST", "/task_runs/count", json=body)
        return int(answer.json())

    def _open_flow_runs(self) -> list[FlowRun]:
        open_ones = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=_OPEN)))
        found: list[FlowRun] = []
        while True:
            page = self._client.read_flow_runs(flow_run_filter=open_ones, limit=_PAGE, offset=len(found))
            found.extend(page)
            if len(page) < _PAGE:
                return found

    def _end(self, run: FlowRun, state: StateType, message: str) -> None:
        """Put a flow run into a terminal state, and what it left open of task runs with it."""
        self._client.set_flow_run_state(run.id, State(type=state, message=message), force=True)
        self._end_task_runs(str(run.id), state, message)

    def _end_task_runs(self, flow_run: str, state: StateType, message: str) -> None:
        left_open = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=_OPEN)))
        while page := self._client.read_task_runs(
            flow_run_filter=_by_id(flow_run), task_run_filter=left_open, limit=_PAGE
        ):
            for task_run in page:
                self._client.set_task_run_state(task_run.id, State(type=state, message=message), force=True)


_STATES = {
    "crashed": StateType.CRASHED,
    "cancelled": StateType.CANCELLED,
    "failed": StateType.FAILED,
    "completed": StateType.COMPLETED,
}


def _by_id(flow_run: str) -> FlowRunFilter:
    return FlowRunFilter(id=FlowRunFilterId(any_=[flow_run]))  # type: ignore[list-item]


def _is_old(run: FlowRun) -> bool:
    return run.created is not None and dt.datetime.now(dt.UTC) - run.created > _STRANGER_AGE
