"""Hosts of code and data: what their addresses mean, and what their interfaces tell.

One module a family. Each recognises its addresses without asking anybody, and asks its interface what a record holds:
names, sizes, checksums, where each file is to be had. Screening looks, acquisition takes; both ask here.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from nature_gym.hosting import dataverse, dryad, figshare, github, gitlab, huggingface, mendeley, osf, zenodo
from nature_gym.hosting.holdings import Api, Held, Holding, Reference

_FAMILIES = {
    family.NAME: family
    for family in (github, gitlab, zenodo, figshare, huggingface, dryad, osf, dataverse, mendeley)
}  # fmt: skip


def recognise(url: str) -> Reference | None:
    """What ``url`` names at a host that we know; None for any other address. DOIs count where their prefix tells."""
    return next((found for family in _FAMILIES.values() if (found := family.recognise(url))), None)


def look(reference: Reference, api: Api) -> Holding:
    """What the host's interface says of it.

    Raises what ``api`` raises where the host cannot be asked.
    """
    holding: Holding = _FAMILIES[reference.family].look(reference, api)
    return holding


def interface(reference: Reference) -> str:
    """The host name of the interface that tells of it."""
    base: str = getattr(_FAMILIES[reference.family], "API", f"https://{reference.site}")
    return urlsplit(base).netloc


def page_tells(reference: Reference) -> bool:
    """Whether its page shows who may have it, so that the page will do where the interface does not answer.

    Pages of records do not: those whose files are withheld look like any other.
    """
    return reference.family in ("github", "gitlab")


def whole_size(reference: Reference, api: Api) -> int | None:
    """Bytes of all that it holds, where the host tells that apart from its files; else None."""
    asked = getattr(_FAMILIES[reference.family], "whole_size", None)
    size: int | None = asked(reference, api) if asked is not None else None
    return size


__all__ = ["Api", "Held", "Holding", "Reference", "interface", "look", "page_tells", "recognise", "whole_size"]
