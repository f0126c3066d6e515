"""Lines of running text: white space, raised and lowered characters, citation marks, mathematics.

Readers of markup feed a :class:`Line` with what they meet; it knows at each moment how long the text is that it
will give, so that the place of a link is known when the link is met.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
"""Hyphens, dashes and minus signs: whichever an exponent was typed with, it means minus."""

_RAISED = str.maketrans("0123456789+=()" + DASHES, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁼⁽⁾" + "⁻" * len(DASHES))
_LOWERED = str.maketrans("0123456789+=()" + DASHES, "₀₁₂₃₄₅₆₇₈₉₊₌₍₎" + "₋" * len(DASHES))
_INVISIBLE = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFFFC))
_INVISIBLE |= dict.fromkeys(range(0xD800, 0xE000))  # halves of surrogate pairs, which no file can hold
_ANY_INVISIBLE = re.compile("[" + "".join(map(re.escape, map(chr, sorted(_INVISIBLE)))) + "]")
_ORDINAL = re.compile(r"st|nd|rd|th")
_SEPARATORS = " ,;.&" + DASHES
_BETWEEN = _SEPARATORS + "\t\n\r\f\v\u00a0\u2009\u202f"
_CLINGS = frozenset(".,;:)]}!?%’”")
_REF_WORD = re.compile(r"\b[Rr]efs?\.?$|\b[Rr]eferences?$")
_LONGEST_REF_WORD = 12
_BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")


def visible(text: str) -> str:
    """``text`` without characters that print nothing."""
    return text.translate(_INVISIBLE) if not text.isascii() and _ANY_INVISIBLE.search(text) else text


def squeeze(text: str) -> str:
    """``text`` on one line, each run of white space (of whatever width) as one space.

    >>> squeeze(" m\\u2009s \\n x ")
    'm s x'
    """
    return " ".join(visible(text).split())


def raised(text: str) -> str:
    """``text`` as a superscript: Unicode's own characters where they suffice, else ``^{...}``.

    >>> raised("–3"), raised("a"), raised("th")
    ('⁻³', '^{a}', '^{th}')
    """
    return _script(text, _RAISED, "^")


def lowered(text: str) -> str:
    """``text`` as a subscript, like :func:`raised`.

    >>> lowered("2"), lowered("max")
    ('₂', '_{max}')
    """
    return _script(text, _LOWERED, "_")


def _script(text: str, characters: dict[int, int], mark: str) -> str:
    if not text:
        return ""
    if characters.keys() >= set(map(ord, text)):
        return text.translate(characters)
    return f"{mark}{{{text}}}"


@dataclass(slots=True)
class Place:
    """A link or citation in a line: where its text begins and ends."""

    target: str
    start: int
    end: int = -1


class Line:
    """One line in the making. ``text`` is what was written so far."""

    __slots__ = (
        "_dropped", "_lead", "_length", "_parts", "_pieces", "_space", "add", "citations", "inline_citations", "links",
    )  # fmt: skip

    def __init__(self) -> None:
        self._pieces: list[str] = []  # of running text, as they came; taken in when somebody asks where the line ends
        self.add: Callable[[str], None] = self._pieces.append
        """Write running text; its white space is squeezed."""
        self._parts: list[str] = []
        self._length = 0
        self._space = False
        self._dropped = False
        self._lead = ""
        self.links: list[Place] = []
        self.citations: list[Place] = []
        """Citations whose marks are not in the text."""
        self.inline_citations: list[Place] = []
        """Citations whose marks are, as in ``ref. 12``."""

    def __len__(self) -> int:
        if self._pieces:
            self._take_in()
        return self._length

    def is_empty(self) -> bool:
        """Whether nothing was written, and nothing noted."""
        if self._pieces:
            self._take_in()
        return not (self._length or self.links or self.citations or self.inline_citations)

    @property
    def text(self) -> str:
        if self._pieces:
            self._take_in()
        return "".join(self._parts)

    def _take_in(self) -> None:
        """Write the pieces of running text that have come."""
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        if text.isspace():
            self._space = True
            return
        if text.isprintable() and "  " not in text and "\ufffc" not in text:
            squeezed = text.strip()  # printable as it is, it has no white space but single spaces
        else:
            text = visible(text)
            squeezed = " ".join(text.split())
        if not squeezed:
            self._space = self._space or bool(text)
            return
        spaced = self._space or text[0] != squeezed[0]
        if self._length and not self._dropped:
            if spaced:
                squeezed = f" {squeezed}"
            self._parts.append(squeezed)
            self._length += len(squeezed)
        else:
            self._space = spaced
            self._write(squeezed)
        self._space = text[-1] != squeezed[-1]

    def put(self, text: str) -> None:
        """Write text whose white space is in order already."""
        if self._pieces:
            self._take_in()
        self._write(text)

    def space(self) -> None:
        """White space, as between blocks that share a line."""
        self._pieces.append(" ")

    def lead(self, mark: str) -> None:
        """Begin the line with ``mark`` once something else is written, as with the mark of a list's item."""
        if self._pieces:
            self._take_in()
        self._lead = mark

    def _write(self, text: str) -> None:
        if self._lead and not self._length:
            self._parts.append(self._lead)
            self._length = len(self._lead)
            self._space, self._lead = False, ""
        if self._space and self._length and not (self._dropped and text[0] in _CLINGS):
            self._parts.append(" ")
            self._length += 1
        self._parts.append(text)
        self._length += len(text)
        self._space = self._dropped = False

    @property
    def next_start(self) -> int:
        """Where the next word will stand."""
        if self._pieces:
            self._take_in()
        if not self._length:
            return len(self._lead)
        return self._length + (1 if self._space else 0)

    def open_link(self, address: str) -> Place:
        """What is written from now on is the text of a link, until :meth:`close_link`."""
        place = Place(address, self.next_start)
        self.links.append(place)
        return place

    def close_link(self, place: Place) -> None:
        """End the text of a link."""
        place.end = max(len(self), place.start)

    def superscript(self, content: Line) -> None:
        """Write what was read inside a superscript; citation marks in it are noted, not written."""
        if self._pieces:
            self._take_in()
        text = content.text
        marked = content.inline_citations
        if marked:
            kept = _without(text, marked).strip(_SEPARATORS)
            if not kept and self._names_references():
                self._space = True
                start = self.next_start
                self._write(text)
                self.inline_citations += [Place(one.target, start + one.start, start + one.end) for one in marked]
                return
            self.citations += [Place(one.target, self._length, self._length) for one in marked]
            text = kept
            self._dropped = True
        self.raise_text(text)

    def cite(self, numbers: list[str]) -> bool:
        """Note a superscript that is citations alone; False where it is text, as behind the word "ref."."""
        if self._pieces:
            self._take_in()
        if self._names_references():
            return False
        self.citations += [Place(number, self._length, self._length) for number in numbers]
        self._dropped = True
        return True

    def _names_references(self) -> bool:
        """Whether the last word so far is "ref." or another that a number belongs to."""
        end = self._parts[-1] if self._parts else ""
        if len(end) < _LONGEST_REF_WORD:
            end = "".join(self._parts[-3:])
        return _REF_WORD.search(end, max(len(end) - _LONGEST_REF_WORD, 0)) is not None

    def raise_text(self, text: str) -> None:
        """Write a superscript that has no citations in it; letters behind a number, as in 21st, are written plainly."""
        if self._pieces:
            self._take_in()
        if text:
            plain = _ORDINAL.fullmatch(text) and self._parts and self._parts[-1][-1:].isdigit()
            self._write(text if plain else raised(text))

    def lower_text(self, text: str) -> None:
        """Write a subscript."""
        if text:
            self.put(lowered(text))

    def math(self, tex: str, *, display: bool = False) -> None:
        """Write a formula: as TeX between dollar signs, or plainly where it is only numbers and signs."""
        tex = squeeze(tex)
        if not tex:
            return
        simple = None if display else plain_formula(tex)
        mark = "$$" if display else "$"
        self.put(simple if simple is not None else f"{mark}{tex}{mark}")

    def finish(self) -> str:
        """The line. Citation marks that stand in brackets of their own go; places follow."""
        text = self.text
        if self.inline_citations and ("[" in text or "(" in text):
            text = self._drop_bracketed(text)
        return text

    def _drop_bracketed(self, text: str) -> str:
        cuts = []
        for match in _BRACKETED.finditer(text):
            inside = [one for one in self.inline_citations if match.start(1) <= one.start and one.end <= match.end(1)]
            if inside and not _without(text, inside, match.start(1), match.end(1)).strip(_SEPARATORS):
                cuts.append((match.start(), match.end()))
        if not cuts:
            return text
        self.citations += [one for one in self.inline_citations if any(a <= one.start < b for a, b in cuts)]
        for place in (*self.links, *self.citations):
            place.start, place.end = _moved(place.start, cuts), _moved(place.end, cuts)
        kept, at = [], 0
        for start, end in cuts:
            kept.append(text[at:start])
            at = end
        kept.append(text[at:])
        return "".join(kept)


