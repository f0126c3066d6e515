"""Dataverse, wherever it runs: data sets by DOI, files by number."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote

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

NAME = "dataverse"
_HARVARD = "dataverse.harvard.edu"
_DOI = re.compile(r"10\.7910/dvn/\w+")


def recognise(url: str) -> Reference | None:
    """``<host>/dataset.xhtml?persistentId=doi:...`` and Harvard's DOIs."""
    if match := _DOI.match(doi_of(url)):
        return Reference(NAME, _HARVARD, match[0])
    host, segments, query = split(url)
    if "dataverse" not in host:
        return None
    persistent = parse_qs(query).get("persistentId", [""])[0]
    if persistent.lower().startswith("doi:"):
        doi = "/".join(persistent[4:].split("/")[:3]) if "dvn" in persistent.lower() else persistent[4:]
        return Reference(NAME, host, doi.lower())
    if segments[:3] == ["api", "access", "datafile"] and segments[3:4] and segments[3].isdigit():
        return Reference(NAME, host, f"file/{segments[3]}")
    return None


def look(reference: Reference, api: Api) -> Holding:
    """The newest version's files with their checksums."""
    if reference.key.startswith("file/"):
        return Holding("unknown")
    persistent = quote(f"doi:{reference.key.upper()}", safe="")
    base = f"https://{reference.site}/api"
    status, value = api.json(f"{base}/datasets/:persistentId/?persistentId={persistent}")
    if refused := refusal(status):
        return refused
    if unknown := strange(mapping(value).get("data"), "latestVersion"):
        return unknown
    version = mapping(mapping(mapping(value).get("data")).get("latestVersion"))
    entries = mappings(version.get("files"))
    files = tuple(_file(entry, base) for entry in entries)
    closed = bool(entries) and all(entry.get("restricted") is True for entry in entries)
    state = "restricted" if closed else "open" if files else "empty"
    return Holding(state, files, total(files), status)  # type: ignore[arg-type]


def _file(entry: dict[str, object], base: str) -> Held:
    data = mapping(entry.get("dataFile"))
    checksum = mapping(data.get("checksum"))
    kind, digest = text(checksum.get("type")), text(checksum.get("value"))
    file = number(data.get("id"))
    return Held(
        text(entry.get("label")) or text(data.get("filename")) or "",
        number(data.get("filesize")),
        f"{kind.lower().replace('-', '')}:{digest}" if kind and digest else None,
        f"{base}/access/datafile/{file}" if file is not None else None,
    )
