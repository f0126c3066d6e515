"""From bytes to characters that may be printed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.document import Document, Section, Table
from nature_gym.reading.encoding import all_printable, as_utf8, printable

COMMANDS = "\x00\x07\x1b\x7f\x9b\u2028\u202e\u2066\U000e0041\ud800"


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(COMMANDS))))
def test_no_command_is_left_and_every_place_stays(text: str) -> None:
    cleaned = printable(text)
    assert len(cleaned) == len(text)
    assert not set(cleaned) & set(COMMANDS)
    assert all(new in {old, " "} for new, old in zip(cleaned, text, strict=True))
    assert printable(cleaned) == cleaned


def test_letters_of_all_scripts_lines_and_tabs_stay() -> None:
    text = "naïve β-sheet \u2009 漢字 🎉 \u200d x\ty\nz m s⁻¹"
    assert printable(text) == text


def test_a_document_is_cleaned_in_every_part_and_else_the_same() -> None:
    clean = Document("html", title="T", sections=(Section("S", 1, "x"),), metadata={"a": "b"})
    assert all_printable(clean) == clean
    dirty = Document(
        "html",
        title="T\x1b",
        authors=("A\x07", "B"),
        sections=(Section("S\x9b", 1, "a\x1bb\nc"), clean.sections[0]),
        tables=(Table("1", "C", (("\x1b", "0.5"),), bold=frozenset({(0, 1)})),),
        metadata={"k\x00": "v\x00"},
    )
    made = all_printable(dirty)
    assert made.sections == (Section("S ", 1, "a b\nc"), clean.sections[0])
    assert (made.title, made.authors, made.metadata) == ("T ", ("A ", "B"), {"k ": "v "})
    assert made.tables == (Table("1", "C", ((" ", "0.5"),), bold=frozenset({(0, 1)})),)


@given(st.binary())
def test_any_bytes_become_utf8(content: bytes) -> None:
    page, _ = as_utf8(content)
    page.decode()
