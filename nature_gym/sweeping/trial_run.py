"""One trial: an agent in its box, the package's evaluator in another, and between them the trial's desk.

What the agent sees: ``/task/problem`` read-only, ``/workspace``, and two ports of its loopback that lead to the trial's
service and, for the hosts of its adapter alone, out. The clock runs from when all that is ready.

The idea: whatever happens, the trial ends with one of five statuses in its folder. What an agent does wrong is
``agent_error``; what we or the machine do wrong is ``infra_error``, which is run again and never scored.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym.agents.intake import Intake, secrets_of
from nature_gym.agents.interface import PROBLEM, Agent, Launch, View
from nature_gym.errors import NatureGymError
from nature_gym.evaluation.desk import Desk
from nature_gym.evaluation.egress import Allowed, Egress
from nature_gym.evaluation.events import TRIAL
from nature_gym.evaluation.listening import Listening, on_socket
from nature_gym.evaluation.service import make_app
from nature_gym.evaluation.state import TrialState
from nature_gym.evaluation.trial import Trial, open_task
from nature_gym.files import write_json
from nature_gym.packaging.package import Package
from nature_gym.sandbox import bridge
from nature_gym.sandbox.interface import WORKSPACE, Box, Ended, Limits, Mount, Outcome, Running, Sandbox
from nature_gym.store import Store
from nature_gym.sweeping.answers import KeepingEvaluator
from nature_gym.sweeping.evidence import Streams, remove_secrets, write_trajectory
from nature_gym.sweeping.folders import EGRESS, STDERR, STDOUT, TRAJECTORY, Status, read_json
from nature_gym.sweeping.identity import domain_of
from nature_gym.sweeping.room import Room, furnished
from nature_gym.sweeping.slots import Lease
from nature_gym.sweeping.spec import TrialSpec
from nature_gym.sweeping.watching import Watch

log = logging.getLogger(__name__)

SERVICE_PORT, EGRESS_PORT = 8321, 8322
_SERVICE, _EGRESS = PurePosixPath("/run/service.sock"), PurePosixPath("/run/egress.sock")
PAPER = PurePosixPath("/task")
LOOK_SECONDS = 0.25
"""How often a running agent is looked at: for its deadline, and whether the sweep is to stop."""
GRACE_SECONDS = 60.0
"""What a box may live beyond budget and pauses before its own limit ends it."""
_BROKEN = {
    Ended.OUT_OF_MEMORY: "it took more memory than it may",
    Ended.DISK_FULL: "it wrote more than it may",
    Ended.SIGNALLED: "a signal ended it",
}


@dataclass(frozen=True, slots=True)
class Ground:
    """What every trial of a sweep stands on. ``cancelled`` is set when trials shall end at once."""

    sandbox: Sandbox
    state: TrialState
    store: Store
    watch: Watch
    cancelled: threading.Event = field(default_factory=threading.Event)
    now: Callable[[], float] = time.time


@dataclass(slots=True)
class Report:
    """How a trial ended, as it comes to be known. ``phases`` in seconds, by name."""

    status: Status = "infra_error"
    reason: str = ""
    phases: dict[str, float] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Take the time of a phase, however it ends."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + time.monotonic() - began


def run_trial(
    spec: TrialSpec, package: Package, agent: Agent, folder: Path, ground: Ground, *,
    lease: Lease | None = None, paper: Mapping[str, Path] | None = None,
) -> Report:  # fmt: skip
    """Run a trial into ``folder``, which is fresh, and say how it ended; its record is written then.

    ``paper`` are the files of the paper by name (paper.md, paper.pdf) for a Reproduce pass. Raises KeyboardInterrupt
    and the like after the record says ``cancelled``, and OSError where the record itself cannot be written.
    """
    report, began = Report(), ground.now()
    run = f"{spec.id}-{int(began * 1000):x}"
    try:
        _carry_out(spec, package, agent, folder, run, ground, report, lease or Lease(), paper or {})
    except NatureGymError as error:
        report.status, report.reason = "infra_error", error.message
        report.facts["hint"] = error.hint
    except Exception as error:  # a defect of ours must not be taken for the agent's
        log.exception("trial %s", spec.id)
        report.status, report.reason = "infra_error", f"{type(error).__name__}: {error}"
    except BaseException:
        report.status, report.reason = "cancelled", "interrupted"
        raise
    finally:
        ground.watch.over(spec)
        _write_record(folder, spec, run, began, ground, report)
    return report


def _carry_out(  # noqa: PLR0913, PLR0917 -- what a trial is made of
    spec: TrialSpec, package: Package, agent: Agent, folder: Path, run: str, ground: Ground, report: Report,
    lease: Lease, paper: Mapping[str, Path],
) -> None:  # fmt: skip
    with ExitStack() as stack:
        with report.phase("set_up"):
            ground.watch.tell(spec, "set-up")
            room = stack.enter_context(furnished())
            desk = stack.enter_context(_desk(spec, package, folder, run, room, ground))
            view = View(
                spec.seed, spec.budget, desk.token, f"http://127.0.0.1:{SERVICE_PORT}", paper=PAPER if paper else None,
                proxy_url=f"http://127.0.0.1:{EGRESS_PORT}", package=package.path,
            )  # fmt: skip
            launch = agent.launch(view)
            report.facts |= {
                "agent_version": agent.version(), "hosts": list(launch.hosts), "gpus": list(lease.gpus),
                "path": str(package.path.absolute()), "domain": domain_of(package),
                "backend": ground.sandbox.name, "comparable": ground.sandbox.isolation().comparable,
            }  # fmt: skip
            for name, content in launch.files.items():
                room.put(name, content)
            stack.enter_context(Egress(room.egress, folder / EGRESS, Allowed(launch.hosts)))
            streams = stack.enter_context(Streams(folder))
            desk.open()
            _note_running(folder, spec, run)
            stack.enter_context(Listening(make_app(desk), on_socket(room.service)))
        with report.phase("solving"):
            ground.watch.tell(spec, "solving", desk.standing)
            box = _box(spec, package, room, view, launch, lease, paper)
            argv = bridge.command(launch.argv, {SERVICE_PORT: str(_SERVICE), EGRESS_PORT: str(_EGRESS)})
            running = ground.sandbox.start(box, argv, stdin=launch.stdin, stream=streams.take)
            outcome = _ended(running, desk, ground, report)
        with report.phase("finishing"):
            _await_scoring(desk, spec)
            _conclude(outcome, ground, report)
            report.facts["streams"] = streams.as_json()
            standing = desk.standing()
            report.facts |= {
                "attempts": standing.attempts, "paused": standing.clock.paused(ground.now()),
                "best": {"attempt": standing.best.number, "gap": standing.best.gap} if standing.best else None,
            }  # fmt: skip
    secrets = {desk.token, *secrets_of(os.environ), *secrets_of(launch.environment)}
    _write_events(agent, folder, report, secrets)


@contextmanager
def _desk(spec: TrialSpec, package: Package, folder: Path, run: str, room: Room, ground: Ground) -> Iterator[Desk]:
    policy = spec.policy
    trial = Trial(
        run, open_task(package), folder, room.workspace, budget=spec.budget, feedback=spec.feedback,
        scoring_seconds=policy.scoring_seconds, submissions_per_minute=policy.submissions_per_minute,
    )  # fmt: skip
    with Desk(
        trial,
        ground.state,
        lambda one: KeepingEvaluator(
            one.task.evaluation, one.folder / "scoring", ground.sandbox, image=spec.image,
            memory=one.scoring_memory, label=spec.id, store=ground.store,
        ),
        now=ground.now,
    ) as desk:  # fmt: skip
        yield desk
        desk.flush()


def _box(
    spec: TrialSpec, package: Package, room: Room, view: View, launch: Launch, lease: Lease, paper: Mapping[str, Path]
) -> Box:
    mounts = [
        Mount(package.path / "problem", PROBLEM),
        Mount(room.workspace, WORKSPACE, writable=True),
        Mount(room.service, _SERVICE),
        Mount(room.egress, _EGRESS),
        bridge.mount(),
        *launch.mounts,
        *(Mount(path, PAPER / name) for name, path in paper.items()),
    ]
    environment = {
        **view.environment(),
        "CUDA_VISIBLE_DEVICES": ",".join(str(place) for place, _ in enumerate(lease.gpus)),  # as they count inside
        **launch.environment,
    }
    policy = spec.policy
    limits = Limits(
        seconds=spec.budget * 1.5 + policy.scoring_seconds + GRACE_SECONDS, memory_bytes=policy.memory,
        cpus=policy.cpus, processes=policy.processes, disk_bytes=policy.disk,
    )  # fmt: skip
    return Box(
        image=spec.image, mounts=tuple(mounts), environment=environment, limits=limits, gpus=lease.gpus, label=spec.id
    )  # fmt: skip


def _ended(running: Running, desk: Desk, ground: Ground, report: Report) -> Outcome:
    """Wait for the agent's end, and bring it about at the deadline or when trials shall end."""
    try:
        while True:
            clock = desk.standing().clock
            left = clock.remaining(ground.now())
            outcome = running.wait(max(0.01, min(left, LOOK_SECONDS)))
            if outcome is not None:
                return outcome
            if ground.cancelled.is_set():
                report.status = "cancelled"
                return running.stop()
            if desk.standing().clock.is_over(ground.now()):
                report.status = "timed_out"
                return running.stop()
    except BaseException:
        with suppress(NatureGymError):
            running.stop()
        raise


