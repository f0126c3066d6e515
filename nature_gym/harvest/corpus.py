"""Harvesting a corpus from OpenAlex's API: each work of a query gets a record on its paper's folder.

The first harvest of a query pages through all of its works. Later ones ask only for what was updated since (or, where
the plan does not allow that, for what was published lately), and then compare the query's count with what
it should be by now: where that differs, something else changed, and all is paged again. Works that are met
no more are looked up one by one: OpenAlex says whether they were merged or are gone.

Progress is kept after each page in a checkpoint, so that a harvest that was killed, or that ran out
of budget, goes on at the same cursor. Records are upserted, so that a page met twice does no harm.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.files import exclusive, write_json
from nature_gym.harvest.intake import CHANGES, Intake, close, is_open
from nature_gym.harvest.openalex import FIRST_CURSOR, PER_PAGE, LostCursorError, OpenAlex, Page, PlanError
from nature_gym.harvest.query import VALUES_IN_AN_OR, Query, queries
from nature_gym.harvest.stage import STAGE, WORK, HarvestStage, known_work
from nature_gym.harvest.venues import VenueList
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Clock, now

__all__ = ["STAGE", "WORK", "Checkpoint", "HarvestStage", "checkpoints", "harvest", "harvest_corpus"]

FILTERED = "filtered_by_type"
UPDATE_OVERLAP = dt.timedelta(days=2)
"""OpenAlex shows updates with some delay, and not in their order."""
PUBLICATION_OVERLAP = dt.timedelta(days=90)
_LOOKED_UP = 500
"""The most works that are looked up one by one in one harvest; more than that hints at a fault elsewhere."""
_LOST_CURSORS = 3

Mode = Literal["full", "updated", "published"]
PageDone = Callable[["Checkpoint", list[str]], None]
"""Called after each page with the checkpoint and the ids that were new or changed."""


class Checkpoint(BaseModel):
    """Where the harvest of one query stands. It is through when ``finished`` is set.

    ``mode``: all of it, what was updated since, or what was published lately. ``passes`` are the questions that
    are asked for that in turn, ``at`` the one under way, at ``cursor``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: dict[str, Any]
    mode: Mode = "full"
    passes: tuple[dict[str, Any], ...]
    at: int = 0
    cursor: str = FIRST_CURSOR
    per_page: int = PER_PAGE
    expected: int = 0
    """Works that the passes begun so far have."""
    seen: int = 0
    counts: dict[str, int] = {}
    """Works by what came of them, since the harvest began, in however many runs."""
    this_run: dict[str, int] = {}
    """The same, of the run that wrote this alone."""
    total: int | None = None
    """Works of the query, as it should count them by now; None before it was harvested once."""
    newest_update: str = ""
    newest_publication: dt.date | None = None
    budget: dict[str, float] = {}
    notes: tuple[str, ...] = ()
    started: dt.datetime
    finished: dt.datetime | None = None


def checkpoint_path(settings: Settings, query: Query) -> Path:
    """Where the checkpoint of ``query`` lies."""
    return settings.home / "harvest" / f"{digest_json(query.as_json())[7:23]}.json"


def read_checkpoint(settings: Settings, query: Query) -> Checkpoint | None:
    """The checkpoint of ``query``; one that cannot be read saves no time, and loses no data."""
    try:
        return Checkpoint.model_validate_json(checkpoint_path(settings, query).read_bytes())
    except (OSError, ValueError):
        return None


def checkpoints(settings: Settings, venues: VenueList, first: dt.date, last: dt.date) -> list[Checkpoint]:
    """Where the queries of a corpus stand that were begun."""
    found = (read_checkpoint(settings, query) for query in queries(venues, first, last))
    return [checkpoint for checkpoint in found if checkpoint is not None]


