"""The harvest at the size of the corpus: paging the mini-web, reading what came, all of it again, and a bulk snapshot.

Limits: 5,500 works in 1.3 times what the latency of their pages allows; harvest and read again with nothing changed
in 2 % of what they took at first; a snapshot at 5 times the speed of the plain loop below, by processor time on two
cores (the busier one's), which a busy machine does not change; memory that does not grow with the number of works.

Every request has the same latency, the small ones of the second harvest as well: that makes it no easier. What is
read are the demo's article pages in turn, one for each work.

Run it: .venv/bin/python benches/harvest.py [--works 5500] [--latency 0.5] [--packed 100] [--json FILE].
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
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, serve
from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.venues import VENUES
from nature_gym.demo.world import build_world
from nature_gym.files import write_json
from nature_gym.harvest.corpus import harvest
from nature_gym.harvest.query import Query
from nature_gym.harvest.snapshot import read_snapshot
from nature_gym.harvest.venues import VenueList
from nature_gym.reading.stage import ReadStage, readable
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome, carry_out, carry_out_together

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
CORES = min(2, os.cpu_count() or 1)


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


class Pages:
    """Stands for the fetch: publishes one of the demo's pages, which are kept once and linked."""

    name, rules = "fetch", "bench"

    def __init__(self, page: Path) -> None:
        self._page = page

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- any page will do for any paper
        return self._page.name

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        (draft / "article.html").hardlink_to(self._page)
        return Outcome()


def fetch_pages(home: Path) -> None:
    """Give each harvested paper a page, without any request."""
    press = JournalPress()
    pages = []
    for number, paper in enumerate(paper for paper in build_world(0).papers if "html" in paper.formats):
        pages.append(home / f"page-{number}.html")
        pages[-1].write_bytes(press.article_page(paper))
    papers = list(Papers(home / "papers"))
    with ThreadPoolExecutor(4) as pool:
        for start in range(0, len(papers), 100):
            some = enumerate(papers[start : start + 100], start)
            carry_out_together([(Pages(pages[number % len(pages)]), paper) for number, paper in some], pool)


def read_some(home: str, part: int, parts: int) -> int:
    """Read each ``parts``-th paper; how many had to be."""
    papers, stage = Papers(Path(home) / "papers"), ReadStage()
    return sum(carry_out(stage, papers[paper]).kind != "current" for paper in readable(papers)[part::parts])


def read_once(home: str, processes: int) -> dict[str, float]:
    """Read what is new, in as many processes as there are cores; where nothing is, one sees that alone."""
    if processes == 1:
        seconds, read = timed(lambda: read_some(home, 0, 1))
        return {"seconds": seconds, "read": read}
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(int, range(processes)))  # which starts them
        seconds, read = timed(
            lambda: sum(pool.map(read_some, [home] * processes, range(processes), [processes] * processes))
        )
    return {"seconds": seconds, "read": read}


def in_process(function: Callable[..., dict[str, float]], *arguments: str | int) -> dict[str, float]:
    """Call it in a new process, so that its memory is its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def bench_paging(folder: Path, works: int, latency: float) -> dict[str, float]:
    """Harvest and read twice; beside it, what the pages' latency alone takes."""
    figures: dict[str, float] = {}
    with outside(works, latency, folder / "git") as url:
        harvest_once(str(folder / "warm"), url)  # the mini-web makes its pages when they are first asked for
        first = in_process(harvest_once, str(folder / "home"), url)
        fetch_pages(folder / "home")
        read = read_once(str(folder / "home"), CORES)
        again = in_process(harvest_once, str(folder / "home"), url)
        current = in_process(read_once, str(folder / "home"), 1)
        if current["read"] or read["read"] < first["works"] * 0.99:
            raise RuntimeError(f"{read['read']} papers were read, and then {current['read']}")
        pages = -(-int(first["works"]) // 200)
        figures |= {"works": first["works"], "pages": pages, "allowed": pages * latency, "first": first["seconds"]}
        figures |= {"harvest": first["seconds"] / (pages * latency)}
        figures |= {"read": read["seconds"], "harvest again": again["seconds"], "read again": current["seconds"]}
        figures |= {"again": (again["seconds"] + current["seconds"]) / (first["seconds"] + read["seconds"])}
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


def processor_time(call: Callable[[], Any], others: int) -> tuple[float, Any]:
    """Processor seconds of the busier one: of this process, and of ``others`` that it starts and that end with it."""

    def used() -> tuple[float, float]:
        ours, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return ours.ru_utime + ours.ru_stime, theirs.ru_utime + theirs.ru_stime

    before = used()
    value = call()
    own, children = (now - then for now, then in zip(used(), before, strict=True))
    return max(own, children / max(1, others)), value


def bench_snapshot(folder: Path, packed: int, settings: Settings) -> dict[str, float]:
    """Read a snapshot plainly, as we do, and once more; the first two by processor time."""
    write_parts(folder, packed)
    plain, (seen, _) = processor_time(lambda: read_plainly(folder), 0)
    took, (ours, report) = timed(
        lambda: processor_time(lambda: read_snapshot(settings, CORPUS, FIRST, LAST, folder), settings.workers - 1)
    )
    if report.seen != seen:
        raise RuntimeError(f"the plain loop read {seen} works, ours {report.seen}")
    again, _ = timed(lambda: read_snapshot(settings, CORPUS, FIRST, LAST, folder))
    return {
        "snapshot works": seen, "snapshot kept": report.kept, "plain loop": plain, "ours": ours, "by the clock": took,
        "ours again": again, "snapshot": plain / ours,
    }  # fmt: skip


def main() -> int:
    """Print the table; end with 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--works", type=int, default=5500)
    parser.add_argument(
        "--latency", type=float, default=0.5, help="seconds for each answer, a page of 200 works or less"
    )
    parser.add_argument("--packed", type=int, default=100, help="megabytes of the snapshot, packed")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as name:
        folder = Path(name)
        settings = load_settings(home=folder / "snapshot-home", workers=CORES)
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
