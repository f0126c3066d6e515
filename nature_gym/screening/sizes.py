"""How much data a task needs: bytes with the numbers behind them, a tier and a confidence.

Sources, best first: what a data link's header says, what its host's API lists, what the text states near the word for
the data. The length of an HTML page is never a size of data. Compressed files count as what they unpack to, and a
file counts once though its record is linked beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from nature_gym.reading.addresses import normal_form
from nature_gym.screening.counts import OF_DATA, sizes_in
from nature_gym.screening.manuscript import Manuscript, Sentence
from nature_gym.screening.probes import Probe, SizeSource

Confidence = Literal["high", "medium", "low", "indeterminate"]
Tier = Literal["S", "M", "L"]

GB = 10**9
_S_BELOW = 1 * GB
_M_UP_TO = 50 * GB
COVERED = 0.8
"""Share of all data links whose headers must tell a size for an estimate of high confidence."""

_FACTORS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\.(?:gz|tgz|zip|zst)$", re.IGNORECASE), 3),
    (re.compile(r"\.(?:bz2|xz|7z)$", re.IGNORECASE), 5),
    (re.compile(r"\.lz4$", re.IGNORECASE), 2),
)
_PAGE = re.compile(r"^\s*(?:text/html|application/xhtml)", re.IGNORECASE)
_RECORD = re.compile(
    r"(?P<host>zenodo)\.org/(?:api/)?records?/(?P<zenodo>\d+)|10\.5281/zenodo\.(?P<doi>\d+)|"
    r"huggingface\.co/(?P<hub>datasets/[\w.-]+/[\w.-]+)|github\.com/(?P<git>[\w.-]+/[\w.-]+)|"
    r"figshare\.com/(?:articles|projects|collections)/(?:[\w%-]+/){0,3}?(?P<figshare>\d{4,})|"
    r"10\.6084/m9\.figshare\.(?P<figdoi>\d{4,})",
    re.IGNORECASE,
)


def unpacked_factor(name: str) -> int:
    """By how much the file ``name`` grows when it is unpacked, as a rule of thumb; 1 where it is not packed.

    >>> [unpacked_factor(name) for name in ("a.tar.gz", "b.tar.xz", "c.lz4", "d.csv", "e.zip?download=1")]
    [3, 5, 2, 1, 3]
    """
    path = name.partition("?")[0].partition("#")[0].rstrip("/")
    return next((factor for pattern, factor in _FACTORS if pattern.search(path)), 1)


def tier_of(size: float) -> Tier:
    """S below 1 GB, M from 1 to 50 GB, L above."""
    return "S" if size < _S_BELOW else "M" if size <= _M_UP_TO else "L"


@dataclass(frozen=True, slots=True)
class Part:
    """One number of an estimate: what it is of, as stored, how much it grows, and who says so."""

    name: str
    stored: float
    factor: int
    source: SizeSource
    sentence: Sentence | None = None
    """Where the text states it."""

    @property
    def size(self) -> float:
        return self.stored * self.factor

    def __str__(self) -> str:
        grown = f" times {self.factor} for unpacking" if self.factor > 1 else ""
        return f"{readable(self.stored)} of {self.name}{grown} ({self.source})"


@dataclass(frozen=True, slots=True)
class SizeEstimate:
    """What a task's data come to. ``size`` (bytes, unpacked) is None where nothing is known."""

    size: float | None
    confidence: Confidence
    parts: tuple[Part, ...]
    links: int
    """How many data links there are."""
    by_header: int
    """Of how many a header tells the size."""
    by_api: int

    @property
    def tier(self) -> Tier | None:
        return None if self.size is None else tier_of(self.size)


def readable(size: float) -> str:
    """Bytes as people read them.

    >>> readable(56_900_000_000), readable(82_955), readable(0)
    ('56.9 GB', '83.0 kB', '0 bytes')
    """
    for factor, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size:.0f} bytes"


def estimate_size(urls: Sequence[str], probes: Mapping[str, Probe], stated: Iterable[Part] = ()) -> SizeEstimate:
    """The size of what lies at the data links ``urls``, from what was seen there and what the text states."""
    unique = {normal_form(url) or url: url for url in reversed(urls)}
    seen = [(url, probes[url]) for url in unique.values() if url in probes]
    sized = [(url, probe) for url, probe in seen if _stored(probe) is not None]
    parts = list(_once(sized))
    by_header = sum(1 for _, probe in sized if probe.size_source == "content_length")
    by_api = sum(1 for _, probe in sized if probe.size_source == "api")
    told = [*parts]
    if len(sized) < len(unique) or not unique:
        # What a link does not tell, the text may; both may speak of the same data, so that they are not added.
        texts = list(stated)
        if sum(part.size for part in texts) > sum(part.size for part in parts):
            told = texts
    size = sum(part.size for part in told) if told else None
    if size is None:
        confidence: Confidence = "indeterminate"
    elif told is not parts and told and told[0].source == "text":
        confidence = "low"
    elif by_header >= COVERED * len(unique):
        confidence = "high"
    else:
        confidence = "medium" if by_header or by_api else "low"
    return SizeEstimate(size, confidence, tuple(told), len(unique), by_header, by_api)


