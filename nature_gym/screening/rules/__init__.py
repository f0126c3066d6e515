"""The ``rules`` decider: one function a rule, one module a level, deterministic and offline (links apart).

It is honest about its limits: where the cues do not suffice, a rule says ``undecided``, not ``pass``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.deciders import Answer, Case
from nature_gym.screening.decisions import CODES, Decision, Evidence
from nature_gym.screening.task import TaskTuple

NAME = "rules"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found, before it is signed with rule, decider and version."""

    verdict: Literal["pass", "reject", "undecided"]
    reason: str
    code: str | None = None
    evidence: tuple[Evidence, ...] = ()
    task: TaskTuple | None = None
    """The task tuple, where the rule knows more of it than the case did."""


Rule = Callable[[Case], Finding]
_LEVELS = ("level0", "level1", "level2", "level3")


@dataclass(frozen=True, slots=True)
class _Registered:
    function: Rule
    version: str


_registry: dict[str, _Registered] = {}


def rule(number: str, *, version: str) -> Callable[[Rule], Rule]:
    """Registers a function as the rule ``number``. Raise ``version`` whenever it may answer otherwise than before."""

    def register(function: Rule) -> Rule:
        _registry[number] = _Registered(function, version)
        return function

    return register


def _rules() -> dict[str, _Registered]:
    for level in _LEVELS:
        importlib.import_module(f"{__name__}.{level}")
    return _registry


class RulesDecider:
    """Cues, claims, tables and statements, read by program."""

    name = NAME

    def version(self, rule: str) -> str:
        return _rules()[rule].version

    def decide(self, rule: str, case: Case) -> Answer:
        registered = _rules()[rule]
        found = registered.function(case)
        if found.verdict == "reject" and rule in CODES and found.code not in CODES[rule]:
            raise ValueError(f"rule {rule} has no code {found.code!r}")
        decision = Decision(
            rule=rule,
            verdict=found.verdict,
            code=found.code,
            reason=found.reason,
            evidence=found.evidence,
            decider=NAME,
            version=registered.version,
        )
        return Answer(decision, found.task)
