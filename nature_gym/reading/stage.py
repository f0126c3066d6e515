"""The read stage: from what was fetched of a paper to what it says.

The page is preferred to the XML, and the XML to the PDF: so much is lost in each. Where the better one cannot be
read, the next is, and the paper says so; a PDF gives the pictures that the better one is without. Whatever was read
is made fit to be shown here, at the one door that all of it passes: no commands in its text, and no place on this
machine in what is said of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from nature_gym.config import Settings
from nature_gym.errors import PaperError
from nature_gym.reading.document import Document, Figure, Source
from nature_gym.reading.encoding import all_printable
from nature_gym.reading.refusals import NoFullTextError, refuse_other_page
from nature_gym.reading.sections import number_of
from nature_gym.reading.text import squeeze
from nature_gym.reading.writing import PaperFile, Supplement, write_document, write_supplements
from nature_gym.records import PaperFolder, Papers, Publication, StageRecord
from nature_gym.stages import Outcome

STAGE = "read"
FETCH = "fetch"
FORMS: tuple[Source, ...] = ("html", "xml", "pdf")
"""The forms of an article, best first."""

ARTICLES = tuple(f"article.{form}" for form in FORMS)
"""What the fetch stage may have of an article."""

SUPPLEMENTS = "supplements"
"""The folder of the supplementary files that the fetch stage may have."""

NOTES = "notes"
"""The fact of a fetch that tells what the paper's own problems should tell, too: name of a file -> sentences."""

_MOST_SUPPLEMENTS = 50
"""Supplementary files that are read; the others are kept."""

_TABLE = re.compile(r"tables/(\d+)\.html")
_FIGURE = re.compile(r"figures/(?:[a-z_ -]*)(\d+)\.(?:png|jpe?g|svg|gif|webp|tiff?)", re.IGNORECASE)
_FIGURE_WORD = re.compile(r"\bfig(?:ure|\.)?\s*(?=s?\d)")
_MEDIA_TYPES = {"jpg": "image/jpeg", "svg": "image/svg+xml", "tif": "image/tiff"}


