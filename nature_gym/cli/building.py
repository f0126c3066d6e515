"""``naturegym build``: packages from their specifications."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from flows.launch import Progress
    from nature_gym.config import Settings
    from nature_gym.errors import NatureGymError
    from nature_gym.kept import Kept
    from nature_gym.records import PaperFolder


def build(
    tasks: Annotated[
        list[str] | None, typer.Argument(metavar="ID|TASK_YAML", help="Papers that were cut, or task.yaml files.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the packages; else the packages of the home folder.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All papers that were cut and whose package is stale.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Put each package through the static checks, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Render packages: problem, evaluator, environment, licences and provenance, each task into DIR/<task id>.

    A task.yaml needs no database and no paper. The same task and the same data give the same bytes everywhere; what
    did not change is not written again, and nothing stale stays. What an agent would see is searched for the paper,
    its method and the answers first: a hit stops the build, and the package that was there before stays.

    Ends with 1 where a package could not be built or does not pass. What runs something is left to 'naturegym check'.

    Example:  naturegym build task.yaml --out packages
    Example:  naturegym build --all
    """
    from nature_gym.errors import UsageError
    from nature_gym.packaging.stage import kept_for

    settings = load()
    if out is not None and (
        wrong := next((one for one in (out, *out.parents) if one.exists() and not one.is_dir()), None)
    ):
        raise UsageError(f"{wrong} is a file, and --out names a folder.", hint="Name a folder; it is made if missing.")
    if every == bool(tasks):
        raise UsageError("Give papers or task.yaml files, or --all.", hint="'naturegym build --help' has examples.")
    with resumable("build", as_json=as_json):
        if every:
            _build_all(settings, check=check, as_json=as_json)
            return
        kept = kept_for(settings)
        told = [
            _build_one(name, path, None if out else paper, out or settings.packages, kept, check=check)
            for name, path, paper in _task_files(settings, tasks or [])
        ]
    emit(told, as_json=as_json, text=lambda out: _print(out, told))
    if code := max((one["exit_code"] for one in told), default=0):
        raise typer.Exit(code)


def _task_files(settings: Settings, names: list[str]) -> Iterator[tuple[str, Path, PaperFolder | None]]:
    """Each name with its task.yaml, and the paper whose it is. Raises UsageError for a name that means none."""
    from nature_gym.errors import UsageError
    from nature_gym.packaging.stage import TASK
    from nature_gym.records import Papers

    for name in names:
        path = Path(name)
        if path.suffix in (".yaml", ".yml") or path.is_file():
            yield name, path, None
            continue
        folder = Papers(settings.papers).find(name)
        if not (folder.path / TASK).is_file():
            raise UsageError(f"{folder.id} was not cut, and has no task.yaml.", hint="Build a task.yaml by its path.")
        yield name, folder.path / TASK, folder


def _build_one(
    name: str, path: Path, paper: PaperFolder | None, out: Path, kept: Kept, *, check: bool
) -> dict[str, Any]:
    """What became of one; what is wrong with a task stops none of the others. A paper's own package is recorded."""
    from nature_gym.cli.problems import problems_of
    from nature_gym.errors import NatureGymError
    from nature_gym.packaging.build import build as make
    from nature_gym.packaging.stage import BuildStage, summary_of
    from nature_gym.stages import carry_out

    try:
        if paper is None:
            told: dict[str, Any] = {"name": name, **make(path, out, kept=kept).as_json(), "exit_code": 0}
        else:
            result = carry_out(BuildStage(out, kept), paper)
            if result.kind in ("failed", "error"):
                return {
                    "name": name,
                    "error": result.reason,
                    "hint": "",
                    "exit_code": 3 if result.kind == "error" else 1,
                }
            told = {"name": name, **summary_of(paper, current=result.kind == "current"), "exit_code": 0}
    except NatureGymError as error:
        return _refused(name, error)
    if check:
        told["problems"] = problems_of(Path(told["package"]))
        told["exit_code"] = 1 if told["problems"] else 0
    return told


def _refused(name: str, error: NatureGymError) -> dict[str, Any]:
    return {"name": name, "error": error.message, "hint": error.hint, "exit_code": error.exit_code}


def _print(out: Console, told: list[dict[str, Any]]) -> None:
    from nature_gym.cli.problems import print_problems

    for one in told:
        if "error" in one:
            out.print(f"[red]{shown(one['name'])}: {shown(one['error'])}[/]")
            if one["hint"]:
                out.print(f"  {shown(one['hint'])}")
            continue
        changed = len(one["changed"]) + len(one["removed"])
        state = f"{changed:,} of {one['files']:,} files changed" if changed else "nothing changed"
        out.print(f"{shown(one['package'])}  {state}")
        for warning in one.get("warnings", ()):
            out.print(f"  [yellow]{shown(warning)}[/]")
        if one.get("problems") == []:
            out.print("  the checks find nothing wrong")
        print_problems(out, one.get("problems", []), "  ")


def _build_all(settings: Settings, *, check: bool, as_json: bool) -> None:
    """By a flow; what is there then is checked, that which was up to date, too."""
    from flows.launch import run_flow
    from nature_gym.cli.problems import print_problems, problems_of
    from nature_gym.cli.progress import progress_bars

    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell("build", progress.done, progress.total)

        finished = run_flow("flows.build:build", settings, {"papers": None, "force": False}, show_progress=show)
    counts = finished.run.counts
    problems = {str(path): problems_of(path) for path in _built_packages(settings)} if check else {}

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items())) or "no paper was cut")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")
        for package, found in problems.items():
            out.print(f"{shown(package)}  {f'{len(found)} problems' if found else 'in order'}")
            print_problems(out, found, "  ")

    told = {"run": finished.run.id, "state": finished.state, "counts": counts}
    emit(told | ({"problems": problems} if check else {}), as_json=as_json, text=text)
    if code := 3 if counts.get("error") else 1 if counts.get("failed") or any(problems.values()) else 0:
        raise typer.Exit(code)


def _built_packages(settings: Settings) -> Iterator[Path]:
    """The packages of papers, which are there."""
    from nature_gym.packaging.stage import NAME, SUMMARY, buildable, summary_of
    from nature_gym.records import Papers

    papers = Papers(settings.papers)
    for name in buildable(papers):
        if (papers[name].path / NAME / SUMMARY).is_file():
            path = Path(summary_of(papers[name], current=True)["package"])
            if path.is_dir():
                yield path
