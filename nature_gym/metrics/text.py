"""Sequences and text: strings against strings, and how well tokens were foreseen."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Integers, column, floats, string_pairs

LONGEST_PAIR = 4_000_000_000
"""Two sequences whose lengths multiply to more than this are not aligned: it would take minutes."""


def exact_match(reference: Any, prediction: Any) -> float:
    """The share of strings that are the same to the letter, white space at the ends aside."""
    pairs = string_pairs(reference, prediction)
    return sum(one.strip() == other.strip() for one, other in pairs) / len(pairs)


def _numbered(one: Any, other: Any) -> tuple[Integers, Integers]:
    """Two sequences of letters or words as sequences of numbers."""
    if len(one) * len(other) > LONGEST_PAIR:
        raise ValueError(f"sequences of {len(one)} and {len(other)} are too long to be aligned")
    known: dict[str, int] = {}
    pair = [np.array([known.setdefault(token, len(known)) for token in tokens], np.int64) for tokens in (one, other)]
    return pair[0], pair[1]


def _edits(one: Any, other: Any) -> int:
    """The fewest insertions, deletions and substitutions that make one sequence the other."""
    left, right = _numbered(one, other)
    place = np.arange(right.size + 1)
    row = place.copy()
    for count, token in enumerate(left, start=1):
        fresh = np.append(count, np.minimum(row[1:] + 1, row[:-1] + (right != token)))
        row = np.minimum.accumulate(fresh - place) + place
    return int(row[-1])


def edit_distance(reference: Any, prediction: Any) -> float:
    """The mean over strings of the letters to insert, delete or replace."""
    pairs = string_pairs(reference, prediction)
    return sum(_edits(one, other) for one, other in pairs) / len(pairs)


def edit_similarity(reference: Any, prediction: Any) -> float:
    """The mean over strings of 1 less the edits over the longer string's length; 1 where both are empty."""
    pairs = string_pairs(reference, prediction)
    return sum(1.0 - _edits(one, other) / max(len(one), len(other), 1) for one, other in pairs) / len(pairs)


def word_error_rate(reference: Any, prediction: Any) -> float:
    """The words to insert, delete or replace in all strings, over the words of the reference."""
    pairs = [(one.split(), other.split()) for one, other in string_pairs(reference, prediction)]
    words = sum(len(one) for one, _ in pairs)
    if words == 0:
        raise ValueError("the reference has no word")
    return sum(_edits(one, other) for one, other in pairs) / words


def sequence_recovery(reference: Any, prediction: Any) -> float:
    """The mean over sequences of the share of positions that hold the reference's letter."""
    shares = []
    for one, other in string_pairs(reference, prediction):
        if not one:
            raise ValueError("the reference has an empty sequence")
        if len(one) != len(other):
            raise ValueError(f"a sequence of the prediction has {len(other)} letters, and {len(one)} in the reference")
        shares.append(sum(a == b for a, b in zip(one, other, strict=True)) / len(one))
    return sum(shares) / len(shares)


