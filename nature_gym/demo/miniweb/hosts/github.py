"""github.com, api.github.com, codeload and raw: pages, API, archives, files, git."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any

from starlette.responses import PlainTextResponse, Response

from nature_gym.demo.miniweb.answers import Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.budget import Meter
from nature_gym.demo.miniweb.hosts.forge import Forge, iso, pushed_at, repository_page, stable_id
from nature_gym.demo.miniweb.repositories import TreeEntry, history
from nature_gym.demo.model import Commit, Repository

GITHUB = "github.com"
API = "https://api.github.com"
_ARCHIVE = re.compile(r"archive/(?:refs/(?:heads|tags)/)?(?P<ref>.+?)\.(?P<form>zip|tar\.gz)$")
_CODELOAD = re.compile(r"/(?P<owner>[^/]+)/(?P<name>[^/]+)/(?P<form>zip|tar\.gz)/(?:refs/(?:heads|tags)/)?(?P<ref>.+)$")


class GitHub:
    """GitHub's four hosts."""

    hosts = (GITHUB, "www.github.com", "api.github.com", "codeload.github.com", "raw.githubusercontent.com")

    def __init__(self, forge: Forge) -> None:
        self._forge = forge

    async def answer(self, asked: Asked) -> Response:
        """Answer for whichever of the hosts is asked."""
        if asked.host == "api.github.com":
            return await self._api(asked)
        if asked.host == "codeload.github.com":
            return await self._codeload(asked)
        if asked.host == "raw.githubusercontent.com":
            return await self._raw(asked)
        if asked.host == "www.github.com":
            return redirect(f"https://github.com{asked.path}", 301)
        return await self._forge.git(asked) or await self._site(asked)

    async def _site(self, asked: Asked) -> Response:
        segments = asked.segments
        if len(segments) < 2:
            return html_answer("Page not found · GitHub", status=404)
        repository = self._forge.open(GITHUB, segments[0], segments[1])
        if repository is None:
            return html_answer("Page not found · GitHub", status=404)
        rest = "/".join(segments[2:])
        if match := _ARCHIVE.match(rest):
            base = f"https://codeload.github.com/{repository.owner}/{repository.name}"
            kind = "heads" if match["ref"] == repository.default_branch else "tags"
            commit = re.fullmatch(r"[0-9a-f]{7,40}", match["ref"])
            ref = match["ref"] if commit else f"refs/{kind}/{match['ref']}"
            return redirect(f"{base}/{match['form']}/{ref}")
        if segments[2:3] == ["raw"] and len(segments) > 4:
            path = "/".join(segments[3:])
            return redirect(f"https://raw.githubusercontent.com/{repository.owner}/{repository.name}/{path}")
        if segments[2:3] in ([], ["tree"], ["blob"], ["releases"], ["wiki"], ["issues"]):
            return repository_page(repository)
        return html_answer("Page not found · GitHub", status=404)

    async def _codeload(self, asked: Asked) -> Response:
        match = _CODELOAD.match(asked.path)
        repository = self._forge.open(GITHUB, match["owner"], match["name"]) if match else None
        if match is None or repository is None:
            return PlainTextResponse("404: Not Found", 404)
        answer = await self._forge.archived(asked, repository, match["ref"], match["form"])
        return answer or PlainTextResponse("404: Not Found", 404)

    async def _raw(self, asked: Asked) -> Response:
        segments = asked.segments
        if segments[2:4] == ["refs", "heads"]:
            del segments[2:4]
        repository = self._forge.open(GITHUB, segments[0], segments[1]) if len(segments) > 3 else None
        answer = repository and await self._forge.raw(asked, repository, segments[2], "/".join(segments[3:]))
        return answer or PlainTextResponse("404: Not Found", 404)

    async def _api(self, asked: Asked) -> Response:
        segments = asked.segments
        if len(segments) < 3 or segments[0] != "repos":
            return _missing()
        repository = self._forge.open(GITHUB, segments[1], segments[2])
        if repository is None:
            return _missing()
        return await self._of_repository(asked, repository, segments[3:])

    async def _of_repository(self, asked: Asked, repository: Repository, rest: list[str]) -> Response:
        match rest:
            case []:
                return json_answer(about(repository))
            case ["license"]:
                return await self._licence(repository)
            case ["commits"]:
                return await self._commits(asked, repository)
            case ["git", "trees", *ref]:
                return await self._tree(asked, repository, "/".join(ref))
            case ["releases"] | ["tags"]:
                return json_answer([])
            case [("zipball" | "tarball") as ball, *ref]:
                form = "zip" if ball == "zipball" else "tar.gz"
                wanted = "/".join(ref) or repository.default_branch
                return redirect(f"https://codeload.github.com/{repository.owner}/{repository.name}/{form}/{wanted}")
        return _missing()

    async def _tree(self, asked: Asked, repository: Repository, ref: str) -> Response:
        found = await self._forge.commit(repository, ref)
        if found is None:
            return (
                json_answer({"message": "Git Repository is empty.", "status": "409"}, 409)
                if _bare(repository)
                else _missing()
            )
        entries = await self._forge.tree(*found)
        if not asked.query.get("recursive"):
            entries = [entry for entry in entries if "/" not in entry.path]
        base = f"{API}/repos/{repository.owner}/{repository.name}/git"
        told = [_tree_entry(entry, base) for entry in entries]
        return json_answer({"sha": found[1], "url": f"{base}/trees/{found[1]}", "tree": told, "truncated": False})

    async def _commits(self, asked: Asked, repository: Repository) -> Response:
        found = await self._forge.commit(repository, asked.query.get("sha", repository.default_branch))
        if found is None:
            return (
                json_answer({"message": "Git Repository is empty.", "status": "409"}, 409)
                if _bare(repository)
                else _missing()
            )
        hashes = await asyncio.to_thread(history, *found)
        # The newest comes first; asked for an older commit, git tells only what led to it.
        commits = list(reversed(repository.commits[: len(hashes)]))
        size = min(asked.number("per_page", 30), 100)
        start = (asked.number("page", 1) - 1) * size
        rows = list(zip(hashes, commits, strict=True))[start : start + size]
        return json_answer([_commit(repository, sha, tree, commit) for (sha, tree), commit in rows])

    async def _licence(self, repository: Repository) -> Response:
        found = await self._forge.commit(repository, repository.default_branch)
        path = next(
            (path for path in sorted(repository.files) if path.upper().startswith(("LICENSE", "LICENCE"))), None
        )
        if repository.licence is None or found is None:
            return _missing()
        content = repository.files[path] if path else b""
        return json_answer(
            {
                "name": path or "LICENSE",
                "path": path or "LICENSE",
                "size": len(content),
                "html_url": f"{repository.url}/blob/{repository.default_branch}/{path or 'LICENSE'}",
                "content": base64.encodebytes(content).decode(),
                "encoding": "base64",
                "license": licence(repository),
            }
        )


