"""People's answers: decisions like all others, kept with the paper, and they win.

What waits for an answer is not kept anywhere: it is every paper whose screening is undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import exclusive, to_json
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.deciders import Answer, Case
from nature_gym.screening.decisions import ARTICLE_TYPES, BEFORE, CODES, RULES, Decision
from nature_gym.screening.record import Screening, read_screening
from nature_gym.screening.task import TaskTuple
from nature_gym.stages import Clock, Outcome, carry_out, now

STAGE = "review"
HUMAN = "human"
ANSWERS = "answers.json"
TASK = "task.json"
_LOCK = ".review.lock"
SCREEN = "screen"
_DECISIONS: TypeAdapter[list[Decision]] = TypeAdapter(list[Decision])


def history(paper: PaperFolder) -> list[Decision]:
    """Everything that people have said of ``paper``, oldest first. Raises InfrastructureError if unreadable."""
    published = paper.published(STAGE)
    if published is None:
        return []
    try:
        return _DECISIONS.validate_json((published.folder / ANSWERS).read_bytes())
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"{published.folder / ANSWERS} cannot be read: {error}", hint="Mend it, or remove it and answer again."
        ) from error


def answers(paper: PaperFolder) -> dict[str, Decision]:
    """The answers that count: for each rule the last one, but for those that were taken back."""
    last = {decision.rule: decision for decision in history(paper)}
    return {rule: decision for rule, decision in last.items() if decision.verdict != "undecided"}


def told_task(paper: PaperFolder) -> TaskTuple | None:
    """The task tuple that came with answers of another system. Raises InfrastructureError if unreadable."""
    published = paper.published(STAGE)
    if published is None or TASK not in published.record.outputs:
        return None
    try:
        return TaskTuple.model_validate_json((published.folder / TASK).read_bytes())
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"{published.folder / TASK} cannot be read: {error}", hint="Import the paper's record again."
        ) from error


def answer(paper: PaperFolder, decision: Decision, *, clock: Clock = now) -> None:
    """Keep what a person says of one rule; ``undecided`` takes back what was said before.

    Raises UsageError for a rule or code that there is not.
    """
    check(decision.rule, decision.verdict, decision.code)
    if not decision.reason.strip():
        raise UsageError("an answer without a reason helps nobody", hint="Say why in a sentence.")
    answer_all(paper, [decision], clock=clock)


def answer_all(
    paper: PaperFolder, decisions: Sequence[Decision], *, task: TaskTuple | None = None, clock: Clock = now
) -> None:
    """Keep several answers at once, and a task tuple that was told with them (None leaves what there was).

    Raises InfrastructureError where they cannot be kept.
    """
    with exclusive(paper.path / _LOCK):  # whoever answers at the same time adds to these
        stage = _Answering([*history(paper), *decisions], told_task(paper) if task is None else task)
        result = carry_out(stage, paper, clock=clock)
    if result.kind == "error":
        raise InfrastructureError(f"the answer could not be kept: {result.reason}", hint="See 'naturegym doctor'.")


def codes_of(rule: str) -> tuple[str, ...]:
    """The rejection codes of ``rule``."""
    return ("retracted", *(f"article_type:{kind}" for kind in ARTICLE_TYPES)) if rule == BEFORE else CODES[rule]


def check(rule: str, verdict: str, code: str | None) -> None:
    """Raises UsageError where there is no such rule, or no such rejection code of it."""
    if rule not in RULES:
        raise UsageError(f"there is no rule {rule!r}", hint=f"The rules are {', '.join(RULES)}.")
    if verdict == "reject" and code not in codes_of(rule):
        raise UsageError(f"rule {rule} has no rejection code {code!r}", hint=f"Its codes: {', '.join(codes_of(rule))}.")
    if verdict != "reject" and code is not None:
        raise UsageError(f"a code goes with a rejection, not with {verdict!r}", hint="Leave the code out.")


class _Answering:
    """Publishes the answers: a stage like any other, so that they are records like any other."""

    name = STAGE
    rules = "1"

    def __init__(self, decisions: Sequence[Decision], task: TaskTuple | None) -> None:
        self._decisions = [decision.model_dump(mode="json") for decision in decisions]
        self._task = task.model_dump(mode="json") if task is not None else None

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the answers are the input
        return [self._decisions, self._task]

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        (draft / ANSWERS).write_bytes(to_json(self._decisions))
        if self._task is not None:
            (draft / TASK).write_bytes(to_json(self._task))
        if not self._decisions:
            return Outcome("done", "a task, and no decisions")
        last = self._decisions[-1]
        return Outcome("done", f"rule {last['rule']}: {last['verdict']} ({last['reason']})")


class HumanDecider:
    """Leaves everything that nobody has answered yet to a person."""

    name = HUMAN

    def version(self, rule: str) -> str:  # noqa: ARG002 -- deciders are called alike
        return "1"

    def decide(self, rule: str, case: Case) -> Answer:  # noqa: ARG002
        waiting = Decision(rule=rule, verdict="undecided", reason="a person decides this", decider=HUMAN, version="1")
        return Answer(waiting)


@dataclass(frozen=True, slots=True)
class Question:
    """A paper that waits for a person, and the rule at which it does."""

    paper: PaperFolder
    screening: Screening

    @property
    def decision(self) -> Decision:
        """The decision that was not reached."""
        return self.screening.decisions[-1]


def question_of(paper: PaperFolder) -> Question | None:
    """What a person is asked about ``paper``; None where it is decided, or answered already."""
    published = paper.published(SCREEN)
    if published is None or published.record.verdict != "undecided":
        return None
    question = Question(paper, read_screening(published.folder))
    return None if question.decision.rule in answers(paper) else question


def queue(papers: Papers) -> Iterator[Question]:
    """Every paper whose screening is undecided, and for whose rule nobody has answered yet."""
    for paper in papers:
        if (question := question_of(paper)) is not None:
            yield question
