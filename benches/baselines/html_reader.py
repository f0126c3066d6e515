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
_ADDRESS = re.compile(
    r"https?://\S+|\bwww\.\S+|\b(?:github|gitlab|zenodo|figshare|osf)\.(?:com|org|io)/\S+|10\.\d{4,9}/\S+"
    r"|\b(?:GS[EM]|PRJ(?:NA|EB|DB)|[SED]R[PRXS]|SAMN|PXD|MTBLS|MSV|phs|EGA[SD]|CRA|HRA)\d{3,}|\bE-MTAB-\d+|\bEMD-\d+"
)
_HEADINGS = ("h1", "h2", "h3", "h4")
_UNREAD = (
    "script, style, nav, aside, form, button, svg, header, footer, figure, .c-article-recommendations, .u-hide-print"
)


@dataclass
class PlainTable:
    """A table with its spans expanded."""

    label: str
    rows: list[list[str]]
    header_rows: int
    bold: set[tuple[int, int]]
    notes: str


@dataclass
class PlainArticle:
    """What comes of a page."""

    title: str = ""
    doi: str = ""
    article_type: str = ""
    journal: str = ""
    published: str = ""
    abstract: str = ""
    authors: list[str] = field(default_factory=list)
    sections: list[tuple[str, int, str]] = field(default_factory=list)
    links: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Address -> kind, heading, sentence."""
    tables: list[PlainTable] = field(default_factory=list)
    figures: list[tuple[str, str, str]] = field(default_factory=list)
    """Caption, description, address of the picture."""
    references: list[tuple[str, str, list[str]]] = field(default_factory=list)
    cited: list[tuple[str, str]] = field(default_factory=list)
    """Number of a reference, and the beginning of the paragraph that cites it."""


def read(page: bytes, table_pages: dict[int, bytes] | None = None) -> PlainArticle:
    """Read a page of the publisher, in its new or old design."""
    soup = BeautifulSoup(page, "html.parser")
    article = PlainArticle(
        title=_meta(soup, "citation_title", "dc.title", "DC.title"),
        doi=_meta(soup, "citation_doi", "prism.doi", "DC.identifier").removeprefix("doi:"),
        article_type=_meta(soup, "citation_article_type", "prism.section"),
        journal=_meta(soup, "citation_journal_title", "prism.publicationName"),
        published=_meta(soup, "citation_online_date", "dc.date", "DC.date"),
        abstract=_meta(soup, "dc.description", "description"),
        authors=[str(tag.get("content")) for tag in soup.find_all("meta", attrs={"name": "citation_author"})],
    )
    body = soup.select_one("div.c-article-body") or soup.find("article") or soup
    for item in soup.select("ol.c-article-references > li, ol.references > li"):
        doi = item.select_one("a[data-doi]") or item.select_one("a[href*='doi.org']")
        text = item.select_one(".c-article-references__text") or item
        urls = [str(link["href"]) for link in text.find_all("a", href=True)]
        article.references.append((_text(text), str(doi.get("href")) if doi else "", urls))
    for figure in soup.find_all("figure"):
        _figure(figure, article, table_pages or {})
    for citation in body.select("sup a[data-test=citation-ref], sup a[href*='#ref']"):
        paragraph = citation.find_parent("p")
        article.cited.append((citation.get_text(), _text(paragraph)[:80] if paragraph else ""))
        citation.decompose()
    for formula in body.select("span.mathjax-tex"):
        formula.replace_with(
            f"${formula.get_text().strip('$').removeprefix(chr(92) + '(').removesuffix(chr(92) + ')')}$"
        )
    for tag in body.select(_UNREAD):
        tag.decompose()
    for raised in body.find_all("sup"):
        raised.replace_with(raised.get_text().strip(",–").translate(_RAISED))
    for lowered in body.find_all("sub"):
        lowered.replace_with(lowered.get_text().translate(_LOWERED))
    _sections(body, article)
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
        description = figure.select_one(".c-article-section__figure-description, .description")
        picture = figure.find("img")
        address = str(picture.get("src")) if isinstance(picture, Tag) else ""
        article.figures.append((label, _text(description) if description else "", address))
        return
    number = re.search(r"\d+", label)
    page = table_pages.get(int(number[0])) if number else None
    source = BeautifulSoup(page, "html.parser") if page else figure.parent or figure
    table = source.find("table")
    if isinstance(table, Tag):
        notes = source.select_one(".c-article-table-footer, .table-footer")
        article.tables.append(_table(label, table, _text(notes) if notes else ""))


def _table(label: str, table: Tag, notes: str) -> PlainTable:
    cells: dict[tuple[int, int], str] = {}
    bold: set[tuple[int, int]] = set()
    rows = table.find_all("tr")
    for number, row in enumerate(rows):
        column = 0
        for cell in row.find_all(["td", "th"]):
            while (number, column) in cells:
                column += 1
            for raised in cell.find_all("sup"):
                raised.replace_with(raised.get_text().translate(_RAISED))
            text = " ".join(cell.get_text().split())
            strong = cell.find(["b", "strong"])
            for i in range(number, number + int(str(cell.get("rowspan") or 1))):
                for j in range(column, column + int(str(cell.get("colspan") or 1))):
                    cells[i, j] = text
                    if isinstance(strong, Tag) and " ".join(strong.get_text().split()) == text:
                        bold.add((i, j))
            column += int(str(cell.get("colspan") or 1))
    width = max((column for _, column in cells), default=-1) + 1
    head = table.find("thead")
    return PlainTable(
        label=label,
        rows=[[cells.get((i, j), "") for j in range(width)] for i in range(len(rows))],
        header_rows=len(head.find_all("tr")) if isinstance(head, Tag) else 0,
        bold=bold,
        notes=notes,
    )


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
        for match in _ADDRESS.finditer(text):
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
