"""``naturegym doctor``: what works on this machine, and what to do about the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.config import Settings
    from nature_gym.machine import Finding


def doctor(as_json: JsonOption = False) -> None:
    """Say what works on this machine, and what to do about the rest.

    Ends with 3 where something is broken that every command needs; what is merely absent (Docker,
    keys) is told and does not count.

    Example:  naturegym doctor
    """
    import typer

    from nature_gym.machine import examine

    findings = examine(load(), database)

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


def database(settings: Settings) -> Finding:
    """The database, by asking it for its tables; one that is not there yet is made at first use."""
    from sqlalchemy import make_url

    from db.engine import make_engine
    from db.migrations import HEAD, current_revision
    from nature_gym.config import hide_password
    from nature_gym.errors import NatureGymError
    from nature_gym.machine import Finding

    address = hide_password(settings.database)
    try:
        engine = make_engine(settings.database)
        try:
            path = make_url(settings.database).database
            if engine.dialect.name == "sqlite" and path and not Path(path).exists():
                return Finding("database", "works", f"{address}, made at first use")
            revision = current_revision(engine)
        finally:
            engine.dispose()
    except NatureGymError as error:
        return Finding("database", "broken", error.message, error.hint)
    if revision not in (None, HEAD):
        return Finding("database", "broken", f"{address} is at revision {revision}", "Run 'naturegym db upgrade'.")
    return Finding("database", "works", f"{address}, {f'revision {revision}' if revision else 'without tables yet'}")
