"""The paper in JATS, as Europe PMC gives the full text of what lies in PubMed Central."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from nature_gym.demo.typesetting import edition
from nature_gym.demo.typesetting.html_text import filled, find, spans
from nature_gym.demo.typesetting.mathematics import mathml

_DOCTYPE = (
    '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.2 20190208//EN" '
    '"JATS-archivearticle1.dtd">\n'
)
_ARTICLE_TYPES = (
    ("review", "review-article"),
    ("perspective", "review-article"),
    ("editorial", "editorial"),
    ("news", "news"),
    ("comment", "article-commentary"),
    ("retraction", "retraction"),
    ("correction", "correction"),
    ("reply", "reply"),
    ("correspondence", "letter"),
    ("matters arising", "letter"),
)
"""Words of the journal's article type -> JATS's."""

_SECTION_TYPES = {
    "introduction": "introduction",
    "results": "results",
    "discussion": "discussion",
    "methods": "materials|methods",
    "conclusion": "conclusion",
    "conclusions": "conclusion",
}
_FIRST_YEAR_OF_SECTIONS = 2022
"""From then on, availability statements are sections; before, they are notes."""

_TAGS: dict[type[Node], str] = {Italic: "italic", Bold: "bold", Superscript: "sup", Subscript: "sub"}


def article_xml(paper: Paper) -> bytes:
    """The article in JATS."""
    writer = _Writer(paper)
    article = filled(
        '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'article-type="{}" xml:lang="en"><?properties open_access?>{}{}{}</article>',
        article_type(paper),
        _front(paper, writer),
        filled("<body>{}</body>", writer.tree(edition.body_sections(paper))),
        _back(paper, writer),
    )
    return (_DOCTYPE + str(article)).encode()


def article_type(paper: Paper) -> str:
    """JATS's word for what the journal calls the article."""
    stated = paper.article_type.casefold()
    return next((kind for words, kind in _ARTICLE_TYPES if words in stated), "research-article")


# -- front and back ----------------------------------------------------------------


def _front(paper: Paper, writer: _Writer) -> Markup:
    place = edition.edition(paper)
    abbreviation = paper.venue.abbreviation.replace(".", "")
    journal = filled(
        '<journal-meta><journal-id journal-id-type="nlm-ta">{0}</journal-id>'
        '<journal-id journal-id-type="iso-abbrev">{0}</journal-id>'
        "<journal-title-group><journal-title>{1}</journal-title></journal-title-group>"
        '<issn pub-type="epub">{2}</issn><publisher><publisher-name>Nature Publishing Group UK</publisher-name>'
        "<publisher-loc>London</publisher-loc></publisher></journal-meta>",
        abbreviation,
        paper.venue.name,
        paper.venue.issn_l,
    )
    identifiers = Markup()
    if paper.pmcid:
        identifiers = filled('<article-id pub-id-type="pmcid">{}</article-id>', paper.pmcid.removeprefix("PMC"))
    pages = (
        filled("<elocation-id>{}</elocation-id>", place.article_number)
        if place.article_number
        else filled("<fpage>{}</fpage><lpage>{}</lpage>", place.first_page, place.last_page)
    )
    article = filled(
        '<article-meta>{}<article-id pub-id-type="publisher-id">{}</article-id>'
        '<article-id pub-id-type="doi">{}</article-id><article-categories><subj-group subj-group-type="heading">'
        "<subject>{}</subject></subj-group></article-categories><title-group><article-title>{}</article-title>"
        "</title-group>{}{}<volume>{}</volume><issue>{}</issue>{}{}{}{}{}</article-meta>",
        identifiers,
        place.first_page,
        paper.doi,
        paper.article_type,
        writer.inline(paper.title),
        _contributors(paper),
        filled('<pub-date pub-type="epub">{}</pub-date>', _date(paper.published)),
        place.volume,
        place.issue,
        pages,
        filled(
            '<history><date date-type="received">{}</date><date date-type="accepted">{}</date></history>',
            _date(place.received),
            _date(place.accepted),
        ),
        _permissions(paper),
        filled('<abstract id="Abs1"><p id="Par1">{}</p></abstract>', writer.inline(paper.abstract))
        if paper.abstract
        else "",
        filled(
            '<kwd-group kwd-group-type="npg-subject"><title>Subject terms</title>{}</kwd-group>',
            Markup().join(filled("<kwd>{}</kwd>", subject) for subject in paper.subjects),
        )
        if paper.subjects
        else "",
    )
    return filled("<front>{}{}</front>", journal, article)


