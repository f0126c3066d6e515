"""A line as a reader sees it, whatever signs stand between its letters, and where each letter stands in the file.

The idea: signs of no width, entities, tags, links and marks of emphasis inside a word do not part it for a reader, nor
do letters of another width or alphabet that look the same. They are folded away before a name is looked for.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

_PIECE = re.compile(
    r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});)|(?P<mark><!--.{0,200}?-->|</?[a-zA-Z][^<>]{0,200}>"
    r"|\[(?=[^\[\]]{1,200}\]\()|\]\([^()\s]{0,300}\)|\*{1,3}|~~|`+|(?<=\w)__(?=\w)|\\(?=[^\w\s]))"
)
_ALIKE = str.maketrans(
    "АВСЕНІЈКМОРЅТХУаԁеһіјӏоԛрѕсԝхуΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορν", "ABCEHIJKMOPSTXYadehijloqpscwxyABEZHIKMNOPTYXaopv"
)
_PLAIN = re.compile(r"[ -%'-)+-;=?-\[\]-_a-}]*")
"""Nothing to fold: no '&', '*', '<', '>', backslash, backtick, '~', and ASCII alone."""


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded ``text``; ``places`` are where each of its characters begins and ends in the line."""

    text: str
    places: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a piece of the text stands in the line."""
        return self.places[start][0], self.places[end - 1][1]


def folded(line: str) -> Folded | None:
    """The line folded; None where there is nothing to fold."""
    if _PLAIN.fullmatch(line) and "](" not in line:
        return None
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    done = 0
    for match in (*_PIECE.finditer(line), None):
        for place in range(done, match.start() if match else len(line)):
            own = _letter(line[place])
            letters.append(own)
            places += [(place, place + 1)] * len(own)
        if match is None:
            break
        done = match.end()
        own = "".join(map(_letter, html.unescape(match[0]))) if match["entity"] else ""
        letters.append(own)
        places += [match.span()] * len(own)
    text = "".join(letters)
    return Folded(text, tuple(places)) if text != line else None


def _letter(sign: str) -> str:
    """What a reader sees of a sign: nothing of what has no width, the plain letter of one that looks like it."""
    if sign.isascii():
        return sign
    kind = unicodedata.category(sign)
    if kind in ("Cf", "Mn", "Me") or sign in "\u115f\u1160\u3164\uffa0":
        return ""
    plain = unicodedata.normalize("NFKD", sign)
    return "".join(one for one in plain if unicodedata.category(one) != "Mn").translate(_ALIKE)
