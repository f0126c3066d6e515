"""Taking works in: OpenAlex's records become papers' records, each work once, under its id and its DOI.

The same work may be met again under another id (OpenAlex merged two), with a DOI that it lacked, twice under one
DOI, or retracted. Whatever order these come in, and however many take works in at the same time,
the newest that OpenAlex says of a work is what stands.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from nature_gym.errors import PaperError, UsageError
from nature_gym.files import exclusive
from nature_gym.harvest.stage import STAGE, HarvestStage, known_work
from nature_gym.harvest.works import Work, read_work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Clock, carry_out, now

Kind = Literal[
    "new", "updated", "unchanged", "withdrawn", "merged", "retracted", "filtered", "duplicate", "unreadable", "error"
]
CHANGES = frozenset({"new", "updated", "withdrawn", "merged", "error"})
"""Kinds after which the paper's folder is another than before."""
AT_ONCE = 8
"""Works taken in at the same time: most of the time is spent waiting for the disk."""
_LOCKS = 64

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
    """Takes records in, several at a time. Used by one thread."""

    def __init__(self, papers: Papers, *, clock: Clock = now) -> None:
        self._papers = papers
        self._clock = clock
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="intake")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._pool.shutdown(cancel_futures=True)

    def take(self, records: Iterable[Mapping[str, Any]], *, wanted: Wanted = lambda _: True) -> list[Taken]:
        """What came of each record, in their order. What is not ``wanted`` is taken only where it is known."""

        def one(record: Mapping[str, Any]) -> Taken:
            return upsert(self._papers, record, wanted=wanted, clock=self._clock)

        return list(self._pool.map(one, records))


def upsert(
    papers: Papers,
    record: Mapping[str, Any],
    *,
    wanted: Wanted = lambda _: True,
    replaces: str = "",
    clock: Clock = now,
) -> Taken:
    """Record one of OpenAlex's works. ``replaces`` is an OpenAlex id that was merged into this one."""
    try:
        work = read_work(record)
    except (PaperError, UsageError):
        return Taken("unreadable")
    folder = papers[work.id]
    with exclusive(papers.root.parent / "harvest" / "locks" / f"{zlib.crc32(work.id.encode()) % _LOCKS:02}"):
        _move_in(papers, work, folder, clock)
        before = known_work(folder)
        if before is None and work.retracted:
            return Taken("retracted", after=work)
        if before is None and not wanted(work):
            return Taken("filtered", after=work)
        if before is not None and before.openalex_id != replaces and _is_older(work, before):
            return Taken("duplicate", work.id, before, before)
        result = carry_out(HarvestStage(work), folder, clock=clock)
    kind: Kind
    if result.kind == "error":
        kind = "error"
    elif result.kind == "current":
        kind = "unchanged"
    elif work.retracted:
        kind = "withdrawn"
    else:
        kind = "new" if before is None else "updated"
    return Taken(kind, work.id, before, work)


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
