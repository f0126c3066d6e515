"""Groups of rows without any label: several clusterings of as many groups as the form has numbers.

Runs inside a box.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from nature_gym.agents.solvers.tables import Array, Table, is_text
from nature_gym.baseline.data import NoAnswerError

MOST_FOR_PAIRS = 8_000
"""Rows up to which methods that look at all pairs are used."""


def groups(
    column: dict[str, Any], asked: Table, key: str | None, seed: int
) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """Clusterings, each an answer."""
    from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering

    blocks = [
        one[:, None] if one.ndim == 1 else one
        for name, one in asked.columns.items()
        if not is_text(one) and name != key
    ]
    if not blocks:
        raise NoAnswerError(f"{asked.name} has no numbers to be grouped by")
    first = int(column["least"])
    count = min(int(column["most"]) - first + 1, asked.rows)
    inputs = _spread(np.nan_to_num(np.concatenate(blocks, axis=1)))
    small = asked.rows <= MOST_FOR_PAIRS
    made: dict[str, Any] = {"means": KMeans(count, n_init=10, random_state=seed)}
    if small:
        made["neighbours' graph"] = SpectralClustering(
            count, affinity="nearest_neighbors", n_neighbors=10, assign_labels="cluster_qr", random_state=seed
        )
        made["Ward"] = AgglomerativeClustering(count)
    for name in [*made][::-1]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a graph in several pieces: groups that are far apart
            labels = made[name].fit_predict(inputs)
        yield name, {column["name"]: [first + int(one) for one in labels]}


def _spread(inputs: Array) -> Array:
    """Columns of unlike scales are brought to one; those of one scale (pixels) stay as they are."""
    spread = inputs.std(axis=0)
    used = spread[spread > 0]
    if not len(used) or used.max() / np.median(used) < 20:
        return inputs
    scaled: Array = (inputs - inputs.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scaled
