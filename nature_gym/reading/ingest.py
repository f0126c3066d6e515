"""Papers that the user has already: folders and files become papers of the corpus, without any network.

A paper is any of an HTML, XML and PDF file, with ``tables/``, ``figures/``, ``repository/`` and ``data/`` folders and
supplementary files beside it where there are such. The one idea: nothing is passed over. Each file that may be an
article is read to learn which paper it is, and becomes a form of it; what cannot be taken in is told.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Literal

import orjson

from nature_gym.digests import digest_bytes, digest_file
from nature_gym.errors import InfrastructureError, NatureGymError, PaperError, UsageError
from nature_gym.files import write_json
from nature_gym.reading.document import Document, Source
from nature_gym.reading.forms import SUFFIXES, form_of, head_of, plain
from nature_gym.reading.links import find_links
from nature_gym.reading.refusals import NoArticleError
from nature_gym.reading.sources import (
    Paper,
    Piece,
    claimed_form,
    is_supplement_name,
    owner_of,
    papers_among,
    same_title,
    stem_of,
)
from nature_gym.reading.stage import FETCH, FORMS, STAGE, SUPPLEMENTS, Forms, read_form
from nature_gym.reading.taking import (
    FOLDERS,
    HARVEST,
    FetchStage,
    HarvestStage,
    Offer,
    TakenReadStage,
    shown_name,
)
from nature_gym.records import PaperFolder, Papers, paper_id
from nature_gym.stages import Clock, Result, carry_out, now

LOG = logging.getLogger(__name__)

Tell = Callable[[int], None]
"""Told how many files were looked at so far."""

_PAPERS_OWN = ("tables", "figures", *FOLDERS)
_OF_SUPPLEMENTS = frozenset({
    "supplement", "supplements", "supplementary", "supplementary_information", "supplementary-information",
    "supplementary_material", "supplementary_materials", "supporting_information", "esm", "si",
})  # fmt: skip
_TABLE = re.compile(r"(?:table[-_ ]?)?(\d+)\.html?", re.IGNORECASE)
_FIGURE = re.compile(r"[a-z_ -]*\d+\.(?:png|jpe?g|svg|gif|webp|tiff?)", re.IGNORECASE)
_SPELLED = re.compile(r"(10\.\d{4,9})[_/]([\w.;()+:-]+)$")
_WORDS = re.compile(r"[^a-z0-9]+")
_GENERIC = frozenset({"", "article", "paper", "fulltext", "full-text", "main", "index", "original", "download"})
_PAGES_OF_OTHER_NAME = frozenset({"", ".txt", ".text", ".bin", ".dat", ".download", ".php", ".asp", ".aspx", ".jsp"})
"""What else a saved page's name may end with. Pages of other names are templates, programs, pictures."""
_NEVER = frozenset({".ai"})
_FEW = 12
"""Files that may be articles in a folder of which all that was read is kept until the folder is done."""
_MOST_WAITING = 32
_MOST_FOLDERS = 100_000
_MOST_NAMED = 10
_WHAT_IS_ONE = f"A paper is one of {', '.join(SUFFIXES)}."


@dataclass(slots=True)
class IngestedPaper:
    """What came of one paper, or of what should have been one.

    ``folder`` is None where there is none: the path is wrong, or its file cannot be opened. Then ``error`` says why.
    """

    id: str
    name: str
    result: Result
    folder: PaperFolder | None = None
    error: NatureGymError | None = None
    form: Source = "html"
    unopened: bool = False
    """Whether a file that belongs to the paper could not be opened, which its problems tell."""

    @property
    def exit_code(self) -> int:
        """0 fine, 1 the file is no paper that can be read, 2 a path is wrong, 3 the machine failed."""
        if self.error is not None:
            return self.error.exit_code
        kind: str = self.result.kind
        if kind == "current" and self.folder is not None and (record := self.folder.record(STAGE)) is not None:
            kind = record.status  # what could not be read before, and has not changed, is no better now
        return max({"failed": 1, "error": 3}.get(kind, 0), 3 if self.unopened else 0)


