"""All addresses that an article gives, with what they lead to: code, data, a supplement, a reference.

A link is found as markup, as text, as a bare DOI or accession, or as a reference that is cited where the code or
the data are spoken of. Its kind follows from its host; where a host keeps both, from the words before it in its
sentence, and then from the heading that it stands under. Each address comes once, but twice where the article states
that its data and its code are both there. Of the list of references comes what leads to the work cited, by one rule
for all forms of an article: its DOI, else the addresses that are written in the entry.
"""

from __future__ import annotations

import functools
import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from nature_gym.reading.addresses import clean, doi_address, find_addresses, host_of, may_have_addresses, normal_form
from nature_gym.reading.availability import CODE, DATA, Matter, matters_of, matters_of_heading
from nature_gym.reading.document import ABSTRACT, Citation, Document, Link, Reference
from nature_gym.reading.hosts import LITERATURE_DOI, Accession, Holding, accessions_in, doi_host, holding
from nature_gym.reading.sentences import Sentences

Kind = Literal["code", "data", "supplement", "reference", "other"]
MATTERS: frozenset[Kind] = frozenset({"code", "data"})

_COMPOUND = re.compile(
    r"\b(?:data|image|statistical|numerical|sequence|simulation|benchmark\w*)[- ](?:"
    r"(?:analys[ie]s|processing|preprocessing|generation|loading|acquisition|visuali[sz]ation|simulation)\b"
    r"|(?=codes?\b|scripts?\b|software|pipelines?\b|notebooks?\b))",
    re.IGNORECASE,
)
"""Words for data that only say what a code does, or what was done by one."""
_COMPOUNDED = ("data", "image", "statistical", "numerical", "sequence", "simulation", "benchmark")
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
_IN_SUPPLEMENTS = ("esm", "/extref/", "/bin/", "suppl")
_SUPPLEMENT_TITLE = re.compile(
    r"supplement|supporting information|source data|extended data|additional files|pdf files|excel files", re.IGNORECASE
)
_REFERENCES = re.compile(r"references?|bibliography|literature cited", re.IGNORECASE)
_LEGAL = re.compile(r"rights|licen[cs]e|corresponding author|author information|copyright", re.IGNORECASE)
_PUBLISHER = ("nature.com", "springer.com", "springernature.com", "europepmc.org")
_OWN_PAGES = re.compile(
    r"/(?:svc|foxtrot|subjects|search|rights|references|citation|email|auth|login|articles/cas-redirect"
    r"|reprints(?:andpermissions)?|authors)\b"
)
_EXPORT = re.compile(r"\.(?:ris|enw|nbib)(?:[?#]|$)|[?&]format=(?:refman|ris|bibtex|endnote)\b", re.IGNORECASE)
"""A citation to be taken along: of the page's furniture, whatever it hangs on."""
_LOOKED_UP = re.compile(
    r"scholar\.google\.|adsabs\.harvard\.edu|ncbi\.nlm\.nih\.gov/(?:entrez|pubmed|pmc)|pubmed\.ncbi|isiknowledge"
    r"|chemport\.cas\.org|doi\.org/\d|mathscinet|webofknowledge|worldcat\.org",
    re.IGNORECASE,
)
"""Where a page offers to look a reference up; no address of the work itself."""
_MOST_CONTEXT = 1_000
_LAST_RANK = 4
_MOST_MENTIONS = 50_000
"""Of articles that mention more addresses, which are none, only so many are looked at."""
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
    entry: bool = False
    """What an entry of the list of references leads to; ``text`` is the entry."""


_OFFSET = attrgetter("offset")


