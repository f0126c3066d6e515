"""References to the paper: identifiers, citations, attributions, journals.

The idea: identifiers and citations are marks and count wherever they stand. Journals, authors and "the paper" are words
that also belong to the science (a nature reserve, papers as nodes of a graph, the thickness of the paper); they count in
a bibliographic sense only, and not at all where the line is about writings as data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# ruff: noqa: E501 -- patterns are read more easily on one line
_JOURNALS = (
    r"Nature\s+(?:Communications|Methods|Biotechnology|Machine Intelligence|Genetics|Medicine|Physics|Chemistry|Materials|Neuroscience|Energy|Climate Change|Computational Science|Biomedical Engineering|Portfolio|Geoscience|Catalysis|Aging|Cancer|Water|Food|Astronomy|Photonics|Nanotechnology|Protocols|Ecology)|"
    r"npj\s+[A-Z]\w+|Communications (?:Biology|Chemistry|Physics|Medicine|Materials|Earth)|Scientific (?:Reports|Data)\b(?=\W|$)(?!\s+(?:are|is|of|from|were|in)\b)|Science Advances|Science Translational Medicine|Cell (?:Reports|Systems|Genomics|Metabolism|Stem Cell)|Genome (?:Biology|Research)|Nucleic Acids Research|"
    r"PNAS|Proceedings of the National Academy|PLo[Ss] (?:One|ONE|Computational Biology|Biology|Medicine)|eLife|JAMA\b|BMJ\b|NEJM|New England Journal|The Lancet(?: \w+)?|Physical Review(?: \w+)?|Journal of (?:the )?[A-Z]\w+(?: [A-Z]\w+)*|"
    r"Phys\. Rev\.|J\. (?:Am\. )?(?:Chem|Phys|Med|Mol|Clin|Comput)\w*\.|Angew\. Chem|bioRxiv|medRxiv|ChemRxiv|NeurIPS\s+\d{4}|ICML\s+\d{4}|ICLR\s+\d{4}|Nat\.? (?:Commun|Methods|Biotechnol|Genet|Med|Phys|Chem|Mater|Mach|Neurosci|Energy)\b"
)
_PLAIN_JOURNAL = r"(?:Nature|Science|Cell|The Lancet|Lancet|Neuron|Immunity|Joule|Chem|Matter)"
_WORK = r"(?:paper|publication|article|manuscript|pre-?print|study|report|work|thesis)"
_SAID = r"(?:proposed|introduced|described|reported|developed|presented|published|used|released|collected|provided|deposited|suggested|shown|defined|given|shared|made\s+available|detailed|explained|outlined|documented)"
_SAYS = r"(?:propos|report|present|describ|introduc|show|us|stat|claim|find|found|giv|gave|list|provid|train|measur|releas|collect|defin|suggest|develop|compar|evaluat|kept|keep|chose|choos|split|appl|achiev|note|argue|exclud|includ|follow|explain|recommend|accompan)\w*"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Winter|Fall|Version|Release|Update|Edition|Year|Season|Wave|Census|Phase|Since|Until|From|Before|After|In|As|Table|Figure"


@dataclass(frozen=True, slots=True)
class Reference:
    """What refers to the paper, from ``start`` to ``end`` of a line, and what it is."""

    start: int
    end: int
    what: str


_MARKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a DOI", re.compile(r"(?:doi\.org/|doi:?\s*)?\b10\.\d{4,9}/[^\s)\]>\"'`|]+", re.IGNORECASE)),
    ("an arXiv id", re.compile(r"\barxiv\b[\s:./]*(?:abs/|pdf/)?(?:\d{4}\.\d{4,5}|[a-z-]+/\d{7})?", re.IGNORECASE)),
    ("an identifier of a paper", re.compile(r"\bPM(?:ID\b:?\s*\d+|C\d{5,})|\b(?:pubmed\.ncbi|ncbi\.nlm\.nih\.gov/(?:pubmed|pmc|articles)|(?:www\.)?nature\.com\b|science\.org\b|cell\.com\b|sciencedirect\.com|semanticscholar\.org|openreview\.net|biorxiv\.org|medrxiv\.org|scholar\.google)\S*", re.IGNORECASE)),
    ("a citation", re.compile(r"\bet\s+al\b\.?", re.IGNORECASE)),
    ("a citation", re.compile(r"\b[A-Z][\w'’-]+\s(?:and|&)\s(?:co-?workers|colleagues|collaborators|coauthors|co-authors)\b")),
    ("a citation", re.compile(r"\((?:e\.g\.,? |see |cf\. |after |from )?[A-Z][\w'’-]+\s(?:and|&)\s[A-Z][\w'’-]+,?\s(?:19|20)\d\d[a-z]?\)")),
    ("a citation", re.compile(rf"\((?:e\.g\.,? |see |cf\. |after |from )?(?!(?:{_MONTHS})\b)[A-Z][a-z][\w'’-]*,\s(?:19|20)\d\d[a-z]?[);,]")),
    ("a citation", re.compile(rf"\b(?!(?:{_MONTHS})\b)[A-Z][a-z][\w'’-]+\s(?:and|&)\s(?!(?:{_MONTHS})\b)[A-Z][a-z][\w'’-]+,?\s\((?:19|20)\d\d[a-z]?\)|\b[A-Z][a-z][\w'’-]+\s&\s[A-Z][a-z][\w'’-]+,?\s(?:19|20)\d\d[a-z]?\b")),
    ("a citation", re.compile(r"\b(?:[A-Z][a-z]{0,9}\.\s){2,5}\*{0,2}\d{1,4}\*{0,2}\s?[,:(]\s?[\d–-]+")),
    ("a journal", re.compile(_JOURNALS)),
    ("a journal", re.compile(
        rf"\b(?i:published|appeared|appears|reported|paper|article|printed)\s+(?:\w+\s+){{0,4}}in\s+(?:the\s+journal\s+)?[*_“\"]{{0,2}}{_PLAIN_JOURNAL}\b(?!\s+(?:reserves?|parks?|conservation|lines?|culture|of|and\s+culture))"
        rf"|\bjournal\s+[*_“\"]{{0,2}}{_PLAIN_JOURNAL}\b|\(\*?{_PLAIN_JOURNAL}\*?,?\s+(?:19|20)\d\d\)|\b(?:Nature|Science)\*{{0,2}},?\s+(?:\d{{1,4}}\s*[,:]\s*[\de]\d*|\d{{2,4}}\s*\((?:19|20)\d\d\)|\((?:19|20)\d\d\))|\bCell\*{{0,2}},?\s+\d{{2,4}}\s*[,:]\s*\d+")),
)  # fmt: skip
_ATTRIBUTIONS = re.compile(
    rf"\b{_SAID}\s+(?:by|in)\s+(?:(?:the|our|their|an?)\s+)?(?:original\s+|source\s+|accompanying\s+|earlier\s+|previous\s+|recent\s+|main\s+|above\s+)?(?:authors?|{_WORK}|\[\d)\b(?!\s+(?:area|site|cohort|population|group|region|design|nurse|participants?|team|protocol|visit|staff))"
    rf"|\b(?:our|original)\s+authors?\b|\bthe\s+authors?\s+(?:\w+ly\s+|also\s+|have\s+|had\s+)?{_SAYS}\b|\b(?:by|from|of|following|to|with|contact|as)\s+the\s+authors?\b|\bthe\s+authors['’](?:\s|$)"
    rf"|\b(?:this|our|the\s+(?:original|accompanying|source|associated|corresponding|published|underlying|main|reference|cited))\s+(?:paper|publication|article|manuscript|pre-?print)\b"
    rf"|\bour\s+(?:study|work|method|approach|model|results?|experiments?|algorithm|framework|team|group|lab|analysis|data\s?set)\b|\b(?:original|source|accompanying|cited)\s+(?:study|paper|publication|work|article|manuscript)\b"
    rf"|\bin\s+(?:this|the\s+present|the\s+current|the\s+original)\s+(?:study|paper|work|article)\b|\bthe\s+(?:present|current)\s+(?:study|paper|work|article)\b|\bthis\s+study\b(?!\s+(?:area|site|cohort|population|group|region|design|protocol|arm))"
    rf"|\bthis\s+work\s+(?:we\b|{_SAYS}|aims|extends|builds|addresses|investigates|considers|demonstrates|explores|studies)\b"
    rf"|\b(?:in|of|from|to|see|with|by|consult)\s+the\s+(?:paper|article|publication|manuscript|pre-?print)\b(?!\s+(?:bag|cup|record|version\s+of\s+the\s+form))|\bpublished\s+as\b|\bthe\s+(?:paper|article|pre-?print|publication|manuscript)(?:['’]s\b|\s+(?:by|{_SAYS}|says|mentions|cites|reads|itself|also|that|accompanying)\b)"
    rf"|\b(?:table|tab\.|fig(?:ure|\.)|section|sec\.|appendix|supplement\w*|methods?|abstract|extended\s+data|text|caption|results?|details|discussion)\s*(?:section\s+)?(?:[S\d.]+\w*\s+)?(?:of|in|from|to)\s+(?:the|this|that|their|our)\s+(?:\w+\s+)?(?:paper|article|publication|manuscript|pre-?print|study)\b"
    r"|\b(?:supplementary|supplemental|extended\s+data)\s+(?:information|tables?|figs?\.?|figures?|materials?|notes?|data\s+\d|files?\s+\d|methods|text|section)\b"
    r"|\b(?:as\s+)?(?:previously|elsewhere)\s+(?:described|reported|published|shown|proposed)\b(?!\s+(?:by|to|in)\s+(?:the\s+)?(?:patients?|users?|participants?|nurses?|doctors?|hospital))|\b(?:described|reported|published|proposed|shown)\s+(?:previously|elsewhere|earlier)\b"
    r"|\b(?:please\s+)?cite\s+(?:the|this|our|as|it|these\s+data|us)\b|\bcitation:\s|\breferences?:\s+[A-Z]|\bref(?:s)?\.\s*\d+|\bfirst\s+author\b|\bcorresponding\s+author\b"
    r"|\baccompan(?:y|ies|ied|ying)\s+(?:by\s+)?(?:an?|the|this)\s+(?:\w+\s+)?(?:paper|article|publication|manuscript|pre-?print)\b",
    re.IGNORECASE,
)
_WRITINGS = re.compile(
    r"\b(?:nodes?|edges?|citation\s+(?:graph|network)s?|cites?\s+(?:each|which|another)|bibliograph\w*|papers|abstracts|manuscripts|novels?|poems?|books?|letters|essays|tweets|posts|comments|reviews|co-?author\w*|posterity|folios?|scribes?|medieval|handwrit\w*|chapters?|corpus|sentences|tokens|keywords?|venues?)\b",
    re.IGNORECASE,
)
"""A line about writings as data: authors and papers are in it as such."""
_SHEETS = re.compile(
    r"\b(?:sheets?|pulp|fib(?:re|er)s?|thickness|ink|strips?|filter|paper\s+(?:form|mill|industry|records?|charts?|weight|towel|electrodes?|microfluidic)|cardboard|wood|on\s+paper|grammage|crumpled|blotting)\b",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"\b(?:sites?|cit(?:y|ies)|towns?|sampled|collected|campaigns?|seasons?|surveys?|stations?|recorded|harvest\w*|flooding|floods?|eruptions?|earthquakes?|hurricanes?|elections?|held|launched|visited)\b[^()]{0,50}$",
    re.IGNORECASE,
)
_ALWAYS = re.compile(
    r"\b(?:original|our|this\s+(?:paper|work|study)|present|supplement\w*|extended\s+data|elsewhere|previously|cite|accompan\w+)\b",
    re.IGNORECASE,
)

_BRACKET = re.compile(r"\[(?P<inside>\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20})\](?!\s*[\[(:])")
_BEFORE = re.compile(r"(?P<word>[\w)\"'.,;:]*)(?P<space>\s?)$")
_REACH = 60
"""Characters before a bracket that are looked at."""
_OF_GRID = re.compile(
    r"\s+of\s+(?:the|each|an?)\s+(?:grid|matrix|array|tensor|lattice|table|image|chain|sequence|plate|volume|list)\b"
)
_RANGES = {
    "in", "range", "ranges", "interval", "between", "within", "shape", "size", "sizes", "dimensions", "of", "to", "from", "bounds", "values", "indices", "columns", "rows", "channels", "list",
    "array", "axis", "e.g.", "like", "or", "on", "over", "onto", "inside", "into",
}  # fmt: skip
_INDEXED = {"shape", "size", "indices", "columns", "rows", "channels", "list", "array", "axis"}


_INTERVAL = re.compile(
    r"\b(?:intervals?|range[sd]?|scales?|scaled|rescal\w+|normali[sz]\w+|clipped|clamped|bounded|bounds|limits|domain|between|spans?|spanning|values?|uniform\w*|axis|coordinates?)\b"
    r"(?:(?!\b(?:as|by|see|report\w*|describ\w*|literature|studies|study|works?|earlier|previous\w*|before|methods?|propos\w*|shown|used|follow\w*|taken)\b)[^.;]){0,30}$",
    re.IGNORECASE,
)
"""What makes two numbers in brackets behind it an interval."""
_IS_INTERVAL = re.compile(r"[\s,-]*(?:\w+\s+)?(?:intervals?|range|scale|domain)\b", re.IGNORECASE)


def _is_interval(inside: str) -> bool:
    """Whether what stands in a bracket could be the ends of an interval: two numbers, the smaller one first."""
    ends = re.fullmatch(r"(\d+),\s?(\d+)", inside)
    return ends is not None and int(ends[1]) < int(ends[2])


def references(line: str, *, title: str = "") -> Iterator[Reference]:
    """What refers to a paper in a line; ``title`` is the paper's, where it is known."""
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        if any(first < end and start < last for first, last in taken):
            return False
        taken.append((start, end))
        return True

    for what, pattern in _MARKS:
        for match in pattern.finditer(line):
            if match[0].startswith("(") and _PLACES.search(line[max(0, match.start() - 80) : match.start()]):
                continue
            if free(*match.span()):
                yield Reference(match.start(), match.end(), what)
    writings = bool(_WRITINGS.search(line) or _SHEETS.search(line))
    for match in _ATTRIBUTIONS.finditer(line):
        if not (writings and not _ALWAYS.search(match[0])) and free(*match.span()):
            yield Reference(match.start(), match.end(), "an attribution")
    at = line.casefold().find(title.casefold()) if len(title.split()) > 3 else -1
    if at >= 0 and free(at, at + len(title)):
        yield Reference(at, at + len(title), "the paper's title")


