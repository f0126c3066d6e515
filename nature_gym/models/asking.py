"""Putting one question to a model, by pydantic-ai: the answer comes by a tool whose schema is the answer's type.

Slow to import (some seconds): only :mod:`nature_gym.models.client` does, at the first question. Every request that
leaves is reserved in the ledger before and settled after; the services' own libraries do not try again behind it.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from itertools import count

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai import Agent, ModelRetry, ToolOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    OutputTokenLimitExceeded,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import UsageLimits

from nature_gym.config import Settings
from nature_gym.models.client import ADDRESSES, KEY_VARIABLES, Answer, Question
from nature_gym.models.faults import ModelError, NoKeyError, NonsenseError, RefusedError, ServiceError
from nature_gym.models.ledger import Ledger
from nature_gym.models.prices import cost

_ATTEMPTS = 4
_FIRST_WAIT = 1.0
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP codes of troubles that pass."""
_CHARACTERS_A_TOKEN = 3
"""Fewer than any text of papers has: a reservation is rather too large."""
_LONGEST_MESSAGE = 300
_ADVICE = re.compile(r"For further information visit \S+")


@dataclass(slots=True)
class Spent:
    """What the requests of one question took together."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


def ask(
    question: Question[Answer], settings: Settings, *, address: str, key: str, ledger: Ledger
) -> tuple[Answer, Spent]:
    """The model's answer to ``question``; one that is wrong in form or by the check is asked for once more.

    Raises ModelError where there is none; OSError where the ledger cannot be written.
    """
    spent = Spent()
    try:
        return asyncio.run(_run(question, settings, address, key, ledger, spent)), spent
    except TimeoutError as error:  # an OSError, but none of the disk's
        raise _fault(error, settings) from error
    except (ModelError, OSError):
        raise
    except Exception as error:
        raise _fault(error, settings) from error


async def _run(
    question: Question[Answer], settings: Settings, address: str, key: str, ledger: Ledger, spent: Spent
) -> Answer:
    """A connection lasts as long as a question: what it takes to make one is nothing beside an answer."""
    async with _connection(settings.model_provider, address, key) as connection:
        model = _Metered(_model(connection, settings.model), settings, ledger, question.paper, spent)
        agent: Agent[object, Answer] = Agent(
            model,
            output_type=ToolOutput(question.answer, name="answer", description="Give the answer."),
            instructions=question.instructions,
            retries={"output": 1, "tools": 0},
            model_settings=ModelSettings(max_tokens=settings.model_answer_tokens),
        )

        def checked(answer: Answer) -> Answer:
            complaint = question.check(answer)
            if complaint is not None:
                raise ModelRetry(complaint)
            return answer

        agent.output_validator(checked)
        result = await agent.run(question.prompt, usage_limits=UsageLimits(request_limit=2))
    return result.output


def _connection(provider: str, address: str, key: str) -> AsyncAnthropic | AsyncOpenAI:
    if provider == "anthropic":
        return AsyncAnthropic(api_key=key, base_url=address, max_retries=0)
    return AsyncOpenAI(api_key=key, base_url=address, max_retries=0)


def _model(connection: AsyncAnthropic | AsyncOpenAI, name: str) -> Model:
    if isinstance(connection, AsyncAnthropic):
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=connection))
    if str(connection.base_url).rstrip("/") == ADDRESSES["openai"]:
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=connection))
    return OpenAIChatModel(name, provider=OpenAICompatibleProvider("compatible", openai_client=connection))


class _Metered(WrapperModel):
    """A model whose every request is reserved, tried again where trouble passes, and settled."""

    def __init__(self, wrapped: Model, settings: Settings, ledger: Ledger, paper: str, spent: Spent) -> None:
        super().__init__(wrapped)
        self._limits = settings
        self._ledger = ledger
        self._paper = paper
        self._spent = spent

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        into = _most_tokens(messages, model_request_parameters)
        for attempt in count(1):
            call = self._reserve(into)
            try:
                response = await asyncio.wait_for(
                    super().request(messages, model_settings, model_request_parameters), self._limits.model_timeout
                )
            except ModelHTTPError as error:
                self._ledger.settle(call, cost=0.0, input_tokens=0, output_tokens=0)  # errors are not charged
                wait = self._wait(error, attempt)
                if wait is None:
                    raise
                await asyncio.sleep(wait)
            except ModelConnectionError as error:
                if _never_sent(error):
                    self._ledger.settle(call, cost=0.0, input_tokens=0, output_tokens=0)
                raise
            else:
                self._settle(call, response)
                if response.finish_reason == "content_filter":  # asked again it would cost again
                    raise _refused(self._limits)
                return response
        raise AssertionError

    def _reserve(self, into: int) -> str:
        out = self._limits.model_answer_tokens
        most = cost(self._limits, into, out)
        return self._ledger.reserve(self._paper, self._limits.model, cost=most, tokens=into + out)

    def _settle(self, call: str, response: ModelResponse) -> None:
        """What the service says it took; where it says nothing, what was reserved stands."""
        into, out = response.usage.input_tokens, response.usage.output_tokens
        if into + out > 0:
            paid = cost(self._limits, into, out)
            self._ledger.settle(call, cost=paid, input_tokens=into, output_tokens=out)
            self._spent.input_tokens += into
            self._spent.output_tokens += out
            self._spent.cost += paid

    def _wait(self, error: ModelHTTPError, attempt: int) -> float | None:
        """Seconds until the next attempt; None where there is none."""
        if attempt >= _ATTEMPTS or error.status_code not in _PASSING or isinstance(error, ModelQuotaExceededError):
            return None
        asked = error.retry_after
        wait = asked if asked is not None else _FIRST_WAIT * 2 ** (attempt - 1)
        return max(0.0, wait) if wait <= self._limits.max_wait else None


def _never_sent(error: BaseException) -> bool:
    """Whether nobody was there to be asked. A connection that breaks later may have cost something."""
    cause: BaseException | None = error
    while cause is not None:
        if type(cause).__name__ in ("ConnectError", "ConnectTimeout"):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _most_tokens(messages: list[ModelMessage], parameters: ModelRequestParameters) -> int:
    schemas = sum(len(str(tool.parameters_json_schema)) for tool in parameters.output_tools)
    return (len(ModelMessagesTypeAdapter.dump_json(messages)) + schemas) // _CHARACTERS_A_TOKEN + 1


def _fault(error: Exception, settings: Settings) -> ModelError:
    """What a failure is called here, in one line without the answer's bulk."""
    name = f"{settings.model} of {settings.model_provider}"
    text = " ".join(str(error).split())[:_LONGEST_MESSAGE]
    if isinstance(error, ModelAuthenticationError):
        variable = KEY_VARIABLES[settings.model_provider]
        return NoKeyError(f"{name} does not take the key", hint=f"Correct NATUREGYM_MODEL_KEY or {variable}.")
    if isinstance(error, ContentFilterError):
        return _refused(settings)
    if isinstance(error, OutputTokenLimitExceeded):
        return NonsenseError(f"the answer of {name} was cut off", hint="Raise the setting model_answer_tokens.")
    if isinstance(error, ModelHTTPError):
        used_up = isinstance(error, ModelQuotaExceededError)
        hint = "The quota is used up: raise it at the service, or wait." if used_up else "Try again later."
        return ServiceError(f"{name} answers HTTP {error.status_code}: {_message(error)}", hint=hint)
    if isinstance(error, TimeoutError):
        hint = "Try again later, or raise the setting model_timeout."
        return ServiceError(f"{name} did not answer within {settings.model_timeout:g} s", hint=hint)
    if isinstance(error, UnexpectedModelBehavior):
        told = " ".join(_ADVICE.sub(" ", str(error.__cause__ or error)).split())[:_LONGEST_MESSAGE]
        return NonsenseError(f"no answer of {name} can be used: {told}", hint="Ask again, or choose another model.")
    if isinstance(error, ModelAPIError | AgentRunError):
        return ServiceError(f"{name} could not be asked: {text}", hint="See the settings model_url and model.")
    return NonsenseError(
        f"the answer of {name} is none of its protocol: {type(error).__name__}: {text}",
        hint="See the settings model_provider and model_url.",
    )


def _refused(settings: Settings) -> RefusedError:
    return RefusedError(f"{settings.model} declines to answer", hint="Leave this paper to rules or people.")


def _message(error: ModelHTTPError) -> str:
    """What the service says of it, where it says it as these services do."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    told = inner.get("message", inner) if isinstance(inner, dict) else inner
    return " ".join(str(told).split())[:_LONGEST_MESSAGE]
