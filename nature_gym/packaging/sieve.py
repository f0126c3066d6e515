"""A cheap look over many bytes for many words at once, which can only err towards finding.

The idea: whoever writes a word writes its longest run of letters and digits (its *needle*) in one piece, in either
case. A needle of seven characters or more holds one of four known groups of four that lie at a place divisible by four,
so one look at every fourth place tells of all needles at once which of them can be there at all; only those are then
looked for. A text in UTF-16 or UTF-32 is a plain text in every second or fourth byte: such *lanes* are looked at where
zeros lie as they do between letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

SHORTEST = 3
"""Shorter runs are no needles: they are everywhere."""
_GROUPED = 7
_MOST_PLACES = 200
_FOLD = 0x20202020
_HASH = np.uint32(2654435761)
_FOLDED = bytes(code | 0x20 for code in range(256))
_PARTING = b"-_\r\n\t "
_HYPHENS = (b"\xc2\xad", b"\xe2\x80\x90", b"\xe2\x80\x91")
Span = tuple[int, int]


def needle_of(words: Iterable[str]) -> bytes:
    """The longest run of ASCII letters and digits in ``words``, in lower case; empty where none is long enough."""
    runs = (run for word in words for run in re.findall(rb"[a-z0-9]+", word.encode().lower()))
    longest = max(runs, key=len, default=b"")
    return longest if len(longest) >= SHORTEST else b""


class Sieve:
    """Which needles may be in bytes, and about where."""

    def __init__(self, needles: Iterable[bytes], parted: Iterable[bytes] = ()) -> None:
        """``parted`` are needles that may be parted by a hyphen, an underscore or the end of a line."""
        self._parted = frozenset(parted)
        self._needles = sorted(set(needles))
        self._folded = {needle: needle.translate(_FOLDED) for needle in self._needles}
        self._short = {needle for needle in self._needles if len(needle) < _GROUPED}
        groups: dict[int, set[bytes]] = {}
        for needle in self._needles:
            for place in range(4) if needle not in self._short else ():
                group = int.from_bytes(self._folded[needle][place : place + 4], "little")
                groups.setdefault(group, set()).add(needle)
        self._groups: Mapping[int, set[bytes]] = groups
        self._known = np.asarray(sorted(groups), dtype="<u4")
        self._table = np.zeros(1 << 16, dtype=bool)
        self._table[(self._known * _HASH) >> 16] = True
        self._zeros = min((len(needle) for needle in self._needles), default=1) - 1

    def spans(self, data: bytes, around: int) -> dict[bytes, list[Span]]:
        """For each needle that is there, the bytes ``around`` its places, overlapping ones as one."""
        found: dict[bytes, list[Span]] = {}
        for lane, step, first in self._lanes(data):
            folded, candidates = self._candidates(lane, self._short)
            for needle in candidates:
                places = [first + step * place for place in _places(folded, self._folded[needle])]
                if len(places) >= _MOST_PLACES:
                    found[needle] = [(0, len(data))]
                elif places:
                    spans = found.setdefault(needle, [])
                    spans += [(max(0, place - around), place + around) for place in places]
        for needle in self._parted_in(data):
            found[needle] = [(0, len(data))]
        return {needle: _joined(spans) for needle, spans in found.items()}

    def _parted_in(self, data: bytes) -> Iterator[bytes]:
        """The needles that a text holds more often once nothing parts them."""
        if not self._parted or b"\0" in data:
            return
        together_again = data.translate(None, _PARTING)
        for hyphen in () if data.isascii() else _HYPHENS:
            together_again = together_again.replace(hyphen, b"")
        folded, candidates = self._candidates(together_again, self._short & self._parted)
        for needle in sorted(candidates & self._parted):
            together = folded.count(self._folded[needle])
            if together and together > data.lower().count(needle):
                yield needle

    def _lanes(self, data: bytes) -> Iterator[tuple[bytes, int, int]]:
        yield data, 1, 0
        if b"\0" in data and self._has_wide_texts(data):
            for step in (2, 4):
                for first in range(step):
                    yield data[first::step], step, first

    def _has_wide_texts(self, data: bytes) -> bool:
        """Whether somewhere every second byte is zero for as long as the shortest needle."""
        zeros = np.frombuffer(data, dtype=np.uint8) == 0
        run = zeros
        for _ in range(self._zeros - 1):
            run = run[:-2] & zeros[len(zeros) - len(run) + 2 :]
        return bool(run.any())

    def _candidates(self, lane: bytes, short: Iterable[bytes]) -> tuple[bytes, set[bytes]]:
        """The lane with its letters in lower case, and the needles of which a group is there, with the ``short``."""
        whole = len(lane) // 4 * 4
        words = np.frombuffer(lane, dtype="<u4", count=whole // 4) | np.uint32(_FOLD)
        candidates = set(short)
        if len(self._known):
            maybe = words[self._table[(words * _HASH) >> 16]]
            for group in np.intersect1d(maybe, self._known):
                candidates |= self._groups[int(group)]
        folded = words.tobytes() + lane[whole:].translate(_FOLDED) if candidates else b""
        return folded, candidates


def _places(data: bytes, needle: bytes) -> Iterator[int]:
    place = data.find(needle)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        yield place
        place = data.find(needle, place + 1)


def _joined(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
