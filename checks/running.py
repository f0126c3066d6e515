"""All checks over one package: order, skips, suppressions, and the report that always has 36 results."""

from __future__ import annotations

import time
from pathlib import Path

from checks.model import CheckResult, Finding, Report, Status
from checks.package import CheckedPackage
from checks.registry import BEYOND, EXTENDED_TITLES, TITLES, Check, Skip, family, is_dynamic, one_check, title
from checks.suppressions import Suppressions, suppressions_of
from nature_gym.errors import FindingsError

NOT_SELECTED = "not selected"
STATIC_ONLY = "dynamic, and only static checks were asked for"
MOST_FINDINGS = 200
"""Of one check; more say nothing new."""


def run_checks(
    path: Path,
    *,
    chosen: set[str] | None = None,
    static: bool = False,
    method_names: tuple[str, ...] = (),
    repository: Path | None = None,
    extended: bool = False,
) -> Report:
    """Look at the package at ``path``; ``chosen`` are ids (all where None), ``static`` leaves out family 4.

    ``extended`` adds those beyond the 36. ``repository`` is the folder of the paper's code, with which C3.7 compares
    scorers.
    """
    package = CheckedPackage(path, method_names=method_names, repository=repository)
    return run_on(package, chosen=chosen, static=static, extended=extended)


def run_on(
    package: CheckedPackage, *, chosen: set[str] | None = None, static: bool = False, extended: bool = False
) -> Report:
    """:func:`run_checks` on a package that was opened."""
    try:
        suppressed = suppressions_of(package)
    except FindingsError:
        suppressed = Suppressions()  # C0.1 says what is wrong with them
    found = {}
    for name in (*TITLES, *(EXTENDED_TITLES if extended else ())):
        if chosen is not None and name not in chosen:
            found[name] = _skipped(name, NOT_SELECTED)
        elif static and is_dynamic(name):
            found[name] = _skipped(name, STATIC_ONLY)
        else:
            found[name] = run_check(one_check(name), package, suppressed)
    ours = tuple(result for name, result in found.items() if family(name) != BEYOND)
    more = tuple(result for name, result in found.items() if family(name) == BEYOND)
    return Report(package=str(package.path), checks=ours, extended=more)


def run_check(check: Check, package: CheckedPackage, suppressed: Suppressions) -> CheckResult:
    """One check's result."""
    start = time.perf_counter()
    findings: list[Finding] = []
    reason, defect = next(filter(None, map(package.missing, check.reads)), ""), False
    status: Status = "skip"
    if not reason:
        try:
            for finding in check.look(package):
                findings.append(suppressed.applied(check.id, finding))
                if len(findings) >= MOST_FINDINGS:
                    break
            status = _worst(findings)
        except Skip as skip:
            reason = str(skip)
        except Exception as error:  # noqa: BLE001 -- a defect of one check must not hide what the other 35 find
            findings, defect = [], True
            reason = f"the check itself broke down, a defect of ours: {type(error).__name__}: {error}"[:500]
    return CheckResult(
        id=check.id, title=check.title, status=status, seconds=round(time.perf_counter() - start, 4), reason=reason,
        findings=tuple(findings), defect=defect,
    )  # fmt: skip


def _worst(findings: list[Finding]) -> Status:
    levels = {finding.level for finding in findings if not finding.suppressed}
    return "fail" if "fail" in levels else "warn" if levels else "pass"


def _skipped(name: str, reason: str) -> CheckResult:
    return CheckResult(id=name, title=title(name), status="skip", reason=reason)