def _contributors(paper: Paper) -> Markup:
    homes = edition.affiliations(paper)
    people = Markup()
    for author in paper.authors:
        number = homes.index(author.affiliation) + 1
        people += filled(
            '<contrib contrib-type="author"{}><name><surname>{}</surname><given-names>{}</given-names></name>{}'
            '<xref ref-type="aff" rid="Aff{}">{}</xref></contrib>',
            Markup(' corresp="yes"') if author.corresponding else "",
            author.family,
            author.given,
            filled("<address><email>{}</email></address>", edition.email(author)) if author.corresponding else "",
            number,
            number,
        )
    places = Markup().join(
        filled('<aff id="Aff{0}"><label>{0}</label><institution>{1}</institution></aff>', index, home)
        for index, home in enumerate(homes, 1)
    )
    return filled("<contrib-group>{}{}</contrib-group>", people, places)


def _date(date: object) -> Markup:
    year, month, day = str(date).split("-")
    return filled("<day>{}</day><month>{}</month><year>{}</year>", int(day), int(month), year)


def _permissions(paper: Paper) -> Markup:
    holder = f"© The Author(s) {paper.published.year}"
    if not paper.licence or not paper.licence.startswith("cc-"):
        return filled("<permissions><copyright-statement>{}</copyright-statement></permissions>", holder)
    return filled(
        '<permissions><copyright-statement>{0}</copyright-statement><license license-type="OpenAccess"><license-p>'
        "<bold>Open Access</bold> This article is licensed under a Creative Commons licence. To view a copy of it, "
        'visit <ext-link ext-link-type="uri" xlink:href="{1}">{1}</ext-link>.</license-p></license></permissions>',
        holder,
        f"https://creativecommons.org/licenses/{paper.licence.removeprefix('cc-')}/4.0/",
    )


def _back(paper: Paper, writer: _Writer) -> Markup:
    parts = Markup().join(writer.end_matter(group) for group in _main_groups(edition.end_sections(paper)))
    if not edition.has_section(paper, "interests"):
        parts += Markup(
            '<notes notes-type="COI-statement"><sec id="FPar1"><title>Competing interests</title>'
            "<p>The authors declare no competing interests.</p></sec></notes>"
        )
    references = Markup()
    if paper.references:
        listed = Markup().join(writer.reference(number, entry) for number, entry in enumerate(paper.references, 1))
        references = filled('<ref-list id="Bib1"><title>References</title>{}</ref-list>', listed)
    return filled("<back>{}{}</back>", parts, references)


def _main_groups(sections: Sequence[Section]) -> list[list[Section]]:
    groups: list[list[Section]] = []
    for section in sections:
        if section.level == 1 or not groups:
            groups.append([])
        groups[-1].append(section)
    return groups


