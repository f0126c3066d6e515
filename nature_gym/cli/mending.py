"""``naturegym check --fix``: show what can be mended, and mend it when that is wanted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from nature_gym.cli.output import console, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from checks.mends import Mend
    from checks.package import CheckedPackage

COLOURS = {"+": "green", "-": "red", "@": "dim"}


def mend(packages: Sequence[Path], *, method_names: tuple[str, ...], yes: bool, quiet: bool) -> dict[str, Any]:
    """Mend packages where ``yes`` says so, or whoever sits there; what was found, by package, as JSON has it.

    ``quiet`` prints nothing and asks nobody.
    """
    from checks.mends import apply_mends, mends_of
    from checks.package import CheckedPackage

    told: dict[str, Any] = {}
    for path in packages:
        package = CheckedPackage(path, method_names=method_names)
        found = mends_of(package)
        if not quiet:
            _show(console(stderr=True), package, found)
        wanted = bool(found) and (yes or (not quiet and _asked(path)))
        if wanted:
            apply_mends(path, found)
        told[str(path)] = {
            "applied": wanted,
            "mends": [
                {
                    "file": one.file,
                    "action": "remove" if one.content is None else "write",
                    "because": one.because,
                    "difference": list(one.difference(package)),
                }
                for one in found
            ],
        }
    return told


def _show(out: Console, package: CheckedPackage, mends: Sequence[Mend]) -> None:
    if not mends:
        out.print(f"{shown(package.path)}: nothing that can be mended safely")
        return
    out.print(f"[bold]{shown(package.path)}[/]")
    for one in mends:
        out.print(f"\n[bold]{shown(one.file)}[/]  {shown(one.because)}")
        for line in one.difference(package):
            out.print(f"  [{COLOURS.get(line[:1], 'default')}]{shown(line)}[/]")


def _asked(path: Path) -> bool:
    """Whether the one who sits there wants it; where nobody does, it stays as it is."""
    if not sys.stdin.isatty():
        console(stderr=True).print("Nothing was changed: --yes applies it.")
        return False
    return typer.confirm(f"Apply this to {path}?", err=True)
