"""GitHub: repositories, with sizes as its interface tells them (kilobytes of the repository, not of a checkout)."""

from __future__ import annotations

from nature_gym.hosting.holdings import Api, Holding, Reference, mapping, number, refusal, split, strange, text

NAME = "github"
SITE = "github.com"
API = "https://api.github.com"
_PAGES = frozenset({
    "features", "topics", "collections", "about", "pricing", "orgs", "marketplace", "login", "search", "settings",
    "sponsors", "explore", "join", "apps", "enterprise", "security",
})  # fmt: skip


def recognise(url: str) -> Reference | None:
    """``github.com/<owner>/<name>`` with whatever behind it; ``.git`` is a suffix, not letters to strip."""
    host, segments, _ = split(url)
    if host in ("raw.githubusercontent.com", "codeload.github.com", "media.githubusercontent.com"):
        if host.startswith("media"):
            segments = segments[1:]
        if len(segments) < 4:
            return None
        file = "/".join(segments[3:]) if host != "codeload.github.com" else None
        return Reference(NAME, SITE, _key(segments), file, segments[2])
    if host == "api.github.com" and segments[:1] == ["repos"]:
        host, segments = SITE, segments[1:]
    if host != SITE or len(segments) < 2 or segments[0].lower() in _PAGES:
        return None
    rest = segments[2:]
    if rest[:1] and rest[0] in ("blob", "raw") and len(rest) > 2:
        return Reference(NAME, SITE, _key(segments), "/".join(rest[2:]), rest[1])
    if rest[:2] == ["releases", "download"] and len(rest) > 3:
        return Reference(NAME, SITE, _key(segments), f"releases/{'/'.join(rest[2:])}", rest[2])
    version = rest[1] if len(rest) > 1 and rest[0] in ("tree", "commit") else None
    if rest[:2] == ["releases", "tag"] and len(rest) > 2:
        version = rest[2]
    return Reference(NAME, SITE, _key(segments), None, version)


def _key(segments: list[str]) -> str:
    return f"{segments[0]}/{segments[1].removesuffix('.git')}".lower()


def look(reference: Reference, api: Api) -> Holding:
    """Whether it is there, and about how large; its files are for a clone to list."""
    status, value = api.json(f"{API}/repos/{reference.key}")
    if refused := refusal(status):
        return Holding("unknown", status=status, notes=refused.notes) if status == 403 else refused
    if unknown := strange(value, "full_name", "size"):
        return unknown
    about = mapping(value)
    size = number(about.get("size"))
    return Holding(
        "empty" if size == 0 else "open",
        (),
        size * 1024 if size is not None else None,
        status,
        url=text(about.get("html_url")),
        title=text(about.get("full_name")) or "",
        licence=text(mapping(about.get("license")).get("spdx_id")),
        branch=text(about.get("default_branch")),
        stated=True,
        notes=("archived by its owner",) if about.get("archived") else (),
    )
