"""What makes a trial the one it is: package, agent, seed, and the conditions under which it runs.

The idea: a trial's id is the digest of all that its outcome depends on, so a sweep that is started again finds what
is done by computing ids, and one under other conditions shares no trial with it. What only scores depend on
(evaluator, anchors) is not in it: when one of those is corrected, scores are made anew from what is kept, and no
agent runs again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

from nature_gym.digests import PREFIX, digest_json
from nature_gym.evaluation.trial import BUDGET_SECONDS, SCORING_SECONDS, Feedback

Purpose = Literal["sweep", "base", "reproduce"]
"""``base`` and ``reproduce`` are those of calibration; in the latter the agent has the paper."""
ID_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Policy:
    """Under which conditions an agent runs, beside its budget. Bytes are bytes; ``backend`` as the sandbox says it."""

    backend: str = "bubblewrap"
    cpus: float = 2.0
    memory: int = 8 << 30
    disk: int = 20 << 30
    processes: int = 1024
    scoring_seconds: float = SCORING_SECONDS
    submissions_per_minute: int = 60
    purpose: Purpose = "sweep"

    @property
    def digest(self) -> str:
        """Its name by content."""
        return digest_json(asdict(self))


@dataclass(frozen=True)
class TrialSpec:
    """One agent on one package. ``package`` is its folder's name, ``task_digest`` what the agent is given.

    ``budget`` in seconds; ``image`` as :class:`nature_gym.sandbox.interface.Box` has it.
    """

    package: str
    task_digest: str
    agent: str
    seed: int
    budget: float = BUDGET_SECONDS
    feedback: Feedback = "scores"
    image: str = ""
    policy: Policy = field(default_factory=Policy)

    @cached_property
    def digest(self) -> str:
        """The digest of all of it."""
        return digest_json(asdict(self))

    @property
    def id(self) -> str:
        """The trial's name: says nothing of package or agent."""
        return self.digest.removeprefix(PREFIX)[:ID_DIGITS]

    def as_json(self) -> dict[str, Any]:
        """As the trial's folder has it."""
        return asdict(self)


def read_spec(value: Any) -> TrialSpec:
    """What :meth:`TrialSpec.as_json` gave. Raises ValueError for anything else."""
    try:
        told = dict(value)
        spec = TrialSpec(**{**told, "policy": Policy(**told["policy"])})
    except (TypeError, KeyError) as error:
        raise ValueError(f"no trial's conditions: {error}") from None
    texts = (spec.package, spec.task_digest, spec.agent, spec.feedback, spec.image)
    if not all(isinstance(text, str) for text in texts) or not isinstance(spec.seed, int):
        raise ValueError("no trial's conditions: a value is of another type")
    return spec
