"""A corpus of any size: shares as published, names that nobody else has, and words that agree with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nature_gym.demo.corpus import LATER, corpus
from nature_gym.demo.model import Entry, World
from nature_gym.demo.tasks import specification, task_id
from nature_gym.demo.typesetting.openalex import work
from nature_gym.demo.world import world_of
from nature_gym.errors import NatureGymError, UsageError


@pytest.fixture(scope="module")
def world() -> World:
    return corpus(700)


@pytest.fixture(scope="module")
def retold(world: World) -> list[tuple[Entry, Entry]]:
    """Each retold paper beside the one that it retells."""
    by_id = {entry.paper.id: entry for entry in world.entries}
    return [(by_id[entry.retells], entry) for entry in world.entries if entry.retells]


def passing(entries: tuple[Entry, ...]) -> int:
    return sum(entry.truth.verdict == "passed" for entry in entries)


def test_as_many_pass_as_of_the_published_corpus(world: World) -> None:
    assert len(world.entries) == 700
    assert passing(world.entries) == round(700 * 200 / 5500) == 25


def test_a_larger_corpus_holds_the_smaller_one(world: World) -> None:
    larger = {entry.paper.id: entry for entry in corpus(800).entries}
    assert all(larger[entry.paper.id].truth == entry.truth for entry in world.entries)


def test_a_corpus_smaller_than_its_detailed_papers_is_refused() -> None:
    with pytest.raises(UsageError, match="too small"):
        corpus(20)


def test_papers_that_came_later_are_more_of_the_same_and_openalex_says_when(world: World) -> None:
    grown = corpus(700, later=10)
    before = {entry.paper.id for entry in world.entries}
    late = tuple(entry for entry in grown.entries if entry.paper.id not in before)
    assert len(late) == len(grown.entries) - 700 == 10
    assert passing(late) == 1
    newest = max(work(entry.paper)["updated_date"] for entry in world.entries)
    for entry in late:
        assert work(entry.paper)["updated_date"][:10] == LATER.isoformat() > newest


def test_a_retold_paper_names_its_own_repository_and_deposit_and_never_the_first_ones(
    retold: list[tuple[Entry, Entry]],
) -> None:
    assert len(retold) == 15
    for first, entry in retold:
        for old, new in zip(first.repositories, entry.repositories, strict=True):
            assert old.url not in repr(entry)
            assert new.url in repr(entry.paper)
        for old_deposit, new_deposit in zip(first.deposits, entry.deposits, strict=True):
            assert old_deposit.number != new_deposit.number
            assert old_deposit.number not in _words(repr(entry.paper))
        assert first.paper.suffix not in repr(entry.paper)


def test_a_retold_paper_has_the_words_and_the_data_of_the_first(retold: list[tuple[Entry, Entry]]) -> None:
    for first, entry in retold:
        assert entry.paper.abstract == first.paper.abstract
        told, was = entry.truth.task, first.truth.task
        assert told is not None
        assert was is not None
        assert (told.method, told.metrics) == (was.method, was.metrics)
        assert [(one.name, one.sota) for one in told.settings] == [(one.name, one.sota) for one in was.settings]
        for old, new in zip(first.deposits, entry.deposits, strict=True):
            assert [file.name for file in old.files] == [file.name for file in new.files]
            assert [file.read() for file in old.files if b"\0" in file.read()] == [
                file.read() for file in new.files if b"\0" in file.read()
            ]


def test_quotes_of_a_retold_papers_truth_stand_in_its_text(retold: list[tuple[Entry, Entry]]) -> None:
    for first, entry in retold:
        for old, new in zip(first.truth.rules, entry.truth.rules, strict=True):
            # What decides is said in the same words, but for names that the text has, too.
            assert len(old.quote.split()) == len(new.quote.split())
            assert (old.quote == new.quote) == (new.quote in repr(first.truth.rules))


def test_a_retold_papers_task_is_the_first_ones_under_another_id(retold: list[tuple[Entry, Entry]]) -> None:
    for first, entry in retold:
        told, was = specification(entry), specification(first)
        assert told["id"] == task_id(entry) != was["id"]
        assert told["paper"]["repositories"] == [entry.repositories[0].url]
        assert told["instances"] == was["instances"]


def test_two_entries_with_one_repository_are_refused(world: World) -> None:
    entry = world.entries[0]
    other = replace(entry, paper=replace(entry.paper, suffix="s1", openalex_id="W1", pmcid=None))
    with pytest.raises(NatureGymError, match="github"):
        world_of(0, (entry, other))


def _words(text: str) -> set[str]:
    return set(text.replace("/", " ").replace(".", " ").replace("]", " ").replace(")", " ").split())
