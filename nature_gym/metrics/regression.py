"""Regression: numbers against numbers.

Sums of errors take arrays of any shape and run over all their entries, in blocks. Correlations and R² take one
number a sample; for more targets see the family ``multitarget``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Integers, blocks, column, numeric, ranks, same_shape, vectors


def mse(reference: Any, prediction: Any) -> float:
    """The mean of squared errors."""
    return sum(float(((q - p) ** 2).sum()) for p, q in blocks(reference, prediction)) / numeric(reference, "").size


def rmse(reference: Any, prediction: Any) -> float:
    """The root of the mean of squared errors, in the unit of the values."""
    return float(np.sqrt(mse(reference, prediction)))


def mae(reference: Any, prediction: Any) -> float:
    """The mean of absolute errors, in the unit of the values."""
    return sum(float(np.abs(q - p).sum()) for p, q in blocks(reference, prediction)) / numeric(reference, "").size


def median_absolute_error(reference: Any, prediction: Any) -> float:
    """The median of absolute errors, in the unit of the values."""
    return float(np.median(np.concatenate([np.abs(q - p) for p, q in blocks(reference, prediction)])))


def max_error(reference: Any, prediction: Any) -> float:
    """The largest absolute error, in the unit of the values."""
    return max(float(np.abs(q - p).max()) for p, q in blocks(reference, prediction))


def mape(reference: Any, prediction: Any) -> float:
    """The mean of absolute errors relative to the reference, as a share (0.05 is five percent)."""
    total = 0.0
    for p, q in blocks(reference, prediction):
        if (np.abs(p) < 1e-150).any():
            raise ValueError("the reference holds 0: an error relative to it is not defined")
        total += float((np.abs(q - p) / np.abs(p)).sum())
    return total / numeric(reference, "").size


def smape(reference: Any, prediction: Any) -> float:
    """The mean of absolute errors relative to the mean size of both, as a share; 0 where both are 0."""
    total = 0.0
    for p, q in blocks(reference, prediction):
        size = (np.abs(p) + np.abs(q)) / 2.0
        total += float(np.divide(np.abs(q - p), size, out=np.zeros_like(size), where=size > 0).sum())
    return total / numeric(reference, "").size


def _moments(reference: Any, prediction: Any) -> tuple[float, float, float, float, float]:
    """Both means, both mean squared deviations, and the mean product of deviations: two passes over blocks."""
    one = column(numeric(reference, "reference"), "reference")
    other = column(numeric(prediction, "prediction"), "prediction")
    same_shape(one, other)
    count = one.size
    sums = np.zeros(2)
    for p, q in blocks(one, other):
        sums += p.sum(), q.sum()
    mean_one, mean_other = sums / count
    squares = np.zeros(3)
    for p, q in blocks(one, other):
        from_one, from_other = p - mean_one, q - mean_other
        squares += from_one @ from_one, from_other @ from_other, from_one @ from_other
    spread_one, spread_other, shared = squares / count
    return float(mean_one), float(mean_other), float(spread_one), float(spread_other), float(shared)


def _is_constant(spread: float, mean: float) -> bool:
    """Whether a spread is no more than what rounding makes of equal numbers."""
    return bool(spread <= (4.0 * np.finfo(np.float64).eps * abs(mean)) ** 2)


def r2(reference: Any, prediction: Any) -> float:
    """The share of the reference's variance that is explained: 1 minus squared errors over squared deviations."""
    mean, _, spread, _, _ = _moments(reference, prediction)
    if _is_constant(spread, mean):
        raise ValueError("the reference is constant: the share of variance that is explained is not defined")
    one, other = np.asarray(reference), np.asarray(prediction)
    return float(1.0 - mse(one.reshape(-1), other.reshape(-1)) / spread)


