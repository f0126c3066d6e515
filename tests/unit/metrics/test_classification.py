"""Classification against scikit-learn, and where ours decides otherwise."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from nature_gym.metrics import classification as ours
from nature_gym.metrics.entry import Metric
from nature_gym.metrics.registry import metrics

LABELS = st.integers(1, 12).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))
BINARY = st.integers(1, 12).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 1), min_size=n, max_size=n)] * 2))
SCORED = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda labels: len(set(labels)) == 2),
        st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n),
    )
)


def quietly(function: Callable[..., Any], *args: Any, **parameters: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(function(*args, **parameters))


AVERAGED = [(name, average) for name in ("precision", "recall", "f1") for average in ("macro", "micro", "weighted")]


@given(LABELS)
def test_labels_are_scored_as_by_scikit_learn(pair: tuple[list[int], list[int]]) -> None:
    assert ours.accuracy(*pair) == pytest.approx(sk.accuracy_score(*pair))
    assert ours.balanced_accuracy(*pair) == pytest.approx(quietly(sk.balanced_accuracy_score, *pair))
    for name, average in AVERAGED:
        theirs = quietly(getattr(sk, f"{name}_score"), *pair, average=average, zero_division=0)
        assert getattr(ours, f"{name}_{average}")(*pair) == pytest.approx(theirs), (name, average)


@given(BINARY)
def test_two_classes_are_scored_as_by_scikit_learn(pair: tuple[list[int], list[int]]) -> None:
    assert ours.precision(*pair) == pytest.approx(quietly(sk.precision_score, *pair, zero_division=0))
    assert ours.recall(*pair) == pytest.approx(quietly(sk.recall_score, *pair, zero_division=0))
    assert ours.f1_binary(*pair) == pytest.approx(quietly(sk.f1_score, *pair, zero_division=0))
    theirs = quietly(sk.recall_score, *pair, pos_label=0, zero_division=0)
    assert ours.specificity(*pair) == pytest.approx(theirs)


@given(LABELS)
def test_agreement_is_as_by_scikit_learn(pair: tuple[list[int], list[int]]) -> None:
    if len(set(pair[0])) > 1:
        assert ours.matthews(*pair) == pytest.approx(sk.matthews_corrcoef(*pair), abs=1e-12)
        assert ours.cohen_kappa(*pair) == pytest.approx(sk.cohen_kappa_score(*pair))
        assert ours.quadratic_kappa(*pair) == pytest.approx(sk.cohen_kappa_score(*pair, weights="quadratic"))


@given(SCORED)
def test_scores_are_ranked_as_by_scikit_learn(pair: tuple[list[int], list[float]]) -> None:
    assert ours.roc_auc(*pair) == pytest.approx(sk.roc_auc_score(*pair))
    assert ours.average_precision(*pair) == pytest.approx(sk.average_precision_score(*pair))
    precision, recall, _ = sk.precision_recall_curve(*pair)
    assert ours.pr_auc_trapezoid(*pair) == pytest.approx(sk.auc(recall, precision))


@given(SCORED)
def test_ranks_alone_matter_to_areas(pair: tuple[list[int], list[float]]) -> None:
    stretched = [math.atan(score) * 1e3 + 7 for score in pair[1]]
    assert ours.roc_auc(pair[0], stretched) == pytest.approx(ours.roc_auc(*pair))
    assert ours.average_precision(pair[0], stretched) == pytest.approx(ours.average_precision(*pair))


@given(st.integers(0, 2**32), st.integers(5, 30))
def test_probabilities_are_scored_as_by_scikit_learn(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    truth = np.append([0, 1, 2], random.integers(0, 3, count))
    given_rows = random.dirichlet([1, 1, 1], truth.size)
    classes = [0, 1, 2]
    assert ours.log_loss(truth, given_rows) == pytest.approx(sk.log_loss(truth, given_rows, labels=classes))
    assert ours.roc_auc_macro(truth, given_rows) == pytest.approx(
        sk.roc_auc_score(truth, given_rows, multi_class="ovr", labels=classes)
    )
    assert ours.top_k_accuracy(truth, given_rows, k=2) == pytest.approx(
        sk.top_k_accuracy_score(truth, given_rows, k=2, labels=classes)
    )
    binary, chance = (truth > 0).astype(int), given_rows[:, 1:].sum(axis=1).clip(0, 1)
    assert ours.brier(binary, chance) == pytest.approx(sk.brier_score_loss(binary, chance))
    assert ours.brier_multiclass(binary, chance) == pytest.approx(2 * ours.brier(binary, chance))


def test_calibration_error_by_its_definition() -> None:
    random = np.random.default_rng(5)
    truth, given_rows = random.integers(0, 3, 500), random.dirichlet([1, 1, 1], 500)
    confidence, right = given_rows.max(axis=1), given_rows.argmax(axis=1) == truth
    total = 0.0
    for low in range(15):
        inside = (confidence > low / 15) & (confidence <= (low + 1) / 15)
        if inside.any():
            total += inside.sum() / 500 * abs(right[inside].mean() - confidence[inside].mean())
    assert ours.expected_calibration_error(truth, given_rows) == pytest.approx(total)


def test_equal_scores_for_all_are_no_way_to_be_right() -> None:
    assert ours.top_k_accuracy([0, 1, 2, 3], np.zeros((4, 4)), k=3) == 0.0
    assert ours.roc_auc([0, 1, 1], [1.0, 1.0, 1.0]) == 0.5
    assert ours.average_precision([0, 1, 1], [1.0, 1.0, 1.0]) == pytest.approx(2 / 3)


def test_labels_may_be_strings_and_truths() -> None:
    assert ours.accuracy(["a", "b"], ["a", "c"]) == 0.5
    assert ours.accuracy(np.array([True, False]), [1, 1]) == 0.5
    assert ours.f1_binary(["yes", "no"], ["yes", "yes"], positive="yes") == pytest.approx(2 / 3)
    assert ours.accuracy(np.array(["a", "b"], dtype=object), ["a", "b"]) == 1.0


@pytest.mark.parametrize(
    ("function", "reference", "prediction", "sentence"),
    [
        (ours.roc_auc, [1, 1], [0.1, 0.2], "one class only"),
        (ours.roc_auc, [0, 1, 2], [0.1, 0.2, 0.3], "two classes"),
        (ours.average_precision, [0, 0], [0.1, 0.2], "no positive"),
        (ours.matthews, [1, 1], [0, 1], "one class only"),
        (ours.cohen_kappa, [1, 1], [1, 1], "one class"),
        (ours.accuracy, [0, 1], ["0", "1"], "strings"),
        (ours.accuracy, [0.5, 1], [0, 1], "not whole"),
        (ours.accuracy, [[0, 1], [1, 1]], [0, 1], "one value a sample"),
        (ours.accuracy, [0, None], [0, 1], "labels"),
        (ours.f1_binary, ["a", "b"], ["a", "b"], "positive one"),
        (ours.log_loss, [0, 1], [[0.5, 0.6], [0.5, 0.5]], "sum to 1"),
        (ours.log_loss, [0, 1], [1.5, 0.5], "from 0 to 1"),
        (ours.log_loss, [0, 3], [[0.5, 0.5], [0.5, 0.5]], "beyond the 2"),
        (ours.log_loss, ["a", "b"], [0.5, 0.5], "number of the class"),
        (ours.brier, [0, 1], [[0.2, 0.3, 0.5]] * 2, "brier_multiclass"),
        (ours.top_k_accuracy, [0, 1], [[0.2, 0.8]] * 2, "k is 5"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    function: Callable[..., float], reference: Any, prediction: Any, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        function(reference, prediction)


def test_no_probability_for_the_truth_costs_what_is_documented() -> None:
    assert ours.log_loss([1], [0.0]) == pytest.approx(-math.log(1e-15))


@pytest.mark.parametrize(
    "metric",
    [
        ours.precision,
        ours.recall,
        ours.specificity,
        ours.f1_binary,
        ours.roc_auc,
        ours.average_precision,
        ours.pr_auc_trapezoid,
    ],
)
def test_labels_one_and_two_are_refused_until_the_positive_one_is_named(metric: Callable[..., float]) -> None:
    labels = np.array([1, 2, 1, 2])
    with pytest.raises(ValueError, match="which is positive is not told"):
        metric(labels, labels)
    assert metric(labels, labels, positive=2) == pytest.approx(1.0)
    assert metric(np.array([-1, 1, -1, 1]), np.array([-1, 1, -1, 1])) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "metric",
    [one for one in metrics().values() if "two classes" in one.reference or "labels 0 and 1" in one.reference],
    ids=lambda metric: metric.name,
)
@pytest.mark.parametrize("labels", [(1, 2), (0, 2), (1, 3)])
def test_which_of_two_labels_is_positive_is_never_guessed(metric: Metric, labels: tuple[int, int]) -> None:
    positive = np.array([0, 1, 1, 0, 0, 1, 0, 1])
    reference = np.where(positive == 1, labels[1], labels[0])
    prediction = positive.astype(float) if "labels" not in metric.prediction else reference
    if metric.family == "multitarget":
        reference, prediction = np.stack([reference] * 2, axis=1), np.stack([prediction] * 2, axis=1)
    with pytest.raises(ValueError, match="reference"):
        metric.function(reference, prediction)
