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

PAPERS = {entry.paper.suffix: entry.paper for entry in (*studies(3), *fates(3))}


@pytest.fixture(params=PAPERS)
def demo_paper(request: pytest.FixtureRequest) -> Paper:
    return PAPERS[request.param]


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


def test_no_formula_lies_outside_the_subset(demo_paper: Paper) -> None:
    displayed = [
        block.tex for section in demo_paper.sections for block in section.blocks if isinstance(block, Equation)
    ]
    inlined = [tex for text in texts(demo_paper) for tex in formulas(inline.parse(text))]
    assert [tex for tex in (*displayed, *inlined) if unknown(tex)] == []


def test_pages_hold_the_papers_text(demo_paper: Paper) -> None:
    tree = LexborHTMLParser(html.article_page(demo_paper).decode())
    body = tree.body
    assert body is not None
    page = squeezed(body.text())
    for section in demo_paper.sections:
        assert squeezed(inline.plain(section.title)) in page
    for table in demo_paper.tables:
        assert html.table_page(demo_paper, table.number)
    for figure in demo_paper.figures:
        assert html.figure_page(demo_paper, figure.number)


def test_jats_is_well_formed_and_holds_the_tables(demo_paper: Paper) -> None:
    root = etree.fromstring(jats.article_xml(demo_paper))
    placed = {table.number for table in demo_paper.tables}
    assert len(list(root.iter("table"))) == len(placed)


def test_the_pdf_holds_the_headings(demo_paper: Paper) -> None:
    with pymupdf.open(stream=pdf.article_pdf(demo_paper)) as document:  # type: ignore[no-untyped-call]
        text = squeezed("".join(str(page.get_text()) for page in document).translate(LIGATURES))
    for section in demo_paper.sections:
        assert squeezed(inline.plain(section.title)) in text


LIGATURES = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})


def test_records_tell_the_same_date(demo_paper: Paper) -> None:
    date = demo_paper.published.isoformat()
    assert openalex.work(demo_paper)["publication_date"] == date
    assert openalex.europepmc_result(demo_paper)["firstPublicationDate"] == date
