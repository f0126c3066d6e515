"""Which back end runs what nobody trusts: the strongest that works here, unless one is asked for by name."""

from __future__ import annotations

import logging
from functools import cache
from typing import Literal, get_args

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox.interface import Sandbox

logger = logging.getLogger(__name__)

Backend = Literal["auto", "docker", "bubblewrap", "process"]


def chosen_sandbox(name: str = "auto", *, image: str = "") -> Sandbox:
    """The back end by that name, after what killed parents left to it was removed.

    ``auto`` is Docker where an engine answers and has ``image`` (the usual one if empty), else bubblewrap where
    ``image`` was unpacked or is empty; never a bare process. UsageError for a name that is none; InfrastructureError
    where nothing can be used here.
    """
    if name not in get_args(Backend):
        raise UsageError(f"There is no sandbox {name!r}.", hint=f"Choose one of {', '.join(get_args(Backend))}.")
    reasons = []
    for candidate in ("docker", "bubblewrap") if name == "auto" else (name,):
        sandbox = back_end(candidate)
        reason = sandbox.missing() or (sandbox.lacks(image) if name == "auto" else "")
        if not reason:
            _swept(candidate)
            return sandbox
        reasons.append(f"{candidate}: {reason}")
    raise InfrastructureError(
        f"Code of others cannot be run here. {' '.join(reasons)}",
        hint="Start a Docker engine or install bubblewrap; 'naturegym sandbox doctor' says what works here.",
    )


@cache
def _swept(name: str) -> None:
    """What killed parents left is removed before the first command of this process."""
    if count := back_end(name).sweep():
        logger.info("%s: %d boxes whose owner was killed are removed", name, count)


@cache
def back_end(name: str) -> Sandbox:
    """The back end itself, whether it works here or not; one object a process, which has looked once."""
    if name == "docker":
        from nature_gym.sandbox.docker import Docker

        return Docker()
    if name == "bubblewrap":
        from nature_gym.sandbox.bubblewrap import Bubblewrap

        return Bubblewrap()
    from nature_gym.sandbox.process import Process

    return Process()
