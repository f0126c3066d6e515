"""Papers that the user has already: folders and files become papers of the corpus, without any network.

A paper is any of an HTML, XML and PDF file, with ``tables/``, ``repository/`` and ``data/`` folders beside it where
there are such. It gets the records that harvest and fetch would have made, so that everything after is the same.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from nature_gym.digests import digest_bytes, digest_file, digest_folder, digest_json
from nature_gym.errors import PaperError, UsageError
from nature_gym.files import to_json, write_json
from nature_gym.harvest.works import Work
from nature_gym.reading.document import Document
from nature_gym.reading.stage import FETCH, Forms, ReadStage, read_forms
from nature_gym.records import PaperFolder, Papers, paper_id
from nature_gym.stages import Clock, Outcome, Result, carry_out, now

HARVEST, WORK = "harvest", "work.json"
"""The stage that is stood in for, and its file. Its own module would bring along all that talks to OpenAlex."""

FORMATS = {".html": "html", ".htm": "html", ".xhtml": "html", ".xml": "xml", ".nxml": "xml", ".pdf": "pdf"}
FOLDERS = ("repository", "data")
"""What may lie beside an article, and is copied with it."""

_TABLE = re.compile(r"(?:table[-_ ]?)?(\d+)\.html?", re.IGNORECASE)
_NAME = re.compile(r"[^a-z0-9]+")
_MOST_FOLDERS = 100_000


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one paper, as the user has them."""

    name: str
    articles: dict[str, Path]
    """``html``, ``xml``, ``pdf`` -> file."""
    tables: dict[int, Path] = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)
    own_folder: bool = False
    """The name is that of a folder which holds this paper alone."""


@dataclass(frozen=True, slots=True)
class IngestedPaper:
    """What came of one paper: where it is, and how it was read."""

    id: str
    source: Source
    folder: PaperFolder
    result: Result


def find_sources(paths: Iterable[Path]) -> list[Source]:
    """The papers among ``paths``.

    A file is a paper; so is a folder that holds articles, all of which are taken for the same paper in several
    forms, unless it holds several of one form: then each is a paper, together with those that share its name. Other
    folders are looked through. Raises UsageError for a path that does not exist or holds no paper.
    """
    found: list[Source] = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist", hint="Give a file or a folder that holds papers.")
        if path.is_file():
            if path.suffix.lower() not in FORMATS:
                raise UsageError(f"{path} is no paper", hint=f"A paper is one of {', '.join(FORMATS)}.")
            found.append(Source(path.stem, {FORMATS[path.suffix.lower()]: path}))
            continue
        inside = list(_in_folder(path))
        if not inside:
            raise UsageError(f"{path} holds no paper", hint=f"A paper is one of {', '.join(FORMATS)}.")
        found += inside
    return list(_merged(found))


def _merged(sources: Iterable[Source]) -> Iterator[Source]:
    """Papers of one name that lie in folders by form (``html/x.html``, ``pdf/x.pdf``) are one."""
    kept: dict[str, Source] = {}
    for source in sources:
        known = kept.get(source.name)
        if source.own_folder or known is None or not known.articles.keys().isdisjoint(source.articles):
            if known is not None or source.own_folder:
                yield source
            else:
                kept[source.name] = source
            continue
        kept[source.name] = replace(
            known, articles=known.articles | source.articles, tables=known.tables | source.tables
        )
    yield from kept.values()


def _in_folder(root: Path) -> Iterator[Source]:
    for count, (folder, names, files) in enumerate(os.walk(root)):
        if count > _MOST_FOLDERS:
            raise UsageError(f"{root} has too many folders", hint="Name the papers' own folders.")
        place = Path(folder)
        suited = (place / name for name in sorted(files) if Path(name).suffix.lower() in FORMATS)
        articles = [path for path in suited if path.is_file()]  # no pipe to wait at, no link to nothing
        own = _is_papers_own(articles)
        if articles:
            # What lies beside one paper belongs to it and is no paper.
            aside = {"tables", "figures", *(FOLDERS if own else ())}
            names[:] = sorted(name for name in names if name not in aside)
            yield from _grouped(place, articles, own=own)
        names[:] = sorted(name for name in names if not name.startswith("."))


def _is_papers_own(articles: Sequence[Path]) -> bool:
    """Whether files of a folder are one paper's: no form is there twice, or one is named ``article``."""
    forms = [FORMATS[path.suffix.lower()] for path in articles]
    return len(set(forms)) == len(forms) or any(path.stem == "article" for path in articles)


def _grouped(place: Path, articles: Sequence[Path], *, own: bool) -> Iterator[Source]:
    if own:
        named = [path for path in articles if path.stem == "article"] or articles
        yield Source(
            place.name,
            {FORMATS[path.suffix.lower()]: path for path in named},
            _tables(place / "tables"),
            {name: place / name for name in FOLDERS if (place / name).is_dir()},
            own_folder=True,
        )
        return
    groups: dict[str, dict[str, Path]] = {}
    for path in articles:
        groups.setdefault(path.stem, {})[FORMATS[path.suffix.lower()]] = path
    for stem, forms in groups.items():
        yield Source(stem, forms, _tables(place / stem / "tables"))


def _tables(folder: Path) -> dict[int, Path]:
    if not folder.is_dir():
        return {}
    return {
        int(match[1]): path
        for path in sorted(folder.iterdir())
        if (match := _TABLE.fullmatch(path.name)) and path.is_file()
    }


# -- stages that are given what they publish ---------------------------------------


