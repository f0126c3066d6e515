from __future__ import annotations

import pytest

from nature_gym.errors import PaperError
from nature_gym.reading.document import ABSTRACT, Document
from nature_gym.reading.html import LIMIT, read_html
from nature_gym.reading.links import find_links
from nature_gym.reading.refusals import NoArticleError, NoFullTextError, UnreadableError

FILLER = "<p>" + "Words that fill a paragraph as articles do. " * 12 + "</p>"
META = (
    '<meta name="citation_title" content="A title"><meta name="citation_doi" content="10.5555/s1-x">'
    '<meta name="citation_article_type" content="Article"><meta name="citation_author" content="Björk, Zoë">'
)


def page(body: str, head: str = META) -> bytes:
    return f'<!doctype html><html><head><meta charset="utf-8">{head}</head><body>{body}</body></html>'.encode()


def new(body: str) -> Document:
    """A page in the publisher's new design with ``body`` in its results."""
    section = (
        '<section data-title="Results"><div class="c-article-section"><h2>Results</h2>'
        f'<div class="c-article-section__content">{FILLER}{body}</div></div></section>'
    )
    return read_html(page(f'<article><div class="c-article-body">{section}</div></article>'))


def text(body: str) -> str:
    """What a paragraph of the new design is read as."""
    return new(f"<p>{body}</p>").sections[0].text.split("\n")[1]


CITED, CITED_END = '<a data-test="citation-ref" href="/articles/s1-x#ref-CR1">', "</a>"


@pytest.mark.parametrize(
    ("markup", "read"),
    [
        ("R<sup>2</sup> of 10<sup>−3</sup> m s<sup>-1</sup>", "R² of 10⁻³ m s⁻¹"),
        ("10<sup>–3</sup> and 10<sup>&#8209;3</sup>", "10⁻³ and 10⁻³"),
        ("Ca<sup>2+</sup> and CO<sub>2</sub>", "Ca²⁺ and CO₂"),
        ("N<sub>res</sub>", "N_{res}"),
        (f"so<sup>{CITED}1{CITED_END},{CITED}4{CITED_END}</sup>.", "so."),
        ('so<sup><a href="#ref1" id="ref-link-1">1</a></sup>.', "so."),
        ('see ref. <sup><a data-test="citation-ref" href="#ref-CR7">7</a></sup> for', "see ref. 7 for"),
        (f"so<sup>{CITED}<b>1</b>{CITED_END}, {CITED}4{CITED_END}</sup>.", "so."),
        (f"so<sup>{CITED}1{CITED_END}, a</sup>.", "so^{a}."),
        (f"in ref.<sup>{CITED}1{CITED_END}</sup>.", "in ref. 1."),
        ('<span class="mathjax-tex">\\(x_i\\)</span> is', "$x_i$ is"),
        ('<span class="mathjax-tex">\\(0.5 \\pm 0.1\\)</span>', "0.5 ± 0.1"),
        ("a<script>alert(1)</script>b", "ab"),
        ("a&nbsp;b c d", "a b c d"),
        ("soft&shy;hyphen &#8203;zero", "softhyphen zero"),
        ("x &lt; y &amp; z", "x < y & z"),
        ("line<br>break", "line break"),
    ],
)  # fmt: skip
def test_running_text(markup: str, read: str) -> None:
    assert text(markup) == read


def test_lists_are_lines_with_marks() -> None:
    lines = new("<ul><li><p>one</p></li><li>two</li></ul><ol><li>a</li><li>b</li></ol>").sections[0].text.split("\n")
    assert lines[1:] == ["- one", "- two", "1. a", "2. b"]


def test_a_displayed_equation_is_a_line() -> None:
    equation = (
        '<div class="c-article-equation"><div class="c-article-equation__content">'
        '<span class="mathjax-tex">$$y = x$$</span></div><div class="c-article-equation__number">(1)</div></div>'
    )
    assert new(equation).sections[0].text.split("\n")[1] == "$$y = x$$"


