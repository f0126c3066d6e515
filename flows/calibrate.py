"""Calibration: checks, floor, Base and Reproduce passes of packages, and a report of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from checks.history import History, history_of, rules
from checks.model import CheckResult
from checks.running import run_checks
from flows.artifacts import publish_markdown
from flows.session import Session, open_session
from flows.sweep import carry_out
from nature_gym.evaluation.trial import BUDGET_SECONDS
from nature_gym.packaging.package import open_package
from nature_gym.records import Papers
from nature_gym.sweeping.admission import keep_report
from nature_gym.sweeping.calibration import CEILING, MALFORMED, AdmissionReport, CheckFact, admission, page
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.identity import kept_digests, task_digest
from nature_gym.sweeping.papers import paper_files
from nature_gym.sweeping.plan import Plan
from nature_gym.sweeping.request import Meant, SweepRequest, meant

FLOOR = "constant"
Passes = dict[str, dict[str, TrialFolder | None]]
"""Trials by package and pass."""


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """``agent`` makes the Base and the Reproduce pass; empty for neither. ``papers`` maps packages to their papers.

    ``force``: passes are made though the checks do not admit a package.
    """

    packages: list[str]
    agent: str = ""
    budget: float = BUDGET_SECONDS
    image: str = ""
    backend: str = ""
    parallel: int = 0
    rerun: list[str] = field(default_factory=list)
    papers: dict[str, str] = field(default_factory=dict)
    force: bool = False

    def as_json(self) -> dict[str, Any]:
        """For a flow's parameters."""
        return asdict(self)


def run_name() -> str:
    """``calibrate demo-48a07731``."""
    names = [Path(one).name for one in flow_run.parameters.get("request", {}).get("packages", [])]
    return f"calibrate {', '.join(names)}"[:100]


@flow(name="calibrate", flow_run_name=run_name, persist_result=False)
def calibrate(request: dict[str, Any]) -> State[Any]:
    """Look at packages in five ways, and say of each: admit, repair with what, or drop."""
    asked = CalibrationRequest(**request)
    with open_session("calibrate", request) as session:
        paths = {path.name: path for path in (open_package(Path(one)).path.resolve() for one in asked.packages)}
        facts, blocked = {}, {}
        for name, path in paths.items():
            future = look.submit(name, str(path), str(session.settings.home))
            session.made_task_run()
            facts[name], blocked[name] = future.result()
        ready = [str(path) for name, path in paths.items() if asked.force or not blocked[name]]
        trials = _passes(session, asked, ready) if ready else {}
        for name, path in paths.items():
            digest = task_digest(open_package(path), kept_digests(session.settings.home))
            report = admission(name, digest, facts[name], trials.get(name, {}), blocked=blocked[name])
            _publish(session, report)
        session.index_checks()
        return _concluded(session.counts)


def _passes(
    session: Session, asked: CalibrationRequest, packages: list[str]
) -> dict[str, dict[str, TrialFolder | None]]:
    """Make the passes that are missing; the trials of each package by pass."""
    papers = {
        name: paper_files(package, Papers(session.settings.papers), _given(asked, name))
        for name, package in ((one.path.name, one) for one in map(open_package, map(Path, packages)))
    } if asked.agent else {}  # fmt: skip
    shared = SweepRequest(
        [], packages, 1, asked.budget, "scores", asked.image, asked.backend, parallel=asked.parallel, rerun=asked.rerun
    )
    base = meant(
        replace(shared, agents=[FLOOR, *([asked.agent] if asked.agent else [])], purpose="base"), session.settings
    )  # fmt: skip
    found = [base]
    if asked.agent:
        found.append(meant(replace(shared, agents=[asked.agent], purpose="reproduce"), session.settings))
    together = _together(found)
    carry_out(session, together, papers=papers.__getitem__)
    folders = TrialFolders(session.settings.home)
    made: Passes = {}
    for spec in _specs(found):
        name = "reproduce" if spec.policy.purpose == "reproduce" else "base" if spec.agent == asked.agent else "floor"
        made.setdefault(spec.package, {})[name] = folders.get(spec.id)
        if spec.agent == FLOOR == asked.agent and name == "base":
            made[spec.package]["floor"] = folders.get(spec.id)
    return made


def _together(found: list[Meant]) -> Meant:
    plan = Plan(*(tuple(one for each in found for one in getattr(each.plan, part)) for part in
                  ("todo", "done", "failed")))  # fmt: skip
    return replace(found[0], plan=plan)


def _specs(found: list[Meant]) -> list[Any]:
    """Every trial that is meant, whether it was to run or had been."""
    return [
        spec for one in found
        for spec in (*one.plan.todo, *(trial.spec for trial in (*one.plan.done, *one.plan.failed)))
    ]  # fmt: skip


def _given(asked: CalibrationRequest, name: str) -> Path | None:
    found = asked.papers.get(name) or asked.papers.get("")
    return Path(found) if found else None


@task(name="checks", task_run_name="check {name}", cache_policy=NO_CACHE, persist_result=False, retries=0)
def look(name: str, package: str, home: str) -> tuple[dict[str, CheckFact], str]:  # noqa: ARG001 -- the run's name
    """What the checks say of a package, and why it may not be calibrated: from their record, or by running them."""
    history, path = history_of(Path(home)), Path(package)
    digest = history.digest(path)
    results = _results(history, path, digest)
    if not {CEILING, MALFORMED} <= results.keys() or history.is_stale(path):
        history.keep(run_checks(path), digest)
        results = _results(history, path, digest)
    facts = {name: _fact(results[name]) for name in (CEILING, MALFORMED) if name in results}
    return facts, history.admits_calibration(digest)


def _results(history: History, path: Path, digest: str) -> dict[str, CheckResult]:
    """The newest result of each check on this state of the package, by the checks as they are now."""
    found: dict[str, CheckResult] = {}
    for record in history.of(path):
        if record.digest == digest and record.rules == rules():
            found |= record.looked()
    return found


def _fact(result: CheckResult) -> CheckFact:
    found = tuple(
        one.message for one in result.findings if one.level == "fail" and not one.suppressed
    ) or tuple(filter(None, (result.reason,)))  # fmt: skip
    return CheckFact(result.id, result.status, found)


def _publish(session: Session, report: AdmissionReport) -> None:
    text = page(report)
    keep_report(session.settings.home, report.package, report.as_json(), text)
    publish_markdown(text, key=f"calibrate {report.package}", description=report.summary)
    counts: Mapping[str, int] = {**session.counts, report.verdict: session.counts[report.verdict] + 1}
    session.count(counts)


def _concluded(counts: Mapping[str, int]) -> State[None]:
    told = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in sorted(counts.items()) if count)
    return (Failed if counts.get("infra_error") else Completed)(message=told or "nothing to do")
