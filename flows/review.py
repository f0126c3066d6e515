"""Review in the Prefect UI: a run that stands still until a person has filled in a form for the paper.

It does what ``naturegym review answer`` does; the record is the paper's, and the flow only asks.
"""

from __future__ import annotations

from typing import Literal

from prefect import flow, pause_flow_run
from prefect.exceptions import FlowPauseTimeout
from prefect.input import RunInput
from prefect.runtime import flow_run
from pydantic import Field

from flows.screen import screen_stage
from flows.session import open_session
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.screening.decisions import Decision
from nature_gym.screening.review import HUMAN, answer, check, codes_of, question_of
from nature_gym.stages import carry_out, now

A_DAY = 86_400
POLL_SECONDS = 2
"""How soon an answer is noticed."""


class Answer(RunInput):
    """The form."""

    verdict: Literal["pass", "reject"] = Field(description="What you say of the rule.")
    code: str = Field(default="", description="With reject: the rejection's code.")
    because: str = Field(description="Why, in a sentence.")
    who: str = Field(default="", description="Your name.")


def run_name() -> str:
    """``review 10.5555_x``."""
    return f"review {flow_run.parameters.get('paper')}"


@flow(name="review", flow_run_name=run_name, persist_result=False, description="Ask a person what nobody could decide.")
def review(paper: str, timeout: int = A_DAY) -> str:
    """Ask about the rule at which ``paper`` waits, keep the answer, screen the paper again; what it came to.

    Raises UsageError where nothing waits for an answer, InfrastructureError where nobody gives one within ``timeout``
    seconds. An answer that cannot be (a code of another rule) is asked for again.
    """
    with open_session("review", {"paper": paper}) as session:
        folder = session.papers.find(paper)
        question = question_of(folder)
        if question is None:
            raise UsageError(f"nothing waits for an answer about {folder.id}", hint="See 'naturegym review list'.")
        rule = question.decision.rule
        told = f"**{question.screening.title}**\n\nRule {rule}: {question.decision.reason}"
        told += f"\n\nCodes of a rejection: {', '.join(codes_of(rule))}"
        while True:
            given = _ask(told, timeout)
            code = given.code.strip() or None
            try:
                check(rule, given.verdict, code)
                break
            except UsageError as error:
                told = f"{error.message}. {error.hint}\n\n{told}"
        decision = Decision(
            rule=rule,
            verdict=given.verdict,
            code=code,
            reason=given.because,
            decider=HUMAN,
            version="1",
            by=given.who or "somebody",
            at=now(),
        )
        answer(folder, decision)
        result = carry_out(screen_stage(session.settings), folder)
        session.take([result])
        return ": ".join(filter(None, (result.verdict, result.reason)))


def _ask(told: str, timeout: int) -> Answer:
    """Stand still until the form was filled in. Raises InfrastructureError where nobody does so in time."""
    form = Answer.with_initial_data(description=told)
    try:
        given: Answer = pause_flow_run(wait_for_input=form, timeout=timeout, poll_interval=POLL_SECONDS)
    except FlowPauseTimeout as error:
        raise InfrastructureError(
            f"nobody answered within {timeout:,} s", hint="Ask again, or answer with 'naturegym review answer'."
        ) from error
    return given