def ingest(
    paths: Iterable[str | Path],
    papers: Papers,
    *,
    clock: Clock = now,
    force: bool = False,
    tell: Tell | None = None,
    note: Callable[[str], None] = LOG.info,
) -> Iterator[IngestedPaper]:
    """Take in the papers at ``paths``; each is given once, when all were looked at, in the order in which they lie.

    What was taken in before, and has not changed since, is only looked up; another form of a paper that is there is
    added to it. What is wrong with a paper is on its record and in its result; a path that is wrong or cannot
    be opened is given in the place of a paper. ``note`` is told of files that are no papers and were passed over.
    """
    intake = _Intake(papers, clock, tell or (lambda _: None), note, force=force)
    intake.take_in(paths)
    yield from intake.results()


@dataclass(slots=True)
class _Taken:
    """A paper of this run: what was brought of it so far."""

    paper: Paper
    result: IngestedPaper


@dataclass(slots=True)
class _Listing:
    """What lies in a folder."""

    pieces: list[Path] = field(default_factory=list)
    """Files that may be articles."""
    supplements: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


class _Intake:
    """One run."""

    def __init__(self, papers: Papers, clock: Clock, tell: Tell, note: Callable[[str], None], *, force: bool) -> None:
        self._papers = papers
        self._clock = clock
        self._tell = tell
        self._note = note
        self._force = force
        self._cache = papers.root.parent / "ingested"
        self._taken: dict[str, _Taken] = {}
        self._failed: list[tuple[int, IngestedPaper]] = []
        self._order: dict[str, int] = {}
        self._waiting: list[tuple[int, Paper]] = []
        self._seen: set[Path] = set()
        self._met = 0
        """Files that may be articles or supplements, met once or again."""
        self._looked_at = 0
        self._place = 0

    def results(self) -> Iterator[IngestedPaper]:
        """All papers of this run, and all that could not become one."""
        placed = [(self._order[paper], taken.result) for paper, taken in self._taken.items()]
        for _, result in sorted([*placed, *self._failed], key=lambda one: one[0]):
            yield result

    # -- where to look --

    def take_in(self, paths: Iterable[str | Path]) -> None:
        files: dict[Path, list[Path]] = {}
        for given in paths:
            if not str(given):
                self._refuse("", UsageError("an empty path is no paper", hint="'.' means the current folder."))
                continue
            path = Path(given)
            try:
                kind = path.stat().st_mode
            except OSError as error:
                self._refuse(path, _wrong_path(path, error))
                continue
            if stat.S_ISDIR(kind):
                self._take_in_tree(path)
            elif stat.S_ISREG(kind):
                files.setdefault(path.parent, []).append(path)
            else:
                self._refuse(path, _no_file(path))
        for named in files.values():
            self._take_in_files(_Listing(*_apart(named)), named=True)
        self._take_in_waiting()

    def _take_in_tree(self, root: Path) -> None:
        before = self._met, len(self._failed)
        folders = [root]
        for _ in range(_MOST_FOLDERS):
            if not folders:
                break
            place = folders.pop()
            if (listing := self._listing(place)) is None:
                continue
            used = self._take_in_files(listing, place)
            folders += reversed([folder for folder in listing.folders if folder not in used])
        else:
            self._refuse(root, UsageError(f"{_said(root)} has too many folders", hint="Name the papers' own folders."))
        if before == (self._met, len(self._failed)):
            self._refuse(root, UsageError(f"{_said(root)} holds no paper", hint=_WHAT_IS_ONE))

    def _list(self, place: Path) -> _Listing:
        """What a folder holds, what hides apart. Raises OSError where it cannot be opened."""
        listing = _Listing()
        regular: list[Path] = []
        with os.scandir(place) as found:
            entries = sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda one: one.name)
        for entry in entries:
            path = Path(entry)
            if entry.is_dir(follow_symlinks=False):
                listing.folders.append(path)
            elif _is_file(path):
                regular.append(path)
            elif claimed_form(path) is not None:
                self._refuse(path, _no_file(path))
            else:
                listing.others.append(path)
        listing.pieces, listing.supplements, others = _apart(regular)
        for path in others:
            (listing.pieces if self._may_be_an_article(path) else listing.others).append(path)
        return listing

    @staticmethod
    def _may_be_an_article(path: Path) -> bool:
        """Whether a file that is not called like an article holds one all the same."""
        try:
            form = form_of(head_of(path))
        except (OSError, PaperError):
            return False  # it is named among what was passed over
        suffix = path.suffix.lower()
        return form in {"pdf", "xml"} - ({"pdf"} if suffix in _NEVER else set()) or (
            form == "html" and suffix in _PAGES_OF_OTHER_NAME
        )

    # -- one folder --

    def _take_in_files(self, listing: _Listing, place: Path | None = None, *, named: bool = False) -> set[Path]:
        """Take in the files of one folder, ``place`` where all of it is meant; the folders in it that went along."""
        candidates = [path for path in listing.pieces if self._is_new(path)]
        if named:
            candidates += [path for path in listing.others if self._is_new(path)]
            listing.others = []
        self._met += len(listing.pieces) + len(listing.supplements)
        batches = [candidates]
        if len(candidates) > _FEW:
            batches = [list(same) for _, same in groupby(sorted(candidates, key=stem_of), stem_of)]
        papers: list[tuple[int, Paper]] = []
        supplements = list(listing.supplements)
        used: set[Path] = set()
        for batch in batches:
            pieces = [(path, piece) for path in batch if (piece := self._identify(path)) is not None]
            linked = frozenset[str]().union(*(piece.linked for _, piece in pieces))
            aside = [path for path, piece in pieces if piece.is_supplement or path.name in linked]
            supplements += aside
            found = papers_among(piece for path, piece in pieces if path not in aside)
            made = [(self._next_place(), paper) for paper in found]
            if len(batches) == 1:
                used = self._gather(made, supplements, listing, place)
                supplements = []
            papers += made
            for order, paper in made:
                self._take_or_wait(order, paper)
        for paper in self._share_out(supplements, [paper for _, paper in papers]):
            order = next(order for order, one in papers if one is paper)
            self._take_or_wait(order, paper)
        if listing.others:
            names = ", ".join(shown_name(path.name) for path in listing.others[:_MOST_NAMED])
            more = len(listing.others) - _MOST_NAMED
            self._note(
                f"not taken in from {_said(place or Path())}: {names}" + (f" and {more:,} more" if more > 0 else "")
            )
        return used

    def _gather(
        self, papers: Sequence[tuple[int, Paper]], supplements: list[Path], listing: _Listing, place: Path | None
    ) -> set[Path]:
        """Give each paper of a folder what lies beside it; the folders that went along, or belong to no one paper."""
        used: set[Path] = set()
        only = papers[0][1] if len(papers) == 1 else None
        for folder in listing.folders if papers else ():
            name = folder.name.lower()
            if only is None and name in _PAPERS_OWN[:2]:
                self._note(f"not taken in: {_said(folder)}/, which lies beside several papers")
                used.add(folder)
            elif only is not None and name in _PAPERS_OWN:
                used.add(folder)
                self._beside(only, name, folder)
            elif only is not None and name in _OF_SUPPLEMENTS:
                used.add(folder)
                supplements += self._files_of(folder)
            elif only is None and (owner := next((one for _, one in papers if folder.name in one.stems), None)):
                for own in ("tables", "figures"):
                    if (folder / own).is_dir():
                        used |= {folder, folder / own}
                        self._beside(owner, own, folder / own)
        if only is not None and place is not None:
            only.folder = place.resolve().name
        for _ in self._share_out(supplements, [paper for _, paper in papers]):
            pass  # none was taken in yet
        return used

    def _beside(self, paper: Paper, name: str, folder: Path) -> None:
        """What lies in a folder of the paper's own."""
        if name in FOLDERS:
            paper.folders[name] = folder
            return
        for path in self._files_of(folder):
            if name == "tables" and (match := _TABLE.fullmatch(path.name)):
                paper.tables[int(match[1])] = path
            elif name == "figures" and _FIGURE.fullmatch(path.name):
                paper.figures[path.name] = path
            else:
                self._note(f"not taken in: {_said(path)}")

    def _listing(self, place: Path) -> _Listing | None:
        """What a folder holds; None where it cannot be opened, which is told."""
        try:
            return self._list(place)
        except OSError as error:
            self._refuse(place, _unopened(place, error))
            return None

    def _files_of(self, folder: Path) -> list[Path]:
        """The files in a folder of a paper's own, and in those below it."""
        found: list[Path] = []
        folders = [folder]
        for _ in range(_MOST_FOLDERS):
            if not folders:
                break
            if (listing := self._listing(folders.pop())) is None:
                continue
            found += [*listing.pieces, *listing.supplements, *filter(_is_file, listing.others)]
            folders += listing.folders
        return sorted(found)

    def _share_out(self, supplements: Sequence[Path], papers: Sequence[Paper]) -> list[Paper]:
        """Give supplementary files to their papers, which are returned; those that have none are told."""
        given: list[Paper] = []
        for path in supplements:
            owner = owner_of(path, papers)
            if owner is None:
                hint = "Put it into the folder of its article, and ingest that."
                problem = "a supplementary file without the article that it belongs to"
                self._refuse(path, NoArticleError(f"{shown_name(path.name)} is {problem}", hint=hint))
                continue
            name = _free_name(shown_name(path.name), owner.supplements)
            owner.supplements[name] = path
            given.append(owner)
        return list({id(paper): paper for paper in given}.values())

    # -- one file --

    def _is_new(self, path: Path) -> bool:
        """Whether a file was not met in this run by another path."""
        real = path.resolve()
        known = real in self._seen
        self._seen.add(real)
        return not known

    def _identify(self, path: Path) -> Piece | None:
        """What a file says of itself; None where it cannot be opened, which is told."""
        self._looked_at += 1
        self._tell(self._looked_at)
        claimed = claimed_form(path)
        try:
            form = form_of(head_of(path)) or claimed
            if form is None:
                self._refuse(path, UsageError(f"{_said(path)} is no paper", hint=_WHAT_IS_ONE))
                return None
            with plain(path) as file:
                digest = digest_file(file)
                known = None if self._force else self._known(digest, form)
                if known is not None:
                    return replace(known, path=path)
                found = _read(file, form)
        except OSError as error:
            self._refuse(path, _unopened(path, error))
            return None
        except PaperError as error:  # it cannot be unpacked
            self._refuse(path, error)
            return None
        piece = Piece(path, form, digest, found=found)
        if isinstance(found, Document):
            linked = (link.url.rpartition("/")[2] for link in find_links(found) if link.kind == "supplement")
            piece = replace(
                piece,
                doi=found.doi,
                title=found.title,
                characters=sum(len(section.text) for section in found.sections),
                linked=frozenset(filter(None, linked)),
            )
        self._remember(piece)
        return piece

    def _cached(self, digest: str, form: str) -> Path:
        return self._cache / f"{digest[7:39]}.{form}.json"

    def _known(self, digest: str, form: Source) -> Piece | None:
        """What a file of this content said of itself when it was met before."""
        try:
            told = orjson.loads(self._cached(digest, form).read_bytes())
            if told["rules"] != TakenReadStage.rules:
                return None
            said = told["doi"], told["title"], told["characters"], frozenset(told["linked"])
            return Piece(Path(), form, digest, *said)
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
            return None

    def _remember(self, piece: Piece) -> None:
        told = {
            "rules": TakenReadStage.rules,
            "doi": piece.doi,
            "title": piece.title,
            "characters": piece.characters,
            "linked": sorted(piece.linked),
        }
        write_json(self._cached(piece.digest, piece.form), told)

    # -- one paper --

    def _next_place(self) -> int:
        self._place += 1
        return self._place

    def _take_or_wait(self, order: int, paper: Paper) -> None:
        """Take a paper in that knows its DOI; others may be forms of one that comes later."""
        if paper.doi:
            self._take(order, self._id_of_doi(paper) or self._id_by_name(paper), paper)
        elif all(paper is not one for _, one in self._waiting):
            if len(self._waiting) >= _MOST_WAITING:
                _forget_what_was_read(paper)
            self._waiting.append((order, paper))

    def _take_in_waiting(self) -> None:
        for order, paper in self._waiting:
            self._take(order, self._namesake(paper) or self._id_by_name(paper), paper)

    def _namesake(self, paper: Paper) -> str:
        """The paper of this run that has the same title; for one without a title, the same name and another form."""
        for identity, taken in self._taken.items():
            if same_title(paper.words, taken.paper.words):
                return identity
        if paper.words:
            return ""
        near = [
            identity
            for identity, taken in self._taken.items()
            if paper.stems & taken.paper.stems and not paper.articles.keys() & taken.paper.articles.keys()
        ]
        return near[0] if len(near) == 1 else ""

    @staticmethod
    def _id_of_doi(paper: Paper) -> str:
        try:
            return paper_id(paper.doi)
        except UsageError:
            return ""  # a DOI longer than a name may be

    def _id_by_name(self, paper: Paper) -> str:
        """The id of a paper that states no DOI: the DOI that its name spells, its name, or its content."""
        names = [*sorted(paper.stems), paper.folder]
        for name in names:
            if spelled := _SPELLED.match(name):
                return paper_id(f"{spelled[1]}/{spelled[2]}")
        content = digest_bytes("".join(sorted(piece.digest for piece in paper.pieces)).encode())[7:19]
        slug = next((slug for name in names if (slug := _slug(name)) not in _GENERIC), "")
        if not slug:
            return f"ingest-{content}"
        return f"ingest-{slug}" if self._is_free(f"ingest-{slug}", paper) else f"ingest-{slug}-{content}"

    def _is_free(self, identity: str, paper: Paper) -> bool:
        """Whether no other paper has this id: one that was called alike."""
        if identity in self._taken:
            return False
        record = self._papers[identity].record(STAGE)
        title = tuple(re.findall(r"\w+", str(record.facts.get("title", "")).casefold())) if record else ()
        return not title or not paper.words or same_title(title, paper.words)

    def _take(self, order: int, identity: str, paper: Paper) -> None:
        """Take in a paper, or what is new of it."""
        self._order.setdefault(identity, order)
        before = self._taken.get(identity)
        folder = self._papers[identity]
        articles = dict(paper.articles)
        aside = list(paper.aside)
        if before is not None:
            for form, piece in paper.articles.items():
                if (first := before.paper.articles.get(form)) is not None:
                    del articles[form]
                    aside += [piece] if first.digest != piece.digest else []
        offer = self._offer(paper, articles, aside)
        previous = folder.published(FETCH)
        fetch = FetchStage(offer, previous)
        known: dict[str, Document | PaperError] = {
            form: piece.found for form, piece in articles.items() if piece.found is not None
        }
        self._harvest(folder, articles)
        result = carry_out(fetch, folder, clock=self._clock)
        if result.kind not in {"error", "failed"}:
            read = TakenReadStage(known)
            result = carry_out(read, folder, clock=self._clock, force=self._force)
        if before is None:
            ingested = IngestedPaper(identity, offer.name, result, folder, unopened=bool(fetch.unopened))
            self._taken[identity] = _Taken(paper, ingested)
            _forget_what_was_read(paper)
            return
        if result.kind != "current":
            before.result.result = result
        before.result.unopened |= bool(fetch.unopened)
        for piece in articles.values():
            before.paper.add(piece)
        for one in (paper, before.paper):
            _forget_what_was_read(one)

    def _offer(self, paper: Paper, articles: dict[Source, Piece], aside: Sequence[Piece]) -> Offer:
        files: dict[str, Path] = {}
        if "html" in articles or "html" not in paper.articles:  # else they are the tables of what was laid aside
            files |= {f"tables/{number}.html": path for number, path in sorted(paper.tables.items())}
        files |= {f"figures/{name}": path for name, path in sorted(paper.figures.items())}
        files |= {f"{SUPPLEMENTS}/{name}": path for name, path in sorted(paper.supplements.items())}
        stated = frozenset(piece.stem for piece in paper.pieces if piece.doi or piece.words)
        notes: dict[str, tuple[str, ...]] = {
            f"article.{form}": (
                f"{shown_name(piece.path.name)} states no DOI and no title; it was taken for the {form} of this paper",
            )
            for form, piece in articles.items()
            if not piece.doi and not piece.words and stated and piece.stem not in stated
        }
        for piece in aside:
            name = f"article.{piece.form}"
            said = f"another {piece.form} of this paper was left aside: {shown_name(piece.path.name)}"
            notes[name] = tuple(sorted({*notes.get(name, ()), said}))
        name = next((stem for stem in sorted(paper.stems)), paper.folder)
        return Offer(
            shown_name(name), {str(form): piece for form, piece in articles.items()}, files, paper.folders, notes
        )

    def _harvest(self, folder: PaperFolder, articles: dict[Source, Piece]) -> None:
        """Say what the best form says of the paper; OpenAlex's own record, which says more, stays."""
        record = folder.record(HARVEST)
        if record is not None and record.rules != HarvestStage.rules:
            return
        pieces = [articles[form] for form in FORMS if form in articles]
        if record is not None and not any(isinstance(piece.found, Document) for piece in pieces):
            return  # nothing is new
        best = next((one for piece in pieces if isinstance(one := _reread(piece), Document)), None)
        if record is not None and best is not None and FORMS.index(best.source) > self._rank_of_read(folder):
            return  # what is there says more
        carry_out(HarvestStage(folder.id, best), folder, clock=self._clock)

    @staticmethod
    def _rank_of_read(folder: PaperFolder) -> int:
        """How good the form is that was read of a paper last: less is better."""
        record = folder.record(STAGE)
        source = record.facts.get("source") if record is not None else None
        return FORMS.index(source) if source in FORMS else len(FORMS)

    # -- what is no paper --

    def _refuse(self, path: str | Path, error: NatureGymError) -> None:
        """Tell of a path in the place of a paper."""
        place = Path(path) if path else None
        slug = _slug(stem_of(place)) if place is not None else ""
        identity = f"ingest-{slug}" if slug else ""
        kind: Literal["failed", "error"] = "failed" if isinstance(error, PaperError) else "error"
        result = Result(identity, kind, type(error).__name__, error.message)
        form = (claimed_form(place) if place is not None else None) or "html"
        refused = IngestedPaper(identity, shown_name(str(path)), result, error=error, form=form)
        self._failed.append((self._next_place(), refused))


