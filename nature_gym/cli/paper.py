"""``naturegym paper``: what is known of one paper, and which papers there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.records import PaperFolder

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
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many first.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """List papers with where they stand.

    Example:  naturegym paper list --stage harvest --verdict withdrawn
    """
    from dataclasses import asdict

    from db.funnel import Filters, count_papers, list_papers
    from nature_gym.cli.status import indexed

    filters = Filters(text=text or None, stage=stage or None, verdict=verdict or None)
    with indexed(load()) as session:
        total = count_papers(session, **filters)
        papers = [asdict(line) for line in list_papers(session, limit=limit, offset=offset, **filters)]

    def print_list(out: Console) -> None:
        from rich.table import Table

        columns = {name: [shown(line[name] or "") for line in papers] for name in LISTED}
        table = Table(box=None, pad_edge=False)
        for name, cells in columns.items():
            # An id is there to be copied, whole; a title is there to be recognised, and gives way.
            least = 0 if name == "title" else max(map(len, [name, *cells]))
            table.add_column(name, no_wrap=True, overflow="ellipsis", min_width=least)
        for row in zip(*columns.values(), strict=True):
            table.add_row(*row)
        out.print(table)
        out.print(f"[dim]{len(papers):,} of {total:,}[/]")

    emit({"total": total, "papers": papers}, as_json=as_json, text=print_list)


def _everything(folder: PaperFolder) -> dict[str, Any]:
    import orjson

    published = [publication for stage in folder.publications() if (publication := folder.published(stage))]
    published.sort(key=lambda publication: publication.record.finished)
    harvest = folder.published("harvest")
    path = harvest.folder / "work.json" if harvest else None
    return {
        "id": folder.id,
        "folder": str(folder.path),
        "work": orjson.loads(path.read_bytes()) if path and path.is_file() else {},
        "stages": {
            record.stage: {
                **record.model_dump(mode="json", exclude={"paper", "stage"}),
                "seconds": record.seconds,
                "folder": str(place),
            }
            for record, place in ((publication.record, publication.folder) for publication in published)
        },
        "errors": {
            stage: error.model_dump(mode="json", exclude={"paper", "stage"}) for stage, error in folder.errors().items()
        },
    }


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
