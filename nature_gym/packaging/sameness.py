"""Whether a column of values tells the answers: it is them, holds them among others, or holds nearly all of them.

The idea: labels and round numbers are alike by chance, measured numbers are not. So a column that only *holds* the
answers counts where it could not do so by chance: the finer the grid on which its values lie, the fewer it takes. Where
values are few, their order has to be the answers', or the ids beside them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]
FEWEST = 5
FEWEST_IN_A_RUN = 20
FEWEST_CHANGES = 10
NEARLY_ALL = 0.9
LIKELIEST = math.log(1e-6)
"""What is likelier than this to be so by chance tells nothing."""
MANY = 30
"""Of so many the steps between neighbours tell the grid on which they lie."""
ROUNDING = 1.2e-7
"""Of single precision."""


def comparable(values: Values) -> Values:
    """``values`` as numbers where they are or can be read as such, else as texts."""
    values = np.asarray(values)
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    texts = values.astype(str)
    if values.ndim == 1 and 0 < values.size <= 1 << 22:
        try:
            return np.asarray([np.nan if one in ("", "nan", "NaN", "NA") else float(one) for one in texts.tolist()])
        except ValueError:
            return texts
    return texts


def tells(values: Values, answer: Values) -> str:
    """What ``values`` tell of ``answer`` (both :func:`comparable`): '' where nothing is certain."""
    if values.dtype.kind != answer.dtype.kind or answer.size < FEWEST:
        return ""
    if same(values, answer):
        return "equals the answers"
    if values.ndim != 1 or answer.ndim != 1 or values.size < NEARLY_ALL * answer.size:
        return ""
    if _in_a_run(values, answer):
        return "holds the answers in their order"
    return _holds(values, answer) if values.dtype.kind == "f" else ""


def same(one: Values, other: Values) -> bool:
    """Whether two arrays hold the same values: in order, or sorted where most of them differ from each other."""
    if one.shape != other.shape or one.size < FEWEST:
        return False
    distinct = len(np.unique(other))
    if distinct < 2:
        return False
    if _equal(one, other):
        return True
    return one.ndim == 1 and distinct > one.size // 2 and _equal(np.sort(one), np.sort(other))


def same_by_ids(ids: Values, values: Values, answer_ids: Values, answer: Values) -> bool:
    """Whether, by ids, ``values`` are the answers for nearly all of them, and wrong for none."""
    if answer.size < FEWEST or values.dtype.kind != answer.dtype.kind or values.ndim != 1 or answer.ndim != 1:
        return False
    place = {name: row for row, name in enumerate(ids.astype(str).tolist())}
    pairs = [(place[name], row) for row, name in enumerate(answer_ids.astype(str).tolist()) if name in place]
    if len(pairs) < max(NEARLY_ALL * answer.size, FEWEST):
        return False
    there, here = (np.asarray(side) for side in zip(*pairs, strict=True))
    return len(np.unique(answer[here])) > 1 and _equal(values[there], answer[here])


def _equal(one: Values, other: Values) -> bool:
    if one.dtype.kind == "f":
        return bool(np.allclose(one, other, rtol=ROUNDING, atol=0.0, equal_nan=True))
    return bool(np.array_equal(one, other))


def _in_a_run(values: Values, answer: Values) -> bool:
    """Whether nearly all answers, from the first or to the last, stand one after another in ``values``."""
    size = math.ceil(NEARLY_ALL * answer.size)
    if size < FEWEST_IN_A_RUN or answer.size == values.size == 0:
        return False
    if answer.dtype.kind == "f":
        answer, values = answer.astype(np.float32), values.astype(np.float32)
    met, codes = np.unique(np.concatenate([answer, values]), return_inverse=True)
    codes = codes.reshape(-1).astype(np.uint32)
    data = codes[answer.size :].tobytes()
    for part in (codes[:size], codes[answer.size - size : answer.size]):
        if np.count_nonzero(np.diff(part)) >= FEWEST_CHANGES and len(met) > 1 and _found(data, part.tobytes()):
            return True
    return False


def _found(data: bytes, part: bytes) -> bool:
    place = data.find(part)
    while place >= 0 and place % 4:
        place = data.find(part, place + 1)
    return place >= 0


def _holds(values: Values, answer: Values) -> str:
    """Whether numbers hold nearly all answers, in any order, which are too fine for that to be chance."""
    wanted = np.unique(answer[np.isfinite(answer)].astype(np.float32))
    there = np.unique(values[np.isfinite(values)].astype(np.float32))
    if wanted.size < FEWEST or there.size < FEWEST:
        return ""
    count = int(np.isin(wanted, there, assume_unique=True).sum())
    if count < NEARLY_ALL * wanted.size or _by_chance(there.astype(np.float64), wanted, count) > LIKELIEST:
        return ""
    return "holds the answers, among others" if count == wanted.size else f"holds {count:,} of {wanted.size:,} answers"


def _by_chance(there: npt.NDArray[np.float64], wanted: Values, count: int) -> float:
    """The logarithm of how likely it is that ``count`` of the values met are in a column on such a grid."""
    low, high = float(wanted[0]), float(wanted[-1])
    inside = there[(there >= low) & (there <= high)]
    if inside.size < 2:
        return 0.0
    steps = [float(np.percentile(np.diff(inside), 5)), 10.0 ** -_decimals(wanted)]
    if wanted.size >= MANY:
        steps.append(float(np.percentile(np.diff(wanted.astype(np.float64)), 5)))
    cells = min((high - low) / step + 1 if step > 0 else math.inf for step in steps)
    likely = min(1.0, inside.size / cells)
    total = wanted.size
    ways = math.lgamma(total + 1) - math.lgamma(count + 1) - math.lgamma(total - count + 1)
    return count * math.log(max(likely, 1e-12)) + ways


def _decimals(values: Values) -> int:
    """With how many decimals numbers of single precision are written, at most."""
    numbers = values.astype(np.float64)
    for decimals in range(7):
        if np.allclose(numbers.round(decimals), numbers, rtol=ROUNDING, atol=0.0):
            return decimals
    return 9
