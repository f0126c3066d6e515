"""The demo world's PDFs, whose truth is known: every number of every table, every heading, every quoted sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Entry, Paragraph, Table
from nature_gym.demo.typesetting.pdf import article_pdf, scanned_pdf, supplement_pdf
from nature_gym.demo.world import build_world
from nature_gym.reading.document import Document
from nature_gym.reading.pdf import read_here

ENTRIES = build_world().entries
IDS = [entry.paper.id for entry in ENTRIES]
every_paper = pytest.mark.parametrize("entry", ENTRIES, ids=IDS)


@cache
def _read(index: int) -> Document:
    return read_here(article_pdf(ENTRIES[index].paper), figures=False)


def read(entry: Entry) -> Document:
    return _read(ENTRIES.index(entry))


def bare(text: str) -> str:
    """Without white space, and without the marks of scripts that Unicode lacks."""
    return re.sub(r"\s", "", re.sub(r"[_^]\{([^}]*)\}", r"\1", text))


def in_print(entry: Entry, text: str) -> str:
    """As the paper's design prints it: the old one spells figures out."""
    printed = plain(text)
    return re.sub(r"Fig\. (?=\d)", "Figure ", printed) if entry.paper.template == "old" else printed


def whole(document: Document) -> str:
    """All text of a document."""
    parts = [document.title, document.abstract]
    parts += [f"{section.title} {section.text}" for section in document.sections]
    parts += [f"{table.caption} {' '.join(map(' '.join, table.rows))} {table.notes}" for table in document.tables]
    parts += [figure.caption for figure in document.figures]
    return bare(" ".join(parts))


@every_paper
def test_what_a_paper_is_stands_on_its_first_page(entry: Entry) -> None:
    paper, document = entry.paper, read(entry)
    assert bare(document.title) == bare(plain(paper.title))
    assert document.doi == paper.doi
    assert document.article_type.casefold() == paper.article_type.casefold()
    assert document.journal.casefold() == paper.venue.name.casefold()
    assert document.published == str(paper.published)
    assert document.authors == tuple(f"{author.given} {author.family}" for author in paper.authors)
    assert bare(document.abstract).replace("-", "") == bare(plain(paper.abstract)).replace("-", "")
    assert document.problems == ()


@every_paper
def test_every_section_is_found_with_its_level_and_in_order(entry: Entry) -> None:
    wanted = [(plain(section.title), section.level) for section in entry.paper.sections]
    found = iter([(section.title, section.level) for section in read(entry).sections])
    assert all(section in found for section in wanted), "sections in another order, with another level, or missing"


def _numbers(table: Table) -> Iterable[tuple[int, int, str]]:
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells):
            if re.search(r"\d", plain(cell)):
                yield row, column, bare(plain(cell))


@every_paper
def test_every_cell_of_every_table_is_read_exactly(entry: Entry) -> None:
    found = {re.sub(r"\D", "", table.label): table for table in read(entry).tables}
    for table in entry.paper.tables:
        document_table = found[str(table.number)]
        body = document_table.rows[document_table.header_rows :]
        assert [[bare(cell) for cell in row] for row in body] == [
            [bare(plain(cell)) for cell in row] for row in table.rows
        ]
        for row, column, number in _numbers(table):
            assert bare(body[row][column]) == number
        assert bare(document_table.caption) == bare(plain(table.caption))
        assert bare(document_table.notes) == bare(" ".join(map(plain, table.notes)))


@every_paper
def test_headings_over_columns_are_repeated_in_each(entry: Entry) -> None:
    found = {re.sub(r"\D", "", table.label): table for table in read(entry).tables}
    for table in entry.paper.tables:
        heads = found[str(table.number)].rows[: found[str(table.number)].header_rows]
        wanted: list[list[str]] = []
        for row in table.header:
            texts: list[str] = []
            for cell in row:
                texts.append(bare(plain(cell)) if cell is not None else texts[-1])
            wanted.append(texts)
        # Two rows of headings that stand each over the other may be read as one of two lines.
        assert ["".join(bare(row[i]) for row in heads) for i in range(len(wanted[0]))] == [
            "".join(row[i] for row in wanted) for i in range(len(wanted[0]))
        ]


