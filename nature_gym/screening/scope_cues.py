"""Cues for what a paper is about, if it is about no method: the rejection codes of rule 1.1 with points and proof.

A cue counts by where it stands: what the title or abstract says is the aim, what the methods say is a means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nature_gym.screening.contributions import Contribution
from nature_gym.screening.cues import Line, Scoped, hits, is_own, negated, words
from nature_gym.screening.result_tables import ResultTable


@dataclass(slots=True)
class Points:
    """The points of one code, and the sentences that gave them, best first."""

    points: float = 0.0
    proof: list[tuple[float, Line]] = field(default_factory=list)

    def add(self, points: float, line: Line | None = None) -> None:
        self.points += points
        if line is not None:
            self.proof.append((points, line))

    def lines(self, most: int = 2) -> list[Line]:
        ranked = sorted(self.proof, key=lambda pair: -pair[0])
        return [line for _, line in ranked[:most]]


_WEIGHT = {
    "abstract": 1.0,
    "title": 1.0,
    "introduction": 0.6,
    "results": 0.6,
    "discussion": 0.5,
    "methods": 0.4,
    "caption": 0.3,
}


def _count(case: Points, lines: Iterable[Line], points: float, *, most: int = 2) -> None:
    """``points`` for each line by its zone; ``most`` of them count."""
    ranked = sorted(lines, key=lambda line: -_WEIGHT[line.zone])
    for line in ranked[:most]:
        case.add(points * _WEIGHT[line.zone], line)


# -- attribution and explanation -------------------------------------------------------

_EXPLAIN = re.compile(
    r"\b(?:explain|interpret|understand|attribut|dissect|prob(?:e|ing)|deciph|unravel|analys|analyz|reveal"
    r"|inspect|open|account for|make sense of|learn(?:ed)? (?:about|from))\w*"
    r"\b[^.;]{0,60}\b(?:predictions?|decisions?|black box|what [^.;]{0,30}(?:networks?|models?)|(?:networks?"
    r"|models?|classifiers?)(?:'s|’s)? (?:predictions?|decisions?|reason\w*|behaviou?r|representations?"
    r"|judgements?|outputs?|(?:rel|look|attend|respond|see|use)\w*)"
    r"|reasons? (?:for|of|behind)|(?:trained|existing|published|pre-?trained|available|given"
    r"|fixed) (?:\w+ )?(?:networks?|models?|classifiers?|predictors?)|network has learn\w*|models? (?:have"
    r"|has) learn\w*|(?:networks?|models?) (?:see|look at|rel(?:y|ies) on|attend to))",
    re.IGNORECASE,
)
_ATTRIBUTION = words(
    r"attribut(?:ion|ions|ed|ing|e)(?: methods?| maps?| scores?| analysis)?(?! 4\.0"
    r"| license)",
    r"saliency",
    r"SHAP",
    r"shapley",
    r"integrated gradients",
    r"grad-?cam",
    r"layer-?wise relevance",
    r"LRP",
    r"LIME",
    r"feature importances?",
    r"permutation importance",
    r"explainab\w+",
    r"explanations? (?:of|for) (?:the )?(?:model|network|prediction)\w*",
    r"interpretability",
    r"XAI",
    r"occlusion maps?",
    r"in silico mutagenesis",
    r"attention maps?",
    r"concept activation",
    r"mechanistic interpret\w+",
    r"importance maps?",
    r"relevance (?:maps?|scores?|propagation)",
    r"counterfactual explanations?",
    r"(?:importance|relevance) (?:falls|is assigned|of (?:each|single|every|individual) (?:position|base|pixel"
    r"|feature|input|residue)s?)",
)
_NOT_TRAINED = re.compile(
    r"\b(?:(?:did|do|does) not|neither|no|without|never) (?:\w+ ){0,3}(?:re-?)?(?:train|chang|modif|fine-?tun"
    r"|propos|alter|touch|develop)\w*(?: \w+){0,4} (?:models?|networks?|weights|methods?|architectures?)"
    r"|\b(?:weights|models?|networks?) (?:\w+ ){0,3}(?:as (?:downloaded|released|published|provided|they are)"
    r"|left as|were not changed|unchanged|frozen)|\bused as (?:is|downloaded|published|released)",
    re.IGNORECASE,
)
_GIVEN_MODEL = re.compile(
    r"\b(?:existing|published|pre-?trained|already trained|trained by others|off-the-shelf"
    r"|available|released|well-known|established|third-party|other(?:s|s'| authors'))\b[^.;]{0,25}\b(?:networks?"
    r"|models?|classifiers?|predictors?)\b",
    re.IGNORECASE,
)


def attribution(paper: Scoped, own: bool) -> Points:
    """The aim is to explain a model that exists. ``own``: a method of the authors' own stands in the tables."""
    case = Points()
    abstract = [*_title_line(paper), *paper.abstract]
    talk = hits(paper.body, _ATTRIBUTION, negations=True)
    aim = [line for line in abstract if _EXPLAIN.search(line.text)]
    in_abstract = [line for line in abstract if _ATTRIBUTION.search(line.text)]
    if not talk and not in_abstract:
        return case
    _count(case, aim, 2.0)
    _count(case, in_abstract, 2.0)
    case.add(min(len(talk), 8) * 0.25, talk[0] if talk else None)
    _count(case, [line for line in paper.body if _NOT_TRAINED.search(line.text)], 4.0, most=1)
    _count(case, [line for line in (*aim, *talk, *in_abstract) if _GIVEN_MODEL.search(line.text)], 2.0, most=1)
    if own:
        case.points -= 3
    return case


