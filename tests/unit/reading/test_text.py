from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nature_gym.reading.text import DASHES, Line, Place, bare_tex, plain_formula, raised, squeeze


def superscripted(*pieces: str | Line) -> str:
    """Text with superscripts in it; a Line stands for one whose content was read already."""
    line = Line()
    for piece in pieces:
        if isinstance(piece, Line):
            line.superscript(piece)
        else:
            line.add(piece)
    return line.finish()


def content(text: str, *cited: str) -> Line:
    """The content of a superscript; each of ``cited`` is a citation in it."""
    line = Line()
    line.add(text)
    for number in cited:
        at = text.index(number)
        line.inline_citations.append(Place(number, at, at + len(number)))
    return line


@pytest.mark.parametrize("dash", DASHES)
def test_an_exponent_is_negative_whatever_dash_it_was_typed_with(dash: str) -> None:
    assert superscripted("10", content(f"{dash}3"), " m s", content(f"{dash}1")) == "10⁻³ m s⁻¹"


def test_a_raised_number_that_is_no_citation_stays() -> None:
    assert superscripted("R", content("2"), " of 0.9") == "R² of 0.9"


def test_citation_marks_go_with_their_commas_and_dashes() -> None:
    assert superscripted("as shown", content("1,3–5", "1", "3", "5"), ".") == "as shown."
    assert superscripted("as shown ", content("12", "12"), ", and") == "as shown, and"


def test_what_else_is_raised_beside_a_citation_stays() -> None:
    assert superscripted("value", content("a,7", "7")) == "value^{a}"


def test_a_reference_that_is_named_in_the_sentence_keeps_its_number() -> None:
    assert superscripted("see ref. ", content("12", "12"), ".") == "see ref. 12."


def test_ordinals_are_written_plainly() -> None:
    assert superscripted("the 21", content("st"), " century") == "the 21st century"


def test_citations_in_brackets_of_their_own_go_and_places_follow() -> None:
    line = Line()
    line.add("Known [")
    start = len(line)
    line.add("1")
    line.inline_citations.append(Place("1", start, len(line)))
    line.add("] from ")
    place = line.open_link("https://example.org")
    line.add("here")
    line.close_link(place)
    text = line.finish()
    assert text == "Known from here"
    assert text[place.start : place.end] == "here"
    assert [one.target for one in line.citations] == ["1"]


@given(st.lists(st.text(max_size=8), max_size=12))
@example(["0\x1f0"])
def test_white_space_is_squeezed_wherever_the_pieces_break(pieces: list[str]) -> None:
    line = Line()
    for piece in pieces:
        line.add(piece)
    assert line.finish() == squeeze("".join(pieces))
    assert len(line) == len(line.finish())


@given(st.lists(st.tuples(st.text(max_size=6), st.text(alphabet="ab \n", min_size=1, max_size=6)), max_size=6))
def test_links_are_where_they_say(pieces: list[tuple[str, str]]) -> None:
    line = Line()
    places = []
    for before, inside in pieces:
        line.add(before)
        place = line.open_link("https://example.org")
        line.add(inside)
        line.close_link(place)
        places.append((place, squeeze(inside)))
    text = line.finish()
    for place, inside in places:
        assert text[place.start : place.end].strip() == inside


@given(st.text(alphabet="0123456789+-−–=()", min_size=1, max_size=8))
def test_numbers_are_raised_letter_by_letter(text: str) -> None:
    assert len(raised(text)) == len(text)
    assert not set(raised(text)) & set("0123456789")


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\mathbf{0.93}\pm 0.01", "0.93 ± 0.01"),
        (r"1.2 \times 10^{-3}", "1.2 × 10⁻³"),
        (r"-0.05", "−0.05"),
        (r"95\%", "95%"),
        (r"25^{\circ}", "25°"),
        (r"x_i", None),
        (r"\frac{1}{2}", None),
        (r"{", None),
        (r"}", None),
    ],
)
def test_formulas_of_numbers_alone_become_text(tex: str, plain: str | None) -> None:
    assert plain_formula(tex) == plain


@given(st.text(alphabet=r"0123456789.-+^_{}\pm% times", max_size=30))
def test_any_formula_is_plain_or_left_alone(tex: str) -> None:
    plain = plain_formula(tex)
    assert plain is None or "\\" not in plain


def test_the_document_round_a_formula_goes() -> None:
    wrapped = "\\documentclass{minimal}\\begin{document}$$x^2$$\\end{document}"
    assert bare_tex(wrapped) == ("x^2", True)
    assert bare_tex(r"\(y\)") == ("y", False)


@given(st.lists(st.text(st.sampled_from("ab ,.\n\t\u00ad\u200b\u2009\ufffc")), max_size=8), st.integers(0, 8))
def test_running_text_is_squeezed_however_it_comes_in_pieces(pieces: list[str], asked: int) -> None:
    line = Line()
    for number, piece in enumerate(pieces):
        line.add(piece)
        if number == asked:
            assert len(line) == len(line.text)
    assert line.finish() == squeeze("".join(pieces))
