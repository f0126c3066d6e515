"""figshare.com: the API of articles (as it calls every item), pages, downloads behind a redirect."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, html_answer, json_answer, redirect
from nature_gym.demo.miniweb.hosts.deposits import DepositStore, media_type_of
from nature_gym.demo.model import Deposit, DepositFile

HOST = "figshare.com"
STORE = "s3-eu-west-1.amazonaws.com"
_PAGE = re.compile(r"/articles/(?:[^/]+/){0,2}(?P<number>\d+)(?:/\d+)?/?$")


def file_number(deposit: Deposit, place: int) -> int:
    """The id of a deposit's file."""
    return int(deposit.number) * 100 + place


class Figshare:
    """Figshare's site, its API and where its downloads lead to."""

    hosts = (HOST, "www.figshare.com", "api.figshare.com", "ndownloader.figshare.com", STORE)

    def __init__(self, store: DepositStore) -> None:
        self._store = store
        self._files: dict[str, tuple[Deposit, DepositFile]] = {
            str(file_number(deposit, place)): (deposit, file)
            for deposit in store.of_host(HOST)
            for place, file in enumerate(deposit.files, start=1)
        }

    async def answer(self, asked: Asked) -> Response:
        """Answer for whichever of the hosts is asked."""
        if asked.host == "api.figshare.com":
            return await self._api(asked)
        if asked.host == STORE:
            match = re.match(r"/pfigshare-u-files/(\d+)/", asked.path)
            found = self._files.get(match[1]) if match else None
            return await self._store.download(asked, *found) if found else Response(b"", 404)
        if match := re.fullmatch(r"(?:/ndownloader)?/files/(\d+)", asked.path):
            return self._lead_to(match[1])
        if match := _PAGE.match(asked.path):
            deposit = self._store.get(HOST, match["number"])
            if deposit is not None and deposit.state != "gone":
                return self._page(deposit)
        return html_answer("Page not found", status=404)

    def _lead_to(self, number: str) -> Response:
        found = self._files.get(number)
        if found is None or found[0].state == "gone":
            return _missing("File")
        if found[0].state == "restricted":
            return json_answer({"message": "You do not have access to this file.", "code": "Forbidden"}, 403)
        return redirect(f"https://{STORE}/pfigshare-u-files/{number}/{quote(found[1].name)}")

    async def _api(self, asked: Asked) -> Response:
        match = re.fullmatch(r"/v2/articles/(\d+)(?:/versions/\d+)?(/files)?", asked.path.rstrip("/"))
        deposit = self._store.get(HOST, match[1]) if match else None
        if match is None or deposit is None or deposit.state == "gone":
            return _missing("Article")
        await self._store.known(deposit, "md5")
        files = [] if deposit.state == "restricted" else self._told_files(deposit)
        return json_answer(files if match[2] else self._article(deposit, files))

    def _told_files(self, deposit: Deposit) -> list[dict[str, Any]]:
        told = []
        for place, file in enumerate(deposit.files, start=1):
            md5 = self._store.digest(deposit, file, "md5")
            told.append(
                {
                    "id": file_number(deposit, place),
                    "name": file.name,
                    "size": self._store.size(deposit, file),
                    "is_link_only": False,
                    "download_url": f"https://ndownloader.figshare.com/files/{file_number(deposit, place)}",
                    "supplied_md5": md5,
                    "computed_md5": md5,
                    "mimetype": media_type_of(file.name),
                }
            )
        return told

    def _article(self, deposit: Deposit, files: list[dict[str, Any]]) -> dict[str, Any]:
        version = int(re.sub(r"\D", "", deposit.version) or 1)
        restricted = deposit.state == "restricted"
        return {
            "id": int(deposit.number),
            "title": deposit.title,
            "doi": f"10.6084/m9.figshare.{deposit.number}.v{version}",
            "url": f"https://api.figshare.com/v2/articles/{deposit.number}",
            "url_public_html": page_url(deposit),
            "published_date": f"{deposit.published.isoformat()}T09:00:00Z",
            "defined_type_name": "dataset",
            "is_public": True,
            "is_confidential": restricted,
            "is_metadata_record": restricted,
            "confidential_reason": "Personal data" if restricted else "",
            "is_embargoed": False,
            "version": version,
            "size": sum(file["size"] for file in files),
            "license": {
                "value": 1,
                "name": deposit.licence.upper(),
                "url": f"https://creativecommons.org/{deposit.licence}",
            },
            "files": files,
        }

    def _page(self, deposit: Deposit) -> Response:
        items = "".join(
            f'<li><a href="https://figshare.com/ndownloader/files/{file_number(deposit, place)}">'
            f"{html.escape(file.name)}</a></li>"
            for place, file in enumerate(deposit.files, start=1)
        )
        if deposit.state == "restricted":
            items = "<li>This item is confidential.</li>"
        return html_answer(html.escape(deposit.title), f"<ul>{items}</ul>")


def page_url(deposit: Deposit) -> str:
    """The address of an item's page."""
    slug = re.sub(r"\W+", "_", deposit.title, flags=re.ASCII).strip("_") or "_"
    return f"https://figshare.com/articles/dataset/{slug}/{deposit.number}"


def _missing(what: str) -> Response:
    return json_answer({"message": f"Entity not found: {what}", "code": "EntityNotFound"}, 404)
