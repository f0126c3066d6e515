"""Facts in words, however people say them."""

from __future__ import annotations

import pytest

from nature_gym.baseline.phrases import each_in, limits_in, naming_in, shape_in, sizes_in, values_in


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ("from 0 to 10", (0, 10)),
        ("probability in [0, 1]", (0, 1)),
        ("0-1", (0, 1)),
        ("0 ≤ p ≤ 1", (0, 1)),
        ("integers in {0, 1, ..., 9}", (0, 9)),
        ("non-negative", (0, None)),
        ("class probabilities", (0, 1)),
        ("finite; radius (nm), helicity (0-1)", (None, None)),
        ("at most 5", (None, 5)),
    ],
)
def test_limits(words: str, limits: tuple[float | None, float | None]) -> None:
    assert limits_in(words, labelled=True) == limits


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("0 or 1", ("0", "1")),
        ("0 (background) or 1 (organ)", ("0", "1")),
        ("0 = benign, 1 = malignant", ("0", "1")),
        ("binary (0/1)", ("0", "1")),
        ("one of `a`, `b` or `c`", ("a", "b", "c")),
        ("{-1, 1}", ("-1", "1")),
        ("integers 0, 1 or 2", ("0", "1", "2")),
        ("probability in [0, 1]", ()),
        ("finite", ()),
        ("pKd, finite", ()),
    ],
)
def test_values(words: str, values: tuple[str, ...]) -> None:
    assert values_in(words, labelled=True) == values


@pytest.mark.parametrize(
    ("words", "shape"),
    [
        ("(N,)", ("N",)),
        ("`(n_samples, 3)`", ("n_samples", 3)),
        ("(12, 16, 16, 2)", (12, 16, 16, 2)),
        ("N × 3", ("N", 3)),
        ("1-D vector of length 40", (40,)),
        ("(n_test, 32, 32), n_test = 10 for `liver`", ("n_test", 32, 32)),
    ],
)
def test_shapes(words: str, shape: tuple[str | int, ...]) -> None:
    assert shape_in(words, labelled=True) == shape


def test_lengths_of_words() -> None:
    assert sizes_in("where N = 40.", ("a",)) == (("N", 40, ""),)
    assert sizes_in("n is 10 (a), 8 (b)", ("a", "b")) == (("n", 10, "a"), ("n", 8, "b"))


def test_names_of_counted_records() -> None:
    assert naming_in("named `design_0`, `design_1`, ...") == ("design_", "0")
    assert naming_in("sequences as long as their structure") is None


@pytest.mark.parametrize(
    "words", ["one per residue", "sequences as long as their structure", "an integer for each nucleotide"]
)
def test_answers_as_long_as_what_they_answer(words: str) -> None:
    assert each_in(words)
    assert not each_in("one per sample")
