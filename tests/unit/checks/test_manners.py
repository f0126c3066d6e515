# ruff: noqa: E501 -- one fault a line
"""Packages in other people's manner pass the static checks, and faults in them are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.running import run_checks
from tests.unit.checks.manners import MANNERS
from tests.unit.checks.mutations import DESCRIPTION, EVALUATOR, README, Mutation, both, drop, readme, swap
from tests.unit.checks.packages import written
from tests.unit.checks.test_mutations import found

FAULTS = [
    Mutation("C1.6", "annotation", readme("obs['cell_type']", "obs['kind']"), README, "obs['kind']", level="warn"),
    Mutation("C1.6", "pairs", readme("`target`, `affinity` (header", "`target`, `value` (header"), README, "`value`"),
    Mutation("C1.6", "spread", swap(EVALUATOR, '("mean", "std")', '("mu", "sigma")'), EVALUATOR, "archive[key]"),
    Mutation("C1.6", "records", readme("| `label` |", "| `kind` |"), README, "`kind`"),
    Mutation("C1.6", "risks", readme("`patient`, `p_event`", "`patient`, `risk`"), README, "`risk`"),
    Mutation("C1.6", "masks", readme("output/large/segmentation.npy", "output/large/masks.npy"), README, "large/masks.npy"),
    Mutation("C1.6", "curves", swap(EVALUATOR, '"summary.json").read_bytes', '"values.json").read_bytes'), EVALUATOR, "values.json", also=("C1.7",)),
    Mutation("C1.6", "repairs", readme("repaired.fasta", "fixed.fasta"), README, "fixed.fasta"),
    Mutation("C1.7", "repairs", drop("evaluation/ground_truth/yeast/repaired.fasta"), EVALUATOR, "repaired.fasta", also=("C0.2",)),
    Mutation("C1.7", "masks", swap(EVALUATOR, 'small": dict(truth="masks.npy"', 'small": dict(truth="mask.npy"'), EVALUATOR, "np.load(path_to"),
    Mutation("C3.1", "masks", both(drop("problem/data/small/train_masks.npy"), swap(DESCRIPTION, "data/small/train_masks.npy\n", "")), DESCRIPTION, "`train_masks.npy`"),
    Mutation("C3.1", "repairs", both(drop("problem/data/yeast/train_whole.fasta"), swap(DESCRIPTION, "data/yeast/train_whole.fasta\n", "")), DESCRIPTION, "`train_whole.fasta`"),
    Mutation("C3.1", "counts", both(drop("problem/data/reef/sites_train.csv"), swap(DESCRIPTION, "data/reef/sites_train.csv\n", "")), DESCRIPTION, "`sites_train.csv`"),
]  # fmt: skip
CASES = [pytest.param(one, id=f"{place}-{one.style}-{one.check}") for place, one in enumerate(FAULTS)]


@pytest.mark.parametrize("manner", MANNERS)
def test_a_right_package_passes_in_every_manner(manner: str, tmp_path: Path) -> None:
    report = run_checks(written(tmp_path, MANNERS[manner]()), static=True)
    assert [(one.id, one.findings, one.reason) for one in report.checks if one.findings or one.defect] == []
    assert [one.id for one in report.checks if one.status == "skip" and one.id < "C4"] == []


@pytest.mark.parametrize("mutation", CASES)
def test_a_fault_is_found_in_every_manner(mutation: Mutation, tmp_path: Path) -> None:
    files = MANNERS[mutation.style]()
    mutation.change(files)
    report = run_checks(written(tmp_path, files), static=True)
    result = report.check(mutation.check)
    assert result.status == mutation.level, [one for one in report.checks if one.findings or one.defect]
    lines = str(files.get(mutation.file, "")).split("\n")
    assert any(found(one, mutation, lines) for one in result.findings), result.findings
    others = {one.id for one in report.checks if one.status == "fail"} - {mutation.check, *mutation.also}
    assert others == set(), [report.check(name).findings for name in others]
