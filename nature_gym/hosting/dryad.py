"""Dryad: data sets by DOI."""

from __future__ import annotations

import re
from urllib.parse import quote

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

NAME = "dryad"
SITE = "datadryad.org"
API = "https://datadryad.org/api/v2"
_DOI = re.compile(r"10\.5061/dryad\.[\w.-]+")


def recognise(url: str) -> Reference | None:
    """``datadryad.org/(stash/)dataset/doi:<doi>`` and DOIs."""
    doi = doi_of(url)
    host, segments, _ = split(url)
    if not doi and host in (SITE, "dryad.org"):
        doi = "/".join(segments).lower().partition("doi:")[2]
    match = _DOI.match(doi)
    return Reference(NAME, SITE, match[0]) if match else None


def look(reference: Reference, api: Api) -> Holding:
    """The newest version's files."""
    key = quote(f"doi:{reference.key}", safe="")
    status, value = api.json(f"{API}/datasets/{key}")
    if refused := refusal(status):
        return refused
    if unknown := strange(value, "identifier", "_links"):
        return unknown
    about = mapping(value)
    size = number(about.get("storageSize"))
    version = text(mapping(mapping(about.get("_links")).get("stash:version")).get("href"))
    files: tuple[Held, ...] = ()
    if version:
        status, value = api.json(f"https://{SITE}{version}/files")
        embedded = mapping(mapping(value).get("_embedded")).get("stash:files")
        files = tuple(_file(entry) for entry in mappings(embedded))
    return Holding("open", files, total(files) or size, 200, title=text(about.get("title")) or "")


def _file(entry: dict[str, object]) -> Held:
    link = text(mapping(mapping(entry.get("_links")).get("stash:download")).get("href"))
    digest, kind = text(entry.get("digest")), text(entry.get("digestType"))
    checksum = f"{kind.replace('-', '')}:{digest}" if digest and kind else None
    return Held(text(entry.get("path")) or "", number(entry.get("size")), checksum, link and f"https://{SITE}{link}")
