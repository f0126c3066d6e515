"""Reads a score as a paper prints it: "95.5 ± 0.2", "~0.97", "0.85–0.97", "1.2 × 10⁻³".

The idea: a score is one number, and whatever stands beside it says how sure it is, which end of a range it is, or
in what unit. What fits none of the known forms is refused with a reason, so that no anchor is ever guessed.
The mode ``naturebench`` reads as the published evaluation service does, guesses included, to compare with
its results; see docs/scores.md for where the two differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from nature_gym.errors import FindingsError, UsageError
from nature_gym.metrics.entry import DIRECTIONS, HIGHER, Direction

Mode = Literal["naturegym", "naturebench"]
MODES: tuple[Mode, ...] = ("naturegym", "naturebench")
Form = Literal[
    "number",
    "labelled mean",
    "plus-minus",
    "spread in parentheses",
    "interval in parentheses",
    "approximate",
    "range",
    "bound",
    "labelled",
    "parentheses",
    "leading number",
]
LONGEST = 2000
"""No score takes more characters than this to print."""


@dataclass(frozen=True, slots=True)
class Score:
    """A printed score: the number as printed (87.3% is 87.3), its unit, and the form it was printed in."""

    value: float
    unit: str | None
    form: Form


class UnreadableScoreError(FindingsError):
    """What is printed is not one number."""


def direction_of(word: str) -> Direction:
    """``word`` as a direction; UsageError unless it is one of the two."""
    for direction in DIRECTIONS:
        if word == direction:
            return direction
    raise UsageError(
        f"There is no direction {word[:40]!r}.", hint="It is higher_is_better or lower_is_better, in these words."
    )


def read_score(printed: object, direction: str, mode: Mode = "naturegym") -> Score:
    """The score that ``printed`` (a string, or a number from JSON) states.

    ``direction`` says which end of a range is meant: the better one. Raises UnreadableScoreError, whose message is the
    reason, and UsageError for a direction other than the two words.
    """
    better = direction_of(direction)
    if mode == "naturebench":
        return _as_published(printed, better)
    if isinstance(printed, bool) or not isinstance(printed, str | int | float):
        raise _refused("there is no score" if printed is None else "a score is a string or a number")
    if not isinstance(printed, str):
        try:
            return Score(_finite(float(printed)), None, "number")
        except OverflowError:
            raise _refused("infinity is no score") from None
    text = _plain(printed)
    if _MEAN.search(text):
        return _labelled_mean(text)
    return _measure(_without_label(text), better)


def _refused(reason: str) -> UnreadableScoreError:
    return UnreadableScoreError(reason, hint="Give one number, as in '95.5 ± 0.2', '~0.97', '0.85-0.97' or '<1.6'.")


def _finite(value: float) -> float:
    if math.isnan(value):
        raise _refused("NaN is no score")
    if math.isinf(value):
        raise _refused("infinity is no score")
    return value


# --- Characters -------------------------------------------------------------------------------------

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_ONE_FOR_ANOTHER = str.maketrans(
    {
        **dict.fromkeys("−‐‑﹣⁻", "-"),
        **dict.fromkeys("‒–—―", "–"),
        **dict.fromkeys("≈∼≃≅˜⁓", "~"),
        **dict.fromkeys("⩽≦", "≤"),
        **dict.fromkeys("⩾≧", "≥"),
        **dict.fromkeys("✕⨯⋅·∙", "×"),
        **{chr(0xFF01 + place): chr(0x21 + place) for place in range(94)},  # full-width forms
        "\ufe62": "+",
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", None),
    }
)
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_TEN = re.compile(r"(?:^|[^0-9.])10 ?$")


def _plain(printed: str) -> str:
    """``printed`` with one character for each meaning: one minus, one dash, one tilde, one blank; 10⁻³ as 10^-3."""
    if len(printed) > LONGEST:
        raise _refused(f"no score is {len(printed)} characters long")
    pieces, end = [], 0
    for raised in _RAISED.finditer(printed):
        before = printed[end : raised.start()]
        ten = _TEN.search(printed[max(0, raised.start() - 4) : raised.start()])
        if not ten and not before[-1:].isalpha():
            raise _refused("a raised digit that is no power of ten: a footnote, or another power")
        pieces += [before, "^" if ten else "", raised.group().translate(_SUPERSCRIPTS)]
        end = raised.end()
    text = "".join([*pieces, printed[end:]]).translate(_ONE_FOR_ANOTHER)
    text = " ".join(text.replace("=<", "<=").replace("<=", "\u2264").replace(">=", "\u2265").split())
    if not text:
        raise _refused("nothing is printed")
    return text


# --- Numbers ----------------------------------------------------------------------------------------

# In these, @ stands for the name of the quantity, of which a form has one or two.
_POWER = r"10 ?\^ ?(?:\{ ?)?(?P<@p>[-+]? ?[0-9]{1,6})(?: ?\})?"
_NUMBER = (
    r"(?P<@n>[-+\u2013]? ?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?:[eE][-+]?[0-9]{1,6})?)(?: ?[\u00d7xX*] ?" + _POWER + r")?"
)
_UNITS = (
    r"%|\u2030|percent|per cent|points?|pp|[\u00c5\u212b]|[Aa]ngstroms?|[kcmnp\u00b5\u03bc]?m|[\u00b5\u03bcmn]?s|sec|"
    r"min|h|hours?|days?|years?|K|\u00b0 ?C|\u00b0|degrees?|[mk]?eV(?:/(?:atom|[\u00c5\u212b]))?|kcal/mol|kJ/mol|"
    r"kcal mol-1|kJ mol-1|Ha|Hartree|dB|[kMG]?Hz|[kMGT]?B|[kMG]?Pa|[\u00b5\u03bcmn]?M|[\u00b5\u03bcmk]?g|bits?|nats?|"
    r"m/s|mm/day|W/m2|fold|ppm|ppb"
)
_QUANTITY = _NUMBER + rf"(?: ?(?P<@u>{_UNITS}))?"


def _pattern(form: str) -> re.Pattern[str]:
    """A form, with ``<a>`` and ``<b>`` standing for a quantity each, ``<c>`` for a number."""
    quantities = {
        "<a>": _QUANTITY.replace("@", "a"),
        "<b>": _QUANTITY.replace("@", "b"),
        "<c>": _NUMBER.replace("@", "c"),
    }
    return re.compile(re.sub("<[abc]>", lambda found: quantities[found.group()], form))


_BARE_POWER = re.compile(r"(?P<sign>[-+\u2013]?)" + _POWER.replace("@", "a"))
_PLAIN = _pattern(r"<a>")
_WRAPPED = re.compile(
    r"\( ?(?P<inner>[^()]*?) ?\) ?(?:[\u00d7xX*] ?" + _POWER.replace("@", "a") + rf")?(?: ?(?P<au>{_UNITS}))?"
)
_PLUS_MINUS = _pattern(r"<a> ?(?:\u00b1|\+ ?/ ?-|\+-) ?<b>")
_SPREAD = _pattern(r"<a> ?[(\[] ?(?:\u00b1|\+ ?/ ?-|(?:SD|SE|SEM|s\.d\.|s\.e\.m\.|std)\.?[ =:]*)? ?<b> ?[)\]]")
_INTERVAL = _pattern(
    r"<a> ?[(\[] ?(?:[0-9]{1,2}(?:\.[0-9]+)? ?% ?(?:CI|CrI|confidence interval|credible interval)|CI|IQR|range)?"
    r"[ =:,]*[\[(]? ?<b> ?(?:-|\u2013|,|;|to) ?<c> ?%? ?[)\]]{1,2}"
)
_APPROXIMATE = re.compile(
    r"(?:~|(?:approximately|approx\.?|circa|ca\.?|about|around|roughly)(?= |[0-9.]|-)) ?(?P<rest>.+)", re.IGNORECASE
)
_RANGE = _pattern(r"<a>(?: ?\u2013 ?|(?: ?- |-)| to ) ?~? ?<b>")
_BOUND = _pattern(r"(?:[<>\u2264\u2265]) ?<a>")
_LABEL = re.compile(
    r"(?P<label>[^\W\d_][^=<>\u2264\u2265~,;]{0,80}?) ?(?P<sign>=|(?=[<>\u2264\u2265~])) ?(?P<rest>.+)", re.DOTALL
)
_NUMBER_IN_LABEL = re.compile(r" [-+]?[0-9.]+ ?%?(?= |$)")
_MEAN = re.compile(r"\bmean ?= ?", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_NOTHING = frozenset(
    {"n/a", "na", "n.a.", "none", "null", "-", "--", "\u2013", "n.r.", "nr", "not reported", "?", "..."}
)


def _value(found: re.Match[str], name: str) -> float:
    """The number that a match holds under ``name``."""
    groups = found.groupdict()
    printed = groups[f"{name}n"].replace(",", "").replace(" ", "").replace("\u2013", "-")
    power = (groups.get(f"{name}p") or "0").replace(" ", "")
    return _scaled(printed, power)


def _scaled(printed: str, power: str) -> float:
    mantissa, _, exponent = printed.lower().partition("e")
    value = _finite(float(f"{mantissa}e{int(exponent or 0) + int(power)}"))
    if value == 0.0 and any(digit in mantissa for digit in "123456789"):
        raise _refused("the number is too small to be told from 0")
    return value


def _unit(found: re.Match[str], *names: str) -> str | None:
    units = {unit for name in names if (unit := found.groupdict().get(f"{name}u"))}
    if len(units) > 1:
        raise _refused(f"two units in one score: {' and '.join(sorted(units))}")
    return units.pop() if units else None


# --- Forms ------------------------------------------------------------------------------------------


def _labelled_mean(text: str) -> Score:
    """The number behind "mean=", wherever that stands."""
    scores = []
    number = _pattern(r"<a>")
    for label in _MEAN.finditer(text):
        found = number.match(text, label.end())
        if not found:
            if re.match(r"[-+]?(?:nan|inf)", text[label.end() :], re.IGNORECASE):
                raise _refused("the mean is not a finite number")
            raise _refused("no number stands behind 'mean='")
        if re.match(r" ?(?:-|\u2013|to) ?[.0-9]|[.,]?[0-9]|[^\W\d]", text[found.end() :]):
            raise _refused("what stands behind 'mean=' is not one number")
        scores.append(Score(_value(found, "a"), _unit(found, "a"), "labelled mean"))
    if len({score.value for score in scores}) > 1:
        raise _refused("two means")
    return scores[0]


def _without_label(text: str) -> str:
    """``text`` without a leading "AUC=" or "MAE <" (whose sign is kept)."""
    found = _LABEL.fullmatch(text)
    if not found or _NUMBER_IN_LABEL.search(found["label"]):
        return text
    return f"={found['rest']}" if found["sign"] else found["rest"]


def _measure(text: str, better: Direction) -> Score:
    """The score that is left when the label is off; a leading = stands for one that was there."""
    labelled = text.startswith("=") and len(text) > 1
    text = text.removeprefix("=").strip()
    for read in _FORMS:
        if score := read(text, better):
            return Score(score.value, score.unit, "labelled") if labelled and score.form == "number" else score
    raise _refused(_reason(text))


def _as_number(text: str, _: Direction) -> Score | None:
    if found := _PLAIN.fullmatch(text):
        return Score(_value(found, "a"), _unit(found, "a"), "number")
    if found := _BARE_POWER.fullmatch(text):
        sign = "" if found["sign"] in ("", "+") else "-"
        return Score(_scaled(f"{sign}1", found["ap"].replace(" ", "")), None, "number")
    return None


def _as_plus_minus(text: str, _: Direction) -> Score | None:
    found = _PLUS_MINUS.fullmatch(text)
    if not found:
        return None
    if found["bp"] and not found["ap"]:
        raise _refused("a power of ten behind the spread: whether it holds for the value, too, is not said")
    _value(found, "b")
    return Score(_value(found, "a"), _unit(found, "a", "b"), "plus-minus")


def _as_spread(text: str, _: Direction) -> Score | None:
    found = _SPREAD.fullmatch(text)
    return Score(_value(found, "a"), _unit(found, "a", "b"), "spread in parentheses") if found else None


def _as_interval(text: str, _: Direction) -> Score | None:
    found = _INTERVAL.fullmatch(text)
    return Score(_value(found, "a"), _unit(found, "a"), "interval in parentheses") if found else None


def _as_range(text: str, better: Direction) -> Score | None:
    found = _RANGE.fullmatch(text)
    if not found:
        return None
    ends = (_value(found, "a"), _value(found, "b"))
    return Score(max(ends) if better == HIGHER else min(ends), _unit(found, "a", "b"), "range")


def _as_bound(text: str, _: Direction) -> Score | None:
    found = _BOUND.fullmatch(text)
    return Score(_value(found, "a"), _unit(found, "a"), "bound") if found else None


def _as_approximate(text: str, better: Direction) -> Score | None:
    found = _APPROXIMATE.fullmatch(text)
    if not found or _APPROXIMATE.fullmatch(found["rest"]):
        return None
    for read in (_as_number, _as_plus_minus, _as_spread, _as_interval, _as_range):
        if score := read(found["rest"], better):
            return Score(score.value, score.unit, "approximate" if score.form == "number" else score.form)
    return None


def _as_wrapped(text: str, better: Direction) -> Score | None:
    """A score in parentheses, which a power of ten or a unit may follow: (1.2 ± 0.3) × 10⁻³."""
    found = _WRAPPED.fullmatch(text)
    if not found:
        return None
    for read in (_as_number, _as_plus_minus, _as_range, _as_bound, _as_approximate):
        if score := read(found["inner"], better):
            if score.unit and found["au"]:
                return None
            value = _scaled(repr(score.value), (found["ap"] or "0").replace(" ", ""))
            form: Form = "parentheses" if score.form == "number" else score.form
            return Score(value, score.unit or found["au"], form)
    return None


_FORMS: tuple[Callable[[str, Direction], Score | None], ...] = (
    _as_number,
    _as_plus_minus,
    _as_spread,
    _as_interval,
    _as_range,
    _as_bound,
    _as_approximate,
    _as_wrapped,
)


def _reason(text: str) -> str:
    """Why ``text`` is in none of the forms."""
    bare = text.strip("()+- \u2013").casefold()
    if text.casefold() in _NOTHING or not bare:
        return "no score is stated"
    if re.fullmatch(r"nan", bare):
        return "NaN is no score"
    if re.fullmatch(r"inf|infinity|\u221e", bare):
        return "infinity is no score"
    numbers = _DIGITS.findall(text)
    if not numbers:
        return "words, and no number"
    if re.search(r"[0-9],[0-9]", text):
        return "a comma that does not part thousands: a decimal comma, or two numbers"
    if len(numbers) > 1:
        return "two numbers with no relation that is known" if len(numbers) == 2 else "several numbers with no relation"
    return "a number beside words or marks that are not known"


# --- As published -----------------------------------------------------------------------------------

_PUBLISHED = r"[-+]?\d+(?:\.\d+)?"
_PUBLISHED_FLOAT = _PUBLISHED + r"(?:[eE][-+]?\d+)?"
_PUBLISHED_MEAN = re.compile(rf"\bmean\s*=\s*({_PUBLISHED_FLOAT})", re.IGNORECASE)
_PUBLISHED_RANGE = re.compile(rf"(?:~\s*)?({_PUBLISHED})\s*(?:to|[-\u2013\u2014])(?:\s*~)?\s*({_PUBLISHED})")
_PUBLISHED_BOUND = re.compile(rf"[<>]=?\s*({_PUBLISHED_FLOAT})")
_PUBLISHED_NUMBER = re.compile(_PUBLISHED_FLOAT)


def _as_published(printed: object, better: Direction) -> Score:
    """As NatureBench's evaluation service reads: the first number that its patterns find, whatever stands around it."""
    if printed is None:
        raise _refused("there is no score")
    if isinstance(printed, int | float) and not isinstance(printed, bool):
        try:
            return Score(_finite(float(printed)), None, "number")
        except OverflowError:
            raise _refused("infinity is no score") from None
    text = str(printed).strip()
    if found := _PUBLISHED_MEAN.search(text):
        return Score(_finite(float(found[1])), None, "labelled mean")
    core = text.partition("(")[0].strip().lstrip("~").strip()
    if found := _PUBLISHED_RANGE.fullmatch(core):
        return Score(_finite(float(found[2 if better == HIGHER else 1])), None, "range")
    if found := _PUBLISHED_BOUND.match(core):
        return Score(_finite(float(found[1])), None, "bound")
    head, sign, _ = core.partition("\u00b1")
    if sign:  # only then is a second tilde dropped
        head = head.strip().lstrip("~").strip()
    if found := _PUBLISHED_NUMBER.match(head):
        return Score(_finite(float(found[0])), None, "number" if found[0] == text else "leading number")
    raise _refused("no number stands at the beginning")
