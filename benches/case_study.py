"""Real papers all the way, by the commands that a user types: how long each takes, and what it comes to.

It fetches nothing; it takes a folder::

    <folder>/papers/<name>/     an article (XML, HTML or PDF) with repository/ and, where there is one, data/
    <folder>/answers/<name>     what a person answers to screening: a line for each, RULE VERDICT REASON
    <folder>/tasks/<name>.yaml  the task.yaml as a person left it; without it the paper ends with its draft

The home is made anew in ``<folder>/home``. What is printed is what docs/case-studies.md tells of.

Run it: .venv/bin/python benches/case_study.py FOLDER [--budget 5m] [--seeds 1]. Without a folder it does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("naturegym")


class Steps:
    """Commands in a home of their own; each is printed with its exit code, time and processor time."""

    def __init__(self, home: Path) -> None:
        self._environment = {**os.environ, "NATUREGYM_HOME": str(home)}

    def run(self, *arguments: str, quiet: bool = False) -> tuple[int, str]:
        """The exit code and what was printed. Nothing is raised for a command that fails: that is a finding."""
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            [str(COMMAND), *arguments], env=self._environment, capture_output=True, text=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if not quiet:
            print(f"{done.returncode}  {time.monotonic() - begun:7.1f} s  {used:6.1f} s used  {' '.join(arguments)}")
        return done.returncode, done.stdout

    def told(self, *arguments: str) -> list[Any]:
        """The JSON values that a command prints, a line or a document each."""
        _, text = self.run(*arguments, "--json")
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
        return value if isinstance(value, list) else [value]


def study(folder: Path, budget: str, seeds: int) -> None:
    home = folder / "home"
    if home.exists():
        shutil.rmtree(home)
    steps = Steps(home)
    names = sorted(path.name for path in (folder / "papers").iterdir() if path.is_dir())
    packages = []
    for name in names:
        print(f"\n{name}")
        (paper,) = (one["id"] for one in steps.told("ingest", str(folder / "papers" / name)))
        steps.run("screen", paper, "--no-probe")
        answers = folder / "answers" / name
        for line in answers.read_text("utf-8").splitlines() if answers.is_file() else ():
            rule, verdict, because = line.split(maxsplit=2)
            steps.run("review", "answer", paper, rule, verdict, "--because", because, quiet=True)
        steps.run("screen", paper, "--no-probe")
        steps.run("acquire", paper)
        (cut,) = steps.told("cut", paper)
        print(f"   {cut['verdict']}: {cut['reason']}")
        for question in cut["questions"]:
            print(f"   ? {question['about']}: {question['asks']}"[:160])
        reviewed = folder / "tasks" / f"{name}.yaml"
        if not reviewed.is_file():
            continue
        shutil.copyfile(reviewed, home / "papers" / paper / "cut" / "task.yaml")
        steps.run("task", "validate", str(home / "papers" / paper / "cut" / "task.yaml"))
        steps.run("split", paper)
        _, built = steps.run("build", paper)
        package = next((line.split()[0] for line in built.splitlines() if line.strip()), "")
        if Path(package).is_dir():
            packages.append(package)
            _, checked = steps.run("check", package)
            print(f"   {checked.strip().splitlines()[-1] if checked.strip() else 'nothing was checked'}")
    if packages:
        print()
        _, calibrated = steps.run("calibrate", *packages, "--agent", "tabular", "--budget", budget)
        print(calibrated)
        steps.run("sweep", "--agents", "constant,tabular", "--packages", ",".join(packages), "--seeds", str(seeds),
                  "--budget", budget)  # fmt: skip
        steps.run("judge")
        print(steps.run("leaderboard")[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--budget", default="5m")
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    if given.folder is None:
        print("no folder with papers was given: nothing is done")
    else:
        study(given.folder.resolve(), given.budget, given.seeds)
