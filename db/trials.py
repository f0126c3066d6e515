"""Trials in the database: the state of :mod:`nature_gym.evaluation.state`, on SQLite and on PostgreSQL.

The idea: whether an attempt may begin (nothing is being scored, the deadline has not passed) is looked at in the
transaction that begins it, and only one transaction writes at a time. So two answers cannot begin together, whatever
processes they come through.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, func, insert, select, update
from sqlmodel import SQLModel

from db import tables
from db.transactions import reading, writing
from nature_gym.errors import UsageError
from nature_gym.evaluation.clock import Clock
from nature_gym.evaluation.state import Attempt, DeadlineError, Ending, Opening, ScoringRunningError, Standing


def _table(of: type[SQLModel]) -> Any:
    return of.__table__  # type: ignore[attr-defined]  # SQLModel sets it


TRIAL, ATTEMPT = _table(tables.Trial), _table(tables.Attempt)


class Trials:
    """Trials kept in one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def open(self, opening: Opening) -> Opening:
        """Begin a trial; where it was begun before, what was kept then, unchanged."""
        with writing(self._engine) as connection:
            known = _opening(connection, opening.trial)
            if known is None:
                connection.execute(insert(TRIAL).values(_trial_row(opening)))
        return known or opening

    def begin(self, trial: str, now: float) -> int:
        """Begin an attempt: its number, from 1. Raises ScoringRunningError and DeadlineError."""
        with writing(self._engine) as connection:
            standing = _standing(connection, trial)
            if standing.scoring is not None:
                raise ScoringRunningError(
                    f"attempt {standing.scoring.number} is being scored", hint="Wait for its answer, and submit again."
                )
            if standing.clock.is_over(now):
                raise DeadlineError("the deadline has passed", hint="No answer is taken any more.")
            number = standing.attempts + 1
            row = {"trial_id": trial, "number": number, "begun": now, "paused": 0.0, "status": "scoring", "result": {}}
            connection.execute(insert(ATTEMPT).values(row))
        return number

    def begin_again(self, trial: str, number: int, now: float) -> None:
        """Say that the scoring of an attempt, which a crash cut off, begins anew."""
        with writing(self._engine) as connection:
            connection.execute(update(ATTEMPT).where(*_running(trial, number)).values(begun=now))

    def finish(self, trial: str, number: int, ending: Ending) -> bool:
        """End an attempt; False where it had ended before, and then nothing is changed."""
        values = {
            "status": ending.status, "ended": ending.ended, "paused": ending.paused, "gap": ending.gap,
            "result": dict(ending.result),
        }  # fmt: skip
        with writing(self._engine) as connection:
            done = connection.execute(update(ATTEMPT).where(*_running(trial, number)).values(values))
            return bool(done.rowcount)

    def standing(self, trial: str) -> Standing:
        """Where a trial stands. Raises UsageError for one that nobody opened."""
        with reading(self._engine) as session:
            return _standing(session.connection(), trial)

    def attempts(self, trial: str) -> tuple[Attempt, ...]:
        """All attempts, in their order."""
        query = select(ATTEMPT).where(ATTEMPT.c.trial_id == trial).order_by(ATTEMPT.c.number)
        with reading(self._engine) as session:
            return tuple(_attempt(row) for row in session.connection().execute(query).mappings())

    def restore(self, opening: Opening, attempts: tuple[Attempt, ...]) -> None:
        """Take in a trial from its folder, where the database knows nothing of it."""
        with writing(self._engine) as connection:
            if _opening(connection, opening.trial) is not None:
                return
            connection.execute(insert(TRIAL).values(_trial_row(opening)))
            for one in attempts:
                connection.execute(
                    insert(ATTEMPT).values(
                        trial_id=opening.trial, number=one.number, begun=one.begun, ended=one.ended, paused=one.paused,
                        status=one.status, gap=one.gap, result=dict(one.result),
                    )
                )  # fmt: skip


def _running(trial: str, number: int) -> tuple[Any, ...]:
    return ATTEMPT.c.trial_id == trial, ATTEMPT.c.number == number, ATTEMPT.c.status == "scoring"


def _trial_row(opening: Opening) -> dict[str, Any]:
    return {
        "id": opening.trial, "token": opening.token, "opened": opening.opened, "budget": opening.budget,
        "pause_share": opening.pause_share,
    }  # fmt: skip


def _opening(connection: Connection, trial: str) -> Opening | None:
    row = connection.execute(select(TRIAL).where(TRIAL.c.id == trial)).mappings().one_or_none()
    if row is None:
        return None
    return Opening(row["id"], row["token"], row["opened"], row["budget"], row["pause_share"])


def _standing(connection: Connection, trial: str) -> Standing:
    opening = _opening(connection, trial)
    if opening is None:
        raise UsageError(f"there is no trial {trial}", hint="Open it first.")
    ours = select(ATTEMPT).where(ATTEMPT.c.trial_id == trial)
    count = func.coalesce(func.max(ATTEMPT.c.number), 0)
    totals = select(count, func.coalesce(func.sum(ATTEMPT.c.paused), 0.0)).where(ATTEMPT.c.trial_id == trial)
    attempts, pauses = connection.execute(totals).one()
    best = ours.where(ATTEMPT.c.status == "scored", ATTEMPT.c.gap.is_not(None))
    best = best.order_by(ATTEMPT.c.gap.desc(), ATTEMPT.c.number).limit(1)
    found, running = (
        connection.execute(query).mappings().one_or_none()
        for query in (best, ours.where(ATTEMPT.c.status == "scoring").limit(1))
    )
    scoring = _attempt(running) if running is not None else None
    clock = Clock(
        opening.opened, opening.budget, float(pauses), scoring.begun if scoring else None, opening.pause_share
    )
    return Standing(opening, clock, attempts, _attempt(found) if found is not None else None, scoring)


def _attempt(row: RowMapping) -> Attempt:
    return Attempt(
        row["number"], row["begun"], row["status"], row["ended"], row["paused"], row["gap"], row["result"]
    )  # fmt: skip
