"""A seed gives the same world, byte for byte: pages, PDFs, tables, records, deposits and git commits.

Every paper is built in two processes that differ in their hash seed, folder, time zone and language;
typesetting is compared for a sample that has every template, text format and kind of figure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import hashlib, json, subprocess, sys
from pathlib import Path

from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.miniweb.repositories import write_bare
from nature_gym.demo.world import build_world

press = JournalPress()
told = {}


def tell(name, content):
    told[name] = hashlib.sha256(content if isinstance(content, bytes) else repr(content).encode()).hexdigest()


world = build_world(11, shallow=6)
for place, entry in enumerate(world.entries):
    paper = entry.paper
    tell(f"{paper.suffix} record", json.dumps([press.work(paper), press.europepmc_result(paper)]))
    tell(f"{paper.suffix} page", press.article_page(paper))
    if place % 9 == 0:
        tell(f"{paper.suffix} pdf", press.article_pdf(paper))
        tell(f"{paper.suffix} xml", press.article_xml(paper))
        for figure in paper.figures:
            tell(f"{paper.suffix} figure {figure.number}", press.figure_svg(figure) + press.figure_png(figure))
        for table in paper.tables:
            tell(f"{paper.suffix} table {table.number}", press.table_page(paper, table.number))
        for deposit in entry.deposits:
            for file in deposit.files:
                if file.declared_size is None:
                    tell(f"{deposit.number} {file.name}", file.read())
        for repository in entry.repositories:
            if repository.state in {"open", "private"} and repository.commits:
                folder = Path("git") / repository.owner / repository.name
                write_bare(repository, folder)
                head = ["git", "-C", str(folder), "rev-list", "--all"]
                tell(f"{repository.url} commits", subprocess.run(head, capture_output=True, check=True).stdout)
sys.stdout.write(json.dumps(told))
"""


def built(folder: Path, **environment: str) -> dict[str, str]:
    """What the program tells in a process of its own."""
    folder.mkdir()
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(done.stdout))


@pytest.mark.timeout(300)
def test_two_processes_make_the_same_bytes_and_the_same_commits(tmp_path: Path) -> None:
    one = built(tmp_path / "a", PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")
    other = built(tmp_path / "and another", PYTHONHASHSEED="4711", TZ="Asia/Tokyo", LC_ALL="C")
    assert [name for name in one if one[name] != other.get(name)] == []
    assert one.keys() == other.keys()
    for kind in (" pdf", " xml", " page", " record", " commits", " figure 1", " table 1"):
        assert sum(name.endswith(kind) for name in one) >= 3, kind
