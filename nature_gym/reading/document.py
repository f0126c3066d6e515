"""What a reader makes of an article, whatever format it came in.

Text is plain Unicode with the meaning kept: superscripts and subscripts that carry meaning stay
(``R²``, ``10⁻³``, ``m s⁻¹``; what Unicode lacks is written ``^{...}`` and ``_{...}``), citation marks go, mathematics
is TeX between dollar signs (numbers and signs alone are written plainly), a paragraph is a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Source = Literal["html", "xml", "pdf"]

ABSTRACT = -1
"""Stands for the abstract where an index of a section is asked for."""


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the article gives, as a link or as text.

    ``section`` is an index into the document's sections, ``offset`` the place in that section's text
    where the link's own text begins; ``anchor`` is that text. Where the link stands elsewhere (in a caption, a
    table's cell or note), ``within`` is the text that it stands in, and ``offset`` the place there.
    """

    url: str
    anchor: str
    section: int
    offset: int
    within: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference's number where it is cited: ``section`` and ``offset`` as in :class:`Link`."""

    number: int
    section: int
    offset: int


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text below it, up to the next heading of any level.

    ``level`` 1 is a main heading. Text before the first heading (the abstract apart) has the title "".
    """

    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a grid: every row has the same number of cells, spans are repeated into each cell they cover.

    ``header_rows`` is how many of ``rows`` are headings. ``missing`` where the article shows the table
    only as a picture or on a page that was not fetched; then there are no rows.
    """

    label: str
    caption: str
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 0
    notes: str = ""
    section: int | None = None
    missing: bool = False
    bold: frozenset[tuple[int, int]] = frozenset()
    """Row and column of each cell that is bold as a whole, as the best values often are."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its caption; ``image`` are the bytes where the source holds them, ``url`` where it links them."""

    label: str
    caption: str
    url: str | None = None
    image: bytes | None = None
    media_type: str | None = None
    section: int | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list."""

    number: int
    text: str
    doi: str | None = None
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """An article as it was read. ``problems`` say in words what could not be read, and where."""

    source: Source
    title: str = ""
    doi: str | None = None
    article_type: str = ""
    """As the article states it: ``Article``, ``Review Article``, ``Author Correction``..."""
    journal: str = ""
    published: str = ""
    """ISO date, or as much of one as is stated."""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    citations: tuple[Citation, ...] = ()
    """Where references are cited, as far as the markup tells; the marks themselves are not in the text."""
    metadata: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
