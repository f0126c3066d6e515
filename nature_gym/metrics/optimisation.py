"""Optimisation and design: how good the best of what was proposed is, and how often it succeeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Floats, column, floats

MOST_BOXES = 20_000_000
"""In more than two objectives, a hypervolume that would take more pieces than this is refused: it takes minutes."""
LONGEST_FRONT = 5000
"""So is one of a front of more points than this."""


def success_rate(reference: Any, prediction: Any) -> float:  # noqa: ARG001 -- every metric takes both
    """The share of trials that succeeded."""
    trials = column(floats(prediction, "prediction"), "prediction")
    if not np.isin(trials, (0, 1)).all():
        raise ValueError("the prediction must hold 1 for a success and 0 for none")
    return float(trials.mean())


def best_value(reference: Any, prediction: Any) -> float:  # noqa: ARG001 -- every metric takes both
    """The largest value that was reached."""
    return float(floats(prediction, "prediction").max())


def lowest_value(reference: Any, prediction: Any) -> float:  # noqa: ARG001 -- every metric takes both
    """The smallest value that was reached."""
    return float(floats(prediction, "prediction").min())


def simple_regret(reference: Any, prediction: Any) -> float:
    """How far the largest value that was reached lies below the optimum, the reference's only number; 0 at least."""
    optimum = floats(reference, "reference")
    if optimum.size != 1:
        raise ValueError(f"the reference must hold one number, the optimum, and holds {optimum.size}")
    return max(float(optimum.reshape(-1)[0] - floats(prediction, "prediction").max()), 0.0)


def _front(points: Floats) -> Floats:
    """The points that no other is at least as good as in everything, once each. Shape (f, d), smaller being better."""
    points = np.unique(points, axis=0)  # in rising order: only an earlier point can be as good as a later one
    if points.shape[1] == 2:
        best = np.append(np.inf, np.minimum.accumulate(points[:, 1])[:-1])
        return np.asarray(points[points[:, 1] < best])
    kept: list[Floats] = []
    while len(points):
        kept.append(points[0])
        if len(kept) > LONGEST_FRONT:
            raise ValueError(f"a front of more than {LONGEST_FRONT} points takes too long")
        points = points[~(points >= points[0]).all(axis=1)]
    return np.array(kept)


def _volume(points: Floats, corner: Floats) -> float:
    """The volume between a front and a corner, by slices along the last objective."""
    front = _front(points)
    if len(corner) == 1:
        return float(corner[0] - front.min())
    if len(corner) == 2:
        walls = np.append(front[1:, 0], corner[0]) - front[:, 0]
        return float((walls * (corner[1] - front[:, 1])).sum())
    front = front[np.argsort(front[:, -1], kind="stable")]
    heights = np.append(front[1:, -1], corner[-1]) - front[:, -1]
    return sum(
        float(height) * _volume(front[: place + 1, :-1], corner[:-1])
        for place, height in enumerate(heights)
        if height > 0
    )


def hypervolume(reference: Any, prediction: Any) -> float:
    """The volume of outcomes that are worse than some proposed one and better than a reference point.

    Smaller is better in each objective. The reference is the point (d,), the prediction the outcomes (n, d); those that
    are not better than the point in everything count nothing.
    """
    corner = floats(reference, "reference").reshape(-1)
    points = floats(prediction, "prediction")
    if points.ndim != 2 or points.shape[1] != corner.size:
        raise ValueError(f"the prediction must have {corner.size} columns, and has shape {points.shape}")
    points = points[(points < corner).all(axis=1)]
    if not len(points):
        return 0.0
    front = _front(points)
    if corner.size > 2 and float(len(front)) ** (corner.size - 1) > MOST_BOXES:
        raise ValueError(f"a front of {len(front)} points in {corner.size} objectives takes too long")
    return _volume(front, corner)


_VALUES = "values, any shape"

METRICS = (
    Metric(
        function=success_rate,
        title="Success rate",
        aliases=("SR", "success ratio", "pass rate", "solve rate"),
        low=0,
        high=1,
        perfect=1,
        reference="",
        prediction="1 for a success, 0 for none (n,)",
        formula="successes / trials",
        source="definition",
        example=Example(None, [1, 0, 1, 1], 3 / 4),
    ),
    Metric(
        function=best_value,
        title="Best value",
        aliases=("best-so-far", "best found value", "maximum value", "top-1 value"),
        perfect=None,
        reference="",
        prediction=_VALUES,
        formula="max ŷ",
        source="definition",
        example=Example(None, [1.0, 3.0, 2.0], 3.0),
    ),
    Metric(
        function=lowest_value,
        title="Lowest value",
        aliases=("minimum value", "best found value (minimisation)", "lowest energy"),
        direction=LOWER,
        perfect=None,
        reference="",
        prediction=_VALUES,
        formula="min ŷ",
        source="definition",
        example=Example(None, [1.0, 3.0, 2.0], 1.0),
    ),
    Metric(
        function=simple_regret,
        title="Simple regret",
        aliases=("regret", "optimality gap"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference="the optimum, one number",
        prediction=_VALUES,
        formula="max(y* - max ŷ, 0)",
        source="Bubeck et al. 2009, ALT, 23",
        example=Example([4.0], [1.0, 3.0, 2.0], 1.0),
    ),
    Metric(
        function=hypervolume,
        title="Hypervolume",
        aliases=("HV", "hypervolume indicator", "S-metric"),
        low=0,
        perfect=None,
        reference="the point that bounds it (d,)",
        prediction="outcomes, smaller being better (n, d)",
        formula="volume of ∪ [ŷ_i, point]",
        source="Zitzler and Thiele 1998, PPSN V, 292",
        undefined="0 where no outcome is better than the point",
        example=Example([3.0, 3.0], [[1.0, 2.0], [2.0, 1.0]], 3.0),
    ),
)
