"""How a study of level 1 becomes an entry; the studies themselves stand beside this module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nature_gym.demo.fates.composing import Assignment, Press, compose, rejected
from nature_gym.demo.fates.computational import closing
from nature_gym.demo.model import Deposit, Entry, Figure, Page, Repository, Section, Table, Truth


def study(  # noqa: PLR0913 -- the fields of a paper
    assignment: Assignment,
    code: str,
    quote: str,
    *,
    venue: str,
    title: str,
    abstract: str,
    sections: Sequence[Section],
    references: Mapping[str, tuple[str, str]],
    tables: Sequence[Table] = (),
    figures: Sequence[Figure] = (),
    subjects: Sequence[str] = (),
    press: Press | None = None,
    article_type: str = "Article",
    traps: tuple[str, ...] = (),
    repositories: tuple[Repository, ...] = (),
    deposits: tuple[Deposit, ...] = (),
    pages: tuple[Page, ...] = (),
    note: str = "",
    homes: Sequence[str] = (),
) -> Entry:
    """The entry of a paper that ends at rule 1.1 with ``code``, for what ``quote`` says."""
    paper = compose(
        assignment,
        venue=venue,
        title=title,
        abstract=abstract,
        sections=(*sections, *closing(assignment)),
        references=references,
        tables=tables,
        figures=figures,
        subjects=subjects,
        press=press,
        article_type=article_type,
        homes=homes,
    )
    return Entry(paper, Truth((rejected("1.1", code, quote, note),), traps), repositories, deposits, pages)
