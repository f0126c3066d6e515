from __future__ import annotations

import dataclasses
import datetime as dt
import random
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from nature_gym.config import Settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import write_json
from nature_gym.harvest.corpus import (
    Checkpoint,
    checkpoint_path,
    checkpoints,
    counts_in_all,
    counts_of_run,
    harvest,
    harvest_corpus,
    read_checkpoint,
)
from nature_gym.harvest.intake import Intake
from nature_gym.harvest.openalex import LostCursorError
from nature_gym.harvest.query import Query, queries
from nature_gym.harvest.stage import known_work
from nature_gym.harvest.venues import load_venues
from nature_gym.records import Papers
from nature_gym.web.hosts import ComeBackLaterError
from tests.faults import killed_after
from tests.unit.demo.miniweb.small_world import paper
from tests.unit.harvest.conftest import QUERY, Outside


def harvested(outside: Outside, query: Query = QUERY, *, full: bool = False) -> tuple[dict[str, int], list[str]]:
    """One harvest: its counts, and the questions that were asked."""
    with outside.open() as (settings, web):
        checkpoint = harvest(settings, query, full=full)
        assert checkpoint.finished
        return checkpoint.counts, questions(web)


def questions(web: MiniWeb) -> list[str]:
    return [unquote(f"{seen.path}?{seen.query}") for seen in web.log.entries("api.openalex.org")]


def verdicts(settings_or_home: Settings) -> dict[str, str]:
    records = {folder.id: folder.record("harvest") for folder in Papers(settings_or_home.papers)}
    return {paper: record.verdict for paper, record in records.items() if record}


def test_all_works_of_a_query_are_taken_in_and_again_at_hardly_any_cost(outside: Outside) -> None:
    outside.papers.append(paper(41, openalex_type="editorial"))
    counts, asked = harvested(outside)
    assert counts == {"new": 40, "filtered_by_type": 1}
    assert len(asked) == 2
    assert "is_retracted:false" in asked[0]
    assert "type:article" in asked[0]
    counts, asked = harvested(outside)
    assert set(counts) <= {"unchanged", "filtered_by_type"}
    assert len(asked) == 2
    updates = [question for question in asked if "from_updated_date:2025-11-01" in question]
    assert len(updates) == 1, "two days before the newest update that was seen; and the number is asked meanwhile"


def test_a_refresh_finds_what_is_new_changed_retracted_and_of_another_type(outside: Outside) -> None:
    harvested(outside)
    outside.papers.append(paper(50))
    outside.change(50)
    outside.change(1, cited_by_count=99)
    outside.change(2, is_retracted=True)
    outside.change(3, type="editorial")
    outside.papers.append(paper(51, openalex_type="editorial"))
    outside.change(51)
    outside.papers.append(paper(52))
    outside.change(52, is_retracted=True)
    counts, asked = harvested(outside)
    assert len(asked) == 2
    wanted = {"new": 1, "updated": 2, "withdrawn": 1, "filtered_by_type": 1, "retracted": 1}
    assert {kind: count for kind, count in counts.items() if kind != "unchanged"} == wanted
    with outside.open() as (settings, _):
        folders = Papers(settings.papers)
        assert verdicts(settings)[paper(2).id] == "withdrawn"
        three = known_work(folders[paper(3).id])
        assert three is not None
        assert three.article_type == "editorial"
        assert not folders[paper(51).id].exists()
        assert not folders[paper(52).id].exists()


def test_works_that_slip_in_with_old_dates_are_noticed_by_their_number_and_all_is_paged(outside: Outside) -> None:
    harvested(outside)
    outside.papers += [paper(number) for number in range(60, 70)]
    outside.edition.changes = {paper(number).openalex_id: {"updated_date": "2024-01-01"} for number in range(60, 70)}
    counts, _ = harvested(outside)
    assert counts["new"] == 10
    _, asked = harvested(outside)
    assert len(asked) == 2, "and then it is at rest again"


