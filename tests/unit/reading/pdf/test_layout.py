"""Reading order, running heads, captions and the places of tables."""

from __future__ import annotations

import pytest

from nature_gym.reading.pdf.layout import floats_of, in_order, rules_of, styles_of, take_furniture
from nature_gym.reading.pdf.page import Line, Page, Run
from tests.unit.reading.pdf.lines import line, page

LEFT, RIGHT, WIDTH = 43.0, 304.0, 248.0


def column(name: str, x: float, count: int, top: float = 100.0, width: float = WIDTH) -> list[Line]:
    """Full lines of text."""
    return [
        line(f"{name}{index} and more words of running text", x, top + 11 * index, width=width)
        for index in range(count)
    ]


def names(columns: list[list[Line]]) -> list[str]:
    return [entry.plain.split()[0] for lines in columns for entry in lines]


def test_two_columns_are_read_one_after_the_other() -> None:
    lines = column("l", LEFT, 10) + column("r", RIGHT, 10)
    mingled = [entry for pair in zip(lines[:10], lines[10:], strict=True) for entry in pair]
    assert names(in_order(mingled, page(mingled))) == [f"l{i}" for i in range(10)] + [f"r{i}" for i in range(10)]


def test_a_line_over_both_columns_ends_what_stands_above_it() -> None:
    wide = line("wide title over both columns", LEFT, 160, width=509)
    lines = (
        column("a", LEFT, 4) + column("b", RIGHT, 4) + [wide] + column("c", LEFT, 4, 180) + column("d", RIGHT, 4, 180)
    )
    found = names(in_order(lines, page(lines)))
    assert found == [
        "a0",
        "a1",
        "a2",
        "a3",
        "b0",
        "b1",
        "b2",
        "b3",
        "wide",
        *(f"c{i}" for i in range(4)),
        *(f"d{i}" for i in range(4)),
    ]


def test_one_column_and_three_columns_are_told_apart() -> None:
    single = column("s", LEFT, 8, width=500)
    assert names(in_order(single, page(single))) == [f"s{i}" for i in range(8)]
    three = column("a", 40, 8, width=160) + column("b", 215, 8, width=160) + column("c", 390, 8, width=160)
    assert names(in_order(list(reversed(three)), page(three))) == [f"{n}{i}" for n in "abc" for i in range(8)]


def test_numbers_of_a_list_are_no_column() -> None:
    entries = column("entry", RIGHT + 18, 10, width=230)
    numbers = [line(f"{i + 1}.", RIGHT, 100 + 11 * i) for i in range(10)]
    lines = column("l", LEFT, 10) + numbers + entries
    order = names(in_order(lines, page(lines)))
    assert order[10:14] == ["1.", "entry0", "2.", "entry1"]


def pages_with_heads() -> list[Page]:
    return [
        page(
            [
                line("ARTICLE", LEFT, 30),
                line(f"{number + 1}", 550, 770),
                line(f"NATURE METHODS | VOL 20 | page {number}", LEFT, 770),
                *column("t", LEFT, 5),
                line("Results", LEFT, 200, strong=True),
            ],
            number=number,
        )
        for number in range(4)
    ]


def test_running_heads_and_page_numbers_go_and_texts_stay() -> None:
    pages = pages_with_heads()
    taken = take_furniture(pages)
    assert all(
        [entry.plain.split()[0] for entry in each.lines] == ["t0", "t1", "t2", "t3", "t4", "Results"] for each in pages
    )
    assert len(taken) == 12


def table_page() -> Page:
    """A table with lines across only, under its caption, over a note and a paragraph in the same width."""
    rules = [(LEFT, y, LEFT + WIDTH, y + 0.5) for y in (112.0, 126.0, 152.0)]
    cells = [
        line(text, x, y, size=7.5)
        for y, row in ((122, ("Method", "F1")), (136, ("ours", "0.91")), (148, ("theirs", "0.87")))
        for text, x in zip(row, (LEFT + 3, LEFT + 180), strict=True)
    ]
    caption = line("Table 1 | Scores on the test set", LEFT, 106, size=7.5, strong=True)
    note = line("Means of five runs.", LEFT, 160, size=6.5)
    return page([caption, *cells, note, *column("p", LEFT, 12, 200), *column("q", RIGHT, 30)], rules)


def test_a_table_ends_with_its_last_line_and_its_note_is_a_note() -> None:
    made = table_page()
    (table,) = floats_of(made, styles_of([made]))
    assert table.label == "Table 1"
    assert [entry.plain for entry in table.lines] == ["Method", "F1", "ours", "0.91", "theirs", "0.87"]
    assert [entry.plain for entry in table.notes] == ["Means of five runs."]
    assert {entry.plain[0] for entry in made.lines} == {"p", "q"}


