"""What checks have against a package, as the commands that build and validate packages tell it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nature_gym.cli.output import shown

if TYPE_CHECKING:
    from rich.console import Console


def problems_of(package: Path, ids: set[str] | None = None) -> list[dict[str, Any]]:
    """What the static checks ``ids`` (all where None) find in ``package`` that makes one fail; nothing of it is run."""
    from checks.running import run_checks

    report = run_checks(package, chosen=ids, static=True)
    found: list[dict[str, Any]] = []
    for one in report.checks:
        if one.defect:
            found.append({"check": one.id, "file": "", "line": None, "message": one.reason, "hint": ""})
        found += [
            {"check": one.id, "file": finding.file, "line": finding.line, "message": finding.message,
             "hint": finding.hint}
            for finding in one.findings if finding.level == "fail" and not finding.suppressed
        ]  # fmt: skip
    return found


def print_problems(out: Console, problems: list[dict[str, Any]], indent: str = "") -> None:
    """One line a problem: the check, the place, what is wrong."""
    for one in problems:
        place = f"{one['file']}:{one['line']}" if one["line"] else one["file"]
        out.print(f"{indent}[red]{one['check']}[/]  {shown(place)}  {shown(one['message'])}")
