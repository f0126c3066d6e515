import random
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, select

from db import index
from db.engine import make_engine
from db.index import PAPER, Refreshed, rebuild, refresh
from nature_gym.errors import UsageError
from nature_gym.records import PaperFolder
from nature_gym.runs import RUN
from tests.faults import instructions_of, killed_after
from tests.integration.db.corpus import A, B, C, Corpus, all_rows, clear

Rows = dict[str, list[dict[str, Any]]]


def refreshed(engine: Engine, corpus: Corpus, **options: Any) -> Refreshed:
    return refresh(engine, corpus.papers, corpus.runs, **options)


def rebuilt(engine: Engine, corpus: Corpus) -> Rows:
    rebuild(engine, corpus.papers, corpus.runs)
    return all_rows(engine)


def fill(corpus: Corpus) -> None:
    """Something of everything: passes, failures, errors, what cannot be read, duplicates, runs."""
    for number, paper in enumerate((A, B, C, "10.5555_d", "10.5555_e", "10.5555_f")):
        corpus.publish(paper, "harvest", work={"doi": f"10.5555/{number // 2}", "title": f"Paper {number}"})
        corpus.publish(paper, "read", status="failed" if number == 1 else "done")
    corpus.fail(A, "read")
    corpus.fail(B, "fetch")
    corpus.break_record(C, "read")
    corpus.run("one", state="completed", counts={"done": 6})
    corpus.run("two")


def test_each_paper_counts_once_as_what_became_of_it(engine: Engine, corpus: Corpus) -> None:
    assert refreshed(engine, corpus) == Refreshed()
    for paper in (A, B, C):
        corpus.publish(paper, "harvest", work={"title": paper})
    assert refreshed(engine, corpus) == Refreshed(new=3)
    assert refreshed(engine, corpus) == Refreshed(unchanged=3)
    corpus.publish(A, "harvest", work={"title": "Another title"})
    corpus.remove(B)
    assert refreshed(engine, corpus) == Refreshed(updated=1, removed=1, unchanged=1)
    corpus.break_record(A, "harvest")  # in place, unseen,
    corpus.publish(A, "read")  # until something else changes
    assert refreshed(engine, corpus) == Refreshed(unreadable=1, unchanged=1)
    assert refreshed(engine, corpus) == Refreshed(unreadable=1, unchanged=1)
    corpus.publish(A, "harvest", work={"title": "Mended"})
    assert refreshed(engine, corpus) == Refreshed(updated=1, unchanged=1)
    assert [row["title"] for row in all_rows(engine)["paper"]] == ["Mended", C]


@pytest.mark.parametrize("change", ["publish", "fail", "retract", "first failure", "mend by hand"])
def test_whatever_changes_in_a_folder_changes_the_rows(engine: Engine, corpus: Corpus, change: str) -> None:
    corpus.publish(A, "read", verdict="done")
    corpus.publish(A, "screen", verdict="passed")
    corpus.fail(A, "fetch")
    if change == "mend by hand":
        broken = corpus.folder(A).path / "screen" / "record.json"
        good = broken.read_bytes()
        broken.write_bytes(b"{")
    refreshed(engine, corpus)
    before = all_rows(engine)
    match change:
        case "publish":
            corpus.publish(A, "fetch")
        case "fail":
            corpus.fail(A, "fetch", "the network is down")
        case "first failure":
            corpus.fail(A, "screen")
        case "retract":
            corpus.retract(A, "screen")
        case "mend by hand":
            broken.write_bytes(good)
    assert refreshed(engine, corpus) == Refreshed(updated=1)
    after = all_rows(engine)
    assert after != before
    assert after == rebuilt(engine, corpus)


def test_only_looks_at_the_papers_named(engine: Engine, corpus: Corpus) -> None:
    corpus.publish(A, "read")
    corpus.publish(B, "read")
    corpus.run("one")
    assert refreshed(engine, corpus, only=iter([A, A])) == Refreshed(new=1)
    assert all_rows(engine)["run"] == []
    corpus.remove(A)
    assert refreshed(engine, corpus, only=[A, C]) == Refreshed(removed=1)
    assert refreshed(engine, corpus) == Refreshed(new=1)
    with pytest.raises(UsageError):
        refreshed(engine, corpus, only=["../.."])


