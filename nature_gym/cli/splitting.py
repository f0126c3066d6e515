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
    task: Annotated[
        str | None, typer.Argument(metavar="ID|TASK_YAML", help="A paper that was cut, or a task.yaml; else all.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for the result; else 'split' beside the task.yaml or of the paper."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Split papers again, also what is up to date.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Carry out a task's operations: every file of both sides, rows counted, where each comes from.

    The result is a folder with problem/data (visible), evaluation/ground_truth (hidden), provenance.jsonl (a line a
    file) and splits.json (rows of each part). It is there whole or not at all, and is the same for the same data and
    task.yaml. A split that loses or doubles rows ends with 1, and leaves what was there before. Of a paper, the result
    is papers/<id>/split, and is made anew where the task or its data changed.

    Example:  naturegym split task.yaml --out result
    Example:  naturegym split 10.5555/s42256-023-00601-7
    """
    from nature_gym.cli.tasks import is_task_file, task_file
    from nature_gym.errors import UsageError

    if task is None:
        if out is not None:
            raise UsageError("--out is for one task.", hint="Name the task, or leave --out away.")
        _split_all(force=force, as_json=as_json)
    elif out is None and not is_task_file(task):
        _split_paper(task, force=force, as_json=as_json)
    else:
        path = task_file(task)
        _split_file(path, out or path.parent / "split", as_json=as_json)


def _split_file(path: Path, target: Path, *, as_json: bool) -> None:
    from nature_gym.splitting.result import split_task

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


def _split_paper(name: str, *, force: bool, as_json: bool) -> None:
    """A paper's split as its stage does it, here and now."""
    from nature_gym.cli.output import settings
    from nature_gym.records import Papers
    from nature_gym.splitting.stage import NAME, SplitStage
    from nature_gym.stages import carry_out

    paper = Papers(settings().papers).find(name)
    result = carry_out(SplitStage(), paper, force=force)
    record = paper.record(NAME)
    made = record is not None and record.status == "done"
    value = {
        "id": paper.id, "kind": result.kind, "verdict": result.verdict, "reason": result.reason,
        "folder": str(paper.path / NAME) if made else None, "facts": record.facts if record and made else {},
    }  # fmt: skip

    def text(out: Console) -> None:
        out.print(f"{shown(paper.id)}: {shown(result.verdict)}: {shown(result.reason)}")
        for split, counts in (record.facts.get("rows", {}) if record and made else {}).items():
            sides = ", ".join(f"{part or 'dropped'} {rows:,}" for part, rows in counts.items() if part or rows)
            out.print(f"  split {shown(split)}: {sides}")
        if value["folder"]:
            out.print(shown(value["folder"]), soft_wrap=True)

    emit(value, as_json=as_json, text=text)
    if result.kind == "error":
        raise typer.Exit(3)
    if not made:  # now, or the last time, for the same reason
        raise typer.Exit(1)


def _split_all(*, force: bool, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.output import settings
    from nature_gym.cli.progress import progress_bars
    from nature_gym.cli.stopping import resumable

    with resumable("split", as_json=as_json), progress_bars() as tell:
        finished = run_flow(
            "flows.split:split",
            settings(),
            {"papers": None, "force": force},
            show_progress=lambda progress: tell(progress.stage, progress.done, progress.total),
        )
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing to split")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


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
