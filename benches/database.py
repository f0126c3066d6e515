"""The index at the size of the corpus: a rebuild from nothing, a refresh with nothing new, one with ten papers new.

Run it: .venv/bin/python benches/database.py [--papers 5500] [--database ADDRESS] [--json FILE]. Limits: a rebuild of
5,500 papers with four stages in 20 s, a refresh with nothing new in 0.5 s. Beside them stands what the
file system alone needs, listing every folder and opening every record, on the same folders.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlmodel import Session

from db.engine import open_database
from db.funnel import count_papers, funnel, list_papers
from db.index import rebuild, refresh
from nature_gym.files import to_json, write_json
from nature_gym.records import RECORD, PaperFolder, Papers, StageRecord

STAGES = ("harvest", "fetch", "read", "screen")
BEGAN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
LIMITS = {"rebuild": 20.0, "refresh, nothing new": 0.5}
"""Seconds, for 5,500 papers."""


def publish(folder: PaperFolder, number: int, stage: str) -> None:
    """Publish one stage of one paper, with a record as large as real ones are."""
    record = StageRecord(
        paper=folder.id,
        stage=stage,
        status="done",
        verdict="rejected" if stage == "screen" and number % 20 else "passed",
        reason="The paper's core is a simulation; nothing in it is learned from data that are given out.",
        inputs="sha256:" + "0" * 64,
        rules="1",
        started=BEGAN,
        finished=BEGAN + dt.timedelta(seconds=number % 7),
        facts={"links": number % 13, "tables": number % 5, "characters": 50_000 + number},
    )
    with folder.draft(stage) as draft:
        if stage == "harvest":
            (draft.folder / "work.json").write_bytes(to_json(work(folder.id, number)))
        (draft.folder / RECORD).touch()
        folder.publish(draft, record)


def work(paper: str, number: int) -> dict[str, Any]:
    """What the harvest knows of a paper."""
    return {
        "id": paper,
        "openalex_id": f"W{number}",
        "doi": paper.replace("_", "/", 1),
        "title": f"Learning the {number}th thing from spectra of disordered materials",
        "venue": "Nature Communications" if number % 3 else "Nature Methods",
        "issn_l": "2041-1723",
        "published": f"20{22 + number % 4}-03-{1 + number % 28:02}",
        "article_type": "article",
        "licence": "cc-by",
        "oa_status": "gold",
        "retracted": False,
        "language": "en",
        "updated": "2026-01-01T00:00:00",
    }


def timed(what: str, seconds: dict[str, float], call: Callable[[], object], *, best_of: int = 1) -> None:
    """Call it, and keep the shortest time that it took."""
    times = []
    for _ in range(best_of):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    seconds[what] = min(times)


def plainly(papers: Path, *, reading: bool) -> int:
    """What is the least: list each folder, and read each record's bytes."""
    size = 0
    for folder in os.scandir(papers):
        for entry in os.scandir(folder):
            if entry.is_symlink():
                size += len(Path(entry, RECORD).read_bytes()) if reading else len(os.readlink(entry))  # noqa: PTH115
    return size


def measure(home: Path, papers: int, address: str) -> dict[str, float]:
    """Seconds by what was done."""
    folders, runs = Papers(home / "papers"), home / "runs"
    ids = [f"10.5555_s41467-026-{number:05}-x" for number in range(papers)]
    seconds: dict[str, float] = {}
    for number, paper in enumerate(ids):
        for stage in STAGES:
            publish(folders[paper], number, stage)
    engine = open_database(address)
    timed("folders listed", seconds, lambda: plainly(folders.root, reading=False), best_of=3)
    timed("records read, not parsed", seconds, lambda: plainly(folders.root, reading=True), best_of=3)
    timed("first refresh", seconds, lambda: refresh(engine, folders, runs))
    timed("refresh, nothing new", seconds, lambda: refresh(engine, folders, runs), best_of=5)
    timed("rebuild", seconds, lambda: rebuild(engine, folders, runs))
    for number, paper in enumerate(ids[:10]):
        publish(folders[paper], number, "read")
    timed("refresh, ten papers new", seconds, lambda: refresh(engine, folders, runs))
    with Session(engine) as session:
        timed("funnel", seconds, lambda: funnel(session), best_of=3)
        timed("list of 50", seconds, lambda: list_papers(session, verdict="passed", text="spectra"), best_of=3)
        timed("count", seconds, lambda: count_papers(session, verdict="passed", text="spectra"), best_of=3)
    engine.dispose()
    return seconds


def main() -> int:
    """Print the table; end with 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=5500)
    parser.add_argument("--database", default="", help="an empty database; SQLite when left out")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    # Making the folders is not what is measured, so nothing waits for the disk.
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as folder, patch.object(os, "fsync"):
        home = Path(folder)
        seconds = measure(home, asked.papers, asked.database or f"sqlite:///{home / 'bench.db'}")
    slow = []
    for what, took in seconds.items():
        limit = LIMITS.get(what, 0) * asked.papers / 5500
        slow += [what] if limit and took > limit else []
        sys.stdout.write(f"{what:<28}{took:>9.3f} s" + (f"   limit {limit:.1f} s" if limit else "") + "\n")
    if asked.json:
        write_json(asked.json, {"papers": asked.papers, "stages": len(STAGES), "seconds": seconds})
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
