"""What commands print: text for people, or one JSON document with ``--json``.

Results go to standard output; progress, warnings and errors to standard error, so that
``naturegym ... --json | jq`` always sees JSON alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.config import Settings
    from nature_gym.errors import NatureGymError

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def settings() -> Settings:
    """The settings in force, for a command's first line."""
    from nature_gym.config import load_settings

    return load_settings()


def console(*, stderr: bool = False) -> Console:
    """A console that wraps to the terminal, and leaves text alone where there is none."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=not sys.stdout.isatty())


def program() -> str:
    """How this command was called, for examples that can be copied: its name alone where the shell finds it."""
    import os
    import shutil

    if shutil.which("naturegym"):
        return "naturegym"
    path = os.path.relpath(sys.argv[0])
    return sys.argv[0] if path.startswith("..") else path


def shown(text: object) -> str:
    """Text from outside, fit to be printed: no markup of ours, and nothing that commands the terminal."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in str(text)))


def emit(value: Any, *, as_json: bool, text: Callable[[Console], None]) -> None:
    """Print ``value`` as JSON, or let ``text`` print it for people."""
    if as_json:
        emit_json(value)
    else:
        text(console())


def emit_json(value: Any, *, line: bool = False) -> None:
    """Print one JSON document: indented, or on one line for programs that read line by line."""
    import orjson

    options = orjson.OPT_APPEND_NEWLINE | (0 if line else orjson.OPT_INDENT_2)
    try:
        printed = orjson.dumps(value, option=options, default=str)
    except TypeError:  # a path that is not UTF-8: the standard library writes it in escapes
        printed = json.dumps(value, indent=None if line else 2, default=str).encode() + b"\n"
    sys.stdout.buffer.write(printed)
    sys.stdout.buffer.flush()


def forsake_output() -> None:
    """Let what is still to be written to standard output go nowhere: nobody reads it, or there is no room for it."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(error: NatureGymError, *, as_json: bool) -> None:
    """Say what went wrong and what to do, on standard error; with ``--json`` as an object on standard output."""
    if as_json:
        try:
            emit_json({"error": error.message, "hint": error.hint, "exit_code": error.exit_code}, line=True)
        except OSError:  # standard output takes nothing: what is left for it goes nowhere, the words go to the other
            forsake_output()
    for line in filter(None, (f"naturegym: {error.message}", f"  {error.hint}" if error.hint else "")):
        sys.stderr.write(line.encode(errors="replace").decode() + "\n")
