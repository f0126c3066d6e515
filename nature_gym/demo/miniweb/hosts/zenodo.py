"""zenodo.org: records, their files, concept records that lead to the newest version."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.hosts.deposits import DepositStore, media_type_of
from nature_gym.demo.model import Deposit, DepositFile

HOST = "zenodo.org"
SITE = "https://zenodo.org"
_RECORD = re.compile(r"(?P<api>/api)?/(?P<records>records?)/(?P<number>\d+)(?P<rest>/.*)?$")


class Zenodo:
    """Zenodo's API and its pages."""

    hosts = (HOST, "www.zenodo.org")

    def __init__(self, store: DepositStore) -> None:
        self._store = store

    async def answer(self, asked: Asked) -> Response:
        """Answer for a record, its list of files or one of them."""
        if match := re.fullmatch(r"/doi/10\.5281/zenodo\.(\d+)", asked.path):
            return redirect(f"{SITE}/records/{match[1]}")
        match = _RECORD.match(asked.path)
        if match is None:
            return _missing(api=asked.path.startswith("/api"))
        api, number, rest = bool(match["api"]), match["number"], match["rest"] or ""
        if match["records"] == "record":
            return redirect(f"{SITE}/records/{number}{rest}", 301)
        deposit = self._store.get(HOST, number)
        if deposit is None:
            newest = self._store.newest(number)
            base = f"{SITE}/api" if api else SITE
            return redirect(f"{base}/records/{newest.number}{rest}") if newest else _missing(api)
        if deposit.state == "gone":
            return _gone(deposit, api)
        return await self._part(asked, deposit, api, rest.strip("/"))

    async def _part(self, asked: Asked, deposit: Deposit, api: bool, rest: str) -> Response:
        if not rest:
            if not api:
                return await self._page(deposit)
            return json_answer(await self._record(deposit))
        if api and rest == "versions/latest":
            newest = self._store.newest(deposit.concept) if deposit.concept else None
            return redirect(f"{SITE}/api/records/{(newest or deposit).number}")
        kind, _, name = rest.partition("/")
        if kind != "files" or (not api and not name):
            return _missing(api)
        if deposit.state == "restricted":
            return json_answer({"status": 403, "message": "Permission denied."}, 403)
        return await self._files(asked, deposit, api, name)

    async def _files(self, asked: Asked, deposit: Deposit, api: bool, name: str) -> Response:
        if not name:
            return json_answer(await self._listing(deposit))
        file = _file(deposit, name.removesuffix("/content") if api else name)
        if file is None:
            return _missing(api)
        if api and not name.endswith("/content"):
            await self._store.known(deposit, "md5")
            return json_answer(self._entry(deposit, file))
        # Files come as downloads whatever they are: a page in a record is data here.
        return await self._store.download(asked, deposit, file, "application/octet-stream")

    async def _record(self, deposit: Deposit) -> dict[str, Any]:
        await self._store.known(deposit, "md5")
        number, restricted = deposit.number, deposit.state == "restricted"
        concept = deposit.concept or str(int(number) - 1)
        access = "restricted" if restricted else "open"
        doi, concept_doi = f"10.5281/zenodo.{number}", f"10.5281/zenodo.{concept}"
        metadata: dict[str, Any] = {
            "title": deposit.title,
            "doi": doi,
            "publication_date": deposit.published.isoformat(),
            "description": f"<p>{html.escape(deposit.title)}</p>",
            "access_right": access,
            "creators": [{"name": "Authors of the article", "affiliation": None}],
            "version": deposit.version,
            "resource_type": {"title": "Dataset", "type": "dataset"},
            "license": {"id": deposit.licence},
            "relations": {
                "version": [{"index": 0, "is_last": self._is_newest(deposit), "parent": {"pid_value": concept}}]
            },
        }
        files = [] if restricted else [self._file(deposit, file) for file in deposit.files]
        self_link = f"{SITE}/api/records/{number}"
        return {
            "created": f"{deposit.published.isoformat()}T08:00:00.000000+00:00",
            "modified": f"{deposit.published.isoformat()}T08:05:00.000000+00:00",
            "id": int(number),
            "conceptrecid": concept,
            "doi": doi,
            "conceptdoi": concept_doi,
            "doi_url": f"https://doi.org/{doi}",
            "metadata": metadata,
            "title": deposit.title,
            "links": {
                "self": self_link,
                "self_html": f"{SITE}/records/{number}",
                "doi": f"https://doi.org/{doi}",
                "parent": f"{SITE}/api/records/{concept}",
                "files": f"{self_link}/files",
                "latest": f"{self_link}/versions/latest",
            },
            "recid": number,
            "revision": 3,
            "files": files,
            "status": "published",
            "state": "done",
            "submitted": True,
        }

    def _is_newest(self, deposit: Deposit) -> bool:
        newest = self._store.newest(deposit.concept) if deposit.concept else None
        return newest is None or newest.number == deposit.number

    def _file(self, deposit: Deposit, file: DepositFile) -> dict[str, Any]:
        md5 = self._store.digest(deposit, file, "md5")
        return {
            "id": f"{md5[:8]}-{md5[8:12]}-{md5[12:16]}-{md5[16:20]}-{md5[20:32]}",
            "key": file.name,
            "size": self._store.size(deposit, file),
            "checksum": f"md5:{md5}",
            "links": {"self": f"{SITE}/api/records/{deposit.number}/files/{quote(file.name)}/content"},
        }

    def _entry(self, deposit: Deposit, file: DepositFile) -> dict[str, Any]:
        told = self._file(deposit, file)
        content = told["links"]["self"]
        links = {"self": content.removesuffix("/content"), "content": content}
        return {**told, "mimetype": media_type_of(file.name), "links": links}

    async def _listing(self, deposit: Deposit) -> dict[str, Any]:
        await self._store.known(deposit, "md5")
        return {"enabled": True, "entries": [self._entry(deposit, file) for file in deposit.files]}

    async def _page(self, deposit: Deposit) -> Response:
        await self._store.known(deposit)
        items = "".join(
            f'<li><a href="{SITE}/records/{deposit.number}/files/{quote(file.name)}?download=1">'
            f"{html.escape(file.name)}</a> ({self._store.size(deposit, file):,} bytes)</li>"
            for file in deposit.files
        )
        files = "<p>The files are restricted. Log in to request access.</p>" if deposit.state == "restricted" else ""
        return html_answer(
            html.escape(deposit.title),
            f"<p>Published {deposit.published:%B %d, %Y} | Version {html.escape(deposit.version)}</p>"
            + (files or f"<ul>{items}</ul>"),
        )


def _file(deposit: Deposit, name: str) -> DepositFile | None:
    return next((file for file in deposit.files if file.name == name), None)


def _gone(deposit: Deposit, api: bool) -> Response:
    if not api:
        return html_answer("Gone", "<p>The record you are trying to access was removed from Zenodo.</p>", 410)
    note = {
        "removal_reason": {"id": "retracted"},
        "note": "Withdrawn by its authors.",
        "removal_date": f"{deposit.published.isoformat()}T00:00:00+00:00",
        "citation_text": deposit.title,
        "is_visible": True,
    }
    return json_answer({"status": 410, "message": "The record has been deleted.", "tombstone": note}, 410)


def _missing(api: bool) -> Response:
    if api:
        return json_answer({"status": 404, "message": "The persistent identifier does not exist."}, 404)
    return html_answer("Not found", status=404)
