"""How far papers came: the steps of their life in order, and at which step each one left, waits or broke.

The idea: every paper stands at exactly one step with one word for why, so the numbers of a step are those that reach
the next one and those that stand there, and add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["rejected", "failed", "error", "waiting", "end"]
"""``rejected``: a verdict; ``failed``: its own input; ``error``: we could not; ``waiting``: not met yet."""

STEPS: tuple[tuple[str, str], ...] = (
    ("harvest", "Harvested"),
    ("fetch", "Full text"),
    ("read", "Read"),
    ("screen:0", "Research articles"),
    ("screen:1", "Level 1: machine learning"),
    ("screen:2", "Level 2: gradable metric"),
    ("screen:3", "Level 3: data and protocol"),
    ("acquire", "Code and data"),
    ("cut", "Cut"),
    ("build", "Built"),
    ("check", "Checked"),
    ("calibrate", "Calibrated"),
)
NAMES = [name for name, _ in STEPS]
COMMANDS = {
    "harvest": "naturegym harvest", "fetch": "naturegym fetch", "read": "naturegym read",
    "screen:0": "naturegym screen", "acquire": "naturegym acquire", "cut": "naturegym cut",
    "build": "naturegym build", "check": "naturegym check", "calibrate": "naturegym calibrate",
}  # fmt: skip
"""What does the step for the papers that wait for it."""
LIFE = ("harvest", "fetch", "read", "screen", "acquire", "cut", "build")
"""The stages of papers through which every one goes; splitting is one that some do without."""
GOES_ON = frozenset({"done", "passed", "acquired", "incomplete", "drafted", "edited", "split", "built"})


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a paper stands. ``step`` is the one that it did not get through; ``end`` of the last is the goal."""

    step: str
    kind: Kind
    why: str
    rule: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step with how many came to it, and those that stand there by kind, why, rule and code, most first."""

    name: str
    title: str
    came: int
    passed: int
    standing: Sequence[tuple[Standing, int]]


def standing_of(paper: Mapping[str, Any], package: Mapping[str, Any] | None) -> Standing:
    """Where a paper of :mod:`nature_gym.reporting.papers` stands; ``package`` is the row of its package, if any."""
    stages: Mapping[str, Any] = paper["stages"]
    errors: Mapping[str, Any] = paper["errors"]
    furthest = max((place for place, name in enumerate(LIFE) if name in stages), default=-1)
    for place, name in enumerate(LIFE):
        stage = stages.get(name)
        if stage is None:
            if name in errors:
                return Standing(_step(name), "error", f"error: {errors[name]['error']}")
            if furthest > place:
                continue  # ingested: it came in further on
            return Standing(_step(name), "waiting", "waiting")
        if stage["status"] == "failed":
            return Standing(_step(name), "failed", "unusable input")
        if name == "screen" and stage["verdict"] != "passed":
            return _stopped(paper, stage)
        if stage["verdict"] not in GOES_ON:
            return Standing(name, "rejected", stage["verdict"].replace("_", " "))
    return _of_package(package)


def _step(stage: str) -> str:
    return "screen:0" if stage == "screen" else stage


def _stopped(paper: Mapping[str, Any], stage: Mapping[str, Any]) -> Standing:
    rule, code = paper["rule"], paper["code"]
    level = rule.partition(".")[0]
    step = f"screen:{level}" if f"screen:{level}" in NAMES else "screen:0"
    if stage["verdict"] == "rejected":
        return Standing(
            step, "rejected", f"{rule} {code or 'rejected'}".replace("_", " ").replace(":", ": ").strip(), rule, code
        )
    return Standing(step, "waiting", f"{rule} {stage['verdict']}".strip(), rule, code)


def _of_package(package: Mapping[str, Any] | None) -> Standing:
    if package is None:
        return Standing("build", "waiting", "its package is not there")
    if not package["checked"]:
        return Standing("check", "waiting", "waiting")
    if package["failing"]:
        return Standing("check", "rejected", "checks failed")
    verdict = package["verdict"]
    if not verdict:
        return Standing("calibrate", "waiting", "waiting")
    return Standing("calibrate", "end" if verdict == "admit" else "rejected", verdict)


def steps_of(standings: Iterable[Standing]) -> list[Step]:
    """All steps with their numbers. Every paper came to the first; those that passed one came to the next."""
    every = Counter(standings)
    came = sum(every.values())
    found = []
    for name, title in STEPS:
        here = [(one, count) for one, count in every.items() if one.step == name and one.kind != "end"]
        here.sort(key=lambda pair: (-pair[1], pair[0].kind, pair[0].why))
        passed = came - sum(count for _, count in here)
        found.append(Step(name, title, came, passed, here))
        came = passed
    return found
