from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.agents.events import Event
from nature_gym.agents.intake import REMOVED, Bounds, Intake, secrets_of

SECRET = "k9-Zq/7+not=a&shape_known"


@pytest.mark.parametrize(
    "hidden",
    [
        SECRET,
        SECRET[::-1],
        SECRET.encode().hex(),
        base64.b64encode(SECRET.encode()).decode(),
        base64.b64encode(b"x" + SECRET.encode() + b"yz").decode(),
        base64.urlsafe_b64encode(b"xy" + SECRET.encode()).decode(),
        SECRET[:5] + "\x1b[31m" + SECRET[5:],
        SECRET[:5] + "\u200b" + SECRET[5:],
        SECRET[:5] + "\x00" + SECRET[5:],
    ],
)
def test_a_known_secret_is_removed_in_each_form(hidden: str) -> None:
    kept = Intake([SECRET]).text(f"before {hidden} after")
    assert kept.startswith("before ")
    assert kept.endswith(" after")
    assert REMOVED in kept
    core = SECRET[3:-3]
    for form in (core, core[::-1], core.encode().hex(), base64.b64encode(SECRET.encode()).decode()[:16]):
        assert form not in kept


@pytest.mark.parametrize(
    "shaped",
    [
        "sk-ant-api03-abcdefghijklmnopqrstu", "sk-proj-abcdefghijklmnop0123", "AIzaSyA-0123456789abcdefghijklmnopqrstu",
        "ghp_0123456789abcdefghijABCDEFGHIJ", "hf_abcdefghijklmnopqrstuv", "AKIAABCDEFGHIJKLMNOP",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)  # fmt: skip
def test_what_looks_like_a_key_is_removed_though_nobody_knows_it(shaped: str) -> None:
    assert Intake().text(f"key={shaped};") == f"key={REMOVED};"


def test_plain_words_stay() -> None:
    text = "A sk-learn fit: task-based, risk-adjusted; RMSE 0.31\n\tclass AKIA = 'x'"
    assert Intake(["short"]).text(text + " short") == text + " short"


@given(st.text(max_size=300))
def test_nothing_commands_a_terminal_and_taking_in_twice_changes_nothing(text: str) -> None:
    intake = Intake()
    kept = intake.text(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]", kept)
    assert intake.text(kept) == kept


@pytest.mark.parametrize(
    ("sequence", "left"),
    [
        ("\x1b[2J\x1b[1;31mred\x1b[0m", "red"), ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://h\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0\x1b\\x", "x"), ("\x9b31mx", "x"), ("a\rb\r\nc", "a\nb\nc"), ("\x1bc", ""), ("a\x1b", "a"),
    ],
)  # fmt: skip
def test_escapes_go_whole(sequence: str, left: str) -> None:
    assert Intake().text(sequence) == left


def test_a_secret_across_the_cut_leaves_no_half() -> None:
    bounds = Bounds(text=100)
    for start in range(30, 60):
        kept = Intake([SECRET], bounds).text("." * start + SECRET + "." * 300)
        assert SECRET[:6] not in kept
        assert SECRET[-6:] not in kept
        assert len(kept) < 150


def test_texts_are_dropped_behind_the_bounds_and_costs_go_on() -> None:
    intake = Intake(bounds=Bounds(text=10, texts=25, events=4))
    events = [Event("text", "0123456789", input_tokens=1, cost=0.5) for _ in range(4)]
    kept = list(intake.events([*events, Event("text", "free"), Event("result", "late", output_tokens=7)]))
    assert [one.text for one in kept] == ["0123456789", "0123456789", "[left out]", "[left out]", "[left out]"]
    assert sum(one.input_tokens for one in kept) == 4
    assert kept[-1].output_tokens == 7


def test_the_name_of_a_tool_is_cleaned_too() -> None:
    (kept,) = Intake([SECRET]).events([Event("tool_call", "", tool=f"a\n\x1b[1m{SECRET}")])
    assert kept.tool == f"a {REMOVED}"


def test_secrets_are_told_by_the_names_of_variables() -> None:
    found = secrets_of({
        "ANTHROPIC_API_KEY": "12345678", "HF_TOKEN": "abcdefgh", "DB_PASSWORD": "hunter2hunter2",
        "PATH": "/usr/bin:/bin",
        "EVAL_TOKEN": "short", "MONKEY_PATCH": "yes-please", "OPENAI_API_KEY_2": "zzzzzzzz",
    })  # fmt: skip
    assert sorted(found) == ["12345678", "abcdefgh", "hunter2hunter2", "zzzzzzzz"]
