"""What came with a paper is taken as it is, and nobody is asked for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.acquisition import plan as planning
from nature_gym.acquisition.acquired import read_acquisition
from nature_gym.acquisition.inventory import read_inventory
from nature_gym.acquisition.stage import AcquireStage
from nature_gym.config import Settings, load_settings
from nature_gym.reading.links import FoundLink
from nature_gym.reading.taking import FetchStage, Offer
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.record import Screening
from nature_gym.screening.task import TaskTuple
from nature_gym.stages import carry_out


class _Manuscript:
    work = None

    def __init__(self, *links: FoundLink) -> None:
        self.links = links


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path / "home")


def ingested(settings: Settings, monkeypatch: pytest.MonkeyPatch, folders: dict[str, Path], *links: str) -> PaperFolder:
    """A paper that came with folders, and passed; its statements link to code at ``links``."""
    paper = Papers(settings.papers)["10.5555_x"]
    assert carry_out(FetchStage(Offer("x", folders=folders), None), paper).kind == "done"
    found = [FoundLink(url, "github.com", "code", "", "") for url in links]
    monkeypatch.setattr(planning, "load_manuscript", lambda _: _Manuscript(*found))
    passed = Screening(
        id=paper.id, title="", verdict="passed", stopped_at=None, summary="", decisions=(), task=TaskTuple()
    )
    monkeypatch.setattr(planning, "screened", lambda _: passed)
    monkeypatch.setattr("nature_gym.acquisition.stage.screened", lambda _: passed)
    return paper


def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "came"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/config").write_text("[core]\n")
    (folder / "LICENSE").write_text("MIT License\n")
    (folder / "train.csv").write_text("x,y\n1,2\n")
    (folder / "again.csv").symlink_to("train.csv")
    (folder / "large.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    return folder


def test_a_repository_beside_the_article_stands_for_its_links(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = ("https://github.com/a/first", "https://github.com/b/second")
    paper = ingested(settings, monkeypatch, {"repository": repository(tmp_path)}, *links)
    result = carry_out(AcquireStage(settings), paper)
    assert (result.kind, result.verdict) == ("done", "incomplete"), result
    acquisition = read_acquisition(paper.path / "acquire")
    (source,) = acquisition.sources
    assert (source.url, source.licence_file, source.commit) == ("https://github.com/a/first", "LICENSE", None)
    assert acquisition.left_out == {"https://github.com/b/second": "repository/ came with the paper"}
    assert source.lfs_pointers == ("large.bin",)
    assert [one.path.partition("/")[2] for one in read_inventory(paper.path / "acquire").files] == [
        "LICENSE", "again.csv", "large.bin", "train.csv",
    ]  # fmt: skip


def test_a_paper_without_links_is_acquired_from_what_came(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository(tmp_path)
    (folder / "large.bin").unlink()
    paper = ingested(settings, monkeypatch, {"repository": folder, "data": folder})
    assert carry_out(AcquireStage(settings), paper).verdict == "acquired"
    assert [one.name for one in read_acquisition(paper.path / "acquire").sources] == ["repository", "data"]


def test_other_files_make_it_stale(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository(tmp_path)
    paper = ingested(settings, monkeypatch, {"repository": folder})
    stage = AcquireStage(settings)
    carry_out(stage, paper)
    assert carry_out(stage, paper).kind == "current"
    (folder / "train.csv").write_text("x,y\n1,3\n")
    carry_out(FetchStage(Offer("x", folders={"repository": folder}), None), paper)
    assert carry_out(stage, paper).kind == "done"
    (tree,) = (paper.path / "acquire/sources").iterdir()
    assert (tree / "train.csv").read_text() == "x,y\n1,3\n"
