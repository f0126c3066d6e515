"""What was read of an article, as files that people, programs and later stages look at.

::

    paper.json            what there is: headings, statements, links, tables, figures, problems
    text.md               the whole text with its tables and captions, for reading and for models
    links.json            the links alone
    tables/1.csv          each table, heading rows first
    figures/1.png         each figure whose picture is at hand
    figures/captions.json all captions
    document.json         everything that a reader found, for the stages that go on with it
    supplements.json      the supplementary files: their names, and what could be read of each
    supplements/1/        text.md and tables/ of the first of them, apart from the article's own
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nature_gym.errors import InfrastructureError
from nature_gym.files import to_json
from nature_gym.reading.article_types import ArticleKind, article_kind
from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import Document, Figure, Source, Table
from nature_gym.reading.links import FoundLink, Kind, find_links

PAPER, TEXT, LINKS, DOCUMENT = "paper.json", "text.md", "links.json", "document.json"
CAPTIONS = "figures/captions.json"
SUPPLEMENTS = "supplements.json"

_SUFFIXES = {
    "image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg", "image/gif": "gif", "image/webp": "webp",
    "image/tiff": "tif",
}  # fmt: skip
_MAGIC = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpg"), (b"GIF8", "gif"), (b"RIFF", "webp"), (b"<svg", "svg"))
_DOCUMENTS: TypeAdapter[Document] = TypeAdapter(Document)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SectionEntry(_Entry):
    """A heading and how much text is below it."""

    title: str
    level: int
    characters: int


class AvailabilityEntry(_Entry):
    """The article's own statements."""

    data: str | None
    code: str | None


class LinkEntry(_Entry):
    """A link, the heading it stands under and the sentence it stands in."""

    url: str
    host: str
    kind: Kind
    section: str
    context: str


class TableEntry(_Entry):
    """A table. ``rows`` counts its heading rows, too; ``file`` is None where only a picture was there."""

    label: str
    caption: str
    rows: int
    columns: int
    file: str | None


class FigureEntry(_Entry):
    """A figure. ``file`` is None where its picture was not at hand."""

    label: str
    caption: str
    file: str | None


class SupplementEntry(_Entry):
    """A supplementary file. ``text`` and ``characters`` are None and 0 where it was kept and not read."""

    name: str
    text: str | None
    title: str
    characters: int
    tables: int
    problems: list[str]


class PaperFile(_Entry):
    """``paper.json``: what was read of a paper.

    ``article_type`` is our word for it; the article's own is in ``document.json``.
    """

    id: str
    doi: str | None
    title: str
    source: Source
    article_type: ArticleKind
    sections: list[SectionEntry]
    availability: AvailabilityEntry
    links: list[LinkEntry]
    tables: list[TableEntry]
    figures: list[FigureEntry]
    problems: list[str] = Field(default_factory=list)


def write_document(document: Document, folder: Path, paper: str) -> PaperFile:
    """Write what was read of ``paper`` into ``folder``, and give what ``paper.json`` says."""
    links = find_links(document)
    tables = [_write_table(table, number, folder) for number, table in enumerate(document.tables, 1)]
    figures = [_write_figure(figure, number, folder) for number, figure in enumerate(document.figures, 1)]
    availability = find_availability(document)
    told = PaperFile(
        id=paper,
        doi=document.doi,
        title=document.title,
        source=document.source,
        article_type=article_kind(document),
        sections=[
            SectionEntry(title=section.title, level=section.level, characters=len(section.text))
            for section in document.sections
        ],
        availability=AvailabilityEntry(data=availability.data, code=availability.code),
        links=[_link(link) for link in links],
        tables=tables,
        figures=figures,
        problems=list(document.problems),
    )
    (folder / PAPER).write_bytes(to_json(told.model_dump(mode="json")))
    (folder / LINKS).write_bytes(to_json([link.model_dump(mode="json") for link in told.links]))
    (folder / TEXT).write_text(text_of(document, tables, figures), encoding="utf-8")
    (folder / DOCUMENT).write_bytes(_dump(document))
    if document.figures:
        captions = [
            {**entry.model_dump(mode="json"), "url": figure.url}
            for entry, figure in zip(figures, document.figures, strict=True)
        ]
        (folder / CAPTIONS).parent.mkdir(exist_ok=True)
        (folder / CAPTIONS).write_bytes(to_json(captions))
    return told


@dataclass(frozen=True, slots=True)
class Supplement:
    """A supplementary file by name: what was read of it, or why nothing was; neither where it is not for reading."""

    name: str
    document: Document | None = None
    problem: str = ""


def write_supplements(supplements: Sequence[Supplement], folder: Path) -> None:
    """Write what was read of the supplementary files into ``folder``, each into a folder of its own."""
    if not supplements:
        return
    entries = [_write_supplement(one, number, folder) for number, one in enumerate(supplements, 1)]
    (folder / SUPPLEMENTS).write_bytes(to_json([entry.model_dump(mode="json") for entry in entries]))


def _write_supplement(supplement: Supplement, number: int, folder: Path) -> SupplementEntry:
    document = supplement.document
    if document is None:
        problems = [supplement.problem] if supplement.problem else []
        return SupplementEntry(name=supplement.name, text=None, title="", characters=0, tables=0, problems=problems)
    own = folder / "supplements" / str(number)
    own.mkdir(parents=True)
    tables = [_write_table(table, place, own) for place, table in enumerate(document.tables, 1)]
    figures = [FigureEntry(label=figure.label, caption=figure.caption, file=None) for figure in document.figures]
    text = text_of(document, tables, figures)
    (own / TEXT).write_text(text, encoding="utf-8")
    return SupplementEntry(
        name=supplement.name,
        text=f"supplements/{number}/{TEXT}",
        title=document.title,
        characters=len(text),
        tables=sum(table.file is not None for table in tables),
        problems=list(document.problems),
    )


