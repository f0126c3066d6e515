"""What the index says of one paper or one run, read from its folder.

A pure function of what lies on the disk: whoever reads the same folder gets the same rows. What cannot
be read becomes a row that says so, and is read again at every refresh until it can.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidatorFunctionWrapHandler, WrapValidator

from nature_gym.errors import InfrastructureError
from nature_gym.files import file_mark
from nature_gym.records import ERROR_SUFFIX, PaperFolder, StageError, StageRecord
from nature_gym.runs import RUN, RunRecord

HARVEST = "harvest"
"""The stage that knows what a paper is, and says it in its file:"""
WORK = "work.json"

UNREADABLE = "Unreadable"
"""Stands as the error's class where a record itself cannot be read."""
READ_AGAIN = ""
"""The mark of what could not be read: no folder looks like it, so it never counts as known."""
REASON_LENGTH = 1000

Row = dict[str, Any]
BLANK_STAGE: Row = {
    "publication": None, "status": "error", "verdict": None, "reason": None, "inputs": None, "rules": None,
    "started": None, "finished": None, "seconds": None, "facts": {},
    "error": None, "error_reason": None, "error_at": None,
}  # fmt: skip
BLANK_RUN: Row = {
    "kind": "", "state": "unreadable", "started": None, "finished": None, "counts": {}, "reason": None,
    "flow_run": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One paper's rows: one of the table ``paper``, and one of ``paper_stage`` for each stage."""

    paper: Row
    stages: list[Row]

    @property
    def readable(self) -> bool:
        return bool(self.paper["mark"] != READ_AGAIN)


def _bare(value: Any) -> Any:
    """A DOI or an OpenAlex id without the address that it may be written as."""
    if isinstance(value, str):
        value = value.strip().removeprefix("https://doi.org/").removeprefix("https://openalex.org/")
    return value or None


def _moment_or_none(value: Any, read: ValidatorFunctionWrapHandler) -> dt.datetime | None:
    """A moment; None for what is not one. The harvest hands on OpenAlex's word for it unread."""
    try:
        return _in_utc(read(value)) if value else None
    except (ValueError, OverflowError):
        return None


Words = Annotated[str | None, BeforeValidator(lambda value: value or None)]
"""Text, or nothing: an empty one says nothing."""


class Work(BaseModel):
    """What the index takes from the harvest's file. Any of it may be missing, and there may be more."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    doi: Annotated[str | None, BeforeValidator(_bare)] = None
    openalex_id: Annotated[str | None, BeforeValidator(_bare)] = None
    title: Words = None
    venue: Words = None
    issn_l: Words = None
    published: dt.date | None = None
    year: Annotated[int | None, Field(ge=0, le=9999)] = None
    article_type: Words = None
    licence: Words = None
    oa_status: Words = None
    language: Words = None
    retracted: Annotated[bool, BeforeValidator(lambda value: value or False)] = False
    updated: Annotated[dt.datetime | None, WrapValidator(_moment_or_none)] = None

    def row(self) -> Row:
        """The columns of ``paper`` that come from the harvest."""
        values = self.model_dump()
        values["doi"] = self.doi.lower() if self.doi else None
        values["year"] = self.published.year if self.year is None and self.published else self.year
        return _storable_row(values)


def run_mark(folder: Path) -> str | None:
    """A word for a run's record, another one after each change; None where there is none."""
    try:
        return file_mark((folder / RUN).stat())
    except (FileNotFoundError, NotADirectoryError):
        return None


def read_paper(folder: PaperFolder) -> Entry | None:
    """Everything the index keeps of a paper; None where its folder is gone."""
    try:
        # First the mark: what changes while we read gives the folder another one, and it is read again.
        mark = folder.mark()
        stages = {stage: _read_stage(folder, stage) for stage in folder.publications()}
        work = _read_work(folder, stages)
        _add_errors(folder, stages)
    except OSError:
        if not folder.exists():
            return None
        return Entry(Work().row() | {"id": folder.id, "mark": READ_AGAIN}, [])
    rows = [
        BLANK_STAGE | row | {"paper_id": folder.id, "stage": _storable(stage)} for stage, row in sorted(stages.items())
    ]
    if any(row["error"] == UNREADABLE for row in rows):
        mark = READ_AGAIN
    return Entry(work.row() | {"id": folder.id, "mark": mark}, rows)


def read_run(folder: Path) -> Row | None:
    """A run's row; None where there is no record in its folder."""
    mark = run_mark(folder)
    if mark is None:
        return None
    row = BLANK_RUN | {"id": _storable(folder.name), "mark": mark}
    try:
        record = RunRecord.model_validate_json((folder / RUN).read_bytes())
        values = record.model_dump(include=set(BLANK_RUN))
        moments = {name: _in_utc(values[name]) for name in ("started", "finished")}
    except (OSError, ValueError, OverflowError) as error:
        return row | {"mark": READ_AGAIN, "reason": _one_line(f"{folder / RUN}: {error}")}
    return row | _storable_row(values | moments)


def _read_stage(folder: PaperFolder, stage: str) -> Row:
    version = folder.publication(stage)
    try:
        published = folder.published(stage)
        if published is None:
            return _unreadable(f"{folder.path / stage} was removed while it was being read")
        return {"publication": published.folder.name} | _published(published.record)
    except (InfrastructureError, ValueError, OverflowError) as error:
        return {"publication": version} | _unreadable(str(error))


def _published(record: StageRecord) -> Row:
    values = record.model_dump(include={"status", "verdict", "reason", "inputs", "rules", "facts"})
    started, finished = _in_utc(record.started), _in_utc(record.finished)
    seconds = (finished - started).total_seconds() if started and finished else None
    return _storable_row(values | {"started": started, "finished": finished, "seconds": seconds})


def _read_work(folder: PaperFolder, stages: dict[str, Row]) -> Work:
    """What the harvest says of the paper; where that cannot be read, the harvest's row comes to say so."""
    row = stages.get(HARVEST)
    if row is None or row["status"] != "done":
        return Work()
    path = folder.path / row["publication"] / WORK
    try:
        work = Work.model_validate_json(path.read_bytes())
        work.row()
    except FileNotFoundError:
        return Work()
    except (OSError, ValueError, OverflowError) as error:
        row |= _unreadable(f"{path} cannot be read: {error}")
        return Work()
    return work


def _add_errors(folder: PaperFolder, stages: dict[str, Row]) -> None:
    """Set beside what each stage published why its last attempt could not be carried out."""
    for path in sorted(folder.path.glob(f"[!.]*{ERROR_SUFFIX}")):
        row = stages.setdefault(path.name.removesuffix(ERROR_SUFFIX), {})
        if row.get("error") != UNREADABLE:
            row |= _read_error(path)


def _read_error(path: Path) -> Row:
    try:
        error = StageError.model_validate_json(path.read_bytes())
        values = {"error": error.error, "error_reason": error.reason, "error_at": _in_utc(error.at)}
    except FileNotFoundError:  # published since the folder was listed: the mark will tell
        return _unreadable(f"{path} was removed while it was being read")
    except (OSError, ValueError, OverflowError) as error:
        return _unreadable(f"{path} cannot be read: {error}")
    return {"status": "error"} | _storable_row(values)


def _unreadable(reason: str) -> Row:
    return {"status": "error", "error": UNREADABLE, "error_reason": _one_line(reason)}


def _one_line(text: str) -> str:
    return str(_storable(" ".join(text.split())[:REASON_LENGTH]))


def _in_utc(value: dt.datetime | None) -> dt.datetime | None:
    """A moment in UTC; where it has no zone, it was UTC that was meant. Raises OverflowError at the ends of time."""
    if value is None:
        return None
    return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


def _storable_row(row: Row) -> Row:
    return {name: _storable(value) for name, value in row.items()}


def _storable(value: Any) -> Any:
    """The value without what JSON allows and a database does not: NUL, half characters, numbers without end."""
    match value:
        case str():
            return value.replace("\0", "\ufffd").encode(errors="replace").decode()
        case dict():
            return {str(_storable(key)): _storable(item) for key, item in value.items()}
        case list() | tuple():
            return [_storable(item) for item in value]
        case float() if not math.isfinite(value):
            return None
        case bool():
            return value
        case int() if not -(2**63) <= value < 2**63:
            return float(value) if abs(value) < 10**300 else None
        case _:
            return value
