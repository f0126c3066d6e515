"""Sentences are read without marks, and every word is found again where it stands in the file."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from checks.documents import Document
from checks.language.sentences import passages

WORDS = st.sampled_from(
    ["alpha", "**beta**", "`gamma.npy`", "*delta", "epsilon*", "e.g.", "zeta.", "Eta", "[theta](x.html)", "_iota_",
     "3.5", "kappa_lambda", "**", "`", "|", "<b>mu</b>", "Nu!", "\\*xi"]
)  # fmt: skip
LINES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
OPENINGS = st.sampled_from(["", "- ", "> ", "# ", "1. ", "    ", "* "])


@given(st.lists(st.tuples(OPENINGS, LINES), max_size=12), st.sampled_from(["\n", "\n\n"]))
def test_a_word_stands_where_its_place_says(lines: list[tuple[str, str]], between: str) -> None:
    document = Document(between.join(opening + line for opening, line in lines))
    for passage in passages(document):
        for name in ("alpha", "beta", "gamma.npy", "delta", "theta", "iota", "kappa_lambda", "xi"):
            at = passage.text.find(name)
            if at >= 0:
                line, column = passage.place(at)
                assert document.lines[line - 1][column - 1 :].startswith(name)


def read(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.text.strip()) for one in passages(Document(text))]


def test_sentences_rows_comments_and_code_are_told_apart() -> None:
    text = "# A title\n\nOne, e.g. **this**. Two\nof 3.5 mm.\n\n"
    text += "| a | b |\n|---|---|\n| c | `d` |\n\n<!-- five -->\n\n```python\nx = 1  # six\n```\n"
    assert read(text) == [
        ("sentence", "A title"), ("sentence", "One, e.g. this."), ("sentence", "Two of 3.5 mm."), ("row", "a | b |"),
        ("row", "c | d |"), ("sentence", "five"), ("code", "x = 1"), ("comment", "six"),
    ]  # fmt: skip


def test_a_period_within_code_ends_no_sentence() -> None:
    assert read("Read `a. B` and go. Then stop.") == [
        ("sentence", "Read a. B and go."), ("sentence", "Then stop."),
    ]  # fmt: skip