def explained_variance(reference: Any, prediction: Any) -> float:
    """R² of a prediction whose mean error is taken away first."""
    mean, _, spread, spread_other, shared = _moments(reference, prediction)
    if _is_constant(spread, mean):
        raise ValueError("the reference is constant: the share of variance that is explained is not defined")
    return float(1.0 - (spread + spread_other - 2.0 * shared) / spread)


def pearson(reference: Any, prediction: Any) -> float:
    """The linear correlation."""
    mean, mean_other, spread, spread_other, shared = _moments(reference, prediction)
    if _is_constant(spread, mean):
        raise ValueError("the reference is constant: a correlation with it is not defined")
    if _is_constant(spread_other, mean_other):
        return 0.0
    return float(np.clip(shared / np.sqrt(spread) / np.sqrt(spread_other), -1.0, 1.0))


def spearman(reference: Any, prediction: Any) -> float:
    """The linear correlation of ranks, ties sharing their mean rank."""
    one, other = vectors(reference, prediction)
    return pearson(ranks(one), ranks(other))


def _inversions(values: Integers) -> int:
    """How many pairs stand in falling order: those within runs of 32 one by one, the others by merging runs."""
    count, width, total = len(values), 32, 0
    values = np.append(values, np.full(-count % width, values.max()))  # what is added stands in no falling pair
    runs = values.reshape(-1, width)
    for apart in range(1, width):
        total += int((runs[:, :-apart] > runs[:, apart:]).sum())
    runs.sort(axis=1)
    count = len(values)
    while width < count:
        for start in range(0, count - width, 2 * width):
            left, right = values[start : start + width], values[start + width : start + 2 * width]
            total += int((width - np.searchsorted(left, right, side="right")).sum())
            values[start : start + 2 * width] = np.sort(values[start : start + 2 * width], kind="stable")
        width *= 2
    return total