def brackets(line: str) -> Iterator[Reference]:
    """Numbers in brackets behind a word are a citation; ranges, shapes and indices of arrays are none."""
    code = [match.span() for match in re.finditer(r"`[^`]*`", line)]
    for match in _BRACKET.finditer(line):
        at = match.start()
        inside = [int(one) for one in re.findall(r"\d+", match["inside"])]
        reach = line[max(0, at - _REACH) : at]
        before = _BEFORE.search(reach)
        text, space = (before["word"], before["space"]) if before else ("", "")
        word = text.strip("\"'(),;:").casefold()
        previous = word or (reach[: len(reach) - len(text) - len(space)].split() or [""])[-1].strip("*_,").casefold()
        index = not space and bool(word) and ("," in match["inside"] or 0 in inside) and not word.endswith(".")
        measure = previous in _RANGES and (len(inside) > 1 or previous in _INDEXED)
        behind = line[match.end() : match.end() + _REACH]
        measure = measure or (
            _is_interval(match["inside"]) and bool(_INTERVAL.search(reach) or _IS_INTERVAL.match(behind))
        )
        if measure or index or inside[0] == 0 or _OF_GRID.match(line[match.end() : match.end() + _REACH]):
            continue
        if any(start <= at < end for start, end in code) or not re.search(r"\w", previous) or "|" in previous:
            continue
        yield Reference(at, match.end(), "a bibliographic bracket")