# -- comparisons of other things than methods -------------------------------------------

_FACTORS = (
    r"(?:descriptors?|features?(?: sets?)?|fingerprints?|inputs?|input (?:data|variables)|sensors?|devices?"
    r"|instruments?|scanners?|probes?|label(?:s|ling)?(?: (?:quality|sources?))?|annotat(?:ions?|ors?)"
    r"|data (?:sources?|sets?|types?|quality|modalit\w+)"
    r"|sources?(?: of (?:the )?(?:data|labels|images))?|representations?|modalit(?:y|ies)|protocols?|wearables?"
    r"|stains?|assays?|electrodes?|cameras?|platforms?|cohorts?|resolutions?|training sets?|satellites?"
    r"|products?|materials?|samples?)"
)
_MODEL_WORD = (
    r"(?:regression |learning |prediction |predictive |machine-learning |ML |statistical )?(?:models?"
    r"|networks?|classifiers?|regressors?|regressions?|learners?|algorithms?|architectures?|predictors?|forests?"
    r"|estimators?|pipelines?|training|hyper-?parameters?)"
)
_FIXED = re.compile(
    rf"\b{_MODEL_WORD}\b[^.;]{{0,50}}\b(?:(?:is|are|was|were|being|stays?|stayed|remains?|remained|kept|held"
    rf"|left|keep|hold)\s?(?:\w+ )?(?:fixed|constant|the same|identical|unchanged|untouched|frozen)"
    rf"|does not change|never changes?|not changed)"
    rf"|\b(?:hold|keep|held|kept|keeping|holding|leav(?:e|ing)|left)\b[^.;]{{0,25}}\b{_MODEL_WORD}\b[^.;]{{0,20}}"
    rf"\b(?:fixed|constant|the same|identical|unchanged|untouched|frozen)\b"
    rf"|\b(?:fix|fixed|fixing|freez(?:e|ing)|froze)\b[^.;]{{0,15}}\b{_MODEL_WORD}\b[^.;]{{0,60}}"
    rf"\b(?:only|alone|nothing (?:else|but)|exchang|swap|var(?:y|ied)|replac)"
    rf"|\b(?:one and the same|the same|a single|an identical|identical|the very same|an exchangeable|a fixed"
    rf"|any) {_MODEL_WORD}\b[^.;]{{0,80}}\b(?:for (?:all|each|every)|throughout|everywhere|with (?:each|every"
    rf"|all|different|five|four|three|several)|on (?:each|every|all)|regardless|whatever|in all|is (?:used"
    rf"|fitted|trained|applied))"
    rf"|\b(?:only|merely|solely|nothing (?:else )?but|just)\b[^.;]{{0,30}}\b{_FACTORS}\b[^.;]{{0,50}}\b(?:is|are"
    rf"|was|were|be)?\s?(?:varied|exchanged|changed|compared|swapped|replaced|differ|differs|vary|varies|change"
    rf"|changes|altered|substituted|interchanged)"
    rf"|\b{_FACTORS}\b[^.;]{{0,40}}\b(?:alone|only) (?:is|are|was|were)?\s?(?:varied|exchanged|changed|compared"
    rf"|swapped|replaced|differ|vary|altered|substituted)"
    rf"|\b(?:differ|vary|change|changed|varied|exchange|vary|swap|replace)\w* (?:in )?(?:nothing but|only|solely"
    rf"|just)\b[^.;]{{0,40}}\b{_FACTORS}"
    rf"|\b(?:what|which) (?:\w+ )?{_MODEL_WORD} is (?:used|chosen|taken|fitted)[^.;]{{0,30}}\b(?:immaterial"
    rf"|irrelevant|unimportant|does not matter|makes no difference|secondary)"
    rf"|\b{_MODEL_WORD} (?:is|are|was|were) (?:immaterial|exchangeable|interchangeable|irrelevant|incidental"
    rf"|secondary|of no importance|a bystander)",
    re.IGNORECASE,
)
_MAYBE_FIXED = words(
    r"fixed",
    r"constant",
    r"same",
    r"identical",
    r"unchanged",
    r"untouched",
    r"frozen",
    r"only",
    r"solely",
    r"merely",
    r"alone",
    r"nothing",
    r"just",
    r"(?:ex|inter)changeable",
    r"immaterial",
    r"irrelevant",
    r"incidental",
    r"secondary",
    r"of no importance",
    r"bystander",
    r"does not matter",
    r"makes no difference",
    r"unimportant",
    r"single",
    r"any",
    r"freez\w+",
    r"not changed?",
    r"never chang\w+",
    r"does not change",
    r"fix(?:ing)?",
)
_COMPARED_TITLE = re.compile(
    rf"\b{_FACTORS}\b[^.]*\b(?:compar|side by side|benchmark|versus|vs\b|matter|best|evaluat|rank)"
    rf"|\b(?:compar\w+|evaluat\w+|benchmark\w*|which|choosing|choice|ranking|assessing|how good"
    rf"|what)\b[^.]*\b{_FACTORS}\b",
    re.IGNORECASE,
)
_COMPARE_FACTORS = re.compile(
    rf"\b(?:compar|rank|put|test|evaluat|assess|contrast|ask which|side by side"
    rf"|examin)\w*\b[^.;]{{0,60}}\b{_FACTORS}\b",
    re.IGNORECASE,
)


