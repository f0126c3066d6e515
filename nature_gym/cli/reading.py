"""``naturegym ingest`` and ``naturegym read``: from files to what they say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, console, emit, emit_json, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from flows.launch import Progress
    from nature_gym.reading.document import Source
    from nature_gym.records import PaperFolder
    from nature_gym.stages import Result


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Papers: HTML, XML or PDF files, or folders of them.")],
    force: Annotated[bool, typer.Option("--force", help="Read again what was read before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Take in papers that you have already, and read them; nothing is asked of the network.

    A folder that holds one paper may hold it in several forms, its tables' pages in tables/ and its code and
    data in repository/ and data/. With --json, one object a line is printed for each paper: its paper.json.

    Example:  naturegym ingest papers/ --json
    """
    from nature_gym.reading.ingest import ingest as take_in
    from nature_gym.records import Papers

    worst = 0
    out = console()
    for paper in take_in(paths, Papers(load().papers), force=force):
        worst = max(worst, _exit_code(paper.result))
        if as_json:
            emit_json(_object(paper.folder, paper.result), line=True)
        else:
            _print_paper(out, paper.folder, paper.result)
    if worst:
        raise typer.Exit(worst)


def read(
    papers: Annotated[list[str] | None, typer.Argument(help="Ids or DOIs; all papers where none is given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Read again what was read before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Read what was fetched: text, sections, availability statements, links, tables, figures.

    Papers whose files have not changed are skipped. The files are in the paper's folder, under read/.

    Example:  naturegym read 10.5555/s42256-023-00601-7
    """
    from nature_gym.records import Papers

    settings = load()
    corpus = Papers(settings.papers)
    folders = [corpus.find(name) for name in papers or ()]
    if len(folders) != 1:
        _read_many([folder.id for folder in folders] or None, force=force, as_json=as_json)
        return
    from nature_gym.reading.stage import ReadStage
    from nature_gym.stages import carry_out

    result = carry_out(ReadStage(settings), folders[0], force=force)
    emit(_object(folders[0], result), as_json=as_json, text=lambda out: _print_paper(out, folders[0], result))
    if code := _exit_code(result):
        raise typer.Exit(code)


def _read_many(papers: list[str] | None, *, force: bool, as_json: bool) -> None:
    """By the flow: in parallel, with progress, visible in Prefect."""
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars

    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell(progress.stage, progress.done, progress.total)

        parameters = {"papers": papers, "force": force}
        finished = run_flow("flows.read:read", load(), parameters, show_progress=show)
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items())) or "there are no papers")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


def _exit_code(result: Result) -> int:
    return {"failed": 1, "error": 3}.get(result.kind, 0)


def _object(folder: PaperFolder, result: Result) -> dict[str, Any]:
    """The paper's ``paper.json``; where it could not be read, the same object with nothing but the reason."""
    import orjson

    from nature_gym.reading.stage import FETCH, FORMS, STAGE
    from nature_gym.reading.writing import PAPER, empty_paper_file

    published = folder.published(STAGE)
    path = published.folder / PAPER if published else None
    if result.kind != "error" and path is not None and path.is_file():
        told: dict[str, Any] = orjson.loads(path.read_bytes())
        return told
    fetched = folder.record(FETCH)
    form: Source = next((form for form in FORMS if fetched and f"article.{form}" in fetched.outputs), "html")
    return empty_paper_file(folder.id, form, result.reason).model_dump(mode="json")


def _print_paper(out: Console, folder: PaperFolder, result: Result) -> None:
    told = _object(folder, result)
    mark = {"failed": "[red]failed[/]", "error": "[red]error[/]", "current": "[dim]current[/]"}.get(result.kind, "read")
    out.print(f"{shown(folder.id)}  {mark}  {shown(told['title'])}")
    if told["sections"]:
        kinds = [link["kind"] for link in told["links"]]
        counts = [
            (len(told["sections"]), "sections"),
            (len(told["tables"]), "tables"),
            (len(told["figures"]), "figures"),
            (kinds.count("code"), "code links"),
            (kinds.count("data"), "data links"),
        ]
        stated = " and ".join(name for name, text in told["availability"].items() if text)
        facts = ", ".join(f"{count} {what}" for count, what in counts)
        out.print(f"  {facts}; availability of {stated}" if stated else f"  {facts}; no availability statement")
    for problem in told["problems"]:
        out.print(f"  [yellow]{shown(problem)}[/]")
