"""How long reading PDFs takes, against plain extraction of the same pages' text by the library itself.

Both are measured in one run, file by file in turns, in processor time of one process: ``plain`` is
``page.get_text()`` over all pages of the opened file, ``read`` is the whole reader without pictures of figures,
with tables as grids on the pages that have a table's caption. The limit is twice the plain time; what
the child process adds is measured in seconds of the clock.

Run it: .venv/bin/python benches/reading_pdf.py [PDF...] [--rounds 3] [--json FILE]; without files it reads PDFs of
the demo world, and, where they lie beside the project, those of shared/real/pdf.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from nature_gym.demo.typesetting.pdf import article_pdf
from nature_gym.demo.world import build_world
from nature_gym.reading.pdf import read_here, read_pdf

pymupdf: Any = import_module("pymupdf")

LIMIT = 2.0
DEMO_PAPERS = 24


def plain(path: Path) -> int:
    """What the library gives by itself; returns the number of pages."""
    # As the library comes: the reader does without its corrections of letters' boxes, which are for all of a process.
    pymupdf.TOOLS.unset_quad_corrections(False)
    try:
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text()
            return int(document.page_count)
    finally:
        pymupdf.TOOLS.unset_quad_corrections(True)


def timed(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds that ``work`` takes."""
    gc.collect()
    began = clock()
    work()
    return clock() - began


def corpus(folder: Path) -> dict[str, list[Path]]:
    """Files by where they come from."""
    made: list[Path] = []
    papers = [paper for paper in build_world().papers if "pdf" in paper.formats and paper.tables]
    for paper in papers[:DEMO_PAPERS]:
        made.append(folder / f"{paper.id}.pdf")
        made[-1].write_bytes(article_pdf(paper))
    found = {"demo": made}
    real = Path(os.environ.get("NATUREGYM_REAL", Path(__file__).parents[2] / "shared" / "real")) / "pdf"
    if files := sorted(real.glob("*.pdf")):
        found["real"] = files
    return found


def measure(name: str, files: list[Path], rounds: int) -> dict[str, object]:
    """One line of the table."""
    pages = sum(map(plain, files))
    for path in files:
        read_here(path, figures=False)
    ratios: list[float] = []
    plains: list[float] = []
    reads: list[float] = []
    for _ in range(rounds):
        own = library = 0.0
        for path in files:
            library += timed(lambda path=path: plain(path), time.process_time)  # type: ignore[misc]
            own += timed(lambda path=path: read_here(path, figures=False), time.process_time)  # type: ignore[misc]
        plains.append(library)
        reads.append(own)
        ratios.append(own / library)
    read_pdf(files[0], figures=False)
    child = min(
        timed(lambda: [read_pdf(path, figures=False) for path in files], time.perf_counter) for _ in range(rounds)
    )
    here = min(
        timed(lambda: [read_here(path, figures=False) for path in files], time.perf_counter) for _ in range(rounds)
    )
    drawn = timed(lambda: [read_here(path) for path in files], time.process_time)
    return {
        "corpus": name,
        "files": len(files),
        "pages": pages,
        "plain_ms_a_page": round(min(plains) / pages * 1000, 2),
        "read_ms_a_page": round(min(reads) / pages * 1000, 2),
        "ratio": round(statistics.median(ratios), 2),
        "with_figures_ms_a_page": round(drawn / pages * 1000, 1),
        "child_adds_ms_a_file": round(max(0.0, child - here) / len(files) * 1000, 1),
    }


def main() -> int:
    """Measure and print; 1 where the limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="PDF")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as folder:
        found = {"given": arguments.files} if arguments.files else corpus(Path(folder))
        rows = [measure(name, files, arguments.rounds) for name, files in found.items()]
    out = sys.stdout.write
    names = [name for name in rows[0] if name != "limit"]
    heads = ("", "files", "pages", "plain ms/page", "read ms/page", "ratio", "figures", "child ms/file")
    widths = (-8, 6, 7, 15, 14, 7, 9, 15)
    for line in (heads, *([row[name] for name in names] for row in rows)):
        cells = zip(line, widths, strict=True)
        out("".join(str(cell).rjust(width) if width > 0 else str(cell).ljust(-width) for cell, width in cells) + "\n")
    worst = max(float(str(row["ratio"])) for row in rows)
    out(f"worst ratio {worst:.2f}; limit {LIMIT:.1f}: {'held' if worst <= LIMIT else 'MISSED'}\n")
    if arguments.json:
        arguments.json.write_text(json.dumps({"limit": LIMIT, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
