"""An article's web page, in the publisher's new or old design or in another's, as a document.

The one idea: the page is walked once, in order, and its headings make the sections; what a design says by its
class names is only used to find the body, and to leave out what is no text of the article. So an unknown
design is read by its headings. Scripts are never run and styles never looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborAttributes, LexborHTMLParser, LexborNode

from nature_gym.reading.addresses import doi_in
from nature_gym.reading.document import Document, Figure, Reference, Section, Table
from nature_gym.reading.encoding import as_utf8
from nature_gym.reading.html_head import Head, read_head
from nature_gym.reading.refusals import MEBIBYTE, NoArticleError, NoFullTextError, UnreadableError, refuse_size
from nature_gym.reading.sections import Manuscript, caption_parts, is_table_label, number_of
from nature_gym.reading.tables import PICTURE, Cell, Grid, as_table, grid, span, stacked
from nature_gym.reading.text import Place, bare_tex, only_separates, squeeze

LIMIT = 24 * MEBIBYTE
"""Larger pages are refused. An article's page has about half a megabyte."""

SITE = "https://www.nature.com/"
_DEEPEST = 120
_MOST_TAGS = 500_000
_LEAST_TEXT = 400
"""Characters below which a page without any known mark of an article is none."""

_IGNORED = frozenset({
    "script", "style", "nav", "aside", "form", "button", "svg", "noscript", "template", "iframe", "object", "embed",
    "select", "textarea", "input", "video", "audio", "canvas", "map", "head", "header", "footer", "picture", "img",
    "meta", "link", "source", "track", "hr", "wbr", "dialog", "-comment",
})  # fmt: skip
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "address",
    "center", "details", "summary", "body", "fieldset", "tr", "td", "th", "tbody", "thead", "tfoot", "caption",
    "hgroup",
})  # fmt: skip
_NO_ENTRY = frozenset({"ul", "ol", "script", "header"})
"""Of what would be read elsewhere: no text of a reference."""
_EMPHASIS = frozenset({"i", "b", "em", "strong"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FURNITURE = frozenset({
    "c-article-recommendations", "c-article-references__links", "c-article-references__download", "u-visually-hidden",
    "c-article-section__figure-link", "c-bibliographic-information", "c-article-rights", "c-article-share-box",
    "c-article-associated-content__container", "c-article-extras", "c-reading-companion", "c-ad",
    "c-article-metrics-bar",
    "c-article-author-affiliation__list", "c-article-further-to-cite-this-article", "c-pdf-download", "c-context-bar",
    "c-article-header", "c-article-satellite-back", "c-article-editorial-summary", "c-nature-box",
    "c-article-access-provider",
    "section-nav", "figures-at-a-glance", "article-keywords", "article-tools", "export-links", "hidden", "authors",
    "citation-authors", "citation", "author-links", "comm-tool-box", "top-links", "affiliations", "module", "MathJax",
    "MathJax_SVG", "MathJax_CHTML", "MathJax_Preview", "sr-only", "visually-hidden", "screen-reader-text", "noprint",
    "breadcrumb", "breadcrumbs", "sidebar", "navbar", "menu", "share", "cookie-banner",
})  # fmt: skip
_FURNITURE_IDS = frozenset({
    "author-details", "comments", "article-comments", "sidebar", "extranav", "figure-browser-group", "affil-auth",
})  # fmt: skip
_UNREAD_TITLES = frozenset({
    "comments", "about this article", "rights and permissions", "subjects", "subject terms:", "subject terms",
    "associated content", "share this article", "cite this article", "at a glance", "article tools", "search",
    "quick links", "similar content being viewed by others", "inline recommendations", "access options",
    "authors and affiliations", "affiliations", "author details", "additional data", "this article is cited by",
    "table of contents", "navigation menu", "related articles", "further reading", "recommended for you",
})  # fmt: skip
_CITATION_TARGET = re.compile(r"#(?:ref-?CR|ref-?|bib-?|CR|B|b|cit(?:e_note)?-?|R)0*(\d{1,4})$")
_BODY = "div.c-article-body"
_ESM = "/esm/"
_PATH = re.compile(r"(?:/[\w%+=&~-][\w.%+=&~-]*+)++", re.ASCII)
"""A plain path from a site's root, which takes no looking at to be joined to the site."""
_FLOAT_PAGE = re.compile(r"/(?:tables|figures)/\d+/?$")
_CAPTCHA = re.compile(
    r"captcha|verify (?:that )?you are (?:a )?human|are you a robot|unusual traffic|checking your browser"
    r"|enable javascript and cookies to continue|just a moment\.\.\.|attention required|access denied|client challenge",
    re.IGNORECASE,
)
_NO_ACCESS = re.compile(
    r"access through your institution|access options|buy this article|rent or buy|subscribe to this journal"
    r"|log in to (?:view|read)|sign in to (?:view|read|continue)|purchase (?:access|pdf)|institutional login",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(r"page not found|404 not found|\b404\b|no longer available|not be found", re.IGNORECASE)
_FORMATS = frozenset(b"a b i u s em tt strong font small big code nobr strike".split())
_FORMAT = re.compile(rb"<(/?+(?:[aAbBiIuUsS]|[eEtT][mMtT]|[sSfFbBcCnN][tTmMoOiI][a-zA-Z]{1,4}+))[\t\n\f\r />]")
"""Tags by the letters that formats begin with, which is quicker to find than each of their names."""
_SOME_OPEN, _MOST_COPIES = 50, 2_000_000
_NESTING = re.compile(
    rb"<(/?)(?!(?:p|li|t[dhr]|tbody|thead|d[dt]|option|br|hr|img|meta|link|input|wbr|col|area|source|track|param)[\s/>])"
    rb"([a-z][a-z0-9]{0,30})[^>]{0,2000}?(/?)>",
    re.IGNORECASE,
)
"""Tags of elements that hold others until they are closed; of others, ends may be left out."""
_MANY_TAGS, _DEEPEST_PAGE = 15_000, 5_000
_ATTRIBUTES = (
    rb"(?:[\t\n\f\r /]++|[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+)?+)?+)*+"
)
"""White space and attributes, with and without values, as a parser takes them apart."""
_TAG = re.compile(rb"<[a-zA-Z][^\t\n\f\r />]*+" + _ATTRIBUTES)
_REST_OF_TAG = re.compile(_ATTRIBUTES + rb">")
_VALUE = re.compile(rb"=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]*+)")
_MOST_ATTRIBUTES = 10_000
_LONG = 4 * _MOST_ATTRIBUTES
"""Bytes of which a tag has more, where it has too many attributes."""
_HOSTILE = "It is damaged, or was made to trouble readers; look at what was fetched."


def read_html(
    content: bytes, *, url: str | None = None, table_pages: Mapping[int, bytes] | Mapping[str, bytes] | None = None
) -> Document:
    """Read an article's page.

    ``url`` is where it came from, which relative links are resolved against. ``table_pages`` are the pages of its
    tables by number (``1``, ``"1"``, ``"tables/1.html"``), which the new design keeps apart.

    Raises NoArticleError for a page that is none, NoFullTextError for one that shows its abstract only, and
    UnreadableError for one that is too large. Lesser troubles are in ``problems``.
    """
    refuse_size(content, LIMIT, "page")
    tree, problems = _parse(content)
    head = read_head(tree)
    body = tree.body
    if body is None:
        raise NoArticleError("the page has no body", hint="Fetch it again.")
    pages = {number: page for key, page in (table_pages or {}).items() if (number := number_of(str(key))) is not None}
    walker = _Walker(url or head.url or SITE, head, pages)
    container = _container(tree, body)
    walker.read(container)
    sections = walker.manuscript.finish(head.description)
    _refuse_other_pages(sections, head, body, content)
    document = _document(walker.manuscript, sections, head)
    if b"</html" not in content[-4096:].lower() and b"</html" not in content.lower():
        last = next((section.title for section in reversed(document.sections) if section.title), "the beginning")
        problems.append(f"the page breaks off, in or after {last!r}")
    return _with_problems(document, problems)


def _parse(content: bytes) -> tuple[LexborHTMLParser, list[str]]:
    content, problems = as_utf8(content)
    _refuse_bombs(content)
    return LexborHTMLParser(content), problems


def _refuse_bombs(content: bytes) -> None:
    """Refuse what would take a parser time or memory with the square of its size.

    Formatting that is left open is opened again in each block that follows, each tag is held against all elements
    that are open, and each attribute against those before it; no article has thousands of them so.
    """
    tags = content.count(b"<")
    if tags > _MOST_TAGS:
        raise UnreadableError(f"the page has {tags:,} tags", hint=_HOSTILE)
    if (unclosed := _unclosed(content) - _SOME_OPEN) * tags > _MOST_COPIES:
        raise UnreadableError(f"the page leaves {unclosed:,} formatting elements open", hint=_HOSTILE)
    if tags > _MANY_TAGS and (depth := _nesting(content)) > _DEEPEST_PAGE:
        raise UnreadableError(f"the page nests elements {depth:,} deep", hint=_HOSTILE)
    if _may_have_long_tag(content):
        attributes = _attributes(max(_TAG.findall(content), key=len, default=b""))
        if attributes > _MOST_ATTRIBUTES:
            raise UnreadableError(f"the page has an element of {attributes:,} attributes", hint=_HOSTILE)


def _unclosed(content: bytes) -> int:
    """How many formatting elements are begun more often than they are ended."""
    tags: dict[bytes, int] = {}
    for tag, count in Counter(_FORMAT.findall(content)).items():
        name = tag.lower()
        tags[name] = tags.get(name, 0) + count
    return sum(max(count - tags.get(b"/" + name, 0), 0) for name, count in tags.items() if name in _FORMATS)


def _nesting(content: bytes) -> int:
    """How deep elements are nested at most, as far as end tags close elements of their own name."""
    opened: Counter[bytes] = Counter()
    depth = deepest = 0
    for end, name, empty in _NESTING.findall(content):
        if not end and not empty:
            opened[name] += 1
            depth += 1
            deepest = max(deepest, depth)
        elif end and opened[name]:
            opened[name] -= 1
            depth -= 1
    return deepest


def _may_have_long_tag(content: bytes) -> bool:
    """Whether a tag may have too many attributes: told from a few places, for no page has such and each is asked.

    Wherever one looks into such a tag, near its beginning, the next ``>`` is far away or stands in a quoted value. In
    the latter case it is a long way from the end of that value, behind the next quote of either kind, to the tag's own.
    """
    step, near = _LONG * 2 // 5, _LONG * 3 // 10
    quotes = {b'"': -1, b"'": -1}
    for start in range(0, len(content) - near, step):
        inside = content.find(b">", start, start + near)
        if inside < 0:
            return True
        for quote, known in quotes.items():
            at = known if known >= inside else content.find(quote, inside) % (len(content) + 1)  # the end: it has none
            quotes[quote] = at
            if at < len(content) and _REST_OF_TAG.match(content, at + 1, at + near) is None:
                return True
    return False


def _attributes(tag: bytes) -> int:
    """About how many attributes a tag has; 0 where it is not long enough to have many."""
    if len(tag) < _LONG:
        return 0
    return len(_VALUE.sub(b" ", tag).replace(b"/", b" ").split())


def _container(tree: LexborHTMLParser, body: LexborNode) -> LexborNode:
    """What holds the article: the smallest element that we know to do so."""
    if (known := tree.css_first(_BODY)) is not None:
        return known
    for selector in ("div.article-body", "article", "main", "[role=main]", "#content"):
        found = tree.css(selector)
        if not found:
            continue
        best = max(found, key=_paragraphs) if len(found) > 1 else found[0]
        if _paragraphs(best):
            return best
    return body


def _paragraphs(node: LexborNode) -> int:
    return len(node.css("p"))


# -- the walk ----------------------------------------------------------------------


class _Walker:
    """Walks a page and writes what it meets into a manuscript."""

    def __init__(self, url: str, head: Head, table_pages: Mapping[int, bytes]) -> None:
        self.manuscript = Manuscript()
        try:
            self._site = urljoin(url, "/").removesuffix("/")
        except ValueError:  # what the page says to be its address is none
            self._site = url = SITE.removesuffix("/")
        self.url = url
        self.table_pages = table_pages
        self._own = (head.doi or "").rpartition("/")[2] or urlsplit(url).path.rstrip("/").rpartition("/")[2]
        self._title = head.title.casefold()
        self._depth = 0
        self._in_cell = False
        self._skipping = 0  # the level of a heading below which nothing is read
        self._lists: list[int | None] = []
        self._elements: dict[str | None, Callable[[LexborNode], None] | None] = {
            None: None,  # what is neither element nor text
            **dict.fromkeys(_IGNORED),
            **dict.fromkeys(_BLOCKS, self._plain_block),
            "a": self._anchor,
            "sup": self._superscript,
            "sub": self._subscript,
            "br": lambda _: self.manuscript.line.space(),
            "span": self._span,
            "math": self._mathml,
            "figure": self._figure,
            "table": self._table,
            "ul": self._list,
            "ol": self._list,
            "li": self._item,
            "script": self._script,
            "header": self._header,
            **dict.fromkeys(("p", "div", "section", "article", "main", "dd"), self._block),
            **dict.fromkeys(_HEADINGS, self._heading),
        }

    def read(self, node: LexborNode) -> None:
        """Read what is in ``node``."""
        self._children(node)
        self.manuscript.end_line()

    def _children(self, node: LexborNode) -> None:
        if self._depth >= _DEEPEST:
            self.manuscript.line.add(node.text(deep=True))
            return
        first = node.first_child
        if first is None:
            return
        if first.tag == "-text" and first.next is None:
            if not self._skipping:
                self.manuscript.line.add(first.text_content or "")
            return
        self._depth += 1
        handler_of, manuscript = self._elements.get, self.manuscript
        for child in node.iter(include_text=True):
            tag = child.tag
            if tag == "-text":
                if not self._skipping:
                    manuscript.line.add(child.text_content or "")
            elif (handler := handler_of(tag, self._children)) is not None:
                handler(child)
        self._depth -= 1

    # -- blocks --

    def _plain_block(self, node: LexborNode) -> None:
        self.manuscript.end_line()
        self._children(node)
        self.manuscript.end_line()

    def _block(self, node: LexborNode) -> None:
        attributes = node.attributes
        name = attributes.get("class")
        if name is not None and not self._of_the_text(node, name):
            return
        if attributes.get("id") in _FURNITURE_IDS or "hidden" in attributes:
            return
        abstract = attributes.get("data-title") == "Abstract"
        self._plain_block(node)
        if abstract:
            self.manuscript.open_rest(1)

    def _of_the_text(self, node: LexborNode, name: str) -> bool:
        """Whether an element of class ``name`` is to be walked through; some are read here."""
        names = name.split()
        if not _FURNITURE.isdisjoint(names):
            return False
        if "c-article-supplementary__item" in names:
            self._supplement(node)
            return False
        return "c-article-equation__number" not in names and "table-footer" not in names

    def _header(self, node: LexborNode) -> None:
        """The header of a section may hold its heading; that of the article is read from the page's head."""
        if node.css_first("h1") is None and node.css_first("h2,h3,h4") is not None:
            self._plain_block(node)

    def _heading(self, node: LexborNode) -> None:
        level = _HEADINGS[node.tag or "h6"]
        manuscript = self.manuscript
        classes = (node.attrs.get("class") or "").split()
        if {"c-article-title", "article-heading"} & set(classes):
            return
        title = self._text(node)
        folded = title.casefold()
        if not title or "hidden" in classes or (folded == self._title and level <= 2):
            return
        if self._skipping and level > self._skipping:
            return
        if folded in _UNREAD_TITLES:
            manuscript.end_line()
            self._skipping = level
            return
        self._skipping = 0
        if folded in {"abstract", "summary"} and manuscript.characters == 0:
            manuscript.open_abstract()
        else:
            manuscript.open_section(title, level)

    def _children_even_skipped(self, node: LexborNode) -> None:
        kept, self._skipping = self._skipping, 0
        self._children(node)
        self._skipping = kept

    def _list(self, node: LexborNode) -> None:
        names = (node.attrs.get("class") or "").split()
        if not _FURNITURE.isdisjoint(names):
            return
        if self._is_reference_list(node, names):
            self._references(node)
            return
        self.manuscript.end_line()
        self._lists.append(0 if node.tag == "ol" else None)
        self._children(node)
        self._lists.pop()
        self.manuscript.end_line()

    def _item(self, node: LexborNode) -> None:
        manuscript = self.manuscript
        manuscript.end_line()
        mark = "- "
        if self._lists and (count := self._lists[-1]) is not None:
            self._lists[-1] = count + 1
            mark = f"{count + 1}. "
        if not self._skipping:
            manuscript.lead(mark)
        self._children(node)
        manuscript.end_line()
        manuscript.lead("")

    # -- inline --

    def _span(self, node: LexborNode) -> None:
        if name := node.attrs.get("class"):
            names = name.split()
            if "mathjax-tex" in names:
                if not self._skipping:
                    tex, display = bare_tex(node.text(deep=True))
                    self.manuscript.line.math(tex, display=display)
                return
            if not _FURNITURE.isdisjoint(names) or "number" in names:
                return
        self._children(node)

    def _script(self, node: LexborNode) -> None:
        """Scripts are left out, but for those that are no programs: TeX that a browser would typeset."""
        kind = (node.attributes.get("type") or "").casefold()
        if kind.startswith("math/tex") and not self._skipping:
            self.manuscript.line.math(node.text(deep=True), display="mode=display" in kind)

    def _mathml(self, node: LexborNode) -> None:
        note = node.css_first('annotation[encoding*="tex" i]')
        if not self._skipping:
            self.manuscript.line.math(note.text(deep=True) if note is not None else node.text(deep=True))

    def _superscript(self, node: LexborNode) -> None:
        if self._skipping:
            return
        if (text := _only_text(node)) is not None:
            self.manuscript.line.raise_text(squeeze(text))
        elif not ((cited := self._only_cited(node)) and self.manuscript.line.cite(cited)):
            content = self.manuscript.apart(self._children, node)
            self.manuscript.line.superscript(content)

    def _only_cited(self, node: LexborNode) -> list[str]:
        """The numbers of the references that a superscript cites, where it does nothing else; else nothing."""
        numbers = []
        for child in node.iter(include_text=True):
            if child.tag == "a":
                attributes = child.attrs
                number = self._cited(attributes, (attributes.get("href") or "").strip())
                if not number or _only_text(child) is None:
                    return []
                numbers.append(number)
            elif not only_separates(child.text_content or "x"):
                return []
        return numbers

    def _subscript(self, node: LexborNode) -> None:
        if self._skipping:
            return
        if (text := _only_text(node)) is None:
            text = self.manuscript.apart(self._children, node).text
        self.manuscript.line.lower_text(squeeze(text))

    def _anchor(self, node: LexborNode) -> None:
        if self._skipping:
            return
        attributes = node.attrs
        target = (attributes.get("href") or "").strip()
        number = self._cited(attributes, target)
        line = self.manuscript.line
        if number:
            start = line.next_start
            self._children(node)
            line.inline_citations.append(Place(number, start, len(line)))
            return
        address = self._address(target)
        if address is None:
            self._children(node)
            return
        place = line.open_link(address)
        self._children(node)
        line.close_link(place)

    def _cited(self, attributes: LexborAttributes, target: str) -> str:
        """The number of the reference that a link leads to, or nothing where it leads elsewhere."""
        if "#" not in target:
            return ""
        match = _CITATION_TARGET.search(target)
        if match and (attributes.get("data-test") == "citation-ref" or self._is_own(target)):
            return match[1]
        return ""

    def _is_own(self, target: str) -> bool:
        """Whether an address is a place on this page."""
        page = target.partition("#")[0]
        return not page or (bool(self._own) and self._own in page.casefold())

    def _address(self, target: str) -> str | None:
        """The absolute address of a link, or None where it leads nowhere else than to this article."""
        if not target or target[0] == "#" or target[:11].casefold() == "javascript:":
            return None
        scheme, colon, _ = target.partition(":")
        if colon and "/" not in scheme and scheme.casefold() not in {"http", "https", "ftp", "doi"}:
            return None
        if "#" in target and self._is_own(target) and _ESM not in target:
            return None
        target = "".join(target.split("\n")) if "\n" in target else target
        try:
            if target.startswith(("https://", "http://")):
                address = target
            else:
                address = f"{self._site}{target}" if _PATH.fullmatch(target) else urljoin(self.url, target)
        except ValueError:
            return None
        if _FLOAT_PAGE.search(address):
            return None
        return address

    # -- figures and tables --

    def _figure(self, node: LexborNode) -> None:
        if self._skipping:
            return
        manuscript = self.manuscript
        caption_node = node.css_first("figcaption")
        caption = self._text(caption_node) if caption_node is not None else ""
        label, title = caption_parts(caption)
        inner = _outermost_tables(node)
        if is_table_label(label) or inner:
            self._add_table(label, title, inner, [node, node.parent])
            return
        description = node.css_first(
            ".c-article-section__figure-description, .description, .c-article-figure-description"
        )
        more = self._text(description) if description is not None else ""
        picture = node.css_first("img")
        source = (picture.attributes.get("src") or picture.attributes.get("data-src")) if picture is not None else None
        if not label and not caption and not more:
            return
        manuscript.figures.append(
            Figure(
                label=label,
                caption=" ".join(part for part in (title, more) if part),
                url=self._address(source) if source else None,
                section=manuscript.section,
            )
        )

    def _table(self, node: LexborNode) -> None:
        """A table outside of a figure: one of the article, or one that only lays out the page."""
        if self._skipping:
            return
        if self._in_cell:
            self._plain_block(node)
            return
        attributes = node.attributes
        caption_node = node.css_first("caption")
        laid_out = attributes.get("role") == "presentation" or node.css_first("table table") is not None
        named = caption_node is not None or "data" in (attributes.get("class") or "")
        if laid_out or not (named or node.css_first("th") is not None or _is_plain_grid(node)):
            self._plain_block(node)
            return
        caption = self._text(caption_node) if caption_node is not None else ""
        label, title = caption_parts(caption)
        self._add_table(label, title, [node], [])

    def _add_table(self, label: str, caption: str, tables: list[LexborNode], around: list[LexborNode | None]) -> None:
        manuscript = self.manuscript
        notes = ""
        for place in around:
            footer = place.css_first(".table-footer, .c-article-table-footer") if place is not None else None
            if footer is not None:
                notes = self._text(footer)
                break
        number = number_of(label)
        is_main = label.split(" ", maxsplit=1)[0].casefold() == "table"
        page = self.table_pages.get(number) if number is not None and is_main else None
        made = self._grid(tables)
        if not made.rows and page is not None:
            made, page_caption, page_notes = self._table_page(page, label)
            caption, notes = caption or page_caption, notes or page_notes
        if not made.rows:
            manuscript.tables.append(
                Table(label=label, caption=caption, rows=(), notes=notes, section=manuscript.section, missing=True)
            )
            return
        if made.cut:
            manuscript.problems.append(f"{label or 'a table'} has more cells than can be read; its end is missing")
        manuscript.tables.append(as_table(made, label=label, caption=caption, notes=notes, section=manuscript.section))

    def _table_page(self, content: bytes, label: str) -> tuple[Grid, str, str]:
        """The table on a page of its own, with its caption and notes."""
        try:
            refuse_size(content, LIMIT, f"page of {label}")
            tree, problems = _parse(content)
        except (NoArticleError, UnreadableError) as error:
            self.manuscript.problems.append(error.message)
            return Grid((), 0, frozenset()), "", ""
        self.manuscript.problems += [f"{label}: {problem}" for problem in problems]
        container = tree.css_first(".c-article-table-container") or tree.css_first("main") or tree.body
        tables = _outermost_tables(container) if container is not None else []
        if not tables:
            self.manuscript.problems.append(f"the page of {label} has no table")
            return Grid((), 0, frozenset()), "", ""
        heading = tree.css_first("h1.c-article-satellite-title, h1, h2")
        _, caption = caption_parts(self._text(heading)) if heading is not None else ("", "")
        footer = tree.css_first(".c-article-table-footer, .table-footer, tfoot")
        return self._grid(tables), caption, self._text(footer) if footer is not None and footer.tag != "tfoot" else ""

    def _grid(self, tables: list[LexborNode]) -> Grid:
        grids = [made for table in tables if (made := self._one_grid(table)).rows]
        return stacked(grids) if grids else Grid((), 0, frozenset())

    def _one_grid(self, table: LexborNode) -> Grid:
        rows: list[list[Cell]] = []
        head = 0
        for row, part in _rows(table):
            cells = [self._cell(cell) for cell in row.iter() if cell.tag in {"td", "th"}]
            if cells:
                rows.append(cells)
                if part == "thead" and head == len(rows) - 1:
                    head += 1
        return grid(rows, head)

    def _cell(self, node: LexborNode) -> Cell:
        attributes = node.attributes
        bold = False
        if (written := _only_text(_only_paragraph(node) or node)) is not None:
            text = squeeze(written)
        else:
            outer, self._in_cell = self._in_cell, True
            text = self._text(node)
            self._in_cell = outer
            if not text and (picture := node.css_first("img, svg")) is not None:
                text = squeeze(picture.attributes.get("alt") or "") or PICTURE
            strong = node.css_first("b, strong") if text else None
            bold = strong is not None and squeeze(strong.text(deep=True)) == squeeze(node.text(deep=True))
        return Cell(
            text=text,
            columns=span(attributes.get("colspan")),
            rows=span(attributes.get("rowspan")),
            heading=node.tag == "th",
            bold=bold,
        )

    def _text(self, node: LexborNode) -> str:
        plain = _plain_text(node)
        return self.manuscript.text_of(self._children_even_skipped, node) if plain is None else plain

    # -- supplements and references --

    def _supplement(self, node: LexborNode) -> None:
        """An item of Extended data is a figure or table; one of Supplementary information a line with its link."""
        if self._skipping:
            return
        manuscript = self.manuscript
        heading = node.css_first("h3, h2, h4")
        link = node.css_first("a")
        description = node.css_first(".c-article-supplementary__description")
        title = squeeze(heading.text(deep=True)) if heading is not None else ""
        label, caption = caption_parts(title)
        if heading is not None and label and "data" in label.casefold() and not label.casefold().startswith("source"):
            more = self._text(description) if description is not None else ""
            caption = " ".join(part for part in (caption_parts(self._text(heading))[1], more) if part)
            if is_table_label(label):
                manuscript.tables.append(
                    Table(label=label, caption=caption, rows=(), section=manuscript.section, missing=True)
                )
                return
            picture = link.attributes.get("data-supp-info-image") if link is not None else None
            url = self._address(picture) if picture else None
            manuscript.figures.append(Figure(label=label, caption=caption, url=url, section=manuscript.section))
            return
        manuscript.end_line()
        if heading is not None:
            self._children(heading)
        if description is not None:
            manuscript.line.space()
            self._children(description)
        manuscript.end_line()

    def _is_reference_list(self, node: LexborNode, names: list[str]) -> bool:
        if "c-article-references" in names or "references" in names:
            return True
        if self.manuscript.title.casefold() not in {"references", "bibliography", "literature cited"}:
            return False
        return not self.manuscript.references and len(node.css("li")) > 1

    def _references(self, node: LexborNode) -> None:
        manuscript = self.manuscript
        manuscript.end_line()
        count = 0
        item = node.first_child
        while item is not None:
            if item.tag == "li":
                count += 1
                self._reference(item, count)
            item = item.next

    def _reference(self, item: LexborNode, count: int) -> None:
        manuscript = self.manuscript
        counter = (item.attrs.get("data-counter") or "").strip(" .")
        number = int(counter) if counter.isascii() and counter.isdigit() and len(counter) < 6 else count
        text_node, links_node = _parts_of_reference(item)
        text, links = _plain_text(text_node), list[Place]()
        if text is None:
            line = manuscript.apart(self._entry, text_node)
            text, links = line.finish(), line.links
        urls = tuple(dict.fromkeys(place.target for place in links if _leads_out(place.target))) if links else ()
        manuscript.references.append(Reference(number=number, text=text, doi=_reference_doi(links_node), urls=urls))
        manuscript.add_line(f"{number}. ", text, links)

    def _entry(self, node: LexborNode) -> None:
        """The text of an entry. A list in it holds links to indexes, not its text."""
        line, handler_of = self.manuscript.line, self._elements.get
        for child in node.iter(include_text=True):
            tag = child.tag
            if tag == "-text":
                line.add(child.text_content or "")
            elif tag not in _NO_ENTRY and (handler := handler_of(tag, self._children)) is not None:
                handler(child)


def _only_text(node: LexborNode) -> str | None:
    """The text of an element that holds nothing else; None of others."""
    first = node.first_child
    return first.text_content if first is not None and first.next is None else None


def _plain_text(node: LexborNode) -> str | None:
    """The text of an element in which nothing but emphasis is marked, on one line; None of others."""
    pieces = []
    for child in node.iter(include_text=True):
        tag = child.tag
        piece = child.text_content if tag == "-text" else _only_text(child) if tag in _EMPHASIS else None
        if piece is None:
            return None
        pieces.append(piece)
    return squeeze("".join(pieces))


def _only_paragraph(node: LexborNode) -> LexborNode | None:
    """The plain paragraph that an element holds, and nothing else."""
    first = node.first_child
    return first if first is not None and first.tag == "p" and first.next is None and not first.attributes else None


def _rows(table: LexborNode) -> Iterator[tuple[LexborNode, str]]:
    """The rows of a table itself, not of tables in its cells, each with the name of the part that it stands in."""
    for part in table.iter():
        if part.tag == "tr":
            yield part, ""
        elif part.tag in {"thead", "tbody", "tfoot"}:
            yield from ((row, part.tag) for row in part.iter() if row.tag == "tr")


_LAYS_OUT = "h1, h2, h3, h4, h5, h6, p + p, figure, section, article, main, nav, form, ul, ol"
"""What stands in the cells of tables that only lay out a page."""


def _is_plain_grid(table: LexborNode) -> bool:
    """Whether a table that nothing names holds values: rows and columns of cells, with no blocks of a page in them."""
    wide = (sum(cell.tag == "td" for cell in row.iter()) > 1 for row, _ in _rows(table))
    return sum(islice(filter(None, wide), 2)) > 1 and table.css_first(_LAYS_OUT) is None


def _outermost_tables(node: LexborNode) -> list[LexborNode]:
    """The tables in ``node`` that are in no other."""
    tables = node.css("table")
    if len(tables) < 2 or node.css_first("table table") is None:
        return tables
    found: list[LexborNode] = []
    waiting = [node]
    while waiting:
        inner = list(waiting.pop().iter())
        found += [one for one in inner if one.tag == "table"]
        waiting += [one for one in inner if one.tag != "table"]
    return found


_INDEX_HOSTS = re.compile(
    r"scholar\.google\.|adsabs\.harvard\.edu|ncbi\.nlm\.nih\.gov/entrez|chemport\.cas\.org|isiknowledge"
)


def _parts_of_reference(item: LexborNode) -> tuple[LexborNode, LexborNode]:
    """What holds the text of an entry, and what holds its links; the entry itself where it is not divided."""
    text, links = item, item
    for child in item.iter():
        if child.tag == "p":
            name = child.attrs.get("class") or ""
            if "references__text" in name:
                text = child
            elif "references__links" in name:
                links = child
    return text, links


def _reference_doi(links: LexborNode) -> str | None:
    """The DOI of an entry: the one that its markup names, else that of the first link that leads to one."""
    for link in links.iter():
        if link.tag == "a" and (doi := _doi_of(link.attrs.get("data-doi") or "")):
            return doi
    found = None
    for link in links.css("a"):
        attributes = link.attrs
        if doi := _doi_of(attributes.get("data-doi") or ""):
            return doi
        found = found or _doi_of(attributes.get("href") or "")
    return found


def _leads_out(address: str) -> bool:
    return _INDEX_HOSTS.search(address) is None


def _doi_of(text: str) -> str | None:
    return doi_in(text) if text.startswith("10.") or ("10." in text and _leads_out(text)) else None


# -- the whole ---------------------------------------------------------------------


def _refuse_other_pages(sections: Sequence[Section], head: Head, body: LexborNode, content: bytes) -> None:
    """Raise for pages that are no article, or only the outside of one."""
    written = sum(len(section.text) for section in sections if section.title.casefold() != "references")
    if written >= _LEAST_TEXT and (head.is_article or len(sections) > 1):
        return
    shown = squeeze(body.text(deep=True))[:20_000] + " " + head.page_title
    if head.is_article:
        if _NO_ACCESS.search(shown) or head.access == "no":
            raise NoFullTextError(
                "the page shows its abstract only, and offers access through an institution or for money",
                hint="Ingest the paper from a folder where you have it, or fetch it with a subscription.",
            )
        if written or head.description:
            return
    if _CAPTCHA.search(shown) and written < 4 * _LEAST_TEXT:
        raise NoArticleError(
            "the page asks whether its visitor is a robot; it is not the article",
            hint="Fetch more slowly, or ingest the paper from a folder.",
        )
    if _NO_ACCESS.search(shown) and written < 4 * _LEAST_TEXT:
        raise NoFullTextError(
            "the page asks its visitor to sign in", hint="Ingest the paper from a folder where you have it."
        )
    if _NOT_FOUND.search(shown) and written < 4 * _LEAST_TEXT:
        raise NoArticleError("the page says that there is no such page", hint="Look at the paper's DOI.")
    if written < _LEAST_TEXT:
        raise NoArticleError(
            f"the page holds no article: {len(content):,} bytes, {written} characters of text",
            hint="Look at what was fetched; fetch it again.",
        )


def _document(manuscript: Manuscript, sections: tuple[Section, ...], head: Head) -> Document:
    problems = list(manuscript.problems)
    missing = [table.label or "a table" for table in manuscript.tables if table.missing]
    if missing:
        problems.append(f"shown as a picture or on a page that is not here: {', '.join(missing[:20])}")
    if not any(section.text for section in sections):
        problems.append("the page has no text below its abstract")
    abstract = manuscript.abstract or head.description
    if not abstract:
        problems.append("the page has no abstract")
    return Document(
        source="html",
        title=head.title,
        doi=head.doi,
        article_type=head.article_type,
        journal=head.journal,
        published=head.published,
        authors=head.authors,
        abstract=abstract,
        sections=sections,
        links=tuple(manuscript.links),
        tables=tuple(manuscript.tables),
        figures=tuple(manuscript.figures),
        references=tuple(manuscript.references),
        citations=tuple(manuscript.citations),
        metadata=head.metadata,
        problems=tuple(dict.fromkeys(problems)),
    )


def _with_problems(document: Document, problems: list[str]) -> Document:
    return replace(document, problems=(*problems, *document.problems)) if problems else document
