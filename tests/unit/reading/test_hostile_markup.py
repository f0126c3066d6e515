"""Pages and files made to take a reader long: each is read or refused in time that grows with its size alone.

The bound is on processor time, and far above what reading takes; what grows with the square of these sizes takes
minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from nature_gym.errors import PaperError
from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.reading.links import find_links
from nature_gym.reading.refusals import UnreadableError

SECONDS = 10.0
MANY = 100_000
FILLER = "<p>" + "Words that fill a paragraph as articles do. " * 12 + "</p>"
HEAD = '<meta name="citation_title" content="A title"><meta name="citation_doi" content="10.5555/s1-x">'


def page(body: str) -> bytes:
    article = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{body}</div></article>'
    return f'<!doctype html><html><head><meta charset="utf-8">{HEAD}</head><body>{article}</body></html>'.encode()


def xml(body: str) -> bytes:
    meta = "<article-meta><title-group><article-title>T</article-title></title-group></article-meta>"
    body = f"<body><sec><title>R</title><p>Text.</p>{body}</sec></body>"
    return f"<article><front>{meta}</front>{body}</article>".encode()


def nested(tag: str, depth: int) -> str:
    return f"<{tag}>" * depth + "x" + f"</{tag.split(maxsplit=1)[0]}>" * depth


def read_all(read: Callable[[bytes], Document], content: bytes) -> Document:
    """Everything that is made of an article; fails where that takes long."""
    began = time.process_time()
    try:
        document = read(content)
        find_links(document)
        find_availability(document)
    finally:
        assert time.process_time() - began < SECONDS
    return document


@pytest.mark.parametrize("tag", ["div", "ul", "section", "figure", "header", "blockquote", "b", 'a href="x"', "sup"])
def test_pages_that_nest_deeply_are_refused(tag: str) -> None:
    with pytest.raises(UnreadableError, match="deep"):
        read_all(read_html, page(nested(tag, MANY)))


@pytest.mark.parametrize("tag", ["div", "ul", "figure", "b", "sup", "table", "h2", "header", "p", "li", "math"])
def test_pages_that_nest_less_are_read(tag: str) -> None:
    assert "x" in str(read_all(read_html, page(nested(tag, 4_000) + "<p>x")).sections)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<b>" * 1_000_000, "tags"),
        ("<b>x</b>" * 1_000_000, "tags"),
        ("<b>" * MANY, "formatting elements open"),
        ("<div></b>" * MANY, "deep"),
        ("<div " + " ".join(f"a{number}" for number in range(MANY)) + ">", "attributes"),
        ("<div " + " ".join(f'a{number}="<"' for number in range(MANY)) + ">", "attributes"),
        ("<div " + " ".join(f"a{number}='>'" for number in range(MANY)) + ">", "attributes"),
        ("<div " + " ".join(f"a{number}=\">\" b='>'" for number in range(MANY)) + ">", "attributes"),
        ('<div a=b=" c=">" ' + " ".join(f"a{number}" for number in range(MANY)) + ">", "attributes"),
        ('<div =" a=">" ' + " ".join(f"a{number}" for number in range(MANY)) + ">", "attributes"),
        ("<b\x01>" * MANY, "formatting elements open"),
        ("<b>" * MANY + "</i>" * MANY, "formatting elements open"),
    ],
)
def test_pages_that_trouble_a_parser_are_refused(body: str, words: str) -> None:
    with pytest.raises(UnreadableError, match=words):
        read_all(read_html, page(body))


def test_bounds_hold_in_other_encodings() -> None:
    with pytest.raises(UnreadableError, match="formatting elements open"):
        read_all(read_html, b"\xff\xfe" + page("<b>" * MANY).decode().encode("utf-16-le"))


@pytest.mark.parametrize(
    "body",
    [
        f'<p class="{"a " * 3_000_000}">x</p>',
        f'<img src="data:image/png;base64,{"ab/c" * 1_000_000}"><p>x</p>',
        f'<p><a href="https://x.org/{"a" * 6_000_000}">x</a></p>',
        "<p>" + "a (b) https://x.org/ " * 60_000,
        "<p>" + "10.1000/" * 500_000,
        "<p>" + "10.1000/a&lt;1&gt;1.0.CO;2 " * 50_000,
        "<p>https://x.org/" + "(" * 2_000_000 + ")" * 2_000_000,
        "<p>https://x.org/a" + ".Theeeeeeeeeeeeee" * 100_000,
        "<p>" + "a<sup>2</sup>" * MANY,
        "<b><i><p></b></i>" * 20_000,
    ],
    ids=lambda body: body[:20],
)
def test_large_pages_are_read(body: str) -> None:
    assert read_all(read_html, page(body)).title == "A title"


@pytest.mark.parametrize("tag", ["sec", "p", "bold", "sup", "fig", "list", "supplementary-material", "boxed-text"])
@pytest.mark.parametrize("depth", [90, 250, MANY])
def test_files_that_nest_deeply_are_read_as_far_as_they_go(tag: str, depth: int) -> None:
    assert "Text." in read_all(read_jats, xml(nested(tag, depth))).sections[0].text


CELL = "<table><tr><td>"
TABLES = {
    "wide": ("<tr>" + "<td>1</td>" * 10_000 + "</tr>") * 5,
    "spread": '<tr><td colspan="1000000000" rowspan="1000000000">1</td></tr>' * 1_000,
    "spread over columns": ("<tr>" + '<td colspan="1000">1</td>' * 100 + "</tr>") * 100,
    "spread over rows": ("<tr>" + '<td rowspan="1000">1</td>' * 100 + "</tr>") * 100,
    "within each other": "<tr><td>" + CELL * 150 + "1" + "</td></tr></table>" * 150 + "</td></tr>",
}


@pytest.mark.parametrize("rows", TABLES.values(), ids=TABLES)
def test_tables_beyond_measure_are_read_in_part(rows: str) -> None:
    figure = f"<figure><figcaption>Table 1 Much</figcaption><table>{rows}</table></figure>"
    (table,) = read_all(read_html, page(figure)).tables
    assert table.rows[0][0] == "1"
    wrapped = f"<table-wrap><label>Table 1</label><table>{rows}</table></table-wrap>"
    try:
        tables = read_all(read_jats, xml(wrapped)).tables
    except PaperError:
        return
    assert all(one.rows and sum(map(len, one.rows)) <= 400_000 for one in tables)


def test_a_table_in_a_cell_is_text_of_the_cell() -> None:
    inner = "<table><tr><td>b</td><td>c</td></tr></table>"
    rows = f"<tr><td>a {inner}</td><td>d</td></tr><tr><td>e</td><td>f</td></tr>"
    figure = f"<figure><figcaption>Table 1 Both</figcaption><table>{rows}</table></figure>"
    wrapped = f"<table-wrap><label>Table 1</label><table>{rows}</table></table-wrap>"
    for document in (read_html(page(figure)), read_jats(xml(wrapped))):
        (table,) = document.tables
        assert table.rows == (("a b c", "d"), ("e", "f"))
