"""An article from its pages: what stands on them in reading order, as sections, tables, figures and references.

The one idea: a single walk over the lines in reading order with a paragraph open; each line begins a heading, begins
a paragraph, or goes on. Everything that is not running text was taken away before.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from nature_gym.reading.addresses import doi_in, find_addresses
from nature_gym.reading.document import ABSTRACT, Citation, Document, Figure, Link, Reference, Section, Table
from nature_gym.reading.pdf.covers import without_covers
from nature_gym.reading.pdf.front import Front, dates_in, is_history, read_front
from nature_gym.reading.pdf.grids import Grid, Writer, read_grid
from nature_gym.reading.pdf.layout import (
    KNOWN_TITLES,
    Float,
    floats_of,
    half,
    in_order,
    styles_of,
    take_furniture,
    uprights_of,
)
from nature_gym.reading.pdf.page import Hyperlink, Line, Page, Run, union
from nature_gym.reading.pdf.wording import (
    MAX_LINKS,
    Anchors,
    Hyphens,
    Marked,
    finished,
    letters,
    line_text,
    unmarked,
    with_addresses,
)

if TYPE_CHECKING:
    from nature_gym.reading.pdf import PdfFile

PLAIN = 50
"""Characters of a line that may be more than a heading, or a date."""
HEAD = 0.055
"""Share of a page's height that running heads, their lines and signets take."""
MIN_CHARACTERS = 80
"""A page with fewer is taken for a picture."""
_NO_RUN_INS = frozenset({"additional information", "competing interests", "author contributions", "references"})
_BACK = frozenset({"references", "acknowledgements", "acknowledgments", "author contributions"})
_AFTER_REFERENCES = re.compile(
    r"^\W*(?:publisher.s note|open access\b|©|springer nature or its licensor)", re.IGNORECASE
)
_ENTRY = re.compile(r"^\s*(\d{1,3})\.?\s+(?=\S)")


def compose(file: PdfFile, *, figures: bool) -> Document:
    """Read all of ``file``."""
    sheets = list(file.pages())
    pages, covers = without_covers([page for sheet in sheets for page in _worth_reading(sheet)])
    written = sum(sum(len(line.plain) for line in page.lines) >= MIN_CHARACTERS for page in pages)
    problems = [*file.problems, *covers]
    if not written:
        return Document(
            source="pdf",
            title=file.metadata.get("title", ""),
            metadata=_kept(file),
            problems=(
                *problems,
                f"no text: the {len(sheets)} pages are pictures, and characters in pictures are not read",
            ),
        )
    bare = len({page.number for page in pages if not page.lines})
    if bare > 0.5 * len(sheets):
        problems.append(f"{bare} of {len(sheets)} pages have no text: they may be scanned")
    article = _Article(file, pages, figures=figures)
    document = article.read()
    return replace(
        document, problems=(*problems, *[one for one in file.problems if one not in problems], *article.problems)
    )


def _worth_reading(sheet: Sequence[Page]) -> Iterator[Page]:
    """The upright page, and turned text where it is a table or all there is."""
    upright = sheet[0] if sheet and sheet[0].turned == 0 else None
    turned = [page for page in sheet if page.turned]
    for page in turned:
        length = sum(len(line.plain) for line in page.lines)
        own = sum(len(line.plain) for line in upright.lines) if upright else 0
        labelled = any(
            re.match(r"\s*(?:Extended Data |Supplementary )?Table\s*\d", line.plain, re.IGNORECASE)
            for line in page.lines
        )
        if labelled or length > 2 * own:
            yield page
            if upright and length > 2 * own:
                # What is left upright is the running head.
                upright = replace(upright, lines=[line for line in upright.lines if line.size > 1], shapes=[], links=[])
    if upright:
        yield upright


def _kept(file: PdfFile) -> dict[str, str]:
    names = {"creationDate": "pdf_created", "producer": "pdf_producer", "creator": "pdf_creator"}
    return {
        "pages": str(file.page_count),
        **{new: file.metadata[old] for old, new in names.items() if old in file.metadata},
    }