# -- words and files ---------------------------------------------------------------


def _apart(paths: Iterable[Path]) -> tuple[list[Path], list[Path], list[Path]]:
    """Files called like articles, like supplementary files, and others."""
    pieces: list[Path] = []
    supplements: list[Path] = []
    others: list[Path] = []
    for path in paths:
        kind = supplements if is_supplement_name(path) else pieces if claimed_form(path) is not None else others
        kind.append(path)
    return pieces, supplements, others


def _read(file: Path, form: Source) -> Document | PaperError | None:
    """What a file says, or why it cannot be read; None where reading it shows a defect of ours.

    Raises OSError where it cannot be opened.
    """
    try:
        return read_form(form, Forms({form: file}))
    except OSError:
        raise
    except Exception:  # noqa: BLE001 -- the read stage meets it again, and records it with its trace
        return None


def _reread(piece: Piece) -> Document | PaperError | None:
    """What was read of a file, or is read of it now, where an earlier run learnt which paper it is."""
    if piece.found is not None:
        return piece.found
    try:
        with plain(piece.path) as file:
            return _read(file, piece.form)
    except (OSError, PaperError):
        return None


def _forget_what_was_read(paper: Paper) -> None:
    """Keep of a paper's files what they are, and not all that they say, which would add up over a run."""
    paper.articles = {form: replace(piece, found=None) for form, piece in paper.articles.items()}
    paper.aside = [replace(piece, found=None) for piece in paper.aside]


def _said(path: Path) -> str:
    return shown_name(str(path))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a link that leads in a circle
        return False


def _slug(name: str) -> str:
    return _WORDS.sub("-", name.casefold()).strip("-")[:60]


def _free_name(name: str, taken: Iterable[str]) -> str:
    """``name``, or one like it that is not taken."""
    names = set(taken)
    number = 1
    free = name
    while free in names:
        number += 1
        free = f"{number}-{name}"
    return free


def _wrong_path(path: Path, error: OSError) -> NatureGymError:
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return UsageError(f"{_said(path)} does not exist", hint="Give a file or a folder that holds papers.")
    return _unopened(path, error)


def _unopened(path: Path, error: OSError) -> InfrastructureError:
    return InfrastructureError(
        f"{_said(path)} could not be opened: {error.strerror or type(error).__name__}",
        hint="See that it is there, and may be read.",
    )


def _no_file(path: Path) -> InfrastructureError:
    return InfrastructureError(
        f"{_said(path)} is no file that can be read: a pipe, a socket, a device, or a link to nothing",
        hint="Remove it.",
    )
