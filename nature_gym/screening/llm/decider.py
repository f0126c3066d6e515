"""The decider: a level's answer, taken apart into decisions."""

from __future__ import annotations

from nature_gym.config import Settings
from nature_gym.models.client import Turn, client_for
from nature_gym.screening.deciders import Answer, Case
from nature_gym.screening.decisions import BEFORE, Decision
from nature_gym.screening.llm.answers import evidence_of, settled
from nature_gym.screening.llm.asking import NAME, ask, version
from nature_gym.screening.rules import RulesDecider


class LlmDecider:
    """Asks the model that the settings name; one question a level, whose answer later rules of it find remembered."""

    name = NAME

    def __init__(self, settings: Settings, *, turn: Turn | None = None) -> None:
        """``turn`` is held while a question is asked: a limit over processes, where there is one."""
        self._settings = settings
        self._client = client_for(settings, turn)
        self._rules = RulesDecider()

    def version(self, rule: str) -> str:
        if rule == BEFORE:
            return self._rules.version(rule)
        return version(self._settings, "decide", rule)

    def decide(self, rule: str, case: Case) -> Answer:
        """Answer ``rule``. Whether an article is research is no judgement for a model: that is the rules'.

        Raises DeciderError where no answer can be had now.
        """
        if rule == BEFORE:
            answer = self._rules.decide(rule, case)
            return Answer(answer.decision.model_copy(update={"decider": NAME}), answer.task)
        level, own, seen, use = ask(self._client, "decide", rule, case)
        verdict, code, reason = settled(own, seen)
        decision = Decision(
            rule=rule,
            verdict=verdict,
            code=code,
            reason=reason,
            evidence=evidence_of(own, seen),
            decider=NAME,
            version=self.version(rule),
            model=use,
        )
        return Answer(decision, level.filled(case.task, seen))
