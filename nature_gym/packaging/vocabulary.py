"""What ``task.yaml`` and ``metadata.json`` both speak of: the domain, and tools of a domain.

It stands apart so that a reader of packages need not load all forms of ``task.yaml``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PrimaryDomain = Literal[
    "Mathematics", "Physics", "Computer Science", "Biology", "Medicine", "Materials Science", "Chemistry", "Other"
]


class Model(BaseModel):
    """Unknown fields are mistakes; what was read does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Tool(Model):
    """A domain tool that the task works with."""

    name: str
    purpose: str
    interaction_type: str


class Tooling(Model):
    """Domain tools, for tasks that are about them."""

    interaction_level: Literal["level_1_python_lib", "level_2_cli_engine", "level_3_gui"]
    main_tools: Annotated[tuple[Tool, ...], Field(min_length=1)]
