"""Reading manuscripts: choices of words, blocks, tables, figures, references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.demo.model import Bullets, Equation, Paragraph, Placement
from nature_gym.demo.studies.manuscript import Manuscript, read
from nature_gym.demo.words import Words


def _read(text: str, seed: int = 0, *, unseen: bool = False, **values: object) -> Manuscript:
    return read(text, Words(seed, "test", unseen=unseen), values)


def test_blocks_are_told_by_how_they_begin() -> None:
    text = _read("# Abstract\n\nShort.\n\n## Part\n\nTwo\nlines.\n\n$$ x = 1 $$\n\n[table 2]\n\n- one\n- two\n  more\n")
    assert text.abstract == "Short."
    (part,) = text.sections
    assert (part.title, part.level) == ("Part", 2)
    expected = (Paragraph("Two lines."), Equation("x = 1"), Placement("table", 2), Bullets(("one", "two more")))
    assert part.blocks == expected


def test_a_named_choice_is_remembered_and_printed_again() -> None:
    text = _read("# A\n\n{{win: It won[@1]. || It\nprevailed[@1].}} Then: {{=win}}")
    assert text.said["win"] in {"It won[@1].", "It prevailed[@1]."}
    assert text.quote("win") in {"It won.", "It prevailed."}
    assert text.sections[0].blocks == (Paragraph(f"{text.said['win']} Then: {text.said['win']}"),)


def test_unseen_alternatives_come_only_when_asked_for_and_fall_back_on_seen_ones() -> None:
    source = "# A\n\n{{a || b ?? c || d}} {{e || f}}"
    seen = {_read(source, seed).sections[0].blocks for seed in range(40)}
    unseen = {_read(source, seed, unseen=True).sections[0].blocks for seed in range(40)}
    assert seen == {(Paragraph(f"{one} {two}"),) for one in "ab" for two in "ef"}
    assert unseen == {(Paragraph(f"{one} {two}"),) for one in "cd" for two in "ef"}


def test_values_are_filled_in_within_choices_too() -> None:
    text = _read("# A\n\n{{at: [{{!LINK}}]({{!LINK}}) || see [{{!LINK}}]({{!LINK}})}}", LINK="https://example.org/x")
    assert text.quote("at") in {"https://example.org/x", "see https://example.org/x"}


def test_tables_keep_spans_and_notes() -> None:
    (table,) = _read(
        "Table 3: Scores\n| | A | < |\n| M | x | y |\n|---|---|---|\n| **m** | 1 | 2 |\nnote: Bold is best."
    ).tables
    assert table.number == 3
    assert table.header == (("", "A", None), ("M", "x", "y"))
    assert table.rows == (("**m**", "1", "2"),)
    assert table.notes == ("Bold is best.",)


def test_figures_hold_their_numbers() -> None:
    lines, flow = _read(
        "Figure 1 (lines; n; R^2^): Two\nlines.\n= a: 1 0.5, 2 -1e-3\n\nFigure 2 (flow): Steps.\n= flow: one > two"
    ).figures
    assert (lines.caption, lines.x_label, lines.y_label) == ("Two lines.", "n", "R^2^")
    assert (lines.series[0].x, lines.series[0].y) == ((1.0, 2.0), (0.5, -0.001))
    assert flow.steps == ("one", "two")


def test_references_may_have_links() -> None:
    first, second = _read(
        "@ A, B. | T | J 1, 2 | 2001\n@ C | D | E | 2002 | doi=10.5555/x | url=https://e.org"
    ).references
    assert (first.authors, first.year, first.doi) == ("A, B.", 2001, None)
    assert (second.doi, second.url) == ("10.5555/x", "https://e.org")


@pytest.mark.parametrize("block", ["Table 1: no cells", "Table 1: c\n| a |\nwhat", "Figure 1: no kind"])
def test_a_malformed_block_is_shown_in_the_error(block: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        _read(block)


@given(st.lists(st.text("abc ,.", min_size=1).filter(str.strip), min_size=1, max_size=5), st.integers(0, 50))
def test_what_is_picked_is_one_of_the_alternatives(alternatives: list[str], seed: int) -> None:
    text = _read("# A\n\n{{x: " + " || ".join(alternatives) + "}}", seed)
    assert text.said["x"] in {" ".join(one.split()) for one in alternatives}
