"""The entry point: all commands together, and how every command ends.

Exit codes: 0 fine, 1 findings, 2 usage, 3 infrastructure (or a defect of ours), 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from nature_gym import __version__
from nature_gym.cli import (
    acquiring,
    agents,
    building,
    calibrate,
    checking,
    cutting,
    database,
    demo,
    doctor,
    environment,
    fetching,
    harvest,
    judging,
    leaderboard,
    links,
    metrics,
    packages,
    paper,
    reading,
    records,
    refresh,
    report,
    results,
    review,
    sandbox,
    score,
    screening,
    serving,
    settings,
    splitting,
    status,
    submitting,
    sweep,
    tasks,
    trials,
    ui,
)
from nature_gym.cli.output import complain
from nature_gym.errors import InfrastructureError, NatureGymError, UsageError

CORPUS = "The corpus"
SCORES = "Metrics and scores"
MACHINE = "This machine"
COMPLETION = "_NATUREGYM_COMPLETE"

app = typer.Typer(
    name="naturegym",
    help="Turn published papers into benchmark tasks for coding agents, and measure agents on them.",
    epilog="Example:  naturegym demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("status", rich_help_panel=CORPUS)(status.status)
app.command("refresh", rich_help_panel=CORPUS)(refresh.refresh)
app.command("harvest", rich_help_panel=CORPUS)(harvest.harvest)
app.command("fetch", rich_help_panel=CORPUS)(fetching.fetch)
app.command("ingest", rich_help_panel=CORPUS)(reading.ingest)
app.command("read", rich_help_panel=CORPUS)(reading.read)
app.add_typer(screening.app, name="screen", rich_help_panel=CORPUS)
app.add_typer(review.app, name="review", rich_help_panel=CORPUS)
app.add_typer(records.app, name="record", rich_help_panel=CORPUS)
app.add_typer(links.app, name="links", rich_help_panel=CORPUS)
app.command("acquire", rich_help_panel=CORPUS)(acquiring.acquire)
app.command("inventory", rich_help_panel=CORPUS)(acquiring.inventory)
app.command("cut", rich_help_panel=CORPUS)(cutting.cut)
app.add_typer(tasks.app, name="task", rich_help_panel=CORPUS)
app.command("split", rich_help_panel=CORPUS)(splitting.split)
app.command("build", rich_help_panel=CORPUS)(building.build)
app.add_typer(packages.app, name="package", rich_help_panel=CORPUS)
app.add_typer(checking.app, name="check", rich_help_panel=CORPUS)
app.add_typer(environment.app, name="env", rich_help_panel=CORPUS)
app.add_typer(paper.app, name="paper", rich_help_panel=CORPUS)
app.add_typer(metrics.app, name="metrics", rich_help_panel=SCORES)
app.add_typer(score.app, name="score", rich_help_panel=SCORES)
app.command("leaderboard", rich_help_panel=SCORES)(leaderboard.leaderboard)
app.command("report", rich_help_panel=SCORES)(report.report)
app.add_typer(results.app, name="results", rich_help_panel=SCORES)
app.command("submit", rich_help_panel=SCORES)(submitting.submit)
app.command("calibrate", rich_help_panel=SCORES)(calibrate.calibrate)
app.command("sweep", rich_help_panel=SCORES)(sweep.sweep)
app.command("judge", rich_help_panel=SCORES)(judging.judge)
app.command("rescore", rich_help_panel=SCORES)(score.rescore)
app.add_typer(trials.app, name="trials", rich_help_panel=SCORES)
app.command("serve-eval", rich_help_panel=SCORES)(serving.serve_eval)
app.add_typer(agents.app, name="agents", rich_help_panel=SCORES)
app.add_typer(sandbox.app, name="sandbox", rich_help_panel=MACHINE)
app.command("ui", rich_help_panel=MACHINE)(ui.ui)
app.add_typer(database.app, name="db", rich_help_panel=MACHINE)
app.add_typer(demo.app, name="demo", rich_help_panel=MACHINE)
app.command("doctor", rich_help_panel=MACHINE)(doctor.doctor)
app.command("settings", rich_help_panel=MACHINE)(settings.settings)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"naturegym {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options before the command."""


def _leave_out_what_is_not_asked_for(words: list[str]) -> None:
    """Before the application is made: a command is made alone, and for the list of all of them none has options.

    Making the options of some ninety commands takes longer than most commands take to start.
    """
    asked = next((word for word in words if not word.startswith("-")), None)
    if asked is None:
        for command in app.registered_commands:
            command.callback = _told(command.callback)
        for group in app.registered_groups:
            if group.typer_instance is not None:
                group.typer_instance.registered_commands = []
                group.typer_instance.registered_groups = []
        return
    commands = [command for command in app.registered_commands if command.name == asked]
    groups = [group for group in app.registered_groups if group.name == asked]
    if commands or groups:  # else the answer to a wrong word needs all of them
        app.registered_commands, app.registered_groups = commands, groups


def _told(callback: Callable[..., Any] | None) -> Callable[[], None]:
    """What a command says of itself, without its options."""

    def told() -> None:
        raise RuntimeError("a command of the list of commands was run")

    told.__doc__ = callback.__doc__ if callback else None
    return told


def main() -> None:
    """Run the command line and end the process with its exit code."""
    as_json = "--json" in sys.argv
    if COMPLETION not in os.environ:  # a shell that completes a line asks for options of commands in another way
        _leave_out_what_is_not_asked_for(sys.argv[1:])
    try:
        if as_json:
            sys.exit(_run_for_a_program())
        app()
    except NatureGymError as error:
        complain(error, as_json=as_json)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        complain(_of_the_system(error), as_json=as_json)
        sys.exit(InfrastructureError.exit_code)
    except Exception as error:  # noqa: BLE001 -- the last resort: whatever it is, it is told as ours
        import traceback

        traceback.print_exc()
        hint = "This is a defect of ours, not of your input; please report the lines above."
        complain(NatureGymError(f"{type(error).__name__}: {error}", hint=hint), as_json=as_json)
        sys.exit(NatureGymError.exit_code)


def _run_for_a_program() -> int:
    """With ``--json`` a wrong call, too, is answered in JSON."""
    try:
        code = app(standalone_mode=False)
    except Exception as error:
        # Typer's own complaints are of a class that it does not export; they know how to put themselves.
        if not hasattr(error, "format_message") or not hasattr(error, "exit_code"):
            raise
        raise UsageError(error.format_message(), hint=f"'{' '.join(sys.argv[:2])} --help' says how.") from error
    return code if isinstance(code, int) else 0


def _of_the_system(error: OSError) -> InfrastructureError:
    """What the operating system refuses, in our words."""
    where = f": {error.filename}" if error.filename else ""
    return InfrastructureError(
        f"{error.strerror or error}{where}",
        hint="See that the disk has room and that the path may be used; 'naturegym doctor' looks at both.",
    )


if __name__ == "__main__":
    main()