def find_links(document: Document) -> list[FoundLink]:
    """Every link of the article, in the order of their first mention.

    Where an address stands in several places, the one that tells most counts: under a heading on availability
    before the running text, and that before the list of references. Where it is stated to hold the data and the
    code, in one statement or in two, it comes as each, from where it is stated.
    """
    best: dict[str, tuple[int, FoundLink]] = {}
    stated: dict[str, dict[Kind, FoundLink]] = {}
    kinds = _Judged()
    places = _Places(document)
    for mention in itertools.islice(_mentions(document), _MOST_MENTIONS):
        url = mention.url
        key = normal_form(url)
        place = places[mention.section]
        known = best.get(key)
        if not key or _is_own(url, document.doi) or (known is not None and (mention.entry or place.of_references)):
            continue
        if mention.entry:
            best[key] = (_LAST_RANK, _found_link(mention, place, "reference"))
            continue
        found = _kinds(mention, place, kinds)
        if mention.cited and found.isdisjoint(MATTERS):
            continue
        kinds.add(mention, found)
        rank = _rank(place, mention, found)
        for kind in sorted(found):
            known = best.get(key)
            is_stated = bool(place.matters) and kind in MATTERS and kind not in stated.get(key, ())
            is_better = known is None or rank < known[0] or _is_called_code(url, rank, kind, known)
            if is_stated or is_better:
                link = _found_link(mention, place, kind)
                if is_stated:
                    stated.setdefault(key, {})[kind] = link
                if is_better:
                    best[key] = (rank, link)
    return [link for key, (_, one) in best.items() for link in stated.get(key, {one.kind: one}).values()]


def _found_link(mention: _Mention, place: _Place, kind: Kind) -> FoundLink:
    url = mention.url
    host = doi_host(url.partition("doi.org/")[2]) if "doi.org/" in url else ""
    context = mention.text if mention.entry else mention.sentences.at(mention.offset)
    return FoundLink(url, host or host_of(url), kind, place.title, context[:_MOST_CONTEXT])


def _is_called_code(url: str, rank: int, kind: Kind, known: tuple[int, FoundLink]) -> bool:
    """A repository of code that is called so anywhere is code, though its data may be spoken of first."""
    return rank == known[0] and known[1].kind == "data" and kind == "code" and _holding(url) == "code"


# -- mentions ----------------------------------------------------------------------


def _mentions(document: Document) -> Iterator[_Mention]:
    """Every address in order: section by section, then captions and tables."""
    anchors: dict[int, list[Link]] = {}
    for link in document.links:
        if not link.within:
            anchors.setdefault(link.section, []).append(link)
    repositories = _repositories_cited(document)
    citations: dict[int, list[Citation]] = {}
    for citation in document.citations:
        if citation.number in repositories:
            citations.setdefault(citation.section, []).append(citation)
    texts = [(ABSTRACT, document.abstract), *((at, section.text) for at, section in enumerate(document.sections))]
    whole = "\n".join(text for at, text in texts if not _REFERENCES.fullmatch(_title(document, at)))
    accessions = accessions_in(whole)
    listed = False
    for at, text in texts:
        if document.references and _REFERENCES.fullmatch(_title(document, at).strip()):
            if not listed:
                yield from _references(document, at)
            listed = True
            continue
        found = list(_in_text(text, at, anchors.get(at, []), accessions))
        if at in citations and not _REFERENCES.fullmatch(_title(document, at).strip()):
            found += _cited(at, text, citations[at], repositories)
        yield from sorted(found, key=_OFFSET) if len(found) > 1 else found
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


_NONE = Sentences("")
"""An entry of the list of references stands as a whole."""


def _references(document: Document, section: int) -> Iterator[_Mention]:
    """What the entries of the list of references lead to."""
    printed = document.source == "pdf"
    for reference in document.references:
        for url in _works(reference, printed=printed):
            yield _Mention(url, section, 0, 0, f"{reference.number}. {reference.text}", _NONE, entry=True)


def _works(reference: Reference, *, printed: bool) -> list[str]:
    """The addresses of the work that an entry names: its DOI, and those of repositories; without one, all it gives.

    Of print, the DOI is read anew: only with what stands round it can one see where it ends.
    """
    text = reference.text
    written = [found.url for found in find_addresses(text)] if may_have_addresses(text) else []
    if reference.doi and not printed and not written and not reference.urls:
        return [doi_address(reference.doi)]
    addresses = [*map(clean, reference.urls), *written]
    dois = [url for url in addresses if "://doi.org/10." in url]
    if reference.doi and not (printed and dois):
        dois.insert(0, doi_address(reference.doi))
    others = [url for url in addresses if "://doi.org/" not in url and not _LOOKED_UP.search(url)]
    if dois:
        others = [url for url in others if _holding(url) in {"code", "data", "either"}]
    return [*dois[:1], *others]


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
    if not text or not (anchors or accessions or may_have_addresses(text)):
        return
    sentences = Sentences(text)
    taken = _Taken()
    for link in anchors:
        end = link.offset + len(link.anchor)
        taken.take(link.offset, end)
        yield _Mention(_whole(link), section, link.offset, end, text, sentences)
    for found in find_addresses(text):
        if taken.take(found.start, found.end):
            yield _Mention(found.url, section, found.start, found.end, text, sentences)
    for url, start, end in _accessions(text, sentences, accessions):
        if taken.take(start, end):
            yield _Mention(url, section, start, end, text, sentences, accession=True)


