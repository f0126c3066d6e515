"""The paper's PDF, set by Typst in the journal's new (since 2022) or old design.

Python writes the texts as Typst markup with every mark of punctuation escaped, so that no text
can be taken for a command; how they look is in ``templates/*.typ``. Only the fonts that come
with Typst are used and no date is written, so that equal papers give equal bytes.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import zip_longest

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
from nature_gym.demo.typesetting import edition
from nature_gym.demo.typesetting.drawing import figure_size, figure_svg
from nature_gym.demo.typesetting.engine import compile_pages, compile_pdf, pdf_of_pictures
from nature_gym.demo.typesetting.html_text import columns, find, spans
from nature_gym.demo.typesetting.hyphens import with_hard_hyphens
from nature_gym.demo.typesetting.mathematics import typst_math, typst_string

_BRANDS = {
    "s42256": "#6a2c91", "s41467": "#e3342f", "s41592": "#0f7b8a", "s41563": "#1f5fa8", "s41551": "#00857c",
    "s41560": "#f0861e", "s41587": "#c2185b", "s43588": "#2e4a9e", "s41588": "#5b8c2a", "s41593": "#7a5195",
}  # fmt: skip
_ONE_COLUMN, _TWO_COLUMNS = 50, 104
"""Characters of a table's row that fit one column, and both; a wider table is turned."""


def article_pdf(paper: Paper) -> bytes:
    """The article as a PDF."""
    return with_hard_hyphens(compile_pdf(_article(paper), _inputs(paper)))


def supplement_pdf(paper: Paper) -> bytes:
    """A short supplementary file: a title, a note and the paper's tables again in full width."""
    # It has no reference list and no figures of its own to lead to.
    writer = _Writer(dataclasses.replace(paper, references=(), sections=()))
    parts = [
        _template("common.typ"),
        _template("supplement.typ"),
        f"= Supplementary Information\n\n#text(size: 13pt)[{writer.inline(paper.title)}]\n\n{_people(paper)}\n",
        "== Supplementary Note 1\n\nThe tables of the article, at full width. There are no further data.\n",
    ]
    for table in paper.tables:
        caption = writer.inline(table.caption)
        parts.append(f"*Supplementary Table {table.number}.* {caption}\n\n#{writer.rows(table)}\n")
    return with_hard_hyphens(compile_pdf("\n".join(parts), {"data": "{}"}))


def scanned_pdf(paper: Paper, *, ppi: float = 110) -> bytes:
    """The article as pictures of its pages, without any text to select."""
    pages = compile_pages(_article(paper), _inputs(paper), ppi=ppi)
    return pdf_of_pictures(pages, width="210mm", height="276mm")


# -- the document ------------------------------------------------------------------


def _article(paper: Paper) -> str:
    writer = _Writer(paper)
    design = "old.typ" if paper.template == "old" else "new.typ"
    parts = [_template("common.typ"), _template(design), _front(paper, writer)]
    in_methods = False
    for section in paper.sections:
        if section.level == 1:
            # What follows the methods is set as small as they are.
            in_methods = in_methods or section.title.casefold().endswith("methods") or _is_end_matter(paper, section)
        content = writer.section(section)
        parts.append(f"#methods[\n{content}\n]\n" if in_methods else content)
    if paper.references:
        listed = "\n\n".join(writer.reference(number, entry) for number, entry in enumerate(paper.references, 1))
        parts.append(f"#references[\n= References\n{listed}\n]\n")
    parts.append(f"#methods[\n{_closing(paper)}\n]\n")
    parts += writer.turned
    return "\n".join(parts)


def _is_end_matter(paper: Paper, section: Section) -> bool:
    return section in edition.end_sections(paper)


def _front(paper: Paper, writer: _Writer) -> str:
    homes = [f"#super[{index}]{typst_text(home)}. " for index, home in enumerate(edition.affiliations(paper), 1)]
    mails = [f"{typst_text(edition.email(author))}" for author in paper.authors if author.corresponding]
    mark = (
        "e-mail: " if paper.template == "new" else "Correspondence and requests for materials should be addressed to "
    )
    contact = f"{mark}#text(fill: blue)[{' '.join(mails)}]" if mails else ""
    banner = '#place(top, dy: -8mm, text(fill: red, weight: "bold")[RETRACTED ARTICLE])\n' if paper.retracted else ""
    return (
        f"{banner}#front([{writer.inline(paper.title)}], [{_people(paper)}], [{writer.inline(paper.abstract)}], "
        f"[{''.join(homes)}{contact}])\n"
    )