def only_separates(text: str) -> bool:
    """Whether a text is nothing but what stands between citation marks.

    >>> only_separates(", "), only_separates("a,")
    (True, False)
    """
    return not visible(text).strip(_BETWEEN)


def _without(text: str, places: list[Place], start: int = 0, end: int | None = None) -> str:
    """``text[start:end]`` with what stands at ``places`` cut out."""
    kept, at = [], start
    for place in places:
        kept.append(text[at : place.start])
        at = max(at, place.end)
    kept.append(text[at:end])
    return "".join(kept)


def _moved(offset: int, cuts: list[tuple[int, int]]) -> int:
    return offset - sum(min(max(offset - start, 0), end - start) for start, end in cuts)


# -- mathematics -------------------------------------------------------------------

_WRAPPED = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_DELIMITERS = (("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$"))


def bare_tex(text: str) -> tuple[str, bool]:
    r"""TeX without the document and delimiters that converters leave round it, and whether it was displayed.

    >>> bare_tex(r"\(x\)"), bare_tex("$$y$$")
    (('x', False), ('y', True))
    """
    if match := _WRAPPED.search(text):
        text = match[1]
    text = text.strip()
    for opening, closing in _DELIMITERS:
        if len(text) >= len(opening) + len(closing) and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip(), opening in {"$$", "\\["}
    return text, False


