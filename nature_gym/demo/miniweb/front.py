"""The front door: which host is meant, how long it takes, what goes wrong, what is noted down.

A request names its host either in the first part of the path (``/zenodo.org/records/1``, as a
run with ``NATUREGYM_MIRROR`` asks) or in the Host header. Everything behind the door sees the
host and the path that the real service would see.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from nature_gym.demo.miniweb.answers import HTML, READING, Asked, html_answer, json_answer, patience, wrong_method
from nature_gym.demo.miniweb.behaviour import Behaviour, Fault, chance
from nature_gym.demo.miniweb.budget import Meter
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.hosts import github, openalex
from nature_gym.demo.miniweb.hosts.git import is_git_request, methods_of
from nature_gym.demo.miniweb.hosts.pages import Pages
from nature_gym.demo.miniweb.requestlog import RequestLog, Seen
from nature_gym.demo.miniweb.welcome import welcome_page

logger = logging.getLogger(__name__)
NO_HOST = {"x-demo": "no such host"}
OPENALEX_PLAN = 100_000
"""What OpenAlex's headers tell where no budget is set."""


class Host(Protocol):
    """A service with the hosts it answers for."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names."""
        ...

    async def answer(self, asked: Asked) -> Response:
        """The answer to one request."""
        ...


class FrontDoor:
    """The ASGI application that hands requests to hosts."""

    def __init__(
        self,
        catalogue: Catalogue,
        hosts: Mapping[str, Host],
        behaviour: Behaviour,
        log: RequestLog,
        clock: Callable[[], float],
    ) -> None:
        self._catalogue = catalogue
        self._hosts = hosts
        self._behaviour = behaviour
        self._log = log
        self._clock = clock
        self._pages = Pages(behaviour, clock)
        self._asked: Counter[tuple[str, str]] = Counter()
        self._meters = {host: Meter(budget, behaviour.budget_window) for host, budget in behaviour.budgets.items()}
        self._meters.setdefault("api.openalex.org", Meter(OPENALEX_PLAN, 86_400))

    def reset(self) -> None:
        """Forget what was asked so far: log, budgets, and which fault comes next."""
        self._log.clear()
        self._asked.clear()
        self._pages = Pages(self._behaviour, self._clock)
        for meter in self._meters.values():
            meter.used = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        host, path = self._meant(scope)
        query = scope["query_string"].decode("latin-1")
        seen = self._log.begin(host, scope["method"], path, query)
        try:
            address = f"{path}?{query}"
            self._asked[host, address] += 1
            nth = self._asked[host, address]
            if (delay := self._behaviour.delay(host, address, nth)) > 0:
                await asyncio.sleep(delay)
            fault = self._behaviour.fault(host, address, nth)
            seen.fault = fault
            asked = Asked(host, path, Request(scope, receive))
            if fault in {"truncated", "garbled"}:
                shape = chance(self._behaviour.seed, "shape", host, address, nth)
                send = _spoilt(fault, shape, send)
            response = await self._failure(fault, receive) or await self._answer(asked)
            await response(scope, receive, _noting(seen, send))
        finally:
            self._log.end(seen)

    def _meant(self, scope: Scope) -> tuple[str, str]:
        """The host and the path that a request is for."""
        for name, value in scope["headers"]:
            if name == b"host":
                named = value.decode("latin-1").rsplit(":", 1)[0].lower()
                if named in self._hosts or named in self._catalogue.page_hosts:
                    return named, scope["path"]
                break
        host, _, rest = scope["path"].lstrip("/").partition("/")
        return host.lower(), f"/{rest}"

    async def _failure(self, fault: Fault | None, receive: Receive) -> Response | None:
        if fault == "error":
            return html_answer("500 Internal Server Error", status=500)
        if fault == "unavailable":
            return html_answer("503 Service Unavailable", status=503)
        if fault == "timeout":
            await patience(receive, self._behaviour.hang_seconds)
            return Silence()
        return None

    async def _answer(self, asked: Asked) -> Response:
        now = self._clock()
        meter = self._meters.get(asked.host)
        if meter is not None and not meter.spend(now):
            return _over_budget(asked.host, meter, now)
        response = await self._of_host(asked)
        if meter is not None and (told := _rate_headers(asked.host, meter, now)):
            response.headers.update(told)
        return response

    async def _of_host(self, asked: Asked) -> Response:
        if asked.host in {"", "_demo"}:
            hosts = {*self._hosts, *self._catalogue.page_hosts}
            return self._reading(asked) or html_answer("The demo world's web", welcome_page(self._catalogue, hosts))
        if asked.host not in self._hosts and asked.host not in self._catalogue.page_hosts:
            return html_answer("502 Bad Gateway", "<p>No such host in the demo world.</p>", 502, NO_HOST)
        if (refused := self._reading(asked)) is not None:
            return refused
        page = self._catalogue.page(asked.host, asked.path, asked.query.multi_items())
        if page is not None:
            return await self._pages.answer(asked, page)
        host = self._hosts.get(asked.host)
        if host is not None:
            return await host.answer(asked)
        return html_answer("404 Not Found", status=404)

    def _reading(self, asked: Asked) -> Response | None:
        """The refusal of a method that changes things; git asks its questions by POST."""
        is_git = asked.host in self._catalogue.git_hosts and is_git_request(asked.segments)
        allowed = methods_of(asked.segments) if is_git else READING
        return None if asked.method in allowed else wrong_method(allowed)


