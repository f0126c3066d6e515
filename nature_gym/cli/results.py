"""``naturegym results``: look at a result package that somebody hands in, and take it in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown

app = typer.Typer(help="Validate a result package, and show what it says.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The package: submission.yaml, results.csv, raw-results/.")]
Cases = Annotated[Path | None, typer.Option("--cases", help="The set's tasks (case_id,domain) that it has to cover.")]


@app.command()
def validate(folder: Folder, cases: Cases = None, as_json: JsonOption = False) -> None:
    """Say what keeps a result package from being taken. Ends with 1 if anything does.

    Example:  naturegym results validate my-agent --cases cases.csv
    """
    from nature_gym.errors import UsageError
    from nature_gym.scoring.results import read_cases
    from nature_gym.scoring.submission import problems_of

    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", hint="Give the folder of the package.")
    problems = problems_of(folder, list(read_cases(cases)) if cases else ())
    emit(
        {"package": str(folder), "problems": [{"file": one.file, "message": one.message} for one in problems]},
        as_json=as_json,
        text=lambda out: out.print(
            "\n".join(f"{shown(one.file)}: {shown(one.message)}" for one in problems) or "The package is in order."
        ),
    )
    if problems:
        raise typer.Exit(1)
