"""How predictions are scored."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rmse(truth: Array, predicted: Array) -> float:
    """Root-mean-square error."""
    return float(np.sqrt(((truth - predicted) ** 2).mean()))


def pearson(truth: Array, predicted: Array) -> float:
    """Pearson correlation."""
    return float(np.corrcoef(truth, predicted)[0, 1])
