"""The text of a line: scripts raised and lowered, ligatures as letters, citation marks gone, links marked.

The one idea: a link is marked in the text itself by two private characters, so that it survives the putting
together of lines to paragraphs; its place in the finished text is read off at the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from nature_gym.reading.pdf.page import Box, Hyperlink, Line, Run, overlap
from nature_gym.reading.text import lowered, raised

OPEN, CLOSE = 0xF0000, "\U000fffff"
"""A link begins with the private character ``OPEN`` plus its number, and ends with ``CLOSE``."""
MAX_LINKS = 0xF000
CITED = 0x100000
"""A citation's number is the private character ``CITED`` plus the number."""
_PRIVATE = "\U000f0000"
_MARKS = re.compile("[\U000f0000-\U00100fff]")

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
_SPACES = "\t\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_TABLE = str.maketrans(
    {
        **_LIGATURES,
        **dict.fromkeys(_SPACES, " "),
        **dict.fromkeys("\u200b\ufeff\u200c\u2060", ""),
        "‑": "-",
        "\xad": "-",
        "\u212b": "Å",
    }
)
_ODD = re.compile(f"[{''.join(_LIGATURES)}{_SPACES}\xad\u200b\ufeff\u200c\u2060\u212b‑¨´`¸ˇ˚ˆ˜\x00-\x1f\x7f\ufffd]")
_ACCENTS = {
    "¨": "\u0308", "´": "\u0301", "`": "\u0300", "¸": "\u0327", "ˇ": "\u030c", "˚": "\u030a", "ˆ": "\u0302",
    "˜": "\u0303",
}  # fmt: skip
_NOTHING = re.compile("(?<=[\\s−–])\xad(?=\\S)|ﬃ{2,}")
"""A soft hyphen before a word, one publisher's mark of where not to break (elsewhere it is the hyphen itself), and the
pieces of the line over a root."""
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_ACCENTED = re.compile(f"([A-Za-zı])([{''.join(_ACCENTS)}])")

_CITATION = re.compile(r"[0-9]{1,3}(?:\s*[,;–—−-]\s*[0-9]{1,3})*[,;–]?")
_UNITS = frozenset(
    [
        "m",
        "cm",
        "mm",
        "km",
        "nm",
        "µm",
        "μm",
        "pm",
        "dm",
        "h",
        "s",
        "ms",
        "min",
        "d",
        "yr",
        "a",
        "kg",
        "g",
        "mg",
        "l",
        "mol",
        "K",
        "J",
        "W",
        "V",
        "A",
        "Pa",
        "Hz",
        "eV",
        "keV",
        "meV",
        "Å",
        "ha",
        "Da",
        "px",
        "in",
        "ft",
        "bp",
        "rad",
        "sr",
        "mL",
        "dL",
        "pixel",
        "pixels",
        "R",
        "Q",
        "r",
        "F",
        "t",
        "χ",
    ]
)
_WORD_BEFORE = re.compile(r"([A-Za-zµμÅχ]+)$")
_CITES_AFTER = re.compile(r"(?:[a-z]{3,}|[A-Z][A-Za-z]*[a-z]{2,}|[A-Z]{2,}[a-z]?|[.,;:)\]”’\"'%])$")


def letters(text: str) -> str:
    """Ligatures as letters, white space as spaces, accents on their letters."""
    if (text.isascii() and text.isprintable()) or not _ODD.search(text):
        return text
    text = _NOTHING.sub("", text).translate(_TABLE)
    if _ACCENTED.search(text):
        text = _ACCENTED.sub(_composed, text)
    return _CONTROL.sub("\ufffd", text)


def _composed(found: re.Match[str]) -> str:
    base = "i" if found[1] == "ı" else found[1]
    whole = unicodedata.normalize("NFC", base + _ACCENTS[found[2]])
    return whole if len(whole) == 1 else found[0]


