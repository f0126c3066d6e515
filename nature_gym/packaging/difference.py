"""What is different between two packages: files, lines of texts, and what that means for scores."""

from __future__ import annotations

import difflib
import filecmp
from dataclasses import dataclass
from typing import Any, Literal

from nature_gym.packaging.package import Package

TEXTS = (".md", ".py", ".json", ".yaml", ".txt", ".v3", ".csv")
LARGEST = 1 << 20
MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not the same; ``lines`` as a unified diff where both are small texts."""

    file: str
    kind: Literal["added", "removed", "changed"]
    lines: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As commands print it."""
        return {"file": self.file, "kind": self.kind, "lines": list(self.lines)}


def difference(one: Package, other: Package) -> list[Difference]:
    """What has to be done to ``one`` to make it ``other``, file by file."""
    found: list[Difference] = []
    for name in sorted(one.files.keys() | other.files.keys()):
        if name not in one.files:
            found.append(Difference(name, "added"))
        elif name not in other.files:
            found.append(Difference(name, "removed"))
        elif not filecmp.cmp(one.path / name, other.path / name, shallow=False):
            found.append(Difference(name, "changed", _lines(one, other, name)))
    return found


def _lines(one: Package, other: Package, name: str) -> tuple[str, ...]:
    if not name.endswith(TEXTS) or max(one.files[name], other.files[name]) > LARGEST:
        return ()
    before, after = one.text(name).content.splitlines(), other.text(name).content.splitlines()
    lines = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
    more = [f"... {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    return (*lines[:MOST_LINES], *more)
