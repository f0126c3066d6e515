"""Screening: every paper that was read, through the three levels of rules."""

from __future__ import annotations

from flows.stage_flow import stage_flow
from nature_gym.screening.stage import ScreenStage, screenable

screen = stage_flow(
    "screen",
    ScreenStage,
    seconds_each=0.05,
    ready=screenable,
    description="Put papers through the three levels of rules, up to the first that they do not pass.",
)
