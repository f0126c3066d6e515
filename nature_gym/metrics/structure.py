"""Structures of molecules: points in space against points in space, the i-th for the i-th. Shape (n, 3), in ångström.

TM-score and GDT-TS are maxima over all ways to lay one structure on the other. These are searched as TM-score's own
program does: from fragments of falling length, each laid on its counterpart and widened to whatever then lies near.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nature_gym.metrics.entry import LOWER, Example, Metric
from nature_gym.metrics.inputs import Floats, Truths, floats, same_shape

STARTS = 60
"""Fragments of one length that the search begins from, at most."""


def _coordinates(reference: Any, prediction: Any, least: int) -> tuple[Floats, Floats]:
    """Two structures of one length. Shapes (n, 3)."""
    one, other = floats(reference, "reference"), floats(prediction, "prediction")
    same_shape(one, other)
    if one.ndim != 2 or one.shape[1] != 3:
        raise ValueError(f"coordinates must have shape (atoms, 3), and have {one.shape}")
    if len(one) < least:
        raise ValueError(f"a structure of {len(one)} atoms is too short: {least} are needed")
    return one, other


def _laid_on(target: Floats, moving: Floats, chosen: Any) -> Floats:
    """``moving``, turned and shifted so that its ``chosen`` points lie best on those of ``target`` (Kabsch 1976)."""
    middle_target, middle_moving = target[chosen].mean(axis=0), moving[chosen].mean(axis=0)
    left, _, right = np.linalg.svd((moving[chosen] - middle_moving).T @ (target[chosen] - middle_target))
    mirror = np.array([1.0, 1.0, np.sign(np.linalg.det(left @ right)) or 1.0])
    return np.asarray((moving - middle_moving) @ (left * mirror @ right) + middle_target)


def rmsd(reference: Any, prediction: Any) -> float:
    """The root mean squared distance of atoms after the best superposition, without mirroring."""
    one, other = _coordinates(reference, prediction, 1)
    laid = _laid_on(one, other, slice(None))
    return float(np.sqrt(((laid - one) ** 2).sum(axis=1).mean()))


def _superpositions(one: Floats, other: Floats, near: float) -> Iterator[Floats]:
    """Distances of atoms in each superposition that the search comes to. Shape (n,)."""
    count = len(one)
    length = count
    while True:
        for start in range(0, count - length + 1, max(1, (count - length) // STARTS)):
            chosen: Truths = np.zeros(count, dtype=bool)
            chosen[start : start + length] = True
            for _ in range(20):
                apart = np.sqrt(((_laid_on(one, other, chosen) - one) ** 2).sum(axis=1))
                yield apart
                reach = near
                while (apart < reach).sum() < min(3, count):
                    reach += 0.5 + 0.1 * reach
                wider = apart < reach
                if (wider == chosen).all():
                    break
                chosen = wider
        if length <= 4:
            return
        length = max(length // 2, 4)


def tm_score(reference: Any, prediction: Any) -> float:
    """How like the reference's fold is, 1 for the same; above one half it is the same fold.

    The i-th residue stands for the i-th. The scale of distances follows the reference's length.
    """
    one, other = _coordinates(reference, prediction, 3)
    scale = max(1.24 * float(np.cbrt(max(len(one) - 15, 0))) - 1.8, 0.5)
    best = max(
        float((1.0 / (1.0 + (apart / scale) ** 2)).mean())
        for near in (max(scale, 4.5), 8.0)
        for apart in _superpositions(one, other, near)
    )
    return min(best, 1.0)


def gdt_ts(reference: Any, prediction: Any) -> float:
    """The mean share of residues that can be laid within 1, 2, 4 and 8 ångström, from 0 to 1."""
    one, other = _coordinates(reference, prediction, 3)
    within = np.zeros(4)
    limits = np.array([1.0, 2.0, 4.0, 8.0])
    for near in limits:
        for apart in _superpositions(one, other, float(near)):
            within = np.maximum(within, (apart[:, None] <= limits + 1e-9).mean(axis=0))
    return float(within.mean())


def lddt(reference: Any, prediction: Any, radius: float = 15.0) -> float:
    """The share of distances below ``radius`` in the reference that are kept within 0.5, 1, 2 and 4 ångström.

    Needs no superposition. The mean is over all such distances.
    """
    one, other = _coordinates(reference, prediction, 2)
    limits = np.array([0.5, 1.0, 2.0, 4.0])
    kept, total = np.zeros(4), 0
    step = max(1, (1 << 20) // len(one))
    for start in range(0, len(one), step):
        rows = np.arange(start, min(start + step, len(one)))
        apart = np.sqrt(((one[rows, None] - one[None]) ** 2).sum(axis=2))
        moved = np.sqrt(((other[rows, None] - other[None]) ** 2).sum(axis=2))
        counted = apart < radius
        counted[np.arange(len(rows)), rows] = False
        change = np.abs(apart - moved)[counted]
        kept += (change[:, None] < limits).sum(axis=0)
        total += change.size
    if total == 0:
        raise ValueError(f"no two atoms of the reference are within {radius:g} ångström")
    return float((kept / total).mean())


def contact_precision(
    reference: Any, prediction: Any, cutoff: float = 8.0, separation: int = 24, fraction: float = 1.0
) -> float:
    """Of the ``fraction`` of n pairs that score highest, the share that are in contact in the reference.

    The reference holds coordinates (n, 3), in contact below ``cutoff`` ångström, the prediction a score for each pair
    (n, n), of which the upper half counts. Pairs are ``separation`` or more apart in sequence. Where scores tie, pairs
    that are not in contact come first.
    """
    one = floats(reference, "reference")
    scores = floats(prediction, "prediction")
    if one.ndim != 2 or one.shape[1] != 3 or scores.shape != (len(one), len(one)):
        raise ValueError(f"the inputs must have shapes (n, 3) and (n, n), and have {one.shape} and {scores.shape}")
    row, column = np.triu_indices(len(one), max(separation, 1))
    contact = np.sqrt(((one[row] - one[column]) ** 2).sum(axis=1)) < cutoff
    if not contact.any():
        raise ValueError("the reference has no contact between residues so far apart in sequence")
    first = max(1, int(round(fraction * len(one), 9)))
    order = np.lexsort((contact, -scores[row, column]))[:first]
    return float(contact[order].mean())


_ATOMS = "coordinates (n, 3) in ångström"
_CORNER = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
_TURNED = [[5.0, 5.0, 5.0], [5.0, 6.0, 5.0], [3.0, 5.0, 5.0], [5.0, 5.0, 8.0]]
_LINE = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]]
_STRETCHED = [[0.0, 0.0, 0.0], [3.7, 0.0, 0.0], [0.0, 4.0, 0.0]]

METRICS = (
    Metric(
        function=rmsd,
        title="RMSD",
        aliases=("root mean square deviation", "root-mean-square deviation", "Cα RMSD", "RMSD (Å)", "ligand RMSD"),
        direction=LOWER,
        low=0,
        perfect=0,
        reference=_ATOMS,
        prediction=_ATOMS,
        formula="min over rotations and shifts of √(Σ ‖x_i - y_i‖² / n)",
        source="Kabsch 1976, Acta Cryst. A32, 922",
        example=Example([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.0, -2.0, 0.0], [0.0, 2.0, 0.0]], 1.0),
    ),
    Metric(
        function=tm_score,
        title="TM-score",
        aliases=("TM score", "template modeling score", "template modelling score"),
        low=0,
        high=1,
        perfect=1,
        reference=_ATOMS + ", one a residue",
        prediction=_ATOMS + ", one a residue",
        formula="max over superpositions of Σ 1 / (1 + (d_i / d₀)²) / n, d₀ = 1.24 ∛(n - 15) - 1.8, 0.5 at least",
        source="Zhang and Skolnick 2004, Proteins 57, 702",
        example=Example(_CORNER, _TURNED, 1.0),
    ),
    Metric(
        function=gdt_ts,
        title="GDT-TS",
        aliases=("GDT_TS", "GDT", "global distance test total score"),
        low=0,
        high=1,
        perfect=1,
        reference=_ATOMS + ", one a residue",
        prediction=_ATOMS + ", one a residue",
        formula="(P₁ + P₂ + P₄ + P₈) / 4, P_d the largest share of residues within d ångström of their place",
        source="Zemla 2003, Nucleic Acids Res. 31, 3370",
        example=Example(_CORNER, _TURNED, 1.0),
    ),
    Metric(
        function=lddt,
        title="lDDT",
        aliases=("local distance difference test", "lDDT-Cα", "lDDT score"),
        low=0,
        high=1,
        perfect=1,
        reference=_ATOMS,
        prediction=_ATOMS,
        formula="mean over 0.5, 1, 2, 4 Å of the share of distances below 15 Å that change by less",
        source="Mariani et al. 2013, Bioinformatics 29, 2722",
        example=Example(_LINE, _STRETCHED, (2 / 3 + 1 + 1 + 1) / 4),
    ),
    Metric(
        function=contact_precision,
        title="Contact precision",
        aliases=("precision@L", "P@L", "top-L precision", "long-range contact precision", "top L precision"),
        low=0,
        high=1,
        perfect=1,
        reference=_ATOMS + ", one a residue",
        prediction="scores of pairs (n, n)",
        formula="share of contacts among the fraction · n pairs of highest score, |i - j| ≥ separation",
        source="Shrestha et al. 2019, Proteins 87, 1058",
        undefined="in a tie, contacts come last; below 1 at best where fewer pairs than asked are in contact",
        example=Example(
            [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [20.0, 0.0, 0.0]],
            [[0.0, 0.9, 0.8], [0.0, 0.0, 0.1], [0.0, 0.0, 0.0]],
            1 / 2,
            {"separation": 1, "fraction": 2 / 3},
        ),
    ),
)
