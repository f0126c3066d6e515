"""How methods are evaluated: on a fixed split, a random one, an external test set, or by k-fold cross-validation.

Each sentence that tells of a protocol is a mention, with its role: cross-validation among the training data, which
chooses a penalty or a threshold, evaluates nothing, and a side experiment is not what the paper rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.manuscript import Manuscript, Sentence
from nature_gym.screening.statements import STATISTICS

Protocol = Literal["fixed_split", "random_split", "k_fold", "external_test"]
Role = Literal["core", "side", "tuning"]

_NUMBER = (
    r"(?:\d{1,3}|[kKnN$]+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|multi|several|nested|repeated|"
    r"leave-one-\w+-out)"
)
K_FOLD = re.compile(
    rf"\b{_NUMBER}[-‐‑–\s]?(?:times[-\s])?fold(?:s)?[-‐‑–\s](?:\w+[-‐‑–\s]){{0,3}}?cross[-‐‑–\s]?validat\w*|"
    rf"\bcross[-‐‑–\s]?validat\w*|\b{_NUMBER}[-‐‑–\s]?fold (?:CV|evaluation|protocol|scheme|procedure)\b|"
    r"\bleave[-‐‑–\s]one[-‐‑–\s](?:\w+[-‐‑–\s])?out\b|\bleave[-‐‑–]\w+[-‐‑–]out\b|\bjack-?knife\b|"
    r"\b(?:over|across|of|in each of) (?:all |the |these )*(?:\w+ )?folds\b|\bin each fold\b|\bLOOCV\b|"
    rf"\b(?:divided|split|partitioned|cut) (?:\w+ ){{0,3}}?into (?:{_NUMBER}) (?:equal |disjoint |"
    rf"random )*(?:folds|parts)\b"
    rf"(?=[^.]{{0,200}}\b(?:each|every|turn|left out|in turn|once)\b)|"
    rf"\b{_NUMBER}[-‐‑–]fold\b(?=[^.]{{0,200}}\b(?:average|mean)\b)",
    re.IGNORECASE,
)
_FIXED = re.compile(
    r"\b(?:pre-?defined|fixed|official|standard|provided|published|original|public|canonical|default|given|"
    r"established|"
    r"recommended|same|existing|supplied|benchmark[’'`]?s?(?: own)?|authors[’'`]) (?:[\w/–-]+ ){0,2}?(?:splits?|"
    r"partitions?|"
    r"divisions?|train\w*[-/ –]test|test (?:sets?|parts?|splits?|data))\b|"
    r"\b(?:held[-\s]?out|hold[-\s]?out|unseen|withheld|reserved|blind|untouched) "
    r"(?:\w+ ){0,2}?(?:test|evaluation|set|sets|part|parts|split|data|samples|patients|subjects)\b|"
    r"\b(?:separate|final|independent|dedicated) (?:\w+ )?(?:test|evaluation) (?:sets?|parts?|data|samples?|"
    r"splits?)\b|\bindependent tests?\b|"
    r"\b(?:held|hold|holding) out (?:\d|(?:\w+ ){1,4}?(?:for|as) (?:a |the )?(?:test|evaluation))|"
    r"\b(?:released|published|deposited|collected|solved) after\b|\bafter the (?:\w+ )?cut-?off\b|"
    r"\b(?:time|date|year|temporal|cluster|scaffold|famil(?:y|ies)|homology|identity|similarity|patient|subject|site|"
    r"centre|center)(?:[- ](?:based|wise|level|disjoint))? split\w*|"
    r"\b(?:set|put|kept|left) (?:apart|aside)\b|\b(?:split|divided|partitioned|assigned|"
    r"separated) (?:\w+ ){0,3}?(?:once|"
    r"a single time|one time)\b|\b(?:single|one) (?:\w+ ){0,2}?(?:split|partition|division)\b|"
    r"\b(?:row numbers?|indices|ids?|identifiers|lists?|files?) of (?:\w+ ){0,3}?(?:split|partition|test|"
    r"both groups)\b|"
    r"\bsplits? (?:\w+ ){0,3}?(?:is|are|was|were) (?:\w+ )?(?:stored|provided|given|deposited|released|included|"
    r"fixed)\b|"
    r"\b(?:train(?:ing|ed)?|development)\b[^.]{0,80}\b(?:until|up to|before|from|on|in) (?:\w+ )?(?:19|"
    r"20)\d\d\b[^.]{0,120}"
    r"\b(?:test|evaluat)\w*\b[^.]{0,80}(?:19|20)\d\d\b|\bchromosomes?\b[^.]{0,120}\btest\w*\b|"
    r"\btest\w*\b[^.]{0,60}\bchromosomes?\b|\bserved? as (?:the |a |our )?(?:fixed |independent )?test (?:set|"
    r"data)\b|"
    r"\bno split\b|"
    r"\b(?:generated|drawn|made|simulated|sampled|created) (?:\w+ ){0,2}?(?:once|a single time|one time)\b|"
    r"\bfixed (?:\w+ ){0,3}?(?:targets?|specifications?|benchmarks?|tasks|instances|problems|quer(?:y|ies)|"
    r"reference)\b|"
    r"\bthe same (?:\w+ ){0,3}?(?:test|reference|evaluation|target) (?:\w+ )?(?:files?|sets?|data|samples?|"
    r"parts?|cases)\b|\btemporal (?:split|hold-?out)\b|\bscaffold split\b",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:split|divided|partitioned|separated|assigned) (?:\w+ ){0,4}?(?:into|in|"
    r"to)\b[^.;]{0,80}?\btrain\w*[^.;]{0,80}?"
    r"\b(?:test\w*|held[- ]out|evaluation)\b|"
    r"\b(?:training|development) (?:table|set|part|file|data|samples?)\b[^.]{0,80}\btest (?:table|set|part|file|"
    r"data|samples?)\b|"
    r"\b\d[\d,]{0,12} (?:\w+ ){0,3}?(?:for|to|as) (?:training|"
    r"development)\b[^.]{0,60}\b\d[\d,]{0,12} (?:\w+ ){0,3}?(?:for|to|as) "
    r"(?:the )?(?:test|evaluation)\w*\b|"
    r"\b(?:for|in) (?:training|development)\b[^.;]{0,60}\b(?:for|in) (?:testing|(?:the )?tests?|evaluation)\b|"
    r"\btest (?:sets?|parts?|periods?|years?|splits?|samples|cases|tables?)\b",
    re.IGNORECASE,
)
"""A test set is spoken of, as it also is where each fold has one, or each of many splits."""
_RANDOM = re.compile(
    r"\brandom(?:ly)?[-\s](?:\w+[-\s]){0,4}?(?:split|splits|splitting|partition\w*|divided|assigned|selected|sampled|"
    r"shuffled|held|drawn|picked|chosen|subset)\b|\b(?:split|splits|divided|partition\w*|assigned|"
    r"shuffled) (?:\w+[-\s]){0,6}?"
    r"(?:at random|randomly)\b|\btrain_test_split\b|\brandom_state\b|\brandom (?:seed|state)\b|"
    r"\bstratified (?:split|sampling)\b|"
    r"\bby chance\b|\bbootstrap (?:hold-?out|splits?)\b",
    re.IGNORECASE,
)
_ONCE = re.compile(r"\b(?:once|single|seeds?|random_state|random state|fixed|same|stored|one)\b", re.IGNORECASE)
_EXTERNAL = re.compile(
    r"\b(?:external|out-of-distribution|prospective|cross-(?:site|centre|center|hospital|domain)) "
    r"(?:\w+ ){0,2}?(?:validation|test\w*|cohorts?|data ?sets?|evaluation|test sets?|hospitals?|centres?|centers?)\b|"
    r"\bindependent (?:\w+ )?(?:validation|test|evaluation) (?:cohorts?|data ?sets?|hospitals?|centres?|centers?)\b|"
    r"\b(?:tested|evaluated|validated|generali[sz]\w+|predict\w*|applied) (?:\w+ ){0,4}?(?:on|in|to|"
    r"with) (?:an? |the )?"
    r"independent (?:\w+ )?(?:cohorts?|data ?sets?)\b|"
    r"\bexternal(?:ly)? validat\w+\b|\b(?:without|no) (?:re-?training|fine-?tuning|adaptation)\b",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"\b(?:repeated|repeat(?:ing)?|averaged? over|mean over|over|across) (?:\w+ ){0,2}?(?:random |different |"
    r"independent )+"
    r"(?:splits?|partitions?|train\w*[-/ –]test splits?|divisions?|shuffles?)\b|"
    r"\b(?:splits?|partitions?) (?:was|were) repeated\b|\bMonte[-\s]Carlo cross",
    re.IGNORECASE,
)
_TUNING = re.compile(
    r"\b(?:hyper-?parameters?|penalt(?:y|ies)|regulari[sz]ation|thresholds?|tun(?:ed|ing|e)|select(?:ed|ing|"
    r"ion)|chosen?|"
    r"choos(?:e|ing)|chose|grid|calibrat\w+|scaling|early stopping|length scale|kernel weights?|"
    r"number of (?:trees|layers|"
    r"components|neighbou?rs)|model selection|optimi[sz]ed|cross-fitt\w+|stacking|out-of-fold|inner|internal)\b|"
    r"\b(?:within|among|on|of|in|inside|over) (?:only )?(?:the |our |all |each )?(?:training|development|train)\b"
    r"(?! and (?:test|evaluation))|\btraining (?:set|part|data|table|samples|folds?) (?:only|alone)\b",
    re.IGNORECASE,
)
_EVALUATES = re.compile(
    r"\b(?:evaluat\w+|performances?|results?|reported?|scores?|accurac(?:y|ies)|errors?|metrics?|estimated|"
    r"assess\w*|tested|"
    r"compar\w+|no (?:separate|fixed|held-out|independent) test|whole|all (?:methods?|"
    r"models?|"
    r"experiments)|every method|benchmark\w*|validat(?:ed|ion) of)\b",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"\b(?:side|additional|supplementary|secondary|exploratory|pilot|further|auxiliary|toy|sanity|anecdotal|"
    r"illustrative) "
    r"(?:\w+ )?(?:experiments?|analys[ei]s|study|studies|tests?|checks?|examples?|comparisons?|data ?sets?)\b|"
    r"\btoo (?:few|small|short) (?:\w+ )?(?:for|to)\b|\bcase stud(?:y|ies)\b|\bfor completeness\b|"
    r"\bfixed test set would be\b|"
    r"\banecdot\w+|\bproof of (?:concept|principle)\b|\bas an aside\b|\bmeaningless\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:held[-\s]?out|hold[-\s]?out|independent|external|separate) (?:\w+ ){0,2}?(?:test|cohort|set|data|"
    r"evaluation|"
    r"subjects|patients|samples)",
    re.IGNORECASE,
)
_NOT_SELF = re.compile(
    r"^(?:introduction|background|related work|discussion|conclusions?|outlook|references|limitations|competing|"
    r"author|"
    r"acknowledge?ments?|data and code|data availability|code availability)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"fold|cross|split|partition|test|held|hold|leave|apart|aside|random|divid|extern|independ|jack|chromosom|"
    r"prospective|"
    r"retrain|re-train|once|shuffl|validat|single|same|fixed|evaluat|train|after",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:no|without|instead of|rather than|not|nor|neither|lacks?|there is no|avoid\w*) (?:any |an? |"
    r"the )?(?:\w+ )?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that tells how something was evaluated."""

    protocol: Protocol
    role: Role
    sentence: Sentence
    repeated: bool = False
    """Drawn anew many times, so that there is no one test set."""
    strong: bool = True
    """Says so itself; a mere word on a test set does not."""


