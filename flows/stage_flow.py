"""The flow of a stage that needs nothing but its papers: most stages' flows are one line with it.

read = stage_flow("read", ReadStage, seconds_each=0.2, description="...")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prefect import Flow, flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run

from flows.mapping import StageFactory, map_stage
from flows.session import Session, open_session
from nature_gym.config import Settings
from nature_gym.records import Papers

StageFlow = Flow[[list[str] | None, bool], State[Any]]


def stage_flow(
    name: str,
    factory: StageFactory,
    *,
    seconds_each: float | Callable[[Settings], float],
    description: str,
    ready: Callable[[Papers], list[str]],
    afterwards: Callable[[Session], None] = lambda _: None,
) -> StageFlow:
    """A flow ``name(papers=None, force=False)`` that carries the stage out for ``papers``, or for those that are ready.

    ``ready`` gives the ids of all papers that have come as far as this stage; ``afterwards`` shows what came of them.
    """

    def run(papers: list[str] | None = None, force: bool = False) -> State[Any]:
        with open_session(name, {"papers": papers, "force": force}) as session:
            ids = ready(session.papers) if papers is None else papers
            each = seconds_each(session.settings) if callable(seconds_each) else seconds_each
            map_stage(session, factory, ids, seconds_each=each, force=force)
            afterwards(session)
            return session.final_state()

    run.__name__ = name
    run.__doc__ = description
    make: Callable[..., StageFlow] = flow
    return make(run, name=name, description=description, flow_run_name=run_name, persist_result=False)


def run_name() -> str:
    """What the UI lists the run as: ``read all papers``, ``read 10.5555_x``, ``read 12 papers``."""
    papers = flow_run.parameters.get("papers")
    if papers is None:
        return f"{flow_run.flow_name} all papers"
    return f"{flow_run.flow_name} {papers[0]}" if len(papers) == 1 else f"{flow_run.flow_name} {len(papers)} papers"
