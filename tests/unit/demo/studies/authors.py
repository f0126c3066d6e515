"""A visit to a study's authors: their repository on disk, their commands run, their tables read.

The network is not there: addresses that a repository downloads from are answered with what the
study's deposits and pages hold.
"""

from __future__ import annotations

import csv
import datetime as dt
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import Path

from nature_gym.demo.inline import Citation, parse, plain, plain_text
from nature_gym.demo.model import Entry, Paper, Paragraph, Repository
from nature_gym.demo.truth import follows_the_rules

SINGLE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
COMMANDS = ("python ", "bash ", "sh ", "make")


def tree_at(repository: Repository, day: dt.date) -> dict[str, bytes]:
    """The tree at the newest commit that is not after ``day``."""
    tree: dict[str, bytes] = {}
    for commit in repository.commits:
        if commit.date.date() <= day:
            for path in commit.removed:
                tree.pop(path, None)
            tree.update(commit.files)
    return tree


def materialise(repository: Repository, day: dt.date, folder: Path) -> Path:
    """Write that tree to ``folder``."""
    for path, content in tree_at(repository, day).items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder


def documented_commands(readme: Path) -> list[str]:
    """The lines of the README's fenced blocks that run something of the repository."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", readme.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = (line.split(" #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith(COMMANDS)]


def run(command: str, folder: Path) -> str:
    """Run one command of the README in ``folder``, with this Python; its output."""
    words = shlex.split(command)
    if words[0] == "python":
        words[0] = sys.executable
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **SINGLE_THREAD, "PATH": path, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def printed(paper: Paper, number: int) -> dict[str, list[str]]:
    """Row label -> cells of a table, without markup."""
    table = next(table for table in paper.tables if table.number == number)
    return {plain(row[0]): [plain(cell) for cell in row[1:]] for row in table.rows}


def close(cell: str, measured: float) -> bool:
    """Whether ``cell`` (or what stands before its ``±``) is ``measured``, rounded, give or take a hair."""
    number = cell.partition("±")[0].strip()
    digits = len(number.partition(".")[2])
    return abs(float(number) - measured) <= 0.55 * 0.1**digits


Scores = dict[tuple[str, ...], dict[str, float]]


def read_scores(path: Path, *keys: str) -> Scores:
    """A CSV file of scores: the cells of the columns ``keys`` -> the numbers of the others; NaN where empty."""
    with path.open(encoding="utf-8", newline="") as file:
        return {
            tuple(row[key] for key in keys): {
                name: float(cell or "nan") for name, cell in row.items() if name not in keys
            }
            for row in csv.DictReader(file)
        }


def best(scores: Scores, column: str, methods: Collection[str], cases: Collection[str], *, lowest: bool) -> set[str]:
    """The methods that lead in at least one of the cases."""
    sign = 1 if lowest else -1
    return {min((sign * scores[name, case][column], name) for name in methods)[1] for case in cases}


def category_of(repository: Repository, path: str) -> str | None:
    """The category that the truth states for a file: that of the first pattern that matches."""
    return next((rule.category for rule in repository.categories if fnmatchcase(path, rule.pattern)), None)


def flaws(entry: Entry) -> list[str]:
    """What is wrong with a passing entry's statements about itself."""
    text = plain_text(entry.paper)
    truth, found = entry.truth, []
    if truth.verdict != "passed" or not follows_the_rules(truth) or len(truth.rules) != 9:
        found.append("the truth does not pass all nine rules in order")
    for rule in truth.rules:
        if rule.quote not in text:
            found.append(f"{rule.rule}: not in the paper: {rule.quote}")
        if not rule.quote and not rule.note:
            found.append(f"{rule.rule}: neither quote nor note")
    for repository in entry.repositories:
        paths = {path for commit in repository.commits for path in commit.files}
        found += [f"no category: {path}" for path in sorted(paths) if category_of(repository, path) is None]
        found += [
            f"pattern without a file: {rule.pattern}"
            for rule in repository.categories
            if not any(fnmatchcase(path, rule.pattern) for path in paths)
        ]
    found += _task_flaws(entry)
    found += _citation_flaws(entry.paper)
    found += [f"markup left: {mark}" for mark in ("{{", "[@", "[#", "||", "**") if mark in text]
    return found


def _citation_flaws(paper: Paper) -> list[str]:
    texts = [block.text for section in paper.sections for block in section.blocks if isinstance(block, Paragraph)]
    cited = {number for text in texts for node in parse(text) if isinstance(node, Citation) for number in node.numbers}
    return [
        f"reference {number} is cited or listed alone" for number in cited ^ set(range(1, len(paper.references) + 1))
    ]


def _task_flaws(entry: Entry) -> list[str]:
    task = entry.truth.task
    if task is None:
        return ["no task"]
    files = {path for repository in entry.repositories for path in tree_at(repository, entry.paper.published)}
    files |= {file.name for deposit in entry.deposits for file in deposit.files}
    cells = {plain(cell) for table in entry.paper.tables for row in table.rows for cell in row}
    found: list[str] = []
    for setting in task.settings:
        patterns = (*setting.development, *setting.evaluation)
        missing = (pattern for pattern in patterns if not any(fnmatchcase(path, pattern) for path in files))
        found += [f"{setting.name}: no file {pattern}" for pattern in missing]
        for scores in (setting.sota, setting.baseline):
            found += [f"{setting.name}: {cell} is printed nowhere" for cell in scores.values() if cell not in cells]
    if sum(metric.primary for metric in task.metrics) != 1:
        found.append("not one primary metric")
    found += [f"{name} is no row of a table" for name in (task.method, *task.baselines) if name not in cells]
    return found
