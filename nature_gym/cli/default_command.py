"""Nouns that are also verbs: ``naturegym screen PAPER`` beside ``naturegym screen evaluate TRUTH``.

A group made of this class gives all that does not begin with the name of one of its commands to its command
:data:`DEFAULT`, help included; that command's help names the others.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

DEFAULT = "(default)"


class DefaultCommand(TyperGroup):
    """A group whose command :data:`DEFAULT` takes what is no other command's."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == DEFAULT else name), command, rest  # usage lines show the names as they are typed
