"""One file of OpenAlex's bulk snapshot: the few works in it that matter, without reading the many that do not.

Most of a snapshot is of no interest, and reading JSON is what costs. So a block of text is searched for the
journals' ISSNs as bytes, and only the lines where one stands are read as JSON and judged.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from isal import isal_zlib
from isal.isal_zlib import IsalError

from nature_gym.errors import InfrastructureError
from nature_gym.harvest.intake import CHANGES, Intake, Taken
from nature_gym.harvest.query import Query
from nature_gym.harvest.search import Search
from nature_gym.harvest.works import Work

_PACKED = 1 << 16
_UNPACKED = 1 << 23
_LONGEST_LINE = 1 << 28
_GZIP = 31
_BATCH = 256
KEPT = ("new", "updated", "unchanged")


@dataclass(slots=True)
class PartReport:
    """What a part held. ``changed`` are ids of papers whose folder is another than before.

    ``problem`` says what of it could not be read; empty where all could.
    """

    seen: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """``new``, ``updated``, ``unchanged``, and ``withdrawn`` among the updated."""
    dropped: Counter[str] = field(default_factory=Counter)
    changed: list[str] = field(default_factory=list)
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "seen": self.seen,
            "counts": dict(self.counts),
            "dropped": dict(self.dropped),
            "changed": self.changed,
            "problem": self.problem,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> PartReport:
        counts, dropped = Counter(value["counts"]), Counter(value["dropped"])
        return cls(value["seen"], counts, dropped, list(value["changed"]), value["problem"])


class Judge:
    """Says of a record whether it belongs to the corpus, and if not, why."""

    def __init__(self, queries: list[Query]) -> None:
        self._by_issn = {issn: query for query in queries for issn in query.issns}
        self._searches = {query.search: Search(query.search) for query in queries}
        issns = b"|".join(re.escape(issn.encode()) for issn in sorted(self._by_issn))
        self.mark = re.compile(rb'"issn(?:_l)?":\s*(?:\[[^\]]{0,300})?"(?:' + issns + rb')"')
        """Stands in the line of every work of these journals, and in few others."""

    def query(self, record: Mapping[str, Any]) -> Query | None:
        """The query for the journal that published the work; None where it is none of ours."""
        location = record.get("primary_location")
        source = location.get("source") if isinstance(location, Mapping) else None
        if not isinstance(source, Mapping):
            return None
        more = source.get("issn")
        for issn in (source.get("issn_l"), *(more if isinstance(more, list) else ())):
            if isinstance(issn, str) and issn in self._by_issn:
                return self._by_issn[issn]
        return None

    def objection(self, query: Query, work: Work) -> str:
        """Why the work is not wanted, in a word; empty where it is."""
        if query.types and work.article_type not in query.types:
            return "type"
        if work.published is None or not query.first <= work.published <= query.last:
            return "date"
        return "" if self._searches[query.search](f"{work.title}\n{work.abstract}") else "search"


def read_part(path: Path, judge: Judge, intake: Intake, since: dt.datetime | None = None) -> PartReport:
    """Take in what is wanted of one file; ``since`` as :meth:`Intake.take` has it.

    Raises InfrastructureError for a file that is damaged.
    """
    report = PartReport()
    batch: list[Mapping[str, Any]] = []
    for line in marked_lines(path, judge.mark, report):
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            report.dropped["unreadable"] += 1
            report.problem = report.problem or f"{path}: a line is no JSON: {error}"
            continue
        if not isinstance(record, Mapping) or judge.query(record) is None:
            continue  # it is one of the many of other journals, which are counted together
        batch.append(record)
        if len(batch) == _BATCH:
            _take(batch, judge, intake, report, since)
            batch = []
    _take(batch, judge, intake, report, since)
    others = report.seen - sum(report.counts[kind] for kind in KEPT) - report.dropped.total()
    if others:
        report.dropped["venue"] = others
    return report


def _take(
    batch: list[Mapping[str, Any]], judge: Judge, intake: Intake, report: PartReport, since: dt.datetime | None
) -> None:
    objections: dict[str, str] = {}

    def wanted(work: Work) -> bool:
        query = queries[work.openalex_id or ""]
        objections[work.openalex_id or ""] = objection = judge.objection(query, work)
        return not objection

    queries = {_id(record): query for record in batch if (query := judge.query(record)) is not None}
    for taken in intake.take(batch, wanted=wanted, since=since):
        _count(taken, objections, report)


def _id(record: Mapping[str, Any]) -> str:
    return str(record.get("id") or "").rstrip("/").rsplit("/", 1)[-1]


def _count(taken: Taken, objections: Mapping[str, str], report: PartReport) -> None:
    if taken.kind in ("withdrawn", *KEPT):
        report.counts["updated" if taken.kind == "withdrawn" else taken.kind] += 1
        report.counts["withdrawn"] += taken.kind == "withdrawn"
    elif taken.kind == "filtered" and taken.after is not None:
        report.dropped[objections[taken.after.openalex_id or ""]] += 1
    else:
        report.dropped[taken.kind] += 1
    if taken.paper is not None and taken.kind in CHANGES:
        report.changed.append(taken.paper)


def marked_lines(path: Path, mark: re.Pattern[bytes], report: PartReport) -> Iterator[bytes]:
    """The lines of a gzip file in which ``mark`` stands; all lines are counted in ``report.seen``."""
    rest = b""
    for block in _blocks(path):
        first = block.find(b"\n") + 1
        if not first:
            rest += block
            if len(rest) > _LONGEST_LINE:
                raise InfrastructureError(f"{path}: a line without an end", hint="Download the file again.")
            continue
        last = block.rfind(b"\n") + 1
        yield from _marked(rest + block[:first], 0, first + len(rest), mark, report)
        yield from _marked(block, first, last, mark, report)
        rest = block[last:]
    if rest:
        yield from _marked(rest + b"\n", 0, len(rest) + 1, mark, report)


def _marked(text: bytes, start: int, stop: int, mark: re.Pattern[bytes], report: PartReport) -> Iterator[bytes]:
    """The marked ones of the whole lines between two places in a text."""
    # numpy finds the ends five times as fast as bytes.count counts them.
    ends = np.flatnonzero(np.frombuffer(text, np.uint8, stop - start, start) == 10)
    report.seen += int(np.count_nonzero(np.diff(ends, prepend=-1) > 1))  # lines of nothing are none
    done = start
    for match in mark.finditer(text, start, stop):
        if match.start() >= done:
            begin = text.rfind(b"\n", start, match.start()) + 1 or start
            done = text.index(b"\n", match.start()) + 1
            yield text[begin : done - 1]


def _blocks(path: Path) -> Iterator[bytes]:
    """A gzip file's text, some megabytes at a time; several gzip streams in one file follow each other."""
    try:
        with path.open("rb") as file:
            unpacker = isal_zlib.decompressobj(_GZIP)
            while packed := (unpacker.unconsumed_tail or file.read(_PACKED)):
                yield unpacker.decompress(packed, _UNPACKED)
                while unpacker.eof and (packed := unpacker.unused_data or file.read(_PACKED)):
                    unpacker = isal_zlib.decompressobj(_GZIP)
                    yield unpacker.decompress(packed, _UNPACKED)
    except (OSError, IsalError) as error:  # type: ignore[misc]  # isal's stubs call the class an instance
        raise InfrastructureError(f"{path} is damaged: {error}", hint="Download the file again.") from error
    if not unpacker.eof:
        raise InfrastructureError(f"{path} breaks off", hint="Download the file again.")
