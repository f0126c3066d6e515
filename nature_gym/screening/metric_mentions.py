"""The metrics of a paper's main results: where they are printed, which is primary, and how they are computed.

A metric counts only where the main results print it. How it is computed is told by the sentences that name it and by
those of the sections on evaluation: by a formula, or by people, by eye, by a closed program, by a service, or by a
part of the method itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.claims import Claim
from nature_gym.screening.cues import Line, Scoped, words
from nature_gym.screening.methods import Methods
from nature_gym.screening.metric_lexicon import MetricKind, folded, mentions
from nature_gym.screening.result_tables import ResultTable, is_named, phrase_at
from nature_gym.screening.task import Metric

Computed = Literal[
    "human_evaluation", "visual_inspection", "black_box_tool", "depends_on_algorithm", "external_service"
]
"""How a metric may be had that no deterministic program of output and reference can repeat."""


@dataclass(frozen=True, slots=True)
class MainMetric:
    """A metric of the main results: as printed, what the lexicon knows of it, and where it stands."""

    metric: Metric
    kind: MetricKind


_PRIMARY = re.compile(
    r"\b(?:primary|main|principal|headline|leading|chief|key|central|first and foremost|decisive"
    r"|foremost)\s(?:\w+\s)?(?:metric|measure|criterion|score|figure of merit|end ?-?point|outcome|yardstick"
    r"|indicator|quantity)"
    r"|\b(?:methods? (?:are|were|is) ranked by|rank(?:ed|ing)? (?:of methods )?(?:is )?by"
    r"|is what methods are ranked by|decides the ranking)\b",
    re.IGNORECASE,
)


def main_metrics(paper: Scoped, methods: Methods, claims: Iterable[Claim] = ()) -> tuple[MainMetric, ...]:
    """The quality metrics of the main results, the primary one marked; from the text where no table compares."""
    tables = quality_tables(methods)
    found: dict[str, MainMetric] = {}
    for table in tables:
        for name in table.metrics:
            kind = table.kinds[name]
            if kind.nature != "efficiency" and not _known(name, kind, found):
                found[name] = MainMetric(Metric(name=name, direction=kind.direction, place=table.label), kind)
    if not found:
        found = _in_text(claims)
        found = found or _in_sections(paper)
    if not found:
        return ()
    primary = _primary(paper, list(found.values()))
    return tuple(
        MainMetric(one.metric.model_copy(update={"primary": one is primary}), one.kind) for one in found.values()
    )


def _known(name: str, kind: MetricKind, found: dict[str, MainMetric]) -> bool:
    """Whether a metric under this name, or under another spelling of it, is there already."""
    return name in found or any(
        folded(name) == folded(other) or (one.kind.key == kind.key and kind.key not in _MANY)
        for other, one in found.items()
    )


_MANY = frozenset(
    {
        "error",
        "score",
        "top-k accuracy",
        "hit rate",
        "f1",
        "mae",
        "rmse",
        "auroc",
        "accuracy",
        "sensitivity",
        "correlation",
        "average precision",
        "r2",
        "iou",
        "dice",
    }
)
"""Keys under which tables print several metrics that are not the same (``Top-1``, ``Top-10``)."""


_VAGUE = frozenset({"error", "score"})
"""Keys under which a sentence may mean anything."""


def quality_tables(methods: Methods) -> tuple[ResultTable, ...]:
    """The main tables that compare the method with others by more than cost."""
    return tuple(
        table for table in methods.comparisons if any(kind.nature != "efficiency" for kind in table.kinds.values())
    )


_FIGURE = re.compile(r"\b((?:Extended Data )?(?:Fig(?:ure)?s?\.?|Table)) ?(\d+)", re.IGNORECASE)


def _in_text(claims: Iterable[Claim]) -> dict[str, MainMetric]:
    found: dict[str, MainMetric] = {}
    for claim in claims:
        if claim.side != "better" or claim.matter == "efficiency":
            continue
        text = claim.line.text
        place = _FIGURE.search(text)
        where = f"{'Table' if place[1].lower() == 'table' else 'Fig.'} {place[2]}" if place else ""
        has_number = any(character.isdigit() for character in text)
        for start, kind in mentions(text):
            if kind.nature == "efficiency" or kind.key in found or (kind.nature != "quality" and not has_number):
                continue
            name = phrase_at(text, start) if kind.nature != "quality" or kind.key in _VAGUE else _spelled(text, start)
            if name and not _is_name(name):
                continue  # "its score has a large error bar" names no metric
            found[kind.key] = MainMetric(Metric(name=name or kind.key, direction=kind.direction, place=where), kind)
    known = {key: one for key, one in found.items() if one.kind.nature == "quality" and key not in _VAGUE} or found
    return {key: one for key, one in known.items() if one.metric.place} or known


_IN_A_CLAUSE = re.compile(
    r"['’]s\b|\b(?:ha[sd]|have|is|are|was|were|be|been|do|does|did|can|may|will|would|could|should|not|we|it|they|this"
    r"|that|these|which|very|when|than|as|if)\b|\berror bars?\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 6


def _is_name(phrase: str) -> bool:
    """Whether words around a metric are a noun phrase, not a piece of a clause."""
    return len(phrase.split()) <= _LONGEST_NAME and not _IN_A_CLAUSE.search(phrase)


def _spelled(text: str, start: int) -> str:
    word = re.match(
        r"[\w.@²₁₂'’-]+(?: (?:score|error|correlation|distance|accuracy|index|similarity|explained))?", text[start:]
    )
    return word[0].strip(".,") if word else ""


_METRIC_SECTION = re.compile(
    r"\bmetrics?\b|\bevaluation\b|\bperformance measures?\b|\bscoring\b"
    r"|\bassessment\b",
    re.IGNORECASE,
)


def _in_sections(paper: Scoped) -> dict[str, MainMetric]:
    """No table and no claim names one: what the section on evaluation measures by."""
    found: dict[str, MainMetric] = {}
    for line in paper.in_zones("methods", "results"):
        if not _METRIC_SECTION.search(line.sentence.section):
            continue
        for _, kind in mentions(line.text):
            if kind.nature == "quality" and kind.key not in _VAGUE and kind.key not in found:
                found[kind.key] = MainMetric(Metric(name=kind.key, direction=kind.direction), kind)
    return found


def _primary(paper: Scoped, metrics: Sequence[MainMetric]) -> MainMetric:
    for line in (*paper.in_zones("methods"), *paper.in_zones("results", "abstract", "caption")):
        match = _PRIMARY.search(line.text)
        if match is None:
            continue
        places = [(place, one) for one in metrics for place in _places(line.text, one)]
        after = [pair for pair in places if pair[0] >= match.end()]
        before = [pair for pair in places if pair[0] < match.start()]
        is_next = re.match(r"\s*(?:\w+\s){0,3}(?:is|are|was|were|:)", line.text[match.end() :]) is not None
        if after and (is_next or not before):
            return min(after, key=lambda pair: pair[0])[1]
        if before:
            return max(before, key=lambda pair: pair[0])[1]
    return metrics[0]


def _places(text: str, one: MainMetric) -> list[int]:
    low = folded(text)
    name = folded(one.metric.name)
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", low)]
    if found or one.kind.key in _VAGUE:
        return found
    return [place for place, kind in mentions(text) if kind.key == one.kind.key]


def names_metric(text: str, one: MainMetric) -> bool:
    """Whether a sentence names the metric."""
    return bool(_places(text, one))


# -- how it is computed ----------------------------------------------------------------

_PEOPLE = (
    r"(?:\w{3,}(?:ologist|ographer|ician|iatrist|onomist|chemist|physicist)s?|panels?|raters?|experts?"
    r"|pathologists?|radiologists?|clinicians?|physicians?|doctors?|cardiologists?"
    r"|biologists?|chemists?|neurologists?|dermatologists?|specialists?|readers|observers?|volunteers?"
    r"|participants?|assessors?|evaluators?|jur(?:y|ies|ors)|judges|humans?|people|persons?|crowd\w*|students?"
    r"|colleagues|users|annotators?|surgeons?|listeners?|viewers?|technicians?|scientists?|graders?|referees?"
    r"|practitioners?|nurses?|authors)"
)
_SCORING = (
    r"(?:scor|rat|judg|chos|choos|rank|grad|prefer|vot|assess|evaluat|decid|compar|pick|apprais|review"
    r"|examin|inspect|mark|opin|ask|award|deem|favou?r|select|assign|verdict|call)\w*"
)
_CUES: dict[Computed, re.Pattern[str]] = {
    "human_evaluation": re.compile(
        rf"\b{_SCORING}\b[^.;]{{0,60}}\b(?:by|from|of|among)\b[^.;]{{0,30}}\b{_PEOPLE}\b"
        rf"|\b{_PEOPLE}\b[^.;]{{0,80}}\b(?:who |which |were asked to |were shown |independently |then "
        rf"|had to )?{_SCORING}\b"
        r"|\bhuman (?:evaluat|rat|judg|prefer|stud|assess|scor|rank)\w*|\blikert\b|\bmean opinion score"
        r"|\bquestionnaires?\b|\bside by side\b|\bblind(?:ed)? (?:comparison|test|rating|reading|review)"
        r"|\breader study\b|\buser study\b|\bsubjective(?:ly)?\b|\b(?:shown|presented) to\b[^.;]{0,30}\b" + _PEOPLE,
        re.IGNORECASE,
    ),
    "visual_inspection": re.compile(
        r"\bvisual(?:ly)?\b[^.;]{0,20}\b(?:inspect|assess|evaluat|judg|examin|check|compar|apprais|impression"
        r"|control|verif|review|scor)\w*|\b(?:inspect|assess|evaluat|judg|examin|check|compar|look|verif|screen"
        r"|scor)\w*\b[^.;]{0,40}\b(?:visually|by eye|with (?:the|one's|our) (?:own |naked )?eyes?|by (?:sight"
        r"|looking|view))"
        r"|\b(?:by|to|with) (?:the |the naked |our |our own )?(?:naked )?eyes?\b|\beye-?ball\w*|\blook(?:s"
        r"|ed)? (?:clean|right|convincing|plausible|good)\b|\bby (?:mere |simple )?inspection\b|\binspected\b"
        r"|\bwent (?:through|over) (?:the|all|each|every)\b[^.;]{0,40}\b(?:images?|maps?|micrographs?|pictures?"
        r"|figures?|screen)",
        re.IGNORECASE,
    ),
    "black_box_tool": re.compile(
        r"\bclosed[- ]source\b|\bproprietary\b|\bcommercial(?:ly)?\b[^.;]{0,30}\b(?:software|package|tool"
        r"|program\w*|suite|product|library|search|module|engine|analys\w+|licen\w+)|\bvendors?\b(?:['’]s?)?"
        r"|\bmanufacturer['’]s? (?:software|program|suite|tool)|\bundisclosed\b|\bunpublished (?:formula"
        r"|algorithm|score)|\bblack[- ]box\b"
        r"|\b(?:formula|algorithm|code|source|definition|details|internals?|workings?|calculation"
        r"|recipe)\b[^.;]{0,40}\b(?:is|are|was|were|has|have"
        r"|remains?)\b[^.;]{0,20}\b(?:not (?:been )?(?:published|disclosed|public|documented|open|known"
        r"|available|revealed|described)|secret|unknown|hidden|confidential|undocumented|a trade secret)"
        r"|\btrade secret\b|\bwithout (?:disclosing|publishing|revealing|documenting)\b|\bcannot be inspected\b",
        re.IGNORECASE,
    ),
    "depends_on_algorithm": re.compile(
        r"\b(?:our|its|own|the same|the trained|the learned|the (?:model|network|method)(?:'s"
        r"|’s))\b[^.;]{0,25}\b(?:own )?(?:encoders?|discriminators?|critics?|reward (?:model|network|function)s?"
        r"|embeddings?|latent (?:space|codes?|representations?)|feature (?:extractor|space)s?|energy (?:model"
        r"|function)|scorer|judge network|value (?:network|function))"
        r"|\blearn(?:ed|t) (?:reward|metric|score|critic|distance|discriminator|similarity)|\b(?:discriminators?"
        r"|critics?|reward models?|encoders?|scorers?)\b[^.;]{0,40}\b(?:that (?:is|was|are|were)|which (?:is|was"
        r"|are|were))?\s?(?:trained|learn(?:ed|t)|optimi[sz]ed|fitted|obtained"
        r"|updated)\b[^.;]{0,20}\b(?:together|jointly|along|alongside|at the same time|simultaneously"
        r"|in alternation|with)"
        r"|\b(?:output|score|value|probability|verdict|opinion) of (?:the|our|its) (?:own )?(?:discriminator"
        r"|critic|reward|encoder)|\bin (?:the|our|its) (?:own )?latent space\b",
        re.IGNORECASE,
    ),
    "external_service": re.compile(
        r"\b(?:online|web|remote|external|hosted|cloud|public|third-party|internet|central"
        r"|commercial)\b[^.;]{0,15}\b(?:services?|servers?|portals?|APIs?|platforms?|websites?|scorers?|sites?"
        r"|endpoints?|oracles?)\b|\b(?:submitted|uploaded|sent|posted|handed|passed|queried|submit|upload|send"
        r"|submission)\b[^.;]{0,40}\b(?:to|at|via|through) (?:the|an?|its|their|this)?\b[^.;]{0,30}\b(?:servers?"
        r"|portals?|services?|leaderboards?|APIs?|websites?|platforms?|organi[sz]ers|providers?|hosts?|sites?)"
        r"|\b(?:evaluation|scoring|submission|grading|prediction) (?:servers?|services?|portals?|APIs?)\b"
        r"|\bleaderboards?\b|\b(?:returned|reported back|sent back|given back|computed|scored"
        r"|provided) by\b[^.;]{0,25}\b(?:servers?|services?|portals?|APIs?|websites?|providers?|platforms?)"
        r"|\b(?:GPT-?\d[\w.-]*|LLMs?|language models?|chatbots?)\b[^.;]{0,40}\b(?:as (?:a |the )?judges?|scor\w+"
        r"|rat(?:e|es|ed|ing)|grad(?:e|es|ed|ing)|judg\w+|evaluator)",
        re.IGNORECASE,
    ),
}
_REFERENCE_MAKING = re.compile(
    r"\b(?:ground[- ]truth|reference (?:standard|answers?|labels?|annotations?|masks?|values?|diagnos\w+"
    r"|coordinates)|gold[- ]standard|labels?|annotat\w+|labell?ed|curated|diagnos(?:is|es|ed)"
    r"|consensus labels?)\b",
    re.IGNORECASE,
)
_OUTPUT = re.compile(
    r"\b(?:outputs?|predict\w*|results?|outlines?|proposals?|methods?|generated|picks?"
    r"|reconstruct\w*|samples?|spectra|segmentations?|candidates?|responses?|answers?|two|better|scores?|quality"
    r"|metrics?)\b",
    re.IGNORECASE,
)
IS_THE_SCORE = re.compile(
    r"\b(?:ratings?|judge?ments?|votes?|grades?|verdicts?|opinions?|answers?|impressions?|marks?|output|it|that"
    r"|this|which|value)\b[^.;]{0,40}"
    r"\b(?:(?:is|are|was|were|makes? up|constitutes?|serves? as|gives?|counts? as|became|becomes?|taken as"
    r"|used as)\b[^.;]{0,20})"
    r"\b(?:the|our|its) (?:\w+ )?(?:score|metric|result|measure|figure|accuracy|outcome)",
    re.IGNORECASE,
)
"""``their ratings are the score``: whatever the table calls it."""
_EVALUATION_SECTION = re.compile(
    r"\bevaluat\w+|\bmetrics?\b|\bassess\w*|\bscor\w+|\bperformance\b"
    r"|\binspection\b|\breaders?\b|\bmeasures?\b|\bjudg\w+|\braters?\b|\bquality\b|\bcomparison\b|\brating\b"
    r"|\bexperts?\b|\bpanel\b",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"\b(?:scor|assess|evaluat|judg|measur|rat(?:ed|ing)|quantif|comput|calculat|metric|grad"
    r"|rank)\w*",
    re.IGNORECASE,
)
_FORMULA = words(
    r"ratios?",
    r"shares?",
    r"fractions?",
    r"means?",
    r"averages?",
    r"averaged",
    r"differences?",
    r"divided",
    r"numbers? of",
    r"distances?",
    r"correlations?",
    r"percent(?:age)?s?",
    r"counts?",
    r"proportions?",
    r"sums?",
    r"overlaps?",
    r"defined as",
    r"computed (?:from|between|over|as|on)",
    r"calculated (?:from|between|over|as)",
    r"area under",
    r"square(?:d)?",
    r"root",
    r"median",
    r"cosine",
    r"exact match",
    r"matches",
    r"hits",
    r"predictions and (?:reference|labels|targets|measured|observed"
    r"|the)\w*",
    r"between predicted and",
    r"harmonic",
    r"norm",
    r"entropy",
    r"fixed formula",
    r"deterministic\w*",
)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Signs that a metric is no program of output and reference."""

    how: Computed
    points: float
    line: Line


