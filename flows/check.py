"""Checking: one package with its report to look at, and all packages that were edited since they were checked."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from checks.corpus import packages_below, packages_in
from checks.formats import written
from checks.history import CheckRecord, History, history_of
from checks.running import run_checks
from flows.artifacts import artifact_key, publish_markdown
from flows.session import Session, open_session, stopping

AHEAD = 2
"""Task runs made ahead for each worker."""


def one_name() -> str:
    """``check demo-48a07731``."""
    return f"check {Path(flow_run.parameters.get('package', '')).name}"


@flow(name="check-package", flow_run_name=one_name, persist_result=False)
def check_package(package: str, static: bool = False) -> State[Any]:
    """Put the package at a path through the checks; the report is kept, and shown as a text with links.

    ``static`` leaves out what has to run code. The run fails where a check does.
    """
    with open_session("check-package", {"package": package, "static": static}) as session:
        (path,) = packages_in([Path(package)])
        record = look(history_of(session.settings.home), path, static=static)
        session.count({"failing" if record.report.summary.failed else "clean": 1})
        session.index_checks()
        return _concluded(record)


@flow(name="check-corpus", flow_run_name="check corpus", persist_result=False)
def check_corpus(folder: str | None = None, every: bool = False, static: bool = False) -> State[Any]:
    """Check the packages of a folder (those of the home, if none is named) that were edited since their last check.

    With ``every`` the others, too. A package that cannot be looked at stops no other.
    """
    with open_session("check-corpus", {"folder": folder, "every": every, "static": static}) as session:
        history = history_of(session.settings.home)
        packages = packages_below(Path(folder) if folder else session.settings.packages)
        stale = [path for path in packages if every or history.is_stale(path, static=static)]
        counts = Counter(unchanged=len(packages) - len(stale))
        session.tell("check", counts.total(), len(packages), counts)
        _check_all(session, stale, counts, total=len(packages), static=static)
        newest = [records[-1] for path in packages if (records := history.of(path))]
        # What was up to date may have failed before: a corpus is clean when all of it is.
        counts["failing"] = sum(bool(one.report.summary.failed) for one in newest)
        session.count(counts)
        publish_markdown(_overview(newest), key="check-corpus", description=f"{len(packages)} packages")
        session.index_checks()
        return session.final_state()


def _check_all(session: Session, stale: Sequence[Path], counts: Counter[str], *, total: int, static: bool) -> None:
    """Check packages side by side, some ahead of the workers, and count what came of them."""
    waiting, under_way = deque(stale), deque[PrefectFuture[Any]]()
    while waiting or under_way:
        while waiting and len(under_way) < AHEAD * session.settings.workers:
            path = waiting.popleft()
            arguments = (path.name, str(path), str(session.settings.home), static, session.run.id)
            under_way.append(check_one.submit(*arguments))
            session.made_task_run()
        future = under_way.popleft()
        future.wait()
        outcome = future.state.result(raise_on_failure=False)
        counts["error" if isinstance(outcome, BaseException) else "checked"] += 1
        session.count(counts)
        session.tell("check", counts["unchanged"] + counts["checked"] + counts["error"], total, counts)


@task(name="check", task_run_name="check {name}", cache_policy=NO_CACHE, persist_result=False, retries=0)
def check_one(name: str, package: str, home: str, static: bool, run: str) -> State[str]:
    """Check one package; its state says what came of it."""
    if run in stopping:
        return Completed(message="not begun", data=name)
    return _concluded(look(history_of(Path(home)), Path(package), static=static))


def look(history: History, package: Path, *, static: bool) -> CheckRecord:
    """Check a package, keep the report, and show it."""
    digest = history.digest(package)
    record = history.keep(run_checks(package, static=static), digest)
    publish_markdown(
        f"{_links(history, record)}\n\n{written([record.report], 'markdown')}",
        key=f"check {record.package}",
        description=str(record.report.summary),
    )
    return record


def _concluded(record: CheckRecord) -> State[str]:
    """Red for a package with a check that fails, and for a check of ours that broke down."""
    broken = [one.id for one in record.report.checks if one.defect]
    message = str(record.report.summary) + (f"; broke down: {', '.join(broken)}" if broken else "")
    make = Failed if record.report.summary.failed or broken else Completed
    return make(message=message, data=record.package)


def _links(history: History, record: CheckRecord) -> str:
    """Where the package, its report as a record, and the overview are."""
    record_file = history.place(record).absolute().as_uri()
    return (
        f"[package]({Path(record.path).as_uri()}) · [record]({record_file}) · "
        "[all packages](/artifacts/key/check-corpus)"
    )


def _overview(records: Sequence[CheckRecord]) -> str:
    """A line a package, those with failures first, each with a link to its report."""
    lines = ["| package | checks | failing |", "|---|---|---|"]
    for one in sorted(records, key=lambda one: (not one.report.summary.failed, one.package)):
        failing = ", ".join(check.id for check in one.report.checks if check.status == "fail")
        link = f"/artifacts/key/{artifact_key(f'check {one.package}')}"
        name = "".join(sign if sign.isalnum() or sign in "-_." else " " for sign in one.package)
        lines.append(f"| [{name}]({link}) | {one.report.summary} | {failing} |")
    return "\n".join(lines) + "\n"
