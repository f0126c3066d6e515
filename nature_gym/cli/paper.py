"""``naturegym paper``: what is known of one paper, and which papers there are."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load
from nature_gym.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.records import PaperFolder

MOST = 10**9


class Status(StrEnum):
    """How the last attempt at a stage ended."""

    DONE = "done"
    FAILED = "failed"
    ERROR = "error"


LISTED = ("id", "year", "stage", "verdict", "title")

app = typer.Typer(no_args_is_help=True, help="Look at papers.")


@app.command()
def show(
    paper: Annotated[str, typer.Argument(help="A paper's id, its DOI, or the end of its id.")],
    as_json: JsonOption = False,
) -> None:
    """Show everything known of one paper: what it is, and what each stage made of it.

    Example:  naturegym paper show 10.5555/s42256-023-00601-7
    """
    from nature_gym.records import Papers

    folder = Papers(load().papers).find(paper)
    known = _everything(folder)
    emit(known, as_json=as_json, text=lambda out: _print(out, known))


@app.command("list")
def list_(
    text: Annotated[str, typer.Option(help="Stands in title, journal, DOI or id.")] = "",
    stage: Annotated[str, typer.Option(help="Papers that this stage has met.")] = "",
    verdict: Annotated[str, typer.Option(help="With this outcome, at that stage or at the last one met.")] = "",
    state: Annotated[
        Status | None, typer.Option("--status", help="Whose last attempt, at that stage or at the last met, ended so.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(min=0, max=MOST, help="Leave out so many first.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """List papers with where they stand.

    Example:  naturegym paper list --stage harvest --verdict withdrawn
    """
    from dataclasses import asdict

    from db.funnel import Filters, count_papers, list_papers
    from nature_gym.cli.status import indexed

    for word in (text, stage, verdict):
        if not word.isprintable():
            raise UsageError(f"{word!r} cannot be searched for", hint="Give printable text in UTF-8.")
    filters = Filters(
        text=text or None, stage=stage or None, verdict=verdict or None, status=state.value if state else None
    )
    with indexed(load()) as session:
        total = count_papers(session, **filters)
        papers = [asdict(line) for line in list_papers(session, limit=limit, offset=offset, **filters)]

    def print_list(out: Console) -> None:
        from rich.table import Table

        columns = {name: [shown(line[name] or "") for line in papers] for name in LISTED}
        widths = {name: max(map(len, [name, *cells])) for name, cells in columns.items()}
        if out.is_terminal:
            # An id is there to be copied, whole; a title is there to be recognised, and gives way.
            left = out.width - sum(width + 2 for name, width in widths.items() if name != "title")
            widths["title"] = min(widths["title"], max(20, left))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), width=sum(width + 2 for width in widths.values()))
        for name, width in widths.items():
            table.add_column(name, no_wrap=True, overflow="ellipsis", width=width)
        for row in zip(*columns.values(), strict=True):
            table.add_row(*row)
        out.print(table, crop=False)
        out.print(f"[dim]{len(papers):,} of {total:,}[/]")

    emit({"total": total, "papers": papers}, as_json=as_json, text=print_list)


def _everything(folder: PaperFolder) -> dict[str, Any]:
    """What the folder holds. A record that cannot be read is told among the errors, and hides nothing else."""
    published = []
    errors = {
        stage: error.model_dump(mode="json", exclude={"paper", "stage"}) for stage, error in folder.errors().items()
    }
    for stage in folder.publications():
        try:
            publication = folder.published(stage)
        except InfrastructureError as error:
            errors[stage] = {"error": "Unreadable", "reason": error.message, "hint": error.hint}
        else:
            published += [publication] if publication else []
    published.sort(key=lambda publication: publication.record.finished)
    return {
        "id": folder.id,
        "folder": str(folder.path),
        "work": _work(folder, errors),
        "stages": {
            record.stage: {
                **record.model_dump(mode="json", exclude={"paper", "stage"}),
                "seconds": record.seconds,
                "folder": str(place),
            }
            for record, place in ((publication.record, publication.folder) for publication in published)
        },
        "errors": errors,
    }


def _work(folder: PaperFolder, errors: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What the harvest wrote down of the paper; a file that cannot be read is added to ``errors``."""
    version = folder.publication("harvest")
    path = folder.path / (version or "harvest") / "work.json"
    if not path.exists():
        return {}
    try:
        work = orjson.loads(path.read_bytes())
        trouble = "" if isinstance(work, dict) else "it holds no work"
    except ValueError as error:
        trouble = str(error)
    if trouble:
        hint = "Harvest the paper again, which writes it anew."
        errors["harvest"] = {"error": "Unreadable", "reason": f"{path} cannot be read: {trouble}", "hint": hint}
        return {}
    return dict(work)


def _print(out: Console, known: dict[str, Any]) -> None:
    from rich.table import Table

    work = known["work"]
    out.print(f"[bold]{shown(work.get('title') or known['id'])}[/bold]")
    facts = Table(box=None, show_header=False, pad_edge=False)
    for label, key in (
        ("id", "id"), ("DOI", "doi"), ("OpenAlex", "openalex_id"), ("journal", "venue"), ("published", "published"),
        ("type", "article_type"), ("licence", "licence"), ("open access", "oa_status"),
    ):  # fmt: skip
        value = known.get(key) if key == "id" else work.get(key)
        if value:
            facts.add_row(label, shown(str(value)))
    if work.get("retracted"):
        facts.add_row("retracted", "yes")
    facts.add_row("folder", shown(known["folder"]))
    out.print(facts)
    if known["stages"]:
        out.print()
        stages = Table("stage", "outcome", "reason", "when", "seconds", box=None, pad_edge=False)
        for stage, record in known["stages"].items():
            stages.add_row(
                stage,
                shown(record["verdict"]),
                shown(record["reason"]),
                record["finished"][:19].replace("T", " "),
                f"{record['seconds']:.2f}",
            )
        out.print(stages)
    for stage, record in known["stages"].items():
        for name, output in record["outputs"].items():
            out.print(f"  {shown(stage)}/{shown(name)}  {output['size']:,} bytes  {output['digest'][:19]}")
    for stage, error in known["errors"].items():
        out.print(f"\n[red]{shown(stage)} could not be carried out[/red]: {shown(error['reason'])}")
        if error["hint"]:
            out.print(f"  {shown(error['hint'])}")