def test_a_plan_without_updates_is_asked_for_what_was_published_lately(outside: Outside) -> None:
    outside.behaviour = Behaviour(updated_filter=False)
    harvested(outside)
    newest = max(one.published for one in outside.papers)
    outside.papers.append(paper(70, published=newest))
    outside.change(5, is_retracted=True)  # published long ago: only the number of works tells
    with outside.open() as (settings, web):
        checkpoint = harvest(settings, QUERY)
        assert checkpoint.counts["new"] == 1
        assert checkpoint.counts["withdrawn"] == 1
        assert any("plan" in note for note in checkpoint.notes)
        assert any("from_publication_date:2024-0" in question for question in questions(web))


def test_a_full_harvest_looks_up_works_that_are_met_no_more(outside: Outside) -> None:
    nameless = paper(3, indexing=dataclasses.replace(paper(3).indexing, knows_doi=False))
    outside.papers[3] = nameless
    outside.change(3, doi=None)
    harvested(outside)
    with outside.open() as (settings, _):
        assert Papers(settings.papers)[nameless.openalex_id].exists()
    # Two works vanish: one is gone, one became part of another.
    gone = outside.papers.pop(7)
    merged = outside.papers.pop(3)
    into = paper(8, indexing=dataclasses.replace(paper(8).indexing, former_ids=(merged.openalex_id,)))
    outside.papers[outside.papers.index(paper(8))] = into
    counts, _ = harvested(outside)
    assert counts["withdrawn"] == 1
    assert counts["merged"] == 1
    with outside.open() as (settings, _):
        now = verdicts(settings)
        assert now[gone.id] == "withdrawn"
        assert now[merged.openalex_id] == "merged"
        assert now[into.id] == "done"
        record = Papers(settings.papers)[merged.openalex_id].record("harvest")
        assert record is not None
        assert into.id in record.reason


def test_a_work_that_gets_its_doi_later_moves_from_its_folder(outside: Outside) -> None:
    outside.change(3, doi=None)
    harvested(outside)
    with outside.open() as (settings, _):
        former = Papers(settings.papers)["W4000000003"]
        assert former.exists()
        (former.path / "kept").write_text("by a person")
    outside.change(3, doi=f"https://doi.org/{paper(3).doi}", updated_date="2026-02-01")
    counts, _ = harvested(outside)
    assert counts.get("new", 0) == 0
    assert counts["updated"] == 1
    with outside.open() as (settings, _):
        folders = Papers(settings.papers)
        assert not folders["W4000000003"].exists()
        assert (folders[paper(3).id].path / "kept").exists()
        record = folders[paper(3).id].record("harvest")
        assert record is not None
        assert record.paper == paper(3).id


def test_two_records_of_one_doi_do_not_take_turns(outside: Outside) -> None:
    outside.change(4, doi=f"https://doi.org/{paper(3).doi}")
    counts, _ = harvested(outside)
    assert counts["new"] == 39
    for _ in range(2):
        counts, _ = harvested(outside, full=True)
        assert set(counts) <= {"unchanged", "duplicate", "filtered_by_type"}
        assert counts["duplicate"] == 1


def test_smaller_pages_than_asked_for_are_paged_to_the_end(outside: Outside) -> None:
    outside.behaviour = Behaviour(page_cap=7)
    with outside.open() as (settings, web):
        checkpoint = harvest(settings, QUERY)
        assert (checkpoint.counts["new"], checkpoint.per_page, checkpoint.expected) == (40, 7, 40)
        assert sum("cursor" in question for question in questions(web)) == 6
        assert "per-page=7" in questions(web)[1]


def test_progress_and_changes_are_told_page_by_page(outside: Outside) -> None:
    outside.behaviour = Behaviour(page_cap=16)
    told: list[tuple[int, int, int]] = []

    def tell(checkpoint: Checkpoint, changed: list[str]) -> None:
        told.append((checkpoint.seen, checkpoint.expected, len(changed)))

    with outside.open() as (settings, _):
        harvest(settings, QUERY, on_page=tell)
    assert told == [(16, 40, 16), (32, 40, 16), (40, 40, 8), (40, 40, 0)]


def test_a_used_up_budget_stops_and_the_harvest_goes_on_at_the_same_cursor(outside: Outside) -> None:
    outside.behaviour = Behaviour(page_cap=10, budgets={"api.openalex.org": 2})
    with outside.open() as (settings, web):
        with pytest.raises(ComeBackLaterError, match=r"api\.openalex\.org") as caught:
            harvest(settings, QUERY)
        assert "again after 20" in caught.value.hint
        assert len(questions(web)) == 2, "what the budget does not cover is not even asked"
        stopped = read_checkpoint(settings, QUERY)
        assert stopped is not None
        assert stopped.seen == 20
        assert stopped.budget["remaining"] == 0
    outside.behaviour = Behaviour(page_cap=10)
    counts, asked = harvested(outside)
    assert counts["new"] == 40
    assert stopped.cursor in asked[0]


