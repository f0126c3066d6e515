"""Asking a model: what it was asked before is remembered, what is new is asked within ceilings and in turn.

Light to import: the packages that speak to the services come in with :mod:`nature_gym.models.asking`, at the first
question that has to be asked.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.models.faults import NoKeyError
from nature_gym.models.ledger import Ceilings, Ledger
from nature_gym.models.memory import Memory, Remembered
from nature_gym.web.addresses import asked_at

Answer = TypeVar("Answer", bound=BaseModel)

Turn = Callable[[], AbstractContextManager[object]]
"""Gives something to be held while a question is asked: a limit over processes, where there is one."""

ADDRESSES = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com/v1"}
KEY_VARIABLES = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_NO_KEY = "none"
"""What a service of one's own is told that asks for no key."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Answer]):
    """What a model is asked.

    ``check`` says in words, for the model, what is wrong with an answer of the right form; None where nothing is.
    """

    paper: str
    """Whose ceiling it counts for."""
    instructions: str
    prompt: str
    answer: type[Answer]
    check: Callable[[Answer], str | None]


@dataclass(frozen=True, slots=True)
class Use:
    """What an answer took: ``cost`` in US dollars is 0 where it was remembered."""

    model: str
    prompt_digest: str
    input_tokens: int
    output_tokens: int
    cost: float
    remembered: bool


class Client:
    """Asks the model that is set. Fit for threads."""

    def __init__(self, settings: Settings, *, turn: Turn | None = None) -> None:
        self.settings = settings
        folder = settings.home / "models"
        self.memory = Memory(folder / "answers")
        self.ledger = Ledger(
            folder / "ledger",
            Ceilings(
                run_cost=settings.cost_budget,
                run_tokens=settings.token_budget,
                paper_cost=settings.paper_cost_budget,
                paper_tokens=settings.paper_token_budget,
            ),
        )
        self._turn: Turn = turn or nullcontext
        self._places = threading.BoundedSemaphore(settings.model_concurrency)

    @property
    def address(self) -> str:
        """Where the model is asked. An address that was set is asked itself, whatever mirror there is."""
        provider = self.settings.model_provider
        return self.settings.model_url or asked_at(self.settings, ADDRESSES[provider])

    def ask(self, question: Question[Answer]) -> tuple[Answer, Use]:
        """The model's answer, and what it took.

        Raises ModelError where there is none that can be used; OSError where what it cost cannot be written down.
        """
        digest = self.digest(question)
        known = self._remembered(question, digest)
        if known is not None:
            return known
        key = self._key()
        from nature_gym.models.asking import ask

        with self._places, self._turn():
            answer, spent = ask(question, self.settings, address=self.address, key=key, ledger=self.ledger)
        model = self.settings.model
        self.memory.put(
            Remembered(
                question=digest,
                model=model,
                answer=answer.model_dump(mode="json"),
                input_tokens=spent.input_tokens,
                output_tokens=spent.output_tokens,
                cost=spent.cost,
            )
        )
        return answer, Use(model, digest, spent.input_tokens, spent.output_tokens, spent.cost, remembered=False)

    def digest(self, question: Question[Answer]) -> str:
        """Stands for all that an answer depends on."""
        return digest_json(
            {
                "provider": self.settings.model_provider,
                "address": self.address,
                "model": self.settings.model,
                "tokens": self.settings.model_answer_tokens,
                "instructions": question.instructions,
                "prompt": question.prompt,
                "schema": question.answer.model_json_schema(),
            }
        )

    def _remembered(self, question: Question[Answer], digest: str) -> tuple[Answer, Use] | None:
        known = self.memory.get(digest)
        if known is None:
            return None
        try:
            answer = question.answer.model_validate(known.answer)
        except ValidationError:
            return None
        if question.check(answer) is not None:  # what is checked has become stricter since
            return None
        return answer, Use(known.model, digest, known.input_tokens, known.output_tokens, 0.0, remembered=True)

    def _key(self) -> str:
        """The service's key. Raises NoKeyError where one is needed and there is none."""
        variable = KEY_VARIABLES[self.settings.model_provider]
        key = self.settings.model_key or os.environ.get(variable, "")
        if not key and not self.settings.model_url:
            raise NoKeyError(
                f"there is no key for {self.settings.model} of {self.settings.model_provider}",
                hint=f"Set NATUREGYM_MODEL_KEY or {variable}; or NATUREGYM_MODEL_URL for a service of your own.",
            )
        return key or _NO_KEY


def client_for(settings: Settings, turn: Turn | None = None) -> Client:
    """The client of this process for these settings: all who ask share its places and its ledger."""
    return _clients(settings.model_dump_json(), turn)


@functools.lru_cache(maxsize=8)
def _clients(settings: str, turn: Turn | None) -> Client:
    return Client(Settings.model_validate_json(settings), turn=turn)
