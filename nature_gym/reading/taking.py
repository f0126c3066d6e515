"""The stages of a paper that is taken in from a folder: given what they publish instead of asking for it.

They make the records that harvest and fetch would have made. What is taken in later is added to what is there: a file
takes the place of one of its own name alone.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nature_gym.digests import digest_file
from nature_gym.errors import PaperError
from nature_gym.files import to_json
from nature_gym.harvest.works import Work
from nature_gym.reading.article_types import article_kind
from nature_gym.reading.document import Document
from nature_gym.reading.encoding import printable
from nature_gym.reading.forms import copy_plain
from nature_gym.reading.sources import Piece
from nature_gym.reading.stage import FETCH, NOTES, Forms, ReadStage, read_forms
from nature_gym.records import PaperFolder, Publication
from nature_gym.stages import Outcome

HARVEST, WORK = "harvest", "work.json"
"""The stage that is stood in for, and its file. Its own module would bring along all that talks to OpenAlex."""

FOLDERS = ("repository", "data")
"""What may lie beside an article, and is copied with it."""

_MOST_NOTES = 20
"""Files of a folder that are named as left out; the others are counted."""


class HarvestStage:
    """The record that harvest would have made, from what the article says of itself."""

    name = HARVEST
    rules = "ingest-1"

    def __init__(self, identity: str, document: Document | None) -> None:
        self._work = _work(identity, document).model_dump(mode="json")

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the work is the input
        return self._work

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        (draft / WORK).write_bytes(to_json(self._work))
        return Outcome("done", "ingested; OpenAlex was not asked")


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
        article_type=article_kind(document),
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


# -- fetch -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """What a user brings of one paper: files by the names that they get in the paper's folder."""

    name: str
    articles: Mapping[str, Piece] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    """Tables' pages, pictures of figures, supplementary files."""
    folders: Mapping[str, Path] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What is to be said of the files, by their names."""


class FetchStage:
    """The record that fetch would have made, with copies of the user's files beside those that are there."""

    name = FETCH
    rules = "ingest-2"

    def __init__(self, offer: Offer, previous: Publication | None) -> None:
        """Lists and digests what is brought; what cannot be opened is left out, and told."""
        self._offer = offer
        self.unopened: dict[str, str] = {}
        """Name of each file that could not be opened -> why."""
        self._trees = {name: Tree(path) for name, path in offer.folders.items()}
        self._previous = previous if previous is not None and previous.record.status == "done" else None
        self._brought = {f"article.{form}": piece.digest for form, piece in offer.articles.items()}
        for name, path in offer.files.items():
            try:
                self._brought[name] = digest_file(path)
            except OSError as error:
                self.unopened[name] = _reason(error)
        for top, tree in self._trees.items():
            self._brought |= {f"{top}/{name}": tree.digests[name] for name in tree.digests}
        there = self._previous.record.outputs if self._previous else {}
        self._kept = {
            name: made.digest
            for name, made in there.items()
            if name not in self._brought and name.partition("/")[0] not in self._trees
        }
        self._notes = self._all_notes({name: made.digest for name, made in there.items()})

    def _all_notes(self, there: Mapping[str, str]) -> dict[str, list[str]]:
        """Notes on what stays, and on what comes; a file that comes again unchanged keeps those on it."""
        noted = self._previous.record.facts.get(NOTES) if self._previous else None
        notes: dict[str, list[str]] = {}
        for name, said in (noted or {}).items():
            changed = name in self._brought and self._brought[name] != there.get(name)
            if not changed and name.rstrip("/") not in self._trees:
                notes[name] = list(said)
        for name, tree in self._trees.items():
            if tree.left_out:
                notes[f"{name}/"] = _told(name, tree.left_out)
        for name, why in self.unopened.items():
            notes[name] = [f"{name} could not be opened: {why}"]
        for name, news in self._offer.notes.items():
            notes[name] = list(dict.fromkeys((*notes.get(name, ()), *news)))
        return notes

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the files are the input
        return {"files": {**self._kept, **self._brought}, "notes": self._notes}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        for name in self._kept:
            self._keep(name, draft)
        for form, piece in self._offer.articles.items():
            copy_plain(piece.path, draft / f"article.{form}")
        for name, path in self._offer.files.items():
            if name in self.unopened:
                continue
            _place(draft / name)
            shutil.copyfile(path, draft / name)
        for top, tree in self._trees.items():
            tree.copy(draft / top)
        names = {*self._kept, *self._brought}
        forms = sorted(name.removeprefix("article.") for name in names if name.startswith("article."))
        facts: dict[str, Any] = {"from": self._offer.name, "forms": forms}
        if self._notes:
            facts[NOTES] = self._notes
        return Outcome("ingested", facts=facts)

    def _keep(self, name: str, draft: Path) -> None:
        """What was published is never written to again, so its new version may be the same file."""
        if self._previous is None:
            return
        _place(draft / name)
        os.link(self._previous.folder / name, draft / name)


