"""How much data a paper's task needs, by what its statements offer and what was seen of those links so far."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from nature_gym.screening.access import Offer, offer_of
from nature_gym.screening.deciders import Case
from nature_gym.screening.probes import SizeSource
from nature_gym.screening.result_tables import result_tables
from nature_gym.screening.settings import dataset_names
from nature_gym.screening.sizes import Confidence, SizeEstimate, Tier, estimate_size, stated_sizes


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SizePart(_Model):
    """One number behind an estimate."""

    name: Annotated[str, Field(description="The file, record or data set.")]
    stored_bytes: float
    unpacked_factor: int
    source: SizeSource


class TaskSize(_Model):
    """What the data of a task come to, unpacked, and the numbers behind that."""

    size_bytes: Annotated[float | None, Field(description="None where nothing tells.")]
    tier: Tier | None
    confidence: Confidence
    links: Annotated[int, Field(description="How many links to data there are.")]
    by_header: Annotated[int, Field(description="Of how many a header tells the size.")]
    by_api: Annotated[int, Field(description="Of how many the host's API tells it.")]
    parts: tuple[SizePart, ...]


def names_of_data(case: Case) -> tuple[str, ...]:
    """The data sets that the main tables list."""
    own = [name for name in (case.task.method, *case.task.variants) if name]
    return dataset_names(result_tables(case.manuscript.document.tables, own))


def data_links(case: Case) -> tuple[str, ...]:
    """The links to data that the task needs; the paper's own files where the data are in the paper."""
    return _links(case, offer_of(case, names_of_data(case)))


def estimate_of(case: Case) -> SizeEstimate:
    """The size of the task's data, from the links that were probed already and from the text."""
    names = names_of_data(case)
    offer = offer_of(case, names)
    stated = stated_sizes(case.manuscript, [one.sentence for one in offer.everything if one.of_data], names)
    return estimate_size(_links(case, offer), case.probes, stated)


def task_size(case: Case) -> TaskSize:
    """:func:`estimate_of`, as it is written down."""
    estimate = estimate_of(case)
    return TaskSize(
        size_bytes=estimate.size,
        tier=estimate.tier,
        confidence=estimate.confidence,
        links=estimate.links,
        by_header=estimate.by_header,
        by_api=estimate.by_api,
        parts=tuple(
            SizePart(name=part.name, stored_bytes=part.stored, unpacked_factor=part.factor, source=part.source)
            for part in estimate.parts
        ),
    )


def _links(case: Case, offer: Offer) -> tuple[str, ...]:
    if offer.urls or not any(one.term == "in_paper" for one in offer.open):
        return offer.urls
    return tuple(link.url for link in case.manuscript.links if link.kind == "supplement")
