from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.sandbox.choosing import back_end


def run(*arguments: str) -> tuple[int, dict[str, object]]:
    done = CliRunner().invoke(app, ["agents", *arguments, "--json"])
    return done.exit_code, json.loads(done.stdout)


def test_the_list_has_every_kind_with_its_options() -> None:
    code, found = run("list")
    assert code == 0
    names = {one["name"] for one in found["agents"]}  # type: ignore[attr-defined]
    assert {"constant", "tabular", "replay", "command", "claude-code", "codex", "gemini"} <= names


def test_an_agent_is_shown_without_any_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-the-provider")
    code, found = run("show", "claude-code:some-model")
    assert code == 0
    assert found["hosts"] == ["api.anthropic.com"]
    assert "ANTHROPIC_API_KEY" in found["variables"]  # type: ignore[operator]
    assert "PROMPT" in found["argv"]  # type: ignore[operator]
    assert "a-key-of-the-provider" not in json.dumps(found)


def test_an_agent_is_tried_and_what_it_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := back_end("bubblewrap").missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")
    monkeypatch.setenv("NATUREGYM_HOME", str(tmp_path))
    code, found = run("test", "constant", "--backend", "bubblewrap")
    assert (code, found["works"], found["attempts"], found["lacks"]) == (0, True, 1, [])
    code, found = run("test", "command:echo nothing", "--backend", "bubblewrap")
    assert (code, found["works"], found["attempts"]) == (1, False, 0)
    assert found["lacks"] == ["an attempt: it handed nothing in"]
