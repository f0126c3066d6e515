"""Every command that a page or a help text shows is one that there is, with options that it has."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from nature_gym.cli.main import app
from tests.documented import Shown, commands_shown


def _stilled(command: Any, calls: list[str], name: str = "naturegym") -> Any:
    """The command tree with nothing behind it: words are read, and whatever was meant is noted."""
    if hasattr(command, "commands"):
        for child, inner in command.commands.items():
            _stilled(inner, calls, f"{name} {child}")
    command.callback = lambda **_: calls.append(name)
    return command


def _examples(command: Any) -> Iterator[str]:
    text = f"{command.help or ''}\n{command.epilog or ''}"
    yield from (line.strip() for line in re.findall(r"Example:\s+(.*)", text))
    for inner in getattr(command, "commands", {}).values():
        yield from _examples(inner)


CALLS: list[str] = []
STILLED = _stilled(typer.main.get_command(app), CALLS)
SHOWN = sorted({one.text.strip() for one in commands_shown() if one.text.startswith("naturegym ")})
EXAMPLES = sorted({text for text in _examples(STILLED) if text.startswith("naturegym ")})


def complaint(words: list[str]) -> str:
    """What the command line has against these words; '' for nothing."""
    CALLS.clear()
    try:
        STILLED.main(words, "naturegym", standalone_mode=False)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return str(error.format_message())
    return ""


def test_pages_and_help_show_many_commands() -> None:
    assert len(SHOWN) > 70
    assert len(EXAMPLES) > 70


@pytest.mark.parametrize("text", [*SHOWN, *EXAMPLES])
def test_a_shown_command_is_understood(text: str) -> None:
    assert not complaint(Shown("", text).words[1:])
    assert CALLS or "--help" in text or "--version" in text


@pytest.mark.parametrize("text", ["no-such-command", "check p1 --no-such-option", "cut a --method"])
def test_a_command_that_there_is_not_is_told(text: str) -> None:
    assert complaint(text.split())
