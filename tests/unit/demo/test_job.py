"""The demo's steps on a machine with other things to do: what is late is taken again, what is lost is told."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.job import bring_through
from nature_gym.errors import InfrastructureError
from nature_gym.records import PaperFolder
from nature_gym.stages import Outcome

PAPERS = [f"10.5555_s41467-022-3000{number}-4" for number in range(4)]


@dataclass
class Busy:
    """A stage that comes to these outcomes, one after the other, for each paper."""

    outcomes: list[Outcome | Exception]
    name: str = "acquire"
    rules: str = "1"
    worked: dict[str, int] = field(default_factory=dict)

    def inputs(self, paper: PaperFolder) -> Any:
        return paper.id

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        (draft / "found").write_text(paper.id)
        turn = self.worked.get(paper.id, 0)
        self.worked[paper.id] = turn + 1
        outcome = self.outcomes[min(turn, len(self.outcomes) - 1)]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path, database_url="")


@pytest.mark.parametrize("late", [InfrastructureError("late"), Outcome("incomplete", "a file came too late")])
def test_a_paper_that_was_late_is_taken_again(settings: Settings, late: Outcome | Exception) -> None:
    stage = Busy([late, Outcome("acquired")])
    lost: list[str] = []
    counts = bring_through(settings, stage, PAPERS, lost, lambda *_: None)
    assert counts == {"done": 4}
    assert stage.worked == dict.fromkeys(PAPERS, 2)
    assert lost == []


def test_a_paper_that_is_lost_is_told_with_its_step_and_why(settings: Settings) -> None:
    lost: list[str] = []
    stage = Busy([InfrastructureError("the disk is full")])
    counts = bring_through(settings, stage, PAPERS[:1], lost, lambda *_: None)
    assert counts == {"error": 1}
    assert lost == [f"acquire {PAPERS[0]}: the disk is full"]


def test_a_second_run_takes_what_was_incomplete_and_nothing_else(settings: Settings) -> None:
    stage = Busy([Outcome("incomplete"), Outcome("incomplete"), Outcome("acquired")])
    lost: list[str] = []
    bring_through(settings, stage, PAPERS[:1], lost, lambda *_: None)
    assert len(lost) == 1
    lost.clear()
    bring_through(settings, stage, PAPERS[:1], lost, lambda *_: None)
    assert lost == []
    assert bring_through(settings, stage, PAPERS[:1], lost, lambda *_: None) == {"current": 1}
    assert stage.worked[PAPERS[0]] == 3


def test_a_verdict_that_a_step_may_come_to_is_no_loss(settings: Settings) -> None:
    stage = Busy([Outcome("rejected", "a bench study")], name="screen")
    lost: list[str] = []
    assert bring_through(settings, stage, PAPERS, lost, lambda *_: None) == {"done": 4}
    assert stage.worked == dict.fromkeys(PAPERS, 1)
    assert lost == []
