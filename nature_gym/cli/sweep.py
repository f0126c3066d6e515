"""``naturegym sweep``: agents over packages, each trial once, with a live table; it goes on where it was stopped."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from flows.launch import Finished
    from nature_gym.config import Settings
    from nature_gym.sweeping.request import Meant
    from nature_gym.sweeping.watching import Watch

MOST_WAITING = 6


def sweep(  # noqa: PLR0913, PLR0917 -- options of a command
    agents: Annotated[
        list[str], typer.Option("--agents", metavar="NAME[,NAME]...", help="Agents; 'naturegym agents list' tells.")
    ],
    packages: Annotated[
        list[str] | None,
        typer.Option(
            "--packages",
            metavar="all|PATH[,PATH]...",
            help="The admitted packages of the home, or these, admitted or not.",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Trials of each agent on each package.")] = 1,
    budget: Annotated[str, typer.Option("--budget", help="Solving time of a trial: 4h, 90m, 30s.")] = "4h",
    feedback: Annotated[str, typer.Option(help="scores, or none: what an agent is told of an answer.")] = "scores",
    image: Annotated[
        str, typer.Option(help="The image of agents' and evaluators' boxes; empty for the usual one.")
    ] = "",
    backend: Annotated[str, typer.Option(help="docker, bubblewrap or process. Default: the settings'.")] = "",
    parallel: Annotated[
        int, typer.Option("--parallel", min=0, help="Trials at once; 0 for as many as the processors carry.")
    ] = 0,
    cpus: Annotated[float, typer.Option("--cpus", min=0.1, help="Processors of a trial.")] = 2.0,
    memory: Annotated[float, typer.Option("--memory", min=0.1, metavar="GIB", help="Memory of a trial.")] = 8.0,
    limit: Annotated[
        list[str] | None, typer.Option("--limit", metavar="AGENT=N", help="At most N trials of that agent at once.")
    ] = None,
    rerun: Annotated[
        list[str] | None,
        typer.Option("--rerun", metavar="STATUS", help="Run those again that ended so, such as infra_error."),
    ] = None,
    unadmitted: Annotated[
        bool, typer.Option("--unadmitted", help="With all: those that no calibration admitted, too.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would take: trials, hours, GPU hours, cost.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Run every agent on every package, with every seed, once.

    Trials that have ended are left alone, so the same command goes on after Ctrl-C or a crash. A trial that the
    infrastructure breaks is begun anew, three times at most. Ends with 3 where one is left broken.

    Example:  naturegym sweep --agents constant,tabular --packages all --seeds 3 --budget 4h --dry-run
    """
    from nature_gym.cli.stopping import resumable
    from nature_gym.sweeping.request import ALL, SweepRequest, agents_in, meant, seconds_of

    settings = load()
    paths = [part.strip() for text in packages or [ALL] for part in text.split(",") if part.strip()]
    request = SweepRequest(
        agents_in(agents), paths, seeds, seconds_of(budget), feedback, image, backend, cpus=cpus,
        memory=int(memory * (1 << 30)), rerun=rerun or (), limits=_limits(limit or []), parallel=parallel,
        unadmitted=unadmitted,
    )  # fmt: skip
    found = meant(request, settings)
    if dry_run:
        _tell_estimate(found, as_json=as_json)
        return
    run, state, warning = None, "Completed", ""
    counts: dict[str, int] = {}
    if found.plan.todo:
        with resumable("sweep", as_json=as_json):
            finished = watched_flow(settings, found.parallel, "flows.sweep:sweep", {"request": request.as_json()})
        run, state, counts, warning = finished.run.id, finished.state, finished.run.counts, finished.warning
    value = {
        "run": run, "state": state, "counts": counts, "done_before": len(found.plan.done),
        "failed_before": len(found.plan.failed), "not_admitted": dict(found.left_out),
    }  # fmt: skip

    def text(out: Console) -> None:
        told = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in sorted(counts.items()))
        out.print(
            f"{len(found.plan.todo)} trials to run: {told or 'nothing to do'}; {len(found.plan.done)} were done before"
        )
        _tell_left(out, found)
        if warning:
            out.print(f"[yellow]{warning}[/]")
        out.print("'naturegym leaderboard' shows what they came to.")

    emit(value, as_json=as_json, text=text)
    if counts.get("infra_error"):
        raise typer.Exit(3)


