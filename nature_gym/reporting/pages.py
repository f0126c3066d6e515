"""The report's templates filled in: everything is escaped, and what is undefined is an error."""

from __future__ import annotations

import datetime as dt
from functools import cache
from importlib.resources import files as resources
from typing import Any

import jinja2

from nature_gym.reporting.life import COMMANDS
from nature_gym.reporting.texts import spoken

FOLDER = "report"
ASSETS = ("icon.svg", "report.css", "report.js", "papers.js", "trials.js")
PAGES = (
    ("index.html", "Overview"), ("papers.html", "Papers"), ("packages.html", "Packages"),
    ("leaderboard.html", "Leaderboard"), ("trials.html", "Trials"), ("failures.html", "Failures"),
)  # fmt: skip


def asset(name: str) -> bytes:
    """A file that lies beside the pages as it is."""
    return resources("templates").joinpath(FOLDER).joinpath(name).read_bytes()


def page(template: str, *, here: str, root: str = "", **values: Any) -> bytes:
    """A page in UTF-8. ``here`` is its entry in the navigation, ``root`` leads from it to the top."""
    told = _environment().get_template(template).render(here=here, root=root, pages=PAGES, commands=COMMANDS, **values)
    return told.encode("utf-8", errors="replace")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: asset(name).decode()),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"spoken": spoken, "gap": gap, "number": number, "day": day}
    return environment


def gap(value: float | None) -> str:
    """A g for people."""
    return "n/a" if value is None else f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def number(value: float | None, digits: int = 0) -> str:
    """A number with its thousands parted."""
    return "n/a" if value is None else f"{value:,.{digits}f}"


def day(value: float) -> str:
    """Seconds since 1970 as a day in UTC."""
    return f"{dt.datetime.fromtimestamp(value, dt.UTC):%Y-%m-%d}"