def _words_13a(text: str) -> list[str]:
    """Words as the WMT campaigns count them (tokenisation 13a of mteval)."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for escaped, letter in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(escaped, letter)
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def bleu(reference: Any, prediction: Any) -> float:
    """The geometric mean of the precisions of one to four words, over all strings, shortened answers punished.

    From 0 to 100. An order of which none is right counts one half, one quarter and so on of one right.
    """
    right, given = [0] * 4, [0] * 4
    length = wanted = 0
    for one, other in string_pairs(reference, prediction):
        truth, words = _words_13a(one), _words_13a(other)
        wanted, length = wanted + len(truth), length + len(words)
        for order in range(4):
            have, want = (
                Counter(tuple(tokens[place : place + order + 1]) for place in range(len(tokens) - order))
                for tokens in (words, truth)
            )
            right[order] += (have & want).total()
            given[order] += max(len(words) - order, 0)
    if wanted == 0:
        raise ValueError("the reference has no word")
    if right[0] == 0 or given[3] == 0:
        return 0.0
    halves, logarithms = 1.0, 0.0
    for hits, count in zip(right, given, strict=True):
        if hits == 0:
            halves *= 2.0
        logarithms += math.log((hits or 1.0 / halves) / count)
    brevity = 1.0 if length >= wanted else math.exp(1.0 - wanted / length)
    return 100.0 * brevity * math.exp(logarithms / 4.0)


def _common(one: list[str], other: list[str]) -> int:
    """The length of the longest sequence that both hold in order."""
    left, right = _numbered(one, other)
    row = np.zeros(right.size + 1, dtype=np.int64)
    for token in left:
        row[1:] = np.maximum(row[1:], row[:-1] + (right == token))
        row = np.maximum.accumulate(row)
    return int(row[-1])


def rouge_l(reference: Any, prediction: Any) -> float:
    """The mean over strings of F1 of the longest common sequence of words; letters and digits alone, in lower case."""
    values = []
    for one, other in string_pairs(reference, prediction):
        truth, words = (re.findall(r"[a-z0-9]+", text.lower()) for text in (one, other))
        if not truth:
            raise ValueError("the reference has a string without a word")
        values.append(2.0 * _common(truth, words) / (len(truth) + len(words)))
    return sum(values) / len(values)


def perplexity(reference: Any, prediction: Any) -> float:
    """The exponential of the mean negative log-probability of the tokens that came.

    The prediction holds natural logarithms of probabilities: (n, vocabulary), of which the reference's tokens (n,) are
    taken and whose rows must sum to 1, or (n,) of those tokens already.
    """
    given = floats(prediction, "prediction")
    if given.ndim == 2:
        tokens = column(floats(reference, "reference"), "reference").astype(np.int64)
        if tokens.size != len(given) or tokens.min() < 0 or tokens.max() >= given.shape[1]:
            raise ValueError(f"the reference must hold {len(given)} tokens from 0 to {given.shape[1] - 1}")
        if np.abs(np.exp(np.minimum(given, 1.0)).sum(axis=1) - 1.0).max() > 1e-3:
            raise ValueError("the probabilities of a row of the prediction do not sum to 1")
        given = given[np.arange(tokens.size), tokens]
    if column(given, "prediction").max() > 1e-6:
        raise ValueError("the prediction holds logarithms above 0, which no probability has")
    surprise = -float(given.mean())
    if surprise > 700.0:
        raise ValueError("the tokens that came were given no probability that a number can hold")
    return max(math.exp(surprise), 1.0)


_STRINGS = "strings (n,)"
_EDITS = (["kitten", "abc"], ["sitting", "abc"])
_SENTENCE = (["the cat sat on the mat"], ["the cat on the mat"])

METRICS = (
    Metric(
        function=exact_match,
        title="Exact match",
        aliases=("EM", "exact match accuracy", "exact-match ratio", "sequence accuracy"),
        low=0,
        high=1,
        perfect=1,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="Σ [y = ŷ] / n",
        source="Rajpurkar et al. 2016, arXiv 1606.05250, without its normalisation of words",
        example=Example(*_EDITS, 1 / 2),
    ),
    Metric(
        function=edit_distance,
        title="Edit distance",
        aliases=("Levenshtein distance", "Levenshtein", "mean edit distance"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="mean of the fewest insertions, deletions and substitutions",
        source="Levenshtein 1966; Wagner and Fischer 1974",
        example=Example(*_EDITS, 3 / 2),
    ),
    Metric(
        function=edit_similarity,
        title="Edit similarity",
        aliases=(
            "normalized edit similarity",
            "Levenshtein similarity",
            "Levenshtein ratio",
            "normalised edit similarity",
        ),
        low=0,
        high=1,
        perfect=1,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="mean of 1 - edits / max(|y|, |ŷ|)",
        source="Levenshtein 1966",
        undefined="1 where both strings are empty",
        example=Example(*_EDITS, (4 / 7 + 1) / 2),
    ),
    Metric(
        function=word_error_rate,
        title="WER",
        aliases=("word error rate",),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="Σ edits of words / Σ words of the reference",
        source="NIST SCTK, sclite",
        example=Example(*_SENTENCE, 1 / 6),
    ),
    Metric(
        function=sequence_recovery,
        title="Sequence recovery",
        aliases=("AAR", "amino acid recovery", "native sequence recovery", "NSR", "recovery rate", "sequence identity"),
        low=0,
        high=1,
        perfect=1,
        reference=_STRINGS,
        prediction="strings of the same lengths (n,)",
        formula="mean of Σ_i [y_i = ŷ_i] / |y|",
        source="Dauparas et al. 2022, Science 378, 49",
        example=Example(["ACDE", "KL"], ["ACDF", "KL"], (3 / 4 + 1) / 2),
    ),
    Metric(
        function=bleu,
        title="BLEU",
        aliases=("BLEU-4", "BLEU score", "corpus BLEU", "SacreBLEU"),
        low=0,
        high=100,
        perfect=100,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="100 · BP · (Π_{n=1..4} p_n)^(1/4), BP = min(1, e^(1 - r/c)), from 0 to 100",
        source="Papineni et al. 2002; sacrebleu, signature nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp",
        undefined="0 where no word is right, or no string has four words",
        example=Example(*_SENTENCE, 100 * math.exp(-1 / 5) * (5 / 5 * 3 / 4 * 1 / 3 * 1 / 4) ** 0.25),
    ),
    Metric(
        function=rouge_l,
        title="ROUGE-L",
        aliases=("ROUGE-L F1", "RougeL", "ROUGE-L (F1)"),
        low=0,
        high=1,
        perfect=1,
        reference=_STRINGS,
        prediction=_STRINGS,
        formula="mean of 2 LCS / (|y| + |ŷ|) in words",
        source="Lin 2004; rouge-score, rougeL without stemming",
        undefined="0 for a string without a word",
        example=Example(*_SENTENCE, 10 / 11),
    ),
    Metric(
        function=perplexity,
        title="Perplexity",
        aliases=("PPL", "token perplexity"),
        direction=LOWER,
        low=1,
        perfect=1,
        reference="tokens (n,); not looked at where the prediction is (n,)",
        prediction="natural logarithms of probabilities (n, vocabulary) or (n,)",
        formula="exp(-Σ ln p(y_i) / n)",
        source="Jelinek et al. 1977",
        example=Example([0, 1], [[math.log(0.5), math.log(0.5)], [math.log(0.875), math.log(0.125)]], 4.0),
    ),
)
