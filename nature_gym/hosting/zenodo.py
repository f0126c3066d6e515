"""Zenodo: records by number. A concept's number leads to the newest version, which may not be the one cited."""

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

NAME = "zenodo"
SITE = "zenodo.org"
API = "https://zenodo.org/api"
_DOI = re.compile(r"10\.5281/zenodo\.(\d+)")


def recognise(url: str) -> Reference | None:
    """``zenodo.org/record(s)/<number>[/files/<name>]``, ``/deposit/...`` aside, and DOIs."""
    if match := _DOI.fullmatch(doi_of(url)):
        return Reference(NAME, SITE, match[1])
    host, segments, _ = split(url)
    if host != SITE:
        return None
    if segments[:1] == ["api"]:
        segments = segments[1:]
    if segments[:1] == ["doi"] and (match := _DOI.fullmatch("/".join(segments[1:]).lower())):
        return Reference(NAME, SITE, match[1])
    if segments[:1] == ["badge"] or len(segments) < 2 or segments[0] not in ("record", "records"):
        return None
    if not segments[1].isdigit():
        return None
    file = "/".join(segments[3:]).removesuffix("/content") if segments[2:3] == ["files"] else ""
    return Reference(NAME, SITE, segments[1], file or None)


def look(reference: Reference, api: Api) -> Holding:
    """The record's files with their MD5."""
    status, value = api.json(f"{API}/records/{reference.key}")
    if refused := refusal(status):
        return refused
    if unknown := strange(value, "id", "recid"):
        return unknown
    record = mapping(value)
    metadata = mapping(record.get("metadata"))
    files = tuple(_file(entry) for entry in mappings(record.get("files")))
    found = str(record.get("id") or reference.key)
    notes: tuple[str, ...] = ()
    if found != reference.key:
        notes = (f"{reference.key} is a concept: it leads to the newest version, {found}",)
    restricted = metadata.get("access_right") in ("restricted", "closed", "embargoed")
    state = "restricted" if restricted else "open" if files else "empty"
    return Holding(
        state,  # type: ignore[arg-type]
        files,
        total(files),
        status,
        url=f"https://{SITE}/records/{found}",
        title=text(metadata.get("title")) or "",
        licence=text(mapping(metadata.get("license")).get("id")),
        version=found,
        notes=notes,
    )


def _file(entry: dict[str, object]) -> Held:
    name = text(entry.get("key")) or text(entry.get("filename")) or ""
    size = number(entry.get("size"))
    return Held(
        name,
        number(entry.get("filesize")) if size is None else size,
        text(entry.get("checksum")),
        text(mapping(entry.get("links")).get("self")),
    )
