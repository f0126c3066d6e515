"""The inline markup of the demo's papers, read into a small tree and written as plain text.

The markup is described in :mod:`nature_gym.demo.model`. The one idea: a single pass with a
stack of open markers, so that every text can be read in linear time and a marker that is
never closed (or could not have been meant as one: ``3 * 4``, ``~5 GB``, ``$5 and $6``)
stays an ordinary character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from nature_gym.demo.model import Bullets, Equation, Paper, Paragraph, Placement, Section, Table
from nature_gym.demo.typesetting.mathematics import lowered, plain_math, raised

# -- the tree ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Characters that print as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Italic:
    """Italic text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Bold:
    """Bold text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Superscript:
    """Raised text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Subscript:
    """Lowered text."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Math:
    """A formula in TeX."""

    tex: str


@dataclass(frozen=True, slots=True)
class Link:
    """Text that leads to an address."""

    children: tuple[Node, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Citations of references, by their numbers."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CrossReference:
    """A mention of a table or a figure of the paper."""

    what: Literal["table", "figure"]
    number: int

    @property
    def label(self) -> str:
        """As the journal prints it."""
        return label(self.what, self.number)


Node = Text | Italic | Bold | Superscript | Subscript | Math | Link | Citation | CrossReference

_SPANS: dict[str, type[Italic | Bold | Superscript | Subscript]] = {
    "*": Italic,
    "**": Bold,
    "^": Superscript,
    "~": Subscript,
}
_SPECIAL = re.compile(r"[\\*^~$\[\]]")
_ESCAPABLE = frozenset("\\*^~$[]()#@_`")
_CITATION = re.compile(r"\[@(\d{1,4}(?:[,–-]\d{1,4})*)\]")
_CROSS_REFERENCE = re.compile(r"\[#(table|figure)-(\d{1,4})\]")
_MATH = re.compile(r"\$(?!\s)((?:[^$\\]|\\.)+)(?<!\s)\$(?!\d)", re.DOTALL)
_TARGET = re.compile(r"\]\(((?:[^\s()]|\([^\s()]*\))+)\)")


# -- reading -----------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A marker waiting for its partner: where it stands, and the nodes collected since."""

    marker: str
    at: int
    nodes: list[Node] = field(default_factory=list)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.stack = [_Open("", 0)]

    def read(self) -> tuple[Node, ...]:
        text, at = self.text, 0
        while match := _SPECIAL.search(text, at):
            self._add(Text(text[at : match.start()]))
            at = self._special(match.start())
        self._add(Text(text[at:]))
        self._abandon(1)
        return tuple(self.stack[0].nodes)

    def _special(self, at: int) -> int:
        """Handle the special character at ``at``; return where reading goes on."""
        text, character = self.text, self.text[at]
        if character in "*^~":
            return self._span(at)
        if character == "[":
            return self._bracket(at)
        if character == "\\" and text[at + 1 : at + 2] in _ESCAPABLE:
            self._add(Text(text[at + 1]))
            return at + 2
        if character == "$" and (math := _MATH.match(text, at)):
            self._add(Math(math[1]))
            return math.end()
        if character == "]" and (place := self._place("[")):
            if target := _TARGET.match(text, at):
                url = target[1]
                self._close(place, lambda children: Link(children, url))
                return target.end()
            self._abandon(place)
        self._add(Text(character))
        return at + 1

    def _bracket(self, at: int) -> int:
        if citation := _CITATION.match(self.text, at):
            self._trim()
            self._add(Citation(tuple(_numbers(citation[1]))))
            return citation.end()
        if cross := _CROSS_REFERENCE.match(self.text, at):
            self._add(CrossReference("table" if cross[1] == "table" else "figure", int(cross[2])))
            return cross.end()
        self.stack.append(_Open("[", at))
        return at + 1

    def _span(self, at: int) -> int:
        marker = self._marker(at)
        end = at + len(marker)
        place = self._place(marker)
        if place and self._closes(marker, self.stack[place].at + len(marker), at):
            self._close(place, _SPANS[marker])
        elif end < len(self.text) and not self.text[end].isspace():
            self.stack.append(_Open(marker, at))
        else:
            self._add(Text(marker))
        return end

    def _marker(self, at: int) -> str:
        """The marker at ``at``; where three stars end two spans, the inner span's comes first."""
        if not self.text.startswith("**", at):
            return self.text[at]
        innermost = next((entry.marker for entry in reversed(self.stack) if entry.marker in {"*", "**"}), "")
        return "*" if innermost == "*" and self.text.startswith("***", at) else "**"

    def _closes(self, marker: str, start: int, end: int) -> bool:
        content = self.text[start:end]
        if not content or content[-1].isspace():
            return False
        return marker in {"*", "**"} or not any(character.isspace() for character in content)

    def _place(self, marker: str) -> int:
        """Index in the stack of the innermost open ``marker``; 0 where there is none."""
        return next((i for i in range(len(self.stack) - 1, 0, -1) if self.stack[i].marker == marker), 0)

    def _close(self, place: int, make: Callable[[tuple[Node, ...]], Node]) -> None:
        self._abandon(place + 1)
        self._add(make(tuple(self.stack.pop().nodes)))

    def _abandon(self, place: int) -> None:
        """Markers from ``place`` on were never closed: they are ordinary characters."""
        unclosed = self.stack[place:]
        del self.stack[place:]
        for entry in unclosed:
            self._add(Text(entry.marker))
            for node in entry.nodes:
                self._add(node)

    def _trim(self) -> None:
        """A citation stands at the word before it, whether or not the writer left a space."""
        nodes = self.stack[-1].nodes
        if nodes and isinstance(last := nodes[-1], Text):
            nodes[-1:] = [Text(kept)] if (kept := last.text.rstrip()) else []

    def _add(self, node: Node) -> None:
        nodes = self.stack[-1].nodes
        if not isinstance(node, Text):
            nodes.append(node)
        elif nodes and isinstance(nodes[-1], Text):
            nodes[-1] = Text(nodes[-1].text + node.text)
        elif node.text:
            nodes.append(node)


