"""Hosts of code and data: what their addresses mean, and what their interfaces tell.

One module a family. Each recognises its addresses without asking anybody, and asks its interface what a record holds:
names, sizes, checksums, where each file is to be had. Screening looks, acquisition takes; both ask here.
"""

from __future__ import annotations

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


__all__ = ["Api", "Held", "Holding", "Reference", "look", "recognise"]
