"""Each defence, taken out: the attacks against it win, so a test that passes with it is no empty one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nature_gym.sandbox.choosing import back_end
from tests.attacks.catalogue import ATTACKS, SCENES
from tests.attacks.mutations import MUTATIONS
from tests.attacks.stage import play

SHOWN = list(MUTATIONS) if os.environ.get("MUTATIONS") == "all" else list(MUTATIONS)[::4]
"""All of them take minutes: ``MUTATIONS=all`` shows them, when a defence or an attack is changed."""

KNOWN = {one.name: one for one in ATTACKS}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_without_its_defence_an_attack_wins(name: str, tmp_path: Path) -> None:
    sandbox = back_end("bubblewrap")
    if reason := sandbox.missing():
        pytest.skip(reason)
    mutation = MUTATIONS[name]
    for scene in {KNOWN[one].scene for one in mutation.attacks}:
        names = [one for one in mutation.attacks if KNOWN[one].scene == scene]
        root = tmp_path / scene
        root.mkdir()
        played = play(root, sandbox, SCENES[scene], names, mutation.change)
        with pytest.MonkeyPatch.context() as patch:  # a judge reads when the trial is over
            mutation.change(patch)
            failed = {one: played.lines.get(one) for one in names if not KNOWN[one].won(played)}
        assert not failed, (failed, played.trial.record.get("reason"), played.lines.get(""))
