"""Taking works in: OpenAlex's records become papers' records, each work once, under its id and its DOI.

The same work may be met again under another id (OpenAlex merged two), with a DOI that it lacked, twice under one
DOI, or retracted. Whatever order these come in, and however many take works in at the same time,
the newest that OpenAlex says of a work is what stands.

Works are taken in by the hundred, so that they are flushed to the disk together: a work costs half a millisecond
of thinking, and would cost three times that of waiting.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from nature_gym.errors import PaperError, UsageError
from nature_gym.files import exclusive
from nature_gym.harvest.stage import NEWS, STAGE, HarvestStage, known_work
from nature_gym.harvest.works import Work, read_work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Clock, carry_out, carry_out_together, now

Kind = Literal[
    "new", "updated", "unchanged", "withdrawn", "merged", "retracted", "filtered", "duplicate", "unreadable", "error"
]
CHANGES = frozenset({"new", "updated", "withdrawn", "merged", "error"})
"""Kinds after which the paper's folder is another than before."""
AT_ONCE = 8
"""Works flushed at the same time: they wait for the same turns of the disk."""
TOGETHER = 100
"""Works published together. Each holds a file open until then."""

Wanted = Callable[[Work], bool]


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of one record.

    ``retracted`` is a work that we never had, ``withdrawn`` one that we had; ``filtered`` one that nobody wants;
    ``duplicate`` an older record of a work that is known under another OpenAlex id. ``before`` and ``after`` are
    the work as it was known and is.
    """

    kind: Kind
    paper: str | None = None
    before: Work | None = None
    after: Work | None = None


class Intake:
    """Takes records in. Used by one thread; several, also of other processes, may do so in one home."""

    def __init__(self, papers: Papers, *, clock: Clock = now) -> None:
        self._papers = papers
        self._clock = clock
        self._lock = papers.root.parent / "harvest" / "intake.lock"
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="intake")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def take(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        wanted: Wanted = lambda _: True,
        replaces: str = "",
        since: dt.datetime | None = None,
    ) -> list[Taken]:
        """What came of each record, in their order. What is not ``wanted`` is taken only where it is known.

        ``replaces`` is an OpenAlex id that was merged into the works of these records. What was recorded after
        ``since``, by a harvest that was killed before it could count it, comes as what it was then.
        """
        taken: list[Taken] = []
        for group in _apart(records):
            with exclusive(self._lock):
                taken += self._take(group, wanted, replaces, since)
        return taken

    def _take(
        self, group: Sequence[Work | None], wanted: Wanted, replaces: str, since: dt.datetime | None
    ) -> list[Taken]:
        """The same for works that do not concern each other (None: unreadable)."""
        taken: dict[int, Taken] = {}
        told: dict[int, tuple[Work, Work | None]] = {}
        for place, work in enumerate(group):
            if work is None:
                taken[place] = Taken("unreadable")
                continue
            folder = self._papers[work.id]
            _move_in(self._papers, work, folder, self._clock)
            before = known_work(folder)
            if (passed := _passed_over(work, before, wanted, replaces)) is not None:
                taken[place] = passed
            else:
                told[place] = (work, before)
        todo = [(HarvestStage(work, news=_news(work, before)), self._papers[work.id]) for work, before in told.values()]
        for place, result in zip(told, carry_out_together(todo, self._pool, clock=self._clock), strict=True):
            work, before = told[place]
            kind = _KINDS.get(result.kind) or _news(work, before)
            if kind == "unchanged" and since is not None:
                kind = _news_since(self._papers[work.id], since)
            taken[place] = Taken(kind, work.id, before, work)
        return [taken[place] for place in range(len(group))]


def _apart(records: Iterable[Mapping[str, Any]]) -> Iterator[list[Work | None]]:
    """The records as works (None: unreadable), in groups in which none can concern the paper of another."""
    group: list[Work | None] = []
    names: set[str | None] = set()
    for record in records:
        try:
            work = read_work(record)
        except (PaperError, UsageError):
            group.append(None)
            continue
        own = {work.id, work.openalex_id}
        if len(group) >= TOGETHER or own & names:
            yield group
            group, names = [], set()
        group.append(work)
        names |= own
    yield group


def _passed_over(work: Work, before: Work | None, wanted: Wanted, replaces: str) -> Taken | None:
    """What came of a record of which nothing is recorded; None for others."""
    if before is None and work.retracted:
        return Taken("retracted", after=work)
    if before is None and not wanted(work):
        return Taken("filtered", after=work)
    if before is not None and before.openalex_id != replaces and _is_older(work, before):
        return Taken("duplicate", work.id, before, before)
    return None


_KINDS: Mapping[str, Kind] = {"error": "error", "current": "unchanged"}


def _news(work: Work, before: Work | None) -> Kind:
    """What a work that is recorded is to the corpus."""
    if work.retracted:
        return "withdrawn"
    return "new" if before is None else "updated"


def _news_since(folder: PaperFolder, since: dt.datetime) -> Kind:
    """What the paper's record was to the corpus when it was made, where that was not before ``since``."""
    record = folder.record(STAGE)
    news: Kind | None = record.facts.get(NEWS) if record is not None and record.started >= since else None
    return news or "unchanged"


def _is_older(work: Work, before: Work) -> bool:
    """Whether ``work`` is another of OpenAlex's records of the known work, and not the newer of the two."""
    other = before.openalex_id is not None and work.openalex_id != before.openalex_id
    return other and (work.updated or "") <= (before.updated or "")


def _move_in(papers: Papers, work: Work, folder: PaperFolder, clock: Clock) -> None:
    """A work that had no DOI when it was met stands under its OpenAlex id; now it has one, and moves there."""
    if work.openalex_id is None or work.id == work.openalex_id:
        return
    former = papers[work.openalex_id]
    if not former.exists():
        return
    if folder.exists():
        close(former, "merged", f"it is the same work as {folder.id}", clock=clock)
    else:
        former.path.rename(folder.path)


def close(folder: PaperFolder, verdict: Literal["merged", "withdrawn"], reason: str, *, clock: Clock = now) -> bool:
    """Say on a paper's harvest that it does not stand any more, and why; whether that was news."""
    work = known_work(folder)
    if work is None:
        return False
    return carry_out(HarvestStage(work, verdict=verdict, reason=reason), folder, clock=clock).kind == "done"


def is_open(folder: PaperFolder) -> bool:
    """Whether the paper's harvest stands: it was not withdrawn, merged or ingested."""
    record = folder.record(STAGE)
    return record is not None and record.rules == HarvestStage.rules and record.verdict == "done"
