"""``naturegym leaderboard``: the published figures and ours, over the results of one agent or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, console, emit_json, shown

if TYPE_CHECKING:
    from nature_gym.scoring.board import Board

Form = Literal["text", "json", "csv", "markdown", "latex"]


def leaderboard(
    results: Annotated[
        list[Path] | None,
        typer.Option("--results", metavar="[NAME=]FILE", help="A results.csv; once for each agent.", parser=str),
    ] = None,
    cases: Annotated[Path | None, typer.Option("--cases", help="The set's tasks: case_id,domain.")] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = "text",
    as_json: JsonOption = False,
) -> None:
    """Count what agents did over all tasks of a set: match, surpass, gaps, by domain, with their uncertainty.

    One table of results gives that agent's figures; several are ranked against each other. The denominator is always
    all tasks of the set, so each table must have every task that --cases names, and none beside.

    Example:  naturegym leaderboard --results results.csv --cases cases.csv --format json
    """
    from nature_gym.errors import UsageError
    from nature_gym.scoring.board import board_of
    from nature_gym.scoring.results import of_the_set, read_cases, read_results

    if not results:
        raise UsageError("No results are named.", hint="Name a table: --results results.csv")
    named = dict(_named(str(one)) for one in results)
    if len(named) < len(results):
        raise UsageError("Two tables have the same name.", hint="Name them: --results one=a.csv --results other=b.csv")
    domains = read_cases(cases) if cases else {}
    tables = {name: read_results(path) for name, path in named.items()}
    if domains:
        tables = {name: of_the_set(rows, domains) for name, rows in tables.items()}
    board = board_of(tables, domains)
    _print(board, "json" if as_json else form)


def _named(text: str) -> tuple[str, Path]:
    """NAME=FILE, or a file, which is then named after itself, or after its folder if it is a results.csv."""
    name, sign, path = text.partition("=")
    if sign and "/" not in name:
        return name, Path(path)
    file = Path(text)
    return (file.resolve().parent.name if file.stem == "results" else file.stem), file


def _print(board: Board, form: Form) -> None:
    from nature_gym.scoring import board_formats

    if form == "json":
        emit_json(board.as_dict())
    elif form == "text":
        out = console()
        for table in board_formats.tables(board):
            _print_table(out, table)
    else:
        typer.echo(board_formats.FORMATS[form](board), nl=False)


def _print_table(out: Any, table: Any) -> None:
    from rich.table import Table

    drawn = Table(title=table.title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in table.columns:
        drawn.add_column(column, justify="left" if column in table.words else "right")
    for row in table.rows:
        drawn.add_row(*(shown(cell) for cell in row))
    out.print(drawn)
    out.print()
