"""Whether a sentence tells the reader how to make a model, or tells what is so.

The idea: there are endless ways to recommend a method, and few to say that data were made with one. So a word for a
method passes where something shows that it is told of: the past tense, a subject that is data or the scorer, a file of
the data, freedom of choice, a prohibition. What directs (an imperative, "should", "works best") fails at once, and so
does any other statement in the present that praises a method. The rest is *unsure*, and is told as a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from checks.language import cues
from checks.language.methods import Mention, masked, mentions
from checks.language.sentences import Passage


class Data:
    """What lies in the package's data, asked for by name. ``files`` are paths below problem/data."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        paths = [one.casefold() for one in files]
        self._paths = "".join(f"/{one}\n" for one in paths)
        self._names = "\n".join(_bare(one.rpartition("/")[2]) for one in paths)

    def holds(self, name: str) -> bool:
        """Whether ``name`` is a file's, or ends one's path."""
        name = name.strip("./ ").casefold()
        return bool(name) and f"/{name}\n" in self._paths

    def tells_of(self, word: str) -> bool:
        """Whether a file's name has ``word`` in it, marks between letters aside."""
        bare = _bare(word)
        return len(bare) > _FEWEST and bare in self._names


def _bare(word: str) -> str:
    return re.sub(r"[\W_]", "", word.casefold())


@dataclass(frozen=True, slots=True)
class Guidance:
    """What is said of a method: the words from ``start`` to ``end``; ``sure``, or for somebody else to judge."""

    start: int
    end: int
    kind: str
    sure: bool


_FEWEST = 2
_NEAR, _FAR = 60, 140
"""Characters between a directive and what it is about: before it, behind it."""
_LONGEST = 2_000
"""Characters of a sentence that are weighed; nobody writes longer ones."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause in which everyday phrases and names are masked, its mentions, and what is known of its surroundings."""

    text: str
    mentions: tuple[Mention, ...]
    words: tuple[str, ...]
    in_row: bool
    named: bool
    """Whether all that it mentions has its name in a file of the data."""
    weights: bool
    """Whether its sentence names a file of weights that is in the data."""

    @property
    def value(self) -> bool:
        """Whether it gives a hyperparameter a value."""
        return any(one.kind == "hyperparameter" for one in self.mentions)

    @property
    def first(self) -> int:
        """Where the first mention starts."""
        return self.mentions[0].start


def guidance(passage: Passage, data: Data) -> Iterator[Guidance]:
    """What one passage says of how a model is to be made, at most once a clause."""
    if passage.kind == "code":
        yield from _in_code(passage)
        return
    if next(mentions(passage.text[:_LONGEST]), None) is None:  # most of a document
        return
    text = masked(_hidden_names(passage, data))[:_LONGEST]
    found = list(mentions(text))
    start = 0
    for turn in (*cues.TURN.finditer(text), None):
        end = turn.start() if turn else len(text)
        own = [one for one in found if start <= one.start < end]
        if own:
            sure = _verdict(_clause(passage, data, text[start:end], start, own))
            if sure is not None:
                told = next((one for one in own if one.kind == "hyperparameter"), own[0])
                yield Guidance(told.start, min(told.end, end), told.kind, sure)
        if turn is not None and not (turn[0].startswith(":") and (own or cues.LABEL.match(text))):
            start = turn.end()


def _in_code(passage: Passage) -> Iterator[Guidance]:
    match = cues.CODE_WORDS.search(passage.text)
    if match and not passage.text.lstrip().startswith(("import ", "from ")):
        yield Guidance(match.start(), match.end(), "code that chooses a method", sure=True)


def _hidden_names(passage: Passage, data: Data) -> str:
    """The text in which names of columns and of files that are in the data cannot be read."""
    text = passage.text
    for start, end in passage.code:
        before = text[max(0, start - 40) : start].rstrip("`\"' ")
        if data.holds(text[start:end]) or cues.NAMED.search(f"{before} "):
            text = text[:start] + "¤" * (end - start) + text[end:]
    return text


def _clause(passage: Passage, data: Data, text: str, start: int, found: list[Mention]) -> _Clause:
    words = tuple(passage.text[one.start : one.end] for one in found)
    own = tuple(Mention(one.kind, one.start - start, one.end - start) for one in found)
    files = [passage.text[first:last] for first, last in passage.code]
    return _Clause(
        text, own, words, passage.kind == "row",
        named=all(one.kind == "architecture" for one in found) and all(map(data.tells_of, words)),
        weights=any(cues.WEIGHTS.search(one) and data.holds(one) for one in files),
    )  # fmt: skip


# -- the verdict -----------------------------------------------------------------------------


