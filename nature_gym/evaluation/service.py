"""The desk over HTTP: the published protocol, and nothing else.

    POST /evaluate {"eval_token"}             scores what the folder of answers holds
    GET  /best_score?eval_token=              GET /time_remaining?eval_token=              GET /health

Errors are JSON: {"error": what happened, "hint": what to do}. 400 no or invalid output, 401 unknown token, 409 a
scoring is running, 410 the deadline has passed, 413 too large, 429 too fast, 500 evaluator fault. Their words help
the agent and tell nothing of the host. A refusal that is no attempt is written down (:mod:`.refusals`).
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Awaitable, Callable
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from nature_gym.errors import NatureGymError
from nature_gym.evaluation.desk import Desk, InvalidAnswerError, TooFastError, UnknownTokenError
from nature_gym.evaluation.improvement import EvaluatorFaultError
from nature_gym.evaluation.intake import IntakeError
from nature_gym.evaluation.refusals import Refusals
from nature_gym.evaluation.state import DeadlineError, ScoringRunningError

log = logging.getLogger(__name__)

MOST_BODY = 64 << 10
MOST_UNREAD = 1 << 20
"""What is still read, and dropped, of a body that is too large; behind it the connection is closed."""
CODES: tuple[tuple[type[NatureGymError], int], ...] = (
    (InvalidAnswerError, 400), (IntakeError, 400), (UnknownTokenError, 401), (ScoringRunningError, 409),
    (DeadlineError, 410), (TooFastError, 429), (EvaluatorFaultError, 500),
)  # fmt: skip
NO_ATTEMPT = (UnknownTokenError, ScoringRunningError, DeadlineError, TooFastError)
"""Refused before there is an attempt."""
Answer = Callable[[Request], Awaitable[Response]]


def make_app(desk: Desk) -> Starlette:
    """The application of one trial."""
    refusals = Refusals(desk.trial.folder)

    async def http_error(request: Request, error: Exception) -> Response:
        response = _http_error(error)
        _write_down(refusals, request, response.status_code, "no such path, or not in this way")
        return response

    async def evaluate(request: Request) -> Response:
        token = await _body_token(request)
        return JSONResponse(await anyio.to_thread.run_sync(desk.evaluate, token))

    async def best_score(request: Request) -> Response:
        return JSONResponse(await anyio.to_thread.run_sync(desk.best_score, request.query_params.get("eval_token")))

    async def time_remaining(request: Request) -> Response:
        return JSONResponse(await anyio.to_thread.run_sync(desk.time_remaining, request.query_params.get("eval_token")))

    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    routes = [
        Route("/evaluate", _told(evaluate, refusals), methods=["POST"]),
        Route("/best_score", _told(best_score, refusals), methods=["GET"]),
        Route("/time_remaining", _told(time_remaining, refusals), methods=["GET"]),
        Route("/health", health, methods=["GET"]),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: http_error, Exception: _defect})


class _RequestError(NatureGymError):
    """The request itself is not one. ``code`` is HTTP's."""

    def __init__(self, message: str, code: int, *, hangs_up: bool = False) -> None:
        super().__init__(message, hint='Send a JSON object with "eval_token".')
        self.code = code
        self.headers = {"Connection": "close"} if hangs_up else None


async def _body_token(request: Request) -> Any:
    """The token in a request's body, of which no more is read than one can be long."""
    body, size = bytearray(), 0
    async for piece in request.stream():
        size += len(piece)
        if size <= MOST_BODY:
            body += piece
        if size > MOST_UNREAD:
            raise _RequestError("the request's body is too large", 413, hangs_up=True)
    if size > MOST_BODY:
        raise _RequestError("the request's body is too large", 413)
    try:
        value = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise _RequestError("the request's body is not JSON", 400) from None
    if not isinstance(value, dict):
        raise _RequestError("the request's body is not a JSON object", 400)
    return value.get("eval_token")


def _write_down(refusals: Refusals, request: Request, code: int, reason: str) -> None:
    try:
        refusals.add(request.method, request.url.path, code, reason)
    except OSError as error:  # a full disk must not turn a refusal into something else
        log.warning("a refusal is not written down: %s", error)


def _told(answer: Answer, refusals: Refusals) -> Answer:
    """Errors that we can name, as the protocol has them."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except ClientDisconnect:
            return _error(400, "the request was not sent whole", "Send it again.")
        except _RequestError as error:
            _write_down(refusals, request, error.code, error.message)
            return _error(error.code, error.message, error.hint, error.headers)
        except InvalidAnswerError as error:
            return JSONResponse({"error": error.message, "hint": error.hint, **error.body}, status_code=400)
        except NatureGymError as error:
            response = _named(error)
            if isinstance(error, NO_ATTEMPT):
                _write_down(refusals, request, response.status_code, error.message)
            return response

    return answered


def _named(error: NatureGymError) -> Response:
    code = next((code for kind, code in CODES if isinstance(error, kind)), 500)
    if isinstance(error, IntakeError) and error.too_large:
        code = 413
    if isinstance(error, TooFastError):
        return _error(code, error.message, error.hint, {"Retry-After": str(max(1, math.ceil(error.wait)))})
    if isinstance(error, EvaluatorFaultError):
        return _error(code, error.message, "Check the answer against the task's output format; then submit again.")
    if code == 500:
        log.error("the service failed: %s (%s)", error.message, error.hint)
        return _error(code, "the service failed", "Submit again in a while.")
    return _error(code, error.message, error.hint)


def _error(code: int, message: str, hint: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": message, "hint": hint}, status_code=code, headers=headers)


def _http_error(error: Exception) -> Response:
    """What Starlette refuses: unknown paths and methods."""
    code = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else None
    words = {404: "there is no such path", 405: "this path is asked in another way"}
    return _error(code, words.get(code, "the request cannot be met"), "See the task's instructions.", headers)


async def _defect(_: Request, error: Exception) -> Response:
    log.error("a defect of ours", exc_info=error)
    return _error(500, "the service failed", "Submit again in a while.")
