"""The cut as others read it: the object that ``naturegym cut FOLDER --json`` prints."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from nature_gym.cut.categories import Evidence, Verdict
from nature_gym.cut.folder import Cut
from nature_gym.cut.names import Category


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidencePart(_Part):
    """One reason: a line of code or of a document; line 0 means the file's path itself."""

    file: str
    line: int = Field(ge=0)
    what: str


class FilePart(_Part):
    """A file, or a pattern for files that the folder lacks, with its category."""

    path: str
    category: Category
    confidence: float = Field(ge=0, le=1)
    kept: bool
    evidence: list[EvidencePart]


class CorePart(_Part):
    """A part of the core algorithm."""

    file: str
    name: str
    line: int
    why: str


class SplitPart(_Part):
    """A way in which development and evaluation data part."""

    kind: str
    evidence: list[EvidencePart]
    parameters: dict[str, Any]


class MetricPart(_Part):
    """Where a metric is computed."""

    file: str
    name: str
    line: int


class CutReport(_Part):
    """The cut of one folder."""

    files: list[FilePart]
    patterns: list[FilePart]
    core: list[CorePart]
    splits: list[SplitPart]
    metrics_code: list[MetricPart]
    warnings: list[str]


def report_of(cut: Cut) -> CutReport:
    """The printed form of a cut."""
    return CutReport(
        files=[_file(each) for each in cut.files],
        patterns=[_file(each) for each in cut.patterns],
        core=[CorePart(file=each.file, name=each.name, line=each.line, why=each.why) for each in cut.roles.core],
        splits=[
            SplitPart(kind=each.kind, evidence=_evidence(each.evidence), parameters=each.parameters)
            for each in cut.splits
        ],
        metrics_code=[MetricPart(file=each.file, name=each.name, line=each.line) for each in cut.metrics_code],
        warnings=[_printable(each) for each in cut.warnings],
    )


def _file(verdict: Verdict) -> FilePart:
    return FilePart(
        path=_printable(verdict.path),
        category=verdict.category,
        confidence=verdict.confidence,
        kept=verdict.kept,
        evidence=_evidence(verdict.evidence),
    )


def _evidence(found: list[Evidence]) -> list[EvidencePart]:
    return [EvidencePart(file=_printable(each.file), line=each.line, what=_printable(each.what)) for each in found]


def _printable(text: str) -> str:
    """Names that are not UTF-8 (surrogates) in escapes, so that every reader of JSON can read them."""
    return text.encode("utf-8", "backslashreplace").decode()
