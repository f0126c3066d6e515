"""Runs: what a batch command was asked, did, and how it ended, also where it was killed.

A run owns a folder with one file, and holds a lock on it for as long as its process lives. So a run
that says it is running, and whose lock is free, has died; the next command that looks says so.

    runs/20261130T201500-harvest-5f0c2a/
        run.json
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from nature_gym.errors import InfrastructureError
from nature_gym.files import Held, is_held, to_json, write_atomically
from nature_gym.stages import Clock, now

RUN = "run.json"
State = Literal["running", "completed", "failed", "cancelled", "crashed"]


class RunRecord(BaseModel):
    """One run. ``counts`` are results by kind; ``flow_run`` is its id in Prefect, where it has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    kind: str
    parameters: dict[str, Any] = {}
    state: State
    started: AwareDatetime
    finished: AwareDatetime | None = None
    pid: int
    counts: dict[str, int] = {}
    reason: str = ""
    flow_run: str | None = None


class Run:
    """A run in progress; made by :func:`running`. ``note`` may be called from several threads' owner only."""

    def __init__(self, folder: Path, record: RunRecord) -> None:
        self.folder = folder
        self.record = record

    @property
    def id(self) -> str:
        return self.record.id

    def note(self, **changes: Any) -> None:
        """Change fields of the record and write it."""
        self.record = self.record.model_copy(update=changes)
        _write(self.folder, self.record)


@contextmanager
def running(runs: Path, kind: str, parameters: dict[str, Any] | None = None, *, clock: Clock = now) -> Iterator[Run]:
    """Keep a run's record while the block works: completed, failed or cancelled by how the block is left."""
    started = clock()
    run_id = f"{started:%Y%m%dT%H%M%S}-{kind}-{secrets.token_hex(3)}"
    folder = runs / run_id
    folder.mkdir(parents=True)
    held = Held(folder)
    record = RunRecord(
        id=run_id, kind=kind, parameters=parameters or {}, state="running", started=started, pid=os.getpid()
    )
    run = Run(folder, record)
    try:
        run.note()
        yield run
    except Exception as error:
        run.note(state="failed", finished=clock(), reason=str(error) or type(error).__name__)
        raise
    except BaseException:  # Ctrl-C, and whatever else is no error but a wish to stop
        run.note(state="cancelled", finished=clock(), reason="interrupted")
        raise
    else:
        if run.record.state == "running":
            run.note(state="completed", finished=clock())
    finally:
        held.release()


def all_runs(runs: Path) -> list[RunRecord]:
    """Every run's record, oldest first. A folder whose process died before it wrote anything is left out."""
    if not runs.is_dir():
        return []
    return [record for folder in sorted(runs.iterdir()) if (record := _read(folder))]


def mark_crashed(runs: Path, *, clock: Clock = now) -> list[RunRecord]:
    """Turn runs whose process is gone from running to crashed; give those that were turned."""
    crashed = []
    for record in all_runs(runs):
        folder = runs / record.id
        if record.state == "running" and not is_held(folder):
            ended = record.model_copy(
                update={"state": "crashed", "finished": clock(), "reason": "its process died without a word"}
            )
            _write(folder, ended)
            crashed.append(ended)
    return crashed


def _write(folder: Path, record: RunRecord) -> None:
    write_atomically(folder / RUN, to_json(record.model_dump(mode="json")))


def _read(folder: Path) -> RunRecord | None:
    path = folder / RUN
    try:
        return RunRecord.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"the run's record {path} cannot be read: {error}",
            hint=f"Remove {folder}; nothing but its history is lost.",
        ) from error
