"""``naturegym serve-eval``: one package's scoring service, for whoever brings a runner of their own."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import console, emit_json, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from nature_gym.evaluation.desk import Desk

LOOK_SECONDS = 0.5
WORKSPACE, RECORD = "workspace", "trial"


def serve_eval(  # noqa: PLR0913, PLR0917 -- options of a command
    package: Annotated[Path, typer.Argument(help="The package's folder.")],
    output_dir: Annotated[
        Path,
        typer.Option(help="Folder of the trial: answers are read from DIR/workspace/output, records in DIR/trial."),
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on loopback; 0 for any free one.")] = 0,
    budget: Annotated[float, typer.Option(min=1, help="Seconds until the deadline; scoring does not count.")] = 14400,
    scoring_seconds: Annotated[float, typer.Option(min=1, help="Most seconds that one answer is scored.")] = 3600,
    feedback: Annotated[str, typer.Option(help="scores, or none: what is told of an answer.")] = "scores",
    backend: Annotated[
        str, typer.Option(help="Where the evaluator runs: auto, docker, bubblewrap or process. Default: the settings'.")
    ] = "",
    image: Annotated[str, typer.Option(help="The image with the evaluator's packages; empty for this Python's.")] = "",
    mode: Annotated[str, typer.Option(help="naturegym, or naturebench: instances without an anchor are left out.")] = (
        "naturegym"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print errors as JSON, too.")] = False,
) -> None:
    """Serve one package's scoring service on loopback until it is stopped.

    Prints one line of JSON, {"url": ..., "eval_token": ...}, and then answers POST /evaluate, GET /best_score,
    /time_remaining and /health. The same command goes on with the same trial, token and deadline.

    Example:  naturegym serve-eval task_packages/examples/demo-48a07731 --port 8700 --output-dir /tmp/trial
    """
    from nature_gym.cli.stopping import resumable
    from nature_gym.evaluation.listening import Listening, on_loopback
    from nature_gym.evaluation.service import make_app

    with resumable("serve-eval", as_json=as_json), contextlib.ExitStack() as stack:
        desk = stack.enter_context(
            _desk(package, output_dir, budget, scoring_seconds, feedback, backend or load().sandbox, image, mode)
        )
        listener = on_loopback(port)
        desk.open()
        served = stack.enter_context(Listening(make_app(desk), listener))
        emit_json({"url": f"http://127.0.0.1:{served.port}", "eval_token": desk.token}, line=True)
        kept = desk.standing().opening.budget
        if kept != budget:
            console(stderr=True).print(f"This trial was begun before, with a budget of {kept:.0f} s, which stays.")
        with _view(desk):
            while served.is_alive():
                time.sleep(LOOK_SECONDS)


@contextlib.contextmanager
def _desk(
    package: Path, folder: Path, budget: float, seconds: float, feedback: str, backend: str, image: str, mode: str
) -> Iterator[Desk]:
    from db.engine import open_database
    from db.trials import Trials
    from nature_gym.errors import UsageError
    from nature_gym.evaluation.desk import Desk
    from nature_gym.evaluation.evaluator import Evaluator
    from nature_gym.evaluation.tokens import token_digest, token_of
    from nature_gym.evaluation.trial import FEEDBACK, Trial, open_task
    from nature_gym.packaging.package import open_package
    from nature_gym.sandbox.choosing import chosen_sandbox
    from nature_gym.scoring.printed import MODES

    told = next((word for word in FEEDBACK if word == feedback), None)
    reading = next((word for word in MODES if word == mode), None)
    if told is None or reading is None:
        raise UsageError(
            f"There is no {'feedback' if told is None else 'mode'} {(feedback if told is None else mode)[:40]!r}.",
            hint=f"There are: {', '.join(FEEDBACK if told is None else MODES)}.",
        )
    task = open_task(open_package(package), reading)
    folder = folder.absolute()
    (folder / WORKSPACE / "output").mkdir(parents=True, exist_ok=True)
    record = folder / RECORD
    record.mkdir(exist_ok=True)
    trial = Trial(
        token_digest(token_of(record))[:16], task, record, folder / WORKSPACE, budget=budget, feedback=told,
        scoring_seconds=seconds,
    )  # fmt: skip
    sandbox = chosen_sandbox(backend, image=image)
    sandbox.sweep()
    engine = open_database(load().database)
    try:
        with Desk(
            trial,
            Trials(engine),
            lambda one: Evaluator(
                one.task.evaluation, one.folder / "scoring", sandbox, image=image, memory=one.scoring_memory,
                label=one.id,
            ),
        ) as desk:  # fmt: skip
            yield desk
    finally:
        engine.dispose()


@contextlib.contextmanager
def _view(desk: Desk) -> Iterator[None]:
    """Attempts, best g and time left on standard error, where somebody watches."""
    if not sys.stderr.isatty():
        yield
        return
    from nature_gym.cli.progress import live_view

    with live_view(lambda: status_line(desk, time.time()), transient=False):
        yield


def status_line(desk: Desk, now: float) -> str:
    """Where the trial stands, in one line."""
    standing = desk.standing()
    left = int(standing.clock.remaining(now))
    best = f"best g {standing.best.gap:+.4f} (attempt {standing.best.number})" if standing.best else "no score yet"
    doing = ", scoring" if standing.scoring else ""
    attempts = f"{standing.attempts} attempt{'' if standing.attempts == 1 else 's'}"
    return f"{shown(desk.trial.task.name)}: {attempts}{doing}, {best}, {left // 60}:{left % 60:02d} left"
