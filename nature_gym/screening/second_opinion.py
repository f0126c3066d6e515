"""A second opinion: whoever passed every rule is read once more, by somebody who looks for a reason to reject.

A wrong pass costs days downstream. So after the cascade has passed a paper, a *critic* looks at each rule in turn for
the strongest reason against it. Where one is found, decider and critic disagree: the paper is undecided at that rule,
with both reasons, and waits in the queue of ``naturegym review``. What a person has decided is not questioned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from nature_gym.screening.cascade import Screened
from nature_gym.screening.deciders import Case, DeciderError
from nature_gym.screening.decisions import BEFORE, RULES, Decision

CRITICISED = tuple(rule for rule in RULES if rule != BEFORE)
"""The rules that are read again. Whether an article is research is no matter of opinion."""


class Critic(Protocol):
    """Looks for reasons to reject what was passed."""

    @property
    def name(self) -> str:
        """Whose reading it is: ``rules`` or ``llm``."""
        ...

    def version(self, rule: str) -> str:
        """Changes whenever the same case could meet another objection; without blanks and commas."""
        ...

    def objection(self, rule: str, case: Case) -> Decision | None:
        """The strongest reason to reject what ``rule`` passed, as a rejection; None where there is none.

        Raises DeciderError where none can be looked for now.
        """
        ...


CriticOf = Callable[[str], Critic]
"""Rule -> who looks for reasons against its pass."""


def second_opinion(case: Case, critic_of: CriticOf, *, answered: Collection[str] = ()) -> Screened:
    """Read a paper that has passed every rule again; its verdict, and its decisions in ``case`` changed accordingly.

    ``answered`` are the rules that people have decided. At the first objection the decisions end with an undecided
    one that has both reasons, as if the cascade had stopped there.
    """
    for place, passed in enumerate(case.decisions):
        if passed.rule not in CRITICISED or passed.rule in answered:
            continue
        critic = critic_of(passed.rule)
        try:
            against = critic.objection(passed.rule, case)
        except DeciderError as error:
            hint = f" ({error.hint})" if error.hint else ""
            reason = f"passed by {passed.decider}, but there is no second opinion: {error.message}{hint}"
            case.decisions[place:] = [_undecided(passed, reason)]
            return Screened("undecided", passed.rule, failed=True)
        if against is not None:
            case.decisions[place:] = [_disagreement(passed, against)]
            return Screened("undecided", passed.rule)
    return Screened("passed", None)


def version_of(critic_of: CriticOf) -> str:
    """Who gives second opinions, with their versions: ``rules:1,llm:1f3c``; changes whenever one of them does."""
    signed = (f"{critic.name}:{critic.version(rule)}" for rule in CRITICISED for critic in (critic_of(rule),))
    return ",".join(dict.fromkeys(signed))


def _disagreement(passed: Decision, against: Decision) -> Decision:
    reason = (
        f"{passed.decider} passes: {passed.reason.rstrip('.')}; "
        f"the second opinion ({against.decider}) rejects as {against.code}: {against.reason}"
    )
    evidence = tuple(dict.fromkeys((*passed.evidence, *against.evidence)))
    return _undecided(passed, reason).model_copy(
        update={"evidence": evidence, "model": against.model if passed.model is None else passed.model}
    )


def _undecided(passed: Decision, reason: str) -> Decision:
    return passed.model_copy(update={"verdict": "undecided", "reason": reason})
