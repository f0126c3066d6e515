"""A paper's texts, tables and figures as the publisher's pages write them in HTML.

A page carries its formulas as TeX, as the publisher's do; the writer keeps their MathML
aside for the script that shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, TypeVar

from markupsafe import Markup, escape

from nature_gym.demo.inline import (
    Bold,
    Citation,
    CrossReference,
    Italic,
    Link,
    Math,
    Node,
    Subscript,
    Superscript,
    Text,
    parse,
    plain,
    ranges,
)
from nature_gym.demo.model import (
    Bullets,
    Equation,
    Figure,
    Paper,
    Paragraph,
    Placement,
    Reference,
    Section,
    Table,
)
from nature_gym.demo.typesetting import drawing, edition
from nature_gym.demo.typesetting.mathematics import mathml
from nature_gym.errors import NatureGymError

_WIDEST_INLINE_TABLE = 6
"""Columns up to which the old design prints a table in the article."""


class NoSuchFloatError(NatureGymError):
    """A table or figure was asked for that the paper does not have."""


Float = TypeVar("Float", Table, Figure)


def find(floats: Sequence[Float], number: int, paper: Paper, what: str) -> Float:
    """The table or figure of that number."""
    for entry in floats:
        if entry.number == number:
            return entry
    raise NoSuchFloatError(f"{paper.suffix} has no {what} {number}", hint=f"It has {len(floats)}.")


def figure_address(paper: Paper, number: int) -> str:
    """Where the site's pages look for a figure's picture (a PNG), from the root of the site."""
    return f"/articles/{paper.suffix}/figures/{number}.png"


def filled(pattern: str, *values: object, **named: object) -> Markup:
    """A pattern of ours, with its values escaped unless they are markup already."""
    return Markup(pattern).format(*values, **named)  # noqa: S704 -- patterns are ours


# -- running text ------------------------------------------------------------------


_TAGS: dict[type[Node], str] = {Italic: "i", Bold: "b", Superscript: "sup", Subscript: "sub"}


class Part(TypedDict):
    """A main section, ready for the template."""

    title: str
    anchor: str
    content: Markup


@dataclass(slots=True)
class Writer:
    """Writes one page's texts and collects its formulas."""

    paper: Paper
    formulas: list[str] = field(default_factory=list)
    equations: int = 0
    headings: int = 0

    @property
    def old(self) -> bool:
        return self.paper.template == "old"

    def inline(self, text: str) -> Markup:
        return self.nodes(parse(text))

    def nodes(self, nodes: Iterable[Node]) -> Markup:
        return Markup().join(map(self.node, nodes))

    def node(self, node: Node) -> Markup:
        match node:
            case Text(text):
                return escape(text)
            case Italic(children) | Bold(children) | Superscript(children) | Subscript(children):
                tag = _TAGS[type(node)]
                return filled(f"<{tag}>{{}}</{tag}>", self.nodes(children))
            case Link(children, url):
                return filled('<a href="{}">{}</a>', url, self.nodes(children))
            case Math(tex):
                return self.formula(tex, display=False)
            case CrossReference():
                return self.cross_reference(node)
            case Citation(numbers):
                return self.citation(numbers)

    def formula(self, tex: str, *, display: bool) -> Markup:
        self.formulas.append(mathml(tex, display=display))
        pattern = '<span class="mathjax-tex">$${}$$</span>' if display else '<span class="mathjax-tex">\\({}\\)</span>'
        return filled(pattern, tex)

    def cross_reference(self, node: CrossReference) -> Markup:
        if self.old:
            anchor = f"{'t' if node.what == 'table' else 'f'}{node.number}"
            return filled('<a href="#{}">{}</a>', anchor, node.label)
        anchor = f"{'Tab' if node.what == 'table' else 'Fig'}{node.number}"
        word, _, number = node.label.rpartition(" ")
        return filled(
            '{}\N{NO-BREAK SPACE}<a data-track="click" data-track-action="{} anchor" href="/articles/{}#{}">{}</a>',
            word,
            node.what,
            self.paper.suffix,
            anchor,
            number,
        )

    def citation(self, numbers: tuple[int, ...]) -> Markup:
        """Each end of a range is a link; what lies between is printed only as a dash."""
        printed = ranges(numbers)
        links = [Markup("–").join(map(self.citation_link, piece.split("–"))) for piece in printed.split(",")]
        return filled("<sup>{}</sup>", Markup(",").join(links))

    def citation_link(self, number: str) -> Markup:
        if self.old:
            return filled(
                '<a href="#ref{}" title="{}" id="ref-link-{}">{}</a>', number, self.cited(number), number, number
            )
        return filled(
            '<a data-track="click" data-track-action="reference anchor" data-track-label="link" '
            'data-test="citation-ref" title="{}" href="/articles/{}#ref-CR{}" id="ref-link-section-{}">{}</a>',
            self.cited(number),
            self.paper.suffix,
            number,
            number,
            number,
        )

    def cited(self, number: str) -> str:
        """The hover text of a citation."""
        index = int(number) - 1
        if index >= len(self.paper.references):
            return ""
        reference = self.paper.references[index]
        return f"{reference.authors} {plain(reference.title)}. {reference.source} ({reference.year})."

    # -- blocks --

    def part(self, section: Section, below: Sequence[Section]) -> Part:
        """A main section with what stands below it."""
        self.headings += 1
        title = plain(section.title)
        named = title.casefold().replace(" ", "-")
        anchor = named if self.old or "availability" in named else f"Sec{self.headings}"
        content = [self.blocks(section)]
        for subsection in below:
            content += [self.heading(subsection), self.blocks(subsection)]
        return Part(title=title, anchor=anchor, content=Markup().join(content))

    def heading(self, section: Section) -> Markup:
        self.headings += 1
        level = section.level if self.old else section.level + 1
        pattern = (
            '<h{0} id="{1}">{2}</h{0}>' if self.old else '<h{0} class="c-article__sub-heading" id="Sec{3}">{2}</h{0}>'
        )
        anchor = "".join(c for c in plain(section.title).casefold().replace(" ", "-") if c.isalnum() or c == "-")
        return filled(pattern, level, anchor, self.inline(section.title), self.headings)

    def blocks(self, section: Section) -> Markup:
        return Markup().join(map(self.block, section.blocks))

    def block(self, block: Paragraph | Bullets | Equation | Placement) -> Markup:
        match block:
            case Paragraph(text):
                return filled("<p>{}</p>", self.inline(text))
            case Bullets(items):
                listed = Markup().join(filled("<li><p>{}</p></li>", self.inline(item)) for item in items)
                kind = "" if self.old else ' class="u-list-style-bullet"'
                return filled(f"<ul{kind}>{{}}</ul>", listed)
            case Equation(tex):
                return self.equation(tex)
            case Placement("table", number):
                return self.placed_table(find(self.paper.tables, number, self.paper, "table"))
            case Placement(_, number):
                return self.placed_figure(find(self.paper.figures, number, self.paper, "figure"))

    def equation(self, tex: str) -> Markup:
        self.equations += 1
        pattern = (
            '<div class="equation" id="eq{0}">{1} <span class="number">({0})</span></div>'
            if self.old
            else '<div id="Equ{0}" class="c-article-equation"><div class="c-article-equation__content">{1}</div>'
            '<div class="c-article-equation__number">({0})</div></div>'
        )
        return filled(pattern, self.equations, self.formula(tex, display=True))

    def placed_table(self, table: Table) -> Markup:
        address = f"/articles/{self.paper.suffix}/tables/{table.number}"
        if not self.old:
            return filled(
                '<div class="c-article-table" data-test="inline-table" data-container-section="table" id="table-{0}">'
                '<figure><figcaption class="c-article-table__figcaption"><b id="Tab{0}" data-test="table-caption">'
                'Table {0} {1}</b></figcaption><div class="u-text-right u-hide-print">'
                '<a class="c-article__pill-button" data-test="table-link" data-track="click" '
                'data-track-action="view table" data-track-label="button" '
                'rel="nofollow" href="{2}" aria-label="Full size table {0}"><span>Full size table</span></a></div>'
                "</figure></div>",
                table.number,
                self.inline(table.caption),
                address,
            )
        content = filled('<a href="{}" class="table-link"><span>Full table</span></a>', address)
        if columns(table) <= _WIDEST_INLINE_TABLE:
            notes = Markup().join(filled("<p>{}</p>", self.inline(note)) for note in table.notes)
            content = self.table(table) + filled('<div class="table-footer">{}</div>', notes)
        return filled(
            '<div class="table figure cleared" id="t{0}"><figure><figcaption>'
            '<span class="legend">Table {0}: {1}</span></figcaption>'
            '<div class="item-content box"><div class="description">{2}</div></div></figure></div>',
            table.number,
            self.inline(table.caption),
            content,
        )

    def placed_figure(self, figure: Figure) -> Markup:
        number = figure.number
        title, description = edition.caption_parts(figure.caption)
        below = filled("<p>{}</p>", self.inline(description)) if description else Markup()
        picture = figure_address(self.paper, number)
        page = f"/articles/{self.paper.suffix}/figures/{number}"
        pattern = _OLD_FIGURE if self.old else _NEW_FIGURE
        return filled(
            pattern,
            number=number,
            title=self.inline(title),
            title_text=plain(title),
            picture=picture,
            page=page,
            description=below,
            width=drawing.figure_size(figure)[0],
            height=drawing.figure_size(figure)[1],
        )

    def table(self, table: Table) -> Markup:
        head = Markup().join(self.row(spans(row), "th") for row in table.header)
        body = Markup().join(self.row([(cell, 1) for cell in row], "td") for row in table.rows)
        kinds = ("", "") if self.old else (' class="data last-table"', ' class="c-article-table-head"')
        return filled(f"<table{kinds[0]}><thead{kinds[1]}>{{}}</thead><tbody>{{}}</tbody></table>", head, body)

    def row(self, cells: Iterable[tuple[str, int]], tag: str) -> Markup:
        written = Markup().join(self.cell(cell, span, tag) for cell, span in cells)
        return filled("<tr>{}</tr>", written)

    def cell(self, text: str, span: int, tag: str) -> Markup:
        columns = f' colspan="{span}"' if span > 1 else ""
        content = self.inline(text)
        if self.old:
            return filled(f"<{tag}{columns}>{{}}</{tag}>", content)
        side = "center" if span > 1 else "left"
        return filled(f'<{tag} class="u-text-{side} "{columns}><p>{{}}</p></{tag}>', content)

    def reference(self, reference: Reference) -> dict[str, str | Markup | None]:
        source, volume, pages = edition.source_parts(reference.source)
        title = self.inline(reference.title.rstrip("."))
        pattern = _OLD_REFERENCE if self.old else "{} {}. <i>{}</i>{} ({})."
        place = filled(_OLD_PLACE if self.old else " <b>{}</b>, {}", volume, pages) if volume else Markup()
        text = filled(pattern, reference.authors, title, source, place, reference.year)
        if reference.url:
            text += filled(
                ' <a href="{0}" data-track="click" data-track-action="external reference">{0}</a>', reference.url
            )
        return {"text": text, "doi": reference.doi, "query": plain(reference.title)}


