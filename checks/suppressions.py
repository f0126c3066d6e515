"""Findings that somebody lets stand, with the reason: ``suppressions.json`` at the root of a package.

A list of ``{"check": "C3.2", "file": "problem/data/a/x.log", "because": "..."}``; without a file, for the check's
findings everywhere. What is suppressed counts for nothing and stays in every report with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from checks.model import Finding
from checks.package import CheckedPackage, loads
from checks.registry import known as known_check
from nature_gym.errors import FindingsError, UsageError
from nature_gym.files import write_json

FILE = "suppressions.json"


class Suppression(BaseModel):
    """One of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: str
    file: str = ""
    because: str = Field(min_length=1)


_LIST = TypeAdapter(list[Suppression])


@dataclass(frozen=True, slots=True)
class Suppressions:
    """Those of one package."""

    known: tuple[Suppression, ...] = ()

    def applied(self, check: str, finding: Finding) -> Finding:
        """The finding, suppressed where it is."""
        for one in self.known:
            if one.check == check and one.file in ("", finding.file):
                return finding.model_copy(update={"suppressed": one.because})
        return finding


def suppressions_of(package: CheckedPackage) -> Suppressions:
    """What a package suppresses. Raises FindingsError for a file that does not say it properly."""
    text = package.text(FILE)
    if FILE not in package.entries:
        return Suppressions()
    try:
        return Suppressions(tuple(_LIST.validate_python(loads(text.content))))
    except ValidationError as error:
        raise FindingsError(
            f"{FILE} of {package.path.name} is not a list of suppressions: {error.errors()[0]['msg']}",
            hint='Each has "check" and "because", and may have "file"; \'naturegym check suppress\' writes it.',
        ) from error


def suppress(path: Path, check: str, because: str, file: str = "") -> Path:
    """Add a suppression to the package at ``path``, in the place of one for the same; the file that holds it.

    Raises UsageError for a check that does not exist, a file that is not in the package, or no reason.
    """
    if known_check(check) != check:
        raise UsageError(f"There is no check {check!r}.", hint="Ids are C0.1 to C4.9 and X1 to X10.")
    if not because.strip():
        raise UsageError("A suppression needs a reason.", hint='Say why: --because "...".')
    package = CheckedPackage(path)
    if file and file not in package.entries:
        raise UsageError(f"There is no {file} in {path}.", hint="Name it by its path below the package.")
    known: list[Any] = [
        one.model_dump() for one in suppressions_of(package).known if (one.check, one.file) != (check, file)
    ]
    known.append({"check": check, "file": file, "because": because.strip()})
    write_json(path / FILE, known)
    return path / FILE