@dataclass(slots=True)
class _Heading:
    """A heading as it was met: how it is set tells its level when all are known."""

    title: str
    font: str
    size: float
    kind: str
    """``block``, ``run-in``, ``italic`` or ``box``."""
    paragraphs: list[str] = field(default_factory=list)
    capitals: bool = False


@dataclass(slots=True)
class _Column:
    """What is usual in a column: its edges and the distance of its lines."""

    left: float
    right: float
    pitch: float


class _Article:
    def __init__(self, file: PdfFile, pages: list[Page], *, figures: bool) -> None:
        self.file = file
        self.pages = pages
        self.figures = figures
        self.problems: list[str] = []
        self.taken = take_furniture(pages)
        for page in pages:
            page.lines = _with_initials(page.lines)
        self.styles = styles_of(pages)
        self.hyphens = Hyphens(_all_lines(pages))
        self.links: list[Hyperlink] = []
        self.numbers: dict[str, int] = {}
        """One number for all places that lead to the same address: links are broken over lines, fonts and pages."""
        citing = sum(not link.uri for page in pages for link in page.links) >= 12
        self.anchors = {id(page): self._anchors(page, citing=citing) for page in pages}
        self.headings = [_Heading("", "", 0.0, "block")]
        self.paragraph = ""
        self.last: Line | None = None
        self.last_column = _Column(0, 0, 12)
        self.open_heading: Line | None = None
        self.entries: list[str] = []
        self.in_entries = False
        self.entry_size = 0.0
        self.history: dict[str, str] = {}
        self.made_tables: list[Table] = []
        self.made_figures: list[Figure] = []
        self.caption_links: list[tuple[str, Marked]] = []
        self.boxes: list[_Heading] = []

    def _anchors(self, page: Page, *, citing: bool) -> Anchors:
        outward: list[tuple[int, Hyperlink]] = []
        for link in page.links:
            if link.uri and len(self.links) < MAX_LINKS:
                link = Hyperlink(link.box, _mended(link.uri))  # noqa: PLW2901 -- the same link with its address put right
                outward.append((len(self.links), link))
                self.links.append(link)
        numbered = [(self.numbers.setdefault(link.uri, number), link) for number, link in outward]
        return Anchors(numbered, [link for link in page.links if not link.uri], citing)

    # -- the walk --

    def read(self) -> Document:
        first = self.pages[0]
        floats = [floats_of(page, self.styles) for page in self.pages]
        front = read_front(first, self.taken, self.styles, self.file.metadata, self.hyphens)
        first.lines = [line for line in first.lines if id(line) not in front.used]
        in_form = False
        for page, found in zip(self.pages, floats, strict=True):
            if in_form or _is_form(page):
                if not in_form:
                    self._begin_heading("Reporting Summary", "", 99.0, "block")
                in_form = True
            self._read_page(page, in_form=in_form)
            for one in found:
                self._read_float(one)
        self._end_paragraph()
        return self._document(front)

    def _read_page(self, page: Page, *, in_form: bool) -> None:
        anchors = self.anchors[id(page)]
        for lines in in_order(page.lines, page):
            column = _column_of(lines)
            previous: Line | None = None
            for index, line in enumerate(lines):
                after = lines[index + 1] if index + 1 < len(lines) else None
                self._take(line, previous, after, column, anchors, in_form=in_form)
                previous = line

    def _take(
        self, line: Line, previous: Line | None, after: Line | None, column: _Column, anchors: Anchors, *, in_form: bool
    ) -> None:
        text = line_text(line, anchors)
        if previous is not None and not in_form and self._plainly_goes_on(line, text, previous, column):
            self.paragraph = self.hyphens.join(self.paragraph.rstrip(), text.lstrip())
            self.last, self.last_column = line, column
            return
        bare = unmarked(text).strip()
        if not bare:
            return
        if is_history(bare):
            self.history.update(dates_in(bare))
            return
        beside = previous is not None and abs(line.baseline - previous.baseline) < 0.3 * line.size
        if not beside and not in_form:
            if self._is_heading(line, bare, previous, after, column):
                self._add_heading(line, bare)
                return
            if self._run_in(line, previous, column):
                self.last, self.last_column = line, column
                return
        self.open_heading = None
        if not self.in_entries and not self.entries and self._implies_entries(line, bare, after):
            self._begin_heading("References", "", line.size, "box")
        listing = self.in_entries or self._resumes_entries(line, bare)
        if listing and self._entry(line, text, bare, beside=beside):
            self.last, self.last_column = line, column
            return
        if self.paragraph and not beside and self._begins(line, bare, previous, column):
            self._end_paragraph()
        self.paragraph = self.hyphens.join(self.paragraph.rstrip(), text.lstrip()) if self.paragraph else text
        self.last, self.last_column = line, column

    def _plainly_goes_on(self, line: Line, text: str, previous: Line, column: _Column) -> bool:
        """Whether a line is so plain that no other question need be asked: most lines are, and it saves a third."""
        return (
            len(line.runs) == 1
            and len(text) > PLAIN
            and text[0].isalpha()
            and not self.in_entries
            and self.open_heading is None
            and bool(self.paragraph)
            and 0.5 * column.pitch < line.baseline - previous.baseline < 1.25 * column.pitch
            and abs(line.x0 - column.left) <= 3
            and abs(line.size - previous.size) < 0.9
        )

    def _begins(self, line: Line, bare: str, previous: Line | None, column: _Column) -> bool:
        """Whether a line begins a paragraph."""
        ended = unmarked(self.paragraph[-40:]).rstrip()[-1:] in '.!?:”"’)'
        indented = 3 < line.x0 - column.left < 40
        if bare[:1] in "•●▪◦■–" and bare[1:2] in {" ", ""}:
            return True
        if previous is None:
            # In the next column or on the next page.
            last, before = self.last, self.last_column
            if last is None or abs(line.size - last.size) > 0.9:
                return True
            short = last.x1 < before.right - 0.06 * (before.right - before.left)
            return ended and (indented or short)
        gap = line.baseline - previous.baseline
        lowercase = bare[:1].islower()
        if abs(line.size - previous.size) > 0.9 and not lowercase:
            return True
        if gap > 1.5 * column.pitch or gap < -2:
            return ended or not lowercase
        was_indented = 3 < previous.x0 - column.left < 40
        return indented and not was_indented and (ended or not lowercase)

    def _end_paragraph(self) -> None:
        if self.paragraph.strip():
            self.headings[-1].paragraphs.append(self.paragraph)
        self.paragraph = ""

    # -- headings --

    def _is_heading(  # noqa: PLR0911 -- one line for each reason
        self, line: Line, bare: str, previous: Line | None, after: Line | None, column: _Column
    ) -> bool:
        known = len(bare) < 50 and bare.casefold().strip(" .:") in KNOWN_TITLES
        apart = previous is None or line.baseline - previous.baseline > 1.25 * column.pitch
        goes_on = self.open_heading is not None and previous is self.open_heading
        if not (known or apart or goes_on) or len(bare) > 200 or sum(map(str.isalpha, bare)) < 3:
            return False
        if not (bare[0].isupper() or bare[0].isdigit() or self.open_heading or line.strong):
            return False
        strong = self.styles.is_strong(line)
        large = line.size > 1.12 * self.styles.size and (line.font, half(line.size)) not in self.styles.texts
        if known and (strong or large or line.font != self.styles.font or bare.isupper()):
            return True
        if after is not None and abs(after.baseline - line.baseline) < 0.3 * line.size and not strong:
            return False
        if not (apart or goes_on):
            return False
        if (strong or large) and not (bare.endswith((",", ";")) or (bare.endswith(".") and len(bare) > 90)):
            if line.size < self.styles.size - 2.6 or re.match(r"[^\w]*\d[\d.,\s]*$", bare):
                return False
            return bare[0].isalnum()
        if (
            line.italic
            and not self.in_entries
            and bare[0].isupper()
            and not bare.endswith((".", ",", ";"))
            and previous is not None
        ):
            return line.width < 0.92 * (column.right - column.left) and len(bare.split()) < 14 and len(bare) > 5
        return False

    def _add_heading(self, line: Line, bare: str) -> None:
        title = finished(bare).text.rstrip(" .:")
        last = self.headings[-1]
        opened = self.open_heading
        if (
            opened is not None
            and not last.paragraphs
            and not self.paragraph
            and abs(last.size - line.size) < 0.4
            and last.font == line.font
            and last.title.casefold() not in KNOWN_TITLES
            and line.baseline - opened.baseline < 1.6 * line.size
        ):
            last.title = self.hyphens.join(last.title, title)
            self.open_heading = line
            return
        kind = "italic" if line.italic and not self.styles.is_strong(line) else "block"
        if kind == "block" and bare.rstrip().endswith("."):
            kind = "run-in"
        self._begin_heading(title, line.font, line.size, kind)
        self.open_heading = line

    def _begin_heading(self, title: str, font: str, size: float, kind: str) -> None:
        self._end_paragraph()
        capitals = title.isupper()
        if capitals and title.casefold() in KNOWN_TITLES:
            title = title.capitalize()
        self.headings.append(_Heading(title, font, size, kind, capitals=capitals))
        self.in_entries = title.casefold().rstrip(".") in {"references", "references and notes", "methods references"}
        if self.in_entries:
            self.entry_size = 0.0

    def _main_title(self) -> str:
        return next(
            (one.title.casefold() for one in reversed(self.headings) if one.title.casefold() in KNOWN_TITLES), ""
        )

    def _run_in(  # noqa: PLR0911 -- one line for each reason
        self, line: Line, previous: Line | None, column: _Column
    ) -> bool:
        """Take a line that begins with a heading and goes on with text."""
        if len(line.runs) < 2:
            return False
        if (previous is None or line.baseline - previous.baseline > 0.5 * line.size) and self._known_run_in(line):
            return True
        if self.in_entries:
            return False
        opened = self.open_heading is not None and previous is self.open_heading
        apart = previous is None or opened or line.baseline - previous.baseline > 1.25 * column.pitch
        if (not apart and not (3 < line.x0 - column.left < 40)) or self._main_title() in _NO_RUN_INS:
            return False
        strong = [run.strong or run.font in self.styles.strong for run in line.runs]
        kind = "run-in"
        count = _leading(line.runs, strong)
        if not count and apart and (previous is not None or self._may_lead(line)):
            count, kind = _leading(line.runs, [run.italic for run in line.runs]), "italic"
        if not count or count == len(line.runs):
            return False
        lead = "".join(letters(run.text) for run in line.runs[:count])
        after = "".join(letters(run.text) for run in line.runs[count:])
        if not (lead.rstrip().endswith((".", ":")) or after.lstrip().startswith((".", ":"))):
            return False
        title = finished(unmarked(line_text(replace(line, runs=line.runs[:count], marked=None)))).text.strip(" .:")
        if sum(map(str.isalpha, title)) < 4 or not (title[0].isupper() or title[0].isdigit() or opened):
            return False
        if kind == "italic" and (len(title.split()) > 12 or title.casefold() in {"et al", "in vitro", "in vivo"}):
            return False
        last = self.headings[-1]
        if (
            opened
            and kind == "run-in"
            and not last.paragraphs
            and abs(last.size - line.size) < 0.4
            and last.font == line.runs[0].font
            and last.title.casefold() not in KNOWN_TITLES
            and self.open_heading is not None
            and line.baseline - self.open_heading.baseline < 1.6 * line.size
        ):
            last.title, last.kind = self.hyphens.join(last.title, title), "run-in"
        else:
            self._begin_heading(title, line.runs[0].font, line.size, kind)
        self._begin_rest(line, count)
        return True

    def _may_lead(self, line: Line) -> bool:
        """Whether a column that begins in italics may begin with a heading, as others in this font did before."""
        ended = unmarked(self.paragraph[-40:]).rstrip().endswith(".")
        return ended and any(one.kind == "italic" and one.font == line.runs[0].font for one in self.headings)

    def _known_run_in(self, line: Line) -> bool:
        """Take a line that begins with a known title in bold, such as ``Acknowledgements We thank``."""
        count = _leading(line.runs, [run.strong or run.font in self.styles.strong for run in line.runs])
        if not 0 < count < len(line.runs) or self._main_title() == "additional information":
            return False
        title = letters("".join(run.text for run in line.runs[:count])).strip(" .:")
        if title.casefold() not in KNOWN_TITLES or not title[0].isupper() or self._main_title() == title.casefold():
            return False
        self._begin_heading(title, line.runs[0].font, line.size, "block")
        self._begin_rest(line, count)
        return True

    def _begin_rest(self, line: Line, count: int) -> None:
        """Begin a paragraph with what follows a heading on its line."""
        rest = replace(line, runs=line.runs[count:], x0=line.runs[count].x0, marked=None)
        page = next(page for page in self.pages if page.number == line.page)
        self.paragraph = line_text(rest, self.anchors[id(page)]).lstrip(" .:")
        self.open_heading = None

    # -- references --

    def _resumes_entries(self, line: Line, bare: str) -> bool:
        """Whether the reference list goes on here, as it does after the methods of some papers."""
        found = _ENTRY.match(bare) if len(self.entries) >= 5 else None
        if not found or int(found[1]) != len(self.entries) + 1:
            return False
        return abs(line.size - self.entry_size) < 0.6

    def _implies_entries(self, line: Line, bare: str, after: Line | None) -> bool:
        """Whether a reference list begins without a heading, as in one journal."""
        if bare[0] != "1" or line.size > self.styles.size - 0.4:
            return False
        if bare == "1." and after is not None and abs(after.baseline - line.baseline) < 0.3 * line.size:
            bare = f"1. {after.plain}"
        if not re.match(r"1\.\s+[A-Z][\w’'-]+, (?:[A-Z]\.|[A-Z][a-z]+)", bare):
            return False
        return after is not None and abs(after.size - line.size) < 0.4 and len(self.headings) > 2

    def _entry(self, line: Line, text: str, bare: str, *, beside: bool) -> bool:
        if _AFTER_REFERENCES.match(bare):
            self.in_entries = False
            self._end_paragraph()
            return False
        found = _ENTRY.match(bare)
        number_only = re.fullmatch(r"(\d{1,3})\.?", bare)
        number = int((found or number_only or [0, 0])[1])
        if number and number == len(self.entries) + 1 and not (beside and not self.entries and number != 1):
            self.in_entries = True
            self.entry_size = line.size
            self._end_paragraph()
            self.entries.append(text.replace(str(number), "", 1).lstrip(" .") if found or number_only else text)
            return True
        if not self.entries or not self.in_entries:
            return False
        self.entries[-1] = self.hyphens.join(self.entries[-1].rstrip(), text.lstrip()) if self.entries[-1] else text
        return True

    # -- floats --

    def _read_float(self, one: Float) -> None:
        anchors = self.anchors[id(one.page)]
        caption = self._caption(one, anchors)
        section = len(self.headings) - 1
        if one.what == "box":
            box = _Heading(f"{one.label} | {caption.text}", "", 0.0, "box")
            box.paragraphs = [
                self._joined([line for lines in in_order(one.lines, one.page) for line in lines], anchors)
            ]
            self.boxes.append(box)
        elif one.what == "table":
            grid = self._grid(one, anchors)
            foot = _foot_of(grid.rows)
            notes = self._finished(" ".join([*foot, self._joined(one.notes, anchors)]))
            self.caption_links += [(caption.text, caption), (notes.text, notes)]
            self.made_tables.append(
                Table(
                    one.label,
                    caption.text,
                    tuple(map(tuple, grid.rows)),
                    grid.header_rows,
                    notes.text,
                    section,
                    missing=not grid.rows,
                    bold=frozenset(place for place in grid.bold if place[0] < len(grid.rows)),
                )
            )
            if not grid.rows:
                self.problems.append(f"{one.label}: no rows could be read")
        else:
            self.caption_links.append((caption.text, caption))
            image, media_type = self._picture(one) if self.figures else (None, None)
            if self.figures and image is None:
                self.problems.append(f"{one.label}: no picture was found on page {one.page.number + 1}")
            self.made_figures.append(Figure(one.label, caption.text, None, image, media_type, section))

    def _caption(self, one: Float, anchors: Anchors) -> Marked:
        text = self._joined(one.caption, anchors)
        label = re.escape(one.label).replace(r"\ ", r"\s*")
        found = re.match(label + r"\s*[|│‖.:]?\s*", text.lstrip())
        return finished(text.lstrip()[found.end() :] if found else text)

    def _joined(self, lines: Sequence[Line], anchors: Anchors) -> str:
        text = ""
        for line in lines:
            piece = line_text(line, anchors)
            text = self.hyphens.join(text.rstrip(), piece.lstrip()) if text else piece
        return text

    def _grid(self, one: Float, anchors: Anchors) -> Grid:
        if not one.lines:
            return Grid()
        own = {(round(line.x0), round(line.baseline)) for line in one.caption}
        words = one.page.words_in(one.box)
        low, high = min(line.y0 for line in one.caption), max(line.y1 for line in one.caption)
        left, right = min(line.x0 for line in one.caption), max(line.x1 for line in one.caption)
        words = [
            word
            for word in words
            if not (low - 1 <= (word.y0 + word.y1) / 2 <= high + 1 and left - 2 <= word.x0 <= right + 2)
            and (round(word.x0), round(word.baseline)) not in own
        ]
        rules = [rule for rule in one.rules if not low < rule.y < high]
        writer = Writer(self.hyphens, Anchors([], anchors.inward, anchors.citing), self.styles.is_strong)
        try:
            return read_grid(words, rules, uprights_of(one.page), one.box, writer)
        except (ValueError, IndexError) as error:
            self.problems.append(f"{one.label}: the rows could not be told apart ({error})")
            return Grid()

    def _picture(self, one: Float) -> tuple[bytes, str] | tuple[None, None]:
        page, box = one.page, one.box
        images = self.file.images(page)
        inside = [(place, number) for place, number in images if _within(place, box)]
        shapes = [
            shape
            for shape in page.shapes
            if _within(shape, box)
            and (shape[2] - shape[0] > 2 or shape[3] - shape[1] > 2)
            and shape[3] > HEAD * page.height  # what stands higher belongs to the running head
        ]
        parts = [*(place for place, _ in inside), *shapes, *(line.box for line in one.lines)]
        if not parts:
            return None, None
        if len(inside) == 1 and not one.lines and not shapes and inside[0][1]:
            stored = self.file.image(inside[0][1])
            if stored:
                return stored.content, stored.media_type
        x0, y0, x1, y1 = union(parts)
        clip = (max(x0 - 3, box[0] - 2), max(y0 - 3, box[1]), min(x1 + 3, box[2] + 2), min(y1 + 3, box[3] + 1))
        drawn = self.file.drawn(page, clip)
        return (drawn.content, drawn.media_type) if drawn else (None, None)

    # -- the whole --

    def _document(self, front: Front) -> Document:
        first = self.anchors[id(self.pages[0])]
        abstract = self._finished(self._joined(front.abstract, first))
        self._place_boxes()
        levels = _levels(self.headings)
        links: list[Link] = []
        citations: list[Citation] = []
        sections: list[Section] = []
        links += self._links(abstract, ABSTRACT, 0)
        citations += [Citation(number, ABSTRACT, place) for number, place in abstract.citations]
        kept: dict[int, int] = {}
        references: list[Reference] = []
        for index, heading in enumerate(self.headings):
            paragraphs = list(heading.paragraphs)
            listed = heading.title.casefold() == "references" and bool(self.entries) and not references
            made = [self._finished(one) for one in paragraphs]
            if listed:
                entries = [self._finished(entry) for entry in self.entries]
                references = [self._reference(number, entry) for number, entry in enumerate(entries, 1)]
                made = [_numbered(number, entry) for number, entry in enumerate(entries, 1)] + made
            made = [one for one in made if one.text]
            if not heading.title and not made:
                continue
            kept[index] = len(sections)
            offset = 0
            for one in made:
                links += self._links(one, len(sections), offset)
                citations += [Citation(number, len(sections), offset + place) for number, place in one.citations]
                offset += len(one.text) + 1
            sections.append(Section(heading.title, levels[index], "\n".join(one.text for one in made)))
        for text, marked in self.caption_links:
            for number, start, end in marked.links:
                links.append(Link(self.links[number].uri, text[start:end], 0, start, within=text))
        placed = _Placer(kept)
        dates = {**front.dates, **self.history}
        metadata = {**_kept(self.file), **dates}
        if front.affiliations:
            metadata["affiliations"] = front.affiliations
        return Document(
            source="pdf",
            title=front.title,
            doi=front.doi,
            article_type=front.article_type,
            journal=front.journal,
            published=dates.get("published", ""),
            authors=front.authors,
            abstract=abstract.text,
            sections=tuple(sections),
            links=tuple(links),
            tables=tuple(
                replace(table, section=placed.at(table.section)) for table in sorted(self.made_tables, key=_rank)
            ),
            figures=tuple(
                replace(figure, section=placed.at(figure.section)) for figure in sorted(self.made_figures, key=_rank)
            ),
            references=tuple(references),
            citations=tuple(citations),
            metadata=metadata,
        )

    def _finished(self, text: str) -> Marked:
        marked = finished(text)
        return with_addresses(marked, [link.uri for link in self.links]) if marked.links else marked

    def _place_boxes(self) -> None:
        """Boxes stand before the references, or at the end."""
        place = next(
            (index for index, one in enumerate(self.headings) if one.title.casefold() in _BACK), len(self.headings)
        )
        self.headings[place:place] = self.boxes

    def _links(self, marked: Marked, section: int, offset: int) -> Iterator[Link]:
        for number, start, end in marked.links:
            uri = self.links[number].uri
            if not uri.startswith("mailto:"):
                yield Link(uri, marked.text[start:end], section, offset + start)

    def _reference(self, number: int, entry: Marked) -> Reference:
        urls = list(dict.fromkeys(self.links[index].uri for index, _, _ in entry.links))
        written = [one.url for one in find_addresses(entry.text)]
        urls += [url for url in written if url not in urls]
        doi = next((found for url in (*written, *urls) if "doi.org/" in url and (found := doi_in(url))), None)
        return Reference(number, entry.text, doi, tuple(urls))