def doubts(paper: Scoped, methods: Methods, metrics: Sequence[MainMetric]) -> tuple[Doubt, ...]:
    """Signs, strongest first, that one of ``metrics`` cannot be computed from output and reference alone."""
    found = []
    looks_up = any(one.metric.primary and one.kind.nature != "quality" for one in metrics)
    for line in paper.in_zones("methods", "results", "caption", "abstract"):
        text = line.text
        hows = [how for how, pattern in _CUES.items() if pattern.search(text)]
        own_part = _own_part(text, methods) or (looks_up and _own_view(text, methods))
        if own_part and "depends_on_algorithm" not in hows:
            hows.append("depends_on_algorithm")
        if not hows:
            continue
        points = _closeness(line, metrics, own_part=own_part)
        if points <= 0:
            continue
        for how in hows:
            if how == "human_evaluation" and _REFERENCE_MAKING.search(text) and not _OUTPUT.search(text):
                continue
            if how == "depends_on_algorithm" and line.zone != "caption" and points < _NAMED and not own_part:
                continue
            found.append(Doubt(how, points + _PREFERENCE.get(how, 0.0), line))
    return tuple(sorted(found, key=lambda doubt: -doubt.points))


def judged_without_metric(paper: Scoped, methods: Methods) -> Doubt | None:
    """No metric is named at all: whether the paper says that people or eyes compare instead."""
    ways: tuple[Computed, ...] = ("external_service", "visual_inspection", "human_evaluation")
    for line in paper.in_zones("results", "methods", "abstract"):
        for how in ways:
            if (
                _CUES[how].search(line.text)
                and _COMPARES.search(line.text)
                and (_OF_METHODS.search(line.text) or is_named(line.text, methods.names))
            ):
                return Doubt(how, _NAMED, line)
    return None


