"""The runs of one package's dynamic checks: each is made once, when the first check asks for it.

The idea: a package's data are mounted read-only where the solver runs, its evaluation folder read-only where the
evaluator runs, and one scratch folder is all that can be written. What comes back is read as anyone's: bounded, by
JSON alone, and shaped anew here.
"""

from __future__ import annotations

import json
import re
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from checks.package import DATA, README, CheckedPackage, loads, read_bytes
from checks.registry import Skip
from nature_gym.baseline.asked import Asked, asked_files, instances_of
from nature_gym.baseline.solver import STRATEGIES, solver_source
from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import folders
from nature_gym.sandbox.choosing import chosen_sandbox
from nature_gym.sandbox.interface import Box, Ended, Limits, Mount, Outcome, Sandbox

SOLVE_SECONDS = 180.0
"""For the baseline in one strategy, on all instances."""
SCORE_SECONDS = 300.0
"""For the evaluator on one answer."""
START_SECONDS = 60.0
MEMORY = 8 << 30
DISK = 4 << 30
MOST_REPORT = 8 << 20
MOST_CASES = 18
INSIDE = ("main.py", "scoring.py", "truth.py", "malforming.py", "again.py")
LACKS = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'", re.MULTILINE)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
"""Threads make a fork unsafe."""
_WORKSPACE, _PROGRAMS = PurePosixPath("/workspace"), PurePosixPath("/programs")


