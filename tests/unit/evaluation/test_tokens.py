from __future__ import annotations

import stat
from pathlib import Path

import pytest

from nature_gym.evaluation.tokens import is_token, token_digest, token_of


def test_a_trial_keeps_its_token_which_only_its_owner_can_read(tmp_path: Path) -> None:
    token = token_of(tmp_path)
    assert token_of(tmp_path) == token
    assert len(token) >= 40
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


@pytest.mark.parametrize("given", [None, "", 1, [], {}, True, "x", "\ud800", "x" * 10_000])
def test_what_is_not_the_token_is_refused(tmp_path: Path, given: object) -> None:
    digest = token_digest(token_of(tmp_path))
    assert not is_token(given, digest)
    assert not is_token(digest, digest)