_OF_METHODS = re.compile(
    r"\b(?:we|methods?|outputs?|results?|images?|reconstruct\w+|predict\w+|restor\w+|generated|quality|performance)\b",
    re.IGNORECASE,
)
_PREFERENCE: dict[Computed, float] = {
    "external_service": 0.1,
    "black_box_tool": 0.2,
    "depends_on_algorithm": 0.3,
    "visual_inspection": 0.15,
}
"""Where a sentence has cues of two kinds, the rarer kind of word tells more."""
_NAMED = 3.0


def _own_part(text: str, methods: Methods) -> bool:
    """Whether a part of the own method is what scores: ``embedded with the Graphium encoder``."""
    return any(
        re.search(
            rf"\b{re.escape(name)}(?:['’]s)? (?:own )?(?:encoder|embedding|latent|discriminator|critic"
            rf"|reward|feature|representation)s?\b",
            text,
            re.IGNORECASE,
        )
        or (
            re.search(
                r"\b(?:discriminator|critic|encoder|reward"
                r"|scorer)\b",
                text,
            )
            and re.search(rf"\b(?:with|in|of|inside|by) {re.escape(name)}\b", text)
            and _MEASURES.search(text)
        )
        for name in methods.names
    )


_VIEW = re.compile(
    r"\b(?:embed|represent|encod|latent|feature|layer|hidden|internal|critic|discriminators?\b|reward|activation"
    r"|project|likelihood|energy"
    r"|vector|codes?|states?\b(?!-of)|space|itself|own eyes)\w*",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:cosine|compar|distance|simil|agree|scor|measur|comput|correlat|angle|overlap|judg"
    r"|evaluat)\w*",
    re.IGNORECASE,
)
_OWN_MODEL = re.compile(
    r"\b(?:our|the (?:proposed|trained|same|evaluated|very|new)|its) (?:own |trained |learned |very )*(?:model"
    r"|network|method|algorithm|system|architecture)\b"
    r"|\b(?:model|network|method|algorithm) (?:itself|under (?:test|evaluation|study)"
    r"|that is (?:being )?(?:tested|evaluated|scored))\b",
    re.IGNORECASE,
)


