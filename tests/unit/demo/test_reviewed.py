"""The demo's reviewer: each reviewed task's sources lie where it says, however the paper's links were taken."""

from __future__ import annotations

from pathlib import Path

import yaml

from nature_gym.acquisition.acquired import AcquiredSource, Acquisition, write_acquisition
from nature_gym.demo.reviewed import review
from nature_gym.demo.tasks import own_files
from nature_gym.demo.world import build_world
from nature_gym.records import Papers

RIVERS = "10.5555_s41467-024-09312-3"


def test_a_deposit_whose_files_were_linked_one_by_one_is_brought_together(tmp_path: Path) -> None:
    entry = next(entry for entry in build_world(0).entries if entry.paper.id == RIVERS)
    pages = [page for page in entry.pages if page.url.endswith(".csv")]
    paper = Papers(tmp_path / "papers")[RIVERS]
    acquired = paper.path / "acquire"
    sources = [
        AcquiredSource(
            name="code", kind="repository", purpose="code", url=entry.repositories[0].url, links=(), tree="t"
        )
    ]
    (acquired / "sources" / "code").mkdir(parents=True)
    (paper.path / "cut").mkdir()
    for page in pages:
        name = page.url.rpartition("/")[2]
        (acquired / "sources" / name).mkdir()
        (acquired / "sources" / name / name).write_bytes(page.body)
        sources.append(AcquiredSource(name=name, kind="file", purpose="data", url=page.url, links=(), tree="t"))
    write_acquisition(Acquisition(paper=RIVERS, sources=tuple(sources), left_out={}), acquired)

    assert review(entry, paper, tmp_path / "reviewed")
    told = yaml.safe_load((paper.path / "cut" / "task.yaml").read_text())
    for source in told["sources"].values():
        assert (paper.path / "cut" / source["path"]).is_dir()
    deposit = paper.path / "cut" / told["sources"]["deposit"]["path"]
    assert sorted(path.name for path in deposit.iterdir()) == sorted(page.url.rpartition("/")[2] for page in pages)
    assert len(pages) == 4
    assert list(own_files(entry)) == []
    assert not review(entry, paper, tmp_path / "reviewed"), "a second time changes nothing"
