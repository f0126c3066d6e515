"""Ranking: how early what is relevant comes, in one list or in the mean over many.

Lists are rows: shape (queries, items), or (items,) for one. A NaN in the reference marks an item that a list does not
have. Where scores tie, items that are not relevant come first, so that equal scores for all earn nothing; NDCG
shares the gain of a tie among its items, as scikit-learn has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from nature_gym.metrics.entry import Example, Metric
from nature_gym.metrics.inputs import Floats, Truths, floats, numeric, ranked_truths, same_shape


def _lists(reference: Any, prediction: Any) -> Iterator[tuple[Floats, Floats]]:
    """Relevances and scores of each list that has a relevant item. Shapes (items,), (items,)."""
    relevance = np.asarray(numeric(reference, "reference"), dtype=np.float64)
    scores = floats(prediction, "prediction")
    same_shape(relevance, scores)
    if relevance.ndim not in (1, 2):
        raise ValueError(f"the inputs must have shape (queries, items), and have {relevance.shape}")
    known = ~np.isnan(relevance)
    if not np.isfinite(relevance[known]).all() or (relevance[known] < 0).any():
        raise ValueError("the reference holds relevances that are negative or not finite")
    found = False
    for row, given, there in zip(*map(np.atleast_2d, (relevance, scores, known)), strict=True):
        if (row[there] > 0).any():
            found = True
            yield row[there], given[there]
    if not found:
        raise ValueError("no list of the reference has a relevant item")


def _sorted(reference: Any, prediction: Any) -> Iterator[Truths]:
    """Of each list, which items are relevant, in the order of the scores. Shape (items,)."""
    for relevance, scores in _lists(reference, prediction):
        yield relevance[np.lexsort((relevance > 0, -scores))] > 0


def _checked(k: int | None) -> int | None:
    if k is not None and k < 1:
        raise ValueError(f"k is {k}, and must be 1 or more")
    return k


def _mean(reference: Any, prediction: Any, of_list: Callable[[Truths], float]) -> float:
    return float(np.mean([of_list(hits) for hits in _sorted(reference, prediction)]))


def ndcg(reference: Any, prediction: Any, k: int | None = None, exponential: bool = False) -> float:
    """The gain of items, falling with the logarithm of their rank, over that of the best order."""
    cut = _checked(k)
    values = []
    for relevance, scores in _lists(reference, prediction):
        gains = np.exp2(np.minimum(relevance, 100.0)) - 1.0 if exponential else relevance
        discounts = 1.0 / np.log2(np.arange(len(gains)) + 2.0)
        discounts[cut or len(gains) :] = 0.0
        _, group, counts = np.unique(-scores, return_inverse=True, return_counts=True)
        group = group.reshape(-1)
        shared = np.bincount(group, weights=gains) / counts
        reached = np.append(0.0, np.cumsum(discounts))
        ends = np.cumsum(counts)
        values.append(shared @ (reached[ends] - reached[ends - counts]) / (-np.sort(-gains) @ discounts))
    return float(np.mean(values))


def _average_precision_of(hits: Truths) -> float:
    found = np.flatnonzero(hits)
    return float(np.mean(np.arange(1, found.size + 1) / (found + 1)))


def mean_average_precision(reference: Any, prediction: Any) -> float:
    """The mean over lists of the mean precision at each relevant item."""
    return _mean(reference, prediction, _average_precision_of)


def mean_reciprocal_rank(reference: Any, prediction: Any) -> float:
    """The mean over lists of one over the rank of the first relevant item."""
    return _mean(reference, prediction, lambda hits: 1.0 / (1.0 + float(np.argmax(hits))))


def hit_at_k(reference: Any, prediction: Any, k: int = 10) -> float:
    """The share of lists with a relevant item among the first k."""
    cut = _checked(k)
    return _mean(reference, prediction, lambda hits: float(hits[:cut].any()))


def recall_at_k(reference: Any, prediction: Any, k: int = 10) -> float:
    """The mean over lists of the share of relevant items that are among the first k."""
    cut = _checked(k)
    return _mean(reference, prediction, lambda hits: float(hits[:cut].sum() / hits.sum()))


def precision_at_k(reference: Any, prediction: Any, k: int = 10) -> float:
    """The mean over lists of the share of the first k that are relevant; k counts in full for shorter lists."""
    cut = _checked(k)
    return _mean(reference, prediction, lambda hits: float(hits[:cut].sum() / k))


def _order(reference: Any, prediction: Any) -> Truths:
    """Which are active, in the order of the scores, inactive ones first in a tie. Shape (n,)."""
    active, scores = ranked_truths(reference, prediction)
    if not active.any():
        raise ValueError("the reference has no active")
    return np.asarray(active[np.lexsort((active, -scores))])


def enrichment_factor(reference: Any, prediction: Any, fraction: float = 0.01) -> float:
    """How many times more actives are among the first ``fraction`` than a random order would have there."""
    if not 0.0 < fraction <= 1.0:
        raise ValueError(f"fraction is {fraction}, and must be above 0 and at most 1")
    active = _order(reference, prediction)
    first = int(np.ceil(round(fraction * active.size, 9)))
    return float(active[:first].mean() / active.mean())


def bedroc(reference: Any, prediction: Any, alpha: float = 20.0) -> float:
    """Early enrichment: actives weighted exponentially by rank, scaled to 0 for the worst order and 1 for the best."""
    if not 0.0 < alpha <= 500.0:
        raise ValueError(f"alpha is {alpha}, and must be above 0 and at most 500")
    active = _order(reference, prediction)
    count, share = active.size, float(active.mean())
    if share == 1.0:
        raise ValueError("the reference has actives alone: there is nothing to rank them before")
    rank = np.flatnonzero(active) + 1.0
    earned = np.exp(-alpha * rank / count).sum()
    best = (1.0 - np.exp(-alpha * share)) / np.expm1(alpha / count)
    worst = best * np.exp(-alpha * (1.0 - share))
    return float((earned - worst) / (best - worst))


_RELEVANCE = "relevances, 0 or more (queries, items) or (items,); NaN for an item not there"
_ITEMS = "scores, higher for earlier, of the reference's shape"
_ONE = ([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])

METRICS = (
    Metric(
        function=ndcg,
        title="NDCG",
        aliases=("NDCG@k", "nDCG", "normalized discounted cumulative gain", "normalised discounted cumulative gain"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="Σ_i g_i / log₂(i + 1) over that of the best order; g = relevance, or 2^relevance - 1 (exponential)",
        source="Järvelin and Kekäläinen 2002; scikit-learn, sklearn.metrics.ndcg_score",
        undefined="ties share their gain",
        example=Example(*_ONE, (1 / np.log2(3) + 1 / np.log2(5)) / (1 + 1 / np.log2(3))),
    ),
    Metric(
        function=mean_average_precision,
        title="MAP",
        aliases=("mean average precision (ranking)", "mean average precision"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="mean over lists of Σ_{relevant i} precision at i / number of relevant items",
        source="Manning et al. 2008, Introduction to Information Retrieval, 8.4",
        undefined="in a tie, relevant items come last",
        example=Example(*_ONE, 1 / 2),
    ),
    Metric(
        function=mean_reciprocal_rank,
        title="MRR",
        aliases=("mean reciprocal rank", "reciprocal rank"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="mean over lists of 1 / rank of the first relevant item",
        source="Voorhees 1999, TREC-8",
        undefined="in a tie, relevant items come last",
        example=Example(*_ONE, 1 / 2),
    ),
    Metric(
        function=hit_at_k,
        title="Hit@k",
        aliases=("hits@k", "hit rate@k", "HR@k", "success@k"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="share of lists with a relevant item among the first k",
        source="Bordes et al. 2013, NeurIPS (hits@10)",
        undefined="in a tie, relevant items come last",
        example=Example(*_ONE, 1.0, {"k": 2}),
    ),
    Metric(
        function=recall_at_k,
        title="Recall@k",
        aliases=("R@k", "recall at k"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="mean over lists of relevant items among the first k / relevant items",
        source="Manning et al. 2008, Introduction to Information Retrieval, 8.4",
        undefined="in a tie, relevant items come last",
        example=Example(*_ONE, 1 / 2, {"k": 2}),
    ),
    Metric(
        function=precision_at_k,
        title="Precision@k",
        aliases=("P@k", "precision at k"),
        low=0,
        high=1,
        perfect=1,
        reference=_RELEVANCE,
        prediction=_ITEMS,
        formula="mean over lists of relevant items among the first k / k; below 1 where fewer are relevant",
        source="Manning et al. 2008, Introduction to Information Retrieval, 8.4",
        undefined="in a tie, relevant items come last",
        example=Example(*_ONE, 1 / 2, {"k": 2}),
    ),
    Metric(
        function=enrichment_factor,
        title="Enrichment factor",
        aliases=("EF", "EF1%", "EF 1%", "enrichment factor at 1%"),
        low=0,
        perfect=None,
        reference="labels 0 and 1 of actives (n,)",
        prediction="scores, higher for active (n,)",
        formula="share of actives among the first ⌈fraction n⌉ / share among all",
        source="RDKit, rdkit.ML.Scoring.Scoring.CalcEnrichment",
        undefined="in a tie, actives come last",
        example=Example(*_ONE, 1.0, {"fraction": 0.5}),
    ),
    Metric(
        function=bedroc,
        title="BEDROC",
        aliases=("BEDROC20", "BEDROC (α = 20)", "Boltzmann-enhanced discrimination of ROC"),
        low=0,
        high=1,
        perfect=1,
        reference="labels 0 and 1 of actives (n,)",
        prediction="scores, higher for active (n,)",
        formula="(RIE - RIE_min) / (RIE_max - RIE_min), RIE ∝ Σ exp(-α rank / n)",
        source="Truchon and Bayly 2007, J. Chem. Inf. Model. 47, 488",
        undefined="in a tie, actives come last",
        example=Example([1, 0], [2.0, 1.0], 1.0),
    ),
)
