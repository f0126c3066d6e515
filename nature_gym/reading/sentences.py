"""Sentences of scientific prose: full stops in addresses, numbers, initials and abbreviations end none."""

from __future__ import annotations

import re
from bisect import bisect_right

_END = re.compile(r"[.!?][\"”’)\]]*[ ](?=[\"“‘(\[]?[A-Z0-9\u0370-\u03ff])|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:[A-Z]|Figs?|Eqs?|Refs?|refs?|Tabs?|Secs?|Suppl?|Nos?|Dr|Prof|St|Mr|Ms|vs|cf|ca|approx|resp|et al"
    r"|e\.g|i\.e|etc|sp|spp|var|ver|vol|pp|Inc|Ltd|Co)$"
)


class Sentences:
    """The sentences of one text, by place. They are looked for when first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known: list[int] = []

    @property
    def _starts(self) -> list[int]:
        if not self._known:
            text = self.text
            self._known = [0]
            self._known += [
                match.end()
                for match in _END.finditer(text)
                if match[0] == "\n" or not _ABBREVIATION.search(text, max(0, match.start() - 8), match.start())
            ]
        return self._known

    def around(self, offset: int) -> tuple[int, int]:
        """Where the sentence at ``offset`` begins and ends.

        >>> text = "See Fig. 2 of Smith et al. (2020). Data are at x.org. Code is not."
        >>> start, end = Sentences(text).around(40)
        >>> text[start:end]
        'Data are at x.org.'
        """
        starts = self._starts
        index = bisect_right(starts, offset) - 1
        start = starts[index]
        end = starts[index + 1] if index + 1 < len(starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip())

    def at(self, offset: int) -> str:
        """The sentence at ``offset``."""
        start, end = self.around(offset)
        return self.text[start:end]

    def all(self) -> list[str]:
        """All sentences, in order."""
        starts = self._starts
        ends = [*starts[1:], len(self.text)]
        return [sentence for a, b in zip(starts, ends, strict=True) if (sentence := self.text[a:b].strip())]
