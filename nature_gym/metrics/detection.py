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


def _hits(overlap: Floats, threshold: float) -> Truths:
    """Which of an image's boxes, best first, find an object. ``overlap`` has shape (boxes, objects)."""
    free = np.ones(overlap.shape[1], dtype=bool)
    hits = np.zeros(len(overlap), dtype=bool)
    for row, ratios in enumerate(overlap):
        fit = np.where(free, ratios, -1.0)
        if fit.size and fit.max() >= min(threshold, 1.0 - 1e-10):
            # Of equal overlaps the later object is taken, as COCO's own program does.
            free[fit.size - 1 - int(np.argmax(fit[::-1]))] = False
            hits[row] = True
    return hits


def _by_image(rows: Floats) -> dict[float, Floats]:
    """The rows of each image, in their order."""
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    names, first = np.unique(rows[:, 0], return_index=True)
    return dict(zip(names.tolist(), np.split(rows, first[1:]), strict=True)) if len(rows) else {}


def _class_precisions(objects: Floats, boxes: Floats, thresholds: tuple[float, ...]) -> list[float]:
    """The mean of the best precision at 101 recalls, of one class at each threshold."""
    there = _by_image(objects)
    scores: list[Floats] = []
    hits: list[list[Truths]] = [[] for _ in thresholds]
    for image, found in _by_image(boxes).items():
        here = found[np.argsort(-found[:, 2], kind="stable")][:MOST]
        overlap = _box_overlaps(here[:, 3:], there.get(image, np.zeros((0, 6)))[:, 2:])
        scores.append(here[:, 2])
        for threshold, of_threshold in zip(thresholds, hits, strict=True):
            of_threshold.append(_hits(overlap, threshold))
    if not scores:
        return [0.0] * len(thresholds)
    order = np.argsort(-np.concatenate(scores), kind="stable")
    return [_mean_best_precision(np.concatenate(of_threshold)[order], len(objects)) for of_threshold in hits]


def _mean_best_precision(hits: Truths, objects: int) -> float:
    """The mean, over recalls 0, 0.01, ... 1, of the best precision at that recall or above. Shape (boxes,)."""
    found = np.cumsum(hits)
    precision = np.maximum.accumulate((found / np.arange(1, found.size + 1))[::-1])[::-1]
    place = np.searchsorted(found / objects, np.linspace(0.0, 1.0, 101), side="left")
    return float(np.append(precision, 0.0)[np.minimum(place, found.size)].mean())


def _mean_precision(reference: Any, prediction: Any, thresholds: tuple[float, ...]) -> float:
    """The mean over thresholds and the reference's classes."""
    objects, boxes = _rows(reference, 6, "reference"), _rows(prediction, 7, "prediction")
    return float(
        np.mean(
            [
                _class_precisions(objects[objects[:, 1] == name], boxes[boxes[:, 1] == name], thresholds)
                for name in np.unique(objects[:, 1])
            ]
        )
    )


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
