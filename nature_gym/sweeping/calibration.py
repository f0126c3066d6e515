"""The admission report of a package: what the passes before the sweep have shown, what is wrong, and what to do.

Five looks: the no-op floor (a constant solver), the truth as an answer (C4.8), malformed answers (C4.9), a Base pass
(an agent with the package alone), a Reproduce pass (an agent that has the paper, too). Each look that finds something
names a defect of one class, with what was seen. Admitted is a package without a defect whose Reproduce pass succeeded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from nature_gym.sweeping.admission import Verdict
from nature_gym.sweeping.folders import COUNTED, VERDICT, TrialFolder, read_json
from nature_gym.sweeping.results import Outcome, outcome_of
from nature_gym.sweeping.scores import scores_of

SUCCESS, PARTIAL = -0.05, -0.2
"""g from which a pass has reproduced the paper's result, and from which it has in part."""
SUSPICIOUS = 0.5
"""g beyond which an agent without the paper is better than the paper by so much that a person has to look."""
CEILING, MALFORMED = "C4.8", "C4.9"

DefectClass = Literal[
    "ground_truth_leak", "degenerate_task", "metric_blind_to_shortcuts", "evaluator_or_anchor_mismatch", "environment",
    "missing_data",
]  # fmt: skip
CLASSES: tuple[DefectClass, ...] = get_args(DefectClass)
Grade = Literal["success", "partial", "failure", "not_run", "broken"]
_LEAKS = ("target_extraction", "answer_book")
"""Of a judge's categories: those that data make possible which should not be there."""


