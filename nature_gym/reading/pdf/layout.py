"""Where things stand on the pages: what repeats on each, captions, figures, tables, and the columns of the text.

The one idea: find what is not running text by where and how it is set (repeated at the margin; below or above a
caption; between ruled lines), take it away, and what is left falls into columns by the white between them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nature_gym.reading.pdf.page import Box, Line, Page, overlap, union

_INITIALS = frozenset("EFTSB \xa0\u2009")
"""How a line begins that may begin a caption."""
_DIGITS = re.compile(r"\d+")
_LABEL = re.compile(
    r"(?P<label>(?:(?:Extended Data|Supplementary|Supplemental)\s+)?"
    r"(?P<what>Fig\.|Figure|FIGURE|FIG\.|Table|TABLE|Scheme|Box)"
    r"\s*(?:S?\d{1,3}|[IVX]{1,4}))(?P<after>\s*[|│‖.:]|\s|$)"
)
KNOWN_TITLES = frozenset(
    {
        "abstract", "introduction", "main", "results", "methods", "discussion", "conclusion", "conclusions",
        "references", "acknowledgements", "acknowledgments", "background",
        "results and discussion", "online methods", "materials and methods", "author contributions",
        "competing interests", "additional information", "data availability", "code availability", "online content",
        "background & summary", "data records", "technical validation", "usage notes", "reporting summary",
        "methods and materials", "related work", "data and code availability", "conflict of interest",
        "supplementary information", "ethics declarations", "competing financial interests", "statistical analysis",
        "extended data", "code and data availability", "availability of data", "availability of data and materials",
    }
)  # fmt: skip
_FURNITURE = re.compile(
    r"^(?:\W*(?:article|review|letter|analysis|resource)\s+)?"
    r"(?:nature|scientific|npj|communications)\b[\w &]{0,40}\|.*$"
    r"|^\W*(?:\d{1,5}(?!\W*\.)|www\.nature\.com\S*|vol\.?:?\s*\(?[\d:]+\)?|https?://doi\.org/10\.\d+/\S+|"
    r"doi:\s*10\.\d+/\S+)\W*$",
    re.IGNORECASE,
)
_MARGIN = 0.09
"""Share of a page's height at its head and foot where running heads stand."""


@dataclass(slots=True)
class Styles:
    """How the document is set. Sizes are rounded to half points."""

    font: str
    size: float
    texts: frozenset[tuple[str, float]]
    """Fonts and sizes of running text."""
    strong: frozenset[str]
    """Fonts that are bold, though neither their names nor their flags tell."""
    column: float
    """The width of most lines."""

    def is_text(self, line: Line) -> bool:
        """Whether a line is set as running text, over a good part of a column."""
        return line.width > 0.55 * self.column and (line.font, half(line.size)) in self.texts

    def is_strong(self, line: Line) -> bool:
        return line.strong or all(
            run.strong or run.font in self.strong for run in line.runs if any(map(str.isalnum, run.text))
        )


def half(size: float) -> float:
    """Rounded to half a point."""
    return round(size * 2) / 2


def styles_of(pages: Sequence[Page]) -> Styles:
    """The styles of a document, from its furnitureless pages."""
    long = [line for page in pages for line in page.lines if line.width > 0.3 * page.width and len(line.plain) > 30]
    if not long:
        long = [line for page in pages for line in page.lines]
    column = _common_width(Counter(round(line.width) for line in long))
    counts: Counter[tuple[str, float]] = Counter()
    narrow: Counter[tuple[str, float]] = Counter()
    for line in long:
        style = (line.font, half(line.size))
        counts[style] += len(line.plain)
        if line.width < 1.15 * column:
            narrow[style] += len(line.plain)
    most = max((narrow or counts).values(), default=0)
    # Methods are set smaller, and may be longer, than what is the article's text.
    body = [style for style, count in (narrow or counts).items() if count > 0.3 * most]
    font, size = max(body, key=lambda style: style[1], default=("", 10.0))
    texts = frozenset(style for style, count in counts.items() if count > 0.02 * counts.total())
    titled = {
        line.font
        for page in pages
        for line in page.lines
        if len(line.plain) < 40 and line.plain.strip().casefold() in KNOWN_TITLES
    }
    return Styles(font, size, texts, frozenset((titled | _leading_fonts(pages)) - {font}), column)


