"""Scripts, citations, hyphens, ligatures and links in lines of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.pdf.glyphs import sign_table
from nature_gym.reading.pdf.page import Hyperlink
from nature_gym.reading.pdf.wording import (
    CITED,
    CLOSE,
    OPEN,
    Anchors,
    Hyphens,
    Marked,
    finished,
    letters,
    line_text,
    with_addresses,
)
from tests.unit.reading.pdf.lines import line, mixed


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ((("an R", "on"), ("2", "up"), (" of 0.9", "on")), "an R² of 0.9"),
        ((("10", "on"), ("−3", "up")), "10⁻³"),
        ((("10", "on"), ("–", "up"), ("3", "up")), "10⁻³"),
        ((("5 m s", "on"), ("-1", "up"), (" wind", "on")), "5 m s⁻¹ wind"),
        ((("12 km", "on"), ("2", "up")), "12 km²"),
        ((("H", "on"), ("2", "down"), ("O", "on")), "H₂O"),
        ((("x", "on"), ("i", "down")), "x_{i}"),
        ((("at ", "on"), ("19", "up"), ("F NMR", "on")), "at ¹⁹F NMR"),
        ((("χ", "on"), ("2", "up"), (" test", "on")), "χ² test"),
        ((("has been shown", "on"), ("12", "up"), (".", "on")), "has been shown."),
        ((("has been shown.", "on"), ("1,3–5", "up"), (" We", "on")), "has been shown. We"),
        ((("of proteins (AlphaFold)", "on"), ("7", "up"), (" and", "on")), "of proteins (AlphaFold) and"),
        ((("signalling", "on"), ("76(p245)", "up"), (".", "on")), "signalling^{76(p245)}."),
    ],
)
def test_raised_numbers_stay_where_they_mean_something_and_go_where_they_cite(
    runs: tuple[tuple[str, str], ...], text: str
) -> None:
    assert finished(line_text(mixed(*runs))).text == text


def test_a_raised_number_with_a_link_within_the_file_cites_whatever_stands_before_it() -> None:
    made = mixed(("in cm", "on"), ("3", "up"), (" each", "on"))
    raised = made.runs[1]
    box = (raised.x0 - 1, raised.baseline - 6, raised.x1 + 1, raised.baseline + 1)
    marked = finished(line_text(made, Anchors([], [Hyperlink(box, "")])))
    assert marked == Marked("in cm each", (), ((3, 5),))


def test_cited_numbers_are_kept_with_their_places() -> None:
    marked = finished(line_text(mixed(("as shown", "on"), ("1,3–5", "up"), (" before", "on"))))
    assert marked.text == "as shown before"
    assert marked.citations == ((1, 8), (3, 8), (4, 8), (5, 8))


def test_ligatures_wide_spaces_and_loose_accents_become_letters() -> None:
    assert letters("eﬃcient ﬁelds\u2009of Hu¨bener, Paı´s") == "efficient fields of Hübener, País"


WORDS = Hyphens(
    ["prediction of machine-learning models", "learning by a machine", "auroc of GrainNet, a well-known net"]
)


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("the pre-", "diction of", "the prediction of"),
        ("by machine-", "learning we", "by machine-learning we"),
        ("an unheard-", "ment of", "an unheardment of"),
        ("with Grain-", "Net on", "with GrainNet on"),
        ("with GPT-", "4 as", "with GPT-4 as"),
        ("the Floquet–", "Weyl points", "the Floquet–Weyl points"),
        ("a two-", "dimensional map", "a two-dimensional map"),
        ("maps continent-", "wide costs", "maps continent-wide costs"),
        ("used world-", "wide in", "used worldwide in"),
        ("plain", "words", "plain words"),
        ("see https://github.com/some/", "name for", "see https://github.com/some/name for"),
        ("see https://doi.org/10.1038/s41467-", "023-41333-3.", "see https://doi.org/10.1038/s41467-023-41333-3."),
    ],
)
def test_lines_are_joined_as_their_words_ask_for(first: str, second: str, joined: str) -> None:
    assert WORDS.join(first, second) == joined


def test_a_broken_word_is_no_witness_for_its_own_pieces() -> None:
    assert (
        Hyphens(["in this experi-", "ence we saw"]).join("in this experi-", "ence we saw")
        == "in this experience we saw"
    )


def test_a_link_broken_over_lines_is_one_link_and_a_text_link_keeps_its_space() -> None:
    mark = chr(OPEN + 4)
    address = WORDS.join(f"at {mark}https://ftp.wwpdb{CLOSE}.", f"{mark}org/pub{CLOSE} today")
    assert finished(address) == Marked("at https://ftp.wwpdb.org/pub today", ((4, 3, 28),))
    words = WORDS.join(f"in the {mark}Zenodo{CLOSE}", f"{mark}repository{CLOSE}.")
    assert finished(words) == Marked("in the Zenodo repository.", ((4, 7, 24),))


def test_an_address_is_written_as_its_link_has_it() -> None:
    shown = Marked("see https://github.com/schro-dinger/x now", ((0, 4, 37),), ((9, 41),))
    assert with_addresses(shown, ["https://github.com/schrodinger/x"]) == Marked(
        "see https://github.com/schrodinger/x now", ((0, 4, 36),), ((9, 40),)
    )


def test_a_link_takes_the_words_in_its_box_and_no_others() -> None:
    made = line("available at https://osf.io/ecs4p/ (and more).", 100, 100, size=10)
    box = (100 + 5 * 13, 90, 100 + 5 * 34, 102)
    marked = finished(line_text(made, Anchors([(0, Hyperlink(box, "https://osf.io/ecs4p/"))], [])))
    assert [marked.text[start:end] for _, start, end in marked.links] == ["https://osf.io/ecs4p/"]


def test_signs_of_old_fonts_print_what_they_show() -> None:
    table = sign_table(
        "AdvP4C4E74", "<</Type/Encoding/Differences[2/C2/C0 188/onequarter 222/Thorn 240/eth 254/thorn]>>"
    )
    assert "ðx þ yÞ ¼ z \x02 \x03".translate(table) == "(x + y) = z × −"


TEXT = st.text(st.sampled_from(f"ab1 .-–/\n\u2009ﬁ{CLOSE}{chr(OPEN)}{chr(OPEN + 1)}{chr(CITED + 3)}"), max_size=60)


@given(TEXT)
def test_finished_texts_hold_no_private_marks_and_every_place_lies_inside(text: str) -> None:
    marked = finished(text)
    assert not any("\U000f0000" <= character <= "\U00100fff" for character in marked.text)
    assert all(0 <= start < end <= len(marked.text) for _, start, end in marked.links)
    assert all(0 <= place <= len(marked.text) for _, place in marked.citations)


@given(TEXT, TEXT)
def test_joining_lines_loses_nothing_but_hyphens_marks_and_spaces(first: str, second: str) -> None:
    def kept(text: str) -> str:
        return "".join(character for character in text if character.isalnum() or character in "./")

    assert kept(WORDS.join(first, second)) == kept(first + second)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("in water \xadH2O", "in water H2O"),
        ("− \xad1841", "− 1841"),
        ("a self\xad", "a self-"),
        ("√ﬃﬃﬃ2", "√2"),
        ("eﬃcient", "efficient"),
    ],
)
def test_marks_that_print_nothing_are_no_letters(written: str, text: str) -> None:
    assert letters(written) == text


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("at https://a.org/x#y.", "Source data", "at https://a.org/x#y. Source data"),
        ("at https://doi.org/10.", "5281/ZENODO.8", "at https://doi.org/10.5281/ZENODO.8"),
        ("at https://github.", "com/Bob/cace", "at https://github.com/Bob/cace"),
        ("at https://github.com/", "Bob/cace", "at https://github.com/Bob/cace"),
        ("at https://a.org/some-", "name today", "at https://a.org/some-name today"),
        (
            f"at https://a.org/{'a-long-way-' * 9}and-best-",
            "practices/ (2019).",
            f"at https://a.org/{'a-long-way-' * 9}and-best-practices/ (2019).",
        ),
    ],
)
def test_an_address_at_the_end_of_a_line_goes_on_or_ends_a_sentence(first: str, second: str, joined: str) -> None:
    assert WORDS.join(first, second) == joined


def test_an_address_given_twice_is_no_address_broken_in_two() -> None:
    mark = chr(OPEN + 4)
    joined = WORDS.join(f"at {mark}https://a.org/b{CLOSE}", f"{mark}https://a.org/b{CLOSE} again")
    assert finished(joined).text == "at https://a.org/b https://a.org/b again"


def test_scripts_one_above_the_other_are_set_lower_one_first_without_spaces() -> None:
    made = mixed(("of Ag ", "on"), ("+", "up"), ("3 ", "down"), ("and", "on"))
    upper, lower = made.runs[1], made.runs[2]
    lower.x0, lower.x1 = upper.x0, upper.x1 + 4
    assert finished(line_text(made)).text == "of Ag₃⁺ and"


def test_one_raised_run_may_lie_under_two_links() -> None:
    made = mixed(("of RuNNer", "on"), ("59–61", "up"), (".", "on"))
    raised = made.runs[1]
    third = (raised.x1 - raised.x0) / 3
    boxes = [(raised.x0, 90.0, raised.x0 + third, 100.0), (raised.x1 - third, 90.0, raised.x1, 100.0)]
    marked = finished(line_text(made, Anchors([], [Hyperlink(box, "") for box in boxes], citing=True)))
    assert marked.text == "of RuNNer."
    assert [number for number, _ in marked.citations] == [59, 60, 61]
