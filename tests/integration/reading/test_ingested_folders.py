"""Folders as users have them: the demo world's papers under names that say nothing, and real ones where they are."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.typesetting import html, jats
from nature_gym.demo.typesetting.pdf import article_pdf, scanned_pdf, supplement_pdf
from nature_gym.demo.world import build_world
from nature_gym.reading.article_types import kind_of
from nature_gym.reading.ingest import IngestedPaper, ingest
from nature_gym.records import Papers, paper_id
from nature_gym.screening.decisions import ARTICLE_TYPES

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[4] / "shared" / "real")
FORMS = {"article.html", "article.xml", "article.pdf"}


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """Some papers of research, and one of each kind that is none."""
    found: dict[str, Entry] = {}
    research: list[Entry] = []
    for entry in build_world(0, shallow=10).entries:
        kind = kind_of(entry.paper.article_type)
        if kind == "article":
            research.append(entry)
        else:
            found.setdefault(kind, entry)
    return research[:6] + list(found.values())


def told(paper: IngestedPaper, file: str = "paper.json") -> Any:
    assert paper.folder is not None
    return json.loads((paper.folder.path / "read" / file).read_bytes())


def files(paper: IngestedPaper) -> set[str]:
    assert paper.folder is not None
    record = paper.folder.record("fetch")
    assert record is not None
    return set(record.outputs)


def test_papers_in_disorder_are_put_together_by_what_they_state(tmp_path: Path, entries: list[Entry]) -> None:
    chance = random.Random(7)
    numbers = chance.sample(range(1000), 3 * len(entries))
    pile = tmp_path / "pile"
    pile.mkdir()
    for entry in entries:
        made = html.article_page(entry.paper), jats.article_xml(entry.paper), article_pdf(entry.paper)
        for content, suffix in zip(made, (".html", ".txt", ".download"), strict=True):
            (pile / f"file {numbers.pop()}{suffix}").write_bytes(content)
    taken = {paper.id: paper for paper in ingest([pile], Papers(tmp_path / "home" / "papers"))}
    assert taken.keys() == {paper_id(entry.paper.doi) for entry in entries}
    assert {frozenset(files(paper)) for paper in taken.values()} == {frozenset(FORMS)}
    for entry in entries:
        assert told(taken[paper_id(entry.paper.doi)])["article_type"] == kind_of(entry.paper.article_type)
    kinds = {told(paper)["article_type"] for paper in taken.values()}
    assert kinds == {"article", *ARTICLE_TYPES}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_the_kind_is_the_same_from_every_form(tmp_path: Path, entries: list[Entry], form: str) -> None:
    make = {"article.html": html.article_page, "article.xml": jats.article_xml, "article.pdf": article_pdf}[form]
    for number, entry in enumerate(entries):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / form).write_bytes(make(entry.paper))
    taken = list(ingest([tmp_path], Papers(tmp_path / ".home" / "papers")))
    kinds = {paper.id: told(paper)["article_type"] for paper in taken}
    assert kinds == {paper_id(entry.paper.doi): kind_of(entry.paper.article_type) for entry in entries}


def test_a_supplement_of_the_demo_is_read_apart(tmp_path: Path, entries: list[Entry]) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    paper = entries[0].paper
    (folder / "article.html").write_bytes(html.article_page(paper))
    (folder / "whatever.pdf").write_bytes(supplement_pdf(paper))
    (taken,) = ingest([folder], Papers(tmp_path / "home" / "papers"))
    assert files(taken) == {"article.html", "supplements/whatever.pdf"}
    (supplement,) = told(taken, "supplements.json")
    assert supplement["characters"] > 100


def test_a_scan_beside_the_page_is_the_papers_pdf(tmp_path: Path, entries: list[Entry]) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    paper = entries[0].paper
    (folder / "article.html").write_bytes(html.article_page(paper))
    (folder / "scan.pdf").write_bytes(scanned_pdf(paper))
    (taken,) = ingest([folder], Papers(tmp_path / "home" / "papers"))
    assert files(taken) == {"article.html", "article.pdf"}
    assert told(taken)["source"] == "html"
    said = "scan.pdf states no DOI and no title; it was taken for the pdf of this paper"
    assert told(taken)["problems"][-1] == said


@pytest.mark.slow
@pytest.mark.skipif(not (REAL / "html").is_dir(), reason="the real articles are not at hand")
def test_real_papers_are_the_same_in_two_homes(tmp_path: Path) -> None:
    homes = []
    for home in ("one", "another"):
        papers = Papers(tmp_path / home / "papers")
        taken = list(ingest([REAL / name for name in ("html", "xml", "pdf")], papers))
        assert {paper.exit_code for paper in taken} == {0}
        assert {told(paper)["article_type"] for paper in taken} == {"article"}
        paths = sorted(path for name in ("html", "xml", "pdf") for path in (REAL / name).iterdir())
        assert {paper.id for paper in taken} == {path.stem for path in paths}
        homes.append(
            {
                path.relative_to(tmp_path / home).as_posix(): path.read_bytes()
                for path in sorted((tmp_path / home).rglob("read/*"))
                if path.is_file() and path.name != "record.json"
            }
        )
    assert len(homes[0]) > 100
    assert homes[0] == homes[1]
