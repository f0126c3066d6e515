"""Images: how like the reference a restored or predicted image is.

Shapes: (height, width); (height, width, channels) with at most four channels; (images, height, width); (images,
height, width, channels). Scores are means over images and channels. ``data_range`` is the width of possible values;
without it, that of an 8- or 16-bit reference's type, else the spread of the reference's own values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nature_gym.metrics.entry import Example, Metric
from nature_gym.metrics.inputs import Floats, floats, numeric, same_shape
from nature_gym.metrics.regression import mse

MOST_DECIBELS = 100.0
WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
"""Of the five scales, finest first (Wang et al. 2003)."""


def _width(reference: Any, data_range: float | None) -> float:
    """The width of possible values."""
    image = numeric(reference, "reference")
    if data_range is not None:
        width = float(data_range)
    elif image.dtype.name in ("uint8", "uint16"):
        width = float(np.iinfo(image.dtype).max)
    else:
        width = float(image.max()) - float(image.min())
    if not (np.isfinite(width) and width > 0):
        raise ValueError("the data range must be positive: the reference is constant, give data_range")
    return width


def psnr(reference: Any, prediction: Any, data_range: float | None = None) -> float:
    """The width of possible values over the root mean squared error, in decibels; 100 at most."""
    width = _width(reference, data_range)
    error = mse(reference, prediction) / width**2
    return float(min(-10.0 * np.log10(error), MOST_DECIBELS)) if error > 0 else MOST_DECIBELS


def _planes(reference: Any, prediction: Any) -> Iterator[tuple[Floats, Floats]]:
    """Each channel of each image. Shapes (height, width)."""
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    if one.ndim == 3 and one.shape[2] > 4:
        one, other = one[..., None], other[..., None]
    elif one.ndim in (2, 3):
        one, other = one.reshape(1, *one.shape[:2], -1), other.reshape(1, *other.shape[:2], -1)
    if one.ndim != 4:
        raise ValueError(f"the images have shape {one.shape}, which is none of those that images have")
    for image in range(one.shape[0]):
        for channel in range(one.shape[3]):
            yield floats(one[image, ..., channel], "reference"), floats(other[image, ..., channel], "prediction")


def _blurred(plane: Floats) -> Floats:
    """Weighted means over windows of 11 by 11 that lie within the plane, Gaussian of width 1.5."""
    weights = np.exp(-((np.arange(11) - 5.0) ** 2) / (2.0 * 1.5**2))
    weights /= weights.sum()
    rows = sum(weight * plane[place : plane.shape[0] - 10 + place] for place, weight in enumerate(weights))
    rows = np.asarray(rows)
    return np.asarray(sum(weight * rows[:, place : rows.shape[1] - 10 + place] for place, weight in enumerate(weights)))


def _similarity(one: Floats, other: Floats, width: float) -> tuple[float, float]:
    """Mean SSIM of two planes, and the mean of its contrast and structure alone."""
    if min(one.shape) < 11:
        raise ValueError(f"an image of {one.shape[0]} by {one.shape[1]} is smaller than the window of 11 by 11")
    stable_mean, stable_spread = (0.01 * width) ** 2, (0.03 * width) ** 2
    mean_one, mean_other = _blurred(one), _blurred(other)
    spread = _blurred(one**2) - mean_one**2 + _blurred(other**2) - mean_other**2
    shared = _blurred(one * other) - mean_one * mean_other
    contrast = (2.0 * shared + stable_spread) / (spread + stable_spread)
    brightness = (2.0 * mean_one * mean_other + stable_mean) / (mean_one**2 + mean_other**2 + stable_mean)
    return float((contrast * brightness).mean()), float(contrast.mean())


def ssim(reference: Any, prediction: Any, data_range: float | None = None) -> float:
    """The structural similarity, in the mean over windows."""
    width = _width(reference, data_range)
    return float(np.mean([_similarity(one, other, width)[0] for one, other in _planes(reference, prediction)]))


def _halved(plane: Floats) -> Floats:
    """Means of blocks of 2 by 2; an odd last row or column is dropped."""
    height, width = (size // 2 * 2 for size in plane.shape)
    return np.asarray(plane[:height, :width].reshape(height // 2, 2, width // 2, 2).mean(axis=(1, 3)))


def ms_ssim(reference: Any, prediction: Any, data_range: float | None = None) -> float:
    """The product over five scales of contrast and structure, and of brightness at the coarsest.

    Images need 176 pixels a side. A negative similarity at a scale counts 0.
    """
    width = _width(reference, data_range)
    values = []
    for one, other in _planes(reference, prediction):
        if min(one.shape) < 176:
            raise ValueError(
                f"an image of {one.shape[0]} by {one.shape[1]} is too small for five scales: 176 are needed"
            )
        product = 1.0
        for scale, weight in enumerate(WEIGHTS):
            whole, contrast = _similarity(one, other, width)
            product *= max(whole if scale == len(WEIGHTS) - 1 else contrast, 0.0) ** weight
            one, other = _halved(one), _halved(other)  # noqa: PLW2901 -- the next scale of the same pair
        values.append(product)
    return float(np.mean(values))


_IMAGE = "(height, width), (height, width, channels ≤ 4), (images, height, width) or (images, height, width, channels)"
_FLAT = ([[0.0, 0.0], [0.0, 1.0]], [[0.1, 0.0], [0.0, 1.0]])

METRICS = (
    Metric(
        function=psnr,
        title="PSNR",
        aliases=("peak signal-to-noise ratio", "peak signal to noise ratio"),
        high=MOST_DECIBELS,
        perfect=MOST_DECIBELS,
        reference=_IMAGE,
        prediction=_IMAGE,
        formula="20 log₁₀(R / RMSE) dB, R the data range; 100 at most",
        source="scikit-image, skimage.metrics.peak_signal_noise_ratio",
        undefined="100 for equal images",
        example=Example(*_FLAT, -10 * np.log10(0.01 / 4)),
    ),
    Metric(
        function=ssim,
        title="SSIM",
        aliases=(
            "structural similarity",
            "structural similarity index",
            "SSIM index",
            "structural similarity index measure",
        ),
        low=-1,
        high=1,
        perfect=1,
        reference=_IMAGE,
        prediction=_IMAGE,
        formula="mean of (2μ_xμ_y + C₁)(2σ_xy + C₂) / ((μ_x² + μ_y² + C₁)(σ_x² + σ_y² + C₂)) in Gaussian windows of 11",
        source="Wang et al. 2004, IEEE TIP 13, 600; scikit-image, structural_similarity(gaussian_weights=True)",
        example=Example(
            np.full((11, 11), 1.0).tolist(), np.zeros((11, 11)).tolist(), 1e-4 / 1.0001, {"data_range": 1.0}
        ),
    ),
    Metric(
        function=ms_ssim,
        title="MS-SSIM",
        aliases=("multi-scale SSIM", "multiscale structural similarity", "multi-scale structural similarity"),
        low=0,
        high=1,
        perfect=1,
        reference=_IMAGE + "; 176 pixels a side at least",
        prediction=_IMAGE,
        formula="Π_{j=1..5} (contrast · structure)_j^w_j, with brightness at the fifth; w = "
        + ", ".join(map(str, WEIGHTS)),
        source="Wang et al. 2003, Asilomar, 1398",
        undefined="0 where a scale's similarity is negative",
        example=Example(
            np.full((176, 176), 1.0).tolist(),
            np.zeros((176, 176)).tolist(),
            (1e-4 / 1.0001) ** 0.1333,
            {"data_range": 1.0},
        ),
    ),
)
