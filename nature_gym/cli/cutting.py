"""``naturegym cut``: what of a folder with code any method would need, found without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, emit_json, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.cut.folder import Cut
    from nature_gym.cut.report import CutReport


def cut(
    folder: Annotated[Path, typer.Argument(help="A folder with code and data: a repository as cloned or unpacked.")],
    method: Annotated[str, typer.Option("--method", help="The core algorithm's name, where it is known.")] = "",
    why: Annotated[str, typer.Option("--why", metavar="FILE", help="Explain the verdict on one file.")] = "",
    open_page: Annotated[
        bool, typer.Option("--open", help="Write a page with the graph and the files, and open it.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Say of every file in a folder whether any method for the task would need it, or only the paper's own.

    Nothing is run, imported or unpickled. Each verdict has its evidence: the lines of code that write and read the
    file, what documents say of it, and its name. With --json one object is printed: files, patterns (paths that the
    code names and the folder lacks), core, splits, metrics_code, warnings.

    Example:  naturegym cut my-repository --method AlphaNet --json
    """
    from nature_gym.cut.folder import cut_folder
    from nature_gym.cut.report import report_of

    found = cut_folder(folder, method=method or None)
    if open_page:
        _show_page(found, folder)
    if why:
        _explain(found, why, as_json=as_json)
        return
    report = report_of(found)
    emit(report.model_dump(mode="json"), as_json=as_json, text=lambda out: _print(out, report))


def _show_page(found: Cut, folder: Path) -> None:
    import webbrowser

    from nature_gym.cut.drawing import page
    from nature_gym.files import write_atomically

    target = Path(f"{folder.resolve().name or 'folder'}.cut.html").resolve()
    write_atomically(target, page(found, folder.resolve().name).encode("utf-8", "replace"))
    typer.echo(f"{target}", err=True)
    webbrowser.open(target.as_uri())


def _explain(found: Cut, name: str, *, as_json: bool) -> None:
    from nature_gym.cut.explaining import explain, find_verdict

    verdict = find_verdict(found, name)
    lines = explain(found, verdict)
    if as_json:
        emit_json({"path": verdict.path, "category": verdict.category, "kept": verdict.kept,
                   "confidence": verdict.confidence, "explanation": lines})  # fmt: skip
    else:
        for line in lines:
            typer.echo(line.encode("utf-8", "replace").decode())


def _print(out: Console, report: CutReport) -> None:
    """A line a group of files of one folder, suffix and category; then the rest in counts."""
    from nature_gym.cut.explaining import grouped

    for group in grouped(report.files):
        mark = "[green]keep[/]" if group.kept else "[red]drop[/]"
        out.print(f"{mark}  {group.category:<31} {shown(group.pattern)}  [dim]{shown(group.evidence)}[/]")
    if report.patterns:
        out.print(f"\n{len(report.patterns):,} paths that the code names are not in the folder; --json lists them")
    for part in report.core[:8]:
        out.print(f"core  {shown(part.file)}:{part.line} {shown(part.name)}  [dim]{shown(part.why)}[/]")
    for split in report.splits[:8]:
        place = split.evidence[0]
        out.print(f"split  {split.kind}  {shown(place.file)}:{place.line}  [dim]{shown(place.what)}[/]")
    for warning in report.warnings:
        out.print(f"[yellow]{shown(warning)}[/]")