@every_paper
def test_best_values_are_bold(entry: Entry) -> None:
    found = {re.sub(r"\D", "", table.label): table for table in read(entry).tables}
    for table in entry.paper.tables:
        document_table = found[str(table.number)]
        wanted = {
            (row + document_table.header_rows, column)
            for row, cells in enumerate(table.rows)
            for column, cell in enumerate(cells)
            if re.fullmatch(r"\*\*[^*]+\*\*", cell)
        }
        assert {place for place in document_table.bold if place[0] >= document_table.header_rows} >= wanted


@every_paper
def test_sentences_that_decide_a_papers_fate_stand_in_its_text(entry: Entry) -> None:
    text = whole(read(entry))
    lost = [rule.quote for rule in entry.truth.rules if rule.quote and not _stands(entry, rule.quote, text)]
    assert lost == []


def _stands(entry: Entry, quote: str, text: str) -> bool:
    """Whether a quote stands in a text; a hyphen that the typesetter's line-break hid is forgiven."""
    wanted = bare(in_print(entry, quote))
    return wanted in text or wanted.replace("-", "") in text.replace("-", "")


def test_paragraphs_are_whole() -> None:
    found = lost = 0
    for entry in ENTRIES:
        text = whole(read(entry)).replace("-", "")
        for section in entry.paper.sections:
            for block in section.blocks:
                if isinstance(block, Paragraph) and "$" not in block.text:
                    stands = bare(in_print(entry, block.text)).replace("-", "") in text
                    found, lost = found + stands, lost + (not stands)
    assert lost <= 0.01 * found


def test_hyphens_at_the_ends_of_lines_are_judged_right_almost_always() -> None:
    right = wrong = 0
    for entry in ENTRIES:
        text = whole(read(entry))
        for section in entry.paper.sections:
            for block in section.blocks:
                if isinstance(block, Paragraph) and "$" not in block.text:
                    wanted = bare(in_print(entry, block.text))
                    if wanted.replace("-", "") in text.replace("-", ""):
                        right, wrong = right + (wanted in text), wrong + (wanted not in text)
    assert wrong <= 0.02 * right


@every_paper
def test_references_figures_and_links_are_all_there(entry: Entry) -> None:
    paper, document = entry.paper, read(entry)
    assert len(document.references) == len(paper.references)
    assert [figure.label.split()[-1] for figure in document.figures] == [str(figure.number) for figure in paper.figures]
    wanted = {
        url
        for section in paper.sections
        for block in section.blocks
        if isinstance(block, Paragraph)
        for url in _links(block)
    }
    assert {link.url for link in document.links} >= wanted


def _links(block: Paragraph) -> Iterable[str]:
    return re.findall(r"(?<!\\)\]\((https?://[^\s()]+)\)", block.text)


@every_paper
def test_links_stand_where_they_say(entry: Entry) -> None:
    document = read(entry)
    for link in document.links:
        text = link.within or (document.abstract if link.section < 0 else document.sections[link.section].text)
        assert text[link.offset : link.offset + len(link.anchor)] == link.anchor


def test_pictures_of_figures_are_the_figures_and_not_their_pages() -> None:
    entry = next(entry for entry in ENTRIES if len(entry.paper.figures) >= 2)
    document = read_here(article_pdf(entry.paper))
    for figure in document.figures:
        assert figure.media_type == "image/png"
        assert figure.image is not None
        width, height = (int.from_bytes(figure.image[at : at + 4], "big") for at in (16, 20))
        assert 100 < width < 1240
        assert 60 < height < 0.6 * 1630


def test_a_supplement_gives_its_tables() -> None:
    entry = next(entry for entry in ENTRIES if len(entry.paper.tables) >= 2)
    document = read_here(supplement_pdf(entry.paper), figures=False)
    wanted = [[[bare(plain(cell)) for cell in row] for row in table.rows] for table in entry.paper.tables]
    found = [[[bare(cell) for cell in row] for row in table.rows[table.header_rows :]] for table in document.tables]
    assert found == wanted
    assert document.tables[0].label == "Supplementary Table 1"


def test_a_scan_is_said_to_be_one() -> None:
    document = read_here(scanned_pdf(ENTRIES[0].paper, ppi=40))
    assert document.sections == ()
    assert any("pictures" in problem for problem in document.problems)
