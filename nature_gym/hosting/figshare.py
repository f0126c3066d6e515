"""Figshare, its institutions' portals included: articles by number, collections of articles, single files."""

from __future__ import annotations

import re

from nature_gym.hosting.holdings import (
    Api,
    Held,
    Holding,
    Reference,
    doi_of,
    mapping,
    mappings,
    number,
    refusal,
    split,
    strange,
    text,
    total,
)  # fmt: skip

NAME = "figshare"
SITE = "figshare.com"
API = "https://api.figshare.com/v2"
_DOI = re.compile(r"10\.(?:6084/m9|25446/\w+|\d{4,9}/[\w.-]*)\.?figshare\.(c\.)?(\d+)(?:\.v(\d+))?")


def recognise(url: str) -> Reference | None:
    """``figshare.com/articles/<kind>/<title>/<number>[/<version>]``, collections, ``ndownloader/files/<n>``, DOIs."""
    if match := _DOI.fullmatch(doi_of(url)):
        return Reference(NAME, SITE, ("c" if match[1] else "") + match[2], version=match[3])
    host, segments, _ = split(url)
    if host != SITE and not host.endswith(f".{SITE}"):
        return None
    numbers = [segment for segment in segments if segment.isdigit()]
    if "files" in segments and "ndownloader" in (*segments, host.partition(".")[0]) and numbers:
        return Reference(NAME, SITE, f"file/{numbers[0]}")
    if not numbers:
        return None
    if "collections" in segments:
        return Reference(NAME, SITE, f"c{numbers[0]}")
    if "articles" in segments:
        return Reference(NAME, SITE, numbers[0], version=numbers[1] if len(numbers) > 1 else None)
    return None


def look(reference: Reference, api: Api) -> Holding:
    """The article's files with their MD5; those of all articles of a collection."""
    key = reference.key
    if key.startswith("file/"):
        return Holding("unknown")  # a file by its number: only the file itself can be asked
    if key.startswith("c"):
        return _collection(key[1:], api)
    version = f"/versions/{reference.version}" if reference.version else ""
    status, value = api.json(f"{API}/articles/{key}{version}")
    if status == 404 and version:
        status, value = api.json(f"{API}/articles/{key}")
    if refused := refusal(status):
        return refused
    if unknown := strange(value, "id", "files"):
        return unknown
    article = mapping(value)
    files = tuple(
        Held(text(entry.get("name")) or "", number(entry.get("size")), _md5(entry), text(entry.get("download_url")))
        for entry in mappings(article.get("files"))
    )
    closed = article.get("is_confidential") or article.get("is_embargoed") or article.get("is_metadata_record")
    whole = number(article.get("size"))
    return Holding(
        "open" if files else "restricted" if closed else "empty",
        files,
        whole or total(files),
        status,
        url=text(article.get("url_public_html")),
        title=text(article.get("title")) or "",
        licence=text(mapping(article.get("license")).get("name")),
        version=str(article.get("version") or ""),
        stated=bool(whole),
    )


def _collection(key: str, api: Api) -> Holding:
    status, value = api.json(f"{API}/collections/{key}/articles?page_size=100")
    if refused := refusal(status):
        return refused
    if not isinstance(value, list):
        return strange(value) or Holding("unknown")
    files: list[Held] = []
    for entry in mappings(value):
        if (article := number(entry.get("id"))) is not None:
            files += look(Reference(NAME, SITE, str(article)), api).files
    return Holding("open" if files else "empty", tuple(files), total(files), status)


def _md5(entry: dict[str, object]) -> str | None:
    md5 = text(entry.get("computed_md5")) or text(entry.get("supplied_md5"))
    return f"md5:{md5}" if md5 else None
