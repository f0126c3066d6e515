"""``naturegym harvest``: the works of a corpus, from OpenAlex into the papers' records."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from flows.launch import Progress


def harvest(
    venues: Annotated[str, typer.Option(help="A shipped venue list, or a YAML file.")] = "nature-family",
    first: Annotated[
        dt.datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day of publication.")
    ] = None,
    last: Annotated[
        dt.datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="Last day of publication.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Page OpenAlex into the corpus: each work gets a record; what is known already costs nothing to meet again.

    Stopped by Ctrl-C, a used-up budget or a dead machine, the same command goes on at the same page.

    Example:  naturegym harvest --venues nature-family --from 2022-01-01 --to 2025-12-31
    """
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars
    from nature_gym.harvest.venues import load_venues

    settings = load()
    load_venues(venues)  # a slip of the pen is told before a server is started
    parameters = {
        "venues": venues,
        "first": first.date() if first else None,
        "last": last.date() if last else None,
    }
    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell(progress.stage, progress.done, progress.total)

        finished = run_flow("flows.harvest:harvest", settings, parameters, show_progress=show)
    counts = {kind: count for kind, count in finished.run.counts.items() if kind != "done"}

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items())) or "nothing found")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)
