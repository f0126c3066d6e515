"""What an article's page says of the article: its meta elements, its JSON-LD, and the marks at its top.

Publishers say the same thing in several vocabularies, and designs differ in which they use; so each fact has a
list of places, best first.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from nature_gym.reading.addresses import doi_in
from nature_gym.reading.text import squeeze

_DATE = re.compile(r"(\d{4})(?:[-/](\d{1,2}))?(?:[-/](\d{1,2}))?")
_KEPT = (
    "prism.issn", "prism.eissn", "prism.volume", "prism.number", "prism.section", "dc.type", "dc.rights",
    "citation_issn", "citation_volume", "citation_issue", "citation_firstpage", "citation_lastpage",
    "citation_pdf_url", "citation_fulltext_html_url", "citation_article_type", "citation_publisher", "access",
)  # fmt: skip
_GENERIC_TYPES = {"originalpaper", "text", "article-journal", "scholarlyarticle"}
_LONGEST_SCRIPT = 200_000


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says of its article. Empty where it says nothing."""

    title: str = ""
    page_title: str = ""
    doi: str | None = None
    article_type: str = ""
    journal: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    description: str = ""
    url: str | None = None
    access: str = ""
    """``yes`` or ``no``, as the page says it."""
    metadata: dict[str, str] = field(default_factory=dict)

    @property
    def is_article(self) -> bool:
        """Whether the page describes itself as a scholarly article's."""
        return bool(self.doi) and bool(self.title)


class _Meta:
    """The meta elements by name, whatever the case of their names."""

    def __init__(self, elements: Iterable[LexborNode]) -> None:
        self._values: dict[str, list[str]] = {}
        for element in elements:
            attributes = element.attrs
            name = attributes.get("name") or attributes.get("property")
            if name and (content := attributes.get("content")):
                self._values.setdefault(name.strip().casefold(), []).append(content)

    def first(self, *names: str) -> str:
        """The first value that any of ``names`` has."""
        return next((value for name in names for value in self.all(name) if value), "")

    def all(self, *names: str) -> list[str]:
        """All values of the first of ``names`` that has any."""
        return next((list(map(squeeze, values)) for name in names if (values := self._values.get(name))), [])


_TOLD = (
    "meta:not([name=citation_reference]), "
    '[class*="notice"], [class*="status-message"], [data-test*="retract"], [class*="retract"]'
)
"""Meta elements and notices, looked for at once. Meta elements on references, the most, tell less than the article."""
_RETRACTED = re.compile(r"\b(?:has been|was|is) retracted\b|^retracted\b", re.IGNORECASE)
_LONGEST_NOTICE = 600


def read_head(tree: LexborHTMLParser) -> Head:
    """Read what the page says of its article."""
    told = tree.css(_TOLD)
    meta = _Meta(element for element in told if element.tag == "meta")
    linked = _LinkedData(tree)
    stated = meta.first("citation_title", "dc.title", "og:title", "twitter:title") or linked.text("headline")
    page_title = _text(tree.css_first("head title") or tree.css_first("title"))
    shown = "" if stated else _headline(tree)
    title = stated or shown
    return Head(
        title=title,
        page_title=page_title,
        doi=_doi(
            meta.first("citation_doi", "doi", "dc.identifier", "prism.doi", "bepress_citation_doi"),
            lambda: linked.text("sameAs"),
        ),
        article_type=_article_type(tree, meta),
        journal=meta.first("citation_journal_title", "prism.publicationname", "og:site_name"),
        published=_date(
            meta.first("citation_online_date", "dc.date", "prism.publicationdate", "citation_date",
                       "citation_publication_date", "article:published_time"),
            lambda: linked.text("datePublished"),
        ),
        authors=_authors(meta, linked),
        description=meta.first("dc.description", "description", "og:description", "citation_abstract")
        if stated or shown
        else "",
        url=meta.first("citation_fulltext_html_url", "prism.url", "og:url") or None,
        access=meta.first("access").casefold(),
        metadata={name: value for name in _KEPT if (value := meta.first(name))}
        | _retraction(element for element in told if element.tag != "meta"),
    )  # fmt: skip


def _retraction(notices: Iterable[LexborNode]) -> dict[str, str]:
    """``retracted`` -> what the page says, where a notice on it says that the article was."""
    for node in notices:
        text = squeeze(node.text())
        if len(text) <= _LONGEST_NOTICE and _RETRACTED.search(text):
            return {"retracted": text}
    return {}


def _headline(tree: LexborHTMLParser) -> str:
    """The title as the page shows it, for pages that state none."""
    known = tree.css_first("h1.c-article-title, h1.article-heading, h1[itemprop=headline], h1.article-title")
    only = tree.css("h1")
    return _text(known) or (_text(only[0]) if len(only) == 1 else "")


def _article_type(tree: LexborHTMLParser, meta: _Meta) -> str:
    """As the journal calls it, from the most telling place: ``OriginalPaper`` is only what a database calls it."""
    stated = [place for place in (meta.first("citation_article_type"),) if place]
    if not stated:
        category = tree.css_first("li[data-test=article-category], [data-test=article-category]")
        places = (_text(category), meta.first("prism.section"), meta.first("wt.cg_s"), meta.first("dc.type"))
        stated = [place for place in places if place]
    return next((place for place in stated if place.casefold() not in _GENERIC_TYPES), stated[0] if stated else "")


class _LinkedData:
    """The page's schema.org description of its article; looked for only where meta elements leave something open."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree

    @functools.cached_property
    def _entity(self) -> dict[str, Any]:
        return _linked_data(self._tree)

    def text(self, name: str) -> str:
        value = self._entity.get(name)
        return value if isinstance(value, str) else ""

    def names(self) -> list[str]:
        """The authors' names."""
        people = self._entity.get("author")
        if not isinstance(people, list):
            return []
        return [str(person.get("name") or "") for person in people[:1000] if isinstance(person, dict)]


def _authors(meta: _Meta, linked: _LinkedData) -> tuple[str, ...]:
    names = meta.all("citation_author", "dc.creator", "citation_authors")
    if len(names) == 1 and ";" in names[0]:
        names = names[0].split(";")
    names = names or linked.names()
    return tuple(name for name in map(_full_name, names) if name)


def _full_name(name: str) -> str:
    family, comma, given = name.partition(",")
    return squeeze(f"{given} {family}") if comma else squeeze(name)


def _linked_data(tree: LexborHTMLParser) -> dict[str, Any]:
    """The page's schema.org description of its article; it is data, and read as such."""
    for script in tree.css('script[type="application/ld+json"]'):
        text = script.text(deep=True)
        if len(text) > _LONGEST_SCRIPT:
            continue
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        for candidate in _candidates(value):
            kind = candidate.get("@type")
            if kind == "ScholarlyArticle" or (isinstance(kind, list) and "ScholarlyArticle" in kind):
                return candidate
    return {}


def _candidates(value: object) -> Iterable[dict[str, Any]]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield one
            if isinstance(entity := one.get("mainEntity"), dict):
                yield entity


def _doi(stated: str, otherwise: Callable[[], str]) -> str | None:
    return doi_in(stated) or doi_in(otherwise())


def _date(stated: str, otherwise: Callable[[], str]) -> str:
    match = _DATE.match(stated) or _DATE.match(otherwise())
    if match is None:
        return ""
    return "-".join(part if len(part) == 4 else f"{int(part):02d}" for part in match.groups() if part)


def _text(node: LexborNode | None) -> str:
    return squeeze(node.text(deep=True)) if node is not None else ""
