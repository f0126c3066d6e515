"""Tables as grids: spans are repeated into the cells that they cover, every row gets the same length.

The grid is made of cells that a reader of markup has read already; nothing here knows HTML or JATS.
"""

from __future__ import annotations

from dataclasses import dataclass

from nature_gym.reading.document import Table

PICTURE = "[picture]"
"""Stands in a cell that holds nothing but a picture, a tick perhaps: empty it is not."""

MAX_CELLS = 200_000
_MAX_SPAN = 1_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is written: its text, the columns and rows that it covers, whether it is a heading or bold."""

    text: str
    columns: int = 1
    rows: int = 1
    heading: bool = False
    bold: bool = False


def span(value: str | None) -> int:
    """A ``colspan`` or ``rowspan`` as browsers take it: 1 where it makes no sense.

    >>> span("3"), span(""), span("-1"), span("10000000")
    (3, 1, 1, 1000)
    """
    if not value:
        return 1
    text = value.strip()
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        return 1
    return min(max(int(text), 1), _MAX_SPAN)


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in place."""

    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    bold: frozenset[tuple[int, int]]
    cut: bool = False
    """There were more cells than anybody would print; the rest is not here."""


def grid(rows: list[list[Cell]], head: int = 0) -> Grid:
    """Put cells into place. ``head`` is how many of the rows are marked as the table's head.

    Where none is, leading rows that consist of headings only are the head, unless the whole table does.
    """
    places: dict[tuple[int, int], Cell] = {}
    cut = False
    for at, row in enumerate(rows):
        column = 0
        for cell in row:
            while (at, column) in places:
                column += 1
            height = min(cell.rows, len(rows) - at)
            if len(places) + cell.columns * height > MAX_CELLS:
                cut = True
                break
            for i in range(at, at + height):
                for j in range(column, column + cell.columns):
                    places.setdefault((i, j), cell)
            column += cell.columns
        if cut:
            break
    width = max((column for _, column in places), default=-1) + 1
    height = max((row for row, _ in places), default=-1) + 1
    if width * height > 2 * MAX_CELLS:
        width, cut = max(1, 2 * MAX_CELLS // height), True
    empty = Cell("")
    filled = [[places.get((i, j), empty) for j in range(width)] for i in range(height)]
    header_rows = min(head, height) if head else _leading_headings(filled)
    bold = frozenset((i, j) for (i, j), cell in places.items() if cell.bold and j < width)
    return Grid(tuple(tuple(cell.text for cell in row) for row in filled), header_rows, bold, cut)


def _leading_headings(rows: list[list[Cell]]) -> int:
    count = 0
    for row in rows:
        if not all(cell.heading or not cell.text for cell in row) or not any(cell.heading for cell in row):
            break
        count += 1
    return count if count < len(rows) else 0


def stacked(grids: list[Grid]) -> Grid:
    """Parts of one table under each other, as some articles split them. The first part's head counts."""
    if len(grids) == 1:
        return grids[0]
    width = max((len(row) for part in grids for row in part.rows), default=0)
    rows: list[tuple[str, ...]] = []
    bold: set[tuple[int, int]] = set()
    for part in grids:
        bold |= {(len(rows) + i, j) for i, j in part.bold}
        rows += [row + ("",) * (width - len(row)) for row in part.rows]
    return Grid(tuple(rows), grids[0].header_rows if grids else 0, frozenset(bold), any(part.cut for part in grids))


def as_table(made: Grid, *, label: str, caption: str, notes: str = "", section: int | None = None) -> Table:
    """A grid with what stands round it."""
    return Table(
        label=label,
        caption=caption,
        rows=made.rows,
        header_rows=made.header_rows,
        notes=notes,
        section=section,
        bold=made.bold,
    )
