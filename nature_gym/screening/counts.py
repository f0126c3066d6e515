"""Numbers in running text: sizes in bytes, and counts of samples. What counts neither is told apart.

``1,500 GB`` is a size; ``3 Mb`` of a genome are megabases and ``500k`` beside cells is a count. Memory of a machine
and speed of a line are written in the same units as data are, and are no size of data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPACE = "\u00a0\u2009\u202f "
_NUMBER = rf"(?:\d{{1,3}}(?:[,{_SPACE}]\d{{3}})+(?![\d])|\d+)(?:\.\d+)?"
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15}
_NAMES = {"kilo": "k", "mega": "m", "giga": "g", "tera": "t", "peta": "p"}
_SIZE = re.compile(
    rf"(?<![\w.,/])(?P<number>{_NUMBER})[{_SPACE}-]?"
    r"(?:(?P<letter>[kKMGTP])(?:i?B\b|[Bb]ytes?\b)|(?P<name>kilo|mega|giga|tera|peta)bytes?\b|(?P<bytes>bytes)\b)"
    r"(?!\s?(?:/\s?s\b|per second|s[⁻−^-]|ps\b))"
)
_NOT_DATA = re.compile(
    r"\b(?:memory|RAM|VRAM|GPUs?|graphics cards?|accelerators?|CPUs?|workstations?|laptops?|desktops?|cores?|bandwidth|"
    r"cache|model sizes?|size of (?:the|our) model|parameters|checkpoints? of|disk cache|throughput)\b",
    re.IGNORECASE,
)
OF_DATA = re.compile(
    r"\b(?:data|datasets?|databases?|files?|archives?|records?|downloads?|images?|recordings?|tracks?|volumes?|sequences|"
    r"reads|corpus|corpora|tables?|storage|repositor\w+|deposit\w*|trajectories|simulations?|samples|collection|"
    r"compressed|uncompressed|zipped|disk|(?:training|test|testing|validation|evaluation|held-out|whole|full) sets?)\b",
    re.IGNORECASE,
)
"""Words for data, beside which a size is one of theirs."""
_BASES = re.compile(rf"(?<![\w.,])(?P<number>{_NUMBER})[{_SPACE}-]?(?P<letter>[kMG])(?:b|bp|bases|nt)\b(?!\s?/\s?s|ps)")
_GENOMIC = re.compile(
    r"\b(?:genom\w*|chromosom\w*|sequence[ds]?|contigs?|assembl\w+|loc(?:us|i)|DNA|RNA|windows?|base pairs?|upstream|"
    r"downstream|transcription|scaffolds?|nucleotides?|variants?|genes?)\b",
    re.IGNORECASE,
)
_NEAR = 200
"""Characters round a size in which a word may tell what it is of."""
_THOUSANDS = {"k": 10**3, "thousand": 10**3, "m": 10**6, "million": 10**6, "billion": 10**9, "bn": 10**9}
_COUNT = re.compile(
    rf"(?<![\w.,/~–-])(?P<number>{_NUMBER})"
    rf"(?:(?P<suffix>[kKM])(?=[{_SPACE}])|[{_SPACE}](?P<word>thousand|million|billion|bn)\b)?"
    rf"[{_SPACE}](?P<of>(?:[a-z][\w-]*[{_SPACE}]){{0,2}}?[a-z][a-z-]+s)\b"
)
_NEVER_SAMPLES = frozenset({
    "authors", "baselines", "bytes", "channels", "classes", "cores", "days", "degrees", "draws", "epochs",
    "features", "figures", "folds", "genes", "gigabytes", "gpus", "heads", "hours", "iterations", "journals",
    "kilobytes", "layers", "megabytes", "meters", "methods", "metres", "minutes", "months", "neurons", "nodes",
    "parameters", "percent", "pixels", "points", "references", "resamples", "rounds", "runs", "seconds", "seeds",
    "steps", "tables", "terabytes", "times", "trees", "units", "weeks", "years",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with what it counts, and where it stands in its text."""

    value: float
    unit: str
    """``bytes``, ``bases``, or the thing counted (``cells``)."""
    start: int
    end: int


def sizes_in(text: str) -> list[Quantity]:
    """The sizes of data that ``text`` (a sentence) states, in bytes.

    >>> [one.value for one in sizes_in("The tracks take 1,500 GB.")], sizes_in("A GPU with 24 GB of memory.")
    ([1500000000000.0], [])
    >>> sizes_in("From a genome of 3 Mb we have 500k cells.")
    []
    """
    return list(_sizes(text))


def _sizes(text: str) -> Iterator[Quantity]:
    if "B" not in text and "byte" not in text:
        return
    for match in _SIZE.finditer(text):
        # A machine and its data may share a sentence: what is meant is the nearer word.
        if _distance(_NOT_DATA, text, match) < _distance(OF_DATA, text, match):
            continue
        letter = (match["letter"] or _NAMES.get(match["name"] or "", "")).lower()
        yield Quantity(_value(match["number"]) * _UNITS[letter], "bytes", match.start("number"), match.end())


def _distance(words: re.Pattern[str], text: str, match: re.Match[str]) -> float:
    """Characters between a size and the nearest of ``words``."""
    around = words.finditer(text, max(0, match.start() - _NEAR), match.end() + _NEAR)
    return min((max(word.start() - match.end(), match.start() - word.end(), 0) for word in around), default=math.inf)


def bases_in(text: str) -> list[Quantity]:
    """Lengths of sequences, in bases, where the sentence speaks of such.

    >>> [one.value for one in bases_in("From a genome of 3 Mb we have 9,042 sequences.")]
    [3000000.0]
    """
    if not _GENOMIC.search(text):
        return []
    return [
        Quantity(_value(match["number"]) * _UNITS[match["letter"].lower()], "bases", match.start(), match.end())
        for match in _BASES.finditer(text)
    ]


def counts_in(text: str) -> list[Quantity]:
    """How many samples of what kind ``text`` speaks of.

    >>> [(one.value, one.unit) for one in counts_in("Of the 500k cells, 50,344 cells and 1.2 million images stay.")]
    [(500000.0, 'cells'), (50344.0, 'cells'), (1200000.0, 'images')]
    """
    found = []
    for match in _COUNT.finditer(text):
        of = match["of"].split()[-1]
        if of in _NEVER_SAMPLES or of.endswith("ss"):
            continue
        factor = _THOUSANDS.get((match["suffix"] or match["word"] or "").lower(), 1)
        found.append(Quantity(_value(match["number"]) * factor, of, match.start(), match.end()))
    return found


def _value(number: str) -> float:
    return float(re.sub(rf"[,{_SPACE}]", "", number))
