"""An article in JATS, as Europe PMC and publishers give it, as a document.

JATS says what each thing is, but in many dialects: with and without namespaces, availability statements in the
body, the back, in notes and footnotes, references with and without punctuation. Elements are known by their local
names, and unknown ones are walked through. No entity, DTD or address outside of the file is ever looked at.
"""

from __future__ import annotations

import html.entities
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from lxml import etree

from nature_gym.reading.addresses import doi_in
from nature_gym.reading.document import Document, Figure, Link, Reference, Section, Table
from nature_gym.reading.mathml import tex_of
from nature_gym.reading.refusals import MEBIBYTE, NoArticleError, UnreadableError, refuse_size
from nature_gym.reading.sections import Manuscript
from nature_gym.reading.tables import PICTURE, Cell, Grid, as_table, grid, span, stacked
from nature_gym.reading.text import Place, bare_tex, squeeze

LIMIT = 32 * MEBIBYTE
"""Larger files are refused. An article has about 150 KB, one with all its formulas in MathML a few MB."""

_DEEPEST = 100
_XLINK = "{http://www.w3.org/1999/xlink}href"
_ESM = re.compile(r"\S+_ESM\.\w+$")
_LEFT_OUT = frozenset({
    "object-id", "alt-text", "long-desc", "permissions", "label", "title", "subtitle", "tex-math", "kwd-group", "front",
    "front-stub", "sub-article", "response", "table-wrap-foot", "sec-meta", "processing-meta", "title-group", "attrib",
    "fn-type", "contrib-group", "counts", "custom-meta-group", "journal-meta", "article-meta", "history", "index-term",
    "email", "phone", "fax",
})  # fmt: skip
_BLOCKS = frozenset({
    "p", "disp-quote", "verse-group", "verse-line", "speech", "statement", "preformat", "code", "def-item", "address",
    "attribution", "fig-group", "table-wrap-group", "tr", "td", "th", "fn", "media", "caption", "bio",
    "question", "answer",
})  # fmt: skip
_SECTIONS = frozenset({"sec", "app", "boxed-text", "ack", "notes", "fn-group", "glossary", "app-group"})
_UNTITLED = {
    "ack": "Acknowledgements",
    "ref-list": "References",
    "fn-group": "Footnotes",
    "glossary": "Glossary",
    "data-availability": "Data availability",
    "COI-statement": "Competing interests",
    "author-contribution": "Author contributions",
}
_ANOTHER_ABSTRACT = re.compile(
    r"graphic|short|teaser|summary|toc|editor|highlight|key-?points|lay|plain", re.IGNORECASE
)
_PUBLISHED = ("epub", "pub", "epub-ppub", "", "ppub", "collection", "pmc-release")


def read_jats(content: bytes) -> Document:
    """Read an article in JATS.

    Raises NoArticleError for what is no JATS article, and UnreadableError for one that is too large or so broken
    that nothing can be made of it. Lesser troubles are in ``problems``.
    """
    refuse_size(content, LIMIT, "XML file")
    root, problems = _parse(content)
    article = _article(root)
    head = _child(article, "front")
    meta = _child(head, "article-meta") if head is not None else None
    walker = _Walker(_ids(meta))
    title = walker.text_of(next(_named(meta, "article-title"), None)) if meta is not None else ""
    if (abstract := _abstract_of(meta)) is not None:
        walker.read_abstract(abstract)
    for name in ("body", "back", "floats-group"):
        if (part := _child(article, name)) is not None:
            walker.read(part)
    sections = walker.manuscript.finish()
    if not title and not sections:
        raise UnreadableError(
            "the XML file has neither a title nor text", hint="It is truncated or damaged; fetch it again."
        )
    return _document(walker, head, meta, article, title, sections, problems)


def _abstract_of(meta: etree._Element | None) -> etree._Element | None:
    """The abstract proper: not its picture, its teaser, or its summary for others."""
    known = [one for one in _named(meta, "abstract") if not _ANOTHER_ABSTRACT.search(one.get("abstract-type") or "")]
    return min(known, key=lambda one: one.get("abstract-type") is not None, default=None)


