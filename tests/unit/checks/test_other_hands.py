"""What other hands wrote: right fragments set off no failure, faults in them are told by their check."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.running import run_checks
from tests.unit.checks.other_hands import FAULTS, RIGHT, Change
from tests.unit.checks.packages import cells, written

CASES = [pytest.param(check, change, id=f"{place}-{check}") for place, (check, change) in enumerate(FAULTS)]
ALSO = {"C1.2": {"C1.7"}, "C1.5": {"C1.3"}, "C3.5": {"C1.2"}, "C0.3": {"C1.5"}}
"""What a fault of a check cannot but set off, too."""


@pytest.mark.parametrize("manner", RIGHT)
def test_a_right_fragment_sets_off_no_failure(manner: str, tmp_path: Path) -> None:
    files = dict(cells())
    RIGHT[manner](files)
    report = run_checks(written(tmp_path, files), static=True)
    assert [(one.id, one.findings, one.reason) for one in report.checks if one.status == "fail" or one.defect] == []


@pytest.mark.parametrize(("check", "change"), CASES)
def test_a_fault_is_told_by_its_check(check: str, change: Change, tmp_path: Path) -> None:
    files = dict(cells())
    change(files)
    report = run_checks(written(tmp_path, files), static=True, method_names=("CellSeer",))
    failed = {one.id for one in report.checks if one.status == "fail"}
    assert check in failed
    assert failed <= {check, *ALSO.get(check, ())}