def protocol_mentions(manuscript: Manuscript) -> tuple[Mention, ...]:
    """All that the paper says of how its methods were evaluated, in its order."""
    return tuple(_mentions(manuscript.sentences))


def _mentions(sentences: Iterable[Sentence]) -> Iterator[Mention]:
    for sentence in sentences:
        if _HINT.search(sentence.text) and not _NOT_SELF.match(sentence.chapter):
            yield from mentions_in(sentence)


def mentions_in(sentence: Sentence) -> Iterator[Mention]:
    """What one sentence tells; cross-validation and a fixed test set may both be in it."""
    text = STATISTICS.sub(" ", sentence.text)
    side = bool(_SIDE.search(text))
    fold = _asserted(K_FOLD, text)
    role: Role = "side" if side else "core"
    if fold is not None:
        of_folds = _role_of_folds(text, fold, side=side)
        yield Mention("k_fold", of_folds, sentence)
        if of_folds == "core" and _asserted(_APART, text) is None:
            return
    if _REPEATED.search(text):
        yield Mention("random_split", role, sentence, repeated=True)
        return
    if _asserted(_EXTERNAL, text) is not None:
        yield Mention("external_test", role, sentence)
        return
    fixed, drawn = _asserted(_FIXED, text), _RANDOM.search(text)
    if drawn is not None and re.search(
        r"\b(?:tests?|testing|tested|held|hold-?out|evaluation|train\w*|partition\w*|divided|quer(?:y|ies))\b", text
    ):
        yield Mention("fixed_split" if fixed and _ONCE.search(text) else "random_split", role, sentence)
    elif fixed is not None:
        yield Mention("fixed_split", role, sentence)
    elif _asserted(_WEAK, text) is not None:
        yield Mention("fixed_split", role, sentence, strong=False)