def empty_paper_file(paper: str, source: Source, problem: str) -> PaperFile:
    """What is told in the place of ``paper.json`` of a paper that could not be read."""
    return PaperFile(
        id=paper,
        doi=None,
        title="",
        source=source,
        article_type="",
        sections=[],
        availability=AvailabilityEntry(data=None, code=None),
        links=[],
        tables=[],
        figures=[],
        problems=[problem],
    )


def read_paper_file(folder: Path) -> PaperFile:
    """What ``paper.json`` in ``folder`` says. Raises InfrastructureError where it cannot be read."""
    try:
        return PaperFile.model_validate_json((folder / PAPER).read_bytes())
    except (OSError, ValidationError) as error:
        raise _unreadable(folder / PAPER, error) from error


def read_document(folder: Path) -> Document:
    """The document that :func:`write_document` wrote, pictures left out. Raises InfrastructureError as above."""
    try:
        return _DOCUMENTS.validate_json((folder / DOCUMENT).read_bytes())
    except (OSError, ValidationError) as error:
        raise _unreadable(folder / DOCUMENT, error) from error


def _unreadable(path: Path, error: Exception) -> InfrastructureError:
    return InfrastructureError(f"{path} cannot be read: {error}", hint="Read the paper again: naturegym read --force.")


def _dump(document: Document) -> bytes:
    figures = tuple(replace(figure, image=None) for figure in document.figures)
    return orjson.dumps(replace(document, figures=figures), default=sorted)


def _link(link: FoundLink) -> LinkEntry:
    return LinkEntry(url=link.url, host=link.host, kind=link.kind, section=link.section, context=link.context)


# -- tables and figures ------------------------------------------------------------


def table_csv(table: Table) -> str:
    """A table as CSV, its heading rows first; exactly the text of its cells."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(table.rows)
    return written.getvalue()


def _write_table(table: Table, number: int, folder: Path) -> TableEntry:
    file = None
    if table.rows:
        file = f"tables/{number}.csv"
        (folder / "tables").mkdir(exist_ok=True)
        (folder / file).write_text(table_csv(table), encoding="utf-8")
    return TableEntry(
        label=table.label,
        caption=table.caption,
        rows=len(table.rows),
        columns=len(table.rows[0]) if table.rows else 0,
        file=file,
    )


def _write_figure(figure: Figure, number: int, folder: Path) -> FigureEntry:
    file = None
    if figure.image:
        file = f"figures/{number}.{_suffix(figure)}"
        (folder / "figures").mkdir(exist_ok=True)
        (folder / file).write_bytes(figure.image)
    return FigureEntry(label=figure.label, caption=figure.caption, file=file)


def _suffix(figure: Figure) -> str:
    """What a picture's name ends with: by its first bytes, for what was said of it may be wrong."""
    start = (figure.image or b"")[:64].lstrip()
    return next((suffix for magic, suffix in _MAGIC if start.startswith(magic)), "") or _SUFFIXES.get(
        (figure.media_type or "").partition(";")[0].strip(), "bin"
    )


# -- text --------------------------------------------------------------------------


def text_of(document: Document, tables: Sequence[TableEntry], figures: Sequence[FigureEntry]) -> str:
    """The whole article in Markdown: tables and captions stand at the end of the section that they stand in."""
    parts = [f"# {document.title}"] if document.title else []
    if document.abstract:
        parts += ["## Abstract", *_paragraphs(document.abstract)]
    last = len(document.sections) - 1
    for index, section in enumerate(document.sections):
        if section.title:
            parts.append(f"{'#' * min(section.level + 1, 6)} {section.title}")
        parts += _paragraphs(section.text)
        parts += _floats(document, tables, figures, {index, None} if index == last else {index})
    if not document.sections:
        parts += _floats(document, tables, figures, {None, -1})
    return "\n\n".join(parts) + "\n"


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, with the items of a list kept together; what would read as a heading is escaped."""
    items: list[str] = []
    for line in text.split("\n"):
        if line.startswith("- "):
            items.append(line)
            continue
        if items:
            yield "\n".join(items)
            items = []
        if line:
            yield f"\\{line}" if line.startswith("#") else line
    if items:
        yield "\n".join(items)


def _floats(
    document: Document, tables: Sequence[TableEntry], figures: Sequence[FigureEntry], sections: set[int | None]
) -> Iterator[str]:
    for table, entry in zip(document.tables, tables, strict=True):
        if table.section in sections:
            yield f"**{_titled(table.label or 'Table', table.caption)}" + (f" ({entry.file})" if entry.file else "")
            if table.rows:
                yield _pipes(table)
            if table.notes:
                yield table.notes
    for figure, shown in zip(document.figures, figures, strict=True):
        if figure.section in sections:
            yield f"**{_titled(figure.label or 'Figure', figure.caption)}" + (f" ({shown.file})" if shown.file else "")


def _titled(label: str, caption: str) -> str:
    return f"{label}.** {caption}".rstrip()


def _pipes(table: Table) -> str:
    """A table with bars between its cells. Markdown has one row of headings; others follow it."""
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table.rows]
    ruler = "|" + " --- |" * len(table.rows[0])
    return "\n".join([rows[0], ruler, *rows[1:]])