def factor_comparison(paper: Scoped, tables: Iterable[ResultTable], own: bool) -> Points:
    """Descriptors, devices, labels or data are compared, with the model held fixed."""
    case = Points()
    fixed = [
        line for line in (*paper.abstract, *paper.body) if _MAYBE_FIXED.search(line.text) and _FIXED.search(line.text)
    ]
    abstract = [line for line in fixed if line.zone == "abstract" or line in paper.abstract]
    if own and not abstract:
        return case
    _count(case, abstract, 3.0, most=1)
    _count(case, [line for line in fixed if line not in abstract], 2.0, most=2)
    if _COMPARED_TITLE.search(paper.title):
        case.add(1.5)
    _count(case, [line for line in paper.abstract if _COMPARE_FACTORS.search(line.text)], 1.0, most=1)
    if any(table.kind == "factors" for table in tables):
        case.add(1.5)
    if own:
        case.points -= 2
    return case


# -- material that is only scored by training others on it -------------------------------

_SOLELY = re.compile(
    r"\b(?:only|solely|exclusively|entirely|alone|nothing but|purely)\b",
    re.IGNORECASE,
)
_BY_TRAINING_OTHERS = re.compile(
    r"\btrain(?:ed|ing)?[- ]on[- ](?:synthetic|generated|artificial|fake)\b|\bTSTR\b|\bdown-?stream\b"
    r"|\b(?:accuracy|performance|score|error|AUC|AUROC|F1|success|results?)\w* of (?:an?|the|other|such|those"
    r"|several|\w+)"
    r"\b[^.;]{0,50}\b(?:trained|taught|fitted|fine-tuned|learn(?:s|t|ed)?) (?:\w+ )?(?:on|with|from|by) (?:them|it"
    r"|these|those"
    r"|the (?:generated|synthetic|made)|synthetic|generated)",
    re.IGNORECASE,
)
"""How well others learn from what was made is the only measure of it."""
_POSSIBLE = re.compile(r"\b(?:could|can be|may|might|would|in future|future|potential(?:ly)?)\b", re.IGNORECASE)
_MADE = (
    r"(?:images?|data|samples?|sequences?|texts?|sets?|scans?|examples?|spectra|graphs?|structures?"
    r"|pictures?|recordings?|signals?|cells|volumes?|corpora|corpus|output|material|scenes?|slides|traces|labels)"
)
_SYNTHETIC = (
    r"(?:synthe\w+|generated|simulated|artificial|rendered|augmented|composed|its|their|these|such|our"
    r"|made[- ]up|produced|sampled|virtual|fake|the)"
)
_TRAINED_ON_IT = re.compile(
    rf"\b(?:train|fine-?tun|pre-?train|learn|fit)\w*\b[^.;]{{0,40}}\b(?:on|with|from|by"
    rf"|using)\b[^.;]{{0,25}}\b{_SYNTHETIC}\b[^.;]{{0,20}}\b{_MADE}\b",
    re.IGNORECASE,
)
_DOWNSTREAM = re.compile(
    r"\bdown-?stream\b[^.;]{0,50}\b(?:models?|networks?|detectors?|classifiers?|segment\w+|tasks?|accurac\w+"
    r"|performance|training|learners?|predictors?)\b"
    r"|\b(?:models?|networks?|detectors?|classifiers?|learners?|predictors?"
    r"|segment\w+)\b[^.;]{0,30}\b(?:that (?:are|were|is|was)|which (?:are|were)|later|then"
    r"|subsequently)?\s?(?:trained|taught|fitted) (?:on|with|by|from)\b",
    re.IGNORECASE,
)
_SCORED = re.compile(
    r"\b(?:scor|judg|evaluat|measur|assess|rat(?:e|ed|ing)\b|apprais|valu|worth|quality|useful"
    r"|gaug|benchmark|merit|success|test)\w*",
    re.IGNORECASE,
)
_MAKER = words(
    r"generators?",
    r"synthesi[sz]er\w*",
    r"renderer\w*",
    r"augmentation",
    r"(?:training|labelled|annotated|synthetic|artificial) (?:images?|data|sets?|samples?|scans?|spectra"
    r"|sequences?|pictures?|texts?)",
    r"simulat(?:or|ors|ion|es)",
    r"image synthesis",
    r"data synthesis",
    r"generat(?:es?|ive|ing|ed)",
    r"compos(?:es?|ing)",
    r"mak(?:es?|ing)",
)
_TRAINING_LABEL = re.compile(
    r"\btraining (?:images?|data|sets?|material|samples?|sources?|corpus)|\b(?:source"
    r"|kind|type)s? of (?:training )?(?:images|data)",
    re.IGNORECASE,
)


