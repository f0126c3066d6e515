"""All other addresses of the world, and the ways in which their host is rude."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from nature_gym.demo.miniweb.answers import Asked, Blob, blob_answer, html_answer, patience, redirect
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.model import Page

CAPTCHA = b"""<!DOCTYPE html>
<html lang="en-US">
<head><meta charset="utf-8"><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body>
<h1>Verifying you are human. This may take a few seconds.</h1>
<form id="challenge-form" action="?__chl_f_tk=demo" method="POST">
<div class="g-recaptcha" data-sitekey="demo"></div>
<noscript>Enable JavaScript and cookies to continue</noscript>
</form>
</body>
</html>
"""
FAILURES_OF_A_FLAKY_PAGE = 2


class Pages:
    """Answers a page as its behaviour says."""

    def __init__(self, behaviour: Behaviour, clock: Callable[[], float]) -> None:
        self._behaviour = behaviour
        self._clock = clock
        self._asked: dict[str, int] = {}
        self._first: dict[str, float] = {}

    async def answer(self, asked: Asked, page: Page) -> Response:
        """The page, or what its host does instead."""
        count = self._asked[page.url] = self._asked.get(page.url, 0) + 1
        match page.behaviour:
            case "slow":
                await patience(asked.request.receive, self._behaviour.slow_seconds)
            case "flaky" if count <= FAILURES_OF_A_FLAKY_PAGE:
                return html_answer("503 Service Unavailable", status=503)
            case "limited" if (refused := self._limited(page)) is not None:
                return refused
            case "loop":
                return redirect(page.url)
            case "captcha":
                return Response(CAPTCHA, 200, media_type="text/html; charset=utf-8")
            case "reset":
                return _cut(page)
        return _plain(asked, page)

    def _limited(self, page: Page) -> Response | None:
        """429 until the time that the page asks for has gone by since the first request."""
        told = {name.lower(): value for name, value in page.headers.items()}
        wait = told.get("retry-after", f"{self._behaviour.retry_after:g}")
        try:
            seconds = float(wait)
        except ValueError:  # a date, which is for the client to read
            seconds = self._behaviour.retry_after
        if self._clock() >= self._first.setdefault(page.url, self._clock()) + seconds:
            return None
        return html_answer("429 Too Many Requests", status=429, headers={"retry-after": wait})


def _plain(asked: Asked, page: Page) -> Response:
    told = {name.lower(): value for name, value in page.headers.items()}
    if page.behaviour == "limited":
        told.pop("retry-after", None)
    if page.status == 200:
        return blob_answer(asked, Blob.of(page.body, page.declared_size), page.media_type, headers=told)
    return Response(page.body, page.status, told, page.media_type)


class CutAnswer(Response):
    """A body that breaks off half-way: it ends before its stated length, so the server cuts the connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 -- ASGI's signature
        """Send the head and half of the body, and no end."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        half = bytes(self.body)[: len(self.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": scope["method"] != "HEAD"})


def _cut(page: Page) -> Response:
    body = page.body or b"<html>" + b"." * 4000
    size = page.declared_size or len(body)
    return CutAnswer(body, 200, {"content-length": str(size)}, page.media_type)
