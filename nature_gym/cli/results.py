"""``naturegym results``: write a result package of stored trials, and look at one that somebody hands in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown

app = typer.Typer(help="Write a result package of stored trials; validate one.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The package: submission.yaml, results.csv, raw-results/.")]
Cases = Annotated[Path | None, typer.Option("--cases", help="The set's tasks (case_id,domain) that it has to cover.")]


@app.command()
def export(  # noqa: PLR0913, PLR0917 -- options of a command
    folder: Annotated[Path, typer.Argument(help="Where to write it: a new folder.")],
    agent: Annotated[str, typer.Option("--agent", help="The agent, as trials have it: claude-code:MODEL.")],
    organization: Annotated[str, typer.Option("--organization", help="Who hands it in.")],
    contact: Annotated[str, typer.Option("--contact", help="Whom to ask.")],
    compute: Annotated[str, typer.Option("--compute", help="The machine: processors, memory, accelerators.")],
    model: Annotated[str, typer.Option("--model", help="The language model, with its version.")] = "none",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which seed: a result package has one trial a task.")] = 0,
    url: Annotated[str, typer.Option("--url", help="Where to read about it.")] = "",
    deviations: Annotated[str, typer.Option("--deviations", help="What was otherwise than in the reference.")] = "",
    packages: Annotated[
        list[str] | None,
        typer.Option("--packages", metavar="NAME[,NAME]...", help="The set; else all swept."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the result package of an agent's stored trials: submission.yaml, results.csv, raw-results/.

    Every task of the set has a row, also where no trial was run. Scores have to be judged before.

    Example:  naturegym results export out --agent constant --organization Us --contact us@a.org --compute "2 cores"
    """
    import datetime as dt

    from nature_gym.cli.output import settings
    from nature_gym.scoring.submission import About
    from nature_gym.sweeping.export import export as write
    from nature_gym.sweeping.export import submission_of
    from nature_gym.sweeping.folders import TrialFolders
    from nature_gym.sweeping.results import domains_of, trial_board

    names = [name.strip() for text in packages or [] for name in text.split(",") if name.strip()]
    folders = TrialFolders(settings().home)
    found = trial_board(folders, domains_of(folders), agents=[agent], packages=names)
    about = About(
        model=model, agent=agent, organization=organization, url=url, contact=contact,
        submission_date=dt.datetime.now(dt.UTC).date(),
    )  # fmt: skip
    submission = submission_of(found, about, compute=compute, deviations=deviations)
    rows = write(folder, found, agent, seed, submission)
    scored = sum(one.best_score is not None for one in rows)
    emit(
        {"package": str(folder), "tasks": len(rows), "scored": scored},
        as_json=as_json,
        text=lambda out: out.print(f"{shown(folder)}: {len(rows)} tasks, {scored} with a score"),
    )


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
