"""Segmentation: masks, label maps and instance maps against each other. Any number of dimensions.

Masks hold truths, or 0 and 1. Label maps hold the number of a class in each pixel. Instance maps hold the number of an
object in each pixel, 0 for none; an object's number need not be the same in both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.ndimage import binary_erosion
from scipy.spatial import cKDTree

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import BLOCK, Floats, Truths, numeric, same_shape


def _masks(reference: Any, prediction: Any) -> tuple[Truths, Truths]:
    """Two masks of one shape."""
    pair = []
    for values, what in ((reference, "reference"), (prediction, "prediction")):
        mask = numeric(values, what)
        if mask.dtype.kind != "b" and not np.isin(mask, (0, 1)).all():
            raise ValueError(f"the {what} must be a mask of 0 and 1")
        pair.append(mask.astype(bool))
    same_shape(pair[0], pair[1])
    return pair[0], pair[1]


def dice(reference: Any, prediction: Any) -> float:
    """Twice the overlap over the sum of both sizes; 1 where both are empty."""
    one, other = _masks(reference, prediction)
    both = int(one.sum()) + int(other.sum())
    return 2.0 * float((one & other).sum()) / both if both else 1.0


def iou(reference: Any, prediction: Any) -> float:
    """The overlap over the union; 1 where both are empty."""
    one, other = _masks(reference, prediction)
    union = int((one | other).sum())
    return float((one & other).sum()) / union if union else 1.0


def _class_overlaps(reference: Any, prediction: Any, ignore: int | None) -> tuple[Floats, Floats]:
    """Overlap, and sum of both sizes, of each class met in either map but ``ignore``. Shapes (c,)."""
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    if one.dtype.kind == "f" or other.dtype.kind == "f":
        raise ValueError("label maps must hold whole numbers, in an integer type")
    one, other = one.reshape(-1), other.reshape(-1)
    overlap: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for start in range(0, one.size, BLOCK):
        p, q = one[start : start + BLOCK], other[start : start + BLOCK]
        for counts, values in ((overlap, p[p == q]), (sizes, p), (sizes, q)):
            for name, count in zip(*(found.tolist() for found in np.unique(values, return_counts=True)), strict=True):
                counts[int(name)] = counts.get(int(name), 0) + count
    met = [name for name in sorted(sizes) if name != ignore]
    if not met:
        raise ValueError("the reference and the prediction have no class but the one to be left out")
    return np.array([overlap.get(name, 0) for name in met], float), np.array([sizes[name] for name in met], float)


def mean_dice(reference: Any, prediction: Any, ignore: int | None = None) -> float:
    """The mean over classes met in either map of Dice; ``ignore`` is left out (0 for a background)."""
    overlap, sizes = _class_overlaps(reference, prediction, ignore)
    return float((2.0 * overlap / sizes).mean())


def mean_iou(reference: Any, prediction: Any, ignore: int | None = None) -> float:
    """The mean over classes met in either map of IoU; ``ignore`` is left out (0 for a background)."""
    overlap, sizes = _class_overlaps(reference, prediction, ignore)
    return float((overlap / (sizes - overlap)).mean())


def _surface(mask: Truths, spacing: Floats) -> Floats:
    """Where the mask's outermost pixels are. Shape (pixels, dimensions)."""
    return np.argwhere(mask & ~binary_erosion(mask)) * spacing


def hausdorff95(reference: Any, prediction: Any, spacing: Any = None) -> float:
    """The distance within which 95 percent of either surface lie from the other, the larger of both ways.

    In pixels, or in the unit of ``spacing``, the pixel's size along each axis. An empty prediction is as far away as
    the image is wide.
    """
    one, other = _masks(reference, prediction)
    size = np.ones(one.ndim) if spacing is None else np.asarray(spacing, dtype=np.float64)
    if size.shape != (one.ndim,) or not (np.isfinite(size).all() and (size > 0).all()):
        raise ValueError(f"spacing must hold {one.ndim} positive numbers")
    if not one.any():
        raise ValueError("the reference is empty: a distance to it is not defined")
    if not other.any():
        return float(np.linalg.norm(np.array(one.shape) * size))
    here, there = _surface(one, size), _surface(other, size)
    ways = cKDTree(here).query(there)[0], cKDTree(there).query(here)[0]
    return float(max(np.percentile(way, 95) for way in ways))


def _matched(reference: Any, prediction: Any, least: float) -> tuple[Floats, int, int]:
    """The IoU of pairs of objects above ``least``, and how many objects each map has.

    Above one half, an object is in one such pair at most.
    """
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    if one.dtype.kind not in "iu" or other.dtype.kind not in "iu":
        raise ValueError("instance maps must hold whole numbers, in an integer type")
    _, objects, sizes = np.unique(one, return_inverse=True, return_counts=True)
    _, found, extents = np.unique(other, return_inverse=True, return_counts=True)
    pairs, shared = np.unique(objects.reshape(-1) * extents.size + found.reshape(-1), return_counts=True)
    row, column = pairs // extents.size, pairs % extents.size
    names_one, names_other = np.unique(one), np.unique(other)
    real = (names_one[row] != 0) & (names_other[column] != 0)
    ratio = (shared / (sizes[row] + extents[column] - shared))[real]
    count = int((names_one != 0).sum())
    if count == 0:
        raise ValueError("the reference has no object")
    return ratio[ratio > least], count, int((names_other != 0).sum())


def panoptic_quality(reference: Any, prediction: Any) -> float:
    """The summed IoU of objects matched above one half, over matched and half of unmatched ones."""
    ratios, count, found = _matched(reference, prediction, 0.5)
    return float(ratios.sum() / ((count + found) / 2.0))


