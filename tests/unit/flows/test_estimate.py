"""A dry run says what waits, what is to come, and what its figures rest on; it changes nothing."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from flows.estimate import FETCH_REQUESTS, StepEstimate, estimate
from flows.steps import STEPS, Step, steps_until
from nature_gym.config import Settings, load_settings
from nature_gym.errors import UsageError
from nature_gym.harvest.corpus import Checkpoint, checkpoint_path
from nature_gym.harvest.query import queries
from nature_gym.harvest.stage import WORK
from nature_gym.harvest.venues import VenueList, load_venues
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome, carry_out

DAY = dt.datetime(2026, 1, 10, tzinfo=dt.UTC)


@pytest.fixture
def settings(naturegym_home: Path) -> Settings:
    return load_settings()


@pytest.fixture
def venues() -> VenueList:
    return load_venues("nature-family")


class Made:
    """A stage that publishes what a test says, in place of the stage of that name."""

    def __init__(self, name: str, verdict: str = "done", **facts: int) -> None:
        self.name, self.rules, self.verdict, self.facts = name, "1", verdict, facts

    def inputs(self, paper: PaperFolder) -> str:
        return "any"

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        if self.name == "harvest":
            (draft / WORK).write_text(Work(id=paper.id).model_dump_json())
        if self.name == "fetch":
            (draft / "article.html").write_text("<html></html>")
        return Outcome(self.verdict, facts=dict(self.facts))


class Ticking:
    """A clock that moves by so many seconds each time it is looked at."""

    def __init__(self, seconds: float) -> None:
        self.now, self.step = DAY, dt.timedelta(seconds=seconds)

    def __call__(self) -> dt.datetime:
        self.now += self.step
        return self.now


def told(settings: Settings, venues: VenueList, until: Step, only: list[str] | None = None) -> dict[str, StepEstimate]:
    return {one.step: one for one in estimate(settings, venues, until, only, today=DAY)}


def test_an_empty_home_is_estimated_by_assumptions_that_are_named(settings: Settings, venues: VenueList) -> None:
    found = told(settings, venues, "sweep")
    assert list(found) == list(STEPS)
    works = found["harvest"].coming
    assert 4_500 < works < 7_000, "ten journals and four years: about 5,500"
    assert found["fetch"].coming == works
    assert found["fetch"].requests == works * FETCH_REQUESTS
    assert found["fetch"].hours >= found["fetch"].requests / 3600 / settings.requests_per_second * 0.99
    assert 150 < found["acquire"].coming < 260, "200 of 5,500 pass"
    assert found["acquire"].bytes <= settings.byte_budget
    assert all("assumed" in found[step].basis for step in ("harvest", "fetch", "read", "screen", "acquire", "cut"))
    assert found["screen"].tokens == 0
    assert not settings.papers.exists()


def test_records_of_the_home_take_the_place_of_assumptions(settings: Settings, venues: VenueList) -> None:
    papers = Papers(settings.papers)
    for number in range(4):
        folder = papers[f"10.1_{number}"]
        carry_out(Made("harvest"), folder)
        if number < 2:
            carry_out(Made("fetch", files=3, bytes=1000), folder, clock=Ticking(7))
    found = told(settings, venues, "read")
    fetch = found["fetch"]
    assert "7 s a paper in 2 records" in fetch.basis
    assert fetch.requests == (fetch.stale + fetch.coming) * 3
    assert fetch.bytes == (fetch.stale + fetch.coming) * 1000
    assert found["read"].stale == 2


def test_a_harvest_that_was_done_is_asked_for_what_changed_since(settings: Settings, venues: VenueList) -> None:
    for query in queries(venues, venues.first, venues.last):
        path = checkpoint_path(settings, query)
        path.parent.mkdir(parents=True, exist_ok=True)
        standing = Checkpoint(
            query=query.as_json(), passes=(query.as_json(),), total=10, started=DAY, finished=DAY
        )  # fmt: skip
        path.write_text(standing.model_dump_json())
    found = told(settings, venues, "harvest")["harvest"]
    assert (found.coming, found.requests) == (0, 2 * found.stale)
    assert "since the last harvest" in found.basis


def test_models_are_counted_where_they_decide(settings: Settings, venues: VenueList) -> None:
    asked = load_settings(decider="llm")
    found = told(asked, venues, "screen")["screen"]
    assert 0 < found.tokens <= asked.token_budget
    assert "token_budget" in found.basis


def test_one_paper_leaves_the_harvest_out(settings: Settings, venues: VenueList) -> None:
    papers = Papers(settings.papers)
    for paper in ("10.1_a", "10.1_b"):
        carry_out(Made("harvest"), papers[paper])
        carry_out(Made("fetch"), papers[paper])
    found = told(settings, venues, "read", ["10.1_a"])
    assert "harvest" not in found
    assert (found["fetch"].stale, found["fetch"].coming, found["read"].stale) == (1, 0, 1)
    with pytest.raises(UsageError, match="no paper"):
        told(settings, venues, "read", ["10.1_z"])


def test_a_step_that_there_is_not_is_told() -> None:
    assert steps_until("fetch") == ("harvest", "fetch")
    with pytest.raises(UsageError, match="no step"):
        steps_until("nonsense")  # type: ignore[arg-type]
