"""api.openalex.org: lists of works with filters and cursors, single works, keys.

Answers have the shapes of the real API; what it refuses, it refuses in the same form, an
``error`` and a ``message``.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from nature_gym.demo.miniweb.answers import JSON, Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.budget import Meter
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.miniweb.works import QueryProblem, Works, bad_parameter, response_time, short_id

PARAMETERS = frozenset(
    {"filter", "search", "select", "sort", "per-page", "per_page", "cursor", "page", "api_key", "mailto"}
)
MOST_BY_PAGE = 10_000
LARGEST_PAGE = 200


class OpenAlex:
    """The API of works."""

    hosts = ("api.openalex.org",)

    def __init__(self, works: Works, behaviour: Behaviour, shelf: Shelf) -> None:
        self._works = works
        self._behaviour = behaviour
        self._shelf = shelf

    async def answer(self, asked: Asked) -> Response:
        """Answer ``/works`` and ``/works/{id}``."""
        try:
            self._check_key(asked)
            if not self._works.is_ready:
                await asyncio.to_thread(self._works.prepare)
            return await self._route(asked)
        except QueryProblem as problem:
            return json_answer({"error": problem.error, "message": problem.message}, problem.status)

    async def _route(self, asked: Asked) -> Response:
        kind, _, key = asked.path.strip("/").partition("/")
        if kind == "works" and key:
            return self._single(key, asked)
        if kind == "works":
            query = {name: value for name, value in asked.query.items() if name not in {"api_key", "mailto"}}
            shelf_key = ("openalex", *sorted(query.items()))
            blob, _ = await self._shelf.get(shelf_key, lambda: self._page(query))
            return Response(blob.head, media_type=JSON)
        if short_id(kind)[1:].isdigit() and kind[:1] in "Ww":
            return redirect(f"https://api.openalex.org/works/{short_id(kind)}", 301)
        if not kind:
            return json_answer(
                {"documentation_url": "https://docs.openalex.org", "msg": "Don't panic", "version": "0.0.1"}
            )
        return _not_found()

    def _check_key(self, asked: Asked) -> None:
        if self._behaviour.api_keys is None:
            return
        bearer = asked.headers.get("authorization", "")
        key = asked.query.get("api_key") or bearer.removeprefix("Bearer ").strip()
        if not key:
            raise QueryProblem(
                401, "API key required", "An API key is required. Get one at https://openalex.org/settings/api."
            )
        if key not in self._behaviour.api_keys:
            raise QueryProblem(403, "Invalid API key", "The API key is not known, or it has expired.")

    def _single(self, key: str, asked: Asked) -> Response:
        if (present := self._works.former.get(short_id(key))) is not None:
            return redirect(f"https://api.openalex.org/works/{present}", 301)
        position = self._works.find(key)
        if position is None:
            return _not_found()
        return json_answer(self._works.printed(position, self._fields(asked.query.get("select"))))

    def _page(self, query: Mapping[str, str]) -> bytes:
        """One page of a list of works."""
        if unknown := sorted(set(query) - PARAMETERS):
            valid = ", ".join(sorted(PARAMETERS))
            raise bad_parameter(f"{unknown[0]} is not a valid parameter. Valid parameters are: {valid}.")
        self._check_plan(query.get("filter", ""))
        fields = self._fields(query.get("select"))
        size = self._page_size(query.get("per-page") or query.get("per_page") or "25")
        filter_text, search = query.get("filter", ""), query.get("search", "")
        selection = self._works.select(filter_text, search, query.get("sort", ""))
        meta: dict[str, Any] = {
            "count": len(selection.positions),
            "db_response_time_ms": response_time(*sorted(f"{name}={value}" for name, value in query.items())),
            "page": None,
            "per_page": size,
        }
        if "cursor" in query and "page" in query:
            raise QueryProblem(400, "Pagination error.", "Cannot use page parameter with cursor pagination.")
        if "cursor" in query:
            start = self._works.start_of(selection, query["cursor"])
        else:
            meta["page"] = _page_number(query.get("page", "1"), size)
            start = (meta["page"] - 1) * size
        given = selection.positions[start : start + size]
        if "cursor" in query:
            meta["next_cursor"] = self._works.cursor_after(selection, start + len(given)) if given else None
        meta["groups_count"] = None
        results = [self._works.printed(position, fields) for position in given]
        return orjson.dumps({"meta": meta, "results": results, "group_by": []})

    def _fields(self, select: str | None) -> list[str] | None:
        """The fields that are asked for; None stands for all of them."""
        if not select:
            return None
        fields = [field.strip() for field in select.split(",") if field.strip()]
        if nested := [field for field in fields if "." in field]:
            raise bad_parameter(f"{nested[0]} is not a valid select field: only top-level fields can be selected.")
        if unknown := [field for field in fields if field not in self._works.fields]:
            valid = ", ".join(self._works.fields)
            raise bad_parameter(f"{unknown[0]} is not a valid select field. Valid fields for select are: {valid}.")
        return fields

    def _check_plan(self, filter_text: str) -> None:
        if "updated_date" in filter_text and not self._behaviour.updated_filter:
            raise QueryProblem(
                403,
                "Plan upgrade required",
                "The filters from_updated_date and to_updated_date need a paid plan: https://openalex.org/pricing.",
            )

    def _page_size(self, text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= LARGEST_PAGE:
            raise bad_parameter(f"per-page parameter must be between 1 and {LARGEST_PAGE}")
        return min(int(text), self._behaviour.page_cap)


def rate_headers(meter: Meter, now: float) -> dict[str, str]:
    """The X-RateLimit headers of OpenAlex: credits, and the same in dollars."""
    cost = 0.0001
    left = meter.budget - meter.used
    return {
        "x-ratelimit-limit": str(meter.budget),
        "x-ratelimit-remaining": str(left),
        "x-ratelimit-credits-used": "1",
        "x-ratelimit-reset": str(meter.reset_in(now)),
        "x-ratelimit-limit-usd": f"{meter.budget * cost:.4f}",
        "x-ratelimit-remaining-usd": f"{left * cost:.4f}",
        "x-ratelimit-cost-usd": f"{cost:.4f}",
    }


def over_budget(meter: Meter, now: float) -> Response:
    """The answer once the budget is used up."""
    until = dt.timedelta(seconds=meter.reset_in(now))
    message = f"The budget of this key is used up. It is renewed in {until}."
    headers = {**rate_headers(meter, now), "retry-after": str(meter.reset_in(now))}
    return json_answer({"error": "Rate limit exceeded", "message": message}, 429, headers)


def _page_number(text: str, size: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise QueryProblem(400, "Pagination error.", "Page parameter must be a number greater than 0.")
    if int(text) * size > MOST_BY_PAGE:
        raise QueryProblem(
            400,
            "Pagination error.",
            f"Maximum results size of {MOST_BY_PAGE:,} records is exceeded. "
            "Cursor pagination is required for records beyond that.",
        )
    return int(text)


def _not_found() -> Response:
    return html_answer("404 Not Found", "<p>The requested URL was not found on the server.</p>", 404)
