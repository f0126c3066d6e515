"""The fetch: each harvested paper's own files, politely, a task run a paper."""

from __future__ import annotations

from typing import Any

from prefect import flow
from prefect.client.schemas import State

from flows.artifacts import publish_funnel
from flows.mapping import map_stage
from flows.session import open_session
from flows.stage_flow import run_name
from nature_gym.errors import InfrastructureError
from nature_gym.fulltext.stage import STAGE, FetchStage, fetchable, refetch_stage
from nature_gym.stages import Result
from nature_gym.web.hosts import ComeBackLaterError

SECONDS_EACH = 3.0
"""A page, its tables, a PDF, at a request a second."""


@flow(name=STAGE, flow_run_name=run_name, persist_result=False)
def fetch(papers: list[str] | None = None, force: bool = False) -> State[Any]:
    """Fetch the full text that licences allow, of ``papers`` or of all that were harvested."""
    with open_session(STAGE, {"papers": papers, "force": force}) as session:
        ids = fetchable(session.papers) if papers is None else papers
        closed: list[Result] = []

        def is_closed(result: Result) -> bool:
            """Whether a host that all papers need wants to be left alone for hours."""
            if result.kind == "error" and result.verdict == ComeBackLaterError.__name__:
                closed.append(result)
            return bool(closed)

        factory = refetch_stage if force else FetchStage
        report = map_stage(session, factory, ids, seconds_each=SECONDS_EACH, force=force, stop_after=is_closed)
        for verdict in ("no_access", "not_found"):
            if report.verdicts[verdict]:
                session.counts[verdict] = report.verdicts[verdict]
                session.counts["done"] -= report.verdicts[verdict]  # each paper is counted once
        publish_funnel(
            [{"outcome": verdict or "current", "papers": count} for verdict, count in report.verdicts.most_common()],
            key=STAGE,
            description="Full texts fetched",
        )
        if closed:
            raise InfrastructureError(
                closed[0].reason, hint="Run the same command again after that; it goes on where it stopped."
            )
        return session.final_state()
