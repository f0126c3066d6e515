"""The publisher's web pages of a paper: the article in its new or old design, tables and figures.

Texts become HTML in :mod:`.html_text`; what stands round them is in ``templates/``, where
everything that is not :class:`~markupsafe.Markup` is escaped.
"""

from __future__ import annotations

import functools
import json

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Paper
from nature_gym.demo.typesetting import edition
from nature_gym.demo.typesetting.drawing import figure_size
from nature_gym.demo.typesetting.html_meta import LICENCES, full_name, linked_data, new_meta, old_meta
from nature_gym.demo.typesetting.html_text import NoSuchFloatError, Writer, figure_address, find, grouped

__all__ = ["NoSuchFloatError", "article_page", "figure_address", "figure_page", "table_page"]

_JOURNAL_PATHS = {
    "s42256": "natmachintell", "s41467": "ncomms", "s41592": "nmeth", "s41563": "nmat", "s41551": "natbiomedeng",
    "s41560": "nenergy", "s41587": "nbt", "s43588": "natcomputsci", "s41588": "ng", "s41593": "neuro",
}  # fmt: skip
# -- pages -------------------------------------------------------------------------


def article_page(paper: Paper) -> bytes:
    """The article, in the design that the paper asks for."""
    writer = Writer(paper)
    page = _common(paper, writer)
    if paper.template == "old":
        page["parts"] = [writer.part(section, below) for section, below in grouped(paper.sections)]
        page["glances"] = [
            {"title": writer.inline(f"Figure {figure.number}: {edition.caption_parts(figure.caption)[0]}")}
            for figure in paper.figures
        ]
    else:
        page["body"] = [writer.part(*group) for group in grouped(edition.body_sections(paper))]
        page["end"] = [writer.part(*group) for group in grouped(edition.end_sections(paper))]
        page["linked_data"] = _script_json(linked_data(paper))
    page["references"] = [writer.reference(reference) for reference in paper.references]
    page["formulas"] = _script_json(writer.formulas)
    return _render("old.html" if paper.template == "old" else "article.html", paper, page)


def table_page(paper: Paper, number: int) -> bytes:
    """The page of one table: ``/articles/<suffix>/tables/<n>``."""
    table = find(paper.tables, number, paper, "table")
    writer = Writer(paper)
    page = _common(paper, writer)
    page |= {
        "what": "table",
        "number": number,
        "anchor": f"Tab{number}",
        "heading": writer.inline(f"Table {number} {table.caption}"),
        "heading_text": f"Table {number} {plain(table.caption)}",
        "content": writer.table(table),
        "notes": [writer.inline(note) for note in table.notes],
    }
    page["formulas"] = _script_json(writer.formulas)
    return _render("satellite.html", paper, page)


def figure_page(paper: Paper, number: int) -> bytes:
    """The page of one figure: ``/articles/<suffix>/figures/<n>``."""
    figure = find(paper.figures, number, paper, "figure")
    writer = Writer(paper)
    page = _common(paper, writer)
    title, description = edition.caption_parts(figure.caption)
    page |= {
        "what": "figure",
        "number": number,
        "anchor": f"Fig{number}",
        "heading": writer.inline(f"Fig. {number}: {title}"),
        "heading_text": f"Fig. {number}: {plain(title)}",
        "content": writer.inline(description),
        "picture": figure_address(paper, number),
        "size": figure_size(figure),
    }
    page["formulas"] = _script_json(writer.formulas)
    return _render("satellite.html", paper, page)


# -- what stands round the text ----------------------------------------------------


def _common(paper: Paper, writer: Writer) -> dict[str, object]:
    place = edition.edition(paper)
    rights, licence_url = _rights(paper)
    chance = int(edition.digest(paper, "metrics")[:4], 16)
    return {
        "title": writer.inline(paper.title),
        "title_text": plain(paper.title),
        "abstract": writer.inline(paper.abstract),
        "abbreviation": paper.venue.abbreviation.replace(".", ""),
        "meta": old_meta(paper) if paper.template == "old" else new_meta(paper),
        "data_layer": _script_json({"content": {"category": {"contentType": paper.article_type}}, "doi": paper.doi}),
        "journal_path": _JOURNAL_PATHS.get(paper.venue.suffix_code, paper.venue.suffix_code),
        "edition": place,
        "published": edition.long_date(paper.published),
        "received": edition.long_date(place.received),
        "accepted": edition.long_date(place.accepted),
        "is_open": paper.oa_status in {"gold", "hybrid"},
        "accesses": f"{1 + chance % 40}k",
        "citations": chance % 173,
        "authors": _authors(paper),
        "homes": _homes(paper),
        "corresponding": [
            {"name": full_name(author), "email": edition.email(author)}
            for author in paper.authors
            if author.corresponding
        ],
        "has_interests": edition.has_section(paper, "interests"),
        "rights": rights,
        "licence_url": licence_url,
        "citation": edition.citation(paper),
        "recommended": _recommended(paper),
    }


def _authors(paper: Paper) -> list[dict[str, object]]:
    homes = edition.affiliations(paper)
    last = len(paper.authors) - 1
    return [
        {
            "name": full_name(author),
            "anchor": f"{full_name(author).replace(' ', '_')}-Aff{homes.index(author.affiliation) + 1}",
            "home": homes.index(author.affiliation) + 1,
            "orcid": edition.orcid(author) if index % 2 == 0 else None,
            "separator": "" if index == last else " & " if index == last - 1 else ", ",
        }
        for index, author in enumerate(paper.authors)
    ]


def _homes(paper: Paper) -> list[dict[str, str]]:
    return [
        {
            "address": home,
            "people": ", ".join(full_name(author) for author in paper.authors if author.affiliation == home),
        }
        for home in edition.affiliations(paper)
    ]


def _rights(paper: Paper) -> tuple[str, str | None]:
    year = paper.published.year
    if paper.licence in LICENCES:
        name, url = LICENCES[paper.licence]
        return f"Open Access This article is licensed under a Creative Commons {name} 4.0 International License.", url
    return f"© {year} The Author(s), under exclusive licence to the publisher.", None


_OTHER_TITLES = (
    "A guided tour of learning from small samples",
    "Benchmarks that age well",
    "Calibrated forecasts for sparse sensors",
    "What a held-out set can tell",
    "Symmetries in measured spectra",
)


def _recommended(paper: Paper) -> list[dict[str, str]]:
    start = int(edition.digest(paper, "recommended")[:4], 16)
    code, year = paper.venue.suffix_code, paper.published.year
    return [
        {
            "title": _OTHER_TITLES[(start + index) % len(_OTHER_TITLES)],
            "suffix": f"{code}-{(year - 1) % 1000:03d}-{(start + 37 * index) % 9000 + 100:05d}-x",
            "date": f"{(start + index) % 27 + 1:02d} March {year - 1}",
        }
        for index in range(3)
    ]


def _script_json(value: object) -> Markup:
    """JSON that cannot end the script that it stands in."""
    written = json.dumps(value, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return Markup(written)  # noqa: S704 -- made safe above


# -- templates ---------------------------------------------------------------------


@functools.cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("nature_gym.demo.typesetting"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )


@functools.cache
def _style(template: str) -> str:
    loader = _templates().loader
    if loader is None:
        raise TypeError("the templates have a loader")
    return loader.get_source(_templates(), f"{template}.css")[0]


def _render(template: str, paper: Paper, page: dict[str, object]) -> bytes:
    style = Markup(_style("old" if template == "old.html" else "new"))  # noqa: S704 -- our own stylesheet
    return _templates().get_template(template).render(paper=paper, page=page | {"style": style}).encode()
