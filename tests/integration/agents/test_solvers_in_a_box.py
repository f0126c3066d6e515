from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from nature_gym.agents.registry import agent_named
from tests.integration.agents.conftest import TryAgent


def best(tried: object) -> float:
    standing = tried.standing  # type: ignore[attr-defined]
    assert standing.best is not None, tried
    gap = standing.best.gap
    assert gap is not None
    return float(gap)


def test_tabular_beats_constant_and_replay_reaches_the_same_score_to_the_last_digit(
    tiny: Path, trying: TryAgent, tmp_path: Path
) -> None:
    floor = trying(agent_named("constant"), tiny, "floor")
    assert (floor.outcome.code, floor.standing.attempts) == (0, 1)
    solved = trying(agent_named("tabular"), tiny, "solved")
    assert solved.outcome.code == 0
    assert best(solved) > 0.9 > best(floor)
    again = trying(agent_named(f"replay:{tmp_path / 'solved'}"), tiny, "again")
    assert again.standing.attempts == 1
    assert best(again) == best(solved)


def test_the_trajectory_tells_the_models_and_every_attempt(tiny: Path, trying: TryAgent) -> None:
    tried = trying(agent_named("tabular"), tiny)
    texts = [one.text for one in tried.events if one.kind == "text"]
    assert any("y from 12 rows x 1" in one and "ridge" in one for one in texts)
    attempts = [json.loads(one) for one in texts if one.startswith('{"attempt"')]
    assert [one["attempt"] for one in attempts] == list(range(1, tried.standing.attempts + 1))


def test_the_seed_is_the_agents(tiny: Path, trying: TryAgent, tmp_path: Path) -> None:
    """With noise in the training table, forests of two seeds differ, and those of one do not."""
    draw = random.Random(0)
    path = tiny / "problem" / "data" / "line" / "train.csv"
    rows = [{"id": f"n{one}", "x": one / 9, "y": 3 * one / 9 - 2 + draw.gauss(0, 1)} for one in range(40)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "x", "y"])
        writer.writeheader()
        writer.writerows(rows)
    scores = [[one.text for one in trying(agent_named("tabular"), tiny, name, seed=seed).events if "rows x" in one.text]
              for name, seed in (("a", 0), ("b", 0), ("c", 1))]  # fmt: skip
    models = [one[0].partition(": ")[2].partition(" s: ")[2] for one in scores]
    assert models[0] == models[1] != models[2]


def test_a_command_finds_its_prompt_the_client_and_its_environment(tiny: Path, trying: TryAgent) -> None:
    lines = (
        "import os, scoring_client as c",
        "print(open('PROMPT.md').read()[:9], os.environ['SEED'])",
        "print(c.time_left() > 100, os.path.isdir(os.environ['DATA_DIR']))",
    )
    program = "; ".join(lines)
    tried = trying(agent_named(f'command:python3 -c "{program}"'), tiny, seed=4)
    assert [one.text for one in tried.events] == ["You work  4", "True True"]
    assert tried.standing.attempts == 0


def test_a_solver_that_finds_nothing_to_answer_says_so(tiny: Path, trying: TryAgent) -> None:
    (tiny / "problem" / "README.md").write_text("# Nothing is asked\n", encoding="utf-8")
    tried = trying(agent_named("constant"), tiny)
    assert (tried.outcome.code, tried.standing.attempts) == (3, 0)
    assert "section 5 names no file" in tried.events[-1].text


@pytest.mark.parametrize("seen", ["EVAL_TOKEN"])
def test_a_token_that_an_agent_prints_is_not_in_its_trajectory(tiny: Path, trying: TryAgent, seen: str) -> None:
    tried = trying(agent_named(f"command:sh -c 'echo it is ${seen}; echo ${seen} | base64'"), tiny)
    assert tried.events[0].text == "it is [removed]"
    assert "[removed]" in tried.events[1].text
