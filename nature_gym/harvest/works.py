"""A work as OpenAlex describes it, read into the few fields that we use.

OpenAlex's records come in several shapes: fields appear, vanish and are null. What is read here is
either there in a form that we know or left empty; only a record without any id is refused.
"""

from __future__ import annotations

import datetime as dt
import html
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from nature_gym.errors import PaperError
from nature_gym.records import paper_id

FIELDS = (
    "id", "doi", "title", "publication_date", "type", "is_retracted", "language", "primary_location",
    "best_oa_location", "open_access", "ids", "authorships", "topics", "abstract_inverted_index", "cited_by_count",
    "updated_date",
)  # fmt: skip
"""What we ask OpenAlex for (``select=``)."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")


class Work(BaseModel):
    """A paper's bibliographic record: what harvest publishes as ``work.json``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    openalex_id: str | None = None
    """None for papers that were ingested, of which OpenAlex was not asked."""
    doi: str | None = None
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    issn_l: str | None = None
    published: dt.date | None = None
    article_type: str = ""
    language: str | None = None
    licence: str | None = None
    oa_status: str = "unknown"
    is_oa: bool = False
    landing_page_url: str | None = None
    pdf_url: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    retracted: bool = False
    topics: tuple[str, ...] = ()
    cited_by_count: int = 0
    updated: str | None = None


def read_work(record: Mapping[str, Any]) -> Work:
    """OpenAlex's record as a :class:`Work`.

    Raises PaperError where it has neither a usable DOI nor a usable OpenAlex id.
    """
    openalex_id = _tail(record.get("id"))
    if not openalex_id or not re.fullmatch(r"W\d+", openalex_id):
        raise PaperError(
            f"a work without an OpenAlex id: {str(record)[:80]!r}", hint="It is not counted; nothing else is lost."
        )
    doi = _doi(record.get("doi"))
    primary = _mapping(record.get("primary_location"))
    best = _mapping(record.get("best_oa_location"))
    source = _mapping(primary.get("source"))
    access = _mapping(record.get("open_access"))
    ids = _mapping(record.get("ids"))
    return Work(
        id=paper_id(doi, openalex_id),
        openalex_id=openalex_id,
        doi=doi,
        title=_plain(record.get("title") or record.get("display_name")),
        abstract=abstract(record.get("abstract_inverted_index")),
        authors=tuple(_authors(record.get("authorships"))),
        venue=_text(source.get("display_name")),
        issn_l=_text(source.get("issn_l")) or None,
        published=_date(record.get("publication_date")),
        article_type=_text(record.get("type")),
        language=_text(record.get("language")) or None,
        licence=_text(primary.get("license") or best.get("license")) or None,
        oa_status=_text(access.get("oa_status")) or "unknown",
        is_oa=access.get("is_oa") is True,
        landing_page_url=_text(primary.get("landing_page_url")) or None,
        pdf_url=_text(primary.get("pdf_url") or best.get("pdf_url")) or None,
        pmid=_tail(ids.get("pmid")) or None,
        pmcid=_pmcid(ids.get("pmcid")),
        retracted=record.get("is_retracted") is True,
        topics=tuple(_plain(topic.get("display_name")) for topic in _mappings(record.get("topics"))),
        cited_by_count=record["cited_by_count"] if isinstance(record.get("cited_by_count"), int) else 0,
        updated=_text(record.get("updated_date")) or None,
    )


def abstract(index: object) -> str:
    """The abstract's text from OpenAlex's inverted index (word -> positions).

    >>> abstract({"learn": [1], "We": [0, 2]})
    'We learn We'
    """
    if not isinstance(index, Mapping):
        return ""
    placed = [
        (position, word)
        for word, positions in index.items()
        if isinstance(positions, list)
        for position in positions
        if isinstance(position, int)
    ]
    return " ".join(word for _, word in sorted(placed))


def _authors(value: object) -> list[str]:
    names = (_text(_mapping(entry.get("author")).get("display_name")) for entry in _mappings(value))
    return [name for name in names if name]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _plain(value: object) -> str:
    """Titles carry HTML at times: ``<i>E. coli</i> &amp; friends``."""
    return " ".join(html.unescape(_TAG.sub("", _text(value))).split())


def _tail(value: object) -> str:
    return _text(value).rstrip("/").rsplit("/", 1)[-1]


def _doi(value: object) -> str | None:
    found = re.search(r"10\.\d{4,9}/\S+", _text(value))
    return found.group().lower() if found else None


def _pmcid(value: object) -> str | None:
    digits = re.search(r"\d+", _tail(value))
    return f"PMC{digits.group()}" if digits else None


def _date(value: object) -> dt.date | None:
    try:
        return dt.date.fromisoformat(_text(value)[:10])
    except ValueError:
        return None
