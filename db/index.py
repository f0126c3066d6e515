"""Bringing the index up to date with the record folders: what changed, or everything from nothing.

A paper's row keeps the mark of its folder as it was read. A refresh compares marks, which costs one
look at each folder, and reads again only where they differ. What it reads and writes for a batch of
papers happens inside one transaction of the only writer (see ``db.transactions``), so it may be killed
at any moment, and may run twice at a time: the rows are those of some moment of each folder, and
the next refresh finds what came later.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, and_, bindparam, delete, exists, or_, select, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects import postgresql, sqlite

from db.entries import READ_AGAIN, Entry, Row, read_paper, read_run, run_mark
from db.tables import Table
from db.transactions import reported, writing
from nature_gym.records import Papers

BATCH = 200
"""Papers in one transaction: about half a second in which other writers wait."""

PAPER: SqlTable = Table.metadata.tables["paper"]
STAGE: SqlTable = Table.metadata.tables["paper_stage"]
RUN: SqlTable = Table.metadata.tables["run"]

Progress = Callable[[int, int], None]
"""Called with the number of papers looked after, and of all that need it."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found, in papers. ``unreadable`` ones have a row that says why; they are in no other number."""

    new: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild put into the index: rows of each table, and how many papers have a record that cannot be read."""

    papers: int
    stages: int
    runs: int
    unreadable: int
    seconds: float


def refresh(
    engine: Engine, papers: Papers, runs: Path, *, only: Iterable[str] | None = None, progress: Progress | None = None
) -> Refreshed:
    """Take in what changed in the folders since the index last looked.

    With ``only``, the papers of these ids alone are looked at, and no runs. Raises InfrastructureError
    where the database fails; records that cannot be read do not stop it.
    """
    wanted = None if only is None else sorted(set(only))
    known = _known_marks(engine, PAPER, wanted)
    found = _found_marks(papers, wanted)
    stale = sorted(paper for paper, mark in found.items() if mark == READ_AGAIN or known.get(paper) != mark)
    gone = sorted(known.keys() - found.keys())
    counts = Counter(unchanged=len(found) - len(stale))
    done, total = 0, len(stale) + len(gone)
    for batch in _batches(itertools.chain(stale, gone)):
        with writing(engine) as connection:
            counts += _bring_up(connection, papers, batch)
        done += len(batch)
        if progress:
            progress(done, total)
    if wanted is None:
        _refresh_runs(engine, runs)
    return Refreshed(**counts)


def rebuild(engine: Engine, papers: Papers, runs: Path, *, progress: Progress | None = None) -> Rebuilt:
    """Make all rows anew from the folders, in one transaction: readers see the old rows until the new are there."""
    began = time.monotonic()
    ids = [folder.id for folder in papers]
    entries = stages = unreadable = 0
    with writing(engine) as connection:
        for table in (STAGE, PAPER, RUN):
            connection.execute(delete(table))
        for batch in _batches(ids):
            read = [entry for paper in batch if (entry := read_paper(papers[paper]))]
            _write(connection, read)
            entries += len(read)
            stages += sum(len(entry.stages) for entry in read)
            unreadable += sum(not entry.readable for entry in read)
            if progress:
                progress(entries, len(ids))
        _tell_duplicates(connection)
        rows = [row for folder in _folders(runs) if (row := read_run(folder))]
        _upsert(connection, RUN, rows)
    return Rebuilt(entries, stages, len(rows), unreadable, time.monotonic() - began)


def _bring_up(connection: Connection, papers: Papers, ids: Sequence[str]) -> Counter[str]:
    """Read these papers again and write what is different. The folders are read under the writer's lock."""
    query = select(PAPER.c.id, PAPER.c.mark, PAPER.c.doi, PAPER.c.openalex_id).where(PAPER.c.id.in_(ids))
    before = {row.id: row for row in connection.execute(query)}
    counts: Counter[str] = Counter()
    entries, gone = [], []
    for paper in ids:
        entry = read_paper(papers[paper])
        if entry is None:
            gone.append(paper)
            counts["removed"] += paper in before
        elif not entry.readable:
            entries.append(entry)
            counts["unreadable"] += 1
        elif paper in before and before[paper].mark == entry.paper["mark"]:
            counts["unchanged"] += 1  # another process was here before us
        else:
            entries.append(entry)
            counts["updated" if paper in before else "new"] += 1
    connection.execute(delete(PAPER).where(PAPER.c.id.in_(gone)))
    _write(connection, entries)
    after = [entry.paper for entry in entries]
    _tell_duplicates(
        connection,
        dois={row.doi for row in before.values()} | {row["doi"] for row in after},
        openalex_ids={row.openalex_id for row in before.values()} | {row["openalex_id"] for row in after},
    )
    return counts


