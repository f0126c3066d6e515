"""Grids from words: columns, rows of several lines, headings over several columns, boxes that span."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nature_gym.reading.pdf.grids import Grid, Writer, read_grid
from nature_gym.reading.pdf.layout import Rule, Upright
from nature_gym.reading.pdf.page import Line
from nature_gym.reading.pdf.wording import Hyphens
from tests.unit.reading.pdf.lines import line

BOX = (40.0, 90.0, 500.0, 300.0)
SIZE = 7.0


def words(text: str, x: float, y: float, *, strong: bool = False) -> list[Line]:
    """A cell's words; a space is a quarter as wide as the letters are high."""
    made: list[Line] = []
    for word in text.split():
        made.append(line(word, x, y, size=SIZE, strong=strong))
        x = made[-1].x1 + 0.25 * SIZE
    return made


def centred(text: str, middle: float, y: float, *, strong: bool = False) -> list[Line]:
    width = words(text, 0, y)[-1].x1
    return words(text, middle - width / 2, y, strong=strong)


def across(*ys: float) -> list[Rule]:
    return [Rule(y, BOX[0], BOX[2]) for y in ys]


def read(found: list[Line], rules: list[Rule], uprights: list[Upright] | None = None) -> Grid:
    box = (BOX[0], min(rule.y for rule in rules), BOX[2], max(rule.y for rule in rules))
    return read_grid(found, rules, uprights or [], box, Writer(Hyphens([])))


def test_signs_exponents_deviations_and_gaps_stay_in_their_cells() -> None:
    found = [
        *words("Method", 42, 100), *centred("Error", 200, 100), *centred("Gain", 300, 100),
        *words("Ours (full)", 42, 115), *centred("−0.12 ± 0.03", 200, 115, strong=True), *centred("1,024", 300, 115),
        *words("Theirs", 42, 130), *centred("—", 200, 130), *centred("<0.001", 300, 130),
    ]  # fmt: skip
    grid = read(found, across(92, 104, 138))
    assert grid.rows == [
        ["Method", "Error", "Gain"],
        ["Ours (full)", "−0.12 ± 0.03", "1,024"],
        ["Theirs", "—", "<0.001"],
    ]
    assert grid.header_rows == 1
    assert grid.bold == {(1, 1)}


def test_a_heading_over_two_columns_is_repeated_in_both() -> None:
    found = [
        *words("Method", 42, 100), *centred("Test", 250, 100), *centred("F1", 200, 112), *centred("AUROC", 300, 112),
        *words("a", 42, 130), *centred("0.5", 200, 130), *centred("0.6", 300, 130),
        *words("b", 42, 145), *centred("0.7", 200, 145), *centred("0.8", 300, 145),
    ]  # fmt: skip
    grid = read(found, [*across(92, 118, 150), Rule(103, 180, 330)])
    assert grid.rows[:2] == [["Method", "Test", "Test"], ["", "F1", "AUROC"]]
    assert grid.header_rows == 2


def test_headings_side_by_side_over_one_line_share_its_columns() -> None:
    found = [
        *centred("Near", 200, 100), *centred("Far", 400, 100),
        *(word for x, text in ((150, "F1"), (250, "IoU"), (350, "F1"), (450, "IoU")) for word in centred(text, x, 112)),
        *words("a", 42, 130), *(word for x in (150, 250, 350, 450) for word in centred("0.5", x, 130)),
    ]  # fmt: skip
    grid = read(found, [*across(92, 118, 140), Rule(103, 130, 480)])
    assert grid.rows[0] == ["", "Near", "Near", "Far", "Far"]


def test_lines_of_one_cell_are_put_together_where_rows_are_ruled() -> None:
    found = [
        *words("Name", 42, 100), *words("Meaning", 200, 100),
        *words("first", 42, 118), *words("a text of two", 200, 115), *words("lines", 200, 123),
        *words("second", 42, 140), *words("another", 200, 140),
    ]  # fmt: skip
    grid = read(found, across(92, 105, 128, 146))
    assert grid.rows[1:] == [["first", "a text of two lines"], ["second", "another"]]


def test_rows_set_close_go_on_where_nothing_is_ruled() -> None:
    found = [
        *words("Third-person plural", 42, 120), *words("They", 200, 120), *words("LIWC", 300, 120),
        *words("pronouns", 42, 128),
        *words("Past", 42, 140), *words("Past", 200, 140), *words("LIWC", 300, 140),
        *words("Future", 42, 152), *words("Future", 200, 152), *words("LIWC", 300, 152),
    ]  # fmt: skip
    grid = read(found, across(110, 160))
    assert [row[0] for row in grid.rows] == ["Third-person plural pronouns", "Past", "Future"]


def test_boxes_that_span_rows_are_repeated_in_each() -> None:
    uprights = [Upright(x, 90, 150) for x in (40.0, 150.0, 300.0, 500.0)]
    rules = [*across(90, 110, 150), Rule(130, 150, 500)]
    found = [
        *words("Group", 42, 102, strong=True), *words("Node", 160, 102, strong=True),
        *words("Set", 310, 102, strong=True), *words("misc", 42, 132), *words("east", 160, 122), *words("S", 310, 122),
        *words("west", 160, 142), *words("P", 310, 142),
    ]  # fmt: skip
    grid = read(found, rules, uprights)
    assert grid.rows == [["Group", "Node", "Set"], ["misc", "east", "S"], ["misc", "west", "P"]]
    assert grid.header_rows == 1


def test_strokes_of_a_drawing_in_a_cell_make_no_columns() -> None:
    uprights = [*(Upright(x, 90, 150) for x in (40.0, 250.0, 500.0)), Upright(90, 96, 104), Upright(120, 97, 103)]
    found = [*words("molecule", 42, 102), *words("1.7", 300, 102), *words("water", 42, 132), *words("0.15", 300, 132)]
    assert read(found, across(90, 120, 150), uprights).rows == [["molecule", "1.7"], ["water", "0.15"]]


NUMBERS = st.lists(
    st.lists(
        st.from_regex(r"[−<]?[0-9]{1,3}(\.[0-9]{1,3})?( ± 0\.[0-9]{1,2})?", fullmatch=True), min_size=3, max_size=3
    ),
    min_size=1,
    max_size=6,
)


@settings(deadline=None)
@given(NUMBERS, st.booleans())
def test_every_number_is_read_as_it_stands_in_the_cell_it_stands_in(rows: list[list[str]], ruled: bool) -> None:
    found = [*words("Method", 42, 100), *(word for x in (200, 300, 400) for word in centred("F1", x, 100))]
    ys = [118 + 13 * index for index in range(len(rows))]
    for y, row in zip(ys, rows, strict=True):
        found += [
            *words("some method", 42, y),
            *(word for x, cell in zip((200, 300, 400), row, strict=True) for word in centred(cell, x, y)),
        ]
    between = [y + 4 for y in ys[:-1]] if ruled else []
    grid = read(found, across(92, 106, *between, ys[-1] + 5))
    assert [row[1:] for row in grid.rows[1:]] == rows
