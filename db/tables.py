"""The tables: papers, what each stage made of them, runs, trials with their attempts, and runs of the checks.

Their shape changes only through a revision in ``db/migrations/versions``; a test compares the two.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, DateTime, Dialect, Index, MetaData, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later revision can name what it changes."""

STATUSES = ("done", "failed", "error")
STATES = ("running", "completed", "failed", "cancelled", "crashed", "unreadable")
ATTEMPT_STATUSES = ("scoring", "scored", "invalid", "refused", "fault", "interrupted")


class Moment(TypeDecorator[dt.datetime]):
    """A point in time: it goes in with its time zone and comes out in UTC, also from SQLite, which knows no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} lacks its time zone")
        return value.astimezone(dt.UTC)

    def process_result_value(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


Document = JSON().with_variant(JSONB(), "postgresql")


def _one_of(column: str, words: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(repr(word) for word in words)})"


def _once(column: str) -> Index:
    condition = text("NOT duplicate")
    return Index(f"uq_paper_{column}", column, unique=True, sqlite_where=condition, postgresql_where=condition)


class Table(SQLModel):
    """What all tables share: one collection of tables, and how their constraints are named."""

    metadata: ClassVar[MetaData] = MetaData(naming_convention=NAMES)


class Paper(Table, table=True):
    """One paper: a paper folder, and what the harvest knows of it.

    ``duplicate`` is true where another paper, of a smaller id, has the same DOI or OpenAlex id. So
    among the papers that are no duplicates, a DOI or an OpenAlex id leads to one paper at most.
    """

    __tablename__ = "paper"
    __table_args__ = (
        _once("doi"),
        _once("openalex_id"),
        Index(None, "venue", "published"),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    mark: str = Field(sa_type=Text)
    """What the folder looked like when it was read, in one word; empty where it is to be read again."""
    doi: str | None = Field(default=None, sa_type=Text, index=True)
    openalex_id: str | None = Field(default=None, sa_type=Text, index=True)
    duplicate: bool = False
    title: str | None = Field(default=None, sa_type=Text)
    venue: str | None = Field(default=None, sa_type=Text)
    """The journal's name."""
    issn_l: str | None = Field(default=None, sa_type=Text)
    published: dt.date | None = Field(default=None, index=True)
    year: int | None = Field(default=None, index=True)
    article_type: str | None = Field(default=None, sa_type=Text)
    """OpenAlex's type: article, review, editorial..."""
    licence: str | None = Field(default=None, sa_type=Text)
    oa_status: str | None = Field(default=None, sa_type=Text)
    language: str | None = Field(default=None, sa_type=Text)
    retracted: bool = False
    updated: dt.datetime | None = Field(default=None, sa_type=Moment)
    """When OpenAlex last changed its record."""


class PaperStage(Table, table=True):
    """What one stage made of one paper.

    ``status`` tells how the last attempt ended: ``done``, ``failed`` (the paper's own input is unusable),
    or ``error`` (we could not carry it out, and will try again). An error stands beside what
    was published before and replaces nothing: ``error...`` tell of the one, all other columns of the other.
    """

    __tablename__ = "paper_stage"
    __table_args__ = (
        CheckConstraint(_one_of("status", STATUSES), name="status"),
        CheckConstraint("(status = 'error') = (error IS NOT NULL)", name="error"),
        CheckConstraint("status = 'error' OR publication IS NOT NULL", name="publication"),
        Index(None, "stage", "status", "verdict"),
    )

    paper_id: str = Field(primary_key=True, foreign_key="paper.id", ondelete="CASCADE", sa_type=Text)
    stage: str = Field(primary_key=True, sa_type=Text)
    publication: str | None = Field(default=None, sa_type=Text)
    """The name of what is published, another at each publication; null before the first."""
    status: str = Field(sa_type=Text)
    verdict: str | None = Field(default=None, sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)
    inputs: str | None = Field(default=None, sa_type=Text)
    rules: str | None = Field(default=None, sa_type=Text)
    started: dt.datetime | None = Field(default=None, sa_type=Moment)
    finished: dt.datetime | None = Field(default=None, sa_type=Moment)
    seconds: float | None = None
    facts: dict[str, Any] = Field(default_factory=dict, sa_type=Document)
    error: str | None = Field(default=None, sa_type=Text)
    """The error's class."""
    error_reason: str | None = Field(default=None, sa_type=Text)
    error_at: dt.datetime | None = Field(default=None, sa_type=Moment)


class Run(Table, table=True):
    """One run of a batch command. ``unreadable`` is the state of a run whose own record cannot be read."""

    __tablename__ = "run"
    __table_args__ = (CheckConstraint(_one_of("state", STATES), name="state"), Index(None, "kind", "started"))

    id: str = Field(primary_key=True, sa_type=Text)
    mark: str = Field(sa_type=Text)
    """What the record's file looked like when it was read; empty where it is to be read again."""
    kind: str = Field(sa_type=Text)
    state: str = Field(sa_type=Text)
    started: dt.datetime | None = Field(default=None, sa_type=Moment, index=True)
    finished: dt.datetime | None = Field(default=None, sa_type=Moment)
    counts: dict[str, Any] = Field(default_factory=dict, sa_type=Document)
    reason: str | None = Field(default=None, sa_type=Text)
    flow_run: str | None = Field(default=None, sa_type=Text)


class Trial(Table, table=True):
    """One agent on one task, see :class:`nature_gym.evaluation.state.Opening`."""

    __tablename__ = "trial"

    id: str = Field(primary_key=True, sa_type=Text)
    token: str = Field(sa_type=Text, unique=True)
    """The digest of the token that submits to it."""
    opened: float
    budget: float
    pause_share: float


class Attempt(Table, table=True):
    """One submission, see :class:`nature_gym.evaluation.state.Attempt`."""

    __tablename__ = "attempt"
    __table_args__ = (
        CheckConstraint(_one_of("status", ATTEMPT_STATUSES), name="status"),
        CheckConstraint("(status = 'scoring') = (ended IS NULL)", name="ended"),
    )

    trial_id: str = Field(primary_key=True, foreign_key="trial.id", ondelete="CASCADE", sa_type=Text)
    number: int = Field(primary_key=True)
    begun: float
    ended: float | None = None
    paused: float = 0.0
    status: str = Field(sa_type=Text)
    gap: float | None = None
    result: dict[str, Any] = Field(default_factory=dict, sa_type=Document)


class CheckRun(Table, table=True):
    """One run of the checks on one package; the record is a file, see :mod:`checks.history`."""

    __tablename__ = "check_run"
    __table_args__ = (Index(None, "package", "at"), Index(None, "digest"))

    id: str = Field(primary_key=True, sa_type=Text)
    """The record's file, by its path below the folder of records."""
    package: str = Field(sa_type=Text)
    path: str = Field(sa_type=Text)
    digest: str = Field(sa_type=Text)
    """That of the package as it was checked."""
    rules: str = Field(sa_type=Text)
    at: dt.datetime | None = Field(default=None, sa_type=Moment)
    passed: int
    failed: int
    warned: int
    skipped: int
    failing: list[str] = Field(default_factory=list, sa_type=Document)
    """The ids of the checks that failed."""
