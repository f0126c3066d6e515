"""What a judge says of a trial, and what the judges of a trial say together.

Invariant: an error is never a pass. A judge that fails gives ``error`` with its cause; several judges give ``valid``
together only where none of them failed and more than half say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nature_gym.digests import PREFIX, digest_bytes
from nature_gym.files import to_json, write_atomically
from nature_gym.judging.policy import Category

FORENSIC = "forensic"
FOLDER, OUTCOME = "verdicts", "verdict.json"
LARGEST = 4 << 20
Word = Literal["valid", "invalid", "error"]


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Evidence(_Kept):
    """Where something stands. ``line`` counts from 1, 0 where there is none; ``about`` says what is wrong there."""

    file: Annotated[str, Field(max_length=300)]
    line: Annotated[int, Field(ge=0)] = 0
    text: Annotated[str, Field(max_length=500)] = ""
    about: Annotated[str, Field(max_length=500)] = ""
    category: Category | None = None


class Verdict(_Kept):
    """One judge's verdict on the best attempt of a trial.

    ``notes`` are what was seen and does not count against it. ``inputs`` is the digest of what was judged.
    """

    judge: str
    version: str
    verdict: Word
    reason: str
    categories: tuple[Category, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[Evidence, ...] = ()
    attempt: int = 0
    model: str = ""
    policy_digest: str = ""
    prompt_digest: str = ""
    inputs: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if (self.verdict == "invalid") != bool(self.categories):
            raise ValueError("categories go with the verdict invalid, and only with it")
        return self


class Outcome(_Kept):
    """What the judges of a trial say together."""

    verdict: Word
    reason: str
    categories: tuple[Category, ...] = ()
    attempt: int = 0
    judges: dict[str, Word] = {}
    policy_digest: str = ""


def together(verdicts: Sequence[Verdict]) -> Outcome:
    """The outcome of one or more verdicts on one trial.

    What the forensic judge finds invalid is invalid: it names the line. Else more than half of all judges decide;
    without such a majority, or where a judge failed that might have made another, it is an error.
    """
    judges = {one.judge: one.verdict for one in verdicts}
    proven = [one for one in verdicts if one.judge == FORENSIC and one.verdict == "invalid"]
    word = _majority(judges, proven=bool(proven))
    decisive = proven or [one for one in verdicts if one.verdict == word]
    if decisive:
        reason = decisive[0].reason
    else:
        said = ", ".join(f"{name} says {what}" for name, what in judges.items())
        reason = f"the judges disagree: {said}" if said else "nobody has judged it"
    found = tuple(dict.fromkeys(name for one in verdicts if one.verdict == "invalid" for name in one.categories))
    return Outcome(
        verdict=word, reason=reason, categories=found if word == "invalid" else (), judges=judges,
        attempt=max((one.attempt for one in verdicts), default=0),
        policy_digest=next((one.policy_digest for one in verdicts), ""),
    )  # fmt: skip


def _majority(judges: dict[str, Word], *, proven: bool) -> Word:
    said = list(judges.values())
    if proven or said.count("invalid") > len(said) / 2:
        return "invalid"
    return "valid" if "error" not in said and said.count("valid") > len(said) / 2 else "error"


def verdict_path(trial: Path, judge: str) -> Path:
    """Where a judge's verdict on a trial lies. Names of models may hold anything; the file's name does not."""
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", judge).strip("-.")[:60]
    if plain != judge:
        plain += "-" + digest_bytes(judge.encode()).removeprefix(PREFIX)[:8]
    return trial / FOLDER / f"{plain}.json"


def read_verdicts(trial: Path) -> tuple[Verdict, ...]:
    """The verdicts that lie in a trial's folder, one a judge; what cannot be read is none."""
    found = (_read(path) for path in sorted((trial / FOLDER).glob("*.json")))
    return tuple(one for one in found if one is not None)


def read_outcome(trial: Path) -> Outcome | None:
    """What the judges say of a trial together; None where nobody has judged it."""
    try:
        return Outcome.model_validate_json((trial / OUTCOME).read_bytes())
    except (OSError, ValidationError):
        return None


def write_verdict(trial: Path, verdict: Verdict) -> None:
    """Keep a verdict, in the place of what this judge said before."""
    write_atomically(verdict_path(trial, verdict.judge), to_json(verdict.model_dump(mode="json")))


def write_outcome(trial: Path, outcome: Outcome) -> None:
    """Keep what the judges say together."""
    write_atomically(trial / OUTCOME, to_json(outcome.model_dump(mode="json")))


def _read(path: Path) -> Verdict | None:
    try:
        with path.open("rb") as file:
            return Verdict.model_validate_json(file.read(LARGEST))
    except (OSError, ValidationError):
        return None
