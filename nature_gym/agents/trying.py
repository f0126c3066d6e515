"""One agent on one package, from the host: workspace, box, service and trajectory, without a sweep around it.

The idea: an adapter's author sees with one call what an agent does and what is missing. What counts is made by a
sweep, whose trials keep records; here everything lies in ``folder`` and may be thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nature_gym.agents.events import Event
from nature_gym.agents.intake import Intake, secrets_of
from nature_gym.agents.interface import PROBLEM, Agent, Launch, View
from nature_gym.evaluation.desk import Desk
from nature_gym.evaluation.evaluator import Evaluator
from nature_gym.evaluation.listening import Listening, on_socket
from nature_gym.evaluation.service import make_app
from nature_gym.evaluation.state import Standing, TrialState
from nature_gym.evaluation.trial import Trial, open_task
from nature_gym.packaging.package import open_package
from nature_gym.sandbox import bridge
from nature_gym.sandbox.interface import WORKSPACE, Box, Limits, Mount, Outcome, Sandbox

SERVICE, MODEL = "/run/service.sock", "/run/model.sock"
SERVICE_PORT, MODEL_PORT = 8321, 8322
LONGEST_OUTPUT = 16 << 20


@dataclass(frozen=True, slots=True)
class Tried:
    """How it went: the program's end, the trial's standing, and what the agent did, cleaned."""

    outcome: Outcome
    standing: Standing
    events: tuple[Event, ...]


def try_agent(
    agent: Agent,
    package: Path,
    folder: Path,
    sandbox: Sandbox,
    state: TrialState,
    *,
    budget: float = 600.0,
    seed: int = 0,
    model: Path | None = None,
) -> Tried:
    """Run ``agent`` on ``package``. ``folder`` is empty; ``model`` is the socket of a stand-in for its model.

    Raises what opening a package, a sandbox or a service raises.
    """
    workspace, record = folder / "workspace", folder / "trial"
    (workspace / "output").mkdir(parents=True)
    record.mkdir()
    task = open_task(open_package(package))
    trial = Trial("try", task, record, workspace, budget=budget)
    socket = folder / "service.sock"

    def evaluator(one: Trial) -> Evaluator:
        return Evaluator(one.task.evaluation, one.folder / "scoring", sandbox, memory=one.scoring_memory)

    with Desk(trial, state, evaluator) as desk:
        desk.open()
        with Listening(make_app(desk), on_socket(socket)):
            view = View(seed, budget, desk.token, package=package)
            if model is not None:
                view = View(seed, budget, desk.token, package=package, model_url=f"http://127.0.0.1:{MODEL_PORT}")
            launch = agent.launch(view)
            put_files(launch, workspace)
            outcome = _run(launch, sandbox, package, workspace, socket, model, budget)
        standing = desk.standing()
        token = desk.token
    out, err = folder / "stdout", folder / "stderr"
    out.write_bytes(outcome.stdout.kept)
    err.write_bytes(outcome.stderr.kept)
    intake = Intake([token, *secrets_of(launch.environment)])
    return Tried(outcome, standing, tuple(intake.events(agent.events(out, err))))


def put_files(launch: Launch, workspace: Path) -> None:
    """Put a launch's files into a fresh workspace. Raises ValueError for a path that leads out of it."""
    for name, content in launch.files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"{name!r} is no path below the workspace")
        (workspace / path).parent.mkdir(parents=True, exist_ok=True)
        (workspace / path).write_bytes(content)


def _run(
    launch: Launch, sandbox: Sandbox, package: Path, workspace: Path, service: Path, model: Path | None, budget: float
) -> Outcome:
    sockets = {SERVICE_PORT: SERVICE}
    mounts = [
        Mount(package / "problem", PROBLEM),
        Mount(workspace, WORKSPACE, writable=True),
        Mount(service, PurePosixPath(SERVICE)),
        bridge.mount(),
        *launch.mounts,
    ]
    if model is not None:
        sockets[MODEL_PORT] = MODEL
        mounts.append(Mount(model, PurePosixPath(MODEL)))
    box = Box(
        mounts=tuple(mounts),
        environment=launch.environment,
        limits=Limits(seconds=budget + 60.0, output_bytes=LONGEST_OUTPUT),
        label="try",
    )
    return sandbox.run(box, bridge.command(launch.argv, sockets), stdin=launch.stdin)
