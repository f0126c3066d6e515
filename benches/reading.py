"""How many article pages are read in a second: text, sections, links with their kinds, tables, references.

Measured against a plain reader on Beautiful Soup and html.parser that takes out the same (kept in
benches/baselines/), in turns on the same pages and equally often, so that whatever else the machine does meets both. Of
each page counts the best time of each reader, for what disturbs a reader only ever slows it. The limit is 10 times as
many pages. Real pages are read where they are at hand (NATUREGYM_REAL, else ../shared/real), and pages of
the demo world in both designs, with their tables' pages.

Run it: .venv/bin/python benches/reading.py [--rounds 5] [--json FILE].
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import itertools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benches.baselines.html_reader import read as read_plainly
from nature_gym.demo.typesetting import html, jats
from nature_gym.demo.world import build_world
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.reading.links import find_links

LIMIT = 10.0
DEMO_PAPERS = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """A page with its tables' pages."""

    content: bytes
    tables: dict[int, bytes] = dataclasses.field(default_factory=dict)


def ours(page: Page) -> None:
    """All that a page is read for."""
    document = read_html(page.content, table_pages=page.tables)
    find_links(document)


def plain(page: Page) -> None:
    read_plainly(page.content, page.tables)


def ours_xml(page: Page) -> None:
    document = read_jats(page.content)
    find_links(document)


def real_folder() -> Path:
    """Where real articles are, if they are anywhere."""
    return Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[2] / "shared" / "real")


def demo_pages(template: str) -> list[Page]:
    """Pages of the demo world in one design."""
    papers = [entry.paper for entry in build_world(0).entries][:DEMO_PAPERS]
    shown = [dataclasses.replace(paper, template=template) for paper in papers]  # type: ignore[arg-type]
    return [
        Page(html.article_page(paper), {table.number: html.table_page(paper, table.number) for table in paper.tables})
        for paper in shown
    ]


def cases() -> dict[str, tuple[list[Page], Callable[[Page], None], Callable[[Page], None] | None]]:
    """Name -> pages, our reader, the plain one."""
    found: dict[str, tuple[list[Page], Callable[[Page], None], Callable[[Page], None] | None]] = {}
    real = real_folder()
    if pages := [Page(path.read_bytes()) for path in sorted(real.glob("html/*.html"))]:
        found["real pages"] = (pages, ours, plain)
    found["demo pages, new design"] = (demo_pages("new"), ours, plain)
    found["demo pages, old design"] = (demo_pages("old"), ours, plain)
    if texts := [Page(path.read_bytes()) for path in sorted(real.glob("xml/*.xml"))]:
        found["real JATS"] = (texts, ours_xml, None)
    papers = [entry.paper for entry in build_world(0).entries][:DEMO_PAPERS]
    found["demo JATS"] = ([Page(jats.article_xml(paper)) for paper in papers], ours_xml, None)
    return found


def seconds(work: Callable[[Page], None], pages: list[Page]) -> list[float]:
    """Time on the processor for each page: reading waits for nothing, and what else the machine does is not counted.

    What earlier work left behind is cleared away before, so that each reader pays for its own rubbish alone.
    """
    gc.collect()
    times = [time.process_time()]
    for page in pages:
        work(page)
        times.append(time.process_time())
    return [end - start for start, end in itertools.pairwise(times)]


def measure(rounds: int) -> list[dict[str, object]]:
    """Every case: for each page the best of several rounds, after one that warms up."""
    rows: list[dict[str, object]] = []
    for name, (pages, mine, other) in cases().items():
        gc.freeze()
        readers = [mine] if other is None else [mine, other]
        best = [seconds(reader, pages) for reader in readers]
        for turn in range(rounds):
            for which in range(len(readers))[:: 1 if turn % 2 else -1]:
                best[which] = list(map(min, best[which], seconds(readers[which], pages)))
        rates = [len(pages) / sum(times) for times in best]
        rows.append(
            {
                "case": name,
                "pages": len(pages),
                "kilobytes": round(sum(len(page.content) for page in pages) / len(pages) / 1000),
                "pages_per_second": round(rates[0], 1),
                "plain_pages_per_second": round(rates[1], 1) if other else None,
                "ratio": round(rates[0] / rates[1], 1) if other else None,
            }
        )
    return rows


def main() -> int:
    """Measure and print; 1 where the limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    rows = measure(arguments.rounds)
    print(f"{'':<24}{'pages':>7}{'KB each':>9}{'pages/s':>9}{'plain/s':>9}{'ratio':>8}")
    for row in rows:
        other = f"{row['plain_pages_per_second']}" if row["ratio"] else "-"
        print(
            f"{row['case']:<24}{row['pages']:>7}{row['kilobytes']:>9}{row['pages_per_second']:>9}{other:>9}"
            f"{row['ratio'] or '-':>8}"
        )
    ratios = [float(str(row["ratio"])) for row in rows if row["ratio"]]
    held = min(ratios) >= LIMIT
    print(f"least ratio {min(ratios):.1f}; limit {LIMIT:.0f}: {'held' if held else 'MISSED'}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"limit": LIMIT, "cases": rows}, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