def _rank(one: Table | Figure) -> tuple[bool, int]:
    """By number, those of the article before extended and supplementary ones."""
    number = re.search(r"\d+", one.label)
    return (one.label[:1] in "ES", int(number[0]) if number else 0)


class _Placer:
    """Indexes of headings as indexes of the sections that were kept."""

    def __init__(self, kept: dict[int, int]) -> None:
        self.kept = kept

    def at(self, index: int | None) -> int | None:
        known = [key for key in self.kept if index is not None and key <= index]
        return self.kept[max(known)] if known else (0 if self.kept else None)


def _numbered(number: int, entry: Marked) -> Marked:
    lead = f"{number}. "
    return Marked(
        lead + entry.text,
        tuple((index, start + len(lead), end + len(lead)) for index, start, end in entry.links),
        (),
    )


_FOOT = re.compile(r"(?:\^\{[*†‡§¶]+\}|[*†‡§¶]|[⁎ᵃᵇᶜ])\s*\w")
"""How a note begins that explains a mark."""


def _foot_of(rows: list[list[str]]) -> list[str]:
    """Take notes off the end of a table that stand within its frame."""
    foot: list[str] = []
    while len(rows) > 2 and len(texts := [cell for cell in rows[-1] if cell]) == 1 and _FOOT.match(texts[0]):
        foot.insert(0, texts[0])
        rows.pop()
    return foot


