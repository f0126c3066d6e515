"""Acquisition end to end: every demo paper that passes, through the mini-web; killed and run again; offline."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nature_gym.acquisition.acquired import read_acquisition
from nature_gym.acquisition.inventory import read_inventory
from nature_gym.acquisition.stage import STAGE, AcquireStage, acquirable
from nature_gym.config import Settings, load_settings
from nature_gym.demo.job import run
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.world import build_world
from nature_gym.digests import digest_file, digest_json
from nature_gym.records import Papers
from nature_gym.stages import carry_out
from tests.faults import killed_after

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with every demo paper screened."""
    return run(load_settings(home=tmp_path_factory.mktemp("demo")), until="screen").home


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniWeb]:
    with MiniWeb(build_world(0), behaviour=Behaviour(crawl_delay=0), git_cache=tmp_path_factory.mktemp("git")) as web:
        yield web


def home_like(screened: Path, home: Path, web: MiniWeb) -> Settings:
    """Another home with the same papers."""
    home.mkdir()
    shutil.copytree(screened / "papers", home / "papers", symlinks=True)
    return load_settings(home=home, mirror=web.url, probes_per_second=10_000.0)


def result_of(own: Settings, paper: str) -> str:
    """The digest of what a paper's acquisition shows, its record aside."""
    folder = own.papers / paper / STAGE
    files = {path.name: digest_file(path) for path in folder.iterdir() if path.is_file() and path.name != "record.json"}
    links = {path.name: path.readlink().as_posix() for path in (folder / "sources").iterdir()}
    return digest_json([files, links])


def test_every_passing_paper_has_its_code_and_data(screened: Path, web: MiniWeb, tmp_path: Path) -> None:
    own = home_like(screened, tmp_path / "home", web)
    papers = Papers(own.papers)
    ids = acquirable(papers)
    truth = {entry.paper.id: entry for entry in build_world(0).entries if entry.truth.verdict == "passed"}
    assert len(ids) >= 7
    assert set(ids) <= set(truth)
    stage = AcquireStage(own)
    for paper in ids:
        result = carry_out(stage, papers[paper])
        assert (result.kind, result.verdict) == ("done", "acquired"), result
        folder = own.papers / paper / STAGE
        acquisition, entry = read_acquisition(folder), truth[paper]
        found = {path.name for source in (folder / "sources").iterdir() for path in source.rglob("*")}
        for setting in entry.truth.task.settings if entry.truth.task else ():
            if setting.accepted:
                wanted = {Path(name).name for name in (*setting.development, *setting.evaluation)}
                assert {name for name in wanted if not set("*[{") & set(name)} <= found, paper
        for source in acquisition.sources:
            if source.commit_date is not None:
                assert source.commit_date[:10] <= entry.paper.published.isoformat()
        inventory = read_inventory(folder)
        assert all(one.readable for one in inventory.files), [one for one in inventory.files if not one.readable]
        assert carry_out(stage, papers[paper]).kind == "current"


def test_killed_anywhere_and_run_again_it_is_the_same(screened: Path, web: MiniWeb, tmp_path: Path) -> None:
    paper = "10.5555_s41587-022-09395-5"
    whole = home_like(screened, tmp_path / "whole", web)

    def work(own: Settings) -> None:
        carry_out(AcquireStage(own), Papers(own.papers)[paper])

    work(whole)
    expected = result_of(whole, paper)
    for number, moment in enumerate((500, 5_000, 20_000, 40_000, 60_000, 90_000)):
        own = home_like(screened, tmp_path / f"killed{number}", web)
        killed_after(moment, lambda own=own: work(own), scope="nature_gym.acquisition")  # type: ignore[misc]
        work(own)
        assert result_of(own, paper) == expected
        assert not list((own.home / "trees" / "incoming").iterdir())


def test_a_host_that_is_away_is_ours_and_nothing_half_is_shown(
    screened: Path, web: MiniWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nature_gym.acquisition import downloads

    monkeypatch.setattr(downloads, "pause", lambda attempt: None)
    own = home_like(screened, tmp_path / "home", web)
    away = own.model_copy(update={"mirror": "http://127.0.0.1:9"})
    paper = Papers(own.papers)["10.5555_s41587-022-09395-5"]
    assert carry_out(AcquireStage(away), paper).kind == "error"
    assert paper.publication(STAGE) is None
    assert carry_out(AcquireStage(own), paper).verdict == "acquired"


def test_a_budget_that_is_too_small_is_told_on_the_paper(screened: Path, web: MiniWeb, tmp_path: Path) -> None:
    own = home_like(screened, tmp_path / "home", web).model_copy(update={"paper_byte_budget": 40_000})
    paper = Papers(own.papers)["10.5555_s41587-022-09395-5"]
    result = carry_out(AcquireStage(own), paper)
    assert result.verdict == "incomplete"
    assert "more than what is left of the paper's 40,000" in result.reason


def test_a_paper_that_did_not_pass_is_not_acquired(screened: Path, web: MiniWeb, tmp_path: Path) -> None:
    own = home_like(screened, tmp_path / "home", web)
    papers = Papers(own.papers)
    rejected = next(paper for paper in papers if paper.id not in acquirable(papers))
    result = carry_out(AcquireStage(own), rejected)
    assert result.kind == "failed"
    assert "screen" in result.reason
