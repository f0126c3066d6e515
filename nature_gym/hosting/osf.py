"""The Open Science Framework: projects by a short word, their files in folders."""

from __future__ import annotations

import re
from typing import Any

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

NAME = "osf"
SITE = "osf.io"
API = "https://api.osf.io/v2"
_DOI = re.compile(r"10\.17605/osf\.io/(\w{5})")
_PAGES = frozenset({"meetings", "search", "dashboard", "login", "register", "support", "explore", "institutions"})
_MOST_FOLDERS = 40


def recognise(url: str) -> Reference | None:
    """``osf.io/<word>`` with whatever behind it, and DOIs; links that carry a key for viewing are for the page."""
    if "view_only=" in url:
        return None
    if match := _DOI.fullmatch(doi_of(url)):
        return Reference(NAME, SITE, match[1])
    host, segments, _ = split(url)
    if host != SITE or not segments or segments[0] in _PAGES or not re.fullmatch(r"\w{5}", segments[0]):
        return None
    return Reference(NAME, SITE, segments[0].lower())


def look(reference: Reference, api: Api) -> Holding:
    """The files of the project's own storage, folder by folder."""
    status, value = api.json(f"{API}/guids/{reference.key}/")
    if refused := refusal(status):
        return refused
    about = mapping(mapping(value).get("data"))
    if unknown := strange(about, "type"):
        return unknown
    if about["type"] == "files":
        file = _file(mapping(about.get("attributes")), about)
        return Holding("open", (file,), file.size, 200, stated=True)
    if about["type"] not in ("nodes", "registrations"):
        return Holding("open", status=200)  # a person, a preprint
    folders = [f"{API}/{about['type']}/{reference.key}/files/osfstorage/?page%5Bsize%5D=100"]
    files: list[Held] = []
    seen = 0
    while folders and seen < _MOST_FOLDERS:
        seen += 1
        status, value = api.json(folders.pop(0))
        for entry in mappings(mapping(value).get("data")) if status == 200 else ():
            attributes = mapping(entry.get("attributes"))
            if attributes.get("kind") == "folder":
                related = mapping(mapping(mapping(entry.get("relationships")).get("files")).get("links"))
                if link := text(mapping(related.get("related")).get("href")):
                    folders.append(link)
                continue
            files.append(_file(attributes, entry))
        following = text(mapping(mapping(value).get("links")).get("next"))
        if following:
            folders.append(following)
    notes = (f"only the first {_MOST_FOLDERS} folders were listed",) if folders else ()
    size = None if folders else total(files)
    return Holding("open" if files else "empty", tuple(files), size, 200, notes=notes)


def _file(attributes: dict[str, Any], entry: dict[str, Any]) -> Held:
    hashes = mapping(mapping(attributes.get("extra")).get("hashes"))
    return Held(
        (text(attributes.get("materialized_path")) or text(attributes.get("name")) or "").lstrip("/"),
        number(attributes.get("size")),
        f"sha256:{hashes['sha256']}" if text(hashes.get("sha256")) else None,
        text(mapping(entry.get("links")).get("download")),
    )