# -- texts -------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    """Writes one paper's texts and numbers what JATS numbers."""

    paper: Paper
    formulas: int = 0
    equations: int = 0
    inlines: int = 0
    sections: int = 0
    paragraphs: int = 1

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
                return filled('<ext-link ext-link-type="uri" xlink:href="{}">{}</ext-link>', url, self.nodes(children))
            case Math(tex):
                self.inlines += 1
                return filled('<inline-formula id="IEq{}">{}</inline-formula>', self.inlines, self.formula(tex))
            case CrossReference():
                return self.cross_reference(node)
            case Citation(numbers):
                return self.citation(numbers)

    def formula(self, tex: str, *, display: bool = False) -> Markup:
        """TeX in the wrapping that converters leave round it, and MathML."""
        self.formulas += 2
        return filled(
            '<alternatives><tex-math id="M{}">\\documentclass[12pt]{{minimal}}\n\t\t\t\t\\usepackage{{amsmath}}\n'
            "\t\t\t\t\\usepackage{{amsfonts}}\n\t\t\t\t\\usepackage{{amssymb}}\n\t\t\t\t\\setlength{{\\oddsidemargin}}{{-69pt}}"
            "\n\t\t\t\t\\begin{{document}}$${}$$\\end{{document}}</tex-math>{}</alternatives>",
            self.formulas - 1,
            tex,
            mathml(tex, prefix="mml:", display=display),
        )

    def cross_reference(self, node: CrossReference) -> Markup:
        word, _, number = node.label.rpartition(" ")
        anchor, kind = ("Tab", "table") if node.what == "table" else ("Fig", "fig")
        return filled(
            '{}\N{NO-BREAK SPACE}<xref rid="{}{}" ref-type="{}">{}</xref>', word, anchor, node.number, kind, number
        )

    def citation(self, numbers: tuple[int, ...]) -> Markup:
        pieces = [
            Markup("–").join(filled('<xref ref-type="bibr" rid="CR{0}">{0}</xref>', end) for end in piece.split("–"))
            for piece in ranges(numbers).split(",")
        ]
        return filled("<sup>{}</sup>", Markup(",").join(pieces))

    # -- blocks --

    def tree(self, sections: Sequence[Section]) -> Markup:
        """Sections, each inside the one above it."""
        written, open_levels = Markup(), list[int]()
        for section in sections:
            while open_levels and open_levels[-1] >= section.level:
                open_levels.pop()
                written += Markup("</sec>")
            open_levels.append(section.level)
            written += self.opening(section) + self.blocks(section)
        return written + Markup("</sec>").join([Markup()] * (len(open_levels) + 1))

    def opening(self, section: Section, kind: str = "") -> Markup:
        self.sections += 1
        kind = kind or _SECTION_TYPES.get(plain(section.title).casefold(), "")
        typed = filled(' sec-type="{}"', kind) if kind and section.level == 1 else ""
        return filled('<sec id="Sec{}"{}><title>{}</title>', self.sections, typed, self.inline(section.title))

    def end_matter(self, group: Sequence[Section]) -> Markup:
        """Acknowledgements, availability statements and the like, each in its own element."""
        section, below = group[0], group[1:]
        title = plain(section.title).casefold()
        content = self.blocks(section) + self.tree(below)
        if "acknowledg" in title:
            return filled("<ack><title>{}</title>{}</ack>", self.inline(section.title), content)
        notes = "author-contribution" if "contribution" in title else "COI-statement" if "interest" in title else ""
        if "data" in title and "availab" in title:
            if self.paper.published.year >= _FIRST_YEAR_OF_SECTIONS:
                return self.opening(section, "data-availability") + content + Markup("</sec>")
            notes = "data-availability"
        if not notes:
            return self.opening(section) + content + Markup("</sec>")
        return filled('<notes notes-type="{}"><title>{}</title>{}</notes>', notes, self.inline(section.title), content)

    def blocks(self, section: Section) -> Markup:
        return Markup().join(map(self.block, section.blocks))

    def block(self, block: Paragraph | Bullets | Equation | Placement) -> Markup:
        match block:
            case Paragraph(text):
                self.paragraphs += 1
                return filled('<p id="Par{}">{}</p>', self.paragraphs, self.inline(text))
            case Bullets(items):
                listed = Markup().join(filled("<list-item><p>{}</p></list-item>", self.inline(item)) for item in items)
                return filled('<list list-type="bullet">{}</list>', listed)
            case Equation(tex):
                self.equations += 1
                return filled(
                    '<p><disp-formula id="Equ{0}"><label>{0}</label>{1}</disp-formula></p>',
                    self.equations,
                    self.formula(tex, display=True),
                )
            case Placement("table", number):
                return self.table(find(self.paper.tables, number, self.paper, "table"))
            case Placement(_, number):
                return self.figure(find(self.paper.figures, number, self.paper, "figure"))

    def figure(self, figure: Figure) -> Markup:
        title, description = edition.caption_parts(figure.caption)
        text = filled("<p>{}</p>", self.inline(description)) if description else ""
        return filled(
            '<fig id="Fig{0}"><label>Fig. {0}</label><caption><title>{1}</title>{2}</caption>'
            '<graphic xlink:href="{3}_Fig{0}_HTML" id="MO{0}"/></fig>',
            figure.number,
            self.inline(title),
            text,
            self.paper.suffix.lstrip("s").replace("-", "_"),
        )

    def table(self, table: Table) -> Markup:
        head = Markup().join(self.row(spans(row), "th") for row in table.header)
        body = Markup().join(self.row([(cell, 1) for cell in row], "td") for row in table.rows)
        notes = Markup().join(filled("<p>{}</p>", self.inline(note)) for note in table.notes)
        return filled(
            '<table-wrap id="Tab{0}"><label>Table {0}</label><caption><p>{1}</p></caption>'
            '<table frame="hsides" rules="groups"><thead>{2}</thead><tbody>{3}</tbody></table>{4}</table-wrap>',
            table.number,
            self.inline(table.caption),
            head,
            body,
            filled("<table-wrap-foot>{}</table-wrap-foot>", notes) if notes else "",
        )

    def row(self, cells: Iterable[tuple[str, int]], tag: str) -> Markup:
        written = Markup()
        for text, span in cells:
            columns = filled(' colspan="{}"', span) if span > 1 else ""
            written += filled(f"<{tag}{{}}>{{}}</{tag}>", columns, self.inline(text))
        return filled("<tr>{}</tr>", written)

    def reference(self, number: int, reference: Reference) -> Markup:
        kind = "journal" if reference.doi or not reference.url else "other"
        source, volume, pages = edition.source_parts(reference.source)
        place = filled(" <volume>{}</volume>, <fpage>{}</fpage>", volume, pages) if volume else ""
        doi = filled('<pub-id pub-id-type="doi">{}</pub-id>', reference.doi) if reference.doi else ""
        url = (
            filled('<ext-link ext-link-type="uri" xlink:href="{0}">{0}</ext-link>', reference.url)
            if reference.url
            else ""
        )
        return filled(
            '<ref id="CR{0}"><label>{0}.</label><mixed-citation publication-type="{1}">'
            "<string-name>{2}</string-name> <article-title>{3}</article-title>. <source>{4}</source>{5} "
            "(<year>{6}</year>). {7}{8}</mixed-citation></ref>",
            number,
            kind,
            reference.authors,
            self.inline(reference.title.rstrip(".")),
            source,
            place,
            reference.year,
            doi,
            url,
        )
