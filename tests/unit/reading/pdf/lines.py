"""Lines and words written down by hand, as the reader of the file would give them."""

from __future__ import annotations

from nature_gym.reading.pdf.page import Line, Page, Run


def line(
    text: str,
    x: float,
    y: float,
    *,
    size: float = 9.0,
    font: str = "Serif",
    strong: bool = False,
    width: float | None = None,
) -> Line:
    """A line in one style, whose letters are half as wide as they are high."""
    x1 = x + (width if width is not None else 0.5 * size * len(text))
    run = Run(text, x, x1, y, size, font, strong, False)
    return Line([run], x, y - 0.8 * size, x1, y + 0.2 * size, 0, 0).settle()


def mixed(*runs: tuple[str, str], size: float = 9.0) -> Line:
    """A line of runs that are ``on`` the line, ``up`` or ``down``."""
    made: list[Run] = []
    x = 100.0
    for text, place in runs:
        small = size if place == "on" else 0.65 * size
        baseline = {"on": 100.0, "up": 100.0 - 0.35 * size, "down": 100.0 + 0.15 * size}[place]
        made.append(Run(text, x, x + 0.5 * small * len(text), baseline, small, "Serif", False, False))
        x = made[-1].x1
    return Line(made, 100.0, 93.0, x, 102.0, 0, 0).settle()


def page(lines: list[Line], shapes: list[tuple[float, float, float, float]] | None = None, number: int = 0) -> Page:
    """A page of about the journals' size."""
    return Page(number, 595.0, 782.0, lines, shapes or [])