class Silence(Response):
    """No answer: the server cuts the connection without a word."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        """Begin an answer and leave it at that, so that nothing but a closed connection arrives."""
        await send({"type": "http.response.start", "status": 504, "headers": [(b"content-length", b"1")]})
        await send({"type": "http.response.body", "body": b"", "more_body": True})


def _over_budget(host: str, meter: Meter, now: float) -> Response:
    if host == "api.openalex.org":
        return openalex.over_budget(meter, now)
    if host == "api.github.com":
        return github.over_budget(meter, now)
    told = {"retry-after": str(meter.reset_in(now))}
    return json_answer({"status": 429, "message": "Too many requests."}, 429, told)


def _rate_headers(host: str, meter: Meter, now: float) -> dict[str, str]:
    if host == "api.openalex.org":
        return openalex.rate_headers(meter, now)
    if host == "api.github.com":
        return github.rate_headers(meter, now)
    return {}


def _noting(seen: Seen, send: Send) -> Send:
    """``send``, which also notes the status."""

    async def noted(message: Message) -> None:
        if message["type"] == "http.response.start":
            seen.status = message["status"]
        await send(message)

    return noted


def _spoilt(fault: Fault, shape: float, send: Send) -> Send:
    """``send``, which cuts the body half-way or puts another in its place."""
    started: list[Message] = []
    done = False

    async def spoilt(message: Message) -> None:
        nonlocal done
        if message["type"] == "http.response.start":
            started.append(message)
            return
        if done:
            return
        done = True
        start, body = started[0], message.get("body", b"")
        if not body:
            await send(start)
            await send(message)
        elif fault == "truncated":
            await send(start)
            await send({"type": "http.response.body", "body": body[: len(body) // 2], "more_body": True})
        else:
            await _send_garbled(start, shape, send)

    return spoilt


async def _send_garbled(start: Message, shape: float, send: Send) -> None:
    """A body of another kind than expected: JSON that breaks off or has other keys, a page of a proxy."""
    headers = {name.lower(): value for name, value in start["headers"]}
    if headers.get(b"content-type", b"").startswith(b"application/json"):
        body = b'{"meta": {"count": 12, "res' if shape < 0.5 else b'{"status": "ok", "data": []}'
    else:
        body = b"<html><body><h1>Gateway</h1><p>Please reload this page.</p></body></html>"
        headers[b"content-type"] = HTML.encode()
    for name in (b"etag", b"last-modified", b"content-range", b"accept-ranges"):
        headers.pop(name, None)
    headers[b"content-length"] = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": list(headers.items())})
    await send({"type": "http.response.body", "body": body})
