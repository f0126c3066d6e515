"""The cascade: rules in their order, until one does not pass.

A person's answer wins over every other decider's. Whoever cannot decide leaves the paper undecided with the cause;
that is never a rejection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.deciders import Answer, Case, Decider, DeciderError
from nature_gym.screening.decisions import RULES, Decision

DeciderOf = Callable[[str], Decider]
"""Rule -> who decides it."""


@dataclass(frozen=True, slots=True)
class Screened:
    """What a paper's cascade came to."""

    verdict: Literal["passed", "rejected", "undecided"]
    stopped_at: str | None

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"


def screen(case: Case, decider_of: DeciderOf, answers: Mapping[str, Decision] | None = None) -> Screened:
    """Put all rules to ``case``, in order, and stop at the first that it does not pass.

    ``answers`` are people's decisions by rule. Decisions and the task tuple are left in ``case``.
    """
    for rule in RULES:
        answer = _answered(rule, answers or {}) or _decide(rule, case, decider_of(rule))
        case.decisions.append(answer.decision)
        if answer.task is not None:
            case.task = answer.task
        if answer.decision.verdict == "reject":
            return Screened("rejected", rule)
        if answer.decision.verdict == "undecided":
            return Screened("undecided", rule)
    return Screened("passed", None)


def _answered(rule: str, answers: Mapping[str, Decision]) -> Answer | None:
    return Answer(answers[rule]) if rule in answers else None


def _decide(rule: str, case: Case, decider: Decider) -> Answer:
    try:
        return decider.decide(rule, case)
    except DeciderError as error:
        reason = f"{decider.name} could not decide: {error.message}" + (f" ({error.hint})" if error.hint else "")
        return Answer(
            Decision(rule=rule, verdict="undecided", reason=reason, decider=decider.name, version=decider.version(rule))
        )
