"""MkDocs hook: pages that are made from the code, so that they cannot say anything else than the code does.

``<!-- commands -->`` becomes the help of every command, ``<!-- settings -->`` the table of settings,
``<!-- metrics -->`` the tables of metrics, ``<!-- checks -->`` the explanation of every check.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    if "<!-- commands -->" in markdown:
        markdown = markdown.replace("<!-- commands -->", "\n".join(command_pages()))
    if "<!-- settings -->" in markdown:
        markdown = markdown.replace("<!-- settings -->", "\n".join(settings_table()))
    if "<!-- metrics -->" in markdown:
        markdown = markdown.replace("<!-- metrics -->", "\n".join(metrics_table()))
    if "<!-- checks -->" in markdown:
        markdown = markdown.replace("<!-- checks -->", "\n".join(check_pages()))
    return markdown


def command_pages() -> Iterator[str]:
    """The help of every command, depth first, in the order of `naturegym --help`."""
    from typer.main import get_command

    from nature_gym.cli.main import app

    yield from _command_page(get_command(app), ["naturegym"])


def _command_page(command: Any, words: list[str]) -> Iterator[str]:
    if command.hidden:
        return
    yield f"\n## `{' '.join(words)}`\n"
    text, _, examples = inspect.cleandoc(command.help or "").partition("Example:")
    yield text.strip().replace("\f", "")
    shown = [line.strip() for line in f"{examples}\n{command.epilog or ''}".replace("Example:", "\n").splitlines()]
    if any(shown):
        yield "\n```console"
        yield from (f"$ {line}" for line in shown if line)
        yield "```\n"
    rows = [row for parameter in command.params if (row := _parameter_row(parameter))]
    if rows:
        yield "\n| option | |\n|---|---|"
        yield from rows
    for name, child in getattr(command, "commands", {}).items():
        yield from _command_page(child, [*words, name])


def _parameter_row(parameter: Any) -> str:
    names = [name for name in parameter.opts if name not in ("--install-completion", "--show-completion")]
    if not names or getattr(parameter, "hidden", False):
        return ""
    if parameter.param_type_name == "argument":
        names = [parameter.metavar or parameter.name.upper()]
        value = ""
    else:
        value = f" {parameter.metavar}" if parameter.metavar and not getattr(parameter, "is_flag", False) else ""
    said = " ".join((getattr(parameter, "help", "") or "").split())
    return f"| {', '.join(f'`{name}{value}`' for name in names)} | {said} |"


def settings_table() -> Iterator[str]:
    """Every setting with its variable, its default and what it means."""
    from nature_gym.config import PREFIX, Settings

    yield "| setting | variable | default | what it means |\n|---|---|---|---|"
    for name, field in Settings.model_fields.items():
        default = "the number of cores" if name == "workers" else f"`{field.default}`" if field.default != "" else ""
        yield f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {field.description} |"


def metrics_table() -> Iterator[str]:
    """Every metric, a table a family, with what a reader needs to choose it."""
    from nature_gym.metrics.registry import FAMILIES, metrics

    for family in FAMILIES:
        yield f"\n### {family.capitalize()}\n"
        yield "| metric | also called | better | range | perfect | inputs | formula | source |"
        yield "|---|---|---|---|---|---|---|---|"
        for metric in metrics().values():
            if metric.family == family:
                yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in _metric_cells(metric))} |"


def _metric_cells(metric: Any) -> Iterator[str]:
    given = ", ".join(f"{name}={value!r}" for name, value in metric.parameters.items())
    yield f"**{metric.title}**<br>`{metric.name}`" + (f"<br>{given}" if given else "")
    yield ", ".join(metric.aliases)
    yield "higher" if metric.direction == "higher_is_better" else "lower"
    yield metric.range
    yield "" if metric.perfect is None else f"{metric.perfect:g}"
    yield f"{metric.reference or 'no reference'}; {metric.prediction}"
    yield metric.formula + (f"<br>Undefined: {metric.undefined}" if metric.undefined else "")
    yield metric.source + (f"<br>Needs {', '.join(metric.requires)}" if metric.requires else "")


def check_pages() -> Iterator[str]:
    """What every check means, a section a family."""
    from checks.registry import FAMILIES, checks, extended, family

    known = checks() | extended()
    for number, title in FAMILIES.items():
        yield f"\n## Family {number}: {title.lower()}\n"
        for name, check in known.items():
            if family(name) == number:
                yield f"\n### {name}: {check.title}\n"
                yield "\n\n".join(check.explanation.replace("<", "&lt;").split("\n\n")).replace("\n", "  \n")
