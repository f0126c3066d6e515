"""A table's grid from its words and lines.

The one idea: words close to each other are a cell's, columns are where the cells of the full rows stand, rows are
baselines, and ruled lines overrule both. Where a table is ruled both ways its cells are the boxes between the lines.
Nothing is made up: every word lands in a cell, and a cell's text is its words.
"""

from __future__ import annotations

import itertools
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nature_gym.reading.pdf.layout import Rule, Upright
from nature_gym.reading.pdf.page import Box, Line, overlap
from nature_gym.reading.pdf.wording import NO_ANCHORS, Anchors, Hyphens, finished, line_text

Rows = list[list[str]]
_NUMBER = re.compile(r"[<>≤≥~≈(−+–-]?\d")


@dataclass(slots=True)
class Chunk:
    """Words of one cell at one height."""

    words: list[Line]
    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def size(self) -> float:
        return self.words[0].size


@dataclass(slots=True)
class Row:
    """What stands at one height."""

    baseline: float
    chunks: list[Chunk]


@dataclass(slots=True)
class Grid:
    """Cells as texts, how many rows are headings, which cells are bold."""

    rows: Rows = field(default_factory=list)
    header_rows: int = 0
    bold: set[tuple[int, int]] = field(default_factory=set)


Cell = list[list[Line]]
"""A cell's words, line by line."""


class Writer:
    """Writes cells as texts."""

    def __init__(
        self, hyphens: Hyphens, anchors: Anchors = NO_ANCHORS, is_bold: Callable[[Line], bool] | None = None
    ) -> None:
        self.hyphens = hyphens
        self.anchors = anchors
        self.is_bold = is_bold or (lambda word: word.strong)

    def text(self, cell: Cell) -> str:
        text = ""
        for words in cell:
            line = " ".join(line_text(word, self.anchors) for word in words)
            text = self.hyphens.join(text, line) if text else line
        return finished(text).text

    def bold(self, cell: Cell) -> bool:
        words = [word for line in cell for word in line if any(map(str.isalnum, word.plain))]
        return bool(words) and all(map(self.is_bold, words))

    def grid(self, cells: Sequence[Sequence[Cell]], header_rows: int) -> Grid:
        rows = [[self.text(cell) for cell in row] for row in cells]
        kept = [index for index, row in enumerate(rows) if any(row)]
        bold = {
            (place, column)
            for place, index in enumerate(kept)
            for column, cell in enumerate(cells[index])
            if self.bold(cell)
        }
        header = sum(index < header_rows for index in kept)
        return Grid([rows[index] for index in kept], header, bold)


def read_grid(
    words: Sequence[Line], rules: Sequence[Rule], uprights: Sequence[Upright], box: Box, writer: Writer
) -> Grid:
    """The grid of the table in ``box``."""
    if not words:
        return Grid()
    inner = [
        line
        for line in uprights
        if box[0] + 4 < line.x < box[2] - 4 and overlap(line.y0, line.y1, box[1], box[3]) > 0.3 * (box[3] - box[1])
    ]
    if inner:
        return _boxed(words, rules, uprights, box, writer)
    return _open(words, rules, box, writer)


# -- ruled both ways ---------------------------------------------------------------------------


