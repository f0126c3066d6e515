"""A paper as deciders see it: its text by sentences with their places, its links, its record at OpenAlex."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nature_gym.errors import PaperError
from nature_gym.harvest.stage import known_work
from nature_gym.harvest.works import Work
from nature_gym.reading.availability import Availability, find_availability
from nature_gym.reading.document import Document
from nature_gym.reading.links import FoundLink, find_links
from nature_gym.reading.sentences import Sentences
from nature_gym.reading.stage import STAGE as READ
from nature_gym.reading.writing import read_document
from nature_gym.records import PaperFolder
from nature_gym.screening.decisions import Evidence

ABSTRACT = "Abstract"
_LEAST_BODY = 1_500
"""Characters below the abstract that a paper has at least."""
_CUT_OFF = re.compile(r"broken|no text below|cut off|damaged|truncated|ends? (?:early|too soon)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the paper: under which heading (and which main heading), and where in that section's text."""

    text: str
    section: str
    chapter: str
    """The main heading (level 1) above it; the section's own where it is one."""
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def evidence(self) -> Evidence:
        return Evidence(quote=self.text, section=self.section, start=self.start, end=self.end)


class Manuscript:
    """A paper that was read. Whatever costs time is found when it is first asked for, and kept."""

    def __init__(self, paper: str, document: Document, work: Work | None = None) -> None:
        self.paper = paper
        self.document = document
        self.work = work

    @functools.cached_property
    def passages(self) -> tuple[tuple[str, str, str], ...]:
        """(heading, main heading, text) of everything that can be quoted: the abstract, sections, captions, notes."""
        found = [(ABSTRACT, ABSTRACT, self.document.abstract)] if self.document.abstract else []
        chapter = ""
        chapters = []
        for section in self.document.sections:
            if section.level == 1:
                chapter = section.title
            chapters.append(chapter or section.title)
            found.append((section.title, chapter or section.title, section.text))
        floats = [(table.label, table.section, (table.caption, table.notes)) for table in self.document.tables]
        floats += [(figure.label, figure.section, (figure.caption, "")) for figure in self.document.figures]
        for label, index, texts in floats:
            above = chapters[index] if index is not None and 0 <= index < len(chapters) else ""
            found.append((label, above, "\n".join(filter(None, texts))))
        return tuple((heading, above, text) for heading, above, text in found if text)

    @functools.cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in the order of :attr:`passages`."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Sentence]:
        for heading, chapter, text in self.passages:
            offset = 0
            for sentence in Sentences(text).all():
                start = text.find(sentence, offset)
                offset = start + len(sentence)
                yield Sentence(sentence, heading, chapter, start)

    @functools.cached_property
    def lacks(self) -> str | None:
        """Why this is too little of a paper to judge it, where its file was cut off; None where its text is there."""
        body = sum(len(section.text) for section in self.document.sections)
        if body >= _LEAST_BODY:
            return None
        return next((problem for problem in self.document.problems if _CUT_OFF.search(problem)), None)

    @functools.cached_property
    def links(self) -> tuple[FoundLink, ...]:
        return tuple(find_links(self.document))

    @functools.cached_property
    def availability(self) -> Availability:
        return find_availability(self.document)

    def locate(self, quote: str) -> Evidence | None:
        """Where ``quote`` stands, white space and kinds of dashes and quotation marks apart; None if nowhere."""
        words = [re.escape(word) for word in _plain(quote).split()]
        if not words:
            return None
        pattern = re.compile(r"\s+".join(words), re.IGNORECASE)
        for heading, _, text in self.passages:
            match = pattern.search(_plain(text))
            if match:
                start, end = match.span()
                return Evidence(quote=text[start:end], section=heading, start=start, end=end)
        return None


_SAME = str.maketrans({**dict.fromkeys("‐‑‒–—―−", "-"), **dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’‚′", "'")})


def _plain(text: str) -> str:
    """One character for each: places in it are places in ``text``."""
    return text.translate(_SAME)


def load_manuscript(paper: PaperFolder) -> Manuscript:
    """The paper as it was last read.

    Raises PaperError where it was not read, or could not be.
    """
    read = paper.published(READ)
    if read is None:
        raise PaperError("the paper was not read yet", hint="Run 'naturegym read', or 'naturegym ingest' on its files.")
    if read.record.status != "done":
        raise PaperError(f"the paper could not be read: {read.record.reason}", hint=read.record.hint)
    return Manuscript(paper.id, read_document(read.folder), known_work(paper))
