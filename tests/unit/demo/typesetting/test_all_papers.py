"""Every written paper of the demo world through every form it can take."""

from __future__ import annotations

import re

import pymupdf
import pytest
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from nature_gym.demo import inline
from nature_gym.demo.fates import entries as fates
from nature_gym.demo.model import Equation, Paper
from nature_gym.demo.studies import entries as studies
from nature_gym.demo.typesetting import html, jats, openalex, pdf
from nature_gym.demo.typesetting.tex import unknown


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    """The papers of the studies and the fates."""
    return [entry.paper for entry in (*studies(3), *fates(3))]


def squeezed(text: str) -> str:
    """Letters and digits alone: what every form of a paper must keep."""
    return re.sub(r"[^a-z]", "", text.casefold())


def texts(paper: Paper) -> list[str]:
    """All markup of a paper."""
    return [
        paper.title,
        paper.abstract,
        *(block.text for section in paper.sections for block in section.blocks if hasattr(block, "text")),
        *(item for section in paper.sections for block in section.blocks for item in getattr(block, "items", ())),
        *(cell for table in paper.tables for row in table.rows for cell in row),
    ]


def formulas(nodes: tuple[inline.Node, ...]) -> list[str]:
    found = [node.tex for node in nodes if isinstance(node, inline.Math)]
    for node in nodes:
        found += formulas(getattr(node, "children", ()))
    return found


def test_no_formula_lies_outside_the_subset(papers: list[Paper]) -> None:
    for paper in papers:
        displayed = [block.tex for section in paper.sections for block in section.blocks if isinstance(block, Equation)]
        inlined = [tex for text in texts(paper) for tex in formulas(inline.parse(text))]
        assert [tex for tex in (*displayed, *inlined) if unknown(tex)] == [], paper.suffix


def test_pages_hold_the_papers_text(papers: list[Paper]) -> None:
    for paper in papers:
        tree = LexborHTMLParser(html.article_page(paper).decode())
        body = tree.body
        assert body is not None
        page = squeezed(body.text())
        for section in paper.sections:
            assert squeezed(inline.plain(section.title)) in page, paper.suffix
        for table in paper.tables:
            assert html.table_page(paper, table.number)
        for figure in paper.figures:
            assert html.figure_page(paper, figure.number)


def test_jats_is_well_formed_and_holds_the_tables(papers: list[Paper]) -> None:
    for paper in papers:
        root = etree.fromstring(jats.article_xml(paper))
        placed = {table.number for table in paper.tables}
        assert len(list(root.iter("table"))) == len(placed), paper.suffix


def test_the_pdf_holds_the_headings(papers: list[Paper]) -> None:
    for paper in papers:
        with pymupdf.open(stream=pdf.article_pdf(paper)) as document:  # type: ignore[no-untyped-call]
            text = squeezed("".join(str(page.get_text()) for page in document).translate(LIGATURES))
        for section in paper.sections:
            assert squeezed(inline.plain(section.title)) in text, paper.suffix


LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})


def test_records_tell_the_same_date(papers: list[Paper]) -> None:
    for paper in papers:
        date = paper.published.isoformat()
        assert openalex.work(paper)["publication_date"] == date
        assert openalex.europepmc_result(paper)["firstPublicationDate"] == date
