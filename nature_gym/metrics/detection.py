"""Detection of objects by boxes.

A reference row is (image, class, x1, y1, x2, y2), a prediction row (image, class, score, x1, y1, x2, y2). As in
COCO: at most 100 boxes an image and class, best first, each taking the free object of its image that it overlaps most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nature_gym.metrics.entry import Example, Metric
from nature_gym.metrics.inputs import Floats, Truths, floats

THRESHOLDS = tuple(0.5 + 0.05 * step for step in range(10))
MOST = 100


def _rows(values: Any, width: int, what: str) -> Floats:
    if np.size(values) == 0 and what == "prediction":
        return np.zeros((0, width))
    rows = floats(values, what)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"the {what} must have {width} columns, and has shape {rows.shape}")
    if (rows[:, -2:] < rows[:, -4:-2]).any():
        raise ValueError(f"the {what} has a box whose end lies before its beginning")
    return rows


def _box_overlaps(boxes: Floats, others: Floats) -> Floats:
    """The IoU of each box with each other one. Shape (boxes, others)."""
    corner = np.maximum(boxes[:, None, :2], others[None, :, :2])
    end = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    shared = np.prod(np.clip(end - corner, 0.0, None), axis=2)
    areas = [np.prod(one[:, 2:] - one[:, :2], axis=1) for one in (boxes, others)]
    union = areas[0][:, None] + areas[1][None, :] - shared
    return np.asarray(np.divide(shared, union, out=np.zeros_like(shared), where=union > 0))


def _hits(objects: Floats, boxes: Floats, threshold: float) -> Truths:
    """Which of an image's boxes, best first, find an object. Shape (boxes,)."""
    overlap = _box_overlaps(boxes, objects)
    free = np.ones(len(objects), dtype=bool)
    hits = np.zeros(len(boxes), dtype=bool)
    for row, ratios in enumerate(overlap):
        fit = np.where(free, ratios, -1.0)
        if fit.size and fit.max() >= min(threshold, 1.0 - 1e-10):
            # Of equal overlaps the later object is taken, as COCO's own program does.
            free[fit.size - 1 - int(np.argmax(fit[::-1]))] = False
            hits[row] = True
    return hits


def _class_precision(objects: Floats, boxes: Floats, threshold: float) -> float:
    """The mean of the best precision at 101 recalls, of one class at one threshold."""
    scores, hits = [], []
    for image in np.unique(boxes[:, 0]):
        here = boxes[boxes[:, 0] == image]
        here = here[np.argsort(-here[:, 2], kind="stable")][:MOST]
        scores.append(here[:, 2])
        hits.append(_hits(objects[objects[:, 0] == image][:, 2:], here[:, 3:], threshold))
    if not scores:
        return 0.0
    order = np.argsort(-np.concatenate(scores), kind="stable")
    found = np.cumsum(np.concatenate(hits)[order])
    precision = np.maximum.accumulate((found / np.arange(1, found.size + 1))[::-1])[::-1]
    place = np.searchsorted(found / len(objects), np.linspace(0.0, 1.0, 101), side="left")
    return float(np.append(precision, 0.0)[np.minimum(place, found.size)].mean())


def _mean_precision(reference: Any, prediction: Any, thresholds: tuple[float, ...]) -> float:
    """The mean over thresholds and the reference's classes."""
    objects, boxes = _rows(reference, 6, "reference"), _rows(prediction, 7, "prediction")
    values = [
        _class_precision(objects[objects[:, 1] == name], boxes[boxes[:, 1] == name], threshold)
        for name in np.unique(objects[:, 1])
        for threshold in thresholds
    ]
    return float(np.mean(values))


def detection_map(reference: Any, prediction: Any) -> float:
    """The mean average precision over classes and over IoU thresholds from 0.50 to 0.95."""
    return _mean_precision(reference, prediction, THRESHOLDS)


def detection_map50(reference: Any, prediction: Any) -> float:
    """The mean average precision over classes at an IoU of one half."""
    return _mean_precision(reference, prediction, (0.5,))


_OBJECTS = "rows (image, class, x1, y1, x2, y2)"
_BOXES = "rows (image, class, score, x1, y1, x2, y2)"
_TWO = ([[0, 0, 0, 0, 10, 10], [0, 0, 20, 20, 30, 30]], [[0, 0, 0.9, 0, 0, 10, 10], [0, 0, 0.8, 40, 40, 50, 50]])

METRICS = (
    Metric(
        function=detection_map,
        title="mAP",
        aliases=(
            "COCO mAP",
            "box AP",
            "mAP@[.5:.95]",
            "mAP@0.5:0.95",
            "mAP50-95",
            "mean average precision (detection)",
        ),
        low=0,
        high=1,
        perfect=1,
        reference=_OBJECTS,
        prediction=_BOXES,
        formula="mean over classes and IoU ≥ 0.50, 0.55, ... 0.95 of the mean best precision at recalls 0, 0.01, ... 1",
        source="Lin et al. 2014, arXiv 1405.0312; pycocotools, COCOeval",
        undefined="0 without a box",
        example=Example(*_TWO, 51 / 101),
    ),
    Metric(
        function=detection_map50,
        title="mAP@0.5",
        aliases=("mAP50", "AP50", "mAP@50", "PASCAL mAP"),
        low=0,
        high=1,
        perfect=1,
        reference=_OBJECTS,
        prediction=_BOXES,
        formula="mean over classes of the mean best precision at recalls 0, 0.01, ... 1, at IoU ≥ 0.5",
        source="Lin et al. 2014, arXiv 1405.0312; pycocotools, COCOeval",
        undefined="0 without a box",
        example=Example(*_TWO, 51 / 101),
    ),
)
