"""The publisher's pages, read back with a parser."""

from __future__ import annotations

import dataclasses
import json

import pytest
from lxml import html as lxml_html
from selectolax.lexbor import LexborHTMLParser, LexborNode

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Paper, Paragraph, Section, Table
from nature_gym.demo.typesetting import html


def read(page: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(page.decode())


def first(tree: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    node = tree.css_first(selector)
    assert node is not None, selector
    return node


def meta(tree: LexborHTMLParser, name: str) -> list[str | None]:
    return [node.attributes.get("content") for node in tree.css(f'meta[name="{name}"]')]


def words(node: LexborNode) -> str:
    return " ".join(node.text().split())


def test_the_new_page_has_the_publishers_structure(paper: Paper) -> None:
    tree = read(html.article_page(paper))
    assert words(first(tree, "h1.c-article-title")) == plain(paper.title).replace("₂", "2").replace("²", "2")
    titles = [node.attributes["data-title"] for node in tree.css("div.c-article-body section[data-title]")]
    assert titles[:7] == [
        "Abstract", "Inline Recommendations", "Introduction", "Results", "Discussion", "Methods", "Data availability",
    ]  # fmt: skip
    assert titles[7:10] == ["Code availability", "Acknowledgements", "References"]
    for section in tree.css("section[data-title]"):
        if section.attributes["data-title"] != "Inline Recommendations":
            assert section.css_first("div.c-article-section__content") is not None
    assert words(first(tree, 'li[data-test="article-category"]')) == "Article"
    assert tree.css('div[data-test="figure"][data-title]')
    assert [words(node) for node in tree.css("h3.c-article__sub-heading")][1:4] == [
        "ProfNet wins on all settings",
        "Robustness",
        "Objective",
    ]
    assert words(first(tree, "h4.c-article__sub-heading")) == "Splits"
    assert first(tree, "div#Equ1 span.mathjax-tex").text().startswith("$$\\mathcal{L}")
    assert first(tree, "#Abs1-content span.mathjax-tex").text() == r"\(p<0.05\)"
    assert not tree.css("table"), "tables stand on pages of their own"
    links = [node.attributes["href"] for node in tree.css('a[data-test="table-link"]')]
    assert links == [f"/articles/{paper.suffix}/tables/{number}" for number in (1, 2)]


def test_the_new_page_says_what_it_is_to_machines(paper: Paper) -> None:
    tree = read(html.article_page(paper))
    assert meta(tree, "citation_article_type") == ["Article"]
    assert meta(tree, "dc.type") == ["OriginalPaper"]
    assert meta(tree, "prism.issn") == ["2522-5839"]
    assert meta(tree, "citation_doi") == [paper.doi]
    assert meta(tree, "citation_pdf_url") == [f"{paper.url}.pdf"]
    assert meta(tree, "citation_author") == ["Björk, Zoë", "O’Hara, Łukasz", "de la Cruz, Mei"]
    assert len(meta(tree, "citation_reference")) == len(paper.references)
    data = json.loads(first(tree, 'script[type="application/ld+json"]').text())
    assert data["mainEntity"]["headline"] == plain(paper.title)


def test_the_old_page_has_headings_and_tables_but_no_section_titles(old_paper: Paper) -> None:
    tree = read(html.article_page(old_paper))
    assert not tree.css("section[data-title]")
    assert [words(node) for node in tree.css("h1.section-heading")][:5] == [
        "Abstract", "Introduction", "Results", "Discussion", "Methods",
    ]  # fmt: skip
    assert meta(tree, "prism.section") == ["Article"]
    assert not meta(tree, "citation_article_type")
    inline = first(tree, "#t1 table")
    assert [words(node) for node in inline.css("tbody tr:nth-child(1) td")] == [
        "Linear", "0.71", "1.2 × 10-3", "−0.05", "3.1",
    ]  # fmt: skip
    assert first(tree, "#t2 a.table-link").attributes["href"] == f"/articles/{old_paper.suffix}/tables/2"


@pytest.mark.parametrize("template", ["new", "old"])
def test_hostile_text_stays_text(paper: Paper, template: str) -> None:
    page = html.article_page(dataclasses.replace(paper, template=template))  # type: ignore[arg-type]
    tree = read(page)
    assert b"<script>alert" not in page
    assert "<script>alert(1)</script>" in first(tree, "title").text()
    assert '"quoted" <b>tag</b> & an ampersand; #hash, _under_' in first(tree, "body").text()
    assert not any(node.text() == "tag" for node in tree.css("b"))
    for script in tree.css("script"):
        assert "alert(1)" not in script.text() or "\\u003cscript\\u003e" in script.text()


def test_citations_are_superscript_links_and_exponents_are_not(paper: Paper) -> None:
    tree = read(html.article_page(paper))
    introduction = first(tree, 'section[data-title="Introduction"]')
    cited = [[link.text() for link in sup.css('a[data-test="citation-ref"]')] for sup in introduction.css("sup")]
    assert cited == [["1", "3"], ["5"]]
    assert first(introduction, "sup").text() == "1–3"
    abstract = first(tree, 'section[data-title="Abstract"]')
    assert [sup.text() for sup in abstract.css("sup")] == ["2", "-3", "-1"]
    assert not abstract.css('sup a[data-test="citation-ref"]')
    for link in tree.css('a[data-test="citation-ref"]'):
        target = str(link.attributes["href"]).partition("#")[2]
        assert tree.css_first(f"#{target}") is not None


def test_addresses_are_kept_exactly(paper: Paper) -> None:
    tree = read(html.article_page(paper))
    hrefs = {node.attributes.get("href") for node in tree.css("section a")}
    assert {
        "https://example.org/a_b?c=1&d=2",
        "https://github.com/bjork-lab/logit",
        "https://doi.org/10.5281/zenodo.7654321",
        "https://example.org/p?a=1&b=2",
    } <= hrefs


def test_a_table_page_holds_every_cell(paper: Paper) -> None:
    for table in paper.tables:
        tree = read(html.table_page(paper, table.number))
        assert words(first(tree, "h1")).startswith(f"Table {table.number} ")
        rows = [[words(cell) for cell in row.css("td")] for row in tree.css("tbody tr")]
        printed = [[_as_printed(cell) for cell in row] for row in table.rows]
        assert rows == printed
    tree = read(html.table_page(paper, 1))
    spans = [node.attributes.get("colspan") for node in tree.css("thead tr:nth-child(1) th")]
    assert spans == [None, "2", "2"]
    assert first(tree, "tbody tr:nth-child(3) b").text() == "ProfNet"


def _as_printed(cell: str) -> str:
    """A cell without its markup, superscripts on the line, citations included."""
    return cell.replace("*", "").replace("^", "").replace("[@2]", "2")


def test_a_figure_page_shows_its_picture(paper: Paper) -> None:
    tree = read(html.figure_page(paper, 1))
    assert first(tree, "picture img").attributes["src"] == f"/articles/{paper.suffix}/figures/1.png"
    assert words(first(tree, "#figure-1-desc")) == "a, Bars are means."


def test_a_float_that_is_not_there_is_named(paper: Paper) -> None:
    with pytest.raises(html.NoSuchFloatError, match="no table 9"):
        html.table_page(paper, 9)


@pytest.mark.parametrize("template", ["new", "old"])
def test_both_pages_are_well_formed_and_the_same_each_time(paper: Paper, template: str) -> None:
    page = dataclasses.replace(paper, template=template)  # type: ignore[arg-type]
    assert html.article_page(page) == html.article_page(page)
    root = lxml_html.document_fromstring(html.article_page(page).decode())
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_a_bare_paper_makes_a_page(paper: Paper) -> None:
    bare = dataclasses.replace(
        paper, authors=(), abstract="", sections=(), tables=(), figures=(), references=(), subjects=(), licence=None
    )
    for template in ("new", "old"):
        assert html.article_page(dataclasses.replace(bare, template=template))


def test_a_retracted_paper_says_so(paper: Paper) -> None:
    tree = read(html.article_page(dataclasses.replace(paper, retracted=True)))
    assert "retracted" in first(tree, '[data-test="retraction-notice"]').text()


def test_availability_under_another_heading_is_a_section_of_its_own(paper: Paper) -> None:
    sections = (Section("Data and code availability", 1, (Paragraph("On request."),)),)
    tree = read(html.article_page(dataclasses.replace(paper, sections=sections, tables=(), figures=())))
    assert words(first(tree, 'section[data-title="Data and code availability"] p')) == "On request."


def test_a_table_without_rows_does_not_break_the_old_page(old_paper: Paper) -> None:
    empty = Table(1, "Empty", (("a", "b"),), ())
    tables = (empty, old_paper.tables[1])
    assert html.article_page(dataclasses.replace(old_paper, tables=tables))