def _role_of_folds(text: str, fold: re.Match[str], *, side: bool) -> Role:
    """Whether cross-validation evaluates methods or serves to choose something among the training data."""
    if side:
        return "side"
    if _BY_FOLDS.search(text, max(0, fold.start() - 100), fold.start()):
        return "core"
    near = text[max(0, fold.start() - 120) : fold.end() + 120]
    if _TUNING.search(near) and not re.search(r"\bno (?:separate|fixed|held-out|independent) test\b", text):
        evaluates = re.search(
            r"\b(?:evaluat\w+|report\w*|performance) (?:\w+ ){0,4}?(?:by|with|using|in|through|over|under)\b", near
        )
        return "core" if evaluates and not re.search(r"\b(?:hyper|penalt|within the (?:train|dev))", near) else "tuning"
    return "core" if _EVALUATES.search(text) or _DONE.search(text) else "tuning"


_BY_FOLDS = re.compile(
    r"\b(?:evaluat\w+|assess\w*|estimated|measured|validated|benchmarked) (?:\w+ ){0,5}?(?:by|with|using|in|"
    r"through|via|under|"
    r"over)\s(?:\w+[\s-]){0,3}?$",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:divided|split|partitioned|in turn|left out|performed|carried out|repeated|run|ran|used|employed|"
    r"applied|conducted|"
    r"adopted)\b",
    re.IGNORECASE,
)


def _asserted(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match that is not denied ("no separate test set")."""
    return next(
        (
            found
            for found in pattern.finditer(text)
            if not _NEGATED.search(text, max(0, found.start() - 40), found.start())
        ),
        None,
    )


_OF_FOLDS = re.compile(
    rf"\b{_NUMBER}[-‐‑–\s]?fold\b|\bcross[-‐‑–\s]?validat|\bCV\b|\bleave-one|\bfolds\b", re.IGNORECASE
)


def is_cross_validated(label: str) -> bool:
    """Whether a label or caption says that its values come from cross-validation, and from nothing else.

    >>> is_cross_validated("Exercise (5-fold)"), is_cross_validated("Comparison on the test parts")
    (True, False)
    >>> is_cross_validated("R2 in fivefold cross-validation and on the independent test set")
    False
    """
    return bool(_OF_FOLDS.search(label)) and _asserted(_APART, label) is None
