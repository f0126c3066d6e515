"""Agreement between judges, against cases that were worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.judging.agreement import agreements, kappa
from nature_gym.judging.verdict import Verdict, Word


def said(judge: str, word: Word) -> Verdict:
    return Verdict(
        judge=judge, version="1", verdict=word, reason="r", categories=("hard_coded",) if word == "invalid" else ()
    )


def test_kappa_of_a_table_worked_out_by_hand() -> None:
    # 20 both yes, 5 only the first, 10 only the second, 15 both no: p_o = 0.7, p_e = 0.5, kappa = 0.4.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(pairs) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("valid", "invalid"), ("invalid", "valid")], -1.0),
        ([("valid", "valid"), ("invalid", "invalid")], 1.0),
        ([("valid", "valid")] * 3, None),
        ([], None),
    ],
)
def test_kappa_at_its_ends(pairs: list[tuple[str, str]], expected: float | None) -> None:
    assert kappa(pairs) == expected


@given(st.lists(st.tuples(st.sampled_from("vi"), st.sampled_from("vi")), max_size=60))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    found, turned = kappa(pairs), kappa([(other, one) for one, other in pairs])
    assert found == turned or found == pytest.approx(turned)
    assert found is None or found <= 1.0 + 1e-12


def test_errors_agree_with_nobody_and_are_counted() -> None:
    verdicts = {
        "t1": [said("a", "valid"), said("b", "valid")],
        "t2": [said("a", "valid"), said("b", "invalid")],
        "t3": [said("a", "error"), said("b", "error")],
        "t4": [said("a", "valid")],
    }
    (found,) = agreements(verdicts)
    assert found.judges == ("a", "b")
    assert (found.both, found.same, found.left_out, found.percent) == (2, 1, 1, 50.0)
    assert found.table["valid/invalid"] == 1