def _people(paper: Paper) -> str:
    homes = edition.affiliations(paper)
    names = [
        f"{typst_text(author.given)} {typst_text(author.family)}#super[{homes.index(author.affiliation) + 1}]"
        for author in paper.authors
    ]
    return " \\& ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _closing(paper: Paper) -> str:
    year, holder = paper.published.year, "The Author(s)"
    parts = []
    if not edition.has_section(paper, "interests"):
        parts.append("= Competing interests\nThe authors declare no competing interests.\n")
    contact = [author for author in paper.authors if author.corresponding] or list(paper.authors[-1:])
    names = " or ".join(f"{typst_text(author.given)} {typst_text(author.family)}" for author in contact)
    parts.append(
        f"= Additional information\n*Correspondence and requests for materials* should be addressed to {names}.\n"
    )
    if paper.licence and paper.licence.startswith("cc-"):
        licence = paper.licence.removeprefix("cc-")
        url = f"https://creativecommons.org/licenses/{licence}/4.0/"
        parts.append(
            f"*Open Access* This article is licensed under a Creative Commons licence \\({typst_text(licence.upper())} "
            f"4\\.0\\)\\. To view a copy of it, visit #away({typst_string(url)})[{typst_text(url)}]\\.\n"
        )
    parts.append(f"© {holder} {year}\n")
    return "\n".join(parts)


def _inputs(paper: Paper) -> dict[str, str]:
    """What the designs and figures need, as Typst's inputs."""
    place = edition.edition(paper)
    number = place.article_number
    if paper.template == "old":
        printed = f"{place.volume}:{number}" if number else f"VOL {place.volume} | {paper.published:%B %Y}".upper()
    elif number:
        printed = f"({paper.published.year}){place.volume}:{number}"
    else:
        printed = f"Volume {place.volume} | {paper.published:%B %Y} | {place.pages}"
    data = {
        "title": plain(paper.title),
        "authors": [f"{author.given} {author.family}" for author in paper.authors],
        "colour": _BRANDS.get(paper.venue.suffix_code, "#444444"),
        "journal": paper.venue.name,
        "journal_lower": paper.venue.name.lower(),
        "path": paper.venue.name.lower().replace(" ", ""),
        "kind": paper.article_type,
        "doi": paper.doi,
        "doi_url": f"https://doi.org/{paper.doi}",
        "place": printed,
        "page": 1 if number else place.first_page,
        "open": paper.oa_status in {"gold", "hybrid"},
        "dates": [
            ["Received", edition.long_date(place.received)],
            ["Accepted", edition.long_date(place.accepted)],
            ["Published online" if paper.template == "new" else "Published", edition.long_date(paper.published)],
        ],
    }
    pictures = {f"figure-{figure.number}": figure_svg(figure).decode() for figure in paper.figures}
    return {"data": json.dumps(data), **pictures}