def intermediate_data(
    paper: Scoped, made: Iterable[Contribution], headings: Iterable[str], names: Iterable[str] = ()
) -> Points:
    """Material is made that is scored only by training other models on it.

    ``headings`` are those of the tables, ``names`` those of the method: ``trained on HierGen records``.
    """
    case = Points()
    made = tuple(made)
    called = "|".join(map(re.escape, names)) or r"(?!)"
    on_its_own = re.compile(
        rf"\b(?:train|fine-?tun|taught|fit)\w*\b[^.;]{{0,40}}\b(?:on|with|from|by)\b[^.;]{{0,30}}"
        rf"(?<![\w-])(?:{called})(?:-\w+)?\s(?:\w+\s)?{_MADE}\b"
    )
    proof = [
        line
        for line in (*paper.abstract, *paper.body)
        if (_DOWNSTREAM.search(line.text) or _TRAINED_ON_IT.search(line.text)) and _SCORED.search(line.text)
    ]
    solely = [
        line
        for line in (*paper.abstract, *paper.body)
        if _SOLELY.search(line.text) and _BY_TRAINING_OTHERS.search(line.text) and _SCORED.search(line.text)
    ]
    for line in solely[:1]:
        case.add(3.0, line)
    of_its_own = [line for line in (*paper.abstract, *paper.body) if on_its_own.search(line.text)]
    proof = [line for line in dict.fromkeys((*proof, *of_its_own)) if not _POSSIBLE.search(line.text)]
    proof = [
        line
        for line in proof
        if _TRAINED_ON_IT.search(line.text)
        or on_its_own.search(line.text)
        or re.search(r"down-?stream", line.text, re.IGNORECASE)
        or re.search(r"\b(?:on|with|from) (?:its|their|these|the|our|such|synthetic|generated)\b", line.text)
    ]
    _count(case, [line for line in proof if line.zone == "abstract" or line in paper.abstract], 3.0, most=1)
    _count(case, [line for line in proof if line.zone != "abstract"], 1.5, most=2)
    if not case.points:
        return case
    makers = [contribution.line for contribution in made if _MAKER.search(contribution.object[:150])]
    if makers or _MAKER.search(paper.title):
        case.add(2.0, makers[0] if makers else None)
    if any(_TRAINING_LABEL.search(heading) for heading in headings):
        case.add(2.0)
    return case


