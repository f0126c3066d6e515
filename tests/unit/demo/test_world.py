"""The whole demo world: enough of everything, nothing twice, and the same in every process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from nature_gym.demo import fates, studies
from nature_gym.demo.model import World
from nature_gym.demo.truth import TRAPS, follows_the_rules
from nature_gym.demo.world import build_world
from nature_gym.errors import NatureGymError

DIGEST = """
import hashlib
from nature_gym.demo.world import build_world

def told(value):
    # Files of deposits may be made on demand: what counts is what they give.
    if callable(value):
        return told(value())
    if hasattr(value, "__dataclass_fields__"):
        return type(value).__name__, [told(getattr(value, name)) for name in value.__dataclass_fields__]
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    if isinstance(value, (tuple, list)):
        return [told(item) for item in value]
    if hasattr(value, "items"):
        return [(told(key), told(item)) for key, item in value.items()]
    return value

print(hashlib.sha256(repr(told(build_world(4, shallow=40))).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(0, shallow=20)


def test_there_are_forty_detailed_papers_and_six_pass(world: World) -> None:
    assert len(world.entries) - 20 >= 40
    assert sum(entry.truth.verdict == "passed" for entry in world.entries) >= 6


def test_every_known_trap_is_set_by_some_paper(world: World) -> None:
    assert {trap for entry in world.entries for trap in entry.truth.traps} >= set(TRAPS)


def test_no_paper_sets_a_trap_that_has_no_meaning(world: World) -> None:
    assert {trap for entry in world.entries for trap in entry.truth.traps} <= set(TRAPS)


def test_every_truth_follows_the_rules(world: World) -> None:
    assert [entry.paper.id for entry in world.entries if not follows_the_rules(entry.truth)] == []


def test_two_processes_build_the_same_world() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4711")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == hashlib.sha256().digest_size * 2


def test_twins_are_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = world.entries[0]
    monkeypatch.setattr(
        fates, "entries", lambda *_, **__: (replace(twin, paper=replace(twin.paper, suffix="s1")), twin)
    )
    monkeypatch.setattr(studies, "entries", lambda *_, **__: ())
    with pytest.raises(NatureGymError, match=twin.paper.openalex_id):
        build_world(0)
