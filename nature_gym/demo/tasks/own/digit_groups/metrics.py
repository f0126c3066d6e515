"""Metrics of the task."""

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment


def matched_accuracy(reference: Any, prediction: Any) -> float:
    """Share of agreement under the best one-to-one match of groups to characters. Both (n,)."""
    _, truth = np.unique(np.asarray(reference), return_inverse=True)
    _, groups = np.unique(np.asarray(prediction), return_inverse=True)
    table = np.zeros((int(groups.max()) + 1, int(truth.max()) + 1))
    np.add.at(table, (groups, truth), 1)
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].sum() / truth.size)
