"""Where the data and the code are, in the article's own words, under whatever heading it says so.

First come headings that name the statement (in a descriptor of data, "Data Records"), then paragraphs that begin with
its name, then sentences that say where something is. What is said of code under a heading for data is the statement on
code, where there is no other.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nature_gym.reading.document import Document, Section
from nature_gym.reading.sentences import Sentences

Matter = Literal["data", "code"]
BOTH: frozenset[Matter] = frozenset({"data", "code"})

_AVAILABLE = r"availab\w*|accessib\w*|access|deposit\w*|sharing|repositor\w+"
_HEADING = re.compile(
    rf"\b(?:{_AVAILABLE})\b|\baccession (?:codes?|numbers?)\b|^(?:urls?|associated data|data records?|open research"
    r"|(?:web|electronic) resources)$",
    re.IGNORECASE,
)
_OF_DATA = re.compile(
    r"\bdata\b|\bdatasets?\b|\bmaterials?\b|\baccession\b|\bresources?\b|^urls?$|^open research$", re.IGNORECASE
)
_OF_CODE = re.compile(
    r"\bcodes?\b|\bsoftware\b|\bscripts?\b|\bprograms?\b|\bimplementation\b|\btools?\b|\brequirements\b|"
    r"^resources? availability$|^open research$",
    re.IGNORECASE,
)
_NOT_A_STATEMENT = re.compile(
    r"supplementary|extended data|peer review|source data|reporting|antibod|open access|data access(?:es|ing)|"
    r"accessibility of|chromatin|bioavailab|plasmid|solvent|^(?:availability of )?materials?(?: availability)?$",
    re.IGNORECASE,
)
_RUN_IN = re.compile(
    r"""(?:[-•]\s|\d+\.\s)?(?P<title>
        (?:[A-Z][\w’'-]*(?:[ /,&]+(?:and|of|or|the|[\w’'-]+)){0,5}[ ])?(?:[Aa]vailability|AVAILABILITY)
        (?:[ ](?:and[ ]\w+|of[ ](?:[\w-]+[ ]?(?:and[ ])?){1,4}|[Ss]tatements?|STATEMENT))?
    |Accession[ ]codes?)\s*(?:[.:|—–]|[-][ ])\s*(?=\S)""",
    re.VERBOSE,
)
_CODE_WORD = (
    r"(?:source |computer |analysis |custom |python |matlab |r )?codes?\b|software|scripts?\b|implementation|"
    r"notebooks?\b|(?:software |python |r )packages?\b|toolbox|source files|programs?\b|pipelines?\b"
)
CODE = re.compile(rf"\b(?:{_CODE_WORD})(?![ -]?books?)", re.IGNORECASE)
"""A word that speaks of code. Accession codes and bar codes are no code."""

DATA = re.compile(
    r"\b(?:data|data[- ]?sets?|databases?|raw|sequences|sequencing|reads|images|measurements|recordings|structures?|"
    r"coordinates|spectra|benchmarks?|corpus|corpora|samples|accessions?|annotations|labels|simulations|trajectories|"
    r"weights|checkpoints|trained models?|(?:source|test|training|validation) files?|materials)\b",
    re.IGNORECASE,
)
_NOT_CODE = re.compile(
    r"(?:accession|zip|bar|postal|identification|pdb|dress|ICD(?:-\d+)?|qr|entry|colou?r) codes?", re.IGNORECASE
)
_SAID = re.compile(
    r"\b(?:availab\w+|deposited|accessible|downloaded?|downloadable|obtained|released|hosted|provided|shared|"
    r"archived|published|found|retrieved|stored|uploaded|accessed|request|repository)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"https?://|www\.|\b10\.\d{4,9}/|\bGS[EM]\d|\bPRJ[NED]|\bE-MTAB-|\bEMD-\d|\baccession|\.(?:org|com|net|io|edu)\b|"
    r"\b(?:GitHub|GitLab|Zenodo|Figshare|Dryad|Hugging ?Face|Kaggle|OSF|Dataverse|GEO|SRA|PDB|UniProt)\b|request",
)
_BOILERPLATE = re.compile(
    r"reporting summary|supplementary (?:information|material|data)s? (?:is|are|for|accompanies)|peer review|"
    r"reprints and permissions|extended data (?:is|are|figure)|online version|correspondence and requests|"
    r"further information on research design",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"reporting summary|additional information|acknowledge?ment|footnotes?|notes?$|supplementary|associated data|"
    r"author information|declarations|methods|materials|statistics|^(?:data|datasets?|code|software)$",
    re.IGNORECASE,
)
_REPORTING = re.compile(r"reporting summary", re.IGNORECASE)
_MOST_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class Availability:
    """The statements; None where the article makes none."""

    data: str | None = None
    code: str | None = None


@functools.lru_cache(4096)
def matters_of_heading(title: str) -> frozenset[Matter]:
    """What a heading promises to say the whereabouts of; nothing for other headings.

    >>> sorted(matters_of_heading("Data and code availability")), sorted(matters_of_heading("Results"))
    (['code', 'data'], [])
    """
    title = title.strip(" .:")
    if not _HEADING.search(title) or _NOT_A_STATEMENT.search(title) or len(title) > 100:
        return frozenset()
    found: set[Matter] = set()
    if _OF_DATA.search(title):
        found.add("data")
    if _OF_CODE.search(_NOT_CODE.sub("accessions", title)):
        found.add("code")
    if not found and re.fullmatch(r"availability(?: statements?)?|associated data", title, re.IGNORECASE):
        return BOTH
    return frozenset(found)


@functools.lru_cache(256)
def matters_of(sentence: str) -> frozenset[Matter]:
    """What a sentence speaks of: data, code, both or neither."""
    plain = _NOT_CODE.sub("accession", sentence)
    found: set[Matter] = set()
    if CODE.search(plain):
        found.add("code")
    if DATA.search(plain):
        found.add("data")
    return frozenset(found)


def find_availability(document: Document) -> Availability:
    """The article's statements on the whereabouts of its data and its code."""
    stated: dict[Matter, list[str]] = {"data": [], "code": []}
    for index, section in enumerate(document.sections):
        for matter in matters_of_heading(section.title):
            if text := _with_subsections(document.sections, index):
                stated[matter].append(text)
    _from_run_ins(document, stated)
    _from_each_other(stated)
    if not (stated["data"] and stated["code"]):
        _from_reporting(document, stated)
        _from_sentences(document, stated)
    return Availability(_joined(stated["data"]), _joined(stated["code"]))