def rate_headers(meter: Meter, now: float) -> dict[str, str]:
    """GitHub's rate headers; its reset is a time, here in seconds since the mini-web's clock began."""
    return {
        "x-ratelimit-limit": str(meter.budget),
        "x-ratelimit-remaining": str(meter.budget - meter.used),
        "x-ratelimit-used": str(meter.used),
        "x-ratelimit-resource": "core",
        "x-ratelimit-reset": str(round(now) + meter.reset_in(now)),
    }


def over_budget(meter: Meter, now: float) -> Response:
    """The answer once the budget of API requests is used up."""
    told = {**rate_headers(meter, now), "retry-after": str(meter.reset_in(now))}
    body = {
        "message": "API rate limit exceeded for 127.0.0.1.",
        "documentation_url": "https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting",
    }
    return json_answer(body, 403, told)


def licence(repository: Repository) -> dict[str, Any] | None:
    """The licence as the API tells it."""
    if repository.licence is None:
        return None
    key = repository.licence.lower()
    return {"key": key, "name": repository.licence, "spdx_id": repository.licence, "url": f"{API}/licenses/{key}"}


def about(repository: Repository) -> dict[str, Any]:
    """``/repos/{owner}/{name}``: sizes are in KB of 1024 bytes."""
    full_name = f"{repository.owner}/{repository.name}"
    size = 0 if _bare(repository) else -(-sum(map(len, repository.files.values())) // 1024)
    created = repository.commits[0].date if repository.commits else pushed_at(repository)
    return {
        "id": stable_id(full_name),
        "name": repository.name,
        "full_name": full_name,
        "private": False,
        "owner": {"login": repository.owner, "id": stable_id(repository.owner), "type": "User"},
        "html_url": repository.url,
        "description": repository.description or None,
        "fork": False,
        "url": f"{API}/repos/{full_name}",
        "clone_url": f"{repository.url}.git",
        "created_at": iso(created),
        "updated_at": iso(pushed_at(repository)),
        "pushed_at": iso(pushed_at(repository)),
        "size": size if repository.declared_kb is None else repository.declared_kb,
        "stargazers_count": stable_id(full_name) % 400,
        "archived": False,
        "disabled": False,
        "license": licence(repository),
        "visibility": "public",
        "default_branch": repository.default_branch,
    }


def _bare(repository: Repository) -> bool:
    return repository.state == "empty" or not repository.commits


def _tree_entry(entry: TreeEntry, base: str) -> dict[str, Any]:
    told: dict[str, Any] = {"path": entry.path, "mode": entry.mode, "type": entry.type, "sha": entry.sha}
    if entry.size is not None:
        told["size"] = entry.size
    return {**told, "url": f"{base}/{entry.type}s/{entry.sha}"}


def _commit(repository: Repository, sha: str, tree: str, commit: Commit) -> dict[str, Any]:
    who = {"name": commit.author, "email": commit.email, "date": iso(commit.date)}
    return {
        "sha": sha,
        "commit": {"author": who, "committer": who, "message": commit.message, "tree": {"sha": tree}},
        "url": f"{API}/repos/{repository.owner}/{repository.name}/commits/{sha}",
        "html_url": f"{repository.url}/commit/{sha}",
    }


def _missing() -> Response:
    return json_answer(
        {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}, 404
    )
