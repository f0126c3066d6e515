"""How long it takes to screen 5,500 papers by rules, without looking at links, and how much memory that takes.

The papers are shallow ones of the demo world with its deep ones among them, read before the clock starts. They go
through the screen flow, as ``naturegym screen`` runs it, on two workers; the limit is three minutes. Memory is looked
at through the whole run: from one half of the papers to the other it may not grow by more than a fifth. Rules are
also measured alone, on the deep papers: that is what papers of usual length cost.

Run it: .venv/bin/python benches/screening.py [--papers 5500] [--json FILE].
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from flows.launch import Progress, run_flow
from nature_gym.config import Settings, load_settings
from nature_gym.demo.typesetting import html
from nature_gym.demo.world import build_world
from nature_gym.reading.ingest import ingest
from nature_gym.records import Papers
from nature_gym.screening.stage import ScreenStage
from nature_gym.stages import carry_out

PAPERS = 5_500
SECONDS = 180.0
GROWTH = 1.2


def read_papers(count: int, folder: Path, settings: Settings) -> list[str]:
    """Set that many papers of the demo world as pages, and read them; the ids of the deep ones."""
    deep = [entry.paper.id for entry in build_world(0).entries]
    for entry in build_world(0, shallow=max(0, count - len(deep))).entries:
        place = folder / entry.paper.id
        (place / "tables").mkdir(parents=True)
        (place / "article.html").write_bytes(html.article_page(entry.paper))
        for table in entry.paper.tables:
            (place / "tables" / f"{table.number}.html").write_bytes(html.table_page(entry.paper, table.number))
    for _ in ingest([folder], Papers(settings.papers)):
        pass
    return deep


def resident() -> float:
    """Megabytes that this process holds now."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status tells no VmRSS")


def by_flow(settings: Settings) -> dict[str, object]:
    """The whole corpus through the flow: wall and processor seconds, and memory at the half and at the end."""
    seen: dict[int, float] = {}

    def watch(progress: Progress) -> None:
        seen[progress.done] = resident()
        total[0] = progress.total

    total = [0]
    began, worked = time.perf_counter(), time.process_time()
    finished = run_flow("flows.screen:screen", settings, {"papers": None, "force": True}, show_progress=watch)
    wall, processor = time.perf_counter() - began, time.process_time() - worked
    first = max(size for done, size in seen.items() if done <= total[0] / 2)
    second = max(size for done, size in seen.items() if done > total[0] / 2)
    return {
        "papers": total[0],
        "counts": finished.run.counts,
        "seconds": round(wall, 1),
        "processor": round(processor, 1),
        "megabytes_first_half": round(first),
        "megabytes_second_half": round(second),
    }


def milliseconds_each(settings: Settings, papers: list[str]) -> float:
    """Processor time of the rules for one deep paper, reading and writing its records included."""
    stage, corpus = ScreenStage(settings), Papers(settings.papers)
    carry_out(stage, corpus[papers[0]], force=True)  # whatever is loaded once
    gc.collect()
    worked = time.process_time()
    for paper in papers:
        carry_out(stage, corpus[paper], force=True)
    return (time.process_time() - worked) / len(papers) * 1000


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--papers", type=int, default=PAPERS)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        os.environ["NATUREGYM_HOME"] = f"{root}/home"
        settings = load_settings(probe_links=False, workers=2)
        deep = read_papers(arguments.papers, Path(root) / "pages", settings)
        each = milliseconds_each(settings, deep)
        row = by_flow(settings) | {"deep_milliseconds": round(each, 1)}
    print(
        f"{row['papers']:,} papers: {row['seconds']} s ({row['processor']} s of processor), "
        f"{row['megabytes_first_half']} MB in the first half, {row['megabytes_second_half']} MB in the second"
    )
    print(f"a paper of usual length: {row['deep_milliseconds']} ms of processor")
    limit = SECONDS * arguments.papers / PAPERS
    fast = float(str(row["seconds"])) < limit
    flat = float(str(row["megabytes_second_half"])) < GROWTH * float(str(row["megabytes_first_half"]))
    print(f"limits {limit:.0f} s, memory flat: {'held' if fast and flat else 'MISSED'}")
    if arguments.json:
        arguments.json.write_text(json.dumps(row, indent=2) + "\n", encoding="utf-8")
    return 0 if fast and flat else 1


if __name__ == "__main__":
    sys.exit(main())
