"""``naturegym calibrate``: the looks at a package before it is swept, and its admission report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

_COLOURS = {"admit": "green", "repair": "yellow", "drop": "red"}


def calibrate(  # noqa: PLR0913, PLR0917 -- options of a command
    packages: Annotated[list[Path], typer.Argument(metavar="PACKAGE...", help="Folders of packages.")],
    agent: Annotated[
        str, typer.Option("--agent", help="Makes the Base and the Reproduce pass: claude-code:MODEL, tabular.")
    ] = "",
    paper: Annotated[
        Path | None,
        typer.Option("--paper", help="The paper, for Reproduce: a Markdown or PDF file; else the home has it."),
    ] = None,
    budget: Annotated[str, typer.Option("--budget", help="Solving time of each pass: 4h, 90m.")] = "4h",
    image: Annotated[str, typer.Option(help="The image of agents' and evaluators' boxes.")] = "",
    backend: Annotated[str, typer.Option(help="docker, bubblewrap or process. Default: the settings'.")] = "",
    parallel: Annotated[int, typer.Option("--parallel", min=0, help="Trials at once; 0: as processors carry.")] = 0,
    rerun: Annotated[
        list[str] | None, typer.Option("--rerun", metavar="STATUS", help="Make passes again that ended so.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Make the passes though the checks do not admit the package.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Say of packages whether they may be swept: admit, repair (with what), or drop.

    Looks at the checks (run where they are stale), a constant solver, the truth and malformed answers, an agent without
    the paper (Base) and one with it (Reproduce; success from g -0.05, partial from -0.2). What was done before is not
    done again. Reports are kept in the home's calibration/. Ends with 1 where a package is not admitted.

    Example:  naturegym calibrate task_packages/examples/demo-48a07731 --agent tabular --paper paper.md --budget 10m
    """
    from nature_gym.cli.stopping import resumable
    from nature_gym.cli.sweep import watched_flow
    from nature_gym.errors import UsageError
    from nature_gym.packaging.package import open_package
    from nature_gym.sweeping.admission import PAGE, REPORT, report_folder
    from nature_gym.sweeping.folders import read_json
    from nature_gym.sweeping.plan import default_parallel
    from nature_gym.sweeping.request import seconds_of
    from nature_gym.sweeping.spec import Policy

    settings = load()
    names = [open_package(path).path.resolve().name for path in packages]
    if paper is not None and len(names) > 1:
        raise UsageError("--paper is the paper of one package.", hint="Calibrate the packages one by one.")
    request = {
        "packages": [str(path.resolve()) for path in packages], "agent": agent, "budget": seconds_of(budget),
        "image": image, "backend": backend, "parallel": parallel, "rerun": rerun or [], "force": force,
        "papers": {names[0]: str(paper.resolve())} if paper else {},
    }  # fmt: skip
    with resumable("calibrate", as_json=as_json):
        workers = parallel or default_parallel(Policy())
        finished = watched_flow(settings, workers, "flows.calibrate:calibrate", {"request": request})
    reports = [read_json(report_folder(settings.home, name) / REPORT) for name in names]

    def text(out: Console) -> None:
        for name, report in zip(names, reports, strict=True):
            _print(out, report, report_folder(settings.home, name) / PAGE)

    emit({"run": finished.run.id, "state": finished.state, "reports": reports}, as_json=as_json, text=text)
    if finished.run.counts.get("infra_error"):
        raise typer.Exit(3)
    if any(report["verdict"] != "admit" for report in reports):
        raise typer.Exit(1)


def _print(out: Console, report: dict[str, Any], page: Path) -> None:
    colour = _COLOURS.get(report["verdict"], "white")
    out.print(f"[bold]{shown(report['package'])}[/]  [{colour}]{report['verdict']}[/]  {shown(report['summary'])}")
    for one in report["passes"]:
        gap = "" if one["gap"] is None else f" g {one['gap']:+.4f}"
        by = f" by {shown(one['agent'])}" if one["agent"] else ""
        out.print(f"  {one['name']:10}{by}: {one['grade'].replace('_', ' ')}{gap} {shown(one['reason'])}")
    for fact in report["checks"]:
        out.print(f"  {fact['id']:10}: {fact['status']} {shown('; '.join(fact['findings'][:1]))}")
    for defect in report["defects"]:
        out.print(f"  [red]{defect['kind'].replace('_', ' ')}[/]: {shown(defect['evidence'])}")
        out.print(f"      {shown(defect['mend'])}")
    out.print(f"  {shown(page)}")