def _leading_fonts(pages: Sequence[Page]) -> set[str]:
    """Fonts used for little but a few words at the beginning of a line, up to a full stop: headings' own."""
    leads = Counter(line.runs[0].font for page in pages for line in page.lines if len(line.runs) > 1 and _leads(line))
    lengths = {font: 0 for font, count in leads.items() if count > 1}
    if not lengths:
        return set()
    total = 0
    for page in pages:
        for line in page.lines:
            total += len(line.plain)
            for run in line.runs:
                if run.font in lengths:
                    lengths[run.font] += len(run.text)
    return {font for font, length in lengths.items() if length < 0.015 * total}


def _leads(line: Line) -> bool:
    first, second = line.runs[0], line.runs[1]
    text = first.text.strip()
    return (
        first.font != second.font
        and not first.italic
        and len(text) > 5
        and text[0].isupper()
        and (text[-1] == "." or second.text[:2] == ". ")
    )


def _common_width(widths: Counter[int]) -> float:
    if not widths:
        return 250.0
    best = max(widths, key=lambda width: sum(widths[width + delta] for delta in (-2, -1, 0, 1, 2)))
    return float(best)


# -- what repeats ------------------------------------------------------------------------------


def take_furniture(pages: Sequence[Page]) -> list[Line]:
    """Take running heads, page numbers and marks of the margin off the pages, and return them."""
    places: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for page in pages:
        for line in page.lines:
            if _in_margin(line, page):
                places[_place(line, page)].add(page.number)
    enough = 2 if len(pages) < 8 else 3
    repeated = {place for place, numbers in places.items() if len(numbers) >= enough}
    taken: list[Line] = []
    for page in pages:
        heads = [line for line in page.lines if _in_margin(line, page)]
        gone = [line for line in heads if _place(line, page) in repeated or _FURNITURE.match(line.plain)]
        if page.number > 0:
            bands = [(line.y0, line.y1) for line in gone]
            gone += [
                line
                for line in heads
                if not _is_long(line, page)
                and any(overlap(line.y0, line.y1, *band) > 0.6 * (line.y1 - line.y0) for band in bands)
            ]
        left, right = 0.045 * page.width, 0.955 * page.width
        gone += [line for line in page.lines if line.x1 < left or line.x0 > right]
        out = set(map(id, gone))
        taken += [line for line in page.lines if id(line) in out]
        page.lines = [line for line in page.lines if id(line) not in out]
    return taken


def _is_long(line: Line, page: Page) -> bool:
    return line.width > 0.35 * page.width and len(line.plain) > 60


def _in_margin(line: Line, page: Page) -> bool:
    return line.y1 < _MARGIN * page.height or line.y0 > (1 - 0.08) * page.height


def _place(line: Line, page: Page) -> tuple[str, int]:
    foot = line.y0 > page.height / 2
    return _DIGITS.sub("0", line.plain.strip()), round((page.height - line.y0 if foot else line.y0) / 4) * (
        -1 if foot else 1
    )


# -- ruled lines -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line. Where it is but the edge of a shaded area, ``band`` is that area's top and bottom."""

    y: float
    x0: float
    x1: float
    band: tuple[float, float] | None = None

    @property
    def soft(self) -> bool:
        return self.band is not None


@dataclass(frozen=True, slots=True)
class Upright:
    """A vertical line."""

    x: float
    y0: float
    y1: float


