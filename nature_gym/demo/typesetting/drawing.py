"""Figures drawn from their numbers, as SVG: lines, points, bars, and the boxes of a pipeline.

Coordinates are rounded to a tenth of a pixel, so that equal figures give equal bytes on
every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Figure, Series
from nature_gym.demo.typesetting.engine import compile_pages

WIDTH, HEIGHT = 685, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 78, 18, 40, 62
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666")
_FONT = "Arial, Helvetica, Liberation Sans, Libertinus Serif, sans-serif"
_MOST_STEPS_IN_A_ROW = 5
_ROW_HEIGHT = 124


def figure_size(figure: Figure) -> tuple[int, int]:
    """Width and height of a figure's picture, in pixels of a screen."""
    if figure.kind != "flow":
        return WIDTH, HEIGHT
    return WIDTH, _ROW_HEIGHT * math.ceil(max(len(figure.steps), 1) / _MOST_STEPS_IN_A_ROW) + 20


def figure_svg(figure: Figure) -> bytes:
    """The picture of a figure."""
    width, height = figure_size(figure)
    parts = _flow(figure) if figure.kind == "flow" else _chart(figure)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{_FONT}" font-size="13">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>'
    ).encode()


def figure_png(figure: Figure, *, ppi: float = 96) -> bytes:
    """The picture of a figure in pixels."""
    page = "#set page(width: auto, height: auto, margin: 0pt)\n"
    picture = f'#image(bytes(sys.inputs.picture), format: "svg", width: {figure_size(figure)[0] * 0.75}pt)'
    return compile_pages(page + picture, {"picture": figure_svg(figure).decode()}, ppi=ppi)[0]


# -- charts ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Axis:
    """A range of numbers laid on a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(index * step, 10) for index in range(first, last + 1)]


def _step(span: float) -> float:
    """A round distance between ticks, about five to an axis."""
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next((factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= span / 5), 10 * power)


def _axis(values: Sequence[float], start: float, end: float, *, from_zero: bool = False) -> _Axis:
    finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    span = high - low or abs(high) or 1.0
    step = _step(span)
    low = low if from_zero and low == 0 else math.floor(low / step) * step
    top = math.ceil(high / step) * step
    return _Axis(low, top if top > low else low + step, start, end)


def _chart(figure: Figure) -> Iterator[str]:
    bars = figure.kind == "bars"
    across = _axis([x for series in figure.series for x in series.x], _LEFT, WIDTH - _RIGHT)
    if bars:
        across = _bar_axis(figure.series)
    up = _axis([y for series in figure.series for y in series.y], HEIGHT - _BOTTOM, _TOP, from_zero=bars)
    yield from _frame(figure, across, up, tick_x=not bars)
    for index, series in enumerate(figure.series):
        colour = _COLOURS[index % len(_COLOURS)]
        if bars:
            yield from _bars(series, index, len(figure.series), colour, across, up)
        else:
            yield from _marks(series, colour, across, up, joined=figure.kind == "lines")
    yield from _legend(figure.series)


def _bar_axis(series: Sequence[Series]) -> _Axis:
    places = [x for entry in series for x in entry.x] or [0.0]
    return _Axis(min(places) - 0.6, max(places) + 0.6, _LEFT, WIDTH - _RIGHT)


def _frame(figure: Figure, across: _Axis, up: _Axis, *, tick_x: bool) -> Iterator[str]:
    bottom = HEIGHT - _BOTTOM
    yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{WIDTH - _RIGHT}" fill="none" stroke="#222"/>'
    for value in up.ticks():
        y = up.at(value)
        yield f'<path d="M{_LEFT - 5} {y:.1f}H{_LEFT}" stroke="#222"/>'
        yield _text(_LEFT - 9, y + 4, _number(value), anchor="end")
    marks = across.ticks() if tick_x else sorted({x for series in figure.series for x in series.x})
    for value in marks:
        x = across.at(value)
        yield f'<path d="M{x:.1f} {bottom}V{bottom + 5}" stroke="#222"/>'
        yield _text(x, bottom + 20, _number(value))
    yield _text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 16, plain(figure.x_label), size=14)
    middle = (_TOP + bottom) / 2
    label = escape(plain(figure.y_label))
    yield f'<text transform="translate(20 {middle:.1f}) rotate(-90)" text-anchor="middle" font-size="14">{label}</text>'


def _marks(series: Series, colour: str, across: _Axis, up: _Axis, *, joined: bool) -> Iterator[str]:
    points = [(across.at(x), up.at(y)) for x, y in zip(series.x, series.y, strict=False) if math.isfinite(x + y)]
    if joined and points:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    radius = 3 if joined or len(points) < 200 else 2
    opacity = "" if joined else ' fill-opacity="0.7"'
    for x, y in points:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"{opacity}/>'


def _bars(series: Series, index: int, count: int, colour: str, across: _Axis, up: _Axis) -> Iterator[str]:
    width = (across.at(1) - across.at(0)) * 0.8 / count
    base = up.at(0)
    for x, y in zip(series.x, series.y, strict=False):
        left = across.at(x) + (index - count / 2) * width
        top, height = min(up.at(y), base), abs(up.at(y) - base)
        yield f'<rect x="{left:.1f}" y="{top:.1f}" width="{width * 0.94:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _legend(series: Sequence[Series]) -> Iterator[str]:
    x = float(_LEFT)
    for index, entry in enumerate(series):
        label = plain(entry.label)
        if not label:
            continue
        yield f'<rect x="{x:.1f}" y="14" width="12" height="12" fill="{_COLOURS[index % len(_COLOURS)]}"/>'
        yield _text(x + 17, 25, label, anchor="start")
        x += 34 + 6.8 * len(label)


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")


def _text(x: float, y: float, text: str, *, anchor: str = "middle", size: int = 13) -> str:
    larger = f' font-size="{size}"' if size != 13 else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{larger}>{escape(text)}</text>'


# -- pipelines ---------------------------------------------------------------------


def _flow(figure: Figure) -> Iterator[str]:
    """Boxes left to right, in rows of at most five, with arrows between."""
    steps = [plain(step) for step in figure.steps] or ["Input", "Model", "Output"]
    in_row = min(len(steps), _MOST_STEPS_IN_A_ROW)
    width, height = (WIDTH - 30) / in_row, 84.0
    for index, step in enumerate(steps):
        row, column = divmod(index, in_row)
        x, y = 15 + column * width, 20.0 + row * _ROW_HEIGHT
        colour = _COLOURS[index % len(_COLOURS)]
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 26:.1f}" height="{height:.1f}" rx="8" '
            f'fill="{colour}" fill-opacity="0.14" stroke="{colour}" stroke-width="1.5"/>'
        )
        lines = _wrapped(step, int((width - 30) / 6.6))
        for place, line in enumerate(lines):
            yield _text(x + width / 2 - 13, y + height / 2 + 5 + (place - (len(lines) - 1) / 2) * 16, line)
        if column + 1 < in_row and index + 1 < len(steps):
            middle, tip = y + height / 2, x + width - 3
            yield f'<path d="M{tip - 20:.1f} {middle:.1f}H{tip - 6:.1f}" stroke="#222" stroke-width="1.5"/>'
            yield f'<path d="M{tip:.1f} {middle:.1f}l-8 -5v10z" fill="#222"/>'


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > max(width, 4):
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
