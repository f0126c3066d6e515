"""The demo's papers that are rejected, and those that set traps: whole small papers with stated fates.

A fate is a function from an :class:`~nature_gym.demo.fates.composing.Assignment` to an entry; the
modules ``article_types``, ``level1``, ``level2``, ``level3`` and ``traps`` hold them in the order in
which screening asks, ``measured`` those that set a trap and pass, and ``oddities`` those whose records
elsewhere are odd. Most start from
:func:`~nature_gym.demo.fates.computational.computational`, which writes a paper that would pass, and
replace the sentence, number or link that decides.
"""

from __future__ import annotations

from nature_gym.demo.fates import article_types, level1, level2, level3, measured, oddities, traps
from nature_gym.demo.fates.composing import Assignment
from nature_gym.demo.model import Entry
from nature_gym.demo.words import Words

FATES = (
    *article_types.FATES,
    *level1.FATES,
    *level2.FATES,
    *level3.FATES,
    *traps.FATES,
    *measured.FATES,
    *oddities.FATES,
)
"""Every fate; a fate's place in here is its papers' number, so new ones go to the end of their list with care."""


def entries(seed: int, *, unseen: bool = False) -> tuple[Entry, ...]:
    """Every fate's paper for one seed; ``unseen`` asks for the phrasings kept aside."""
    return tuple(
        fate(Assignment(Words(seed, f"fates/{fate.__name__}", unseen=unseen), fate.__name__, index))
        for index, fate in enumerate(FATES, 1)
    )
