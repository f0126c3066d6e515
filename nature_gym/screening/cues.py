"""Sentences with their scope, and words that are cues: whose voice it is, in which part of the paper, negated or not.

"A deep network was proposed" in the introduction is somebody else's; "we propose" in the abstract is the paper's own
claim; "was analysed with a random forest" in the methods is a tool. All rules of levels 1 and 2 look at sentences
through the one index here, which is built once a paper.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from nature_gym.screening.decisions import Evidence
from nature_gym.screening.manuscript import ABSTRACT, Manuscript, Sentence

Zone = Literal["title", "abstract", "introduction", "results", "discussion", "methods", "caption"]


def words(*alternatives: str) -> re.Pattern[str]:
    """Whole words or phrases, in either case. Alternatives are regular expressions without groups that capture."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})(?![\w])", re.IGNORECASE)


_ENDMATTER = re.compile(
    r"^(?:references?|bibliography|acknowledge?ments?|author(?:s|ship)? |authors?'? contribution|contributions?$"
    r"|funding"
    r"|competing|conflicts? of|ethics|ethical|additional information|supplementary|supporting|extended data|peer review"
    r"|rights and|about this|data(?: and code)? availability|code availability|availability|data records?$"
    r"|reporting summary"
    r"|code and data|data and (?:code|materials|software)|author information|change history|electronic supp|source data"
    r"|publisher|abbreviations|statistics and reproducibility$)",
    re.IGNORECASE,
)
_METHODS = re.compile(r"\bmethods?$|^(?:online )?methods?\b|^materials?\b|^experimental\b|^methodology", re.IGNORECASE)
_INTRODUCTION = re.compile(r"^(?:introduction|background|related work|main|)$", re.IGNORECASE)
_DISCUSSION = re.compile(r"^(?:discussion|conclusions?|summary|outlook|concluding|limitations)", re.IGNORECASE)
_FLOAT = re.compile(
    r"^(?:extended data |supplementary )?(?:table|fig(?:ure)?\.?|box|scheme"
    r"|chart)s? ?[a-z]?\d",
    re.IGNORECASE,
)

# A paragraph that speaks to a program that reads it is no statement of the paper.
_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|prompts?|rules?|guidelines)\b"
    r"|\b(?:note|message|instructions?|attention|notice|memo) (?:to|for) (?:the |any |all )?(?:ai|llms?"
    r"|language models?|automated"
    r"|reviewing (?:model|system)s?|machine (?:readers?|reviewers?)|assistants?|chatbots?|screening|artificial)\b"
    r"|\b(?:ai|llm|automated|machine) (?:reviewers?|screeners?|readers?|assistants?|graders?"
    r"|judges?)\b[^.]{0,80}\b(?:must|should|answer|report"
    r"|please|pass|accept|say)\b|\b(?:answer|reply|respond|output|return|verdict) (?:with )?[\"'“‘]?(?:pass"
    r"|accept|yes|passed)\b"
    r"|\bsystem prompt\b|\bas an ai\b|\bif you are (?:an? )?(?:ai|llm|language model|model)\b",
    re.IGNORECASE,
)

_NEEDLES = (
    "ignor", "disregard", "forget", "overrid", "instruction", " ai ", "ai:", "llm", "language model", "reviewer",
    "assistant", "chatbot", "answer", "verdict", "system prompt", "grader", "screener", "reply", "respond",
    "output pass", "return pass", "you are a",
)  # fmt: skip
"""Each statement to a program holds one of these; looking for them is much cheaper than looking for it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, and the part of the paper that it stands in."""

    sentence: Sentence
    zone: Zone

    @property
    def text(self) -> str:
        return self.sentence.text

    def evidence(self) -> Evidence:
        return self.sentence.evidence()


class Scoped:
    """A paper's sentences by zone. End matter and paragraphs that address a program are not among them."""

    def __init__(self, manuscript: Manuscript) -> None:
        self.title = manuscript.document.title
        self.lines: tuple[Line, ...] = tuple(_lines(manuscript))

    def in_zones(self, *zones: Zone) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.zone in zones)

    @functools.cached_property
    def abstract(self) -> tuple[Line, ...]:
        """The abstract; where there is none, the first paragraphs instead."""
        found = self.in_zones("abstract")
        return found or tuple(line for line in self.lines if line.zone == "introduction")[:_OPENING]

    @functools.cached_property
    def body(self) -> tuple[Line, ...]:
        return self.in_zones("introduction", "results", "discussion", "methods")

    @functools.cached_property
    def claims(self) -> tuple[Line, ...]:
        """Where a paper says what it did and found: abstract, introduction, results, discussion."""
        return self.in_zones("abstract", "introduction", "results", "discussion")


