"""Fetching from the mini-web: kills, politeness, and a host that is a nuisance in every way."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.miniweb.hosts.articles import is_open
from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.miniweb.rude import RUDE_HOST
from nature_gym.demo.model import Entry, Paper, Truth, World
from nature_gym.demo.world import build_world
from nature_gym.fulltext.stage import FetchStage
from nature_gym.harvest.stage import HarvestStage
from nature_gym.harvest.works import Work, read_work
from nature_gym.reading.stage import ReadStage
from nature_gym.reading.writing import read_paper_file
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import carry_out
from tests.faults import killed_after


class QuickPress(JournalPress):
    """Typesets all but the PDFs, which take long."""

    def article_pdf(self, paper: Paper) -> bytes:
        return b"%PDF-1.7\n" + paper.suffix.encode()


@pytest.fixture(scope="module")
def world() -> World:
    """A few papers of each kind: open with tables, at Europe PMC, a PDF alone, closed."""
    whole = build_world(shallow=30)
    chosen = []
    for kind in ("html", "xml", "pdf", "closed"):
        found = [
            entry for entry in whole.entries
            if (not is_open(entry.paper) if kind == "closed" else is_open(entry.paper) and kind in entry.paper.formats)
            and (kind != "xml" or entry.paper.pmcid) and entry not in chosen
        ]  # fmt: skip
        chosen += found[:3]
    chosen[3:6] = [replace(entry, paper=replace(entry.paper, oa_status="green")) for entry in chosen[3:6]]
    return World(0, tuple(chosen))


@pytest.fixture
def web(world: World, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[MiniWeb]:
    behaviour = getattr(request, "param", Behaviour(crawl_delay=0))
    with MiniWeb(world, behaviour=behaviour, press=QuickPress(), git_cache=tmp_path / "git") as web:
        yield web


def harvested(settings: Settings, world: World) -> list[PaperFolder]:
    """The papers' folders, as the harvest leaves them."""
    folders = []
    for paper in world.papers:
        work = read_work(QuickPress().work(paper))
        folder = Papers(settings.papers)[work.id]
        carry_out(HarvestStage(work), folder)
        folders.append(folder)
    return folders


def state(folder: PaperFolder) -> Any:
    record = folder.record("fetch")
    assert record is not None
    assert folder.errors() == {}
    outputs = {name: output for name, output in record.outputs.items() if name != "sources.json"}
    return record.verdict, record.status, outputs, record.facts


def test_killed_twenty_times_it_ends_like_an_undisturbed_one_and_no_whole_page_is_fetched_twice(
    world: World, web: MiniWeb, tmp_path: Path
) -> None:
    calm, rough = (
        load_settings(home=tmp_path / name, mirror=web.url, requests_per_second=10_000) for name in ("calm", "rough")
    )
    undisturbed = harvested(calm, world)
    for folder in undisturbed:
        carry_out(FetchStage(calm), folder)
    assert {state(folder)[0] for folder in undisturbed} == {"done", "no_access"}
    disturbed = harvested(rough, world)
    web.log.clear()

    def fetch() -> None:
        stage = FetchStage(rough)
        for folder in disturbed:
            carry_out(stage, folder)

    chance = random.Random(11)
    kills = sum(killed_after(chance.randrange(1, 9_000), fetch) for _ in range(20))
    assert kills >= 15
    fetch()
    assert [state(folder) for folder in disturbed] == [state(folder) for folder in undisturbed]
    asked = Counter((seen.host, seen.path) for seen in web.log if seen.path != "/robots.txt")
    assert asked.total() - len(asked) <= kills, "at most the page under way at each kill"
    left = [path for folder in disturbed for path in folder.path.rglob("*") if path.name.startswith(".tmp.")]
    assert left == []


