"""What GitHub and GitLab have in common: repositories by path, facts of them, pages about them."""

from __future__ import annotations

import asyncio
import datetime as dt
import html
import mimetypes
from collections import OrderedDict
from pathlib import Path

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, Blob, blob_answer, html_answer
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.hosts.git import folder_of, git_answer, is_git_request
from nature_gym.demo.miniweb.repositories import GitStore, TreeEntry, archive, blob, resolve, tree
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.model import Repository

ARCHIVE_TYPES = {"zip": "application/zip", "tar.gz": "application/x-gzip"}
EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def pushed_at(repository: Repository) -> dt.datetime:
    """The date of the newest commit."""
    return max((commit.date for commit in repository.commits), default=EPOCH)


def iso(when: dt.datetime) -> str:
    """A time as the APIs print it: ``2023-05-01T12:00:00Z``."""
    when = when.replace(tzinfo=dt.UTC) if when.tzinfo is None else when.astimezone(dt.UTC)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def stable_id(name: str) -> int:
    """A number for a thing that has a name only."""
    value = 7
    for byte in name.encode():
        value = (value * 131 + byte) % 900_000_007
    return value + 1000


class Forge:
    """The repositories of one host: git, archives, single files and a page to look at."""

    def __init__(self, catalogue: Catalogue, store: GitStore, shelf: Shelf) -> None:
        self.catalogue = catalogue
        self.store = store
        self.shelf = shelf
        self._commits: dict[tuple[str, str], str] = {}
        self._trees: OrderedDict[tuple[str, str], list[TreeEntry]] = OrderedDict()

    def open(self, host: str, owner: str, name: str) -> Repository | None:
        """The repository, if visitors can see it."""
        repository = self.catalogue.repository(host, owner, name)
        return None if repository is None or repository.state in {"gone", "private"} else repository

    async def git(self, asked: Asked) -> Response | None:
        """The answer to a git client, or None where the request is not one of the git protocol."""
        segments = asked.segments
        if not is_git_request(segments):
            return None
        return await git_answer(asked, self.catalogue.repository(asked.host, segments[0], segments[1]), self.store)

    async def commit(self, repository: Repository, ref: str) -> tuple[Path, str] | None:
        """The bare repository and the commit that ``ref`` means; None where there is no such commit."""
        folder = await folder_of(self.store, repository)
        key = (folder.name, ref)
        if key not in self._commits:
            short = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
            found = await asyncio.to_thread(resolve, folder, short)
            if found is None:
                return None
            self._commits[key] = found
        return folder, self._commits[key]

    async def tree(self, folder: Path, commit: str) -> list[TreeEntry]:
        """The whole tree of a commit; the last hundred trees are kept."""
        key = (folder.name, commit)
        if key not in self._trees:
            self._trees[key] = await asyncio.to_thread(tree, folder, commit)
            if len(self._trees) > 100:
                self._trees.popitem(last=False)
        return self._trees[key]

    async def archived(self, asked: Asked, repository: Repository, ref: str, form: str) -> Response | None:
        """The tree at ``ref`` as an archive, or None where there is no such commit."""
        found = await self.commit(repository, ref)
        if found is None:
            return None
        folder, commit = found
        short = ref.removeprefix("refs/heads/").removeprefix("refs/tags/").replace("/", "-")
        prefix = f"{repository.name}-{short}"
        key = (folder.name, commit, form, prefix)
        packed, etag = await self.shelf.get(key, lambda: archive(folder, commit, form, prefix))
        told = {"content-disposition": f"attachment; filename={prefix}.{form}"}
        return blob_answer(asked, packed, ARCHIVE_TYPES[form], etag=etag, headers=told)

    async def raw(self, asked: Asked, repository: Repository, ref: str, path: str) -> Response | None:
        """One file at ``ref``, or None."""
        found = await self.commit(repository, ref)
        if found is None:
            return None
        content = await asyncio.to_thread(blob, *found, path)
        if content is None:
            return None
        return blob_answer(asked, Blob.of(content), raw_type(path, content))


def raw_type(path: str, content: bytes) -> str:
    """The media type under which forges hand out single files: text as plain text."""
    if b"\0" not in content[:8000]:
        return "text/plain; charset=utf-8"
    return mimetypes.guess_type(path)[0] or "application/octet-stream"


def repository_page(repository: Repository) -> Response:
    """A small page about a repository: its description, files and README."""
    files = {} if repository.state == "empty" else repository.files
    base = f"/{repository.owner}/{repository.name}"
    rows = "\n".join(
        f'<li><a href="{base}/blob/{repository.default_branch}/{html.escape(path)}">{html.escape(path)}</a></li>'
        for path in sorted(files)
    )
    readme = next((files[path] for path in sorted(files) if path.lower().startswith("readme")), b"")
    body = (
        f"<p>{html.escape(repository.description)}</p>\n<ul>\n{rows}\n</ul>\n"
        if files
        else "<p>This repository is empty.</p>\n"
    )
    body += f"<article><pre>{html.escape(readme.decode(errors='replace'))}</pre></article>"
    return html_answer(f"{html.escape(repository.owner)}/{html.escape(repository.name)}", body)
