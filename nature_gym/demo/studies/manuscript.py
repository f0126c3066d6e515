"""Reads a study's ``manuscript.md``: one text file that holds a whole paper in all its wordings.

Prose is easier to write, and to check, as prose. The file is in the demo's inline markup; blocks are
parted by blank lines, and a block is told by how it begins:

==========================  ============================================================
``# Title``, ``## Title``   a section of level 1, 2, ...; the first, ``# Abstract``, is the abstract
``$$ tex $$``               a displayed equation
``[table 1]``               where a float stands; also ``[figure 1]``
``- item``                  a list, an item each line that begins so
``Table 1: caption``        a table: lines of ``| cell | cell |``, the header above ``|---|``;
                            ``<`` in the header continues the cell to its left; ``note:`` lines follow
``Figure 1 (kind; x; y)``   a figure: its caption after a colon, then ``= label: x y, x y`` a series
                            or ``= flow: step > step``
``@ authors | ...``         references, one a line: authors, title, source, year, ``doi=``, ``url=``
==========================  ============================================================

The one idea: a choice of words is written where it stands, ``{{first || second ?? unseen || unseen}}``. A choice
with a name, ``{{win: ...}}``, is a sentence that decides a screening rule: the truth quotes what was
picked, ``{{=win}}`` prints it again, and ``{{!LINK}}`` prints a value that the study's code knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, cast

from nature_gym.demo.inline import plain
from nature_gym.demo.model import (
    Bullets,
    Equation,
    Figure,
    Paragraph,
    Placement,
    Reference,
    Section,
    Series,
    Table,
)
from nature_gym.demo.words import Words

Block = Paragraph | Bullets | Equation | Placement

_VALUE = re.compile(r"\{\{!(\w+)\}\}")
_CHOICE = re.compile(r"\{\{(?:=(\w+)|(?:([a-z_]+):)?(.+?))\}\}", re.DOTALL)
_PLACEMENT = re.compile(r"\[(table|figure) (\d+)\]\Z")
_HEADING = re.compile(r"(#+) (.+)\Z", re.DOTALL)
_TABLE = re.compile(r"Table (\d+): (.+)\Z", re.DOTALL)
_FIGURE = re.compile(r"Figure (\d+) \((\w+)(?:; ([^;)]*); ([^)]*))?\): (.+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A paper's text for one choice of words."""

    abstract: str
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    references: tuple[Reference, ...]
    said: Mapping[str, str]
    """Name -> the sentence picked for it, in inline markup."""

    def quote(self, name: str) -> str:
        """The sentence picked for ``name`` as it stands in the paper's plain text."""
        return plain(self.said[name])


def manuscript(package: str, words: Words, values: Mapping[str, object] | None = None) -> Manuscript:
    """``manuscript.md`` of the study ``package`` in the words picked, with ``values`` filled in."""
    return read(files(package).joinpath("manuscript.md").read_text(encoding="utf-8"), words, values or {})


def read(text: str, words: Words, values: Mapping[str, object]) -> Manuscript:
    """The manuscript that ``text`` holds. A malformed block is a ``ValueError`` that shows it."""
    chosen, said = _choose(text, words, values)
    abstract: list[str] = []
    sections: list[tuple[str, int, list[Block]]] = []
    tables: list[Table] = []
    figures: list[Figure] = []
    references: list[Reference] = []
    for block in (part.strip() for part in re.split(r"\n\s*\n", chosen)):
        if not block:
            continue
        if heading := _HEADING.match(block):
            sections.append((_flow(heading[2]), len(heading[1]), []))
        elif block.startswith("Table "):
            tables.append(_table(block))
        elif block.startswith("Figure "):
            figures.append(_figure(block))
        elif block.startswith("@ "):
            references.extend(_reference(line) for line in block.splitlines())
        elif sections[-1][0] == "Abstract":
            abstract.append(_flow(block))
        else:
            sections[-1][2].append(_block(block))
    return Manuscript(
        " ".join(abstract),
        tuple(Section(title, level, tuple(blocks)) for title, level, blocks in sections if title != "Abstract"),
        tuple(tables),
        tuple(figures),
        tuple(references),
        said,
    )


# -- choices -------------------------------------------------------------------------


def _choose(text: str, words: Words, values: Mapping[str, object]) -> tuple[str, dict[str, str]]:
    text = _VALUE.sub(lambda match: str(values[match[1]]), text)
    said: dict[str, str] = {}

    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return said[match[1]]
        picked = _pick(match[3], words)
        if match[2]:
            said[match[2]] = picked
        return picked

    return _CHOICE.sub(replace, text), said


def _pick(choice: str, words: Words) -> str:
    seen, _, unseen = choice.partition("??")
    return words.pick(*_alternatives(seen), unseen=_alternatives(unseen))


def _alternatives(text: str) -> list[str]:
    return [_flow(part) for part in text.split("||") if part.strip()]


# -- blocks --------------------------------------------------------------------------


def _flow(text: str) -> str:
    """Text whose lines were broken for the writer's eyes only."""
    return " ".join(text.split())


def _block(block: str) -> Block:
    if placement := _PLACEMENT.match(block):
        return Placement("table" if placement[1] == "table" else "figure", int(placement[2]))
    if block.startswith("$$"):
        return Equation(block.strip("$").strip())
    if block.startswith("- "):
        return Bullets(tuple(_flow(item) for item in re.split(r"(?:\A|\n)- ", block) if item))
    return Paragraph(_flow(block))


def _table(block: str) -> Table:
    head, bar, body = block.partition("\n|")
    match = _TABLE.match(head)
    if not (match and bar):
        raise ValueError(f"not a table: {block[:60]!r}")
    header: list[tuple[str | None, ...]] = []
    rows: list[tuple[str, ...]] = []
    notes: list[str] = []
    ruled = False
    for line in ("|" + body).splitlines():
        if line.startswith("|---"):
            ruled = True
        elif line.startswith("|"):
            cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
            if ruled:
                rows.append(cells)
            else:
                header.append(tuple(None if cell == "<" else cell for cell in cells))
        elif line.startswith("note: "):
            notes.append(line.removeprefix("note: "))
        else:
            raise ValueError(f"not a line of a table: {line!r}")
    return Table(int(match[1]), _flow(match[2]), tuple(header), tuple(rows), tuple(notes))


def _figure(block: str) -> Figure:
    head, _, body = block.partition("\n= ")
    match = _FIGURE.match(head)
    if not match:
        raise ValueError(f"not a figure: {block[:60]!r}")
    steps: tuple[str, ...] = ()
    series: list[Series] = []
    for line in body.split("\n= "):
        label, _, content = line.partition(": ")
        if match[2] == "flow":
            steps = tuple(_flow(step) for step in content.split(">"))
        else:
            points = list(_points(content))
            series.append(Series(label, tuple(x for x, _ in points), tuple(y for _, y in points)))
    kind = cast('Literal["lines", "points", "bars", "flow"]', match[2])
    return Figure(int(match[1]), _flow(match[5]), kind, tuple(series), match[3] or "", match[4] or "", steps)


def _points(content: str) -> Iterator[tuple[float, float]]:
    for pair in content.split(","):
        x, y = pair.split()
        yield float(x), float(y)


def _reference(line: str) -> Reference:
    authors, title, source, year, *links = (part.strip() for part in line.removeprefix("@ ").split(" | "))
    named = dict(link.split("=", 1) for link in links)
    return Reference(authors, title, source, int(year), named.get("doi"), named.get("url"))