def watched_flow(settings: Settings, parallel: int, flow: str, parameters: dict[str, Any]) -> Finished:
    """Run a flow of trials with a live table, where somebody watches, or a line now and then."""
    from flows.launch import run_flow
    from nature_gym.cli.progress import live_view, progress_bars
    from nature_gym.sweeping.watching import watched

    # The tasks hold slots and claims of this process: threads, as many as trials run at once.
    own = settings.model_copy(update={"workers": parallel, "task_runner": "threads"})
    with watched() as watch:
        if sys.stderr.isatty():
            with live_view(lambda: table_of(watch), transient=True):
                return run_flow(flow, own, parameters)
        with progress_bars() as tell:
            return run_flow(flow, own, parameters, show_progress=lambda one: tell(one.stage, one.done, one.total))


def table_of(watch: Watch) -> Table:
    """What runs and what waits: phase, time left, best g, and why the next ones do not run yet."""
    from rich.table import Table

    waiting = list(watch.waiting)
    live = watch.look()
    queued = max(0, watch.total - watch.done - len(live))
    table = Table(
        "Agent", "Package", "Seed", "Phase", "Left", "Best g", box=None, header_style="bold", title_justify="left",
        title=f"{watch.done} of {watch.total} trials done, {len(live)} under way, {queued} queued",
    )  # fmt: skip
    for one in live:
        seconds = int(one.left or 0.0)
        left = "" if one.left is None else f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        best = "" if one.best is None else f"{one.best:+.4f} ({one.attempts})"
        table.add_row(shown(one.spec.agent), shown(one.spec.package), str(one.spec.seed), one.phase, left, best)
    for spec, reason in waiting[:MOST_WAITING]:
        told = f"queued: waits for {shown(reason)}"
        table.add_row(shown(spec.agent), shown(spec.package), str(spec.seed), told, "", "", style="dim")
    return table


def _limits(texts: list[str]) -> dict[str, int]:
    from nature_gym.errors import UsageError

    found = {}
    for text in texts:
        name, sign, number = text.rpartition("=")
        if not sign or not name or not number.isdigit() or not int(number):
            raise UsageError(f"{text[:60]!r} is no limit.", hint="Write it as claude-code=2.")
        found[name] = int(number)
    return found


def _tell_estimate(found: Meant, *, as_json: bool) -> None:
    from nature_gym.sweeping.plan import estimate

    told = estimate(found.plan, found.packages, found.agents.__getitem__, found.folders, parallel=found.parallel)
    value = {**told, "parallel": found.parallel, "not_admitted": dict(found.left_out)}

    def text(out: Console) -> None:
        out.print(
            f"{told['trials']} trials ({len(found.packages)} packages, {len(found.agents)} agents): "
            f"{told['done']} done, {told['failed']} failed before, {told['to_run']} to run"
        )
        out.print(
            f"at most {told['hours']:,.1f} hours of solving, {told['wall_hours']:,.1f} hours with {found.parallel} "
            f"at once, {told['gpu_hours']:,.1f} of them for packages that ask for a GPU, of which "
            f"this machine has {told['gpus']}"
        )
        for name, one in told["agents"].items():
            out.print(f"  {shown(name)}: {one['hours']:,.1f} h, {_dollars(one['cost_ceiling'])}")
        out.print(f"cost ceiling: {_dollars(told['cost_ceiling'])}")
        _tell_left(out, found)

    emit(value, as_json=as_json, text=text)


def _dollars(value: float | None) -> str:
    return "cost not known: no trial of it is stored" if value is None else f"${value:,.2f}"


def _tell_left(out: Console, found: Meant) -> None:
    for name, reason in found.left_out.items():
        out.print(f"[yellow]{shown(name)} is left out: {shown(reason)}[/]")
    if found.plan.failed:
        count = len(found.plan.failed)
        out.print(f"[yellow]{count} trials failed before; --rerun infra_error runs them again[/]")
