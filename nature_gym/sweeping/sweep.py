"""A sweep under way: which trial is to run now, run it, and what came of it.

The idea: whoever drives it (a flow with a task a trial) asks :meth:`Sweep.next` for a job, carries it out in any thread
with :meth:`Sweep.carry_out`, and hands what came of it back with :meth:`Sweep.ended`. ``next`` and ``ended`` are for
the driver's one thread. What a job holds (a claim on its trial, a lease of slots) the kernel takes back when the
process dies, so another sweep can go on at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from nature_gym.agents.interface import Agent
from nature_gym.packaging.package import Package
from nature_gym.sweeping.folders import COUNTED, Status, TrialFolders
from nature_gym.sweeping.plan import Plan, needs_gpu
from nature_gym.sweeping.scheduler import Scheduler, Waiting
from nature_gym.sweeping.slots import Lease, Slots
from nature_gym.sweeping.spec import TrialSpec
from nature_gym.sweeping.trial_run import Ground, Report, run_trial

TRIES = 3
"""How often a trial is begun in one sweep while the infrastructure fails."""
LACKING = {"cpu": "a CPU slot", "gpu": "a GPU", "claim": "another process, which runs it"}


@dataclass(slots=True)
class Job:
    """A trial to carry out now, with what it holds."""

    spec: TrialSpec
    lease: Lease
    holds: ExitStack


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a job. ``again``: it is going to be tried again."""

    spec: TrialSpec
    status: Status
    reason: str
    best: float | None = None
    again: bool = False


class Sweep:
    """Carries out a plan. ``agents`` are the adapters by name, ``packages`` the packages by folder name.

    ``papers`` gives the files of a package's paper for a Reproduce pass.
    """

    def __init__(
        self, plan: Plan, packages: Mapping[str, Package], agents: Mapping[str, Agent], folders: TrialFolders,
        ground: Ground, slots: Slots, *, limits: Mapping[str, int] | None = None,
        papers: Callable[[str], Mapping[str, Path]] = lambda _: {},
    ) -> None:  # fmt: skip
        self.counts: Counter[str] = Counter()
        self.total = len(plan.todo)
        self._packages, self._agents, self._folders = packages, agents, folders
        self._ground, self._slots, self._papers = ground, slots, papers
        self._scheduler = Scheduler(plan.todo, limits=limits)
        self._tries: Counter[str] = Counter()
        self._lacking: dict[str, str] = {}
        self._planned = {
            trial.id: found.record.get("run") if (found := folders.get(trial.id)) is not None else None
            for trial in plan.todo
        }
        """The run that each trial had when this sweep was planned: another one was made by somebody else."""
        ground.watch.total = self.total

    @property
    def is_over(self) -> bool:
        """Whether nothing runs and nothing is to run."""
        return not len(self._scheduler) and not self._scheduler.running

    @property
    def running(self) -> int:
        """How many jobs are given out."""
        return self._scheduler.running

    def next(self) -> Job | None:
        """A job to carry out now; None where none can be begun before another ends or another process lets go."""
        self._lacking.clear()
        found: list[Job] = []

        def may(trial: TrialSpec) -> bool:
            held = self._held(trial)
            if isinstance(held, str):
                self._lacking[trial.id] = held
                return held == "done"
            found.append(held)
            return True

        while not self._ground.cancelled.is_set():
            trial = self._scheduler.next(may)
            if found:
                return found[0]
            if trial is None:
                break
            self._scheduler.ended(trial)  # another process has done it meanwhile
            self._count("done_elsewhere")
        self._ground.watch.waiting = [(one.trial, one.reason) for one in self.waiting()]
        return None

    def carry_out(self, job: Job) -> Ended:
        """Run a job's trial to its end, in the calling thread. Raises OSError where its record cannot be written."""
        spec = job.spec
        try:
            folder = self._folders.begin(spec)
            paper = self._papers(spec.package) if spec.policy.purpose == "reproduce" else {}
            report = run_trial(
                spec, self._packages[spec.package], self._agents[spec.agent], folder, self._ground, lease=job.lease,
                paper=paper,
            )  # fmt: skip
        finally:
            job.holds.close()
        return Ended(spec, report.status, report.reason, _best(report))

    def ended(self, ended: Ended) -> Ended:
        """Take back what came of a job; where the infrastructure failed, the trial is put into the queue again."""
        self._scheduler.ended(ended.spec)
        self._tries[ended.spec.id] += 1
        if (
            ended.status == "infra_error"
            and self._tries[ended.spec.id] < TRIES
            and not self._ground.cancelled.is_set()
        ):  # fmt: skip
            self._scheduler.add(ended.spec)
            self.counts["retried"] += 1
            return Ended(ended.spec, ended.status, ended.reason, ended.best, again=True)
        self._count(ended.status)
        return ended

    def waiting(self) -> list[Waiting]:
        """What each trial that has not begun waits for."""
        lack = set(self._lacking.values())
        common = LACKING["cpu"] if "cpu" in lack else ""
        return self._scheduler.waiting(lambda trial: LACKING.get(self._lacking.get(trial.id, ""), common))

    def _count(self, what: str) -> None:
        self.counts[what] += 1
        self._ground.watch.done += 1

    def _held(self, trial: TrialSpec) -> Job | str:
        """A job with all that the trial needs; else what is lacking, or ``done`` where it has been done meanwhile."""
        holds = ExitStack()
        with ExitStack() as undo:
            undo.push(holds)
            lease = self._slots.take(gpu=needs_gpu(self._packages[trial.package]))
            if isinstance(lease, str):
                return lease
            holds.push(lease)
            if not holds.enter_context(self._folders.claimed(trial.id)):
                return "claim"
            if self._tries[trial.id] == 0 and self._is_done(trial):
                return "done"
            undo.pop_all()
        return Job(trial, lease, holds)

    def _is_done(self, trial: TrialSpec) -> bool:
        """Whether it has ended since the plan was made: in another process."""
        found = self._folders.get(trial.id)
        return found is not None and found.status in COUNTED and found.record.get("run") != self._planned[trial.id]


def _best(report: Report) -> float | None:
    best = report.facts.get("best")
    return best["gap"] if best else None
