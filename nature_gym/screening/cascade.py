"""The cascade: rules in their order, until one does not pass.

A person's answer wins over every other decider's. Whoever cannot decide leaves the paper undecided with the cause;
that is never a rejection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.deciders import Answer, Case, Decider, DeciderError
from nature_gym.screening.decisions import BEFORE, RULES, Decision

_BY_LINKS = frozenset({"3.1", "3.2", "3.3", "3.6"})
"""Rules that go by what is seen at links."""
DeciderOf = Callable[[str], Decider]
"""Rule -> who decides it."""


@dataclass(frozen=True, slots=True)
class Screened:
    """What a paper's cascade came to. ``failed``: the rule at which it stopped could not be decided *now*."""

    verdict: Literal["passed", "rejected", "undecided"]
    stopped_at: str | None
    failed: bool = False

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"


def screen(case: Case, decider_of: DeciderOf, answers: Mapping[str, Decision] | None = None) -> Screened:
    """Put all rules to ``case``, in order, and stop at the first that it does not pass.

    ``answers`` are people's decisions by rule. Decisions and the task tuple are left in ``case``.
    """
    for rule in RULES:
        answer, failed = _answer(rule, case, decider_of(rule), (answers or {}).get(rule))
        case.decisions.append(answer.decision)
        if answer.task is not None:
            case.task = answer.task
        if answer.decision.verdict == "reject":
            return Screened("rejected", rule)
        if answer.decision.verdict == "undecided":
            return Screened("undecided", rule, failed or (rule in _BY_LINKS and _unseen(case)))
    return Screened("passed", None)


def _unseen(case: Case) -> bool:
    """Whether a link could not be looked at: what its rule does not know today, it may know tomorrow."""
    return any(probe.status == "error" for probe in case.probes.values())


def _answer(rule: str, case: Case, decider: Decider, person: Decision | None) -> tuple[Answer, bool]:
    """What is answered, and whether the decider could not decide."""
    if person is not None and person.verdict == "reject":
        return Answer(person), False
    if person is None and rule != BEFORE and (lack := case.manuscript.lacks):
        return Answer(_undecided(rule, decider, f"too little of the paper could be read: {lack}")), False
    try:
        answer = decider.decide(rule, case)
    except DeciderError as error:
        if person is not None:
            return Answer(person), False
        reason = f"{decider.name} could not decide: {error.message}" + (f" ({error.hint})" if error.hint else "")
        return Answer(_undecided(rule, decider, reason)), True
    # A person who passes a rule has not filled the task tuple: that is still taken from the decider.
    return (answer if person is None else Answer(person, answer.task)), False


def _undecided(rule: str, decider: Decider, reason: str) -> Decision:
    return Decision(rule=rule, verdict="undecided", reason=reason, decider=decider.name, version=decider.version(rule))
