"""``naturegym leaderboard``: the published figures and ours, over the results of one agent or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, console, emit_json, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.scoring.board import Board
    from nature_gym.scoring.board_formats import Table
    from nature_gym.sweeping.results import TrialBoard

Form = Literal["text", "json", "csv", "markdown", "latex"]


def leaderboard(
    results: Annotated[
        list[Path] | None,
        typer.Option("--results", metavar="[NAME=]FILE", help="A results.csv; once for each agent.", parser=str),
    ] = None,
    cases: Annotated[Path | None, typer.Option("--cases", help="The set's tasks: case_id,domain.")] = None,
    agents: Annotated[
        list[str] | None, typer.Option("--agents", metavar="NAME[,NAME]...", help="Of stored trials: these agents.")
    ] = None,
    packages: Annotated[
        list[str] | None, typer.Option("--packages", metavar="NAME[,NAME]...", help="Of stored trials: this set.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = "text",
    as_json: JsonOption = False,
) -> None:
    """Count what agents did over all tasks of a set: match, surpass, gaps, by domain, with their uncertainty.

    Without --results it is of the stored trials: the best attempt of each, the mean over seeds with its spread, before
    and after the judge, cost and time a match. One table of results gives that agent's figures; several are ranked
    against each other. The denominator is always all tasks of the set, so each table must have every task that --cases
    names, and none beside; a trial that is missing has no score.

    Example:  naturegym leaderboard --agents constant,tabular

    Example:  naturegym leaderboard --results results.csv --cases cases.csv --format json
    """
    from nature_gym.errors import UsageError
    from nature_gym.scoring.board import board_of
    from nature_gym.scoring.results import of_the_set, read_cases, read_results

    if not results:
        _of_trials(agents or [], packages or [], "json" if as_json else form)
        return
    if agents or packages:
        raise UsageError("--agents and --packages choose stored trials.", hint="Leave them out beside --results.")
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


def _of_trials(agents: list[str], packages: list[str], form: Form) -> None:
    """The board of the stored trials."""
    from nature_gym.cli.output import settings
    from nature_gym.sweeping.folders import TrialFolders
    from nature_gym.sweeping.request import agents_in
    from nature_gym.sweeping.results import domains_of, trial_board

    names = [name.strip() for text in packages for name in text.split(",") if name.strip()]
    home = settings()
    folders = TrialFolders(home.home)
    found = trial_board(folders, domains_of(folders), agents=agents_in(agents), packages=names)
    if form == "json":
        emit_json(found.as_dict())
        return
    if form == "text":
        print_trials(console(), found)
    else:
        _print(found.board, form)


def print_trials(out: Console, found: TrialBoard) -> None:
    """The board of stored trials, with what only trials can tell."""
    from nature_gym.scoring import board_formats

    for table in [*board_formats.tables(found.board), _trial_table(found)]:
        _print_table(out, table)
    for line in found.lines():
        out.print(shown(line))


def _trial_table(found: TrialBoard) -> Table:
    """What only trials can tell, an agent a row."""
    from nature_gym.scoring.board_formats import Table

    def pair(before: float | None, after: float | None) -> str:
        return " -> ".join("n/a" if one is None else f"{one:.2f}" for one in (before, after))

    def each(total: float, matched: int, unit: str) -> str:
        return f"{unit}{total:,.2f}" + (f" ({unit}{total / matched:,.2f} a match)" if matched else " (no match)")

    rows = []
    for standing in found.board.standings:
        side, after = found.agents[standing.agent], standing.overall
        spread = ", ".join(f"{value:.2f}" for value in side.spread.values())
        rows.append((
            standing.agent, str(len(side.outcomes)), str(side.missing),
            pair(side.before.match_sota, after.match_sota), pair(side.before.surpass_sota, after.surpass_sota),
            pair(side.before.mean_g_all, after.mean_g_all), spread or "one seed", each(side.cost, side.matched, "$"),
            each(side.hours, side.matched, ""),
        ))  # fmt: skip
    columns = (
        "Agent", "Trials", "Missing", "Match %", "Surpass %", "Mean g", "Spread over seeds", "Cost", "Hours"
    )  # fmt: skip
    return Table("Trials: before the judge -> after it", columns, tuple(rows))


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


def _print_table(out: Any, table: Table) -> None:
    from rich.table import Table as Drawn

    drawn = Drawn(title=table.title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in table.columns:
        drawn.add_column(column, justify="left" if column in table.words else "right")
    for row in table.rows:
        drawn.add_row(*(shown(cell) for cell in row))
    out.print(drawn)
    out.print()
