from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.tables import MAX_CELLS, Cell, grid, span, stacked


def test_spans_are_repeated_into_each_cell_they_cover() -> None:
    made = grid(
        [
            [Cell("Method", rows=2), Cell("Test", columns=2)],
            [Cell("a"), Cell("b")],
            [Cell("x"), Cell("1"), Cell("2")],
        ],
        2,
    )
    assert made.rows == (("Method", "Test", "Test"), ("Method", "a", "b"), ("x", "1", "2"))
    assert made.header_rows == 2


def test_short_rows_are_filled_up() -> None:
    assert grid([[Cell("a"), Cell("b")], [Cell("c")]]).rows == (("a", "b"), ("c", ""))


def test_leading_rows_of_headings_are_the_head_where_nothing_says_so() -> None:
    rows = [[Cell("a", heading=True), Cell("b", heading=True)], [Cell("c", heading=True), Cell("1")]]
    assert grid(rows).header_rows == 1


def test_a_row_span_ends_with_the_table() -> None:
    assert grid([[Cell("a", rows=65_534), Cell("b")]]).rows == (("a", "b"),)


def test_a_table_larger_than_any_is_cut_and_says_so() -> None:
    made = grid([[Cell("x", columns=1000) for _ in range(100)] for _ in range(100)])
    assert made.cut
    assert sum(map(len, made.rows)) <= 2 * MAX_CELLS


def test_bold_cells_are_placed_after_spans() -> None:
    made = grid([[Cell("a", columns=2), Cell("b", bold=True)]])
    assert made.bold == {(0, 2)}


def test_parts_of_one_table_go_under_each_other() -> None:
    first = grid([[Cell("h")], [Cell("1", bold=True)]], 1)
    second = grid([[Cell("2"), Cell("3", bold=True)]])
    made = stacked([first, second])
    assert made.rows == (("h", ""), ("1", ""), ("2", "3"))
    assert made.header_rows == 1
    assert made.bold == {(1, 0), (2, 1)}


@given(
    st.lists(
        st.lists(st.builds(Cell, st.text(max_size=3), st.integers(1, 4), st.integers(1, 4)), max_size=5), max_size=6
    )
)
def test_every_row_has_the_same_length(rows: list[list[Cell]]) -> None:
    made = grid(rows)
    assert len({len(row) for row in made.rows}) <= 1
    written = {cell for row in made.rows for cell in row}
    assert written <= {cell.text for row in rows for cell in row} | {""}


@given(st.text(max_size=12))
def test_any_span_is_a_sensible_number(value: str) -> None:
    assert 1 <= span(value) <= 1000
