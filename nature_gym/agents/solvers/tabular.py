"""A solver of table tasks: reads the documents, fits models to the training tables, hands in, and keeps what was best.

Runs inside a box, with the files of :mod:`nature_gym.agents.shipping` beside it. Two floors are handed in first, one of
constants and one of values drawn from what the data show; then each round hands in the next answer of every instance,
and an instance keeps the one that scored best. So nothing is worse than ``constant``, and what is no table task keeps
the better floor.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import nature_gym.agents.client as client  # noqa: PLR0402 -- a file of the workspace where it runs
from nature_gym.agents.solvers import constant
from nature_gym.agents.solvers.answers import Answer, Case, answers
from nature_gym.agents.solvers.roles import Said, said
from nature_gym.agents.solvers.writing import WRITERS, write_answer
from nature_gym.baseline import answering, asked
from nature_gym.baseline.data import Data, NoAnswerError
from nature_gym.baseline.extent import Form

FITTING_SHARE = 0.5
"""Of the time that is left, for fitting; the rest is for handing in."""
LEAST_SECONDS = 2.0
"""Beside twice the time that handing in has taken so far: with less time left, no further round is begun."""
LARGE = 32 << 20
"""Bytes of data from which the libraries may use threads."""
FLOORS = ("constant", "varied")
Choice = dict[str, str]
"""Instance -> the name of the answer that lies in its folder."""


def left() -> float:
    """Seconds left; the whole budget where the service cannot be asked."""
    try:
        return client.time_left()
    except client.ScoringError:
        return float(os.environ.get("BUDGET_SECONDS", "600"))


def said_and_asked() -> tuple[str, Said, list[Form]]:
    """README, what the documents say, and the forms of section 5."""
    problem = answering.DATA_DIR.parent
    readme = (problem / "README.md").read_text(encoding="utf-8")
    path = problem / "data_description.md"
    description = path.read_text(encoding="utf-8") if path.is_file() else ""
    return readme, said(readme, description), [one.as_form() for one in asked.asked_files(readme)]


class Rounds:
    """Hands in and remembers: the best improvement of each instance, and which answer made it."""

    def __init__(self, instances: list[str]) -> None:
        self.best: dict[str, float] = {}
        self.chosen: Choice = dict.fromkeys(instances, FLOORS[0])
        self.tried: list[Choice] = []
        self.blind = False
        self.longest = 0.0

    def has_time(self) -> bool:
        """Whether another answer can be handed in."""
        return left() > LEAST_SECONDS + 2 * self.longest

    def hand_in(self, choice: Choice) -> None:
        """Hand in what lies there, and learn from what is told."""
        self.tried.append(dict(choice))
        began = time.monotonic()
        try:
            told = client.submit()
        except client.ScoringError as error:
            sys.stderr.write(f"{error}\n")
            told = error.body
        self.longest = max(self.longest, time.monotonic() - began)
        scores = told.get("per_instance_improvement") or {}
        self.blind = not scores
        for name, value in scores.items():
            if name in choice and isinstance(value, int | float) and value > self.best.get(name, -float("inf")):
                self.best[name], self.chosen[name] = float(value), choice[name]
        line = {"attempt": told.get("attempt"), "answers": choice, "scores": scores}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def use_threads_for_large_data() -> None:
    """Start anew without the limit of one thread, which makes small tables 15 times as fast, where data are large."""
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    size = sum(path.stat().st_size for path in answering.DATA_DIR.rglob("*") if path.is_file())
    if size > LARGE and any(os.environ.pop(one, None) for one in limits):
        os.execv(sys.executable, [sys.executable, "-m", "solvers.tabular"])  # noqa: S606 -- this program itself


def candidates(instance: str, forms: list[Form], told: Said, seed: int, seconds: float) -> dict[str, dict[str, Answer]]:
    """Name of an answer -> file -> its columns. A file that is no table's is left to the floor."""
    found: dict[str, dict[str, Answer]] = {}
    data = Data(answering.DATA_DIR / instance)
    for form in forms:
        try:
            for file in answering.files_of(form, instance, data)[:1] if form["format"] in WRITERS else ():
                for name, answer in answers(Case(form, data, told, seed, seconds / len(forms))):
                    found.setdefault(name, {})[file] = answer
        except NoAnswerError as reason:
            sys.stderr.write(f"{instance}: {reason}\n")
        except (
            ImportError,
            ValueError,
            KeyError,
            IndexError,
            MemoryError,
        ) as error:  # the floor stays
            sys.stderr.write(f"{instance}: {type(error).__name__}: {error}\n")
    return found


def rounds_of(found: dict[str, dict[str, dict[str, Answer]]]) -> Iterator[dict[str, str]]:
    """For each round, the next answer of every instance that has one."""
    for place in range(max((len(each) for each in found.values()), default=0)):
        yield {name: [*each][place] for name, each in found.items() if place < len(each)}


def floors(readme: str, kept: Path) -> dict[str, str]:
    """Write both floors, the first to where it is handed in, and keep each below ``kept``; who has no answer, and why.

    How values are chosen is settled when the writer is loaded, so the second is made by a process of its own.
    """
    untold = constant.write_floor(readme)
    if answering.OUTPUT_DIR.is_dir():
        shutil.copytree(answering.OUTPUT_DIR, kept / FLOORS[0])
    environment = {**os.environ, "STRATEGY": FLOORS[1], "OUTPUT_DIR": str(kept / FLOORS[1])}
    subprocess.run([sys.executable, "-m", "nature_gym.agents.solvers.constant", "write"], env=environment, check=False)
    return untold


def main() -> int:
    """Solve; 0, or 3 where nothing of the task could be told."""
    use_threads_for_large_data()
    seed = int(os.environ.get("SEED", "0"))
    readme, told, forms = said_and_asked()
    kept = Path(tempfile.mkdtemp())
    untold = floors(readme, kept)
    instances = list(answering.INSTANCES)
    rounds = Rounds(instances)
    made: dict[str, dict[str, dict[str, Answer]]] = {}

    def put(choice: Choice) -> None:
        for name, which in choice.items():
            place = kept / (which if which in FLOORS else FLOORS[0]) / name
            if place.is_dir():
                shutil.copytree(place, answering.OUTPUT_DIR / name, dirs_exist_ok=True)
            for file, answer in made.get(name, {}).get(which, {}).items():
                write_answer(answering.OUTPUT_DIR / name / file, _form_of(forms, file), answer)

    for floor in FLOORS if len(untold) < len(instances) else ():
        if not rounds.blind and (kept / floor).is_dir():
            put(dict.fromkeys(instances, floor))
            rounds.hand_in(dict.fromkeys(instances, floor))
    share = FITTING_SHARE * left() / max(1, len(instances))
    made.update({name: candidates(name, forms, told, seed, share) for name in instances})
    for step in rounds_of(made):
        if not rounds.has_time():
            break
        choice = rounds.chosen | step
        put(choice)
        rounds.hand_in(choice)
        if rounds.blind:
            return 0  # nothing is told of scores: the blend is what cross-validation says is best
    put(rounds.chosen)  # what is best is what lies there in the end
    if rounds.chosen not in rounds.tried and rounds.has_time():
        rounds.hand_in(rounds.chosen)
    return 0 if any(made.values()) or len(untold) < len(instances) else 3


def _form_of(forms: list[Form], file: str) -> Form:
    return next((one for one in forms if Path(one["file"]).name == Path(file).name), forms[0])


if __name__ == "__main__":
    sys.exit(main())
