"""Printed scores: every form that is read, every one that is refused, and what the published parser makes of them."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from nature_gym.errors import UsageError
from nature_gym.scoring.printed import Mode, Score, UnreadableScoreError, read_score

HIGHER, LOWER = "higher_is_better", "lower_is_better"

READ = [
    # Forms as the design lists them.
    (0.9, 0.9, None, "number"),
    (3, 3.0, None, "number"),
    ("0.9", 0.9, None, "number"),
    ("mean=0.919", 0.919, None, "labelled mean"),
    ("0.91, 0.92, 0.93 (mean=0.919)", 0.919, None, "labelled mean"),
    ("10-fold: Mean = 0.9", 0.9, None, "labelled mean"),
    ("95.5 ± 0.2", 95.5, None, "plus-minus"),
    ("0.94 +/- 0.01", 0.94, None, "plus-minus"),
    ("11.5 (0.6)", 11.5, None, "spread in parentheses"),
    ("~0.97", 0.97, None, "approximate"),
    ("≈0.97", 0.97, None, "approximate"),
    ("approx. 0.97", 0.97, None, "approximate"),
    ("<1.6", 1.6, None, "bound"),
    ("≥0.9", 0.9, None, "bound"),
    ("<= 3", 3.0, None, "bound"),
    ("−0.5", -0.5, None, "number"),
    (".95", 0.95, None, "number"),
    ("1,234.5", 1234.5, None, "number"),
    ("1.2 × 10⁻³", 0.0012, None, "number"),
    ("1.2x10^-3", 0.0012, None, "number"),
    ("1e-3", 0.001, None, "number"),
    ("87.3%", 87.3, "%", "number"),
    ("(0.95)", 0.95, None, "parentheses"),
    ("AUC=0.9", 0.9, None, "labelled"),
    # Put together, and as papers vary them.
    ("~0.734 ± 0.008", 0.734, None, "plus-minus"),
    ("AUC = 0.94 ± 0.01", 0.94, None, "plus-minus"),
    ("R² = 0.87", 0.87, None, "labelled"),
    ("F1-score=0.8", 0.8, None, "labelled"),
    ("MAE<1.6", 1.6, None, "bound"),
    ("87.3% ± 0.2%", 87.3, "%", "plus-minus"),
    ("95.5±0.2%", 95.5, "%", "plus-minus"),
    ("0.94 +/\u2212 0.01", 0.94, None, "plus-minus"),
    ("11.5 (±0.6)", 11.5, None, "spread in parentheses"),
    ("11.5 (SD 0.6)", 11.5, None, "spread in parentheses"),
    ("11.5(0.6)", 11.5, None, "spread in parentheses"),
    ("0.95 (95% CI 0.93–0.97)", 0.95, None, "interval in parentheses"),
    ("0.95 (0.93, 0.97)", 0.95, None, "interval in parentheses"),
    ("0.95 [0.93-0.97]", 0.95, None, "interval in parentheses"),
    ("(1.2 ± 0.3) × 10⁻³", 0.0012, None, "plus-minus"),
    ("(95.5 ± 0.2)%", 95.5, "%", "plus-minus"),
    ("1.2·10⁻³", 0.0012, None, "number"),
    ("1.2 \u00d7 10\u2212\u00b3".replace("\u2212", "⁻"), 0.0012, None, "number"),
    ("1.2e\u22123", 0.0012, None, "number"),
    ("10⁻³", 0.001, None, "number"),
    ("10^{-3}", 0.001, None, "number"),
    ("1,234,567", 1234567.0, None, "number"),
    ("-1,234", -1234.0, None, "number"),
    ("+0.5", 0.5, None, "number"),
    ("–0.5", -0.5, None, "number"),
    ("1.5 Å", 1.5, "Å", "number"),
    ("0.9 kcal/mol", 0.9, "kcal/mol", "number"),
    ("０.９５", 0.95, None, "number"),
    ("0.95\u00a0±\u20090.02", 0.95, None, "plus-minus"),
    ("\u200b0.95\ufeff", 0.95, None, "number"),
    ("⩽ 3", 3.0, None, "bound"),
    ("ca. 0.9", 0.9, None, "approximate"),
    ("0", 0.0, None, "number"),
]


@pytest.mark.parametrize("direction", [HIGHER, LOWER])
@pytest.mark.parametrize(("printed", "value", "unit", "form"), READ)
def test_a_score_is_read(printed: Any, value: float, unit: str | None, form: str, direction: str) -> None:
    assert read_score(printed, direction) == Score(value, unit, form)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [
        ("0.85-0.97", 0.85, 0.97),
        ("0.60 to 0.95", 0.6, 0.95),
        ("0.85–0.97", 0.85, 0.97),
        ("0.85 — 0.97", 0.85, 0.97),
        ("0.97-0.85", 0.85, 0.97),
        ("~0.60 to ~0.95", 0.6, 0.95),
        ("-0.5--0.2", -0.5, -0.2),
        ("−0.97–−0.85", -0.97, -0.85),
        ("85–97%", 85.0, 97.0),
        ("1e-3-2e-3", 0.001, 0.002),
    ],
)
def test_of_a_range_the_better_end_is_read(printed: str, low: float, high: float) -> None:
    assert read_score(printed, HIGHER).value == high
    assert read_score(printed, LOWER).value == low
    assert read_score(printed, LOWER).form == "range"


REFUSED = [
    ("words", "words"),
    ("state of the art", "words"),
    ("10-fold: 0.9", "two numbers"),
    ("0.9 0.8", "two numbers"),
    ("0.9, 0.8", "two numbers"),
    ("0.9/0.8", "two numbers"),
    ("0.9 -0.8", "two numbers"),
    ("12 345", "two numbers"),
    ("AUC=0.9, F1=0.8", "several numbers"),
    ("AUC 0.8 F1=0.9", "several numbers"),
    ("1-2-3", "several numbers"),
    ("", "nothing"),
    (" \t\n\u00a0", "nothing"),
    ("NaN", "NaN"),
    ("-nan", "NaN"),
    ("inf", "infinity"),
    ("-∞", "infinity"),
    ("Infinity", "infinity"),
    ("1e400", "infinity"),
    ("1e-400", "too small"),
    ("mean=nan", "not a finite number"),
    ("mean=best", "no number"),
    ("mean=0.8, mean=0.9", "two means"),
    ("mean=0.8-0.9", "not one number"),
    ("n/a", "no score"),
    ("–", "no score"),
    ("0,95", "comma"),
    ("0,950", "comma"),
    ("1,23", "comma"),
    ("95.5²", "raised digit"),
    ("²", "raised digit"),
    ("2 ⁻³", "raised digit"),
    ("1.2 ± 0.3 × 10⁻³", "power of ten"),
    ("1.2 x 10-3", "several numbers"),
    ("87% ± 2 Å", "two units"),
    ("0.9 foo", "words or marks"),
    ("AUC: 0.9", "words or marks"),
    ("(0.95", "words or marks"),
    ("((0.95))", "words or marks"),
    ("±0.5", "words or marks"),
    ("1.2.3", "words or marks"),
    ("<", "words"),
    ("٣", "words"),
    (None, "no score"),
    (True, "string or a number"),
    ([0.9], "string or a number"),
    (math.nan, "NaN"),
    (math.inf, "infinity"),
    (10**400, "infinity"),
    ("9" * 3000, "characters"),
]


@pytest.mark.parametrize(("printed", "reason"), REFUSED)
def test_what_is_not_one_number_is_refused_with_the_reason(printed: Any, reason: str) -> None:
    with pytest.raises(UnreadableScoreError, match=reason) as refusal:
        read_score(printed, HIGHER)
    assert refusal.value.exit_code == 1


@pytest.mark.parametrize("word", ["lower", "", "Higher_is_better", "higher", "max", "lower_is_better "])
@pytest.mark.parametrize("mode", ["naturegym", "naturebench"])
def test_a_direction_other_than_the_two_words_is_an_error(word: str, mode: Mode) -> None:
    with pytest.raises(UsageError, match="direction"):
        read_score("0.9", word, mode)


@pytest.mark.parametrize(
    ("printed", "higher", "lower"),
    [
        ("10.6", 10.6, 10.6),
        ("0.939 ± 0.002", 0.939, 0.939),
        ("11.5 (0.6)", 11.5, 11.5),
        ("~0.734 ± 0.008", 0.734, 0.734),
        ("~0.60 to ~0.95", 0.95, 0.6),
        ("0.85-0.97", 0.97, 0.85),
        ("0.97-0.85", 0.85, 0.97),  # the second where higher is better, whichever is larger
        ("~ ~5 ± 1", 5.0, 5.0),
        ("< 1.6", 1.6, 1.6),
        (">= 0.9", 0.9, 0.9),
        ("0.90, 0.95, (mean=0.919)", 0.919, 0.919),
        ("10-fold: 0.9", 10.0, 10.0),
        ("1,234.5", 1.0, 1.0),
        ("1.2 × 10⁻³", 1.2, 1.2),
        ("0.9 0.8", 0.9, 0.9),
        ("87.3%", 87.3, 87.3),
        ("1e-3", 0.001, 0.001),
        (0.5, 0.5, 0.5),
    ],
)
def test_as_published_the_first_number_is_taken(printed: Any, higher: float, lower: float) -> None:
    assert read_score(printed, HIGHER, "naturebench").value == higher
    assert read_score(printed, LOWER, "naturebench").value == lower


@pytest.mark.parametrize(
    "printed", ["≥0.9", "~ ~5", ".95", "−0.5", "≈0.97", "(0.95)", "AUC=0.9", "words", "", None, True]
)
def test_as_published_these_are_not_read(printed: Any) -> None:
    with pytest.raises(UnreadableScoreError):
        read_score(printed, HIGHER, "naturebench")


NUMBERS = st.decimals(-(10**6), 10**6, places=4, allow_nan=False, allow_infinity=False)


@given(NUMBERS, st.decimals(0, 1000, places=3), st.sampled_from([HIGHER, LOWER]))
def test_a_number_that_is_printed_in_a_form_is_read_back(number: Any, spread: Any, direction: str) -> None:
    value = float(number)
    forms = [
        f"{number}",
        f"{number:+}",
        f"{number:,}" if abs(value) >= 1 else f"{number}",
        f"{number} ± {spread}",
        f"{number} +/- {spread}",
        f"{number} ({spread})",
        f"~{number}",
        f"approx. {number}",
        f"< {number}",
        f"≥{number}",
        f"({number})",
        f"AUC={number}",
        f"fold 3, mean={number}",
        f"{number}%",
        str(number).replace("-", "−"),
    ]
    for printed in forms:
        assert read_score(printed, direction).value == value, printed


@given(st.integers(-9999, 9999).filter(bool), st.integers(-30, 30))
def test_powers_of_ten_are_read_back(mantissa: int, power: int) -> None:
    raised = str(power).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    value = float(f"{mantissa / 1000}e{power}")
    for printed in (f"{mantissa / 1000} × 10{raised}", f"{mantissa / 1000}x10^{power}", f"{mantissa / 1000}e{power}"):
        assert read_score(printed, HIGHER).value == pytest.approx(value, rel=1e-12)


@given(NUMBERS, NUMBERS)
def test_both_ends_of_a_range_are_read(one: Any, other: Any) -> None:
    for printed in (f"{one} to {other}", f"{one}-{other}", f"{one} – {other}"):
        assert read_score(printed, HIGHER).value == float(max(one, other))
        assert read_score(printed, LOWER).value == float(min(one, other))


SCRAPS = st.lists(
    st.one_of(
        st.sampled_from(list("09.,-−–+±~()[]%eE^⁻³× =<≤/:Å\n")),
        st.sampled_from(["10", "mean", "to", "nan", "inf", "AUC", "CI"]),
    ),
    max_size=14,
).map("".join)


@given(st.one_of(st.text(max_size=60), SCRAPS), st.sampled_from(["naturegym", "naturebench"]))
def test_whatever_is_printed_gives_a_finite_number_or_a_reason(printed: str, mode: Mode) -> None:
    try:
        score = read_score(printed, HIGHER, mode)
    except UnreadableScoreError as refusal:
        event(refusal.message.partition(":")[0])
        return
    assert math.isfinite(score.value)
    assert any(character.isdecimal() for character in printed)


@pytest.mark.parametrize("mode", ["naturegym", "naturebench"])
@pytest.mark.parametrize(
    "piece",
    [
        "9",
        " ",
        "1 ",
        "1-",
        "0.9 to ",
        "mean=",
        "mean =",
        "(",
        "~",
        "<",
        "AUC",
        "⁻",
        "10⁻",
        "1,",
        "1.",
        "1 - ",
        "e1",
        "±",
        "a ",
    ],
)
def test_a_megabyte_is_read_or_refused_at_once(piece: str, mode: Mode) -> None:
    printed = piece * (1_000_000 // len(piece))
    short = printed[:1900]  # as long as is looked at at all
    texts = [short, f"1{short}", f"{short}x", f"AUC={short}", f"1 ({short})", f"(1 {short})", f"~{short} to {short}"]
    texts += [printed, f"1-{printed}x", f"0.9 {printed}", f"{printed} 0.9", f"1 -{' ' * 500_000}{printed}x"]
    for text in texts:
        started = time.process_time()
        with suppress(UnreadableScoreError):
            read_score(text, HIGHER, mode)
        assert time.process_time() - started < 2.0
