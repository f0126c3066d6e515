"""``naturegym package``: look at packages, ours and others', without running anything of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.packaging.difference import Difference

app = typer.Typer(help="Look at task packages, compare them, take in those of others.", no_args_is_help=True)

PathArgument = Annotated[Path, typer.Argument(help="A package's folder, or a folder with one package in it.")]


@app.command()
def show(path: PathArgument, as_json: JsonOption = False) -> None:
    """Say what a package is: its task, instances, metrics, and the scores to reach.

    Example:  naturegym package show task_packages/examples/demo-d8158413
    """
    from nature_gym.packaging.package import open_package

    summary = open_package(path).summary()

    def text(out: Console) -> None:
        from rich.table import Table

        out.print(f"[bold]{shown(summary['task_name'])}[/]  {shown(summary['package'])}")
        out.print(f"{len(summary['instances'])} instances, {summary['files']:,} files, {summary['size']:,} bytes\n")
        table = Table(box=None, pad_edge=False)
        for heading in ("instance", "metric", "better", "to reach", "baseline"):
            table.add_column(heading)
        for one in summary["metrics"]:
            better = str(one["metric_direction"] or "").partition("_")[0]
            name = f"[bold]{shown(one['name'])}[/]" if one["is_primary"] else shown(one["name"])
            reach = ", ".join(str(score.get("value")) for score in one["sota_score"] or ())
            table.add_row(
                shown(one["instance"]),
                name,
                better,
                shown(reach),
                shown((one["baseline_score"] or {}).get("value", "")),
            )
        out.print(table)

    emit(summary, as_json=as_json, text=text)


@app.command()
def tree(path: PathArgument, as_json: JsonOption = False) -> None:
    """Print a package's files as a tree.

    Example:  naturegym package tree task_packages/examples/demo-d8158413
    """
    from nature_gym.packaging.package import open_package

    package = open_package(path)
    emit(package.files, as_json=as_json, text=lambda out: out.print(shown(package.tree())))


@app.command()
def validate(path: PathArgument, as_json: JsonOption = False) -> None:
    """See that a package has the files, fields and sections of the format, and says the same thing everywhere.

    These are families 0 and 1 of the checks ('naturegym check --select C0 --select C1'). Ends with 1 where one fails.

    Example:  naturegym package validate packages/demo-d8158413
    """
    from checks.registry import chosen
    from nature_gym.cli.problems import print_problems, problems_of
    from nature_gym.packaging.package import open_package

    package = open_package(path)
    problems = problems_of(package.path, chosen(("C0", "C1"), ()))

    def text(out: Console) -> None:
        print_problems(out, problems)
        out.print(f"{len(problems)} problems" if problems else "in order")

    emit({"package": str(package.path), "problems": problems}, as_json=as_json, text=text)
    if problems:
        raise typer.Exit(1)


@app.command()
def diff(
    path: PathArgument,
    other: Annotated[Path, typer.Argument(help="The package to compare it with.")],
    as_json: JsonOption = False,
) -> None:
    """Compare two packages, file by file; ends with 1 where they differ.

    Example:  naturegym package diff packages/demo-d8158413 task_packages/examples/demo-d8158413
    """
    from nature_gym.packaging.difference import difference
    from nature_gym.packaging.package import open_package

    found = difference(open_package(path), open_package(other))
    emit([one.as_json() for one in found], as_json=as_json, text=lambda out: _print_difference(out, found))
    if found:
        raise typer.Exit(1)


def _print_difference(out: Console, found: list[Difference]) -> None:
    for one in found:
        out.print(f"[bold]{one.kind}[/]  {shown(one.file)}")
        for line in one.lines:
            colour = {"+": "green", "-": "red", "@": "dim"}.get(line[:1], "default")
            out.print(f"  [{colour}]{shown(line)}[/]")
    if not found:
        out.print("the same")


@app.command("import")
def take_in(
    path: PathArgument,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for it; else the packages of the home folder.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a package in the published format, archives of its data unpacked, and describe it in a task.yaml.

    What its files do not tell stands as questions in that task.yaml; they have to be answered before it is built.

    Example:  naturegym package import downloads/s41467-022-30001-4
    """
    from nature_gym.packaging.importer import import_package
    from nature_gym.packaging.task_file import read_task

    package = import_package(path, out or load().packages)
    questions = list(read_task(package.path / "task.yaml").questions)

    def text(out: Console) -> None:
        out.print(shown(package.path))
        for question in questions:
            out.print(f"  [yellow]{shown(question)}[/]")

    emit({"package": str(package.path), "questions": questions}, as_json=as_json, text=text)
