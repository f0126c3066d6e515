"""The demo world: the studies that pass, the fates that do not, and as many shallow papers as wanted.

A world is a value: equal arguments give equal worlds, byte for byte, in every process. What
hosts serve by address (repositories, deposits, pages) is checked to be there once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from nature_gym.demo import fates, studies
from nature_gym.demo.model import Entry, World
from nature_gym.demo.shallow import entries as shallow_entries
from nature_gym.errors import NatureGymError

SHALLOW_FULL = 5_500
"""How many shallow papers make a corpus of the published size."""


def build_world(seed: int = 0, *, shallow: int = 0, unseen: bool = False) -> World:
    """The world for ``seed``.

    ``shallow`` adds that many papers of little depth, for scale. ``unseen`` writes the detailed papers in
    phrasings that rules were not tuned on.
    """
    return world_of(
        seed,
        (
            *studies.entries(seed, unseen=unseen),
            *fates.entries(seed, unseen=unseen),
            *shallow_entries(seed, shallow),
        ),
    )


def world_of(seed: int, entries: tuple[Entry, ...]) -> World:
    """The world of these entries. Raises NatureGymError where two of them share a name."""
    _refuse_twins(entries)
    return World(seed, entries)


def _refuse_twins(entries: Iterable[Entry]) -> None:
    """Two papers, or two things on the web, under one name would make the hosts' answers depend on order."""
    counts = Counter(name for entry in entries for name in set(_names(entry)))
    twins = sorted(name for name, count in counts.items() if count > 1)
    if twins:
        raise NatureGymError(
            f"the demo world has twins: {', '.join(twins[:5])}",
            hint="Give each paper, deposit and page a name of its own.",
        )


def _names(entry: Entry) -> Iterator[str]:
    yield f"article {entry.paper.suffix}"
    for work in (entry.paper.openalex_id, *entry.paper.indexing.former_ids):
        yield f"work {work}"
    if entry.paper.pmcid:
        yield entry.paper.pmcid
    for repository in entry.repositories:
        yield repository.url
    for deposit in entry.deposits:
        yield f"{deposit.host}/{deposit.number}"
    for page in entry.pages:
        yield page.url
