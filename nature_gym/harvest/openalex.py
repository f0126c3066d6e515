"""Asking OpenAlex for works, page by page, through pyalex.

pyalex builds the queries and reads the answers; time-outs, retries, pacing and the mirror come from our
session, which is given to it at the one place where it takes one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

import pyalex
import requests

from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.harvest.venues import VenueList
from nature_gym.harvest.works import FIELDS
from nature_gym.web.session import ComeBackLaterError, HostError

FIRST_CURSOR = "*"
PER_PAGE = 200
VALUES_IN_AN_OR = 100


class LostCursorError(InfrastructureError):
    """OpenAlex no longer knows the cursor at which we stopped."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question to OpenAlex: works of these journals, between two dates."""

    issns: tuple[str, ...]
    first: dt.date
    last: dt.date
    types: tuple[str, ...] = ("article",)
    search: str = ""
    retracted: bool = False

    def as_json(self) -> dict[str, Any]:
        """For digests and checkpoints."""
        return {**asdict(self), "first": self.first.isoformat(), "last": self.last.isoformat()}


@dataclass(frozen=True, slots=True)
class Page:
    """One answer: the records, where the next page begins, and how many works the query has in all."""

    records: list[Mapping[str, Any]]
    next_cursor: str | None
    count: int


def queries(venues: VenueList, first: dt.date, last: dt.date) -> list[Query]:
    """The questions that make up a corpus: journals with the same search go together."""
    by_search: dict[str, list[str]] = {}
    for journal in venues.journals:
        by_search.setdefault(journal.search, []).append(journal.issn)
    return [
        Query(tuple(issns[start : start + VALUES_IN_AN_OR]), first, last, venues.types, search)
        for search, issns in by_search.items()
        for start in range(0, len(issns), VALUES_IN_AN_OR)
    ]


def pages(
    session: requests.Session, settings: Settings, query: Query, cursor: str = FIRST_CURSOR, per_page: int = PER_PAGE
) -> Iterator[Page]:
    """The pages of ``query`` from ``cursor`` on.

    Raises HostError, ComeBackLaterError (the budget is gone: resume at the same cursor later),
    LostCursorError, and InfrastructureError for an answer in a shape that we do not know.
    """
    works = _works(query)
    next_cursor: str | None = cursor
    while next_cursor is not None:
        page = _ask(session, settings, works, next_cursor, per_page)
        next_cursor = page.next_cursor if page.records else None
        yield Page(page.records, next_cursor, page.count)


def _works(query: Query) -> pyalex.Works:
    works = pyalex.Works().filter(
        primary_location={"source": {"issn": "|".join(query.issns)}},
        from_publication_date=query.first.isoformat(),
        to_publication_date=query.last.isoformat(),
        type="|".join(query.types),
        is_retracted=query.retracted,
    )
    if query.search:
        works = works.search_filter(title_and_abstract=query.search)
    return works.select(list(FIELDS))


def _ask(session: requests.Session, settings: Settings, works: pyalex.Works, cursor: str, per_page: int) -> Page:
    pyalex.config.api_key = settings.openalex_key or None
    pyalex.config.user_agent = session.headers["User-Agent"]
    try:
        answer = works._get_from_url(  # noqa: SLF001 -- the one place where pyalex takes a session
            f"{works.url}&cursor={quote(cursor, safe='')}&per-page={per_page}", session
        )
    except (HostError, ComeBackLaterError):
        raise
    except (requests.RequestException, pyalex.api.QueryError, ValueError, KeyError, TypeError) as error:
        raise _explain(error, cursor) from error
    meta = getattr(answer, "meta", None) or {}
    count = meta.get("count")
    return Page(
        [record for record in answer if isinstance(record, Mapping)],
        meta.get("next_cursor"),
        count if isinstance(count, int) else 0,
    )


def _explain(error: Exception, cursor: str) -> InfrastructureError:
    """What OpenAlex's refusal means for whoever runs the harvest."""
    response = getattr(error, "response", None)
    status = response.status_code if response is not None else None
    text = " ".join(str(error).split())[:300]
    if status in (401, 403):
        return InfrastructureError(
            f"OpenAlex refuses the request ({status}): {text}",
            hint="Set NATUREGYM_OPENALEX_KEY to a key that openalex.org gave you.",
        )
    if cursor != FIRST_CURSOR and (isinstance(error, pyalex.api.QueryError) or status in (400, 404, 410)):
        return LostCursorError(f"OpenAlex no longer knows the cursor: {text}")
    if status == 429:
        return ComeBackLaterError(
            "OpenAlex's budget for this key is used up", hint="Run the same command again tomorrow; it goes on there."
        )
    return InfrastructureError(
        f"OpenAlex answers in a way that we do not understand: {text}",
        hint="Run the same command again; it goes on where it stopped. If it stays, report it.",
    )