class _Taken:
    """Stretches of a text that do not overlap."""

    def __init__(self) -> None:
        self._stretches: list[tuple[int, int]] = []

    def take(self, start: int, end: int) -> bool:
        """Take a stretch, unless a part of it is taken."""
        at = bisect_left(self._stretches, (end,))
        if at and self._stretches[at - 1][1] > start:
            return False
        self._stretches.insert(at, (start, end))
        return True


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
        if kind.context is None:
            found = [match for at in kind.places(text) if (match := kind.pattern.match(text, at))]
        else:
            found = [
                match
                for start, end in sorted({sentences.around(at) for at in kind.places(text)})
                if kind.context.search(text, start, end)
                for match in kind.pattern.finditer(text, start, end)
            ]
        for match in found:
            yield kind.page.format(match[0]), match.start(), match.end()


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


def _cited(section: int, text: str, citations: list[Citation], repositories: dict[int, str]) -> Iterator[_Mention]:
    """References to repositories where they are cited beside words on code or data."""
    sentences = Sentences(text)
    for citation in citations:
        # The mark stands behind the sentence's full stop, or before it.
        at = max(citation.offset - 1, 0)
        yield _Mention(repositories[citation.number], section, at, at, text, sentences, cited=True)


# -- kinds -------------------------------------------------------------------------


def _holding(url: str) -> Holding:
    if "doi.org/" in url:
        doi = url.partition("doi.org/")[2]
        host = doi_host(doi)
        if host:
            return holding(host, f"/{doi}")
        return "reference" if LITERATURE_DOI.match(doi) else "unknown"
    try:
        return holding(host_of(url), urlsplit(url).path)
    except ValueError:
        return "other"


def _kinds(mention: _Mention, place: _Place, kinds: _Judged) -> frozenset[Kind]:
    """What an address leads to, where it is mentioned; two things where the words before it say so."""
    if place.of_references:
        return _REFERENCE
    url, matters = mention.url, place.matters
    if _is_supplement(url) or (place.of_supplements and host_of(url).endswith(_PUBLISHER)):
        return _SUPPLEMENTS
    if mention.accession:
        return _DATA
    held = _holding(url)
    if held == "reference":
        return _REFERENCE
    if held == "other" or (held == "unknown" and (place.of_rights or not (matters or _is_offered(mention)))):
        return _OTHER
    said = _said_here(mention, kinds)
    if said == MATTERS and matters:
        return MATTERS
    said = said or _said_around(mention, kinds)
    return _by_words(mention, place, held, said)


_REFERENCE: frozenset[Kind] = frozenset({"reference"})
_SUPPLEMENTS: frozenset[Kind] = frozenset({"supplement"})
_DATA: frozenset[Kind] = frozenset({"data"})
_CODE: frozenset[Kind] = frozenset({"code"})
_OTHER: frozenset[Kind] = frozenset({"other"})


def _is_supplement(url: str) -> bool:
    """Whether an address is that of a supplementary file; by parts of it first, which takes less time."""
    folded = url.casefold()
    return any(map(folded.__contains__, _IN_SUPPLEMENTS)) and bool(_SUPPLEMENT.search(url))


def _by_words(mention: _Mention, place: _Place, held: Holding, said: set[Matter]) -> frozenset[Kind]:
    """Code, data or neither, by what the host holds, what is said beside the link, and the heading above it."""
    matters = place.matters
    if held == "code":
        only_data = matters_of(mention.sentences.at(mention.offset)) == {"data"}
        return _DATA if only_data and (matters == {"data"} or _FILE_OF_DATA.search(mention.url)) else _CODE
    if held == "data":
        return _CODE if said == {"code"} and matters == {"code"} else _DATA
    one = _one_of(said, matters) or ("data" if held == "either" or matters else None)
    if one is None or (one == "code" and held == "unknown" and _is_only_used(mention)):
        return _OTHER
    return frozenset({one})