def _boxed(words: Sequence[Line], rules: Sequence[Rule], uprights: Sequence[Upright], box: Box, writer: Writer) -> Grid:
    ends = [rule.y for rule in rules]
    near = [
        line
        for line in uprights
        if box[0] - 3 < line.x < box[2] + 3
        and overlap(line.y0, line.y1, box[1], box[3]) > 3
        and all(any(abs(end - y) < 3 for y in ends) for end in (line.y0, line.y1))
    ]
    xs = _distinct([box[0], *(line.x for line in near), box[2]])
    hard = [rule for rule in rules if all(any(abs(end - x) < 3 for x in xs) for end in (rule.x0, rule.x1))]
    ys = _distinct([*(rule.y for rule in hard)] or [box[1], box[3]])
    columns, lines = len(xs) - 1, len(ys) - 1
    if columns < 1 or lines < 1:
        return Grid()

    def closed_below(row: int, column: int) -> bool:
        x = (xs[column] + xs[column + 1]) / 2
        return any(abs(rule.y - ys[row + 1]) < 1.5 and rule.x0 - 1 < x < rule.x1 + 1 for rule in hard)

    def closed_right(row: int, column: int) -> bool:
        y = (ys[row] + ys[row + 1]) / 2
        return any(abs(line.x - xs[column + 1]) < 1.5 and line.y0 - 1 < y < line.y1 + 1 for line in near)

    owner = {(row, column): (row, column) for row in range(lines) for column in range(columns)}
    for row in range(lines):
        for column in range(columns):
            if column and not closed_right(row, column - 1):
                owner[row, column] = owner[row, column - 1]
            elif row and not closed_below(row - 1, column):
                owner[row, column] = owner[row - 1, column]
    held: dict[tuple[int, int], list[Line]] = {}
    for word in words:
        row, column = _slot(ys, (word.y0 + word.y1) / 2), _slot(xs, (word.x0 + word.x1) / 2)
        held.setdefault(owner[row, column], []).append(word)
    # A column that is nowhere closed on its left, or hardly ever, is no column but a stroke of a drawing.
    wide = [
        column
        for column in range(columns)
        if not column or sum(owner[row, column] == owner[row, column - 1] for row in range(lines)) < 0.6 * lines
    ]
    cells = [[_lines(held.get(owner[row, column], [])) for column in wide] for row in range(lines)]
    header = 1 if cells and all(not cell or writer.bold(cell) for cell in cells[0]) else 0
    return writer.grid(cells, header)


def _distinct(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > 3:
            kept.append(value)
    return kept


def _slot(edges: Sequence[float], value: float) -> int:
    return max(0, min(len(edges) - 2, sum(edge <= value for edge in edges) - 1))


def _lines(words: Sequence[Line]) -> Cell:
    lines: Cell = []
    for word in sorted(words, key=lambda word: word.baseline):
        if lines and abs(word.baseline - lines[-1][0].baseline) < 0.45 * word.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.x0) for line in lines]


# -- ruled across only, or not at all ----------------------------------------------------------


def _open(words: Sequence[Line], rules: Sequence[Rule], box: Box, writer: Writer) -> Grid:
    rows = _baselines(words)
    width = box[2] - box[0]
    full = sorted({round(rule.y, 1) for rule in rules if rule.x1 - rule.x0 > 0.85 * width})
    full = [y for index, y in enumerate(full) if index == 0 or y - full[index - 1] > 1.5]
    partial = [rule for rule in rules if rule.x1 - rule.x0 <= 0.85 * width]
    bands = _in_bands(rows, full)
    head = _head_bands(bands, rows, writer)
    body = [row for band in bands[head:] for row in band]
    columns = _columns(body or rows, rows[: len(rows) - len(body)])
    cells: list[list[Cell]] = []
    if head:
        cells += _head_cells([row for band in bands[:head] for row in band], columns, partial)
    header_rows = len(cells)
    ruled = len(bands) - head > 1
    for band in bands[head:]:
        cells += _body_cells(band, columns, ruled=ruled)
    return writer.grid(cells, header_rows)


def _baselines(words: Sequence[Line]) -> list[Row]:
    rows: list[list[Line]] = []
    for word in sorted(words, key=lambda word: word.baseline):
        if rows and abs(word.baseline - statistics.fmean(other.baseline for other in rows[-1])) < 0.35 * word.size:
            rows[-1].append(word)
        else:
            rows.append([word])
    return [Row(row[0].baseline, _chunks(row)) for row in rows]


