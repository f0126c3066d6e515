"""What an agent must not be able to do, tried: no attack wins, each leaves a trace, and the trial goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from nature_gym.sandbox.interface import Sandbox
from tests.attacks.catalogue import ATTACKS, ITEMS, SCENES, Attack
from tests.attacks.stage import Played

ENDS_ITS_TRIAL = {"late", "disk", "nameless"}
"""Scenes whose trial ends by the attack."""


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.name)
def test_an_attack_wins_nothing_and_leaves_a_trace(
    attack: Attack, sandbox: Sandbox, played: Callable[[Sandbox, str], Played]
) -> None:
    if attack.only not in {"", sandbox.name}:
        pytest.skip(f"made against {attack.only} alone")
    seen = played(sandbox, attack.scene)
    assert not attack.won(seen), seen.lines.get(attack.name)
    assert attack.trace(seen), (seen.lines.get(attack.name), seen.trial.record)


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_after_the_attacks_an_honest_answer_is_scored_and_the_trial_ends_as_it_should(
    scene: str, sandbox: Sandbox, played: Callable[[Sandbox, str], Played]
) -> None:
    seen = played(sandbox, scene)
    status, reason = seen.trial.status, seen.trial.record["reason"]
    if scene == "late":
        assert status == "timed_out"
    elif scene in ENDS_ITS_TRIAL or seen.trial.record["exit"]["ended"] == "out_of_memory":
        assert (status, bool(reason)) == ("agent_error", True)
    else:
        assert (status, reason) == ("succeeded", "")
        assert seen.lines[""]["code"] == 200, seen.lines[""]
        assert seen.lines[""]["said"]["raw_scores"] == {"a": {"Score": 0.5}}


def test_every_item_of_the_threat_model_is_tried_in_two_ways_at_least() -> None:
    tried = Counter(one.item for one in ATTACKS)
    assert set(tried) == set(ITEMS)
    assert all(count > 1 for count in tried.values()), tried
    assert len(ATTACKS) >= 40
