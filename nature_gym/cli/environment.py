"""``naturegym env``: the packages that a task's programs need, and the images that have them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.environment.programs import Programs
    from nature_gym.environment.resolution import Resolution

app = typer.Typer(help="Choose the packages of a task, and build its image.", no_args_is_help=True)

_COLOURS = {"conflict": "red", "unobtainable": "red", "removed": "red", "wish": "yellow", "unreadable": "yellow"}


@app.command()
def resolve(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ID|FOLDER|TASK_YAML", help="A paper that was cut, a folder of programs, or a task.yaml."
        ),
    ],
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of", metavar="DATE", help="Leave out what was uploaded later, as 2021-06-30; else as the task says."
        ),
    ] = None,
    base: Annotated[
        str | None, typer.Option("--base", help="The base image; else the task's, else the slim one.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the pins into the task.yaml, in place of those that are there.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Choose pinned packages for what programs import beyond their base image, and say why each.

    Nothing is executed. What the base has stays; what the task pins holds; what the authors' requirement files ask for
    is granted where it can be had. Uses of what the chosen versions have no more are told. Ends with 1 where something
    is missing, in conflict or gone; then --write writes nothing.

    Example:  naturegym env resolve task_packages/examples/demo-d8158413
    Example:  naturegym env resolve task.yaml --as-of 2021-06-30 --base naturebench-base:v3
    """  # fmt: skip
    from nature_gym.environment.manifests import manifest
    from nature_gym.environment.pinning import write_pins
    from nature_gym.environment.resolution import resolve as choose
    from nature_gym.packaging.specification import Environment

    date = _date(as_of) if as_of is not None else None
    programs = _programs(what)
    found = choose(
        programs.sources,
        manifest(base or programs.base or str(Environment().base)),
        pins=programs.pins,
        requirement_files=programs.requirement_files,
        as_of=date or programs.as_of,
    )
    written = write and found.sound and write_pins(_task_file(what), [one.pin for one in found.packages])
    told = found.as_json() | ({"written": written} if write else {})
    emit(told, as_json=as_json, text=lambda out: _print(out, found))
    if not found.sound:
        raise typer.Exit(1)


def _date(text: str) -> dt.date:
    from nature_gym.errors import UsageError

    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date.", hint="Write it as 2021-06-30.") from error


def _programs(what: str) -> Programs:
    """Of a paper, a folder or a task.yaml. Raises UsageError for what is none of them."""
    from nature_gym.environment.programs import programs_of_folder, programs_of_task

    return programs_of_folder(Path(what)) if Path(what).is_dir() else programs_of_task(_task_file(what))


def _task_file(what: str) -> Path:
    """The task.yaml of a paper or in a folder, or the one that is named. Raises UsageError where there is none."""
    from nature_gym.errors import UsageError
    from nature_gym.packaging.stage import TASK
    from nature_gym.records import Papers

    path = Path(what)
    if path.is_dir() and not (path / "task.yaml").is_file():
        raise UsageError(f"{path} has no task.yaml.", hint="Name a paper that was cut, a package or a task.yaml.")
    if path.is_dir():
        return path / "task.yaml"
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return path
    folder = Papers(load().papers).find(what)
    if not (folder.path / TASK).is_file():
        raise UsageError(f"{folder.id} was not cut, and has no task.yaml.", hint="Name a folder or a task.yaml.")
    return folder.path / TASK


def _print(out: Console, found: Resolution) -> None:
    from rich.table import Table

    when = f", as of {found.as_of}" if found.as_of else ""
    out.print(f"[bold]{shown(found.base.image)}[/] (Python {found.base.python}){when}")
    table = Table(box=None, pad_edge=False)
    for heading in ("import", "from", "version", "why"):
        table.add_column(heading)
    for one in found.imports:
        table.add_row(shown(one.module), shown(one.distribution), shown(one.version or "?"), shown(one.because))
    out.print(table if found.imports else "nothing is imported beyond the standard library")
    for package in found.packages:
        out.print(f"[green]+ {shown(package.pin)}[/]  {shown(package.because)}")
    for finding in found.findings:
        colour = _COLOURS.get(finding.kind, "default")
        out.print(f"[{colour}]{finding.kind}[/] {shown(finding.subject)}: {shown(finding.message)}")


@app.command()
def build(
    what: Annotated[
        str, typer.Argument(metavar="ID|PACKAGE|BASE", help="A paper or a package that was built, or a base of ours.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Build the image of a package, and try each of its packages in it, without network.

    The base naturegym-slim:v1 is built first where it is missing; other bases have to be there. Ends with 1 where the
    build fails, a package cannot be imported, or has another version than was promised.

    Example:  naturegym env build task_packages/examples/demo-d8158413
    Example:  naturegym env build naturegym-slim:v1
    """  # fmt: skip
    from nature_gym.environment.image import build_base, build_package, engine
    from nature_gym.environment.manifests import manifests

    package = None if what in manifests() else _package(what)
    with engine() as client:
        built = build_base(client, what) if package is None else build_package(client, package)

    def text(out: Console) -> None:
        out.print(f"[bold]{shown(built.tag)}[/]  {built.size:,} bytes, {len(built.tried)} packages tried")
        for one in built.tried:
            if not one.good:
                why = one.error or f"{one.found} in place of {one.promised}"
                out.print(f"[red]{shown(one.pip)}[/] {shown(why)}")

    emit(built.as_json(), as_json=as_json, text=text)
    if not built.good:
        raise typer.Exit(1)


def _package(what: str) -> Path:
    """A package's folder, by its path or by the paper that it was built of."""
    from nature_gym.environment.manifests import manifests
    from nature_gym.errors import UsageError
    from nature_gym.packaging.package import open_package
    from nature_gym.packaging.stage import TASK
    from nature_gym.packaging.task_file import read_task
    from nature_gym.records import Papers

    if Path(what).is_dir():
        return open_package(Path(what)).path
    settings = load()
    try:
        return open_package(settings.packages / read_task(Papers(settings.papers).find(what).path / TASK).id).path
    except UsageError as error:
        raise UsageError(
            f"There is no package, no base image and no built paper called {what!r}.",
            hint=f"{error.message} The bases are {', '.join(manifests())}.",
        ) from error