def _conclude(outcome: Outcome, ground: Ground, report: Report) -> None:
    """The status that an agent's end means."""
    report.facts["exit"] = {"ended": outcome.ended.value, "code": outcome.code, "seconds": outcome.seconds}
    if outcome.ended is Ended.TIMED_OUT:
        report.status = "timed_out"
    if report.status == "timed_out":
        report.reason = "the deadline ended it"
    elif report.status == "cancelled" or ground.cancelled.is_set():
        report.status, report.reason = "cancelled", "the sweep was stopped"
    elif outcome.well:
        report.status, report.reason = "succeeded", ""
    else:
        report.status = "agent_error"
        report.reason = _BROKEN.get(outcome.ended, f"its program ended with {outcome.code}")


def _await_scoring(desk: Desk, spec: TrialSpec) -> None:
    """An answer that was taken before the deadline is scored to its end."""
    until = time.monotonic() + spec.policy.scoring_seconds + GRACE_SECONDS
    pause = threading.Event()
    while desk.standing().scoring is not None and time.monotonic() < until:
        pause.wait(0.02)


def _write_events(agent: Agent, folder: Path, report: Report, secrets: Collection[str]) -> None:
    """The trajectory; a program whose output cannot be read costs it, and not the trial."""
    try:
        streams = [folder / STDOUT, folder / STDERR]
        for path in streams:
            remove_secrets(path, secrets)
        spent = write_trajectory(folder / TRAJECTORY, Intake(secrets).events(agent.events(*streams)))
        report.facts["spent"] = asdict(spent)
    except (OSError, ValueError) as error:
        log.warning("trajectory of %s: %s", folder.name, error)
        report.facts["spent"] = {"error": str(error)}


def _note_running(folder: Path, spec: TrialSpec, run: str) -> None:
    told = read_json(folder / TRIAL)
    write_json(folder / TRIAL, {**told, "id": spec.id, "run": run, "spec": spec.as_json(), "spec_digest": spec.digest})


def _write_record(folder: Path, spec: TrialSpec, run: str, began: float, ground: Ground, report: Report) -> None:
    """How it ended, beside what the desk wrote when it was opened."""
    try:
        told = read_json(folder / TRIAL)
    except (OSError, ValueError):
        told = {}
    write_json(
        folder / TRIAL,
        {
            **told, "id": spec.id, "run": run, "spec": spec.as_json(), "spec_digest": spec.digest,
            "policy_digest": spec.policy.digest, "status": report.status, "reason": report.reason, "began": began,
            "finished": ground.now(), "phases": report.phases, **report.facts,
        },
    )  # fmt: skip
