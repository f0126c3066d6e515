"""How much of a function's code stands in a repository, too, whatever its variables are called.

The idea: code is taken as a sequence of tokens in which own names, numbers and texts are all alike, while keywords,
operators, attributes and what is called keep their words. A function is like another one in as far as its runs of
:data:`RUN` tokens occur in it: renaming, other comments and another order of functions hide nothing. Functions of fewer
than :data:`SHORTEST` tokens are left out, for a root of a mean of squares is written in one way by everybody.
"""

from __future__ import annotations

import ast
import io
import keyword
import os
import stat
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nature_gym.syntax import tree_of

RUN = 8
SHORTEST = 50
LARGEST_FILE, LARGEST_REPOSITORY = 1 << 20, 32 << 20
MOST_FILES = 5000
MOST_NAMED = 50
"""A run of tokens that so many functions of a repository have is a habit, and tells nothing."""
SKIPPED = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A function or method, and the runs of tokens that it is made of."""

    name: str
    file: str
    line: int
    runs: frozenset[Run]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The part of a function's runs, 0 to 1, that ``other`` has as well."""

    share: float
    other: Passage


class Repository:
    """The functions of all Python files below a folder; links are not followed, and nothing is imported."""

    def __init__(self, folder: Path) -> None:
        self._passages: list[Passage] = []
        self._having: defaultdict[Run, list[int]] = defaultdict(list)
        for file, text in _sources(folder):
            for passage in passages(text, file):
                self._add(passage)

    def _add(self, passage: Passage) -> None:
        place = len(self._passages)
        self._passages.append(passage)
        for run in passage.runs:
            self._having[run].append(place)

    def __len__(self) -> int:
        return len(self._passages)

    def nearest(self, passage: Passage) -> Likeness | None:
        """The function that has most of the runs of ``passage``; None where none has any."""
        shared: Counter[int] = Counter()
        for run in passage.runs:
            places = self._having.get(run, ())
            if len(places) <= MOST_NAMED:
                shared.update(places)
        if not shared:
            return None
        place, count = max(shared.items(), key=lambda item: (item[1], -item[0]))
        return Likeness(count / len(passage.runs), self._passages[place])


def passages(text: str, file: str) -> Iterator[Passage]:
    """The functions and methods of a source that are long enough to be told apart; none of what is no Python."""
    try:
        tree = tree_of(text)
        words = list(_words(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = node.body[0].lineno, node.end_lineno or node.lineno
            if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
                first = (node.body[0].end_lineno or first) + 1
            own = [word for line, word in words if first <= line <= last]
            if len(own) >= SHORTEST:
                yield Passage(node.name, file, node.lineno, frozenset(_runs(own)))


def _runs(words: list[str]) -> Iterator[Run]:
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _words(text: str) -> Iterator[tuple[int, str]]:
    """(line, word) of each token; what a writer is free to choose is one word."""
    before = ""
    tokens = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.type not in SKIPPED]
    for place, token in enumerate(tokens):
        word = token.string
        if token.type == tokenize.NAME and not keyword.iskeyword(word):
            called = place + 1 < len(tokens) and tokens[place + 1].string == "("
            # What is called, and what follows a dot, is the library's or the format's word, seldom the writer's.
            word = word if before == "." or called else "name"
        elif token.type == tokenize.NUMBER:
            word = "number"
        elif token.type == tokenize.STRING or token.type not in (tokenize.NAME, tokenize.OP):
            word = "text"
        before = token.string
        yield token.start[0], word


def _sources(folder: Path) -> Iterator[tuple[str, str]]:
    """(path below the folder, text) of its Python files, within bounds."""
    files = total = 0
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            if not name.endswith(".py"):
                continue
            path = Path(where, name)
            try:
                status = path.lstat()
                if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
                    continue
                text = path.read_bytes().decode("utf-8", errors="replace")
            except OSError:
                continue
            files, total = files + 1, total + len(text)
            if files > MOST_FILES or total > LARGEST_REPOSITORY:
                return
            yield path.relative_to(folder).as_posix(), text