def test_runs_follow_their_records(engine: Engine, corpus: Corpus) -> None:
    for name in ("one", "two", "three"):
        corpus.run(name)
    (corpus.runs / "three" / RUN).write_bytes(b"{")
    refreshed(engine, corpus)
    assert {row["id"]: row["state"] for row in all_rows(engine)["run"]} == {
        "one": "running", "two": "running", "three": "unreadable",
    }  # fmt: skip
    corpus.run("one", state="completed", counts={"done": 1})
    (corpus.runs / "two" / RUN).unlink()
    corpus.run("three", state="failed")
    refreshed(engine, corpus)
    assert {row["id"]: (row["state"], row["counts"]) for row in all_rows(engine)["run"]} == {
        "one": ("completed", {"done": 1}), "three": ("failed", {}),
    }  # fmt: skip


def duplicates(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(connection.execute(select(PAPER.c.id).where(PAPER.c.duplicate).order_by(PAPER.c.id)).scalars())


def test_papers_that_share_a_doi_or_an_openalex_id_are_one_and_its_duplicates(engine: Engine, corpus: Corpus) -> None:
    corpus.publish(C, "harvest", work={"doi": "10.5555/x", "openalex_id": "W1"})
    refreshed(engine, corpus)
    assert duplicates(engine) == []
    corpus.publish(B, "harvest", work={"doi": "10.5555/X"})
    refreshed(engine, corpus)
    assert duplicates(engine) == [C]
    corpus.publish(A, "harvest", work={"openalex_id": "W1"})
    refreshed(engine, corpus)
    assert duplicates(engine) == [C], "A and B share nothing; C shares with both"
    corpus.remove(B)
    refreshed(engine, corpus)
    assert duplicates(engine) == [C]
    corpus.publish(A, "harvest", work={"openalex_id": "W2"})
    refreshed(engine, corpus)
    assert duplicates(engine) == []
    corpus.publish(A, "harvest", work={"openalex_id": "W1"})
    corpus.retract(C, "harvest")
    refreshed(engine, corpus)
    assert duplicates(engine) == []


@pytest.mark.parametrize("key", ["doi", "openalex_id"])
@pytest.mark.parametrize("way", ["another", "none", "removed"])
def test_a_duplicate_is_none_any_more_when_the_first_gives_the_id_up(
    engine: Engine, corpus: Corpus, key: str, way: str
) -> None:
    for paper in (A, B):
        corpus.publish(paper, "harvest", work={key: "10.5555/x"})
    refreshed(engine, corpus)
    assert duplicates(engine) == [B]
    match way:
        case "another":
            corpus.publish(A, "harvest", work={key: "10.5555/y"})
        case "none":
            corpus.publish(A, "harvest", work={})
        case "removed":
            corpus.remove(A)
    refreshed(engine, corpus)
    assert duplicates(engine) == []


def test_a_folder_that_cannot_be_looked_into_stops_nothing_and_is_tried_again(
    engine: Engine, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.publish(A, "harvest", work={"title": "A"})
    corpus.publish(B, "harvest", work={"title": "B"})
    look = PaperFolder.mark

    def refuse_a(folder: PaperFolder) -> str:
        if folder.id == A:
            raise PermissionError(13, "Permission denied")
        return look(folder)

    monkeypatch.setattr(PaperFolder, "mark", refuse_a)
    for _ in range(2):
        assert refreshed(engine, corpus).unreadable == 1
        assert [row["title"] for row in all_rows(engine)["paper"]] == [None, "B"]
    monkeypatch.setattr(PaperFolder, "mark", look)
    assert refreshed(engine, corpus) == Refreshed(updated=1, unchanged=1)
    assert [row["title"] for row in all_rows(engine)["paper"]] == ["A", "B"]


def test_progress_goes_up_to_all(engine: Engine, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    fill(corpus)
    told: list[tuple[int, int]] = []
    refreshed(engine, corpus, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 6), (4, 6), (6, 6)]
    told.clear()
    rebuild(engine, corpus.papers, corpus.runs, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 6), (4, 6), (6, 6)]


def test_a_rebuild_says_what_it_made(engine: Engine, corpus: Corpus) -> None:
    fill(corpus)
    made = rebuild(engine, corpus.papers, corpus.runs)
    assert (made.papers, made.stages, made.runs, made.unreadable) == (6, 13, 2, 1)
    assert rebuild(engine, corpus.papers, corpus.runs).stages == 13


def test_readers_see_the_old_rows_until_a_rebuild_is_done(
    engine: Engine, address: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    fill(corpus)
    refreshed(engine, corpus)
    old = all_rows(engine)
    corpus.publish(A, "read", verdict="passed")
    reader = make_engine(address)
    seen: list[Rows] = []
    rebuild(engine, corpus.papers, corpus.runs, progress=lambda *_: seen.append(all_rows(reader)))
    assert seen == [old, old, old]
    assert all_rows(reader) != old
    reader.dispose()


def test_a_rebuild_that_fails_leaves_the_old_rows(engine: Engine, corpus: Corpus) -> None:
    fill(corpus)
    refreshed(engine, corpus)
    old = all_rows(engine)

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(engine, corpus.papers, corpus.runs, progress=stop)
    assert all_rows(engine) == old


# --- Killed at any moment -----------------------------------------------------------------------------


def _work(address: str, corpus: Corpus, kind: str) -> None:
    """In a child: from an index of nothing (refresh) or of what was (rebuild) to that of the folders."""
    engine = make_engine(address)
    if kind == "refresh":
        clear(engine)
        refresh(engine, corpus.papers, corpus.runs)
    else:
        rebuild(engine, corpus.papers, corpus.runs)
    engine.dispose()


@pytest.mark.parametrize("kind", ["refresh", "rebuild"])
def test_killed_at_any_moment_and_run_again_it_comes_to_the_same_rows(
    engine: Engine, address: str, corpus: Corpus, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    fill(corpus)
    final = rebuilt(engine, corpus)
    engine.dispose()
    work = partial(_work, address, corpus, kind)
    length = instructions_of(work, scope="db")
    moments = random.Random(f"{kind}").sample(range(1, length), 12)
    kills = 0
    for moment in moments:
        kills += killed_after(moment, work, scope="db")
        for table, rows in all_rows(engine).items():
            whole = [row | {"duplicate": None} for row in final[table]]
            assert all(row | {"duplicate": None} in whole for row in rows), "half a paper was left behind"
        if kind == "rebuild":
            assert all_rows(engine) == final
            rebuild(engine, corpus.papers, corpus.runs)
        else:
            refreshed(engine, corpus)
        assert all_rows(engine) == final
        engine.dispose()
    assert kills >= len(moments) - 1


# --- Several at once ------------------------------------------------------------------------------


def _refresh_often(address: str, corpus: Corpus, times: int) -> None:
    engine = make_engine(address)
    for _ in range(times):
        refresh(engine, corpus.papers, corpus.runs)
    engine.dispose()


def _rebuild_once(address: str, corpus: Corpus, times: int) -> None:
    engine = make_engine(address)
    for _ in range(times):
        rebuild(engine, corpus.papers, corpus.runs)
    engine.dispose()


def test_processes_that_refresh_and_rebuild_while_others_publish_agree_in_the_end(
    engine: Engine, address: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 3)
    papers = [f"10.5555_{number:03}" for number in range(12)]
    for paper in papers:
        corpus.publish(paper, "harvest", work={"title": paper})
    engine.dispose()
    context = get_context("fork")
    processes = [
        context.Process(target=target, args=(address, corpus, 6))
        for target in (_refresh_often, _refresh_often, _rebuild_once)
    ]
    for process in processes:
        process.start()
    rng = random.Random(1)
    for number in range(40):
        paper = rng.choice(papers)
        match rng.randrange(4):
            case 0:
                corpus.fail(paper, "read", str(number))
            case 1:
                corpus.remove(paper)
            case _:
                work = {"title": str(number), "doi": f"10.5555/{rng.randrange(4)}"}
                corpus.publish(paper, "harvest", work=work)
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    refreshed(engine, corpus)
    assert all_rows(engine) == rebuilt(engine, corpus)


def test_two_refreshes_of_the_same_news_write_it_once(
    engine: Engine, address: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has seen the news before the first wrote it, and finds under the lock that it is written."""
    corpus.publish(A, "read")
    real = index._found_marks
    other = make_engine(address)

    def overtaken(*arguments: Any) -> dict[str, str]:
        found = real(*arguments)
        monkeypatch.setattr(index, "_found_marks", real)
        assert refreshed(other, corpus) == Refreshed(new=1)
        return found

    monkeypatch.setattr(index, "_found_marks", overtaken)
    assert refreshed(engine, corpus) == Refreshed(unchanged=1)
    other.dispose()


def test_what_was_seen_before_somebody_newer_wrote_does_not_overwrite_it(
    engine: Engine, address: str, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.publish(A, "read", verdict="old")
    real = index._found_marks
    other = make_engine(address)

    def overtaken(*arguments: Any) -> dict[str, str]:
        found = real(*arguments)
        monkeypatch.setattr(index, "_found_marks", real)
        corpus.publish(A, "read", verdict="new")
        refreshed(other, corpus)
        return found

    monkeypatch.setattr(index, "_found_marks", overtaken)
    refreshed(engine, corpus)
    assert [row["verdict"] for row in all_rows(engine)["paper_stage"]] == ["new"]
    other.dispose()


# --- Refreshes come to what a rebuild comes to ------------------------------------------------------

papers = st.sampled_from([A, B, C, "10.5555_d"])
stages = st.sampled_from(["harvest", "read"])
texts = st.sampled_from(["x", "", "a\0b", "½ é 漢 \U0001f600"])
works = st.fixed_dictionaries(
    {},
    optional={
        "doi": st.sampled_from(["10.5555/x", "10.5555/X", "10.5555/y", None]),
        "openalex_id": st.sampled_from(["W1", "W2", None]),
        "title": texts,
        "published": st.sampled_from(["2024-01-31", "never", None]),
        "updated": st.sampled_from(["2026-01-01", "2026-01-01T00:00:00+05:00", "0001-01-01T00:00:00+05:00", 7]),
        "retracted": st.booleans(),
    },
)
facts = st.dictionaries(texts, st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), texts), max_size=2)
steps = st.one_of(
    st.tuples(st.just("publish"), papers, stages, works, st.sampled_from(["done", "failed"]), texts, facts),
    st.tuples(st.just("break"), papers, stages, works),
    st.tuples(st.just("fail"), papers, stages, texts),
    st.tuples(st.just("retract"), papers, stages),
    st.tuples(st.just("remove"), papers),
    st.tuples(st.just("run"), st.sampled_from("rs"), st.sampled_from(["running", "crashed"])),
    st.tuples(st.just("refresh"), st.none() | st.lists(papers)),
)


def take(step: tuple[Any, ...], engine: Engine, corpus: Corpus) -> None:
    match step:
        case ("publish", paper, stage, work, status, reason, some):
            corpus.publish(paper, stage, work=work, status=status, reason=reason, facts=some)
        case ("break", paper, stage, work):
            corpus.publish(paper, stage, work=work)
            corpus.break_record(paper, stage)
        case ("fail", paper, stage, reason):
            corpus.fail(paper, stage, reason)
        case ("retract", paper, stage):
            corpus.retract(paper, stage)
        case ("remove", paper):
            corpus.remove(paper)
        case ("run", name, state):
            corpus.run(name, state=state)
        case ("refresh", only):
            refreshed(engine, corpus, only=only)


@pytest.fixture
def _small_batches(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "BATCH", 2)


@pytest.mark.usefixtures("_small_batches")
@given(story=st.lists(steps, max_size=25))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_refreshes_come_to_the_rows_that_a_rebuild_comes_to(engine: Engine, tmp_path: Path, story: list[Any]) -> None:
    clear(engine)
    corpus = Corpus(tmp_path / str(time.monotonic_ns()))
    for step in story:
        take(step, engine, corpus)
    refreshed(engine, corpus)
    incrementally = all_rows(engine)
    assert incrementally == rebuilt(engine, corpus)
    assert refreshed(engine, corpus).updated == 0
    assert all_rows(engine) == incrementally
