"""Acquisition: code and data of every paper that passed screening, a task run a paper.

While bytes come, a bar in the Prefect UI shows how much of the run's byte budget they took.
"""

from __future__ import annotations

import threading

from flows.artifacts import ProgressBar, publish_funnel
from flows.session import Session
from flows.stage_flow import stage_flow
from nature_gym.acquisition.stage import STAGE, AcquireStage, acquirable
from nature_gym.config import Settings

BYTES = "acquire-bytes"


class BudgetBar:
    """The bar: it is moved by whichever thread downloads, one at a time, and by none that would have to wait."""

    def __init__(self) -> None:
        self._bar = ProgressBar(BYTES, lambda done, most: f"{done:,} of the {most:,} bytes that a run may download")
        self._lock = threading.Lock()
        self._shown = -1

    def show(self, taken: int, most: int, *, at_once: bool = False) -> None:
        """``taken`` bytes of ``most`` came."""
        if taken == self._shown or not self._lock.acquire(blocking=at_once):
            return
        try:
            if self._bar.show(taken, most, at_once=at_once):
                self._shown = taken
        finally:
            self._lock.release()


def acquire_stage(settings: Settings) -> AcquireStage:
    """The stage, which shows how much of its budget is taken: as bytes come, and between sources."""
    bar = BudgetBar()

    def show(*, at_once: bool) -> None:
        bar.show(stage.budget.taken, stage.budget.most, at_once=at_once)

    stage = AcquireStage(
        settings, on_bytes=lambda *_: show(at_once=False), on_step=lambda _: show(at_once=stage.budget.taken > 0)
    )
    return stage


def show_bytes(session: Session) -> None:
    """What each paper came to, beside what a run may download, in the Prefect UI."""
    rows: list[dict[str, str | int]] = []
    for paper in acquirable(session.papers):
        record = session.papers[paper].record(STAGE)
        if record is not None:
            facts = record.facts
            rows.append(
                {"paper": paper, "outcome": record.verdict, "files": facts.get("files", 0),
                 "bytes": facts.get("bytes", 0)}
            )  # fmt: skip
    budget = session.settings.byte_budget
    total = sum(int(row["bytes"]) for row in rows)
    publish_funnel(rows, key=STAGE, description=f"{total:,} bytes acquired; a run may download {budget:,}")


acquire = stage_flow(
    STAGE,
    acquire_stage,
    seconds_each=30.0,
    ready=acquirable,
    description="Take the code and the data of papers that passed: clone, download, unpack, and look into each file.",
    afterwards=show_bytes,
)
