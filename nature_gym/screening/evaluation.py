"""Verdicts against a labelled list: precision, recall, confusion by rule, and the papers behind each number.

A *positive* is a paper that passes. A paper left undecided is counted apart: it lowers recall where it should have
passed, and never counts as a pass.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nature_gym.errors import UsageError
from nature_gym.screening.record import Screening

COLUMNS = ("id", "verdict", "stopped_at", "code")
PASSED = "passed"


@dataclass(frozen=True, slots=True)
class Label:
    """What a careful reader says of a paper."""

    verdict: str
    stopped_at: str | None
    code: str | None

    @property
    def place(self) -> str:
        """Where the paper ends: ``passed``, or the rule that stops it."""
        return self.stopped_at or PASSED


@dataclass(slots=True)
class Comparison:
    """How verdicts compare with labels. Cells hold paper ids."""

    by_place: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    """(labelled place, found place) -> papers; a place is ``passed``, a rule, ``undecided at <rule>``, ``missing``."""
    wrong_code: list[str] = field(default_factory=list)
    """Rejected at the right rule with another code."""
    by_decider: dict[str, dict[str, int]] = field(default_factory=dict)
    """Decider of the last decision -> how many papers it ended rightly, wrongly, and left undecided."""

    @property
    def papers(self) -> int:
        return sum(map(len, self.by_place.values()))

    @property
    def agreed(self) -> int:
        """Papers that end where the label says, with the same code."""
        return sum(len(ids) for (told, found), ids in self.by_place.items() if told == found) - len(self.wrong_code)

    def _count(self, *, told: bool, found: bool) -> int:
        return sum(
            len(ids)
            for (label, place), ids in self.by_place.items()
            if (label == PASSED) is told and (place == PASSED) is found
        )

    @property
    def precision(self) -> float | None:
        """Of the papers that passed, how many should have; None where none passed."""
        right = self._count(told=True, found=True)
        passed = right + self._count(told=False, found=True)
        return right / passed if passed else None

    @property
    def recall(self) -> float | None:
        """Of the papers that should pass, how many did; None where none should."""
        right = self._count(told=True, found=True)
        should = right + self._count(told=True, found=False)
        return right / should if should else None

    def as_json(self) -> dict[str, Any]:
        return {
            "papers": self.papers,
            "agreed": self.agreed,
            "agreement": self.agreed / self.papers if self.papers else None,
            "precision": self.precision,
            "recall": self.recall,
            "confusion": [
                {"truth": told, "found": found, "count": len(ids), "papers": sorted(ids)}
                for (told, found), ids in sorted(self.by_place.items())
            ],
            "wrong_code": sorted(self.wrong_code),
            "deciders": {name: dict(counts) for name, counts in sorted(self.by_decider.items())},
        }


def read_labels(path: Path) -> dict[str, Label]:
    """The labelled list: a CSV with the columns ``id,verdict,stopped_at,code``.

    Raises UsageError that names the line where it is not one.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            missing = [column for column in COLUMNS if column not in (rows.fieldnames or ())]
            if missing:
                raise UsageError(
                    f"{path} has no column {', '.join(missing)}", hint=f"Its first line is {','.join(COLUMNS)}."
                )
            labels: dict[str, Label] = {}
            for number, row in enumerate(rows, start=2):
                verdict = (row["verdict"] or "").strip()
                if verdict not in ("passed", "rejected"):
                    raise UsageError(
                        f"{path}, line {number}: the verdict is {verdict!r}", hint="It is passed or rejected."
                    )
                stopped = (row["stopped_at"] or "").strip() or None
                if (stopped is None) != (verdict == "passed"):
                    raise UsageError(
                        f"{path}, line {number}: a rejected paper has a rule in stopped_at, one that passes has none",
                        hint="Mend the line.",
                    )
                labels[(row["id"] or "").strip()] = Label(verdict, stopped, (row["code"] or "").strip() or None)
            return labels
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read as a list of verdicts: {error}", hint="It is a CSV file.") from error


def compare(labels: Mapping[str, Label], screenings: Iterable[Screening]) -> Comparison:
    """Compare what was screened with ``labels``; labelled papers that were not screened are ``missing``."""
    comparison = Comparison()
    screened = {screening.id: screening for screening in screenings}
    for paper, label in labels.items():
        screening = screened.get(paper)
        found = _place(screening)
        comparison.by_place[label.place, found].append(paper)
        if screening is None:
            continue
        last = screening.decisions[-1] if screening.decisions else None
        wrong_code = found == label.place and label.code is not None and last is not None and last.code != label.code
        if wrong_code:
            comparison.wrong_code.append(paper)
        counts = comparison.by_decider.setdefault(
            last.decider if last else "none", {"right": 0, "wrong": 0, "undecided": 0}
        )
        if screening.verdict == "undecided":
            counts["undecided"] += 1
        else:
            counts["right" if found == label.place and not wrong_code else "wrong"] += 1
    return comparison


def _place(screening: Screening | None) -> str:
    if screening is None:
        return "missing"
    if screening.verdict == "undecided":
        return f"undecided at {screening.stopped_at}" if screening.stopped_at else "undecided"
    return screening.stopped_at or PASSED