@dataclass(frozen=True, slots=True)
class CheckFact:
    """What one check said of the package. ``status`` as checks have it: pass, fail, warn, skip."""

    id: str
    status: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that is wrong with a package. ``mend`` says with what it is repaired."""

    kind: DefectClass
    evidence: str
    mend: str


@dataclass(frozen=True, slots=True)
class PassResult:
    """What came of one pass. ``grade`` is that of its best g; ``broken``: the infrastructure failed."""

    name: str
    agent: str
    trial: str
    status: str
    grade: Grade
    gap: float | None
    attempts: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AdmissionReport:
    """All looks, the defects, and the verdict. ``task_digest`` is of the package that was looked at."""

    package: str
    task_digest: str
    verdict: Verdict
    summary: str
    passes: tuple[PassResult, ...]
    checks: tuple[CheckFact, ...]
    defects: tuple[Defect, ...]

    def as_json(self) -> dict[str, Any]:
        """For files."""
        return asdict(self)


def grade(gap: float | None) -> Grade:
    """Success from -0.05, partial from -0.2 on, else failure; so is no score."""
    if gap is None or gap < PARTIAL:
        return "failure"
    return "success" if gap >= SUCCESS else "partial"


def admission(
    package: str, task_digest: str, checks: Mapping[str, CheckFact], trials: Mapping[str, TrialFolder | None],
    *, blocked: str = "",
) -> AdmissionReport:  # fmt: skip
    """The report. ``trials`` are those of the passes ``floor``, ``base`` and ``reproduce``, None where none was run.

    ``blocked`` says why the package may not be calibrated, where its checks say so; then no pass was run.
    """
    outcomes = {name: outcome_of(trial) for name, trial in trials.items() if trial is not None}
    passes = tuple(_pass(name, outcomes.get(name)) for name in ("floor", "base", "reproduce"))
    floor, base, reproduce = passes
    defects = [
        *_of_checks(checks, blocked), *_of_floor(floor), *_of_base(base, outcomes.get("base")),
        *_of_reproduce(reproduce, outcomes.get("reproduce")),
        *(one for name, found in outcomes.items() for one in _of_scoring(name, found)),
    ]  # fmt: skip
    verdict, summary = _verdict(passes, defects, blocked)
    facts = tuple(checks[name] for name in sorted(checks))
    return AdmissionReport(package, task_digest, verdict, summary, passes, facts, tuple(dict.fromkeys(defects)))


def page(report: AdmissionReport) -> str:
    """The report as a page that a maintainer can act on (Markdown)."""
    lines = [f"# {_plain(report.package)}: {report.verdict}", "", report.summary, ""]
    lines += ["| look | by | came to | g | |", "|---|---|---|---|---|"]
    for one in report.passes:
        gap = "" if one.gap is None else f"{one.gap:+.4f}"
        lines.append(f"| {one.name} | {_plain(one.agent)} | {one.grade} | {gap} | {_plain(one.reason)} {one.trial} |")
    for fact in report.checks:
        lines.append(f"| {fact.id} | check | {fact.status} | | {_plain('; '.join(fact.findings[:3]))} |")
    if report.defects:
        lines += ["", "## What is wrong", ""]
        for defect in report.defects:
            lines += [f"- **{defect.kind.replace('_', ' ')}**: {_plain(defect.evidence)}", f"  {_plain(defect.mend)}"]
    lines += ["", f"Of the package with digest {report.task_digest}.", ""]
    return "\n".join(lines)


def _pass(name: str, outcome: Outcome | None) -> PassResult:
    if outcome is None:
        return PassResult(name, "", "", "", "not_run", None, 0)
    trial = outcome.trial
    status = trial.status or "died"
    found: Grade = grade(outcome.gap) if status in COUNTED else "broken"
    reason = str(trial.record.get("reason", ""))
    if outcome.judged.verdict == "invalid":
        found, reason = "failure", f"the judge: {outcome.judged.reason}"
    attempts = int(trial.record.get("attempts", 0) or 0)
    return PassResult(name, trial.spec.agent, trial.id, status, found, outcome.gap, attempts, reason)


def _of_checks(checks: Mapping[str, CheckFact], blocked: str) -> list[Defect]:
    found = []
    if blocked:
        found.append(Defect(
            "environment", f"the checks do not admit it: {blocked}", "Mend what 'naturegym check' says; check it again."
        ))  # fmt: skip
    ceiling, malformed = checks.get(CEILING), checks.get(MALFORMED)
    if ceiling is not None and ceiling.status == "fail":
        found.append(Defect(
            "evaluator_or_anchor_mismatch", f"{CEILING}: {_first(ceiling)}",
            "Mend the evaluator until the ground truth scores best.",
        ))  # fmt: skip
    if malformed is not None and malformed.status == "fail":
        found.append(Defect(
            "metric_blind_to_shortcuts", f"{MALFORMED}: {_first(malformed)}",
            "Have the evaluator refuse what is not an answer.",
        ))  # fmt: skip
    return found


def _of_floor(floor: PassResult) -> list[Defect]:
    if floor.grade != "success":
        return []
    return [Defect(
        "degenerate_task", f"a constant answer reaches g {floor.gap:+.4f} (trial {floor.trial})",
        "Take a metric, or a test set, that tells a constant from a solution; else drop the package.",
    )]  # fmt: skip


def _of_base(base: PassResult, outcome: Outcome | None) -> list[Defect]:
    found = []
    if outcome is not None and outcome.judged.verdict == "invalid" and _says_leak(outcome):
        found.append(Defect(
            "ground_truth_leak", f"trial {base.trial}: {outcome.judged.reason}",
            "Take out of the package what the answers can be read from.",
        ))  # fmt: skip
    elif base.grade == "success" and base.gap is not None and base.gap > SUSPICIOUS:
        found.append(Defect(
            "metric_blind_to_shortcuts", f"without the paper g is {base.gap:+.4f} (trial {base.trial})",
            "See in its sources how: a leak, a metric that a shortcut satisfies, or an anchor of another unit.",
        ))  # fmt: skip
    return found


def _of_reproduce(reproduce: PassResult, outcome: Outcome | None) -> list[Defect]:
    if outcome is None or reproduce.grade in ("success", "broken"):
        return []
    if reproduce.gap is None:
        kind: DefectClass = "environment" if reproduce.status == "agent_error" else "missing_data"
        said = f"it ended without a score: {reproduce.status} {reproduce.reason}".rstrip()
        mend = "See its trajectory: which package or file was it lacking?"
    else:
        kind, said = "missing_data", f"with the paper g is {reproduce.gap:+.4f}"
        mend = "See its trajectory: which data, setting or metric of the paper does the package not have?"
    return [Defect(kind, f"{said} (trial {reproduce.trial})", mend)]


def _of_scoring(name: str, outcome: Outcome) -> list[Defect]:
    """What the evaluator did to answers of a pass."""
    found = []
    faults = [one.number for one in scores_of(outcome.trial).attempts if one.status == "fault"]
    if faults:
        found.append(Defect(
            "evaluator_or_anchor_mismatch",
            f"the evaluator failed on attempt {faults[0]} of the {name} pass (trial {outcome.trial.id})",
            f"See attempts/{faults[0]}/attempt.json in the trial's folder.",
        ))  # fmt: skip
    if outcome.trial.status == "infra_error":
        found.append(Defect(
            "environment", f"the {name} pass broke: {outcome.trial.record.get('reason', '')}",
            str(outcome.trial.record.get("hint") or "Calibrate again with --rerun infra_error."),
        ))  # fmt: skip
    return found


def _verdict(passes: Sequence[PassResult], defects: Sequence[Defect], blocked: str) -> tuple[Verdict, str]:
    reproduce = passes[2]
    kinds = list(dict.fromkeys(one.kind.replace("_", " ") for one in defects))
    if any(one.kind == "degenerate_task" for one in defects):
        return "drop", "A constant answer does as well as the paper: there is nothing to measure."
    if blocked:
        return "repair", f"Its checks do not admit it to calibration: {blocked}."
    if defects:
        return "repair", f"It has defects: {', '.join(kinds)}."
    if reproduce.grade == "success":
        return "admit", "It supports the paper's result, and nothing was found against it."
    if reproduce.grade == "not_run":
        return "repair", "Nothing was found against it, and no Reproduce pass has shown that it supports the result."
    return "repair", f"The Reproduce pass came to {reproduce.grade}."


def _says_leak(outcome: Outcome) -> bool:
    try:
        told = read_json(outcome.trial.path / VERDICT)
    except (OSError, ValueError):
        return False
    categories = told.get("categories") if isinstance(told, dict) else None
    return any(word in str(one) for one in categories or () for word in _LEAKS)


def _first(fact: CheckFact) -> str:
    return fact.findings[0] if fact.findings else "it failed"


def _plain(text: str) -> str:
    """Text from outside, fit for a table's cell: no markup, one line."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain.replace("|", "/").replace("<", "(").replace(">", ")").replace("`", "'")[:400]
