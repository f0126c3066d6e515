"""What the documentation shows: commands to type, and files to write.

A command stands in a ``console`` block behind ``$``; ``# ends with 1`` says that it does. A file is a block with a
title, its path.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = (CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md")))
_BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ENDS = re.compile(r"# .*\bends with (\d+)")


@dataclass(frozen=True)
class Shown:
    """A command (``title`` empty), or a file by its path."""

    page: str
    text: str
    title: str = ""

    @property
    def code(self) -> int:
        """What the command ends with."""
        told = _ENDS.search(self.text)
        return int(told[1]) if told else 0

    @property
    def words(self) -> list[str]:
        """The command in words, without the remark behind it and where its output goes."""
        return shlex.split(re.split(r"\s[>|]\s", self.text)[0], comments=True)


def shown_in(page: Path) -> Iterator[Shown]:
    """Commands and files of a page, in their order."""
    for language, title, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if title:
            yield Shown(page.name, text, title)
        elif language in ("console", "bash"):
            for line in text.splitlines():
                if line.startswith("$ ") or (language == "bash" and line.strip()):
                    yield Shown(page.name, line.removeprefix("$ "))


def commands_shown() -> list[Shown]:
    """Every command of every page."""
    return [one for page in PAGES for one in shown_in(page) if not one.title]