def _own_view(text: str, methods: Methods) -> bool:
    """Whether answers are compared as the own method sees them. Asked of metrics that the lexicon does not know."""
    own = _OWN_MODEL.search(text) or any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in methods.names)
    return bool(own and _VIEW.search(text) and _COMPARES.search(text))


def _closeness(line: Line, metrics: Sequence[MainMetric], *, own_part: bool) -> float:
    """How near a sentence is to the computing of a main metric."""
    named = any(names_metric(line.text, one) for one in metrics)
    measures = _MEASURES.search(line.text) is not None
    if IS_THE_SCORE.search(line.text):
        return _NAMED
    in_section = line.zone in ("methods", "results") and _EVALUATION_SECTION.search(line.sentence.section) is not None
    if named and (measures or in_section or own_part or line.zone == "methods"):
        return _NAMED
    if in_section and measures:
        return 2.5
    if in_section:
        return 1.5
    if measures and line.zone == "methods":
        return 1.2
    return 0.0


def definitions(paper: Scoped, metrics: Sequence[MainMetric]) -> list[Line]:
    """Sentences that say what is measured, best first: those that name most metrics and a formula."""
    ranked = []
    for line in paper.in_zones("methods", "results", "caption", "abstract"):
        named = sum(1 for one in metrics if names_metric(line.text, one))
        if not named:
            continue
        worth = 1.0 * named + 2 * bool(_PRIMARY.search(line.text)) + bool(_FORMULA.search(line.text))
        worth += 1.5 * bool(_EVALUATION_SECTION.search(line.sentence.section)) + (line.zone == "methods")
        worth += bool(
            re.search(
                r"\b(?:report|metric|measured? by|computed|evaluated"
                r"|defined)\b",
                line.text,
                re.IGNORECASE,
            )
        )
        ranked.append((worth, line))
    return [line for _, line in sorted(ranked, key=lambda pair: -pair[0])]


def has_formula(paper: Scoped, one: MainMetric) -> Line | None:
    """The sentence that tells a formula of a metric that the lexicon does not know."""
    return next((line for line in definitions(paper, [one]) if _FORMULA.search(line.text)), None)
