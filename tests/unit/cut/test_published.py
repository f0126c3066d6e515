"""Names of published resources."""

from __future__ import annotations

import pytest

from nature_gym.cut.published import published_as


@pytest.mark.parametrize(
    "name",
    ["go-basic.obo", "atom_init.json", "h.all.v7.gmt", "hg38.chrom.sizes", "NDC_complete_mapping.csv", "icd9_codes.pkl",
     "all_elements.csv", "aaindex1", "glove.6B.300d.txt", "Schaefer_400.nii.gz", "GO_terms.txt"],
)  # fmt: skip
def test_resources_are_known_by_their_names(name: str) -> None:
    assert published_as(name)


@pytest.mark.parametrize(
    "name", ["train.csv", "goal.csv", "patch.npy", "data_batch.npz", "expression.tsv", "matrix.mtx", "spam3.csv",
             "fold_1.txt"]
)  # fmt: skip
def test_other_names_are_not_taken_for_one(name: str) -> None:
    assert not published_as(name)