def test_a_caption_below_its_table_finds_the_table_above() -> None:
    rules = [(LEFT, y, LEFT + WIDTH, y + 0.5) for y in (112.0, 126.0, 152.0)]
    cells = [
        line(text, x, y, size=7.5)
        for y, row in ((122, "ab"), (140, "12"))
        for text, x in zip(row, (50, 200), strict=True)
    ]
    caption = line("Table 2. ", LEFT, 168, strong=True)
    made = page([*cells, caption, line("Sizes.", 90, 168), *column("p", LEFT, 12, 220), *column("q", RIGHT, 30)], rules)
    (table,) = floats_of(made, styles_of([made]))
    assert sorted(entry.plain for entry in table.lines) == ["1", "2", "a", "b"]


def test_a_mention_of_a_table_at_the_beginning_of_a_line_is_no_caption() -> None:
    made = page(
        [*column("p", LEFT, 6), line("Table 2) is unattainable without more words of text", LEFT, 170, width=WIDTH)]
    )
    assert floats_of(made, styles_of([made])) == []


def test_labels_of_a_figure_leave_the_text_and_the_paragraph_above_stays() -> None:
    labels = [line("0.5", 60, 200, size=6), line("Accuracy (%)", 120, 260, size=6)]
    caption = line("Fig. 1 | Accuracy by size.", LEFT, 300, size=7.2, strong=True)
    made = page([*column("p", LEFT, 6), *labels, caption, *column("s", LEFT, 6, 330), *column("q", RIGHT, 30)])
    (figure,) = floats_of(made, styles_of([made]))
    assert [entry.plain for entry in figure.lines] == ["0.5", "Accuracy (%)"]
    assert {entry.plain[0] for entry in made.lines} == {"p", "s", "q"}
    assert figure.box[1] >= 155
    assert figure.box[2] < RIGHT


def test_pieces_of_a_ruled_line_are_one_line() -> None:
    (rule,) = rules_of(page([], [(40.0, 100.0, 120.0, 100.5), (120.0, 100.2, 290.0, 100.7)]))
    assert (rule.x0, rule.x1) == (40.0, 290.0)


def test_a_box_framed_by_four_lines_takes_its_text_and_leaves_the_article_s() -> None:
    frame = [
        (LEFT - 5, 98.0, LEFT - 4.5, 300.0), (550.0, 98.0, 550.5, 300.0),
        (LEFT - 5, 98.0, 550.5, 98.5), (LEFT - 5, 299.5, 550.5, 300.0),
    ]  # fmt: skip
    caption = line("Box 1 | How it works", LEFT, 110, strong=True)
    made = page([caption, *column("b", LEFT, 8, 140), *column("p", LEFT, 20, 330), *column("q", RIGHT, 20, 330)], frame)
    (box,) = floats_of(made, styles_of([made]))
    assert (box.what, box.label) == ("box", "Box 1")
    assert {entry.plain[0] for entry in box.lines} == {"b"}
    assert {entry.plain[0] for entry in made.lines} == {"p", "q"}


def test_a_font_that_does_nothing_but_lead_paragraphs_is_strong() -> None:
    def led(title: str, y: float) -> Line:
        whole = line(f"{title}. It goes on", LEFT, y)
        lead = Run(title, LEFT, 90, y, 9, "Odd", False, False)
        rest = Run(". It goes on", 90, 280, y, 9, "Serif", False, False)
        return Line([lead, rest], *whole.box, 0, 0).settle()

    text = [*column("p", LEFT, 40), *column("q", RIGHT, 40)]
    assert "Odd" in styles_of([page([*text, led("Carbon storage", 560), led("Fisheries", 600)])]).strong
    assert "Odd" not in styles_of([page([*text, led("Carbon storage", 560)])]).strong
    often = [line("set in the odd font all over the page", RIGHT, 560 + 11 * i, font="Odd") for i in range(10)]
    assert "Odd" not in styles_of([page([*text, led("Carbon storage", 560), led("Fisheries", 600), *often])]).strong


@pytest.mark.parametrize(("left", "right"), [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_a_figure_that_leaves_a_column_few_lines_leaves_it_a_column(left: float, right: float) -> None:
    few, many = column("few", left, 3), column("many", right, 48)
    mingled = sorted(few + many, key=lambda entry: (entry.y0, entry.x0))
    both = [f"few{i}" for i in range(3)], [f"many{i}" for i in range(48)]
    first, second = both if left < right else reversed(both)
    assert names(in_order(mingled, page(mingled))) == first + second