_BOX = re.compile(r"Box\s*\d", re.IGNORECASE)


def _levels(headings: Sequence[_Heading]) -> list[int]:
    """Levels from how the headings are set: known titles are main ones, and so is what looks like them."""

    def look(one: _Heading) -> tuple[str, float, bool]:
        return (one.font, half(one.size), one.capitals)

    blocks = [one for one in headings if one.kind == "block" and one.title and not _BOX.match(one.title)]
    main = Counter(look(one) for one in blocks if one.title.casefold() in KNOWN_TITLES)
    style = main.most_common(1)[0][0] if main else None
    top = style[1] if style else max((half(one.size) for one in blocks), default=10.0)
    others = sorted({half(one.size) for one in blocks if style is None or look(one) != style}, reverse=True)
    second = next((size for size in others if size <= top + 0.1), top)
    levels: list[int] = []
    within = False
    for one in headings:
        size = half(one.size)
        if _BOX.match(one.title):
            level = 2 if one.kind == "block" else 1  # a box stands beside the text, and says nothing of its levels
        elif one.kind in {"block", "box"}:
            is_main = not one.title or one.kind == "box" or one.title.casefold() in KNOWN_TITLES or look(one) == style
            is_main = is_main or size > top + 0.4 or (style is None and size >= top - 0.1)
            level = 1 if is_main else (2 if size >= second - 0.4 else 3)
            within = level > 1
        elif one.kind == "run-in":
            level = 3 if within else 2
        else:
            level = 3
        levels.append(level)
    return levels