def instance_f1(reference: Any, prediction: Any, threshold: float = 0.5) -> float:
    """F1 of objects, one being found where the IoU is above ``threshold`` (one half or more)."""
    ratios, count, found = _matched(reference, prediction, _half(threshold))
    return float(2.0 * ratios.size / (count + found))


def instance_average_precision(reference: Any, prediction: Any, threshold: float = 0.5) -> float:
    """Matched objects over matched, missed and wrong ones, matched being an IoU above ``threshold``."""
    ratios, count, found = _matched(reference, prediction, _half(threshold))
    return float(ratios.size / (count + found - ratios.size))


def _half(threshold: float) -> float:
    if not 0.5 <= threshold < 1.0:
        raise ValueError(f"threshold is {threshold}, and must be one half or more, so that matches are unique")
    return threshold


_MASK = "mask of 0 and 1, any shape"
_MAP = "label map of whole numbers, any shape"
_OBJECTS = "instance map of whole numbers, 0 for none, any shape"
_ONE = ([[1, 1, 0], [0, 0, 0]], [[1, 0, 0], [1, 0, 0]])
_CLASSES = ([[0, 0, 1], [1, 2, 2]], [[0, 1, 1], [1, 2, 0]])
_CELLS = ([1, 1, 1, 0, 2, 2, 0], [5, 5, 5, 5, 0, 0, 7])

METRICS = (
    Metric(
        function=dice,
        title="Dice",
        aliases=("DSC", "Dice coefficient", "Dice similarity coefficient", "Dice score", "Sørensen-Dice"),
        low=0,
        high=1,
        perfect=1,
        reference=_MASK,
        prediction=_MASK,
        formula="2 |A ∩ B| / (|A| + |B|)",
        source="Dice 1945; MONAI, monai.metrics.DiceMetric",
        undefined="1 where both are empty",
        example=Example(*_ONE, 1 / 2),
    ),
    Metric(
        function=iou,
        title="IoU",
        aliases=("intersection over union", "Jaccard", "Jaccard index", "Jaccard similarity"),
        low=0,
        high=1,
        perfect=1,
        reference=_MASK,
        prediction=_MASK,
        formula="|A ∩ B| / |A ∪ B|",
        source="scikit-learn, sklearn.metrics.jaccard_score",
        undefined="1 where both are empty",
        example=Example(*_ONE, 1 / 3),
    ),
    Metric(
        function=mean_dice,
        title="Mean Dice",
        aliases=("mDice", "mean DSC", "macro Dice", "average Dice"),
        low=0,
        high=1,
        perfect=1,
        reference=_MAP,
        prediction=_MAP,
        formula="mean over classes c of 2 |A_c ∩ B_c| / (|A_c| + |B_c|)",
        source="MONAI, monai.metrics.DiceMetric",
        example=Example(*_CLASSES, (1 / 2 + 4 / 5 + 2 / 3) / 3),
    ),
    Metric(
        function=mean_iou,
        title="Mean IoU",
        aliases=("mIoU", "mean intersection over union", "mean Jaccard"),
        low=0,
        high=1,
        perfect=1,
        reference=_MAP,
        prediction=_MAP,
        formula="mean over classes c of |A_c ∩ B_c| / |A_c ∪ B_c|",
        source="scikit-learn, sklearn.metrics.jaccard_score(average='macro')",
        example=Example(*_CLASSES, (1 / 3 + 2 / 3 + 1 / 2) / 3),
    ),
    Metric(
        function=hausdorff95,
        title="Hausdorff distance (95%)",
        aliases=("HD95", "95HD", "95% Hausdorff distance", "95th percentile Hausdorff distance", "Hausdorff95"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_MASK + ", not empty",
        prediction=_MASK,
        formula="max of both ways of the 95th percentile of distances from one surface to the other",
        source="MONAI, monai.metrics.HausdorffDistanceMetric(percentile=95)",
        undefined="the image's diagonal for an empty prediction",
        requires=("scipy",),
        example=Example([[1, 0, 0, 0]], [[0, 0, 0, 1]], 3.0),
    ),
    Metric(
        function=panoptic_quality,
        title="Panoptic quality",
        aliases=("PQ", "panoptic quality (PQ)"),
        low=0,
        high=1,
        perfect=1,
        reference=_OBJECTS,
        prediction=_OBJECTS,
        formula="Σ_{TP} IoU / (TP + FP / 2 + FN / 2), TP pairs with IoU > 1/2",
        source="Kirillov et al. 2019, CVPR, 9404",
        example=Example(*_CELLS, 0.75 / 2),
    ),
    Metric(
        function=instance_f1,
        title="F1 of objects",
        aliases=("object F1", "instance F1", "F1@0.5 IoU", "detection F1"),
        low=0,
        high=1,
        perfect=1,
        reference=_OBJECTS,
        prediction=_OBJECTS,
        formula="2 TP / (2 TP + FP + FN), TP pairs with IoU > threshold",
        source="Caicedo et al. 2019, Nat. Methods 16, 1247",
        example=Example(*_CELLS, 1 / 2),
    ),
    Metric(
        function=instance_average_precision,
        title="Average precision of objects",
        aliases=("AP50 (instances)", "instance AP", "average precision (instance segmentation)"),
        low=0,
        high=1,
        perfect=1,
        reference=_OBJECTS,
        prediction=_OBJECTS,
        formula="TP / (TP + FP + FN), TP pairs with IoU > threshold",
        source="Stringer et al. 2021, Nat. Methods 18, 100",
        example=Example(*_CELLS, 1 / 3),
    ),
)
