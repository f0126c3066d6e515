"""Distributions: a sample against a sample, or probabilities against probabilities.

Samples may differ in size. Where a scale has to be chosen, the reference alone chooses it, so that no answer can.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Floats, column, floats, same_shape


def _samples(reference: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Two samples of numbers, sorted. Shapes (n,), (m,)."""
    one = column(floats(reference, "reference"), "reference")
    other = column(floats(prediction, "prediction"), "prediction")
    return np.sort(one), np.sort(other)


def _steps(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """How far apart two cumulative distributions are between each two values, and how wide these steps are."""
    values = np.sort(np.concatenate([one, other]))
    below = [np.searchsorted(sample, values[:-1], side="right") / sample.size for sample in (one, other)]
    return below[0] - below[1], np.diff(values)


def wasserstein(reference: Any, prediction: Any) -> float:
    """How far mass has to be moved to make one sample the other, in the unit of the values."""
    apart, widths = _steps(*_samples(reference, prediction))
    return float(np.abs(apart) @ widths)


def energy_distance(reference: Any, prediction: Any) -> float:
    """The distance of two samples by the mean distances within and between them, in the root of the values' unit."""
    apart, widths = _steps(*_samples(reference, prediction))
    return float(np.sqrt(2.0 * (apart**2 @ widths)))


def kolmogorov_smirnov(reference: Any, prediction: Any) -> float:
    """The largest difference of two samples' cumulative distributions."""
    one, other = _samples(reference, prediction)
    values = np.concatenate([one, other])
    below = [np.searchsorted(sample, values, side="right") / sample.size for sample in (one, other)]
    return float(np.abs(below[0] - below[1]).max())


def _shares(reference: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Rows of probabilities, each brought to the sum 1. Shapes (n, k)."""
    pair = []
    for values, what in ((reference, "reference"), (prediction, "prediction")):
        rows = np.atleast_2d(floats(values, what))
        if rows.ndim != 2 or (rows < 0).any() or (rows.sum(axis=1) <= 0).any():
            raise ValueError(f"the {what} must hold rows of counts or probabilities, none negative, not all 0")
        pair.append(rows / rows.sum(axis=1, keepdims=True))
    same_shape(pair[0], pair[1])
    return pair[0], pair[1]


def _relative_entropy(one: Floats, other: Floats) -> Floats:
    """Of each row, in nats; ``other`` must not be 0 where ``one`` is not. Shape (n,)."""
    ratio = np.divide(one, other, out=np.ones_like(one), where=(one > 0) & (other > 0))
    return np.asarray((one * np.log(ratio)).sum(axis=1))


def kl_divergence(reference: Any, prediction: Any) -> float:
    """What is lost, in nats, by taking the prediction for the reference, in the mean over rows."""
    one, other = _shares(reference, prediction)
    if ((other == 0) & (one > 0)).any():
        raise ValueError("the prediction gives no probability to what the reference has: the divergence is infinite")
    return max(float(_relative_entropy(one, other).mean()), 0.0)


def _to_the_middle(reference: Any, prediction: Any) -> Floats:
    """The Jensen-Shannon divergence of each row, in bits. Shape (n,)."""
    one, other = _shares(reference, prediction)
    middle = (one + other) / 2.0
    divergence = (_relative_entropy(one, middle) + _relative_entropy(other, middle)) / (2.0 * np.log(2.0))
    return np.asarray(np.clip(divergence, 0.0, 1.0))


def js_divergence(reference: Any, prediction: Any) -> float:
    """The mean divergence of both from their middle, in bits, in the mean over rows."""
    return float(_to_the_middle(reference, prediction).mean())


def js_distance(reference: Any, prediction: Any) -> float:
    """The root of the Jensen-Shannon divergence in bits, in the mean over rows."""
    return float(np.sqrt(_to_the_middle(reference, prediction)).mean())


def _points(reference: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Two samples of points. Shapes (n, d), (m, d)."""
    one, other = floats(reference, "reference"), floats(prediction, "prediction")
    one, other = (points[:, None] if points.ndim == 1 else points for points in (one, other))
    if one.ndim != 2 or other.ndim != 2 or one.shape[1] != other.shape[1]:
        raise ValueError(f"the samples must have shapes (n, d) and (m, d), and have {one.shape} and {other.shape}")
    return one, other


def _squared_distances(one: Floats, other: Floats) -> Iterator[Floats]:
    """Of blocks of points of ``one`` to all of ``other``. Shape (block, m)."""
    step = max(1, (1 << 21) // len(other))
    for start in range(0, len(one), step):
        block = one[start : start + step]
        cross = (block**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None, :] - 2.0 * block @ other.T
        yield np.maximum(cross, 0.0)


def mmd(reference: Any, prediction: Any, bandwidth: float | None = None) -> float:
    """The squared maximum mean discrepancy under a Gaussian kernel.

    ``bandwidth`` is the kernel's standard deviation; without it, the median distance of points of the reference, of
    which every n-th is taken where there are more than a thousand.
    """
    one, other = _points(reference, prediction)
    centre = one.mean(axis=0)
    one, other = one - centre, other - centre
    if bandwidth is None:
        few = one[:: max(1, len(one) // 1000)]
        near = np.sqrt(np.concatenate(list(_squared_distances(few, few)))[np.triu_indices(len(few), 1)])
        bandwidth = float(np.median(near)) if near.size else 0.0
        if bandwidth == 0.0:
            raise ValueError("the reference's points lie together: give a bandwidth")
    if not bandwidth > 0:
        raise ValueError(f"bandwidth is {bandwidth}, and must be positive")
    means = [
        sum(float(np.exp(-block / (2.0 * bandwidth**2)).sum()) for block in _squared_distances(a, b)) / len(a) / len(b)
        for a, b in ((one, one), (other, other), (one, other))
    ]
    return max(means[0] + means[1] - 2.0 * means[2], 0.0)


def frechet_distance(reference: Any, prediction: Any) -> float:
    """The squared distance of two Gaussians that have the samples' means and covariances."""
    one, other = _points(reference, prediction)
    if min(len(one), len(other)) < 2:
        raise ValueError("a covariance needs two points at least")
    spreads = [np.atleast_2d(np.cov(points, rowvar=False)) for points in (one, other)]
    values, vectors = np.linalg.eigh(spreads[0])
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    shared = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ spreads[1] @ root), 0.0)).sum()
    apart = ((one.mean(axis=0) - other.mean(axis=0)) ** 2).sum()
    return max(float(apart + np.trace(spreads[0]) + np.trace(spreads[1]) - 2.0 * shared), 0.0)


_SAMPLE = "sample of numbers (n,)"
_OTHER = "sample of numbers (m,)"
_ROWS = "counts or probabilities (k,) or (n, k)"
_CLOUD = "sample of points (n, d)"
_CLOUD_OTHER = "sample of points (m, d)"
_TWO = ([0.0, 1.0, 3.0], [5.0, 6.0, 8.0])
_HALVES = ([0.5, 0.5], [0.75, 0.25])

METRICS = (
    Metric(
        function=wasserstein,
        title="Wasserstein distance",
        aliases=("earth mover's distance", "EMD", "W1", "Wasserstein-1", "1-Wasserstein distance", "Wasserstein"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_SAMPLE,
        prediction=_OTHER,
        formula="∫ |F(x) - G(x)| dx",
        source="scipy.stats.wasserstein_distance",
        example=Example(*_TWO, 5.0),
    ),
    Metric(
        function=energy_distance,
        title="Energy distance",
        aliases=("energy statistic distance", "E-distance"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_SAMPLE,
        prediction=_OTHER,
        formula="√(2 ∫ (F(x) - G(x))² dx)",
        source="scipy.stats.energy_distance; Székely and Rizzo 2013",
        example=Example([0.0], [2.0], 2.0),
    ),
    Metric(
        function=kolmogorov_smirnov,
        title="Kolmogorov-Smirnov statistic",
        aliases=("KS", "KS statistic", "KS distance", "Kolmogorov-Smirnov"),
        direction=LOWER,
        low=0,
        high=1,
        perfect=0,
        reference=_SAMPLE,
        prediction=_OTHER,
        formula="max |F(x) - G(x)|",
        source="scipy.stats.ks_2samp",
        example=Example([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], 1 / 3),
    ),
    Metric(
        function=kl_divergence,
        title="KL divergence",
        aliases=("Kullback-Leibler divergence", "KL", "KLD", "relative entropy"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ROWS,
        prediction=_ROWS + ", above 0 wherever the reference is",
        formula="Σ p ln(p / q), in nats",
        source="scipy.stats.entropy; Kullback and Leibler 1951",
        example=Example(*_HALVES, 0.5 * np.log(4 / 3)),
    ),
    Metric(
        function=js_divergence,
        title="JS divergence",
        aliases=("Jensen-Shannon divergence", "JSD", "JS"),
        direction=LOWER,
        low=0,
        high=1,
        perfect=0,
        reference=_ROWS,
        prediction=_ROWS,
        formula="(KL(p, m) + KL(q, m)) / 2, m = (p + q) / 2, in bits",
        source="Lin 1991, IEEE Trans. Inf. Theory 37, 145",
        example=Example([1.0, 0.0], [0.0, 1.0], 1.0),
    ),
    Metric(
        function=js_distance,
        title="JS distance",
        aliases=("Jensen-Shannon distance",),
        direction=LOWER,
        low=0,
        high=1,
        perfect=0,
        reference=_ROWS,
        prediction=_ROWS,
        formula="√JS divergence, in bits",
        source="scipy.spatial.distance.jensenshannon(base=2)",
        example=Example([1.0, 0.0], [0.0, 1.0], 1.0),
    ),
    Metric(
        function=mmd,
        title="MMD",
        aliases=("maximum mean discrepancy", "MMD²", "squared MMD"),
        direction=LOWER,
        low=0,
        high=2,
        perfect=0,
        reference=_CLOUD,
        prediction=_CLOUD_OTHER,
        formula="E k(x, x') + E k(y, y') - 2 E k(x, y), k = exp(-‖x - y‖² / 2σ²), all pairs counted",
        source="Gretton et al. 2012, JMLR 13, 723, equation 5",
        example=Example([[0.0]], [[1.0]], 2 - 2 * np.exp(-0.5), {"bandwidth": 1.0}),
    ),
    Metric(
        function=frechet_distance,
        title="Fréchet distance",
        aliases=("Frechet distance", "FID", "FCD", "Fréchet inception distance", "Wasserstein-2 distance of Gaussians"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_CLOUD,
        prediction=_CLOUD_OTHER,
        formula="‖μ - μ'‖² + tr(Σ + Σ' - 2 (Σ Σ')^{1/2}), of features that are given",
        source="Dowson and Landau 1982; Heusel et al. 2017, arXiv 1706.08500",
        example=Example([[0.0], [2.0]], [[3.0], [7.0]], 16 + (8**0.5 - 2**0.5) ** 2),
    ),
)