def _mended(uri: str) -> str:
    """An address as it was meant: some files hold another one before it, or take a bare one for a file."""
    uri = uri.replace(" ", "") if not uri.startswith(("http", "mailto")) else uri.strip()
    uri = re.sub(r"^file://(?=www\.)", "http://", uri)
    nested = re.search(r"\s(https?://\S+)$|(?:DOI:|doi:)\s*(https?://\S+)$", uri)
    return (nested[1] or nested[2]) if nested else re.sub(r"\s+", "", uri)


def _with_initials(lines: list[Line]) -> list[Line]:
    """Lines with large initials put before the words that they begin."""
    kept: list[Line] = []
    for index, line in enumerate(lines):
        if len(line.plain) > 2:
            kept.append(line)
            continue
        text = line.plain.strip()
        after = lines[index + 1] if index + 1 < len(lines) else None
        if (
            len(text) == 1
            and text.isalpha()
            and after is not None
            and line.size > 2.2 * after.size
            and after.x0 > line.x0
            and after.x0 - line.x1 < 12
            and line.y0 - 8 < after.y0 < line.y1
        ):
            first = after.runs[0]
            after.runs[0] = replace(first, text=text + first.text)
            after.settle()
            continue
        kept.append(line)
    return kept


def _all_lines(pages: Sequence[Page]) -> Iterator[str]:
    return (line.plain for page in pages for line in page.lines)


