"""The adversarial reading of what was passed: by the rules, which cost nothing and obey nobody, then by a model."""

from __future__ import annotations

from nature_gym.config import Settings
from nature_gym.models.client import Turn, client_for
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Decision
from nature_gym.screening.llm.answers import evidence_of, settled
from nature_gym.screening.llm.asking import NAME, ask, version
from nature_gym.screening.rules import RulesDecider


class LlmCritic:
    """Looks for the strongest reason against what the model passed."""

    name = NAME

    def __init__(self, settings: Settings, *, turn: Turn | None = None) -> None:
        self._settings = settings
        self._client = client_for(settings, turn)
        self._rules = RulesDecider()

    def version(self, rule: str) -> str:
        """Both readers' versions."""
        return f"{version(self._settings, 'object', rule)}+{self._rules.version(rule)}"

    def objection(self, rule: str, case: Case) -> Decision | None:
        """A rejection by the rules, else by the model; None where neither finds a reason.

        Raises DeciderError where the model cannot be asked.
        """
        by_rules = self._rules.decide(rule, case).decision
        if by_rules.verdict == "reject":
            return by_rules
        _, own, seen, use = ask(self._client, "object", rule, case)
        verdict, code, reason = settled(own, seen)
        if verdict != "reject":
            return None
        return Decision(
            rule=rule,
            verdict=verdict,
            code=code,
            reason=reason,
            evidence=evidence_of(own, seen),
            decider=NAME,
            version=self.version(rule),
            model=use,
        )
