"""Judging trials: which verdicts are missing or stale, and what is kept of each.

    trials/<id>/verdicts/forensic.json       one verdict a judge
    trials/<id>/verdict.json                 what they say together

The idea: a verdict holds for the inputs, the policy and the judge's version that it names. Judging again does what is
missing or has become stale, and nothing twice; no agent runs again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nature_gym.config import Settings
from nature_gym.errors import NatureGymError, UsageError
from nature_gym.judging import forensic
from nature_gym.judging.case import SPEC, Case, open_case, trial_package
from nature_gym.judging.panel import PREFIX, ModelJudge
from nature_gym.judging.policy import policy_digest
from nature_gym.judging.verdict import (
    FORENSIC,
    Outcome,
    Verdict,
    read_outcome,
    read_verdicts,
    together,
    write_outcome,
    write_verdict,
)
from nature_gym.packaging.package import Package
from nature_gym.store import Store
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.scores import scores_of

log = logging.getLogger(__name__)
TRIALS = "trials"
TRIAL = "trial.json"
UNSCORED = "no attempt has a score"
ENDED = frozenset({"succeeded", "timed_out", "agent_error"})
"""Trials that count; the others are run again, or were stopped."""


class Judge(Protocol):
    """Whoever gives verdicts."""

    name: str

    @property
    def version(self) -> str: ...

    def judge(self, case: Case) -> Verdict: ...


class Forensic:
    """The deterministic judge."""

    name = FORENSIC

    @property
    def version(self) -> str:
        """Its rules' version."""
        return forensic.VERSION

    def judge(self, case: Case) -> Verdict:
        """The verdict on a case."""
        return forensic.judge(case)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one trial. ``outcome`` is None where there is nothing to judge, and ``why`` says so.

    ``fresh`` are the judges that were asked now; the others' verdicts held.
    """

    trial: str
    folder: Path
    outcome: Outcome | None
    verdicts: tuple[Verdict, ...] = ()
    fresh: tuple[str, ...] = ()
    why: str = ""


def judges_named(names: Sequence[str], settings: Settings) -> list[Judge]:
    """Judges by name: ``forensic``, ``llm`` (the model of the settings), ``llm:MODEL``. Raises UsageError."""
    found: dict[str, Judge] = {}
    for name in names or (FORENSIC,):
        if name == FORENSIC:
            found[name] = Forensic()
        elif name == "llm" or (name.startswith(PREFIX) and name != PREFIX):
            judge = ModelJudge(name.removeprefix(PREFIX) if name != "llm" else settings.model, settings)
            found[judge.name] = judge
        else:
            raise UsageError(f"There is no judge {name[:60]!r}.", hint="There are: forensic, llm, llm:MODEL.")
    return list(found.values())


def trial_folders(home: Path, names: Sequence[str] = (), *, failed: bool = False) -> list[Path]:
    """The folders of trials by id, its beginning or a path; all that ended where none is named.

    With ``failed`` only those whose outcome is an error, or whose judging left a verdict that is. Raises UsageError.
    """
    if names:
        found = [_folder(home, name) for name in names]
    else:
        root = home / TRIALS
        found = sorted(path.parent for path in root.glob(f"*/{TRIAL}") if "." not in path.parent.name)
    return [path for path in found if not failed or _failed(path)]


def judge_trial(
    folder: Path, package: Package, judges: Iterable[Judge], store: Store | None, *, again: bool = False
) -> Judged:
    """Have a trial judged by those whose verdict is missing, stale or an error; by all with ``again``.

    A judge that breaks gives an error, which is kept. Raises OSError where nothing can be written, CaseError where the
    trial's records cannot be read.
    """
    case = open_case(folder, package, store, attempt=_counted(folder))
    if case is None:
        return Judged(folder.name, folder, None, why=UNSCORED)
    kept = {one.judge: one for one in read_verdicts(folder) if _holds(one, case)}
    fresh = []
    for judge in judges:
        before = kept.get(judge.name)
        if not again and before is not None and before.version == judge.version and before.verdict != "error":
            continue
        kept[judge.name] = verdict = _asked(judge, case)
        fresh.append(judge.name)
        write_verdict(folder, verdict)
    verdicts = tuple(kept[name] for name in sorted(kept))
    outcome = together(verdicts)
    if outcome != read_outcome(folder):
        write_outcome(folder, outcome)
    return Judged(case.name, folder, outcome, verdicts, tuple(fresh))


def judge_trials(
    folders: Iterable[Path], judges: Sequence[Judge], settings: Settings, *, packages: Path | None = None,
    again: bool = False,
) -> Iterator[Judged]:  # fmt: skip
    """Judge trials one after another; one that cannot be judged stops no other, and says why."""
    store = Store(settings.store)
    for folder in folders:
        try:
            package = package_of(folder, packages or settings.packages)
            yield judge_trial(folder, package, judges, store, again=again)
        except NatureGymError as error:
            log.warning("trial %s: %s", folder.name, error.message)
            yield Judged(folder.name, folder, None, why=f"{error.message} {error.hint}".strip())


def read_judged(folder: Path) -> Judged:
    """What was said of a trial before."""
    outcome = read_outcome(folder)
    return Judged(folder.name, folder, outcome, read_verdicts(folder), why="" if outcome else UNSCORED)


def package_of(folder: Path, packages: Path) -> Package:
    """The package that a trial was made for: below ``packages``, or ``packages`` itself. Raises UsageError."""
    name = trial_package(folder)
    for path in (packages / name if name else packages, packages):
        if (path / "problem").is_dir() and (path.name == name or not name):
            return Package(path)
    what = f"package {name[:60]}" if name else f"package of {folder.name}"
    raise UsageError(
        f"The {what} is not at {packages}.", hint="Give its folder, or that of all packages, by --packages."
    )


def has_ended(folder: Path) -> bool:
    """Whether a trial ended as one that counts; one of a service alone, which has no status, does."""
    try:
        record = json.loads((folder / TRIAL).read_bytes())
    except (OSError, ValueError):
        return False
    status = record.get("status") if isinstance(record, dict) else None
    return status in ENDED or (status is None and not (folder / SPEC).exists())


def _counted(folder: Path) -> int | None:
    """The attempt that counts by the scores in force; None where the folder is no trial of a sweep."""
    trial = TrialFolders(folder).read(folder)
    best = scores_of(trial).best if trial is not None else None
    return best.number if best is not None else None


def _asked(judge: Judge, case: Case) -> Verdict:
    """A judge's verdict; whatever breaks in it is an error of this judge alone."""
    try:
        return judge.judge(case)
    except Exception as error:  # an error of a judge is no pass, and stops no other judge
        if isinstance(error, OSError):
            raise
        log.exception("judge %s on %s", judge.name, case.name)
        return Verdict(
            judge=judge.name, version=judge.version, verdict="error", reason=f"{type(error).__name__}: {error}"[:1000],
            attempt=case.attempt.number, policy_digest=policy_digest(), inputs=case.inputs,
        )  # fmt: skip


def _holds(verdict: Verdict, case: Case) -> bool:
    """Whether a verdict that was given before is on this case and by this policy."""
    return verdict.inputs == case.inputs and verdict.policy_digest == policy_digest()


def _failed(folder: Path) -> bool:
    outcome = read_outcome(folder)
    return outcome is not None and "error" in (outcome.verdict, *outcome.judges.values())


def _folder(home: Path, name: str) -> Path:
    path = Path(name)
    if (path / TRIAL).is_file():
        return path
    root = home / TRIALS
    exact = root / name
    if name and "/" not in name and (exact / TRIAL).is_file():
        return exact
    plain = name.isalnum()
    found = [one.parent for one in root.glob(f"{name}*/{TRIAL}") if "." not in one.parent.name] if plain else []
    if len(found) == 1:
        return found[0]
    what = "means several trials" if found else "is no trial"
    raise UsageError(f"{name[:60]!r} {what}.", hint="Give the id of a trial, or the folder of one.")