def _column_of(lines: Sequence[Line]) -> _Column:
    lefts = Counter(round(line.x0) for line in lines if line.width > 40)
    left = (
        float(max(lefts, key=lambda x: lefts[x] + lefts[x - 1] + lefts[x + 1]))
        if lefts
        else min(line.x0 for line in lines)
    )
    gaps = [
        second.baseline - first.baseline
        for first, second in pairwise(lines)
        if 2 < second.baseline - first.baseline < 3 * second.size
    ]
    pitch = statistics.median(gaps) if gaps else 1.2 * lines[0].size
    return _Column(left, max(line.x1 for line in lines), pitch)


def _leading(runs: Sequence[Run], marked: Sequence[bool]) -> int:
    """How many runs at the beginning are marked, blank ones and scripts between them included."""
    count = 0
    for index, (run, is_marked) in enumerate(zip(runs, marked, strict=True)):
        if is_marked and any(map(str.isalnum, run.text)):
            count = index + 1
        elif is_marked or not run.text.strip():
            continue
        else:
            break
    return count


def _is_form(page: Page) -> bool:
    """Whether the publisher's reporting form begins here."""
    text = " ".join(line.plain for line in page.lines[:60]).casefold()
    return page.number > 0 and "reporting summary" in text and "corresponding author(s)" in text


def _within(part: tuple[float, float, float, float], box: tuple[float, float, float, float]) -> bool:
    x, y = (part[0] + part[2]) / 2, (part[1] + part[3]) / 2
    return box[0] - 2 <= x <= box[2] + 2 and box[1] - 2 <= y <= box[3] + 2
