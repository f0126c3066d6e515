"""What the availability statements offer: components, each with its terms of access, its parts and its links.

A statement is read clause by clause, because terms differ within one sentence ("A is at ..., while B is available
on request"). What a clause says wins over what its host is known for, and what is said of the part that the task
needs is kept apart from what is said of the rest.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from nature_gym.reading.addresses import find_addresses, host_of, normal_form
from nature_gym.reading.availability import Matter, matters_of
from nature_gym.reading.hosts import holding
from nature_gym.reading.links import FoundLink
from nature_gym.reading.sentences import Sentences
from nature_gym.screening.decisions import Evidence
from nature_gym.screening.manuscript import Manuscript, Sentence

Term = Literal["public", "in_paper", "on_request", "agreement", "identity", "withheld", "unstated"]
Part = Literal["development", "evaluation", "reference", "model", "software"]

# -- terms ------------------------------------------------------------------------

_UNHINDERED = re.compile(
    r"\b(?:without|no)\s(?:any\s|further\s|prior\s|undue\s|need(?: of| for)?\s|a\s)*"
    r"(?:registration|register\w*|log-?\s?in|logging in|accounts?|sign-?\s?up|restrictions?|requests?|agreements?|"
    r"conditions?|qualifications?|permissions?|licen[cs]e agreements?)\b"
    r"(?:[^.;,]{0,60}?\b(?:needed|required|necessary|agreements?)\b)?"
    r"|\b(?:do|does)\snot\s(?:require|need)\s(?:any\s|a\s)?(?:registration|log-?\s?in|accounts?|requests?|"
    r"agreements?)\b",
    re.IGNORECASE,
)
_AGREEMENT = re.compile(
    r"\b(?:data|material|licen[cs]e|usage|use|user|access|sharing|transfer|confidentiality|collaboration|"
    r"non-?disclosure)"
    r"[- ](?:\w+[- ]){0,2}?agreements?\b|\bDUAs?\b|\bNDAs?\b|\bMTAs?\b|\bnon-?disclosure\b|"
    r"\bsign(?:s|ed|ing)?\s(?:and \w+\s)?(?:an?|the|our|its|their)\s(?:[\w-]+\s){0,3}?"
    r"(?:agreements?|contracts?|forms?|terms|licen[cs]es?|declarations?)\b|"
    r"\b(?:agreements?|contracts?)\b[^.;]{0,60}\b(?:signed|in place|concluded|executed|required|needed)\b|"
    r"\b(?:subject to|under|upon|after|following)\s(?:an?\s|the\s)?(?:[\w-]+\s){0,2}?agreements?\b",
    re.IGNORECASE,
)
_IDENTITY = re.compile(
    r"\bcontrolled[- ]access\b|\brestricted[- ]access\b|\baccess (?:is|was|remains) (?:controlled|restricted|"
    r"limited)\b|"
    r"\bunder controlled\b|\bcredentialed\b|\b(?:approved|qualified|authori[sz]ed|bona fide|accredited|vetted) "
    r"(?:investigators?|researchers?|users?|scientists?|institutions?|applicants?|personnel)\b|"
    r"\bregistered (?:users?|researchers?|members?|investigators?)\b|"
    r"\b(?:after|upon|following|requires?|with|on|via|through|needs?) (?:a |free |prior |online |an? approved |"
    r"formal )*"
    r"(?:registration|registering|log-?in|logging in|user account|institutional account|application)\b|"
    r"\bregistration (?:is |was )?(?:required|needed|necessary)\b|\b(?:data )?access committees?\b|\bDACs?\b|"
    r"(?<!ions )\b(?:apply|applying|applied|applications?) (?:to|for|through|via)\b[^.;]{0,60}\b(?:access|approval|"
    r"committee|data)\b|"
    r"\b(?:log|sign) in to\b|\bethics? (?:committee )?approval (?:is|for access)\b|\bproof of identity\b|"
    r"\bsubject to (?:\w+ ){0,3}?approval\b|\bapproval (?:by|from|of) (?:an?|the) (?:\w+ ){0,4}?(?:committee|board)\b",
    re.IGNORECASE,
)
_KEEPERS = re.compile(
    r"\b(?:from|through|via|by|in|at|to|with|of)\s(?:the\s)?(?:dbGaP|database of Genotypes and Phenotypes|"
    r"UK ?Biobank|"
    r"European Genome-?phenome Archive|EGA|ADNI|Alzheimer[’'`]?s Disease Neuroimaging Initiative|All of Us|"
    r"MIMIC-(?:II|III|IV|CXR)|Biobank Japan|FinnGen|Genomics England|eICU)\b"
)
"""Whoever gives data out to known persons only, where the clause says that they come from there."""

_KEEPERS_HOSTS = re.compile(
    r"ncbi\.nlm\.nih\.gov/(?:projects/)?gap\b|dbgap\.ncbi\.nlm\.nih\.gov|ega-archive\.org|ukbiobank\.ac\.uk|"
    r"(?:adni|ida)\.loni\.usc\.edu|researchallofus\.org|allofus\.nih\.gov|synapse\.org/|ngdc\.cncb\.ac\.cn/gsa-human|"
    r"10\.7303/syn",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:up)?on\s(?:\w+\s){0,3}?(?:requests?|demand|inquiry|enquiry)\b|\b(?:by|per|at|after|following|under) "
    r"(?:\w+ )?(?:requests?|inquiry|enquiry)\b|\brequests? (?:for|to)\b[^.;]{0,80}\b(?:addressed|directed|made|sent|"
    r"submitted|forwarded|corresponding|authors?|e-?mail)\b|\b(?:requested|obtained|obtainable|available|accessible|"
    r"received|provided|shared|supplied|had|got|requesting|released|sent|furnished)(?: \w+){0,2}? (?:from|by|"
    r"through|via) "
    r"(?:(?:the|one of the|any of the|our|either|a) )?(?:(?:corresponding|lead|first|senior|last|original|study|"
    r"respective|data) )*(?:authors?|contacts?|investigators?|PI|data owners?|owners?|custodians?)\b|"
    r"\b(?:contact|write to|e-?mail|ask|asking|contacting|writing to|e-?mailing)\b[^.;]{0,40}?"
    r"\b(?:authors?|[A-Z]\.\s?[A-Z]\.|[\w.]+@[\w.]+|laborator\w+|investigators?|owners?|us)\b|"
    r"\bfrom (?:the|one of the|any of the|its|their) (?:(?:corresponding|lead|first|senior|last|original|"
    r"study) )*authors?\b|"
    r"\b(?:anyone|those|whoever|everybody|colleagues|researchers|readers|groups) (?:who |"
    r"that )?(?:\w+ )?(?:asks?|writes?|"
    r"contacts?|requests?|inquires?|enquires?)\b|\b(?:authors?|we) (?:will |can |may |would |are (?:happy|"
    r"willing|glad) to )"
    r"(?:gladly |happily |also )?(?:send|share|provide|supply|pass on|hand|forward|give|make)\b|"
    r"\bcase[- ]by[- ]case\b|\brequests? (?:will|should|may|can|must) be\b|\brequestable\b",
    re.IGNORECASE,
)
_VERBS_OF_GIVING = (
    r"(?:publicly |openly |freely |be |been |fully |yet |currently |made |generally |otherwise |legally |"
    r"permitted to )*"
    r"(?:shared?|released?|redistributed?|distributed?|disclosed?|public|publish(?:ed)?|available|deposited|"
    r"provided?|accessible|"
    r"shareable|open|disseminated|given out|handed out|made available|included in the (?:record|deposit)|part of the "
    r"(?:record|deposit|release)|uploaded)"
)
WITHHELD = re.compile(
    rf"\b(?:can|could|may|must|will|shall|do|does|is|are|was|were|has|have|has been|have been)\s?(?:not|n[’']t)\s"
    rf"(?:(?!only|normally|uniformly|evenly|randomly|equally|identically)\w+\s){{0,2}}?{_VERBS_OF_GIVING}\b|"
    rf"\bcannot\s(?:\w+\s){{0,2}}?{_VERBS_OF_GIVING}\b|"
    rf"\bnever\s(?:\w+\s)?{_VERBS_OF_GIVING}\b|\bneither\b[^.;]{{0,80}}\bnor\b[^.;]{{0,80}}\b{_VERBS_OF_GIVING}\b|"
    r"\bwithheld\b|\bproprietary\b|\bconfidential\b|\bkept (?:private|secret|confidential|back|in-house|internal)\b|"
    r"\b(?:remains?|stays?|are|is) (?:unpublished|private|internal|secret|unavailable|closed|in-house)\b|"
    r"\bnot (?:publicly|openly|freely) (?:available|accessible|shared|released)\b|\bclosed[- ]source\b|"
    r"\bproperty of\b|\bprevents? (?:us )?(?:from )?(?:the )?(?:sharing|release|publication|distribution)\b|"
    r"\bnot for (?:distribution|release|sharing)\b|"
    r"\bkeeps? (?:\w+ ){0,2}?(?:secret|private|back|confidential|hidden|to (?:itself|themselves))\b|"
    r"\b(?:deposited|released|published|available|shared|distributed|public) without (?:their|its|the|any) (?:\w+ )?"
    r"(?:references?|labels?|answers?|annotations?|coordinates|ground[- ]truth|masks|solutions|targets?|outcomes)\b",
    re.IGNORECASE,
)
"""Says that something is not given out."""

_PUBLIC = re.compile(
    r"\b(?:publicly|freely|openly|fully)\b|\bpublic\b|\bopen[- ](?:access|data|source|repository)\b|\bdeposited\b|"
    r"\bdownload\w*\b|\bopen to (?:all|everyone|everybody|anyone|the public)\b|"
    r"\bavailable\b(?! (?:computing|evidence|methods|cores))|\baccessible\b|\b(?:can|may) be (?:found|accessed|"
    r"obtained|retrieved|cloned|had|"
    r"fetched|viewed|seen)\b|\bhosted\b|\barchived\b|\bstored (?:at|in|on)\b|\bpublished\b|\breleased\b|\bposted\b|"
    r"\bprovided (?:at|in|on|via|through|under|as|with)\b|\bshared (?:at|in|on|via|through|under|as)\b|"
    r"\b(?:is|are|was|were|lies?|lie|found|come with|comes with|obtained|taken|retrieved|accessed|collected|"
    r"sourced) (?:\w+ )?(?:at|on|in|from|under|with|via)\b|\bavailab(?:le|ility)\b|\baccession\b|\bplaced (?:at|"
    r"in|on)\b|"
    r"\buploaded\b|\bmade public\b|\bincluded\b|\bkept (?:at|in|with)\b",
    re.IGNORECASE,
)
_OPENLY = re.compile(
    r"\b(?:publicly|freely|openly|open[- ]access|public|open to (?:all|everyone|everybody|anyone)|deposited|released|"
    r"published online)\b",
    re.IGNORECASE,
)
_IN_PAPER = re.compile(
    r"\b(?:supplementary|supporting) (?:\w+ )?(?:information|materials?|data|files?|tables?|datasets?)\b|"
    r"\bsource data\b|\b(?:within|in) (?:the|this) (?:paper|article|manuscript|main text|published article)\b|"
    r"\b(?:with|alongside) this (?:paper|article)\b|\badditional files?\b|\bsupplement\b|\bextended data\b",
    re.IGNORECASE,
)

# -- what of it the task needs -----------------------------------------------------

_NOT_NEEDED = re.compile(
    r"\b(?:play(?:s|ed)?|had|have|has) no (?:part|role|bearing)\b|\bnot (?:\w+ )?(?:needed|required|necessary|"
    r"used|relevant|"
    r"essential|analysed|analyzed|considered)\b|\bno (?:analysis|experiment|result|figure|"
    r"method)s? (?:here )?(?:uses?|used|"
    r"needs?|depends?|relies|draws?)\b|\bnone of (?:our|the) (?:analyses|experiments|results)\b|\bunused\b|"
    r"\bbeyond (?:the scope of )?this (?:study|work|paper)\b|\bhad no access to\b|\bunrelated\b|\bdispensable\b|"
    r"\b(?:was|were|is|are) (?:left out|not touched)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:raw|original|additional|other|others|further|remaining|rest|remainder|intermediate|unprocessed|auxiliary|"
    r"photographs?|photos|videos?|scans|protocols?|reagents?|plasmids?|antibod\w+|strains|cell lines|"
    r"clinical notes|biological materials?|samples of (?:blood|tissue)|full[- ]resolution|individual-level|"
    r"anything else|everything else|unique|high-resolution|questionnaires?|interviews?)\b",
    re.IGNORECASE,
)
_ORIGIN = re.compile(
    r"\b(?:derive[sd]?|deriving|come|comes|came|taken|stems?|originat\w+|adapted|compiled|curated|"
    r"sampled) (?:\w+ )?(?:from|with)\b|"
    r"\boriginal(?:ly)? (?:\w+ ){0,2}?(?:data|dataset|collection|cohort|source|images|recordings|published)\b|"
    r"\boriginally\b|"
    r"\b(?:was|were) (?:first )?published (?:with|in|by)\b|"
    r"\b(?:source|underlying|parent) (?:images|records|collections?|recordings|sequences|measurements|structures)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:later|newer|future|subsequent|newest|latest|updated) (?:versions?|releases?|editions?)\b", re.IGNORECASE
)
_TOY = re.compile(
    r"\b(?<!every )(?<!each )(?<!per )(?:toy|example|demo|demonstration|dummy|mock|minimal|tiny|illustrative|"
    r"sample)[- ](?:\w+[- ])?"
    r"(?:data|datasets?|data ?sets?|subsets?|files?|inputs?|cases?|images?|samples?|excerpts?|sequences?|"
    r"recordings?|runs?)\b|"
    r"\b(?:small|short|reduced|random|representative) (?:subset|excerpt|extract|selection|portion|fraction|part|"
    r"sample) "
    r"(?:of|from)\b|\bfor demonstration\b|\ba (?:handful|few) of the\b",
    re.IGNORECASE,
)

PARTS: tuple[tuple[Part, re.Pattern[str]], ...] = (
    (
        "development",
        re.compile(
            r"\b(?:pre-?)?train(?:ing|ed)?\b|_train\b|\bdevelopment\b|\bvalidation\b|\bfitting\b", re.IGNORECASE
        ),
    ),
    (
        "evaluation",
        re.compile(
            r"\btest(?:ing|s)?\b|_test\b|\bheld[- ]?out\b|\bhold-?out\b|\bevaluation\b|\bquer(?:y|ies)\b", re.IGNORECASE
        ),
    ),
    (
        "reference",
        re.compile(
            r"\breferences?\b|\blabels?\b|\bground[- ]truth\b|\bannotations?\b|\banswers?\b|\bobserved\b|"
            r"\bmeasured\b|"
            r"\btrue\b|\bcoordinates\b|\bgold[- ]standard\b|\bmasks?\b|\bdiagnos[ei]s\b|\boutcomes?\b|\btargets?\b|"
            r"\bobservations?\b|\bmeasurements?\b|\bsolutions?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "model",
        re.compile(
            r"\bweights\b|\bcheckpoints?\b|\bpre-?train(?:ed|ing)\b|\b(?:language|foundation|base|backbone|"
            r"embedding|teacher) "
            r"models?\b|\bencoders?\b|\bbackbones?\b|\bembeddings?\b",
            re.IGNORECASE,
        ),
    ),
    (
        "software",
        re.compile(
            r"\bsoftware\b|\blibrar(?:y|ies)\b|\bpackages?\b|\bsolvers?\b|\bsimulators?\b|\btoolkits?\b|"
            r"\bprograms?\b|"
            r"\bformats?\b|\bmodules?\b|\bsource code\b|\bengine\b|\btool(?:box|chain)?\b|\bSDK\b|\bdrivers?\b",
            re.IGNORECASE,
        ),
    ),
)

STATISTICS = re.compile(
    r"\b(?:t|U|F|z|χ2|χ²|chi-?squared?|Wilcoxon|rank(?:-sum)?|sign(?:ed)?[- ]rank|sign-flip|permutation|"
    r"randomi[sz]ation|ANOVA|"
    r"Tukey[’']?s?|Mann[-–]Whitney(?: U)?|Student[’']s t|Kolmogorov[-–]Smirnov|Shapiro[-–]Wilk|"
    r"Fisher[’']?s?(?: exact)?|"
    r"McNemar[’']?s?|Bonferroni|statistical|hypothesis|(?:two|one)-(?:sided|tailed)|paired|unpaired|log-?rank|"
    r"significance|"
    r"likelihood[- ]ratio|post[- ]hoc|comparison|behaviou?ral|field|stress|tensile)[- ]tests?\b",
    re.IGNORECASE,
)
"""Tests that are no test data."""

_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget) (?:\w+ ){0,4}?(?:instructions?|rules?|prompts?|above|previous)\b|"
    r"\bsystem (?:message|prompt)\b|"
    r"\b(?:answer|reply|respond|output|state|report|return) (?:with )?[“\"'‘]?pass\b|\bas an? (?:AI|"
    r"language model)\b",
    re.IGNORECASE,
)
"""Text that addresses whoever screens it says nothing of the data."""


@dataclass(frozen=True, slots=True)
class Component:
    """One clause of a statement: what it is about, how that is had, and where."""

    clause: str
    sentence: Sentence
    matters: frozenset[Matter]
    term: Term
    parts: frozenset[Part]
    urls: tuple[str, ...]
    data_urls: tuple[str, ...]
    """Those of them that lead to data for certain."""
    not_needed: bool
    """The clause says that the study did without it."""
    rest: bool
    """It is what is left beside the main thing: raw, other, additional data."""
    origin: bool
    """It tells where the data came from, not where they are."""
    toy: bool
    """It is an example, not the data."""
    openly: bool
    """It says so in words, not only by an address."""

    @property
    def evidence(self) -> Evidence:
        return self.sentence.evidence()

    @property
    def of_data(self) -> bool:
        return "data" in self.matters


@functools.lru_cache(maxsize=4)  # six rules ask for the same paper, one after the other
def components(manuscript: Manuscript) -> tuple[Component, ...]:
    """What the statements on data and code consist of, in their order; a sentence is read once."""
    found: list[Component] = []
    seen: set[tuple[str, int]] = set()
    stated = manuscript.availability
    statements: tuple[tuple[str | None, Matter], ...] = ((stated.data, "data"), (stated.code, "code"))
    links = _by_context(manuscript.links)
    for statement, matter in statements:
        for sentence in _placed(manuscript, statement or ""):
            if (place := (sentence.section, sentence.start)) in seen or _TO_A_MODEL.search(sentence.text):
                continue
            seen.add(place)
            for component in _read(sentence, matter, links.get(sentence.text[:1_000], ())):
                if component.not_needed and found and _PRONOUN.match(component.clause):
                    found[-1] = replace(found[-1], not_needed=True)  # "They are not needed."
                found.append(component)
    return tuple(found)


_PRONOUN = re.compile(r"(?:they|it|these|those|this|which|both)\b", re.IGNORECASE)


def _by_context(links: Sequence[FoundLink]) -> dict[str, list[FoundLink]]:
    found: dict[str, list[FoundLink]] = {}
    for link in links:
        found.setdefault(link.context, []).append(link)
    return found


def _placed(manuscript: Manuscript, statement: str) -> Iterator[Sentence]:
    """The sentences of a statement, where they stand in the paper."""
    at = 0
    for text in Sentences(statement).all():
        for index in [*range(at, len(manuscript.passages)), *range(at)]:
            heading, chapter, passage = manuscript.passages[index]
            if (start := passage.find(text)) >= 0:
                yield Sentence(text, heading, chapter, start)
                at = index if len(text) > _SHORT else at
                break


_SHORT = 30
"""A sentence shorter than this may stand in many places."""


def _read(sentence: Sentence, matter: Matter, links: Sequence[FoundLink]) -> Iterator[Component]:
    clauses = _clauses(sentence.text)
    urls = _urls(clauses, links)
    kinds = {link.url: link.kind for link in links}
    before: Term = "unstated"
    for clause, own in zip(clauses, urls, strict=True):
        term = _term(clause, own)
        if term in {"unstated", "public"} and own and before in {"on_request", "agreement", "identity"}:
            # Terms that a sentence opens with hold for all that it goes on to list.
            term = before if term == "unstated" else term
        elif term == "unstated" and (own or before == "public"):
            term = before if before != "unstated" else "public" if own else "unstated"
        before = term
        parts = frozenset(part for part, pattern in PARTS if pattern.search(clause))
        data_urls = tuple(url for url in own if kinds.get(url) == "data" or _is_data_page(url))
        yield Component(
            clause=clause,
            sentence=sentence,
            matters=_matters(
                clause, parts, matter, ["data" if url in data_urls else kinds.get(url, "") for url in own]
            ),
            term=term,
            parts=parts,
            urls=own,
            data_urls=data_urls,
            not_needed=bool(_NOT_NEEDED.search(clause)),
            rest=bool(_REST.search(_before_the_verb(clause))),
            origin=bool(_ORIGIN.search(clause) or _LATER.search(clause)),
            toy=bool(_TOY.search(clause)),
            openly=bool(_OPENLY.search(clause)),
        )


def _is_data_page(url: str) -> bool:
    """Whether nothing but data is kept where ``url`` leads."""
    try:
        return holding(host_of(url), urlsplit(url).path) == "data"
    except ValueError:
        return False


def _matters(clause: str, parts: frozenset[Part], statement: Matter, kinds: Sequence[str]) -> frozenset[Matter]:
    found: set[Matter] = set(matters_of(clause))
    if statement == "code" and set(kinds) == {"code"}:
        return frozenset({"code"})  # "The scripts that analyse the data are at ..."
    if "data" in kinds or parts & {"development", "evaluation", "reference"}:
        found.add("data")
    return frozenset(found or {statement})


_VERB = re.compile(
    r"\b(?:is|are|was|were|can|cannot|may|will|could|have|has|had|come|comes|lie|lies)\b(?! (?:analysed|analyzed|"
    r"generated|used))"
)


def _before_the_verb(clause: str) -> str:
    """What a clause is about."""
    verb = _VERB.search(clause)
    return clause[: verb.start()] if verb else clause


# -- clauses -----------------------------------------------------------------------

_BREAK = re.compile(
    r";\s+(?:and\s|but\s)?|,?\s(?:but|while|whilst|whereas|although|though)\s(?!not\b|also\b|only\b|"
    r"(?:is|are|was|were|may|can|could|will|have|has|had|must|do|does)\b)"
    r"|,?\sand\s(?=(?:the\s|our\s|all\s)?(?:\w+\s)?(?:data ?sets?|data|codes?|scripts|models?|weights)\b[^;()]{0,80}?"
    r"\bat\s(?:https?:|doi\b|www\.))"
    r"|,?\sand\s(?=[^,;()]{1,90}\b(?:is|are|was|were|can|may|will|must|could)\s[^,;()]{0,60}?"
    r"\b(?:available|obtained|requested|accessible|shared|provided|deposited|downloaded|found|released|hosted)\b)"
)


def _clauses(sentence: str) -> list[str]:
    """A sentence, cut where another thing with terms of its own is spoken of; never within brackets."""
    if not _BREAK.search(sentence):
        return [sentence]
    depth = [0]
    for character in sentence:
        depth.append(max(0, depth[-1] + (character in "([") - (character in ")]")))
    found, start = [], 0
    for match in _BREAK.finditer(sentence):
        # What stands before "and" is a clause only where it has a verb: "data and code are" speaks of two things.
        joined = ";" not in match[0] and not _VERB.search(sentence, start, match.start())
        if depth[match.start()] or joined:
            continue
        found.append(sentence[start : match.start()])
        start = match.end()
    return [clause for one in [*found, sentence[start:]] if (clause := one.strip(" ,;"))] or [sentence]


def _urls(clauses: Sequence[str], links: Sequence[FoundLink]) -> list[tuple[str, ...]]:
    """The addresses of each clause: those written in it, and those that its markup or a reference gives."""
    written = [
        {normal_form(url): url for one in find_addresses(clause) for url in [_known(one.url, links)]}
        for clause in clauses
    ]
    found: list[list[str]] = [list(one.values()) for one in written]
    for link in links:
        if link.kind in {"supplement", "other"} or any(normal_form(link.url) in one for one in written):
            continue
        tail = re.split(r"[/=:]", link.url.rstrip("/"))[-1]
        homes = [index for index, clause in enumerate(clauses) if tail and tail in clause]
        for index in homes or range(len(clauses)):
            found[index].append(link.url)
    return [tuple(dict.fromkeys(urls)) for urls in found]


def _known(url: str, links: Sequence[FoundLink]) -> str:
    """An address as the article's links have it, which tell where it ends: "...751(Smith and Jones"."""
    return max((link.url for link in links if url.startswith(link.url)), key=len, default=url)


def _term(clause: str, urls: Sequence[str]) -> Term:
    """How what ``clause`` speaks of can be had."""
    plain = _UNHINDERED.sub(" ", clause)
    kept = [url for url in urls if _KEEPERS_HOSTS.search(url)]
    if _AGREEMENT.search(plain):
        return "agreement"
    if _IDENTITY.search(plain) or (urls and len(kept) == len(urls)) or (not urls and _KEEPERS.search(plain)):
        return "identity"
    if _REQUEST.search(plain):
        other_way = re.search(r"\bor\b", plain) and (_IN_PAPER.search(plain) or urls)
        return ("public" if urls else "in_paper") if other_way else "on_request"
    if WITHHELD.search(plain):
        return "withheld"
    if _PUBLIC.search(plain) and (urls or _OPENLY.search(plain)):
        return "public"
    if _IN_PAPER.search(plain):
        return "in_paper"
    return "public" if urls and host_of(urls[0]) and _PUBLIC.search(plain) else "unstated"
