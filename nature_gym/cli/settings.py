"""``naturegym settings``: every setting, its value, where that came from, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console


def settings(as_json: JsonOption = False) -> None:
    """Show every setting, its value, where the value came from, and what it means.

    Set one for a single command by its variable, or for good in naturegym.toml.

    Example:  NATUREGYM_WORKERS=4 naturegym settings
    """
    from nature_gym.config import PREFIX, describe

    rows = describe(load())

    def text(out: Console) -> None:
        from rich.table import Column, Table

        table = Table("setting", Column("value", overflow="fold"), "from", "meaning", box=None, pad_edge=False)
        for row in rows:
            table.add_row(row["name"], shown(row["value"]), shown(row["origin"]), row["meaning"])
        out.print(table)
        out.print(f"\nAs a variable: {PREFIX}NAME in capitals. In naturegym.toml: name = value.")

    emit({row["name"]: row for row in rows}, as_json=as_json, text=text)
