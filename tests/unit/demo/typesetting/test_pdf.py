"""The PDFs, read back with PyMuPDF."""

from __future__ import annotations

import dataclasses
import time

import pymupdf
import pytest

from nature_gym.demo.model import Paper, Paragraph, Reference, Section, Table
from nature_gym.demo.typesetting.pdf import article_pdf, scanned_pdf, supplement_pdf, typst_text


def opened(pdf: bytes) -> pymupdf.Document:
    """The PDF, to be closed by the caller."""
    return pymupdf.open(stream=pdf)  # type: ignore[no-untyped-call]


def pages(pdf: bytes) -> list[str]:
    """The text of each page, lines joined."""
    with opened(pdf) as document:
        return [str(page.get_text()) for page in document]


def links(pdf: bytes) -> set[str]:
    with opened(pdf) as document:
        return {link["uri"] for page in document for link in page.get_links() if "uri" in link}


@pytest.fixture(scope="module")
def new_pdf(paper: Paper) -> bytes:
    return article_pdf(paper)


@pytest.fixture(scope="module")
def old_pdf(old_paper: Paper) -> bytes:
    return article_pdf(old_paper)


def test_the_new_design_opens_like_the_journal(paper: Paper, new_pdf: bytes) -> None:
    front = " ".join(pages(new_pdf)[0].split())
    assert "nature machine intelligence" in front
    assert f"Article https://doi.org/{paper.doi}" in front
    assert "Received: 23 September 2022" in front
    assert "Published online: 15 June 2023" in front
    assert "Profiles are hard to predict. We present ProfNet" in front
    assert "e-mail: mei.delacruz@example.org" in front


def test_pages_are_numbered_on_from_the_first(new_pdf: bytes, old_pdf: bytes) -> None:
    for number, text in enumerate(pages(new_pdf), 601):
        assert f"Nature Machine Intelligence | Volume 5 | June 2023 | 601–609\n{number}\n" in text
    for number, text in enumerate(pages(old_pdf), 1):
        assert "NATURE COMMUNICATIONS | 9:6342 | DOI" in " ".join(text.split())
        assert str(number) in text.split()


def test_the_old_design_has_banner_dates_and_open(old_pdf: bytes) -> None:
    first, second, *_ = pages(old_pdf)
    front = " ".join(first.split())
    assert "nature communications ARTICLE" in front
    assert "DOI: 10.5555/s41467-018-06342" in front
    assert "OPEN" in front
    assert "Introduction" not in first
    assert "Introduction" in second


def test_text_runs_in_two_columns_and_is_hyphenated(new_pdf: bytes) -> None:
    with opened(new_pdf) as document:
        page = document[0]
        lefts = {round(block[0]) for block in page.get_text("blocks") if len(block[4]) > 200}
        middle = page.rect.width / 2
        assert any(left < 60 for left in lefts)
        assert any(middle < left < middle + 20 for left in lefts)
    assert any("classifica-\ntion" in text or "diffi-\ncult" in text for text in pages(new_pdf))


def test_the_old_design_holds_ligatures_as_characters(new_pdf: bytes, old_pdf: bytes) -> None:
    assert "eﬃcient classiﬁ" in "".join(pages(old_pdf))
    assert "efficient classifi" in "".join(pages(new_pdf))


