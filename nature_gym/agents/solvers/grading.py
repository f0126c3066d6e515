"""How a blend is judged on held-out rows: by what the task's metric asks for, as far as its words tell.

Runs inside a box. All scores are higher for better predictions.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from nature_gym.agents.solvers.fitting import Score
from nature_gym.agents.solvers.tables import Array


def score_for(metric: str, classes: Array | None) -> Callable[[Array], Score]:
    """The score of predictions, made from the true values: floats, or indices of classes with probabilities."""
    if classes is None:
        if re.search(r"spearman|rank correlation|kendall", metric):
            return _ranks
        return _absolute if re.search(r"\bmae\b|absolute (?:error|deviation)", metric) else _squared
    if re.search(r"auroc|\bauc|roc", metric) and len(classes) == 2:
        return _separated
    if re.search(r"log[- ]?loss|cross|brier|likelihood", metric):
        return _likely
    if re.search(r"\bf1|f-?score|balanced|kappa", metric):
        return lambda truth: _mixed(truth, macro_f1)
    return lambda truth: _mixed(truth, accuracy)


def _squared(truth: Array) -> Score:
    return lambda given: -float(np.sqrt(np.mean((given - truth) ** 2)))


def _absolute(truth: Array) -> Score:
    return lambda given: -float(np.mean(np.abs(given - truth)))


def _ranks(truth: Array) -> Score:
    def ranked(values: Array) -> Array:
        return np.argsort(np.argsort(values)).astype(float)

    true = ranked(truth)
    return lambda given: float(np.corrcoef(true, ranked(given))[0, 1]) if np.ptp(given) > 0 else -1.0


def _likely(truth: Array) -> Score:
    rows = np.arange(len(truth))
    return lambda given: float(np.mean(np.log(np.clip(given[rows, truth], 1e-6, 1.0))))


def _separated(truth: Array) -> Score:
    def score(given: Array) -> float:
        from sklearn.metrics import roc_auc_score

        return float(roc_auc_score(truth, given[:, 1]))

    return score


def _mixed(truth: Array, decided: Callable[[Array, Array], float]) -> Score:
    """A score of decisions, which moves in steps, with a little of the likelihood, which does not."""
    likely = _likely(truth)
    return lambda given: decided(truth, given.argmax(axis=1)) + 0.05 * likely(given)


def accuracy(truth: Array, given: Array) -> float:
    """Share of right decisions."""
    return float(np.mean(truth == given))


def macro_f1(truth: Array, given: Array) -> float:
    """Mean over classes of 2 TP / (2 TP + FP + FN)."""
    found = [(np.sum((truth == one) & (given == one)), np.sum(truth == one) + np.sum(given == one)) for one in
             np.unique(truth)]  # fmt: skip
    return float(np.mean([2 * both / either for both, either in found]))


def threshold(truth: Array, probability: Array, metric: str) -> float:
    """Where to cut the positive class's probability: a half, or where F1 is best on held-out rows (binary)."""
    if not re.search(r"\bf1|f-?score", metric) or "macro" in metric:
        return 0.5
    cuts = np.linspace(0.2, 0.8, 61)
    scores = [2 * np.sum(truth & (probability >= cut)) / (np.sum(truth) + np.sum(probability >= cut)) for cut in cuts]
    best = np.flatnonzero(np.array(scores) >= max(scores) - 1e-9)
    return float(cuts[best[np.argmin(np.abs(cuts[best] - 0.5))]])