def _with_subsections(sections: Sequence[Section], index: int) -> str:
    """A statement with the sections below it; without them, where some of these are statements themselves."""
    level = sections[index].level
    below = list(itertools.takewhile(lambda section: section.level > level, sections[index + 1 :]))
    if any(matters_of_heading(section.title) for section in below):
        below = []
    return "\n".join(section.text for section in (sections[index], *below) if section.text)


def _from_run_ins(document: Document, stated: dict[Matter, list[str]]) -> None:
    """Paragraphs that begin with the statement's name, as in "Data availability. The data..."."""
    named = [section for section in document.sections if not matters_of_heading(section.title)]
    for text in (document.abstract, *(section.text for section in named)):
        if "vailab" not in text and "VAILAB" not in text and "ccession code" not in text:
            continue
        for line in text.split("\n"):
            match = _RUN_IN.match(line)
            matters = matters_of_heading(match["title"]) if match else frozenset()
            if match and re.match(r"availability", match["title"], re.IGNORECASE):
                matters = matters or BOTH
            for matter in matters:
                if match and not stated[matter]:
                    stated[matter].append(line[match.end() :])


def _from_each_other(stated: dict[Matter, list[str]]) -> None:
    """What the statement on one matter says of the other."""
    pairs: tuple[tuple[Matter, Matter], ...] = (("data", "code"), ("code", "data"))
    found = {
        missing: [
            sentence for sentence in _sentences(stated[given]) if missing in matters_of(sentence) and _says(sentence)
        ]
        for given, missing in pairs
        if not stated[missing]
    }
    for missing, sentences in found.items():
        stated[missing] += [" ".join(sentences)] if sentences else []


def _from_sentences(document: Document, stated: dict[Matter, list[str]]) -> None:
    """Sentences that say where something is: first those of sections where one puts such things, then any."""
    sections = [section for section in document.sections if section.title.casefold() != "references"]
    likely = [section for section in sections if _ASIDE.search(section.title)]
    for chosen in (likely, sections):
        missing: list[Matter] = [matter for matter in ("data", "code") if not stated[matter]]
        if not missing:
            return
        found: dict[Matter, list[str]] = {"data": [], "code": []}
        for section in chosen:
            if not _SAID.search(section.text) or not _PLACE.search(section.text):
                continue
            for sentence in Sentences(section.text).all():
                if _says(sentence) and _PLACE.search(sentence):
                    for matter in matters_of(sentence):
                        found[matter].append(sentence)
        for matter in missing:
            if found[matter]:
                stated[matter].append(" ".join(found[matter][:_MOST_SENTENCES]))


def _from_reporting(document: Document, stated: dict[Matter, list[str]]) -> None:
    """The summary of how a study is reported, where it says more than where it lies."""
    for section in document.sections:
        if not _REPORTING.search(section.title):
            continue
        told = [sentence for sentence in Sentences(section.text).all() if not _BOILERPLATE.search(sentence)]
        if not any(_says(sentence) and _PLACE.search(sentence) for sentence in told):
            continue
        if not stated["data"]:
            stated["data"].append(" ".join(told))
        if not stated["code"] and any("code" in matters_of(sentence) for sentence in told):
            stated["code"].append(" ".join(told))


def _says(sentence: str) -> bool:
    return bool(_SAID.search(sentence)) and not _BOILERPLATE.search(sentence)


def _sentences(texts: Iterable[str]) -> list[str]:
    return [sentence for text in texts for sentence in Sentences(text).all()]


def _joined(texts: list[str]) -> str | None:
    """Statements one after the other; what is said again is left out."""
    kept: list[str] = []
    for text in texts:
        if text and not any(text in other for other in kept):
            kept = [other for other in kept if other not in text]
            kept.append(text)
    return "\n".join(kept) or None