def test_exponents_are_raised_and_smaller(new_pdf: bytes) -> None:
    with opened(new_pdf) as document:
        spans = [
            span
            for block in document[0].get_text("dict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
        ]
    raised = [span for span in spans if span["text"].strip() in {"-3", "−3", "-1"}]
    assert raised
    assert all(span["size"] < 8 for span in raised)


def test_links_are_annotations(new_pdf: bytes, old_pdf: bytes) -> None:
    for pdf in (new_pdf, old_pdf):
        assert {
            "https://github.com/bjork-lab/logit",
            "https://doi.org/10.5281/zenodo.7654321",
            "https://example.org/a_b?c=1&d=2",
            "https://doi.org/10.5555/ref-1",
        } <= links(pdf)


def test_citations_lead_to_the_reference_list(new_pdf: bytes) -> None:
    with opened(new_pdf) as document:
        inside = [link for page in document for link in page.get_links() if link["kind"] in {1, 4}]
    assert len(inside) >= 5


@pytest.mark.parametrize("design", ["new", "old"])
def test_every_cell_of_the_tables_is_printed(paper: Paper, design: str) -> None:
    text = " ".join("".join(pages(article_pdf(dataclasses.replace(paper, template=design)))).split())  # type: ignore[arg-type]
    assert "Table 1 | Results on the test set. Best in bold." in text
    for row in paper.tables[1].rows:
        assert " ".join(row) in text
    for cell in ("0.93 ± 0.01", "−0.05", "0.85 ± 0.01"):
        assert cell in text


def test_a_wide_table_is_turned(paper: Paper, new_pdf: bytes, old_pdf: bytes) -> None:
    with opened(new_pdf) as document:
        directions = [
            tuple(map(round, line["dir"]))
            for block in document[-1].get_text("dict")["blocks"]
            for line in block.get("lines", ())
            if any("Metric 11" in span["text"] for span in line["spans"])
        ]
        assert directions == [(0, -1)]
    with opened(old_pdf) as document:
        assert document[-1].rect.width > document[-1].rect.height
        assert "Metric 11" in document[-1].get_text()


def test_captions_are_printed_in_the_style_of_their_time(new_pdf: bytes, old_pdf: bytes) -> None:
    assert "Fig. 2 | Learning curves." in "".join(pages(new_pdf))
    assert "Figure 2 | Learning curves." in "".join(pages(old_pdf))


def test_text_that_looks_like_commands_is_printed(paper: Paper) -> None:
    hostile = (
        "#panic(1) = not a heading // no comment @ref <label> https://e.org/x --- ... 'q' \"r\" $ \\ [ ] { } ~ ` -"
    )
    sections = (Section("= #1 [x]", 1, (Paragraph("- 1. + / " + hostile.replace("$", r"\$").replace("~", r"\~")),)),)
    text = " ".join("".join(pages(article_pdf(dataclasses.replace(paper, sections=sections)))).split())
    for piece in (
        "#panic(1) = not a heading // no comment @ref <label>",
        "--- ... 'q' \"r\" $ \\",
        "= #1 [x]",
        "- 1. + /",
    ):
        assert piece in text


def test_punctuation_is_escaped_and_letters_are_not() -> None:
    assert typst_text("a-b #c é ±") == "a\\-b \\#c é ±"


def test_missing_pieces_do_not_stop_the_press(paper: Paper) -> None:
    bare = dataclasses.replace(
        paper,
        authors=(),
        abstract="",
        tables=(Table(1, "Empty", (), ()),),
        figures=(),
        references=(Reference("A", "B", "C", 2000),),
        sections=(Section("Text", 1, (Paragraph("Cited [@7,8] and [#table-3]."),)),),
        licence=None,
        oa_status="closed",
        retracted=True,
    )
    for design in ("new", "old"):
        assert "RETRACTED" in pages(article_pdf(dataclasses.replace(bare, template=design)))[0]


def test_equal_papers_give_equal_bytes(paper: Paper, new_pdf: bytes) -> None:
    assert article_pdf(dataclasses.replace(paper)) == new_pdf


def test_no_date_is_written(new_pdf: bytes) -> None:
    with opened(new_pdf) as document:
        assert not document.metadata["creationDate"]
        assert document.metadata["title"].startswith("Learning in situ profiles")


def test_a_scan_has_pictures_and_no_text(paper: Paper, new_pdf: bytes) -> None:
    scan = scanned_pdf(paper, ppi=40)
    assert "".join(pages(scan)).strip() == ""
    with opened(scan) as document:
        assert len(document) == len(pages(new_pdf))
        assert all(len(page.get_images()) == 1 for page in document)


def test_a_supplement_repeats_the_tables(paper: Paper) -> None:
    text = " ".join("".join(pages(supplement_pdf(paper))).split())
    assert "Supplementary Table 2. All scores by fold" in text
    assert " ".join(paper.tables[1].rows[-1]) in text


def test_an_article_is_set_quickly(paper: Paper) -> None:
    article_pdf(paper)
    started = time.process_time()
    article_pdf(paper)
    assert time.process_time() - started < 1.5, "0.2 s on an idle machine"


def test_hyphens_are_ordinary_and_the_file_needs_no_repair(new_pdf: bytes, old_pdf: bytes) -> None:
    for pdf in (new_pdf, old_pdf):
        assert "\xad" not in "".join(pages(pdf))
        with opened(pdf) as document:
            assert not document.is_repaired
