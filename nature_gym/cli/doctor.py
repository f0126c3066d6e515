"""``naturegym doctor``: what works on this machine, and what to do about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console


def doctor(as_json: JsonOption = False) -> None:
    """Say what works on this machine, and what to do about the rest.

    Ends with 3 where something is broken that every command needs; what is merely absent (Docker,
    keys) is told and does not count.

    Example:  naturegym doctor
    """
    import typer

    from nature_gym.machine import examine

    findings = examine(load())

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        colours = {"works": "green", "absent": "yellow", "broken": "red"}
        for finding in findings:
            table.add_row(
                f"[{colours[finding.state]}]{finding.state}[/]",
                shown(finding.what),
                shown(finding.detail + (f"\n{finding.advice}" if finding.advice else "")),
            )
        out.print(table)

    broken = [finding for finding in findings if finding.state == "broken"]
    emit({"works": not broken, "findings": [finding.as_dict() for finding in findings]}, as_json=as_json, text=text)
    if broken:
        raise typer.Exit(3)
