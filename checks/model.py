"""What a check says: findings with their place, a status, and the report on a package.

The idea: these are the only things that leave this package, so the formats, the database and the command line know
nothing of how a check looks at a package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, computed_field

Level = Literal["fail", "warn"]
Status = Literal["pass", "fail", "warn", "skip"]
TOTAL = 36
LONGEST = 300


def _printable(text: str) -> str:
    """Text of a package, fit for every format: bytes that are no UTF-8 in escapes, not longer than anyone reads."""
    return text[:LONGEST].encode("utf-8", errors="backslashreplace").decode("utf-8")


Words = Annotated[str, BeforeValidator(_printable)]


class Finding(BaseModel):
    """One thing that is not in order, and where: ``line`` and ``column`` count from 1.

    ``text`` is what stands there, ``message`` what is wrong with it, ``hint`` how to mend it. ``suppressed`` is the
    reason for which somebody lets it stand; such a finding counts for nothing, and is shown all the same.
    """

    model_config = ConfigDict(frozen=True)

    file: Words
    line: int = 1
    column: int = 1
    text: Words = ""
    message: Words
    hint: str = ""
    level: Level = "fail"
    suppressed: str = ""


class CheckResult(BaseModel):
    """What one check says of one package. A skip has its ``reason``, and is no pass.

    ``defect`` says that the check itself broke down: a defect of ours, not of the package.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    status: Status
    seconds: float = 0.0
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    defect: bool = False


class Summary(BaseModel):
    """How many checks ended how."""

    model_config = ConfigDict(frozen=True)

    passed: int
    failed: int
    warned: int
    skipped: int
    total: int = TOTAL

    def __str__(self) -> str:
        warned = f", {self.warned} warned" if self.warned else ""
        return f"{self.passed} passed, {self.failed} failed{warned}, {self.skipped} skipped"


def count_of(results: Sequence[CheckResult]) -> Summary:
    """The counts of some results."""
    count = Counter(one.status for one in results)
    return Summary(
        passed=count["pass"], failed=count["fail"], warned=count["warn"], skipped=count["skip"], total=len(results)
    )


class Report(BaseModel):
    """What all checks say of a package, in their order, each of them, always."""

    model_config = ConfigDict(frozen=True)

    package: str
    checks: tuple[CheckResult, ...] = Field(min_length=TOTAL, max_length=TOTAL)
    extended: tuple[CheckResult, ...] = ()
    """Those beyond the 36, where they were asked for; they are in no count."""

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """All results, those beyond the 36 last."""
        return (*self.checks, *self.extended)

    @computed_field  # type: ignore[prop-decorator] # pydantic's own way, which mypy does not follow
    @property
    def summary(self) -> Summary:
        """The counts."""
        return count_of(self.checks)

    def check(self, name: str) -> CheckResult:
        """The result of the check ``name``."""
        return next(one for one in self.results if one.id == name)