# -- a paradigm over many models and tasks ------------------------------------------------

_COUNT = (
    r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty(?:[- ]\w+)?|thirty(?:[- ]\w+)?|forty(?:[- ]\w+)?|dozens of|many"
    r"|all|several|a wide (?:range|variety) of|various|diverse)"
)
_BREADTH = re.compile(
    rf"\b{_COUNT} (?:\w+ ){{0,2}}(?:models?|architectures?|networks?"
    rf"|backbones?)\b[^.;]{{0,60}}\b{_COUNT} (?:\w+ ){{0,3}}(?:benchmarks?|tasks?|data ?-?sets?|problems|fields"
    rf"|domains|disciplines)\b"
    rf"|\b{_COUNT} (?:\w+ ){{0,3}}(?:benchmarks?|tasks?|data ?-?sets?|problems|fields"
    rf"|domains)\b[^.;]{{0,60}}\b{_COUNT} (?:\w+ ){{0,2}}(?:models?|architectures?|networks?|backbones?)\b"
    r"|\bfrom (?:\w+ ){1,3}(?:to|through|over) (?:\w+ ){1,3}(?:and|to|via)\b[^.;]{0,30}\b(?:benchmarks?|tasks|fields)",
    re.IGNORECASE,
)
_AGNOSTIC = re.compile(
    r"\b(?:independent(?:ly)?|irrespective|regardless|agnostic|indifferent|does not depend|blind) (?:of|to|on"
    r"|as to)\b[^.;]{0,30}\b(?:architectures?|tasks?|models?|domains?|networks?|modalit\w+|fields?)"
    r"|\b(?:architecture|model|task|domain|modality|network|optimi[sz]er)-(?:agnostic|independent)|\b(?:any"
    r"|every|arbitrary|whatever) (?:\w+ ){0,2}(?:networks?|architectures?|models?|tasks?|learners?)\b"
    r"|\bgeneral[- ]purpose\b|\bdrop-in\b|\bplug-and-play\b|\bacross (?:the )?(?:sciences|fields|domains|tasks"
    r"|architectures|models|modalities|disciplines|benchmarks)",
    re.IGNORECASE,
)
_PARADIGM = words(
    r"training (?:paradigm|scheme|recipe|principle|procedure|strategy|technique|rule|regime"
    r"|schedule)s?",
    r"learning paradigm",
    r"optimi[sz]ers?",
    r"regulari[sz]\w+",
    r"update rule",
    r"paradigms?",
    r"weight (?:averag|decay)\w*",
    r"(?:a )?general (?:method|technique|principle|recipe|training)\w*",
    r"forget\w*",
)


def general_methodology(paper: Scoped, made: Iterable[Contribution]) -> Points:
    """A paradigm of training over many models and tasks."""
    case = Points()
    abstract = [*_title_line(paper), *paper.abstract]
    broad = [
        line
        for line in (*abstract, *paper.in_zones("introduction", "results"))
        if _BREADTH.search(line.text) and not _is_comparison(line)
    ]
    _count(case, broad, 3.0, most=1)
    agnostic = [
        line for line in abstract if (match := _AGNOSTIC.search(line.text)) and not negated(line.text, match.start())
    ]
    _count(case, agnostic, 1.5, most=2)
    _count(
        case, [contribution.line for contribution in made if _PARADIGM.search(contribution.object[:120])], 1.5, most=1
    )
    return case


_BASELINES_BESIDE = re.compile(
    r"\bbaselines?\b|\bcompet\w+|\bcompared (?:with|to|against)\b|\bagainst\b"
    r"|\bexisting\b",
    re.IGNORECASE,
)


def _is_comparison(line: Line) -> bool:
    return _BASELINES_BESIDE.search(line.text) is not None


