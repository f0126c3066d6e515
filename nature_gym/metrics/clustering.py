"""Clustering, and how well an embedding keeps cell types together and mixes batches.

Clusterings are compared through the counts of samples in each pair of classes and clusters, of which only those that
occur are held. Embeddings (samples, dimensions) are the prediction, the labels that they are to respect the
reference; distances are Euclidean and computed by blocks of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from nature_gym.metrics.entry import Example, Metric
from nature_gym.metrics.inputs import Floats, Integers, floats, labels, same_shape


def _overlaps(reference: Any, prediction: Any) -> tuple[Floats, Integers, Integers, Floats, Floats]:
    """Counts of the pairs of class and cluster that occur, the class and cluster of each, and the sizes of both."""
    one, other = labels(reference, "reference"), labels(prediction, "prediction")
    same_shape(one, other)
    _, classes = np.unique(one, return_inverse=True)
    _, clusters = np.unique(other, return_inverse=True)
    classes, clusters = classes.reshape(-1).astype(np.int64), clusters.reshape(-1).astype(np.int64)
    width = int(clusters.max()) + 1
    pairs, counts = np.unique(classes * width + clusters, return_counts=True)
    sizes = np.bincount(classes).astype(np.float64), np.bincount(clusters).astype(np.float64)
    return counts.astype(np.float64), pairs // width, pairs % width, *sizes


def _several(classes: Floats) -> None:
    if classes.size < 2:
        raise ValueError("the reference has one class only: there is nothing to tell apart")


def _pairs_in(sizes: Floats) -> float:
    return float((sizes * (sizes - 1.0)).sum() / 2.0)


def adjusted_rand(reference: Any, prediction: Any) -> float:
    """The share of pairs of samples on which both agree, corrected for chance."""
    counts, _, _, classes, clusters = _overlaps(reference, prediction)
    _several(classes)
    together, one, other = _pairs_in(counts), _pairs_in(classes), _pairs_in(clusters)
    if one == other == together:
        return 1.0
    total = classes.sum() * (classes.sum() - 1.0) / 2.0
    expected = one * other / total
    return float((together - expected) / ((one + other) / 2.0 - expected))


def _entropy(sizes: Floats) -> float:
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum())


def _information(reference: Any, prediction: Any) -> tuple[float, float, float]:
    """Mutual information, and the entropies of classes and clusters, in nats."""
    counts, row, column, classes, clusters = _overlaps(reference, prediction)
    _several(classes)
    total = counts.sum()
    shared = (counts / total * np.log(counts * total / (classes[row] * clusters[column]))).sum()
    return max(float(shared), 0.0), _entropy(classes), _entropy(clusters)


def normalized_mutual_information(reference: Any, prediction: Any) -> float:
    """The information that clusters give of classes, over the mean of both entropies."""
    shared, one, other = _information(reference, prediction)
    return min(2.0 * shared / (one + other), 1.0)


def _expected_information(classes: Floats, clusters: Floats) -> float:
    """The mean mutual information of random clusterings of these sizes (Vinh et al. 2010, equation 24a)."""
    total = int(classes.sum())
    factorial = np.append(0.0, np.cumsum(np.log(np.arange(1, total + 1))))  # of the logarithm
    sizes_one, times_one = np.unique(classes.astype(np.int64), return_counts=True)
    sizes_other, times_other = np.unique(clusters.astype(np.int64), return_counts=True)
    expected = 0.0
    for a, often in zip(sizes_one, times_one, strict=True):
        for b, times in zip(sizes_other, times_other, strict=True):
            shared = np.arange(max(1, a + b - total), min(a, b) + 1)
            chance = np.exp(
                factorial[a]
                + factorial[b]
                + factorial[total - a]
                + factorial[total - b]
                - factorial[total]
                - factorial[shared]
                - factorial[a - shared]
                - factorial[b - shared]
                - factorial[total - a - b + shared]
            )
            gain = shared / total * (np.log(total) + np.log(shared) - np.log(a) - np.log(b))
            expected += float(often * times * (gain * chance).sum())
    return expected


def adjusted_mutual_information(reference: Any, prediction: Any) -> float:
    """Mutual information beyond what random clusters of the same sizes would share, over the mean entropy beyond it."""
    _, _, _, classes, clusters = _overlaps(reference, prediction)
    shared, one, other = _information(reference, prediction)
    expected = _expected_information(classes, clusters)
    room = (one + other) / 2.0 - expected
    if abs(room) < 1e-12:
        return 1.0 if abs(one - shared) < 1e-12 and abs(other - shared) < 1e-12 else 0.0
    return min(float((shared - expected) / room), 1.0)


def homogeneity(reference: Any, prediction: Any) -> float:
    """How far each cluster holds one class alone."""
    shared, one, _ = _information(reference, prediction)
    return min(shared / one, 1.0)


def completeness(reference: Any, prediction: Any) -> float:
    """How far each class lies in one cluster alone; a single cluster is complete."""
    shared, _, other = _information(reference, prediction)
    return min(shared / other, 1.0) if other > 0 else 1.0


def v_measure(reference: Any, prediction: Any) -> float:
    """The harmonic mean of homogeneity and completeness, which is the normalised mutual information."""
    return normalized_mutual_information(reference, prediction)


def fowlkes_mallows(reference: Any, prediction: Any) -> float:
    """The geometric mean of precision and recall of pairs put together."""
    counts, _, _, classes, clusters = _overlaps(reference, prediction)
    one, other = _pairs_in(classes), _pairs_in(clusters)
    if one == 0:
        raise ValueError("no two samples of the reference are of one class")
    return float(_pairs_in(counts) / np.sqrt(one) / np.sqrt(other)) if other else 0.0


def purity(reference: Any, prediction: Any) -> float:
    """The share of samples that are of their cluster's commonest class."""
    counts, _, column, classes, clusters = _overlaps(reference, prediction)
    _several(classes)
    largest = np.zeros(clusters.size)
    np.maximum.at(largest, column, counts)
    return float(largest.sum() / classes.sum())


