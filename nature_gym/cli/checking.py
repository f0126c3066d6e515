"""``naturegym check``: put packages through the 36 checks; explain one; let a finding stand, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.default_command import DEFAULT, DefaultCommand
from nature_gym.cli.output import JsonOption, console, emit, forsake_output, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

    from checks.model import Finding, Report

app = typer.Typer(cls=DefaultCommand, help="Put packages through the 36 checks; explain a check; let a finding stand.")
Form = Literal["rich", "json", "junit", "sarif", "markdown", "github"]
COLOURS = {"pass": "green", "fail": "red", "warn": "yellow", "skip": "dim"}


@app.command(DEFAULT)
def check(  # noqa: PLR0913, PLR0917 -- Typer reads the options from the signature
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Packages, or folders with packages in them.")],
    select: Annotated[
        list[str] | None, typer.Option("--select", help="Only these: C2 for a family, C0.5 for one.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Not these.")] = None,
    static: Annotated[bool, typer.Option("--static", help="Families 0 to 3 only: nothing is run.")] = False,
    extended: Annotated[bool, typer.Option("--extended", help="Those beyond the 36, too: X1 to X10.")] = False,
    method: Annotated[
        list[str] | None, typer.Option("--method-name", help="A name of the method, beside those that files tell.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = "rich",
    output: Annotated[Path | None, typer.Option("--output", help="Write it to this file instead.")] = None,
    repository: Annotated[
        Path | None, typer.Option("--repository", help="The paper's code, for the likeness of scorers (C3.7).")
    ] = None,
    fail_on: Annotated[Literal["fail", "warn"], typer.Option("--fail-on", help="What makes it end with 1.")] = "fail",
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, max=64, help="How many packages at once.")] = 1,
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and check a package again when it changes.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Before: show what can be mended safely, and mend it when you agree.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --fix: agree.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Put packages through the 36 checks, and say of each finding where it is and how to mend it.

    Nothing of a package is imported or run. Ends with 0 where all is well, with 1 where a check fails.
    'naturegym check explain C2.5' says what a check means. Every run is kept: 'naturegym check history PATH'.

    Example:  naturegym check task_packages/examples --static
    """
    from functools import partial

    from checks.corpus import changes, check_packages, packages_in
    from checks.registry import chosen

    packages = packages_in(paths)
    asked = chosen(tuple(select or ()), tuple(ignore or ()))
    form = "json" if as_json else form
    names = tuple(method or ())
    mended: dict[str, Any] = {}
    if fix:
        from nature_gym.cli.mending import mend

        mended = mend(packages, method_names=names, yes=yes, quiet=form == "json")
    look = partial(
        check_packages, chosen=asked, static=static, method_names=names, repository=repository, extended=extended
    )
    reports = _kept(partial(look, jobs=jobs), packages)
    read = _tell(reports, form, output, mended)
    for changed in changes(packages) if watch and read else ():
        if not _tell(_kept(look, [changed]), form, output):
            break
    if any(one.defect for report in reports for one in report.results):
        raise typer.Exit(3)
    bad = {"fail", "warn"} if fail_on == "warn" else {"fail"}
    if any(one.status in bad for report in reports for one in report.results):
        raise typer.Exit(1)


def _kept(look: Callable[[list[Path]], list[Report]], packages: list[Path]) -> list[Report]:
    """The reports, each kept in the home; a home that cannot be written to stops no check."""
    from checks.history import history_of

    history = history_of(load().home)
    # Taken before the look: a package that is edited meanwhile is stale, not taken for checked.
    digests = [history.digest(path) for path in packages]
    reports = look(packages)
    for report, digest in zip(reports, digests, strict=True):
        try:
            history.keep(report, digest)
        except OSError as error:
            console(stderr=True).print(f"[yellow]This run is not kept: {shown(error)}[/]")
            break
    return reports


def _tell(reports: list[Report], form: Form, output: Path | None, mended: Mapping[str, Any] | None = None) -> bool:
    """Write reports where they are wanted; whether anybody still reads what is written."""
    if form == "rich":
        out = console()
        with out.capture() as captured:
            for report in reports:
                _print(out, report)
        text = captured.get()
    elif form == "json":
        from checks.formats import as_json

        text = as_json(reports, mended or {})
    else:
        from checks.formats import written

        text = written(reports, form)
    if output is not None:
        from nature_gym.files import write_output

        write_output(output, text.encode())
        return True
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:  # whoever reads has seen enough; the exit code is still that of the checks
        forsake_output()
        return False
    return True