# -- the file ----------------------------------------------------------------------


def _parse(content: bytes) -> tuple[etree._Element, list[str]]:
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        parsed: Any = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise NoArticleError(f"the file is no XML: {error}", hint="Look at what was fetched.") from error
    if parsed is None:  # nothing at all could be recovered
        raise NoArticleError("the file is no XML", hint="Look at what was fetched.")
    root: etree._Element = parsed
    serious = [entry for entry in parser.error_log if entry.level_name in {"ERROR", "FATAL"}]
    serious = [entry for entry in serious if entry.type_name not in {"ERR_UNDECLARED_ENTITY", "WAR_UNDECLARED_ENTITY"}]
    if not serious:
        return root, []
    first = serious[0]
    return root, [f"the XML is broken at line {first.line}: {squeeze(first.message)[:120]}; what could be read is here"]


def _article(root: etree._Element) -> etree._Element:
    """The article, which answers of some services wrap."""
    if _name(root) == "article":
        return root
    found = next((one for one in root.iter() if _name(one) == "article"), None)
    if found is None:
        raise NoArticleError(
            f"the XML is no JATS article: its root is <{_name(root)[:40]}>", hint="Look at what was fetched."
        )
    return found


def _name(element: etree._Element) -> str:
    tag: object = element.tag  # of comments and entities, it is a function
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2] if tag[0] == "{" else tag


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element if _name(child) == name), None)


def _named(element: etree._Element | None, *names: str) -> Iterator[etree._Element]:
    """All elements of those names below ``element``, in order."""
    if element is not None:
        yield from (one for one in element.iter() if _name(one) in names)


