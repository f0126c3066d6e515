"""Values as categories: what scikit-learn splits by is their order, so they are sorted as pandas and numpy would."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Categories:
    """A column as numbers: ``codes[row]`` is the place of the row's value in ``values``, which are sorted.

    Missing values are None, and come last.
    """

    codes: npt.NDArray[np.int32]
    values: tuple[Any, ...]


def sorted_categories(values: Sequence[Any], *, as_text: bool) -> tuple[tuple[Any, ...], list[int]]:
    """Distinct values sorted, missing ones (None, an empty text) last; and for each as given its place among them.

    Texts that are all numbers are sorted, and equal, as numbers, unless ``as_text``.
    """
    known = {value: value if as_text else _number(value) for value in values if value is not None and value != ""}
    if any(number is None for number in known.values()):
        known = {value: value for value in known}
    order: list[Any] = sorted(set(known.values()))
    place = {value: number for number, value in enumerate(order)}
    found = tuple(order) if len(known) == len(values) else (*order, None)
    return found, [place[known[value]] if value in known else len(order) for value in values]


def categories_of(values: npt.NDArray[Any], *, as_text: bool) -> Categories:
    """An array with one axis as categories."""
    distinct, codes = np.unique(values, return_inverse=True)
    plain = [None if isinstance(value, float) and math.isnan(value) else value for value in distinct.tolist()]
    found, places = sorted_categories([str(v) if as_text and v is not None else v for v in plain], as_text=True)
    return Categories(np.asarray(places, dtype=np.int32)[codes.reshape(-1)], found)


def _number(value: Any) -> int | float | None:
    if isinstance(value, int | float):
        return value
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        return None
    return None if math.isnan(number) else number
