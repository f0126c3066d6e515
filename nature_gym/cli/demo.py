"""``naturegym demo``: the main job on the demo corpus, and the demo world itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, console, emit, emit_json, program, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.cli.demo_measured import Measured

app = typer.Typer()

SeedOption = Annotated[int, typer.Option(help="Another seed tells the same stories in other words and numbers.")]
ShallowOption = Annotated[int, typer.Option(min=0, help="Add this many short papers, for size.")]


@app.callback(invoke_without_command=True)
def run(
    context: typer.Context,
    seed: SeedOption = 0,
    shallow: ShallowOption = 0,
    until: Annotated[
        Literal["build", "leaderboard", "report"],
        typer.Option(help="Stop at the packages, or when agents were measured on them, or go on to the report."),
    ] = "report",
    docker: Annotated[
        bool, typer.Option("--docker", help="Run agents and evaluators in Docker; else in the best that works here.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """See the whole thing work: the main job on a small invented world, without network or keys.

    Papers are harvested, fetched, read, screened; code and data acquired, cut, split and built into packages; these
    are checked and calibrated; two built-in agents work on them in sandboxes, are scored and judged; and all of it is
    written as a report.

    Everything is written below the home folder's demo/. A second run finds nothing left to do. Where a busy machine
    lost a paper or a trial it says so and ends with 3; the same command goes on.

    Example:  naturegym demo
    """
    if context.invoked_subcommand is not None:
        return
    from nature_gym.cli.progress import progress_bars
    from nature_gym.cli.report import written
    from nature_gym.cli.status import funnel_of
    from nature_gym.config import load_settings
    from nature_gym.demo.job import run as run_job
    from nature_gym.errors import InfrastructureError
    from nature_gym.records import Papers
    from nature_gym.screening.funnel import funnel_by_rule

    measured, page = None, None
    with progress_bars() as progress:
        demo = run_job(load(), seed=seed, shallow=shallow, progress=progress)
        own = load_settings(home=demo.home, database_url="")
        if until != "build":
            from nature_gym.cli.demo_measured import measure

            measured = measure(own, progress, backend="docker" if docker else "")
    if until == "report":
        page = written(own).out / "index.html"
    lost = [*demo.lost, *(measured.lost if measured else [])]
    funnel, screened = funnel_of(own), funnel_by_rule(Papers(own.papers))
    value: dict[str, Any] = {
        "home": str(demo.home), "steps": demo.steps, "funnel": funnel, "screening": screened, "lost": lost,
    }  # fmt: skip
    if measured is not None:
        value["steps"] = {**demo.steps, **measured.steps}
        value["packages"] = measured.verdicts
        value["leaderboard"] = measured.board.as_dict() if measured.board else None
        value["not_measured"] = measured.skipped
    if page is not None:
        value["report"] = str(page)
    emit(value, as_json=as_json, text=lambda out: _print(out, value, measured))
    if lost:
        raise typer.Exit(InfrastructureError.exit_code)


def _print(out: Console, value: dict[str, Any], measured: Measured | None) -> None:
    """The funnel, the leaderboard, where to look around, and last what to open."""
    from nature_gym.cli.screening import print_funnel_by_rule
    from nature_gym.cli.status import print_funnel

    home = value["home"]
    print_funnel(out, value["funnel"])
    out.print("\nScreening, by rule:")
    print_funnel_by_rule(out, value["screening"])
    if measured is not None:
        _print_measured(out, measured)
    out.print("\nLook around:")
    for line in (
        f"export NATUREGYM_HOME={home}",
        f"{program()} status",
        f"{program()} paper list --stage screen --verdict passed",
        f"{program()} screen 10.5555/s41551-023-01087-5 --explain",
        f"{program()} check {home}/packages",
        f"{program()} leaderboard",
        f"{program()} demo world --write demo-world",
    ):
        out.print(f"  {line}", soft_wrap=True)
    if "report" in value:
        out.print(f"\nThe report: {shown(value['report'])}", soft_wrap=True)
    for line in value["lost"]:
        out.print(f"[yellow]Lost, on a busy machine perhaps; the same command tries again:[/] {shown(line)}")


def _print_measured(out: Console, measured: Measured) -> None:
    from collections import Counter

    from nature_gym.cli.leaderboard import print_trials

    if measured.skipped:
        out.print(f"\n[yellow]No agent was measured: {shown(measured.skipped)}[/]", soft_wrap=True)
        return
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(Counter(measured.verdicts.values()).items()))
    out.print(f"\nCalibration of {len(measured.verdicts)} packages: {told}\n")
    if measured.board is not None:
        print_trials(out, measured.board)


@app.command()
def tasks(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write them into.")],
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Write the tasks of the demo papers that pass: each a task.yaml with its sources, to build packages from.

    Example:  naturegym demo tasks demo-tasks
    """
    from nature_gym.demo.tasks import task_id, write_task
    from nature_gym.demo.world import build_world

    entries = [entry for entry in build_world(seed).entries if entry.truth.task and entry.truth.verdict == "passed"]
    written = {entry.paper.id: str(write_task(entry, folder / task_id(entry))) for entry in entries}

    def text(out: Console) -> None:
        for path in written.values():
            out.print(path, soft_wrap=True)
        out.print(f"Build them:  {program()} build {folder}/*/task.yaml --out packages", soft_wrap=True)

    emit(written, as_json=as_json, text=text)


