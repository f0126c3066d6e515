"""Words set so closely that the library sees no white between them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from nature_gym.reading.pdf import read_here

pymupdf: Any = import_module("pymupdf")
SENTENCE = "we evaluate information extraction for each placeholder by averaging over all of the papers in the corpus"
PROSE = "Some words that make a page of running text stand above it, line by line, so that it is an article."


def tight(gap: float, letter: float = 0.0) -> bytes:
    """A page with a sentence whose words stand ``gap`` apart, and its letters ``letter``, in sizes of the letters."""
    document = pymupdf.open()
    page = document.new_page()
    for number in range(4):
        page.insert_text((72, 100 + 12 * number), PROSE, fontsize=9)
    x, size = 72.0, 9.0
    for word in SENTENCE.split():
        for character in word:
            page.insert_text((x, 148), character, fontsize=size)
            x += pymupdf.get_text_length(character, fontsize=size) + letter * size
        x += gap * size
    return bytes(document.tobytes())


@pytest.mark.parametrize("gap", [0.12, 0.14, 0.25])
def test_a_narrow_gap_is_a_space(gap: float) -> None:
    text = " ".join(section.text for section in read_here(tight(gap), figures=False).sections)
    assert SENTENCE in text
    assert text.count("so that it is an article.") == 4


def test_letters_set_apart_are_no_words() -> None:
    text = " ".join(section.text for section in read_here(tight(0.14, 0.11), figures=False).sections)
    assert "e v a l u a t e" not in text
