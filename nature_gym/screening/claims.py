"""What a paper claims of its method: better, as good, worse; in quality or in cost; or that it makes no such claim.

Claims are sentences of the abstract, the results and the discussion that compare. Whose side wins is told by the words
of comparison and by who stands before and after them; a negation turns a claim round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.cues import Line, Scoped, negated, words
from nature_gym.screening.methods import Methods, line_names
from nature_gym.screening.metric_lexicon import mentions
from nature_gym.screening.result_tables import is_named

Side = Literal["better", "equal", "worse"]
Matter = Literal["quality", "efficiency", "unclear"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that compares the method with others."""

    line: Line
    side: Side
    matter: Matter


_BETTER = re.compile(
    r"\b(?:out-?perform\w*|surpass\w*|exceed(?:s|ed|ing)?|beat(?:s|en)?|super(?:ior|sede)\w*|outrank\w*"
    r"|outdo(?:es|ne)?|outclass\w*|top(?:s|ped)\b|excel(?:s|led)?|improv(?:es?|ed|ing|ements?)|advance(?:s"
    r"|d)? the state"
    r"|state[- ]of[- ]the[- ]art (?:performance|accuracy|results?)|new state[- ]of[- ]the[- ]art|record|best"
    r"|highest|lowest|(?:better|higher|lower|greater|smaller|larger|more accurate(?:ly)?|fewer"
    r"|less)\b[^.;]{0,60}\bthan|(?:more accurate|better|fewer errors)"
    r"|ahead of|above (?:all|that of|those of|every|any|the)|below (?:all|that of|those of|every|any)|win(?:s"
    r"|ning)?|won|leads?|leading|reduc(?:es|ed|tion)|halv(?:es|ed)|cut(?:s)?|rais(?:es|ed)|lower(?:s|ed)"
    r"|gain(?:s|ed)?|rises? from|falls? from|drops? from|up from|down from|instead of|as against|against|whereas"
    r"|compared (?:with|to)|versus|vs\.?|clos(?:er|est) to|greatly|remarkabl\w+)\b",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:out-?perform\w*|surpass\w*|exceed(?:s|ed)?|beat(?:s)?|superior|outdo(?:es|ne)?"
    r"|state[- ]of[- ]the[- ]art|(?:achiev|attain|reach|obtain|yield|show|ha|giv|return|scor"
    r"|retriev)\w*[^.;]{0,30}\b(?:best|highest|lowest)|(?:better|higher|lower|greater|smaller"
    r"|more accurate(?:ly)?)\b[^.;]{0,80}\bthan"
    r"|(?:sharper|clearer|cleaner|crisper|finer|fewer|smoother|more (?:realistic|natural|faithful|detailed|plausible))"
    r"\b[^.;]{0,80}\bthan\b|improv(?:es|ed|ing)\b[^.;]{0,80}\b(?:from|over|upon|on|by)|ahead of (?:all|every|any"
    r"|the)|above (?:all"
    r"|every|any)|below (?:all|every|any)|best of all|first among)",
    re.IGNORECASE,
)
_WORSE = re.compile(
    r"\b(?:fall(?:s|ing)? (?:\w+ )?(?:short|behind|below)|fell (?:short|behind|below)|stay(?:s"
    r"|ed)? (?:\w+ )?(?:behind|below|short)|lag(?:s|ged|ging)?(?: behind)?|trail(?:s|ed|ing)?|inferior"
    r"|under-?perform\w*|remain(?:s|ed)? (?:\w+ )?(?:behind|below|short)|com(?:es|e) (?:in )?(?:second|behind"
    r"|third|short)|rank(?:s|ed)? (?:second|third|behind|below|last)"
    r"|(?:is|are|was|were|being) (?:\w+ )?(?:beaten|out-?performed|surpassed|exceeded|worse|less accurate|weaker"
    r"|behind)|(?:does|do|did|could|can) ?(?:not|n['’]t) (?:quite )?(?:match|reach|attain|equal|beat|exceed"
    r"|surpass|improve|outperform|keep up)|fails? to (?:match|reach|exceed|beat|outperform|surpass)|not (?:as"
    r"|so) (?:accurate|good|high)|worse than|less accurate than|short of|concede[sd]?|gives? (?:up|away)"
    r"|loses? (?:to|against)|sacrific\w+|at the (?:price|cost|expense) of (?:some |a little |lower )?(?:accuracy"
    r"|performance|quality)|no match for|second to|next to)\b",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"\b(?:on par|on a par|comparabl[ey]|equal(?:ly|s|led)?|as (?:accurate|good|well) as|the same (?:accuracy"
    r"|quality|performance|error|score)|similar (?:accuracy|quality|performance|error)|match(?:es|ed|ing)?"
    r"|without (?:any )?(?:loss|losing|sacrific\w+|giving up|compromis\w+|degrad\w+)(?: of| in)?|no (?:loss|cost"
    r"|change|sacrifice) (?:of|in|to)|indistinguishable|retain(?:s|ing)?|preserv(?:es|ing)|maintain(?:s|ing)?"
    r"|keep(?:s|ing)? (?:the )?(?:accuracy|quality|error)|unchanged (?:accuracy|quality|error)"
    r"|within (?:the )?(?:noise|spread|error)|at (?:an? )?(?:equal|unchanged|similar|comparable|the same|matched))\b",
    re.IGNORECASE,
)
_COST = words(
    r"faster",
    r"slower",
    r"speed(?:s|-?ups?)?",
    r"latenc(?:y|ies)",
    r"run-?times?",
    r"(?:inference|computation(?:al)?|training|prediction|wall[- ]?clock|running|computing|processing|cpu|gpu) times?",
    r"memory",
    r"FLOPs?",
    r"parameters",
    r"throughput",
    r"(?:computational|compute|computing|energy|inference|memory|storage|evaluation|training|hardware) (?:costs?"
    r"|budgets?|demands?|footprints?|consumption|requirements?|needs|efficiency|resources)",
    r"ms",
    r"milliseconds?",
    r"seconds?",
    r"minutes",
    r"(?:times|fold|orders? of magnitude) (?:faster|cheaper|less|fewer|smaller|quicker"
    r"|lighter)",
    r"cheaper",
    r"lighter",
    r"light-?weight",
    r"quicker",
    r"time of (?:a |one |each )?(?:prediction|inference|evaluation|step|run)",
    r"time (?:of|for|per|a|it takes)",
    r"GB",
    r"MB",
    r"gigabytes?",
    r"megabytes?",
    r"joules?",
    r"mJ",
    r"watts?",
    r"less (?:memory|time|energy|compute)",
    r"efficien(?:t|cy|tly)",
    r"half the (?:time|memory|cost)",
    r"costs?",
)
_ANALYSIS = re.compile(
    r"\b(?:purpose|aim|goal|intent(?:ion)?|object(?:ive)?|point|question|interest|concern|focus"
    r"|subject)s?\b[^.;]{0,60}\b(?:not|rather than|instead of|is less|nor|never)\b[^.;]{0,80}\b(?:exceed|beat"
    r"|out-?perform|surpass|improv\w+|better|best|accurate|accuracy|competit\w+|compet\w+"
    r"|state[- ]of[- ]the[- ]art|earlier|other|records?|rank\w*|compar\w+|new)"
    r"|\b(?:not|n['’]t|never|nor|without) (?:\w+ ){0,4}(?:exceed|beat|out-?perform|surpass|compet\w*"
    r"|improve (?:up)?on|compare (?:it|\w+) with|claim\w*|race|rank)\b[^.;]{0,80}\b(?:but|instead|rather"
    r"|we (?:ask|study|analy|characteri|examine|investigate|want)|what (?:we|interests)|it is)"
    r"|\b(?:we|this (?:study|work|paper|article)) (?:analy[sz]es?|stud(?:y|ies)|characteri[sz]es?|examin(?:es?)"
    r"|investigat(?:es?)|dissects?|maps?|asks?|describes?|explores?)\b[^.;]{0,60}\bhow\b[^.;]{0,40}\b(?:errors?"
    r"|accuracy|performance|behaviou?r|it|its|representations?|residuals?|predictions?|quality"
    r"|scores?)\b[^.;]{0,40}\b(?:depends?|changes?|scales?|var(?:y|ies)|grows?|responds?|behaves?|moves?"
    r"|evolves?|shifts?)"
    r"|\b(?:analy[sz]e|study|characteri[sz]e|examine|understand|investigate|ask|learn"
    r"|see)\b[^.;]{0,20}\bhow\b[^.;]{0,60}\b(?:depends?|changes?|scales?|var(?:y|ies)|grows?"
    r"|behaves?)\b[^.;]{0,40}\b(?:width|depth|size|number|noise|data|parameters?|units|layers?|capacity)"
    r"|\bhow (?:do|does|did)\b[^.;?]{0,60}\b(?:loss|errors?|accuracy|performance|quality|scores?|representations?)\b"
    r"[^.;?]{0,80}\b(?:depends?|scales?|var(?:y|ies)|changes?|grows?|respond)\b"
    r"|\b(?:follow|find|found|obey|observe|reveal|yield|show)\w* (?:\w+ )?power[- ]laws?\b"
    r"|\bno (?:other|competing|rival|baseline|earlier) (?:\w+ )?(?:decoder|model|method|network|baseline"
    r"|algorithm|approach|classifier|predictor)s? (?:was|were|is|are|has been|have been) (?:\w+ )?(?:trained|run"
    r"|tested|considered|compared|included|used|fitted|evaluated)"
    r"|\b(?:comparisons?|ranking|competition) (?:with|to|against|of) (?:other|earlier|existing|competing"
    r"|rival)[^.;]{0,40}\b(?:is|are|was|were) not\b|\bscaling (?:behaviou?r|laws?|analysis)\b|\b(?:a"
    r"|an) (?:analysis|characteri[sz]ation|anatomy|dissection|study) of (?:the |its |how )?(?:errors?|behaviou?r"
    r"|width|depth|failure)",
    re.IGNORECASE,
)