def _outermost(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """The elements of that name below ``element`` that are in no other of it, in order."""
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if one is not element and _name(one) == name:
            yield one
        else:
            waiting += reversed(one)


def _rows(table: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """The rows of a table itself, not of tables in its cells, each with the name of the part that it stands in."""
    for part in table:
        name = _name(part)
        if name == "tr":
            yield part, ""
        elif name in {"thead", "tbody", "tfoot"}:
            yield from ((row, name) for row in part if _name(row) == "tr")


def _plain(element: etree._Element | None) -> str:
    return squeeze("".join(map(str, element.itertext()))) if element is not None else ""


# -- the walk ----------------------------------------------------------------------


class _Walker:
    """Walks an article and writes what it meets into a manuscript."""

    def __init__(self, ids: dict[str, str]) -> None:
        self.manuscript = Manuscript()
        self.ids = ids
        self.pictured_formulas = 0
        self._in_floats = False
        self._in_cell = False
        self._depth = 0
        self._level = 0
        self._elements: dict[str, Callable[[etree._Element], None]] = {
            **dict.fromkeys(_SECTIONS, self._section),
            **dict.fromkeys(_BLOCKS, self._block),
            **dict.fromkeys(("ext-link", "uri", "self-uri", "related-object"), self._link),
            **dict.fromkeys(("inline-formula", "disp-formula", "math", "alternatives"), self._formula),
            **dict.fromkeys(("supplementary-material", "inline-supplementary-material"), self._supplement),
            "ref-list": self._references,
            "xref": self._cross_reference,
            "sup": self._superscript,
            "sub": self._subscript,
            "name": self._person,
            "break": lambda _: self.manuscript.line.space(),
            "etal": lambda element: self.manuscript.line.add(_plain(element) or "et al"),
            "list": self._list,
            "def-list": self._definitions,
            "fig": self._figure,
            "table-wrap": self._table_wrap,
            "table": self._bare_table,
        }  # fmt: skip

    def read(self, element: etree._Element) -> None:
        """Read a part of the article: body, back, floats."""
        self._level = 0
        self._in_floats = _name(element) == "floats-group"
        if self.manuscript.title or _name(element) != "body":
            self.manuscript.open_rest(1)
        self._children(element)
        self.manuscript.end_line()

    def read_abstract(self, element: etree._Element) -> None:
        """Read the abstract; headings in it begin its lines."""
        self.manuscript.open_abstract()
        self._abstract(element)
        self.manuscript.open_rest(1)

    def _abstract(self, element: etree._Element) -> None:
        for child in element:
            name = _name(child)
            if name == "sec" and child.get("sec-type") != "kwd-group":
                if title := _plain(_child(child, "title")):
                    self.manuscript.lead(f"{title.rstrip(':.')}: ")
                self._abstract(child)
            elif name not in {"sec", "title", "label", "object-id"}:
                self._element(child)

    def text_of(self, element: etree._Element | None) -> str:
        """What is in ``element``, as one line."""
        return self.manuscript.text_of(self._children, element) if element is not None else ""

    def _children(self, element: etree._Element) -> None:
        line = self.manuscript.line
        if element.text:
            line.add(element.text)
        if self._depth >= _DEEPEST:
            line.add("".join(map(str, element.itertext()))[len(element.text or "") :])
            return
        self._depth += 1
        for child in element:
            self._element(child)
            if child.tail:
                self.manuscript.line.add(child.tail)
        self._depth -= 1

    def _element(self, element: etree._Element) -> None:
        if element.tag is etree.Entity:
            name = (element.text or "").strip("&;")
            self.manuscript.line.add(html.entities.html5.get(f"{name};", ""))
            return
        name = _name(element)
        handler = self._elements.get(name)
        if handler is not None:
            handler(element)
        elif name and name not in _LEFT_OUT:
            self._children(element)

    # -- blocks --

    def _block(self, element: etree._Element) -> None:
        self.manuscript.end_line()
        self._children(element)
        self.manuscript.end_line()

    def _section(self, element: etree._Element) -> None:
        if element.get("sec-type") == "kwd-group":
            return
        manuscript = self.manuscript
        title = self._title(element)
        if not title:
            manuscript.end_line()
            self._children(element)
            manuscript.end_line()
            return
        self._level += 1
        manuscript.open_section(title, self._level)
        self._children(element)
        manuscript.end_line()
        self._level -= 1

    def _title(self, element: etree._Element) -> str:
        """A section's heading; where it has none, the name of what it is, unless sections in it have their own."""
        stated = _child(element, "title")
        if stated is not None and (title := self.text_of(stated)):
            return title
        name = _name(element)
        kind = element.get("notes-type") or ""
        if any(_name(child) == "sec" for child in element):
            return ""
        known = _UNTITLED.get(kind) or _UNTITLED.get(name, "")
        return known if known != self.manuscript.title else ""

    def _list(self, element: etree._Element) -> None:
        manuscript = self.manuscript
        ordered = (element.get("list-type") or "") in {"order", "ordered", "arabic"}
        count = 0
        for item in element:
            if _name(item) != "list-item":
                continue
            count += 1
            label = _plain(_child(item, "label"))
            manuscript.end_line()
            manuscript.lead(f"{label} " if label else f"{count}. " if ordered else "- ")
            self._children(item)
            manuscript.end_line()
            manuscript.lead("")

    def _definitions(self, element: etree._Element) -> None:
        manuscript = self.manuscript
        for item in _named(element, "def-item"):
            manuscript.end_line()
            term, meaning = _child(item, "term"), _child(item, "def")
            words = self.text_of(term), self.text_of(meaning)
            manuscript.line.add(": ".join(part for part in words if part))
            manuscript.end_line()

    # -- inline --

    def _superscript(self, element: etree._Element) -> None:
        content = self.manuscript.apart(self._children, element)
        self.manuscript.line.superscript(content)

    def _subscript(self, element: etree._Element) -> None:
        content = self.manuscript.apart(self._children, element)
        self.manuscript.line.lower_text(content.text)

    def _person(self, element: etree._Element) -> None:
        surname, given = _plain(_child(element, "surname")), _plain(_child(element, "given-names"))
        self.manuscript.line.add(f"{surname} {given}".strip())

    def _cross_reference(self, element: etree._Element) -> None:
        kind = element.get("ref-type") or ""
        if kind != "bibr":
            if kind not in {"author-notes", "corresp"}:
                self._children(element)
            return
        shown = _plain(element)
        numbers = (
            [shown] if shown.isascii() and shown.isdigit() else re.findall(r"(\d+)(?:\s|$)", element.get("rid") or "")
        )
        line = self.manuscript.line
        start = line.next_start
        self._children(element)
        for number in numbers or [""]:
            line.inline_citations.append(Place(number.lstrip("0"), start, len(line)))

    def _link(self, element: etree._Element) -> None:
        address = self._address(element.get(_XLINK) or element.get("href") or "")
        if not address and _name(element) == "uri":
            address = self._address(_plain(element))
        if not address:
            self._children(element)
            return
        line = self.manuscript.line
        place = line.open_link(address)
        self._children(element)
        line.close_link(place)

    def _address(self, target: str) -> str:
        """A link's target as an address, or nothing where it leads nowhere."""
        target = "".join(target.split())
        if re.match(r"(?:https?|ftp)://[^/]", target, re.IGNORECASE):
            return target
        if doi := re.match(r"(?:doi:)?(10\.\d{4,9}/\S+)", target, re.IGNORECASE):
            return f"https://doi.org/{doi[1]}"
        return f"http://{target}" if target.startswith("www.") else ""

    def _formula(self, element: etree._Element) -> None:
        """A formula: its TeX where it has that, else its MathML; some have no more than a picture."""
        manuscript = self.manuscript
        if _name(element) == "alternatives" and not any(True for _ in _named(element, "tex-math", "math")):
            self._children(element)
            return
        display = _name(element) == "disp-formula"
        if display:
            manuscript.end_line()
        tex = next(_named(element, "tex-math"), None)
        mathml = next(_named(element, "math"), None)
        if tex is not None and (text := bare_tex("".join(map(str, tex.itertext())))[0]):
            manuscript.line.math(text, display=display)
        elif mathml is not None:
            manuscript.line.math(tex_of(mathml), display=display)
        elif any(True for _ in _named(element, "graphic", "inline-graphic")):
            self.pictured_formulas += 1
            manuscript.line.add("[formula]")
        else:
            self._children(element)
        if display:
            manuscript.end_line()

    # -- floats --

    def _figure(self, element: etree._Element) -> None:
        self.manuscript.end_line()
        picture = next(_named(element, "graphic"), None)
        address = self._address(picture.get(_XLINK) or "") if picture is not None else ""
        self.manuscript.figures.append(
            Figure(
                label=_plain(_child(element, "label")).rstrip(".:| "),
                caption=self._caption(element),
                url=address or None,
                section=self._section_of_floats,
            )
        )

    @property
    def _section_of_floats(self) -> int | None:
        """The section that a figure or table stands in; unknown where they are all gathered at the end."""
        return None if self._in_floats else self.manuscript.section

    def _caption(self, element: etree._Element) -> str:
        caption = _child(element, "caption")
        if caption is None:
            return ""
        parts = [self.text_of(part) for part in caption if _name(part) in {"title", "p"}]
        return " ".join(part for part in parts if part)

    def _table_wrap(self, element: etree._Element) -> None:
        self.manuscript.end_line()
        foot = _child(element, "table-wrap-foot")
        notes = self.text_of(foot) if foot is not None else ""
        label = _plain(_child(element, "label")).rstrip(".:| ")
        tables = list(_outermost(element, "table"))
        self._add_table(label, self._caption(element), tables, notes)

    def _bare_table(self, element: etree._Element) -> None:
        """A table without a frame: one of the article, or within another's cell no more than text."""
        if self._in_cell:
            self._block(element)
        else:
            self._add_table("", "", [element], "")

    def _add_table(self, label: str, caption: str, tables: list[etree._Element], notes: str) -> None:
        manuscript = self.manuscript
        grids = [made for table in tables if (made := self._grid(table)).rows]
        if not grids:
            manuscript.tables.append(
                Table(label=label, caption=caption, rows=(), notes=notes, section=self._section_of_floats, missing=True)
            )
            return
        made = stacked(grids)
        if made.cut:
            manuscript.problems.append(f"{label or 'a table'} has more cells than can be read; its end is missing")
        manuscript.tables.append(
            as_table(made, label=label, caption=caption, notes=notes, section=self._section_of_floats)
        )

    def _grid(self, table: etree._Element) -> Grid:
        rows, head = [], 0
        for row, part in _rows(table):
            cells = [self._cell(cell) for cell in row if _name(cell) in {"td", "th"}]
            if cells:
                rows.append(cells)
                if part == "thead" and head == len(rows) - 1:
                    head += 1
        return grid(rows, head)

    def _cell(self, element: etree._Element) -> Cell:
        outer, self._in_cell = self._in_cell, True
        text = self.text_of(element)
        self._in_cell = outer
        if not text and next(_named(element, "graphic", "inline-graphic"), None) is not None:
            text = PICTURE
        bold = next(_named(element, "bold"), None)
        return Cell(
            text=text,
            columns=span(element.get("colspan")),
            rows=span(element.get("rowspan")),
            heading=_name(element) == "th",
            bold=bold is not None and bool(text) and _plain(bold) == _plain(element),
        )

    def _supplement(self, element: etree._Element) -> None:
        """A supplementary file: a line with its name, its caption and a link to it."""
        manuscript = self.manuscript
        holder = element if element.get(_XLINK) else next(_named(element, "media", "graphic"), element)
        if _name(element) == "supplementary-material":
            manuscript.end_line()
        line = manuscript.line
        address = self._file_address(holder.get(_XLINK) or "")
        place = line.open_link(address) if address else None
        if label := _plain(_child(element, "label")):
            line.add(label + " ")
        caption = _child(element, "caption")
        caption = caption if caption is not None else _child(holder, "caption")
        with_caption = caption if caption is not None else element
        line.add(self.text_of(with_caption))
        if not len(line) and address:
            line.add(holder.get(_XLINK) or "")
        if place is not None:
            line.close_link(place)
        if _name(element) == "supplementary-material":
            manuscript.end_line()

    def _file_address(self, name: str) -> str:
        """Where a supplementary file that is named without an address can be had."""
        if address := self._address(name):
            return address
        doi, pmcid = self.ids.get("doi", ""), self.ids.get("pmcid", "")
        if not name or "/" in name:
            return ""
        if doi.startswith("10.1038/") and _ESM.match(name):
            return f"https://static-content.springer.com/esm/art%3A{quote(doi, safe='')}/MediaObjects/{quote(name)}"
        if pmcid:
            return f"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC{pmcid.removeprefix('PMC')}/bin/{quote(name)}"
        return ""

    # -- references --

    def _references(self, element: etree._Element) -> None:
        manuscript = self.manuscript
        if manuscript.title.casefold() != "references":
            self._level += 1
            manuscript.open_section(self._title(element) or "References", self._level)
            self._level -= 1
        for entry in element:
            name = _name(entry)
            if name == "ref":
                self._reference(entry)
            elif name == "ref-list":
                self._references(entry)
            elif name == "p":
                self._block(entry)

    def _reference(self, entry: etree._Element) -> None:
        manuscript = self.manuscript
        label = re.search(r"\d+", _plain(_child(entry, "label")))
        number = int(label[0]) if label and len(label[0]) < 6 else len(manuscript.references) + 1
        citations = [
            one for one in entry if _name(one) in {"mixed-citation", "element-citation", "citation", "nlm-citation"}
        ]
        doi = None
        texts: list[str] = []
        urls: list[str] = []
        for citation in citations or [entry]:
            doi = doi or _reference_doi(citation)
            before = len(manuscript.links)
            structured = _name(citation) in {"element-citation", "nlm-citation"} and not (citation.text or "").strip()
            texts.append(_written_out(citation) if structured else self._mixed(citation))
            urls += [link.url for link in manuscript.links[before:]]
            if structured:
                urls += [
                    address
                    for one in _named(citation, "ext-link", "uri")
                    if (address := self._address(one.get(_XLINK) or _plain(one)))
                ]
            del manuscript.links[before:]
        text = " ".join(part for part in texts if part)
        urls = [url for url in dict.fromkeys(urls) if not doi or doi_in(url) != doi]
        manuscript.references.append(Reference(number=number, text=text, doi=doi, urls=tuple(urls)))
        line = manuscript.line
        manuscript.lead(f"{number}. ")
        start = line.next_start
        for url in urls:
            at = text.find(url)
            line.links.append(Place(url, start + max(at, 0), start + (at + len(url) if at >= 0 else 0)))
        line.add(text)
        manuscript.end_line()
        manuscript.lead("")

    def _mixed(self, citation: etree._Element) -> str:
        """A citation with its punctuation. Links that only look it up in an index are left out."""
        line = self.manuscript.apart(self._children_of_citation, citation)
        text = line.finish()
        for place in line.links:
            link = Link(place.target, text[place.start : place.end], self.manuscript.section, place.start)
            self.manuscript.links.append(link)
        return text

    def _children_of_citation(self, citation: etree._Element) -> None:
        line = self.manuscript.line
        line.add(citation.text or "")
        for child in citation:
            name = _name(child)
            index = name == "ext-link" and (child.get("ext-link-type") or "") in {
                "google-scholar",
                "doi",
                "pmid",
                "pmcid",
            }
            if name == "pub-id" and child.get("pub-id-type") == "doi":
                line.add(f" https://doi.org/{_plain(child)} ")
            elif name not in {"pub-id", "object-id"} and not (index and not _plain(child)):
                self._element(child)
            line.add(child.tail or "")


def _reference_doi(citation: etree._Element) -> str | None:
    for element in _named(citation, "pub-id", "ext-link", "uri"):
        if _name(element) == "pub-id" and element.get("pub-id-type") != "doi":
            continue
        target = element.get(_XLINK) or ""
        if "scholar.google" in target or element.get("ext-link-type") == "google-scholar":
            continue
        if doi := doi_in(target) or doi_in(_plain(element)):
            return doi
    return None


def _written_out(citation: etree._Element) -> str:
    """A reference that is given in parts, as one would print it."""

    def part(name: str) -> str:
        return _plain(next(_named(citation, name), None))

    people = [
        squeeze(f"{_plain(_child(name, 'surname'))} {_plain(_child(name, 'given-names'))}")
        for name in _named(citation, "name")
    ] + [_plain(one) for one in _named(citation, "collab", "string-name")]
    who = ", ".join(people[:20]) + (" et al." if next(_named(citation, "etal"), None) is not None else "")
    pages = "–".join(page for page in (part("fpage") or part("elocation-id"), part("lpage")) if page)
    title = part("article-title") or part("chapter-title") or part("data-title")
    where = " ".join(piece for piece in (part("source"), part("volume")) if piece)
    where = ", ".join(piece for piece in (where, pages) if piece)
    year = f"({part('year')})" if part("year") else ""
    more = [_plain(one) for one in _named(citation, "comment", "publisher-name", "ext-link", "uri") if _plain(one)]
    doi = next((one for one in _named(citation, "pub-id") if one.get("pub-id-type") == "doi"), None)
    if doi is not None and _plain(doi):
        more.append(f"https://doi.org/{_plain(doi)}")
    pieces = [f"{who.rstrip('.')}." if who else "", f"{title.rstrip('.')}." if title else "", where, year, *more]
    return " ".join(piece for piece in pieces if piece)


# -- the whole ---------------------------------------------------------------------


def _ids(meta: etree._Element | None) -> dict[str, str]:
    return {
        one.get("pub-id-type") or "": _plain(one)
        for one in (meta if meta is not None else ())
        if _name(one) == "article-id"
    }


def _document(
    walker: _Walker,
    head: etree._Element | None,
    meta: etree._Element | None,
    article: etree._Element,
    title: str,
    sections: tuple[Section, ...],
    problems: list[str],
) -> Document:
    manuscript = walker.manuscript
    problems = problems + manuscript.problems
    missing = [table.label or "a table" for table in manuscript.tables if table.missing]
    if missing:
        problems.append(f"shown as a picture: {', '.join(missing[:20])}")
    if walker.pictured_formulas:
        problems.append(f"{walker.pictured_formulas} formulas are pictures; the text has [formula] in their places")
    if not any(section.text for section in sections):
        problems.append("the file has no text below its abstract")
    if not title:
        problems.append("the file has no title")
    kind = article.get("article-type") or ""
    journal = next(_named(head, "journal-title"), None)
    ids = {name: value for name, value in walker.ids.items() if name in {"pmid", "pmcid", "publisher-id"} and value}
    return Document(
        source="xml",
        title=title,
        doi=doi_in(walker.ids.get("doi", "")),
        article_type=_heading_subject(meta) or kind,
        journal=_plain(journal),
        published=_published(meta),
        authors=tuple(_authors(meta)),
        abstract=manuscript.abstract,
        sections=sections,
        links=tuple(manuscript.links),
        tables=tuple(manuscript.tables),
        figures=tuple(manuscript.figures),
        references=tuple(manuscript.references),
        citations=tuple(manuscript.citations),
        metadata={**ids, **({"article-type": kind} if kind else {}), **_retraction(meta)},
        problems=tuple(dict.fromkeys(problems)),
    )


def _retraction(meta: etree._Element | None) -> dict[str, str]:
    """``retracted`` -> how the file says so, where it points forward to the article's retraction."""
    kinds = (one.get("related-article-type") or "" for one in _named(meta, "related-article"))
    return next(({"retracted": f"related article: {kind}"} for kind in kinds if kind in _RETRACTIONS), {})


_RETRACTIONS = frozenset({"retraction-forward", "retraction"})
"""How an article's file calls the notice that retracts it; the notice calls the article ``retracted-article``."""


def _heading_subject(meta: etree._Element | None) -> str:
    groups = list(_named(meta, "subj-group"))
    for group in [one for one in groups if one.get("subj-group-type") == "heading"] or groups[:1]:
        if subject := _plain(_child(group, "subject")):
            return subject
    return ""


def _authors(meta: etree._Element | None) -> Iterator[str]:
    for contributor in _named(meta, "contrib"):
        if contributor.get("contrib-type") not in {None, "author"}:
            continue
        name = next(_named(contributor, "name"), None)
        if name is not None:
            yield squeeze(f"{_plain(_child(name, 'given-names'))} {_plain(_child(name, 'surname'))}")
        elif (other := next(_named(contributor, "string-name", "collab"), None)) is not None:
            yield _plain(other)


def _published(meta: etree._Element | None) -> str:
    """The date of publication, online before in print."""
    dates = [one for one in (meta if meta is not None else ()) if _name(one) == "pub-date"]

    def rank(date: etree._Element) -> int:
        kind = date.get("pub-type") or date.get("date-type") or ""
        return _PUBLISHED.index(kind) if kind in _PUBLISHED else len(_PUBLISHED)

    for date in sorted(dates, key=rank):
        parts = [_plain(_child(date, name)) for name in ("year", "month", "day")]
        if re.fullmatch(r"\d{4}", parts[0]):
            known = [parts[0]]
            for part in parts[1:]:
                if not re.fullmatch(r"\d{1,2}", part):
                    break
                known.append(part.zfill(2))
            return "-".join(known)
    return ""
