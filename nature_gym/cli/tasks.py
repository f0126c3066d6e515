"""``naturegym task``: is a task.yaml in order, what would it make, and what may stand in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.splitting.preview import FilePreview, Preview

app = typer.Typer(help="Check a task.yaml, and see what it would make.", no_args_is_help=True)

TaskArgument = Annotated[str, typer.Argument(metavar="ID|TASK_YAML", help="A paper that was cut, or a task.yaml.")]


def is_task_file(name: str) -> bool:
    """Whether a word on the command line means a file, and not a paper."""
    path = Path(name)
    return path.suffix in (".yaml", ".yml") or path.is_file()


def task_file(name: str) -> Path:
    """The task.yaml that a word on the command line means. Raises UsageError where there is none."""
    if is_task_file(name):
        return Path(name)
    from nature_gym.cli.output import settings
    from nature_gym.errors import UsageError
    from nature_gym.packaging.stage import TASK
    from nature_gym.records import Papers

    folder = Papers(settings().papers).find(name)
    if not (folder.path / TASK).is_file():
        raise UsageError(f"{folder.id} was not cut, and has no task.yaml.", hint="Name a task.yaml by its path.")
    return folder.path / TASK


@app.command()
def validate(task: TaskArgument, as_json: JsonOption = False) -> None:
    """Say of every line that is wrong what is wrong with it, and what may stand there.

    The data are not looked at; 'naturegym task preview' does that. Ends with 1 where something is wrong.

    Example:  naturegym task validate task.yaml
    """
    from nature_gym.packaging.task_file import TaskFileError, read_task

    path = task_file(task)
    try:
        read = read_task(path)
    except TaskFileError as error:
        if not as_json:
            raise
        from dataclasses import asdict

        from nature_gym.cli.output import emit_json

        emit_json({"file": str(path), "valid": False, "errors": [asdict(one) for one in error.complaints]})
        raise typer.Exit(1) from error
    value = {"file": str(path), "valid": True, "errors": [], "id": read.id, "questions": list(read.questions)}

    def text(out: Console) -> None:
        out.print(f"{shown(path)}: in order, {len(read.instances)} instance(s)")
        for question in read.questions:
            out.print(f"[yellow]open question:[/] {shown(question)}")

    emit(value, as_json=as_json, text=text)


@app.command()
def preview(
    task: TaskArgument,
    rows: Annotated[int, typer.Option("--rows", min=0, max=1000, help="How many rows of each file.")] = 3,
    as_json: JsonOption = False,
) -> None:
    """Try every operation on the data: rows on each side of each split, rows after each step, each file's first rows.

    Nothing is written. Of texts beyond 256 MB only the beginning is looked at, which is said. Ends with 1 where an
    operation cannot be carried out.

    Example:  naturegym task preview task.yaml --rows 5
    """
    from nature_gym.packaging.task_file import read_task
    from nature_gym.splitting.preview import preview_task

    path = task_file(task)
    found = preview_task(read_task(path), path.parent, rows=rows)
    emit(found.as_json(), as_json=as_json, text=lambda out: _print(out, found))
    if found.errors:
        raise typer.Exit(1)


@app.command()
def schema(
    as_json: Annotated[bool, typer.Option("--json", help="The schema is JSON in any case.")] = False,  # noqa: ARG001
) -> None:
    """Print the JSON Schema of task.yaml, by which editors complete and check it.

    Example:  naturegym task schema > task.schema.json
    """
    from nature_gym.packaging.task_file import schema_text

    typer.echo(schema_text().decode(), nl=False)


def _print(out: Console, found: Preview) -> None:
    for split in found.splits:
        sides = ", ".join(f"{part or 'dropped'} {rows:,}" for part, rows in split.counts.items() if part or rows)
        note = " [yellow](of the file's beginning)[/]" if split.sampled else ""
        out.print(
            f"split {shown(split.instance)}/{shown(split.split)}  {split.kind} of {shown(split.of)}: {sides}{note}"
        )
        if split.error:
            out.print(f"  [red]{shown(split.error)}[/]")
    for file in found.files:
        many = f" and {file.files - 1:,} more" if file.files > 1 else ""
        out.print(f"\n{file.side}  {shown(file.instance)}/{shown(file.file)}  from {shown(file.source)}{many}")
        if file.error:
            out.print(f"  [red]{shown(file.error)}[/]")
            continue
        for key, size in file.arrays.items():
            out.print(f"  {shown(key)}: {size}")
        _print_rows(out, file)


def _print_rows(out: Console, file: FilePreview) -> None:
    if file.rows_in is not None:
        out.print(f"  {file.rows_in:,} rows in the source")
    for step in file.steps:
        out.print(f"  {shown(step.operation)}" + (f" -> {step.rows:,} rows" if step.rows is not None else ""))
    if file.head:
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        columns: list[Any] = list(file.head[0])[:12]
        for column in columns:
            table.add_column(shown(column))
        for row in file.head:
            table.add_row(*(shown(row[column][:40]) for column in columns))
        out.print(table)
