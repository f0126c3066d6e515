"""GitLab, at gitlab.com and wherever else it runs: projects by their full path."""

from __future__ import annotations

from urllib.parse import quote

from nature_gym.hosting.holdings import Api, Holding, Reference, mapping, number, refusal, split, strange, text

NAME = "gitlab"
SITE = "gitlab.com"


def recognise(url: str) -> Reference | None:
    """``<host>/<group>/.../<name>[/-/...]`` where the host is a GitLab by its name."""
    host, segments, _ = split(url)
    if host != SITE and not host.startswith(("gitlab.", "git.")):
        return None
    cut = segments.index("-") if "-" in segments else len(segments)
    path, rest = segments[:cut], segments[cut + 1 :]
    if len(path) < 2 or path[0] in ("explore", "users", "help", "groups"):
        return None
    key = "/".join([*path[:-1], path[-1].removesuffix(".git")])
    file = "/".join(rest[2:]) if rest[:1] and rest[0] in ("blob", "raw") and len(rest) > 2 else None
    version = rest[1] if len(rest) > 1 and rest[0] in ("tree", "blob", "raw", "commit", "tags") else None
    return Reference(NAME, host, key, file, version)


def look(reference: Reference, api: Api) -> Holding:
    """Whether it is there; the size only where the host tells it to everybody."""
    base = f"https://{reference.site}/api/v4"
    status, value = api.json(f"{base}/projects/{quote(reference.key, safe='')}?statistics=true")
    if status == 404 and "Project" not in str(mapping(value).get("message")):
        return Holding("unknown", status=status)  # another program than GitLab runs there; its page may tell
    if refused := refusal(status):
        return refused
    if unknown := strange(value, "path_with_namespace", "default_branch"):
        return unknown
    about = mapping(value)
    statistics = mapping(about.get("statistics"))
    return Holding(
        "empty" if about.get("empty_repo") is True else "open",
        (),
        number(statistics.get("repository_size")),
        status,
        url=text(about.get("web_url")),
        branch=text(about.get("default_branch")),
        stated=True,
    )
