"""``naturegym screen``: which papers hold a task that a program can grade, and why the others do not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.default_command import DEFAULT, DefaultCommand
from nature_gym.cli.output import JsonOption, console, emit, emit_json, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.cli.named import Named
    from nature_gym.config import Settings
    from nature_gym.errors import UsageError
    from nature_gym.records import PaperFolder, Papers, Publication
    from nature_gym.screening.evaluation import Comparison
    from nature_gym.screening.funnel import Funnel
    from nature_gym.screening.record import Screening
    from nature_gym.screening.task_size import TaskSize
    from nature_gym.stages import Result

app = typer.Typer(cls=DefaultCommand, help="Put papers through the three levels of rules; see who is left, and why.")


@app.command(DEFAULT)
def screen(
    papers: Annotated[
        list[str] | None, typer.Argument(help="Ids, DOIs, or files and folders of papers; all where none is given.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each rule's verdict, reason and quotations.")
    ] = False,
    decider: Annotated[
        Literal["rules", "llm", "human"] | None,
        typer.Option(help="Who decides: rules, llm or human. By rule: see the setting 'deciders'."),
    ] = None,
    opinion: Annotated[
        bool | None,
        typer.Option(
            "--second-opinion/--no-second-opinion",
            help="Read papers that pass again for a reason to reject; where there is one, a person decides.",
        ),
    ] = None,
    probe: Annotated[
        bool | None, typer.Option("--probe/--no-probe", help="Look at links, or go by what the text says of them.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Screen again what was screened before.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Put papers through the three levels of rules, up to the first that they do not pass.

    Only papers are worked on that are new, changed, or screened by rules that have changed. What nobody can decide
    waits in the queue of 'naturegym review'. 'naturegym screen evaluate' compares verdicts with a labelled list.

    Example:  naturegym screen 10.5555/s42256-023-00601-7 --explain
    """
    from nature_gym.errors import UsageError

    settings = _chosen(load(), decider, probe, opinion)
    if not papers:
        if explain:
            raise UsageError("--explain needs papers to explain", hint="Name them: naturegym screen ID --explain.")
        with resumable("screen", as_json=as_json):
            _screen_all(settings, force=force, as_json=as_json)
        return
    with resumable("screen", as_json=as_json):
        worst = _screen_named(papers, settings, explain=explain, force=force, as_json=as_json)
    if worst:
        raise typer.Exit(worst)


def _screen_named(papers: list[str], settings: Settings, *, explain: bool, force: bool, as_json: bool) -> int:
    """Screen them here, one after the other, and print what came of each; the command's exit code."""
    from nature_gym.records import Papers
    from nature_gym.screening.stage import ScreenStage
    from nature_gym.stages import carry_out

    corpus, stage = Papers(settings.papers), ScreenStage(settings)
    meant = _papers(papers, corpus)
    worst, out = meant.exit_code, console()
    for folder in meant.papers:
        result = carry_out(stage, folder, force=force)
        worst = max(worst, {"failed": 1, "error": 3}.get(result.kind, 0))
        if as_json:
            emit_json(_object(folder, result), line=len(papers) > 1 or len(meant.papers) > 1)
        else:
            _print(out, folder, result, explain=explain)
    meant.print_refused(console(stderr=True))
    return worst


@app.command()
def evaluate(
    truth: Annotated[Path, typer.Argument(help="A CSV with the columns id,verdict,stopped_at,code.")],
    as_json: JsonOption = False,
) -> None:
    """Compare verdicts with a labelled list: precision, recall, and which papers end elsewhere than labelled.

    Example:  naturegym screen evaluate truth.csv
    """
    from nature_gym.records import Papers
    from nature_gym.screening.evaluation import compare, read_labels
    from nature_gym.screening.record import read_screening

    labels = read_labels(truth)
    corpus = Papers(load().papers)
    published = [found for paper in labels if (found := _published(corpus, paper)) is not None]
    comparison = compare(labels, (read_screening(found.folder) for found in published))
    emit(comparison.as_json(), as_json=as_json, text=lambda out: _print_comparison(out, comparison))


