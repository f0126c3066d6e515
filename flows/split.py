"""Splitting: the files of every paper's task, by the operations of its task.yaml."""

from __future__ import annotations

from flows.stage_flow import stage_flow
from nature_gym.config import Settings
from nature_gym.splitting.stage import SplitStage, splittable


def split_stage(_settings: Settings) -> SplitStage:
    """The stage, which no setting changes."""
    return SplitStage()


split = stage_flow(
    "split",
    split_stage,
    seconds_each=2.0,
    ready=splittable,
    description="Make the files of papers' tasks, both sides, rows counted.",
)
