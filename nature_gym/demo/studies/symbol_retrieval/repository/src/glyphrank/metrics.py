import numpy as np


def ndcg_at_10(hits, n_relevant):
    """hits: queries x 10, whether the image at that rank shows the query's symbol"""
    gain = 1 / np.log2(np.arange(2, 12))
    ideal = np.array([gain[: min(n, 10)].sum() for n in n_relevant])
    return (hits @ gain) / ideal


def reciprocal_rank(hits):
    first = hits.argmax(1)
    return np.where(hits.any(1), 1 / (first + 1), 0.0)