def _embedded(reference: Any, prediction: Any) -> tuple[Integers, Floats, int]:
    """Classes from 0 of n samples, their points, and the count of classes. Shapes (n,), (n, d)."""
    names = labels(reference, "reference")
    points = floats(prediction, "prediction")
    if points.ndim == 1:
        points = points[:, None]
    if points.ndim != 2 or len(points) != len(names):
        raise ValueError(f"the prediction has shape {points.shape}, for {len(names)} samples")
    met, classes = np.unique(names, return_inverse=True)
    if met.size < 2:
        raise ValueError("the reference has one class only: there is nothing to tell apart")
    return classes.reshape(-1).astype(np.int64), points, int(met.size)


def _distances(points: Floats) -> Iterator[tuple[int, Floats]]:
    """Distances of blocks of points to all, with the number of the block's first. Shape (block, n)."""
    centred = points - points.mean(axis=0)
    squares = (centred**2).sum(axis=1)
    step = max(1, (1 << 22) // len(points))
    for start in range(0, len(points), step):
        rows = slice(start, start + step)
        apart = squares[rows, None] + squares[None, :] - 2.0 * centred[rows] @ centred.T
        block = np.sqrt(np.maximum(apart, 0.0))
        block[np.arange(len(block)), np.arange(start, start + len(block))] = 0.0
        yield start, block


def silhouette(reference: Any, prediction: Any) -> float:
    """How much nearer samples are to their own class than to the next one, in the mean."""
    classes, points, count = _embedded(reference, prediction)
    if count >= len(points):
        raise ValueError("every sample of the reference is a class of its own")
    sizes = np.bincount(classes, minlength=count).astype(np.float64)
    member = np.eye(count)[classes]
    total = 0.0
    for start, block in _distances(points):
        sums = block @ member
        own = classes[start : start + len(block)]
        rows = np.arange(len(block))
        within = sums[rows, own] / np.maximum(sizes[own] - 1.0, 1.0)
        between = sums / sizes
        between[rows, own] = np.inf
        nearest = between.min(axis=1)
        widest = np.maximum(within, nearest)
        widths = np.divide(nearest - within, widest, out=np.zeros_like(widest), where=widest > 0)
        total += float(widths[sizes[own] > 1].sum())
    return total / len(points)


def _neighbours(points: Floats, k: int) -> tuple[Integers, Floats]:
    """The k nearest other points of each, the earlier one first in a tie, and how far they are. Shapes (n, k)."""
    near = np.empty((len(points), k), dtype=np.int64)
    far = np.empty((len(points), k))
    for start, block in _distances(points):
        block[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
        last = np.partition(block, k - 1, axis=1)[:, k - 1 : k]
        group = (block >= last).astype(np.int8) + (block > last)
        chosen = np.argsort(group, axis=1, kind="stable")[:, :k]
        apart = np.take_along_axis(block, chosen, axis=1)
        order = np.argsort(apart, axis=1, kind="stable")
        near[start : start + len(block)] = np.take_along_axis(chosen, order, axis=1)
        far[start : start + len(block)] = np.take_along_axis(apart, order, axis=1)
    return near, far


def graph_connectivity(reference: Any, prediction: Any, k: int = 15) -> float:
    """The mean over classes of the share of the class that hangs together in the graph of k nearest neighbours."""
    classes, points, count = _embedded(reference, prediction)
    if not 1 <= k < len(points):
        raise ValueError(f"k is {k}, and there are {len(points)} samples")
    near, _ = _neighbours(points, k)
    start = np.repeat(np.arange(len(points)), k)
    end = near.reshape(-1)
    within = classes[start] == classes[end]
    ones = np.ones(int(within.sum()))
    graph = coo_matrix((ones, (start[within], end[within])), shape=(len(points), len(points)))
    _, part = connected_components(graph, directed=False)
    shares = []
    for one in range(count):
        members = np.unique(part[classes == one], return_counts=True)[1]
        shares.append(members.max() / members.sum())
    return float(np.mean(shares))


def _simpson(classes: Integers, points: Floats, count: int, perplexity: float) -> Floats:
    """The effective number of classes around each sample, neighbours weighted to the given perplexity. Shape (n,)."""
    k = int(min(3 * perplexity, len(points) - 1))
    if not 1.0 <= perplexity < k:
        raise ValueError(f"perplexity is {perplexity}, which is too large for {len(points)} samples")
    near, far = _neighbours(points, k)
    found = np.empty(len(points))
    target = np.log(perplexity)
    for row in range(len(points)):
        away = far[row] - far[row, 0]
        beta, low, high = 1.0, 0.0, np.inf
        for _ in range(100):
            weights = np.exp(-away * beta)
            weights /= weights.sum()
            entropy = -(weights * np.log(np.maximum(weights, 1e-300))).sum()
            if abs(entropy - target) < 1e-7:
                break
            if entropy > target:
                low, beta = beta, beta * 2.0 if np.isinf(high) else (beta + high) / 2.0
            else:
                high, beta = beta, (beta + low) / 2.0
        shares = np.bincount(classes[near[row]], weights=weights, minlength=count)
        found[row] = 1.0 / (shares**2).sum()
    return found


def ilisi(reference: Any, prediction: Any, perplexity: float = 30.0) -> float:
    """How well batches mix: the median effective number of batches around a sample, 0 for one and 1 for all."""
    classes, points, count = _embedded(reference, prediction)
    return float((np.median(_simpson(classes, points, count, perplexity)) - 1.0) / (count - 1.0))


def clisi(reference: Any, prediction: Any, perplexity: float = 30.0) -> float:
    """How well cell types keep apart: the median effective number of types around a sample, 1 for one and 0 for all."""
    classes, points, count = _embedded(reference, prediction)
    return float((count - np.median(_simpson(classes, points, count, perplexity))) / (count - 1.0))


_LABELS = "labels (n,)"
_CLUSTERS = "labels of clusters, by any names (n,)"
_POINTS = "points of an embedding (n, d)"
_SKLEARN = "scikit-learn, sklearn.metrics."
_FOUR = ([0, 0, 1, 1], [0, 0, 1, 2])
_LINE = ([0, 0, 1, 1], [[0.0], [1.0], [4.0], [5.0]])
_SPLIT = ([0, 0, 1, 1], [[0.0], [5.0], [1.0], [6.0]])
_H = 1.5 * np.log(2)

METRICS = (
    Metric(
        function=adjusted_rand,
        title="ARI",
        aliases=("adjusted Rand index", "adjusted Rand score", "adjusted Rand"),
        low=-0.5,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="(RI - E[RI]) / (max RI - E[RI]) over pairs of samples",
        source=_SKLEARN + "adjusted_rand_score; Hubert and Arabie 1985",
        example=Example(*_FOUR, (1 - 1 / 3) / (1.5 - 1 / 3)),
    ),
    Metric(
        function=normalized_mutual_information,
        title="NMI",
        aliases=("normalized mutual information", "normalised mutual information", "NMI score"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="2 I(y; ŷ) / (H(y) + H(ŷ))",
        source=_SKLEARN + "normalized_mutual_info_score",
        undefined="0 for a single cluster",
        example=Example(*_FOUR, 2 * np.log(2) / (np.log(2) + _H)),
    ),
    Metric(
        function=adjusted_mutual_information,
        title="AMI",
        aliases=("adjusted mutual information", "adjusted mutual info score"),
        low=-1,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="(I - E[I]) / ((H(y) + H(ŷ)) / 2 - E[I])",
        source=_SKLEARN + "adjusted_mutual_info_score; Vinh et al. 2010, JMLR 11, 2837",
        undefined="0 for a single cluster",
        # Of random clusterings of sizes 2, 1, 1 one third puts a class together (I = ln 2), the rest have I = ln 2 / 2.
        example=Example(*_FOUR, (1 - 2 / 3) / (1.25 - 2 / 3)),
    ),
    Metric(
        function=homogeneity,
        title="Homogeneity",
        aliases=("homogeneity score", "HOM"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="1 - H(y | ŷ) / H(y)",
        source=_SKLEARN + "homogeneity_score",
        example=Example(*_FOUR, 1.0),
    ),
    Metric(
        function=completeness,
        title="Completeness",
        aliases=("completeness score",),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="1 - H(ŷ | y) / H(ŷ)",
        source=_SKLEARN + "completeness_score",
        undefined="1 for a single cluster",
        example=Example(*_FOUR, 2 / 3),
    ),
    Metric(
        function=v_measure,
        title="V-measure",
        aliases=("V-measure score", "V score"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="2 h c / (h + c), h homogeneity, c completeness",
        source=_SKLEARN + "v_measure_score; Rosenberg and Hirschberg 2007",
        example=Example(*_FOUR, 0.8),
    ),
    Metric(
        function=fowlkes_mallows,
        title="Fowlkes-Mallows index",
        aliases=("FMI", "Fowlkes-Mallows", "Fowlkes-Mallows score"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="TP / √((TP + FP)(TP + FN)) over pairs of samples",
        source=_SKLEARN + "fowlkes_mallows_score",
        undefined="0 where no cluster has two samples",
        example=Example(*_FOUR, 0.5**0.5),
    ),
    Metric(
        function=purity,
        title="Purity",
        aliases=("cluster purity", "clustering purity"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_CLUSTERS,
        formula="Σ_k max_c n_kc / n",
        source="Manning et al. 2008, Introduction to Information Retrieval, 16.3",
        example=Example([0, 0, 1, 1], [0, 0, 0, 1], 3 / 4),
    ),
    Metric(
        function=silhouette,
        title="Silhouette",
        aliases=("silhouette score", "silhouette coefficient", "ASW", "average silhouette width", "silhouette width"),
        low=-1,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_POINTS,
        formula="mean of (b - a) / max(a, b), a mean distance within the class, b to the nearest other class",
        source=_SKLEARN + "silhouette_score; Rousseeuw 1987",
        undefined="0 for a class of one sample",
        example=Example(*_LINE, (3.5 / 4.5 + 2.5 / 3.5) / 2),
    ),
    Metric(
        function=graph_connectivity,
        title="Graph connectivity",
        aliases=("GC", "graph connectivity score"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_POINTS,
        formula="mean over classes of |largest component| / |class| in the graph of k nearest neighbours",
        source="Luecken et al. 2022, Nat. Methods 19, 41",
        requires=("scipy",),
        example=Example(*_SPLIT, 1 / 2, {"k": 1}),
    ),
    Metric(
        function=ilisi,
        title="iLISI",
        aliases=("integration LISI", "graph iLISI", "batch LISI"),
        low=0,
        high=1,
        perfect=1,
        reference="labels of batches (n,)",
        prediction=_POINTS,
        formula="(median of 1 / Σ_c p_c² - 1) / (C - 1), p of neighbours weighted to a perplexity",
        source="Korsunsky et al. 2019, Nat. Methods 16, 1289; scaled as Luecken et al. 2022",
        requires=("scipy",),
        example=Example([0] * 8 + [1] * 8, [[x] for x in (*range(8), *range(1000, 1008))], 0.0, {"perplexity": 2}),
    ),
    Metric(
        function=clisi,
        title="cLISI",
        aliases=("cell-type LISI", "cell type LISI", "graph cLISI"),
        low=0,
        high=1,
        perfect=1,
        reference=_LABELS,
        prediction=_POINTS,
        formula="(C - median of 1 / Σ_c p_c²) / (C - 1), p of neighbours weighted to a perplexity",
        source="Korsunsky et al. 2019, Nat. Methods 16, 1289; scaled as Luecken et al. 2022",
        requires=("scipy",),
        example=Example([0] * 8 + [1] * 8, [[x] for x in (*range(8), *range(1000, 1008))], 1.0, {"perplexity": 2}),
    ),
)
