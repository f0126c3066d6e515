"""``naturegym status``: the funnel, from the papers found to what became of them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from sqlmodel import Session

    from nature_gym.config import Settings


def status(as_json: JsonOption = False) -> None:
    """Show the funnel: how many papers each stage has met, and what it made of them.

    Example:  naturegym status
    """
    from nature_gym.runs import all_runs, mark_crashed

    settings = load()
    mark_crashed(settings.runs)
    funnel = funnel_of(settings)
    runs = [run.model_dump(mode="json") for run in all_runs(settings.runs)[-5:]]

    def text(out: Console) -> None:
        print_funnel(out, funnel)
        _print_runs(out, runs)

    emit({"home": str(settings.home), "funnel": funnel, "runs": runs}, as_json=as_json, text=text)


@contextmanager
def indexed(settings: Settings) -> Iterator[Session]:
    """The database, its tables made where there are none, brought up to date with the record folders, to be read."""
    from db.engine import open_database
    from db.index import refresh
    from db.transactions import reading
    from nature_gym.records import Papers

    engine = open_database(settings.database)
    try:
        refresh(engine, Papers(settings.papers), settings.runs)
        with reading(engine) as session:
            yield session
    finally:
        engine.dispose()


def funnel_of(settings: Settings) -> list[dict[str, Any]]:
    """The funnel, one mapping a stage."""
    from dataclasses import asdict

    from db.funnel import funnel

    with indexed(settings) as session:
        return [asdict(line) for line in funnel(session)]


def print_funnel(out: Console, funnel: list[dict[str, Any]]) -> None:
    """Print the funnel as a table with bars, each as long as its share of the papers at the first stage."""
    from rich.table import Table

    if not funnel:
        out.print("No papers yet. 'naturegym demo' shows the whole thing on a small corpus.")
        return
    widest = max(_papers(line) for line in funnel)
    table = Table("stage", "papers", "", "outcome", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    for line in funnel:
        papers = _papers(line)
        outcome = [f"{count:,} {verdict}" for verdict, count in line["verdicts"].items()]
        outcome += [f"[yellow]{line['waiting']:,} waiting[/]"] if line["waiting"] else []
        outcome += [f"[red]{line['errors']:,} could not be carried out[/]"] if line["errors"] else []
        bar = "█" * max(1, round(24 * papers / widest)) if papers else ""
        table.add_row(line["stage"], f"{papers:,}", f"[cyan]{bar}[/]", ", ".join(outcome))
    out.print(table)


def _papers(line: dict[str, Any]) -> int:
    return int(line["done"] + line["failed"] + line["errors"])


def _print_runs(out: Console, runs: list[dict[str, Any]]) -> None:

    for run in reversed(runs):
        counts = ", ".join(f"{count:,} {kind}" for kind, count in run["counts"].items())
        reason = f" ({shown(run['reason'])})" if run["reason"] else ""
        out.print(
            f"\n[dim]{run['started'][:19].replace('T', ' ')}[/]  {run['kind']}  {run['state']}{reason}  {counts}",
            end="",
        )
    if runs:
        out.print()