class ReadStage:
    """Reads a paper's full text, and writes what :mod:`nature_gym.reading.writing` says."""

    name = STAGE
    rules = "3"

    def __init__(self, settings: Settings | None = None) -> None:
        """Settings change nothing in how a paper is read; they are taken as every stage takes them."""

    def inputs(self, paper: PaperFolder) -> Any:
        """Digests of what was fetched.

        Raises NoFullTextError where nothing was.
        """
        fetched = _fetched(paper)
        if not _texts(fetched.record):
            reason = fetched.record.reason or "the fetch brought no full text"
            raise NoFullTextError(
                f"there is no full text to read: {reason}", hint="Ingest the paper from a folder: naturegym ingest."
            )
        read: dict[str, Any] = {
            name: made.digest for name, made in sorted(fetched.record.outputs.items()) if _is_input(name)
        }
        return {**read, NOTES: _notes(fetched.record)}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Read the best text there is, and write it out."""
        forms = forms_of(_fetched(paper))
        return self.write(self.read(forms), forms, draft, paper)

    def read(self, forms: Forms) -> Document:
        """The article. Raises PaperError."""
        return read_forms(forms)

    @staticmethod
    def write(document: Document, forms: Forms, draft: Path, paper: PaperFolder) -> Outcome:
        """Write out what was read of ``paper``, its supplementary files with it."""
        first = islice(forms.supplements.items(), _MOST_SUPPLEMENTS)
        supplements = [_read_supplement(name, path) for name, path in first]
        supplements += [Supplement(name) for name in islice(forms.supplements, _MOST_SUPPLEMENTS, None)]
        unread = [f"the supplement {one.name} could not be read: {one.problem}" for one in supplements if one.problem]
        problems = tuple(dict.fromkeys((*document.problems, *forms.notes, *unread)))
        document = replace(document, problems=problems)
        told = write_document(document, draft, paper.id)
        write_supplements(supplements, draft)
        return Outcome("done", _reason(told), _facts(document, told) | {"supplements": len(supplements)})


def readable(papers: Papers) -> list[str]:
    """Ids of the papers of which there is a full text."""
    return [paper.id for paper in papers if (record := paper.record(FETCH)) and _texts(record)]


def _texts(record: StageRecord) -> list[str]:
    return [name for name in record.outputs if name in ARTICLES]


def _fetched(paper: PaperFolder) -> Publication:
    fetched = paper.published(FETCH)
    if fetched is None:
        raise NoFullTextError(
            "nothing was fetched of this paper yet", hint="Run 'naturegym fetch', or ingest it from a folder."
        )
    return fetched


def _is_input(name: str) -> bool:
    is_beside = _TABLE.fullmatch(name) or _FIGURE.fullmatch(name) or name.startswith(f"{SUPPLEMENTS}/")
    return name in ARTICLES or bool(is_beside)


def _notes(record: StageRecord) -> list[str]:
    noted = record.facts.get(NOTES)
    return [note for _, notes in sorted(noted.items()) for note in notes] if isinstance(noted, dict) else []


@dataclass(frozen=True, slots=True)
class Forms:
    """An article's files: its forms (``html``, ``xml``, ``pdf``), its tables' pages, its figures' pictures, and its
    supplementary files by name; ``notes`` is what whoever brought them has to say of them."""

    articles: Mapping[str, Path]
    tables: Mapping[int, Path] = field(default_factory=dict)
    pictures: Mapping[int, Path] = field(default_factory=dict)
    supplements: Mapping[str, Path] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    url: str | None = None


def forms_of(fetched: Publication) -> Forms:
    """The files that a fetch has brought."""
    folder, names = fetched.folder, sorted(fetched.record.outputs)
    address = fetched.record.facts.get("url")
    return Forms(
        articles={name.rpartition(".")[2]: folder / name for name in ARTICLES if name in names},
        tables={int(match[1]): folder / name for name in names if (match := _TABLE.fullmatch(name))},
        pictures={int(match[1]): folder / name for name in names if (match := _FIGURE.fullmatch(name))},
        supplements={
            name.removeprefix(f"{SUPPLEMENTS}/"): folder / name for name in names if name.startswith(f"{SUPPLEMENTS}/")
        },
        notes=tuple(_notes(fetched.record)),
        url=address if isinstance(address, str) and address.startswith("http") else None,
    )


def read_forms(forms: Forms, known: Mapping[str, Document | PaperError] | None = None) -> Document:
    """Read an article from the best of its forms that can be read; ``known`` is what was read of a form already.

    Raises the PaperError of the best form where none can be, and OSError where a file cannot be opened.
    """
    first: PaperError | None = None
    problems: list[str] = []
    for name in FORMS:
        if name not in forms.articles:
            continue
        found = (known or {}).get(name) or read_form(name, forms)
        if isinstance(found, PaperError):
            first = first or found
            problems.append(f"the {name} could not be read: {found.message}")
            continue
        document = _with_pictures(found, forms.pictures)
        if name != "pdf":
            if "pdf" in forms.articles and any(not figure.image for figure in document.figures):
                document = _with_pictures_of(document, (known or {}).get("pdf") or read_form("pdf", forms))
            document = _naming_bare(document)
        return replace(document, problems=(*problems, *document.problems)) if problems else document
    raise first or NoFullTextError("there is no full text to read", hint="Fetch or ingest the paper.")


def read_form(name: str, forms: Forms) -> Document | PaperError:
    """What one form of an article says, or why it cannot be read. Raises OSError where it cannot be opened."""
    path = forms.articles[name]
    try:
        document = _READERS[name](path, forms)
        if document.source == "html":
            refuse_other_page(document)
    except PaperError as error:
        return type(error)(_placeless(error.message, path), hint=error.hint)
    document = all_printable(document)
    problems = tuple(_placeless(problem, path) for problem in document.problems)
    return replace(document, title=squeeze(document.title), problems=problems)


def _placeless(text: str, path: Path) -> str:
    """What is said of a file, without where it lies on this machine: two homes tell the same of the same paper."""
    places = {str(path.parent), str(path.parent.resolve())} - {".", "/"}
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(f"{place}/", "")
    return re.sub(rf"(?<![\w.-]){re.escape(path.name)}(?![\w-])", "the file", text) if path.suffix else text


def _read_supplement(name: str, path: Path) -> Supplement:
    """A supplementary file: PDFs are read, without their pictures; others are only kept."""
    from nature_gym.reading.forms import form_of, head_of

    try:
        if form_of(head_of(path)) != "pdf":
            return Supplement(name)
        document = all_printable(_read_pdf(path, figures=False))
        problems = tuple(_placeless(problem, path) for problem in document.problems)
        return Supplement(name, replace(document, problems=problems))
    except PaperError as error:
        return Supplement(name, problem=_placeless(error.message, path))


def _read_page(path: Path, forms: Forms) -> Document:
    from nature_gym.reading.html import read_html

    tables = {number: table.read_bytes() for number, table in forms.tables.items()}
    return read_html(path.read_bytes(), url=forms.url, table_pages=tables)


def _read_xml(path: Path, forms: Forms) -> Document:  # noqa: ARG001 -- readers are called alike
    from nature_gym.reading.jats import read_jats

    return read_jats(path.read_bytes())


def _read_pdf(path: Path, forms: Forms | None = None, *, figures: bool = True) -> Document:  # noqa: ARG001
    from nature_gym.reading.pdf import read_pdf

    return read_pdf(path, figures=figures)


_READERS: dict[str, Callable[[Path, Forms], Document]] = {"html": _read_page, "xml": _read_xml, "pdf": _read_pdf}


def _with_pictures(document: Document, pictures: Mapping[int, Path]) -> Document:
    """The figures with their pictures, where these were fetched beside the text."""

    def pictured(figure: Figure) -> Figure:
        number = number_of(figure.label)
        is_main = figure.label.casefold().startswith("fig")
        if figure.image or not is_main or number is None or number not in pictures:
            return figure
        suffix = pictures[number].suffix.lower().removeprefix(".")
        media_type = _MEDIA_TYPES.get(suffix, f"image/{suffix}")
        return replace(figure, image=pictures[number].read_bytes(), media_type=media_type)

    return replace(document, figures=tuple(map(pictured, document.figures)))


def _with_pictures_of(document: Document, pdf: Document | PaperError) -> Document:
    """The figures still without pictures with those that the PDF has under their labels.

    A PDF that names another article gives none; one that cannot be read is a problem of the paper, and no more.
    """
    if isinstance(pdf, PaperError):
        return replace(document, problems=(*document.problems, f"the pdf could not be read: {pdf.message}"))
    if document.doi and pdf.doi and document.doi.casefold() != pdf.doi.casefold():
        return document
    shown = {_plain_label(one.label): one for one in reversed(pdf.figures) if one.label and one.image}

    def pictured(figure: Figure) -> Figure:
        same = None if figure.image else shown.get(_plain_label(figure.label))
        return replace(figure, image=same.image, media_type=same.media_type) if same else figure

    return replace(document, figures=tuple(map(pictured, document.figures)))


def _plain_label(label: str) -> str:
    """A label as it is compared: ``Fig. 2`` and ``FIGURE 2`` are one.

    >>> _plain_label("Extended Data Figure 2.")
    'extended data fig 2'
    """
    return " ".join(_FIGURE_WORD.sub("fig ", label.casefold()).split()).rstrip(" .:")


def _naming_bare(document: Document) -> Document:
    """The figures without pictures named. A PDF's reader has told itself which could not be had."""
    bare = [figure.label or "a figure" for figure in document.figures if not figure.image]
    more = f" and {len(bare) - _MOST_NAMED} more" if len(bare) > _MOST_NAMED else ""
    named = (f"figures whose pictures are not here: {', '.join(bare[:_MOST_NAMED])}{more}",) if bare else ()
    return replace(document, problems=(*document.problems, *named))


_MOST_NAMED = 30


def _reason(told: PaperFile) -> str:
    return told.problems[0] if told.problems else ""


def _facts(document: Document, told: PaperFile) -> dict[str, Any]:
    kinds = Counter(link.kind for link in told.links)
    return {
        "source": told.source,
        "title": told.title,
        "doi": told.doi,
        "article_type": told.article_type,
        "published": document.published,
        "journal": document.journal,
        "sections": len(told.sections),
        "characters": sum(section.characters for section in told.sections),
        "tables": sum(1 for table in told.tables if table.file),
        "figures": len(told.figures),
        "links": dict(sorted(kinds.items())),
        "availability": [name for name in ("data", "code") if getattr(told.availability, name)],
        "problems": len(told.problems),
    }