def _write(connection: Connection, entries: Sequence[Entry]) -> None:
    """Put these papers' rows in place of what stands there. Who is a duplicate is to be told afterwards."""
    if not entries:
        return
    # Until it is told, a paper that names a DOI or OpenAlex id counts as a duplicate, which may share them.
    _upsert(
        connection,
        PAPER,
        [entry.paper | {"duplicate": bool(entry.paper["doi"] or entry.paper["openalex_id"])} for entry in entries],
    )
    kept = {(row["paper_id"], row["stage"]) for entry in entries for row in entry.stages}
    there = connection.execute(
        select(STAGE.c.paper_id, STAGE.c.stage).where(STAGE.c.paper_id.in_([entry.paper["id"] for entry in entries]))
    )
    extra = [{"old_paper": paper, "old_stage": stage} for paper, stage in there if (paper, stage) not in kept]
    if extra:
        this_one = and_(STAGE.c.paper_id == bindparam("old_paper"), STAGE.c.stage == bindparam("old_stage"))
        connection.execute(delete(STAGE).where(this_one), extra)
    _upsert(connection, STAGE, [row for entry in entries for row in entry.stages])


def _upsert(connection: Connection, table: SqlTable, rows: Sequence[Row]) -> None:
    """Insert rows, or change those that are there; what refers to them stays."""
    if not rows:
        return
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    insert = dialect.insert(table)
    keys = {column.name for column in table.primary_key}
    changes = {column.name: insert.excluded[column.name] for column in table.columns if column.name not in keys}
    connection.execute(insert.on_conflict_do_update(index_elements=sorted(keys), set_=changes), list(rows))


def _tell_duplicates(
    connection: Connection, dois: set[str | None] | None = None, openalex_ids: set[str | None] | None = None
) -> None:
    """Mark who shares a DOI or OpenAlex id with a paper of a smaller id, and unmark who does not.

    The answer depends on nothing but the rows there are, so it is the same in whatever order they came. Given
    ``dois`` and ``openalex_ids``, only papers that have one of them are looked at. First all marks, then all
    unmarks, so that the unique indices hold after each statement.
    """
    other = PAPER.alias("other")
    first = exists().where(
        other.c.id < PAPER.c.id, or_(other.c.doi == PAPER.c.doi, other.c.openalex_id == PAPER.c.openalex_id)
    )
    concerned: Any = True
    if dois is not None and openalex_ids is not None:
        concerned = or_(PAPER.c.doi.in_(dois - {None}), PAPER.c.openalex_id.in_(openalex_ids - {None}))
    for duplicate, wrong in ((True, first), (False, ~first)):
        statement = update(PAPER).values(duplicate=duplicate).where(PAPER.c.duplicate.is_(not duplicate), wrong)
        connection.execute(statement if concerned is True else statement.where(concerned))


def _refresh_runs(engine: Engine, runs: Path) -> None:
    known = _known_marks(engine, RUN)
    found = {folder.name: mark for folder in _folders(runs) if (mark := run_mark(folder))}
    stale = sorted(run for run, mark in found.items() if known.get(run) != mark)
    gone = sorted(known.keys() - found.keys())
    for batch in _batches(itertools.chain(stale, gone)):
        with writing(engine) as connection:
            rows = {run: read_run(runs / run) for run in batch}
            _upsert(connection, RUN, [row for row in rows.values() if row])
            connection.execute(delete(RUN).where(RUN.c.id.in_([run for run, row in rows.items() if not row])))


def _known_marks(engine: Engine, table: SqlTable, only: Sequence[str] | None = None) -> dict[str, str]:
    query = select(table.c.id, table.c.mark)
    with reported(engine), engine.connect() as connection:
        if only is None:
            return {row.id: row.mark for row in connection.execute(query)}
        some = (query.where(table.c.id.in_(batch)) for batch in _batches(only))
        return {row.id: row.mark for query in some for row in connection.execute(query)}


def _found_marks(papers: Papers, only: Sequence[str] | None) -> dict[str, str]:
    """The marks of all folders there are. A folder that is removed meanwhile is not there."""
    marks = {}
    for folder in papers if only is None else (papers[paper] for paper in only):
        try:
            marks[folder.id] = folder.mark()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            marks[folder.id] = READ_AGAIN
    return marks


def _folders(root: Path) -> list[Path]:
    return sorted(root.iterdir()) if root.is_dir() else []


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(ids)
    while batch := list(itertools.islice(rest, BATCH)):
        yield batch