@dataclass(frozen=True, slots=True)
class Scored:
    """What the evaluator made of one answer: ``result`` where it gave one, else ``fault`` and ``detail``.

    Faults are import (of ``module``, which is not here), crash, exit, timeout, memory, killed, no_result.
    """

    result: Any = None
    fault: str = ""
    detail: str = ""
    module: str = ""
    line: int = 1
    output: str = ""

    def value(self, instance: str, metric: str) -> Any:
        """The value of a metric; None where there is none."""
        own = self.result.get(instance) if isinstance(self.result, dict) else None
        return own.get(metric) if isinstance(own, dict) else None

    def error(self, instance: str) -> str:
        """Why an instance has no score, in the evaluator's words."""
        own = self.result.get(instance) if isinstance(self.result, dict) else None
        return str(own.get("error") or "")[:300] if isinstance(own, dict) else ""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended: its status (None: out of time), and the end of what it said."""

    code: int | None
    said: str


@dataclass(frozen=True, slots=True)
class Solved:
    """The baseline's runs by strategy, and files that are not as section 5 says: (instance, file, line, message).

    ``hindered`` is why this sandbox could not run it, which says nothing of the package; ''.
    """

    runs: Mapping[str, Ran]
    odd: tuple[tuple[str, str, int, str], ...]
    hindered: str = ""


@dataclass(frozen=True, slots=True)
class Truths:
    """Answers made from the ground truth: what came of each, which instances it has and how certain they are."""

    scored: Mapping[str, Scored]
    facts: Mapping[str, Mapping[str, Mapping[str, bool]]]
    not_told: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Malformed:
    """An answer that has to be refused: in which way it is spoiled, which file of which instance, what came of it."""

    kind: str
    spoiled: Mapping[str, str]
    scored: Scored = field(default_factory=Scored)


class Runs:
    """The runs of one package."""

    def __init__(self, package: CheckedPackage) -> None:
        self._path = package.path.absolute()
        self._readme = package.text(README).content
        self._folders = package.instances(DATA)

    @cached_property
    def asked(self) -> list[Asked]:
        """What section 5 asks for."""
        return asked_files(self._readme)

    @cached_property
    def instances(self) -> list[str]:
        """The instances that a solver has to answer: the README's, else the folders of the data."""
        return instances_of(self._readme) or self._folders

    @cached_property
    def solved(self) -> Solved:
        """The baseline's runs. Raises Skip where there is no sandbox."""
        told = self._run(
            "solve", {"strategies": STRATEGIES, "seconds": SOLVE_SECONDS}, len(STRATEGIES) * SOLVE_SECONDS, data=True
        )
        runs = {name: _ran(_mapping(told.get("runs")).get(name)) for name in STRATEGIES}
        odd = [one for one in _listed(told.get("odd")) if isinstance(one, dict)]
        lacking = sorted({one[1] for ran in runs.values() for one in LACKS.finditer(ran.said) if ran.code})
        hindered = f"this sandbox has no {', '.join(lacking)}, which the answer needs" if lacking else ""
        if "ended" in told:
            hindered = f"the sandbox did not run the baseline: {str(told['ended'])[:300]}"
        return Solved(
            runs,
            tuple(
                (_text(one, "instance"), _text(one, "file"), _count(one.get("line")), _text(one, "message"))
                for one in odd
            ),
            hindered,
        )

    def template(self, text: str) -> Ran:
        """The README's template, run as it stands."""
        (self._folder / "programs" / "template.py").write_text(text, encoding="utf-8", errors="replace")
        return _ran(self._run("template", {"seconds": SOLVE_SECONDS}, SOLVE_SECONDS, data=True))

    @cached_property
    def _told_of_score(self) -> dict[str, Any]:
        seconds = (len(STRATEGIES) + 1) * SCORE_SECONDS
        return self._run("score", {"strategies": STRATEGIES, "seconds": SCORE_SECONDS}, seconds)

    @property
    def scored(self) -> dict[str, Scored]:
        """What the evaluator makes of the baseline, by strategy."""
        return {name: _scored(self._told_of_score, name) for name in STRATEGIES}

    @property
    def scripted(self) -> dict[str, Scored]:
        """What its command line makes of one of them, where it brings ``run_evaluation`` and a command line."""
        told = self._told_of_score
        return {name: _scored(told, name, "scripted") for name in _mapping(told.get("scripted"))}

    def truths(self, instances: list[str]) -> Truths:
        """What it makes of the ground truth as the answer."""
        job = {"instances": instances, "seconds": SCORE_SECONDS}
        told = self._run("truth", job, 6 * SCORE_SECONDS, data=True)
        answers = {name: _mapping(one) for name, one in _mapping(told.get("answers")).items()}
        facts = {
            name: {
                instance: {key: _mapping(two).get(key) is True for key in ("certain", "exact")}
                for instance, two in one.items()
            }
            for name, one in answers.items()
        }
        not_told = {name: str(one) for name, one in _mapping(told.get("not_told")).items()}
        return Truths({name: _scored(told, name) for name in facts}, facts, not_told)

    def again(self, right: str) -> dict[str, tuple[Scored, Mapping[str, float]]]:
        """What it makes of the answer of the strategy ``right``, run by run, and what each took."""
        told = self._run("again", {"seconds": SCORE_SECONDS, "right": right}, 3 * SCORE_SECONDS)
        return {
            name: (_scored(told, name), {key: one for key, one in own.items() if isinstance(one, int | float)})
            for name, own in _mapping(told.get("scored")).items()
            if isinstance(own, dict)
        }

    def malformed(self, instances: list[str], right: str) -> list[Malformed]:
        """What it makes of the answers of the strategy ``right``, spoiled."""
        job = {"instances": instances, "seconds": SCORE_SECONDS, "right": right}
        told = self._run("malformed", job, MOST_CASES * SCORE_SECONDS, data=True)
        return [
            Malformed(
                _text(one, "kind"),
                {key: str(file) for key, file in _mapping(one.get("files")).items()},
                _scored(told, name),
            )
            for name, one in _mapping(told.get("cases")).items()
            if isinstance(one, dict)
        ]

    # -- boxes -------------------------------------------------------------------------------

    @cached_property
    def _folder(self) -> Path:
        """The scratch folder: the programs, and what is written; gone when nobody has these runs any more."""
        folder = Path(tempfile.mkdtemp(prefix="ng-"))
        weakref.finalize(self, folders.remove, folder)
        (folder / "programs").mkdir()
        (folder / "work").mkdir()
        (folder / "work").chmod(0o777)
        for name in INSIDE:
            text = files("checks.dynamic.inside").joinpath(name).read_text(encoding="utf-8")
            (folder / "programs" / name).write_text(text, encoding="utf-8")
        source = solver_source(self.asked, self.instances)
        (folder / "programs" / "run.py").write_text(source, encoding="utf-8", errors="replace")
        folder.chmod(0o755)
        return folder

    def _run(self, work: str, job: Mapping[str, Any], seconds: float, *, data: bool = False) -> dict[str, Any]:
        """Do a piece of work in a box; its report, or ``{"ended": why}`` where it left none. Raises Skip."""
        (self._folder / "programs" / "job.json").write_text(json.dumps(job), encoding="utf-8")
        mounts = [Mount(self._folder / "programs", _PROGRAMS), Mount(self._folder / "work", _WORKSPACE, writable=True)]
        if data and (self._path / DATA).is_dir():
            mounts.append(Mount(self._path / DATA, PurePosixPath("/task/problem/data")))
        if work not in ("solve", "template"):
            mounts.append(Mount(self._path / "evaluation", PurePosixPath("/evaluation")))
        limits = Limits(seconds=seconds + START_SECONDS, memory_bytes=MEMORY, disk_bytes=DISK, output_bytes=1 << 16)
        box = Box(mounts=tuple(mounts), environment=ONE_THREAD, limits=limits, label=f"check {work}")
        outcome = _sandbox().run(box, ["python3", "-I", "-B", str(_PROGRAMS / "main.py"), work])
        try:
            content = read_bytes(self._folder / "work" / f"{work}.json", MOST_REPORT)
        except OSError:
            content = b""
        told = loads(content.decode("utf-8", errors="replace"))
        return told if isinstance(told, dict) and outcome.well else {"ended": _ended(outcome)}


