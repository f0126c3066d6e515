"""The three adapters to their end: with programs that speak their streams, and with the real ones where installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nature_gym.agents.coding import STAND_IN_KEY
from nature_gym.agents.events import totals
from nature_gym.agents.registry import agent_named
from nature_gym.agents.standing_in import StandIn
from nature_gym.cli.agents import COMMAND
from nature_gym.evaluation.listening import Listening, on_socket
from tests.integration.agents.conftest import TryAgent

NAMES = {"claude": "claude-code:m-1", "codex": "codex:m-1", "gemini": "gemini:m-1"}
PROGRAM = '''#!/usr/bin/env python3
"""Speaks as {program} does: runs a command, and tells what it did, as lines of JSON."""
import json, os, subprocess, sys
if "--version" in sys.argv:
    print("{program} 9.9.9")
    sys.exit()
assert any("You work alone" in one for one in sys.argv), "no prompt"
assert "m-1" in sys.argv, "no model"
assert os.environ["HOME"].startswith("/workspace/"), "a home of the host"
command = {command!r}
done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
said = done.stdout + done.stderr
for line in {lines}:
    print(json.dumps(line), flush=True)
print("key", os.environ["{key}"], file=sys.stderr)
'''
LINES = {
    "claude": '''[
        {"type": "system", "subtype": "init", "model": "m-1"},
        {"type": "assistant", "message": {"id": "1", "usage": {"input_tokens": 120, "output_tokens": 30}, "content": [
            {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}]}},
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t", "content": said}]}},
        {"type": "result", "result": "done", "total_cost_usd": 0.5,
         "usage": {"input_tokens": 240, "output_tokens": 60}}]''',
    "codex": '''[
        {"type": "thread.started", "thread_id": "x"},
        {"type": "item.completed", "item": {"id": "1", "type": "command_execution", "command": command,
            "aggregated_output": said, "exit_code": done.returncode, "status": "completed"}},
        {"type": "turn.completed", "usage": {"input_tokens": 240, "output_tokens": 60}}]''',
    "gemini": '''[
        {"type": "init", "timestamp": "2026-01-01T00:00:00Z", "model": "m-1"},
        {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "t", "parameters": {"command": command}},
        {"type": "tool_result", "tool_id": "t", "status": "success", "output": said},
        {"type": "result", "status": "success", "stats": {"input_tokens": 240, "output_tokens": 60}}]''',
}  # fmt: skip
KEYS = {"claude": "ANTHROPIC_API_KEY", "codex": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}


@pytest.fixture
def model(tmp_path: Path) -> Iterator[tuple[StandIn, Path]]:
    stand_in, socket = StandIn(COMMAND), tmp_path / "model.sock"
    with Listening(stand_in.app(), on_socket(socket)):
        yield stand_in, socket


@pytest.mark.parametrize("program", NAMES)
def test_a_program_that_speaks_its_stream_is_started_read_and_scored(
    program: str, tiny: Path, trying: TryAgent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "installed" / program
    path.parent.mkdir()
    text = PROGRAM.format(program=program, command=COMMAND, lines=LINES[program], key=KEYS[program])
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent), prepend=":")
    monkeypatch.setenv(KEYS[program], "a-key-of-the-provider")
    agent = agent_named(NAMES[program])
    assert (agent.missing(), agent.version()) == ("", f"{program} 9.9.9")
    tried = trying(agent, tiny)
    assert tried.outcome.code == 0, tried
    assert tried.standing.attempts == 1
    assert tried.standing.best is not None
    found = totals(tried.events)
    assert (found.tool_calls, found.input_tokens, found.output_tokens) == (1, 240, 60)
    assert found.cost > 0
    assert any(one.kind == "tool_result" and '"attempt": 1' in one.text for one in tried.events)
    assert [one.text for one in tried.events if one.text.startswith("key")] == ["key [removed]"]


@pytest.mark.parametrize("program", NAMES)
def test_the_real_program_hands_in_what_a_stand_in_for_its_model_wants(
    program: str, tiny: Path, trying: TryAgent, model: tuple[StandIn, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    monkeypatch.setenv(KEYS[program], "a-key-of-the-provider")
    stand_in, socket = model
    tried = trying(agent_named(NAMES[program]), tiny, model=socket)
    assert tried.standing.attempts == 1, tried
    assert stand_in.keys == {STAND_IN_KEY}
    assert stand_in.web_tools == set()
    found = totals(tried.events)
    assert (found.tool_calls, found.input_tokens, found.output_tokens) == (1, 120 * stand_in.asked, 30 * stand_in.asked)
