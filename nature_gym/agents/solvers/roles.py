"""What a task's two documents say of its columns: roles, meanings, the metric that counts, the class that is positive.

Runs inside a box. The idea: what is not said is left open, and found in the data by whoever asks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SCHEMA = re.compile(r"^###\s+[\d.]*\s*`([^`]+)`", re.MULTILINE)
_RANGE = re.compile(r"`([^`]+)`\s+to\s+`([^`]+)`")
_NUMBERED = re.compile(r"(.*?)(\d+)")
_POSITIVE = re.compile(r"positive\s*(?:class)?\s*(?:=|is|:)\s*[`'\"]?([^\s`'\");,]+)", re.IGNORECASE)
MOST_COLUMNS = 100_000
GRADED_BY_CLASS = re.compile(
    r"accura|\bf1|f-?score|auroc|\bauc|roc|average precision|precision|recall|kappa|\bmcc\b|matthews|log[- ]?loss"
    r"|cross[- ]entropy|brier",
    re.IGNORECASE,
)
"""Words of metrics that compare classes."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the documents say. ``roles``: file -> column -> INPUT, TARGET, ID, META; ``metric`` in lower case."""

    roles: dict[str, dict[str, str]] = field(default_factory=dict)
    metric: str = ""
    positive: str = ""
    meanings: dict[str, str] = field(default_factory=dict)

    def of(self, file: str, role: str) -> list[str]:
        """The columns of a file that have a role."""
        return [name for name, one in self.roles.get(file, {}).items() if one == role]


def said(readme: str, description: str) -> Said:
    """What README.md and data_description.md say."""
    metric = re.search(r"###\s*Primary Metric\s*\n(.*?)(?=\n#|\Z)", readme, re.DOTALL | re.IGNORECASE)
    text = metric[1] if metric else (re.search(r"##[^\n]*Metric.*?(?=\n## |\Z)", readme, re.DOTALL) or [""])[0]
    positive = _POSITIVE.search(text) or _POSITIVE.search(readme)
    return Said(_roles(description), text.lower(), positive[1] if positive else "", _meanings(readme))


def _roles(description: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    places = [*_SCHEMA.finditer(description)]
    for place, match in enumerate(places):
        end = places[place + 1].start() if place + 1 < len(places) else len(description)
        columns = found.setdefault(match[1], {})
        for line in description[match.end() : end].split("\n"):
            cells = [one.strip() for one in line.strip().strip("|").split("|")]
            if len(cells) > 2 and cells[1] in ("INPUT", "TARGET", "ID", "META"):
                for name in _names(cells[0]):
                    columns.setdefault(name, cells[1])
    return found


def _names(cell: str) -> list[str]:
    """The columns of a cell; ``x1`` to ``x12`` is twelve."""
    span = _RANGE.search(cell)
    if not span:
        return [cell.strip("`")]
    first, last = (re.fullmatch(r"(.*?)(\d+)", one) for one in span.groups())
    if not first or not last or first[1] != last[1] or int(last[2]) - int(first[2]) > MOST_COLUMNS:
        return [*span.groups()]
    return [f"{first[1]}{one:0{len(first[2])}d}" for one in range(int(first[2]), int(last[2]) + 1)]


def _meanings(readme: str) -> dict[str, str]:
    """Column -> the last cell of its row in section 5."""
    section = re.search(r"^##[^\n]*Output Format.*?(?=\n## |\Z)", readme, re.DOTALL | re.MULTILINE)
    rows = re.findall(r"^\|\s*`([^`]+)`\s*\|(.*)\|\s*$", section[0] if section else "", re.MULTILINE)
    return {name: rest.rpartition("|")[2].strip() for name, rest in rows}