def _place(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)


def _told(top: str, left_out: list[tuple[str, str]]) -> list[str]:
    said = [f"{top}/{name} was left out: {why}" for name, why in sorted(left_out)[:_MOST_NOTES]]
    more = len(left_out) - len(said)
    return [*said, f"{more} more files of {top}/ were left out"] if more > 0 else said


class Tree:
    """A folder that is copied whole: its files, and the links in it that stay inside.

    A link that leads out of it, a pipe, a socket, a device and what cannot be opened are left out, and told.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.digests: dict[str, str] = {}
        self.left_out: list[tuple[str, str]] = []
        """(name, why)."""
        self._links: dict[str, str] = {}
        for path in self._entries():
            self._add(path, _name_in(path, root))

    def _entries(self) -> Iterator[Path]:
        def refuse(error: OSError) -> None:
            self.left_out.append((_name_in(Path(error.filename), self.root), _reason(error)))

        for folder, names, files in os.walk(self.root, onerror=refuse):
            names.sort()
            place = Path(folder)
            yield from (place / name for name in names if (place / name).is_symlink())
            yield from (place / name for name in sorted(files))

    def _add(self, path: Path, name: str) -> None:
        if not _is_utf8(path):
            self.left_out.append((name, "its name is not UTF-8"))
        elif path.is_symlink():
            target = os.readlink(path)  # noqa: PTH115 -- the text of the link, as it is written
            if Path(target).is_absolute() or not _leads_to(path).is_relative_to(self.root.resolve()):
                self.left_out.append((name, "it is a link that leads out of the folder"))
            else:
                self._links[name] = target
        elif not path.is_file():
            self.left_out.append((name, "it is no file"))
        else:
            try:
                self.digests[name] = digest_file(path)
            except OSError as error:
                self.left_out.append((name, _reason(error)))

    def copy(self, target: Path) -> None:
        """Copy what was found to ``target``. Raises OSError for what has gone or cannot be opened any more."""
        target.mkdir()
        for name in self.digests:
            _place(target / name)
            shutil.copyfile(self.root / name, target / name, follow_symlinks=False)
        for name, link in self._links.items():
            _place(target / name)
            (target / name).symlink_to(link)


def _leads_to(link: Path) -> Path:
    """Where a link ends; nowhere inside for one that leads in a circle."""
    try:
        return link.resolve()
    except (OSError, RuntimeError):
        return Path("/")


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _name_in(path: Path, root: Path) -> str:
    return shown_name(path.relative_to(root).as_posix())


def shown_name(name: str) -> str:
    """A file's name as it may be told and recorded, whatever bytes it has."""
    return " ".join(printable(os.fsencode(name).decode("utf-8", "replace")).splitlines()).replace("\t", " ")


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


# -- read --------------------------------------------------------------------------


class TakenReadStage(ReadStage):
    """The read stage for a paper some forms of which were read already, to learn which it is."""

    def __init__(self, known: Mapping[str, Document | PaperError]) -> None:
        super().__init__()
        self._known = known
        self.document: Document | None = None
        """What was read, where anything had to be."""

    def read(self, forms: Forms) -> Document:
        # A page that was read without its tables' pages and pictures has to be read again with them; a PDF has none.
        stands_alone = not forms.tables and not forms.pictures
        known = {form: one for form, one in self._known.items() if stands_alone or form == "pdf"}
        self.document = read_forms(forms, known)
        return self.document
