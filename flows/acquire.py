"""Acquisition: code and data of every paper that passed screening, a task run a paper."""

from __future__ import annotations

from flows.artifacts import publish_funnel
from flows.session import Session
from flows.stage_flow import stage_flow
from nature_gym.acquisition.stage import STAGE, AcquireStage, acquirable


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
    AcquireStage,
    seconds_each=30.0,
    ready=acquirable,
    description="Take the code and the data of papers that passed: clone, download, unpack, and look into each file.",
    afterwards=show_bytes,
)
