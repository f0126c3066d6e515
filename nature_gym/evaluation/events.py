"""What a trial leaves in its folder: the record that counts, and that brings the database's rows back.

    trial.json            what was measured, and since when
    submissions.jsonl     a line an attempt, in their order
    attempts/<n>/         attempt.json: all that was found; source.json: the workspace's texts, by digest
    sources/<ab>/<digest> those texts, each once

The idea: a line is written after the database has the attempt, so a crash can lose the line and never the attempt;
:meth:`TrialRecord.complete` writes what is missing, and nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from nature_gym.errors import InfrastructureError
from nature_gym.evaluation.state import Attempt, Opening
from nature_gym.files import write_atomically, write_json

TRIAL, SUBMISSIONS, ATTEMPTS, ATTEMPT, SOURCE = (
    "trial.json", "submissions.jsonl", "attempts", "attempt.json", "source.json"
)  # fmt: skip


class TrialRecord:
    """One trial's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def attempt(self, number: int) -> Path:
        """An attempt's folder."""
        return self.folder / ATTEMPTS / str(number)

    def write_opening(self, opening: Opening, facts: dict[str, Any]) -> None:
        """Say what is measured."""
        write_json(self.folder / TRIAL, {**facts, **asdict(opening)})

    def opening(self) -> Opening | None:
        """The opening, as it was written; None where there is none."""
        try:
            value = json.loads((self.folder / TRIAL).read_bytes())
            return Opening(**{name: value[name] for name in Opening.__dataclass_fields__})
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise InfrastructureError(
                f"{self.folder / TRIAL} cannot be read: {error}", hint="Give another folder, or mend the file."
            ) from error

    def write(self, attempt: Attempt) -> None:
        """Keep an attempt that ended."""
        self._write_attempt(attempt)
        with (self.folder / SUBMISSIONS).open("ab") as file:
            file.write(_line(attempt))

    def complete(self, attempts: Iterable[Attempt]) -> None:
        """Write what a crash kept from being written: whole lines stay, a torn one goes, missing ones come."""
        path = self.folder / SUBMISSIONS
        ended = [one for one in attempts if one.status != "scoring"]
        present = path.read_bytes() if path.exists() else b""
        if present != (wanted := b"".join(map(_line, ended))):
            write_atomically(path, wanted)
        for one in ended:
            if not (self.attempt(one.number) / ATTEMPT).exists():
                self._write_attempt(one)

    def attempts(self) -> tuple[Attempt, ...]:
        """The attempts that ended, as their folders have them."""
        found = []
        for path in (self.folder / ATTEMPTS).glob(f"*/{ATTEMPT}"):
            with suppress(ValueError, TypeError):
                found.append(Attempt(**json.loads(path.read_bytes())))
        return tuple(sorted(found, key=lambda one: one.number))

    def _write_attempt(self, attempt: Attempt) -> None:
        write_json(self.attempt(attempt.number) / ATTEMPT, asdict(attempt))


def _line(attempt: Attempt) -> bytes:
    """An attempt in one line: what a time line needs."""
    line = {
        "attempt": attempt.number, "begun": attempt.begun, "ended": attempt.ended, "status": attempt.status,
        "paused_seconds": attempt.paused, "aggregate_improvement": attempt.gap,
        "raw_scores": attempt.result.get("raw_scores"),
        "per_instance_improvement": attempt.result.get("per_instance_improvement"),
        "reason": attempt.result.get("reason"),
    }  # fmt: skip
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