def parse(text: str) -> tuple[Node, ...]:
    """The tree of ``text``; anything that is not markup is text.

    >>> parse("R^2^ of *x*")
    (Text(text='R'), Superscript(children=(Text(text='2'),)), Text(text=' of '), Italic(children=(Text(text='x'),)))
    """
    return _Reader(text).read()


def escape(text: str) -> str:
    r"""Markup that prints ``text`` itself.

    >>> escape("a*b [c]")
    'a\\*b \\[c\\]'
    """
    return _SPECIAL.sub(r"\\\g<0>", text)


def _numbers(listed: str) -> Iterator[int]:
    for part in listed.split(","):
        first, _, last = part.replace("–", "-").partition("-")
        yield from range(int(first), int(last or first) + 1)


# -- writing -----------------------------------------------------------------------


def label(what: Literal["table", "figure"], number: int) -> str:
    """``Table 2`` or ``Fig. 2``, as running text and captions print it."""
    return f"{'Table' if what == 'table' else 'Fig.'} {number}"


def ranges(numbers: Iterable[int]) -> str:
    """Citations as the journal prints them.

    >>> ranges((1, 3, 4, 5, 8))
    '1,3–5,8'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)


def plain(text: str) -> str:
    """``text`` without its markup.

    Links become their text, citations go, superscripts and subscripts become Unicode's
    where all their characters have one, and mathematics becomes readable text.

    >>> plain("**R^2^** of 10^-3^ m s^-1^ in [#table-2] [@3,5] for [code](https://example.org)")
    'R² of 10⁻³ m s⁻¹ in Table 2 for code'
    """
    return _plain(parse(text))


def _plain(nodes: Iterable[Node]) -> str:
    return "".join(map(_plain_node, nodes))


def _plain_node(node: Node) -> str:
    match node:
        case Text(text):
            return text
        case Italic(children) | Bold(children) | Link(children):
            return _plain(children)
        case Superscript(children):
            return raised(_plain(children))
        case Subscript(children):
            return lowered(_plain(children))
        case Math(tex):
            return plain_math(tex)
        case CrossReference():
            return node.label
        case Citation():
            return ""


def plain_text(paper: Paper) -> str:
    """The whole paper: headings, paragraphs and captions in order, then the tables as TSV."""
    parts = [plain(paper.title), "Abstract", plain(paper.abstract)]
    for section in paper.sections:
        parts.append(plain(section.title))
        parts.extend(_plain_blocks(paper, section))
    parts.extend(_plain_table(table) for table in paper.tables)
    return "\n\n".join(parts) + "\n"


def _plain_blocks(paper: Paper, section: Section) -> Iterator[str]:
    for block in section.blocks:
        match block:
            case Paragraph(text):
                yield plain(text)
            case Bullets(items):
                yield "\n".join(f"• {plain(item)}" for item in items)
            case Equation(tex):
                yield plain_math(tex)
            case Placement(what, number):
                floats = paper.tables if what == "table" else paper.figures
                caption = next((entry.caption for entry in floats if entry.number == number), "")
                yield f"{label(what, number)} | {plain(caption)}"


def _plain_table(table: Table) -> str:
    rows = [[plain(cell or "") for cell in row] for row in (*table.header, *table.rows)]
    notes = [plain(note) for note in table.notes]
    return "\n".join([f"{label('table', table.number)} | {plain(table.caption)}", *map("\t".join, rows), *notes])
