"""Only what the infrastructure failed is tried again."""

from __future__ import annotations

import pytest

from flows.retrying import may_pass, tried_again
from nature_gym.errors import FindingsError, InfrastructureError, NatureGymError, PaperError, UsageError
from nature_gym.web.hosts import ComeBackLaterError


class Work:
    """Raises what it is given, one after the other, and then succeeds."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def test_a_fault_of_the_infrastructure_is_tried_again_and_said(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(InfrastructureError("the disk is full"), InfrastructureError("the disk is full"))
    assert tried_again("read", work, [0.0, 0.0]) == "done"
    assert work.calls == 3
    assert caplog.messages == ["read failed and is tried again in 0 s: the disk is full"] * 2


def test_the_last_failure_is_raised() -> None:
    work = Work(*(InfrastructureError("down") for _ in range(3)))
    with pytest.raises(InfrastructureError, match="down"):
        tried_again("read", work, [0.0, 0.0])
    assert work.calls == 3


@pytest.mark.parametrize(
    "error",
    [
        UsageError("no such paper"),
        PaperError("truncated"),
        FindingsError("a check fails"),
        NatureGymError("a defect"),
        ValueError("a defect"),
        ComeBackLaterError("example.org", 9000, 120),
    ],
)
def test_nothing_else_is(error: Exception) -> None:
    assert not may_pass(error)
    work = Work(error)
    with pytest.raises(type(error)):
        tried_again("read", work, [0.0, 0.0])
    assert work.calls == 1
