"""Sentences of scientific prose: full stops in addresses, numbers, initials and abbreviations end none."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right

_END = re.compile(r"[.!?][\"”’)\]]*[ ](?=[\"“‘(\[]?[A-Z0-9\u0370-\u03ff])")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:[A-Z]|Figs?|Eqs?|Refs?|refs?|Tabs?|Secs?|Suppl?|Nos?|Dr|Prof|St|Mr|Ms|vs|cf|ca|approx|resp|et al"
    r"|e\.g|i\.e|etc|sp|spp|var|ver|vol|pp|Inc|Ltd|Co)$"
)
_LONGEST = 4_000
"""What is longer is no sentence, and is cut: then nothing that looks at sentences takes long over one."""


class Sentences:
    """The sentences of one text, by place. A line ends a sentence; each is looked at when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: dict[int, list[int]] = {}

    def around(self, offset: int) -> tuple[int, int]:
        """Where the sentence at ``offset`` begins and ends.

        >>> text = "See Fig. 2 of Smith et al. (2020). Data are at x.org. Code is not."
        >>> start, end = Sentences(text).around(40)
        >>> text[start:end]
        'Data are at x.org.'
        """
        text = self.text
        begin = text.rfind("\n", 0, offset) + 1
        starts = self._lines.get(begin)
        if starts is None:
            end = text.find("\n", begin)
            starts = self._lines[begin] = self._starts(begin, len(text) if end < 0 else end)
        index = max(bisect_right(starts, offset, hi=len(starts) - 1) - 1, 0)
        start, end = starts[index], starts[index + 1]
        return start, start + len(text[start:end].rstrip())

    def _starts(self, begin: int, end: int) -> list[int]:
        """Where the sentences of a line begin, and where the last one ends."""
        text = self.text
        ends = [
            match.end()
            for match in _END.finditer(text, begin, end)
            if not _ABBREVIATION.search(text, max(begin, match.start() - 8), match.start())
        ]
        starts = [begin, *ends, end]
        if end - begin > _LONGEST:
            starts = [at for a, b in itertools.pairwise(starts) for at in range(a, max(b, a + 1), _LONGEST)] + [end]
        return starts

    def at(self, offset: int) -> str:
        """The sentence at ``offset``."""
        start, end = self.around(offset)
        return self.text[start:end]

    def all(self) -> list[str]:
        """All sentences, in order."""
        found = []
        begin = 0
        for line in self.text.split("\n"):
            starts = self._starts(begin, begin + len(line))
            found += [self.text[a:b].strip() for a, b in itertools.pairwise(starts)]
            begin += len(line) + 1
        return [sentence for sentence in found if sentence]
