"""Hosts whose data are given to people only who have told who they are, whatever their public pages show."""

from __future__ import annotations

import re

from nature_gym.hosting.holdings import split

_HOSTS = {
    "ega-archive.org": "the European Genome-phenome Archive",
    "ukbiobank.ac.uk": "UK Biobank",
    "synapse.org": "Synapse",
    "adni.loni.usc.edu": "ADNI",
    "ida.loni.usc.edu": "the LONI image archive",
    "allofus.nih.gov": "All of Us",
    "nda.nih.gov": "the NIMH Data Archive",
    "researchallofus.org": "All of Us",
    "ppmi-info.org": "PPMI",
    "vivli.org": "Vivli",
    "dbgap.ncbi.nlm.nih.gov": "dbGaP",
}
_PATHS = (
    (re.compile(r"ncbi\.nlm\.nih\.gov/(?:projects/)?gap\b", re.IGNORECASE), "dbGaP"),
    (re.compile(r"ngdc\.cncb\.ac\.cn/gsa-human", re.IGNORECASE), "GSA-Human"),
    (
        re.compile(
            r"physionet\.org/content/(?!.*demo)(?:mimic-(?:iv|iii|cxr)(?!-ecg)|mimici(?:ii|v)|eicu-crd)", re.IGNORECASE
        ),
        "credentialed PhysioNet",
    ),
)


def asks_for_identity(url: str) -> str | None:
    """The name of the host of controlled data that ``url`` leads to; None for all others."""
    host, segments, _ = split(url)
    address = f"{host}/{'/'.join(segments)}"
    for pattern, name in _PATHS:
        if pattern.search(address):
            return name
    return next((name for known, name in _HOSTS.items() if host == known or host.endswith(f".{known}")), None)