_OPENING = 12
_scoped: WeakKeyDictionary[Manuscript, Scoped] = WeakKeyDictionary()


def scoped(manuscript: Manuscript) -> Scoped:
    """The sentences of ``manuscript`` by zone, made once."""
    found = _scoped.get(manuscript)
    if found is None:
        found = _scoped[manuscript] = Scoped(manuscript)
    return found


def _lines(manuscript: Manuscript) -> Iterator[Line]:
    addressed = {
        (heading, start)
        for heading, _, text in manuscript.passages
        for start, paragraph in _paragraphs(text)
        if _speaks_to_a_model(paragraph)
    }
    starts = (
        {
            (heading, text_start): bounds
            for heading, _, text in manuscript.passages
            for text_start, bounds in _bounds(text)
        }
        if addressed
        else {}
    )
    seen: dict[tuple[str, str], Zone | None] = {}
    for sentence in manuscript.sentences:
        key = (sentence.section, sentence.chapter)
        if key not in seen:
            seen[key] = _zone(*key)
        zone = seen[key]
        if zone is None:
            continue
        if addressed and any(
            sentence.section == heading and start <= sentence.start < starts[heading, start]
            for heading, start in addressed
        ):
            continue
        yield Line(sentence, zone)


def _speaks_to_a_model(paragraph: str) -> bool:
    low = paragraph.lower()
    return any(needle in low for needle in _NEEDLES) and _TO_A_MODEL.search(paragraph) is not None


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _bounds(text: str) -> Iterator[tuple[int, int]]:
    for start, line in _paragraphs(text):
        yield start, start + len(line) + 1


def _zone(section: str, chapter: str) -> Zone | None:
    if section == ABSTRACT == chapter:
        return "abstract"
    if _FLOAT.match(section):
        return "caption"
    if _ENDMATTER.match(chapter.strip()) or _ENDMATTER.match(section.strip()):
        return None
    if _METHODS.search(chapter.strip()):
        return "methods"
    if _DISCUSSION.match(chapter.strip()):
        return "discussion"
    if _INTRODUCTION.match(chapter.strip()) and section == chapter:
        return "introduction"
    return "results"


# -- whose voice ---------------------------------------------------------------------

OWN_VOICE = re.compile(
    r"\b(?:we|our|ours|us)\b|\bhere(?:in)?\b|\b(?:this|the present|the current|present) (?:work|paper|study"
    r"|article|report|contribution)\b"
    r"|\bin the following\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|hardly|nothing|none|rather than|instead of|fails? to"
    r"|unable to|far from)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:previous(?:ly)?|prior|earlier|existing|recent(?:ly)?|others|elsewhere|et al|literature"
    r"|have been (?:proposed|introduced|developed"
    r"|used|shown)|has been (?:proposed|introduced|developed|used|shown)|traditional|conventional)\b",
    re.IGNORECASE,
)


def is_own(text: str) -> bool:
    """Whether the authors speak of themselves or of this work."""
    return OWN_VOICE.search(text) is not None


def speaks_of_others(text: str) -> bool:
    """Whether the sentence speaks of others' work, and not in the authors' own voice."""
    return _OTHERS.search(text) is not None and not is_own(text)


def negated(text: str, place: int, reach: int = 40) -> bool:
    """Whether a negation stands shortly before ``place``, in the same clause."""
    before = text[max(0, place - reach) : place]
    clause = re.split(r"[;:]|, (?:but|and|while|whereas)\b", before)[-1]
    return NEGATION.search(clause) is not None


def hits(lines: Iterable[Line], pattern: re.Pattern[str], *, negations: bool = False) -> list[Line]:
    """The lines that hold the cue, those that negate it apart."""
    return [
        line
        for line in lines
        if (match := pattern.search(line.text)) and (negations or not negated(line.text, match.start()))
    ]


# -- words of learning -----------------------------------------------------------------

