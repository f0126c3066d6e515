"""``naturegym score``: reads scores as papers print them, and holds answers against them."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from nature_gym.cli.output import JsonOption, emit, shown

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

    _no_option(printed)
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

    _no_option(score)
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


def _no_option(text: str) -> None:
    from nature_gym.errors import UsageError

    if text.startswith("--"):
        raise UsageError(f"There is no option {text[:40]}.", hint="'naturegym score --help' says what there is.")


def _mode(word: str) -> Literal["naturegym", "naturebench"]:
    from nature_gym.errors import UsageError
    from nature_gym.scoring.printed import MODES

    for mode in MODES:
        if word == mode:
            return mode
    raise UsageError(f"There is no mode {word[:40]!r}.", hint=f"There are: {', '.join(MODES)}.")
