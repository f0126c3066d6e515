"""The read stage: from what was fetched of a paper to what it says.

The page is preferred to the XML, and the XML to the PDF: so much is lost in each. Where the better one cannot be
read, the next is, and the paper says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nature_gym.config import Settings
from nature_gym.errors import PaperError
from nature_gym.reading.document import Document, Figure, Source
from nature_gym.reading.refusals import NoFullTextError
from nature_gym.reading.sections import number_of
from nature_gym.reading.writing import PaperFile, write_document
from nature_gym.records import PaperFolder, Papers, Publication, StageRecord
from nature_gym.stages import Outcome

STAGE = "read"
FETCH = "fetch"
FORMS: tuple[Source, ...] = ("html", "xml", "pdf")
"""The forms of an article, best first."""

ARTICLES = tuple(f"article.{form}" for form in FORMS)
"""What the fetch stage may have of an article."""

_TABLE = re.compile(r"tables/(\d+)\.html")
_FIGURE = re.compile(r"figures/(?:[a-z_ -]*)(\d+)\.(?:png|jpe?g|svg|gif|webp|tiff?)", re.IGNORECASE)
_MEDIA_TYPES = {"jpg": "image/jpeg", "svg": "image/svg+xml", "tif": "image/tiff"}


class ReadStage:
    """Reads a paper's full text, and writes what :mod:`nature_gym.reading.writing` says."""

    name = STAGE
    rules = "1"

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
        return {name: made.digest for name, made in sorted(fetched.record.outputs.items()) if _is_input(name)}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Read the best text there is, and write it out."""
        return self.write(read_forms(forms_of(_fetched(paper))), draft, paper)

    @staticmethod
    def write(document: Document, draft: Path, paper: PaperFolder) -> Outcome:
        """Write out what was read of ``paper``."""
        told = write_document(document, draft, paper.id)
        return Outcome("done", _reason(told), _facts(document, told))


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
    return name in ARTICLES or bool(_TABLE.fullmatch(name) or _FIGURE.fullmatch(name))


@dataclass(frozen=True, slots=True)
class Forms:
    """An article's files: its forms (``html``, ``xml``, ``pdf``), its tables' pages, and its figures' pictures."""

    articles: Mapping[str, Path]
    tables: Mapping[int, Path] = field(default_factory=dict)
    pictures: Mapping[int, Path] = field(default_factory=dict)
    url: str | None = None


def forms_of(fetched: Publication) -> Forms:
    """The files that a fetch has brought."""
    folder, names = fetched.folder, sorted(fetched.record.outputs)
    address = fetched.record.facts.get("url")
    return Forms(
        articles={name.rpartition(".")[2]: folder / name for name in ARTICLES if name in names},
        tables={int(match[1]): folder / name for name in names if (match := _TABLE.fullmatch(name))},
        pictures={int(match[1]): folder / name for name in names if (match := _FIGURE.fullmatch(name))},
        url=address if isinstance(address, str) and address.startswith("http") else None,
    )


def read_forms(forms: Forms) -> Document:
    """Read an article from the best of its forms that can be read.

    Raises the PaperError of the best form where none can be, and OSError where a file cannot be opened.
    """
    first: PaperError | None = None
    problems: list[str] = []
    for name in FORMS:
        if name not in forms.articles:
            continue
        try:
            document = _READERS[name](forms.articles[name], forms)
        except PaperError as error:
            first = first or error
            problems.append(f"the {name} could not be read: {error.message}")
            continue
        document = _with_pictures(document, forms.pictures)
        return replace(document, problems=(*problems, *document.problems)) if problems else document
    raise first or NoFullTextError("there is no full text to read", hint="Fetch or ingest the paper.")


def _read_page(path: Path, forms: Forms) -> Document:
    from nature_gym.reading.html import read_html

    tables = {number: table.read_bytes() for number, table in forms.tables.items()}
    return read_html(path.read_bytes(), url=forms.url, table_pages=tables)


def _read_xml(path: Path, forms: Forms) -> Document:  # noqa: ARG001 -- readers are called alike
    from nature_gym.reading.jats import read_jats

    return read_jats(path.read_bytes())


def _read_pdf(path: Path, forms: Forms) -> Document:  # noqa: ARG001
    from nature_gym.reading.pdf import read_pdf

    return read_pdf(path)


_READERS: dict[str, Callable[[Path, Forms], Document]] = {"html": _read_page, "xml": _read_xml, "pdf": _read_pdf}


def _with_pictures(document: Document, pictures: Mapping[int, Path]) -> Document:
    """The figures with their pictures, where these were fetched beside the text."""
    if not pictures:
        return document

    def pictured(figure: Figure) -> Figure:
        number = number_of(figure.label)
        is_main = figure.label.casefold().startswith("fig")
        if figure.image or not is_main or number is None or number not in pictures:
            return figure
        suffix = pictures[number].suffix.lower().removeprefix(".")
        media_type = _MEDIA_TYPES.get(suffix, f"image/{suffix}")
        return replace(figure, image=pictures[number].read_bytes(), media_type=media_type)

    return replace(document, figures=tuple(map(pictured, document.figures)))


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