LEARNING = words(
    r"machine[- ]learn\w*",
    r"deep[- ]learn\w*",
    r"(?:reinforcement|supervised|unsupervised|self-supervised|semi-supervised|representation"
    r"|transfer|active|meta-?|contrastive|federated|few-shot|zero-shot|metric|manifold|statistical|multi-?task"
    r"|curriculum|dictionary)[- ]learning",
    r"neural[- ](?:networks?|nets?|operators?|fields?|potentials?|models?|architectures?|decoders?|surrogates?"
    r"|ODEs?)",
    r"deep (?:neural )?(?:networks?|models?|nets?|generative)",
    r"(?:graph|convolutional|recurrent|residual|adversarial|attention|transformer|siamese|feed-?forward"
    r"|message-passing|equivariant|bayesian|spectral|capsule"
    r"|hopfield|reservoir|spiking|artificial|prototype|folding|implicit(?:-field)?|coordinate|hyper|operator"
    r"|restoration|denoising|gating|ranking|learned|trained|deep|segmentation"
    r"|sequence|two-dimensional attention)(?: \w+)?[- ]networks?",
    r"implicit (?:neural )?(?:fields?|representations?)",
    r"[CRGD]NNs?",
    r"ConvNets?",
    r"LSTMs?",
    r"GRUs?",
    r"MLPs?",
    r"GANs?",
    r"VAEs?",
    r"U-?Nets?",
    r"ResNets?",
    r"BERT",
    r"GPT-?\d?",
    r"perceptrons?",
    r"(?:vision |graph "
    r"|set )?transformers?(?! oil)",
    r"auto-?encoders?",
    r"encoder[-–]decoders?",
    r"language models?",
    r"LLMs?",
    r"foundation models?",
    r"diffusion models?",
    r"generative (?:models?|adversarial"
    r"|network)",
    r"random forests?",
    r"(?:gradient|tree|extreme|ada)[- ]?boost\w*",
    r"XGBoost",
    r"LightGBM",
    r"CatBoost",
    r"support[- ]vector",
    r"SVMs?",
    r"classifiers?",
    r"decision trees?",
    r"(?:kernel )?ridge regressions?",
    r"kernel (?:methods?|machines?|logistic|regression)",
    r"gaussian process(?:es)?",
    r"elastic net",
    r"lasso(?: regression| regulari[sz]ation| penalty)?",
    r"naive bayes",
    r"nearest[- ]neighbou?rs?",
    r"word embeddings?",
    r"backpropagat\w+",
    r"stochastic gradient descent",
    r"training (?:data|set|sets|samples|examples|images"
    r"|loss)",
    r"held[- ]out",
    r"test set",
    r"(?:hyper-?parameter|fine)[- ]?tun\w+",
    r"pre-?train\w*",
    r"loss function",
    r"learning (?:algorithms?|rates?|rules?|problems?|tasks?|systems?|methods?|models?"
    r"|-based)",
    r"machine intelligence",
    r"artificial intelligence",
    r"AI",
    r"AlphaFold\d?",
    r"expectation[- ]maximi[sz]ation",
    r"learned (?:representations?|embeddings?|potentials?|surrogates?"
    r"|models?)",
    r"interatomic potentials?",
    r"cross-validat\w+",
)
"""Words that only machine learning uses."""

LEARNERS = words(
    r"random forests?",
    r"(?:gradient|tree|extreme|ada)[- ]?boost\w*",
    r"XGBoost",
    r"LightGBM",
    r"CatBoost",
    r"support[- ]vector",
    r"SVMs?",
    r"classifiers?",
    r"decision trees?",
    r"neural[- ]net\w*",
    r"[CRGD]NNs?",
    r"deep[- ]learn\w*",
    r"machine[- ]learn\w*",
    r"auto-?encoders?",
    r"MLPs?",
    r"LSTMs?",
    r"perceptrons?",
    r"lasso(?: regression)?",
    r"elastic net",
    r"naive bayes",
    r"nearest[- ]neighbou?rs? (?:classif|regress)\w+",
    r"gaussian process(?:es)?",
    r"language models?",
    r"LLMs?",
    r"U-?Nets?",
    r"(?:linear |neural |bayesian )?decoders?",
    r"DeepLabCut",
    r"penali[sz]ed regression",
    r"discriminant analysis",
    r"(?:kernel )?ridge regression",
    r"learned model",
    r"models? (?:\w+ ){0,2}trained (?:to|on|with|for)",
    r"regressions? (?:models? )?(?:were |was )?trained",
    r"for training and (?:\S+ ){1,6}for testing",
)
"""Learners that a study may use as its tools."""

TRAINING = words(
    r"epochs?",
    r"learning rates?",
    r"batch(?:es)? (?:size|of \d+)",
    r"validation (?:loss|set|part)",
    r"test (?:set|part|data)",
    r"training (?:set|part|data|loss)",
    r"(?:models?|networks?|method|decoder|classifier|weights|parameters|baselines) (?:were|was|are"
    r"|is) (?:re-?)?trained",
    r"hyper-?parameters?",
    r"adamw?",
    r"regulari[sz]ation",
)
"""Words of fitting a model."""
