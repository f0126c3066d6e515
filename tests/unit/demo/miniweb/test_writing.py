from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from nature_gym.demo.miniweb import write_world
from nature_gym.demo.miniweb.repositories import resolve
from nature_gym.demo.miniweb.writing import safe
from nature_gym.demo.model import Paper
from nature_gym.errors import UsageError
from tests.unit.demo.miniweb.small_world import CSV, PlainPress, paper, small_world


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name == "href" and value]


def test_the_index_names_every_paper_and_every_link_of_it_leads_to_a_file(tmp_path: Path) -> None:
    index = write_world(small_world(), tmp_path / "out", press=PlainPress())
    links = Links()
    links.feed(index.read_text())
    assert len(links.found) > 30
    for link in links.found:
        assert (index.parent / unquote(link)).exists(), link
    for one in small_world().papers:
        assert one.doi in index.read_text()


def test_repositories_deposits_and_records_lie_there_to_be_used(tmp_path: Path) -> None:
    write_world(small_world(), tmp_path, press=PlainPress())
    base = tmp_path / "repositories" / "github.com" / "Calder-Lab"
    assert resolve(base / "GraphNet.git", "main") is not None
    assert (base / "GraphNet" / "data" / "a b.csv").read_bytes() == CSV
    assert not (base / "gone").exists()
    assert (tmp_path / "deposits" / "zenodo.org" / "7000009" / "data set.csv").read_bytes() == CSV
    assert "1000000000000 bytes" in (tmp_path / "deposits" / "zenodo.org" / "7000009" / "huge.tar.size.txt").read_text()
    works = (tmp_path / "openalex" / "works.jsonl").read_text().splitlines()
    assert len(works) == len(small_world().papers)
    truth = json.loads((tmp_path / "truth.json").read_bytes())
    assert paper(1).id in json.dumps(truth)


def test_a_paper_is_written_as_far_as_its_hosts_show_it(tmp_path: Path) -> None:
    write_world(small_world(), tmp_path, press=PlainPress())
    opened, closed, pdf_only = (
        {path.name for path in (tmp_path / "papers" / one.id).iterdir()}
        for one in map(small_world().papers.__getitem__, (1, 12, 13))
    )
    assert opened == {"article.html", "article.pdf", "article.xml", "tables", "figures"}
    assert closed == {"article.html"}
    assert (
        "Access through your institution"
        in (tmp_path / "papers" / small_world().papers[12].id / "article.html").read_text()
    )
    assert pdf_only == {"article.pdf"}


def test_links_between_the_parts_of_a_paper_lead_to_the_files_beside_it(tmp_path: Path) -> None:
    class LinkedPress(PlainPress):
        def article_page(self, paper: Paper) -> bytes:
            base = f"/articles/{paper.suffix}"
            return f'<a href="{base}/tables/1"><img src="{base}/figures/1.png"><a href="{base}.pdf">'.encode()

        def table_page(self, paper: Paper, number: int) -> bytes:
            return f'<a href="https://www.nature.com/articles/{paper.suffix}#ref-CR1">'.encode()

    write_world(small_world(), tmp_path, press=LinkedPress())
    folder = tmp_path / "papers" / paper(1).id
    text = (folder / "article.html").read_text()
    assert text == '<a href="tables/1.html"><img src="figures/1.png"><a href="article.pdf">'
    assert (folder / "tables" / "1.html").read_text() == '<a href="../article.html#ref-CR1">'


def test_writing_twice_is_the_same_and_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_world(small_world(), out, press=PlainPress())
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    write_world(small_world(), out, press=PlainPress())
    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match="not empty"):
        write_world(small_world(), tmp_path / "mine", press=PlainPress())


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a/b.csv", "a/b.csv"),
        ("../../etc/x", "etc/x"),
        ("/abs", "abs"),
        ("..", "_"),
        ("a\\..\\b", "a/b"),
        ("\u2728 x", "\u2728 x"),
    ],
)
def test_no_name_leads_out_of_its_folder(name: str, written: str) -> None:
    assert safe(name) == written
