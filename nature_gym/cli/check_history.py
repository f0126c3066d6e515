"""How ``naturegym check history`` tells of runs, and of what changed from each to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nature_gym.cli.output import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from checks.history import CheckRecord


def runs_as_json(records: Sequence[CheckRecord], last: int) -> list[dict[str, Any]]:
    """The newest ``last`` runs, oldest first; each with what changed since the one before it."""
    from checks.history import changes

    told = []
    for place, one in enumerate(records):
        before = records[place - 1] if place else None
        told.append(
            {
                "id": one.id,
                "at": one.at.isoformat(),
                "path": one.path,
                "digest": one.digest,
                "edited": before is not None and before.digest != one.digest,
                "other_rules": before is not None and before.rules != one.rules,
                "summary": one.report.summary.model_dump(),
                "failed": [check.id for check in one.report.checks if check.status == "fail"],
                "changes": [change.as_json() for change in changes(before, one)] if before else [],
            }
        )
    return told[-last:]


def print_runs(out: Console, runs: Sequence[dict[str, Any]]) -> None:
    """For people."""
    for run in runs:
        count = run["summary"]
        counts = ", ".join(f"{count[kind]} {kind}" for kind in ("passed", "failed", "warned", "skipped") if count[kind])
        notes = [words for key, words in (("edited", "edited"), ("other_rules", "other checks")) if run[key]]
        out.print(
            f"[bold]{run['at'][:19].replace('T', ' ')}[/]  {run['digest'].partition(':')[2][:12]}  {counts}"
            + (f"  [dim]{', '.join(notes)} since[/]" if notes else "")
        )
        for one in run["changes"]:
            became = f"{one['before']} -> {one['after']}" if one["before"] != one["after"] else one["after"]
            out.print(f"  {one['check']}  {became}")
            for line in one["appeared"]:
                out.print(f"    [red]+ {shown(line)}[/]")
            for line in one["gone"]:
                out.print(f"    [green]- {shown(line)}[/]")
