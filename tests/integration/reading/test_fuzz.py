"""Damaged and hostile input: a document or a refusal, in bounded time and memory, never anything else.

Run more of it: FUZZ_VARIANTS=2000 pytest tests/integration/reading/test_fuzz.py
"""

from __future__ import annotations

import os
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nature_gym.demo.fates import entries
from nature_gym.demo.typesetting import html, jats
from nature_gym.errors import PaperError
from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import ABSTRACT, Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.reading.links import find_links
from nature_gym.reading.writing import write_document

VARIANTS = int(os.environ.get("FUZZ_VARIANTS") or 120)
"""Of each kind of file."""

SECONDS = 5.0
"""Bound for one file on a busy machine; whole ones take some hundredths."""

MEGABYTES = 400
"""Bound for what all of them together may add to the process."""

Reader = Callable[[bytes], Document]


@pytest.fixture(scope="module")
def samples(repository: Path) -> dict[str, list[bytes]]:
    """Whole files of each kind: of the demo world, and real ones where they are at hand."""
    papers = [entry.paper for entry in entries(5)][20:24]
    pages = [html.article_page(paper) for paper in papers]
    pages += [html.table_page(paper, paper.tables[0].number) for paper in papers if paper.tables]
    texts = [jats.article_xml(paper) for paper in papers]
    real = repository.parent / "shared" / "real"
    pages += [path.read_bytes() for path in sorted(real.glob("html/*.html"))[-2:]]
    texts += [path.read_bytes() for path in sorted(real.glob("xml/*.xml"))[-4:]]
    return {"html": pages, "xml": texts}


def damaged(files: list[bytes], chance: random.Random) -> bytes:
    """A file truncated, with bytes flipped, or spliced with another, now and then all of these."""
    content = bytearray(chance.choice(files))
    while True:
        match chance.randrange(5):
            case 0:
                del content[chance.randrange(len(content)) :]
            case 1:
                for _ in range(chance.choice((1, 10, 300))):
                    content[chance.randrange(len(content))] = chance.randrange(256)
            case 2:
                other = chance.choice(files)
                start = chance.randrange(len(other))
                at = chance.randrange(len(content))
                content[at:at] = other[start : start + chance.randrange(1, 20_000)]
            case 3:
                start = chance.randrange(len(content))
                del content[start : start + chance.randrange(1, 5_000)]
            case _:
                start = chance.randrange(len(content))
                piece = bytes(content[start : start + chance.randrange(1, 200)])
                content[start:start] = piece * chance.randrange(1, 60)
        if not content or chance.random() < 0.6:
            return bytes(content)


def attempt(reader: Reader, content: bytes) -> Document | PaperError:
    """What comes of a file: a document that holds together, or the refusal."""
    try:
        document = reader(content)
    except PaperError as error:
        return error
    check(document)
    return document


def check(document: Document) -> None:
    """What holds for every document, however damaged its source was."""
    assert document.title or document.sections or document.abstract or document.problems
    for section in document.sections:
        assert section.level >= 1
        assert "\r" not in section.text
    places = range(ABSTRACT, len(document.sections))
    for link in document.links:
        assert link.section in places
        text = link.within or (document.abstract if link.section == ABSTRACT else document.sections[link.section].text)
        assert text[link.offset : link.offset + len(link.anchor)] == link.anchor
    for table in document.tables:
        assert len({len(row) for row in table.rows}) <= 1
        assert table.header_rows <= len(table.rows)
    for found in find_links(document):
        assert found.url
    find_availability(document)


@pytest.mark.parametrize(("kind", "reader"), [("html", read_html), ("xml", read_jats)])
def test_damaged_files_give_a_document_or_a_refusal(
    kind: str, reader: Reader, samples: dict[str, list[bytes]], tmp_path: Path
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused = 0
    for seed in range(VARIANTS):
        content = damaged(samples[kind], random.Random(f"{kind} {seed}"))
        began = time.process_time()
        outcome = attempt(reader, content)
        if isinstance(outcome, PaperError):
            assert outcome.message, seed
            assert outcome.hint, seed
            refused += 1
        elif seed % 10 == 0:
            write_document(outcome, tmp_path, "10.5555_x")
        assert time.process_time() - began < SECONDS, f"variant {seed} took too long"
    assert refused < VARIANTS
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < MEGABYTES


def article(body: str) -> bytes:
    head = '<meta name="citation_doi" content="10.5555/x"><meta name="citation_title" content="T">'
    return f"<!doctype html><html><head>{head}</head><body><article>{body}</article></body></html>".encode()


PLAIN = "<h2>Results</h2>" + "<p>A sentence of ordinary length that says nothing much.</p>" * 20

HOSTILE = {
    "a million open elements": article(PLAIN + "<div>" * 1_000_000),
    "ten thousand open elements": article(PLAIN + "<div>" * 10_000 + "x"),
    "formatting that is opened again and again": article(
        PLAIN + "<p>" + "".join(f"<b id={i}>" for i in range(20_000)) + "</p><p>x" * 20_000
    ),
    "nested tables": article(PLAIN + "<table><tr><td>" * 5_000),
    "nested superscripts": article(PLAIN + "<sup>" * 20_000 + "2"),
    "a table of one cell that spans everything": article(
        PLAIN + '<table><tr><th colspan="1000" rowspan="65534">x</th></tr>' + "<tr></tr>" * 3_000 + "</table>"
    ),
    "many spanning cells": article(
        PLAIN + "<table><th>x</th>" + ("<tr>" + '<td colspan="1000">1</td>' * 50 + "</tr>") * 500 + "</table>"
    ),
    "one very long line": article(PLAIN + "<p>" + "word (" * 300_000 + "</p>"),
    "one very long address": article(PLAIN + "<p>https://example.org/" + "a)," * 100_000 + "</p>"),
    "dots without end": article(PLAIN + "<p>" + "A. " * 200_000 + "</p>"),
    "digits without end": article(PLAIN + "<p>" + "10.1234/" * 50_000 + "</p>"),
    "brackets of citations": article(PLAIN + "<p>" + '[<a href="#ref-CR1">1</a>' * 5_000 + "</p>"),
    "thousands of links": article(PLAIN + '<p><a href="https://github.com/a/b">x</a> data at </p>' * 20_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_bounded_time_and_memory(name: str) -> None:
    content = HOSTILE[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    attempt(read_html, content)
    assert time.process_time() - began < 3 * SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MEGABYTES


def test_an_xml_bomb_is_not_unfolded() -> None:
    entities = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    bomb = f'<!DOCTYPE article [<!ENTITY a0 "ha">{entities}]><article><body><p>&a11;</p></body></article>'
    began = time.process_time()
    with pytest.raises(PaperError):
        read_jats(bomb.encode())
    assert time.process_time() - began < SECONDS


def test_no_file_or_address_outside_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("do not tell")
    text = (
        f'<!DOCTYPE article SYSTEM "http://127.0.0.1:9/x.dtd" [<!ENTITY x SYSTEM "file://{secret}">'
        '<!ENTITY y SYSTEM "http://127.0.0.1:9/y">]><article><front><article-meta><title-group><article-title>T &x;'
        "</article-title></title-group></article-meta></front><body><sec><title>S</title><p>A &x; &y; B</p></sec>"
        "</body></article>"
    )
    document = read_jats(text.encode())
    assert document.title == "T"
    assert document.sections[0].text == "A B"


def test_deep_xml_is_refused_or_read() -> None:
    deep = b"<article><body>" + b"<sec><title>x</title>" * 100_000
    attempt(read_jats, deep)
