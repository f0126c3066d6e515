"""Classification: labels against labels, and labels against scores or probabilities.

Precision, recall and F1 are 0 where nothing was predicted or nothing was to be found; averages over classes run
over the classes met in either input, as scikit-learn has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import (
    Floats,
    class_probabilities,
    coded,
    contingency,
    positives,
    ranked_truths,
    ranks,
    same_shape,
)


def accuracy(reference: Any, prediction: Any) -> float:
    """The share of samples whose label is right."""
    one, other, _ = coded(reference, prediction)
    return float(np.mean(one == other))


def balanced_accuracy(reference: Any, prediction: Any) -> float:
    """The mean over the reference's classes of the share of each that was found."""
    counts = contingency(reference, prediction)
    present = counts.sum(axis=1)
    found = np.diag(counts)[present > 0] / present[present > 0]
    return float(found.mean())


def _per_class(reference: Any, prediction: Any) -> tuple[Floats, Floats, Floats]:
    """True positives, predicted and present samples of each class. Shapes (c,)."""
    counts = contingency(reference, prediction)
    return np.diag(counts), counts.sum(axis=0), counts.sum(axis=1)


def _binary(reference: Any, prediction: Any, positive: Any) -> tuple[Floats, Floats, Floats]:
    """True positives, predicted and present samples of the positive class. Shapes (1,)."""
    one = positives(reference, positive, "reference")
    other = positives(prediction, positive, "prediction")
    same_shape(one, other)
    return np.array([(one & other).sum()], float), np.array([other.sum()], float), np.array([one.sum()], float)


