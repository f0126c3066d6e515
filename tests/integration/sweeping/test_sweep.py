"""A sweep: every trial once, what fails tried again, what is done left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.packaging.package import Package
from nature_gym.sandbox.interface import Running
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.plan import Conditions, by_name, planned, trials_of
from nature_gym.sweeping.slots import Slots
from nature_gym.sweeping.spec import Policy
from nature_gym.sweeping.sweep import Ended, Sweep
from nature_gym.sweeping.trial_run import Ground
from tests.integration.sweeping.conftest import Script, make_package

CONDITIONS = Conditions(budget=60.0, policy=Policy(scoring_seconds=30.0))


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, Package]:
    return by_name(make_package(tmp_path / "packages" / name, readme=name) for name in ("one", "two"))


def make_sweep(
    tmp_path: Path, packages: dict[str, Package], ground: Ground, agents: list[Script], rerun: tuple[str, ...] = ()
) -> Sweep:
    folders = TrialFolders(tmp_path / "home")
    trials = trials_of(list(packages.values()), [agent.name for agent in agents], [0], CONDITIONS)
    slots = Slots(tmp_path / "home", cpus=2)
    named = {agent.name: agent for agent in agents}
    return Sweep(planned(trials, folders, rerun), packages, named, folders, ground, slots)


def drive(sweep: Sweep) -> list[Ended]:
    """Carry out everything, one after another."""
    found = []
    while not sweep.is_over:
        job = sweep.next()
        assert job is not None
        found.append(sweep.ended(sweep.carry_out(job)))
    return found


def test_every_trial_is_run_once_and_a_second_sweep_finds_them_done(
    tmp_path: Path, packages: dict[str, Package], ground: Ground
) -> None:
    agents = [Script("submit([1, 0, 1, 1])", "good"), Script("submit([0, 1, 0, 0])", "bad")]
    sweep = make_sweep(tmp_path, packages, ground, agents)
    ended = drive(sweep)
    assert [one.spec.agent for one in ended] == ["good", "bad", "good", "bad"] or len(
        {(one.spec.agent, one.spec.package) for one in ended}
    ) == 4
    assert {(one.spec.agent, one.best) for one in ended} == {("good", 1.0), ("bad", -1.0)}
    assert make_sweep(tmp_path, packages, ground, agents).total == 0
    assert make_sweep(tmp_path, packages, ground, agents, rerun=("succeeded",)).total == 4


def test_what_the_infrastructure_breaks_is_tried_again_and_its_evidence_stays(
    tmp_path: Path, packages: dict[str, Package], ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = type(ground.sandbox).start
    broken: list[int] = []

    def start(self: object, box: object, argv: list[str], **options: object) -> Running:
        if "main.py" in argv and len(broken) < 2:
            broken.append(1)
            raise InfrastructureError("the engine is gone")
        return real(self, box, argv, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(type(ground.sandbox), "start", start)
    sweep = make_sweep(tmp_path, {"one": packages["one"]}, ground, [Script("submit([1, 0, 1, 1])")])
    ended = drive(sweep)
    assert [(one.status, one.again) for one in ended] == [
        ("infra_error", True), ("infra_error", True), ("succeeded", False),
    ]  # fmt: skip
    folders = TrialFolders(tmp_path / "home")
    (trial,) = folders
    assert trial.status == "succeeded"
    before = folders.runs_before(trial.id)
    assert [(one.id, one.status) for one in before] == [
        (f"{trial.id}.1", "infra_error"), (f"{trial.id}.2", "infra_error"),
    ]  # fmt: skip
    assert before[0].record["reason"] == "the engine is gone"


def test_what_fails_for_good_waits_for_rerun(tmp_path: Path, packages: dict[str, Package], ground: Ground) -> None:
    (packages["one"].path / "metadata.json").write_text("{}", encoding="utf-8")
    one = {"one": Package(packages["one"].path)}
    ended = drive(make_sweep(tmp_path, one, ground, [Script()]))
    assert [one.again for one in ended] == [True, True, False]
    assert make_sweep(tmp_path, one, ground, [Script()]).total == 0
    assert make_sweep(tmp_path, one, ground, [Script()], rerun=("infra_error",)).total == 1


def test_a_trial_that_another_process_runs_is_waited_for_and_not_run_twice(
    tmp_path: Path, packages: dict[str, Package], ground: Ground
) -> None:
    agents, one = [Script("submit([1, 0, 1, 1])")], {"one": packages["one"]}
    first, second = (make_sweep(tmp_path, one, ground, agents) for _ in range(2))
    job = first.next()
    assert job is not None
    assert second.next() is None
    assert [waiting.reason for waiting in second.waiting()] == ["another process, which runs it"]
    first.ended(first.carry_out(job))
    assert second.next() is None
    assert second.is_over
    assert second.counts == {"done_elsewhere": 1}
    assert len(list(TrialFolders(tmp_path / "home"))) == 1


def test_without_a_free_slot_nothing_begins(tmp_path: Path, packages: dict[str, Package], ground: Ground) -> None:
    sweep = make_sweep(tmp_path, packages, ground, [Script("submit([1, 0, 1, 1])")])
    slots = Slots(tmp_path / "home", cpus=2)
    with slots.take(), slots.take():  # type: ignore[union-attr]
        assert sweep.next() is None
        assert {one.reason for one in sweep.waiting()} == {"a CPU slot"}
    job = sweep.next()
    assert job is not None
    job.holds.close()
