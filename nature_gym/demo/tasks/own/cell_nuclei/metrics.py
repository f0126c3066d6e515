"""Metrics of the task."""

from typing import Any

import numpy as np


def brier_of_malignancy(reference: Any, prediction: Any) -> float:
    """Mean squared difference between the probability of M and the truth. Texts M and B (n,), probabilities (n,)."""
    truth = np.asarray(reference) == "M"
    return float(np.mean((np.asarray(prediction, dtype=float) - truth) ** 2))