def _chunks(words: list[Line]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for word in sorted(words, key=lambda word: word.x0):
        if chunks and word.x0 - chunks[-1].x1 < 0.55 * word.size:
            chunks[-1].words.append(word)
            chunks[-1].x1 = max(chunks[-1].x1, word.x1)
        else:
            chunks.append(Chunk([word], word.x0, word.x1))
    return chunks


def _in_bands(rows: Sequence[Row], ys: Sequence[float]) -> list[list[Row]]:
    bands: dict[int, list[Row]] = {}
    for row in rows:
        bands.setdefault(sum(y < row.baseline - 0.3 * row.chunks[0].size for y in ys), []).append(row)
    return [bands[key] for key in sorted(bands)]


def _head_bands(bands: Sequence[Sequence[Row]], rows: Sequence[Row], writer: Writer) -> int:
    """How many bands are headings: that above the first line with text over it, where it looks like one."""
    if len(bands) < 2:
        return 0
    first = bands[0]
    if len(bands) == 2 and len(first) >= len(bands[1]) and len(rows) > 4 and not _looks_bold(first, writer):
        return 0
    return 1


def _looks_bold(band: Sequence[Row], writer: Writer) -> bool:
    return all(writer.bold([chunk.words]) for row in band for chunk in row.chunks)


def _columns(body: Sequence[Row], above: Sequence[Row]) -> list[tuple[float, float]]:
    """The columns' extents: where the cells of the fuller rows stand."""
    most = max(len(row.chunks) for row in body)
    full = [row for row in body if len(row.chunks) >= max(2, 0.6 * most)] or list(body)
    chunks = [chunk for row in full for chunk in row.chunks]
    columns = _merged([(chunk.x0, chunk.x1) for chunk in chunks])
    if len(columns) < most:
        columns = _without_bridges(full, most) or columns
    # A column whose cells are all empty in the fuller rows is known by its heading and by lone cells.
    others = [chunk for row in (*body, *above[-1:]) for chunk in row.chunks]
    for chunk in others:
        if all(overlap(chunk.x0, chunk.x1, *column) < -0.2 * chunk.size for column in columns):
            columns = sorted([*columns, (chunk.x0, chunk.x1)])
    return columns


def _merged(extents: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    columns: list[tuple[float, float]] = []
    for x0, x1 in sorted(extents):
        if columns and x0 < columns[-1][1] + 0.5:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _without_bridges(rows: Sequence[Row], most: int) -> list[tuple[float, float]]:
    """Columns of the rows that have all cells, where a cell of another row spans several."""
    fullest = [row for row in rows if len(row.chunks) == most]
    columns = _merged([(chunk.x0, chunk.x1) for row in fullest for chunk in row.chunks])
    return columns if len(columns) == most else []


def _home(chunk: Chunk, columns: Sequence[tuple[float, float]]) -> int:
    """The column that a cell stands in."""
    return max(
        range(len(columns)),
        key=lambda index: (
            overlap(chunk.x0, chunk.x1, *columns[index]),
            -abs(chunk.middle - sum(columns[index]) / 2),
        ),
    )


def _head_cells(
    rows: Sequence[Row], columns: Sequence[tuple[float, float]], partial: Sequence[Rule]
) -> list[list[Cell]]:
    """Heading rows: cells over several columns are repeated in each, lines of one cell are put together."""
    groups: list[list[Row]] = []
    for row in rows:
        ruled = groups and any(groups[-1][-1].baseline - 1 < rule.y < row.baseline for rule in partial)
        spanned = groups and any(
            len(_span(chunk, groups[-1][-1], columns, partial)) > 1 for chunk in groups[-1][-1].chunks
        )
        if groups and not ruled and not spanned:
            groups[-1].append(row)
        else:
            groups.append([row])
    cells: list[list[Cell]] = []
    for group in groups:
        slots: list[list[Line]] = [[] for _ in columns]
        for row in group:
            for chunk in row.chunks:
                for column in _span(chunk, row, columns, partial):
                    slots[column] += chunk.words
        cells.append([_lines(slot) for slot in slots])
    return cells


def _span(chunk: Chunk, row: Row, columns: Sequence[tuple[float, float]], partial: Sequence[Rule]) -> list[int]:
    """The columns that a heading stands over: those of the line right under it, else those that it touches."""
    under = [
        rule
        for rule in partial
        if 0 < rule.y - row.baseline < 1.2 * chunk.size and overlap(rule.x0, rule.x1, chunk.x0, chunk.x1) > 0
    ]
    if under:
        rule = min(under, key=lambda rule: rule.y)
        over = [index for index, (x0, x1) in enumerate(columns) if rule.x0 - 2 <= (x0 + x1) / 2 <= rule.x1 + 2]
        if over:
            beside = [other for other in row.chunks if overlap(rule.x0, rule.x1, other.x0, other.x1) > 0]
            return _share(chunk, beside, over, columns)
    touched = [
        index
        for index, (x0, x1) in enumerate(columns)
        if overlap(chunk.x0, chunk.x1, x0, x1) > 0.25 * min(x1 - x0, chunk.x1 - chunk.x0)
    ]
    if len(touched) > 1 and all(
        not (overlap(other.x0, other.x1, *columns[index]) > 0)
        for index in touched
        for other in row.chunks
        if other is not chunk
    ):
        return touched
    return [_home(chunk, columns)]


def _share(chunk: Chunk, beside: Sequence[Chunk], over: list[int], columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns of one of several headings over a line: each stands over the middle of its own."""
    if len(beside) < 2 or len(over) < len(beside) or len(over) > 24:
        return over if len(beside) < 2 else [_home(chunk, columns)]
    ordered = sorted(beside, key=lambda other: other.x0)

    def miss(cuts: tuple[int, ...]) -> float:
        edges = [0, *cuts, len(over)]
        return sum(
            abs(other.middle - (columns[over[start]][0] + columns[over[stop - 1]][1]) / 2)
            for other, start, stop in zip(ordered, edges, edges[1:], strict=False)
        )

    ways = itertools.islice(itertools.combinations(range(1, len(over)), len(ordered) - 1), 20_000)
    best = min(ways, key=miss)
    edges = [0, *best, len(over)]
    place = next(index for index, other in enumerate(ordered) if other is chunk)
    return over[edges[place] : edges[place + 1]]


def _body_cells(band: Sequence[Row], columns: Sequence[tuple[float, float]], *, ruled: bool) -> list[list[Cell]]:
    """The rows of a band between two lines: one where its cells have lines of their own, else one a baseline."""
    filled: list[list[int]] = [[] for _ in columns]
    for index, row in enumerate(band):
        for chunk in row.chunks:
            home = filled[_home(chunk, columns)]
            if not home or home[-1] != index:
                home.append(index)
    counts = [len(found) for found in filled if found]
    numbers = any(_NUMBER.match(chunk.words[0].plain) for row in band for chunk in row.chunks if len(chunk.words) < 4)
    together = ruled and len(band) > 1 and (statistics.median(counts) < 2 or not numbers)
    rows: list[list[Row]] = [list(band)] if together else _rows_by_pitch(band, columns)
    cells: list[list[Cell]] = []
    for group in rows:
        slots: list[list[Line]] = [[] for _ in columns]
        for row in group:
            for chunk in row.chunks:
                slots[_home(chunk, columns)] += chunk.words
        cells.append([_lines(slot) for slot in slots])
    return cells


def _rows_by_pitch(band: Sequence[Row], columns: Sequence[tuple[float, float]]) -> list[list[Row]]:
    """Rows of a band without lines: a row set closer than the others, with few cells, goes on with that above."""
    gaps = [second.baseline - first.baseline for first, second in itertools.pairwise(band)]
    groups = [[band[0]]]
    pitch = max(gaps, default=0.0)
    tight = min(gaps, default=0.0)
    for row, gap in zip(band[1:], gaps, strict=True):
        size = row.chunks[0].size
        closer = tight < 0.85 * pitch and gap < (tight + pitch) / 2 and gap < 1.35 * size
        homes = {_home(chunk, columns) for chunk in row.chunks}
        above = {_home(chunk, columns) for chunk in groups[-1][0].chunks}
        if closer and len(row.chunks) <= max(1, len(columns) // 2) and homes <= above:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups
