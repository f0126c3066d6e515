"""The truth about files of public repositories, and how often the cut agrees with it.

``tests/data/cut_truth`` has a page for each repository: at which commit, and which paths are of which category, for
what reason. The first pattern that fits a path counts. A group is one entry there, with all files that it fits; each
group weighs the same, however many files it has, since a thousand folds are one decision.

A page may also list, under ``answers``, the files that hold answers of the evaluation: each that the cut keeps has to
come with a warning.

Measure: ``python -m tests.unit.cut.real_repositories FOLDER [--half tune|report|fresh] [--wrong]``, where FOLDER has
the clones that ``.tools/fetch_cut_truth.py FOLDER`` made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import yaml

from nature_gym.cut.answers import fears
from nature_gym.cut.categories import Evidence, verdict
from nature_gym.cut.folder import Cut, cut_folder
from nature_gym.cut.names import CATEGORIES, KEPT, name_evidence
from nature_gym.cut.tree import Entry

NOT_MEASURED = re.compile(
    r"(^|/)(README[^/]*|LICEN[CS]E(\.(txt|md|rst))?|COPYING[^/]*|\.git[a-z]*|\.DS_Store|requirements[^/]*\.txt|environment[^/]*\.ya?ml|"
    r"[^/]*\.(md|rst)|setup\.(py|cfg)|pyproject\.toml|Makefile|Dockerfile|MANIFEST\.in|__pycache__/.*|[^/]*\.(py|ipynb|sh|R|Rmd))$",
    re.IGNORECASE,
)
"""Programs, and documents that nobody takes for data: right answers on them would only flatter."""
TABLE = Path(__file__).parents[2] / "data" / "cut_truth"
Half = Literal["tune", "report", "fresh"]
"""Errors looked at, looked at later, and (``fresh``) never looked at, labelled by somebody who did not know the cut."""


@dataclass(frozen=True, slots=True)
class Group:
    """Files of one kind: what they are (or ``unsure``), why, and the patterns of their paths."""

    category: str
    why: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository's page of the table."""

    name: str
    commit: str
    domain: str
    method: str
    groups: tuple[Group, ...]
    told_half: Half | None = None
    """The half that its page names: those taken in later, which the rule below does not part."""
    answers: tuple[str, ...] = ()
    """Patterns of the files that hold answers of the evaluation."""

    @property
    def half(self) -> Half:
        """The half that its page names, else by a rule that nobody can bend: the first byte of its name's SHA-256."""
        if self.told_half:
            return self.told_half
        return "report" if hashlib.sha256(self.name.encode()).digest()[0] % 2 else "tune"

    def sort(self, paths: Iterable[str]) -> dict[int, list[str]]:
        """The paths of each group, by the group's number; what fits no group is under -1."""
        rules = [(number, fits(pattern)) for number, group in enumerate(self.groups) for pattern in group.paths]
        sorted_: dict[int, list[str]] = {}
        for path in paths:
            if not NOT_MEASURED.search(path):
                sorted_.setdefault(next((number for number, rule in rules if rule.match(path)), -1), []).append(path)
        return sorted_


def fits(pattern: str) -> re.Pattern[str]:
    """A pattern of paths: ``*`` is anything within a name, ``**`` anything at all, every other sign is itself."""
    means = {"*": "[^/]*", "**": ".*", "**/": "(?:.*/)?"}
    parts = re.split(r"(\*\*/|\*\*|\*)", pattern)
    return re.compile("".join(means.get(part) or re.escape(part) for part in parts) + r"\Z")


def table() -> list[Repository]:
    """Every repository of the table, by name."""
    return [_page(path) for path in sorted(TABLE.glob("*.yaml"))]


def _page(path: Path) -> Repository:
    page = yaml.safe_load(path.read_text(encoding="utf-8"))
    groups = [Group(each["is"], each["why"], tuple(each["paths"])) for each in page["groups"]]
    return Repository(
        page["repository"],
        page["commit"],
        page["domain"],
        page["method"],
        tuple(groups),
        page.get("half"),
        tuple(page.get("answers", ())),
    )


@dataclass(slots=True)
class Judged:
    """A group and what was said of its files, as counts of categories."""

    repository: Repository
    group: Group
    files: int
    said: Counter[str]
    said_by_names: Counter[str]

    def keep_or_drop(self, said: Counter[str]) -> float:
        """The share of files for which keep or drop is right."""
        keep = self.group.category in KEPT
        return sum(count for category, count in said.items() if (category in KEPT) is keep) / self.files

    def six_way(self, said: Counter[str]) -> float:
        """The share of files whose category is right."""
        return said[self.group.category] / self.files


@dataclass(frozen=True, slots=True)
class WarnedOf:
    """One kept file of a repository whose page lists the answers: whether it holds some, and is warned of."""

    repository: str
    path: str
    is_answer: bool
    is_warned: bool


