"""Metrics of the task, on what ``relevance`` gives."""

from typing import Any

import numpy as np


def ndcg_at_10(reference: Any, prediction: Any) -> float:
    """Mean normalised discounted gain. ``prediction``: (n, 11), ten hits and how many hits there could be."""
    hits, possible = prediction[:, :10], prediction[:, 10].astype(int)
    gain = 1 / np.log2(np.arange(2, 12))
    ideal = np.array([gain[:count].sum() for count in possible])
    return float(np.mean(hits @ gain / ideal))


def mrr_at_10(reference: Any, prediction: Any) -> float:
    """Mean of one over the rank of the first hit. ``prediction`` as above."""
    hits = prediction[:, :10] > 0
    return float(np.mean(np.where(hits.any(axis=1), 1 / (hits.argmax(axis=1) + 1), 0.0)))