def claims(paper: Scoped, methods: Methods) -> tuple[Claim, ...]:
    """All claims of the own method against others, abstract first."""
    found = []
    for line in paper.claims:
        if line.zone == "introduction" and not line_names(line, methods):
            continue
        claim = _claim(line, methods)
        if claim is not None:
            found.append(claim)
    return tuple(found)


def _claim(line: Line, methods: Methods) -> Claim | None:
    text = line.text
    ours = line_names(line, methods) or line.zone == "abstract"
    if not ours:
        return None
    worse = _WORSE.search(text)
    if worse and not negated(text, worse.start(), 20) and _is_about_own(text, worse, methods):
        return Claim(line, "worse", _matter(text))
    strong = _STRONG.search(text)
    if strong and not negated(text, strong.start(), 25):
        return Claim(line, "better", _matter(text))
    equal = _EQUAL.search(text)
    matter = _matter(text)
    if equal:
        return Claim(line, "better" if matter == "efficiency" else "equal", matter)
    better = _BETTER.search(text)
    if better and _compares_numbers(text) and not negated(text, better.start(), 25):
        return Claim(line, "better", matter)
    return None


def _is_about_own(text: str, match: re.Match[str], methods: Methods) -> bool:
    """``A falls short of B``: it is the own method that does, if it stands before the words, or nobody else does."""
    before = text[: match.start()]
    if re.search(
        r"^\W*(?:\w+\W+){0,2}(?:by"
        r"|to) ",
        text[match.end() :],
    ) and match[0].lower().startswith(("is ", "are ", "was ", "were ")):
        return is_named(before, methods.names)
    last = before[max(0, len(before) - 90) :]
    if any(is_named(last, (baseline,)) for baseline in methods.baselines) and not is_named(last, methods.names):
        return False
    return is_named(last, methods.names) or bool(
        re.search(
            r"\b(?:it|we|our|the (?:new )?(?:method|model"
            r"|network))\b",
            last,
            re.IGNORECASE,
        )
    )


_TWO_NUMBERS = re.compile(r"\d[\d.,]*\s?\S{0,12}[^.;]*?\b\d")


def _compares_numbers(text: str) -> bool:
    return _TWO_NUMBERS.search(text) is not None


def _matter(text: str) -> Matter:
    """What is compared: quality, cost, or not said."""
    natures = [kind.nature for _, kind in mentions(text)]
    cost = len(_COST.findall(text)) + natures.count("efficiency")
    quality = natures.count("quality") + natures.count("unknown") + natures.count("human")
    if cost and (quality == 0 or _EQUAL.search(text)):
        return "efficiency"
    if quality:
        return "quality"
    return "unclear"


def analysis_statements(lines: Iterable[Line]) -> list[Line]:
    """Sentences that say that a study of the model, and no contest, is the point."""
    return [line for line in lines if _ANALYSIS.search(line.text)]
