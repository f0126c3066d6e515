"""Deciders: whoever takes a judgement goes through one interface, whether rules, a language model or a person.

A decider answers one rule about one case. What it cannot answer (no key, quota, nonsense) it raises as
:class:`DeciderError`; the cascade makes that an ``undecided`` decision with the cause, never a rejection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from nature_gym.errors import NatureGymError
from nature_gym.screening.decisions import Decision
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.task import TaskTuple

if TYPE_CHECKING:
    from nature_gym.screening.probes import Probe, Prober


class DeciderError(NatureGymError):
    """A decider could not decide: no key, no quota, no time, nonsense. Says nothing about the paper."""


@dataclass(slots=True)
class Case:
    """A paper under judgement: its text, what was decided so far, and what is seen of its links.

    ``prober`` is None where links are not to be probed; then rules go by what the text says.
    """

    manuscript: Manuscript
    prober: Prober | None = None
    task: TaskTuple = field(default_factory=TaskTuple)
    decisions: list[Decision] = field(default_factory=list)
    probes: dict[str, Probe] = field(default_factory=dict)
    """Address -> what was seen there, of all links probed so far."""

    def probe(self, urls: Sequence[str]) -> Mapping[str, Probe]:
        """What is seen at ``urls`` (nothing where links are not probed); each is asked once a case."""
        if self.prober is None:
            return {}
        new = [url for url in dict.fromkeys(urls) if url not in self.probes]
        self.probes.update(zip(new, self.prober.probe(new), strict=True) if new else ())
        return {url: self.probes[url] for url in urls}


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision, and the task tuple as far as the decider filled it on the way."""

    decision: Decision
    task: TaskTuple | None = None


class Decider(Protocol):
    """Takes judgements."""

    @property
    def name(self) -> str:
        """``rules``, ``llm`` or ``human``."""
        ...

    def version(self, rule: str) -> str:
        """Changes whenever the same case could get another answer to ``rule``."""
        ...

    def decide(self, rule: str, case: Case) -> Answer:
        """Answer ``rule`` for ``case``.

        Raises DeciderError where no answer can be had now.
        """
        ...