def rules_of(page: Page) -> list[Rule]:
    """Horizontal lines, from the top; pieces at one height that touch are one."""
    pieces: list[Rule] = []
    for x0, y0, x1, y1 in page.shapes:
        if x1 - x0 < 8:
            continue
        if y1 - y0 < 2.2:
            pieces.append(Rule((y0 + y1) / 2, x0, x1))
        elif x1 - x0 > 30 and y1 - y0 > 6:
            pieces += [Rule(y0, x0, x1, (y0, y1)), Rule(y1, x0, x1, (y0, y1))]
    pieces.sort(key=lambda rule: (round(rule.y), rule.x0))
    joined: list[Rule] = []
    for rule in pieces:
        for index in range(len(joined) - 1, max(-1, len(joined) - 8), -1):
            last = joined[index]
            if abs(last.y - rule.y) < 1.2 and overlap(last.x0, last.x1, rule.x0, rule.x1) > -1.5:
                joined[index] = Rule(
                    last.y, min(last.x0, rule.x0), max(last.x1, rule.x1), last.band if rule.soft else None
                )
                break
        else:
            joined.append(rule)
    return [rule for rule in joined if rule.x1 - rule.x0 > 12]


def uprights_of(page: Page) -> list[Upright]:
    """Vertical lines; pieces that touch are one."""
    pieces = sorted(
        (Upright((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in page.shapes if x1 - x0 < 2.2 and y1 - y0 > 5),
        key=lambda line: (round(line.x), line.y0),
    )
    joined: list[Upright] = []
    for line in pieces:
        last = joined[-1] if joined else None
        if last and abs(last.x - line.x) < 1.2 and line.y0 - last.y1 < 1.5:
            joined[-1] = Upright(last.x, last.y0, max(last.y1, line.y1))
        else:
            joined.append(line)
    return joined


# -- captions, tables, figures -----------------------------------------------------------------


@dataclass(slots=True)
class Float:
    """A figure or table: its label, its caption's lines, where it stands, and what of the text is in it."""

    what: str
    label: str
    page: Page
    caption: list[Line]
    box: Box
    lines: list[Line] = field(default_factory=list)
    notes: list[Line] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)


def floats_of(page: Page, styles: Styles) -> list[Float]:
    """Take figures, tables and their captions off a page, and return them in the order of their captions."""
    heads = [(line, found) for line in page.lines if line.plain[:1] in _INITIALS and (found := _head(line, styles))]
    if not heads:
        return []
    has_tables = any(found["what"].casefold() == "table" for _, found in heads)
    rules = rules_of(page) if has_tables else []
    claimed: set[int] = set()
    floats: list[Float] = []
    captions: list[tuple[Line, re.Match[str], list[Line]]] = []
    for line, found in heads:
        if id(line) in claimed:
            continue
        is_table = found["what"].casefold() == "table"
        caption = _caption(line, page, [rule for rule in rules if not rule.soft] if is_table else [], styles, heads)
        claimed.update(map(id, caption))
        captions.append((line, found, caption))
    tables = [(_label(found), caption) for _, found, caption in captions if found["what"].casefold() == "table"]
    for one in _tables(tables, page, rules, styles, claimed):
        claimed.update(id(inner) for inner in (*one.lines, *one.notes))
        floats.append(one)
    for _, found, caption in captions:
        if found["what"].casefold() not in {"table", "box"}:
            one = _figure(_label(found), page, caption, styles, claimed)
            claimed.update(id(inner) for inner in one.lines)
            floats.append(one)
        elif found["what"].casefold() == "box":
            boxed = _box(_label(found), page, caption, claimed)
            if boxed:
                claimed.update(id(inner) for inner in boxed.lines)
                floats.append(boxed)
            else:
                claimed.difference_update(map(id, caption))
    page.lines = [line for line in page.lines if id(line) not in claimed]
    order = {id(line): index for index, (line, _, _) in enumerate(captions)}
    return sorted(floats, key=lambda one: order[id(one.caption[0])])


def _label(found: re.Match[str]) -> str:
    return " ".join(found["label"].split())


def _head(line: Line, styles: Styles) -> re.Match[str] | None:
    found = _LABEL.match(line.plain.lstrip())
    if found is None:
        return None
    first = next((run for run in line.runs if run.text.strip()), line.runs[0])
    marked = found["after"].strip() in {"|", "│", "‖"}
    strong = first.strong or first.font in styles.strong
    other = first.font != styles.font and (first.font, half(first.size)) not in styles.texts
    return found if marked or strong or other else None


def _caption(
    first: Line, page: Page, rules: Sequence[Rule], styles: Styles, heads: Sequence[tuple[Line, re.Match[str]]]
) -> list[Line]:
    """The lines of a caption: those below its first in the same size, and those that go on in the next column."""
    starts = {id(line) for line, _ in heads if line is not first}
    # A label in another size than the caption's text does not set the size. A line that fills its column is no label.
    beside = [
        line
        for line in page.lines
        if line is not first
        and first.width < 0.6 * styles.column
        and abs(line.baseline - first.baseline) < 3
        and -2 < line.x0 - first.x1 < 14
    ]
    size = (beside[0] if beside else first).size
    caption = [first, *beside[:1]]
    bottom, right = max(line.y1 for line in caption), max(line.x1 for line in caption)
    below = sorted((line for line in page.lines if line.y0 > first.y0 + 2), key=lambda line: line.baseline)
    for line in below:
        if line.y0 - bottom > 0.9 * size:
            if line.x0 < right and line.x1 > first.x0:
                break
            continue
        if (
            overlap(line.x0, line.x1, first.x0 - 2, max(right, first.x0 + 0.5 * styles.column)) <= 0
            or line.x0 < first.x0 - 8
        ):
            continue
        if line.y1 <= bottom + 0.5 or id(line) in starts:
            if id(line) in starts:
                break
            continue
        if abs(line.size - size) > 0.45 or any(
            bottom - 2 < rule.y < line.y1 - 2 and overlap(rule.x0, rule.x1, line.x0, line.x1) > 0 for rule in rules
        ):
            break
        caption.append(line)
        bottom, right = max(bottom, line.y1), max(right, line.x1)
    if right - first.x0 < 1.15 * styles.column and not rules and "able" not in first.plain[:24].casefold():
        caption += _next_column(first, caption, page, styles, starts)
    return caption


def _next_column(first: Line, caption: Sequence[Line], page: Page, styles: Styles, starts: set[int]) -> list[Line]:
    """Lines beside a caption in its style: a wide figure's caption is set in two columns."""
    right = max(line.x1 for line in caption)
    font = Counter(line.font for line in caption if not line.strong).most_common(1)
    size = caption[-1].size
    found: list[Line] = []
    bottom = first.y1 + 1.5 * size
    for line in sorted(page.lines, key=lambda line: line.baseline):
        if line.x0 < right + 4 or line.y0 < first.y0 - 3 or line.y0 > bottom:
            continue
        if abs(line.size - size) > 0.3 or half(size) == styles.size or id(line) in starts:
            if found:
                break
            return []
        if not found and abs(line.baseline - first.baseline) > 4:
            return []
        if font and line.font not in {font[0][0], *(one.font for one in caption)}:
            return []
        if not found and _goes_on_from(line, page):
            return []
        found.append(line)
        bottom = line.y1 + 0.9 * size
    return found


def _goes_on_from(line: Line, page: Page) -> bool:
    """Whether a line of the same size stands right above: then it is no beginning."""
    return any(
        abs(other.size - line.size) < 0.3
        and 0 < line.baseline - other.baseline < 1.7 * line.size
        and overlap(other.x0, other.x1, line.x0, line.x1) > 0
        for other in page.lines
    )


def _box(label: str, page: Page, caption: list[Line], claimed: set[int]) -> Float | None:
    """A frame around a caption and texts that stand apart from the article's."""
    own = union(line.box for line in caption)
    around = [
        shape
        for shape in (*page.shapes, *_frames(page, own))
        if shape[0] < own[0]
        and shape[1] <= own[1] + 3
        and shape[2] > own[2]
        and shape[3] > own[3] + 40
        and shape[3] - shape[1] < 0.85 * page.height
    ]
    if not around:
        return None
    box = min(around, key=lambda shape: (shape[2] - shape[0]) * (shape[3] - shape[1]))
    lines = [line for line in page.lines if id(line) not in claimed and _inside(line, box)]
    return Float("box", label, page, caption, box, lines)


def _frames(page: Page, own: Box) -> list[Box]:
    """Frames around a caption that are drawn as lines, a side each."""
    sides = [line for line in uprights_of(page) if line.y0 <= own[1] + 3 and line.y1 > own[3] + 40]
    return [
        (left.x, max(left.y0, right.y0), right.x, min(left.y1, right.y1))
        for left in sides
        for right in sides
        if left.x < own[0] and right.x > own[2]
    ]


def _tables(
    captions: Sequence[tuple[str, list[Line]]], page: Page, rules: Sequence[Rule], styles: Styles, claimed: set[int]
) -> list[Float]:
    """The tables of a page. Some journals put captions above tables and some below: what fits more captions holds."""
    if not captions:
        return []
    inner = [rule for rule in rules if 0.04 * page.height < rule.y < 0.965 * page.height]
    lines = [line for line in page.lines if id(line) not in claimed]
    heads = [line for line in page.lines if id(line) in claimed]
    ways: dict[int, list[list[Rule]]] = {1: [], -1: []}
    drawn = _Drawn(uprights_of(page), styles)
    for _, caption in captions:
        top, bottom = min(line.y0 for line in caption), max(line.y1 for line in caption)
        reach = (min(line.x0 for line in caption), max(line.x1 for line in caption))
        others = [line for line in heads if not any(line is own for own in caption)]
        below = _chain([rule for rule in inner if rule.y > bottom - 3], lines, others, bottom, reach, drawn)
        above = _chain([rule for rule in reversed(inner) if rule.y < top + 3], lines, others, top, reach, drawn)
        ways[1].append(below if _text_between(below, lines) or (below and _text_above(below[0], bottom, lines)) else [])
        ways[-1].append(above if _text_between(above, lines) else [])
    way = -1 if sum(map(bool, ways[-1])) > sum(map(bool, ways[1])) else 1
    tables: list[Float] = []
    gone: set[int] = set()
    for (label, caption), chain in zip(captions, ways[way], strict=True):
        left = [line for line in lines if id(line) not in gone]
        table = _table(label, page, caption, chain, way, rules, left, styles)
        gone.update(id(line) for line in (*table.lines, *table.notes))
        tables.append(table)
    return tables


def _text_above(rule: Rule, bottom: float, lines: Sequence[Line]) -> bool:
    return any(
        bottom - 1 < (line.y0 + line.y1) / 2 < rule.y and overlap(line.x0, line.x1, rule.x0, rule.x1) > 0
        for line in lines
    )


def _table(
    label: str, page: Page, caption: list[Line], chain: Sequence[Rule], way: int, rules: Sequence[Rule],
    lines: Sequence[Line], styles: Styles,
) -> Float:  # fmt: skip
    bottom = max(line.y1 for line in caption)
    reach = (min(line.x0 for line in caption), max(line.x1 for line in caption))
    if chain:
        x0, x1 = min(rule.x0 for rule in chain), max(rule.x1 for rule in chain)
        box = (x0, min(rule.y for rule in chain), x1, max(rule.y for rule in chain))
        # Headings may stand between the caption and the first line.
        if way == 1:
            box = (x0, min(box[1], bottom), x1, box[3])
    else:
        box = _unruled(lines, bottom, reach, styles)
    found = Float("table", label, page, caption, box)
    found.rules = [
        rule for rule in rules if box[1] - 2 <= rule.y <= box[3] + 2 and overlap(rule.x0, rule.x1, box[0], box[2]) > 0
    ]
    found.lines = [line for line in lines if _inside(line, box)]
    if found.lines and way == 1:
        found.notes = _notes(found, lines, styles)
    return found


def _chain(
    rules: Sequence[Rule],
    lines: Sequence[Line],
    others: Sequence[Line],
    start: float,
    reach: tuple[float, float],
    page: _Drawn,
) -> list[Rule]:
    """The lines that rule one table, from its caption on: they share its width, and no paragraph comes between."""
    chain: list[Rule] = []
    at = start
    x0, x1 = reach
    for rule in rules:
        if overlap(rule.x0, rule.x1, x0, x1) < 0.3 * min(rule.x1 - rule.x0, x1 - x0):
            continue
        if not chain and abs(rule.y - at) > 60:
            break
        if rule.band and _is_no_row(rule, lines, others):
            continue
        low, high = min(at, rule.y) - 1, max(at, rule.y) + 1
        between = [
            line for line in lines if low < (line.y0 + line.y1) / 2 < high and overlap(line.x0, line.x1, x0, x1) > 0
        ]
        if any(low < line.y0 < high and overlap(line.x0, line.x1, x0, x1) > 0 for line in others):
            break
        whole = [
            line
            for line in between
            if page.styles.is_text(line) and line.width > 0.8 * min(page.styles.column, x1 - x0)
        ]
        if len(whole) >= 2 or (chain and _is_loose(between, low, high, (x0, x1), page)):
            break
        if chain and (rule.x1 - rule.x0 > 1.12 * (x1 - x0) or rule.x0 < x0 - 6 or rule.x1 > x1 + 6):
            if rule.soft:
                continue
            break
        chain.append(rule)
        if len(chain) == 1:
            x0, x1 = rule.x0, rule.x1
        x0, x1 = min(x0, rule.x0), max(x1, rule.x1)
        at = rule.y
    # A line under some columns only does not end a table.
    while len(chain) > 1 and chain[-1].x1 - chain[-1].x0 < 0.85 * (x1 - x0):
        chain.pop()
    return chain


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The uprights of a page, and the document's styles."""

    uprights: Sequence[Upright]
    styles: Styles


def _is_no_row(rule: Rule, lines: Sequence[Line], others: Sequence[Line]) -> bool:
    """Whether a shaded area is too high for a table's row, holds a caption, or nothing."""
    top, bottom = rule.band or (rule.y, rule.y)
    box = (rule.x0, top, rule.x1, bottom)
    return (
        bottom - top > 80 or any(_inside(line, box) for line in others) or not any(_inside(line, box) for line in lines)
    )


def _is_loose(between: Sequence[Line], low: float, high: float, reach: tuple[float, float], page: _Drawn) -> bool:
    """Whether more white stands between a line and the texts next to it than a table's rows have."""
    x0, x1 = reach
    if any(x0 - 4 < line.x < x1 + 4 and line.y0 < low + 4 and line.y1 > high - 4 for line in page.uprights):
        return False
    if not between:
        return high - low > 24
    size = max(line.size for line in between)
    top, bottom = min(line.y0 for line in between), max(line.y1 for line in between)
    return max(top - low, high - bottom) > 1.9 * size


def _text_between(chain: Sequence[Rule], lines: Sequence[Line]) -> int:
    if len(chain) < 2:
        return 0
    x0, x1 = min(rule.x0 for rule in chain), max(rule.x1 for rule in chain)
    box = (x0, min(rule.y for rule in chain), x1, max(rule.y for rule in chain))
    return sum(_inside(line, box) for line in lines)


def _unruled(lines: Sequence[Line], bottom: float, reach: tuple[float, float], styles: Styles) -> Box:
    """Where a table without lines may stand: below its caption, down to the next paragraph."""
    x0, x1 = reach[0], max(reach[1], reach[0] + styles.column)
    end = bottom
    for line in sorted(lines, key=lambda line: line.y0):
        if line.y0 < bottom - 1 or overlap(line.x0, line.x1, x0, x1) <= 0:
            continue
        if line.y0 - end > 3 * line.size or (styles.is_text(line) and line.width > 0.8 * styles.column):
            break
        end = max(end, line.y1)
    return (x0, bottom, x1, end)


def _inside(line: Line, box: Box) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box[0] - 3 <= x <= box[2] + 3 and box[1] - 1 <= y <= box[3] + 1


def _notes(table: Float, lines: Sequence[Line], styles: Styles) -> list[Line]:
    """Lines right below a table in small letters."""
    x0, _, x1, bottom = table.box
    size = max(line.size for line in table.lines)
    notes: list[Line] = []
    for line in sorted(lines, key=lambda line: line.y0):
        if line.y0 < bottom - 2 or line.x0 < x0 - 4 or line.x1 > x1 + 4:
            continue
        if line.y0 - bottom > 9 or line.size > size + 0.2 or line.size > styles.size - 0.4 or styles.is_strong(line):
            break
        if notes and line.size > notes[0].size + 0.45:
            break
        notes.append(line)
        bottom = max(bottom, line.y1)
    return notes


def _figure(label: str, page: Page, caption: list[Line], styles: Styles, claimed: set[int]) -> Float:
    top, bottom = min(line.y0 for line in caption), max(line.y1 for line in caption)
    x0, x1 = min(line.x0 for line in caption), max(line.x1 for line in caption)
    x1 = max(x1, min(x0 + styles.column, 0.96 * page.width))
    texts = [line for line in page.lines if styles.is_text(line) or id(line) in claimed]
    texts = [line for line in texts if not any(line is own for own in caption)]
    box = _free(texts, (x0, 0.0, x1, top), page)
    if top - box[1] < 40:
        under = [line.y0 for line in texts if line.y0 > bottom and overlap(line.x0, line.x1, x0, x1) > 0]
        room = min(under, default=0.93 * page.height) - bottom
        if room > 60:
            box = (x0, bottom, x1, bottom + room)
    lines = [line for line in page.lines if id(line) not in claimed and _inside(line, box)]
    return Float("figure", label, page, caption, box, [line for line in lines if not _is_title(line, styles)])


def _is_title(line: Line, styles: Styles) -> bool:
    """A section's title may stand between a figure and the text above it."""
    known = line.plain.strip().casefold() in KNOWN_TITLES and line.size > styles.size - 0.3
    return known and (line.strong or line.font in styles.strong)


def _free(texts: Sequence[Line], box: Box, page: Page) -> Box:
    """The room above a caption up to the next text, as wide as nothing stands beside it."""
    x0, _, x1, bottom = box
    floor = 0.045 * page.height
    top = max(
        (line.y1 for line in texts if line.y1 < bottom + 1 and overlap(line.x0, line.x1, x0, x1) > 4), default=floor
    )
    beside = [
        line for line in texts if overlap(line.y0, line.y1, top, bottom) > 0 and overlap(line.x0, line.x1, x0, x1) <= 4
    ]
    if not beside:
        x0, x1 = 0.03 * page.width, 0.97 * page.width
    else:
        left = max((line.x1 for line in beside if line.x1 <= x0 + 4), default=0.03 * page.width)
        right = min((line.x0 for line in beside if line.x0 >= x1 - 4), default=0.97 * page.width)
        x0, x1 = left + 1, right - 1
    return (x0, top, x1, bottom)


# -- columns -----------------------------------------------------------------------------------


def in_order(lines: Sequence[Line], page: Page, depth: int = 0) -> list[list[Line]]:
    """Lines in reading order, a list for each column; a line over several columns ends those above it."""
    if not lines:
        return []
    gutters = _gutters(lines, page) if depth < 3 and len(lines) > 3 else []
    if not gutters:
        return [sorted_lines(lines)]
    crossing = [line for line in lines if any(line.x0 < gap[0] - 2 and line.x1 > gap[1] + 2 for gap in gutters)]
    cuts = _bands(crossing)
    columns: list[list[Line]] = []
    across = set(map(id, crossing))
    rest = [line for line in lines if id(line) not in across]
    tops = [band[0] for band in cuts]
    for index in range(len(cuts) + 1):
        upper = cuts[index - 1][0] if index else -1e9
        lower = tops[index] if index < len(cuts) else 1e9
        if index:
            columns.append(sorted_lines(cuts[index - 1][2]))
        inside = [line for line in rest if upper <= (line.y0 + line.y1) / 2 < lower]
        for left, right in zip([-1e9, *(gap[1] for gap in gutters)], [*(gap[0] for gap in gutters), 1e9], strict=True):
            column = [line for line in inside if left - 3 <= (line.x0 + line.x1) / 2 <= right + 3]
            if column:
                columns.append(sorted_lines(column))
    return columns


def _bands(crossing: Sequence[Line]) -> list[tuple[float, float, list[Line]]]:
    bands: list[tuple[float, float, list[Line]]] = []
    for line in sorted(crossing, key=lambda line: line.y0):
        if bands and line.y0 - bands[-1][1] < 1.6 * line.size:
            top, _, lines = bands[-1]
            bands[-1] = (top, max(bands[-1][1], line.y1), [*lines, line])
        else:
            bands.append((line.y0, line.y1, [line]))
    return bands


def _gutters(lines: Sequence[Line], page: Page) -> list[tuple[float, float]]:
    """White stripes between columns: where no line stands but those that are wide."""
    x0, _, x1, _ = union(line.box for line in lines)
    span = x1 - x0
    if span < 0.55 * page.width:
        return []
    narrow = sorted((line.x0, line.x1, line.y1 - line.y0) for line in lines if line.width < 0.62 * span)
    gaps = _gaps(narrow, x0, x1)
    if not gaps:
        # A few pieces of lines over both columns may stand in the gutter.
        middle = (x0 + x1) / 2
        beside = [entry for entry in narrow if not entry[0] < middle < entry[1]]
        if len(narrow) - len(beside) <= 0.1 * len(narrow):
            gaps = _gaps(beside, x0, x1)
    return _wide_enough(gaps)


def _gaps(narrow: Sequence[tuple[float, float, float]], x0: float, x1: float) -> list[tuple[float, float]]:
    if not narrow:
        return []
    gaps: list[tuple[float, float]] = []
    span = x1 - x0
    reach, weight = narrow[0][1], narrow[0][2]
    total = sum(entry[2] for entry in narrow)
    for index, (left, right, height) in enumerate(narrow[1:], 1):
        inner = 0.2 * span < reach - x0 and x1 - left > 0.2 * span
        # Lines of half the width are a column though a figure leaves room for few of them.
        halves = min(reach - x0, x1 - left) > 0.4 * span and 2 <= index <= len(narrow) - 2
        if left - reach > 5 and inner and (halves or 0.08 * total < weight < 0.95 * total):
            gaps.append((reach, left))
        reach = max(reach, right)
        weight += height
    return gaps


def _wide_enough(gaps: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Gutters without those that set off what is too narrow for a column, such as the numbers of a list."""
    kept: list[tuple[float, float]] = []
    for gap in gaps:
        if kept and gap[0] - kept[-1][1] < 60:
            kept[-1] = max(kept[-1], gap, key=lambda one: one[1] - one[0])
        else:
            kept.append(gap)
    return kept


def sorted_lines(lines: Iterable[Line]) -> list[Line]:
    """From top to bottom, and from left to right where lines stand at one height."""
    ordered = sorted(lines, key=lambda line: (line.baseline, line.x0))
    result: list[Line] = []
    for row in _rows(ordered):
        row.sort(key=lambda line: line.x0)
        result += row
    return result


def _rows(ordered: Sequence[Line]) -> Iterator[list[Line]]:
    row: list[Line] = []
    for line in ordered:
        if row and line.baseline - row[0].baseline > 0.25 * max(row[0].size, line.size):
            yield row
            row = []
        row.append(line)
    if row:
        yield row
