"""How section 5 of a README is laid out: tables, lists and labels as lines that all say one thing each.

The idea: "Shape" may head a column, stand in the first cell of a row, or before a colon in a list. Each of them becomes
a line "Shape: ..." with the number of the line that it comes from, so that what reads facts knows one form alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Line = tuple[int, str]
"""The number of a line of the section, from 0, and what it says."""

FACETS = {
    "file": r"(?:output |result )?(?:files?|file ?names?|paths?|location)|name of the file",
    "format": r"(?:file |data )?(?:format|type|encoding)|file extension",
    "shape": r"(?:array |expected |required )?(?:shape|dimensions?|size)",
    "structure": r"(?:structure|contents?|layout|schema|body)",
    "dtype": r"d-?types?|data ?types?|(?:numeric |element |value )?types?|precision",
    "values": r"(?:allowed |valid |permitted |expected )?"
    r"(?:values?|(?:value |valid )?ranges?|constraints?|limits|domain|units?)(?: range| constraints?)?",
    "columns": r"(?:required )?(?:columns?(?: names)?|header(?: line| row)?|fields)",
    "keys": r"(?:required )?(?:keys?|arrays?)(?: names?)?",
    "rows": r"(?:number of )?(?:rows?|records?|entries|lines|sequences|count|length)",
    "order": r"(?:row |sample )?(?:order(?:ing)?|alignment)",
}  # fmt: skip
"""What a label may be called, by what it is about."""
_LABEL = re.compile(
    r"^\s*(?:[-*+•]\s+|\d+[.)]\s+)?(?:\*\*|__|`)?([A-Za-z][\w -]{0,30}?)(?:\*\*|__|`)?\s*(?::|=|–|—)\s*(?:\*\*|__)?"
    r"\s*(\S.*)$"
)
_BARE = re.compile(r"^[\s*`_#|-]+|[\s*`_:|]+$")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of Markdown: its heading, and each row with the number of its line; cells as they are written."""

    heading: Line
    titles: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def place(self, facet: str) -> int | None:
        """The column that a heading gives a facet."""
        return next((number for number, title in enumerate(self.titles) if facet_of(title) == facet), None)


def bare(text: str) -> str:
    """A cell without the signs of emphasis and code."""
    return re.sub(r"[*`]+", "", text).strip()


def facet_of(label: str) -> str:
    """What a label is about; '' for another word."""
    word = _BARE.sub("", label).casefold()
    return next((name for name, pattern in FACETS.items() if re.fullmatch(pattern, word)), "")


def cells_of(line: str) -> tuple[str, ...]:
    """The cells of a row of a table as they are written; nothing for another line."""
    if line.count("|") < 2:
        return ()
    return tuple(part.replace("\\|", "|").strip() for part in re.split(r"(?<!\\)\|", line.strip().strip("|")))


def tables_of(lines: Sequence[Line]) -> Iterator[Table]:
    """The tables among lines; blocks of code aside."""
    rows: list[tuple[int, tuple[str, ...]]] = []
    for number, line in (*unfenced(lines), (-1, "")):
        cells = cells_of(line)
        if cells:
            rows.append((number, cells))
            continue
        if len(rows) > 1:
            own = [row for row in rows[1:] if not set("".join(row[1])) <= set("-: ")]
            yield Table((rows[0][0], ""), tuple(map(bare, rows[0][1])), tuple(own))
        rows = []


def unfenced(lines: Sequence[Line]) -> Iterator[Line]:
    """Lines that are in no block of code."""
    fenced = False
    for number, line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield number, line


def is_upright(table: Table) -> bool:
    """Whether the first cell of each row is a label: a table of Field and Value."""
    labels = [facet_of(cells[0]) for _, cells in table.rows]
    known = [one for one in labels if one]
    return len(table.titles) >= 2 and len(known) >= 2 and 2 * len(known) >= len(labels) and len(set(known)) > 1


def laid_out(lines: Sequence[str]) -> list[Line]:
    """The lines, those of upright tables as "Label: value"; a table with a column a file goes through it by file."""
    numbered = list(enumerate(lines))
    instead: dict[int, list[Line]] = {}
    for table in tables_of(numbered):
        if not is_upright(table):
            continue
        start = table.heading[0]
        for number in range(start, table.rows[-1][0] + 1):
            instead[number] = []
        for column in range(1, len(table.titles)):
            if "." in table.titles[column]:
                instead[start].append((start, f"`{table.titles[column]}`"))
            for number, cells in table.rows:
                if column < len(cells):
                    label = _BARE.sub("", cells[0])
                    where = instead[start] if len(table.titles) > 2 else instead[number]
                    where.append((number, f"- **{label}**: {cells[column]}"))
    return [one for number, line in numbered for one in instead.get(number, [(number, line)])]


def labelled(lines: Sequence[Line]) -> dict[str, str]:
    """What lines say behind a label, by what the label is about; a list below a label belongs to it."""
    found: dict[str, str] = {}
    for _, line in unfenced(lines):
        match = _LABEL.match(line)
        facet = facet_of(match[1]) if match else ""
        if match and facet and not cells_of(line):
            found.setdefault(facet, match[2])
    return found
