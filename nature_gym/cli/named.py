"""Papers that a command is given by name: those that can be worked on are, and each of the others is told.

One rule for all commands that take several names: a name that means nothing stops nothing but itself. The command
ends with 2 for it, unless something worse happened to another paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nature_gym.cli.output import shown
from nature_gym.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.records import PaperFolder, Papers


@dataclass(frozen=True, slots=True)
class Named:
    """``papers`` in the order of their names, each once; ``refused`` names with what is in the way of each."""

    papers: list[PaperFolder]
    refused: dict[str, UsageError] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """What the command ends with where all papers went well."""
        return UsageError.exit_code if self.refused else 0

    def as_json(self) -> list[dict[str, Any]]:
        """The refused, as a command prints them beside what it did."""
        return [
            {"name": name, "reason": error.message, "hint": error.hint} for name, error in sorted(self.refused.items())
        ]

    def print_refused(self, out: Console) -> None:
        """The refused, for people."""
        for error in self.refused.values():
            out.print(f"[red]{shown(error.message)}[/]" + (f"\n  {shown(error.hint)}" if error.hint else ""))


def named(
    corpus: Papers,
    names: Sequence[str],
    check: Callable[[PaperFolder], None] = lambda _: None,
    *,
    beside: Named | None = None,
) -> Named:
    """The papers that ``names`` mean and that ``check`` lets pass (it raises UsageError for others).

    ``beside`` are those that a command has otherwise. Raises that UsageError where there is nothing left to work on.
    """
    papers = {folder.id: folder for folder in beside.papers} if beside else {}
    refused = dict(beside.refused) if beside else {}
    for name in names:
        try:
            folder = corpus.find(name)
            check(folder)
        except UsageError as error:
            refused[name] = error
        else:
            papers[folder.id] = folder
    if refused and not papers:
        first = next(iter(refused.values()))
        others = f" (nor can the other {len(refused) - 1} be worked on)" if len(refused) > 1 else ""
        raise UsageError(first.message + others, hint=first.hint)
    return Named(list(papers.values()), refused)
