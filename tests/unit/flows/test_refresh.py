"""What a refresh makes of a step that failed, and how it tells what came of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows import refresh
from flows.launch import current_launch
from flows.read import read
from flows.refresh_told import Spent, Told, budget_table, links, step_table
from nature_gym.config import Settings, load_settings
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.web.hosts import ComeBackLaterError


class Counting:
    """The part of a session that keeps counts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.counts: Counter[str] = Counter()

    def count(self, counts: Mapping[str, int]) -> None:
        self.counts = Counter(counts)


@pytest.fixture
def work(naturegym_home: Path) -> Any:
    session: Any = Counting(load_settings())
    return refresh._Refresh(session, "nature-family", None, [], 1.0, [0.0, 0.0])


def carried_out(
    monkeypatch: pytest.MonkeyPatch, work: Any, step: str, outcomes: Iterable[BaseException | dict[str, int]]
) -> int:
    """Run a step whose attempts come to ``outcomes``; how many attempts were made."""
    left, attempts = iter(outcomes), 0

    def once(_flow: Any, _parameters: Any, _settings: Settings, told: Told) -> BaseException | None:
        nonlocal attempts
        attempts += 1
        outcome = next(left)
        if isinstance(outcome, BaseException):
            return outcome
        told.counts = outcome
        return None

    monkeypatch.setattr(refresh, "_once", once)
    refresh._run(work, step, read, {})
    return attempts


DOWN = InfrastructureError("the database is down")


def test_a_step_that_the_infrastructure_failed_is_tried_again(monkeypatch: pytest.MonkeyPatch, work: Any) -> None:
    assert carried_out(monkeypatch, work, "read", [DOWN, {"done": 3}]) == 2
    assert work.error is None
    assert work.session.counts == {"read done": 3}
    state = refresh._concluded(work)
    assert (state.is_completed(), state.message) == (True, "read 3 done")


def test_the_steps_after_one_that_stays_broken_go_on_and_the_first_failure_is_kept(
    monkeypatch: pytest.MonkeyPatch, work: Any
) -> None:
    assert carried_out(monkeypatch, work, "fetch", [DOWN, DOWN, DOWN]) == 3
    assert carried_out(monkeypatch, work, "read", [{"current": 5}]) == 1
    assert work.error is DOWN
    assert [one.failed for one in work.told] == ["the database is down", ""]
    assert carried_out(monkeypatch, work, "screen", [InfrastructureError("again")]) == 1, "the waits are used up"
    assert work.error is DOWN


def test_a_host_that_wants_to_be_left_alone_is_not_asked_again(monkeypatch: pytest.MonkeyPatch, work: Any) -> None:
    assert carried_out(monkeypatch, work, "fetch", [ComeBackLaterError("example.org", 9000, 120)]) == 1
    assert work.error is not None


class Unreachable:
    """A flow whose beginning cannot be told to Prefect, so many times."""

    def __init__(self, times: int) -> None:
        self.left, self.begun = times, 0

    def with_options(self, **_: Any) -> Unreachable:
        return self

    def __call__(self, **_: Any) -> Any:
        self.begun += 1
        if self.left:
            self.left -= 1
            raise httpx.ConnectError("refused")
        current_launch().error = DOWN  # it ran, and says what came of it


@pytest.mark.parametrize(("times", "begun", "told"), [(2, 3, "the database is down"), (9, 4, "stopped answering")])
def test_a_server_that_died_between_steps_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, work: Any, times: int, begun: int, told: str
) -> None:
    monkeypatch.setattr(refresh, "wait_until_healthy", lambda *_, **__: True)
    step: Any = Unreachable(times)
    error = refresh._once(step, {}, work.settings, Told("read"))
    assert isinstance(error, InfrastructureError)
    assert told in error.message
    assert step.begun == begun


def test_what_is_no_trouble_of_the_infrastructure_ends_the_refresh(monkeypatch: pytest.MonkeyPatch, work: Any) -> None:
    with pytest.raises(UsageError, match="no such list"):
        carried_out(monkeypatch, work, "harvest", [UsageError("no such list")])


def test_a_paper_that_failed_by_our_fault_fails_the_run_and_a_rejected_one_does_not(
    monkeypatch: pytest.MonkeyPatch, work: Any
) -> None:
    carried_out(monkeypatch, work, "screen", [{"done": 2, "failed": 1}])
    assert refresh._concluded(work).is_completed()
    carried_out(monkeypatch, work, "acquire", [{"done": 1, "error": 1}])
    state = refresh._concluded(work)
    assert state.is_failed()
    assert state.message == "screen 2 done, 1 failed; acquire 1 done, 1 error"


def test_the_step_table_has_a_line_a_step_and_breaks_at_nothing_that_a_host_said() -> None:
    told = [
        Told("read", {"done": 1_200, "current": 3}, 12.34, "20260101-read", "abc"),
        Told("acquire", {}, 1.0, "", None, "said | <b>[x](y)</b>"),
        Told("cut"),
    ]
    lines = step_table(told).splitlines()[2:]
    assert lines[0] == "| read | 1,200 done, 3 current | 12.3 | [20260101-read](/runs/flow-run/abc) |"
    assert lines[1].count("|") == 5
    assert "<b>" not in lines[1]
    assert lines[2] == "| cut | nothing to do | 0.0 |  |"


def test_budgets_stand_beside_what_was_taken(naturegym_home: Path) -> None:
    settings = load_settings(byte_budget=1000, cost_budget=2.0, token_budget=100)
    table = budget_table(Spent(bytes=250, tokens=1, cost=0.5), settings)
    assert "| bytes | 250 | 1,000 | 25.0% |" in table
    assert "| tokens | 1 | 100 | 1.0% |" in table
    assert "| US dollars | 0.5000 | 2.00 | 25.0% |" in table


def test_links_lead_to_the_records(naturegym_home: Path) -> None:
    text = links(load_settings(), "20260101-refresh")
    assert f"({(naturegym_home / 'papers').as_uri()})" in text
    assert "20260101-refresh/run.json)" in text
    assert "(/artifacts/key/funnel)" in text
