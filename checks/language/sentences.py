"""A document taken apart into what can be understood by itself: sentences, headings, rows of tables, comments, code.

The idea: marks of Markdown are taken out before a sentence is read, so that ``**Use** a *graph* network`` is read as a
reader sees it; where a word stands in the file is worked out only for the few words that a finding names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from checks.documents import Block, Document, Row

Kind = Literal["sentence", "row", "comment", "code"]
Span = tuple[int, int]

LONGEST = 20_000
"""Characters of one paragraph that are looked at."""
_MARKS = re.compile(
    r"`(?P<code>[^`]{1,500})`|\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<![\w])_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|`|~~|^\s{0,3}#{1,6}\s|^\s{0,8}[-+*>]\s"
    r"|!?\[(?=[^\]\[\n]{0,300}\]\()|\]\([^)\s]{0,300}\)|</?[a-zA-Z][^>\n]{0,200}>|\\(?=[\\`*_{}\[\]()#+.!|<>-])"
)
_END = re.compile(r"[.!?]+[\"'”’)\]]{0,3}\s+(?=[\"'“‘(\[]{0,2}[A-Z0-9`$\\-])|\n{2,}|<br\s*/?>")
_SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|ca|approx|resp|incl|no|nos|fig|figs|eq|eqs|ref|refs|sec|tab|dr|prof|mr|ms|st|max|min|dim|avg)"
    r"|\b[A-Za-z])\.$",
    re.IGNORECASE,
)
_HASH = re.compile(r"(?:^|\s)#+\s*(?=[^\s#!])(.+)$")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document without its marks; ``code`` are the spans in it that were marked as code.

    ``places`` are (offset in ``text``, line, column of that offset), in order; lines and columns count from 1.
    """

    kind: Kind
    text: str
    places: tuple[tuple[int, int, int], ...]
    code: tuple[Span, ...] = ()

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of ``text``."""
        start, line, column = self.places[max(0, bisect_right(self.places, offset, key=lambda one: one[0]) - 1)]
        return line, column + offset - start


def passages(document: Document) -> Iterator[Passage]:
    """All of a document, each part once."""
    tables = {row.line for row in document.rows}
    for prose in document.prose:
        if prose.line not in tables:
            yield from sentences(prose.text[:LONGEST], _starts(document, prose.text, prose.line))
    for row in document.rows:
        yield _row(document, row)
    for text, line in _comments(document.text):
        yield from sentences(text[:LONGEST], _starts(document, text[:LONGEST], line))
    for block in document.blocks:
        yield from _block(document, block)


def _comments(text: str) -> Iterator[tuple[str, int]]:
    """What stands in comments of HTML, and its lines: whoever reads the file reads them, too."""
    line, counted, start = 1, 0, text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        line, counted = line + text.count("\n", counted, start), start
        yield text[start + len("<!--") : end], line
        start = text.find("<!--", end)


def sentences(text: str, starts: list[tuple[int, int]] | None = None) -> Iterator[Passage]:
    """The sentences of a paragraph; ``starts`` are line and column of each of its lines."""
    clean, places, code = _cleaned(text, starts or [(1 + n, 1) for n in range(text.count("\n") + 1)])
    bounds = [0]
    within = [start for start, _ in code]
    for match in _END.finditer(clean):
        one = bisect_right(within, match.start()) - 1
        if (one < 0 or match.start() >= code[one][1]) and not _SHORT.search(
            clean[max(0, match.start() - 8) : match.start() + 1]
        ):
            bounds.append(match.end())
    bounds.append(len(clean))
    offsets = [place[0] for place in places]
    for start, end in pairwise(bounds):
        if not clean[start:end].strip():
            continue
        first = max(0, bisect_right(offsets, start) - 1)
        last = bisect_right(offsets, end)
        own = tuple((offset - start, line, column) for offset, line, column in places[first:last])
        spans = tuple((a - start, b - start) for a, b in code[bisect_left(within, start) : bisect_left(within, end)])
        yield Passage("sentence", clean[start:end], own, spans)


def _starts(document: Document, text: str, line: int) -> list[tuple[int, int]]:
    """Where each line of a paragraph stands in the file."""
    found = []
    for number, own in enumerate(text.split("\n"), line):
        whole = document.lines[number - 1] if number <= len(document.lines) else ""
        found.append((number, max(0, whole.find(own)) + 1))
    return found


def _cleaned(text: str, starts: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int, int]], list[Span]]:
    """A paragraph in one line without marks, where its pieces stand, and which of it is code."""
    pieces: list[str] = []
    places: list[tuple[int, int, int]] = []
    code: list[Span] = []
    length = 0
    for (line, column), own in zip(starts, text.split("\n"), strict=False):
        done = 0
        for match in (*_MARKS.finditer(own), None):
            before = own[done : match.start() if match else None]
            places.append((length, line, column + done))
            pieces.append(before)
            length += len(before)
            if match is None:
                continue
            done = match.end()
            if match["code"]:
                code.append((length, length + len(match["code"])))
                places.append((length, line, column + match.start("code")))
                pieces.append(match["code"])
                length += len(match["code"])
        pieces.append(" ")
        length += 1
    return "".join(pieces), places, code


def _row(document: Document, row: Row) -> Passage:
    """A row of a table: its cells between bars."""
    line = document.lines[row.line - 1] if row.line <= len(document.lines) else ""
    text, places = "", []
    at = 0
    for cell in row.cells:
        at = max(at, line.find(cell, at))
        places.append((len(text), row.line, at + 1))
        text += f"{cell[:LONGEST]} | "
        at += len(cell)
    return Passage("row", text, tuple(places) or ((0, row.line, 1),))


def _block(document: Document, block: Block) -> Iterator[Passage]:
    """Comments and lines of code. Comments that go over several lines are read line by line."""
    for number, own in enumerate(block.text.split("\n"), block.line):
        whole = document.lines[number - 1] if number <= len(document.lines) else ""
        indent = max(0, whole.find(own))
        comment = _HASH.search(own[:LONGEST])
        said = own[: comment.start()] if comment else own
        if said.strip():
            yield Passage("code", said[:LONGEST], ((0, number, indent + 1),))
        if comment:
            yield Passage("comment", comment[1], ((0, number, indent + comment.start(1) + 1),))
