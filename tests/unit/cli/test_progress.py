"""Progress where nobody watches: a line now and then, in a log that is read later."""

import pytest

from nature_gym.cli.progress import LINE_SECONDS, _lines


def test_a_step_is_told_at_its_start_now_and_then_and_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    tell = _lines(lambda: now)
    for done in range(5_001):
        tell("fetch", done, 5_000)
        now += LINE_SECONDS / 1_000
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "fetch: 0 of 5,000"
    assert told[-1] == "fetch: 5,000 of 5,000"
    assert len(told) == 6, "one each ten seconds"


def test_a_step_whose_size_is_not_known_yet_is_told_and_the_same_is_not_told_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    tell = _lines(lambda: now)
    for done, total in ((0, 0), (0, 0), (0, 0), (3, 3), (3, 3)):
        tell("harvest", done, total)
        now += LINE_SECONDS
    assert capsys.readouterr().err.splitlines() == ["harvest ...", "harvest: 3 of 3"]
