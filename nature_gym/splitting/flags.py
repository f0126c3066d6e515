"""What is true of rows, many truths at once: a bit each, in one byte a row for every eight of them.

A table of a hundred million rows has a hundred megabytes of such bytes, where an array for each truth would have as
many for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nature_gym.splitting.lines import Mask

EACH = 8


class Flags:
    """Truths of each row, in their order. ``packed`` has an array of bytes for every eight of them."""

    def __init__(self, packed: Sequence[npt.NDArray[np.uint8]], count: int) -> None:
        self._packed = list(packed)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Mask:
        """For each row whether truth ``number`` holds; the last one is -1."""
        place, bit = divmod(range(self._count)[number], EACH)
        held = np.bitwise_and(self._packed[place], np.uint8(1 << bit))
        return np.not_equal(held, 0, out=held.view(np.bool_))

    def __iter__(self) -> Iterator[Mask]:
        return (self[number] for number in range(self._count))

    def without_last(self) -> Flags:
        """All but the last of them."""
        return Flags(self._packed, self._count - 1)


def packed_in_sql(flags: Sequence[str]) -> list[str]:
    """SQL of the bytes in which SQL truths are packed."""
    bits = [f"CASE WHEN {flag} THEN {1 << number % EACH} ELSE 0 END" for number, flag in enumerate(flags)]
    groups = [bits[start : start + EACH] for start in range(0, len(bits), EACH)]
    return [f"CAST({' + '.join(group)} AS UTINYINT)" for group in groups]
