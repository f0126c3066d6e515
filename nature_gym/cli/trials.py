"""``naturegym trials``: what was run, how it ended, and where its evidence is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.sweeping.folders import TrialFolder

app = typer.Typer(help="List trials, and look at one.", no_args_is_help=True)
_COLOURS = {"succeeded": "green", "timed_out": "green", "agent_error": "yellow", "infra_error": "red"}


@app.command("list")
def list_trials(
    agent: Annotated[list[str] | None, typer.Option("--agent", help="Only of this agent.")] = None,
    package: Annotated[list[str] | None, typer.Option("--package", help="Only on this package.")] = None,
    status: Annotated[list[str] | None, typer.Option("--status", help="Only those that ended so.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List trials with their status, best g and verdict.

    A trial without a status is running, or its process died: then the same sweep begins it anew.

    Example:  naturegym trials list --status infra_error
    """
    from nature_gym.sweeping.folders import TrialFolders

    folders = TrialFolders(load().home)
    rows = [
        _row(one, running=one.status is None and folders.is_claimed(one.id)) for one in folders
        if (not agent or one.spec.agent in agent) and (not package or one.spec.package in package)
    ]  # fmt: skip
    rows = [one for one in rows if not status or one["status"] in status]

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table(box=None, header_style="bold")
        for column in ("Trial", "Agent", "Package", "Seed", "Pass", "Status", "Attempts", "Best g", "Verdict"):
            table.add_column(column, no_wrap=column in {"Trial", "Status", "Best g"})
        for one in rows:
            best = "" if one["best"] is None else f"{one['best']:+.4f}"
            table.add_row(
                one["trial"], shown(one["agent"]), shown(one["package"]), str(one["seed"]), one["pass"],
                f"[{_COLOURS.get(one['status'], 'dim')}]{one['status']}[/]", str(one["attempts"]), best, one["verdict"],
            )  # fmt: skip
        out.print(table)

    emit(rows, as_json=as_json, text=text)


@app.command()
def show(
    trial: Annotated[str, typer.Argument(help="A trial's id, or its beginning; ID.1 for a run that failed before.")],
    as_json: JsonOption = False,
) -> None:
    """Show one trial: what it is, its phases, attempts, how it ended, what failed before, where its files are.

    Example:  naturegym trials show 3fa0c1
    """
    from nature_gym.sweeping.folders import TrialFolders
    from nature_gym.sweeping.scores import scores_of

    folders = TrialFolders(load().home)
    found = folders.find(trial)
    scores = scores_of(found)
    before = folders.runs_before(found.id) if "." not in found.id else []
    value = {
        **_row(found, running=found.status is None and folders.is_claimed(found.id)), "folder": str(found.path),
        "record": dict(found.record), "version": str(scores.version),
        "attempts_made": [
            {"attempt": one.number, "status": one.status, "gap": one.gap, "raw_scores": dict(one.raw_scores)}
            for one in scores.attempts
        ],
        "not_scored_again": {str(number): why for number, why in scores.left.items()},
        "runs_before": [
            {"run": one.id, "status": one.status or "died", "reason": one.record.get("reason", "")} for one in before
        ],
    }  # fmt: skip

    def text(out: Console) -> None:
        out.print(
            f"[bold]{found.id}[/]  {shown(found.spec.agent)} on {shown(found.spec.package)}, seed {found.spec.seed}"
        )
        reason = found.record.get("reason", "")
        out.print(f"{value['status']}" + (f": {shown(reason)}" if reason else ""))
        phases = found.record.get("phases", {})
        if phases:
            out.print("  ".join(f"{name.replace('_', '-')} {seconds:.1f} s" for name, seconds in phases.items()))
        for one in scores.attempts:
            gap = "" if one.gap is None else f"g {one.gap:+.4f}"
            out.print(f"  attempt {one.number}: {one.status} {gap}")
        for run in value["runs_before"]:
            out.print(f"  before: {run['run']}: {run['status']} {shown(run['reason'])}")
        out.print(f"{shown(found.path)}")

    emit(value, as_json=as_json, text=text)


def _row(trial: TrialFolder, *, running: bool) -> dict[str, Any]:
    from nature_gym.sweeping.results import outcome_of, summary

    row = summary(outcome_of(trial))
    if trial.status is None:
        row["status"] = "running" if running else "died"
    return row
