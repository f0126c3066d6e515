"""The kinds of things that are fetched: how one is recognised, and how large it may be.

Hosts label things wrongly, so it is the first bytes that count; the label only where bytes say nothing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import orjson

MEGABYTE = 10**6
_STUB = 2_000
"""An answer of fewer bytes than this, and of another kind, is some proxy's hiccup, and may be right the next time."""


@dataclass(frozen=True, slots=True)
class Kind:
    """``name`` is for messages; ``fits`` is given the media type and the body (its head, unless ``whole``).

    ``constant``: whether a host that knows better always answers with this kind, so that anything else is a fault.
    """

    name: str
    accept: str
    most_bytes: int
    fits: Callable[[str, bytes], bool]
    whole: bool = False
    constant: bool = False

    def is_hiccup(self, body: bytes) -> bool:
        """Whether a body that does not fit may well be right the next time."""
        return self.constant or len(body) < _STUB

    def narrowed(self, name: str, check: Callable[[bytes], bool]) -> Kind:
        """The same, of which the whole body must pass ``check`` too: anything else is a fault of the host."""
        fits = self.fits
        return dataclasses.replace(
            self, name=name, fits=lambda label, body: fits(label, body) and check(body), whole=True, constant=True
        )


def is_html(media_type: str, body: bytes) -> bool:
    """Whether it is a page for people."""
    head = body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return True
    return media_type in ("text/html", "application/xhtml+xml") and not head.startswith((b"%pdf-", b"{", b"["))


def _is_pdf(media_type: str, body: bytes) -> bool:  # noqa: ARG001 -- what a PDF is labelled as means nothing
    return b"%PDF-" in body[:1024]


def _is_xml(media_type: str, body: bytes) -> bool:
    return body[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and not is_html(media_type, body)


def _is_json(media_type: str, body: bytes) -> bool:  # noqa: ARG001
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return True


def _is_text(media_type: str, body: bytes) -> bool:
    return not is_html(media_type, body)


HTML = Kind("an HTML page", "text/html,application/xhtml+xml;q=0.9", 50 * MEGABYTE, is_html, whole=True)
PDF = Kind("a PDF", "application/pdf", 200 * MEGABYTE, _is_pdf)
XML = Kind("XML", "application/xml,text/xml;q=0.9", 100 * MEGABYTE, _is_xml)
JSON = Kind("JSON", "application/json", 50 * MEGABYTE, _is_json, whole=True, constant=True)
TEXT = Kind("plain text", "text/plain,*/*;q=0.1", MEGABYTE, _is_text)