# -- what only an instrument can run --------------------------------------------------------

_HARDWARE = words(
    r"memrist\w+",
    r"neuromorphic\w*",
    r"photonic\w*",
    r"optoelectronic",
    r"optical (?:neural|comput\w+|processors?|networks?|accelerators?)",
    r"crossbars?",
    r"FPGAs?",
    r"ASICs?",
    r"spintronic\w*",
    r"in-memory comput\w+",
    r"in-sensor comput\w+",
    r"quantum (?:processors?|computers?|hardware|devices?|annealers?|chips?|circuits?)",
    r"chips?",
    r"phase-change (?:memory|cells?"
    r"|devices?)",
    r"analog(?:ue)? (?:hardware|circuits?|comput\w+|processors?|accelerators?)",
    r"on-chip",
    r"wafer\w*",
    r"physical neural networks?",
    r"reservoir (?:device|computer)s?",
    r"ferroelectric\w*",
    r"resistive (?:memor\w+|switch\w+|arrays?)",
    r"synaptic (?:devices?|transistors?)",
    r"metasurfaces?",
    r"robot(?:s|ic)?(?: arms?| platforms?)?",
    r"self-driving lab\w*",
    r"autonomous lab\w*",
    r"accelerator cards?",
    r"custom (?:silicon|accelerators?|boards?|chips?)",
    r"qubits?",
    r"diffractive",
    r"beamline",
)
_RUNS_ON = re.compile(
    r"\b(?:train\w*|infer\w*|learn\w*|comput\w+|network|inputs?|weights?|updates?|experiments?|evaluation"
    r"|optimi[sz]ation|closed loop|control\w*)\b[^.;]{0,60}\b(?:run|runs|ran|take|takes|took|happen|happens|done"
    r"|carried out|performed|executed|implemented|takes place|physically|live|reside|stored|held"
    r"|exist)s?\b[^.;]{0,40}\b(?:in situ|on (?:our|the|a|its|this|that) [^.;]{0,25}(?:chip|array|device"
    r"|processor|hardware|instrument|microscope|board|accelerator|robot|setup|set-up|crossbar|circuit|platform"
    r"|beamline|printer|machine)|on-chip|in hardware|in the (?:array|device|chip|hardware)|in real time)"
    r"|\b(?:cannot|can not|not|never|hardly|impossible to|inseparable) (?:be )?(?:separated?|detached?"
    r"|reproduced?|repeated?|simulated?|run|had|emulated?|replaced?|from|divorced?"
    r"|disentangled?)\b[^.;]{0,30}\b(?:from|without|outside|apart from|off|its|the|our)\b[^.;]{0,40}\b(?:device"
    r"|chip|hardware|physics|instrument|array|apparatus|microscope|setup|set-up|processor|machine|board|robot"
    r"|crystal|wafer)"
    r"|\b(?:requires?|needs?|depends? on|relies on|tied to|bound to|presupposes?|only works? (?:on|with)"
    r"|exists only (?:on|in)|specific to|belongs to|inherent to)\b[^.;]{0,25}\b(?:our|the|a live|a running|this"
    r"|these|its)\b[^.;]{0,25}\b(?:device|chip|hardware|instrument|array|apparatus|microscope|processor|board"
    r"|robot|accelerator|physics of)",
    re.IGNORECASE,
)
_LEARNS = re.compile(r"\b(?:learn|train|infer|recogni[sz]|classif|neural|network|predict|weights?)\w*", re.IGNORECASE)


_MADE_OF_MATTER = re.compile(
    r"\b(?:fabricat\w+|(?:3D-)?print(?:ed|s)\b|tape-?out|lithograph\w+|probe station|packaged|wire-?bond\w*"
    r"|(?:custom|printed circuit|control|driver|evaluation|FPGA) boards?|PCB|foundry"
    r"|\d+[- ]?nm (?:\w+ )?(?:process|node|CMOS))"
    r"\b",
    re.IGNORECASE,
)
_LEARNED_THERE = re.compile(
    r"\b(?:classif\w+|recogni[sz]\w+|accurac\w+|neural networks?|on-chip (?:training|learning|inference)|digits"
    r"|(?:training|inference|learning) (?:on|in|of|with)|reservoir|back-?propagat\w+|machine learning|deep learning)\b",
    re.IGNORECASE,
)
"""What learns is the device itself, not the animal that it is put into."""


