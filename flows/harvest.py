"""The harvest: what OpenAlex has of a corpus, page by page, into the papers' records."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any

from prefect import flow
from prefect.client.schemas import State

from flows.artifacts import publish_funnel
from flows.session import Session, open_session
from nature_gym.harvest.corpus import Checkpoint, harvest_corpus
from nature_gym.harvest.venues import load_venues
from nature_gym.stages import Result


@flow(name="harvest", flow_run_name="harvest {venues}", persist_result=False)
def harvest(venues: str = "nature-family", first: dt.date | None = None, last: dt.date | None = None) -> State[Any]:
    """Bring the works of a venue list up to date, from where an earlier harvest stopped."""
    with open_session("harvest", {"venues": venues, "first": first, "last": last}) as session:
        corpus = load_venues(venues)
        counts = harvest_corpus(
            session.settings,
            corpus,
            first or corpus.first,
            last or corpus.last,
            on_page=lambda checkpoints, changed: _take(session, checkpoints, changed),
        )
        publish_funnel(
            [{"outcome": kind, "works": count} for kind, count in sorted(counts.items())],
            key=f"harvest-{corpus.name}",
            description=f"Harvest of {corpus.title or corpus.name}",
        )
        return session.final_state()


def _take(session: Session, checkpoints: list[Checkpoint], changed: list[str]) -> None:
    """Count one page, and let the index know of what it changed."""
    totals: Counter[str] = Counter()
    for checkpoint in checkpoints:
        totals.update(checkpoint.counts)
    for kind, count in totals.items():
        session.counts[kind] = count
    session.take(Result(paper, "done") for paper in changed)
    session.tell(
        "harvest",
        sum(checkpoint.seen for checkpoint in checkpoints),
        sum(checkpoint.expected for checkpoint in checkpoints),
        totals,
    )