def _verdict(clause: _Clause) -> bool | None:
    """True where the clause is guidance, False where it may be, None where it is none."""
    text = clause.text
    if cues.FREE.search(text):
        example = cues.EXAMPLE.search(text)
        return False if example and any(one.start >= example.start() for one in clause.mentions) else None
    if _excused(clause):
        return None
    theirs, past = _theirs(clause), bool(cues.PAST.search(text))
    if _directs(clause):
        return True
    if cues.ADVICE.search(text) and not (theirs and past):
        return True
    if cues.LABEL.match(text) or cues.SOLVER.match(text) or (cues.WE.search(text) and not theirs):
        return True
    if not clause.value and (clause.in_row or cues.NEUTRAL.match(text)):
        return None
    return _told(clause, theirs=theirs, past=past)


def _told(clause: _Clause, *, theirs: bool, past: bool) -> bool | None:
    """The verdict on a statement: nothing in it directs, but it may praise a method, or say what the authors did."""
    text = clause.text
    if cues.BEST_RESULT.search(text):
        return not past
    if theirs:
        return False if clause.value and not past else None
    praised = bool(cues.PRAISE.search(text))
    if past:
        if cues.HAS_BEEN.search(text) and praised:
            return True
        return False if cues.WE_DID.search(text) else None
    if not clause.value and all(map(cues.WEAK.fullmatch, clause.words)):
        return None
    return clause.value or praised


def _excused(clause: _Clause) -> bool:
    """Whether the words are forbidden, provided, or names of libraries. No value of a hyperparameter is."""
    if clause.value:
        return False
    forbidden = cues.FORBIDDEN.search(clause.text)
    if (forbidden and forbidden.start() < clause.first) or _provided(clause):
        return True
    libraries = all(map(cues.LIBRARY.fullmatch, clause.words)) and cues.LIBRARIES.search(clause.text)
    return bool(libraries) and not cues.IMPERATIVE.match(clause.text)


def _provided(clause: _Clause) -> bool:
    """Whether what the clause mentions is in the data: a file of weights, embeddings by a model that files name."""
    text = clause.text
    said = all(
        cues.PROVIDED.search(text[: one.start]) or cues.IS_PROVIDED.match(text[one.end :]) for one in clause.mentions
    )
    if clause.named and said:
        return True
    recipes = any(one.kind not in ("architecture", "recipe") for one in clause.mentions)
    if "¤" not in text or recipes or cues.IMPERATIVE_RECIPE.search(text):
        return False
    return said or (clause.weights and (clause.named or len(clause.mentions) == 1 or not _directs(clause)))


def _theirs(clause: _Clause) -> bool:
    """Whether the words stand in what is said of data, labels or a scorer."""
    if cues.SCORING.search(clause.text):
        return True
    before = cues.INTRODUCED.sub("", clause.text[: clause.first])
    if cues.POSSIBLE.search(before):
        return False
    cuts = list(cues.NEW_SUBJECT.finditer(before))
    piece = before[cuts[-1].start() :] if cuts else before
    if cues.THEIRS.search(piece) or cues.OF_DATA.match(clause.text[clause.mentions[0].end :]):
        return True
    subject = cues.DATA_SUBJECT.match(before)
    return bool(subject and not re.search(r"[,:]", before[subject.end() :]))


def _directs(clause: _Clause) -> bool:
    """Whether something in the clause directs the reader to one of the words that stand there."""
    text = clause.text
    imperative = cues.IMPERATIVE.match(text)
    if imperative and imperative.end() <= clause.mentions[-1].end + 1:
        return True
    bare = cues.BARE_VERB.match(text)
    if bare and not cues.NEUTRAL.match(text) and not cues.AUXILIARY.search(text[: clause.first]):
        return True
    if any(_bound(match, clause) for match in cues.COORDINATED.finditer(text)):
        return True
    asked = cues.TASK.match(text) or cues.NEUTRAL.match(text)
    if asked and any(cues.INSTRUMENT.search(text[: one.start]) for one in clause.mentions):
        return True
    for match in cues.MODAL.finditer(text):
        right_before = any(0 <= match.start() - one.end <= _NEAR for one in clause.mentions)
        of_method = cues.TO_BE_USED.search(match[0]) or not cues.DATA_SUBJECT.match(text)
        if _bound(match, clause) or (right_before and of_method):
            return True
    asked = cues.TASK_MODAL.search(text)
    after = [one.start for one in clause.mentions if asked and one.start >= asked.end()]
    return any(cues.INSTRUMENT.search(text[asked.end() if asked else 0 : one]) for one in after)


def _bound(match: re.Match[str], clause: _Clause) -> bool:
    """Whether a word stands behind a directive, not too far to be what it is about."""
    return any(match.start() <= one.start <= match.end() + _FAR for one in clause.mentions)
