"""Which files are the same paper: its page, its XML and its PDF in one, its supplementary files with it.

The one idea: files tell what they are by their content. Two files are forms of one paper where they state the same
DOI, or the same title where one states no DOI; names only decide about files that say nothing of themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nature_gym.errors import PaperError
from nature_gym.reading.document import Document, Source
from nature_gym.reading.forms import SUFFIXES

_SUPPLEMENT = re.compile(
    r"""(?:^|[_\W]) (?: moesm\d* | esm\d* | mmc\d+ | si\d* | suppl?\d* | s[_ -]?i[_ -]?appendix
        | (?:electronic[_ -])?(?:supplement(?:ary|al|s)?|supporting)
          (?:[_ -]?(?:info|information|data|files?|materials?|notes?|text|methods?|figs?|figures?|tables?|appendix
            |results?|movies?|videos?|software|code))*
    ) (?:[_ -]?[a-z]?\d{1,3})? (?:[_ -]?esm)? $""",
    re.IGNORECASE | re.VERBOSE,
)
_SUPPLEMENT_TITLE = re.compile(
    r"(?:electronic )?(?:supplementa(?:ry|l)|supporting) (?:information|materials?|data|figures?|tables?|notes?|"
    r"methods?|text|appendix|files?)\b",
    re.IGNORECASE,
)
_SPRINGER = re.compile(r"(\d{4,5})_((?:19|20)\d\d)_(\d{1,6})_(?:MOESM\d*_)?ESM", re.IGNORECASE)
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 3
"""Words below which a title is no title: PDFs have ``Article`` and ``Microsoft Word`` there."""
_SAME_WORDS = 0.8


@dataclass(frozen=True, slots=True)
class Piece:
    """A file, and what it says of itself."""

    path: Path
    form: Source
    digest: str
    """Of what it holds, unpacked."""
    doi: str | None = None
    title: str = ""
    characters: int = 0
    """Of its text."""
    linked: frozenset[str] = frozenset()
    """Names of the supplementary files that it links."""
    found: Document | PaperError | None = field(default=None, compare=False)
    """What was read of it, where it was read just now."""

    @property
    def stem(self) -> str:
        return stem_of(self.path)

    @property
    def is_supplement(self) -> bool:
        """Whether it says of itself that it is a supplement to an article."""
        return self.form == "pdf" and bool(_SUPPLEMENT_TITLE.match(self.title))

    @property
    def words(self) -> tuple[str, ...]:
        """The title's words; none where there are too few to be a title."""
        words = tuple(_WORD.findall(self.title.casefold()))
        return words if len(words) >= _FEWEST_WORDS else ()


@dataclass(slots=True)
class Paper:
    """The files of one paper, as the user has them."""

    articles: dict[Source, Piece] = field(default_factory=dict)
    aside: list[Piece] = field(default_factory=list)
    """Files of a form that another file has already, and with other content."""
    tables: dict[int, Path] = field(default_factory=dict)
    figures: dict[str, Path] = field(default_factory=dict)
    supplements: dict[str, Path] = field(default_factory=dict)
    folders: dict[str, Path] = field(default_factory=dict)
    folder: str = ""
    """Name of the folder that holds this paper alone."""

    def add(self, piece: Piece) -> None:
        """Take a file in as a form of the paper.

        Of two different ones the first counts, but for pages: those of an article's tables and figures state its
        DOI, too, and hold little text.
        """
        known = self.articles.setdefault(piece.form, piece)
        if known.digest == piece.digest:
            return
        if piece.form == "html" and piece.characters > 2 * known.characters:
            self.articles["html"], piece = piece, known
        self.aside.append(piece)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(self.articles.values())

    @property
    def doi(self) -> str | None:
        return next((piece.doi for piece in self.pieces if piece.doi), None)

    @property
    def words(self) -> tuple[str, ...]:
        return next((piece.words for piece in self.pieces if piece.words), ())

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(piece.stem for piece in self.pieces)


