"""Many targets at once, with gaps: the mean over targets of a metric over the samples that have a label.

Inputs have shape (samples, targets); NaN in the reference marks a missing label, and the prediction is not looked at
there. A target for which the metric is not defined (one class only, a constant) is left out of the mean, as
MoleculeNet and OGB do; where that leaves none, the reference is at fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nature_gym.metrics.classification import average_precision, roc_auc
from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import numeric, same_shape
from nature_gym.metrics.regression import mae, pearson, r2, rmse, spearman


def _masked_mean(reference: Any, prediction: Any, metric: Callable[[Any, Any], float], kinds: int) -> float:
    """The mean of ``metric`` over the targets that have ``kinds`` different labels at least."""
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    if one.ndim != 2:
        raise ValueError(f"the inputs must have shape (samples, targets), and have {one.shape}")
    values = []
    for target in range(one.shape[1]):
        known = ~np.isnan(one[:, target])
        truth = one[known, target]
        if np.unique(truth).size >= kinds:
            values.append(metric(truth, other[known, target]))
    if not values:
        raise ValueError(f"no target of the reference has {kinds} different labels")
    return float(np.mean(values))


def masked_roc_auc(reference: Any, prediction: Any) -> float:
    """The mean over targets of the ROC-AUC over labelled samples."""
    return _masked_mean(reference, prediction, roc_auc, 2)


def masked_average_precision(reference: Any, prediction: Any) -> float:
    """The mean over targets of the average precision over labelled samples."""
    return _masked_mean(reference, prediction, average_precision, 2)


def masked_rmse(reference: Any, prediction: Any) -> float:
    """The mean over targets of the root mean squared error over labelled samples."""
    return _masked_mean(reference, prediction, rmse, 1)


def masked_mae(reference: Any, prediction: Any) -> float:
    """The mean over targets of the mean absolute error over labelled samples."""
    return _masked_mean(reference, prediction, mae, 1)


def masked_r2(reference: Any, prediction: Any) -> float:
    """The mean over targets of R² over labelled samples."""
    return _masked_mean(reference, prediction, r2, 2)


def masked_pearson(reference: Any, prediction: Any) -> float:
    """The mean over targets of the linear correlation over labelled samples."""
    return _masked_mean(reference, prediction, pearson, 2)


def masked_spearman(reference: Any, prediction: Any) -> float:
    """The mean over targets of the rank correlation over labelled samples."""
    return _masked_mean(reference, prediction, spearman, 2)


_TRUTHS = "labels 0 and 1 (samples, targets); NaN where missing"
_NUMBERS = "numbers (samples, targets); NaN where missing"
_SCORES = "scores (samples, targets)"
_GIVEN = "numbers (samples, targets)"
_LEFT_OUT = "a target with one class only is left out"
_CONSTANT = "a constant target is left out; 0 for a constant prediction of a target"
_OGB = "mean over targets, as Hu et al. 2020 (OGB), arXiv 2005.00687"
_GAPS = ([[0, 1], [1, 0], [0, float("nan")], [1, float("nan")]], [[0.1, 0.6], [0.35, 0.2], [0.4, 9.0], [0.8, 9.0]])
_ROWS = ([[1.0, 2.0], [2.0, float("nan")], [3.0, 4.0]], [[1.0, 3.0], [3.0, 7.0], [2.0, 5.0]])

METRICS = (
    Metric(
        function=masked_roc_auc,
        title="ROC-AUC (mean over targets)",
        aliases=("mean ROC-AUC over tasks", "multi-task ROC-AUC", "multi-label AUROC", "ROC-AUC (multi-task)"),
        low=0,
        high=1,
        perfect=1,
        reference=_TRUTHS,
        prediction=_SCORES,
        formula="Σ_t ROC-AUC_t / T over labelled samples of each target",
        source=_OGB,
        undefined=_LEFT_OUT,
        example=Example(*_GAPS, (3 / 4 + 1) / 2),
    ),
    Metric(
        function=masked_average_precision,
        title="AUPRC (mean over targets)",
        aliases=("multi-task AUPRC", "multi-label AUPRC", "multi-label average precision", "AP (multi-task)"),
        low=0,
        high=1,
        perfect=1,
        reference=_TRUTHS,
        prediction=_SCORES,
        formula="Σ_t AUPRC_t / T over labelled samples of each target",
        source=_OGB,
        undefined=_LEFT_OUT,
        example=Example(*_GAPS, (5 / 6 + 1) / 2),
    ),
    Metric(
        function=masked_rmse,
        title="RMSE (mean over targets)",
        aliases=("multi-task RMSE", "MCRMSE", "mean columnwise RMSE"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_NUMBERS,
        prediction=_GIVEN,
        formula="Σ_t RMSE_t / T over labelled samples of each target",
        source=_OGB,
        example=Example(*_ROWS, ((2 / 3) ** 0.5 + 1) / 2),
    ),
    Metric(
        function=masked_mae,
        title="MAE (mean over targets)",
        aliases=("multi-task MAE", "mean columnwise MAE"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_NUMBERS,
        prediction=_GIVEN,
        formula="Σ_t MAE_t / T over labelled samples of each target",
        source=_OGB,
        example=Example(*_ROWS, (2 / 3 + 1) / 2),
    ),
    Metric(
        function=masked_r2,
        title="R² (mean over targets)",
        aliases=("multi-task R²", "mean R² over targets", "multi-output R²"),
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_GIVEN,
        formula="Σ_t R²_t / T over labelled samples of each target",
        source=_OGB,
        undefined="a constant target is left out",
        example=Example(*_ROWS, ((1 - 2 / 2) + (1 - 2 / 2)) / 2),
    ),
    Metric(
        function=masked_pearson,
        title="Pearson correlation (mean over targets)",
        aliases=("mean Pearson over targets", "multi-task Pearson", "gene-wise Pearson", "mean PCC over genes"),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_GIVEN,
        formula="Σ_t r_t / T over labelled samples of each target",
        source=_OGB,
        undefined=_CONSTANT,
        example=Example(*_ROWS, (0.5 + 1) / 2),
    ),
    Metric(
        function=masked_spearman,
        title="Spearman correlation (mean over targets)",
        aliases=("mean Spearman over targets", "multi-task Spearman", "gene-wise Spearman"),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_GIVEN,
        formula="Σ_t ρ_t / T over labelled samples of each target",
        source=_OGB,
        undefined=_CONSTANT,
        example=Example(*_ROWS, (0.5 + 1) / 2),
    ),
)
