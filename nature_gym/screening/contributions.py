"""What a paper says it contributes: own-voice sentences that make, cast or adapt something, and what it is.

``We propose X, a graph network that ...`` is read as verb, object and the object's kind; ``X, a new loss`` said of
others is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from nature_gym.screening.cues import LEARNING, Line, Scoped, speaks_of_others, words

Kind = Literal["learner", "method", "formulation", "adaptation", "resource", "theory", "thing", "finding"]
"""``learner`` is a method with words of learning, ``method`` one without; ``thing`` is made of matter."""

_ADVERBS = (
    r"(?:(?:then|also|thus|therefore|further|first|next|now|here|have|instead|accordingly|hence|additionally"
    r"|ourselves|newly|jointly)\s+)*"
)
_MAKE = (
    r"propos(?:e|es|ed)|introduc(?:e|es|ed)|present(?:s|ed)?|develop(?:s|ed)?|design(?:s|ed)?|devis(?:e|es|ed)"
    r"|describ(?:e|es|ed)|build|builds|built"
    r"|creat(?:e|es|ed)|construct(?:s|ed)?|establish(?:es|ed)?|put(?:s)? forward|offer(?:s|ed)?|contribut(?:e|es"
    r"|ed)|engineer(?:s|ed)?|invent(?:s|ed)?"
    r"|conceiv(?:e|es|ed)|craft(?:s|ed)?|suggest(?:s|ed)?(?! that)|unveil(?:s|ed)?|provid(?:e|es|ed)|deriv(?:e"
    r"|es|ed)|implement(?:s|ed)?|formulat(?:e|es|ed)"
    r"|releas(?:e|es|ed)|assembl(?:e|es|ed)|report(?:s|ed)?(?! that)|advanc(?:e|es|ed)|demonstrat(?:e|es"
    r"|ed)(?! that)|train(?:s|ed)?|outlin(?:e|es|ed)|set out"
)
_CAST = (
    r"cast(?:s)?|recast(?:s)?|re-?formulat(?:e|es|ed)|formulat(?:e|es|ed)|fram(?:e|es|ed)|pos(?:e|es|ed)"
    r"|re-?fram(?:e|es|ed)|treat(?:s|ed)?|phras(?:e|es|ed)"
    r"|turn(?:s|ed)?|stat(?:e|es|ed)|express(?:es|ed)?|view(?:s|ed)?|approach(?:es|ed)?|set(?:s)? up|put(?:s)?"
    r"|translat(?:e|es|ed)|defin(?:e|es|ed)|regard(?:s|ed)?"
)
_ADAPT = (
    r"adapt(?:s|ed)?|re-?engineer(?:s|ed)?|redesign(?:s|ed)?|rework(?:s|ed)?|extend(?:s|ed)?|generali[sz](?:e|es"
    r"|ed)|tailor(?:s|ed)?|modif(?:y|ies|ied)|rebuild|rebuilt"
    r"|remodel(?:s|led)?|transform(?:s|ed)?|refashion(?:s|ed)?|restructur(?:e|es|ed)|rewrit(?:e|es)|rewrote"
    r"|specialis(?:e|es|ed)|customi[sz](?:e|es|ed)|overhaul(?:s|ed)?|port(?:s|ed)?"
    r"|carr(?:y|ies|ied) over|transfer(?:s|red)?"
)
_SUBJECT = (
    r"(?:\b[Ww]e\s+|\b(?:[Tt]his|[Tt]he present|[Tt]he current|[Oo]ur)\s+(?:work|paper|study|article|report"
    r"|contribution|Article|Letter|Resource)\s+)"
)
_OWN_MAKE = re.compile(rf"{_SUBJECT}{_ADVERBS}(?P<verb>{_MAKE})\s+(?P<object>.{{3,400}})")
_OWN_CAST = re.compile(
    rf"{_SUBJECT}{_ADVERBS}(?P<verb>{_CAST})\s+(?P<object>.{{3,200}}?\s(?:as|into|in terms of|in the form of"
    rf"|to be)\s.{{3,300}})"
)
_OWN_ADAPT = re.compile(rf"(?:{_SUBJECT}{_ADVERBS}|\b(?:which|that)\s+)(?P<verb>{_ADAPT})\s+(?P<object>.{{3,400}})")
_PASSIVE = re.compile(
    r"\s(?:is|are|was|were|has been|have been)\s(?:here\s|therefore\s|now\s|thus\s)?"
    r"(?P<verb>proposed|introduced|presented|developed|described|designed|devised|formulated|cast|recast|adapted"
    r"|re-?engineered|put forward|built)\b"
    r"(?=.{0,60}\b(?:here|in this (?:work|paper|study|article)|by us|below)\b|\s*(?:[.:;]|to\b|for\b|as\b|that\b"
    r"|which\b))"
)
_OWN = re.compile(r"\b(?:[Ww]e|[Tt]his|[Oo]ur|[Tt]he (?:present|current|proposed|new|resulting)|which|that)\s")
_IS_OURS = re.compile(
    r"\b(?:[Oo]ur|[Tt]he proposed|[Tt]he new|[Tt]he resulting|[Tt]he present"
    r"|[Tt]his new)\s+(?P<object>(?:\w[\w-]*\s+){0,4}(?:method|model|approach|network|algorithm|architecture"
    r"|framework|answer|solution|proposal|contribution"
    r"|remedy|decoder|classifier|potential|scheme|learner|system|predictor|estimator|detector)\b.{0,300})"
)
_APPOSITION = re.compile(
    r"(?:^|[,;:(—–]\s?|\b(?:with|by|of|is|in|from|call|called|named|it|method|model|network|algorithm|approach)\s)"
    r"(?P<name>[A-Za-z0-9]*[A-Z][\w]*(?:[-–+.][A-Za-z0-9]+)*)\s?(?:,|:|—|–|\(|\bis\b|\bare\b)\s?"
    r"(?P<object>(?:an?|our|the)\s(?:[\w'’–-]+,?\s){0,7}(?:network|transformer|encoder|decoder|classifier"
    r"|regression|model|algorithm|method|kernel|learner"
    r"|operator|detector|predictor|forecaster|sampler|framework|architecture|ensemble|committee|surrogate"
    r"|process|mixture|potential|loss|estimator"
    r"|embedding|policy|agent|scheme|procedure|approach|strategy|emulator|generator|machine|function)s?\b.{0,250})"
)
_MIXED = re.compile(r"[A-Z].*[A-Z]|[a-z].*[A-Z]|[A-Z].*\d")

_RESOURCE = words(
    r"data ?-?bases?",
    r"data ?-?sets?",
    r"atlas(?:es)?",
    r"resources?",
    r"repositor(?:y|ies)",
    r"benchmarks?",
    r"catalogues?",
    r"catalogs?",
    r"web[- ]?(?:servers?|sites?|tools?|portals?|browsers?|platforms?)",
    r"knowledge ?-?bases?",
    r"collections?",
    r"corpus",
    r"corpora",
    r"registr(?:y|ies)",
    r"compendium",
    r"inventor(?:y|ies)",
    r"software(?: packages?)?",
    r"toolbox(?:es)?",
    r"toolkits?",
    r"librar(?:y|ies)",
    r"archives?",
    r"gazetteers?",
    r"ontolog(?:y|ies)",
    r"encyclopaedia",
    r"reference (?:set|panel|collection)s?",
)
_THEORY = words(
    r"theorems?",
    r"bounds?",
    r"theor(?:y|ies)",
    r"analytical\w*",
    r"analytic",
    r"proofs?",
    r"closed[- ]form",
    r"mean-field",
    r"inequalit(?:y|ies)",
    r"exact(?:ly)? solv\w+",
    r"conjectures?",
    r"hamiltonians?",
    r"scaling laws?",
    r"phase diagrams?",
    r"first[- ]principles",
    r"capacity",
    r"lemma",
    r"asymptotic\w*",
    r"equations?",
)
_MATTER = words(
    r"synthes[ei]s",
    r"compounds?",
    r"materials?",
    r"devices?",
    r"electrodes?",
    r"catalysts?",
    r"sensors?",
    r"electrolytes?",
    r"alloys?",
    r"films?",
    r"perovskites?",
    r"molecules?",
    r"antibod(?:y|ies)",
    r"vaccines?",
    r"drugs?",
    r"mice",
    r"mouse",
    r"rats?",
    r"cells?",
    r"assays?",
    r"probes?",
    r"microscop\w+",
    r"lasers?",
    r"crystals?",
    r"polymers?",
    r"nano\w+",
    r"oxides?",
    r"solar cells?",
    r"batter(?:y|ies)",
    r"transistors?",
    r"arrays?",
    r"chips?",
    r"implants?",
    r"proteins?",
    r"genes?",
    r"enzymes?",
    r"organoids?",
    r"patients?",
    r"salts?",
    r"carbons?",
    r"implantable",
    r"interface",
    r"coatings?",
    r"membranes?",
    r"hydrogels?",
    r"light-emitting",
    r"LEDs?",
    r"waveguides?",
)
_METHOD = words(
    r"methods?",
    r"approach(?:es)?",
    r"frameworks?",
    r"algorithms?",
    r"models?",
    r"architectures?",
    r"procedures?",
    r"schemes?",
    r"strateg(?:y|ies)",
    r"pipelines?",
    r"techniques?",
    r"estimators?",
    r"metrics?",
    r"decoders?",
    r"encoders?",
    r"predictors?",
    r"detectors?",
    r"samplers?",
    r"generators?",
    r"forecasters?",
    r"emulators?",
    r"surrogates?",
    r"optimi[sz]ers?",
    r"solvers?",
    r"kernels?",
    r"embeddings?",
    r"loss(?:es)?",
    r"objectives?",
    r"regulari[sz]\w+",
    r"committees?",
    r"ensembles?",
    r"polic(?:y|ies)",
    r"agents?",
    r"filters?",
    r"networks?",
    r"regressions?",
    r"clustering",
    r"potentials?",
    r"tools?",
    r"systems?",
    r"priors?",
    r"attention",
    r"layers?",
)
LEARNER = words(
    r"networks?(?! of (?:neurons|genes|proteins|cells|sensors"
    r"|stations))",
    r"neural",
    r"transformers?",
    r"(?:auto-?)?encoders?",
    r"decoders?",
    r"classifiers?",
    r"regress(?:ion|or)s?",
    r"[\w-]*learn(?:ing|er|ers|s|ed|able)",
    r"kernels?",
    r"loss(?:es)?",
    r"embeddings?",
    r"attention",
    r"clustering",
    r"gaussian process(?:es)?",
    r"mixtures?",
    r"diffusion models?",
    r"generative",
    r"adversarial",
    r"language models?",
    r"surrogates?",
    r"polic(?:y|ies)",
    r"predict(?:or|ors|ive model"
    r"|ion)",
    r"ensembles?",
    r"committees?",
    r"boosting",
    r"forests?",
    r"detectors?",
    r"segment\w+",
    r"(?:re-?)?train(?:s|ed|ing)?",
    r"neighbou?rs?",
    r"prototypes?",
    r"interatomic potentials?",
    r"samplers?",
    r"inference",
    r"infers?",
    r"operators?",
    r"convolution\w*",
    r"equivariant\w*",
    r"message[- ]passing",
    r"graph",
    r"expectation maximi[sz]ation",
    r"evolution strateg(?:y|ies)",
    r"ridge",
    r"penalt(?:y|ies)",
    r"objectives?",
    r"sampling",
    r"self-supervised",
    r"pre-?train\w*",
    r"cluster\w*",
    r"likelihood",
    r"bayesian",
    r"variational",
    r"monte carlo",
    r"probabilistic",
)


@dataclass(frozen=True, slots=True)
class Contribution:
    """One thing that the authors say they made. ``object`` are the words after the verb."""

    line: Line
    verb: str
    object: str
    kind: Kind


_kept: WeakKeyDictionary[Scoped, tuple[Contribution, ...]] = WeakKeyDictionary()


def contributions(paper: Scoped) -> tuple[Contribution, ...]:
    """What the paper contributes by its own words, abstract first. Found once a paper."""
    found = _kept.get(paper)
    if found is None:
        found = _kept[paper] = tuple(contribution for line in paper.claims for contribution in _in_line(line))
    return found


_PATTERNS: tuple[tuple[re.Pattern[str], Kind | None], ...] = (
    (_OWN_CAST, "formulation"),
    (_OWN_ADAPT, "adaptation"),
    (_OWN_MAKE, None),
    (_IS_OURS, None),
)


def _in_line(line: Line) -> Iterator[Contribution]:
    text = line.text
    if _OWN.search(text):
        for pattern, kind in _PATTERNS:
            match = pattern.search(text)
            if match is None:
                continue
            named = match["object"]
            if kind == "formulation" and not _is_learning_problem(named):
                continue
            if kind == "adaptation" and not (LEARNER.search(named) or _PARTS.search(named)):
                continue
            verb = match["verb"].lower() if "verb" in pattern.groupindex else "is"
            found = kind or kind_of(named)
            if pattern is _IS_OURS and not (LEARNING.search(named[:_CLOSE]) or _STRONG.search(named[:_CLOSE])):
                found = "finding" if not _MIXED.search(named[:_CLOSE]) else found
            yield Contribution(line, verb, named, found)
            return
    passive = _PASSIVE.search(text) if line.zone in ("abstract", "results", "discussion") else None
    named = text[: passive.start()] if passive else ""
    if passive and not speaks_of_others(text) and not _OF_MANY.search(named):
        yield Contribution(line, passive["verb"], named, kind_of(named))
        return
    # ``X, a graph network that ...`` in the abstract: what has a name of its own and is explained is new there.
    if line.zone == "abstract":
        match = _APPOSITION.search(text)
        if match and _MIXED.search(match["name"]):
            yield Contribution(
                line, "is", f"{match['name']}, {match['object']}", kind_of(f"{match['name']}, {match['object']}")
            )


_PARTS = words(r"layers?", r"pooling", r"blocks", r"modules?", r"architectures?", r"heads", r"positional \w+")
"""What a network is made of."""
_PROBLEM = words(
    r"learning (?:problem"
    r"|task)s?",
    r"supervised learning",
    r"(?:regression|classification|prediction|ranking|segmentation|sequence|generation|translation|clustering"
    r"|retrieval|inference|optimi[sz]ation|decision|labell?ing|detection|inverse|estimation|reconstruction)"
    r"(?: \w+)? (?:problem"
    r"|task)s?",
    r"reinforcement learning",
    r"machine[- ]learn\w+",
    r"(?:a )?(?:regression|classification|prediction|learning)",
    r"something (?:to be learn|that can be learn)\w+",
    r"learn(?:ed|ing|able)?",
    r"maps?(?:ping)? from",
    r"in?puts? and outputs?",
    r"function from",
)


def _is_learning_problem(named: str) -> bool:
    return _PROBLEM.search(named) is not None


_NOTHING_MADE = re.compile(
    r"(?:an?\s|the\s|our\s)?(?:\w+\s){0,2}(?:surveys?|reviews?|overviews?|recent|latest|existing|comparisons?"
    r"|comparative|summar(?:y|ies)"
    r"|evidence|insights?|results?|findings?|discussion|case stud(?:y|ies)|application of)\b",
    re.IGNORECASE,
)
"""What is shown, not made."""
_OF_MANY = re.compile(
    r"\b(?:many|numerous|several|various|different|most|some|few|a number of)\s(?:\w+\s){0,3}"
    r"(?:methods|models|approaches|techniques|algorithms|tools|studies|networks|frameworks)\s*$",
    re.IGNORECASE,
)
"""``many methods were introduced``: by others."""
_HEAD = 14
_CLOSE = 60
"""Characters in which ``our model`` has to say what it is: ``our model agrees with ...`` says nothing."""
_STRONG = words(
    r"graphs?",
    r"attention",
    r"convolution\w*",
    r"equivariant\w*",
    r"message[- ]passing",
    r"adversarial\w*",
    r"transformers?",
    r"(?:auto-?)?encoders?",
    r"decoders?",
    r"classifiers?",
    r"kernels?",
    r"embeddings?",
    r"prototypes?",
    r"learn(?:ed|s|er|ers|able)",
    r"(?:re-|pre-?)?train(?:s|ed|ing)",
    r"gaussian process(?:es)?",
    r"(?:ridge|logistic|kernel|regulari[sz]ed|sparse) regressions?",
    r"evolution strateg(?:y|ies)",
    r"expectation[- ]maximi[sz]ation",
)
_WEAK_HEAD = re.compile(
    r"\b(?:clustering|segmentation|detection|regression|classification|ranking|forecasting"
    r"|recognition) (?:algorithm|method|model|network|approach|scheme)"
    r"|\b(?:to|that|which|jointly) (?:jointly )?(?:infer|learn|classif|predict|segment|cluster|detect|forecast|rank)\w*"
    r"|\bfor (?:the )?(?:prediction|classification|segmentation|detection|inference|forecasting|clustering"
    r"|inverse design|regression)\b",
    re.IGNORECASE,
)
_APPOSED = re.compile(r"^[\w-]*[A-Z][\w-]*,? (?:an?|the|our) ")


def kind_of(named: str) -> Kind:
    """The kind of thing that the words after the verb name.

    >>> kind_of("a graph network with a loss"), kind_of("a database of enzymes"), kind_of("the synthesis of a salt")
    ('learner', 'resource', 'thing')
    """
    if _NOTHING_MADE.match(named):
        return "finding"
    tokens = named.split()
    head = " ".join(tokens[:_HEAD])
    whole = " ".join(tokens[:45])
    places: dict[Kind, int] = {}
    for kind, pattern in (
        ("learner", LEARNER),
        ("method", _METHOD),
        ("resource", _RESOURCE),
        ("theory", _THEORY),
        ("thing", _MATTER),
    ):
        match = pattern.search(head)
        if match:
            places[kind] = match.start()  # type: ignore[index]
    if not places:
        return "learner" if LEARNING.search(whole) else "finding"
    first = min(places, key=lambda kind: (places[kind], kind != "learner"))
    if first in ("learner", "method"):
        return "learner" if _STRONG.search(whole) or LEARNING.search(whole) or _WEAK_HEAD.search(head) else "method"
    if first in ("thing", "theory"):
        learning = LEARNING.search(whole)
        # "a deep network for cells" is a learner, "a device for recording neural networks" is none.
        if learning and (learning.start() < places[first] or (_APPOSED.search(head) and _METHOD.search(head))):
            return "learner"
    if first == "resource" and re.search(r"^\S+,? (?:an?|the) [^,]*\b(?:network|model|algorithm|method)\b", head):
        return "learner"
    return first
