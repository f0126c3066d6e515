"""Evaluators in a dozen manners: right ones pass all checks, and faults in them are found at their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.package import METADATA, README
from checks.running import run_checks
from tests.unit.checks.mutations import MUTATIONS, Mutation
from tests.unit.checks.packages import cells, written
from tests.unit.checks.test_mutations import found
from tests.unit.checks.unusual import EVALUATORS, unusual
from tests.unit.checks.unusual_mutations import UNUSUAL_MUTATIONS

CASES = [pytest.param(one, id=f"{place}-{one.style}-{one.check}") for place, one in enumerate(UNUSUAL_MUTATIONS)]


@pytest.mark.parametrize("manner", EVALUATORS)
def test_a_right_package_passes_however_its_evaluator_is_written(manner: str, tmp_path: Path) -> None:
    report = run_checks(written(tmp_path, unusual(manner)), static=True)
    assert [(one.id, one.findings, one.reason) for one in report.checks if one.findings or one.defect] == []


@pytest.mark.parametrize("mutation", CASES)
def test_a_fault_is_found_however_the_evaluator_is_written(mutation: Mutation, tmp_path: Path) -> None:
    files = unusual(mutation.style)
    mutation.change(files)
    report = run_checks(written(tmp_path, files), static=True)
    result = report.check(mutation.check)
    assert result.status == mutation.level, [one for one in report.checks if one.findings or one.defect]
    lines = str(files.get(mutation.file, "")).split("\n")
    assert any(found(one, mutation, lines) for one in result.findings), result.findings
    others = {one.id for one in report.checks if one.status == "fail"} - {mutation.check, *mutation.also}
    assert others == set(), [report.check(name).findings for name in others]


def test_a_name_with_the_marks_of_code_is_the_same_name(tmp_path: Path) -> None:
    files = cells()
    files[README] = str(files[README]).replace("# Drug response of cell lines", "# Drug response of `cell` lines")
    files[METADATA] = str(files[METADATA]).replace("Drug response of cell lines", "Drug response of `cell` lines")
    assert run_checks(written(tmp_path, files), static=True).check("C1.1").status == "pass"


def test_the_library_has_200_faults() -> None:
    assert len(MUTATIONS) + len(UNUSUAL_MUTATIONS) >= 200
