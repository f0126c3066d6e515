"""Reading an article's page as one would write it down in an afternoon, with Beautiful Soup and html.parser.

It takes out the same as ours (what the article is, sections with text, links with their sentences, tables, references)
and is kept as simple as that allows; it is what ours is measured against.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Tag

_RAISED = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_HEADINGS = ("h1", "h2", "h3", "h4")
_UNREAD = (
    "script, style, nav, aside, form, button, svg, header, footer, figure, .c-article-recommendations, .u-hide-print"
)


@dataclass
class PlainArticle:
    """What comes of a page."""

    title: str = ""
    doi: str = ""
    article_type: str = ""
    authors: list[str] = field(default_factory=list)
    sections: list[tuple[str, int, str]] = field(default_factory=list)
    links: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Address -> kind, heading, sentence."""
    availability: dict[str, str] = field(default_factory=dict)
    tables: list[tuple[str, list[list[str]]]] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)


def read(page: bytes, table_pages: dict[int, bytes] | None = None) -> PlainArticle:
    """Read a page of the publisher, in its new or old design."""
    soup = BeautifulSoup(page, "html.parser")
    article = PlainArticle(
        title=_meta(soup, "citation_title", "dc.title", "DC.title"),
        doi=_meta(soup, "citation_doi", "prism.doi", "DC.identifier").removeprefix("doi:"),
        article_type=_meta(soup, "citation_article_type", "prism.section"),
        authors=[str(tag.get("content")) for tag in soup.find_all("meta", attrs={"name": "citation_author"})],
    )
    body = soup.select_one("div.c-article-body") or soup.find("article") or soup
    for item in soup.select("ol.c-article-references > li, ol.references > li"):
        doi = item.select_one("a[data-doi]") or item.select_one("a[href*='doi.org']")
        article.references.append((_text(item), str(doi.get("href")) if doi else ""))
    for figure in soup.find_all("figure"):
        _figure(figure, article, table_pages or {})
    for citation in body.select("sup a[data-test=citation-ref], sup a[href*='#ref']"):
        citation.decompose()
    for tag in body.select(_UNREAD):
        tag.decompose()
    for raised in body.find_all("sup"):
        raised.replace_with(raised.get_text().strip(",–").translate(_RAISED))
    for lowered in body.find_all("sub"):
        lowered.replace_with(lowered.get_text().translate(_LOWERED))
    _sections(body, article)
    for heading, _, text in article.sections:
        for matter in ("data", "code"):
            if "availab" in heading.lower() and matter in heading.lower():
                article.availability[matter] = text
    return article


def _meta(soup: BeautifulSoup, *names: str) -> str:
    for name in names:
        tag = soup.find("meta", attrs={"name": name})
        if isinstance(tag, Tag) and tag.get("content"):
            return str(tag["content"])
    return ""


def _text(tag: Tag) -> str:
    return " ".join(tag.get_text(" ", strip=True).split())


def _figure(figure: Tag, article: PlainArticle, table_pages: dict[int, bytes]) -> None:
    caption = figure.find("figcaption")
    label = _text(caption) if isinstance(caption, Tag) else ""
    if not label.startswith("Table"):
        article.figures.append(label)
        return
    number = re.search(r"\d+", label)
    page = table_pages.get(int(number[0])) if number else None
    source = BeautifulSoup(page, "html.parser") if page else figure
    table = source.find("table")
    if isinstance(table, Tag):
        rows = [[_text(cell) for cell in row.find_all(["td", "th"])] for row in table.find_all("tr")]
        article.tables.append((label, rows))


def _sections(body: Tag, article: PlainArticle) -> None:
    heading, level, lines = "", 1, list[str]()
    for tag in body.find_all([*_HEADINGS, "p", "li"]):
        if tag.name in _HEADINGS:
            article.sections.append((heading, level, "\n".join(lines)))
            heading, level, lines = _text(tag), int(tag.name[1]), []
            continue
        text = _text(tag)
        lines.append(text)
        for link in tag.find_all("a", href=True):
            address = str(link["href"])
            if address.startswith("http"):
                _link(article, address, heading, _sentence(text, text.find(_text(link))))
        for match in re.finditer(r"https?://\S+|10\.\d{4,9}/\S+|\bGSE\d+|\bPRJNA\d+|\bEMD-\d+", text):
            _link(article, match[0].rstrip(".,;)"), heading, _sentence(text, match.start()))
    article.sections.append((heading, level, "\n".join(lines)))


def _link(article: PlainArticle, address: str, heading: str, sentence: str) -> None:
    if heading == "References":
        kind = "reference"
    elif "/esm/" in address:
        kind = "supplement"
    elif re.search(r"github|gitlab|codeocean|bitbucket", address):
        kind = "code"
    elif (
        re.search(r"zenodo|figshare|dryad|osf\.io|ncbi|rcsb|huggingface|^GSE|^PRJ|^EMD", address)
        or "data" in heading.lower()
    ):
        kind = "code" if "code" in sentence.lower() and "data" not in sentence.lower() else "data"
    else:
        kind = "other"
    article.links.setdefault(address.removesuffix(".git"), (kind, heading, sentence))


def _sentence(text: str, place: int) -> str:
    start = text.rfind(". ", 0, max(place, 0)) + 2
    end = text.find(". ", max(place, 0))
    return text[start if start > 1 else 0 : end + 1 if end >= 0 else len(text)]
