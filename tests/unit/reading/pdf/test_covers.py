from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from nature_gym.reading.pdf import read_here
from nature_gym.reading.pdf.covers import without_covers
from nature_gym.reading.pdf.page import Page
from tests.unit.reading.pdf.lines import line, page

pymupdf: Any = import_module("pymupdf")
ARTICLE = "Results We show that networks learn. Terms and conditions of use were accepted by all participants."
TERMS = "Terms and Conditions Journal content, brought to you courtesy of a publisher. Users will not: sell it."
COVERS = {
    "a page of terms of use": TERMS,
    "a repository's cover": "Some Repository. Citation for published version: A. Author. Take-down policy: ask.",
    "a network's cover": "See discussions, stats, and author profiles for this publication at: 12 CITATIONS",
}


def a_page(text: str, number: int) -> Page:
    return page([line(text, 50, 50)], number=number)


@pytest.mark.parametrize(("kind", "text"), COVERS.items())
@pytest.mark.parametrize("first", [True, False])
def test_a_cover_at_either_end_is_left_out_and_told(kind: str, text: str, first: bool) -> None:
    texts = [text, ARTICLE, ARTICLE] if first else [ARTICLE, ARTICLE, text]
    kept, told = without_covers([a_page(one, number) for number, one in enumerate(texts)])
    assert [one.number for one in kept] == ([1, 2] if first else [0, 1])
    assert told == [f"page {1 if first else 3} is {kind}, and was left out"]


def test_a_page_in_the_middle_and_an_article_that_speaks_of_terms_stay() -> None:
    pages = [a_page(ARTICLE, 0), a_page(TERMS, 1), a_page(ARTICLE, 2)]
    assert without_covers(pages) == (pages, [])


def test_something_always_stays() -> None:
    kept, told = without_covers([a_page(TERMS, 0), a_page(TERMS, 1)])
    assert len(kept) == 1
    assert len(told) == 1


def test_stamps_at_the_margins_are_no_text() -> None:
    document = pymupdf.open()
    for number in range(3):
        sheet = document.new_page()
        sheet.insert_textbox(pymupdf.Rect(90, 100, 500, 700), "We show that networks learn from words. " * 12)
        sheet.insert_text((60, 826), f"Downloaded from https://journal.example by guest on 0{number + 1} May 2024")
        if number == 0:
            sheet.insert_text((24, 560), "arXiv:2401.00001v2 [cs.LG] 3 Jan 2024", rotate=90, fontsize=18)
    read = read_here(bytes(document.tobytes()), figures=False)
    text = " ".join([read.title, read.abstract, *(section.text for section in read.sections)])
    assert text.count("networks learn") == 36
    assert "Downloaded" not in text
    assert "arXiv" not in text