def _print(out: Console, report: Report) -> None:
    from checks.model import count_of
    from checks.registry import FAMILIES, family
    from checks.running import NOT_SELECTED

    out.print(f"[bold]{shown(report.package)}[/]")
    for number, title in FAMILIES.items():
        ours = [one for one in report.results if family(one.id) == number and one.reason != NOT_SELECTED]
        if not ours:
            continue
        out.print(f"\n[bold]{number}  {title}[/]")
        for one in ours:
            reason = f"  [dim]{shown(one.reason)}[/]" if one.reason else ""
            out.print(f"  [{COLOURS[one.status]}]{one.status}[/]  {one.id}  {one.title}{reason}")
            for line in _lines(report, one.id, one.findings):
                out.print(f"    {line}")
    out.print(f"\n{report.summary}")
    if report.extended:
        out.print(f"beyond the 36: {count_of(report.extended)}")


def _lines(report: Report, name: str, findings: tuple[Finding, ...]) -> Iterator[str]:
    from checks.formats import place

    for one in findings:
        colour = "dim" if one.suppressed else "red" if one.level == "fail" else "yellow"
        said = shown(one.message if one.text in one.message else f"{one.text}: {one.message}")
        hint = f" -> {shown(one.hint)}" if one.hint else ""
        reason = f" (suppressed: {shown(one.suppressed)})" if one.suppressed else ""
        yield f"[{colour}]{shown(place(report, one))}[/]  {name}  {said}{hint}{reason}"


@app.command()
def explain(
    name: Annotated[str, typer.Argument(metavar="ID", help="A check's id.")],
    as_json: JsonOption = False,
) -> None:
    """Say what a check means, why, what passes and what fails, and how to mend it.

    Example:  naturegym check explain C1.8
    """
    from checks.registry import known as known_check
    from checks.registry import one_check, title
    from nature_gym.errors import UsageError

    known = known_check(name)
    if known is None:
        raise UsageError(f"There is no check {name!r}.", hint="Ids are C0.1 to C4.9, and X1 to X10.")
    one = one_check(known)
    text = one.explanation
    value = {"id": known, "title": title(known), "explanation": text, "reads": one.reads}
    emit(value, as_json=as_json, text=lambda out: out.print(f"[bold]{known}  {title(known)}[/]\n\n{shown(text)}"))


@app.command()
def suppress(
    name: Annotated[str, typer.Argument(metavar="ID", help="The check's id.")],
    path: Annotated[Path, typer.Argument(help="The package, or a file in one.")],
    because: Annotated[str, typer.Option("--because", help="The reason; it is shown in every report.")],
    as_json: JsonOption = False,
) -> None:
    """Let the findings of a check stand, in a package or in one file of it, with the reason.

    Written to suppressions.json in the package; every report shows what is suppressed, and why.

    Example:  naturegym check suppress C3.2 packages/p1/problem/data/a/run.log --because "it is the input"
    """
    from checks.corpus import package_of
    from checks.suppressions import suppress as write

    package, file = package_of(path)
    written = write(package, name, because, file)
    value = {"file": str(written), "check": name, "of": file, "because": because}
    emit(value, as_json=as_json, text=lambda out: out.print(shown(written)))


@app.command()
def history(
    name: Annotated[str, typer.Argument(metavar="ID|PATH", help="A package's folder, or its name.")],
    last: Annotated[int, typer.Option("--last", min=1, help="How many runs, the newest ones.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Show the runs of the checks on a package, and what changed from each to the next.

    Example:  naturegym check history task_packages/examples/demo-d8158413
    """
    from checks.history import history_of
    from nature_gym.cli.check_history import print_runs, runs_as_json

    runs = runs_as_json(history_of(load().home).named(name), last)
    emit(runs, as_json=as_json, text=lambda out: print_runs(out, runs))


@app.command()
def corpus(
    folder: Annotated[
        Path | None, typer.Argument(help="The packages; else those of the home folder.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Those that are up to date, too.")] = False,
    static: Annotated[bool, typer.Option("--static", help="Families 0 to 3 only: nothing is run.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Check all packages that were edited since their last check, side by side; Prefect shows and schedules it.

    Ends with 1 where a check fails, of whichever package, also of one that was up to date.

    Example:  naturegym check corpus --static
    """
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars
    from nature_gym.cli.stopping import resumable

    parameters = {"folder": str(folder.absolute()) if folder else None, "every": every, "static": static}
    with resumable("check corpus", as_json=as_json), progress_bars() as tell:
        finished = run_flow(
            "flows.check:check_corpus",
            load(),
            parameters,
            show_progress=lambda progress: tell("check", progress.done, progress.total),
        )
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in sorted(counts.items())) or "no packages")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if code := 3 if counts.get("error") else 1 if counts.get("failing") else 0:
        raise typer.Exit(code)
