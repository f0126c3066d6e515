"""Ingest, and the read stage behind it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nature_gym.cli import reading as commands
from nature_gym.errors import UsageError
from nature_gym.reading.ingest import IngestedPaper, find_sources, ingest
from nature_gym.reading.stage import ReadStage
from nature_gym.records import Papers
from nature_gym.stages import carry_out

WORDS = "<p>" + "Words that fill a paragraph as articles do. " * 12 + "</p>"


def page(doi: str = "10.5555/s1-x", body: str = "") -> str:
    meta = f'<meta name="citation_title" content="A title"><meta name="citation_doi" content="{doi}">'
    return f"<html><head>{meta}</head><body><article><h2>Results</h2>{WORDS}{body}</article></body></html>"


XML = (
    '<article><front><article-meta><article-id pub-id-type="doi">10.5555/s1-x</article-id><title-group>'
    "<article-title>A title</article-title></title-group></article-meta></front><body><sec><title>Results</title>"
    "<p>From XML.</p></sec></body></article>"
)


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    return Papers(tmp_path / "home" / "papers")


def take(papers: Papers, *paths: Path) -> list[IngestedPaper]:
    return list(ingest(paths, papers))


def test_a_folder_with_several_forms_is_one_paper(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "paper"
    (folder / "tables").mkdir(parents=True)
    (folder / "repository" / "src").mkdir(parents=True)
    table = "<figure><figcaption>Table 1 Scores</figcaption></figure>"
    (folder / "a.html").write_text(page(body=table))
    (folder / "a.xml").write_text(XML)
    (folder / "tables" / "1.html").write_text("<main><table><tr><th>a</th></tr><tr><td>0.9</td></tr></table></main>")
    (folder / "repository" / "src" / "x.py").write_text("print()")
    (paper,) = take(papers, folder)
    assert (paper.id, paper.result.kind) == ("10.5555_s1-x", "done")
    fetched, read = paper.folder.published("fetch"), paper.folder.published("read")
    assert fetched is not None
    assert read is not None
    assert set(fetched.record.outputs) == {"article.html", "article.xml", "tables/1.html", "repository/src/x.py"}
    told = json.loads((read.folder / "paper.json").read_bytes())
    assert told["source"] == "html"
    assert told["tables"][0]["file"] == "tables/1.csv"
    work = paper.folder.published("harvest")
    assert work is not None
    assert json.loads((work.folder / "work.json").read_bytes())["openalex_id"] is None


def test_a_form_that_cannot_be_read_gives_way_to_the_next_and_is_told(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "a.html").write_text("<p>Verify you are human</p>")
    (folder / "a.xml").write_text(XML)
    (paper,) = take(papers, folder)
    read = paper.folder.published("read")
    assert read is not None
    told = json.loads((read.folder / "paper.json").read_bytes())
    assert told["source"] == "xml"
    assert "robot" in told["problems"][0]


def test_what_cannot_be_read_is_on_the_papers_record_and_the_batch_goes_on(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "bad.html").write_text("")
    (folder / "good.html").write_text(page())
    results = {paper.source.name: paper for paper in take(papers, folder)}
    assert results["good"].result.kind == "done"
    assert (results["bad"].result.kind, results["bad"].result.verdict) == ("failed", "NoArticleError")
    assert results["bad"].id == "ingest-bad"


def test_ingesting_again_does_nothing(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page())
    take(papers, tmp_path / "a.html")
    before = papers["10.5555_s1-x"].publications()
    (again,) = take(papers, tmp_path / "a.html")
    assert again.result.kind == "current"
    assert papers["10.5555_s1-x"].publications() == before


def test_a_changed_file_is_read_again(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page())
    take(papers, tmp_path / "a.html")
    (tmp_path / "a.html").write_text(page(body="<p>More.</p>"))
    (again,) = take(papers, tmp_path / "a.html")
    assert again.result.kind == "done"


def test_forms_in_folders_of_their_own_meet_by_name(tmp_path: Path) -> None:
    for form, name in (("html", "p1"), ("html", "p2"), ("pdf", "p1"), ("pdf", "p3")):
        (tmp_path / form).mkdir(exist_ok=True)
        (tmp_path / form / f"{name}.{form}").write_text("x")
    found = {source.name: sorted(source.articles) for source in find_sources([tmp_path])}
    assert found == {"p1": ["html", "pdf"], "p2": ["html"], "p3": ["pdf"]}


def test_names_with_spaces_and_emoji_are_fine(tmp_path: Path, papers: Papers) -> None:
    path = tmp_path / "my päper 🎉.html"
    path.write_text(page(doi=""))
    (paper,) = take(papers, path)
    assert paper.id == "ingest-my-p-per"
    assert paper.result.kind == "done"


def test_paths_without_papers_are_usage_errors(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x")
    for path in (tmp_path / "nothing", tmp_path / "x.txt", tmp_path):
        with pytest.raises(UsageError):
            find_sources([path])


def test_links_inside_repositories_are_not_followed(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "paper"
    (folder / "repository").mkdir(parents=True)
    (tmp_path / "secret").write_text("s")
    (folder / "a.html").write_text(page())
    (folder / "repository" / "link").symlink_to(tmp_path / "secret")
    (paper,) = take(papers, folder)
    assert (paper.folder.path / "fetch" / "repository" / "link").is_symlink()


def test_reading_before_fetching_says_what_to_do(papers: Papers) -> None:
    result = carry_out(ReadStage(), papers["10.5555_none"])
    assert (result.kind, result.verdict) == ("failed", "NoFullTextError")
    record = papers["10.5555_none"].record("read")
    assert record is not None
    assert "naturegym" in record.hint


# -- commands ----------------------------------------------------------------------


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    made.command("ingest")(commands.ingest)
    made.command("read")(commands.read)
    return made


def test_the_command_prints_one_object_a_paper(tmp_path: Path, app: typer.Typer) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "one.html").write_text(page("10.5555/one"))
    (folder / "two.html").write_text(page("10.5555/two"))
    (folder / "bad.html").write_text("")
    result = CliRunner().invoke(app, ["ingest", str(folder), "--json"])
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [paper["id"] for paper in told] == ["ingest-bad", "10.5555_one", "10.5555_two"]
    assert told[0]["problems"] == ["the page is empty"]
    assert told[0].keys() == told[1].keys()
    assert result.exit_code == 1


def test_one_paper_is_read_without_a_server(tmp_path: Path, app: typer.Typer) -> None:
    (tmp_path / "a.html").write_text(page())
    CliRunner().invoke(app, ["ingest", str(tmp_path / "a.html")])
    shutil.rmtree(tmp_path / "naturegym-home" / "papers" / "10.5555_s1-x" / "read", ignore_errors=True)
    result = CliRunner().invoke(app, ["read", "10.5555/s1-x", "--force", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["title"] == "A title"


def test_text_for_people_names_what_was_found(tmp_path: Path, app: typer.Typer) -> None:
    (tmp_path / "a.html").write_text(page(body="<h2>Data availability</h2><p>At https://zenodo.org/records/1.</p>"))
    result = CliRunner().invoke(app, ["ingest", str(tmp_path / "a.html")])
    assert "10.5555_s1-x" in result.stdout
    assert "1 data links" in result.stdout
    assert "availability of data" in result.stdout


def test_pipes_and_links_to_nothing_in_a_folder_are_no_papers(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "nothing.xml").symlink_to("nowhere")
    with pytest.raises(UsageError, match="holds no paper"):
        find_sources([tmp_path])
