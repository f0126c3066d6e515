"""What a model is shown of a paper: the passages that matter most for a level, as many as a question holds.

Sentences that address a model are left out as if they were not there, so the question is the same, letter for letter,
with and without them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nature_gym.digests import digest_json
from nature_gym.models.instructions import is_instruction, withheld
from nature_gym.reading.document import Table
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Evidence
from nature_gym.screening.manuscript import ABSTRACT, Manuscript, Sentence
from nature_gym.screening.probes import Probe

CHARACTERS_A_TOKEN = 4
_LONGEST_SENTENCE = 2_000
_MOST_ROWS, _MOST_CELLS, _LONGEST_CELL = 40, 16, 60
_MOST_LINKS = 40
_FEWEST_WORDS = 4
_STATEMENT = re.compile(r"availab|accession|data records|deposit", re.IGNORECASE)
_METHOD = re.compile(
    r"method|material|procedure|implementation|training|dataset|data\b|evaluation|metric", re.IGNORECASE
)
_FLOAT = re.compile(r"^(?:extended data |supplementary )?(?:table|fig)", re.IGNORECASE)
_ASIDE = re.compile(r"acknowledg|author contrib|competing|ethic|funding|peer review|reporting summary", re.IGNORECASE)
_MEDIA_TYPE = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}")
"""Hosts may say anything there; what is no media type is not passed on."""


@dataclass(frozen=True)
class Shown:
    """A paper as one question shows it. ``links`` are lines on links, by address."""

    manuscript: Manuscript
    passages: tuple[tuple[str, str], ...]
    """(heading, text)."""
    tables: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    links: dict[str, str]
    seen: dict[str, Probe]
    hidden: tuple[Sentence, ...]
    """Sentences that were withheld."""

    @property
    def title(self) -> str:
        title = self.manuscript.document.title
        return fit(title)

    @functools.cached_property
    def mark(self) -> str:
        """The name of the marks around the paper: a digest of what stands between them, so that nobody can close it."""
        return "paper-" + digest_json([self.title, self.passages, self.tables]).removeprefix("sha256:")[:16]

    def locate(self, quote: str) -> Evidence | None:
        """Where a quotation stands in the paper; None if nowhere, or in what the model was not shown."""
        if len(quote.split()) < _FEWEST_WORDS or is_instruction(quote):
            return None
        found = self.manuscript.locate(quote)
        if found is None or found.start is None or found.end is None:
            return None
        for sentence in self.hidden:
            if sentence.section == found.section and found.start < sentence.end and sentence.start < found.end:
                return None
        return found


def shown(case: Case, level: str, tokens: int) -> Shown:
    """What is shown of a case for ``level`` (``1``, ``2`` or ``3``), in about ``tokens`` tokens.

    Level 3 sees links: those to data and code are probed, where links are.
    """
    manuscript = case.manuscript
    kept, hidden = _sentences(manuscript)
    tables = tuple(_rows(table) for table in manuscript.document.tables) if level != "1" else ()
    tables = tuple((label, rows) for label, rows in tables if rows)
    room = tokens * CHARACTERS_A_TOKEN - sum(len(cell) + 3 for _, rows in tables for row in rows for cell in row)
    chosen = _chosen(kept, level, max(room, tokens * CHARACTERS_A_TOKEN // 2))
    seen: dict[str, Probe] = {}
    links: dict[str, str] = {}
    if level == "3":
        found = {link.url: link for link in manuscript.links if link.kind in ("data", "code") and _is_fit(link.url)}
        urls = list(found)[:_MOST_LINKS]
        seen = dict(case.probe(urls))
        links = {url: _line(url, found[url].kind, seen.get(url)) for url in urls}
    return Shown(manuscript, chosen, tables, links, seen, hidden)


def _sentences(manuscript: Manuscript) -> tuple[list[tuple[str, list[str]]], tuple[Sentence, ...]]:
    """(heading, sentences) of each passage without what is withheld; and what is."""
    kept: list[tuple[str, list[str]]] = []
    hidden: list[Sentence] = []
    for heading, sentences in _by_passage(manuscript.sentences):
        away = withheld([sentence.text for sentence in sentences])
        hidden += [sentences[place] for place in sorted(away)]
        texts = [sentence.text for place, sentence in enumerate(sentences) if place not in away]
        if texts:
            kept.append(("(no heading)" if is_instruction(heading) else _plain(heading), texts))
    return kept, tuple(hidden)


def _by_passage(sentences: Iterable[Sentence]) -> Iterable[tuple[str, list[Sentence]]]:
    passage: list[Sentence] = []
    for sentence in sentences:
        if passage and (sentence.section != passage[-1].section or sentence.start < passage[-1].start):
            yield passage[-1].section, passage
            passage = []
        passage.append(sentence)
    if passage:
        yield passage[-1].section, passage


def _chosen(kept: Sequence[tuple[str, list[str]]], level: str, room: int) -> tuple[tuple[str, str], ...]:
    """The passages that matter most until ``room`` characters are full, in the paper's order."""
    order = sorted(range(len(kept)), key=lambda place: (_rank(kept[place][0], level), place))
    texts: dict[int, str] = {}
    for place in order:
        text, whole = _as_much(kept[place][1], room)
        if text:
            texts[place] = text
            room -= len(text) + len(kept[place][0])
        if not whole or room <= 0:
            break
    return tuple((kept[place][0], texts[place]) for place in sorted(texts))


def _as_much(sentences: Sequence[str], room: int) -> tuple[str, bool]:
    """As many sentences as there is room for, and whether those were all."""
    taken: list[str] = []
    for sentence in sentences:
        text = _plain(sentence)[:_LONGEST_SENTENCE]
        room -= len(text) + 1
        if room < 0:
            return " ".join(taken), False
        taken.append(text)
    return " ".join(taken), True


def _rank(heading: str, level: str) -> int:
    """What is shown first; the smaller, the earlier."""
    if heading == ABSTRACT:
        return 0
    if _ASIDE.search(heading):
        return 5
    if _STATEMENT.search(heading):
        return 1 if level == "3" else 4
    if _FLOAT.search(heading):
        return 1 if level == "2" else 3
    if _METHOD.search(heading):
        return 2 if level != "1" else 3
    return 2


def _rows(table: Table) -> tuple[str, tuple[tuple[str, ...], ...]]:
    rows = []
    for row in table.rows[:_MOST_ROWS]:
        cells = tuple(_plain(cell)[:_LONGEST_CELL] for cell in row[:_MOST_CELLS])
        if not any(is_instruction(cell) for cell in row) and not is_instruction(" ".join(row)):
            rows.append(cells)
    return table.label, tuple(rows)


def _is_fit(url: str) -> bool:
    """Whether an address may be shown: one can hold words, too, and marks."""
    return not re.search(r"[\s<>]", url) and not is_instruction(re.sub(r"[-_/+.?=&%]+|%20", " ", url))


def _line(url: str, kind: str, probe: Probe | None) -> str:
    if probe is None:
        return f"{url} ({kind}; not looked at)"
    size = f", {probe.size_bytes:,} bytes" if probe.size_bytes is not None else ", size unknown"
    what = f", {probe.media_type}" if _MEDIA_TYPE.fullmatch(probe.media_type) else ""
    return f"{url} ({kind}): {probe.status}{size}{what}"


def fit(text: str) -> str:
    """A name or title as it may be shown: nothing of it where it addresses a model."""
    return "" if is_instruction(text) else _plain(text)


def _plain(text: str) -> str:
    """Without the brackets that marks are made of, and without line breaks, which headings are made of."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
