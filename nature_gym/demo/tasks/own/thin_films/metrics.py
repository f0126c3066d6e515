"""Metrics of the task, on the errors that the simulator gives."""

from typing import Any

import numpy as np


def mean_band_error(reference: Any, prediction: Any) -> float:
    """Mean error in per cent of reflectance. ``prediction``: errors (targets,)."""
    return 100 * float(np.mean(prediction))


def share_within_tolerance(reference: Any, prediction: Any, tolerance: float = 0.03) -> float:
    """Share of targets whose error is at most ``tolerance``. ``prediction``: errors (targets,)."""
    return float(np.mean(np.asarray(prediction) <= tolerance))
