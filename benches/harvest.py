"""The harvest at the size of the corpus: paging the mini-web, asking again, and reading a bulk snapshot.

Limits: 5,500 works in 1.3 times what the latency of their pages allows, the same again with nothing new in 2 % of
that, a snapshot at 5 times the speed of the plain loop below, in memory that does not grow with the number of works.

Run it: .venv/bin/python benches/harvest.py [--works 5500] [--latency 1.0] [--packed 100] [--json FILE].
"""

from __future__ import annotations

import argparse
import datetime as dt
import gzip
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, serve
from nature_gym.demo.venues import VENUES
from nature_gym.demo.world import build_world
from nature_gym.files import write_json
from nature_gym.harvest.corpus import harvest
from nature_gym.harvest.query import Query
from nature_gym.harvest.snapshot import read_snapshot
from nature_gym.harvest.venues import VenueList

ISSNS = tuple(venue.issn_l for venue in VENUES.values())
FIRST, LAST = dt.date(2000, 1, 1), dt.date(2030, 12, 31)
QUERY = Query(ISSNS, FIRST, LAST, types=(), retracted=None)
CORPUS = VenueList.model_validate(
    {"name": "bench", "from": FIRST, "to": LAST, "journals": [{"name": issn, "issn": issn} for issn in ISSNS]}
)
LIMITS = {"harvest": 1.3, "again": 0.02, "snapshot": 5.0, "memory": 1.2}
OURS = 5_000
"""One work in so many is of our journals. In OpenAlex it is one in tens of thousands."""
MEGABYTE = 10**6


def serve_works(told: Connection, works: int, latency: float, folder: str) -> None:
    """The mini-web, in a process of its own."""
    behaviour = Behaviour(latency={"api.openalex.org": latency})
    serve(build_world(shallow=works), behaviour=behaviour, git_cache=Path(folder), on_ready=told.send)


@contextmanager
def outside(works: int, latency: float, folder: Path) -> Iterator[str]:
    """Serve that many works; gives the address."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve_works, args=(theirs, works, latency, str(folder)), daemon=True)
    server.start()
    try:
        yield str(ours.recv())
    finally:
        server.terminate()
        server.join()


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    value = call()
    return time.perf_counter() - began, value


def harvest_once(home: str, mirror: str) -> dict[str, float]:
    """A harvest in this process; seconds, works, and the most memory in megabytes."""
    settings = load_settings(home=Path(home), mirror=mirror, requests_per_second=1000)
    seconds, checkpoint = timed(lambda: harvest(settings, QUERY))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "works": checkpoint.seen, "megabytes": most}


def in_process(function: Callable[..., dict[str, float]], *arguments: str) -> dict[str, float]:
    """Call it in a new process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def bench_paging(folder: Path, works: int, latency: float) -> dict[str, float]:
    """Harvest twice; beside it, what the pages' latency alone takes."""
    figures: dict[str, float] = {}
    with outside(works, latency, folder / "git") as url:
        harvest_once(str(folder / "warm"), url)  # the mini-web makes its pages when they are first asked for
        first = in_process(harvest_once, str(folder / "home"), url)
        again = in_process(harvest_once, str(folder / "home"), url)
        pages = -(-int(first["works"]) // 200)
        figures |= {"works": first["works"], "pages": pages, "allowed": pages * latency, "first": first["seconds"]}
        figures |= {"harvest": first["seconds"] / (pages * latency)}
        figures |= {"again seconds": again["seconds"], "again": again["seconds"] / first["seconds"]}
    with outside(works // 5, 0, folder / "git") as url:
        small = in_process(harvest_once, str(folder / "small"), url)
        figures |= {"megabytes": first["megabytes"], "memory": first["megabytes"] / small["megabytes"]}
    return figures


def write_parts(folder: Path, packed: int) -> None:
    """A snapshot of about so many packed megabytes, nearly all of it of other journals."""
    from nature_gym.demo.typesetting.openalex import work

    records = [work(paper) for paper in build_world(shallow=300).papers]
    lines = [json.dumps(record) for record in records]
    number, parts, size = 0, 0, 0
    while size < packed * MEGABYTE:
        path = folder / "data" / "works" / f"updated_date=2026-01-{parts + 1:02}" / "part_000.gz"
        path.parent.mkdir(parents=True)
        with gzip.open(path, "wb", compresslevel=4) as file:
            while file.fileobj.tell() < packed * MEGABYTE // 8:  # type: ignore[union-attr]
                line = lines[number % len(lines)].replace(
                    '"https://openalex.org/W', f'"https://openalex.org/W{number}9', 1
                )
                line = line.replace('"https://doi.org/10.5555/', f'"https://doi.org/10.5555/{number}.')
                if number % OURS:
                    for issn in ISSNS:
                        line = line.replace(issn, f"9{issn[1:]}")
                file.write(line.encode() + b"\n")
                number += 1
        size += path.stat().st_size
        parts += 1


def read_plainly(folder: Path) -> tuple[int, int]:
    """The plain loop: every line unpacked and read as JSON; how many works there are, and how many of ours."""
    seen = kept = 0
    for path in sorted(folder.glob("data/works/*/*.gz")):
        with gzip.open(path) as file:
            for line in file:
                record = json.loads(line)
                seen += 1
                source = (record.get("primary_location") or {}).get("source") or {}
                kept += bool({source.get("issn_l"), *(source.get("issn") or ())} & {*ISSNS})
    return seen, kept


def bench_snapshot(folder: Path, packed: int, settings: Settings) -> dict[str, float]:
    """Read a snapshot plainly, as we do, and once more."""
    write_parts(folder, packed)
    plain, (seen, _) = timed(lambda: read_plainly(folder))
    ours, report = timed(lambda: read_snapshot(settings, CORPUS, FIRST, LAST, folder))
    if report.seen != seen:
        raise RuntimeError(f"the plain loop read {seen} works, ours {report.seen}")
    again, _ = timed(lambda: read_snapshot(settings, CORPUS, FIRST, LAST, folder))
    return {
        "snapshot works": seen, "snapshot kept": report.kept, "plain loop": plain, "ours": ours, "ours again": again,
        "snapshot": plain / ours,
    }  # fmt: skip


def main() -> int:
    """Print the table; end with 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=5500)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds for a page of 200 works")
    parser.add_argument("--packed", type=int, default=100, help="megabytes of the snapshot, packed")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as name:
        folder = Path(name)
        settings = load_settings(home=folder / "snapshot-home", workers=min(2, os.cpu_count() or 1))
        figures = bench_snapshot(folder / "snapshot", asked.packed, settings)
        figures |= bench_paging(folder, asked.works, asked.latency)
    kept = {"harvest": figures["harvest"] <= 1.3, "again": figures["again"] <= 0.02}
    kept |= {"snapshot": figures["snapshot"] >= 5, "memory": figures["memory"] <= LIMITS["memory"]}
    for what, value in figures.items():
        limit = f"   limit {LIMITS[what]}" + ("" if kept[what] else "   NOT KEPT") if what in LIMITS else ""
        sys.stdout.write(f"{what:<16}{value:>12,.3f}{limit}\n")
    if asked.json:
        write_json(asked.json, figures)
    return 0 if all(kept.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
