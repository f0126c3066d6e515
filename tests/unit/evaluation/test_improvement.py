from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.evaluation.improvement import EvaluatorFaultError, plain_text, read_result
from nature_gym.evaluation.trial import Task
from nature_gym.metrics.entry import HIGHER, LOWER
from nature_gym.scoring.gap import Anchor

TASK = Task("t", Path("nowhere"), {"a": Anchor("AUC", HIGHER, 0.8), "b": Anchor("MAE", LOWER, 2.0)})


def test_gaps_are_relative_to_the_anchor_in_the_metrics_direction() -> None:
    scores = read_result({"a": {"AUC": 0.9, "F1": 0.5}, "b": {"MAE": 1.0}}, TASK)
    assert scores.gaps == {"a": pytest.approx(0.125), "b": 0.5}
    assert scores.gap == pytest.approx(0.3125)
    assert scores.scored


def test_an_instance_without_a_score_counts_minus_one_and_the_others_go_on() -> None:
    scores = read_result({"a": {"AUC": None, "error": "x.csv is missing"}, "b": {"MAE": 2}}, TASK)
    assert scores.gap == -0.5
    assert scores.as_raw_scores() == {"a": {"AUC": None, "error": "x.csv is missing"}, "b": {"MAE": 2.0}}


def test_an_instance_that_the_evaluator_leaves_out_counts_minus_one() -> None:
    scores = read_result({"a": {"AUC": 0.8}}, TASK)
    assert scores.gaps == {"a": 0.0, "b": -1.0}
    assert "nothing" in scores.errors["b"]


def test_no_score_at_all_is_no_scored_answer() -> None:
    assert not read_result({"a": {"AUC": None}, "b": {"MAE": None}}, TASK).scored


@pytest.mark.parametrize(
    "result",
    [
        None, [], 1.0, "a", {"c": {"AUC": 1.0}}, {"a": 0.9}, {"a": {"AUC": "0.9"}}, {"a": {"AUC": True}},
        {"a": {"AUC": math.nan}}, {"a": {"AUC": math.inf}}, {"a": {"AUC": 10**400}}, {"a": {"AUC": [0.9]}},
        {"a": {str(number): 0.0 for number in range(500)}}, {"a": object()},
    ],
)  # fmt: skip
def test_what_is_no_result_is_a_fault_and_never_a_score(result: Any) -> None:
    with pytest.raises(EvaluatorFaultError) as caught:
        read_result(result, TASK)
    assert caught.value.kind == "result"


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "AUC", "error"]), inner),
    max_leaves=12,
)


@given(JSON)
def test_whatever_comes_gives_finite_gaps_or_a_fault(result: Any) -> None:
    try:
        scores = read_result(result, TASK)
    except EvaluatorFaultError:
        return
    assert set(scores.gaps) == {"a", "b"}
    assert all(math.isfinite(gap) for gap in scores.gaps.values())
    assert scores.gap is not None


def test_texts_lose_paths_and_what_commands_a_terminal() -> None:
    said = plain_text("cannot read /evaluation/ground_truth/a/y.npy \x1b[2J\x00\n" + "x" * 5000)
    assert said.startswith("cannot read y.npy [2J")
    assert said.isprintable()
    assert len(said) <= 500