@dataclass(slots=True)
class Measured:
    """Judged groups of one or of many repositories, and how the warnings on answers did."""

    groups: list[Judged] = field(default_factory=list)
    answers: list[WarnedOf] = field(default_factory=list)

    def add(self, other: Measured) -> None:
        """Take in what was measured on another repository."""
        self.groups += other.groups
        self.answers += other.answers

    def figures(self) -> dict[str, float]:
        """Means over groups: keep-or-drop and six-way, of the cut and of names alone."""
        count = len(self.groups) or 1
        return {
            "groups": len(self.groups),
            "keep_or_drop": sum(each.keep_or_drop(each.said) for each in self.groups) / count,
            "six_way": sum(each.six_way(each.said) for each in self.groups) / count,
            "names_keep_or_drop": sum(each.keep_or_drop(each.said_by_names) for each in self.groups) / count,
            "names_six_way": sum(each.six_way(each.said_by_names) for each in self.groups) / count,
        }

    def warnings(self) -> dict[str, float]:
        """Kept files with and without answers, and the share of each that is warned of; a repository weighs 1."""
        return {
            "answers": sum(each.is_answer for each in self.answers),
            "answers_warned": _share_warned([each for each in self.answers if each.is_answer]),
            "others": sum(not each.is_answer for each in self.answers),
            "others_warned": _share_warned([each for each in self.answers if not each.is_answer]),
        }


def _share_warned(files: list[WarnedOf]) -> float:
    """The mean over repositories of the share of files that are warned of."""
    by_repository: dict[str, list[bool]] = {}
    for each in files:
        by_repository.setdefault(each.repository, []).append(each.is_warned)
    shares = [sum(warned) / len(warned) for warned in by_repository.values()]
    return sum(shares) / len(shares) if shares else 0.0


def clone_of(folder: Path, repository: Repository) -> Path:
    """Where a repository's clone lies in a folder of clones."""
    return folder / repository.name


def measure(repository: Repository, root: Path, cut: Cut | None = None) -> Measured:
    """What the cut, and names alone, say of each group of a repository that has files, those in doubt left out."""
    cut = cut or cut_folder(root, method=repository.method)
    said = {each.path: each.category for each in cut.files}
    by_names = {entry.path: _by_name(entry) for entry in cut.tree.data}
    measured = Measured()
    for number, paths in sorted(repository.sort(said).items()):
        if number < 0 or repository.groups[number].category not in CATEGORIES:
            continue
        measured.groups.append(
            Judged(
                repository,
                repository.groups[number],
                len(paths),
                Counter(said[path] for path in paths),
                Counter(by_names.get(path, "irrelevant") for path in paths),
            )
        )
    measured.answers = list(_warned(repository, cut))
    return measured


def _warned(repository: Repository, cut: Cut) -> Iterator[WarnedOf]:
    """Each kept data file of a repository whose page lists the answers."""
    if not repository.answers:
        return
    holding = [fits(pattern) for pattern in repository.answers]
    feared = fears(cut.tree, cut.files, cut.graph, cut.roles)
    kept = [each.path for each in cut.files if each.kept and not NOT_MEASURED.search(each.path)]
    for path in kept:
        yield WarnedOf(repository.name, path, any(rule.match(path) for rule in holding), path in feared)


def _by_name(entry: Entry) -> str:
    evidence = [Evidence(entry.path, 0, what, tuple(weights.items())) for what, weights in name_evidence(entry)]
    return verdict(entry.path, evidence).category


def _lines(measured: Measured, *, wrong: bool) -> Iterator[str]:
    for name, groups in _by_repository(measured).items():
        figures = groups.figures()
        yield (
            f"{name:48} {figures['groups']:3.0f} groups   keep or drop {figures['keep_or_drop']:6.1%} "
            f"(names {figures['names_keep_or_drop']:6.1%})   six {figures['six_way']:6.1%} "
            f"(names {figures['names_six_way']:6.1%})"
        )
        for each in groups.groups if wrong else []:
            if each.six_way(each.said) < 1:
                mark = "KEEP/DROP" if each.keep_or_drop(each.said) < 1 else "category "
                yield (
                    f"    {mark} is {each.group.category}, said {dict(each.said.most_common())}: "
                    f"{' '.join(each.group.paths)[:110]} -- {each.group.why}"
                )


def _by_repository(measured: Measured) -> dict[str, Measured]:
    found: dict[str, Measured] = {}
    for each in measured.groups:
        found.setdefault(each.repository.name, Measured()).groups.append(each)
    return found


def main() -> int:
    """Measure on a folder of clones and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder of clones, as OWNER/NAME")
    parser.add_argument("--half", choices=["tune", "report", "fresh"], help="one half alone")
    parser.add_argument("--wrong", action="store_true", help="list the groups that came out wrong")
    parser.add_argument("--json", action="store_true", help="the figures alone, as JSON")
    options = parser.parse_args()
    total = Measured()
    for repository in table():
        root = clone_of(options.folder, repository)
        if options.half in {None, repository.half} and root.is_dir():
            total.add(measure(repository, root))
    if options.json:
        sys.stdout.write(json.dumps(total.figures() | total.warnings()) + "\n")
    else:
        for line in _lines(total, wrong=options.wrong):
            sys.stdout.write(line + "\n")
        for each in total.answers if options.wrong else []:
            if each.is_answer and not each.is_warned:
                sys.stdout.write(f"no warning on answers: {each.repository} {each.path}\n")
        figures = total.figures() | total.warnings()
        sys.stdout.write(" ".join(f"{name} {figure:.3f}" for name, figure in figures.items()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
