"""The folders of trials: one a trial, and beside it those of its runs that failed.

    trials/3fa0c1.../            spec.json      what it is
                                 trial.json     what was measured, phases, how it ended
                                 submissions.jsonl, attempts/, sources/    see nature_gym.evaluation.events
                                 stdout, stderr, trajectory.jsonl, egress.jsonl
                                 scores.json    scores made anew, where an anchor or an evaluator was corrected
                                 verdict.json   the judge's
    trials/3fa0c1....1/          a run of it before, that an infrastructure error or a kill ended

The idea: whoever runs a trial holds a lock on its claim, which the kernel drops when the process dies. So a trial
without a status whose claim is free has died, and its folder is moved aside, never changed and never scored.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from nature_gym.errors import UsageError
from nature_gym.evaluation.events import TRIAL
from nature_gym.files import flush_folder, write_json
from nature_gym.sweeping.spec import ID_DIGITS, TrialSpec, read_spec

FOLDER, SPEC, CLAIMS = "trials", "spec.json", ".claims"
STDOUT, STDERR, TRAJECTORY, EGRESS, SCORES, VERDICT = (
    "stdout", "stderr", "trajectory.jsonl", "egress.jsonl", "scores.json", "verdict.json"
)  # fmt: skip
LARGEST_RECORD = 64 << 20

Status = Literal["succeeded", "timed_out", "agent_error", "infra_error", "cancelled"]
STATUSES: tuple[Status, ...] = get_args(Status)
COUNTED: frozenset[str] = frozenset({"succeeded", "timed_out", "agent_error"})
"""Ended by the agent or its deadline: what these scored counts."""
_NAME = re.compile(rf"[0-9a-f]{{{ID_DIGITS}}}(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class TrialFolder:
    """One trial as its folder tells it. ``record`` is trial.json, empty before it was written."""

    path: Path
    spec: TrialSpec
    record: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The folder's name: the trial's id, with a number behind it for a run that was moved aside."""
        return self.path.name

    @property
    def status(self) -> Status | None:
        """How it ended; None where it has not, or died."""
        found = self.record.get("status")
        return next((one for one in STATUSES if one == found), None)


class TrialFolders:
    """All trials of a home."""

    def __init__(self, home: Path) -> None:
        self.root = home / FOLDER

    def __iter__(self) -> Iterator[TrialFolder]:
        """The trials, in the order of their ids; runs that were moved aside and what cannot be read left out."""
        for path in self._paths():
            if "." not in path.name and (found := self.read(path)) is not None:
                yield found

    def find(self, name: str) -> TrialFolder:
        """The trial that an id, or the beginning of only one, means; also a run that was moved aside, by its name.

        Raises UsageError where there is none, or several.
        """
        paths = [path for path in self._paths() if path.name.startswith(name)] if name else []
        trials = [path for path in paths if "." not in path.name or path.name == name]
        exact = [path for path in trials if path.name == name]
        if len(exact or trials) != 1 or (found := self.read((exact or trials)[0])) is None:
            what = "means several trials" if trials else "is no trial"
            raise UsageError(f"{name[:60]!r} {what}.", hint="'naturegym trials list' shows them all.")
        return found

    def get(self, trial: str) -> TrialFolder | None:
        """The trial of that id; None where it was never begun, or left nothing that can be read."""
        return self.read(self.root / trial)

    def read(self, path: Path) -> TrialFolder | None:
        """The trial in a folder."""
        try:
            spec = read_spec(read_json(path / SPEC))
        except (OSError, ValueError):
            return None
        try:
            record = read_json(path / TRIAL)
        except (OSError, ValueError):
            record = {}
        return TrialFolder(path, spec, record if isinstance(record, dict) else {})

    def runs_before(self, trial: str) -> list[TrialFolder]:
        """The runs of a trial that were moved aside, oldest first."""
        paths = sorted(self.root.glob(f"{trial}.*"), key=lambda path: int(path.suffix[1:] or 0))
        return [found for path in paths if (found := self.read(path)) is not None]

    @contextmanager
    def claimed(self, trial: str) -> Iterator[bool]:
        """Hold a trial's claim while the block runs; gives False, and holds nothing, where somebody else has it."""
        claims = self.root / CLAIMS
        claims.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(claims / trial, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                free = True
            except BlockingIOError:
                free = False
            yield free
        finally:
            os.close(descriptor)

    def is_claimed(self, trial: str) -> bool:
        """Whether a living process runs this trial."""
        with self.claimed(trial) as free:
            return not free

    def begin(self, spec: TrialSpec) -> Path:
        """A fresh folder for a trial whose claim is held; what was there before is moved aside."""
        folder = self.root / spec.id
        self.move_aside(spec.id)
        folder.mkdir(parents=True)
        write_json(folder / SPEC, spec.as_json())
        return folder

    def move_aside(self, trial: str) -> None:
        """Make room for another run of a trial whose claim is held; its evidence stays under a number."""
        folder = self.root / trial
        if not folder.exists():
            return
        taken = [int(path.suffix[1:]) for path in self.root.glob(f"{trial}.*") if path.suffix[1:].isdigit()]
        folder.rename(self.root / f"{trial}.{max(taken, default=0) + 1}")
        flush_folder(self.root)

    def _paths(self) -> list[Path]:
        if not self.root.is_dir():
            return []
        return sorted(path for path in self.root.iterdir() if _NAME.fullmatch(path.name))


def read_json(path: Path) -> Any:
    """A record of ours. Raises OSError, and ValueError for what is no JSON or too large."""
    with path.open("rb") as file:
        content = file.read(LARGEST_RECORD + 1)
    if len(content) > LARGEST_RECORD:
        raise ValueError(f"{path} has more than {LARGEST_RECORD} bytes")
    return json.loads(content)
