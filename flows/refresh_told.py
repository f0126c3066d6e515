"""What a refresh shows in Prefect when it ends: the funnel, a line a step, budgets, and where the records are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from db.engine import open_database
from db.funnel import funnel
from db.tables import PaperStage
from db.transactions import reading
from flows.artifacts import publish_funnel, publish_markdown
from flows.session import Session
from nature_gym.config import Settings
from nature_gym.records import Papers
from nature_gym.screening.record import read_screening
from nature_gym.screening.stage import STAGE as SCREEN

STEPS, BUDGETS, FUNNEL = "corpus-refresh", "corpus-refresh-budgets", "funnel"
_QUIET = ("current", "unchanged")
"""Kinds of results that say nothing happened."""


@dataclass(slots=True)
class Told:
    """What came of one step: results by kind, the run's id here and in Prefect, and why it failed, or nothing."""

    step: str
    counts: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    run: str = ""
    flow_run: str | None = None
    failed: str = ""

    def brief(self) -> str:
        """``read 3 done``; empty where nothing happened."""
        if self.failed:
            return f"{self.step} failed"
        told = ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items() if count and kind not in _QUIET)
        return f"{self.step} {told}" if told else ""

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run took: bytes that fetching and acquiring brought, tokens and US dollars of models."""

    bytes: int = 0
    tokens: int = 0
    cost: float = 0.0


def publish(session: Session, told: Sequence[Told], until: str) -> None:
    """Show all of it."""
    session.index()
    engine = open_database(session.settings.database)
    try:
        with reading(engine) as database:
            lines = funnel(database)
            since = session.run.record.started
            rows = database.execute(
                select(col(PaperStage.paper_id), col(PaperStage.stage), col(PaperStage.facts)).where(
                    col(PaperStage.stage).in_(("fetch", "acquire", SCREEN)), col(PaperStage.finished) >= since
                )
            ).all()
    finally:
        engine.dispose()
    table: list[dict[str, str | int]] = [
        {
            "stage": line.stage, "papers": line.total, "waiting": line.waiting, "not carried out": line.errors,
            "outcomes": ", ".join(f"{count:,} {verdict}" for verdict, count in line.verdicts.items()),
        }
        for line in lines
    ]  # fmt: skip
    publish_funnel(table, key=FUNNEL, description="From papers found to packages; 'naturegym report' has the reasons")
    taken = sum(int(facts.get("bytes", 0)) for _, stage, facts in rows if stage != SCREEN)
    spent = spent_on_models(session.papers, [paper for paper, stage, _ in rows if stage == SCREEN], since)
    budgets = Spent(taken, spent.tokens, spent.cost)
    publish_markdown(budget_table(budgets, session.settings), key=BUDGETS, description=f"run {session.run.id}")
    text = step_table(told) + links(session.settings, session.run.id)
    publish_markdown(text, key=STEPS, description=f"run {session.run.id}, until {until}")


def spent_on_models(papers: Papers, screened: Sequence[str], since: dt.datetime) -> Spent:
    """What models took for papers that were screened ``since``; what was remembered costs nothing."""
    tokens, cost = 0, 0.0
    for paper in screened:
        published = papers[paper].published(SCREEN)
        if published is None or published.record.status != "done" or published.record.finished < since:
            continue
        screening = read_screening(published.folder)
        tokens, cost = tokens + screening.tokens, cost + screening.cost
    return Spent(0, tokens, cost)


def step_table(told: Sequence[Told]) -> str:
    """A line a step, with what it came to and a link to its run."""
    lines = ["| step | outcome | seconds | run |", "|---|---|---|---|"]
    for one in told:
        counts = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in one.counts.items() if count)
        failed = f"**failed**: {_plain(one.failed)}" if one.failed else ""
        outcome = "; ".join(filter(None, (failed, counts))) or "nothing to do"
        link = f"[{one.run}](/runs/flow-run/{one.flow_run})" if one.flow_run else one.run
        lines.append(f"| {one.step} | {outcome} | {one.seconds:,.1f} | {link} |")
    return "\n".join(lines) + "\n"


def budget_table(spent: Spent, settings: Settings) -> str:
    """What the run took beside what a run may take."""
    rows = (
        ("bytes", f"{spent.bytes:,}", f"{settings.byte_budget:,}", spent.bytes / settings.byte_budget),
        ("tokens", f"{spent.tokens:,}", f"{settings.token_budget:,}", spent.tokens / settings.token_budget),
        ("US dollars", f"{spent.cost:,.4f}", f"{settings.cost_budget:,.2f}", spent.cost / settings.cost_budget),
    )
    lines = ["| budget | taken by this run | most | share |", "|---|---|---|---|"]
    lines += [f"| {name} | {taken} | {most} | {share:.1%} |" for name, taken, most, share in rows]
    return "\n".join(lines) + "\n"


def links(settings: Settings, run: str) -> str:
    """Where the records are, and what else Prefect shows of them."""
    places = {"run": settings.runs / run / "run.json", "papers": settings.papers, "packages": settings.packages}
    files = " · ".join(f"[{name}]({path.absolute().as_uri()})" for name, path in places.items())
    shown = {"funnel": FUNNEL, "budgets": BUDGETS, "screening by rule": SCREEN, "checks": "check-corpus"}
    others = " · ".join(f"[{name}](/artifacts/key/{key})" for name, key in shown.items())
    return f"\nRecords: {files}\n\nAlso: {others} · [leaderboard](/artifacts/key/leaderboard)\n"


def _plain(text: str) -> str:
    """A sentence that breaks no table: what failed may quote what came from outside."""
    return "".join(c if c.isprintable() and c not in "|<>[]`*" else " " for c in text)[:300]
