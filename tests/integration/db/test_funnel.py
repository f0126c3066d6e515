from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from db.funnel import LIFE, StageCounts, count_papers, funnel, list_papers, paper_row
from db.index import refresh
from db.transactions import reading
from tests.integration.db.corpus import WHEN, A, B, C, Corpus

D, E = "10.5555_d", "10.5555_e"


@pytest.fixture
def session(engine: Engine, corpus: Corpus) -> Iterator[Session]:
    """Five papers: A passed, B was rejected, C could not be screened, D waits to be read, E could not be harvested."""
    for paper, title, venue in (
        (A, "Learning from Spectra", "Nature Methods"),
        (B, "100% of a_cell", "Nature Methods"),
        (C, "Überschall", "Nature Energy"),
        (D, "Waiting", "Nature Energy"),
    ):
        work = {"title": title, "venue": venue, "published": "2024-05-01" if paper == A else "2023-05-01"}
        corpus.publish(paper, "harvest", work=work)
    for paper in (A, B, C):
        corpus.publish(paper, "read")
    corpus.publish(A, "screen", verdict="passed")
    corpus.publish(B, "screen", verdict="rejected", reason="nothing is learned")
    corpus.publish(C, "screen", verdict="passed")
    corpus.fail(C, "screen", "the model did not answer")
    corpus.fail(E, "harvest")
    refresh(engine, corpus.papers, corpus.runs)
    with reading(engine) as session:
        yield session


def test_the_funnel_counts_every_paper_at_every_stage_it_has_met(session: Session) -> None:
    assert funnel(session) == [
        StageCounts("harvest", done=4, errors=1, verdicts={"done": 4}),
        StageCounts("read", done=3, waiting=1, verdicts={"done": 3}),
        StageCounts("screen", done=2, errors=1, verdicts={"passed": 2, "rejected": 1}),
    ]


def test_a_stage_asked_for_is_shown_though_no_paper_has_met_it(session: Session) -> None:
    lines = funnel(session, stages=["acquire", "screen"])
    assert [line.stage for line in lines] == ["harvest", "read", "screen", "acquire"]
    assert (lines[-1].total, lines[-1].waiting) == (0, 1), "C's pass is doubtful until it can be screened again"


def test_stages_come_in_the_order_of_a_life_and_unknown_ones_last(engine: Engine, corpus: Corpus) -> None:
    for stage in ("zest", *reversed(LIFE), "aside"):
        corpus.publish(A, stage)
    refresh(engine, corpus.papers, corpus.runs)
    with reading(engine) as session:
        assert [line.stage for line in funnel(session)] == [*LIFE, "aside", "zest"]
        row = paper_row(session, A)
        assert row is not None
        assert [stage.stage for stage in row.stages] == [*LIFE, "aside", "zest"]
        assert [line.stage for line in list_papers(session)] == [LIFE[-1]]


def test_an_empty_index_has_an_empty_funnel(engine: Engine) -> None:
    with reading(engine) as session:
        assert funnel(session) == []
        assert list_papers(session) == []
        assert count_papers(session) == 0


@pytest.mark.parametrize(
    ("filters", "papers"),
    [
        ({}, [A, B, C, D, E]),
        ({"stage": "read"}, [A, B, C]),
        ({"stage": "screen", "verdict": "passed"}, [A, C]),
        ({"verdict": "passed", "status": "done"}, [A]),
        ({"verdict": "done"}, [D]),
        ({"status": "error"}, [C, E]),
        ({"venue": "Nature Methods"}, [A, B]),
        ({"year": 2024}, [A]),
        ({"text": "SPECTRA"}, [A]),
        ({"text": "energy"}, [C, D]),
        ({"text": "10.5555_d"}, [D]),
        ({"text": "%"}, [B]),
        ({"text": "a_c"}, [B]),
        ({"text": "", "stage": None}, [A, B, C, D, E]),
        ({"venue": "Nature Energy", "stage": "harvest", "text": "wait"}, [D]),
        ({"text": "'; DROP TABLE paper; --"}, []),
    ],
)
def test_a_list_holds_what_passes_all_filters(session: Session, filters: dict[str, Any], papers: list[str]) -> None:
    assert sorted(line.id for line in list_papers(session, **filters)) == sorted(papers)
    assert count_papers(session, **filters) == len(papers)


def test_a_list_comes_in_pages(session: Session) -> None:
    everything = [line.id for line in list_papers(session)]
    pages = [[line.id for line in list_papers(session, limit=2, offset=offset)] for offset in (0, 2, 4, 6)]
    assert [len(page) for page in pages] == [2, 2, 1, 0]
    assert [paper for page in pages for paper in page] == everything


def test_a_line_says_where_a_paper_stands(session: Session) -> None:
    lines = {line.id: line for line in list_papers(session)}
    assert (lines[B].stage, lines[B].verdict, lines[B].reason) == ("screen", "rejected", "nothing is learned")
    assert (lines[C].status, lines[C].verdict, lines[C].reason) == ("error", "passed", "the model did not answer")
    assert (lines[D].stage, lines[D].year, lines[D].venue) == ("harvest", 2023, "Nature Energy")
    at_read = {line.id: line.stage for line in list_papers(session, stage="read")}
    assert at_read == {A: "read", B: "read", C: "read"}


def test_everything_of_one_paper(session: Session) -> None:
    row = paper_row(session, A)
    assert row is not None
    assert row.paper.title == "Learning from Spectra"
    assert [(stage.stage, stage.started) for stage in row.stages] == [
        ("harvest", WHEN), ("read", WHEN), ("screen", WHEN),
    ]  # fmt: skip
    assert paper_row(session, "10.5555_none") is None
