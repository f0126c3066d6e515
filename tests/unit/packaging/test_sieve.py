"""The sieve misses no word that the patterns would find, however it is encoded and wherever it lies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.packaging.sieve import Sieve, needle_of

NEEDLES = ["zub", "brew", "quizzl", "quillfeather", "s41467", "strength9"]
SIEVE = Sieve(needle.encode() for needle in NEEDLES)


@given(
    needle=st.sampled_from(NEEDLES),
    encoding=st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]),
    before=st.binary(max_size=40),
    after=st.binary(max_size=40),
    upper=st.lists(st.booleans(), min_size=12, max_size=12),
)
def test_a_needle_is_found_in_every_encoding_case_and_place(
    needle: str, encoding: str, before: bytes, after: bytes, upper: list[bool]
) -> None:
    written = "".join(one.upper() if up else one for one, up in zip(needle, upper, strict=False)).encode(encoding)
    data = before + written + after
    spans = SIEVE.spans(data, 64)[needle.encode()]
    assert any(start <= len(before) and len(before) + len(written) <= end for start, end in spans)


def test_numbers_hold_no_needle_of_words() -> None:
    random = np.random.default_rng(0)
    assert SIEVE.spans(random.normal(size=100_000).astype(np.float32).tobytes(), 64) == {}
    assert SIEVE.spans(b"0.25,-17,3\n" * 50_000, 64) == {}


def test_places_that_overlap_are_one_span_and_many_are_the_whole() -> None:
    assert SIEVE.spans(b"." * 100 + b"brew brew" + b"." * 100, 10) == {b"brew": [(90, 115)]}
    assert SIEVE.spans(b"brew " * 1000, 10) == {b"brew": [(0, 5000)]}


@pytest.mark.parametrize(
    ("words", "needle"),
    [(["Zubro", "Net"], b"zubro"), (["a", "b"], b""), (["Überflüge"], b"berfl"), (["学习"], b""), ([], b"")],
)
def test_the_needle_is_the_longest_run_that_stands_in_one_piece(words: list[str], needle: bytes) -> None:
    assert needle_of(words) == needle
