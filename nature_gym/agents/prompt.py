"""What an agent is told: the task, how answers are handed in, and the rules. The words are a template's."""

from __future__ import annotations

from functools import cache
from importlib.resources import files as resources

import jinja2

from nature_gym.agents.interface import View
from nature_gym.agents.shipping import CLIENT

TEMPLATE = "agent.j2"


def prompt_for(view: View) -> str:
    """The prompt of a trial. It names paths inside the box and nothing of the host."""
    return _template().render(view=view, client=view.workspace / CLIENT, hours=_duration(view.budget))


def _duration(seconds: float) -> str:
    """A budget in words."""
    if seconds < 120:
        return f"{seconds:g} seconds"
    return f"{seconds / 60:g} minutes" if seconds < 7200 else f"{seconds / 3600:g} hours"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 -- plain text for a model, made of our words and paths
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(
        resources("templates").joinpath("prompts").joinpath(TEMPLATE).read_text(encoding="utf-8")
    )
