"""Eight whole small papers, each with a working author repository, real data and stated truth.

A study is a package beside this module. Its ``entry(words)`` writes the paper in the words
that the seed picks; its ``repository/`` holds the authors' files as they stand in git.
"""

from __future__ import annotations

from importlib import import_module

from nature_gym.demo.model import Entry
from nature_gym.demo.words import Words

STUDIES = (
    "tumour_cytology",
    "glucose_progression",
    "handwritten_clusters",
    "symbol_retrieval",
    "coating_design",
    "equilibrium_sampling",
    "transfer_across_cultivars",
    "training_response",
)


def entries(seed: int, *, unseen: bool = False) -> tuple[Entry, ...]:
    """Every study's paper for one seed; ``unseen`` asks for the phrasings kept aside."""
    return tuple(import_module(f"{__name__}.{study}").entry(Words(seed, study, unseen=unseen)) for study in STUDIES)
