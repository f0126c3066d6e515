"""Asking OpenAlex for works, page by page, through pyalex.

pyalex builds the queries and reads the answers; time-outs, retries, turns and the mirror come from our
session, which is given to it at the one place where it takes one. While a page is worked on, the next is on its way;
and a count can be asked for at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import orjson
import pyalex
import requests

from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.harvest.budget import Budget
from nature_gym.harvest.query import Query
from nature_gym.harvest.works import FIELDS
from nature_gym.web.addresses import brief_addresses
from nature_gym.web.faults import AGAIN, HostError, WrongAnswerError
from nature_gym.web.hosts import ComeBackLaterError
from nature_gym.web.patience import ATTEMPTS, pause
from nature_gym.web.session import make_session

FIRST_CURSOR = "*"
PER_PAGE = 200
HOST = "api.openalex.org"


class LostCursorError(InfrastructureError):
    """OpenAlex no longer knows the cursor at which we stopped."""


class PlanError(InfrastructureError):
    """The plan of our key does not cover what was asked."""


@dataclass(frozen=True, slots=True)
class Page:
    """One answer: the records, where the next page begins, how many works the query has, and how many a page holds."""

    records: list[Mapping[str, Any]]
    next_cursor: str | None
    count: int
    per_page: int


class OpenAlex:
    """OpenAlex, as one thread asks it, with what it said of our budget.

    Its methods raise HostError, ComeBackLaterError (the budget is gone: go on at the same cursor later),
    PlanError, and InfrastructureError for a refusal that somebody has to look at.
    """

    def __init__(self, settings: Settings) -> None:
        self.budget = Budget()
        self._settings = settings
        self._session = make_session(settings)
        self._session.hooks["response"] += [self.budget.hear, _objects_only]
        self._ahead = ThreadPoolExecutor(2, thread_name_prefix="openalex")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._ahead.shutdown(cancel_futures=True)
        self._session.close()

    def pages(self, query: Query, cursor: str = FIRST_CURSOR, per_page: int = PER_PAGE) -> Iterator[Page]:
        """The pages of ``query`` from ``cursor`` on; LostCursorError where OpenAlex no longer knows that one."""
        following: str | None = cursor
        asked = self._ahead.submit(self._page, query, cursor, per_page)
        while following is not None:
            page = asked.result()
            per_page = page.per_page  # a plan may have smaller pages than were asked for
            is_last = len(page.records) < per_page  # OpenAlex has a cursor beyond it, to a page that is empty
            following = None if is_last else page.next_cursor
            page = replace(page, next_cursor=following)
            if following is not None:
                asked = self._ahead.submit(self._page, query, following, per_page)
            yield page

    def count(self, query: Query) -> int:
        """How many works the query has."""
        return self._ask(_works(query, ("id",)), "page=1&per-page=1", FIRST_CURSOR, 1).count

    def count_meanwhile(self, query: Query) -> Future[int]:
        """:meth:`count`, asked now, for when it is needed."""
        return self._ahead.submit(self.count, query)

    def by_id(self, ids: Sequence[str]) -> list[Mapping[str, Any]]:
        """The records of those of up to 100 works that still have these ids."""
        works = pyalex.Works().filter(openalex="|".join(ids)).select(list(FIELDS))
        return self._ask(works, f"per-page={len(ids)}", FIRST_CURSOR, len(ids)).records

    def one(self, openalex_id: str) -> Mapping[str, Any] | None:
        """The record of the work that has this id or had it before it was merged; None where there is none."""
        select = ",".join(FIELDS)
        url = f"https://{HOST}/works/{openalex_id}?select={select}"
        headers = {"Authorization": f"Bearer {self._settings.openalex_key}"} if self._settings.openalex_key else {}
        self._check_budget()
        try:
            answer = self._session.get(url, headers=headers)
            if answer.status_code in (404, 410):
                return None
            answer.raise_for_status()
            record = answer.json()
        except (requests.RequestException, ValueError) as error:
            raise _explain(error, FIRST_CURSOR) from error
        return record if isinstance(record, Mapping) else None

    def _page(self, query: Query, cursor: str, per_page: int) -> Page:
        more = f"cursor={quote(cursor, safe='')}&per-page={per_page}"
        return self._ask(_works(query), more, cursor, per_page)

    def _ask(self, works: pyalex.Works, more: str, cursor: str, per_page: int) -> Page:
        """One request; what is no answer of OpenAlex's (a proxy's page, half of one) is asked for again."""
        for attempt in range(ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            self._check_budget()
            pyalex.config.api_key = self._settings.openalex_key or None
            pyalex.config.user_agent = self._session.headers["User-Agent"]
            try:
                answer = works._get_from_url(f"{works.url}&{more}", self._session)  # noqa: SLF001 -- see above
                return _page_of(answer, per_page)
            except (HostError, ComeBackLaterError):
                raise
            except (requests.RequestException, pyalex.api.QueryError) as error:
                if not isinstance(error, requests.exceptions.JSONDecodeError):
                    raise _explain(error, cursor) from error
                last: Exception = error
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                last = error
        raise WrongAnswerError(
            f"OpenAlex does not answer as it should: {brief_addresses(repr(last)):.200}", hint=AGAIN
        ) from last

    def _check_budget(self) -> None:
        """Stop before a request that the budget does not cover, where it is not renewed soon."""
        if self.budget.is_gone and self.budget.renewed_in > self._settings.max_wait:
            raise ComeBackLaterError(f"{HOST} (our budget is used up)", self.budget.renewed_in, self._settings.max_wait)


def _works(query: Query, fields: Sequence[str] = FIELDS) -> pyalex.Works:
    works = pyalex.Works().filter(
        primary_location={"source": {"issn": "|".join(query.issns)}},
        from_publication_date=query.first.isoformat(),
        to_publication_date=query.last.isoformat(),
    )
    if query.types:
        works = works.filter(type="|".join(query.types))
    if query.retracted is not None:
        works = works.filter(is_retracted=query.retracted)
    if query.updated_since:
        works = works.filter(from_updated_date=query.updated_since)
    if query.search:
        works = works.search_filter(title_and_abstract=query.search)
    return works.select(list(fields))


def _objects_only(response: requests.Response, *_: Any, **__: Any) -> None:
    """Put an empty object for each result that is none (``null``, a number): it is counted as unreadable, like others.

    pyalex makes works of all results at once, and one that is no object would cost the whole page, at every attempt.
    """
    if response.status_code != 200 or b'"results"' not in response.content:
        return
    try:
        value = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        return  # said by whoever asked
    results = value.get("results") if isinstance(value, dict) else None
    if isinstance(results, list) and not all(isinstance(one, dict) for one in results):
        value["results"] = [one if isinstance(one, dict) else {} for one in results]
        response._content = orjson.dumps(value)  # noqa: SLF001 -- where requests keeps the body


def _page_of(answer: Any, per_page: int) -> Page:
    """The answer as a page. Raises KeyError, TypeError or AttributeError where it is none."""
    meta = answer.meta
    count, given = meta["count"], meta.get("per_page")
    if not isinstance(count, int):
        raise TypeError(f"a count that is {count!r}")
    return Page(
        [record for record in answer if isinstance(record, Mapping)],
        meta.get("next_cursor"),
        count,
        given if isinstance(given, int) and 0 < given < per_page else per_page,
    )


def _explain(error: Exception, cursor: str) -> InfrastructureError:
    """What OpenAlex's refusal means for whoever runs the harvest."""
    response = getattr(error, "response", None)
    status = response.status_code if response is not None else None
    text = brief_addresses(" ".join(str(error).split()))[:300]
    said = response.text[:1000] if response is not None else text
    if status in (401, 402, 403) and "plan" in said.lower():
        return PlanError(f"OpenAlex's plan does not cover this: {said[:200]}", hint="See openalex.org/pricing.")
    if status in (401, 403) or "API key" in text:
        return InfrastructureError(
            f"OpenAlex refuses the request ({status or 401}): {text}",
            hint="Set NATUREGYM_OPENALEX_KEY to a key that openalex.org gave you.",
        )
    if cursor != FIRST_CURSOR and (isinstance(error, pyalex.api.QueryError) or status in (400, 404, 410)):
        return LostCursorError(f"OpenAlex no longer knows the cursor: {text}", hint=AGAIN)
    if status == 429:
        return HostError("OpenAlex asks us to slow down, again and again", hint=AGAIN)
    if status is not None and status >= 500:
        return HostError(f"OpenAlex answers {status}, again and again", hint=AGAIN)
    return InfrastructureError(
        f"OpenAlex answers in a way that we do not understand: {text}",
        hint="Run the same command again; it goes on where it stopped. If it stays, report it.",
    )
