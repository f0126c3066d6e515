"""Hugging Face: data sets and models, with and without an owner; gated ones ask for an account."""

from __future__ import annotations

from urllib.parse import quote

from nature_gym.hosting.holdings import (
    Api,
    Held,
    Holding,
    Reference,
    mapping,
    mappings,
    number,
    refusal,
    split,
    strange,
    text,
    total,
)  # fmt: skip

NAME = "huggingface"
SITE = "huggingface.co"
API = "https://huggingface.co/api"
_PARTS = frozenset({"resolve", "blob", "raw", "tree", "commit", "commits", "discussions", "viewer"})
_PAGES = frozenset({
    "docs", "blog", "papers", "spaces", "collections", "models", "join", "login", "pricing", "tasks", "learn", "api",
    "organizations", "chat", "posts", "settings", "terms-of-service", "privacy",
})  # fmt: skip


def recognise(url: str) -> Reference | None:
    """``/datasets/<owner>/<name>`` and ``/<owner>/<name>``, with a file behind ``resolve/<revision>/``."""
    host, segments, _ = split(url)
    if host not in (SITE, "hf.co"):
        return None
    kind = "models"
    if segments[:1] == ["datasets"]:
        kind, segments = "datasets", segments[1:]
    if not segments or (kind == "models" and segments[0] in _PAGES):
        return None
    length = 1 if len(segments) == 1 or segments[1] in _PARTS else 2
    if kind == "models" and len(segments) == 1:
        return None  # somebody's profile, or one of the few models without an owner; a page either way
    name, rest = "/".join(segments[:length]), segments[length:]
    file = "/".join(rest[2:]) if rest[:1] and rest[0] in ("resolve", "blob", "raw") else ""
    version = rest[1] if len(rest) > 1 and rest[0] in _PARTS else None
    return Reference(NAME, SITE, f"{kind}/{name}", file or None, version)


def look(reference: Reference, api: Api) -> Holding:
    """The repository's files; those in large-file storage have a SHA-256."""
    kind, _, name = reference.key.partition("/")
    status, value = api.json(f"{API}/{kind}/{quote(name)}?blobs=true")
    if refused := refusal(status):
        # It answers 401 for what is private and for what is not there at all: neither can be had.
        return Holding("absent", status=status, notes=("private or not there",)) if status == 401 else refused
    if unknown := strange(value, "id", "siblings"):
        return unknown
    about = mapping(value)
    revision = reference.version or "main"
    base = f"https://{SITE}/{'datasets/' if kind == 'datasets' else ''}{quote(name)}/resolve/{quote(revision)}/"
    files = tuple(
        Held(file, number(entry.get("size")), _sha256(entry), base + quote(file))
        for entry in mappings(about.get("siblings"))
        if (file := text(entry.get("rfilename")))
    )
    gated = about.get("gated") not in (None, False) or about.get("private") is True
    holds = any(file.name not in (".gitattributes", "README.md") for file in files)
    return Holding(
        "restricted" if gated else "open" if holds else "empty",
        files,
        total(files),
        status,
        url=base.partition("/resolve/")[0],
        version=text(about.get("sha")),
    )


def whole_size(reference: Reference, api: Api) -> int | None:
    """Bytes that the repository takes at its host: for those whose files are too many to be listed in one answer."""
    kind, _, name = reference.key.partition("/")
    status, value = api.json(f"{API}/{kind}/{quote(name)}?expand[]=usedStorage")
    return number(mapping(value).get("usedStorage")) if status == 200 else None


def _sha256(entry: dict[str, object]) -> str | None:
    digest = text(mapping(entry.get("lfs")).get("sha256"))
    return f"sha256:{digest}" if digest else None