def _one_of(said: set[Matter], matters: frozenset[Matter]) -> Matter | None:
    """What one matter is meant: the one that is spoken of, else that of the heading."""
    if len(said) == 1:
        return next(iter(said))
    if len(matters) == 1:
        return next(iter(matters))
    return "data" if said or matters else None


def _said_here(mention: _Mention, kinds: _Judged) -> set[Matter]:
    """What the words between the link before (or the sentence's beginning) and this link speak of."""
    return _spoken_of(mention.text[kinds.before(mention)[0] : mention.offset])


def _said_around(mention: _Mention, kinds: _Judged) -> set[Matter]:
    """What is said of a link with no words before it: what the link before it is, or the words behind it.

    "Data are at A and B, and code at C": nothing stands before B, so it is what A is.
    """
    _, stop = mention.sentences.around(mention.offset)
    _, before = kinds.before(mention)
    if before == _CODE:
        return {"code"}
    if before == _DATA:
        return {"data"}
    after = mention.text[mention.end : min(stop, mention.end + _NEAR)]
    return _spoken_of(after.partition("://")[0])


class _Judged:
    """What the links of each text were found to be, by where they end."""

    def __init__(self) -> None:
        self._texts: dict[Sentences, tuple[list[int], list[frozenset[Kind]]]] = {}

    def add(self, mention: _Mention, kinds: frozenset[Kind]) -> None:
        """Note what a link is."""
        ends, found = self._texts.setdefault(mention.sentences, ([], []))
        at = bisect_right(ends, mention.end)
        ends.insert(at, mention.end)
        found.insert(at, kinds)

    def before(self, mention: _Mention) -> tuple[int, frozenset[Kind]]:
        """Where the link before in the same sentence ends, and what it is; else the sentence's beginning, nothing."""
        start, _ = mention.sentences.around(mention.offset)
        ends, found = self._texts.get(mention.sentences, ([], []))
        at = bisect_right(ends, mention.offset) - 1
        return (ends[at], found[at]) if at >= 0 and ends[at] >= start else (start, frozenset())


def _spoken_of(words: str) -> set[Matter]:
    """Code or data, by what is named first; both where they are named together."""
    if "code" in (folded := words.lower()):
        words = _NOT_CODE.sub("accession", words)
    if any(map(folded.__contains__, _COMPOUNDED)):
        words = _COMPOUND.sub("", words)
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


@functools.lru_cache(64)
def _offers(sentence: str) -> bool:
    return bool(_OFFERED.search(sentence))


def _is_offered(mention: _Mention) -> bool:
    """Whether the sentence says that something can be had at the link."""
    return _offers(mention.sentences.at(mention.offset))


_USED = re.compile(
    r"\bus(?:ed|es|ing)\b|\b(?:performed|developed|implemented|written|built|created|carried out|processed|analy[sz]ed|"
    r"generated|computed|calculated|done) (?:with|in|by|using|on)\b",
    re.IGNORECASE,
)


def _is_only_used(mention: _Mention) -> bool:
    """Whether the sentence speaks of a tool that was used, and not of where something can be had."""
    sentence = mention.sentences.at(mention.offset)
    return bool(_USED.search(sentence)) and not _offers(sentence)


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


def _rank(place: _Place, mention: _Mention, kinds: frozenset[Kind]) -> int:
    """How little a mention tells of its address, beside others of the same."""
    if place.of_references:
        return _LAST_RANK
    if place.matters:
        return 1 if mention.cited else 0
    return 3 if kinds.isdisjoint(MATTERS) else 2


def _is_own(url: str, doi: str | None) -> bool:
    """Whether a link leads to the article itself, or to the site's services round it."""
    folded = url.casefold().rstrip("/")
    if folded.startswith("https://doi.org/"):
        return folded[16:] == doi
    if doi and folded.endswith(f"nature.com/articles/{doi.partition('/')[2]}"):
        return True
    if _is_supplement(url):
        return False
    return bool(_OWN_PAGES.search(url) and host_of(url).endswith(_PUBLISHER)) or bool(_EXPORT.search(url))
