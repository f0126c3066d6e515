"""What a page of a PDF is made of: lines of styled runs, ruled lines, and links, in points from the top left.

The one idea: everything after opening the file works on these plain values, so that layout,
tables and sections can be tested without a PDF, and only one module knows the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1."""

_STRONG = re.compile(r"bold|semibold|black|heavy|medium|\.BI?(?=$|\+|\d)|-B$", re.IGNORECASE)
_SLANTED = re.compile(r"italic|oblique|\.B?I(?=$|\+)|-It\b|ital", re.IGNORECASE)
_SUBSET = re.compile(r"\+[0-9a-f]{2}$|,.*$|(?<=[a-z])\d$")
BOLD, ITALIC = 16, 2
"""Bits of a span's flags, as MuPDF sets them."""


@dataclass(slots=True)
class Run:
    """Characters of one style that stand together; ``baseline`` is y of the line they stand on."""

    text: str
    x0: float
    x1: float
    baseline: float
    size: float
    font: str
    strong: bool
    italic: bool


@dataclass(slots=True)
class Line:
    """Runs beside each other. ``size`` and ``font`` are those of most of its characters."""

    runs: list[Run]
    x0: float
    y0: float
    x1: float
    y1: float
    page: int
    block: int
    baseline: float = 0.0
    size: float = 0.0
    font: str = ""
    plain: str = ""
    marked: str | None = None
    """The text with scripts set and links marked, once it was asked for."""

    def settle(self) -> Line:
        """Find what most characters have."""
        main = self.runs[0]
        if len(self.runs) > 1:
            weights: dict[tuple[str, int], float] = {}
            best = 0.0
            for run in self.runs:
                # A longer script does not make the line a small one.
                key = (run.font, round(run.size * 2))
                weight = weights[key] = weights.get(key, 0.0) + len(run.text) * run.size * run.size
                if weight > best:
                    best, main = weight, run
        self.size, self.font, self.baseline = main.size, main.font, main.baseline
        self.plain = "".join(run.text for run in self.runs)
        return self

    @property
    def box(self) -> Box:
        return (self.x0, self.y0, self.x1, self.y1)

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def strong(self) -> bool:
        """Whether all that has letters or digits, scripts aside, is bold."""
        runs = [run for run in self.runs if run.size > 0.8 * self.size and any(map(str.isalnum, run.text))]
        return bool(runs) and all(run.strong for run in runs)

    @property
    def italic(self) -> bool:
        runs = [run for run in self.runs if any(map(str.isalpha, run.text))]
        return bool(runs) and all(run.italic for run in runs)


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """A place that leads somewhere: an address, or (``uri`` empty) another place in the file."""

    box: Box
    uri: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a line, to be made when they are needed."""

    box: Box
    made: Callable[[], list[Line]]


@dataclass(slots=True)
class Page:
    """One page, or what stands turned on one."""

    number: int
    width: float
    height: float
    lines: list[Line]
    shapes: list[Box] = field(default_factory=list)
    """Boxes of what is drawn: thin ones are ruled lines."""
    links: list[Hyperlink] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    """The words, where the page seems to have a table."""
    turned: int = 0
    """Quarter turns, counter-clockwise, in which the text stands on the sheet: 0, 1 or 3."""

    def words_in(self, box: Box) -> list[Line]:
        """The words whose middles lie in a box, each as a line of its own."""
        x0, y0, x1, y1 = box
        words = [
            word
            for entry in self.words
            if entry.box[0] < x1 and entry.box[2] > x0 and entry.box[1] < y1 and entry.box[3] > y0
            for word in entry.made()
        ]
        return [
            word
            for word in with_loose_scripts(words)
            if x0 <= (word.x0 + word.x1) / 2 <= x1 and y0 <= (word.y0 + word.y1) / 2 <= y1
        ]

    def on_sheet(self, box: Box) -> Box:
        """The box's place on the page as it is shown."""
        x0, y0, x1, y1 = box
        if self.turned == 1:
            return (y0, self.width - x1, y1, self.width - x0)
        if self.turned == 3:
            return (self.height - y1, x0, self.height - y0, x1)
        return box


def family(font: str) -> str:
    """A font's name without the marks of its parts: subset, encoding, duplicate."""
    name = font.split("+", 1)[1] if font[6:7] == "+" else font
    if name.startswith("Adv"):
        return name.partition("+")[0]
    return _SUBSET.sub("", name)


def is_strong(font: str, flags: int) -> bool:
    """Whether a font is bold, by its flags or its name."""
    return bool(flags & BOLD) or bool(_STRONG.search(font))


def is_italic(font: str, flags: int) -> bool:
    """Whether a font is italic, by its flags or its name."""
    return bool(flags & ITALIC) or bool(_SLANTED.search(font))


def turn(box: Box, turned: int, width: float, height: float) -> Box:
    """A box of a sheet (``width`` by ``height``) as seen when the sheet is turned so that its text is upright."""
    x0, y0, x1, y1 = box
    if turned == 1:
        return (height - y1, x0, height - y0, x1)
    if turned == 3:
        return (y0, width - x1, y1, width - x0)
    return box


def overlap(first0: float, first1: float, second0: float, second1: float) -> float:
    """How much two intervals share; negative where they stand apart."""
    return min(first1, second1) - max(first0, second0)


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around ``boxes``."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return (min(x0s), min(y0s), max(x1s), max(y1s))


_SCRIPT_LENGTH = 14


def with_loose_scripts(lines: list[Line]) -> list[Line]:
    """Scripts that came as lines of their own put into the lines that they belong to."""
    kept: list[Line] = []
    for index, line in enumerate(lines):
        if len(line.plain) > _SCRIPT_LENGTH or line.size > 8:
            kept.append(line)
            continue
        host = _host(line, lines, index)
        if host is None:
            kept.append(line)
            continue
        host.runs = sorted([*host.runs, *line.runs], key=lambda run: run.x0)
        host.x0, host.x1 = min(host.x0, line.x0), max(host.x1, line.x1)
        host.settle()
    return kept


def _host(line: Line, lines: list[Line], index: int) -> Line | None:
    for other in (*lines[index + 1 : index + 4], *reversed(lines[max(0, index - 4) : index])):
        if line.size > 0.85 * other.size or not other.runs:
            continue
        rise = (other.baseline - line.baseline) / other.size
        if not -0.4 < rise < 0.7:
            continue
        edges = [other.x0, *(run.x1 for run in other.runs)]
        if any(-0.25 * other.size < line.x0 - edge < 0.3 * other.size for edge in edges):
            return other
    return None
