"""Verdicts in words: why one file was judged so, and files in groups for lists and drawings."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from nature_gym.cut.categories import Verdict
from nature_gym.cut.folder import Cut
from nature_gym.cut.names import Category
from nature_gym.errors import UsageError

QUESTIONS: dict[Category, str] = {
    "initial_state": "it existed before the method started",
    "data_preparation": "it defines the data or the split for every method",
    "external_resource": "it comes from other work, and any method may use it",
    "algorithm_preprocessing_output": "only the method's own steps need it",
    "algorithm_output": "the method, or a run of it, made it",
    "irrelevant": "no method needs it",
}
"""What each category means for a task."""


def find_verdict(cut: Cut, name: str) -> Verdict:
    """The verdict on the file called ``name``: its path in the folder, or the end of it.

    Raises UsageError where there is none, or more than one.
    """
    name = name.removeprefix("./")
    everything = [*cut.files, *cut.patterns]
    found = [each for each in everything if each.path == name] or [
        each for each in everything if f"/{each.path}".endswith(f"/{name}")
    ]
    if len(found) == 1 or (found and found[0].path == name):
        return found[0]
    if not found:
        raise UsageError(
            f"no verdict on {name}", hint="Give its path in the folder; the authors' own programs have no verdicts."
        )
    raise UsageError(
        f"{len(found)} files end with {name}: {', '.join(each.path for each in found[:3])}", hint="Give the whole path."
    )


def explain(cut: Cut, verdict: Verdict) -> list[str]:
    """The verdict, its reasons with the lines of code, and its way through the programs, line by line."""
    fate = "kept" if verdict.kept else "dropped"
    lines = [
        f"{verdict.path}: {verdict.category}, {fate}, confidence {verdict.confidence:.2f}",
        f"  {QUESTIONS[verdict.category]}",
    ]
    for each in verdict.evidence:
        place = f"{each.file}:{each.line}" if each.line else "by its path"
        lines.append(f"  {place}  {each.what}")
        text = cut.tree.text(each.file) if each.line and not each.file.endswith(".ipynb") else None
        source = text.splitlines() if text else []
        if 0 < each.line <= len(source):
            lines.append(f"      {source[each.line - 1].strip()[:160]}")
    return [*lines, *_way(cut, verdict.path)]


def _way(cut: Cut, path: str) -> list[str]:
    """Who writes the file, and who reads it, with the programs from which they are reached."""
    found: list[str] = []
    for verb, actions in (("written by", {"write", "download", "move"}), ("read by", {"read", "list", "copy"})):
        for site, sure in cut.graph.touching.get(path, [])[:40]:
            if site.action in actions:
                programs = sorted(cut.roles.reached_from(site.unit))[:4]
                role = cut.roles.of_unit(site.unit)
                started = f", started from {', '.join(programs)}" if programs and programs != [site.unit.file] else ""
                line = f"  {verb} {site.unit} ({role}){started}, match {sure:.1f}"
                if line not in found:
                    found.append(line)
    return found[:24]


@dataclass(slots=True)
class Group:
    """Files of one folder and suffix that were judged alike."""

    pattern: str
    category: Category
    kept: bool
    evidence: str
    paths: list[str] = field(default_factory=list)


class _Reason(Protocol):
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def what(self) -> str: ...


class _Judged(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def category(self) -> Category: ...
    @property
    def kept(self) -> bool: ...
    @property
    def evidence(self) -> Iterable[_Reason]: ...


def grouped(files: Iterable[_Judged]) -> list[Group]:
    """Files in groups by folder, suffix and category; a group of one bears the file's own name."""
    groups: dict[tuple[str, str, str], Group] = {}
    for each in files:
        folder, name = posixpath.split(each.path)
        suffix = posixpath.splitext(name)[1]
        reason = next(iter(each.evidence), None)
        told = f"{reason.file}:{reason.line} {reason.what}" if reason and reason.line else reason.what if reason else ""
        group = groups.setdefault((folder, suffix, each.category), Group("", each.category, each.kept, told[:160]))
        group.paths.append(each.path)
        group.pattern = (
            each.path if len(group.paths) == 1 else f"{posixpath.join(folder, '*' + suffix)} ({len(group.paths):,})"
        )
    order = list(QUESTIONS)
    return sorted(groups.values(), key=lambda each: (order.index(each.category), re.sub(r"\*", "", each.pattern)))
