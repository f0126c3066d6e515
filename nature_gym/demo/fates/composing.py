"""Puts a paper together: identity, sections, numbered citations, and quotes for the truth.

Writers cite by key (``[@atlas]``); numbers are given here, in the order of appearance, so that a
reference list can never disagree with its text.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nature_gym.demo.inline import plain
from nature_gym.demo.model import (
    Bullets,
    Equation,
    Figure,
    Paper,
    Paragraph,
    Placement,
    Reference,
    RuleTruth,
    Section,
    Table,
)
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import FAMILY, GIVEN, Words

CITATION = re.compile(r"\s?\[@([a-z][a-z0-9,]*)\]")

COMMON: dict[str, tuple[str, str]] = {
    "adam": ("Adaptive step sizes with decoupled decay", "Proc. Optim. Learn."),
    "attention": ("Attention as a general-purpose layer", "Proc. Neural Model."),
    "boosting": ("Gradient boosting of shallow trees", "J. Stat. Learn. Pract."),
    "leakage": ("Leakage between training and test data in the sciences", "Patterns Pract."),
    "seeds": ("How many seeds are enough?", "J. Reprod. Comput."),
    "ablation": ("What ablations can and cannot show", "J. Reprod. Comput."),
    "torch": ("An imperative library for differentiable programs", "Sci. Softw."),
    "arrays": ("Array programming in practice", "Sci. Softw."),
}
"""References that any computational paper may cite, by key: title and source."""

Block = str | Paragraph | Bullets | Equation | Placement
"""What a section is made of; a bare string is a paragraph."""


@dataclass(frozen=True, slots=True)
class Press:
    """How a paper is published: year, full texts on offer, page design, access."""

    year: int = 2023
    formats: frozenset[str] = frozenset({"html", "pdf"})
    template: Literal["new", "old"] = "new"
    oa_status: Literal["gold", "hybrid", "green", "bronze", "closed"] = "gold"


PRESSES = (
    Press(2023),
    Press(2024, frozenset({"html", "pdf", "xml"})),
    Press(2022, frozenset({"html", "pdf"}), "old"),
    Press(2024, frozenset({"html"}), oa_status="hybrid"),
    Press(2025, frozenset({"html", "pdf", "xml"}), oa_status="hybrid"),
    Press(2023, frozenset({"pdf"}), oa_status="hybrid"),
    Press(2022, frozenset({"html", "xml"}), "old"),
)
"""The presses that papers take turns on."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a paper is given before it is written: words, and numbers that no other paper has."""

    words: Words
    key: str
    index: int

    @property
    def zenodo(self) -> str:
        return str(7_400_000 + 9_173 * self.index)

    @property
    def figshare(self) -> str:
        return str(21_600_000 + 4_027 * self.index)

    @property
    def press(self) -> Press:
        """Papers take turns, so that each form of full text meets each level."""
        return PRESSES[self.index % len(PRESSES)]

    def published(self, year: int) -> dt.date:
        return dt.date(year, 1 + self.index * 5 % 12, 1 + self.index * 11 % 28)

    def authors_short(self) -> str:
        """One to three authors as a reference list prints them."""
        pick = self.words.random
        names = [f"{family}, {pick.choice(GIVEN)[0]}." for family in pick.sample(FAMILY, pick.randint(1, 3))]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} & {names[-1]}"


def section(title: str, *blocks: Block, level: int = 1) -> Section:
    """A section from blocks."""
    return Section(title, level, tuple(Paragraph(block) if isinstance(block, str) else block for block in blocks))


def compose(  # noqa: PLR0913 -- the fields of a paper
    assignment: Assignment,
    *,
    venue: str,
    title: str,
    abstract: str,
    sections: Sequence[Section],
    references: Mapping[str, tuple[str, str] | Reference],
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    article_type: str = "Article",
    openalex_type: str = "article",
    subjects: Sequence[str] = (),
    press: Press | None = None,
    authors: int | None = None,
    homes: Sequence[str] = (),
) -> Paper:
    """The finished paper: cited references numbered, everything else in its place.

    ``homes`` are the authors' affiliations, in turn, where any will not do.
    """
    people = assignment.words.authors(authors or assignment.words.number(3, 6))
    if homes:
        people = tuple(replace(one, affiliation=homes[at % len(homes)]) for at, one in enumerate(people))
    press = press or assignment.press
    numbers: dict[str, int] = {}
    numbered = tuple(_number(one, numbers) for one in sections)
    tables = tuple(replace(one, caption=_cite(one.caption, numbers)) for one in tables)
    figures = tuple(replace(one, caption=_cite(one.caption, numbers)) for one in figures)
    stock: dict[str, tuple[str, str] | Reference] = {**COMMON, **references}
    return Paper(
        suffix=suffix(venue, press.year, 4_000 + 83 * assignment.index),
        venue=VENUES[venue],
        title=title,
        article_type=article_type,
        published=assignment.published(press.year),
        authors=people,
        abstract=CITATION.sub("", abstract),
        sections=numbered,
        openalex_id=f"W9{100_000_000 + assignment.index:09d}",
        tables=tables,
        figures=figures,
        references=tuple(_reference(assignment, stock[key], press.year) for key in numbers),
        subjects=tuple(subjects),
        licence=None if press.oa_status == "closed" else "cc-by",
        oa_status=press.oa_status,
        pmcid=f"PMC{9_300_000 + 71 * assignment.index}" if "xml" in press.formats else None,
        formats=press.formats,
        template=press.template,
        openalex_type=openalex_type,
    )


def said(sentence: str) -> str:
    """A sentence as it stands in the paper's plain text, to be quoted."""
    return plain(CITATION.sub("", sentence))


def rejected(rule: str, code: str, quote: str = "", note: str = "") -> RuleTruth:
    """A rule that stops a paper."""
    return RuleTruth(rule, "reject", code, said(quote), note)


def passed(rule: str, quote: str = "", note: str = "") -> RuleTruth:
    """A rule that a paper passes."""
    return RuleTruth(rule, "pass", None, said(quote), note)


def _number(one: Section, numbers: dict[str, int]) -> Section:
    return replace(one, blocks=tuple(_number_block(block, numbers) for block in one.blocks))


def _number_block(
    block: Paragraph | Bullets | Equation | Placement, numbers: dict[str, int]
) -> Paragraph | Bullets | Equation | Placement:
    match block:
        case Paragraph(text):
            return Paragraph(_cite(text, numbers))
        case Bullets(items):
            return Bullets(tuple(_cite(item, numbers) for item in items))
        case _:
            return block


def _cite(text: str, numbers: dict[str, int]) -> str:
    def numbered(match: re.Match[str]) -> str:
        cited = sorted(numbers.setdefault(key, len(numbers) + 1) for key in match[1].split(","))
        return f"[@{','.join(map(str, cited))}]"

    return CITATION.sub(numbered, text)


def _reference(assignment: Assignment, told: tuple[str, str] | Reference, year: int) -> Reference:
    if isinstance(told, Reference):
        return told
    title, source = told
    return Reference(assignment.authors_short(), title, source, assignment.words.number(year - 11, year - 1))
