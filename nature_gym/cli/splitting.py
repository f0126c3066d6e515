"""``naturegym split``: the files of a task, made by the operations of its task.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.splitting.result import Result


def split(
    task: Annotated[str, typer.Argument(metavar="ID|TASK_YAML", help="A paper that was cut, or a task.yaml.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the result; else 'split' beside the task.yaml.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Carry out a task's operations: every file of both sides, rows counted, where each comes from.

    The result is a folder with problem/data (visible), evaluation/ground_truth (hidden), provenance.jsonl (a line a
    file) and splits.json (rows of each part). It is there whole or not at all, and is the same for the same data and
    task.yaml. A split that loses or doubles rows ends with 1, and leaves what was there before.

    Example:  naturegym split task.yaml --out result
    """
    from nature_gym.cli.tasks import task_file
    from nature_gym.splitting.result import split_task

    path = task_file(task)
    target = out or path.parent / "split"

    def progress(file: str, done: int, total: int) -> None:
        if not as_json:
            typer.echo(f"{done + 1}/{total}  {file}", err=True)

    result = split_task(path, target, progress=progress)
    value = {
        "folder": str(result.folder),
        "digest": result.digest,
        "files": [file.as_json() for file in result.made.files],
        "splits": [
            {"instance": counts.instance, "split": counts.split, "of": counts.of, "counts": counts.counts}
            for counts in result.made.splits
        ],
    }
    emit(value, as_json=as_json, text=lambda console: _print(console, result))


def _print(out: Console, result: Result) -> None:
    for counts in result.made.splits:
        sides = ", ".join(f"{part or 'dropped'} {rows:,}" for part, rows in counts.counts.items() if part or rows)
        out.print(f"split {shown(counts.instance)}/{shown(counts.split)} of {shown(counts.of)}: {sides}")
    for file in result.made.files:
        rows = f"  {file.rows_out:,} of {file.rows_in:,} rows" if file.rows_in is not None else ""
        out.print(f"{shown(file.file)}  {file.size:,} bytes{rows}")
        for note in file.notes:
            out.print(f"  [yellow]{shown(note)}[/]")
    out.print(f"{shown(result.folder)}  {result.digest}")