# -- texts -------------------------------------------------------------------------

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LIGATURES = (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ"))


def typst_text(text: str) -> str:
    """Markup of Typst that prints ``text`` and nothing else."""
    return _PUNCTUATION.sub(r"\\\1", text).replace("\n", " ")


class _Writer:
    """Writes one paper's texts as Typst markup."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.equations = 0
        self.turned: list[str] = []
        """Tables too wide for the page, which follow the text."""

    def inline(self, text: str) -> str:
        return self.nodes(parse(text))

    def nodes(self, nodes: Iterable[Node]) -> str:
        return "".join(map(self.node, nodes))

    def node(self, node: Node) -> str:
        match node:
            case Text(text):
                return typst_text(self.ligatures(text))
            case Italic(children) | Bold(children) | Superscript(children) | Subscript(children):
                return f"#{_CALLS[type(node)]}[{self.nodes(children)}];"
            case Link(children, url):
                return f"#away({typst_string(url)})[{self.nodes(children)}];"
            case Math(tex):
                return f"${typst_math(tex)}$"
            case CrossReference():
                return self.cross_reference(node)
            case Citation(numbers):
                return self.citation(numbers)

    def ligatures(self, text: str) -> str:
        """The old design's texts hold ligatures as characters, as files of that time do."""
        if self.paper.template == "old":
            for letters, ligature in _LIGATURES:
                text = text.replace(letters, ligature)
        return text

    def cross_reference(self, node: CrossReference) -> str:
        word = "Figure" if node.what == "figure" and self.paper.template == "old" else node.label.split(" ")[0]
        printed = f"{typst_text(word)}~{node.number}"
        placed = Placement(node.what, node.number)
        if not any(placed in section.blocks for section in self.paper.sections):
            return printed
        return f'#to("{node.what}-{node.number}")[{printed}];'

    def citation(self, numbers: tuple[int, ...]) -> str:
        def linked(found: re.Match[str]) -> str:
            is_listed = 1 <= int(found[0]) <= len(self.paper.references)
            return f'#to("reference-{found[0]}")[{found[0]}];' if is_listed else found[0]

        return f"#super[{re.sub(r'[0-9]+', linked, ranges(numbers))}];"

    # -- blocks --

    def section(self, section: Section) -> str:
        heading = f"{'=' * section.level} {self.inline(section.title)}"
        return "\n\n".join([heading, *map(self.block, section.blocks)])

    def block(self, block: Paragraph | Bullets | Equation | Placement) -> str:
        match block:
            case Paragraph(text):
                return self.inline(text)
            case Bullets(items):
                return "\n".join(f"- {self.inline(item)}" for item in items)
            case Equation(tex):
                self.equations += 1
                return f"#equation({self.equations})[$ {typst_math(tex)} $]"
            case Placement("table", number):
                return self.table(find(self.paper.tables, number, self.paper, "table"))
            case Placement(_, number):
                return self.figure(find(self.paper.figures, number, self.paper, "figure"))

    def figure(self, figure: Figure) -> str:
        title, description = edition.caption_parts(figure.caption)
        across, down = figure_size(figure)
        extent, width = ("wide", 130) if figure.kind == "flow" or figure.number % 2 else ("narrow", 87)
        return (
            f"#{extent}(figure-block({figure.number}, [{self.inline(title)}], [{self.inline(description)}], "
            f'sys.inputs.at("figure-{figure.number}"), {width}mm, {width * down / across:.1f}mm))'
        )

    def table(self, table: Table) -> str:
        notes = "".join(f"[{self.inline(note)}], " for note in table.notes)
        block = f"table-block({table.number}, [{self.inline(table.caption)}], {self.rows(table)}, ({notes}))"
        width = _characters(table)
        if width > _TWO_COLUMNS:
            self.turned.append(f"#turned({block})")
            return ""
        return f"#{'narrow' if width <= _ONE_COLUMN else 'wide'}({block})"

    def rows(self, table: Table) -> str:
        """A call of ``rows``, with lines under the headings that stand over several columns."""
        header = ", ".join(self.head_cells(table.header))
        body = ", ".join(f"({', '.join(f'[{self.unbroken(cell)}]' for cell in row)},)" for row in table.rows)
        groups = ", ".join(_group_lines(table.header))
        return f"rows({columns(table)}, ({header},), ({body},), ({groups},))".replace("(,)", "()")

    def head_cells(self, header: Sequence[Sequence[str | None]]) -> Iterator[str]:
        for row in header:
            for text, span in spans(row):
                yield f"table.cell(colspan: {span})[#strong[{self.inline(text)}]]"

    def unbroken(self, cell: str) -> str:
        """A number and its deviation stay on one line."""
        return f"#box[{self.inline(cell)}]" if cell[:12].strip("*−-+(<>≥≤~^ ")[:1].isdigit() else self.inline(cell)

    def reference(self, number: int, reference: Reference) -> str:
        address = edition.reference_link(reference)
        shown = typst_text(address or "")
        link = f" #away({typst_string(address)})[{shown}]\\." if address and reference.url else ""
        journal, volume, pages = edition.source_parts(reference.source)
        source = f"#emph[{typst_text(journal)}];"
        if reference.doi:
            source = f"#link({typst_string(f'https://doi.org/{reference.doi}')})[{source}];"
        if volume:
            source += f" #strong[{volume}];, {typst_text(pages)}"
        title = self.inline(reference.title.rstrip("."))
        return (
            f'#block(below: 3pt)[#metadata(none)#label("reference-{number}")#grid(columns: (13pt, 1fr), [{number}\\.], '
            f"[{typst_text(reference.authors)} {title}\\. {source} \\({reference.year}\\)\\.{link}])]"
        )


_CALLS: dict[type[Node], str] = {Italic: "emph", Bold: "strong", Superscript: "super", Subscript: "sub"}


def _characters(table: Table) -> int:
    """The length of the table's longest possible row."""
    rows = ([plain(cell or "") for cell in row] for row in (*table.header[-1:], *table.rows))
    return sum(max(map(len, column)) + 3 for column in zip_longest(*rows, fillvalue=""))


def _group_lines(header: Sequence[Sequence[str | None]]) -> Iterator[str]:
    for index, row in enumerate(header[:-1], 1):
        start = 0
        for _, span in spans(row):
            if span > 1:
                yield f"table.hline(y: {index}, start: {start}, end: {start + span}, stroke: .4pt)"
            start += span


# -- Typst -------------------------------------------------------------------------


@functools.cache
def _template(name: str) -> str:
    return files("nature_gym.demo.typesetting").joinpath("templates", name).read_text(encoding="utf-8")
