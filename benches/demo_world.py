"""How long it takes to make the demo world: the detailed papers in every form, and the shallow ones.

A detailed paper is typeset as its hosts serve it: article page, pages of tables and figures, PDF,
JATS, OpenAlex's record, and its repositories and deposits are made; that is to take less than 20 s for
all of them. 5,500 shallow papers are built with their records and pages in less than 180 s. Times are of
one process; processor time is printed beside the wall clock, which others on the machine prolong.

Run it: .venv/bin/python benches/demo_world.py [--shallow 5500] [--seed 0] [--json FILE].
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from nature_gym.demo import shallow
from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.miniweb.repositories import write_bare
from nature_gym.demo.model import Entry, Paper, World
from nature_gym.demo.world import SHALLOW_FULL, build_world

DETAILED_LIMIT, SHALLOW_LIMIT = 20.0, 180.0


@dataclass(slots=True)
class Step:
    """What was made, how often, and in how many seconds by the clock and of the processor."""

    group: str
    name: str
    count: int = 0
    wall_seconds: float = 0.0
    processor_seconds: float = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Adds what the block takes."""
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.wall_seconds += time.perf_counter() - wall
        self.processor_seconds += time.process_time() - processor


def forms(press: JournalPress) -> dict[str, Callable[[Paper], list[bytes]]]:
    """Every form that a paper takes: its name and what makes all of it."""
    return {
        "article pages": lambda paper: [press.article_page(paper)],
        "pages of tables": lambda paper: [press.table_page(paper, table.number) for table in paper.tables],
        "figures": lambda paper: [
            page
            for figure in paper.figures
            for page in (press.figure_page(paper, figure.number), press.figure_svg(figure), press.figure_png(figure))
        ],
        "PDFs": lambda paper: [press.article_pdf(paper)],
        "JATS": lambda paper: [press.article_xml(paper)],
        "records": lambda paper: [json.dumps([press.work(paper), press.europepmc_result(paper)]).encode()],
    }


def made(step: Step, papers: tuple[Paper, ...], make: Callable[[Paper], list[bytes]]) -> Step:
    """``step`` after everything was made."""
    with step.timed():
        step.count = sum(len(make(paper)) for paper in papers)
    return step


def detailed(seed: int) -> list[Step]:
    """The detailed papers, every form of each whether its hosts serve it or not, and what belongs to them."""
    build = Step("detailed", "building the world")
    with build.timed():
        world = build_world(seed)
    build.count = len(world.entries)
    steps = [made(Step("detailed", name), world.papers, make) for name, make in forms(JournalPress()).items()]
    return [build, *steps, repositories(world), deposits(world)]


def repositories(world: World) -> Step:
    """The git repositories, bare."""
    step = Step("detailed", "git repositories")
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as folder, step.timed():
        for entry in world.entries:
            for repository in entry.repositories:
                if repository.state != "gone":
                    write_bare(repository, Path(folder, str(step.count)))
                    step.count += 1
    return step


def deposits(world: World) -> Step:
    """The deposited files that are real."""
    step = Step("detailed", "deposited files")
    with step.timed():
        for entry in world.entries:
            for deposit in entry.deposits:
                step.count += sum(len(file.read()) >= 0 for file in deposit.files if file.declared_size is None)
    return step


def many(seed: int, count: int) -> list[Step]:
    """The shallow papers: built, with records and pages."""
    build = Step("shallow", "building the papers")
    with build.timed():
        entries: list[Entry] = list(shallow.entries(seed, count))
    build.count = len(entries)
    papers = tuple(entry.paper for entry in entries)
    wanted = ("article pages", "records")
    return [build, *(made(Step("shallow", name), papers, forms(JournalPress())[name]) for name in wanted)]


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shallow", type=int, default=SHALLOW_FULL, help="how many shallow papers")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    steps = [*detailed(arguments.seed), *many(arguments.seed, arguments.shallow)]
    out = sys.stdout.write
    out(f"{'':<10}{'':<22}{'count':>8}{'wall s':>10}{'CPU s':>10}\n")
    for step in steps:
        out(
            f"{step.group:<10}{step.name:<22}{step.count:>8}{step.wall_seconds:>10.2f}{step.processor_seconds:>10.2f}\n"
        )
    missed = 0
    totals = {}
    for group, limit in (("detailed", DETAILED_LIMIT), ("shallow", SHALLOW_LIMIT)):
        total = totals[group] = sum(step.wall_seconds for step in steps if step.group == group)
        missed += total > limit
        out(f"{group} papers: {total:.1f} s; limit {limit:.0f} s: {'held' if total <= limit else 'MISSED'}\n")
    if arguments.json:
        told = {"seed": arguments.seed, "totals": totals, "steps": [asdict(step) for step in steps]}
        arguments.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
