"""``naturegym record``: screening's records in the ``filter_result.json`` layout, out and in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(no_args_is_help=True, help="Exchange screening's records with other systems (filter_result.json).")


@app.command()
def export(
    papers: Annotated[
        list[str] | None, typer.Argument(help="Ids or DOIs; all that were screened if none is given.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder: one file a paper.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Write filter_result.json of papers: to a folder, or to standard output.

    Example:  naturegym record export 10.5555/s42256-023-00601-7 --out records/
    """
    from nature_gym.files import to_json, write_atomically
    from nature_gym.records import Papers
    from nature_gym.screening.exchange import to_filter_result
    from nature_gym.screening.record import read_screening
    from nature_gym.screening.stage import STAGE

    corpus = Papers(load().papers)
    folders = [corpus.find(name) for name in papers] if papers else list(corpus)
    results: list[dict[str, Any]] = []
    for folder in folders:
        published = folder.published(STAGE)
        if published is None or published.record.status != "done":
            if papers:
                _not_screened(folder.id)
            continue
        results.append(to_filter_result(read_screening(published.folder)))
    if out is None:
        value = results[0] if papers and len(results) == 1 else results
        emit(value, as_json=True, text=lambda _: None)
        return
    out.mkdir(parents=True, exist_ok=True)
    for result in results:
        write_atomically(out / f"{result['paper_id']}.json", to_json(result))
    emit(
        {"written": len(results), "folder": str(out)},
        as_json=as_json,
        text=lambda console: console.print(f"{len(results):,} records in {shown(out)}"),
    )


def _not_screened(paper: str) -> None:
    from nature_gym.errors import UsageError

    raise UsageError(f"{paper} was not screened", hint="Run 'naturegym screen' on it first.")


@app.command(name="import")
def import_(
    files: Annotated[list[Path], typer.Argument(help="filter_result.json files, or folders of them.")],
    as_json: JsonOption = False,
) -> None:
    """Take decisions of another system in: they count as answers of the review, by the decider 'imported'.

    Example:  naturegym record import records/
    """
    from nature_gym.records import Papers
    from nature_gym.screening.importing import import_file

    corpus = Papers(load().papers)
    paths = [path for given in files for path in (sorted(given.rglob("*.json")) if given.is_dir() else [given])]
    outcomes = [import_file(path, corpus) for path in paths]

    def text(out: Console) -> None:
        for outcome in outcomes:
            out.print(f"{shown(outcome['file'])}  {shown(outcome['paper'] or '')}  {shown(outcome['outcome'])}")

    emit(outcomes, as_json=as_json, text=text)
    if any(outcome["paper"] is None for outcome in outcomes):
        raise typer.Exit(1)
