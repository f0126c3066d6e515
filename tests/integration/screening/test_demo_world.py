"""The whole cascade over whole demo worlds: pages ingested, links looked at on the mini-web, verdicts as in the truth.

What is compared are the records that screening writes, by the comparison that ``naturegym screen evaluate`` makes. The
wordings behind ``unseen`` are measured only.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.server import MiniWeb
from nature_gym.demo.model import World
from nature_gym.demo.truth import write_truth_csv
from nature_gym.demo.typesetting import html
from nature_gym.demo.world import build_world
from nature_gym.harvest.corpus import HarvestStage
from nature_gym.harvest.works import Work
from nature_gym.reading.ingest import ingest
from nature_gym.records import Papers, paper_id
from nature_gym.screening.evaluation import Comparison, compare, read_labels
from nature_gym.screening.record import Screening, read_screening
from nature_gym.screening.stage import STAGE, ScreenStage, screenable
from nature_gym.stages import carry_out

AGREED_UNSEEN = 0.9
THREADS = 8


def read_world(world: World, folder: Path, papers: Papers) -> None:
    """Take the world's papers in, with what OpenAlex says of each."""
    for entry in world.entries:
        paper = entry.paper
        place = folder / paper.id
        (place / "tables").mkdir(parents=True)
        (place / "article.html").write_bytes(html.article_page(paper))
        for table in paper.tables:
            (place / "tables" / f"{table.number}.html").write_bytes(html.table_page(paper, table.number))
        retracted = paper.retracted and paper.indexing.knows_retraction
        known = paper_id(paper.doi)
        work = Work(id=known, title=paper.title, article_type=paper.openalex_type, retracted=retracted)
        carry_out(HarvestStage(work), papers[known])
    for taken in ingest([folder], papers):
        assert taken.folder is not None, taken


def screened(settings: Settings) -> list[Screening]:
    """Every paper's screening, done by threads as the flow does it."""
    papers, stage = Papers(settings.papers), ScreenStage(settings)
    ids = screenable(papers)
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(lambda paper: carry_out(stage, papers[paper]), ids))
    assert {result.kind for result in results} == {"done"}, [one for one in results if one.kind != "done"]
    published = (papers[paper].published(STAGE) for paper in ids)
    return [read_screening(one.folder) for one in published if one is not None]


def evaluated(seed: int, folder: Path, *, unseen: bool = False) -> tuple[Comparison, list[Screening]]:
    """How the screening of a world compares with its truth."""
    world = build_world(seed, unseen=unseen)
    with MiniWeb(world, behaviour=Behaviour(crawl_delay=0), git_cache=folder / "git") as web:
        settings = load_settings(
            home=folder / "home",
            database_url="",
            mirror=web.url,
            requests_per_second=1000.0,
            probes_per_second=1000.0,
            max_wait=1.0,
        )
        read_world(world, folder / "pages", Papers(settings.papers))
        screenings = screened(settings)
    write_truth_csv(world, folder / "truth.csv")
    by_doi = {
        entry.paper.id: paper_id(entry.paper.doi) for entry in world.entries
    }  # as pages that are ingested are known
    labels = {by_doi[paper]: label for paper, label in read_labels(folder / "truth.csv").items()}
    return compare(labels, screenings), screenings


def wrong(comparison: Comparison) -> dict[str, list[str]]:
    cells = {f"{told}, found {found}": ids for (told, found), ids in comparison.by_place.items() if told != found}
    return cells | ({"wrong code": comparison.wrong_code} if comparison.wrong_code else {})


@pytest.mark.parametrize("seed", [0, 1])
def test_every_paper_ends_where_its_truth_says_with_its_code(seed: int, tmp_path: Path) -> None:
    comparison, screenings = evaluated(seed, tmp_path)
    assert wrong(comparison) == {}
    assert comparison.papers == comparison.agreed == len(screenings) > 70
    assert (comparison.precision, comparison.recall) == (1.0, 1.0)
    for screening in screenings:
        if screening.verdict == "passed":
            assert screening.size is not None
            assert screening.size.tier in ("S", "M")
            assert screening.probes
            assert screening.task.method
            assert any(setting.accepted and setting.sota for setting in screening.task.settings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 5, 17])
def test_nine_of_ten_papers_in_held_out_wordings_end_there_too(seed: int, tmp_path: Path) -> None:
    comparison, _ = evaluated(seed, tmp_path, unseen=True)
    assert comparison.agreed >= AGREED_UNSEEN * comparison.papers, wrong(comparison)
    assert comparison.precision == 1.0 or len(wrong(comparison)) <= 2, "a wrong pass costs days"