def kendall(reference: Any, prediction: Any) -> float:
    """Kendall's tau-b: pairs in the same order less pairs in opposite order, corrected for ties."""
    one, other = vectors(reference, prediction)
    _, rank_one = np.unique(one, return_inverse=True)
    _, rank_other = np.unique(other, return_inverse=True)
    rank_one, rank_other = rank_one.reshape(-1).astype(np.int64), rank_other.reshape(-1).astype(np.int64)
    joint = rank_one * (rank_other.max() + 1) + rank_other
    pairs = len(one) * (len(one) - 1) // 2
    tied_one, tied_other, tied_both = (
        int((counts * (counts - 1) // 2).sum())
        for counts in (np.bincount(rank_one), np.bincount(rank_other), np.unique(joint, return_counts=True)[1])
    )
    if pairs == tied_one:
        raise ValueError("the reference is constant: a correlation with it is not defined")
    if pairs == tied_other:
        return 0.0
    opposite = _inversions(rank_other[np.lexsort((rank_other, rank_one))])
    excess = pairs - tied_one - tied_other + tied_both - 2 * opposite
    return float(excess / np.sqrt(float(pairs - tied_one)) / np.sqrt(float(pairs - tied_other)))


def concordance(reference: Any, prediction: Any) -> float:
    """Lin's concordance: correlation, lowered by any difference in mean and scale."""
    mean, mean_other, spread, spread_other, shared = _moments(reference, prediction)
    if _is_constant(spread, mean):
        raise ValueError("the reference is constant: a correlation with it is not defined")
    return float(2.0 * shared / (spread + spread_other + (mean - mean_other) ** 2))


def relative_l2(reference: Any, prediction: Any) -> float:
    """The mean over samples (the first axis) of the error's norm over the reference's.

    Shape (n, ...); a vector is one sample.
    """
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    if one.ndim < 2:
        one, other = one.reshape(1, -1), other.reshape(1, -1)
    total = 0.0
    for p, q in zip(one, other, strict=True):
        error = size = 0.0
        for a, b in blocks(p, q):
            error += float(((b - a) ** 2).sum())
            size += float((a**2).sum())
        if size == 0.0:
            raise ValueError("a sample of the reference is all 0: an error relative to it is not defined")
        total += float(np.sqrt(error / size))
    return total / len(one)


def nrmse(reference: Any, prediction: Any, by: str = "range") -> float:
    """The root mean squared error over the reference's range, mean, standard deviation or root mean square (``by``)."""
    low, high, total, squares = np.inf, -np.inf, 0.0, 0.0
    count = numeric(reference, "reference").size
    for p, _ in blocks(reference, prediction):
        low, high = min(low, float(p.min())), max(high, float(p.max()))
        total += float(p.sum())
        squares += float((p**2).sum())
    mean = total / count
    variance = sum(float(((p - mean) ** 2).sum()) for p, _ in blocks(reference, prediction)) / count
    sizes = {"range": high - low, "mean": abs(mean), "std": np.sqrt(variance), "rms": np.sqrt(squares / count)}
    if by not in sizes:
        raise ValueError(f"by is {by!r}, and may be {', '.join(sizes)}")
    if not sizes[by] > 0:
        raise ValueError(f"the reference's {by} is 0: an error relative to it is not defined")
    return float(rmse(reference, prediction) / sizes[by])


_NUMBERS = "numbers (n,)"
_ANY = "numbers, any shape"
_SKLEARN = "scikit-learn, sklearn.metrics."
_FOUR = ([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])

METRICS = (
    Metric(
        function=mse,
        title="MSE",
        aliases=("mean squared error", "mean square error", "L2 loss"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="Σ (ŷ - y)² / n",
        source=_SKLEARN + "mean_squared_error",
        example=Example(*_FOUR, 0.375),
    ),
    Metric(
        function=rmse,
        title="RMSE",
        aliases=("root mean squared error", "root-mean-square error", "root mean square error", "RMS error"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="√(Σ (ŷ - y)² / n)",
        source=_SKLEARN + "root_mean_squared_error",
        example=Example(*_FOUR, 0.375**0.5),
    ),
    Metric(
        function=mae,
        title="MAE",
        aliases=("mean absolute error", "L1 loss", "mean absolute deviation"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="Σ |ŷ - y| / n",
        source=_SKLEARN + "mean_absolute_error",
        example=Example(*_FOUR, 0.5),
    ),
    Metric(
        function=median_absolute_error,
        title="Median absolute error",
        aliases=("MedAE", "median AE"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="median |ŷ - y|",
        source=_SKLEARN + "median_absolute_error",
        example=Example(*_FOUR, 0.5),
    ),
    Metric(
        function=max_error,
        title="Max error",
        aliases=("maximum error", "maximum absolute error", "L∞ error", "worst-case error"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="max |ŷ - y|",
        source=_SKLEARN + "max_error",
        example=Example(*_FOUR, 1.0),
    ),
    Metric(
        function=mape,
        title="MAPE",
        aliases=("mean absolute percentage error", "mean relative error", "MRE", "mean absolute relative error"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference="numbers other than 0, any shape",
        prediction=_ANY,
        formula="Σ |ŷ - y| / |y| / n, a share and not a percentage",
        source=_SKLEARN + "mean_absolute_percentage_error",
        example=Example([1.0, 2.0, 4.0], [1.5, 2.0, 3.0], 0.25),
    ),
    Metric(
        function=smape,
        title="sMAPE",
        aliases=("symmetric mean absolute percentage error", "symmetric MAPE"),
        direction=LOWER,
        low=0,
        high=2,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="Σ |ŷ - y| / ((|y| + |ŷ|) / 2) / n, a share",
        source="Makridakis 1993, Int. J. Forecast. 9, 527",
        undefined="an entry that is 0 in both counts 0",
        example=Example([1.0, 0.0], [3.0, 0.0], 0.5),
    ),
    Metric(
        function=r2,
        title="R²",
        aliases=(
            "R2",
            "R^2",
            "R-squared",
            "coefficient of determination",
            "R2 score",
            "Q²",
            "Nash-Sutcliffe efficiency",
            "NSE",
        ),
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="1 - Σ (ŷ - y)² / Σ (y - ȳ)²",
        source=_SKLEARN + "r2_score",
        example=Example(*_FOUR, 1 - 1.5 / 29.1875),
    ),
    Metric(
        function=explained_variance,
        title="Explained variance",
        aliases=("explained variance score", "EV", "variance explained"),
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="1 - Var(ŷ - y) / Var(y)",
        source=_SKLEARN + "explained_variance_score",
        example=Example(*_FOUR, 1 - (0.375 - 0.0625) / (29.1875 / 4)),
    ),
    Metric(
        function=pearson,
        title="Pearson correlation",
        aliases=(
            "PCC",
            "Pearson's r",
            "Pearson r",
            "Pearson correlation coefficient",
            "Pearson",
            "r",
            "CC",
            "correlation coefficient",
            "correlation",
        ),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="Cov(y, ŷ) / (σ_y σ_ŷ)",
        source="scipy.stats.pearsonr",
        undefined="0 for a constant prediction",
        example=Example([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], 0.5),
    ),
    Metric(
        function=spearman,
        title="Spearman correlation",
        aliases=(
            "Spearman's rho",
            "Spearman rho",
            "Spearman ρ",
            "ρ",
            "SCC",
            "SRCC",
            "Spearman",
            "Spearman rank correlation",
            "Spearman correlation coefficient",
            "rank correlation",
        ),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="Pearson correlation of ranks",
        source="scipy.stats.spearmanr",
        undefined="0 for a constant prediction",
        example=Example([10.0, 20.0, 30.0], [1.0, 9.0, 4.0], 0.5),
    ),
    Metric(
        function=kendall,
        title="Kendall's tau",
        aliases=("Kendall tau", "Kendall τ", "τ", "tau-b", "Kendall", "Kendall rank correlation", "KRCC"),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="(C - D) / √((n₀ - n_y)(n₀ - n_ŷ)), n₀ pairs, n_y and n_ŷ tied ones",
        source="scipy.stats.kendalltau (tau-b)",
        undefined="0 for a constant prediction",
        example=Example([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], 1 / 3),
    ),
    Metric(
        function=concordance,
        title="CCC",
        aliases=("concordance correlation coefficient", "Lin's concordance correlation coefficient", "Lin's CCC"),
        low=-1,
        high=1,
        perfect=1,
        reference=_NUMBERS,
        prediction=_NUMBERS,
        formula="2 Cov(y, ŷ) / (σ²_y + σ²_ŷ + (ȳ - mean ŷ)²)",
        source="Lin 1989, Biometrics 45, 255",
        example=Example([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], (4 / 3) / (4 / 3 + 1)),
    ),
    Metric(
        function=relative_l2,
        title="Relative L2 error",
        aliases=("rel. L2", "relative L2", "relative L2 norm", "relative l2 loss", "nL2"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference="numbers (samples, ...); a vector is one sample",
        prediction="numbers (samples, ...)",
        formula="mean over samples of ‖ŷ - y‖₂ / ‖y‖₂",
        source="Li et al. 2021, arXiv 2010.08895",
        example=Example([[3.0, 4.0], [0.0, 2.0]], [[3.0, 3.0], [1.0, 2.0]], (0.2 + 0.5) / 2),
    ),
    Metric(
        function=nrmse,
        title="NRMSE",
        aliases=("normalized RMSE", "normalised RMSE", "normalized root mean squared error", "relative RMSE", "rRMSE"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ANY,
        prediction=_ANY,
        formula="RMSE / (max y - min y); by='mean', 'std' or 'rms' for the other divisors",
        source="scikit-image, skimage.metrics.normalized_root_mse",
        example=Example(*_FOUR, 0.375**0.5 / 7.5),
    ),
)
