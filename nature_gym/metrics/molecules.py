"""Molecules as SMILES: whether they are any, how many differ, how many are new, how like the right ones they are.

These need RDKit, which is imported where it is used, so that all other metrics do without it.
"""

from __future__ import annotations

from typing import Any

from nature_gym.metrics.entry import Example, Metric
from nature_gym.metrics.inputs import string_pairs, strings

LONGEST_SMILES = 5000
"""Longer strings are taken for invalid: RDKit's time grows with them."""


def _canonical(smiles: list[str]) -> list[str]:
    """The canonical SMILES of each molecule, empty for what is none."""
    from rdkit import Chem, rdBase

    found = []
    with rdBase.BlockLogs():
        for text in smiles:
            molecule = Chem.MolFromSmiles(text) if 0 < len(text) <= LONGEST_SMILES else None
            found.append(Chem.MolToSmiles(molecule) if molecule is not None else "")
    return found


def validity(reference: Any, prediction: Any) -> float:  # noqa: ARG001 -- every metric takes both
    """The share of strings that are molecules."""
    molecules = _canonical(strings(prediction, "prediction"))
    return sum(map(bool, molecules)) / len(molecules)


def uniqueness(reference: Any, prediction: Any) -> float:  # noqa: ARG001 -- every metric takes both
    """The share of the valid molecules that are left when each is counted once."""
    molecules = [name for name in _canonical(strings(prediction, "prediction")) if name]
    return len(set(molecules)) / len(molecules) if molecules else 0.0


def novelty(reference: Any, prediction: Any) -> float:
    """The share of the different valid molecules that are not in the reference, the training set."""
    molecules = {name for name in _canonical(strings(prediction, "prediction")) if name}
    known = set(_canonical(strings(reference, "reference")))
    return len(molecules - known) / len(molecules) if molecules else 0.0


def tanimoto(reference: Any, prediction: Any, radius: int = 2, bits: int = 2048) -> float:
    """The mean over pairs of the share of Morgan fingerprint bits that both have; 0 for an invalid prediction."""
    from rdkit import Chem, DataStructs, rdBase
    from rdkit.Chem import rdFingerprintGenerator

    maker = rdFingerprintGenerator.GetMorganGenerator(radius=radius, fpSize=bits)
    total = 0.0
    pairs = string_pairs(reference, prediction)
    with rdBase.BlockLogs():
        for one, other in pairs:
            truth, given = (
                Chem.MolFromSmiles(text) if 0 < len(text) <= LONGEST_SMILES else None for text in (one, other)
            )
            if truth is None:
                raise ValueError(f"the reference holds {one[:80]!r}, which is no molecule")
            if given is not None:
                total += DataStructs.TanimotoSimilarity(maker.GetFingerprint(truth), maker.GetFingerprint(given))
    return total / len(pairs)


_SMILES = "SMILES (n,)"
_MADE = ["CCO", "OCC", "C1CC", "CCN"]

METRICS = (
    Metric(
        function=validity,
        title="Validity",
        aliases=("valid molecules", "chemical validity", "fraction valid"),
        low=0,
        high=1,
        perfect=1,
        reference="",
        prediction=_SMILES,
        formula="valid / all",
        source="Polykovskiy et al. 2020, Front. Pharmacol. 11, 565644 (MOSES)",
        requires=("rdkit",),
        example=Example(None, _MADE, 3 / 4),
    ),
    Metric(
        function=uniqueness,
        title="Uniqueness",
        aliases=("unique molecules", "fraction unique"),
        low=0,
        high=1,
        perfect=1,
        reference="",
        prediction=_SMILES,
        formula="different valid / valid",
        source="Polykovskiy et al. 2020, Front. Pharmacol. 11, 565644 (MOSES)",
        undefined="0 where none is valid",
        requires=("rdkit",),
        example=Example(None, _MADE, 2 / 3),
    ),
    Metric(
        function=novelty,
        title="Novelty",
        aliases=("novel molecules", "fraction novel"),
        low=0,
        high=1,
        perfect=1,
        reference="SMILES of the training set (m,)",
        prediction=_SMILES,
        formula="different valid that are not in the training set / different valid",
        source="Polykovskiy et al. 2020, Front. Pharmacol. 11, 565644 (MOSES)",
        undefined="0 where none is valid",
        requires=("rdkit",),
        example=Example(["NCC"], _MADE, 1 / 2),
    ),
    Metric(
        function=tanimoto,
        title="Tanimoto similarity",
        aliases=("Tanimoto", "Morgan Tanimoto", "fingerprint Tanimoto similarity", "Morgan FTS"),
        low=0,
        high=1,
        perfect=1,
        reference=_SMILES,
        prediction=_SMILES,
        formula="mean of |A ∩ B| / |A ∪ B| of Morgan fingerprints",
        source="RDKit, DataStructs.TanimotoSimilarity; Bajusz et al. 2015, J. Cheminf. 7, 20",
        undefined="0 for an invalid prediction",
        requires=("rdkit",),
        # Ethanol against itself, and against what is no molecule.
        example=Example(["CCO", "CCO"], ["OCC", "C1CC"], 1 / 2),
    ),
)
