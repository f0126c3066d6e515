"""gitlab.com and other places for git that follow it: API of projects, archives, files, git."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import PlainTextResponse, Response

from nature_gym.demo.miniweb.answers import Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.hosts.forge import Forge, iso, pushed_at, repository_page, stable_id
from nature_gym.demo.model import Repository

_PROJECT = re.compile(r"/api/v4/projects/(?P<owner>[^/]+)/(?P<name>[^/]+)(?P<rest>/.*)?$")
_BY_NUMBER = re.compile(r"/api/v4/projects/(?P<number>\d+)(?P<rest>/.*)?$")
_ARCHIVE = re.compile(r"(?P<ref>[^/]+)/[^/]+?\.(?P<form>zip|tar\.gz)$")


class GitLab:
    """Every git host of the world that is not GitHub."""

    def __init__(self, forge: Forge, hosts: frozenset[str]) -> None:
        self._forge = forge
        self.hosts = tuple(sorted(hosts))

    async def answer(self, asked: Asked) -> Response:
        """Answer the API, git clients and visitors."""
        if asked.path.startswith("/api/v4/"):
            return await self._api(asked)
        if (answer := await self._forge.git(asked)) is not None:
            return answer
        segments = asked.segments
        repository = self._forge.open(asked.host, segments[0], segments[1]) if len(segments) > 1 else None
        if repository is None:
            # Visitors cannot tell what is private from what is not there: both ask them to sign in.
            return (
                redirect(f"https://{asked.host}/users/sign_in")
                if len(segments) > 1
                else html_answer("Not found", status=404)
            )
        answer = await self._part(asked, repository, segments[2:])
        return answer or html_answer("Page Not Found", status=404)

    async def _part(self, asked: Asked, repository: Repository, rest: list[str]) -> Response | None:
        if rest[:2] == ["-", "archive"] and (match := _ARCHIVE.match("/".join(rest[2:]))):
            return await self._forge.archived(asked, repository, match["ref"], match["form"])
        if rest[:2] == ["-", "raw"] and len(rest) > 3:
            return await self._forge.raw(asked, repository, rest[2], "/".join(rest[3:]))
        return repository_page(repository) if not rest or rest[0] == "-" else None

    async def _api(self, asked: Asked) -> Response:
        if match := _BY_NUMBER.match(asked.path):
            number = int(match["number"])
            repository = next(
                (
                    one
                    for one in self._forge.catalogue.repositories.values()
                    if one.host == asked.host and stable_id(f"{one.owner}/{one.name}") == number
                ),
                None,
            )
            repository = repository and self._forge.open(asked.host, repository.owner, repository.name)
        else:
            match = _PROJECT.match(asked.path)
            repository = self._forge.open(asked.host, match["owner"], match["name"]) if match else None
        if match is None or repository is None:
            return json_answer({"message": "404 Project Not Found"}, 404)
        match (match["rest"] or "").strip("/"):
            case "":
                return json_answer(about(repository))
            case "repository/tree":
                return await self._tree(asked, repository)
            case "repository/archive.zip":
                ref = asked.query.get("sha", repository.default_branch)
                answer = await self._forge.archived(asked, repository, ref, "zip")
                return answer or PlainTextResponse("404 Not Found", 404)
        return json_answer({"error": "404 Not Found"}, 404)

    async def _tree(self, asked: Asked, repository: Repository) -> Response:
        found = await self._forge.commit(repository, asked.query.get("ref", repository.default_branch))
        if found is None:
            return json_answer({"message": "404 Tree Not Found"}, 404)
        entries = await self._forge.tree(*found)
        if asked.query.get("recursive") not in {"true", "1"}:
            entries = [entry for entry in entries if "/" not in entry.path]
        size = min(asked.number("per_page", 20), 100)
        page = asked.number("page", 1)
        rows = [
            {
                "id": entry.sha,
                "name": entry.path.rsplit("/", 1)[-1],
                "type": entry.type,
                "path": entry.path,
                "mode": entry.mode,
            }
            for entry in entries[(page - 1) * size : page * size]
        ]
        pages = max(1, -(-len(entries) // size))
        told = {
            "x-page": str(page),
            "x-per-page": str(size),
            "x-total": str(len(entries)),
            "x-total-pages": str(pages),
            "x-next-page": str(page + 1) if page < pages else "",
        }
        return json_answer(rows, headers=told)


def about(repository: Repository) -> dict[str, Any]:
    """``/projects/{id}``; statistics are told to members only, as GitLab does."""
    full_name = f"{repository.owner}/{repository.name}"
    empty = repository.state == "empty" or not repository.commits
    return {
        "id": stable_id(full_name),
        "name": repository.name,
        "description": repository.description or None,
        "path_with_namespace": full_name,
        "created_at": iso(repository.commits[0].date if repository.commits else pushed_at(repository)),
        "default_branch": repository.default_branch,
        "http_url_to_repo": f"{repository.url}.git",
        "web_url": repository.url,
        "last_activity_at": iso(pushed_at(repository)),
        "visibility": "public",
        "empty_repo": empty,
        "archived": False,
        "license": {"key": repository.licence.lower(), "name": repository.licence} if repository.licence else None,
    }
