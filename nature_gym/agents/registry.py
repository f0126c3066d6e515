"""Agents by name: ours, and those that other packages bring by the entry point ``naturegym.agents``.

``NAME`` or ``NAME:OPTIONS``; what the options are is said by each kind. The whole text is the agent's identity in
results, so two models of one program are two agents. An entry point gives a :class:`AgentKind`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

from nature_gym.agents.builtin import command, constant, tabular
from nature_gym.agents.coding import claude_code, codex, gemini
from nature_gym.agents.interface import Agent
from nature_gym.agents.replay import replay
from nature_gym.errors import UsageError

log = logging.getLogger(__name__)
GROUP = "naturegym.agents"


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent. ``make`` takes the whole name and the options (the text behind the first colon, or '').

    It raises ValueError with a sentence for options that are none.
    """

    name: str
    summary: str
    options: str
    make: Callable[[str, str], Agent]


def agent_named(text: str) -> Agent:
    """The agent by its name with options: ``claude-code:MODEL``. Raises UsageError for one that is not there."""
    name, _, options = text.partition(":")
    kind = kind_named(name)
    try:
        return kind.make(text, options.strip())
    except ValueError as error:
        raise UsageError(
            f"{text[:100]!r} names no agent: {error}", hint=f"Options of {name}: {kind.options}."
        ) from error


def kind_named(name: str) -> AgentKind:
    """A kind of agent by its name. Raises UsageError."""
    kinds = agent_kinds()
    if name not in kinds:
        raise UsageError(f"There is no agent {name[:100]!r}.", hint=f"There are: {', '.join(kinds)}.")
    return kinds[name]


@cache
def agent_kinds() -> Mapping[str, AgentKind]:
    """All kinds by name; one of another package that cannot be loaded is told in the log and left out."""
    found = {one.name: one for one in _own()}
    for entry in entry_points(group=GROUP):
        try:
            kind = entry.load()
        except Exception:  # code of others: whatever it raises must not take our agents away
            log.exception("agent %s of %s cannot be loaded", entry.name, entry.value)
            continue
        if not isinstance(kind, AgentKind) or kind.name in found:
            log.error("agent %s of %s is no AgentKind, or its name is taken", entry.name, entry.value)
            continue
        found[kind.name] = kind
    return found


def _own() -> tuple[AgentKind, ...]:
    return (
        AgentKind("constant", "A floor: answers of the right form, without a model.", "none", _without(constant)),
        AgentKind(
            "tabular", "Fits models to tables, hands in, and improves by what it is told.", "none", _without(tabular)
        ),
        AgentKind(
            "replay",
            "Hands a recorded answer in again.",
            "the folder of a trial, or of trials; ',attempt=N' for one",
            replay,
        ),
        AgentKind("claude-code", "Claude Code with a model.", "the model", claude_code),
        AgentKind("codex", "Codex with a model.", "the model", codex),
        AgentKind("gemini", "Gemini CLI with a model.", "the model", gemini),
        AgentKind("command", "Any program of the box.", "the command line, as in 'command:python3 solve.py'", command),
    )


def _without(make: Callable[[str], Agent]) -> Callable[[str, str], Agent]:
    def made(name: str, options: str) -> Agent:
        if options:
            raise ValueError("it takes no options")
        return make(name)

    return made
