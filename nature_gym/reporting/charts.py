"""Figures as drawings: columns by month, bars of shares, points with their intervals. Geometry alone, no colour.

The idea: what a figure says is in a table too, so a drawing may leave out what is too small to be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_MONTHS = 120


@dataclass(frozen=True, slots=True)
class Column:
    """A month: papers that passed screening, and the others, as heights from the base line."""

    x: float
    width: float
    label: str
    passed: int
    others: int
    passed_height: float
    others_height: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Months:
    """The corpus over time. ``base`` is the y of the base line."""

    width: int
    height: int
    base: int
    columns: tuple[Column, ...]
    years: tuple[Tick, ...]
    lines: tuple[Tick, ...]


def months(papers: Sequence[Mapping[str, Any]], *, width: int = 960, height: int = 230) -> Months:
    """Columns by month of publication; papers without a date, and those before the last ten years, are not drawn."""
    counts: dict[int, list[int]] = {}
    for paper in papers:
        year, _, rest = str(paper["published"]).partition("-")
        if year.isdecimal() and rest[:2].isdecimal():
            at = int(year) * 12 + int(rest[:2]) - 1
            passed = paper["stages"].get("screen", {}).get("verdict") == "passed"
            counts.setdefault(at, [0, 0])[0 if passed else 1] += 1
    left, base = 44, height - 26
    if not counts:
        return Months(width, height, base, (), (), ())
    last = max(counts)
    first = max(min(counts), last - MOST_MONTHS + 1)
    span = last - first + 1
    step = (width - left) / span
    top = _round_up(max(sum(pair) for at, pair in counts.items() if at >= first))
    scale = (base - 12) / top
    columns = tuple(
        Column(
            round(left + (at - first) * step + step * 0.1, 1), round(step * 0.8, 1), f"{at // 12}-{at % 12 + 1:02}",
            pair[0], pair[1], round(pair[0] * scale, 1), round(pair[1] * scale, 1),
        )
        for at, pair in sorted(counts.items()) if at >= first
    )  # fmt: skip
    years = tuple(
        Tick(round(left + (at - first) * step, 1), f"{at // 12}") for at in range(first, last + 1) if at % 12 == 0
    )
    lines = tuple(Tick(round(base - top * scale * part / 2, 1), f"{top * part / 2:g}") for part in (1, 2))
    return Months(width, height, base, columns, years or (Tick(left, f"{first // 12}"),), lines)


@dataclass(frozen=True, slots=True)
class Share:
    """A piece of a bar."""

    name: str
    count: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One agent's bar of shares."""

    label: str
    y: int
    shares: tuple[Share, ...]


def bars(
    rows: Sequence[tuple[str, Mapping[str, int]]], *, left: int = 200, width: int = 960, line: int = 30
) -> list[Bar]:
    """A bar of full width a row, parted by the counts in their order."""
    found = []
    for number, (label, counts) in enumerate(rows):
        total = sum(counts.values())
        x, shares = float(left), []
        for name, count in counts.items():
            wide = (width - left) * count / total if total else 0.0
            if count:
                shares.append(Share(name, count, round(x, 1), round(wide, 1)))
            x += wide
        found.append(Bar(label, number * line, tuple(shares)))
    return found


@dataclass(frozen=True, slots=True)
class Point:
    """An agent: what it spent against what it matched, with the interval of the latter."""

    label: str
    x: float
    y: float
    low: float
    high: float
    text_x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points over axes. ``base`` is the y of the axis below, ``left`` the x of the one at the left."""

    width: int
    height: int
    left: int
    base: int
    points: tuple[Point, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


def scatter(rows: Sequence[tuple[str, float, float, float, float]], *, width: int = 960, height: int = 340) -> Scatter:
    """``rows`` are label, spent, matched, and the interval's ends; the last three in percent."""
    left, base, top = 56, height - 44, 14
    most = _round_up(max((spent for _, spent, *_ in rows), default=1.0) or 1.0)
    room = width - left - 30

    def up(percent: float) -> float:
        return round(base - (base - top) * min(100.0, max(0.0, percent)) / 100.0, 1)

    points = []
    for label, spent, matched, low, high in rows:
        x = round(left + room * spent / most, 1)
        over = x > left + room * 0.75
        points.append(
            Point(label, x, up(matched), up(low), up(high), x - 11 if over else x + 11, "end" if over else "start")
        )
    across = tuple(Tick(round(left + room * part / 4, 1), f"{most * part / 4:g}") for part in range(5))
    return Scatter(
        width, height, left, base, tuple(points), across, tuple(Tick(up(at), str(at)) for at in (0, 25, 50, 75, 100))
    )


def heat(value: float | None, most: float = 100.0) -> str:
    """The class of a cell's colour, from ``h0`` to ``h9``; '' where there is no value."""
    if value is None:
        return ""
    return f"h{min(9, max(0, int(10 * value / most)))}"


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 5, 8 times a power of ten, at least ``value``."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * part for part in (1, 2, 4, 5, 8, 10) if power * part >= value * (1 - 1e-9))
