"""Mendeley Data: data sets by a word and a version."""

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

NAME = "mendeley"
SITE = "data.mendeley.com"
API = "https://data.mendeley.com/public-api"
_DOI = re.compile(r"10\.17632/([a-z0-9]{10})(?:\.(\d+))?")


def recognise(url: str) -> Reference | None:
    """``data.mendeley.com/datasets/<word>/<version>`` and DOIs."""
    if match := _DOI.fullmatch(doi_of(url)):
        return Reference(NAME, SITE, match[1], version=match[2])
    host, segments, _ = split(url)
    if host != SITE or len(segments) < 2 or segments[0] != "datasets":
        return None
    version = segments[2] if len(segments) > 2 and segments[2].isdigit() else None
    return Reference(NAME, SITE, segments[1].lower(), version=version)


def look(reference: Reference, api: Api) -> Holding:
    """The files of the version cited."""
    version = f"?version={reference.version}" if reference.version else ""
    status, value = api.json(f"{API}/datasets/{reference.key}/files{version}")
    if refused := refusal(status):
        return refused
    if not isinstance(value, list):
        return strange(None) or Holding("unknown")
    files = tuple(_file(entry) for entry in mappings(value))
    return Holding("open" if files else "empty", files, total(files), status)


def _file(entry: dict[str, object]) -> Held:
    details = mapping(entry.get("content_details"))
    digest = text(details.get("sha256_hash"))
    return Held(
        text(entry.get("filename")) or "",
        number(entry.get("size")) if "size" in entry else number(details.get("size")),
        f"sha256:{digest}" if digest else None,
        text(details.get("download_url")),
    )
