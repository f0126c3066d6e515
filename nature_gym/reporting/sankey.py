"""The funnel as a drawing: a stream that runs down and narrows, and at each step what leaves it to the right.

The idea: a step is a row. The stream's width is its number of papers, in one scale for all, and what leaves takes with
it the right edge of the stream, the outermost first, so no two bands cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from nature_gym.reporting.life import COMMANDS, Standing, Step

STREAM_AT, STREAM = 220, 230
"""Where the stream begins, and its width for all papers, in pixels."""
ENDS_AT, END = 600, 12
LABEL_AT = ENDS_AT + END + 10
WIDTH = 1060
MOST_ENDS = 6
LINE, GAP, TOP, HEAD = 19, 8, 12, 46
THIN = 1.0
"""The least thickness of a band, in pixels: one paper of thousands is seen."""


@dataclass(frozen=True, slots=True)
class End:
    """What leaves at a step: its band and the bar that it ends in; ``link`` leads to its papers, '' where to none."""

    kind: str
    label: str
    count: int
    band: str
    x: int
    y: float
    height: float
    text_x: int
    text_y: float
    link: str


@dataclass(frozen=True, slots=True)
class Row:
    """A step: its name and number, and the piece of stream below it."""

    title: str
    came: int
    y: float
    stream: str
    ends: tuple[End, ...]
    mill: str
    """The width of the stream at its head, as a line (an SVG path)."""


@dataclass(frozen=True, slots=True)
class Sankey:
    """The whole drawing."""

    width: int
    height: float
    rows: tuple[Row, ...]


def sankey(steps: Sequence[Step]) -> Sankey:
    """The drawing of all steps that a paper came to; the first of those that none came to is the last one drawn."""
    total = steps[0].came if steps else 0
    rows: list[Row] = []
    y = float(TOP)
    for step in steps:
        row, y = _row(step, y, STREAM / total if total else 0.0)
        rows.append(row)
        if not step.passed and not step.standing:
            break
    if steps and steps[-1].passed:
        wide = max(steps[-1].passed * STREAM / total, THIN)
        rows.append(Row("Admitted", steps[-1].passed, round(y, 1), "", (), _block(STREAM_AT, y, wide, HEAD * 0.45)))
        y += HEAD
    return Sankey(WIDTH, round(y + TOP, 1), tuple(rows))


def _row(step: Step, y: float, scale: float) -> tuple[Row, float]:
    """A step's row and where the next one begins."""
    wide, left = step.came * scale, step.passed * scale
    start = y + HEAD * 0.45
    ends: list[End] = []
    edge, below = STREAM_AT + wide, start
    for standing, count in _told(step.standing):
        thick = count * scale
        shown = max(thick, THIN)
        height = max(shown, LINE)
        ends.append(_end(standing, count, edge - thick, start, below, shown))
        edge -= thick
        below += height + GAP
    bottom = max(below, y + HEAD)
    stream = _block(STREAM_AT, start, max(left, THIN), bottom - start) if step.passed else ""
    head = _block(STREAM_AT, y, max(wide, THIN), start - y) if step.came else ""
    return Row(step.title, step.came, round(y, 1), stream, tuple(ends), head), bottom


def _told(standing: Sequence[tuple[Standing, int]]) -> list[tuple[Standing, int]]:
    """The largest by themselves, the others together."""
    if len(standing) <= MOST_ENDS:
        return list(standing)
    rest = standing[MOST_ENDS - 1 :]
    step = standing[0][0].step
    other = Standing(step, "rejected", f"{len(rest)} other reasons", "*", "*")
    return [*standing[: MOST_ENDS - 1], (other, sum(count for _, count in rest))]


def _end(one: Standing, count: int, left: float, start: float, y: float, thick: float) -> End:
    middle = y + thick / 2
    right, bend = left + thick, ENDS_AT - 110
    # From a strip of the stream, straight down to the height of its end, then to the right.
    band = (
        f"M{left:.1f} {start:.1f} C{left:.1f} {y + thick:.1f} {left + 30:.1f} {y + thick:.1f} {bend} {y + thick:.1f}"
        f" L{ENDS_AT} {y + thick:.1f} L{ENDS_AT} {y:.1f} L{bend} {y:.1f}"
        f" C{right + 30:.1f} {y:.1f} {right:.1f} {y:.1f} {right:.1f} {start:.1f} Z"
    )
    link = f"papers.html#step={quote(one.step)}"
    if one.rule != "*":
        link += f"&why={quote(one.why)}"
    command = COMMANDS.get(one.step, "") if one.kind == "waiting" and one.why == "waiting" else ""
    label = f"wait for {command}" if command else one.why
    return End(
        one.kind, label, count, band, ENDS_AT, round(y, 1), round(thick, 1), LABEL_AT, round(max(middle, y + 6) + 4, 1),
        link,
    )  # fmt: skip


def _block(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f} h{width:.1f} v{height:.1f} h{-width:.1f} Z"