def test_links_know_where_they_stand() -> None:
    document = new('<p>Go <a href="https://example.org/x">over  there</a> or <a href="/articles/other">here</a>.</p>')
    section = document.sections[0].text
    for link, anchor in zip(document.links, ("over there", "here"), strict=True):
        assert link.anchor == anchor
        assert section[link.offset : link.offset + len(anchor)] == anchor
    assert document.links[1].url == "https://www.nature.com/articles/other"


def test_places_on_the_page_and_mail_are_no_links() -> None:
    document = new('<p><a href="#Fig1">1</a><a href="/articles/s1-x#Sec2">2</a><a href="mailto:a@b.org">3</a></p>')
    assert document.links == ()


def test_figure_blocks_are_no_sections() -> None:
    figure = (
        '<div data-title="Not a section"><figure><figcaption><b>Fig. 1: The title.</b></figcaption>'
        '<img src="//media.example.org/f1.png"><div class="c-article-section__figure-description"><p>More.</p></div>'
        "</figure></div>"
    )
    document = new(figure)
    assert [section.title for section in document.sections] == ["Results"]
    (read,) = document.figures
    assert (read.label, read.caption, read.url) == ("Fig. 1", "The title. More.", "https://media.example.org/f1.png")
    assert "The title" not in document.sections[0].text


TABLE = (
    '<div class="c-article-table"><figure><figcaption><b>Table 1 Scores</b></figcaption>'
    '<a data-test="table-link" href="/articles/s1-x/tables/1">Full size table</a></figure></div>'
)


def satellite(table: str) -> bytes:
    return page(
        '<main><h1 class="c-article-satellite-title">Table 1 Scores</h1><div class="c-article-table-container">'
        f'{table}<div class="c-article-table-footer"><ul><li>In bold, the best.</li></ul></div></div></main>'
    )


@pytest.mark.parametrize("key", [1, "1", "tables/1.html"])
def test_tables_come_from_their_pages(key: int | str) -> None:
    rows = (
        '<table><thead><tr><th rowspan="2"><p>Method</p></th><th colspan="2">Test</th></tr>'
        "<tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>Ours</td><td><b>0.93 ± 0.01</b></td>"
        "<td>−1.2 × 10<sup>−3</sup></td></tr></tbody></table>"
    )
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{TABLE}</div></article>'
    (table,) = read_html(page(body), table_pages={key: satellite(rows)}).tables  # type: ignore[arg-type]
    assert table.rows == (
        ("Method", "Test", "Test"),
        ("Method", "a", "b"),
        ("Ours", "0.93 ± 0.01", "−1.2 × 10⁻³"),
    )
    assert (table.label, table.caption, table.header_rows) == ("Table 1", "Scores", 2)
    assert table.notes == "In bold, the best."
    assert table.bold == {(2, 1)}


def test_a_table_whose_page_is_not_here_is_missing_and_said_to_be() -> None:
    document = new(TABLE)
    assert document.tables[0].missing
    assert any("Table 1" in problem for problem in document.problems)


def test_a_table_page_that_is_none_is_a_problem_of_its_table() -> None:
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{TABLE}</div></article>'
    document = read_html(page(body), table_pages={1: page("<p>Not found</p>")})
    assert document.tables[0].missing
    assert "the page of Table 1 has no table" in document.problems


def test_an_unknown_design_is_read_by_its_headings() -> None:
    body = (
        "<div><nav><a href='/x'>Menu</a></nav><h1>A title</h1><h3>Abstract</h3><p>Short.</p>"
        f"<h3>Introduction</h3>{FILLER}<h4>Detail</h4>{FILLER}<h3>Data availability</h3><p>In GEO.</p>"
        "<h3>References</h3><ol><li>One. https://doi.org/10.1/x</li><li>Two.</li></ol></div>"
    )
    document = read_html(page(body, '<meta name="dc.title" content="A title">'))
    assert document.title == "A title"
    assert [(section.title, section.level) for section in document.sections] == [
        ("Introduction", 1),
        ("Detail", 2),
        ("Data availability", 1),
        ("References", 1),
    ]
    assert document.abstract == "Short."
    assert len(document.references) == 2


def test_the_abstract_is_no_section_and_its_links_are_kept() -> None:
    section = '<section data-title="Abstract"><h2>Abstract</h2><p>See <a href="https://x.org/a">x</a>.</p></section>'
    body = f'<article><div class="c-article-body">{section}<section><h2>Main</h2>{FILLER}</section></div></article>'
    document = read_html(page(body))
    assert document.abstract == "See x."
    assert [section.title for section in document.sections] == ["Main"]
    assert document.links[0].section == ABSTRACT


def test_what_surrounds_an_article_is_left_out() -> None:
    body = (
        f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}'
        '<section class="c-article-recommendations"><h3>Similar content</h3><p>Other paper</p></section>'
        "<h2>Rights and permissions</h2><p>All rights.</p><h3>More of it</h3><p>Still.</p>"
        "<h2>About this article</h2><p>Cite me</p></div></article>"
    )
    document = read_html(page(body))
    assert [section.title for section in document.sections] == ["Results"]
    assert "Other paper" not in document.sections[0].text


@pytest.mark.parametrize(
    ("head", "article_type"),
    [
        ('<meta name="citation_article_type" content="Review Article">', "Review Article"),
        ('<meta name="prism.section" content="Article">', "Article"),
        ('<meta name="dc.type" content="OriginalPaper">', "OriginalPaper"),
        ("", "News"),
    ],
)
def test_the_article_type_is_what_the_page_says(head: str, article_type: str) -> None:
    category = '<li data-test="article-category">News</li>' if not head else ""
    titles = '<meta name="dc.title" content="T"><meta name="doi" content="10.5555/x">'
    body = f"<article>{category}<h2>Results</h2>{FILLER}</article>"
    assert read_html(page(body, titles + head)).article_type == article_type


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"", NoArticleError, "empty"),
        (b"  \n ", NoArticleError, "empty"),
        (page("<h1>Just a moment...</h1><p>Verify you are human</p>", "<title>x</title>"), NoArticleError, "robot"),
        (page("<h1>Page not found</h1>", "<title>Page not found</title>"), NoArticleError, "no such page"),
        (page("<p>Hello</p>", ""), NoArticleError, "no article"),
        (page("<p>Please sign in to continue</p>", ""), NoFullTextError, "sign in"),
        (
            page("<article><h2>Abstract</h2><p>Short.</p><p>Access through your institution</p></article>"),
            NoFullTextError,
            "abstract only",
        ),
        (b"<p>" + b"x" * LIMIT, UnreadableError, "MB"),
        (b"%PDF-1.7 binary", NoArticleError, "no article"),
    ],
)
def test_what_is_no_article_is_refused_by_name(content: bytes, kind: type[PaperError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        read_html(content)
    assert caught.value.hint


def test_a_page_that_breaks_off_says_where() -> None:
    whole = page(f"<article><h2>Results</h2>{FILLER}<h2>Discussion</h2>{FILLER}{FILLER}</article>")
    document = read_html(whole[: whole.rindex(b"Discussion") + 300])
    assert any("breaks off" in problem and "Discussion" in problem for problem in document.problems)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_a_page_is_read_in_whatever_encoding_it_is(encoding: str) -> None:
    body = f"<html><head>{META}</head><body><article><h2>Überblick</h2>{FILLER}</article></body></html>"
    document = read_html(body.encode(encoding))
    assert document.sections[0].title == "Überblick"
    assert document.authors == ("Zoë Björk",)


def test_a_page_that_lies_about_its_encoding_is_read_as_it_is() -> None:
    head = f'<html><head><meta charset="iso-8859-1">{META}</head>'
    body = f"{head}<body><article><h2>Größe</h2>{FILLER}</article></body></html>"
    assert read_html(body.encode()).sections[0].title == "Größe"


def test_deeply_nested_markup_keeps_its_text() -> None:
    assert "kernel" in new("<div>" * 500 + "<p>kernel</p>" + "</div>" * 500).sections[0].text


def test_dois_with_brackets_of_all_kinds_are_whole() -> None:
    sici = "10.1002/(sici)1097-0258(19980228)17:4<441::aid-sim782>3.0.co;2-n"
    quoted = "https://doi.org/10.1002%2F%28SICI%291097-0258%2819980228%2917%3A4%3C441%3A%3AAID-SIM782%3E3.0.CO%3B2-N"
    entries = (
        f'<li><p class="c-article-references__text">A. On x.</p><p class="c-article-references__links">'
        f'<a data-doi="{sici.replace("<", "&lt;")}" href="{quoted}">Article</a> <a href="http://scholar.google.com/x">G</a></p></li>'
        f'<li><p class="c-article-references__text">B. On y.</p><p class="c-article-references__links">'
        f'<a href="{quoted.replace("441", "442")}">Article</a></p></li>'
    )
    document = new(f'</div></section><h2>References</h2><ol class="c-article-references">{entries}</ol>')
    assert [one.doi for one in document.references] == [sici, sici.replace("441", "442")]
    assert [link.kind for link in find_links(document)] == ["reference", "reference"]


@pytest.mark.parametrize("address", ["https://[bad/articles/x", "no address", ""])
@pytest.mark.parametrize("link", ["/articles/d41586-1", "./d41586-1", "../articles/d41586-1?a#b"])
def test_links_of_a_page_that_does_not_know_its_address(address: str, link: str) -> None:
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}<p><a href="{link}">x</a></p></div></article>'
    document = read_html(page(body, f'{META}<meta property="og:url" content="{address}">'))
    assert all("d41586-1" in one.url for one in document.links)
    assert "x" in document.sections[0].text


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("/a/b.html", "https://x.org/a/b.html"),
        ("/a/../b", "https://x.org/b"),
        ("//y.org/b", "https://y.org/b"),
        ("b?c=1", "https://x.org/articles/b?c=1"),
        ("/a//b", "https://x.org/a//b"),
    ],
)
def test_links_are_joined_to_the_address_of_the_page(link: str, url: str) -> None:
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}<p><a href="{link}">z</a></p></div></article>'
    assert [one.url for one in read_html(page(body), url="https://x.org/articles/s1").links] == [url]


