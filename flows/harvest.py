"""The harvest: what OpenAlex has of a corpus, page by page or from its bulk snapshot, into the papers' records."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.client.schemas import State

from flows.artifacts import publish_funnel
from flows.session import Session, open_session
from nature_gym.harvest.corpus import Checkpoint, counts_of_run, harvest_corpus
from nature_gym.harvest.snapshot import SnapshotReport, read_snapshot
from nature_gym.harvest.venues import VenueList, load_venues


@flow(name="harvest", flow_run_name="harvest {venues}", persist_result=False)
def harvest(
    venues: str = "nature-family",
    first: dt.date | None = None,
    last: dt.date | None = None,
    full: bool = False,
    snapshot: str | None = None,
) -> State[Any]:
    """Bring the works of a venue list up to date, from where an earlier harvest stopped.

    ``full`` asks for all of them again. ``snapshot`` is the folder of OpenAlex's bulk files, to be read instead.
    """
    parameters = {"venues": venues, "first": first, "last": last, "full": full, "snapshot": snapshot}
    with open_session("harvest", parameters) as session:
        corpus = load_venues(venues)
        days = (first or corpus.first, last or corpus.last)
        if snapshot is None:
            counts = _from_api(session, corpus, days, full=full)
        else:
            counts = _from_snapshot(session, corpus, days, Path(snapshot), full=full)
        publish_funnel(
            [{"outcome": kind, "works": count} for kind, count in sorted(counts.items())],
            key=f"harvest-{corpus.name}",
            description=f"Harvest of {corpus.title or corpus.name}",
        )
        return session.final_state()


def _from_api(session: Session, corpus: VenueList, days: tuple[dt.date, dt.date], *, full: bool) -> dict[str, int]:
    def take(checkpoints: list[Checkpoint], changed: list[str]) -> None:
        seen = sum(checkpoint.seen for checkpoint in checkpoints)
        expected = sum(checkpoint.expected for checkpoint in checkpoints)
        _take(session, counts_of_run(checkpoints), changed, seen, expected)

    counts = harvest_corpus(session.settings, corpus, *days, full=full, on_page=take)
    session.count(counts)
    return counts


def _from_snapshot(
    session: Session, corpus: VenueList, days: tuple[dt.date, dt.date], folder: Path, *, full: bool
) -> dict[str, int]:
    def take(report: SnapshotReport, changed: Sequence[str]) -> None:
        _take(session, report.counts, changed, report.read, report.parts)

    report = read_snapshot(session.settings, corpus, *days, folder, full=full, on_part=take)
    counts = {**report.counts, **{f"dropped_{reason}": count for reason, count in report.dropped.items()}}
    if report.damaged:
        counts["error"] = len(report.damaged)
    session.count(counts)
    return counts


def _take(session: Session, totals: Mapping[str, int], changed: Sequence[str], done: int, total: int) -> None:
    """Count what came in, and let the index know of what changed."""
    session.count(totals, changed)
    session.tell("harvest", done, total, totals)
