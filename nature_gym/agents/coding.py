"""Adapters for three providers' coding agents: claude-code, codex and gemini.

The idea: each gets the prompt as one argument, its own provider's key and no other, that provider's host and no other,
and has its tools for the web taken away: by an option of its own, and by the box's lack of a network. Its home lies in
the workspace's cache, so that nothing of the host's settings is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import orjson

from nature_gym.agents import programs
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Launch, View
from nature_gym.agents.prompt import prompt_for
from nature_gym.agents.shipping import client_files
from nature_gym.agents.streams.claude_code import read_claude_code
from nature_gym.agents.streams.codex import Price, read_codex
from nature_gym.agents.streams.gemini import read_gemini
from nature_gym.models.prices import UNLISTED

HOME = ".cache/home"
"""Below the workspace: what lies in a cache is no source of an answer."""
STAND_IN_KEY = "stand-in"
"""The key where a stand-in answers in the place of a model: no real key goes there."""


@dataclass(frozen=True, slots=True)
class CodingAgent:
    """A provider's program with a model. ``key`` is the variable that holds its key, here and there."""

    name: str
    model: str
    program: str
    key: str
    hosts: tuple[str, ...]
    package: str
    """What installs it."""
    argv: Callable[[View, str, str], Sequence[str]]
    """From the view, the model and the prompt: the options behind the program."""
    environment: Callable[[View], Mapping[str, str]]
    files: Callable[[View], Mapping[str, bytes]]
    read: Callable[[Path, Path, Price], Iterator[Event]]

    def missing(self) -> str:
        """What it lacks: its program, or its key."""
        lacks = []
        if programs.find(self.program) is None:
            lacks.append(f"there is no program {self.program} here: npm install -g {self.package}")
        if not os.environ.get(self.key):
            lacks.append(f"{self.key} is not set: set it to a key of the provider")
        return "; ".join(lacks)

    def version(self) -> str:
        """Its program's, '' where it is not installed here."""
        return programs.version(self.program)

    def launch(self, view: View) -> Launch:
        """How it is started."""
        placed = programs.placed(self.program)
        hosts = self.hosts
        secret = {self.key: os.environ.get(self.key, "")}
        if view.model_url:
            host = urlsplit(view.model_url).hostname or ""
            hosts = () if host in ("127.0.0.1", "localhost") else (host,)
            secret = {self.key: STAND_IN_KEY} if not hosts else secret
        environment = {
            **view.environment(),
            **secret,
            "HOME": str(view.workspace / HOME),
            **self.environment(view),
        }
        argv = (*placed.argv, *self.argv(view, self.model, prompt_for(view)))
        files = {**client_files(), **self.files(view)}
        return Launch(argv, environment, hosts, files, mounts=placed.mounts)

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        """What it did."""
        return self.read(stdout, stderr, self._price)

    def _price(self, into: int, out: int) -> float:
        """Dollars by the list of prices; a dear model's for one that is not listed, so that ceilings hold."""
        from genai_prices import Usage, calc_price

        try:
            return float(calc_price(Usage(input_tokens=into, output_tokens=out), self.model).total_price)
        except LookupError:
            return (UNLISTED[0] * into + UNLISTED[1] * out) / 1e6


def claude_code(name: str, model: str) -> CodingAgent:
    """Claude Code. ``model`` is what its ``--model`` takes."""

    def argv(_: View, model: str, prompt: str) -> Sequence[str]:
        return (
            "-p", prompt, "--output-format", "stream-json", "--verbose", "--model", model,
            "--permission-mode", "bypassPermissions", "--no-session-persistence", "--strict-mcp-config",
            "--setting-sources", "", "--disallowedTools", "WebSearch,WebFetch",
        )  # fmt: skip

    def environment(view: View) -> Mapping[str, str]:
        # Root may pass permission checks only where it says that a sandbox is around it: there is one.
        found = {
            "IS_SANDBOX": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "BASH_MAX_TIMEOUT_MS": str(int(view.budget * 1000)), "BASH_DEFAULT_TIMEOUT_MS": "600000",
        }  # fmt: skip
        return found | ({"ANTHROPIC_BASE_URL": view.model_url} if view.model_url else {})

    def read(stdout: Path, stderr: Path, _: Price) -> Iterator[Event]:
        return read_claude_code(stdout, stderr)

    return CodingAgent(
        name, _model(model), "claude", "ANTHROPIC_API_KEY", ("api.anthropic.com",), "@anthropic-ai/claude-code", argv,
        environment, lambda _: {}, read,
    )  # fmt: skip


def codex(name: str, model: str) -> CodingAgent:
    """Codex. ``model`` is what its ``--model`` takes."""

    def argv(view: View, model: str, prompt: str) -> Sequence[str]:
        url = view.model_url.rstrip("/") + "/v1" if view.model_url else "https://api.openai.com/v1"
        provider = f'{{name="own",base_url="{url}",env_key="OPENAI_API_KEY",wire_api="responses"}}'
        return (
            "exec", "--json", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config",
            "--dangerously-bypass-approvals-and-sandbox", "--cd", str(view.workspace), "--model", model,
            "--config", 'web_search="disabled"', "--config", 'model_provider="own"',
            "--config", f"model_providers.own={provider}", prompt,
        )  # fmt: skip

    def environment(view: View) -> Mapping[str, str]:
        return {"CODEX_HOME": str(view.workspace / HOME / ".codex")}

    def files(_: View) -> Mapping[str, bytes]:
        return {f"{HOME}/.codex/config.toml": b'web_search = "disabled"\n'}  # its folder has to be there

    return CodingAgent(
        name, _model(model), "codex", "OPENAI_API_KEY", ("api.openai.com",), "@openai/codex", argv, environment, files,
        read_codex,
    )  # fmt: skip


_GEMINI_POLICY = b"""[[rule]]
toolName = ["google_web_search", "web_fetch"]
decision = "deny"
priority = 999
"""
_GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
}


def gemini(name: str, model: str) -> CodingAgent:
    """Gemini CLI. ``model`` is what its ``--model`` takes."""

    def argv(view: View, model: str, prompt: str) -> Sequence[str]:
        return (
            "-p", prompt, "--output-format", "stream-json", "--model", model, "--approval-mode", "yolo", "--skip-trust",
            "--policy", str(view.workspace / HOME / ".gemini" / "policy.toml"),
        )  # fmt: skip

    def environment(view: View) -> Mapping[str, str]:
        return {"GOOGLE_GEMINI_BASE_URL": view.model_url} if view.model_url else {}

    def files(_: View) -> Mapping[str, bytes]:
        return {
            f"{HOME}/.gemini/settings.json": orjson.dumps(_GEMINI_SETTINGS),
            f"{HOME}/.gemini/policy.toml": _GEMINI_POLICY,
        }

    return CodingAgent(
        name, _model(model), "gemini", "GEMINI_API_KEY", ("generativelanguage.googleapis.com",), "@google/gemini-cli",
        argv, environment, files, read_gemini,
    )  # fmt: skip


def _model(text: str) -> str:
    if not text or text.startswith("-") or any(one.isspace() for one in text):
        raise ValueError("it needs the name of a model")
    return text