@app.command()
def world(
    serve: Annotated[bool, typer.Option("--serve", help="Serve the world's hosts on a loopback port.")] = False,
    write: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the world into a folder.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to serve on; 0 takes any free one.")] = 0,
    latency: Annotated[float, typer.Option(min=0, help="Milliseconds before each answer.")] = 0,
    seed: SeedOption = 0,
    shallow: ShallowOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Serve the demo world, or write it out to look at.

    --serve plays OpenAlex, the article site, Europe PMC, GitHub (with git), Zenodo, Figshare, Hugging
    Face and a rude host on one address, and prints the settings that point a run at it.

    Example:  naturegym demo world --serve
    Example:  naturegym demo world --write demo-world
    """
    from nature_gym.demo.world import build_world
    from nature_gym.errors import UsageError

    if serve == (write is not None):
        raise UsageError("say what to do with the world", hint="Either --serve or --write DIR.")
    made = build_world(seed, shallow=shallow)
    if write is not None:
        from nature_gym.cli.progress import progress_bars
        from nature_gym.demo.miniweb.writing import write_world

        with progress_bars() as progress:
            index = write_world(made, write, progress=lambda done: progress("papers written", done, len(made.entries)))
        emit(
            {"folder": str(write), "papers": len(made.entries), "index": str(index)},
            as_json=as_json,
            text=lambda out: out.print(f"{len(made.entries)} papers written; open {index}", soft_wrap=True),
        )
        return
    from nature_gym.demo.job import git_cache
    from nature_gym.demo.miniweb.behaviour import Behaviour
    from nature_gym.demo.miniweb.server import environment
    from nature_gym.demo.miniweb.server import serve as serve_world

    settings = load()

    def ready(url: str) -> None:
        pointers = environment(url)
        if as_json:
            emit_json({"url": url, "environment": pointers, "papers": len(made.entries)}, line=True)
            return
        out = console()
        out.print(f"The demo world is served at {url} ({len(made.entries)} papers). Stop it with Ctrl-C.")
        out.print("Point a run at it, in another terminal:")
        for name, value in pointers.items():
            out.print(f"  export {name}={value}", soft_wrap=True)
        out.print("Have a look:")
        for example in (
            "api.openalex.org/works?per-page=1",
            f"www.nature.com/articles/{made.papers[0].suffix}",
            *(repository.url.removeprefix("https://") for repository in made.entries[0].repositories[:1]),
        ):
            out.print(f"  {url}/{example}", soft_wrap=True)

    behaviour = Behaviour(seed=seed, latency={"*": latency / 1000})
    serve_world(made, port, behaviour=behaviour, git_cache=git_cache(settings), on_ready=ready)
