"""Europe PMC: search by DOI or PMCID, the full text as JATS, and the pictures of its figures."""

from __future__ import annotations

import re
from typing import Any

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import Asked, blob_answer, html_answer, json_answer
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.press import Press
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.model import Paper

BASE = "/europepmc/webservices/rest"
_BY_DOI = re.compile(r'\bDOI:\s*"?([^"\s)]+)"?', re.IGNORECASE)
_PICTURE = re.compile(r"/articles/(?P<pmcid>PMC\d+)/bin/[^/]+_Fig(?P<number>\d{1,3})_HTML\.jpg")
_BY_PMCID = re.compile(r'\b(?:PMCID:\s*"?)?(PMC\d+)"?', re.IGNORECASE)


class EuropePmc:
    """www.ebi.ac.uk/europepmc and europepmc.org, where the pictures are. It knows the papers that have a PMCID."""

    hosts = ("www.ebi.ac.uk", "europepmc.org")

    def __init__(self, catalogue: Catalogue, press: Press, shelf: Shelf) -> None:
        self._catalogue = catalogue
        self._press = press
        self._shelf = shelf

    async def answer(self, asked: Asked) -> Response:
        """Answer ``/search``, ``/<PMCID>/fullTextXML`` and ``/articles/<PMCID>/bin/<picture>``."""
        if asked.host == "europepmc.org":
            return await self._picture(asked)
        path = asked.path.removeprefix(BASE)
        if path == asked.path:
            return html_answer("Not Found", status=404)
        if path.rstrip("/") == "/search":
            return self._search(asked)
        if match := re.fullmatch(r"/(PMC\d+)/fullTextXML", path):
            paper = self._catalogue.by_pmcid.get(match[1])
            if paper is None or "xml" not in paper.formats:
                return Response(b"", 404, media_type="application/xml")
            found = paper
            blob, etag = await self._shelf.get((paper.suffix, "xml"), lambda: self._press.article_xml(found))
            return blob_answer(asked, blob, "application/xml", modified=paper.published, etag=etag)
        return html_answer("Not Found", status=404)

    async def _picture(self, asked: Asked) -> Response:
        match = _PICTURE.fullmatch(asked.path)
        paper = self._catalogue.by_pmcid.get(match["pmcid"]) if match else None
        figures = {figure.number: figure for figure in paper.figures} if paper and "xml" in paper.formats else {}
        if match is None or paper is None or int(match["number"]) not in figures:
            return html_answer("Not Found", status=404)
        figure = figures[int(match["number"])]
        blob, etag = await self._shelf.get(
            (paper.suffix, f"png/{figure.number}"), lambda: self._press.figure_png(figure)
        )
        # Its pictures end with .jpg, whatever they are.
        return blob_answer(asked, blob, "image/png", modified=paper.published, etag=etag)

    def _search(self, asked: Asked) -> Response:
        query = asked.query.get("query", "")
        if not query:
            return json_answer({"version": "6.9", "errCode": 404, "errMsg": "Query is missing."})
        found = self._find(query)
        if asked.query.get("format", "xml").lower() != "json":
            xml = f"<responseWrapper><version>6.9</version><hitCount>{len(found)}</hitCount></responseWrapper>"
            return Response(xml.encode(), media_type="application/xml")
        results: list[dict[str, Any]] = [self._press.europepmc_result(paper) for paper in found]
        return json_answer(
            {
                "version": "6.9",
                "hitCount": len(results),
                "request": {"queryString": query, "resultType": asked.query.get("resultType", "lite"), "pageSize": 25},
                "resultList": {"result": results},
            }
        )

    def _find(self, query: str) -> list[Paper]:
        dois = [self._catalogue.by_doi.get(doi.lower()) for doi in _BY_DOI.findall(query)]
        numbers = [self._catalogue.by_pmcid.get(number.upper()) for number in _BY_PMCID.findall(query)]
        return [paper for paper in dict.fromkeys(dois + numbers) if paper is not None and paper.pmcid]