def _published(corpus: Papers, paper: str) -> Publication | None:
    """What screening published of a labelled paper, whose id may be of no paper here."""
    from nature_gym.errors import UsageError
    from nature_gym.screening.stage import STAGE

    try:
        found = corpus[paper].published(STAGE)
    except UsageError:
        return None
    return found if found is not None and found.record.status == "done" else None


def _print_comparison(out: Console, comparison: Comparison) -> None:
    from rich.table import Table

    told = comparison.as_json()
    share = "" if told["agreement"] is None else f" ({told['agreement']:.1%})"
    out.print(f"{told['agreed']:,} of {told['papers']:,} papers end as labelled{share}")
    for name in ("precision", "recall"):
        value = told[name]
        out.print(f"{name} of passing: " + ("none passed" if value is None else f"{value:.3f}"))
    table = Table("truth", "found", "papers", "which", box=None, header_style="bold")
    table.columns[2].justify = "right"
    for cell in told["confusion"]:
        right = cell["truth"] == cell["found"]
        which = ", ".join(cell["papers"][:3]) + (", ..." if cell["count"] > 3 else "")
        table.add_row(
            cell["truth"],
            cell["found"],
            f"{cell['count']:,}",
            "" if right else shown(which),
            style="" if right else "red",
        )
    out.print(table)
    for paper in told["wrong_code"]:
        out.print(f"[yellow]another code than labelled:[/] {shown(paper)}")
    for name, counts in told["deciders"].items():
        out.print(f"{name}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))


def _chosen(settings: Settings, decider: str | None, probe: bool | None, opinion: bool | None) -> Settings:
    """The settings with what the command line chose."""
    from nature_gym.config import load_settings

    chosen: dict[str, Any] = {}
    if decider is not None:
        chosen |= {"decider": decider, "deciders": {}}
    if probe is not None:
        chosen["probe_links"] = probe
    if opinion is not None:
        chosen["second_opinion"] = opinion
    return load_settings(**chosen) if chosen else settings


def _papers(names: list[str], corpus: Papers) -> Named:
    """The papers meant: those of the corpus, and those in files or folders, which are ingested first."""
    from nature_gym.cli.named import Named, named
    from nature_gym.errors import UsageError
    from nature_gym.reading.ingest import ingest

    if any(not name.strip() for name in names):
        raise UsageError("an empty name means no paper", hint="Give ids, DOIs, or files and folders of papers.")
    # A paper's own folder in the corpus means that paper; it is not taken in anew.
    names = [Path(name).name if _is_of_corpus(Path(name), corpus) else name for name in names]
    paths = [Path(name) for name in names if Path(name).exists()]
    found: dict[str, PaperFolder] = {}
    refused: dict[str, UsageError] = {}
    for paper in ingest(paths, corpus) if paths else ():
        if paper.folder is not None:
            found[paper.folder.id] = paper.folder
        else:
            reason = paper.error.message if paper.error else paper.result.reason
            refused[paper.name] = UsageError(reason, hint=paper.error.hint if paper.error else "")
    of_files = Named(list(found.values()), refused)
    ids = [name for name in names if not Path(name).exists()]
    return named(corpus, ids, beside=of_files) if ids else of_files


def _is_of_corpus(path: Path, corpus: Papers) -> bool:
    """Whether ``path`` is a folder in which the corpus keeps a paper."""
    return path.is_dir() and path.resolve().parent == corpus.root.resolve()


def _object(folder: PaperFolder, result: Result) -> dict[str, Any]:
    """The screening as it is printed; one that could not be done is undecided, with the cause."""
    from nature_gym.screening.record import read_screening
    from nature_gym.screening.stage import STAGE
    from nature_gym.screening.task import TaskTuple

    published = folder.published(STAGE)
    if result.kind in ("done", "current") and published is not None and published.record.status == "done":
        return read_screening(published.folder).model_dump(mode="json")
    return {
        "id": folder.id,
        "title": "",
        "verdict": "undecided",
        "stopped_at": None,
        "summary": f"could not be screened: {result.reason}",
        "task": TaskTuple().model_dump(mode="json"),
        "decisions": [],
        "probes": [],
        "size": None,
    }


_COLOURS = {"passed": "green", "rejected": "red", "undecided": "yellow", "pass": "green", "reject": "red"}


def _print(out: Console, folder: PaperFolder, result: Result, *, explain: bool) -> None:
    from nature_gym.screening.record import read_screening
    from nature_gym.screening.stage import STAGE

    published = folder.published(STAGE)
    if result.kind in ("failed", "error") or published is None:
        out.print(f"{shown(folder.id)}  [red]{result.kind}[/]  {shown(result.reason)}")
        return
    screening = read_screening(published.folder)
    verdict = screening.verdict
    out.print(f"{shown(folder.id)}  [{_COLOURS[verdict]}]{verdict}[/]  {shown(screening.title)}")
    if verdict != "passed":
        out.print(f"  {shown(screening.summary)}")
    if explain:
        _explain(out, screening)


def _explain(out: Console, screening: Screening) -> None:
    for decision in screening.decisions:
        code = f" ({decision.code})" if decision.code else ""
        colour = _COLOURS.get(decision.verdict, "yellow")
        signed = f"{decision.decider} {decision.version}" + (f", {decision.by}" if decision.by else "")
        out.print(f"  [bold]{decision.rule}[/] [{colour}]{decision.verdict}[/]{shown(code)}  {shown(decision.reason)}")
        for evidence in decision.evidence:
            place = (
                f"{evidence.section}, {evidence.start}-{evidence.end}" if evidence.section is not None else "observed"
            )
            out.print(f"      “{shown(evidence.quote)}” [dim]({shown(place)})[/]")
        out.print(f"      [dim]{shown(signed)}[/]")
    task = screening.task
    lines = {
        "task": task.task_type,
        "method": ", ".join(filter(None, (task.method, *task.variants))),
        "metrics": ", ".join(f"{metric.name} ({metric.place})" for metric in task.metrics),
        "baselines": ", ".join(task.baselines),
        "settings": ", ".join(
            setting.name if setting.accepted else f"not {setting.name}: {setting.reason}" for setting in task.settings
        ),
    }
    if (size := screening.size) is not None:
        lines["data"] = _size_told(size)
    for name, text in lines.items():
        if text:
            out.print(f"  [bold]{name}[/]  {shown(text)}")


def _size_told(size: TaskSize) -> str:
    """The estimate, with how many links it rests on: ``3.2 GB (tier M, confidence high; 2 of 2 links by header)``."""
    from nature_gym.screening.sizes import readable

    links = f"of {size.links} links {size.by_header} by header, {size.by_api} by API"
    if size.size_bytes is None:
        return f"size unknown (confidence {size.confidence}; {links})"
    return f"{readable(size.size_bytes)} (tier {size.tier}, confidence {size.confidence}; {links})"


def _screen_all(settings: Settings, *, force: bool, as_json: bool) -> None:
    """By the flow: in parallel, with progress, visible in Prefect; then the funnel by rule."""
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars
    from nature_gym.records import Papers
    from nature_gym.screening.funnel import funnel_by_rule

    with progress_bars() as tell:
        finished = run_flow(
            "flows.screen:screen",
            settings,
            {"papers": None, "force": force},
            show_progress=lambda progress: tell(progress.stage, progress.done, progress.total),
        )
    funnel = funnel_by_rule(Papers(settings.papers))
    counts = finished.run.counts

    def text(out: Console) -> None:
        print_funnel_by_rule(out, funnel)
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    value = {"run": finished.run.id, "state": finished.state, "counts": counts, "funnel": funnel}
    emit(value, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


def print_funnel_by_rule(out: Console, funnel: Funnel) -> None:
    """The funnel of screening as a table."""
    from rich.table import Table

    table = Table("rule", "left", "stopped", box=None, header_style="bold", title_justify="left")
    table.columns[1].justify = "right"
    table.add_row("", f"{funnel['screened']:,}", "")
    for row in funnel["rules"]:
        stopped = ", ".join(f"{count:,} {code}" for code, count in row["stopped"].items())
        table.add_row(row["rule"], f"{row['left']:,}", shown(stopped))
    out.print(table)
    verdicts = funnel["verdicts"]
    out.print(", ".join(f"{verdicts.get(name, 0):,} {name}" for name in ("passed", "undecided", "rejected")))
