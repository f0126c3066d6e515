"""``naturegym score`` and ``rescore``: printed scores, what answers are against them, scores made anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, emit, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from nature_gym.evaluation.trial import Task
    from nature_gym.sweeping.folders import TrialFolder
    from nature_gym.sweeping.scores import TrialScores

    Remade = Callable[[TrialFolder, Task], tuple[TrialScores, TrialScores]]

app = typer.Typer(help="Read printed scores, and tell how far an answer is from one.", no_args_is_help=True)

Direction = Annotated[str, typer.Option("--direction", help="higher_is_better or lower_is_better.")]
Mode = Annotated[str, typer.Option("--mode", help="naturegym, or naturebench to read as the published parser does.")]


@app.command(context_settings={"ignore_unknown_options": True})  # so that -0.5 is a score
def parse(
    printed: Annotated[str, typer.Argument(help="The score as printed, such as '95.5 ± 0.2'.")],
    direction: Direction,
    mode: Mode = "naturegym",
    as_json: JsonOption = False,
) -> None:
    """Read a score as a paper prints it.

    Ends with 1, and the reason, where it is not one number.

    Example:  naturegym score parse "95.5 ± 0.2" --direction higher_is_better
    """
    from nature_gym.scoring.printed import read_score

    _no_option(printed, "parse")
    score = read_score(printed, direction, _mode(mode))
    emit(
        {"value": score.value, "unit": score.unit, "form": score.form},
        as_json=as_json,
        text=lambda out: out.print(f"{score.value!r} {shown(score.unit or '')}".rstrip() + f" ({score.form})"),
    )


@app.command(context_settings={"ignore_unknown_options": True})
def gap(
    score: Annotated[str, typer.Argument(help="The answer's score, a plain number.")],
    anchor: Annotated[str, typer.Option("--anchor", help="The paper's score as printed.")],
    direction: Direction,
    mode: Mode = "naturegym",
    as_json: JsonOption = False,
) -> None:
    """Tell how far an answer is from the paper's score, as a share of that score.

    At 0 it matches the paper, above 0.1 it surpasses it.

    Example:  naturegym score gap 0.97 --anchor "0.955 ± 0.002" --direction higher_is_better
    """
    from nature_gym.errors import UsageError
    from nature_gym.scoring.gap import Anchor, anchor_value, instance_gap, matches, surpasses
    from nature_gym.scoring.printed import direction_of

    _no_option(score, "gap")
    try:
        value = float(score)
    except ValueError:
        raise UsageError(f"{score[:40]!r} is not a number.", hint="Give the score as a plain number.") from None
    held = Anchor("", direction_of(direction), anchor_value(anchor, direction, _mode(mode)))
    found = instance_gap(value, held)
    word = "surpasses" if surpasses(found) else "matches" if matches(found) else "falls short of"
    emit(
        {"gap": found, "anchor": held.value, "matches": matches(found), "surpasses": surpasses(found)},
        as_json=as_json,
        text=lambda out: out.print(f"g = {found:+.6f}: {word} the paper's {held.value!r}"),
    )


Trials = Annotated[list[str] | None, typer.Argument(metavar="[TRIAL]...", help="Trials; all that ended, if none.")]
Where = Annotated[
    Path | None, typer.Option("--packages", help="The folder with the corrected packages; else where they were swept.")
]


@app.command()
def recompute(trials: Trials = None, packages: Where = None, as_json: JsonOption = False) -> None:
    """Hold the stored raw scores of trials against the anchors as they are now. No agent and no evaluator runs.

    Example:  naturegym score recompute
    """
    from nature_gym.sweeping.scores import recompute as made

    _remake(trials or [], packages, made, as_json=as_json)


def rescore(
    evaluator: Annotated[
        bool, typer.Option("--evaluator", help="Score the kept answers again by the evaluators as they are now.")
    ],
    trials: Trials = None,
    packages: Where = None,
    backend: Annotated[str, typer.Option(help="Where evaluators run. Default: the settings'.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Score the kept answers of trials again, after an evaluator was mended. No agent runs.

    Answers are kept up to 256 MiB each and 2 GiB a trial. An attempt whose answer was not kept keeps its score, and is
    named. 'naturegym score recompute' does for an anchor that was corrected.

    Example:  naturegym rescore --evaluator 3fa0c1
    """
    from nature_gym.cli.output import settings
    from nature_gym.errors import UsageError
    from nature_gym.sandbox.choosing import chosen_sandbox
    from nature_gym.store import Store
    from nature_gym.sweeping.scores import rescore as made

    if not evaluator:
        raise UsageError("Nothing is to be scored again.", hint="Give --evaluator; or 'naturegym score recompute'.")
    home = settings()
    store = Store(home.store)

    def again(trial: TrialFolder, task: Task) -> tuple[TrialScores, TrialScores]:
        sandbox = chosen_sandbox(backend or home.sandbox, image=trial.spec.image)
        return made(trial, task, store, sandbox, seconds=trial.spec.policy.scoring_seconds)

    _remake(trials or [], packages, again, as_json=as_json)


def _remake(names: list[str], packages: Path | None, made: Remade, *, as_json: bool) -> None:
    """Make the scores of trials anew, one after another, and print what changed; one that cannot be stops no other."""
    from nature_gym.cli.output import settings
    from nature_gym.errors import NatureGymError
    from nature_gym.evaluation.trial import open_task
    from nature_gym.packaging.package import open_package
    from nature_gym.sweeping.folders import COUNTED, TrialFolders

    folders = TrialFolders(settings().home)
    found = [folders.find(name) for name in names] if names else [one for one in folders if one.status in COUNTED]
    rows: list[dict[str, Any]] = []
    worst = 0
    for trial in found:
        row: dict[str, Any] = {"trial": trial.id, "package": trial.spec.package, "agent": trial.spec.agent}
        try:
            place = packages / trial.spec.package if packages else Path(str(trial.record.get("path", "?")))
            before, after = made(trial, open_task(open_package(place)))
            row |= {
                "before": before.best.gap if before.best else None, "after": after.best.gap if after.best else None,
                "version": str(after.version), "not_scored_again": dict(after.left),
            }  # fmt: skip
        except NatureGymError as error:
            row |= {"error": error.message, "hint": error.hint}
            worst = max(worst, error.exit_code)
        rows.append(row)

    def text(out: Console) -> None:
        for row in rows:
            told = f"{row['trial']}  {shown(row['agent'])} on {shown(row['package'])}: "
            if "error" in row:
                out.print(f"{told}[red]{shown(row['error'])}[/]")
                continue
            out.print(f"{told}{_gap(row['before'])} -> {_gap(row['after'])}  [dim]{row['version']}[/]")
            for number, why in row["not_scored_again"].items():
                out.print(f"  [yellow]attempt {number} keeps its score: {shown(why)}[/]")

    emit(rows, as_json=as_json, text=text)
    if worst:
        raise typer.Exit(worst)


def _gap(value: float | None) -> str:
    return "no score" if value is None else f"{value:+.4f}"


def _no_option(text: str, command: str) -> None:
    from nature_gym.errors import UsageError

    if text.startswith("--"):
        raise UsageError(
            f"There is no option {text[:40]}.", hint=f"'naturegym score {command} --help' says what there is."
        )


def _mode(word: str) -> Literal["naturegym", "naturebench"]:
    from nature_gym.errors import UsageError
    from nature_gym.scoring.printed import MODES

    for mode in MODES:
        if word == mode:
            return mode
    raise UsageError(f"There is no mode {word[:40]!r}.", hint=f"There are: {', '.join(MODES)}.")
