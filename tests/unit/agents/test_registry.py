from __future__ import annotations

import ast
import importlib.metadata
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nature_gym.agents import builtin, programs, registry
from nature_gym.agents.coding import CodingAgent
from nature_gym.agents.interface import View
from nature_gym.agents.prompt import prompt_for
from nature_gym.agents.registry import AgentKind, agent_kinds, agent_named
from nature_gym.agents.shipping import solver_files
from nature_gym.errors import UsageError
from nature_gym.sandbox.interface import WORKSPACE

VIEW = View(seed=5, budget=600.0, token="the-token", proxy_url="http://127.0.0.1:8322")
KEYS = {
    "ANTHROPIC_API_KEY": "key-of-anthropic", "OPENAI_API_KEY": "key-of-openai", "GEMINI_API_KEY": "key-of-gemini",
}  # fmt: skip
CODING = {"claude-code:m": "ANTHROPIC_API_KEY", "codex:m": "OPENAI_API_KEY", "gemini:m": "GEMINI_API_KEY"}


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("name", ["constant", "tabular", "command:python3 solve.py --fast", *CODING])
def test_an_agent_keeps_its_whole_name_and_gets_what_every_agent_gets(name: str) -> None:
    agent = agent_named(name)
    assert agent.name == name
    launch = agent.launch(VIEW)
    for variable, value in VIEW.environment().items():
        assert launch.environment[variable] == value
    assert "scoring_client.py" in launch.files


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", "no agent"), ("constant:fast", "no options"), ("claude-code", "name of a model"),
        ("codex:-m x", "name of a model"), ("gemini:a b", "name of a model"), ("replay", "recorded trial"),
        ("replay:/x,attempt=none", "recorded trial"), ("command:echo 'open", "quotation"),
    ],
)  # fmt: skip
def test_a_name_that_means_nothing_is_a_usage_error_that_says_what_there_is(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as told:
        agent_named(name)
    assert told.value.hint


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(("name", "key"), CODING.items())
def test_a_coding_agent_gets_its_own_providers_key_and_host_alone(name: str, key: str) -> None:
    launch = agent_named(name).launch(VIEW)
    assert {one for one in KEYS.values() if one in launch.environment.values()} == {KEYS[key]}
    assert not any(one in " ".join(launch.argv) for one in KEYS.values())
    assert not any(one.encode() in content for one in KEYS.values() for content in launch.files.values())
    assert len(launch.hosts) == 1
    assert launch.environment["HOME"].startswith(f"{WORKSPACE}/")


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize("name", CODING)
def test_where_a_stand_in_answers_no_key_and_no_host_is_given(name: str) -> None:
    launch = agent_named(name).launch(View(0, 1.0, "t", model_url="http://127.0.0.1:8322"))
    assert launch.hosts == ()
    assert not set(KEYS.values()) & set(launch.environment.values())
    assert any("127.0.0.1:8322" in one for one in [*launch.argv, *launch.environment.values()])


def test_tools_for_the_web_are_taken_away() -> None:
    claude, codex, gemini = (agent_named(name).launch(VIEW) for name in CODING)
    assert claude.argv[claude.argv.index("--disallowedTools") + 1] == "WebSearch,WebFetch"
    assert 'web_search="disabled"' in codex.argv
    policy = gemini.files[str(Path(gemini.argv[gemini.argv.index("--policy") + 1]).relative_to(WORKSPACE))].decode()
    assert re.search(r'toolName = \["google_web_search", "web_fetch"\]\ndecision = "deny"', policy)


def test_a_coding_agent_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent = agent_named("codex:m")
    assert "npm install -g @openai/codex" in agent.missing()
    assert "OPENAI_API_KEY" in agent.missing()
    assert agent.version() == ""
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho codex-cli 1.2.3 $OPENAI_API_KEY\n")
    program.chmod(0o755)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert agent.missing() == ""
    assert agent.version() == "codex-cli 1.2.3"  # the probe is given no key


def test_a_program_outside_what_a_box_sees_is_mounted_at_a_neutral_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "lib" / "node_modules" / "@x" / "tool" / "bin" / "tool.js"
    script.parent.mkdir(parents=True)
    script.write_text("#!/usr/bin/env node\n")
    script.chmod(0o755)
    node = tmp_path / "runtime" / "node"
    node.parent.mkdir()
    node.write_text("")
    node.chmod(0o755)
    binary = tmp_path / "bin" / "tool"
    binary.parent.mkdir()
    binary.symlink_to(script)
    monkeypatch.setenv("PATH", f"{binary.parent}:{node.parent}")
    placed = programs.placed("tool")
    assert placed.argv == ("/opt/agent/interpreter/node", "/opt/agent/node_modules/@x/tool/bin/tool.js")
    assert [(str(one.source), str(one.target), one.writable) for one in placed.mounts] == [
        (str(tmp_path / "lib" / "node_modules"), "/opt/agent/node_modules", False),
        (str(node), "/opt/agent/interpreter/node", False),
    ]
    assert programs.placed("tool", root=tmp_path) == programs.Program(("tool",))
    assert programs.placed("not-there") == programs.Program(("not-there",))


def test_an_entry_point_of_another_package_brings_an_agent_and_a_broken_one_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mine = AgentKind("mine", "Mine.", "none", lambda name, _: agent_named("constant"))
    monkeypatch.setattr(sys.modules[__name__], "MINE", mine, raising=False)
    entries = [
        importlib.metadata.EntryPoint("mine", f"{__name__}:MINE", registry.GROUP),
        importlib.metadata.EntryPoint("broken", "no_such_module:KIND", registry.GROUP),
        importlib.metadata.EntryPoint("strange", "os:path", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.GROUP else [])
    agent_kinds.cache_clear()
    try:
        with caplog.at_level(logging.ERROR):
            assert agent_kinds()["mine"] is mine
        assert {"constant", "tabular"} <= set(agent_kinds())
        assert "broken" in caplog.text
        assert "strange" in caplog.text
    finally:
        agent_kinds.cache_clear()


def test_the_prompt_names_the_places_the_time_and_the_seed_and_nothing_of_the_host() -> None:
    text = prompt_for(View(seed=17, budget=14_400.0, token="the-token", package=Path("/home/of/somebody")))
    for part in (
        "/task/problem/README.md",
        "/workspace/output",
        "EVAL_SERVICE_URL",
        "4 hours",
        "seed 17",
        "no internet",
    ):
        assert part in text
    for part in ("the-token", "somebody", "/task/paper"):
        assert part not in text
    assert "/task/paper" in prompt_for(View(0, 60.0, "t", paper=VIEW.problem.parent / "paper"))


def test_what_is_put_into_a_workspace_needs_nothing_of_ours() -> None:
    for name, content in solver_files("constant").items():
        assert b"nature_gym" not in content.replace(b"nature_gym.agents.shipping", b""), name
        compile(content, name, "exec")


@pytest.mark.parametrize("agent", [builtin.constant("constant"), builtin.tabular("tabular")])
def test_every_module_that_a_solver_imports_is_shipped_with_it(agent: builtin.Solver) -> None:
    shipped = {name.removesuffix(".py").replace("/", ".") for name in solver_files(*agent.modules)}
    for name, content in solver_files(*agent.modules).items():
        for node in ast.walk(ast.parse(content)):
            wanted = [f"{node.module}"] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom) and node.module in ("baseline", "solvers"):
                wanted = [f"{node.module}.{one.name}" for one in node.names]
            for module in wanted:
                if module.startswith(("baseline.", "solvers.", "source_trees")):
                    assert module in shipped, f"{name} imports {module}"


OPTIONS = {"claude": ("--help",), "codex": ("exec", "--help"), "gemini": ("--help",)}


@pytest.mark.parametrize("name", CODING)
def test_the_options_are_those_that_the_installed_program_names(name: str, tmp_path: Path) -> None:
    agent = agent_named(name)
    assert isinstance(agent, CodingAgent)
    if shutil.which(agent.program) is None:
        pytest.skip(f"{agent.program} is not installed")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    argv = [agent.program, *OPTIONS[agent.program]]
    told = subprocess.run(argv, capture_output=True, text=True, env=environment, timeout=60, check=True).stdout
    used = {one for one in agent.launch(VIEW).argv if re.fullmatch(r"--?[a-zA-Z][\w-]*", one)}
    assert used
    assert [one for one in sorted(used) if not re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", told)] == []


def test_settings_of_gemini_are_json() -> None:
    files = agent_named("gemini:m").launch(VIEW).files
    settings = next(content for name, content in files.items() if name.endswith("settings.json"))
    assert json.loads(settings)["security"]["auth"]["selectedType"] == "gemini-api-key"
