"""The templates of packages: Jinja2 with undefined names refused, and nothing escaped but by who fills in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files as resources
from typing import Any

import jinja2

from nature_gym.packaging import markdown


def _source(name: str) -> str:
    folder, _, file = name.partition("/")
    return resources("templates").joinpath(folder).joinpath(file).read_text(encoding="utf-8")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 -- Markdown and Python, no HTML; each place says by its filter how it is filled
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "prose": markdown.prose,
        "line": markdown.line,
        "title": markdown.title,
        "cell": markdown.cell,
        "code": markdown.code,
        "fenced": markdown.fenced,
    }
    return environment


def render(template: str, /, **values: Any) -> str:
    """A template filled in. Raises jinja2.UndefinedError where it names what is not given."""
    return _environment().get_template(template).render(**values)
