"""Every paper of the demo world, in both designs of its page and in JATS: what was written is what is read."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import pytest

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Entry, Paper
from nature_gym.demo.model import Table as Written
from nature_gym.demo.typesetting import html, jats
from nature_gym.demo.world import build_world
from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.reading.links import find_links
from nature_gym.reading.sections import number_of

FORMS = ("new", "old", "xml")
_SCRIPT = re.compile(r"[\^_]\{([^{}]*)\}")
_NUMBER = re.compile(r"\d")


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return list(build_world(0, shallow=10).entries)


def read(paper: Paper, form: str) -> Document:
    """The paper as it is read from one of its forms."""
    if form == "xml":
        return read_jats(jats.article_xml(paper))
    shown = dataclasses.replace(paper, template=form)  # type: ignore[arg-type]
    pages = {table.number: html.table_page(shown, table.number) for table in shown.tables}
    return read_html(html.article_page(shown), table_pages=pages)


@pytest.fixture(scope="module", params=FORMS)
def documents(request: pytest.FixtureRequest, entries: list[Entry]) -> list[tuple[Entry, Document]]:
    return [(entry, read(entry.paper, request.param)) for entry in entries]


def flat(text: str) -> str:
    """Text without the marks of scripts that Unicode has no characters for; the demo's plain text has none."""
    return " ".join(_SCRIPT.sub(r"\1", text).split())


def grid(table: Written) -> list[list[str]]:
    """What a careful reader types off a table."""
    rows: list[list[str]] = []
    for row in (*table.header, *table.rows):
        cells: list[str] = []
        for cell in row:
            cells.append(cells[-1] if cell is None and cells else plain(cell or ""))
        rows.append(cells)
    return rows


def texts(document: Document) -> Iterator[str]:
    yield document.title
    yield document.abstract
    for section in document.sections:
        yield section.text
    for figure in document.figures:
        yield figure.caption
    for table in document.tables:
        yield table.caption
        yield table.notes
        yield from ("\t".join(row) for row in table.rows)


def test_every_cell_of_every_table_is_read_exactly(documents: list[tuple[Entry, Document]]) -> None:
    numbers = 0
    for entry, document in documents:
        read_tables = {table.label: table for table in document.tables}
        for table in entry.paper.tables:
            got = read_tables[f"Table {table.number}"]
            expected = grid(table)
            assert [len(row) for row in got.rows] == [len(row) for row in expected], (entry.paper.id, table.number)
            assert got.header_rows == len(table.header)
            for row, (cells, typed) in enumerate(zip(got.rows, expected, strict=True)):
                for cell, text in zip(cells, typed, strict=True):
                    where = (entry.paper.id, table.number, row)
                    # Numbers letter by letter; names of columns may have scripts that Unicode lacks.
                    plain_number = _NUMBER.search(text) and "{" not in cell
                    assert (cell if plain_number else flat(cell)) == (text if plain_number else flat(text)), where
                    numbers += bool(_NUMBER.search(text))
            assert flat(got.caption) == flat(plain(table.caption))
            assert flat(got.notes) == flat(" ".join(map(plain, table.notes)))
    assert numbers > 1000


def test_bold_cells_are_known(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        read_tables = {table.label: table for table in document.tables}
        for table in entry.paper.tables:
            rows = [*table.header, *table.rows]
            bold = {
                (i, j)
                for i, row in enumerate(rows)
                for j, cell in enumerate(row)
                if cell and re.fullmatch(r"\*\*[^*]+\*\*", cell)
            }
            assert bold == read_tables[f"Table {table.number}"].bold, entry.paper.id


def test_what_a_paper_is_comes_out(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        paper = entry.paper
        assert document.doi == paper.doi
        assert flat(document.title) == flat(plain(paper.title))
        assert flat(document.abstract) == flat(plain(paper.abstract))
        assert document.article_type == paper.article_type
        assert document.journal == paper.venue.name
        assert document.published == paper.published.isoformat()
        assert document.authors == tuple(f"{author.given} {author.family}" for author in paper.authors)


def test_sections_come_in_order_with_their_levels(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        written = [(flat(plain(section.title)), section.level) for section in entry.paper.sections]
        found = [(flat(section.title), section.level) for section in document.sections]
        places = [found.index(section) for section in written]
        assert places == sorted(places), entry.paper.id


def test_the_truths_quotes_stand_in_the_text(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        whole = flat("\n".join(texts(document)))
        for rule in entry.truth.rules:
            assert flat(rule.quote) in whole, (entry.paper.id, rule.rule)


def test_figures_and_references_are_all_there(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        paper = entry.paper
        assert [number_of(figure.label) for figure in document.figures] == [
            figure.number for figure in sorted(paper.figures, key=lambda figure: figure.number)
        ]
        assert len(document.figures) == len(paper.figures)
        assert [reference.doi for reference in document.references] == [
            reference.doi.lower() if reference.doi else None for reference in paper.references
        ]
        for read_one, written in zip(document.references, paper.references, strict=True):
            assert flat(plain(written.title).rstrip(".")) in flat(read_one.text)


def test_repositories_and_deposits_are_found_with_their_kinds(documents: list[tuple[Entry, Document]]) -> None:
    for entry, document in documents:
        kinds = {link.url.removeprefix("https://"): link.kind for link in find_links(document)}
        whole = " ".join(section.text for section in document.sections)
        for repository in entry.repositories:
            address = repository.url.removeprefix("https://")
            if address in whole:
                assert kinds[address] in {"code", "data"}, entry.paper.id
        for deposit in entry.deposits:
            if deposit.host == "zenodo.org" and f"zenodo.{deposit.number}" in whole:
                assert kinds[f"doi.org/10.5281/zenodo.{deposit.number}"] == "data", entry.paper.id


def test_every_form_says_the_same_of_availability_and_links(entries: list[Entry]) -> None:
    for entry in entries[::3]:
        found = [read(entry.paper, form) for form in FORMS]
        statements = [find_availability(document) for document in found]
        links = [
            [(link.url, link.kind) for link in find_links(document) if link.kind != "reference"] for document in found
        ]
        assert statements[0] == statements[1] == statements[2], entry.paper.id
        assert links[0] == links[1] == links[2], entry.paper.id


TRAP_LINKS = {
    "dot_git_suffix": re.compile(r"github\.com/[\w-]+/[\w-]+$"),
    "bare_doi": re.compile(r"doi\.org/10\.5281/zenodo\.\d+$"),
    "accession_only": re.compile(r"acc=GSE\d+$|bioproject/PRJNA\d+$|emdb/EMD-\d+$"),
}


@pytest.mark.parametrize("trap", TRAP_LINKS)
def test_traps_in_links_are_seen_through(trap: str, entries: list[Entry]) -> None:
    papers = [entry.paper for entry in entries if trap in entry.truth.traps]
    assert papers
    for paper in papers:
        urls = [link.url for link in find_links(read(paper, "new"))]
        assert any(TRAP_LINKS[trap].search(url) for url in urls), (paper.id, urls)
        assert not any(url.endswith((".", ",", ")", ".git")) for url in urls)


def test_availability_under_other_headings_is_found(entries: list[Entry]) -> None:
    traps = {"availability_under_other_heading", "reporting_summary"}
    papers = [entry.paper for entry in entries if traps & set(entry.truth.traps)]
    assert papers
    for paper in papers:
        for form in FORMS:
            assert find_availability(read(paper, form)).data, (paper.id, form)
