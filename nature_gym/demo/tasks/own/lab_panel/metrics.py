"""Metrics of the task: a missing response counts for nothing, and the responses weigh the same."""

from typing import Any

import numpy as np


def scaled_rmse(reference: Any, prediction: Any, spread: Any = (1.0,)) -> float:
    """Root-mean-square error in units of ``spread``, mean over responses. Both (n, responses), NaN where missing."""
    errors = (np.asarray(prediction, dtype=float) - np.asarray(reference, dtype=float)) / np.asarray(spread)
    return float(np.mean(np.sqrt(np.nanmean(errors**2, axis=0))))


def scaled_mae(reference: Any, prediction: Any, spread: Any = (1.0,)) -> float:
    """Mean absolute error in units of ``spread``, mean over responses. Both (n, responses), NaN where missing."""
    errors = (np.asarray(prediction, dtype=float) - np.asarray(reference, dtype=float)) / np.asarray(spread)
    return float(np.mean(np.nanmean(np.abs(errors), axis=0)))