def test_a_cursor_that_is_forgotten_starts_over(outside: Outside) -> None:
    outside.behaviour = Behaviour(page_cap=10, budgets={"api.openalex.org": 2})
    with outside.open() as (settings, _):
        with pytest.raises(ComeBackLaterError):
            harvest(settings, QUERY)
        stopped = read_checkpoint(settings, QUERY)
        assert stopped is not None
        write_json(
            checkpoint_path(settings, QUERY),
            stopped.model_copy(update={"cursor": "bm9uc2Vuc2U="}).model_dump(mode="json"),
        )
    outside.behaviour = Behaviour(page_cap=10)
    counts, _ = harvested(outside)
    assert counts == {"new": 40}, "what it had recorded already is counted as what it was then"


def test_cursors_that_are_always_forgotten_are_an_error(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    outside.behaviour = Behaviour(page_cap=10)
    monkeypatch.setattr("nature_gym.demo.miniweb.works.Works.cursor_after", lambda *_: "bm9uc2Vuc2U=")
    with outside.open() as (settings, _), pytest.raises(LostCursorError):
        harvest(settings, QUERY)


@pytest.mark.parametrize("fault", ["error", "unavailable", "truncated", "garbled"])
def test_troubles_that_pass_leave_no_trace(outside: Outside, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    outside.behaviour = Behaviour(page_cap=10, faults={"*": {fault: 1.0}}, faults_in_a_row=2)
    counts, _ = harvested(outside)
    assert counts["new"] == 40


@pytest.mark.parametrize("fault", ["error", "truncated", "garbled"])
def test_troubles_that_stay_are_named_with_the_host(
    outside: Outside, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    outside.behaviour = Behaviour(faults={"*": {fault: 1.0}})
    with outside.open() as (settings, web):
        with pytest.raises(InfrastructureError, match=r"(?i)openalex") as caught:
            harvest(settings, QUERY)
        assert caught.value.hint
        assert len(questions(web)) == 5


def test_a_missing_or_wrong_key_says_which_setting_to_set(outside: Outside) -> None:
    outside.behaviour = Behaviour(api_keys=frozenset({"good"}))
    with outside.open() as (settings, _):
        for key in ("", "bad"):
            with pytest.raises(InfrastructureError) as caught:
                harvest(settings.model_copy(update={"openalex_key": key}), QUERY)
            assert "NATUREGYM_OPENALEX_KEY" in caught.value.hint
        assert harvest(settings.model_copy(update={"openalex_key": "good"}), QUERY).counts["new"] == 40


def test_a_corpus_that_was_removed_is_harvested_anew(outside: Outside) -> None:
    harvested(outside)
    with outside.open() as (settings, _):
        import shutil

        shutil.rmtree(settings.papers)
    assert harvested(outside)[0]["new"] == 40


def state(settings: Settings) -> dict[str, Any]:
    """What the harvest left, times and names of versions apart."""
    left = {}
    for folder in Papers(settings.papers):
        record = folder.record("harvest")
        assert record is not None
        left[folder.id] = (record.verdict, record.outputs, folder.errors())
    return left


def test_killed_twenty_times_it_ends_like_an_undisturbed_one(outside: Outside, tmp_path: Path) -> None:
    outside.papers = outside.papers[:16]
    outside.change(11, is_retracted=True)
    outside.papers[12] = paper(12, openalex_type="editorial")
    outside.behaviour = Behaviour(page_cap=1)
    with outside.open() as (settings, web):
        calm, rough = (settings.model_copy(update={"home": tmp_path / name}) for name in ("calm", "rough"))
        undisturbed = harvest(calm, QUERY)
        pages = len(questions(web))
        chance = random.Random(7)
        kills = sum(killed_after(chance.randrange(1, 8_000), lambda: harvest(rough, QUERY)) for _ in range(20))
        assert kills == 20
        stopped = read_checkpoint(rough, QUERY)
        assert stopped is not None
        assert 3 < stopped.seen < 16
        disturbed = harvest(rough, QUERY)
        assert disturbed.finished
        assert (disturbed.counts, disturbed.seen) == (undisturbed.counts, undisturbed.seen)
        assert state(rough) == state(calm)
        again = len(questions(web)) - 2 * pages
        assert again <= 2 * kills, "at most the page that was under way and the one ahead are asked for again"


def test_a_run_that_goes_on_counts_what_it_did_itself_and_what_stands_in_all(outside: Outside) -> None:
    outside.behaviour = Behaviour(page_cap=7)

    def stop(checkpoint: Checkpoint, _: list[str]) -> None:
        if checkpoint.seen >= 14:
            raise KeyboardInterrupt

    with outside.open() as (settings, _):
        with pytest.raises(KeyboardInterrupt):
            harvest(settings, QUERY, on_page=stop)
        first = read_checkpoint(settings, QUERY)
        assert first is not None
        assert (first.counts, first.this_run) == ({"new": 14}, {"new": 14})
        second = harvest(settings, QUERY)
        assert (second.counts, second.this_run) == ({"new": 40}, {"new": 26})
        assert counts_of_run([second, first]) == {"new": 40}
        assert counts_in_all([second]) == {"new": 40}
        third = harvest(settings, QUERY)
        assert third.this_run == third.counts
        assert "new" not in third.this_run


def test_days_of_which_the_last_comes_first_are_refused_before_anybody_is_asked(outside: Outside) -> None:
    venues = load_venues("nature-family")
    with outside.open() as (settings, web):
        with pytest.raises(UsageError, match="2025-01-01"):
            harvest_corpus(settings, venues, dt.date(2025, 1, 1), dt.date(2024, 1, 1))
        assert questions(web) == []
        assert not settings.home.exists()


@pytest.mark.parametrize("dead_at", ["before any work is published", "in the midst of a page", "before it is counted"])
def test_a_first_harvest_that_dies_counts_in_the_end_what_an_undisturbed_one_does(
    outside: Outside, dead_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside.change(3, is_retracted=True)
    outside.behaviour = Behaviour(page_cap=10)
    takes = []

    def dying(self: Intake, records: Any, **options: Any) -> Any:
        takes.append(len(records))
        if len(takes) == 1 and dead_at.startswith("before any"):
            raise KeyboardInterrupt
        taken = take(self, records[:4] if "midst" in dead_at else records, **options)
        if len(takes) == 1:
            raise KeyboardInterrupt
        return taken

    take = Intake.take
    with monkeypatch.context() as patched, outside.open() as (settings, _):
        patched.setattr(Intake, "take", dying)
        with pytest.raises(KeyboardInterrupt):
            harvest(settings, QUERY)
    assert harvested(outside)[0] == {"new": 39}
    assert "new" not in harvested(outside, full=True)[0], "and it is new once"


def test_a_corpus_that_is_gone_on_with_leaves_alone_the_queries_that_were_through(outside: Outside) -> None:
    venues = load_venues("nature-family")
    days = (venues.first, venues.last)
    outside.behaviour = Behaviour(page_cap=3)
    asked = len(queries(venues, *days))
    assert asked == 2

    def stop(checkpoints: list[Checkpoint], _: list[str]) -> None:
        if len(checkpoints) == asked:
            raise KeyboardInterrupt

    with outside.open() as (settings, web):
        calm = settings.model_copy(update={"home": settings.home / "calm"})
        undisturbed = harvest_corpus(calm, venues, *days)
        with pytest.raises(KeyboardInterrupt):
            harvest_corpus(settings, venues, *days, on_page=stop)
        first = counts_in_all(checkpoints(settings, venues, *days))
        before = len(questions(web))
        second = harvest_corpus(settings, venues, *days)
        assert not any("from_updated_date" in question for question in questions(web)[before:])
        assert counts_in_all(checkpoints(settings, venues, *days)) == undisturbed
        assert {kind: first.get(kind, 0) + second.get(kind, 0) for kind in undisturbed} == undisturbed
        harvest_corpus(settings, venues, *days)
        updates = [
            question for question in questions(web) if "from_updated_date" in question and "cursor=*" in question
        ]
        assert updates, "and then all are asked again"
