"""Cutting: a draft of the task of every paper whose code and data were acquired."""

from __future__ import annotations

from flows.stage_flow import stage_flow
from nature_gym.config import Settings
from nature_gym.cut.questions import CUT
from nature_gym.cut.stage import CutStage, cuttable


def cut_stage(_settings: Settings) -> CutStage:
    """The stage, which no setting changes."""
    return CutStage()


cut = stage_flow(
    CUT,
    cut_stage,
    seconds_each=10.0,
    ready=cuttable,
    description="Find what of papers' code and data any method would need, how settings part, and draft task.yaml.",
)
