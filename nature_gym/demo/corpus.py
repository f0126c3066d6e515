"""A corpus of any size with the published funnel's shares, to see how the pipeline bears it.

The detailed papers are in each. Of the others as many are told again that pass as make 200 in 5,500 pass
screening; the rest is shallow. A larger corpus holds the smaller ones.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from nature_gym.demo import fates, studies
from nature_gym.demo.model import Entry, World
from nature_gym.demo.retold import retell
from nature_gym.demo.shallow import entries as shallow_entries
from nature_gym.demo.world import world_of
from nature_gym.errors import UsageError

PASSING, OF = 200, 5_500
"""How many papers pass screening of how many that were crawled, as published."""
LATER = dt.date(2027, 1, 2)
"""When OpenAlex changed the records of papers that came later: after all others."""
LATER_PASSING = 10
"""Of papers that come later, one in so many passes, and the first does."""


def corpus(size: int, seed: int = 0, *, later: int = 0) -> World:
    """A world of ``size`` papers, and ``later`` more that OpenAlex has listed since.

    Raises UsageError for a size below the number of detailed papers.
    """
    detailed = (*studies.entries(seed), *fates.entries(seed))
    passing = tuple(entry for entry in detailed if entry.truth.verdict == "passed")
    retold = max(0, round(size * PASSING / OF) - len(passing))
    shallow = size - len(detailed) - retold
    if shallow < 0:
        raise UsageError(
            f"a corpus of {size} papers is too small", hint=f"Its detailed papers alone are {len(detailed)}."
        )
    later_passing = -(-later // LATER_PASSING)
    told = retell(passing, retold + later_passing)
    short = shallow_entries(seed, shallow + later - later_passing)
    first = (*detailed, *islice(told, retold), *islice(short, shallow))
    return world_of(seed, (*first, *map(_late, _alternating(told, short))))


def _alternating(passing: Iterator[Entry], others: Iterator[Entry]) -> Iterator[Entry]:
    """One that passes, then those that follow it."""
    for entry in passing:
        yield entry
        yield from islice(others, LATER_PASSING - 1)


def _late(entry: Entry) -> Entry:
    indexing = replace(entry.paper.indexing, updated=LATER)
    return replace(entry, paper=replace(entry.paper, indexing=indexing))
