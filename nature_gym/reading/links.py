"""All addresses that an article gives, each once, with what they lead to: code, data, a supplement, a reference.

A link is found as markup, as text, as a bare DOI or accession, or as a reference that is cited where the code or
the data are spoken of. Its kind follows from its host; where a host keeps both, from the words before it in its
sentence, and then from the heading that it stands under.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from nature_gym.reading.addresses import clean, find_addresses, host_of, normal_form
from nature_gym.reading.availability import CODE, DATA, Matter, matters_of, matters_of_heading
from nature_gym.reading.document import ABSTRACT, Document, Link
from nature_gym.reading.hosts import LITERATURE_DOI, Accession, Holding, accessions_in, doi_host, holding
from nature_gym.reading.sentences import Sentences

Kind = Literal["code", "data", "supplement", "reference", "other"]

_COMPOUND = re.compile(
    r"(?:data|image|statistical|numerical|sequence|simulation|benchmark\w*)[- ]?(?:analys[ie]s|processing|"
    r"preprocessing|generation|loading|visuali[sz]ation|simulation)?[- ]"
    r"(?=codes?\b|scripts?\b|software|pipelines?\b|notebooks?\b)",
    re.IGNORECASE,
)
_NOT_CODE = re.compile(r"(?:accession|zip|bar|postal|identification|pdb|entry|qr|colou?r) codes?", re.IGNORECASE)
_FILE_OF_DATA = re.compile(
    r"/releases/download/|\.(?:csv|tsv|h5|hdf5|h5ad|npz?|zip|tar|gz|tgz|parquet|xlsx?|json|mat|nc|fasta|pdb|sdf|txt)(?:\?|$)",
    re.IGNORECASE,
)
_SUPPLEMENT = re.compile(
    r"static-content\.springer\.com/esm/|mediaobjects/\S*_(?:moesm|esm)|/extref/|/pmc/articles/\w+/bin/|_esm\.\w+$"
    r"|/suppl(?:ementary)?[-_/]|/(?:suppl?|supplemental)/",
    re.IGNORECASE,
)
_SUPPLEMENT_TITLE = re.compile(
    r"supplement|supporting information|source data|extended data|additional files|pdf files|excel files", re.IGNORECASE
)
_REFERENCES = re.compile(r"references?|bibliography|literature cited", re.IGNORECASE)
_LEGAL = re.compile(r"rights|licen[cs]e|corresponding author|author information|copyright", re.IGNORECASE)
_PUBLISHER = ("nature.com", "springer.com", "springernature.com", "europepmc.org")
_OWN_PAGES = re.compile(
    r"/(?:svc|foxtrot|subjects|search|rights|references|citation|email|auth|login|articles/cas-redirect)\b"
)
_MOST_CONTEXT = 1_000
_NEAR = 120
"""Characters behind a link in which words on it may stand, where none stand before it."""


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link as others use it: ``section`` is a heading, ``context`` the sentence that it stands in.

    ``host`` is where it leads in the end: ``zenodo.org`` for a DOI that Zenodo gave.
    """

    url: str
    host: str
    kind: Kind
    section: str
    context: str


class _Mention(NamedTuple):
    """An address at a place of the article, before it is judged."""

    url: str
    section: int
    offset: int
    end: int
    text: str
    """The text that ``offset`` counts in."""
    sentences: Sentences
    accession: bool = False
    cited: bool = False
    """Not written here; a reference that gives it is cited here."""


def find_links(document: Document) -> list[FoundLink]:
    """Every link of the article once, in the order of their first mention.

    Where an address stands in several places, the one that tells most counts: under a heading on availability
    before the running text, and that before the list of references.
    """
    best: dict[str, tuple[int, FoundLink]] = {}
    kinds: dict[int, dict[int, Kind]] = {}
    places = _Places(document)
    for mention in _mentions(document):
        url = mention.url
        key = normal_form(url)
        place = places[mention.section]
        known = best.get(key)
        if not key or _is_own(url, document.doi) or (place.of_references and known is not None):
            continue
        kind = _kind(mention, place, kinds)
        if mention.cited and kind not in {"code", "data"}:
            continue
        kinds.setdefault(id(mention.sentences), {})[mention.end] = kind
        rank = _rank(place, mention, kind)
        if known is not None and rank >= known[0]:
            # A repository of code that is called so anywhere is code, though its data may be spoken of first.
            called_code = rank == known[0] and known[1].kind == "data" and kind == "code" and _holding(url) == "code"
            if not called_code:
                continue
        host = doi_host(url.partition("doi.org/")[2]) if "doi.org/" in url else ""
        context = mention.sentences.at(mention.offset)[:_MOST_CONTEXT]
        best[key] = (rank, FoundLink(url, host or host_of(url), kind, place.title, context))
    return [link for _, link in best.values()]


# -- mentions ----------------------------------------------------------------------


