"""For each query the items of a gallery that are most like it: of the same class as models see it, near in the inputs.

Runs inside a box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nature_gym.agents.solvers.fitting import fit
from nature_gym.agents.solvers.grading import score_for
from nature_gym.agents.solvers.roles import Said
from nature_gym.agents.solvers.tables import Array, Table, features, is_text, texts
from nature_gym.agents.solvers.targets import Source, classes_of
from nature_gym.baseline.data import NoAnswerError

_GALLERY = re.compile(r"galler|librar|databas|candidat|corpus|pool|collection|items", re.IGNORECASE)


def rankings(columns: Sequence[dict[str, Any]], asked: Table, tables: Sequence[Table], found: Sequence[Source],
             key: str | None, told: Said, seed: int) -> Iterator[tuple[str, dict[str, list[Any]]]]:  # fmt: skip
    """Rankings, each an answer: by classes, by classes and nearness, by nearness alone."""
    gallery = _gallery(asked, tables, len(columns))
    names = _ids(gallery, key)
    pair = features(gallery, asked, [key or ""])
    if pair is None:
        raise NoAnswerError(f"{gallery.name} and {asked.name} share no inputs")
    near = _nearness(*pair)
    alike = _alike(found, tables, gallery, asked, key, told, seed)
    scores = {"nearness": near}
    if alike is not None:
        scores = {"classes and nearness": alike + 0.1 * near, "classes": alike, **scores}
    for name, score in scores.items():
        best = np.argsort(-score, axis=1, kind="stable")[:, : len(columns)]
        yield name, {one["name"]: [names[row[place]] for row in best] for place, one in enumerate(columns)}


def _gallery(asked: Table, tables: Sequence[Table], least: int) -> Table:
    others = [one for one in tables if one.name != asked.name and one.rows >= least]
    named = [one for one in others if _GALLERY.search(one.name)]
    if not named:
        raise NoAnswerError("no table of the data is the gallery")
    return named[0]


def _ids(table: Table, key: str | None) -> list[str]:
    for name in (key, "id", "name"):
        if name in table.columns:
            values = table.columns[name]
            return texts(values) if is_text(values) else [f"{one:g}" for one in values]
    raise NoAnswerError(f"{table.name} has no ids")


def _nearness(gallery: Array, queries: Array) -> Array:
    """Cosine of the angle between standardised inputs, (queries, gallery)."""
    middle, spread = np.nanmean(gallery, axis=0), np.nanstd(gallery, axis=0)
    sides = [np.nan_to_num((one - middle) / np.where(spread > 0, spread, 1.0)) for one in (queries, gallery)]
    ours, theirs = (one / np.maximum(np.linalg.norm(one, axis=1, keepdims=True), 1e-9) for one in sides)
    found: Array = ours @ theirs.T
    return found


def _alike(found: Sequence[Source], tables: Sequence[Table], gallery: Table, asked: Table, key: str | None, told: Said,
           seed: int) -> Array | None:  # fmt: skip
    """The probability that two are of one class, (queries, gallery), by models of the training table's classes."""
    by_name = {one.name: one for one in tables}
    for source in found:
        train = by_name[source.table]
        target = train.columns[source.column]
        classes = classes_of(target, {"values": ("any",)}, told)
        left_out = [key or "", source.column]
        pairs = [features(train, one, left_out) for one in (gallery, asked)]
        if classes is None or pairs[0] is None or pairs[1] is None or pairs[0][0].shape != pairs[1][0].shape:
            continue
        values = np.array(texts(target), dtype=object) if is_text(target) else target
        truth = np.searchsorted(classes, values)
        fitted = fit(pairs[0][0], truth, classes, score_for("log loss", classes), seed, 300.0)
        theirs, ours = (fitted.predict("blend", one[1]) for one in (pairs[0], pairs[1]))
        alike: Array = ours @ theirs.T
        return alike
    return None
