"""``screening.json``: what screening says of a paper, and everything that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from nature_gym.errors import InfrastructureError
from nature_gym.files import to_json
from nature_gym.screening.cascade import Screened
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Decision, ModelUse
from nature_gym.screening.probes import Probe
from nature_gym.screening.task import TaskTuple
from nature_gym.screening.task_size import TaskSize, task_size

SCREENING = "screening.json"
SIZE = "3.6"
"""The rule that asks for the size of the data."""

Verdict = Literal["passed", "rejected", "undecided"]


class Screening(BaseModel):
    """A paper's verdict with the decisions behind it, in the order in which they were taken."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    title: str
    verdict: Verdict
    stopped_at: str | None
    summary: str
    """One line: ``passed``, or ``stopped at rule X: reason``."""
    task: TaskTuple
    decisions: tuple[Decision, ...]
    probes: tuple[Probe, ...] = ()
    size: TaskSize | None = None
    """How much data the task needs; None where the paper stopped before anybody asked."""

    @property
    def tokens(self) -> int:
        """Tokens that models took; an answer that was remembered took none."""
        return sum(use.input_tokens + use.output_tokens for use in self._paid())

    @property
    def cost(self) -> float:
        """US dollars that models took; an answer that was remembered took none."""
        return sum((use.cost for use in self._paid()), 0.0)

    def _paid(self) -> Iterator[ModelUse]:
        return (one.model for one in self.decisions if one.model is not None and not one.model.remembered)


def screening_of(case: Case, screened: Screened) -> Screening:
    """What is written down of a case that went through the cascade."""
    manuscript = case.manuscript
    last = case.decisions[-1]
    stopped = f"stopped at rule {last.rule}: {last.reason}"
    return Screening(
        id=manuscript.paper,
        title=manuscript.document.title or (manuscript.work.title if manuscript.work else ""),
        verdict=screened.verdict,
        stopped_at=screened.stopped_at,
        summary="passed" if screened.passed else stopped,
        task=case.task,
        decisions=tuple(case.decisions),
        probes=tuple(case.probes[url] for url in sorted(case.probes)),
        size=task_size(case) if any(decision.rule == SIZE for decision in case.decisions) else None,
    )


def write_screening(screening: Screening, folder: Path) -> None:
    """Write it into ``folder``."""
    (folder / SCREENING).write_bytes(to_json(screening.model_dump(mode="json")))


def read_screening(folder: Path) -> Screening:
    """What :func:`write_screening` wrote. Raises InfrastructureError where it cannot be read."""
    try:
        return Screening.model_validate_json((folder / SCREENING).read_bytes())
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"{folder / SCREENING} cannot be read: {error}", hint="Screen the paper again: naturegym screen --force."
        ) from error