@dataclass(slots=True)
class Anchors:
    """The links of a page that lead out, by number, and the boxes of those that lead within the file."""

    outward: list[tuple[int, Hyperlink]]
    inward: list[Hyperlink]
    citing: bool = False
    """Whether the file marks its citations as links, so that a bare number is most likely none."""

    _rows: dict[int, list[tuple[int, Hyperlink]]] | None = None
    _inner_rows: dict[int, list[Box]] | None = None

    def near(self, line: Line) -> list[tuple[int, Hyperlink]]:
        """The outward links on a line."""
        if self._rows is None:
            self._rows = {}
            for entry in self.outward:
                for row in _rows_of(entry[1].box):
                    self._rows.setdefault(row, []).append(entry)
        middle = (line.y0 + line.y1) / 2
        return [
            entry
            for entry in self._rows.get(int(middle // _ROW), ())
            if entry[1].box[1] - 1 < middle < entry[1].box[3] + 1
            and entry[1].box[0] < line.x1
            and entry[1].box[2] > line.x0
        ]

    def cites(self, run: Run) -> bool:
        """Whether an inward link lies on a raised run."""
        if self._inner_rows is None:
            self._inner_rows = {}
            for link in self.inward:
                for row in _rows_of(link.box):
                    self._inner_rows.setdefault(row, []).append(link.box)
        y = run.baseline - 0.3 * run.size
        return any(
            y0 - 1 <= y <= y1 + 1 and overlap(run.x0, run.x1, x0, x1) > 0.4 * min(run.x1 - run.x0, x1 - x0)
            for x0, y0, x1, y1 in self._inner_rows.get(int(y // _ROW), ())
        )


_ROW = 16.0
"""Links are kept by stripes of the page, so high."""


def _rows_of(box: Box) -> range:
    """The stripes that a box touches; no more than a page has."""
    first, last = (int(max(-2_000.0, min(y, 20_000.0)) // _ROW) for y in (box[1] - 1, box[3] + 1))
    return range(first, last + 1)


NO_ANCHORS = Anchors([], [])


def line_text(line: Line, anchors: Anchors = NO_ANCHORS, *, keep_citations: bool = False) -> str:
    """The line's text; links and citations are marked where ``anchors`` tells of them."""
    if line.marked is None:
        near = anchors.near(line) if anchors.outward else []
        if len(line.runs) == 1 and not near:
            line.marked = letters(line.runs[0].text)
        else:
            line.marked = _compose(line, near, anchors, keep_citations=keep_citations)
    return line.marked


def _compose(line: Line, near: Sequence[tuple[int, Hyperlink]], anchors: Anchors, *, keep_citations: bool) -> str:
    if not near and all(run.size > 0.87 * line.size for run in line.runs):
        return letters("".join(run.text for run in line.runs))
    text = ""
    groups = _stacked(list(_grouped(line)))
    for place, (shift, runs) in enumerate(groups):
        if shift == 0:
            for run in runs:
                piece = letters(run.text)
                text += _linked(piece, run, near) if near else piece
            text = _with_accents(text)
            continue
        content = "".join(letters(run.text) for run in runs)
        inner = _SIGN_APART.sub(r"\1", content.strip())
        if not inner:
            text += content and " "
        elif (
            shift > 0
            and not keep_citations
            and not _is_isotope(groups[place + 1 :], content)
            and _is_citation(inner, text, runs, anchors)
        ):
            text += _cited(inner) + (" " if content[-1:] == " " else "")
        elif not any(map(str.isalnum, inner)) and inner not in {"+", "−", "-", "–", "*", "′", "±"}:
            text += content
        else:
            power = shift > 0 and _POWER.match(inner)
            text = text.rstrip() if power and text[-2:-1].isalpha() else text
            text += (" " if content[0] == " " and not power else "") + (raised if shift > 0 else lowered)(inner)
            text += " " if content[-1] == " " else ""
    return _SAME_LINK.sub(_one_link, text) if near else text


_SAME_LINK = re.compile(f"([\U000f0000-\U000fefff])([^\U000f0000-\U000fffff]*){CLOSE}([.,:;)]*)\\1")


def _one_link(found: re.Match[str]) -> str:
    """A link whose text changes its font on the way is one link."""
    return found[1] + found[2] + found[3]


_SIGN_APART = re.compile(r"^([−–+-])\s+(?=[0-9])")
_POWER = re.compile(r"[−–-][0-9]+$")


def _with_accents(text: str) -> str:
    if text.endswith("\xad"):
        text = text[:-1] + "-"
    return _ACCENTED.sub(_composed, text) if _ODD.search(text) else text


_SIGNS = frozenset("+−-–*′")


def _grouped(line: Line) -> Iterator[tuple[int, list[Run]]]:
    """Runs at the same height, one group after the other: 1 raised, -1 lowered, 0 on the line."""
    group: list[Run] = []
    at = 0
    for run, after in zip_longest(line.runs, line.runs[1:]):
        shift = _shift(run, line)
        if after is not None and after.x0 < run.x1 - 0.2 and run.text.strip() in _SIGNS and run.size < 0.87 * line.size:
            # Above a lowered script: some fonts' signs stand high by themselves.
            shift = 1
        if not run.text.strip() and group:
            shift = at
        if group and shift != at:
            yield at, group
            group = []
        at = shift
        group.append(run)
    if group:
        yield at, group


def _stacked(groups: list[tuple[int, list[Run]]]) -> list[tuple[int, list[Run]]]:
    """Of scripts one above the other the lower comes first, and no space stands before or between them."""
    for index in range(len(groups) - 1):
        (first, upper), (second, lower) = groups[index], groups[index + 1]
        if first == 1 and second == -1 and lower[0].x0 < upper[-1].x1 - 0.2:
            space = " " if lower[-1].text.endswith(" ") or upper[-1].text.endswith(" ") else ""
            groups[index] = (second, _stripped(lower))
            groups[index + 1] = (first, _stripped(upper, space))
            if index:
                at, base = groups[index - 1]
                groups[index - 1] = (at, [*base[:-1], replace(base[-1], text=base[-1].text.rstrip())])
    return groups


def _stripped(runs: Sequence[Run], end: str = "") -> list[Run]:
    return [*runs[:-1], replace(runs[-1], text=runs[-1].text.strip() + end)]


def _shift(run: Run, line: Line) -> int:
    if run.size > 0.87 * line.size:
        return 0
    rise = line.baseline - run.baseline
    if rise > 0.13 * line.size:
        return 1
    return -1 if rise < -0.05 * line.size else 0


def _is_isotope(after: Sequence[tuple[int, list[Run]]], content: str) -> bool:
    """Whether a letter follows at once, as after the mass of an isotope."""
    return bool(after) and content[-1:].isdigit() and after[0][1][0].text[:1].isalpha()


def _is_citation(inner: str, before: str, runs: Sequence[Run], anchors: Anchors) -> bool:
    if not _CITATION.fullmatch(inner):
        # A mark with its page: ``76(p245)``.
        return any(map(anchors.cites, runs)) and inner[:1].isdigit()
    if any(map(anchors.cites, runs)):
        return True
    bare = _MARKS.sub("", before).rstrip()
    if not bare or bare[-1].isdigit():
        return False
    if anchors.citing and not re.search(r"[a-z]{4}$|[a-z]{2}[.,;)]$", bare):
        return False
    word = _WORD_BEFORE.search(bare)
    if word and word[1] in _UNITS and (len(word[1]) < 3 or bare[: word.start()].rstrip()[-1:].isdigit()):
        return False
    return bool(_CITES_AFTER.search(bare))


def _cited(inner: str) -> str:
    numbers: list[int] = []
    for part in re.split(r"[,;]", re.sub(r"[^0-9,;–—−-]", "", inner.split("(", maxsplit=1)[0])):
        ends = [int(end) for end in re.split(r"[–—−-]", part) if end]
        numbers += range(ends[0], min(ends[-1], ends[0] + 50) + 1) if ends else []
    return "".join(chr(CITED + number) for number in numbers if number < 1000)


def _linked(piece: str, run: Run, near: Sequence[tuple[int, Hyperlink]]) -> str:
    """The run's text with links marked; a word is a link's where most of it lies in the link's box."""
    width = (run.x1 - run.x0) / max(len(piece), 1)
    words = [(word.start(), word.end()) for word in re.finditer(r"\S+", piece)]
    found: list[tuple[int, int, int]] = []
    uris = {number: link.uri for number, link in near}
    for number, link in near:
        shares = [
            overlap(run.x0 + width * start, run.x0 + width * end, link.box[0], link.box[2]) / (width * (end - start))
            for start, end in words
        ]
        own = [word for word, share in zip(words, shares, strict=True) if share > 0.5]
        if not own and shares and max(shares) > 0.1 and link.box[2] - link.box[0] > 3:
            own = [words[shares.index(max(shares))]]
        while (
            len(own) > 1
            and not _LIKE_ADDRESS.search(piece[slice(*own[0])])
            and any(_BEGINS_ADDRESS.match(piece[start:end].lstrip("([<")) for start, end in own[1:])
        ):
            own = own[1:]
        if own:
            found.append((own[0][0], own[-1][1], number))
    text, at = "", 0
    for start, end, number in sorted(found):
        if start < at:
            continue
        kept = piece[start:end]
        lead = len(kept) - len(kept.lstrip("([<"))
        kept = kept[lead:].rstrip(".,;:>")
        while kept and kept[-1] in ")]" and kept.count(kept[-1]) > kept.count("(["[")]".index(kept[-1])]):
            kept = kept[:-1].rstrip(".,;:>")
        stop, space = start + lead + len(kept), ""
        uri = uris[number]
        if len(uri) > 12 and kept.startswith(uri) and kept[len(uri) : len(uri) + 1].isalpha():
            # A space was lost after the address.
            stop, space = start + lead + len(uri), " "
        text += piece[at : start + lead] + chr(OPEN + number) + piece[start + lead : stop] + CLOSE + space
        at = stop
    return text + piece[at:]


_LIKE_ADDRESS = re.compile(r"[/.:]\w")
_BEGINS_ADDRESS = re.compile(r"https?:|www\.|doi\.org|10\.\d{4}", re.IGNORECASE)


# -- lines to paragraphs -----------------------------------------------------------------------

_END_WORD = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)-$")
_PIECES_OF_WORDS = (*_LIGATURES.items(), ("\xad", "-"))
_BREAK = re.compile(r"- *\n *")
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_NEXT_WORD = re.compile(r"^([^\W\d_]+)")
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org|10\.\d{4,})\S*$", re.IGNORECASE)
_SENTENCE = re.compile(r"[A-Z][a-z]*[,;:]?(?:\s|$)")
"""A word that begins a sentence, rather than the rest of an address."""
_BREAKS_ADDRESS = frozenset("/_=?&-.~%#:")


_COMPOUND = frozenset(
    [
        "self",
        "non",
        "held",
        "well",
        "cross",
        "high",
        "low",
        "long",
        "short",
        "two",
        "three",
        "four",
        "five",
        "first",
        "second",
        "third",
        "state",
        "real",
        "root",
        "semi",
        "multi",
        "half",
        "full",
        "large",
        "small",
        "open",
        "end",
        "time",
        "data",
        "mean",
        "back",
        "lead",
        "sign",
        "one",
        "zero",
        "hybrid",
        "fine",
        "coarse",
        "near",
    ]
)
"""Words that mostly keep the hyphen after them."""
_COMPOUND_ENDS = frozenset({"based", "dependent", "driven", "specific", "wide"})
"""Words that mostly keep the hyphen before them."""
_WHOLE_WORDS = frozenset({"worldwide", "nationwide", "countrywide", "statewide"})


def _unbroken(pieces: Sequence[str]) -> Iterator[str]:
    """Texts between hyphens at the ends of lines, without the broken words' own pieces."""
    for index, piece in enumerate(pieces):
        start = 0
        if index and (first := _NEXT_WORD.match(piece)):
            start = first.end()
        end = len(piece)
        if index < len(pieces) - 1:
            end = max(piece.rfind(" "), piece.rfind("\n"), 0)
        yield piece[start:end]


def _goes_on_as_address(bare: str, rest: str) -> bool:
    """Whether an address that ends one line goes on in the next."""
    if not _ADDRESS.search(bare) or rest[0] in "(A" or (bare[-1] == "." and _SENTENCE.match(rest)):
        return False
    return bare[-1] in _BREAKS_ADDRESS or re.match(r"[a-z0-9._~-]*[/_=&?]", rest) is not None


class Hyphens:
    """Whether a hyphen at the end of a line is the word's own: the document's other words tell.

    ``texts`` are lines in their order; what is broken at their ends is no witness.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        whole = "\n".join(texts)
        for ligature, plain in _PIECES_OF_WORDS:
            whole = whole.replace(ligature, plain)
        tokens = {token for piece in _unbroken(_BREAK.split(whole)) for token in piece.split()}
        self.cased = set(_WORDS.findall(" ".join(tokens)))
        self.words = {word.casefold() for word in self.cased}
        self.parts = {part for word in self.words if "-" in word for part in (word.split("-", 1)[0],)}
        self.words.update(part for word in tuple(self.words) if "-" in word for part in word.split("-"))

    def join(self, first: str, second: str) -> str:
        """Two lines of a paragraph as one text."""
        if first[-1:].isalnum() and second[:1] < _PRIVATE and "/" not in first[-60:] and "10." not in first[-60:]:
            return f"{first} {second}"
        bare, rest = _MARKS.sub("", first[-80:]), _MARKS.sub("", second[:80])
        if " " not in bare:  # an address over several lines begins further back
            bare = _MARKS.sub("", first[-400:])
        if same := _same_link(first, second):
            return same
        if not bare or not rest:
            return first + second
        if bare[-1] in "–—" and bare[-2:-1].strip() and rest[0].strip():
            return first + second
        if _goes_on_as_address(bare, rest):
            return first + second
        if bare[-1] != "-" or bare[-2:-1] in {" ", ""}:
            return f"{first} {second}"
        end, following = _END_WORD.search(bare), _NEXT_WORD.match(rest)
        if end and following and not self._is_real(end[1], following[1], rest[following.end() : following.end() + 1]):
            stop = first.rindex("-")
            return first[:stop] + first[stop + 1 :] + second
        return first + second

    def _is_real(self, end: str, following: str, after: str) -> bool:
        last = end.rsplit("-", 1)[-1]
        if not following[0].islower():
            return f"{last}{following}" not in self.cased
        whole, last, following = end.casefold(), last.casefold(), following.casefold()
        if last + following in self.words:
            return False
        if f"{last}-{following}" in self.words or f"{whole}-{following}" in self.words:
            return True
        if following in _COMPOUND_ENDS and len(last) > 3:
            return last + following not in _WHOLE_WORDS
        known = len(last) > 2 and last in self.words
        if "-" in whole or after == "-":
            return known
        if last in _COMPOUND:
            return following in self.words or len(following) > 6 or last in {"self", "non", "held", "two", "three"}
        return following in self.words and ((known and len(last) > 3 and len(following) > 2) or last in self.parts)


_LINK_ENDS = re.compile(f"{CLOSE}([.,:;)]*)$")


def _same_link(first: str, second: str) -> str | None:
    """Both lines joined, where one link ends the first and begins the second: an address broken in two."""
    ended = _LINK_ENDS.search(first)
    if ended is None or not second or not OPEN <= ord(second[0]) < OPEN + MAX_LINKS:
        return None
    start = first.rfind(second[0])
    if start < 0 or second.startswith("http", 1) or CLOSE in first[start : ended.start()]:
        return None
    shown = first[start + 1 : ended.start()]
    if " " in shown or not ("/" in shown or "." in shown or _ADDRESS.search(shown)):
        return None if ended[1] else f"{first[:-1]} {second[1:]}"
    return first[: ended.start()] + ended[1] + second[1:]


@dataclass(frozen=True, slots=True)
class Marked:
    """A finished text with the places of its links and citations."""

    text: str
    links: tuple[tuple[int, int, int], ...] = ()
    """Number of the link, start and end of its text."""
    citations: tuple[tuple[int, int], ...] = ()
    """Number of the reference, and place."""


def finished(text: str) -> Marked:
    """White space squeezed and private marks taken out, their places kept; no space stands before a full stop."""
    text = " ".join(text.split())
    if not _MARKS.search(text):
        return Marked(_LOOSE_STOP.sub("", text))
    pieces: list[str] = []
    links: list[tuple[int, int, int]] = []
    citations: list[tuple[int, int]] = []
    length, opened = 0, (-1, 0)
    for piece in _PIECES.findall(text):
        if piece[0] < _PRIVATE:
            if (length and pieces[-1][-1] == " ") or not length:
                piece = piece.lstrip(" ")  # noqa: PLW2901 -- the same piece without the space that stands already
            if length and pieces[-1][-1] == " " and _STOP.match(piece) and opened[0] < 0:
                # A mark stood between the word and its full stop.
                pieces[-1] = pieces[-1][:-1]
                length -= 1
                citations = [(number, min(place, length)) for number, place in citations]
            if piece:
                pieces.append(piece)
                length += len(piece)
                if not pieces[-1]:
                    pieces.pop()
        elif piece == CLOSE:
            if opened[0] >= 0 and length > opened[1]:
                links.append((opened[0], opened[1], length))
            opened = (-1, 0)
        elif (code := ord(piece)) >= CITED:
            citations.append((code - CITED, length))
        else:
            opened = (code - OPEN, length)
    whole = "".join(pieces)
    bare = whole.rstrip()
    return Marked(
        bare,
        tuple((number, start, min(end, len(bare))) for number, start, end in links if start < len(bare)),
        tuple((number, min(place, len(bare))) for number, place in citations),
    )


_PIECES = re.compile("[\U000f0000-\U00100fff]|[^\U000f0000-\U00100fff]+")
_STOP = re.compile(r"[.,;](?:\s|$)")
_LOOSE_STOP = re.compile(r" (?=[.,;](?:\s|$))")


def with_addresses(marked: Marked, uris: Sequence[str]) -> Marked:
    """Addresses as their links have them, where the text shows them with hyphens of the typesetter."""
    pieces: list[str] = []
    links: list[tuple[int, int, int]] = []
    moves: list[tuple[int, int]] = []
    at = shift = 0
    for number, start, end in marked.links:
        shown, uri = marked.text[start:end], uris[number]
        if shown != uri and "/" in shown and shown.replace("-", "").casefold() == uri.replace("-", "").casefold():
            pieces += [marked.text[at:start], uri]
            links.append((number, start + shift, start + shift + len(uri)))
            at = end
            shift += len(uri) - (end - start)
            moves.append((end, shift))
        else:
            links.append((number, start + shift, end + shift))
    if not moves:
        return marked
    text = "".join([*pieces, marked.text[at:]])
    citations = tuple(
        (number, place + next((by for end, by in reversed(moves) if end <= place), 0))
        for number, place in marked.citations
    )
    return Marked(text, tuple(links), citations)


def unmarked(text: str) -> str:
    """A text without private marks."""
    return text if text.isascii() else _MARKS.sub("", text)
