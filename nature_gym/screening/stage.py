"""The screen stage: a paper's way through the cascade, as a record.

A paper is stale when what was read of it, OpenAlex's record, people's answers or the choice of deciders changed, or the
version of a rule that its last cascade *reached*: a rule behind the one that stopped it cannot change its verdict.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nature_gym.config import Settings
from nature_gym.errors import PaperError
from nature_gym.harvest.stage import STAGE as HARVEST
from nature_gym.models.client import Turn
from nature_gym.reading.stage import STAGE as READ
from nature_gym.reading.writing import DOCUMENT
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening import review
from nature_gym.screening.cascade import DeciderOf, Screened, screen
from nature_gym.screening.deciders import Case, Decider
from nature_gym.screening.decisions import Decision
from nature_gym.screening.manuscript import load_manuscript
from nature_gym.screening.probes import Prober
from nature_gym.screening.record import screening_of, write_screening
from nature_gym.screening.rules import RulesDecider
from nature_gym.screening.second_opinion import Critic, CriticOf, second_opinion, version_of
from nature_gym.stages import Outcome

STAGE = review.SCREEN
_FAILED = "failed"
_CRITICS = "critics"
"""Stands among the rules that a cascade reached for who gave second opinions."""


class ScreenStage:
    """Puts papers through the cascade, with the deciders that the settings choose by rule."""

    name = STAGE
    rules = "1"

    def __init__(
        self,
        settings: Settings,
        *,
        decider_of: DeciderOf | None = None,
        critic_of: CriticOf | None = None,
        prober: Prober | None = None,
        turn: Turn | None = None,
    ) -> None:
        """``decider_of``, ``critic_of`` and ``prober`` stand in for what the settings choose.

        ``turn`` is held while a model is asked.
        """
        self._settings = settings
        self._decider_of = decider_of or functools.lru_cache(functools.partial(choose_decider, settings, turn=turn))
        self._critic_of = critic_of or functools.lru_cache(functools.partial(choose_critic, settings, turn=turn))
        self._prober = prober

    def inputs(self, paper: PaperFolder) -> Any:
        """What was read, OpenAlex's word on it, people's answers, who decides.

        Raises PaperError where the paper was not read.
        """
        read = paper.published(READ)
        if read is None:
            raise PaperError("the paper was not read yet", hint="Run 'naturegym read', or ingest its files.")
        harvest = paper.record(HARVEST)
        output = read.record.outputs.get(DOCUMENT)
        return {
            "document": output.digest if output else read.record.reason,
            "work": harvest.inputs if harvest else None,
            "answers": {rule: answer.model_dump(mode="json") for rule, answer in review.answers(paper).items()},
            **({"task": task.model_dump(mode="json")} if (task := review.told_task(paper)) is not None else {}),
            "deciders": [self._settings.decider, dict(self._settings.deciders)],
            "probe": self._settings.probe_links,
            **({"second_opinion": True} if self._settings.second_opinion else {}),
        }

    def still_holds(self, recorded: str) -> bool:
        """Whether the rules that a cascade reached, written ``1.1=rules:3 2.1=rules:1``, are still what they were."""
        if _FAILED in recorded:
            return False  # a decider that could not decide is asked again
        reached = dict(part.split("=", 1) for part in recorded.split())
        critics = reached.pop(_CRITICS, None)
        if critics is not None and critics != version_of(self._critic_of):
            return False
        return all(self._mark(rule) == mark for rule, mark in reached.items() if not mark.startswith(review.HUMAN))

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Screen the paper."""
        case = Case(load_manuscript(paper), prober=self._prober_in_use())
        answers = review.answers(paper)
        screened = screen(case, self._decider_of, answers)
        reached = self._reached(case, screened, answers)
        if screened.passed and self._settings.second_opinion:
            screened = second_opinion(case, self._critic_of, answered=answers)
            reached += f" {_CRITICS}={_FAILED if screened.failed else version_of(self._critic_of)}"
        if (task := review.told_task(paper)) is not None:
            case.task = case.task.completed(task)
        screening = screening_of(case, screened)
        write_screening(screening, draft)
        last = screening.decisions[-1]
        facts = {"stopped_at": screening.stopped_at, "code": last.code, "task_type": screening.task.task_type}
        reason = "" if screened.passed else f"rule {last.rule}: {last.reason}"
        return Outcome(screening.verdict, reason, facts, rules=reached)

    def _reached(self, case: Case, screened: Screened, answers: Mapping[str, Decision]) -> str:
        """The rules that were reached, with who decided each; an answer holds whatever the deciders' versions."""
        marks = {
            decision.rule: review.HUMAN
            if decision.decider == review.HUMAN or decision.rule in answers
            else f"{decision.decider}:{decision.version}"
            for decision in case.decisions
        }
        if screened.failed:
            marks[case.decisions[-1].rule] = _FAILED
        return " ".join(f"{rule}={mark}" for rule, mark in marks.items())

    def _mark(self, rule: str) -> str:
        decider = self._decider_of(rule)
        return f"{decider.name}:{decider.version(rule)}"

    def _prober_in_use(self) -> Prober | None:
        if self._prober is None and self._settings.probe_links:
            from nature_gym.screening.probing import WebProber

            self._prober = WebProber(self._settings)
        return self._prober


def choose_decider(settings: Settings, rule: str, *, turn: Turn | None = None) -> Decider:
    """Who decides ``rule`` by the settings."""
    name = settings.deciders.get(rule, settings.decider)
    if name == "llm":
        from nature_gym.screening.llm import LlmDecider

        return LlmDecider(settings, turn=turn)
    if name == "human":
        return review.HumanDecider()
    return RulesDecider()


def choose_critic(settings: Settings, rule: str, *, turn: Turn | None = None) -> Critic:
    """Who gives a second opinion on ``rule``: a model on what a model passed, else a stricter reading by rules."""
    if settings.deciders.get(rule, settings.decider) == "llm":
        from nature_gym.screening.llm import LlmCritic

        return LlmCritic(settings, turn=turn)
    from nature_gym.screening.strict import StrictReader

    return StrictReader()


def screenable(papers: Papers) -> list[str]:
    """Ids of the papers that were read."""
    return [paper.id for paper in papers if (record := paper.record(READ)) and record.status == "done"]
