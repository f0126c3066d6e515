"""Building: the package of every paper that was cut."""

from __future__ import annotations

from flows.stage_flow import stage_flow
from nature_gym.config import Settings
from nature_gym.packaging.stage import BuildStage, buildable, kept_for


def build_stage(settings: Settings) -> BuildStage:
    """The stage as the settings have it."""
    return BuildStage(settings.packages, kept_for(settings))


build = stage_flow(
    "build",
    build_stage,
    seconds_each=2.0,
    ready=buildable,
    description="Render the packages of papers that were cut, those that are stale.",
)
