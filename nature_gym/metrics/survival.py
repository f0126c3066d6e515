"""Survival: times of which some are only known to be longer, against risks or survival curves.

A reference row is (time, event): event 1 where it came at that time, 0 where the sample was last seen then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Floats, Truths, column, floats


def _times(reference: Any) -> tuple[Floats, Truths]:
    """Times, and whether the event came then. Shapes (n,)."""
    rows = floats(reference, "reference")
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise ValueError(f"the reference must have the columns time and event, and has shape {rows.shape}")
    if (rows[:, 0] < 0).any() or not np.isin(rows[:, 1], (0, 1)).all():
        raise ValueError("the reference's times must not be negative, its events 0 or 1")
    return rows[:, 0], rows[:, 1] == 1


def concordance_index(reference: Any, prediction: Any) -> float:
    """The share of comparable pairs in which the sample with the earlier event has the higher risk, ties counting half.

    A pair is comparable where the earlier time is an event; of two equal times, where one is an event and the other is
    not.
    """
    times, events = _times(reference)
    risks = column(floats(prediction, "prediction"), "prediction")
    if risks.size != times.size:
        raise ValueError(f"the prediction holds {risks.size} risks, for {times.size} samples")
    points, pairs = 0.0, 0
    first = np.flatnonzero(events)
    step = max(1, (1 << 21) // times.size)
    for start in range(0, first.size, step):
        rows = first[start : start + step]
        later = (times[rows, None] < times[None, :]) | ((times[rows, None] == times[None, :]) & ~events[None, :])
        pairs += int(later.sum())
        points += float((later & (risks[rows, None] > risks[None, :])).sum())
        points += float((later & (risks[rows, None] == risks[None, :])).sum()) / 2.0
    if pairs == 0:
        raise ValueError("no pair of the reference can be compared")
    return points / pairs


def _seen_until(times: Floats, events: Truths, at: Floats) -> Floats:
    """The share of samples that would still be seen at each of ``at``, by Kaplan and Meier, of two equal times the
    event first. Shape of ``at``."""
    moments, place = np.unique(times, return_inverse=True)
    place = place.reshape(-1)
    lost = np.bincount(place[~events], minlength=moments.size).astype(np.float64)
    came = np.bincount(place[events], minlength=moments.size).astype(np.float64)
    left = times.size - np.append(0.0, np.cumsum(lost + came)[:-1]) - came
    kept = np.cumprod(1.0 - np.divide(lost, left, out=np.zeros_like(lost), where=left > 0))
    return np.append(1.0, kept)[np.searchsorted(moments, at, side="right")]


def integrated_brier(reference: Any, prediction: Any, times: Any) -> float:
    """The mean over ``times`` of the squared error of the predicted survival, samples weighted for being lost.

    The prediction holds the probability to survive each of ``times`` (n, t); times rise, lie within the reference's
    and are two at least. Weights are one over the chance to have been seen so far, estimated on the reference.
    """
    seen, events = _times(reference)
    moments = column(floats(times, "times"), "times")
    curves = floats(prediction, "prediction")
    if curves.shape != (seen.size, moments.size):
        raise ValueError(f"the prediction has shape {curves.shape}, for {seen.size} samples and {moments.size} times")
    if curves.min() < 0 or curves.max() > 1:
        raise ValueError("the prediction must hold probabilities, from 0 to 1")
    if moments.size < 2 or (np.diff(moments) <= 0).any() or moments[0] < seen.min() or moments[-1] >= seen.max():
        raise ValueError("times must rise, be two at least, and lie from the reference's first time to before its last")
    then, until = _seen_until(seen, events, seen), _seen_until(seen, events, moments)
    gone = (seen[:, None] <= moments) & events[:, None]
    there = seen[:, None] > moments
    weight_gone = np.divide(1.0, then, out=np.zeros_like(then), where=then > 0)[:, None]
    weight_there = np.divide(1.0, until, out=np.zeros_like(until), where=until > 0)[None, :]
    errors = (curves**2 * gone * weight_gone + (1.0 - curves) ** 2 * there * weight_there).mean(axis=0)
    area = (np.diff(moments) * (errors[1:] + errors[:-1]) / 2.0).sum()
    return float(area / (moments[-1] - moments[0]))


_ROWS = "rows (time, event)"

METRICS = (
    Metric(
        function=concordance_index,
        title="C-index",
        aliases=("concordance index", "Harrell's C", "Harrell's C-index", "CI", "Harrell's concordance index"),
        low=0,
        high=1,
        perfect=1,
        reference=_ROWS,
        prediction="risks, higher for an earlier event (n,)",
        formula="Σ_{comparable i before j} ([r_i > r_j] + [r_i = r_j] / 2) / number of comparable pairs",
        source="Harrell et al. 1982, JAMA 247, 2543; scikit-survival, concordance_index_censored",
        undefined="1/2 for equal risks",
        example=Example([[1, 1], [2, 0], [3, 1], [4, 0]], [0.9, 0.5, 0.1, 0.2], 3 / 4),
    ),
    Metric(
        function=integrated_brier,
        title="Integrated Brier score",
        aliases=("IBS", "integrated Brier"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ROWS,
        prediction="probabilities to survive each time (n, t)",
        formula="∫ BS(t) dt / (t_max - t_min), BS(t) = Σ (S_i(t)² [gone] / G(T_i) + (1 - S_i(t))² [there] / G(t)) / n",
        source="Graf et al. 1999, Stat. Med. 18, 2529; scikit-survival, integrated_brier_score",
        example=Example([[1, 1], [2, 1], [4, 1]], [[0.5, 0.5]] * 3, 1 / 4, {"times": [1.0, 2.0]}),
    ),
)
