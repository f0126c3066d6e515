"""``naturegym ingest`` and ``naturegym read``: from files to what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, console, emit, emit_json, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from rich.console import Console

    from flows.launch import Progress
    from nature_gym.cli.named import Named
    from nature_gym.reading.document import Source
    from nature_gym.reading.ingest import IngestedPaper
    from nature_gym.reading.writing import PaperFile
    from nature_gym.records import PaperFolder
    from nature_gym.stages import Result


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Papers: HTML, XML or PDF files, or folders of them.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Read again what was read before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Take in papers that you have already, and read them; nothing is asked of the network.

    Files that state the same DOI, or the same title, are forms of one paper, whatever they are called. A paper's
    folder may also hold its tables' pages in tables/, its figures in figures/, its supplementary files (by
    name, by the article's links, or in supplementary/), and its code and data in repository/ and data/. All of
    it is copied; links that lead out of repository/ and data/ are left out. What is ingested later is added.

    With --json, one object a line is printed for each paper, its paper.json, and one of the same shape for each
    file that could not be taken in. Ends with 1 where a paper could not be read, 2 where a path is wrong, and
    3 where a file could not be opened.

    Example:  naturegym ingest papers/ --json
    """
    from nature_gym.cli.progress import progress_bars
    from nature_gym.reading.ingest import ingest as take_in
    from nature_gym.records import Papers

    notes: list[str] = []
    with resumable("ingest", as_json=as_json), progress_bars() as tell:
        corpus = Papers(load().papers)
        taken = list(
            take_in(paths, corpus, force=force, tell=lambda files: tell("ingest", files, 0), note=notes.append)
        )
    out = console()
    for paper in taken:
        if as_json:
            emit_json(_told(paper).model_dump(mode="json"), line=True)
        else:
            _print_paper(out, paper.id or paper.name, paper.result, _told(paper), _supplements(paper.folder))
    for note in notes:
        console(stderr=True).print(f"[dim]{shown(note)}[/]")
    if worst := max((paper.exit_code for paper in taken), default=0):
        raise typer.Exit(worst)


def _told(paper: IngestedPaper) -> PaperFile:
    """What is printed of a paper; where there is none, the same with nothing but the reason."""
    from nature_gym.reading.writing import empty_paper_file

    if paper.folder is not None:
        return _paper_file(paper.folder, paper.result)
    return empty_paper_file(paper.id, paper.form, paper.result.reason)


def read(
    papers: Annotated[list[str] | None, typer.Argument(help="Ids or DOIs; all papers where none is given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Read again what was read before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Read what was fetched: text, sections, availability statements, links, tables, figures.

    Papers whose files have not changed are skipped. The files are in the paper's folder, under read/.

    Example:  naturegym read 10.5555/s42256-023-00601-7
    """
    from nature_gym.cli.named import named
    from nature_gym.records import Papers

    settings = load()
    chosen = named(Papers(settings.papers), papers or ())
    folders = chosen.papers
    if len(folders) != 1 or chosen.refused:
        with resumable("read", as_json=as_json):
            _read_many(chosen if papers else None, force=force, as_json=as_json)
        return
    from nature_gym.reading.stage import ReadStage
    from nature_gym.stages import carry_out

    result = carry_out(ReadStage(settings), folders[0], force=force)
    told = _paper_file(folders[0], result)

    def text(out: Console) -> None:
        _print_paper(out, folders[0].id, result, told, _supplements(folders[0]))

    emit(told.model_dump(mode="json"), as_json=as_json, text=text)
    if code := _exit_code(result):
        raise typer.Exit(code)


def _read_many(papers: Named | None, *, force: bool, as_json: bool) -> None:
    """By the flow: in parallel, with progress, visible in Prefect."""
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars

    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell(progress.stage, progress.done, progress.total)

        ids = None if papers is None else [folder.id for folder in papers.papers]
        parameters = {"papers": ids, "force": force}
        finished = run_flow("flows.read:read", load(), parameters, show_progress=show)
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items())) or "there are no papers")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")
        if papers is not None:
            papers.print_refused(out)

    told = {"run": finished.run.id, "state": finished.state, "counts": counts}
    emit(told | ({"refused": papers.as_json()} if papers else {}), as_json=as_json, text=text)
    if code := max(3 if counts.get("error") else 0, papers.exit_code if papers else 0):
        raise typer.Exit(code)


def _exit_code(result: Result) -> int:
    return {"failed": 1, "error": 3}.get(result.kind, 0)


def _paper_file(folder: PaperFolder, result: Result) -> PaperFile:
    """The paper's ``paper.json``; where it could not be read, the same with nothing but the reason."""
    from nature_gym.reading.stage import FETCH, FORMS, STAGE
    from nature_gym.reading.writing import PAPER, empty_paper_file, read_paper_file

    published = folder.published(STAGE)
    if result.kind not in {"error", "failed"} and published and (published.folder / PAPER).is_file():
        return read_paper_file(published.folder)
    fetched = folder.record(FETCH)
    form: Source = next((form for form in FORMS if fetched and f"article.{form}" in fetched.outputs), "html")
    return empty_paper_file(folder.id, form, result.reason)


def _supplements(folder: PaperFolder | None) -> int:
    """How many supplementary files lie with a paper."""
    from nature_gym.reading.stage import STAGE

    record = folder.record(STAGE) if folder is not None else None
    return int(record.facts.get("supplements", 0)) if record is not None else 0


def _print_paper(out: Console, name: str, result: Result, told: PaperFile, supplements: int = 0) -> None:
    mark = {"failed": "[red]failed[/]", "error": "[red]error[/]", "current": "[dim]current[/]"}.get(result.kind, "read")
    out.print(f"{shown(name)}  {mark}  {shown(told.title)}")
    if told.sections:
        kinds = [link.kind for link in told.links]
        counts = [
            (len(told.sections), "sections"),
            (len(told.tables), "tables"),
            (len(told.figures), "figures"),
            (kinds.count("code"), "code links"),
            (kinds.count("data"), "data links"),
            *([(supplements, "supplementary files")] if supplements else []),
        ]
        stated = " and ".join(name for name, text in told.availability if text)
        facts = ", ".join(f"{count} {what}" for count, what in counts)
        out.print(f"  {facts}; availability of {stated}" if stated else f"  {facts}; no availability statement")
    for problem in told.problems:
        out.print(f"  [yellow]{shown(problem)}[/]")
