"""Text against plain loops; BLEU and ROUGE-L against other programs are in test_reference_values."""

from __future__ import annotations

import math
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.metrics import text as ours

WORDS = st.text("abc", max_size=8)


def edits(one: str, other: str) -> int:
    @cache
    def of(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        return min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (one[i - 1] != other[j - 1]))

    return of(len(one), len(other))


def common(one: list[str], other: list[str]) -> int:
    @cache
    def of(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return 0
        if one[i - 1] == other[j - 1]:
            return of(i - 1, j - 1) + 1
        return max(of(i - 1, j), of(i, j - 1))

    return of(len(one), len(other))


@given(WORDS, WORDS)
def test_edits_by_recursion(one: str, other: str) -> None:
    expected = edits(one, other)
    assert ours.edit_distance([one], [other]) == expected
    assert ours.edit_similarity([one], [other]) == pytest.approx(1 - expected / max(len(one), len(other), 1))


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_common_words_by_recursion(one: list[str], other: list[str]) -> None:
    value = ours.rouge_l([" ".join(one)], [" ".join(other)])
    assert value == pytest.approx(2 * common(one, other) / (len(one) + len(other)))
    assert ours.word_error_rate([" ".join(one)], [" ".join(other)]) == edits("".join(one), "".join(other)) / len(one)


@given(WORDS, WORDS, WORDS)
def test_edits_are_a_distance(one: str, other: str, third: str) -> None:
    assert ours.edit_distance([one], [other]) == ours.edit_distance([other], [one])
    assert ours.edit_distance([one], [third]) <= ours.edit_distance([one], [other]) + ours.edit_distance(
        [other], [third]
    )


def test_long_strings_are_aligned_quickly_and_endless_ones_refused() -> None:
    started = time.process_time()
    assert ours.edit_distance(["ab" * 2000], ["ba" * 2000]) == 2
    assert time.process_time() - started < 5.0
    with pytest.raises(ValueError, match="too long"):
        ours.edit_distance(["a" * 100_000], ["b" * 100_000])


@given(st.integers(0, 2**32))
def test_perplexity_of_rows_is_that_of_the_tokens_that_came(seed: int) -> None:
    random = np.random.default_rng(seed)
    chances = random.dirichlet(np.ones(4), 6)
    tokens = random.integers(0, 4, 6)
    came = np.log(chances[np.arange(6), tokens])
    assert ours.perplexity(tokens, np.log(chances)) == pytest.approx(math.exp(-came.mean()))
    assert ours.perplexity(None, came) == pytest.approx(math.exp(-came.mean()))
    assert ours.perplexity(tokens, np.log(np.full((6, 4), 0.25))) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("function", "reference", "prediction", "sentence"),
    [
        (ours.exact_match, "abc", ["abc"], "list of strings"),
        (ours.exact_match, ["a", "b"], ["a"], "holds 1 strings"),
        (ours.exact_match, ["a"], [1], "strings alone"),
        (ours.exact_match, [], [], "empty"),
        (ours.bleu, ["", " "], ["a", "b"], "no word"),
        (ours.rouge_l, ["!"], ["a"], "without a word"),
        (ours.word_error_rate, [""], ["a"], "no word"),
        (ours.sequence_recovery, ["ABC"], ["AB"], "2 letters"),
        (ours.perplexity, [0], [0.5], "above 0"),
        (ours.perplexity, [0], [-5000.0], "no probability"),
        (ours.perplexity, [0], [[-5.0, -5.0]], "sum to 1"),
        (ours.perplexity, [2], [[math.log(0.5)] * 2], "tokens from 0 to 1"),
    ],
)
def test_what_cannot_be_scored_is_refused(function, reference, prediction, sentence: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=sentence):
        function(reference, prediction)


def test_arrays_of_strings_are_strings() -> None:
    assert ours.exact_match(np.array(["a", "b"]), np.array(["a", "c"])) == 0.5