def _stored(probe: Probe) -> float | None:
    """Bytes that a download would bring; never the length of a page."""
    if probe.status != "accessible":
        return None
    if probe.size_source == "api" or probe.files:
        listed = [size for _, size in probe.files if size is not None]
        return probe.size_bytes if probe.size_bytes is not None else sum(listed) if listed else None
    if probe.size_source == "content_length" and _PAGE.match(probe.media_type):
        return None
    return probe.size_bytes if probe.size_source != "none" else None


def _once(sized: Sequence[tuple[str, Probe]]) -> Iterator[Part]:
    """Each record once: by its list of files where there is one, else by the files that are linked."""
    records: dict[str, list[tuple[str, Probe]]] = {}
    for url, probe in sized:
        records.setdefault(_holding(url, probe), []).append((url, probe))
    for members in records.values():
        lists = [(url, probe) for url, probe in members if probe.files or probe.size_source == "api"]
        wholes = [(url, probe) for url, probe in lists if len(probe.files) > 1 or not _is_file(url)]
        if wholes:
            yield from _of_record(*max(wholes, key=lambda one: _stored(one[1]) or 0))
            continue
        names: set[str] = set()
        for url, probe in members:
            name = _file_name(url, probe)
            if name not in names:
                names.add(name)
                stored = _stored(probe)
                yield Part(name, float(stored or 0), unpacked_factor(name), probe.size_source)


def _of_record(url: str, probe: Probe) -> Iterator[Part]:
    known = [(name, size) for name, size in probe.files if size is not None]
    if known and not (probe.size_bytes is not None and sum(size for _, size in known) < probe.size_bytes):
        for name, size in known:
            yield Part(name, float(size), unpacked_factor(name), "api")
        return
    yield Part(_file_name(url, probe), float(_stored(probe) or 0), unpacked_factor(url), probe.size_source)


def _holding(url: str, probe: Probe) -> str:
    if probe.holding:
        return probe.holding
    for address in (url, probe.final_url or ""):
        if match := _RECORD.search(address):
            kind = "zenodo" if match["zenodo"] or match["doi"] else "other"
            return f"{kind} {next(one for one in match.groups()[1:] if one)}".casefold()
    return normal_form(url) or url


def _is_file(url: str) -> bool:
    return bool(re.search(r"/files?/|/resolve/|/blob/|/raw/|\.\w{2,5}(?:\?|$)", url)) and "doi.org/" not in url


def _file_name(url: str, probe: Probe) -> str:
    """The name by which a file's packing is known: of the one file at a link, else of the address it ends at."""
    if len(probe.files) == 1:
        return probe.files[0][0]
    for address in (url, probe.final_url or ""):
        name = address.partition("?")[0].rstrip("/").rpartition("/")[2]
        if "." in name and unpacked_factor(name) > 1:
            return name
    return url


# -- sizes that the text states ------------------------------------------------------

_ELSEWHERE = re.compile(
    r"^(?:introduction|main|background|related work|discussion|conclusions?|outlook|abstract|references|limitations|"
    r"acknowledge?ments?|author contributions?|competing interests?)\b",
    re.IGNORECASE,
)
_PACKED = re.compile(r"\b(?:compressed|g?zipped)\b", re.IGNORECASE)
_PLACE = re.compile(r"https?://|\b10\.\d{4,9}/|\bwww\.")
_NOT_OURS = re.compile(r"\b(?:would|could|might|such as|e\.g\.|for instance|larger than|up to|beyond)\b", re.IGNORECASE)


def stated_sizes(manuscript: Manuscript, statement: Iterable[Sentence], names: Sequence[str] = ()) -> list[Part]:
    """The sizes of the paper's data that its text states: in its statements, and where it describes its data.

    ``names`` are those of the data sets; a sentence that tells a size must name one, or speak of data, unless it
    says in a statement on data where something is to be had.
    """
    found: dict[tuple[str, float], Part] = {}
    stated = list(statement)
    for place, sentence in enumerate((*stated, *manuscript.sentences)):
        text = sentence.text
        if "B" not in text and "byte" not in text:
            continue
        if _ELSEWHERE.match(sentence.chapter) or _ELSEWHERE.match(sentence.section):
            continue
        named = any(name and name in text for name in names) or (place < len(stated) and bool(_PLACE.search(text)))
        if _NOT_OURS.search(text) or not (named or OF_DATA.search(text)):
            continue
        for quantity in sizes_in(text):
            name = next((name for name in names if name and name in text), "the data")
            packed = _PACKED.search(text)
            key = (name, quantity.value)
            found.setdefault(key, Part(name, quantity.value, 3 if packed else 1, "text", sentence))
    return list(_whole(found.values()))


def _whole(parts: Iterable[Part]) -> Iterator[Part]:
    """Each data set's largest figure: a set's parts are told beside its whole."""
    largest: dict[str, Part] = {}
    for part in parts:
        if part.name not in largest or part.size > largest[part.name].size:
            largest[part.name] = part
    yield from largest.values()
