"""Screening: every paper that was read, through the three levels of rules."""

from __future__ import annotations

from contextlib import AbstractContextManager

from prefect.client.orchestration import get_client
from prefect.concurrency.sync import concurrency

from flows.artifacts import publish_funnel
from flows.session import Session
from flows.stage_flow import stage_flow
from nature_gym.config import Settings
from nature_gym.screening.funnel import funnel_by_rule
from nature_gym.screening.stage import STAGE, ScreenStage, screenable

MODEL_LIMIT = "naturegym-model"
"""The Prefect concurrency limit on questions put to models, over all processes that share a Prefect API."""


def seconds_each(settings: Settings) -> float:
    """Rules read a paper in some milliseconds; asking a model takes seconds.

    So does looking at links, but that is for the few papers that pass all rules before.
    """
    if asks_a_model(settings):
        return 2.0
    return 0.2 if settings.probe_links else 0.02


def asks_a_model(settings: Settings) -> bool:
    """Whether a model decides any rule."""
    return "llm" in {settings.decider, *settings.deciders.values()}


def screen_stage(settings: Settings) -> ScreenStage:
    """The stage; a model is asked in its turn."""
    if not asks_a_model(settings):
        return ScreenStage(settings)
    with get_client(sync_client=True) as client:
        client.upsert_global_concurrency_limit_by_name(MODEL_LIMIT, settings.model_concurrency)
    return ScreenStage(settings, turn=turn)


def turn() -> AbstractContextManager[None]:
    """Held while a model is asked."""
    return concurrency(MODEL_LIMIT, occupy=1)


def show_funnel(session: Session) -> None:
    """The funnel by rule, as a table in the Prefect UI."""
    funnel = funnel_by_rule(session.papers)
    rows: list[dict[str, str | int]] = [{"rule": "all", "left": funnel["screened"], "stopped": ""}]
    for step in funnel["rules"]:
        stopped = ", ".join(f"{count} {code}" for code, count in step["stopped"].items())
        rows.append({"rule": step["rule"], "left": step["left"], "stopped": stopped})
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in funnel["verdicts"].items())
    publish_funnel(rows, key=STAGE, description=f"Screened: {verdicts}")


screen = stage_flow(
    STAGE,
    screen_stage,
    seconds_each=seconds_each,
    ready=screenable,
    description="Put papers through the three levels of rules, up to the first that they do not pass.",
    afterwards=show_funnel,
)
