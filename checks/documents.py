"""A Markdown document as the checks need it: sections, code, tables and prose told apart, each with its line.

Parsed once by markdown-it-py; headings are what a reader of Markdown sees as headings, so a line of a code block that
begins with '#' is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``line`` from 1."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: ``line`` is that of its first line of content."""

    language: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, its heading included; cells without the marks around them."""

    cells: tuple[str, ...]
    line: int
    heading: bool


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, a heading, an entry of a list or a row of a table as written, its marks included."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document from its heading to the next one of its level or higher: lines ``start`` up to ``end``."""

    title: str
    start: int
    end: int

    def holds(self, line: int) -> bool:
        """Whether a line is in it."""
        return self.start <= line < self.end


class Document:
    """A document; everything in it is worked out when it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.text.split("\n")

    @cached_property
    def _tokens(self) -> list[Token]:
        return MarkdownIt("commonmark").enable("table").parse(self.text)

    @cached_property
    def headings(self) -> list[Heading]:
        """Every heading."""
        return [
            Heading(int(token.tag[1:]), plain(self._tokens[place + 1].content), _line(token))
            for place, token in enumerate(self._tokens)
            if token.type == "heading_open"
        ]

    @cached_property
    def blocks(self) -> list[Block]:
        """Every block of code."""
        return [
            Block(token.info.strip().lower(), token.content, _line(token) + (token.type == "fence"))
            for token in self._tokens
            if token.type in ("fence", "code_block")
        ]

    @cached_property
    def rows(self) -> list[Row]:
        """Every row of every table."""
        found: list[Row] = []
        cells: list[str] = []
        heading = False
        for place, token in enumerate(self._tokens):
            if token.type == "thead_open":
                heading = True
            elif token.type == "tbody_open":
                heading = False
            elif token.type in ("th_open", "td_open"):
                cells.append(plain(self._tokens[place + 1].content))
            elif token.type == "tr_close":
                found.append(Row(tuple(cells), self._row_line(found, cells, place), heading))
                cells = []
        return found

    def _row_line(self, found: list[Row], cells: list[str], place: int) -> int:
        for token in reversed(self._tokens[:place]):
            if token.type == "tr_open":
                return _line(token)
        return found[-1].line + 1 if found and cells else 1

    @cached_property
    def prose(self) -> list[Prose]:
        """All that is not a block of code."""
        return [Prose(token.content, _line(token)) for token in self._tokens if token.type == "inline"]

    def section(self, pattern: str) -> Section | None:
        """The first section whose heading matches ``pattern``, case aside."""
        for place, heading in enumerate(self.headings):
            if re.search(pattern, heading.text, re.IGNORECASE):
                end = next(
                    (later.line for later in self.headings[place + 1 :] if later.level <= heading.level),
                    len(self.lines) + 1,
                )
                return Section(heading.text, heading.line, end)
        return None

    def within(self, section: Section) -> list[str]:
        """The lines of a section, its heading first."""
        return self.lines[section.start - 1 : section.end - 1]

    def end_of(self, line: int) -> int:
        """The line of the first heading behind ``line``, whatever its level; one more than the last where none is."""
        return next((one.line for one in self.headings if one.line > line), len(self.lines) + 1)

    def find(self, text: str, section: Section | None = None) -> tuple[int, int]:
        """Line and column of the first place of ``text``, in a section where one is given; (1, 1) where it is not."""
        first, last = (section.start, section.end) if section else (1, len(self.lines) + 1)
        for number in range(first, last):
            column = self.lines[number - 1].find(text)
            if column >= 0:
                return number, column + 1
        return first, 1


def plain(text: str) -> str:
    """A heading's or a cell's text without emphasis, code marks and escapes."""
    text = re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", r"\1", text)
    text = re.sub(r"^(\*\*|__)(.*)\1$", r"\2", text.strip())
    return re.sub(r"`+([^`]*)`+", r"\1", text).strip()


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