@pytest.mark.parametrize("web", [Behaviour(crawl_delay=0.04, latency={"*": 0.01}, jitter=0.5)], indirect=True)
def test_a_host_is_asked_one_request_at_a_time_no_faster_than_it_wants(
    world: World, web: MiniWeb, tmp_path: Path
) -> None:
    settings = load_settings(home=tmp_path / "home", mirror=web.url, requests_per_second=1000)
    stage, folders = FetchStage(settings), harvested(settings, world)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda folder: carry_out(stage, folder), folders))
    assert {result.kind for result in results} == {"done"}
    figures = web.log.stats()
    assert len(figures) >= 2, "the site, and another host"
    assert {host: one.most_at_once for host, one in figures.items()} == dict.fromkeys(figures, 1)
    assert figures["www.nature.com"].most_in_a_second <= 27
    assert figures["www.nature.com"].requests > 20


NUISANCES = {
    "slow": ("failed", "WrongTypeError"),
    "flaky": ("failed", "WrongTypeError"),
    "limited": ("failed", "WrongTypeError"),
    "reset": ("error", "HostError"),
    "loop": ("error", "RedirectLoopError"),
    "captcha": ("error", "CaptchaError"),
    "sign-in": ("done", "no_access"),
    "private": ("done", "no_access"),
    "forbidden": ("done", "no_access"),
    "broken": ("error", "HostError"),
    "gone": ("done", "not_found"),
    "wrong.json": ("error", "WrongAnswerError"),
    "endless.html": ("failed", "TooLargeError"),
    "limited-for-hours": ("error", "HostError"),
    "data%20✨.csv": ("error", "HostError"),
}
"""What a paper comes to whose only text is said to be there; the last comes after the host has closed for hours."""


@pytest.mark.parametrize("web", [Behaviour(slow_seconds=0.1, retry_after=0.2)], indirect=True)
def test_every_nuisance_is_named_on_its_paper_and_the_batch_goes_on(
    web: MiniWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nature_gym.web.fetcher.pause", lambda _: None)
    settings = load_settings(home=tmp_path / "home", mirror=web.url, requests_per_second=1000, timeout=5)
    stage = FetchStage(settings)
    came = {}
    for number, name in enumerate(NUISANCES):
        work = Work(
            id=f"10.5555_x.{number}",
            openalex_id=f"W{number}",
            doi=f"10.5555/x.{number}",
            oa_status="green",
            is_oa=True,
            pdf_url=f"https://{RUDE_HOST}/{name}",
        )
        folder = Papers(settings.papers)[work.id]
        carry_out(HarvestStage(work), folder)
        result = carry_out(stage, folder)
        came[name] = (result.kind, result.verdict)
        shown = "sign-in" if name == "private" else name  # which leads to the former
        assert shown in result.reason or "until" in result.reason, result
    assert came == NUISANCES
    assert list((settings.store / "incoming").iterdir()) == []


@pytest.mark.parametrize("form", ["html", "xml"])
def test_the_figures_that_were_fetched_stand_beside_what_was_read(form: str, tmp_path: Path) -> None:
    papers = [
        one
        for one in build_world(0).papers
        if one.figures and form in one.formats and is_open(one) and (form == "html" or one.pmcid)
    ][:2]
    assert papers
    if form == "xml":
        papers = [replace(one, oa_status="green") for one in papers]
    chosen = World(0, tuple(Entry(one, Truth(())) for one in papers))
    with MiniWeb(chosen, behaviour=Behaviour(crawl_delay=0), press=QuickPress(), git_cache=tmp_path / "git") as web:
        settings = load_settings(home=tmp_path / "home", mirror=web.url, requests_per_second=10_000)
        for paper, folder in zip(papers, harvested(settings, chosen), strict=True):
            assert carry_out(FetchStage(settings), folder).verdict == "done"
            assert carry_out(ReadStage(settings), folder).kind == "done"
            told = read_paper_file(folder.path / "read")
            assert told.source == form
            files = [figure.file for figure in told.figures if figure.label.startswith("Fig")]
            assert files == [f"figures/{figure.number}.png" for figure in paper.figures]
            for figure, name in zip(paper.figures, files, strict=True):
                assert (folder.path / "read" / str(name)).read_bytes() == QuickPress().figure_png(figure)
