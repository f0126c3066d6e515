"""The size that a screening records: from what was seen of the links so far, and from the text."""

from __future__ import annotations

from nature_gym.screening.cascade import screen
from nature_gym.screening.deciders import Answer, Case
from nature_gym.screening.decisions import Decision
from nature_gym.screening.record import screening_of
from nature_gym.screening.task_size import data_links, estimate_of, task_size
from tests.unit.screening.papers import case, manuscript, probe, record

LINK = "https://zenodo.org/records/12345"
STATEMENT = f"All data are available at {LINK}."


class Passing:
    """Passes every rule, up to one."""

    name = "rules"

    def __init__(self, rejected: str = "") -> None:
        self.rejected = rejected

    def version(self, rule: str) -> str:
        return "1"

    def decide(self, rule: str, case: Case) -> Answer:
        verdict, code = ("reject", "anything") if rule == self.rejected else ("pass", None)
        return Answer(
            Decision(rule=rule, verdict=verdict, code=code, reason="as told", decider="rules", version="1")  # type: ignore[arg-type]
        )


def test_a_record_is_estimated_from_its_files_with_the_numbers_behind_it() -> None:
    seen = record(LINK, [("train.csv.gz", 1_000_000), ("test.csv", 500_000)])
    one = case(manuscript(data=STATEMENT), {LINK: seen})
    one.probe(data_links(one))
    size = task_size(one)
    assert (size.size_bytes, size.tier, size.confidence) == (3_500_000, "S", "medium")
    assert (size.links, size.by_header, size.by_api) == (1, 0, 1)
    assert {(part.name, part.stored_bytes, part.unpacked_factor) for part in size.parts} == {
        ("train.csv.gz", 1_000_000, 3),
        ("test.csv", 500_000, 1),
    }


def test_links_are_not_looked_at_for_the_estimate_alone() -> None:
    one = case(manuscript(data=STATEMENT), {LINK: record(LINK, [("a.csv", 5)])})
    assert data_links(one) == (LINK,)
    assert estimate_of(one).size is None
    assert one.probes == {}


def test_what_the_text_states_counts_where_nothing_was_seen() -> None:
    one = case(manuscript(data=f"The data set (2.5 GB) is available at {LINK}."))
    size = task_size(one)
    assert (size.size_bytes, size.tier, size.confidence) == (2_500_000_000, "M", "low")


def test_a_screening_tells_the_size_where_the_paper_came_that_far_and_only_there() -> None:
    seen = {LINK: probe(LINK, size_bytes=70, size_source="content_length", media_type="text/csv")}
    far, near = case(manuscript(data=STATEMENT), seen), case(manuscript(data=STATEMENT), seen)
    far.probe([LINK])
    told = screening_of(far, screen(far, lambda _: Passing())).size
    assert told is not None
    assert (told.size_bytes, told.confidence) == (70, "high")
    assert screening_of(near, screen(near, lambda _: Passing("2.1"))).size is None
