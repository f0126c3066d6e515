"""What a reader of markup collects while it walks: sections with their lines, and what stands between them.

Walkers for HTML and JATS differ in how they find things; where these go is the same. A walker opens
sections, writes into the line at hand and ends it; the manuscript keeps the places of links and citations in step.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from nature_gym.reading.document import ABSTRACT, Citation, Figure, Link, Reference, Section, Table
from nature_gym.reading.text import Line, Place

Node = TypeVar("Node")
"""An element of whatever the walker walks."""

_FLOAT = re.compile(
    r"(?P<label>(?:(?:Extended|Supplementary|Supplemental|Source)\s+(?:Data\s+)?)?(?P<what>Table|Tab\.|Fig\.|Figure|Scheme|Box)"
    r"\s*(?:[A-Z]{0,2}\d{1,3}[A-Za-z]?|[IVX]{1,5})\b)\s*[.:|│‖–—-]*\s*",
    re.IGNORECASE,
)
_TELLING = 80
"""As many characters tell one text from another."""

MAX_ITEMS = 100_000
"""Lines, links, citations and cells that are taken in at most: far more than any article has."""


@dataclass(slots=True)
class _Open:
    """A section being written."""

    title: str
    level: int
    lines: list[str] = field(default_factory=list)
    length: int = 0


class Manuscript:
    """The parts of an article as they come."""

    def __init__(self) -> None:
        self.line = Line()
        self.links: list[Link] = []
        self.citations: list[Citation] = []
        self.tables: list[Table] = []
        self.figures: list[Figure] = []
        self.references: list[Reference] = []
        self.problems: list[str] = []
        self._sections: list[_Open] = []
        self._abstract = _Open("Abstract", 1)
        self._here = self._untitled = _Open("", 1)  # what stands before the first heading, where there is such
        self._aside = 0
        self._items = 0

    # -- sections --

    @property
    def section(self) -> int:
        """Index of the section at hand; :data:`ABSTRACT` in the abstract."""
        return ABSTRACT if self._here is self._abstract else max(len(self._sections) - 1, 0)

    @property
    def title(self) -> str:
        """Heading of the section at hand."""
        return self._here.title

    @property
    def level(self) -> int:
        """Level of the section at hand."""
        return self._here.level

    def open_section(self, title: str, level: int) -> None:
        """End the section at hand; what comes is below ``title``."""
        self.end_line()
        self._here = _Open(title, level)
        self._sections.append(self._here)

    def open_abstract(self) -> None:
        """What comes is the abstract."""
        self.end_line()
        self._here = self._abstract

    def open_rest(self, level: int) -> None:
        """End the abstract; what comes is below no heading."""
        self.end_line()
        if self._here is self._abstract:
            self._here = self._untitled = _Open("", level)

    # -- lines --

    def end_line(self) -> None:
        """The line at hand is a paragraph; aside (in captions and cells), it is only white space."""
        line = self.line
        if self._aside:
            line.space()
            return
        if line.is_empty():
            return
        self.line = Line()
        self._add(line.finish(), line.links, [*line.citations, *line.inline_citations])

    def add_line(self, mark: str, text: str, links: list[Place]) -> None:
        """Add a line that was written :meth:`apart`, behind ``mark``; in captions and cells it is running text."""
        self.end_line()
        shift = self.line.next_start if self._aside else len(mark)
        for place in links:
            place.start, place.end = place.start + shift, place.end + shift
        if not self._aside:
            self._add(mark + text if text else "", links, [])
            return
        self.line.links += links
        if text:
            self.line.put(text)
        self.line.space()

    def _add(self, text: str, links: list[Place], citations: list[Place]) -> None:
        """Put a line into the section at hand."""
        here = self._here
        if here is self._untitled and not here.lines:
            self._sections.append(here)
        section = self.section
        start = here.length + (1 if here.lines else 0)
        for place in links:
            _trim(place, text)
            self._take_link(Link(place.target, text[place.start : place.end], section, start + place.start))
        for place in citations:
            if self._room() and place.target.isdigit() and len(place.target) < 5:
                self.citations.append(Citation(int(place.target), section, start + place.start))
        if text:
            here.lines.append(text)
            here.length = start + len(text)

    def lead(self, mark: str) -> None:
        """Begin the next line with the mark of a list's item; in captions and cells, lists are running text."""
        if not self._aside:
            self.line.lead(mark)

    def apart(self, write: Callable[[Node], None], node: Node) -> Line:
        """The line that ``write(node)`` writes apart from the text: a caption, a cell, a heading, a superscript."""
        kept, self.line = self.line, Line()
        self._aside += 1
        try:
            write(node)
            return self.line
        finally:
            self.line = kept
            self._aside -= 1

    def text_of(self, write: Callable[[Node], None], node: Node) -> str:
        """What ``write(node)`` writes, as one line apart from the text; links in it are kept."""
        line = self.apart(write, node)
        text = line.finish()
        for place in line.links:
            _trim(place, text)
            self._take_link(Link(place.target, text[place.start : place.end], self.section, place.start, within=text))
        return text

    def _take_link(self, link: Link) -> None:
        if self._room():
            self.links.append(link)

    def _room(self) -> bool:
        self._items += 1
        if self._items == MAX_ITEMS:
            self.problems.append(f"there are more than {MAX_ITEMS:,} links and citations; the rest was left out")
        return self._items < MAX_ITEMS

    # -- the whole --

    @property
    def abstract(self) -> str:
        return "\n".join(self._abstract.lines)

    @property
    def characters(self) -> int:
        """How much text there is below headings."""
        return sum(section.length for section in self._sections)

    def finish(self, known_abstract: str = "") -> tuple[Section, ...]:
        """End the writing; give all sections, their highest level as 1.

        Text before the first heading that is the abstract (as ``known_abstract`` from elsewhere shows) becomes it.
        """
        self.end_line()
        opened = self._sections
        beginning = known_abstract[:_TELLING]
        untitled = opened[0] if opened and not opened[0].title and not self._abstract.lines else None
        if untitled is not None and beginning and "\n".join(untitled.lines).startswith(beginning):
            self._abstract = untitled
            self._drop_first()
        if not opened:
            self._place_all_before()  # captions alone: there is no section for them to stand in
        top = min((section.level for section in opened if section.title), default=1)
        return tuple(
            Section(section.title, max(section.level - top, 0) + 1, "\n".join(section.lines)) for section in opened
        )

    def _drop_first(self) -> None:
        del self._sections[0]
        self._place_all_before()

    def _place_all_before(self) -> None:
        """Sections count one less; what stood in the first stands in the abstract."""
        self.links = [replace(link, section=_before(link.section)) for link in self.links]
        self.citations = [replace(one, section=_before(one.section)) for one in self.citations]
        self.tables = [
            table if table.section is None else replace(table, section=_before(table.section)) for table in self.tables
        ]
        self.figures = [
            figure if figure.section is None else replace(figure, section=_before(figure.section))
            for figure in self.figures
        ]


def _trim(place: Place, text: str) -> None:
    """A link's text may have been opened before the space that precedes it."""
    if text[place.start : place.end].startswith(" "):
        place.start += 1


def _before(section: int) -> int:
    return max(section - 1, ABSTRACT)


def caption_parts(text: str) -> tuple[str, str]:
    """A caption's label and the rest.

    >>> caption_parts("Fig. 1: Accuracy by fold. a, Training.")
    ('Fig. 1', 'Accuracy by fold. a, Training.')
    >>> caption_parts("Table 2 Results")
    ('Table 2', 'Results')
    >>> caption_parts("TABLE IV: Ablations")
    ('Table IV', 'Ablations')
    """
    match = _FLOAT.match(text)
    if match is None:
        return "", text
    what = match["what"]
    label = match["label"].replace(what, "Table ") if what.casefold() in {"table", "tab."} else match["label"]
    return " ".join(label.split()), text[match.end() :]


def is_table_label(label: str) -> bool:
    """Whether a label is a table's."""
    return "table" in label.casefold()


def number_of(label: str) -> int | None:
    """The number in a label: 2 of ``Table 2``; None where there is none.

    >>> number_of("Fig. 3")
    3
    """
    match = re.search(r"\d+", label)
    return int(match[0]) if match else None
