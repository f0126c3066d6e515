"""``naturegym report`` over a paper that went from its article to a checked package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nature_gym.acquisition.stage import AcquireStage
from nature_gym.cli.main import app
from nature_gym.config import Settings, load_settings
from nature_gym.cut.stage import CutStage
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.reviewed import review
from nature_gym.demo.typesetting import jats
from nature_gym.demo.world import build_world
from nature_gym.packaging.stage import BuildStage
from nature_gym.reading.ingest import ingest
from nature_gym.records import Papers
from nature_gym.reporting import packages
from nature_gym.screening.stage import ScreenStage
from nature_gym.stages import carry_out

ENTRY = next(entry for entry in build_world(0).entries if entry.truth.verdict == "passed" and entry.truth.task)
DONE = ("done", "passed", "acquired", "drafted", "built")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("home")
    article = folder / "article.xml"
    article.write_bytes(jats.article_xml(ENTRY.paper))
    with MiniWeb(build_world(0), behaviour=Behaviour(crawl_delay=0), git_cache=tmp_path_factory.mktemp("git")) as web:
        settings = load_settings(
            home=folder, database_url="", mirror=web.url, probes_per_second=10_000.0, requests_per_second=1_000.0
        )
        papers = Papers(settings.papers)
        [taken] = ingest([article], papers)
        for stage in (ScreenStage(settings), AcquireStage(settings), CutStage()):
            result = carry_out(stage, papers[taken.id])
            assert result.verdict in DONE, result
        review(ENTRY, papers[taken.id], folder / "reviewed")
        assert carry_out(BuildStage(settings.packages), papers[taken.id]).verdict == "built"
    return settings


@pytest.fixture(autouse=True)
def here(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_HOME", str(home.home))


def report(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["report", "--json", *arguments])
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_the_newest_result_of_every_check_is_shown_also_where_runs_looked_at_few(
    home: Settings, tmp_path: Path
) -> None:
    [package] = home.packages.glob("demo-*")
    before = report("--out", str(tmp_path / "site"))
    assert before["counts"]["packages"] == 1
    page = tmp_path / "site" / "packages" / f"{package.name}.html"
    assert "It was not checked." in page.read_text()
    for family in ("C0", "C1"):
        assert CliRunner().invoke(app, ["check", str(package), "--select", family]).exit_code == 0
    report("--out", str(tmp_path / "site"))
    assert "14 passed, 0 failed, 0 warned, 22 skipped" in " ".join(page.read_text().split())


def test_the_page_of_the_cut_is_drawn_once(home: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report("--out", str(tmp_path / "first"))
    [page] = [path for path in (tmp_path / "first" / "cuts").iterdir() if path.name.endswith(".code.html")]
    assert "<svg" in page.read_text()
    [package] = (tmp_path / "first" / "packages").iterdir()
    assert f"../cuts/{page.name}" in package.read_text()

    def again(*_: Any, **__: Any) -> None:
        pytest.fail("it is drawn again")

    monkeypatch.setattr(packages, "cut_folder", again)
    report("--out", str(tmp_path / "second"))
    assert (tmp_path / "second" / "cuts" / page.name).read_bytes() == page.read_bytes()


def test_without_out_it_lies_in_the_home_and_another_one_takes_its_place(home: Settings) -> None:
    first, second = report(), report()
    assert first == second
    assert Path(first["page"]) == home.home / "report" / "index.html"
    assert "Research articles" in Path(first["page"]).read_text()


def test_a_folder_of_somebodys_own_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("words")
    done = CliRunner().invoke(app, ["report", "--out", str(tmp_path)])
    assert "not a report" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
