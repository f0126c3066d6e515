"""``naturegym judge``: was a score earned? Judges trials from what they left behind; no agent runs again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, settings, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from nature_gym.judging.agreement import Agreement
    from nature_gym.judging.running import Judged

COLOURS = {"valid": "green", "invalid": "red", "error": "yellow"}


def judge(
    trials: Annotated[
        list[str] | None, typer.Argument(help="Ids of trials, or folders of trials; all that ended if none is named.")
    ] = None,
    judges: Annotated[
        list[str] | None, typer.Option("--judge", help="forensic (the default), llm, or llm:MODEL; more than once.")
    ] = None,
    failed: Annotated[
        bool,
        typer.Option("--failed", help="Only trials whose judging ended with an error, or in which a judge failed."),
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask also the judges whose verdict still holds.")] = False,
    packages: Annotated[
        Path | None, typer.Option("--packages", help="Folder of the packages, or one package; the home's if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge whether scores were earned by a method learned, fitted or optimised on the given data.

    Verdicts that still hold are not asked for again. Ends with 1 where a trial's score was not earned, with 3
    where a verdict is an error: an error is never a pass, and 'judge --failed' asks again.

    Example:  naturegym judge --judge forensic --judge llm:claude-sonnet-5
    """
    from nature_gym.judging.agreement import agreements
    from nature_gym.judging.running import has_ended, judge_trials, judges_named, trial_folders

    current = settings()
    asked = judges_named(judges or [], current)
    folders = trial_folders(current.home, trials or [], failed=failed)
    if not trials:
        folders = [folder for folder in folders if has_ended(folder)]
    results = list(judge_trials(folders, asked, current, packages=packages, again=again))
    agreed = agreements({one.trial: one.verdicts for one in results})
    emit(_as_json(results, agreed), as_json=as_json, text=lambda out: _print(results, agreed, out))
    words = {one.outcome.verdict if one.outcome else "error" if _is_broken(one) else "" for one in results}
    if words & {"error", "invalid"}:
        raise typer.Exit(3 if "error" in words else 1)


def _is_broken(one: Judged) -> bool:
    from nature_gym.judging.running import UNSCORED

    return one.outcome is None and one.why != UNSCORED


def _as_json(results: Sequence[Judged], agreed: Sequence[Agreement]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "trials": [
            {
                "trial": one.trial, "judged": one.outcome is not None, "why": one.why, "asked": list(one.fresh),
                **(one.outcome.model_dump(mode="json") if one.outcome else {}),
                "verdicts": [verdict.model_dump(mode="json") for verdict in one.verdicts],
            }
            for one in results
        ],
        "agreement": [asdict(one) for one in agreed],
    }  # fmt: skip


def _print(results: Sequence[Judged], agreed: Sequence[Agreement], out: Console) -> None:
    for one in results:
        if one.outcome is None:
            out.print(f"{shown(one.trial)}  not judged: {shown(one.why)}")
            continue
        colour = COLOURS[one.outcome.verdict]
        out.print(f"{shown(one.trial)}  [{colour}]{one.outcome.verdict}[/]  {shown(one.outcome.reason)}")
        for verdict in one.verdicts:
            if len(one.verdicts) > 1:
                out.print(f"  {shown(verdict.judge)}: {verdict.verdict}  {shown(verdict.reason)}")
            for place in verdict.evidence[:6]:
                where = f"{place.file}:{place.line}" if place.line else place.file
                name = f"{place.category}: " if place.category else ""
                out.print(f"  {shown(where)}  {name}{shown(place.about)}  {shown(place.text)}".rstrip())
            for place in verdict.notes[:3]:
                out.print(f"  seen: {shown(place.file)}  {shown(place.about)}  {shown(place.text)}".rstrip())
    counts = Counter(one.outcome.verdict if one.outcome else "not judged" for one in results)
    out.print(", ".join(f"{count} {word}" for word, count in counts.items()) or "There are no trials to judge.")
    for pair in agreed:
        if pair.percent is not None:
            kappa = "-" if pair.kappa is None else f"{pair.kappa:.2f}"
            out.print(
                f"{shown(' and '.join(pair.judges))}: {pair.same} of {pair.both} the same ({pair.percent:.0f} %), "
                f"kappa {kappa}" + (f", {pair.left_out} with an error left out" if pair.left_out else "")
            )