def stem_of(path: Path) -> str:
    """A file's name without what names its form, or its packing; DOIs have dots in them, too."""
    name = path.name.removesuffix(".gz")
    return _SUFFIX.sub("", name) or name


def claimed_form(path: Path) -> Source | None:
    """The form that a file's name claims."""
    return SUFFIXES.get(Path(path.name.removesuffix(".gz")).suffix.lower())


def is_supplement_name(path: Path) -> bool:
    """Whether a file is called as supplementary files are.

    >>> names = ("41467_2022_30729_MOESM1_ESM.pdf", "supplementary.pdf", "si_units.pdf")
    >>> [is_supplement_name(Path(name)) for name in names]
    [True, True, False]
    """
    return bool(_SUPPLEMENT.search(stem_of(path)))


def same_title(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two titles, by their words, are one, as it was misread or cut short."""
    if not one or not other:
        return False
    first, second = set(one), set(other)
    return len(first & second) >= _SAME_WORDS * max(len(first), len(second)) or (
        min(len(one), len(other)) > _FEWEST_WORDS and (one[: len(other)] == other or other[: len(one)] == one)
    )


def papers_among(pieces: Iterable[Piece]) -> list[Paper]:
    """The papers that the files of one folder are."""
    pieces = list(pieces)
    papers: list[Paper] = []
    for piece in pieces:
        if piece.doi:
            _join(piece, papers, (paper for paper in papers if paper.doi == piece.doi))
    for piece in pieces:
        if not piece.doi and piece.words:
            _join(piece, papers, _titled_alike(piece, papers))
    for piece in pieces:
        if not piece.doi and not piece.words:
            _join(piece, papers, _called_alike(piece, papers))
    order = {piece.path: place for place, piece in enumerate(pieces)}
    return sorted(papers, key=lambda paper: min(order[piece.path] for piece in paper.pieces))


def _join(piece: Piece, papers: list[Paper], suited: Iterable[Paper]) -> None:
    paper = next(iter(suited), None)
    if paper is None:
        paper = Paper()
        papers.append(paper)
    paper.add(piece)


def _titled_alike(piece: Piece, papers: Sequence[Paper]) -> Iterator[Paper]:
    yield from [paper for paper in papers if same_title(piece.words, paper.words)]
    # A form whose paper has no title that we could read, and the same name.
    yield from [paper for paper in papers if not paper.words and piece.stem in paper.stems]


def _called_alike(piece: Piece, papers: Sequence[Paper]) -> Iterator[Paper]:
    """For what says nothing of itself: its namesake, or the only paper there is, where that lacks this form."""
    free = [paper for paper in papers if piece.form not in paper.articles]
    yield from [paper for paper in free if piece.stem in paper.stems]
    if len(papers) == 1:
        yield from free


# -- supplements -------------------------------------------------------------------


def owner_of(path: Path, papers: Sequence[Paper], *, alone: bool = True) -> Paper | None:
    """The paper that a supplementary file belongs to; ``alone``: also the only one that there is.

    It is one that links it, one whose DOI or name stands in its name, or the only one.
    """
    by_link = [paper for paper in papers if any(path.name in piece.linked for piece in paper.pieces)]
    if by_link:
        return by_link[0]
    if (code := _SPRINGER.search(path.name)) is not None:
        wanted = f"/s{code[1]}-{code[2][1:]}-{int(code[3]):05d}-"
        by_doi = [paper for paper in papers if wanted in (paper.doi or "")]
        if by_doi:
            return by_doi[0]
    named = [(len(stem), place) for place, paper in enumerate(papers) for stem in paper.stems if _begins(path, stem)]
    if named:
        return papers[max(named)[1]]
    return papers[0] if alone and len(papers) == 1 else None


def _begins(path: Path, stem: str) -> bool:
    rest = path.name.removeprefix(stem)
    return rest != path.name and not rest[:1].isalnum()
