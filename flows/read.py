"""Reading: what was fetched of each paper, into text, links, tables and figures."""

from __future__ import annotations

from flows.stage_flow import stage_flow
from nature_gym.reading.stage import ReadStage, readable

read = stage_flow(
    "read",
    ReadStage,
    seconds_each=0.1,
    ready=readable,
    description="Read the full text of papers: sections, availability statements, links, tables, figures.",
)
