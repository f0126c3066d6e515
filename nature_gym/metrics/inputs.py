"""What metrics take: arrays of numbers, labels or strings, looked at before anything is computed.

Every function raises ValueError with a sentence that names which of the two inputs is wrong, and how. Large
arrays are gone through in blocks, so that one on disk (``numpy.load(..., mmap_mode="r")``) is never held whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

BLOCK = 1 << 20
LARGEST = 1e150
"""Numbers beyond this cannot be squared and summed in double precision."""


def numeric(values: Any, what: str) -> npt.NDArray[Any]:
    """``values`` as an array of real numbers of whatever type and shape, not empty; not looked through."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"the {what} must hold real numbers, not {array.dtype.name}")
    if array.size == 0:
        raise ValueError(f"the {what} is empty")
    return array


def floats(values: Any, what: str) -> Floats:
    """``values`` as float64: not empty, all finite."""
    array = np.ascontiguousarray(numeric(values, what), dtype=np.float64).reshape(np.shape(values))
    _finite(array, what)
    return array


def _finite(array: Floats, what: str) -> None:
    if not np.isfinite(array).all():
        raise ValueError(f"the {what} holds values that are not finite")
    if np.abs(array).max() > LARGEST:
        raise ValueError(f"the {what} holds numbers beyond {LARGEST:g}, which cannot be scored")


def same_shape(reference: npt.NDArray[Any], prediction: npt.NDArray[Any]) -> None:
    """Both of one shape."""
    if reference.shape != prediction.shape:
        raise ValueError(f"the prediction has shape {prediction.shape}, the reference {reference.shape}")


