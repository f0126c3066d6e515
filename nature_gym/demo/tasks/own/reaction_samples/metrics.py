"""Metrics of the task: both compare a sample with the reference sample, in thousandths."""

from typing import Any

import numpy as np


def sliced_wasserstein(reference: Any, prediction: Any) -> float:
    """Mean over 64 directions of the distance of 400 quantiles. Points (m, 2) and (n, 2)."""
    angle = np.pi * (np.arange(64) + 0.5) / 64
    directions = np.stack([np.cos(angle), np.sin(angle)])
    levels = (np.arange(400) + 0.5) / 400
    one = np.quantile(np.asarray(prediction, dtype=float) @ directions, levels, axis=0)
    other = np.quantile(np.asarray(reference, dtype=float) @ directions, levels, axis=0)
    return 1e3 * float(np.abs(one - other).mean())


def jensen_shannon_profile(reference: Any, prediction: Any) -> float:
    """Divergence in nats of the histograms of the first coordinate. Points (m, 2) and (n, 2)."""
    edges = np.linspace(-2.0, 1.5, 41)
    shares = [
        np.histogram(np.clip(np.asarray(points, dtype=float)[:, 0], -2.0, 1.5), edges)[0] / len(points)
        for points in (prediction, reference)
    ]
    middle = (shares[0] + shares[1]) / 2
    parts = [float((p[p > 0] * np.log(p[p > 0] / middle[p > 0])).sum()) for p in shares]
    return 1e3 * sum(parts) / 2