class _HarvestStage:
    """The record that harvest would have made, from what the article says of itself."""

    name = HARVEST
    rules = "ingest-1"

    def __init__(self, work: Work) -> None:
        self._work = work.model_dump(mode="json")

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the work is the input
        return self._work

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        (draft / WORK).write_bytes(to_json(self._work))
        return Outcome("done", "ingested; OpenAlex was not asked")


class _FetchStage:
    """The record that fetch would have made, with copies of the user's files."""

    name = FETCH
    rules = "ingest-1"

    def __init__(self, source: Source) -> None:
        self._source = source

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the files are the input
        source = self._source
        return {
            "articles": {kind: digest_file(path) for kind, path in sorted(source.articles.items())},
            "tables": {str(number): digest_file(path) for number, path in sorted(source.tables.items())},
            "folders": {name: digest_json(digest_folder(path)) for name, path in sorted(source.folders.items())},
        }

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        source = self._source
        for kind, path in source.articles.items():
            shutil.copyfile(path, draft / f"article.{kind}")
        if source.tables:
            (draft / "tables").mkdir()
        for number, path in source.tables.items():
            shutil.copyfile(path, draft / "tables" / f"{number}.html")
        for name, path in source.folders.items():
            # Links are copied as links: what they lead to may lie anywhere.
            shutil.copytree(path, draft / name, symlinks=True)
        return Outcome("ingested", facts={"from": source.name, "forms": sorted(source.articles)})


class _ReadStage(ReadStage):
    """The read stage for a paper that was read already, to learn which it is."""

    def __init__(self, document: Document | None) -> None:
        super().__init__()
        self._document = document

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        if self._document is None:
            return super().work(paper, draft)
        return self.write(self._document, draft, paper)


# -- ingesting ---------------------------------------------------------------------


def ingest(
    paths: Iterable[Path], papers: Papers, *, clock: Clock = now, force: bool = False
) -> Iterator[IngestedPaper]:
    """Take in the papers at ``paths``, one after the other.

    A paper that was taken in before, and has not changed since, is only looked up. What is wrong with a paper is
    on its record and in its result. Raises UsageError for paths that hold no paper.
    """
    for source in find_sources(paths):
        yield ingest_one(source, papers, clock=clock, force=force)


def ingest_one(source: Source, papers: Papers, *, clock: Clock = now, force: bool = False) -> IngestedPaper:
    """Take in one paper."""
    seen = papers.root.parent / "ingested" / f"{_content(source)}.json"
    known = _known(seen, papers)
    document = None if known and not force else _read(source)
    identity = known or _identity(source, document)
    folder = papers[identity]
    if not known and not _harvested(folder):
        carry_out(_HarvestStage(_work(identity, document)), folder, clock=clock)
    result = carry_out(_FetchStage(source), folder, clock=clock)
    if result.kind != "error":
        result = carry_out(_ReadStage(document), folder, clock=clock, force=force)
        write_json(seen, {"id": identity})
    return IngestedPaper(identity, source, folder, result)


def _content(source: Source) -> str:
    """Digest of the name and the texts that say which paper a source is."""
    return digest_json([source.name, {kind: digest_file(path) for kind, path in source.articles.items()}])[7:39]


def _known(seen: Path, papers: Papers) -> str:
    """Which paper a source turned out to be before; empty where it is new, or the paper is gone."""
    try:
        identity = str(orjson.loads(seen.read_bytes())["id"])
        return identity if papers[identity].publication(HARVEST) else ""
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, UsageError):
        return ""


def _harvested(folder: PaperFolder) -> bool:
    """Whether OpenAlex's own record is there, which says more than an article of itself."""
    record = folder.record(HARVEST)
    return record is not None and record.rules != _HarvestStage.rules


def _read(source: Source) -> Document | None:
    """The article; None where it cannot be read, which the read stage meets again and tells."""
    try:
        return read_forms(Forms(source.articles, source.tables))
    except (PaperError, OSError):
        return None


def _identity(source: Source, document: Document | None) -> str:
    """The paper's id: its DOI, else the DOI that its name spells, else its folder's name, else its content."""
    if document is not None and document.doi:
        try:
            return paper_id(document.doi)
        except UsageError:
            pass  # a DOI longer than a name may be
    spelled = re.match(r"(10\.\d{4,9})[_/]([\w.;()+:-]+)$", source.name)
    if spelled:
        return paper_id(f"{spelled[1]}/{spelled[2]}")
    slug = _NAME.sub("-", source.name.casefold()).strip("-")[:60]
    content = digest_bytes(b"".join(digest_file(path).encode() for _, path in sorted(source.articles.items())))[7:19]
    generic = slug in {"", "article", "paper", "fulltext", "main", "index", "original"}
    return f"ingest-{content}" if generic else f"ingest-{slug}"


def _work(identity: str, document: Document | None) -> Work:
    if document is None:
        return Work(id=identity)
    return Work(
        id=identity,
        doi=document.doi,
        title=document.title,
        abstract=document.abstract,
        authors=document.authors,
        venue=document.journal,
        issn_l=document.metadata.get("prism.issn") or document.metadata.get("citation_issn") or None,
        published=_date(document.published),
        article_type=document.article_type,
        pmcid=_pmcid(document.metadata.get("pmcid", "")),
        pmid=document.metadata.get("pmid") or None,
    )


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _pmcid(text: str) -> str | None:
    digits = re.search(r"\d+", text)
    return f"PMC{digits[0]}" if digits else None
