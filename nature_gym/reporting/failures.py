"""Failures by class: what broke, what was unusable, what did not pass, each with how often and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from nature_gym.reporting.texts import spoken

MOST_PLACES = 8


@dataclass(slots=True)
class Failure:
    """One class of failures. ``places`` are name and link of the first few; ``example`` is what one of them said."""

    name: str
    example: str = ""
    hint: str = ""
    count: int = 0
    places: list[tuple[str, str]] = field(default_factory=list)

    def add(self, name: str, link: str, example: str, hint: str = "") -> None:
        """One more."""
        self.count += 1
        self.example = self.example or example
        self.hint = self.hint or hint
        if len(self.places) < MOST_PLACES:
            self.places.append((name, link))


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Failures of one sort. ``remark`` says whose they are and what becomes of them."""

    title: str
    remark: str
    failures: Sequence[Failure]

    @property
    def count(self) -> int:
        """How many in all."""
        return sum(one.count for one in self.failures)


def failure_groups(
    papers: Sequence[dict[str, Any]], packages: Sequence[dict[str, Any]], trials: Sequence[dict[str, Any]]
) -> list[FailureGroup]:
    """All groups, also those without a failure, each with the most frequent class first."""
    return [
        FailureGroup("Stages that could not be carried out",
                     "Infrastructure or a defect of ours: the paper is not to blame, and is tried again.",
                     _stage_errors(papers)),
        FailureGroup("Papers whose own input is unusable",
                     "Not tried again until the input or the rules change.", _unusable(papers)),
        FailureGroup("Checks that packages fail", "A failing check blocks calibration.", _checks(packages)),
        FailureGroup("Defects that calibration found", "Each names with what it is repaired.", _defects(packages)),
        FailureGroup("Trials that did not end well",
                     "An agent's error counts; one of the infrastructure is run again and never scored.",
                     _trials(trials)),
        FailureGroup("Trials that the judge calls invalid", "They count as g = -1.", _invalid(trials)),
    ]  # fmt: skip


def _ordered(found: dict[str, Failure]) -> list[Failure]:
    return sorted(found.values(), key=lambda one: (-one.count, one.name))


def _at(found: dict[str, Failure], name: str) -> Failure:
    return found.setdefault(name, Failure(name))


def paper_link(paper: str) -> str:
    """The address of a paper in the report."""
    return f"papers.html#paper={quote(paper, safe='')}"


def trial_link(trial: str) -> str:
    """The address of a trial in the report."""
    return f"trials.html#trial={quote(trial, safe='')}"


def _stage_errors(papers: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for paper in papers:
        for stage, error in paper["errors"].items():
            one = _at(found, f"{stage}: {error['error']}")
            one.add(paper["id"], paper_link(paper["id"]), error["reason"], error["hint"])
    return _ordered(found)


def _unusable(papers: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for paper in papers:
        for stage, told in paper["stages"].items():
            if told["status"] == "failed":
                _at(found, f"{stage}: {spoken(told['verdict'])}").add(
                    paper["id"], paper_link(paper["id"]), told["reason"], told["hint"]
                )
    return _ordered(found)


def _checks(packages: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for package in packages:
        for check in package["checks"]:
            if check["status"] == "fail":
                first = next(iter(check["findings"]), {"message": check["reason"], "hint": ""})
                _at(found, f"{check['id']} {check['title']}").add(
                    package["name"], f"packages/{package['name']}.html#checks", first["message"], first["hint"]
                )
    return _ordered(found)


def _defects(packages: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for package in packages:
        for defect in (package["admission"] or {}).get("defects", ()):
            _at(found, defect["kind"]).add(
                package["name"], f"packages/{package['name']}.html#admission", defect["evidence"], defect["mend"]
            )
    return _ordered(found)


def _trials(trials: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for trial in trials:
        if trial["status"] in {"agent error", "infra error", "cancelled", "unended"}:
            _at(found, trial["status"]).add(
                f"{trial['id']} ({trial['agent']})", trial_link(trial["id"]), trial["reason"]
            )
    return _ordered(found)


def _invalid(trials: Sequence[dict[str, Any]]) -> list[Failure]:
    found: dict[str, Failure] = {}
    for trial in trials:
        for category in trial["categories"] if trial["verdict"] == "invalid" else ():
            _at(found, category).add(f"{trial['id']} ({trial['agent']})", trial_link(trial["id"]), trial["judged"])
    return _ordered(found)
