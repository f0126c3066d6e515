"""``naturegym refresh``: the main job on the real corpus, each step taking what is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from rich.console import Console

    from flows.estimate import StepEstimate
    from nature_gym.config import Settings

# As in flows.steps, which takes long to import.
Step = Literal["harvest", "fetch", "read", "screen", "acquire", "cut", "build", "check", "calibrate", "sweep"]


def refresh(
    venues: Annotated[str, typer.Option(help="A shipped venue list, or a YAML file.")] = "nature-family",
    until: Annotated[
        Step, typer.Option(help="The last step. Agents are measured only with calibrate or sweep.")
    ] = "check",
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="These papers of the corpus alone; may be given again.")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[,NAME]...", help="Agents to be swept; the first also calibrates."),
    ] = None,
    budget: Annotated[str, typer.Option(help="Solving time of a trial: 4h, 90m, 30s.")] = "4h",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and what it would take; do nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Bring the corpus up to date: harvest, fetch, read, screen, acquire, cut, build, check.

    Each step works on what is new, changed, or failed by our own fault before; one paper's trouble stops no other. The
    same command resumes after Ctrl-C, a kill or a full disk. Ends with 3 where a step or a paper failed by our fault.
    'naturegym ui' runs it every week.

    Example:  naturegym refresh --dry-run
    Example:  naturegym refresh --until cut
    Example:  naturegym refresh --only 10.1038/s42256-023-00601-4
    """
    from nature_gym.errors import UsageError
    from nature_gym.harvest.venues import load_venues
    from nature_gym.sweeping.request import agents_in, seconds_of

    settings = load()
    corpus = load_venues(venues)  # a slip of the pen is told before a server is started
    seconds, names = seconds_of(budget), agents_in(agents) if agents else []
    if until == "sweep" and not names and not dry_run:
        raise UsageError("a sweep needs agents", hint="As in --agents constant,tabular; 'naturegym agents list'.")
    if only is not None:
        from nature_gym.records import Papers

        only = [Papers(settings.papers).find(name).id for name in only]
    if dry_run:
        from flows.estimate import estimate

        _tell_estimate(estimate(settings, corpus, until, only), as_json=as_json)
        return
    parameters = {"venues": venues, "until": until, "only": only, "agents": names, "budget": seconds}
    with resumable("refresh", as_json=as_json):
        _refresh(settings, parameters, as_json=as_json)


def _refresh(settings: Settings, parameters: dict[str, Any], *, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars
    from nature_gym.cli.status import funnel_of, print_funnel
    from nature_gym.sweeping.watching import watched

    with progress_bars() as tell, watched():
        finished = run_flow(
            "flows.refresh:corpus_refresh",
            settings,
            parameters,
            show_progress=lambda progress: tell(progress.stage, progress.done, progress.total),
        )
    steps = _by_step(finished.run.counts)
    funnel = funnel_of(settings)

    def text(out: Console) -> None:
        print_funnel(out, funnel)
        for step, counts in steps.items():
            out.print(f"{step}: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.items()))
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    value = {"run": finished.run.id, "state": finished.state, "steps": steps, "funnel": funnel}
    emit(value, as_json=as_json, text=text)
    if finished.state == "Failed":
        raise typer.Exit(3)


def _by_step(counts: dict[str, int]) -> dict[str, dict[str, int]]:
    """``{"read done": 3}`` as ``{"read": {"done": 3}}``."""
    steps: dict[str, dict[str, int]] = {}
    for name, count in counts.items():
        step, _, kind = name.partition(" ")
        if count:
            steps.setdefault(step, {})[kind] = count
    return steps


def _tell_estimate(estimates: list[StepEstimate], *, as_json: bool) -> None:
    hours = sum(one.hours for one in estimates)
    value = {"steps": [one.as_json() for one in estimates], "hours": round(hours, 3)}

    def text(out: Console) -> None:
        from rich.table import Table

        from nature_gym.screening.sizes import readable

        table = Table(box=None, header_style="bold")
        for name in ("step", "now", "to come", "requests", "bytes", "tokens", "hours"):
            table.add_column(name, justify="left" if name == "step" else "right")
        for one in estimates:
            numbers = [f"{number:,}" if number else "" for number in (one.stale, one.coming, one.requests, one.tokens)]
            numbers.insert(3, readable(one.bytes) if one.bytes else "")
            table.add_row(one.step, *numbers, f"{one.hours:,.2f}", style="" if one.stale else "dim")
        out.print(table)
        out.print("\nWhat the estimates rest on:")
        for one in estimates:
            out.print(f"  {one.step}: {shown(one.basis)}", soft_wrap=True)
        out.print(f"About {hours:,.1f} hours, the steps one after the other. Nothing was begun, and no host was asked.")

    emit(value, as_json=as_json, text=text)