def test_a_table_of_plain_cells_without_a_caption_is_a_table() -> None:
    rows = "<table><tr><td>Model</td><td>R<sup>2</sup></td></tr><tr><td>Ours</td><td>0.9</td></tr></table>"
    read = read_html(page(f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{rows}</div></article>'))
    (table,) = read.tables
    assert table.rows == (("Model", "R²"), ("Ours", "0.9"))
    assert "Ours" not in read.sections[-1].text


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><td>E = mc</td><td>(1)</td></tr>",
        "<tr><td>One word</td></tr><tr><td>below another</td></tr>",
        "<tr><td><h3>Left</h3>Words</td><td>Side</td></tr><tr><td>More</td><td>Side</td></tr>",
        "<tr><td><p>A first</p><p>and a second</p></td><td>Side</td></tr><tr><td>More</td><td>Side</td></tr>",
    ],
)
def test_a_table_that_only_lays_out_is_text(rows: str) -> None:
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}<table>{rows}</table></div></article>'
    assert not read_html(page(body)).tables


@pytest.mark.parametrize(
    ("caption", "label", "title"),
    [
        ("Tab. 5: Errors", "Table 5", "Errors"),
        ("TABLE IV: Ablations", "Table IV", "Ablations"),
        ("Supplementary Table 2 | Runs", "Supplementary Table 2", "Runs"),
    ],
)
def test_labels_of_tables_are_written_alike(caption: str, label: str, title: str) -> None:
    rows = f"<table><caption>{caption}</caption><tr><td>a</td><td>1</td></tr></table>"
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{rows}</div></article>'
    (table,) = read_html(page(body)).tables
    assert (table.label, table.caption) == (label, title)
