"""``naturegym cut``: what of a folder with code any method would need, found without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, emit_json, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.cut.folder import Cut
    from nature_gym.cut.report import CutReport
    from nature_gym.records import PaperFolder


def cut(
    what: Annotated[
        str | None,
        typer.Argument(metavar="ID|FOLDER", help="A paper that was acquired, or a folder with code; else all papers."),
    ] = None,
    method: Annotated[str, typer.Option("--method", help="The core algorithm's name, where it is known.")] = "",
    why: Annotated[str, typer.Option("--why", metavar="FILE", help="Explain the verdict on one file.")] = "",
    open_page: Annotated[
        bool, typer.Option("--open", help="Write a page with the graph and the files, and open it.")
    ] = False,
    draft: Annotated[
        Path | None, typer.Option("--draft", metavar="FILE", help="Of a folder: write a draft of its task.yaml, too.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Cut papers again, also what is up to date.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say of every file whether any method for the task would need it, or only the paper's own; draft the task.

    Nothing is run, imported or unpickled. Of a folder, each verdict has its evidence: the lines of code that write and
    read the file, what documents say of it, and its name. Of a paper, the settings that screening accepted are joined
    with the splits that files and code show, and its task.yaml is drafted: each split is carried out once, and what is
    not certain is a question in it, which 'naturegym review list' shows as well. A task.yaml that somebody changed is
    kept; the new draft then lies beside it.

    Ends with 1 for a paper that cannot be cut, also where that was found out before; --force tries again.

    With --json a folder is one object: files, patterns (paths that the code names and the folder lacks), core,
    splits, metrics_code, warnings.

    Example:  naturegym cut 10.5555/s42256-023-00601-7
    Example:  naturegym cut my-repository --method AlphaNet --json
    """
    if what is None:
        _cut_all(force=force, as_json=as_json)
        return
    folder = Path(what)
    if folder.is_dir():
        _cut_folder(folder, method, why, draft, open_page=open_page, as_json=as_json)
    else:
        _cut_paper(what, why, draft, open_page=open_page, force=force, as_json=as_json)


def _cut_folder(folder: Path, method: str, why: str, draft: Path | None, *, open_page: bool, as_json: bool) -> None:
    from nature_gym.cut.folder import cut_folder
    from nature_gym.cut.report import report_of

    found = cut_folder(folder, method=method or None)
    if draft is not None:
        _draft(folder, method, draft)
    if open_page:
        _show_page(found, folder.resolve().name or "folder")
    if why:
        _explain(found, why, as_json=as_json)
        return
    report = report_of(found)
    emit(report.model_dump(mode="json"), as_json=as_json, text=lambda out: _print(out, report))


def _draft(folder: Path, method: str, target: Path) -> None:
    """Write the draft of a folder's task, with its questions on standard error."""
    import os

    from nature_gym.acquisition.inventory import take_inventory
    from nature_gym.cli.output import settings
    from nature_gym.cut.drafting import Told, draft_task
    from nature_gym.cut.material import gather
    from nature_gym.packaging.task_file import write_task
    from nature_gym.screening.task import TaskTuple

    folders = {"code": folder.resolve()}
    material = gather(folders, take_inventory(folders, settings()), method=method or None)
    root = target.resolve().parent
    sources = {"code": {"path": os.path.relpath(folders["code"], root), "kind": "repository"}}
    made = draft_task(material, Told(sources, TaskTuple(method=method)), folders, root)
    write_task(target, made.task)
    for question in made.task.questions:
        typer.echo(f"? {question}", err=True)
    typer.echo(f"{target}: {len(made.task.instances)} instance(s)", err=True)


def _cut_paper(name: str, why: str, draft: Path | None, *, open_page: bool, force: bool, as_json: bool) -> None:
    from nature_gym.cli.output import settings
    from nature_gym.cut.stage import CutStage
    from nature_gym.errors import UsageError
    from nature_gym.records import Papers
    from nature_gym.stages import carry_out

    if draft is not None:
        raise UsageError("--draft is for folders.", hint="A paper's draft is papers/<id>/cut/task.yaml.")
    paper = Papers(settings().papers).find(name)
    if why or open_page:
        _look_at_paper(paper, why, open_page=open_page, as_json=as_json)
        return
    result = carry_out(CutStage(), paper, force=force)
    file = paper.path / "cut" / "task.yaml"
    value: dict[str, Any] = {
        "id": paper.id, "kind": result.kind, "verdict": result.verdict, "reason": result.reason,
        "task": str(file) if file.is_file() else None, "questions": _questions(paper),
    }  # fmt: skip
    emit(value, as_json=as_json, text=lambda out: _print_paper(out, value))
    if code := 3 if result.kind == "error" else int(result.is_failure):
        raise typer.Exit(code)


def _questions(paper: PaperFolder) -> list[dict[str, Any]]:
    from dataclasses import asdict

    from nature_gym.cut.questions import questions_of

    return [asdict(question) for question in questions_of(paper)]


def _look_at_paper(paper: PaperFolder, why: str, *, open_page: bool, as_json: bool) -> None:
    """The page of each of a paper's sources; the verdict on a file of the one that it names, or of the first."""
    from nature_gym.acquisition.acquired import read_acquisition
    from nature_gym.acquisition.plan import screened
    from nature_gym.cut.folder import cut_folder
    from nature_gym.cut.stage import named_sources
    from nature_gym.errors import PaperError, UsageError

    try:
        method = screened(paper).task.method
    except PaperError as error:
        raise UsageError(f"{paper.id}: {error.message}", hint=error.hint) from error
    if paper.published("acquire") is None:
        raise UsageError(f"{paper.id} was not acquired", hint=f"Run 'naturegym acquire {paper.id}'.")
    sources = named_sources(read_acquisition(paper.path / "acquire"))
    folders = {name: (paper.path / "acquire" / "sources" / one.name).resolve() for name, one in sources.items()}
    if open_page:
        for name, folder in folders.items():
            _show_page(cut_folder(folder, method=method or None), f"{paper.id}.{name}")
    if why:
        source, _, inner = why.partition("/")
        name = source if source in sources else next(iter(sources))
        found = cut_folder(folders[name], method=method or None)
        _explain(found, inner if source in sources else why, as_json=as_json)


def _cut_all(*, force: bool, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.output import settings
    from nature_gym.cli.progress import progress_bars
    from nature_gym.cli.stopping import resumable

    with resumable("cut", as_json=as_json), progress_bars() as tell:
        finished = run_flow(
            "flows.cut:cut",
            settings(),
            {"papers": None, "force": force},
            show_progress=lambda progress: tell(progress.stage, progress.done, progress.total),
        )
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing to cut")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


def _print_paper(out: Console, value: dict[str, Any]) -> None:
    out.print(f"{shown(value['id'])}: {shown(value['verdict'])}: {shown(value['reason'])}")
    for question in value["questions"]:
        out.print(f"  [yellow]?[/] {shown(question['about'])}: {shown(question['asks'])}")
        for said in question["evidence"]:
            out.print(f"      [dim]{shown(said)}[/]")
    if value["task"]:
        out.print(shown(value["task"]), soft_wrap=True)


def _show_page(found: Cut, title: str) -> None:
    import webbrowser

    from nature_gym.cut.drawing import page
    from nature_gym.files import write_atomically

    target = Path(f"{title}.cut.html").resolve()
    write_atomically(target, page(found, title).encode("utf-8", "replace"))
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