def _mentions(document: Document) -> Iterator[_Mention]:
    """Every address in order: section by section, then captions and tables."""
    anchors: dict[int, list[Link]] = {}
    for link in document.links:
        if not link.within:
            anchors.setdefault(link.section, []).append(link)
    cited = _repositories_cited(document)
    texts = [(ABSTRACT, document.abstract), *((at, section.text) for at, section in enumerate(document.sections))]
    whole = "\n".join(text for at, text in texts if not _REFERENCES.fullmatch(_title(document, at)))
    accessions = accessions_in(whole)
    for at, text in texts:
        found = [*_in_text(text, at, anchors.get(at, []), accessions), *_cited(document, at, text, cited)]
        yield from sorted(found, key=lambda one: one.offset)
    for link in document.links:
        if link.within:
            sentences = Sentences(link.within)
            yield _Mention(
                clean(link.url), link.section, link.offset, link.offset + len(link.anchor), link.within, sentences
            )
    floats = list(_floats(document))
    accessions = accessions_in("\n".join(text for _, text in floats))
    for section, text in floats:
        yield from _in_text(text, section, [], accessions)


def _floats(document: Document) -> Iterator[tuple[int, str]]:
    last = len(document.sections) - 1
    for table in document.tables:
        section = last if table.section is None else table.section
        yield section, table.caption
        yield section, table.notes
        cells = [
            cell for row in table.rows for cell in row if "/" in cell or "GSE" in cell or "PRJ" in cell or "E-" in cell
        ]
        yield section, "\n".join(cells)
    for figure in document.figures:
        yield (last if figure.section is None else figure.section), figure.caption


def _in_text(text: str, section: int, anchors: Sequence[Link], accessions: Sequence[Accession]) -> Iterator[_Mention]:
    """The links of a text, those of its markup first where both say something of a place."""
    if not text:
        return
    sentences = Sentences(text)
    taken: list[tuple[int, int]] = []
    for link in anchors:
        end = link.offset + len(link.anchor)
        taken.append((link.offset, end))
        yield _Mention(_whole(link), section, link.offset, end, text, sentences)
    for found in find_addresses(text):
        if not any(start < found.end and found.start < end for start, end in taken):
            taken.append((found.start, found.end))
            yield _Mention(found.url, section, found.start, found.end, text, sentences)
    for url, start, end in _accessions(text, sentences, accessions):
        if not any(a < end and start < b for a, b in taken):
            yield _Mention(url, section, start, end, text, sentences, accession=True)


def _whole(link: Link) -> str:
    """A link's address; where markup holds less of it than its text, which happens at line breaks, the text's."""
    target = clean(link.url)
    if link.anchor in {link.url, target}:
        return target
    written = find_addresses(link.anchor) if "/" in link.anchor else []
    if len(written) == 1 and written[0].url != target and written[0].url.startswith(target.rstrip("-/")):
        return written[0].url
    return target


def _accessions(text: str, sentences: Sentences, accessions: Sequence[Accession]) -> Iterator[tuple[str, int, int]]:
    for kind in accessions:
        if not any(hint in text for hint in kind.hints):
            continue
        if kind.context is None:
            stretches = [(0, len(text))]
        else:
            stretches = [
                (start, end)
                for start, end in sorted({sentences.around(at) for hint in kind.hints for at in _places(text, hint)})
                if kind.context.search(text, start, end)
            ]
        for start, end in stretches:
            for match in kind.pattern.finditer(text, start, end):
                yield kind.page.format(match[0]), match.start(), match.end()


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _repositories_cited(document: Document) -> dict[int, str]:
    """Number of a reference -> its address, where that is a repository's of code or data."""
    found: dict[int, str] = {}
    for reference in document.references:
        if reference.doi and doi_host(reference.doi):
            candidates = [*reference.urls, f"https://doi.org/{reference.doi}"]
        else:
            candidates = list(reference.urls)
        for address in map(clean, candidates):
            if _holding(address) in {"code", "data", "either"}:
                found.setdefault(reference.number, address)
    return found


def _cited(document: Document, section: int, text: str, repositories: dict[int, str]) -> Iterator[_Mention]:
    """References to repositories where they are cited beside words on code or data."""
    if not repositories or _REFERENCES.fullmatch(_title(document, section).strip()):
        return
    sentences = Sentences(text)
    for citation in document.citations:
        if citation.number in repositories and citation.section == section:
            # The mark stands behind the sentence's full stop, or before it.
            at = max(citation.offset - 1, 0)
            yield _Mention(repositories[citation.number], section, at, at, text, sentences, cited=True)


# -- kinds -------------------------------------------------------------------------


def _holding(url: str) -> Holding:
    if "doi.org/" in url:
        doi = url.partition("doi.org/")[2]
        host = doi_host(doi)
        if host:
            return holding(host, "/")
        return "reference" if LITERATURE_DOI.match(doi) else "unknown"
    try:
        return holding(host_of(url), urlsplit(url).path)
    except ValueError:
        return "other"