_OLD_REFERENCE = (
    '<span class="vcard author"><span class="fn">{}</span></span> <span class="title">{}</span>. '
    '<span class="source-title">{}</span>{} (<span class="year">{}</span>).'
)
_OLD_PLACE = ' <span class="volume">{}</span>, <span class="start-page">{}</span>'
_NEW_FIGURE = (
    '<div class="c-article-section__figure js-c-reading-companion-figures-item" data-test="figure" '
    'data-container-section="figure" id="figure-{number}" data-title="{title_text}"><figure><figcaption>'
    '<b id="Fig{number}" class="c-article-section__figure-caption" data-test="figure-caption-text">'
    'Fig. {number}: {title}</b></figcaption><div class="c-article-section__figure-content">'
    '<div class="c-article-section__figure-item"><picture class="c-article-section__figure-picture">'
    '<img aria-describedby="figure-{number}-desc" src="{picture}" alt="Fig. {number}: {title_text}" loading="lazy" '
    'width="{width}" height="{height}"></picture><div class="c-article-section__figure-link">'
    '<a class="c-article__pill-button" data-test="article-link" data-track="click" data-track-action="view figure" '
    'href="{page}" aria-label="Full size image figure {number}" rel="nofollow"><span>Full size image</span></a></div>'
    "</div>"
    '<div class="c-article-section__figure-description" data-test="bottom-caption" id="figure-{number}-desc">'
    "{description}</div></div></figure></div>"
)
_OLD_FIGURE = (
    '<div class="figure cleared" id="f{number}"><figure><figcaption>'
    '<span class="legend">Figure {number}: {title}</span></figcaption>'
    '<div class="item-content box"><a href="{page}" class="fig-link"><img src="{picture}" '
    'alt="{title_text}" class="fig" width="{width}" height="{height}"/></a>'
    '<div class="description">{description}</div><ul class="resources"><li class="full">'
    '<a href="{page}">Full size image</a></li></ul></div></figure></div>'
)


def spans(row: Sequence[str | None]) -> list[tuple[str, int]]:
    """Cells with the number of columns that they cover."""
    found: list[tuple[str, int]] = []
    for cell in row:
        if cell is None and found:
            text, span = found[-1]
            found[-1] = (text, span + 1)
        else:
            found.append((cell or "", 1))
    return found


def columns(table: Table) -> int:
    """How many columns a table has."""
    return max(map(len, (*table.header, *table.rows)), default=1)


def grouped(sections: Sequence[Section]) -> Iterator[tuple[Section, list[Section]]]:
    """Main sections, each with those below it."""
    main: Section | None = None
    below: list[Section] = []
    for section in sections:
        if main is not None and section.level > 1:
            below.append(section)
            continue
        if main is not None:
            yield main, below
        main, below = section, []
    if main is not None:
        yield main, below
