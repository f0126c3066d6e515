"""What may be read: what OpenAlex says of a work's licence, and what an article page itself shows.

The two can differ, both ways: a work that is called open may show an invitation to sign in, and then it
is not; one that is called closed is not asked for at all.
"""

from __future__ import annotations

import re
from typing import Literal

from nature_gym.harvest.works import Work

PageKind = Literal["article", "access", "abstract", "other"]

ON_THE_SITE = frozenset({"gold", "hybrid", "bronze", "diamond"})
"""Kinds of open access where the publisher's own page is open; a green copy lies elsewhere."""

_GATE = re.compile(
    rb"data-test=[\"']access-via-institution|data-title=[\"']Access options|Access through your institution|"
    rb"<meta name=[\"']access[\"'] content=[\"']No",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    rb"c-article-title|<meta[^>]+name=[\"']citation_(?:title|doi)|<meta[^>]+name=[\"']prism\.section", re.IGNORECASE
)
_HEADING = re.compile(
    rb"<h2\b[^>]*>(.*?)</h2>|<h1 class=[\"']section-heading[^>]*>(.*?)</h1>", re.IGNORECASE | re.DOTALL
)
_SECTION = re.compile(rb"<section\b[^>]*\bdata-title=[\"']([^\"']+)", re.IGNORECASE)
_TAG = re.compile(rb"<[^>]*>")
_AROUND = frozenset({
    "abstract", "access options", "references", "acknowledgements", "acknowledgments", "author information",
    "ethics declarations", "additional information", "supplementary information", "rights and permissions",
    "about this article", "associated content", "explore content", "about the journal", "publish with us", "search",
    "nature.com footer links", "article tools", "subject terms:", "at a glance", "change history", "source data",
    "extended data", "peer review", "comments", "related articles", "similar content being viewed by others",
    "advertisement", "quick links", "",
})  # fmt: skip
"""Headings that a page has with or without the article's text."""


def refusal(work: Work) -> str | None:
    """Why the work must not be fetched, in a sentence; None where its licence allows it."""
    if work.is_oa or (work.oa_status in ON_THE_SITE | {"green"}):
        return None
    if work.oa_status == "unknown":
        return "OpenAlex does not say that it is open access"
    return f"it is not open access ({work.oa_status})"


def page_kind(page: bytes) -> PageKind:
    """What an article page holds: the text, an invitation to sign in, the abstract alone, or something else."""
    if not _ARTICLE.search(page):
        return "other"
    titles = [_plain(title) for title in _SECTION.findall(page)]
    titles += [_plain(one or other) for one, other in _HEADING.findall(page)]
    if any(title not in _AROUND for title in titles):
        return "article"
    return "access" if _GATE.search(page) else "abstract"


def is_article_page(page: bytes) -> bool:
    """Whether it is a page about an article at all, whatever it shows of it."""
    return page_kind(page) != "other"


def _plain(title: bytes) -> str:
    return " ".join(_TAG.sub(b"", title).decode("utf-8", errors="replace").split()).lower()
