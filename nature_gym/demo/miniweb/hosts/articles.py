"""www.nature.com and its neighbours: article pages, PDFs, tables, figures, robots.txt, DOIs.

What is not open access shows its abstract and an invitation to sign in, under the same address
and with status 200, as the real site does.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable

from starlette.responses import Response

from nature_gym.demo.miniweb.answers import HTML, Asked, Blob, blob_answer, html_answer, redirect
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.catalogue import Catalogue
from nature_gym.demo.miniweb.press import Press
from nature_gym.demo.miniweb.shelf import Shelf
from nature_gym.demo.model import Figure, Paper

_ARTICLE = re.compile(r"/articles/(?P<suffix>[^/]+?)(?P<rest>\.pdf|/(?:tables|figures)/\d+(?:\.svg|\.png)?)?/?$")
_MEDIA = re.compile(r"art:10\.\d+/(?P<suffix>[^/]+)/.*?Fig(?P<number>\d+)")

ROBOTS = """\
User-agent: *
Crawl-delay: {delay:g}
Disallow: /search
Disallow: /my-account/
Disallow: /articles/*/metrics

Sitemap: https://www.nature.com/sitemap.xml
"""


Maker = Callable[[], bytes]


def is_open(paper: Paper) -> bool:
    """Whether the article site itself lets everyone read the paper (green copies lie elsewhere)."""
    return paper.oa_status not in {"closed", "green"}


class ArticleSite:
    """The article site and its image host."""

    hosts = ("www.nature.com", "nature.com", "media.springernature.com")

    def __init__(self, catalogue: Catalogue, press: Press, shelf: Shelf, behaviour: Behaviour) -> None:
        self._catalogue = catalogue
        self._press = press
        self._shelf = shelf
        self._behaviour = behaviour

    async def answer(self, asked: Asked) -> Response:
        """Answer for an article, one of its parts, a picture, or robots.txt."""
        if asked.host == "nature.com":
            return redirect(f"https://www.nature.com{asked.path}", 301)
        if asked.path == "/robots.txt":
            return self._robots(asked)
        if asked.host == "media.springernature.com":
            return await self._media(asked)
        match = _ARTICLE.match(asked.path)
        paper = self._catalogue.papers.get(match["suffix"].lower()) if match else None
        if match is None or paper is None:
            return html_answer("Page not found", "<p>Sorry, the page you requested is unavailable.</p>", 404)
        return await self._part(asked, paper, match["rest"] or "")

    def _robots(self, asked: Asked) -> Response:
        if not self._behaviour.robots:
            return html_answer("Page not found", status=404)
        text = ROBOTS.format(delay=self._behaviour.crawl_delay)
        return blob_answer(asked, Blob.of(text.encode()), "text/plain; charset=utf-8")

    async def _part(self, asked: Asked, paper: Paper, rest: str) -> Response:
        readable = is_open(paper)
        if not rest:
            whole = readable and "html" in paper.formats
            make = (lambda: self._press.article_page(paper)) if whole else (lambda: access_page(paper))
            return await self._shelved(asked, paper, "page", HTML, make)
        if not readable:
            return redirect(paper.url)
        if rest == ".pdf":
            if "pdf" not in paper.formats:
                return html_answer("Page not found", status=404)
            return await self._shelved(asked, paper, "pdf", "application/pdf", lambda: self._press.article_pdf(paper))
        what, number = rest.strip("/").split("/")
        return await self._float(asked, paper, what, number)

    async def _float(self, asked: Asked, paper: Paper, what: str, number: str) -> Response:
        stem, _, form = number.partition(".")
        at = int(stem)
        floats: list[int] = [one.number for one in (paper.tables if what == "tables" else paper.figures)]
        if at not in floats:
            return html_answer("Page not found", status=404)
        if form:
            return await self._figure(asked, paper, at, form)
        make = self._press.table_page if what == "tables" else self._press.figure_page
        return await self._shelved(asked, paper, f"{what}/{at}", HTML, lambda: make(paper, at))

    async def _media(self, asked: Asked) -> Response:
        match = _MEDIA.search(asked.path)
        paper = self._catalogue.papers.get(match["suffix"].lower()) if match else None
        if match is None or paper is None:
            return html_answer("Not found", status=404)
        return await self._figure(asked, paper, int(match["number"]), "png")

    async def _figure(self, asked: Asked, paper: Paper, number: int, form: str) -> Response:
        figure: Figure | None = next((one for one in paper.figures if one.number == number), None)
        if figure is None:
            return html_answer("Not found", status=404)
        draw = self._press.figure_svg if form == "svg" else self._press.figure_png
        media_type = "image/svg+xml" if form == "svg" else "image/png"
        return await self._shelved(asked, paper, f"{form}/{number}", media_type, functools.partial(draw, figure))

    async def _shelved(self, asked: Asked, paper: Paper, part: str, media_type: str, make: Maker) -> Response:
        blob, etag = await self._shelf.get((paper.suffix, part), make)
        return blob_answer(asked, blob, media_type, modified=paper.published, etag=etag)


def access_page(paper: Paper) -> bytes:
    """What a visitor without a subscription sees: the abstract, and how to get access.

    A paper that is open but has no page of its own gets the same page with a link to its PDF.
    """
    # Here, so that a server starts without the typesetter.
    from nature_gym.demo.inline import plain
    from nature_gym.demo.typesetting.html_meta import new_meta

    title, abstract = html.escape(plain(paper.title)), html.escape(plain(paper.abstract))
    hidden = set() if is_open(paper) else {"citation_fulltext_world_readable"}
    meta = "\n".join(
        f'<meta name="{name}" content="{html.escape(content)}"/>'
        for name, content in new_meta(paper)
        if name not in hidden
    )
    names = ", ".join(html.escape(f"{one.given} {one.family}") for one in paper.authors)
    if is_open(paper):
        access = f'<p><a data-track-action="download pdf" href="/articles/{paper.suffix}.pdf">Download PDF</a></p>'
    else:
        access = (
            '<section data-title="Access options"><h2>Access options</h2>'
            '<div class="c-article-access-provider"><a data-test="access-via-institution" '
            f'href="https://wayf.springernature.com?redirect_uri=https://www.nature.com/articles/{paper.suffix}">'
            "Access through your institution</a></div>"
            "<p>Buy this article</p><p>Subscribe to this journal</p></section>"
        )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title} | {html.escape(paper.venue.name)}</title>
<meta name="access" content="{"Yes" if is_open(paper) else "No"}">
{meta}
</head>
<body>
<main><article lang="en">
<header class="c-article-header"><h1 class="c-article-title" data-test="article-title">{title}</h1>
<p class="c-article-author-list">{names}</p></header>
<div class="c-article-body">
<section data-title="Abstract" lang="en"><div class="c-article-section"><h2>Abstract</h2>
<div class="c-article-section__content"><p>{abstract}</p></div></div></section>
{access}
</div>
</article></main>
</body>
</html>
""".encode()


class DoiResolver:
    """doi.org: leads to articles, and to deposits at Zenodo and Figshare."""

    hosts = ("doi.org", "dx.doi.org", "www.doi.org")

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    async def answer(self, asked: Asked) -> Response:
        """Redirect to what the DOI names, or 404."""
        doi = asked.path.strip("/").lower()
        if (paper := self._catalogue.by_doi.get(doi)) is not None:
            return redirect(paper.url)
        if match := re.fullmatch(r"10\.5281/zenodo\.(\d+)", doi):
            number = match[1]
            if ("zenodo.org", number) in self._catalogue.deposits or number in self._catalogue.newest:
                return redirect(f"https://zenodo.org/records/{number}")
        match = re.fullmatch(r"10\.6084/m9\.figshare\.(\d+)(?:\.v(\d+))?", doi)
        if match and ("figshare.com", match[1]) in self._catalogue.deposits:
            version = f"/{match[2]}" if match[2] else ""
            return redirect(f"https://figshare.com/articles/dataset/_/{match[1]}{version}")
        return html_answer("DOI Not Found", f"<p>{html.escape(doi)}</p>", 404)