def harvest_corpus(
    settings: Settings,
    venues: VenueList,
    first: dt.date,
    last: dt.date,
    *,
    full: bool = False,
    on_page: Callable[[list[Checkpoint], list[str]], None] = lambda *_: None,
    clock: Clock = now,
) -> dict[str, int]:
    """Harvest all queries of a venue list; give how many works were new, updated, unchanged and so on in this run.

    ``full`` pages all of it, whatever was harvested before. ``on_page`` is told where each query stands
    that was begun, and the ids that the page changed. A harvest that was stopped is gone on with: queries that it
    was through with are not asked again. Raises what :func:`harvest` raises.
    """
    asked = queries(venues, first, last)
    path = settings.home / "harvest" / f"corpus-{digest_json([query.as_json() for query in asked])[7:23]}.json"
    tour = _read_tour(path)
    if tour is None or tour.finished or (full and not tour.full):
        tour = _Tour(began=clock(), full=full)
        write_json(path, tour.model_dump(mode="json"))
    standing: list[Checkpoint] = []
    for query in asked:
        found = read_checkpoint(settings, query)
        if found is not None and found.finished is not None and found.finished >= tour.began:
            standing.append(found.model_copy(update={"this_run": {}}))
            continue
        done = list(standing)

        def tell(checkpoint: Checkpoint, changed: list[str], done: list[Checkpoint] = done) -> None:
            on_page([*done, checkpoint], changed)

        standing.append(harvest(settings, query, full=tour.full, on_page=tell, clock=clock))
    write_json(path, tour.model_copy(update={"finished": True}).model_dump(mode="json"))
    return counts_of_run(standing)