def hardware(paper: Scoped) -> Points:
    """Learning or inference that only an instrument or a chip can run."""
    case = Points()
    abstract = [*_title_line(paper), *paper.abstract]
    named = hits(abstract, _HARDWARE, negations=True)
    learning = [line for line in abstract if _LEARNS.search(line.text)]
    if not named or not learning:
        return case
    _count(case, named, 1.0, most=3)
    runs = [line for line in (*paper.abstract, *paper.body) if _RUNS_ON.search(line.text)]
    _count(case, runs, 2.5, most=2)
    body = hits(paper.body, _HARDWARE, negations=True)
    if any(_LEARNED_THERE.search(line.text) for line in abstract):
        _count(
            case, [line for line in (*paper.abstract, *paper.body) if _MADE_OF_MATTER.search(line.text)], 2.5, most=2
        )
    case.add(min(len(body), 12) * 0.1)
    return case


# -- resources ------------------------------------------------------------------------------

_RESOURCE_TITLE = re.compile(
    r"\b(?:data ?-?base|data ?-?set|atlas|resource|catalogue|catalog|compendium|repository|knowledge ?-?base"
    r"|inventory|web ?server|software|toolbox|toolkit|benchmark|registry|data collection|corpus|collection"
    r"|map of|census|roadmap|survey of|consensus|guidelines)\b",
    re.IGNORECASE,
)
_NO_METHOD = re.compile(
    r"\b(?:not|no|rather than|instead of|without)\b[^.;]{0,20}\b(?:methods?|models?"
    r"|algorithms?|predictors?)\b",
    re.IGNORECASE,
)
_RESOURCE_TYPES = re.compile(
    r"resource|data descriptor|dataset|data note|software|registered report"
    r"|analysis",
    re.IGNORECASE,
)
_IS_RESOURCE = words(
    r"(?:is|are|as) (?:an? )?(?:\w+ ){0,3}(?:data ?-?base|atlas|resource|repository|catalogue"
    r"|knowledge ?-?base|collection|compendium"
    r"|benchmark)",
    r"curat(?:ed|ors?|ion)",
    r"(?:freely )?(?:browse|search|download|quer)(?:ed|able|y|ies)\b",
    r"entries",
    r"crowd-?sourc\w+",
)


_OF_EXISTING = re.compile(
    r"\b(?:evaluat|assess|test|benchmark|examin|prob(?:e|ing)|demonstrat|show|ask|explor|investigat|compar"
    r"|audit)\w*\b[^.;]{0,80}"
    r"\b(?:GPT-?\d\S*|ChatGPT|LLMs?|(?:large )?language models?|foundation models?|existing (?:tools|models"
    r"|methods)|chatbots?)\b",
    re.IGNORECASE,
)
_PROMPTED = re.compile(r"\bprompt(?:s|ed|ing)?\b|\bzero-shot\b|\bGPT-?\d|\bChatGPT\b|\boff-the-shelf\b", re.IGNORECASE)
_OWN_TRAINING = re.compile(r"\b(?:fine-?tun|pre-?train|train|propose a)\w*", re.IGNORECASE)


def resource(paper: Scoped, made: Iterable[Contribution], article_type: str) -> Points:
    """A resource is offered, or something that exists is put to a test."""
    case = Points()
    if _RESOURCE_TITLE.search(paper.title):
        case.add(2.0)
    if _RESOURCE_TYPES.search(article_type):
        case.add(1.5)
    contributed = [
        contribution.line
        for contribution in made
        if contribution.kind == "resource" and contribution.line.zone in ("abstract", "introduction")
    ]
    _count(case, contributed, 2.5, most=1)
    asked = [line for line in paper.abstract if _OF_EXISTING.search(line.text)]
    prompted = [line for line in paper.abstract if _PROMPTED.search(line.text)]
    if asked and prompted and not any(_OWN_TRAINING.search(line.text) for line in paper.abstract):
        _count(case, [*asked, *prompted], 2.0, most=3)
    _count(case, [line for line in paper.abstract if _NO_METHOD.search(line.text)], 1.5, most=1)
    _count(case, [line for line in paper.abstract if _IS_RESOURCE.search(line.text)], 1.0, most=2)
    return case


# -- matter, living things, theory ------------------------------------------------------------