def _share(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _weighted(values: Floats, weights: Floats) -> float:
    return float((values * weights).sum() / weights.sum())


def precision(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """Of the samples called positive, the share that is."""
    right, called, _ = _binary(reference, prediction, positive)
    return float(_share(right, called)[0])


def precision_macro(reference: Any, prediction: Any) -> float:
    """The mean over classes of the precision."""
    right, called, _ = _per_class(reference, prediction)
    return float(_share(right, called).mean())


def precision_micro(reference: Any, prediction: Any) -> float:
    """The precision over all classes' counts together."""
    right, called, _ = _per_class(reference, prediction)
    return float(right.sum() / called.sum())


def precision_weighted(reference: Any, prediction: Any) -> float:
    """The mean over classes of the precision, weighted by the classes' samples in the reference."""
    right, called, present = _per_class(reference, prediction)
    return _weighted(_share(right, called), present)


def recall(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """Of the positive samples, the share that was called so."""
    right, _, present = _binary(reference, prediction, positive)
    return float(_share(right, present)[0])


def recall_macro(reference: Any, prediction: Any) -> float:
    """The mean over classes of the recall."""
    right, _, present = _per_class(reference, prediction)
    return float(_share(right, present).mean())


def recall_micro(reference: Any, prediction: Any) -> float:
    """The recall over all classes' counts together."""
    right, _, present = _per_class(reference, prediction)
    return float(right.sum() / present.sum())


def recall_weighted(reference: Any, prediction: Any) -> float:
    """The mean over classes of the recall, weighted by the classes' samples in the reference."""
    right, _, present = _per_class(reference, prediction)
    return _weighted(_share(right, present), present)


def specificity(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """Of the negative samples, the share that was called so."""
    one = positives(reference, positive, "reference")
    other = positives(prediction, positive, "prediction")
    same_shape(one, other)
    return float((~one & ~other).sum() / max(int((~one).sum()), 1))


def f1_binary(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """The harmonic mean of precision and recall of the positive class."""
    right, called, present = _binary(reference, prediction, positive)
    return float(_share(2 * right, called + present)[0])


def f1_macro(reference: Any, prediction: Any) -> float:
    """The mean over classes of F1."""
    right, called, present = _per_class(reference, prediction)
    return float(_share(2 * right, called + present).mean())


def f1_micro(reference: Any, prediction: Any) -> float:
    """F1 over all classes' counts together."""
    right, called, present = _per_class(reference, prediction)
    return float(2 * right.sum() / (called.sum() + present.sum()))


def f1_weighted(reference: Any, prediction: Any) -> float:
    """The mean over classes of F1, weighted by the classes' samples in the reference."""
    right, called, present = _per_class(reference, prediction)
    return _weighted(_share(2 * right, called + present), present)


def matthews(reference: Any, prediction: Any) -> float:
    """The correlation of two labellings, of any number of classes."""
    counts = contingency(reference, prediction)
    total = counts.sum()
    present, called = counts.sum(axis=1), counts.sum(axis=0)
    if np.count_nonzero(present) < 2:
        raise ValueError("the reference has one class only: the correlation is not defined")
    spread = (total**2 - (present**2).sum()) * (total**2 - (called**2).sum())
    if spread <= 0:
        return 0.0
    return float((np.trace(counts) * total - present @ called) / np.sqrt(spread))


def _kappa(counts: Floats, weights: Floats) -> float:
    """Agreement beyond chance, from counts and what each disagreement costs. Shapes (c, c)."""
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    chance = (weights * expected).sum()
    if chance == 0:
        raise ValueError("reference and prediction are all of one class: agreement beyond chance is not defined")
    return float(1.0 - (weights * counts).sum() / chance)


def cohen_kappa(reference: Any, prediction: Any) -> float:
    """Agreement beyond what the labels' shares would give by chance."""
    counts = contingency(reference, prediction)
    return _kappa(counts, 1.0 - np.eye(len(counts)))


def quadratic_kappa(reference: Any, prediction: Any) -> float:
    """Agreement beyond chance of ordered classes, a miss costing the square of its distance.

    The distance is counted in classes met, in the order of their labels.
    """
    counts = contingency(reference, prediction)
    place = np.arange(len(counts), dtype=np.float64)
    return _kappa(counts, (place[:, None] - place[None, :]) ** 2)


def roc_auc(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """The chance that a positive sample scores above a negative one, ties counting half."""
    truth, scores = ranked_truths(reference, prediction, positive)
    found = int(truth.sum())
    if found in (0, truth.size):
        raise ValueError("the reference has one class only: the area under the ROC curve is not defined")
    return float((ranks(scores)[truth].sum() - found * (found + 1) / 2) / (found * (truth.size - found)))


def roc_auc_macro(reference: Any, prediction: Any) -> float:
    """The mean over classes of the ROC-AUC of that class against the rest."""
    truth, given = class_probabilities(reference, prediction)
    return float(np.mean([roc_auc(truth == k, given[:, k]) for k in range(given.shape[1])]))


def _precision_recall(reference: Any, prediction: Any, positive: Any) -> tuple[Floats, Floats]:
    """Precision and recall at every distinct score, from the highest down."""
    truth, scores = ranked_truths(reference, prediction, positive)
    if not truth.any():
        raise ValueError("the reference has no positive sample: recall is not defined")
    order = np.argsort(-scores, kind="stable")
    truth, scores = truth[order], scores[order]
    last = np.append(np.flatnonzero(np.diff(scores)), truth.size - 1)
    right = np.cumsum(truth)[last].astype(np.float64)
    return right / (last + 1.0), right / truth.sum()


def average_precision(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """The area under the precision-recall curve as a sum of steps."""
    precisions, recalls = _precision_recall(reference, prediction, positive)
    return float((np.diff(recalls, prepend=0.0) * precisions).sum())


def pr_auc_trapezoid(reference: Any, prediction: Any, positive: Any = 1) -> float:
    """The area under the precision-recall curve by the trapezoid rule, which is kinder than the sum of steps."""
    precisions, recalls = _precision_recall(reference, prediction, positive)
    precisions, recalls = np.append(1.0, precisions), np.append(0.0, recalls)
    return float((np.diff(recalls) * (precisions[1:] + precisions[:-1]) / 2.0).sum())


def log_loss(reference: Any, prediction: Any) -> float:
    """The mean negative log-probability of the true class; probabilities are kept from 0 by 1e-15."""
    truth, given = class_probabilities(reference, prediction)
    of_truth = given[np.arange(truth.size), truth]
    return float(-np.log(np.clip(of_truth, 1e-15, 1.0)).mean())


def brier(reference: Any, prediction: Any) -> float:
    """The mean squared error of the probability of class 1."""
    truth, given = class_probabilities(reference, prediction)
    if given.shape[1] != 2:
        raise ValueError(f"the prediction has {given.shape[1]} classes: brier_multiclass is for more than two")
    return float(((given[:, 1] - truth) ** 2).mean())


def brier_multiclass(reference: Any, prediction: Any) -> float:
    """The mean over samples of the squared errors of all classes' probabilities, summed."""
    truth, given = class_probabilities(reference, prediction)
    right = np.eye(given.shape[1])[truth]
    return float(((given - right) ** 2).sum(axis=1).mean())


def top_k_accuracy(reference: Any, prediction: Any, k: int = 5) -> float:
    """The share of samples whose true class is among the k that score highest.

    Scores need not be probabilities, shape (n, c). A class that ties with the true one counts as before it, so that
    equal scores for all are no way to be right.
    """
    scores = np.asarray(prediction)
    if scores.ndim != 2 or scores.dtype.kind not in "biuf" or not np.isfinite(scores).all():
        raise ValueError("the prediction must hold a finite score a class, shape (samples, classes)")
    if not 1 <= k <= scores.shape[1]:
        raise ValueError(f"k is {k}, and there are {scores.shape[1]} classes")
    truth, _ = class_probabilities(reference, np.full(scores.shape, 1.0 / scores.shape[1]))
    of_truth = scores[np.arange(truth.size), truth]
    return float(np.mean((scores >= of_truth[:, None]).sum(axis=1) <= k))


def expected_calibration_error(reference: Any, prediction: Any, bins: int = 15) -> float:
    """How far confidence is from accuracy: the mean gap over bins of equal width, weighted by their samples.

    Confidence is the probability of the likeliest class; a bin takes in its upper edge.
    """
    truth, given = class_probabilities(reference, prediction)
    confidence = given.max(axis=1)
    right = (given.argmax(axis=1) == truth).astype(np.float64)
    place = np.clip(np.ceil(confidence * bins).astype(np.int64) - 1, 0, bins - 1)
    gaps = np.bincount(place, weights=right - confidence, minlength=bins)
    return float(np.abs(gaps).sum() / truth.size)


_LABELS = "labels (n,)"
_BINARY = "labels of two classes (n,)"
_CLASSES = "numbers of classes from 0 (n,)"
_SCORES = "scores, higher for the positive class (n,)"
_PROBABILITIES = "probabilities (n, classes), or (n,) of class 1"
_SKLEARN = "scikit-learn, sklearn.metrics."
_THREE = ([0, 1, 2, 2, 1, 0], [0, 2, 2, 2, 1, 1])
_TWO = ([1, 1, 0, 0, 1], [1, 0, 0, 1, 1])
_RANKED = ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
_ROWS = ([0, 1, 2, 1], [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4], [0.6, 0.3, 0.1]])

METRICS = (
    Metric(
        function=accuracy,
        title="Accuracy",
        aliases=(
            "ACC",
            "Acc.",
            "overall accuracy",
            "OA",
            "classification accuracy",
            "top-1 accuracy",
            "subset accuracy",
        ),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ [y = ŷ] / n",
        source=_SKLEARN + "accuracy_score",
        example=Example(*_THREE, 4 / 6),
    ),
    Metric(
        function=balanced_accuracy,
        title="Balanced accuracy",
        aliases=("BACC", "bAcc", "balanced ACC", "mean class accuracy", "UAR", "unweighted average recall"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="mean over classes c of the reference: TP_c / (TP_c + FN_c)",
        source=_SKLEARN + "balanced_accuracy_score",
        example=Example(*_THREE, 2 / 3),
    ),
    Metric(
        function=precision,
        title="Precision",
        aliases=("PPV", "positive predictive value", "precision (binary)", "precision score"),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_BINARY,
        formula="TP / (TP + FP)",
        source=_SKLEARN + "precision_score",
        undefined="0 where nothing is called positive",
        example=Example(*_TWO, 2 / 3),
    ),
    Metric(
        function=precision_macro,
        title="Precision (macro)",
        aliases=("macro precision", "macro-averaged precision"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="mean over classes c: TP_c / (TP_c + FP_c)",
        source=_SKLEARN + "precision_score",
        undefined="0 for a class that is never called",
        example=Example(*_THREE, (1 + 1 / 2 + 2 / 3) / 3),
    ),
    Metric(
        function=precision_micro,
        title="Precision (micro)",
        aliases=("micro precision", "micro-averaged precision"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ_c TP_c / Σ_c (TP_c + FP_c)",
        source=_SKLEARN + "precision_score",
        example=Example(*_THREE, 4 / 6),
    ),
    Metric(
        function=precision_weighted,
        title="Precision (weighted)",
        aliases=("weighted precision",),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ_c n_c TP_c / (TP_c + FP_c) / n",
        source=_SKLEARN + "precision_score",
        undefined="0 for a class that is never called",
        example=Example(*_THREE, (1 + 1 / 2 + 2 / 3) / 3),
    ),
    Metric(
        function=recall,
        title="Recall",
        aliases=("sensitivity", "TPR", "true positive rate", "recall (binary)", "recall score", "hit rate"),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_BINARY,
        formula="TP / (TP + FN)",
        source=_SKLEARN + "recall_score",
        undefined="0 where nothing is positive",
        example=Example(*_TWO, 2 / 3),
    ),
    Metric(
        function=recall_macro,
        title="Recall (macro)",
        aliases=("macro recall", "macro-averaged recall", "macro sensitivity"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="mean over classes c met in either input: TP_c / (TP_c + FN_c)",
        source=_SKLEARN + "recall_score",
        undefined="0 for a class that the reference does not have",
        example=Example(*_THREE, 2 / 3),
    ),
    Metric(
        function=recall_micro,
        title="Recall (micro)",
        aliases=("micro recall", "micro-averaged recall"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ_c TP_c / Σ_c (TP_c + FN_c)",
        source=_SKLEARN + "recall_score",
        example=Example(*_THREE, 4 / 6),
    ),
    Metric(
        function=recall_weighted,
        title="Recall (weighted)",
        aliases=("weighted recall",),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ_c n_c TP_c / (TP_c + FN_c) / n",
        source=_SKLEARN + "recall_score",
        example=Example(*_THREE, 4 / 6),
    ),
    Metric(
        function=specificity,
        title="Specificity",
        aliases=("TNR", "true negative rate", "selectivity"),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_BINARY,
        formula="TN / (TN + FP)",
        source=_SKLEARN + "recall_score of the negative class",
        undefined="0 where nothing is negative",
        example=Example(*_TWO, 1 / 2),
    ),
    Metric(
        function=f1_binary,
        title="F1",
        aliases=("F1 score", "F-score", "F-measure", "F1-measure", "F1 (binary)", "F1-score (binary)", "binary F1"),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_BINARY,
        formula="2 TP / (2 TP + FP + FN)",
        source=_SKLEARN + "f1_score",
        undefined="0 where nothing is positive and nothing called so",
        example=Example(*_TWO, 2 / 3),
    ),
    Metric(
        function=f1_macro,
        title="F1 (macro)",
        aliases=("macro F1", "F1-score (macro)", "macro-averaged F1", "Macro-F1 score", "mF1"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="mean over classes c: 2 TP_c / (2 TP_c + FP_c + FN_c)",
        source=_SKLEARN + "f1_score",
        example=Example(*_THREE, (2 / 3 + 1 / 2 + 4 / 5) / 3),
    ),
    Metric(
        function=f1_micro,
        title="F1 (micro)",
        aliases=("micro F1", "F1-score (micro)", "micro-averaged F1", "Micro-F1 score"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="2 Σ_c TP_c / Σ_c (2 TP_c + FP_c + FN_c)",
        source=_SKLEARN + "f1_score",
        example=Example(*_THREE, 4 / 6),
    ),
    Metric(
        function=f1_weighted,
        title="F1 (weighted)",
        aliases=("weighted F1", "F1-score (weighted)", "weighted F1 score", "wF1"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="Σ_c n_c 2 TP_c / (2 TP_c + FP_c + FN_c) / n",
        source=_SKLEARN + "f1_score",
        example=Example(*_THREE, (2 / 3 + 1 / 2 + 4 / 5) / 3),
    ),
    Metric(
        function=matthews,
        title="MCC",
        aliases=("Matthews correlation coefficient", "Matthews correlation", "Matthews CC", "phi coefficient"),
        low=-1,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="(TP TN - FP FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN)), and its extension to more classes",
        source=_SKLEARN + "matthews_corrcoef; Gorodkin 2004, Comput. Biol. Chem. 28, 367",
        undefined="0 for a prediction of one class",
        example=Example(*_TWO, 1 / 6),
    ),
    Metric(
        function=cohen_kappa,
        title="Cohen's kappa",
        aliases=("kappa", "κ", "Cohen kappa score", "Cohen's κ", "kappa coefficient"),
        low=-1,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="1 - Σ_{i≠j} O_ij / Σ_{i≠j} E_ij",
        source=_SKLEARN + "cohen_kappa_score; Cohen 1960",
        example=Example(*_THREE, 1 / 2),
    ),
    Metric(
        function=quadratic_kappa,
        title="Quadratic weighted kappa",
        aliases=("QWK", "quadratic kappa", "weighted kappa (quadratic)", "quadratically weighted kappa"),
        low=-1,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_LABELS,
        formula="1 - Σ (i-j)² O_ij / Σ (i-j)² E_ij",
        source=_SKLEARN + "cohen_kappa_score(weights='quadratic'); Cohen 1968",
        example=Example(*_THREE, 1 - 2 / 8),
    ),
    Metric(
        function=roc_auc,
        title="ROC-AUC",
        aliases=(
            "AUROC",
            "AUC",
            "AUC-ROC",
            "ROC AUC score",
            "area under the ROC curve",
            "AUC ROC",
            "auROC",
            "c-statistic",
        ),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_SCORES,
        formula="P(s⁺ > s⁻) + P(s⁺ = s⁻) / 2",
        source=_SKLEARN + "roc_auc_score; Hanley and McNeil 1982",
        undefined="1/2 for equal scores",
        example=Example(*_RANKED, 3 / 4),
    ),
    Metric(
        function=roc_auc_macro,
        title="ROC-AUC (macro, one against the rest)",
        aliases=("macro AUROC", "macro AUC", "AUROC (macro)", "ROC-AUC (macro)", "ROC-AUC OvR", "mean AUROC"),
        low=0,
        high=1,
        perfect=1,
        reference=_CLASSES,
        prediction=_PROBABILITIES,
        formula="mean over classes of ROC-AUC of the class against the rest",
        source=_SKLEARN + "roc_auc_score(multi_class='ovr')",
        example=Example(*_ROWS, (1 + 7 / 8 + 1) / 3),
    ),
    Metric(
        function=average_precision,
        title="AUPRC",
        aliases=(
            "average precision",
            "AP",
            "PR-AUC",
            "AUC-PR",
            "auPRC",
            "area under the precision-recall curve",
            "AUPR",
            "average precision score",
        ),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_SCORES,
        formula="Σ_k (R_k - R_{k-1}) P_k over distinct scores from the highest",
        source=_SKLEARN + "average_precision_score",
        undefined="the share of positives for equal scores",
        example=Example(*_RANKED, 1 / 2 + 1 / 2 * 2 / 3),
    ),
    Metric(
        function=pr_auc_trapezoid,
        title="PR-AUC (trapezoid)",
        aliases=("AUPRC (trapezoid)", "PR-AUC (interpolated)", "auc(recall, precision)"),
        low=0,
        high=1,
        perfect=1,
        reference=_BINARY,
        prediction=_SCORES,
        formula="Σ_k (R_k - R_{k-1}) (P_k + P_{k-1}) / 2 over distinct scores, from (0, 1)",
        source=_SKLEARN + "auc of precision_recall_curve",
        example=Example(*_RANKED, 1 / 2 + 1 / 2 * (1 / 2 + 2 / 3) / 2),
    ),
    Metric(
        function=log_loss,
        title="Log loss",
        aliases=("cross-entropy", "cross entropy", "CE", "logloss", "negative log-likelihood", "NLL", "logistic loss"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_CLASSES,
        prediction=_PROBABILITIES,
        formula="-Σ ln p(y) / n, p kept above 1e-15",
        source=_SKLEARN + "log_loss",
        undefined="a probability of 0 for the true class costs 34.5",
        example=Example([1, 0], [0.5, 0.75], (np.log(2) + np.log(4)) / 2),
    ),
    Metric(
        function=brier,
        title="Brier score",
        aliases=("Brier", "Brier loss", "Brier score loss"),
        direction=LOWER,
        low=0,
        high=1,
        perfect=0,
        reference="labels 0 and 1 (n,)",
        prediction="probabilities of class 1 (n,)",
        formula="Σ (p - y)² / n",
        source=_SKLEARN + "brier_score_loss; Brier 1950",
        example=Example([1, 0], [0.5, 0.75], (0.25 + 0.5625) / 2),
    ),
    Metric(
        function=brier_multiclass,
        title="Brier score (multi-class)",
        aliases=("multiclass Brier score", "multi-class Brier"),
        direction=LOWER,
        low=0,
        high=2,
        perfect=0,
        reference=_CLASSES,
        prediction=_PROBABILITIES,
        formula="Σ_i Σ_c (p_ic - [y_i = c])² / n",
        source="Brier 1950, Mon. Weather Rev. 78, 1",
        example=Example(*_ROWS, (0.06 + 0.38 + 0.54 + 0.86) / 4),
    ),
    Metric(
        function=top_k_accuracy,
        title="Top-k accuracy",
        aliases=("top-5 accuracy", "top5", "acc@k", "accuracy@k", "acc@5", "top k acc"),
        low=0,
        high=1,
        perfect=1,
        reference=_CLASSES,
        prediction="scores (n, classes)",
        formula="Σ [rank of the true class ≤ k] / n, ties ranked before it",
        source=_SKLEARN + "top_k_accuracy_score",
        example=Example(*_ROWS, 1.0, {"k": 2}),
    ),
    Metric(
        function=expected_calibration_error,
        title="ECE",
        aliases=("expected calibration error", "calibration error"),
        direction=LOWER,
        low=0,
        high=1,
        perfect=0,
        reference=_CLASSES,
        prediction=_PROBABILITIES,
        formula="Σ_b n_b / n |accuracy_b - confidence_b|",
        source="Guo et al. 2017, arXiv 1706.04599",
        example=Example([1, 1, 0, 0], [0.9, 0.9, 0.8, 0.1], (0.3 + 0.8) / 4, {"bins": 10}),
    ),
)