def arrays(reference: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Two arrays of numbers of one shape."""
    one, other = floats(reference, "reference"), floats(prediction, "prediction")
    same_shape(one, other)
    return one, other


def blocks(reference: Any, prediction: Any) -> Iterator[tuple[Floats, Floats]]:
    """Two arrays of one shape, in flat pieces of at most ``BLOCK`` numbers as float64, all finite."""
    one, other = numeric(reference, "reference"), numeric(prediction, "prediction")
    same_shape(one, other)
    one, other = one.reshape(-1), other.reshape(-1)
    for start in range(0, one.size, BLOCK):
        piece = slice(start, start + BLOCK)
        yield floats(one[piece], "reference"), floats(other[piece], "prediction")


def column(values: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    """One number a sample: shape (n,), and (n, 1) is taken for it."""
    if values.ndim == 2 and values.shape[1] == 1:
        return values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"the {what} must hold one value a sample, and has shape {values.shape}")
    return values


def vectors(reference: Any, prediction: Any) -> tuple[Floats, Floats]:
    """Two vectors of numbers, of one length."""
    one = column(floats(reference, "reference"), "reference")
    other = column(floats(prediction, "prediction"), "prediction")
    same_shape(one, other)
    return one, other


def labels(values: Any, what: str) -> npt.NDArray[Any]:
    """One label a sample: integers, truths, whole floats, or strings. Shape (n,)."""
    array = np.asarray(values)
    if array.size == 0:
        raise ValueError(f"the {what} is empty")
    array = column(array, what)
    if array.dtype.kind == "O":
        if not all(isinstance(value, str) for value in array):
            raise ValueError(f"the {what} must hold labels: all numbers, or all strings")
        array = array.astype(str)
    if array.dtype.kind == "f":
        if not (np.isfinite(array).all() and (array == np.floor(array)).all()):
            raise ValueError(f"the {what} must hold labels, and holds numbers that are not whole")
    elif array.dtype.kind not in "biuU":
        raise ValueError(f"the {what} must hold labels, not {array.dtype.name}")
    return array


def coded(reference: Any, prediction: Any) -> tuple[Integers, Integers, int]:
    """Two vectors of labels as numbers 0 to c - 1 in the labels' order, and c, the count of those met in either."""
    one, other = labels(reference, "reference"), labels(prediction, "prediction")
    same_shape(one, other)
    if (one.dtype.kind == "U") != (other.dtype.kind == "U"):
        raise ValueError("the labels of one input are strings, those of the other numbers")
    met, codes = np.unique(np.concatenate([one, other]), return_inverse=True)
    codes = codes.reshape(-1).astype(np.int64)
    return codes[: one.size], codes[one.size :], int(met.size)


def contingency(reference: Any, prediction: Any) -> Floats:
    """How many samples have label i in the reference and j in the prediction: shape (c, c)."""
    one, other, count = coded(reference, prediction)
    counts = np.bincount(one * count + other, minlength=count * count)
    return counts.reshape(count, count).astype(np.float64)


def positives(values: Any, positive: Any, what: str) -> Truths:
    """Which samples of a two-class problem bear the label ``positive``. Shape (n,)."""
    array = labels(values, what)
    if (array.dtype.kind == "U") != isinstance(positive, str):
        raise ValueError(f"the {what} has no label of the kind of {positive!r}, which is to be the positive one")
    met = set(np.unique(array).tolist())
    if len(met - {positive}) > 1:
        raise ValueError(
            f"the {what} must have two classes, {positive!r} and another, and has {len(met - {positive})} others"
        )
    if positive == 1 and any(other > 1 for other in met if not isinstance(other, str)):
        raise ValueError(
            f"the {what} has the labels 1 and {max(met)!r}: which is positive is not told; "
            "write 1 for it and 0 for the other, or name the greater as the positive one"
        )
    return np.asarray(array == positive)


def ranked_truths(reference: Any, prediction: Any, positive: Any = 1) -> tuple[Truths, Floats]:
    """Which samples are positive, and the score that each was given. Shapes (n,), (n,)."""
    truth = positives(reference, positive, "reference")
    scores = column(floats(prediction, "prediction"), "prediction")
    same_shape(truth, scores)
    return truth, scores


def class_probabilities(reference: Any, prediction: Any) -> tuple[Integers, Floats]:
    """Classes 0 to c - 1 of n samples, and the probability of each class. Shapes (n,), (n, c).

    A prediction of one column is the probability of class 1 of two.
    """
    truth = labels(reference, "reference")
    if truth.dtype.kind == "U":
        raise ValueError("the reference must hold the number of the class, from 0, not its name")
    truth = truth.astype(np.int64)
    given = floats(prediction, "prediction")
    if given.ndim == 1 or (given.ndim == 2 and given.shape[1] == 1):
        given = np.stack([1.0 - given.reshape(-1), given.reshape(-1)], axis=1)
    if given.ndim != 2 or given.shape[0] != truth.size:
        raise ValueError(f"the prediction has shape {given.shape}, for {truth.size} samples")
    if given.min() < 0.0 or given.max() > 1.0:
        raise ValueError("the prediction must hold probabilities, from 0 to 1")
    if np.abs(given.sum(axis=1) - 1.0).max() > 1e-3:
        raise ValueError("the probabilities of a sample in the prediction do not sum to 1")
    if truth.min() < 0 or truth.max() >= given.shape[1]:
        raise ValueError(f"the reference names classes beyond the {given.shape[1]} of the prediction")
    return truth, given


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties sharing their mean. Shape (n,)."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[inverse.reshape(-1)], dtype=np.float64)


def strings(values: Any, what: str) -> list[str]:
    """One string a sample."""
    given = list(np.asarray(values).reshape(-1)) if isinstance(values, np.ndarray) else values
    if isinstance(given, str) or not isinstance(given, list | tuple):
        raise ValueError(f"the {what} must be a list of strings")  # noqa: TRY004 -- the one error of a metric
    if not given:
        raise ValueError(f"the {what} is empty")
    if not all(isinstance(value, str) for value in given):
        raise ValueError(f"the {what} must hold strings alone")
    return [str(value) for value in given]


def string_pairs(reference: Any, prediction: Any) -> list[tuple[str, str]]:
    """The strings of reference and prediction, in pairs."""
    one, other = strings(reference, "reference"), strings(prediction, "prediction")
    if len(one) != len(other):
        raise ValueError(f"the prediction holds {len(other)} strings, the reference {len(one)}")
    return list(zip(one, other, strict=True))