WET = words(
    r"mice|mouse|rats?|monkeys?|macaques?|zebrafish|drosophila"
    r"|animals?",
    r"patients?|participants?|volunteers?|cohorts?|births|women|hospitals?",
    r"cells? (?:were|was|lines?|culture)",
    r"antibod\w+|stain\w+|immuno\w+|western blots?|PCR|qPCR|plasmids?|transfect\w+|transgenic|knock-?outs?"
    r"|wild[- ]type|in vivo|in vitro",
    r"synthesi[sz]\w*|anneal\w+|spin-coat\w*|sputter\w+|evaporated|deposited by|substrates?|electrodes?"
    r"|electrolytes?|catalysts?|precursors?|recrystalli[sz]\w+|NMR|X-ray diffraction|XRD"
    r"|spectroscop\w+",
    r"electrophysiolog\w+|optogenetic\w*|fMRI|implant\w+|surgery|injected|injection|anaesthe\w+|anesthe\w+",
    r"fabricat\w+|lithograph\w+|micro-?LEDs?|lasers?|photoluminescence|conductance|solubility|crystals?"
    r"|crystallograph\w+",
    r"incubat\w+|cultured|biops\w+|serum|tissues?|supernatants?|DNA was|RNA was|sequenc(?:ed|ing)",
    r"hazard ratios?|odds ratios?|Cox models?|confidence intervals?|cohort study|randomi[sz]ed",
    r"soil|seedlings?|leaves were|plots?|field sites?|germination",
    r"devices? (?:reach|show|were|kept)|solar cells?"
    r"|efficiency of \d",
    r"expression (?:of|was)|regulates?|controls? \w+ in|required for|pathways?|receptors?|neurons?",
)
THEORY = words(
    r"theorems?",
    r"prov(?:e|ed|en)",
    r"proofs?",
    r"bounds?",
    r"analytical(?:ly)?",
    r"closed[- ]form",
    r"hamiltonians?",
    r"eigenvalues?",
    r"lemma",
    r"we derive",
    r"perturbation theory",
    r"mean-field",
    r"first[- ]principles",
    r"density functional",
    r"band structures?",
    r"asymptotic\w*",
    r"symmetr(?:y|ies)",
    r"topological",
    r"Floquet",
    r"Weyl",
    r"fixed points?",
)
COMPUTED = words(
    r"simulations?",
    r"modelled|modeled|modelling|modeling",
    r"reanalysis",
    r"remote(?:ly)?[- ]sens\w+",
    r"satellites?",
    r"MODIS|Landsat|NDVI",
    r"spatial(?:ly)?",
    r"prioriti[sz]\w+",
    r"conservation",
    r"scenarios?",
    r"climate models?",
    r"geospatial",
    r"cost models?",
    r"optimi[sz]ation",
    r"projections?",
    r"gridded",
    r"forecasts?",
    r"hydrolog\w+",
    r"levelized",
    r"bioinformatic\w+",
    r"software",
    r"database\w*",
    r"computational\w*",
    r"text analysis",
    r"natural language",
)


USED_AS_TOOL = re.compile(
    r"\b(?:was|were|is|are|been|being)\b[^.;]{0,40}\b(?:analy[sz]ed|identified|classified|predicted|quantified"
    r"|assessed|evaluated|segmented"
    r"|imputed|validated|confirmed|selected|estimated|determined)\b[^.;]{0,40}\b(?:using|with|by|via|through"
    r"|by means of)\b"
    r"|\b(?:using|applying|with the (?:help|aid) of|by means of|through|via|employing|leveraging|we (?:used|use"
    r"|applied|apply|employed|trained|fitted))\b",
    re.IGNORECASE,
)
"""Learning as a means: ``were analysed using a random forest``, ``using deep learning, we find``."""


def _title_line(paper: Scoped) -> list[Line]:
    from nature_gym.screening.manuscript import Sentence

    return [Line(Sentence(paper.title, "Title", "Title", 0), "title")] if paper.title else []


def best_statement(paper: Scoped, pattern: re.Pattern[str]) -> Line | None:
    """The abstract's sentence that says best what was done: in the authors' own voice, and with most of the cues."""
    lines = paper.abstract or paper.claims[:20]
    if not lines:
        return None
    return max(
        lines, key=lambda line: (2 * is_own(line.text)) + len(pattern.findall(line.text)) - 0.01 * lines.index(line)
    )
