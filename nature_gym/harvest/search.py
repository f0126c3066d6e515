"""OpenAlex's search language, for records that do not come from its API: words, "phrases", AND, OR, NOT, brackets.

Words side by side must all be there. A word is found in its plural, too, and the other way round; OpenAlex stems words
with more rules than that, so a bulk file and the API can differ by a few works at the margin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nature_gym.errors import UsageError

Found = Callable[[str], bool]

_TOKEN = re.compile(r'\s*(?:"([^"]*)"|([()])|([^\s()"]+))')
_WORD = re.compile(r"\w+")
_DEEPEST = 50


class Search:
    """A search, ready to be asked of texts. Raises UsageError for one that cannot be read.

    >>> Search('"neural network" OR learning')("Neural networks of crystals")
    True
    """

    def __init__(self, text: str) -> None:
        self._tokens = [match.groups() for match in _TOKEN.finditer(text)]
        self._at = 0
        self._depth = 0
        self._text = text
        self._found: Found | None = self._either() if self._tokens else None
        if self._at < len(self._tokens):
            raise self._trouble()

    def __call__(self, text: str) -> bool:
        """Whether it is found in a text; an empty search is found in all."""
        return self._found is None or self._found(_normal(text))

    def _either(self) -> Found:
        options = [self._all()]
        while self._operator("OR"):
            options.append(self._all())
        return options[0] if len(options) == 1 else lambda text: any(found(text) for found in options)

    def _all(self) -> Found:
        parts = [self._one()]
        while self._operator("AND") or self._goes_on():
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda text: all(found(text) for found in parts)

    def _one(self) -> Found:
        if self._at >= len(self._tokens):
            raise self._trouble()
        phrase, bracket, word = self._tokens[self._at]
        self._at += 1
        if word == "NOT" or bracket == "(":
            return self._deeper(self._negated if word else self._inside)
        if bracket == ")" or word in ("AND", "OR"):
            raise self._trouble()
        return _phrase(phrase if phrase is not None else word)

    def _deeper(self, read: Callable[[], Found]) -> Found:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._trouble()
        found = read()
        self._depth -= 1
        return found

    def _negated(self) -> Found:
        found = self._one()
        return lambda text: not found(text)

    def _inside(self) -> Found:
        found = self._either()
        if self._at >= len(self._tokens) or self._tokens[self._at][1] != ")":
            raise self._trouble()
        self._at += 1
        return found

    def _operator(self, name: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at][2] == name:
            self._at += 1
            return True
        return False

    def _goes_on(self) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at][1] != ")" and self._tokens[self._at][2] != "OR"

    def _trouble(self) -> UsageError:
        return UsageError(
            f"the search {self._text!r} cannot be read", hint='It holds words, "phrases", AND, OR, NOT and brackets.'
        )


def _phrase(text: str) -> Found:
    words = _normal(text)
    return lambda normal: words in normal


def _normal(text: str) -> str:
    """Words in lower case and singular, with a blank before, between and after them."""
    return f" {' '.join(map(_singular, _words(text)))} "


def _words(text: str) -> Sequence[str]:
    return _WORD.findall(text.lower())


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
