"""Harvesting a corpus: each work that OpenAlex names gets a record on its paper's folder.

Progress is kept after each page in a checkpoint, so that a harvest that was killed, or that ran out
of budget, goes on at the same cursor. Records are upserted, so that a page met twice does no harm.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.errors import PaperError, UsageError
from nature_gym.files import to_json, write_json
from nature_gym.harvest.openalex import FIRST_CURSOR, LostCursorError, Page, Query, pages, queries
from nature_gym.harvest.venues import VenueList
from nature_gym.harvest.works import Work, read_work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Clock, Outcome, carry_out, now
from nature_gym.web.session import make_session

STAGE = "harvest"
WORK = "work.json"

PageDone = Callable[["Checkpoint", list[str]], None]
"""Called after each page with the checkpoint and the ids that were new or changed."""


class HarvestStage:
    """Publishes one work as the paper's record. Not stale-able by itself: it is given the work."""

    name = STAGE
    rules = "1"

    def __init__(self, work: Work) -> None:
        self._work = work.model_dump(mode="json")

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the work is the input
        """The work itself, word for word."""
        return self._work

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        """Write it down; a retracted work is recorded as withdrawn."""
        (draft / WORK).write_bytes(to_json(self._work))
        verdict = "withdrawn" if self._work["retracted"] else "done"
        return Outcome(verdict, "OpenAlex lists it as retracted" if self._work["retracted"] else "")


class Checkpoint(BaseModel):
    """Where the harvest of one query stands. ``cursor`` is None when it is done."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: dict[str, Any]
    cursor: str | None = FIRST_CURSOR
    expected: int = 0
    seen: int = 0
    counts: dict[str, int] = {}
    started: dt.datetime
    finished: dt.datetime | None = None


def checkpoint_path(settings: Settings, query: Query) -> Path:
    """Where the checkpoint of ``query`` lies."""
    return settings.home / "harvest" / f"{digest_json(query.as_json())[7:23]}.json"


def harvest(settings: Settings, query: Query, *, on_page: PageDone = lambda *_: None, clock: Clock = now) -> Checkpoint:
    """Bring the records of ``query``'s works up to date, from where an earlier attempt stopped.

    Raises what :func:`nature_gym.harvest.openalex.pages` raises; the checkpoint then stands at the last whole page.
    """
    path = checkpoint_path(settings, query)
    checkpoint = _resume(path, query, clock)
    with make_session(settings) as session:
        while checkpoint.cursor is not None:
            try:
                for page in pages(session, settings, query, checkpoint.cursor):
                    checkpoint, changed = _take_in(settings, checkpoint, page, clock)
                    write_json(path, checkpoint.model_dump(mode="json"))
                    on_page(checkpoint, changed)
            except LostCursorError:
                checkpoint = checkpoint.model_copy(update={"cursor": FIRST_CURSOR, "seen": 0, "counts": {}})
    return checkpoint


def harvest_corpus(
    settings: Settings,
    venues: VenueList,
    first: dt.date,
    last: dt.date,
    *,
    on_page: Callable[[list[Checkpoint], list[str]], None] = lambda *_: None,
    clock: Clock = now,
) -> dict[str, int]:
    """Harvest all queries of a venue list; give how many works were new, updated, unchanged and so on.

    ``on_page`` is told where each query stands that was begun, and the ids that the page changed.
    """
    standing: list[Checkpoint] = []
    for query in queries(venues, first, last):
        done = list(standing)

        def tell(checkpoint: Checkpoint, changed: list[str], done: list[Checkpoint] = done) -> None:
            on_page([*done, checkpoint], changed)

        standing.append(harvest(settings, query, on_page=tell, clock=clock))
    totals: Counter[str] = Counter()
    for checkpoint in standing:
        totals.update(checkpoint.counts)
    return dict(totals)


def _resume(path: Path, query: Query, clock: Clock) -> Checkpoint:
    """The checkpoint of an unfinished harvest, or a new one."""
    fresh = Checkpoint(query=query.as_json(), started=clock())
    if not path.is_file():
        return fresh
    try:
        found = Checkpoint.model_validate_json(path.read_bytes())
    except ValueError:
        return fresh  # a checkpoint saves time, never data: without it, the pages are asked for again
    return found if found.cursor is not None else fresh


def _take_in(settings: Settings, checkpoint: Checkpoint, page: Page, clock: Clock) -> tuple[Checkpoint, list[str]]:
    papers = Papers(settings.papers)
    counts = Counter(checkpoint.counts)
    changed = []
    for record in page.records:
        kind, paper = upsert(papers, record, clock=clock)
        counts[kind] += 1
        if paper and kind != "unchanged":
            changed.append(paper)
    update: dict[str, Any] = {
        "cursor": page.next_cursor,
        "expected": page.count,
        "seen": checkpoint.seen + len(page.records),
        "counts": dict(counts),
        "finished": None if page.next_cursor else clock(),
    }
    return checkpoint.model_copy(update=update), changed


def upsert(papers: Papers, record: Mapping[str, Any], *, clock: Clock = now) -> tuple[str, str | None]:
    """Record one of OpenAlex's works; give what it was and the paper's id.

    ``new``, ``updated``, ``unchanged``, ``withdrawn`` (retracted since), ``unreadable`` (no id), or ``error``.
    """
    try:
        work = read_work(record)
    except (PaperError, UsageError):
        return "unreadable", None
    folder = papers[work.id]
    known = folder.publication(STAGE) is not None
    if work.retracted and not known:
        return "retracted", None
    result = carry_out(HarvestStage(work), folder, clock=clock)
    if result.kind == "error":
        return "error", work.id
    if result.kind == "current":
        return "unchanged", work.id
    if work.retracted:
        return "withdrawn", work.id
    return ("updated" if known else "new"), work.id
