"""The three programs' streams as their public documents and recorded runs have them, and what breaks them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.agents.events import KINDS, Event, read_events, totals, write_events
from nature_gym.agents.streams.claude_code import read_claude_code
from nature_gym.agents.streams.codex import read_codex
from nature_gym.agents.streams.gemini import read_gemini
from nature_gym.agents.streams.lines import MOST_LINE
from nature_gym.agents.streams.plain import read_plain

Read = Callable[[Path, Path], Iterator[Event]]
READERS: list[Read] = [read_claude_code, read_codex, read_gemini, read_plain]


def reading(read: Read, folder: Path, *lines: Any, errors: str = "") -> list[Event]:
    content = b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in lines)
    (folder / "out").write_bytes(content)
    (folder / "err").write_text(errors)
    return list(read(folder / "out", folder / "err"))


def said(events: list[Event]) -> list[tuple[str, str, str]]:
    return [(one.kind, one.tool, one.text) for one in events]


def assistant(key: str, usage: tuple[int, int], *blocks: dict[str, Any]) -> dict[str, Any]:
    tokens = {"input_tokens": usage[0], "cache_read_input_tokens": 1000, "output_tokens": usage[1]}
    return {"type": "assistant", "message": {"id": key, "role": "assistant", "content": list(blocks), "usage": tokens}}


def test_claude_code_counts_a_message_once_though_it_comes_in_several_lines(tmp_path: Path) -> None:
    events = reading(
        read_claude_code,
        tmp_path,
        {"type": "system", "subtype": "init", "model": "m", "cwd": "/workspace", "session_id": "s"},
        assistant("m1", (10, 5), {"type": "thinking", "thinking": "hm"}),
        assistant("m1", (10, 5), {"type": "text", "text": "I look."}),
        assistant("m1", (10, 40), {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}),
        {"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "data"}]}]}},
        {"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": True}]}},
        assistant("m2", (20, 7), {"type": "text", "text": "Done."}),
        {"type": "result", "subtype": "success", "is_error": False, "result": "Done.", "duration_ms": 2500,
         "total_cost_usd": 0.25, "usage": {"input_tokens": 30, "cache_read_input_tokens": 2000, "output_tokens": 50}},
    )  # fmt: skip
    assert said(events)[1:] == [
        ("thought", "", "hm"), ("text", "", "I look."), ("tool_call", "Bash", '{"command":"ls"}'),
        ("tool_result", "Bash", "data"), ("error", "Bash", "no"), ("text", "", "Done."), ("result", "", "Done."),
    ]  # fmt: skip
    assert [(one.input_tokens, one.output_tokens) for one in events] == [
        (0, 0), (1010, 5), (0, 0), (0, 35), (0, 0), (0, 0), (1020, 7), (0, 3),
    ]  # fmt: skip
    found = totals(events)
    assert (found.input_tokens, found.output_tokens, found.cost, found.seconds) == (2030, 50, 0.25, 2.5)
    assert found.tool_calls == 1


def test_claude_codes_failed_run_is_an_error(tmp_path: Path) -> None:
    (event,) = reading(read_claude_code, tmp_path, {"type": "result", "subtype": "success", "is_error": True,
                                                    "result": "API Error: 400", "total_cost_usd": 0})  # fmt: skip
    assert (event.kind, event.text) == ("error", "API Error: 400")


def test_codex_gives_calls_results_and_what_each_turn_adds(tmp_path: Path) -> None:
    command = {
        "id": "i1",
        "type": "command_execution",
        "command": "ls",
        "aggregated_output": "",
        "status": "in_progress",
    }
    done = {**command, "aggregated_output": "data\n", "exit_code": 0, "status": "completed"}
    events = reading(
        lambda out, err: read_codex(out, err, lambda into, made: into * 1e-3 + made * 1e-2),
        tmp_path,
        {"type": "thread.started", "thread_id": "x"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "hm"}},
        {"type": "item.started", "item": command},
        {"type": "item.completed", "item": done},
        {"type": "item.completed", "item": {**done, "id": "i2", "command": "false", "exit_code": 1}},
        {"type": "item.completed", "item": {"id": "i3", "type": "file_change", "status": "completed",
                                            "changes": [{"path": "a.py", "kind": "add"}]}},
        {"type": "item.completed", "item": {"id": "i4", "type": "agent_message", "text": "Done."}},
        {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 10}},
        {"type": "turn.completed", "usage": {"input_tokens": 250, "cached_input_tokens": 60, "output_tokens": 15}},
        {"type": "turn.failed", "error": {"message": "no quota"}},
    )  # fmt: skip
    assert said(events) == [
        ("system", "", "thread.started"), ("thought", "", "hm"), ("tool_call", "command_execution", "ls"),
        ("tool_result", "command_execution", "exit code 0\ndata\n"), ("tool_call", "command_execution", "false"),
        ("error", "command_execution", "exit code 1\ndata\n"),
        ("tool_call", "file_change", '[{"path":"a.py","kind":"add"}]'),
        ("tool_result", "file_change", "completed"), ("text", "", "Done."), ("result", "", ""), ("result", "", ""),
        ("error", "", "no quota"),
    ]  # fmt: skip
    found = totals(events)
    assert (found.input_tokens, found.output_tokens) == (250, 15)
    assert found.cost == pytest.approx(0.25 + 0.15)


def test_gemini_puts_pieces_together_and_tells_times(tmp_path: Path) -> None:
    def at(second: float, **rest: Any) -> dict[str, Any]:
        return {"timestamp": f"2026-01-01T00:00:{second:06.3f}Z", **rest}

    events = reading(
        read_gemini,
        tmp_path,
        at(1, type="init", session_id="s", model="m"),
        at(1, type="message", role="user", content="solve"),
        at(2, type="message", role="assistant", content="I ", delta=True),
        at(3, type="message", role="assistant", content="look.", delta=True),
        at(4, type="tool_use", tool_name="run_shell_command", tool_id="t", parameters={"command": "ls"}),
        at(5, type="tool_result", tool_id="t", status="success", output="data"),
        at(5, type="tool_result", tool_id="t", status="error", error={"type": "x", "message": "denied"}),
        at(6, type="message", role="assistant", content="Done.", delta=True),
        at(7.5, type="result", status="success", stats={"input_tokens": 90, "output_tokens": 12, "total_tokens": 102}),
        errors="a warning\n",
    )
    assert said(events) == [
        ("system", "", "model m"), ("system", "", "solve"), ("text", "", "I look."),
        ("tool_call", "run_shell_command", '{"command":"ls"}'), ("tool_result", "run_shell_command", "data"),
        ("error", "run_shell_command", "denied"), ("text", "", "Done."), ("result", "", ""), ("error", "", "a warning"),
    ]  # fmt: skip
    assert [one.time for one in events][:4] == [0.0, 0.0, 1.0, 3.0]
    found = totals(events)
    assert (found.input_tokens, found.output_tokens, found.seconds) == (90, 12, 6.5)


def test_plain_text_is_a_line_an_event(tmp_path: Path) -> None:
    events = reading(read_plain, tmp_path, b"one", b"", b"\xff two", errors="oh\n")
    assert said(events) == [("text", "", "one"), ("text", "", "\ufffd two"), ("error", "", "oh")]


@pytest.mark.parametrize("read", READERS)
def test_a_stream_torn_in_the_middle_gives_what_is_whole(read: Read, tmp_path: Path) -> None:
    whole = {"type": "result", "status": "success", "result": "end"}
    events = reading(read, tmp_path, b'{"type": "assist', whole)
    assert len(events) == 2
    assert events[0].text == '{"type": "assist'


@pytest.mark.parametrize("read", READERS)
def test_a_line_without_end_costs_its_bound_and_the_next_is_read(read: Read, tmp_path: Path) -> None:
    events = reading(read, tmp_path, b"x" * (3 * MOST_LINE + 5), {"type": "error", "message": "next"})
    assert len(events) == 2
    assert len(events[0].text) == MOST_LINE
    assert "next" in events[1].text


@pytest.mark.parametrize("read", READERS)
def test_a_program_that_printed_nothing_has_no_events(read: Read, tmp_path: Path) -> None:
    assert list(read(tmp_path / "none", tmp_path / "none")) == []


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["type", "message", "content", "item", "usage", "id", "text", "input_tokens", "output_tokens",
                         "stats", "error", "timestamp", "role", "result", "total_cost_usd", "duration_ms", "name"])
        | st.text(max_size=4), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip
_TYPES = st.sampled_from([
    "assistant", "user", "result", "system", "item.started", "item.completed", "turn.completed", "turn.failed",
    "message", "tool_use", "tool_result", "error", "init", 3, None,
])  # fmt: skip


@given(read=st.sampled_from(READERS), lines=st.lists(st.tuples(_TYPES, st.dictionaries(st.sampled_from(
    ["message", "item", "usage", "content", "stats", "error", "result", "timestamp", "role", "duration_ms", "delta",
     "total_cost_usd", "is_error", "status", "output", "parameters"]), _JSON, max_size=5)), max_size=4))  # fmt: skip
def test_whatever_an_agent_prints_is_events_that_can_be_summed(
    read: Read, lines: list[tuple[Any, dict[str, Any]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stream")
    events = reading(read, folder, *({"type": kind, **rest} for kind, rest in lines))
    assert {one.kind for one in events} <= set(KINDS)
    assert {type(text) for one in events for text in (one.text, one.tool)} <= {str}
    assert all(one.input_tokens >= 0 and one.output_tokens >= 0 and one.cost >= 0 for one in events)
    assert totals(events).events == len(events)


def test_a_trajectory_is_written_and_read_again_but_for_a_torn_line(tmp_path: Path) -> None:
    events = [Event("text", "a", 1.0), Event("tool_call", "b", None, "Bash", 3, 4, 0.5)]
    path = tmp_path / "trajectory.jsonl"
    assert write_events(path, events) == totals(events)
    with path.open("ab") as file:
        file.write(b'{"kind": "text", "te')
    assert list(read_events(path)) == events
