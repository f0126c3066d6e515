"""Addresses in running text: found where markup gives none, mended where lines broke them, and compared.

An address in print is followed by a full stop, stands in brackets, loses its ``https://``, or is cut at a hyphen or
slash. What is found here is what was meant.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

DOI = re.compile(r"10\.\d{4,9}/[^\s\"]+")
"""A DOI where markup gives it whole (see :func:`doi_in`); in running text, :func:`find_addresses` finds where it ends.

Older DOIs have brackets of every kind in them: ``10.1002/(SICI)1097-0258(19980228)17:4<441::AID-SIM1>3.0.CO;2-N``.
"""

_SLASHES = re.compile(r":\s?/\s?/\s?(?=[\w\[])")
_SCHEME_BEFORE = re.compile(r"(?:https?|ftp)\s?$", re.IGNORECASE)
_WWW = re.compile(r"www\.(?=\w)")
_DOI = re.compile(r"10\.\s?\d{4,9}/\s?(?=[\w(])")
_DOI_BEFORE = re.compile(r"(?:(?:dx\.)?doi\.org/|(?<![\w/.]))$", re.IGNORECASE)
_END_OF_HOST = re.compile(r"\.(?:com|org|io|co|edu)/(?=\w)")
_HOST_BEFORE = re.compile(
    r"(?<![\w./@:-])(?:github|gitlab|bitbucket|zenodo|figshare|osf|huggingface|codeocean|dropbox|kaggle|synapse|"
    r"physionet|datadryad|gitee|openneuro|drive\.google|data\.mendeley|dataverse\.harvard"
    r"|(?:[\w-]{1,60}\.){1,3}git(?:hub|lab))$",
    re.IGNORECASE,
)
_LONGEST_HOST = 120
_BODY = re.compile(r"[^\s<>\"“”„«»{}|\\^`]{1,2000}")
_PAGES = re.compile(r"<[^\s<>]{1,80}>\d\.\d\.[A-Z]{2};\d(?:-[A-Z0-9#?])?")
"""What follows the number of an issue in a DOI made of its article's place: its first page and a check."""
_CHECKED = re.compile(r"\.[A-Z]{2};\d-[A-Z0-9#?]$")
_IN_DOI = re.compile(r"10\.\d{4,9}/")
_LAST = ".,;:!?'’‘*†‡§…\u00b7"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSED = re.compile(r"\)[,;.:)\]]")
_NEXT = re.compile(r"[ \n](?P<piece>[^\s<>\"“”„«»{}|\\^`]{1,2000})")
_WORD = re.compile(r"(?:[a-z]+|[A-Z][a-z]+|[A-Z]?[a-z]+-[a-z]+)[.,;:)]*$")
_ADDRESS_PIECE = re.compile(r"[\w~%.-]*(?:/|[\w~%]\.\w|_|\d|=|%|-)[^\s]*$")
_SHAPES = re.compile(
    r"10\.(?:5281/zenodo\.\d+|6084/m9\.figshare\.(?:c\.)?\d+(?:\.v\d+)?|5061/dryad\.\w+|17605/osf\.io/\w{5}"
    r"|17632/[a-z0-9]{10}(?:\.\d+)?|48550/arxiv\.(?:\d{4}\.\d{4,5}|[a-z-]+/\d{7})(?:v\d+)?"
    r"|1038/s\d{5}-\d{3}-\d{5}-\w(?!\w))",
    re.IGNORECASE,
)
"""DOIs of which one knows where they end, whatever is printed behind them."""
_YEAR = re.compile(r"[(\[](?:19|20)\d\d[a-z]?[)\]](?=$|[.,;:)\]])")
_ANOTHER = re.compile(r"(?<![/=])[;,.]?(?:https?://|doi:|(?<=[;,])(?:10\.\d{4,9}/|www\.))", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?<=[\w/%)])[.;](?:(?:The|This|That|These|Those|All|Any|Both|Each|We|Our|In|At|On|For|From|To|It|Its|If|As|An|A|Data"
    r"|Code|Codes|Source|Here|See|Note|Please|Other|Further|Additional|Publisher|Reprints|Correspondence"
    r"|Supplementary|Access|Accessed|Available)(?![a-z\d_/.-])|[A-Z][a-z]{15,})"
)
"""A sentence that follows without a space, or has lost all of its spaces."""
_BEGINNING = re.compile(r"https?:|www\.|10\.\d{4}")
_KNOWN_HOST_ONLY = re.compile(
    r"^(?:https?://)?(?:www\.|dx\.)?(?:github\.com|gitlab\.com|zenodo\.org|doi\.org|figshare\.com|bitbucket\.org|"
    r"huggingface\.co|osf\.io)/(?:records?/|articles/|datasets/|10\.\d{4,9}/)?$",
    re.IGNORECASE,
)
_TWICE = re.compile(r"^(?:https?://)+(?=https?://)", re.IGNORECASE)
_TRACKING = re.compile(r"(?:^|&)(?:utm_\w+|fbclid|gclid|ref_src)=[^&]*")
_LONGEST = 2_000
_MOST = 50_000
"""Of each way to write an address, so many are looked at: more than any text has."""


@dataclass(frozen=True, slots=True)
class Found:
    """An address in a text: what it leads to, and where it is written."""

    url: str
    start: int
    end: int


def may_have_addresses(text: str) -> bool:
    """Whether :func:`find_addresses` may find anything; quick, for most short texts have none."""
    return "/" in text or "www." in text


def find_addresses(text: str) -> list[Found]:
    """The addresses that are written in ``text``, in order.

    >>> [one.url for one in find_addresses("at github.com/a/logit.git (doi:10.5281/ zenodo.12).")]
    ['https://github.com/a/logit', 'https://doi.org/10.5281/zenodo.12']
    """
    found: list[Found] = []
    if not may_have_addresses(text):
        return found
    for one in sorted(_candidates(text), key=lambda one: (one.start, -one.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _candidates(text: str) -> Iterator[Found]:
    """Addresses with and without their schemes, and bare DOIs; several may be found at one place."""
    for match in itertools.islice(_SLASHES.finditer(text), _MOST):
        before = _SCHEME_BEFORE.search(text, max(0, match.start() - 6), match.start())
        if before is not None:
            scheme = before[0].strip().lower()
            body, end = _read(text, match.end(), f"{scheme}://")
            if "." in body.partition("/")[0] or body.startswith("["):
                yield Found(clean(f"{scheme}://{body}"), before.start(), end)
    for match in itertools.islice(_WWW.finditer(text), _MOST):
        if match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] in "./@-"):
            continue
        body, end = _read(text, match.end(), "www.")
        if "." in body:
            yield Found(clean(f"http://www.{body}"), match.start(), end)
    for match in itertools.islice(_DOI.finditer(text), _MOST):
        before = _DOI_BEFORE.search(text, max(0, match.start() - 11), match.start())
        if before is not None:
            prefix = match[0].replace(" ", "")
            body, end = _read(text, match.end(), f"https://doi.org/{prefix}")
            if body:
                yield Found(clean(f"https://doi.org/{prefix}{body}"), before.start(), end)
    for match in itertools.islice(_END_OF_HOST.finditer(text), _MOST):
        before = _HOST_BEFORE.search(text, max(0, match.start() - _LONGEST_HOST), match.start())
        if before is not None:
            host = f"{before[0]}{match[0]}".lower()
            body, end = _read(text, match.end(), host)
            yield Found(clean(f"https://{host}{body}"), before.start(), end)


def _read(text: str, start: int, before: str) -> tuple[str, int]:
    """The rest of an address from ``start``, over breaks within it, and where it ends."""
    match = _BODY.match(text, start)
    if match is None:
        return "", start
    body, end = match[0], match.end()
    if pages := _pages(before + body, text, end):
        body, end = body + pages, end + len(pages)
    while len(body) < _LONGEST and (following := _NEXT.match(text, end)):
        piece = following["piece"]
        if not _goes_on(before + body, piece):
            break
        body, end = body + piece, following.end()
        if pages := _pages(before + body, text, end):
            body, end = body + pages, end + len(pages)
    if len(body) > _LONGEST:
        body, end = body[:_LONGEST], end - (len(body) - _LONGEST)
    trimmed = trim(_unglued(before, body))
    return trimmed, end - (len(body) - len(trimmed))


def _pages(address: str, text: str, at: int) -> str:
    """The rest of a DOI that has angles in it."""
    match = _PAGES.match(text, at) if text[at : at + 1] == "<" and _IN_DOI.search(address) else None
    return match[0] if match else ""


def _unglued(before: str, body: str) -> str:
    """``body`` without what is printed behind it with no space: another address, a year, a sentence."""
    address = before + body
    if shape := _SHAPES.search(address):
        return address[len(before) : max(shape.end(), len(before))]
    marks = [_SENTENCE, _ANOTHER, _YEAR] if _IN_DOI.search(address) else [_SENTENCE, _ANOTHER]
    found = [match.start() for mark in marks if (match := mark.search(address, len(before)))]
    return address[len(before) : min(found, default=len(address))]


def _goes_on(address: str, piece: str) -> bool:
    """Whether ``piece``, after white space, is a part of the address before it."""
    last = address[-1]
    if _BEGINNING.match(piece):
        return False
    if last in "-_=%" or (last == "/" and _KNOWN_HOST_ONLY.match(address)):
        return bool(re.match(r"[\w~%]", piece)) and piece.rstrip(_LAST) not in {"and", "or", "for", "in", "with", "to"}
    if last in "/." and not _WORD.match(piece):
        if last == ".":
            # A full stop ends more sentences than it breaks addresses: only what can be nothing else is taken.
            return bool(re.match(r"[a-z0-9][\w%-]*(?:/|\.\w)", piece)) and "/" not in piece[:1]
        return bool(_ADDRESS_PIECE.match(piece))
    return piece[0] == "/" and len(piece) > 1 and piece[1].isalnum() and "." in address.rpartition("//")[2]


def trim(address: str) -> str:
    """``address`` without the punctuation of the sentence round it.

    >>> trim("https://x.org/a_(b))."), trim("https://x.org/a;")
    ('https://x.org/a_(b)', 'https://x.org/a')
    """
    if address[-1:].isalnum() and ")" not in address:
        return address
    while address and not (address[-2:-1] == "-" and _CHECKED.search(address)):
        last = address[-1]
        unpaired = last in _PAIRS and address.count(last) > address.count(_PAIRS[last])
        if last in _LAST or last in "([" or unpaired or last.isspace():
            address = address[:-1]
            continue
        # An address in brackets may be followed by more text without a space: https://x.org/a),(b
        cut = _CLOSED.search(address) if ")" in address else None
        if cut is None or address.count(")", 0, cut.start() + 1) <= address.count("(", 0, cut.start() + 1):
            break
        address = address[: cut.start()]
    return address


def clean(address: str) -> str:
    """An address as it is asked for: host in small letters, ``.git`` and tracking left out, DOIs at doi.org.

    ``.git`` is a suffix to remove, not letters to strip:

    >>> clean("HTTP://GitHub.com/a/logit.git"), clean("http://dx.doi.org/10.1038%2FS1")
    ('http://github.com/a/logit', 'https://doi.org/10.1038/S1')
    """
    address = _TWICE.sub("", trim(address.strip()))
    scheme, separator, rest = address.partition("://")
    if not separator:
        return address
    host, slash, path = rest.partition("/")
    host = host.lower()
    if host.removeprefix("www.") in {"doi.org", "dx.doi.org", "doi.dx.org"}:
        return doi_address(unquote(path).strip())
    path, question, query = path.partition("?")
    if question:
        query = _TRACKING.sub("", query).lstrip("&")
        question = "?" if query else ""
    path = path.rstrip("/").removesuffix(".git") if path.rstrip("/").endswith(".git") else path
    return f"{scheme.lower()}://{host}{slash}{path}{question}{query}"


def doi_in(text: str) -> str | None:
    """The DOI that a value of markup gives, in small letters; None where there is none.

    >>> doi_in("https://doi.org/10.1016%2F0022-2836%2876%2990311-6"), doi_in("doi:10.5281/zenodo.1.")
    ('10.1016/0022-2836(76)90311-6', '10.5281/zenodo.1')
    """
    if "10." not in text:
        return None
    match = DOI.search(unquote(text) if "%" in text else text)
    return trim(match[0]).lower() or None if match else None


def doi_address(doi: str) -> str:
    """The address of a DOI, with those characters written in numbers that an address may not hold.

    >>> doi_address("10.1002/(SICI)1(1998)17:4<441::AID>3.0.CO;2-N")
    'https://doi.org/10.1002/(SICI)1(1998)17:4%3C441::AID%3E3.0.CO;2-N'
    """
    doi = trim(doi)
    shape = _SHAPES.match(doi)
    if shape and not doi[shape.end() : shape.end() + 1].isalnum():
        doi = shape[0]
    return f"https://doi.org/{doi if _PLAIN.fullmatch(doi) else quote(doi, safe=_SAFE)}"


_SAFE = "/:;()[]@!$&'*+,=~"
_PLAIN = re.compile(r"[\w./:;()\[\]@!$&'*+,=~-]*", re.ASCII)


def host_of(address: str) -> str:
    """The host of an address, without ``www.``; empty where there is none."""
    if address.startswith("https://doi.org/"):
        return "doi.org"
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


_ZENODO = re.compile(r"zenodo\.org/(?:api/)?records?/(\d+)/?(?:[?#]|$)|10\.5281/zenodo\.(\d+)$", re.IGNORECASE)
_FIGSHARE = re.compile(
    r"figshare\.com/(?:articles|projects|collections)/(?:[\w%-]+/){0,3}?(?P<page>\d{4,})(?:/(?P<version>\d{1,3}))?/?"
    r"(?:[?#]|$)"
    r"|10\.6084/m9\.figshare\.(?:c\.)?(?P<doi>\d{4,})(?:\.v(?P<edition>\d+))?$",
    re.IGNORECASE,
)
_ACCESSION = re.compile(
    r"[?&/=:](?:acc=)?((?:GSE|GSM|PRJ|EMD-|EMPIAR-|E-MTAB-|PXD|MTBLS|phs|EGA[SD])[\w.-]*\d)/?$", re.IGNORECASE
)


_AT_DOI_ORG = "https://doi.org/"
_SPECIAL = re.compile(r"[%#]|zenodo|figshare")
"""Of what makes a DOI's address more than a name."""


def normal_form(address: str) -> str:
    """What two addresses have in common that lead to the same: the key by which they are counted once.

    >>> normal_form("https://zenodo.org/record/12") == normal_form("https://doi.org/10.5281/zenodo.12")
    True
    """
    folded = address.casefold()
    if folded.startswith(_AT_DOI_ORG) and not _SPECIAL.search(folded):
        return f"doi.org/{folded[len(_AT_DOI_ORG) :].rstrip('/')}"
    if "zenodo" in folded and (match := _ZENODO.search(address)):
        return f"zenodo {match[1] or match[2]}"
    if "figshare" in folded and (match := _FIGSHARE.search(address)):
        return f"figshare {match['page'] or match['doi']} {match['version'] or match['edition'] or ''}"
    if "doi.org/" not in folded and (match := _ACCESSION.search(address)):
        return match[1].casefold()
    rest = address.partition("://")[2] or address
    host, _, path = rest.partition("/")
    host = host.casefold().removeprefix("www.")
    path, hash_, fragment = path.partition("#")
    if host in {"github.com", "gitlab.com", "doi.org", "huggingface.co"}:
        path = path.casefold()
    kept = f"#{fragment}" if hash_ and ("!" in fragment[:1] or "=" in fragment) else ""
    return f"{host}/{unquote(path).rstrip('/')}{kept}"