_SIGNS = {
    "pm": "±", "mp": "∓", "times": "×", "cdot": "·", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "sim": "∼",
    "approx": "≈", "neq": "≠", "ne": "≠", "ll": "≪", "gg": "≫", "circ": "°", "degree": "°", "%": "%", "infty": "∞",
    "to": "→", "rightarrow": "→", "uparrow": "↑", "downarrow": "↓", "dagger": "†", "ddagger": "‡", "ast": "*",
    "checkmark": "✓", "lt": "<", "gt": ">", "prime": "′",
}  # fmt: skip
_SPACES = {",", ";", ":", "!", " ", "quad", "qquad", "thinspace"}
_WRAPPERS = {"mathbf", "boldsymbol", "bf", "textbf", "mathrm", "rm", "text", "underline", "mathit", "bm", "it"}
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)|([\^_])|([{}])|([^\\^_{}])", re.DOTALL)
_LONGEST_PLAIN = 200
_SPACED = frozenset("±∓×≤≥∼≈≠≪≫")


def plain_formula(tex: str) -> str | None:
    r"""A formula of numbers and signs alone as plain text, or None where there is more to it.

    >>> plain_formula(r"\mathbf{0.93}\pm 0.01"), plain_formula(r"10^{-3}"), plain_formula("x_i")
    ('0.93 ± 0.01', '10⁻³', None)
    """
    if len(tex) > _LONGEST_PLAIN:
        return None
    parts: list[str] = []
    stack: list[tuple[int, str]] = []  # for each open brace: what was written before it, and the script it stands in
    script = ""
    for match in _TOKEN.finditer(tex):
        command, mark, brace, character = match.groups()
        if brace == "{":
            stack.append((len(parts), script))
            script = ""
        elif mark:
            script = mark
        elif command not in _WRAPPERS:
            if brace and not stack:
                return None
            if brace:
                start, script = stack.pop()
                piece: str | None = "".join(parts[start:])
                del parts[start:]
            else:
                piece = _plain_token(command, character)
            if piece is None:
                return None
            parts.append(_scripted(piece, script))
            script = ""
    return None if stack or script else " ".join("".join(parts).split())


def _plain_token(command: str | None, character: str | None) -> str | None:
    """A command or character as plain text; None where it is more than a number or a sign."""
    if command:
        return " " if command in _SPACES else _SIGNS.get(command)
    if not character or character.isalpha():
        return None
    return "−" if character == "-" else character


def _scripted(piece: str, script: str) -> str:
    if script and piece.strip() != "°":
        return (raised if script == "^" else lowered)(piece.strip())
    return f" {piece} " if piece in _SPACED else piece
