"""What every back end does alike. One suite; a back end that cannot be used here is skipped with its reason."""

from pathlib import Path, PurePosixPath

import pytest

from nature_gym.errors import UsageError
from nature_gym.sandbox.choosing import back_end
from nature_gym.sandbox.interface import Box, Ended, Limits, Mount, Outcome, Sandbox


@pytest.fixture(params=["bubblewrap"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    chosen = back_end(request.param)
    if reason := chosen.missing():
        pytest.skip(f"{chosen.name}: {reason}")
    return chosen


def shell(sandbox: Sandbox, script: str, *mounts: Mount, **limits: float) -> Outcome:
    box = Box(mounts=mounts, limits=Limits(**{"seconds": 30, **limits}))  # type: ignore[arg-type]
    return sandbox.run(box, ["sh", "-c", script])


def test_a_mount_can_be_read_and_not_written(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("given")
    outcome = shell(sandbox, "cat /task/given; echo x > /task/given", Mount(tmp_path, PurePosixPath("/task")))
    assert (outcome.stdout.text, outcome.well, (tmp_path / "given").read_text()) == ("given", False, "given")


def test_what_is_written_to_a_writable_mount_is_ours_afterwards(sandbox: Sandbox, tmp_path: Path) -> None:
    mount = Mount(tmp_path, PurePosixPath("/workspace"), writable=True)
    assert shell(sandbox, "mkdir a; echo made > a/b", mount).well
    assert (tmp_path / "a" / "b").read_text() == "made\n"
    assert (tmp_path / "a" / "b").stat().st_uid == tmp_path.stat().st_uid


@pytest.mark.parametrize("code", [0, 1, 77, 127])
def test_the_exit_code_is_told(sandbox: Sandbox, code: int) -> None:
    outcome = shell(sandbox, f"exit {code}")
    assert (outcome.ended, outcome.code) == (Ended.EXITED, code)


def test_a_signal_is_told(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "kill -SEGV $$")
    assert (outcome.ended, outcome.code) == (Ended.SIGNALLED, 139)


def test_a_program_that_is_not_there_ends_with_127(sandbox: Sandbox) -> None:
    assert sandbox.run(Box(), ["no-such-program"]).code == 127


def test_time_is_bounded(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "sleep 60", seconds=0.5)
    assert (outcome.ended, outcome.code) == (Ended.TIMED_OUT, 137)
    assert 0.5 <= outcome.seconds < 10


def test_a_mount_that_is_not_there_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be mounted"):
        shell(sandbox, "true", Mount(tmp_path / "none", PurePosixPath("/task")))