_RUNS: weakref.WeakKeyDictionary[CheckedPackage, Runs] = weakref.WeakKeyDictionary()


def runs_of(package: CheckedPackage) -> Runs:
    """The runs of a package, the same ones for each of its checks."""
    if package not in _RUNS:
        _RUNS[package] = Runs(package)
    return _RUNS[package]


def _sandbox() -> Sandbox:
    """The back end that works here. Raises Skip where none does: a bare process is nobody's default."""
    try:
        return chosen_sandbox("auto")
    except InfrastructureError as error:
        raise Skip(f"no sandbox works here: {error.message}") from error


def _ended(outcome: Outcome) -> str:
    if outcome.ended is Ended.EXITED and outcome.code:
        return f"exit status {outcome.code}: {outcome.stderr.text.strip()[-400:]}"
    return outcome.ended.value.replace("_", " ")


# -- what comes back -------------------------------------------------------------------------


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any, name: str) -> str:
    found = _mapping(value).get(name)
    return found if isinstance(found, str) else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 < value < 1 << 31 else 1


def _ran(value: Any) -> Ran:
    told = _mapping(value)
    if "code" not in told:
        return Ran(-1, str(told.get("ended", "the box left no report")))
    code = told["code"]
    return Ran(code if isinstance(code, int) else None, _text(told, "stderr") or _text(told, "stdout"))


def _scored(told: Mapping[str, Any], name: str, how: str = "scored") -> Scored:
    one = _mapping(told.get(how)).get(name)
    if not isinstance(one, dict):
        return Scored(fault="killed", detail=str(told.get("ended", "the evaluator ended the box")))
    if "result" in one:
        return Scored(one["result"], output=_text(one, "output"))
    return Scored(
        None, _text(one, "fault") or "killed", _text(one, "detail"), _text(one, "module"), _count(one.get("line")),
        _text(one, "output"),
    )  # fmt: skip
