"""What a journal adds to a manuscript: volume and pages, dates, addresses, the parts of a caption.

All of it is invented from the paper alone, so that every form of a paper says the same.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import unicodedata
from dataclasses import dataclass

from nature_gym.demo.model import Author, Paper, Reference, Section

_YEAR_BEFORE_FIRST_VOLUME = {
    "s42256": 2018, "s41467": 2009, "s41592": 2003, "s41563": 2001, "s41551": 2016,
    "s41560": 2015, "s41587": 1982, "s43588": 2020, "s41588": 1968, "s41593": 1997,
}  # fmt: skip
_WITHOUT_PAGES = frozenset({"s41467"})
"""Journals that number articles in the place of pages."""

_MOST_NAMED_AUTHORS = 5

_BACK_MATTER = re.compile(
    r"availab|acknowledge?ment|author (contribution|information)|competing interest|conflicts? of interest|"
    r"ethics|funding|additional information|supplementary|extended data|reporting summary|peer review|references",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Edition:
    """Where and when the paper appeared."""

    volume: int
    issue: int
    first_page: int
    last_page: int
    article_number: int | None
    received: dt.date
    accepted: dt.date

    @property
    def pages(self) -> str:
        """Pages or article number, as a citation gives them."""
        return str(self.article_number) if self.article_number else f"{self.first_page}–{self.last_page}"


def edition(paper: Paper) -> Edition:
    """The paper's volume, pages and dates."""
    code = paper.venue.suffix_code
    year = paper.published.year
    number = int(digest(paper, "pages")[:6], 16) % 9000 + 100
    if match := re.fullmatch(r"[a-z]\d{5}-\d{3}-(\d{5})-[0-9a-z]", paper.suffix):
        number = int(match[1])
    accepted = paper.published - dt.timedelta(days=18 + number % 17)
    return Edition(
        volume=year - _YEAR_BEFORE_FIRST_VOLUME.get(code, year - 1),
        issue=1 if code in _WITHOUT_PAGES else paper.published.month,
        first_page=number,
        last_page=number + 7 + number % 6,
        article_number=number if code in _WITHOUT_PAGES else None,
        received=accepted - dt.timedelta(days=120 + number % 160),
        accepted=accepted,
    )


def digest(paper: Paper, purpose: str) -> str:
    """Hexadecimal digits that are the paper's own, for things to be invented."""
    return hashlib.sha256(f"{paper.suffix}/{purpose}".encode()).hexdigest()


def affiliations(paper: Paper) -> tuple[str, ...]:
    """Distinct affiliations in the order of the authors; a page's numbers count from 1."""
    return tuple(dict.fromkeys(author.affiliation for author in paper.authors))


def email(author: Author) -> str:
    """An address at a domain that is kept for examples."""
    letters = unicodedata.normalize("NFKD", f"{author.given}.{author.family}").encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z.]", "", letters.lower()) + "@example.org"


def caption_parts(caption: str) -> tuple[str, str]:
    """The first sentence of a caption, which is set bold, and the rest.

    >>> caption_parts("Accuracy by fold. **a**, Training. **b**, Test.")
    ('Accuracy by fold.', '**a**, Training. **b**, Test.')
    """
    title, *rest = re.split(r"(?<=[a-z0-9)*^$]{2}\.)\s+(?=[A-Z*(\[$])", caption, maxsplit=1)
    return title, rest[0] if rest else ""


def body_sections(paper: Paper) -> tuple[Section, ...]:
    """The sections up to the end matter."""
    return paper.sections[: _end_matter_starts(paper)]


def end_sections(paper: Paper) -> tuple[Section, ...]:
    """Availability statements, acknowledgements and the like, with whatever follows them."""
    return paper.sections[_end_matter_starts(paper) :]


def _end_matter_starts(paper: Paper) -> int:
    sections = paper.sections
    return next(
        (i for i, section in enumerate(sections) if section.level == 1 and _BACK_MATTER.search(section.title)),
        len(sections),
    )


def has_section(paper: Paper, words: str) -> bool:
    """Whether some heading has ``words``."""
    return any(words.casefold() in section.title.casefold() for section in paper.sections)


def citation(paper: Paper) -> str:
    """How to cite the paper, in plain text."""
    place = edition(paper)
    names = [f"{author.family}, {author.given[0]}." for author in paper.authors]
    people = " & ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
    if len(names) > _MOST_NAMED_AUTHORS:
        people = f"{names[0]} et al."
    title = paper.title.rstrip(".")
    return f"{people} {title}. {paper.venue.abbreviation} {place.volume}, {place.pages} ({paper.published.year})."


def source_parts(source: str) -> tuple[str, str, str]:
    """A reference's source as journal, volume and pages; the last two may be empty.

    >>> source_parts("Appl. Opt. 35, 5493–5508")
    ('Appl. Opt.', '35', '5493–5508')
    """
    match = re.fullmatch(r"(.*[^\d\s,]),? (\d{1,4}), (\S.*)", source)
    return (match[1], match[2], match[3]) if match else (source, "", "")


def reference_link(reference: Reference) -> str | None:
    """Where an entry of the reference list leads."""
    if reference.doi:
        return f"https://doi.org/{reference.doi}"
    return reference.url


def long_date(date: dt.date) -> str:
    """As the journal prints it: ``7 June 2023``."""
    return f"{date.day} {date:%B %Y}"


def orcid(author: Author) -> str:
    """An invented identifier in a range that is not given out."""
    number = int(hashlib.sha256(f"{author.given} {author.family}".encode()).hexdigest()[:10], 16) % 10**8
    digits = f"{number:08d}"
    return f"https://orcid.org/0009-9999-{digits[:4]}-{digits[4:]}"
