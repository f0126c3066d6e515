"""Which back end runs what nobody trusts: the strongest that works here, unless one is asked for by name."""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox.interface import Sandbox

Backend = Literal["auto", "docker", "bubblewrap", "process"]


def chosen_sandbox(name: str = "auto") -> Sandbox:
    """The back end by that name. ``auto`` is bubblewrap; never a bare process.

    UsageError for a name that is none; InfrastructureError where the back end (or, for auto, each) cannot be used here.
    """
    if name not in get_args(Backend):
        raise UsageError(f"There is no sandbox {name!r}.", hint=f"Choose one of {', '.join(get_args(Backend))}.")
    reasons = []
    for candidate in ("bubblewrap",) if name == "auto" else (name,):
        sandbox = back_end(candidate)
        reason = sandbox.missing()
        if not reason:
            return sandbox
        reasons.append(f"{candidate}: {reason}")
    raise InfrastructureError(
        f"Code of others cannot be run here. {' '.join(reasons)}",
        hint="Start a Docker engine or install bubblewrap; 'naturegym sandbox doctor' says what works here.",
    )


@cache
def back_end(name: str) -> Sandbox:
    """The back end itself, whether it works here or not; one object a process, which has looked once."""
    from nature_gym.sandbox.bubblewrap import Bubblewrap

    if name != Bubblewrap.name:
        raise InfrastructureError(f"The back end {name!r} is not built yet.", hint="Use bubblewrap.")
    return Bubblewrap()
