"""Counts and lists: how far the papers have come, and which ones they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from sqlalchemy import ColumnElement, Select, case, func, or_, select
from sqlmodel import Session, col

from db.tables import Paper, PaperStage

LIFE = ("harvest", "fetch", "read", "screen", "acquire", "cut", "split", "build", "check", "calibrate")
"""The stages in the order in which a paper goes through them; others come after, by name."""
GOES_ON = frozenset({"done", "passed"})
"""The verdicts with which a paper goes on to the next stage. Every other one stops it there, or keeps it waiting."""


@dataclass(frozen=True, slots=True)
class StageCounts:
    """One line of the funnel, in papers.

    ``done``, ``failed`` and ``errors`` tell how the last attempts ended and add up to ``total``.
    ``verdicts`` counts what stands published, also where a later attempt ended in an error.
    ``waiting`` papers have passed the stage before, and this one has not met them.
    """

    stage: str
    done: int = 0
    failed: int = 0
    errors: int = 0
    waiting: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.done + self.failed + self.errors


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A paper in a list: what it is, and where it stands: at the furthest stage it has met, or the one asked for."""

    id: str
    title: str | None
    venue: str | None
    year: int | None
    article_type: str | None
    duplicate: bool
    stage: str | None
    status: str | None
    verdict: str | None
    reason: str | None
    """The last attempt's: the error's where it ended in one."""


class Filters(TypedDict, total=False):
    """Which papers are wanted; what is left out or None asks nothing.

    ``stage``: those that have met it; ``status`` and ``verdict`` are then asked of it, else of the
    furthest stage that each has met. ``venue`` and ``year``: equal. ``text``: stands in the title, venue,
    DOI or id, in capitals or not.
    """

    stage: str | None
    status: str | None
    verdict: str | None
    venue: str | None
    year: int | None
    text: str | None


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One paper with all its stages, in the order of its life."""

    paper: Paper
    stages: list[PaperStage]


def funnel(session: Session, *, stages: Iterable[str] = ()) -> list[StageCounts]:
    """One line for each stage that a paper has met, and for each of ``stages``, in the order of a paper's life."""
    counts: dict[str, dict[str, Any]] = {stage: {"verdicts": {}} for stage in stages}
    words = {"done": "done", "failed": "failed", "error": "errors"}
    query = select(col(PaperStage.stage), col(PaperStage.status), col(PaperStage.verdict), func.count()).group_by(
        col(PaperStage.stage), col(PaperStage.status), col(PaperStage.verdict)
    )
    for stage, status, verdict, papers in session.execute(query):
        line = counts.setdefault(stage, {"verdicts": {}})
        line[words[status]] = line.get(words[status], 0) + papers
        if verdict is not None:
            line["verdicts"][verdict] = line["verdicts"].get(verdict, 0) + papers
    ordered = sorted(counts, key=_place)
    for before, stage in itertools.pairwise(ordered):
        if before in LIFE and stage in LIFE:
            counts[stage]["waiting"] = _waiting(session, before, stage)
    for line in counts.values():
        line["verdicts"] = dict(sorted(line["verdicts"].items(), key=lambda item: (-item[1], item[0])))
    return [StageCounts(stage, **counts[stage]) for stage in ordered]


def paper_row(session: Session, paper: str) -> PaperRow | None:
    """Everything the index has of one paper; None where it has nothing."""
    found = session.get(Paper, paper)
    if found is None:
        return None
    stages = session.scalars(select(PaperStage).where(col(PaperStage.paper_id) == paper)).all()
    return PaperRow(found, sorted(stages, key=lambda row: _place(row.stage)))


def list_papers(session: Session, *, limit: int = 50, offset: int = 0, **filters: Unpack[Filters]) -> list[PaperLine]:
    """Papers that pass all of ``filters``, by id."""
    place = _standing(filters.get("stage"))
    columns = (
        col(Paper.id), col(Paper.title), col(Paper.venue), col(Paper.year), col(Paper.article_type),
        col(Paper.duplicate), place.c.stage, place.c.status, place.c.verdict, place.c.reason,
    )  # fmt: skip
    query = (
        select(*columns)
        .outerjoin(place, place.c.paper_id == col(Paper.id))
        .where(*_conditions(place, filters))
        .order_by(col(Paper.id))
        .limit(limit)
        .offset(offset)
    )
    return [PaperLine(*row) for row in session.execute(query)]


def count_papers(session: Session, **filters: Unpack[Filters]) -> int:
    """How many papers pass all of ``filters``."""
    place = _standing(filters.get("stage"))
    query = (
        select(func.count())
        .select_from(Paper)
        .outerjoin(place, place.c.paper_id == col(Paper.id))
        .where(*_conditions(place, filters))
    )
    return int(session.execute(query).scalar_one())


def _place(stage: str) -> tuple[int, str]:
    return (LIFE.index(stage) if stage in LIFE else len(LIFE), stage)


def _waiting(session: Session, before: str, stage: str) -> int:
    met = select(col(PaperStage.paper_id)).where(col(PaperStage.stage) == stage)
    query = (
        select(func.count())
        .select_from(PaperStage)
        .where(
            col(PaperStage.stage) == before,
            col(PaperStage.status) == "done",
            col(PaperStage.verdict).in_(GOES_ON),
            col(PaperStage.paper_id).not_in(met),
        )
    )
    return int(session.execute(query).scalar_one())


def _standing(stage: str | None) -> Any:
    """A subquery with one row a paper: the stage asked for, or the furthest of its life."""
    place = case({name: number for number, name in enumerate(LIFE)}, value=col(PaperStage.stage), else_=-1)
    nth = func.row_number().over(
        partition_by=col(PaperStage.paper_id), order_by=(place.desc(), col(PaperStage.stage).desc())
    )
    query: Select[Any] = select(
        col(PaperStage.paper_id),
        col(PaperStage.stage),
        col(PaperStage.status),
        col(PaperStage.verdict),
        func.coalesce(col(PaperStage.error_reason), col(PaperStage.reason)).label("reason"),
        nth.label("nth"),
    )
    if stage is not None:
        query = query.where(col(PaperStage.stage) == stage)
    ranked = query.subquery()
    return select(ranked).where(ranked.c.nth == 1).subquery()


def _conditions(place: Any, filters: Filters) -> list[ColumnElement[bool]]:
    asked = (
        (place.c.stage, filters.get("stage")),
        (place.c.status, filters.get("status")),
        (place.c.verdict, filters.get("verdict")),
        (col(Paper.venue), filters.get("venue")),
        (col(Paper.year), filters.get("year")),
    )
    wanted: list[ColumnElement[bool]] = [column == value for column, value in asked if value is not None]
    if text := filters.get("text"):
        searched = (Paper.title, Paper.venue, Paper.doi, Paper.id)
        wanted.append(or_(*(col(column).icontains(text, autoescape=True) for column in searched)))
    return wanted
