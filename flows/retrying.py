"""Trying again what the infrastructure failed, and nothing else: a wrong parameter or a finding stays what it is.

Prefect's own retries would repeat a flow whatever it failed of. So the flow tries again inside its run, where the kind
of error is known; its log says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from nature_gym.errors import InfrastructureError
from nature_gym.web.hosts import ComeBackLaterError

log = logging.getLogger(__name__)
T = TypeVar("T")

RETRY_SECONDS = (60.0, 300.0)
"""How long a scheduled run waits before what failed is tried again; after the last it gives up."""


def may_pass(error: BaseException | None) -> bool:
    """Whether it can help to try again in some minutes. A host that asks to be left alone for hours is not asked."""
    return isinstance(error, InfrastructureError) and not isinstance(error, ComeBackLaterError)


def pause(what: str, error: BaseException, seconds: float) -> None:
    """Say that something is tried again, and wait."""
    log.warning("%s failed and is tried again in %.0f s: %s", what, seconds, error)
    threading.Event().wait(seconds)


def tried_again(what: str, work: Callable[[], T], waits: Sequence[float] | None = None) -> T:
    """What ``work`` gives; raises what it raises, after the last wait where that may pass."""
    for seconds in RETRY_SECONDS if waits is None else waits:
        try:
            return work()
        except InfrastructureError as error:
            if not may_pass(error):
                raise
            pause(what, error, seconds)
    return work()
