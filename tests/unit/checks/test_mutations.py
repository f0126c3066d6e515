"""Each fault of the library is found by its check, at its file and line, and sets off no other; good packages pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.model import Finding
from checks.running import run_checks
from tests.unit.checks.mutations import MUTATIONS, Mutation
from tests.unit.checks.packages import STYLES, written

CASES = [pytest.param(one, id=f"{place}-{one.check}") for place, one in enumerate(MUTATIONS)]


@pytest.mark.parametrize("style", STYLES)
def test_a_good_package_passes(style: str, tmp_path: Path) -> None:
    report = run_checks(written(tmp_path, STYLES[style]()), static=True)
    assert [(one.id, one.findings) for one in report.checks if one.findings] == []
    assert [one.id for one in report.checks if one.status == "skip" and one.id < "C4"] == []


@pytest.mark.parametrize("mutation", CASES)
def test_a_fault_is_found_where_it_is(mutation: Mutation, tmp_path: Path) -> None:
    files = STYLES[mutation.style]()
    mutation.change(files)
    report = run_checks(written(tmp_path, files), static=True)
    result = report.check(mutation.check)
    assert result.status == mutation.level, [one for one in report.checks if one.findings or one.defect]
    content = files.get(mutation.file, b"")
    lines = (content if isinstance(content, str) else content.decode(errors="replace")).split("\n")
    assert any(found(one, mutation, lines) for one in result.findings), result.findings
    others = {one.id for one in report.checks if one.status == "fail"} - {mutation.check, *mutation.also}
    assert others == set(), [report.check(name).findings for name in others]


def found(one: Finding, mutation: Mutation, lines: list[str]) -> bool:
    return one.file == mutation.file and (not mutation.at or mutation.at in lines[one.line - 1])


def test_every_static_check_has_five_faults() -> None:
    counts = {check: sum(one.check == check for one in MUTATIONS) for check in {one.check for one in MUTATIONS}}
    assert {check: count for check, count in counts.items() if count < 5} == {}
    assert len(counts) == 26
