"""``naturegym harvest``: the works of a corpus, from OpenAlex into the papers' records."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, console, emit, emit_json, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from flows.launch import Progress
    from nature_gym.config import Settings
    from nature_gym.harvest.snapshot import SnapshotReport
    from nature_gym.harvest.venues import VenueList

MOST_PROBLEMS = 10
Days = tuple[dt.date, dt.date]

WORDS = {
    "new": "new",
    "updated": "updated",
    "unchanged": "unchanged",
    "withdrawn": "withdrawn",
    "merged": "merged into others",
    "retracted": "retracted before we had them",
    "filtered_by_type": "filtered by type",
    "duplicate": "older records of the same DOI",
    "unreadable": "unreadable",
    "error": "could not be recorded",
}
"""Kinds of works, as the end report names them, in its order."""
LEFT_OUT = {
    "venue": "of other journals",
    "type": "of other types",
    "date": "published outside the dates",
    "search": "not found by the journal's search",
}


def harvest(
    venues: Annotated[str, typer.Option(help="A shipped venue list, or a YAML file.")] = "nature-family",
    first: Annotated[
        dt.datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day of publication.")
    ] = None,
    last: Annotated[
        dt.datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="Last day of publication.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Ask for all works again, not only for what was updated since.")
    ] = False,
    snapshot: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Read OpenAlex's bulk files below this folder instead.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Bring a corpus up to date from OpenAlex: each work gets a record; known ones cost next to nothing.

    Stopped by Ctrl-C, a used-up budget or a dead machine, the same command goes on at the same page, or part.

    Example:  naturegym harvest --venues nature-family --from 2022-01-01 --to 2025-12-31
    Example:  naturegym harvest --snapshot /data/openalex-snapshot
    """
    from nature_gym.harvest.query import check_days
    from nature_gym.harvest.venues import load_venues

    settings = load()
    corpus = load_venues(venues)  # a slip of the pen is told before a server is started
    days = (first.date() if first else corpus.first, last.date() if last else corpus.last)
    check_days(*days)
    with resumable("harvest", as_json=as_json):
        if snapshot is not None:
            _from_snapshot(settings, corpus, days, snapshot, full=full, as_json=as_json)
        else:
            parameters = {"venues": venues, "first": days[0], "last": days[1], "full": full}
            _from_api(settings, corpus, days, parameters, as_json=as_json)


def _from_api(settings: Settings, corpus: VenueList, days: Days, parameters: dict[str, Any], *, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars
    from nature_gym.harvest.budget import in_words
    from nature_gym.harvest.corpus import checkpoints, counts_in_all

    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell(progress.stage, progress.done, progress.total)

        finished = run_flow("flows.harvest:harvest", settings, parameters, show_progress=show)
    counts = finished.run.counts
    standing = checkpoints(settings, corpus, *days)
    in_all = counts_in_all(standing)
    notes = sorted({note for checkpoint in standing for note in checkpoint.notes})
    budget = standing[-1].budget if standing else {}

    def text(out: Console) -> None:
        _print_counts(out, counts)
        if in_all != counts:
            out.print(f"In all, with the runs that this one went on from: {_counts(in_all)}.")
        for note in notes:
            out.print(f"Note: {note}.")
        if budget:
            out.print(f"OpenAlex's budget: {in_words(budget)}.")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    told = {"run": finished.run.id, "state": finished.state, "counts": counts, "in_all": in_all}
    told |= {"notes": notes, "budget": budget}
    emit(told, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


def _from_snapshot(
    settings: Settings, corpus: VenueList, days: Days, folder: Path, *, full: bool, as_json: bool
) -> None:
    """Here and now: files on this machine need no server. The flow of the same name reads them in the background."""
    from nature_gym.cli.progress import progress_bars
    from nature_gym.harvest.snapshot import find_parts, read_snapshot
    from nature_gym.runs import mark_crashed, running

    find_parts(folder)  # a slip of the pen makes no run
    mark_crashed(settings.runs)
    parameters = {"venues": corpus.name, "from": days[0], "to": days[1], "snapshot": str(folder)}
    with progress_bars() as tell, running(settings.runs, "harvest", parameters) as run:

        def show(report: SnapshotReport, _: Sequence[str]) -> None:
            tell("harvest", report.read, report.parts)
            run.note(counts=_met(report.counts))

        report = read_snapshot(settings, corpus, *days, folder, full=full, on_part=show)
        run.note(counts=_met(report.counts))

    def text(out: Console) -> None:
        rate = f"{report.seen / report.seconds:,.0f} a second" if report.seconds else ""
        out.print(f"{report.seen:,} works seen, {report.kept:,} kept, in {report.seconds:,.1f} s ({rate})")
        _print_counts(out, report.counts)
        if dropped := +report.dropped:
            told = (f"{count:,} {LEFT_OUT.get(reason, reason)}" for reason, count in sorted(dropped.items()))
            out.print(f"left out: {', '.join(told)}")
        for problem in report.problems[:MOST_PROBLEMS]:
            out.print(f"[red]{shown(problem)}[/]")
        if (others := len(report.problems) - MOST_PROBLEMS) > 0:
            out.print(f"[red]and {others:,} more; --json names all[/]")

    if as_json:
        emit_json(report.as_json(), line=True)  # the last line of what is printed
    else:
        text(console())
    if report.damaged or report.dropped["error"]:
        raise typer.Exit(3)


def _met(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in counts.items() if count}


def _counts(counts: Mapping[str, int]) -> str:
    told = [f"{counts[kind]:,} {words}" for kind, words in WORDS.items() if counts.get(kind)]
    return ", ".join(told) or "nothing found"


def _print_counts(out: Console, counts: Mapping[str, int]) -> None:
    out.print(_counts(counts))
