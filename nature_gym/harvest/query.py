"""Which works are asked for: a corpus as a few queries, each for journals that share a search."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nature_gym.errors import UsageError
from nature_gym.harvest.venues import VenueList
from nature_gym.harvest.works import Work

VALUES_IN_AN_OR = 100
"""The most values that OpenAlex takes in an OR."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question to OpenAlex: works of these journals, between two dates.

    ``types`` empty, ``retracted`` None and ``updated_since`` empty do not narrow it down.
    """

    issns: tuple[str, ...]
    first: dt.date
    last: dt.date
    types: tuple[str, ...] = ("article",)
    search: str = ""
    retracted: bool | None = False
    updated_since: str = ""

    def as_json(self) -> dict[str, Any]:
        """For digests and checkpoints."""
        return {**asdict(self), "first": self.first.isoformat(), "last": self.last.isoformat()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Query:
        """The query that :meth:`as_json` wrote."""
        dates = {name: dt.date.fromisoformat(value[name]) for name in ("first", "last")}
        return cls(**{**value, **dates, "issns": tuple(value["issns"]), "types": tuple(value["types"])})

    def covers(self, work: Work | None) -> bool:
        """Whether a work that the search finds, in a journal of these, is one that is asked for."""
        return (
            work is not None
            and work.published is not None
            and self.first <= work.published <= self.last
            and (not self.types or work.article_type in self.types)
            and (self.retracted is None or work.retracted == self.retracted)
        )


def check_days(first: dt.date, last: dt.date) -> None:
    """Raise UsageError where no day lies between the two."""
    if first > last:
        raise UsageError(
            f"the first day, {first}, comes after the last, {last}",
            hint="Give --from the earlier day; what is not given is the venue list's.",
        )


def queries(venues: VenueList, first: dt.date, last: dt.date) -> list[Query]:
    """The questions that make up a corpus: journals with the same search go together.

    Raises UsageError where ``first`` comes after ``last``.
    """
    check_days(first, last)
    by_search: dict[str, list[str]] = {}
    for journal in venues.journals:
        by_search.setdefault(journal.search, []).append(journal.issn)
    return [
        Query(tuple(issns[start : start + VALUES_IN_AN_OR]), first, last, venues.types, search)
        for search, issns in by_search.items()
        for start in range(0, len(issns), VALUES_IN_AN_OR)
    ]