def _kind(mention: _Mention, place: _Place, kinds: dict[int, dict[int, Kind]]) -> Kind:
    if place.of_references:
        return "reference"
    url, matters = mention.url, place.matters
    if _SUPPLEMENT.search(url) or (place.of_supplements and host_of(url).endswith(_PUBLISHER)):
        return "supplement"
    if mention.accession:
        return "data"
    held = _holding(url)
    if held in {"reference", "other"}:
        return "reference" if held == "reference" else "other"
    if held == "unknown" and (place.of_rights or not (matters or _is_offered(mention))):
        return "other"
    if held == "code":
        only_data = matters_of(mention.sentences.at(mention.offset)) == {"data"}
        return "data" if only_data and (matters == {"data"} or _FILE_OF_DATA.search(url)) else "code"
    said = _said_before(mention, kinds)
    if held == "data":
        return "code" if said == {"code"} and matters == {"code"} else "data"
    return _one_of(said, matters) or ("data" if held == "either" or matters else "other")


def _one_of(said: set[Matter], matters: frozenset[Matter]) -> Matter | None:
    """What one matter is meant: the one that is spoken of, else that of the heading."""
    if len(said) == 1:
        return next(iter(said))
    if len(matters) == 1:
        return next(iter(matters))
    return "data" if said or matters else None


def _said_before(mention: _Mention, kinds: dict[int, dict[int, Kind]]) -> set[Matter]:
    """What the words between the link before (or the sentence's beginning) and this link speak of.

    "Data are at A and B, and code at C": nothing stands before B, so it is what A is.
    """
    start, stop = mention.sentences.around(mention.offset)
    before = kinds.get(id(mention.sentences), {})
    since = max((end for end in before if start <= end <= mention.offset), default=start)
    said = _spoken_of(mention.text[since : mention.offset])
    if said:
        return said
    if (kind := before.get(since)) in {"code", "data"}:
        return {"code"} if kind == "code" else {"data"}
    after = mention.text[mention.end : min(stop, mention.end + _NEAR)]
    return _spoken_of(after.partition("://")[0])


def _spoken_of(words: str) -> set[Matter]:
    """Code or data, by what is named first; both where they are named together."""
    words = _COMPOUND.sub("", _NOT_CODE.sub("accession", words))
    code, data = CODE.search(words), DATA.search(words)
    if code is None or data is None:
        return {"code"} if code else {"data"} if data else set()
    first, second = sorted((code, data), key=lambda match: match.start())
    between = words[first.end() : second.start()]
    if re.fullmatch(r"[\s,]*(?:\w+\s){0,2}(?:and|or|&|,)[\s,]*(?:\w+[\s,]+){0,2}", between):
        return {"code", "data"}
    return {"code"} if first is code else {"data"}


_OFFERED = re.compile(
    r"availab|access|download|deposit|obtain|hosted|released|provided|retriev|archiv|repositor|found at|shared",
    re.IGNORECASE,
)


def _is_offered(mention: _Mention) -> bool:
    """Whether the sentence says that something can be had at the link."""
    start, end = mention.sentences.around(mention.offset)
    return bool(_OFFERED.search(mention.text, start, end))


# -- places ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """What a section's heading tells of the links below it."""

    title: str
    matters: frozenset[Matter]
    of_references: bool
    of_supplements: bool
    of_rights: bool


class _Places(dict[int, _Place]):
    """The places of a document by index of their section, made when first asked for."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document

    def __missing__(self, section: int) -> _Place:
        title = _title(self._document, section)
        place = self[section] = _Place(
            title=title,
            matters=matters_of_heading(_heading_above(self._document, section)),
            of_references=bool(_REFERENCES.fullmatch(title.strip())),
            of_supplements=bool(_SUPPLEMENT_TITLE.search(title)),
            of_rights=bool(_LEGAL.search(title)),
        )
        return place


def _title(document: Document, section: int) -> str:
    return "Abstract" if section == ABSTRACT or not document.sections else document.sections[section].title


def _heading_above(document: Document, section: int) -> str:
    """The heading of a section, or of the one above it that names availability."""
    if section == ABSTRACT or not document.sections:
        return ""
    own = document.sections[section]
    level = own.level
    for index in range(section, -1, -1):
        candidate = document.sections[index]
        if (index == section or candidate.level < level) and matters_of_heading(candidate.title):
            return candidate.title
        level = min(level, candidate.level)
        if level == 1:
            break
    return own.title


def _rank(place: _Place, mention: _Mention, kind: Kind) -> int:
    """How little a mention tells of its address, beside others of the same."""
    if place.of_references:
        return 4
    if place.matters:
        return 1 if mention.cited else 0
    return 2 if kind in {"code", "data"} else 3


def _is_own(url: str, doi: str | None) -> bool:
    """Whether a link leads to the article itself, or to the site's services round it."""
    folded = url.casefold().rstrip("/")
    if doi and folded.endswith((f"doi.org/{doi}", f"nature.com/articles/{doi.partition('/')[2]}")):
        return True
    return bool(_OWN_PAGES.search(url)) and host_of(url).endswith(_PUBLISHER) and not _SUPPLEMENT.search(url)