class _Tour(BaseModel):
    """One harvest of a corpus, over all of its queries, in however many runs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    began: dt.datetime
    full: bool
    finished: bool = False


def _read_tour(path: Path) -> _Tour | None:
    """The last harvest of the corpus; without it, each query knows by itself where it stands."""
    try:
        return _Tour.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None


def counts_of_run(standing: Iterable[Checkpoint]) -> dict[str, int]:
    """What the last run over these queries did with their works."""
    return _sum(checkpoint.this_run for checkpoint in standing)


def counts_in_all(standing: Iterable[Checkpoint]) -> dict[str, int]:
    """What came of the works of these queries, whichever runs did it."""
    return _sum(checkpoint.counts for checkpoint in standing)


def _sum(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for one in counts:
        totals.update(one)
    return dict(totals)


def harvest(
    settings: Settings,
    query: Query,
    *,
    full: bool = False,
    on_page: PageDone = lambda *_: None,
    clock: Clock = now,
) -> Checkpoint:
    """Bring the records of ``query``'s works up to date, from where an earlier attempt stopped.

    Raises what :class:`nature_gym.harvest.openalex.OpenAlex` raises; the checkpoint then stands at the last whole page.
    """
    path = checkpoint_path(settings, query)
    papers = Papers(settings.papers)
    with (
        exclusive(path.with_suffix(".lock")),
        OpenAlex(settings) as openalex,
        Intake(papers, clock=clock) as intake,
    ):
        work = _Harvest(path, query, papers, openalex, intake, on_page, clock)
        return work.run(read_checkpoint(settings, query), full=full)


class _Harvest:
    """One query's harvest, from its checkpoint to its end."""

    def __init__(
        self,
        path: Path,
        query: Query,
        papers: Papers,
        openalex: OpenAlex,
        intake: Intake,
        on_page: PageDone,
        clock: Clock,
    ) -> None:
        self._path = path
        self._query = query
        self._papers = papers
        self._openalex = openalex
        self._intake = intake
        self._on_page = on_page
        self._clock = clock
        self._met = _Met(path.with_suffix(".met"))
        self._uncounted: dt.datetime | None = None
        """Works recorded since then may have been recorded by this harvest and not been counted."""
        self._standing: Checkpoint

    def run(self, found: Checkpoint | None, *, full: bool) -> Checkpoint:
        self._standing = self._begin(found, full=full)
        self._keep()  # whoever goes on asks the same questions, also where no page was through
        counted = self._openalex.count_meanwhile(self._query) if self._standing.mode != "full" else None
        self._page_through()
        if counted is not None and self._differs(counted.result()):
            self._standing = self._all_over("the number of works shows that others changed, too; all were paged")
            self._page_through()
        if self._standing.mode == "full":
            self._close()
        self._keep(finished=self._clock())
        self._met.forget()
        return self._standing

    # -- what is to be asked ---------------------------------------------------------

    def _begin(self, found: Checkpoint | None, *, full: bool) -> Checkpoint:
        has_papers = next(iter(self._papers), None) is not None
        if found is not None and found.finished is None and has_papers and (found.mode == "full" or not full):
            self._uncounted = found.started
            return found.model_copy(update={"this_run": {}})
        if found is None or full or found.total is None or not has_papers:
            self._met.forget()
            return self._fresh(found, "full", self._full_passes(known=has_papers))
        if found.newest_update:
            since = _before(found.newest_update, UPDATE_OVERLAP)
            return self._fresh(found, "updated", [self._wide(updated_since=since)])
        return self._fresh(found, "published", [self._lately(found)])

    def _fresh(self, found: Checkpoint | None, mode: Mode, passes: Sequence[Query]) -> Checkpoint:
        begun = Checkpoint(
            query=self._query.as_json(),
            mode=mode,
            passes=tuple(query.as_json() for query in passes),
            started=self._clock(),
        )
        if found is None:
            return begun
        kept = ("total", "newest_update", "newest_publication")
        return begun.model_copy(update={name: getattr(found, name) for name in kept})

    def _full_passes(self, *, known: bool) -> list[Query]:
        """All works; and, where we may have some of them, those that were retracted since."""
        retracted = Query(self._query.issns, self._query.first, self._query.last, (), self._query.search, True)
        return [self._query, retracted] if known else [self._query]

    def _wide(self, **narrower: Any) -> Query:
        """The query without what a work can lose: its type, and its standing."""
        asked = self._query.as_json() | {"types": (), "retracted": None} | narrower
        return Query.from_json(asked)

    def _lately(self, found: Checkpoint) -> Query:
        newest = found.newest_publication or self._query.first
        return self._wide(first=max(self._query.first, newest - PUBLICATION_OVERLAP).isoformat())

    def _all_over(self, note: str) -> Checkpoint:
        """Page all after a refresh; what that counted stands."""
        self._met.forget()
        again = self._fresh(self._standing, "full", self._full_passes(known=True))
        return again.model_copy(
            update={
                "counts": self._standing.counts,
                "this_run": self._standing.this_run,
                "notes": (*self._standing.notes, note),
                "per_page": PER_PAGE,
            }
        )

    # -- paging ----------------------------------------------------------------------

    def _page_through(self) -> None:
        lost = 0
        while self._standing.at < len(self._standing.passes):
            query = Query.from_json(self._standing.passes[self._standing.at])
            try:
                before = self._standing.expected if self._standing.cursor == FIRST_CURSOR else None
                for page in self._openalex.pages(query, self._standing.cursor, self._standing.per_page):
                    self._take(query, page, before)
                    if not lost:
                        self._uncounted = None  # only the page at which an earlier run stopped is met twice
            except LostCursorError:
                lost += 1
                if lost > _LOST_CURSORS:
                    raise
                self._keep(cursor=FIRST_CURSOR, at=0, expected=0, seen=0, counts={}, this_run={})
                self._uncounted = self._standing.started
            except PlanError:
                if not query.updated_since:
                    raise
                note = "the plan does not allow to ask for updates: what was published lately was asked for"
                fallback = self._fresh(self._standing, "published", [self._lately(self._standing)])
                self._standing = fallback.model_copy(update={"notes": (note,), "this_run": self._standing.this_run})

    def _take(self, query: Query, page: Page, before: int | None) -> None:
        """Take in one page; ``before`` is what earlier passes had, where this one began in this process."""
        standing = self._standing
        is_full = standing.mode == "full"
        wanted = (lambda _: True) if is_full else self._query.covers
        took = self._intake.take(page.records, wanted=wanted, since=self._uncounted)
        works = [taken.after for taken in took if taken.after is not None]
        came = Counter(FILTERED if taken.kind == "filtered" else taken.kind for taken in took)
        total = standing.total
        if is_full:
            self._met.add(work.openalex_id for work in works if work.openalex_id)
            total = page.count if query == self._query else total
        elif total is not None:
            total += sum(self._query.covers(taken.after) - self._query.covers(taken.before) for taken in took)
        seen = standing.seen + len(page.records)
        days = [work.published for work in works if work.published and work.published <= self._query.last]
        if standing.newest_publication:
            days.append(standing.newest_publication)
        self._keep(
            at=standing.at + (page.next_cursor is None),
            cursor=page.next_cursor or FIRST_CURSOR,
            per_page=page.per_page,
            expected=max(standing.expected if before is None else before + page.count, seen),
            seen=seen,
            counts=_sum((standing.counts, came)),
            this_run=_sum((standing.this_run, came)),
            total=total,
            newest_update=max([standing.newest_update, *(work.updated or "" for work in works)]),
            newest_publication=max(days, default=None),
        )
        self._on_page(self._standing, [t.paper for t in took if t.paper and t.kind in CHANGES])

    def _keep(self, **changes: Any) -> None:
        changes["budget"] = self._openalex.budget.told or self._standing.budget
        self._standing = self._standing.model_copy(update=changes)
        write_json(self._path, self._standing.model_dump(mode="json"))

    # -- what paging does not show ---------------------------------------------------

    def _differs(self, counted: int) -> bool:
        """Whether the query has another number of works than what was met accounts for.

        ``counted`` is the number when paging began; one that differs may have been overtaken by the pages.
        """
        return counted != self._standing.total and self._openalex.count(self._query) != self._standing.total

    def _close(self) -> None:
        """What the query leaves out by type; and what became of works that it had once and has no more."""
        came: Counter[str] = Counter()
        left_out: dict[str, int] = {}
        if self._query.types:
            every = Query(self._query.issns, self._query.first, self._query.last, (), self._query.search)
            if number := max(0, self._openalex.count(every) - (self._standing.total or 0)):
                left_out[FILTERED] = number
        changed: list[str] = []
        if len(self._standing.passes) > 1:
            unmet = self._unmet()
            if len(unmet) > _LOOKED_UP:
                note = f"{len(unmet):,} known works were not met, too many to look up"
                self._keep(notes=(*self._standing.notes, note))
            else:
                changed = self._look_up(unmet, came)
        standing = self._standing
        self._keep(
            **{
                name: {kind: count for kind, count in _sum((counts, came)).items() if count and kind != FILTERED}
                | left_out
                for name, counts in (("counts", standing.counts), ("this_run", standing.this_run))
            }
        )
        self._on_page(self._standing, changed)

    def _unmet(self) -> dict[str, PaperFolder]:
        """OpenAlex id -> folder, of the works of this query that OpenAlex did not name this time."""
        met = self._met.all()
        issns = set(self._query.issns)
        unmet = {}
        for folder in self._papers:
            work = known_work(folder)
            if work is None or work.openalex_id is None or work.openalex_id in met or work.issn_l not in issns:
                continue
            if self._query.covers(work) and is_open(folder):
                unmet[work.openalex_id] = folder
        return unmet

    def _look_up(self, unmet: dict[str, PaperFolder], counts: Counter[str]) -> list[str]:
        """Ask for works by id: they are there with other facts, part of another work, or gone."""
        ids, changed = sorted(unmet), []
        there: set[str] = set()
        for start in range(0, len(ids), VALUES_IN_AN_OR):
            for taken in self._intake.take(self._openalex.by_id(ids[start : start + VALUES_IN_AN_OR])):
                counts[taken.kind] += 1
                if taken.after is not None and taken.after.openalex_id in unmet:
                    there.add(taken.after.openalex_id)
                    changed.append(unmet[taken.after.openalex_id].id)
        for openalex_id in ids:
            if openalex_id not in there:
                changed += self._look_up_one(openalex_id, unmet[openalex_id], counts)
        return changed

    def _look_up_one(self, openalex_id: str, folder: PaperFolder, counts: Counter[str]) -> list[str]:
        record = self._openalex.one(openalex_id)
        if record is None:
            counts["withdrawn"] += close(folder, "withdrawn", "OpenAlex no longer lists it", clock=self._clock)
            return [folder.id]
        (taken,) = self._intake.take([record], replaces=openalex_id)
        counts[taken.kind] += taken.kind != "unchanged"
        if taken.paper is None or taken.paper == folder.id or not folder.exists():
            return [folder.id]
        reason = f"OpenAlex merged it into {taken.paper}"
        counts["merged"] += close(folder, "merged", reason, clock=self._clock)
        return [folder.id, taken.paper]


class _Met:
    """The OpenAlex ids that a full harvest has met, kept beside its checkpoint: a line each, added page by page."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, ids: Iterable[str]) -> None:
        with self._path.open("a") as file:
            file.writelines(f"{openalex_id}\n" for openalex_id in ids)

    def all(self) -> set[str]:
        return set(self._path.read_text().split()) if self._path.exists() else set()

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)


def _before(moment: str, overlap: dt.timedelta) -> str:
    """The day that lies ``overlap`` before a moment as OpenAlex writes it."""
    return (dt.date.fromisoformat(moment[:10]) - overlap).isoformat()
