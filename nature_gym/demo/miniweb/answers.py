"""Answers in the forms that hosts share: bytes with validators and ranges, JSON, redirects.

A :class:`Blob` is a body that need not exist: some bytes at its head, zeros up to its size.
Files "too large to make" are served from one without ever being in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from email.utils import format_datetime, parsedate_to_datetime

import orjson
from starlette.datastructures import Headers, QueryParams
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive

HTML = "text/html; charset=utf-8"
JSON = "application/json"
CHUNK = 1 << 16
READING = frozenset({"GET", "HEAD"})
"""The methods of nearly all addresses."""
_ZEROS = bytes(CHUNK)
_RANGE = re.compile(r"bytes=(\d*)-(\d*)$")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as the host that it is meant for sees it."""

    host: str
    path: str
    """Decoded, without the host; starts with ``/``."""
    request: Request

    @property
    def method(self) -> str:
        return self.request.method

    @property
    def query(self) -> QueryParams:
        return self.request.query_params

    @property
    def headers(self) -> Headers:
        return self.request.headers

    def number(self, name: str, default: int) -> int:
        """A whole number of the query, at least 1; ``default`` where there is none that can be read."""
        text = self.query.get(name, "")
        return max(1, int(text)) if re.fullmatch(r"[0-9]{1,9}", text) else default

    @property
    def segments(self) -> list[str]:
        """The parts of the path: ``/a/b/`` is ``["a", "b"]``."""
        return [part for part in self.path.split("/") if part]


@dataclass(frozen=True, slots=True)
class Blob:
    """A body: ``head``, then zeros up to ``size``; cut where ``head`` is longer."""

    head: bytes
    size: int

    @classmethod
    def of(cls, body: bytes, declared_size: int | None = None) -> Blob:
        """The body itself, or one of the declared size that begins with it."""
        return cls(body, len(body) if declared_size is None else declared_size)

    @property
    def digest(self) -> str:
        """A name for the content, in hexadecimal."""
        return hashlib.blake2b(self.head, digest_size=12, salt=self.size.to_bytes(16, "big")).hexdigest()

    def chunks(self, start: int, stop: int) -> Iterator[bytes]:
        """The bytes from ``start`` up to ``stop``, in pieces."""
        while start < stop:
            if start < len(self.head):
                piece = self.head[start : min(stop, start + CHUNK)]
            else:
                piece = _ZEROS[: min(CHUNK, stop - start)]
            yield piece
            start += len(piece)


def http_date(when: dt.date | dt.datetime) -> str:
    """A date as HTTP headers write it; a day without a time is its midnight, UTC."""
    if not isinstance(when, dt.datetime):
        when = dt.datetime(when.year, when.month, when.day, tzinfo=dt.UTC)
    return format_datetime(when.astimezone(dt.UTC), usegmt=True)


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer, compact as the real services print it."""
    return Response(orjson.dumps(value), status, headers, JSON)


def html_answer(title: str, body: str = "", status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A small HTML page; ``body`` is HTML."""
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{title}</title></head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )
    return Response(page.encode(), status, headers, HTML)


def wrong_method(allowed: frozenset[str]) -> Response:
    """The refusal of a method that an address does not have."""
    return html_answer("405 Method Not Allowed", status=405, headers={"allow": ", ".join(sorted(allowed))})


def redirect(location: str, status: int = 302, headers: Mapping[str, str] | None = None) -> Response:
    """A redirect to a real-looking address: clients map it to the mirror again."""
    return Response(b"", status, {"location": location, **(headers or {})}, HTML)


def blob_answer(
    asked: Asked,
    blob: Blob,
    media_type: str,
    *,
    modified: dt.date | dt.datetime | None = None,
    etag: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The body with ETag and Last-Modified: 304 where the client has it, 206 where it asks for a part."""
    etag = etag or f'"{blob.digest}"'
    told = {"etag": etag, "accept-ranges": "bytes", **(headers or {})}
    if modified is not None:
        told["last-modified"] = http_date(modified)
    if _is_fresh(asked.headers, etag, told.get("last-modified")):
        return Response(b"", 304, told)
    if_range = asked.headers.get("if-range")
    part = asked.headers.get("range") if if_range in {None, etag, told.get("last-modified")} else None
    start, stop, status = 0, blob.size, 200
    if part is not None and (wanted := _range(part, blob.size)) is not None:
        start, stop = wanted
        if start >= stop:
            return Response(b"", 416, {**told, "content-range": f"bytes */{blob.size}"})
        status = 206
        told["content-range"] = f"bytes {start}-{stop - 1}/{blob.size}"
    told["content-length"] = str(stop - start)
    if asked.method == "HEAD":
        return Response(b"", status, told, media_type)
    if stop <= len(blob.head):
        whole = start == 0 and stop == len(blob.head)
        return Response(blob.head if whole else blob.head[start:stop], status, told, media_type)
    return StreamingResponse(_stream(blob, start, stop), status, told, media_type)


async def patience(receive: Receive, seconds: float) -> None:
    """Wait, but no longer than the client does: one that hangs up is not in flight any more."""

    async def hung_up() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(hung_up(), seconds)


async def _stream(blob: Blob, start: int, stop: int) -> AsyncIterator[bytes]:
    for piece in blob.chunks(start, stop):
        yield piece
        # Sending to a client that is gone never waits: without a pause here nobody else would get a turn.
        await asyncio.sleep(0)


def _is_fresh(headers: Headers, etag: str, modified: str | None) -> bool:
    """Whether the client's validators say that it has this very body."""
    if (known := headers.get("if-none-match")) is not None:
        tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
        return "*" in tags or etag.removeprefix("W/") in tags
    if modified is not None and (since := headers.get("if-modified-since")) is not None:
        try:
            return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
        except ValueError:
            return False
    return False


def _range(header: str, size: int) -> tuple[int, int] | None:
    """The part asked for as (start, stop); empty where there is none; None where the header is to be ignored."""
    match = _RANGE.match(header.strip())
    if match is None or match.group(0) == "bytes=-":
        return None
    first, last = match.groups()
    if not first:
        return max(0, size - int(last)), size
    if last and int(last) < int(first):
        return None
    return int(first), min(int(last) + 1, size) if last else size
