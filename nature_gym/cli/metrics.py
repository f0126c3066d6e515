"""``naturegym metrics``: what each metric is, and what it gives for two files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.metrics.entry import Metric

app = typer.Typer(help="See which metrics there are, what they mean, and compute them.", no_args_is_help=True)


@app.command("list")
def list_metrics(
    family: Annotated[str, typer.Option("--family", help="Those of one family alone, such as ranking.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List all metrics, family by family.

    Example:  naturegym metrics list --family ranking
    """
    from nature_gym.errors import UsageError
    from nature_gym.metrics.registry import FAMILIES, metrics

    if family and family not in FAMILIES:
        raise UsageError(f"There is no family {family!r}.", hint=f"There are: {', '.join(FAMILIES)}.")
    chosen = [metric for metric in metrics().values() if family in ("", metric.family)]

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        for heading in ("family", "name", "title", "better", "range", "also called"):
            table.add_column(heading)
        last = ""
        for metric in chosen:
            better = "higher" if metric.direction == "higher_is_better" else "lower"
            table.add_row(
                "" if metric.family == last else metric.family,
                metric.name,
                metric.title,
                better,
                shown(metric.range),
                shown(", ".join(metric.aliases[:3])),
            )
            last = metric.family
        out.print(table)

    emit([metric.as_dict() for metric in chosen], as_json=as_json, text=text)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A metric's name, or what papers call it.")],
    source: Annotated[bool, typer.Option("--source", help="Print the source as an evaluator takes it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what a metric is: formula, direction, range, perfect value, inputs, source.

    Example:  naturegym metrics show "R²"
    """
    from nature_gym.metrics.registry import resolve
    from nature_gym.metrics.source import take

    metric, given = resolve(name)
    code = take([metric.name]).text if source else ""
    value: dict[str, Any] = {**metric.as_dict(), "parameters": metric.parameters | given}
    if source:
        value["code"] = code
    emit(value, as_json=as_json, text=lambda out: _print_code(code) if source else _print_metric(out, metric, given))


def _print_code(code: str) -> None:
    typer.echo(code)


def _print_metric(out: Console, metric: Metric, given: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    example = metric.example
    rows = {
        "name": metric.name,
        "title": metric.title,
        "family": metric.family,
        "also called": ", ".join(metric.aliases),
        "formula": metric.formula,
        "direction": metric.direction,
        "range": metric.range,
        "perfect value": "none" if metric.perfect is None else f"{metric.perfect:g}",
        "reference": metric.reference or "not looked at",
        "prediction": metric.prediction,
        "parameters": ", ".join(f"{key}={value!r}" for key, value in (metric.parameters | given).items()),
        "undefined": metric.undefined,
        "needs": ", ".join(("numpy", *metric.requires)),
        "source": metric.source,
        "example": f"{_short(example.reference)} and {_short(example.prediction)} give {example.value:.6g}",
    }
    for heading, value in rows.items():
        if value:
            table.add_row(heading, shown(value))
    out.print(table)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:87]}..."


@app.command()
def compute(
    name: Annotated[str, typer.Argument(help="A metric's name, or what papers call it.")],
    prediction: Annotated[Path, typer.Option("--prediction", help="The answer: a .npy or .csv file.")],
    reference: Annotated[
        Path | None, typer.Option("--reference", help="What it is held against: a .npy or .csv file.")
    ] = None,
    parameter: Annotated[
        list[str] | None, typer.Option("--parameter", "-p", help="NAME=VALUE; a value may be a .npy or .csv file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute a metric on two files.

    Rows of CSV files that both have an id column are matched by it. Ends with 1 where the files cannot be scored.

    Example:  naturegym metrics compute RMSE --reference truth.csv --prediction answer.csv
    """
    from nature_gym.errors import UsageError
    from nature_gym.metrics.registry import compute as value_of
    from nature_gym.metrics.registry import resolve
    from nature_gym.metrics.tables import aligned, read_table

    metric, given = resolve(name)
    given |= dict(_parameter(one) for one in parameter or ())
    if reference is None:
        if metric.reference:
            raise UsageError(f"{metric.name} needs a reference.", hint="Give it with --reference FILE.")
        pair = (None, read_table(prediction).values)
    else:
        pair = aligned(read_table(reference), read_table(prediction))
    value = value_of(metric, *pair, given)
    emit(
        {"metric": metric.name, "value": value, "direction": metric.direction},
        as_json=as_json,
        text=lambda out: out.print(f"{metric.name} {value!r} ({metric.direction})"),
    )


def _parameter(text: str) -> tuple[str, Any]:
    import json

    from nature_gym.errors import UsageError
    from nature_gym.metrics.tables import read_table

    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise UsageError(f"{text!r} is not of the form NAME=VALUE.", hint="Such as --parameter k=10.")
    if value.lower().endswith((".npy", ".csv")):
        return name.strip(), read_table(Path(value)).values
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


@app.command("test")
def try_examples(
    names: Annotated[list[str] | None, typer.Argument(help="Metrics; all of them where none is named.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Try metrics on their examples, here and as the source that evaluators take.

    Ends with 1 where one gives another value than was worked out for its example.

    Example:  naturegym metrics test RMSE AUROC
    """
    from nature_gym.metrics.registry import find, metrics
    from nature_gym.metrics.trial import run_trials

    trials = run_trials([find(name) for name in names] if names else metrics().values())
    failed = sum(trial.state == "failed" for trial in trials)

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        colours = {"passed": "green", "skipped": "yellow", "failed": "red"}
        for trial in trials:
            table.add_row(f"[{colours[trial.state]}]{trial.state}[/]", trial.metric, shown(trial.detail))
        out.print(table)
        out.print(f"{len(trials)} tried, {failed} failed")

    emit({"failed": failed, "trials": [trial.as_dict() for trial in trials]}, as_json=as_json, text=text)
    if failed:
        raise typer.Exit(1)
