"""``naturegym submit``: one folder of answers, scored once as a trial's would be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console


def submit(
    package: Annotated[Path, typer.Argument(help="The package's folder.")],
    output_dir: Annotated[Path, typer.Argument(help="The folder of answers: OUTPUT_DIR/<instance>/<file>.")],
    backend: Annotated[
        str, typer.Option(help="Where the evaluator runs: auto, docker, bubblewrap or process. Default: the settings'.")
    ] = "",
    image: Annotated[str, typer.Option(help="The image with the evaluator's packages; empty for this Python's.")] = "",
    mode: Annotated[str, typer.Option(help="naturegym, or naturebench: instances without an anchor are left out.")] = (
        "naturegym"
    ),
    as_json: JsonOption = False,
) -> None:
    """Score one folder of answers once: scores, gaps to the paper, and what is wrong with an answer.

    Ends with 1 where an instance has no score. Nothing is recorded.

    Example:  naturegym submit task_packages/examples/demo-48a07731 my-answers/output
    """
    from nature_gym.errors import UsageError
    from nature_gym.evaluation.once import score_folder
    from nature_gym.evaluation.trial import open_task
    from nature_gym.packaging.package import open_package
    from nature_gym.sandbox.choosing import chosen_sandbox
    from nature_gym.scoring.printed import MODES

    reading = next((word for word in MODES if word == mode), None)
    if reading is None:
        raise UsageError(f"There is no mode {mode[:40]!r}.", hint=f"There are: {', '.join(MODES)}.")
    task = open_task(open_package(package), reading)
    sandbox = chosen_sandbox(backend or load().sandbox, image=image)
    scores = score_folder(task, output_dir, sandbox, image=image)
    unscored = [name for name, one in task.anchors.items() if one and scores.raw[name].get(one.metric) is None]

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table("Instance", "Metric", "Score", "Paper", "g")
        for name, anchor in task.anchors.items():
            for metric, value in scores.raw[name].items():
                primary = anchor is not None and metric == anchor.metric
                table.add_row(
                    shown(name), shown(metric), "-" if value is None else f"{value:.6g}",
                    f"{anchor.value:g}" if primary and anchor else "",
                    f"{scores.gaps[name]:+.4f}" if primary else "",
                )  # fmt: skip
        out.print(table)
        for name, reason in scores.errors.items():
            out.print(f"{shown(name)}: {shown(reason)}")
        out.print("g of the task: none" if scores.gap is None else f"g of the task: {scores.gap:+.6f}")

    found = {
        "raw_scores": scores.as_raw_scores(),
        "per_instance_improvement": scores.gaps,
        "aggregate_improvement": scores.gap,
        "errors": scores.errors,
        "sandbox": sandbox.name,
    }
    emit(found, as_json=as_json, text=text)
    if unscored:
        raise typer.Exit(1)
