"""Ingest, and the read stage behind it."""

from __future__ import annotations

import gc
import gzip
import json
import os
import random
import shutil
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf
import pytest
import typer
from typer.testing import CliRunner

from nature_gym.cli import reading as commands
from nature_gym.errors import UsageError
from nature_gym.reading.document import Document
from nature_gym.reading.ingest import IngestedPaper, ingest
from nature_gym.reading.stage import ReadStage
from nature_gym.reading.taking import HarvestStage
from nature_gym.records import Papers
from nature_gym.stages import carry_out
from tests.faults import killed_after

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
    assert paper.folder is not None
    fetched, read = paper.folder.published("fetch"), paper.folder.published("read")
    assert fetched is not None
    assert read is not None
    assert set(fetched.record.outputs) == {"article.html", "article.xml", "tables/1.html", "repository/src/x.py"}
    told = told_of(paper)
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
    told = told_of(paper)
    assert told["source"] == "xml"
    assert "robot" in told["problems"][0]


def test_what_cannot_be_read_is_on_the_papers_record_and_the_batch_goes_on(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "bad.html").write_text("")
    (folder / "good.html").write_text(page())
    results = {paper.name: paper for paper in take(papers, folder)}
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
    published = papers["10.5555_s1-x"].published("fetch")
    (again,) = take(papers, tmp_path / "a.html")
    assert again.result.kind == "done"
    assert published is not None
    assert (published.folder / "article.html").read_text() == page()  # whoever still reads it, reads it unchanged
    assert (papers["10.5555_s1-x"].path / "fetch" / "article.html").read_text() == page(body="<p>More.</p>")


def test_names_with_spaces_and_emoji_are_fine(tmp_path: Path, papers: Papers) -> None:
    path = tmp_path / "my päper 🎉.html"
    path.write_text(page(doi=""))
    (paper,) = take(papers, path)
    assert paper.id == "ingest-my-p-per"
    assert paper.result.kind == "done"


def test_reading_before_fetching_says_what_to_do(papers: Papers) -> None:
    result = carry_out(ReadStage(), papers["10.5555_none"])
    assert (result.kind, result.verdict) == ("failed", "NoFullTextError")
    record = papers["10.5555_none"].record("read")
    assert record is not None
    assert "naturegym" in record.hint


# -- which files are which paper -----------------------------------------------------


def told_of(paper: IngestedPaper) -> dict[str, Any]:
    """The paper's paper.json."""
    assert paper.folder is not None
    read = paper.folder.published("read")
    assert read is not None
    told: dict[str, Any] = json.loads((read.folder / "paper.json").read_bytes())
    return told


def forms_of(paper: IngestedPaper) -> set[str]:
    """The names of the files that the paper's folder holds."""
    assert paper.folder is not None
    record = paper.folder.record("fetch")
    assert record is not None
    return set(record.outputs)


def xml(doi: str = "10.5555/s1-x", title: str = "A title of many words") -> str:
    return XML.replace("10.5555/s1-x", doi).replace("A title", title)


def pdf(title: str, lines: Sequence[str], path: Path) -> None:
    """A page with a title and lines of text."""
    library: Any = pymupdf
    document = library.open()
    sheet = document.new_page()
    sheet.insert_textbox((50, 60, 550, 130), title, fontsize=18)
    filled = ["Words that fill a line as those of articles do, one after the other."] * 20
    for place, line in enumerate([*lines, *filled]):
        sheet.insert_text((50, 150 + 14 * place), line, fontsize=10)
    document.save(path)
    document.close()


def test_papers_of_different_dois_in_one_folder_stay_apart(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.html").write_text(page("10.5555/one"))
    (folder / "b.xml").write_text(xml("10.5555/two"))
    (folder / "article.html").write_text(page("10.5555/three"))
    taken = take(papers, folder)
    assert [paper.id for paper in taken] == ["10.5555_one", "10.5555_three", "10.5555_two"]
    assert [forms_of(paper) for paper in taken] == [{"article.html"}, {"article.html"}, {"article.xml"}]


def test_forms_are_told_by_their_titles_where_one_states_no_doi(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "saved.html").write_text(page("").replace("A title", "A title of many words"))
    (tmp_path / "x" / "other.html").write_text(page("").replace("A title", "Quite another subject altogether"))
    (tmp_path / "x" / "z.xml").write_text(xml())
    taken = {paper.id: forms_of(paper) for paper in take(papers, tmp_path / "x")}
    assert taken == {"10.5555_s1-x": {"article.html", "article.xml"}, "ingest-other": {"article.html"}}


def test_forms_in_folders_of_their_own_meet_by_what_they_state(tmp_path: Path, papers: Papers) -> None:
    for form, content in (("html", page()), ("xml", xml())):
        (tmp_path / form).mkdir()
        (tmp_path / form / f"as {form}.{form}").write_text(content)
    (paper,) = take(papers, tmp_path / "html", tmp_path / "xml")
    assert forms_of(paper) == {"article.html", "article.xml"}


def test_a_form_that_comes_later_is_added_and_the_best_is_read(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.xml").write_text(xml())
    (tmp_path / "a.html").write_text(page())
    (first,) = take(papers, tmp_path / "a.xml")
    assert told_of(first)["source"] == "xml"
    (second,) = take(papers, tmp_path / "a.html")
    assert forms_of(second) == {"article.html", "article.xml"}
    assert told_of(second)["source"] == "html"
    (third,) = take(papers, tmp_path / "a.xml")
    assert (third.result.kind, forms_of(third)) == ("current", {"article.html", "article.xml"})
    work = papers["10.5555_s1-x"].published("harvest")
    assert work is not None
    assert json.loads((work.folder / "work.json").read_bytes())["title"] == "A title"  # the page's, the best form


def test_a_paper_is_listed_once_however_often_it_is_named(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page())
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "b.html").write_text(page())
    (tmp_path / "copy" / "c.html").write_text(page(body="<p>Changed.</p>"))
    (tmp_path / "link.html").symlink_to("a.html")
    (paper,) = take(papers, tmp_path / "a.html", tmp_path / "a.html", tmp_path / "link.html", tmp_path / "copy")
    assert told_of(paper)["problems"][-1] == "another html of this paper was left aside: c.html"
    again = take(papers, tmp_path / "a.html", tmp_path / "copy")
    assert [one.result.kind for one in again] == ["current"]
    assert told_of(again[0]) == told_of(paper)


def test_papers_that_are_only_called_alike_are_two(tmp_path: Path, papers: Papers) -> None:
    for place, title in (("a", "One title of many words"), ("b", "Quite another subject altogether")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "mine.html").write_text(page("").replace("A title", title))
    first = take(papers, tmp_path / "a")
    second = take(papers, tmp_path / "b")
    assert {told_of(paper)["title"] for paper in first + second} == {
        "One title of many words", "Quite another subject altogether",
    }  # fmt: skip
    assert first[0].id == "ingest-mine"
    assert second[0].id.startswith("ingest-mine-")
    assert take(papers, tmp_path / "a", tmp_path / "b")[1].id == second[0].id


def test_what_was_read_is_not_kept_over_a_run(tmp_path: Path, papers: Papers) -> None:
    filling = "<p>" + "Filling words of one long paragraph. " * 4_000 + "</p>"
    for number in range(40):
        (tmp_path / f"p{number:02}.html").write_text(page(f"10.5555/n{number}", body=f"{filling}<p>{number}</p>"))
    take(papers, tmp_path / "p00.html")  # all modules are loaded
    tracemalloc.start()
    sizes: list[int] = []

    def weigh(_: object) -> None:
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])

    list(ingest([tmp_path], papers, tell=weigh))
    tracemalloc.stop()
    assert sizes[-1] - sizes[5] < 8 * len(filling)  # and not some thirty pages


def test_a_page_of_a_table_does_not_stand_for_its_article(tmp_path: Path, papers: Papers) -> None:
    table = page().replace(WORDS, "<p>Table 1: " + "scores of all methods. " * 10 + "</p>")
    (tmp_path / "a-table.html").write_text(table)
    (tmp_path / "z-article.html").write_text(page())
    (paper,) = take(papers, tmp_path)
    assert "Words that fill" in (papers[paper.id].path / "read" / "text.md").read_text()
    assert told_of(paper)["problems"][-1] == "another html of this paper was left aside: a-table.html"


def test_what_openalex_said_of_a_paper_stays(tmp_path: Path, papers: Papers) -> None:
    class Harvested(HarvestStage):
        rules = "of OpenAlex"

    folder = papers["10.5555_s1-x"]
    carry_out(Harvested("10.5555_s1-x", Document("html", title="As OpenAlex has it")), folder)
    (tmp_path / "a.html").write_text(page())
    take(papers, tmp_path / "a.html")
    work = folder.published("harvest")
    assert work is not None
    assert json.loads((work.folder / "work.json").read_bytes())["title"] == "As OpenAlex has it"


def test_a_folder_of_many_papers_gives_each_its_own(tmp_path: Path, papers: Papers) -> None:
    for number in range(20):
        (tmp_path / f"p{number:02}.html").write_text(page(f"10.5555/n{number}"))
        (tmp_path / f"q{number:02}.xml").write_text(xml(f"10.5555/n{number}"))
    taken = take(papers, tmp_path)
    assert [paper.id for paper in taken] == [f"10.5555_n{number}" for number in range(20)]
    assert {frozenset(forms_of(paper)) for paper in taken} == {frozenset({"article.html", "article.xml"})}


# -- form by content -----------------------------------------------------------------


def test_what_a_file_is_called_does_not_matter(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "page.pdf").write_text(page("10.5555/page"))
    (tmp_path / "jats.txt").write_text(xml("10.5555/jats"))
    (tmp_path / "packed.html.gz").write_bytes(gzip.compress(page("10.5555/packed").encode()))
    (tmp_path / "packed.html").write_bytes(gzip.compress(page("10.5555/packed-too").encode()))
    pdf("A subject of its own", ["https://doi.org/10.5555/portable", "Words that fill a line."], tmp_path / "doc.xml")
    taken = {paper.id: next(iter(forms_of(paper))) for paper in take(papers, tmp_path)}
    assert taken == {
        "10.5555_page": "article.html",
        "10.5555_jats": "article.xml",
        "10.5555_packed": "article.html",
        "10.5555_packed-too": "article.html",
        "10.5555_portable": "article.pdf",
    }
    stored = papers["10.5555_packed"].path / "fetch" / "article.html"
    assert stored.read_text() == page("10.5555/packed")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("noise.html", random.Random(1).randbytes(20_000)),
        ("noise.xml", random.Random(2).randbytes(20_000)),
        ("noise.pdf", random.Random(3).randbytes(20_000)),
        ("words.html", b"Words that fill a page and are no article. " * 500),
        (
            "blog.html",
            b"<html><body><h1>My cat</h1>" + b"<p>It is a very fine cat indeed.</p>" * 100 + b"</body></html>",
        ),
        ("cut.html.gz", gzip.compress(page().encode(), mtime=0)[:100]),
        ("bomb.html.gz", b"\x1f\x8b\x08" + bytes(5_000)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_holds_no_article_is_refused_with_a_reason(
    tmp_path: Path, papers: Papers, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    (paper,) = take(papers, tmp_path / name)
    assert paper.result.kind == "failed"
    assert paper.exit_code == 1
    assert paper.result.reason
    (again,) = take(papers, tmp_path / name)
    assert again.exit_code == 1


# -- what cannot be taken in ---------------------------------------------------------


def test_what_cannot_be_opened_is_told_and_the_others_go_on(tmp_path: Path, papers: Papers) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    os.mkfifo(folder / "pipe.html")
    (folder / "nothing.xml").symlink_to("nowhere")
    (folder / "circle.pdf").symlink_to("circle.pdf")
    (folder / "memory.html").symlink_to("/proc/self/mem")  # it can be opened, and not be read
    (folder / "good.html").write_text(page())
    (folder / "gone.html").write_text(page("10.5555/gone"))
    notes: list[str] = []

    def vanish(_: int) -> None:
        (folder / "gone.html").unlink(missing_ok=True)

    taken = {paper.name.rpartition("/")[2]: paper for paper in ingest([folder], papers, tell=vanish, note=notes.append)}
    assert set(taken) == {"pipe.html", "nothing.xml", "circle.pdf", "memory.html", "gone.html", "good"}
    assert {name: paper.exit_code for name, paper in taken.items()} == {**dict.fromkeys(taken, 3), "good": 0}
    assert all(paper.result.reason for name, paper in taken.items() if name != "good")


def test_paths_without_papers_are_told_and_the_others_go_on(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "x.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.html").write_text(page())
    taken = list(
        ingest(["", tmp_path / "nothing", tmp_path / "x.txt", tmp_path / "empty", tmp_path / "a.html"], papers)
    )
    assert sorted(paper.exit_code for paper in taken) == [0, 2, 2, 2, 2]
    assert {type(paper.error) for paper in taken} == {UsageError, type(None)}


def test_other_files_in_a_folder_are_named(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page())
    (tmp_path / "notes.docx").write_bytes(b"PK")
    (tmp_path / ".hidden").write_text("x")
    notes: list[str] = []
    assert len(list(ingest([tmp_path], papers, note=notes.append))) == 1
    assert [note for note in notes if "notes.docx" in note]
    assert not [note for note in notes if "hidden" in note]


# -- supplements and folders beside ----------------------------------------------------


def test_supplementary_files_go_with_their_article(tmp_path: Path, papers: Papers) -> None:
    linked = '<a href="https://static-content.springer.com/esm/art%3A10.5555%2Fx/MediaObjects/mine.pdf">Supplement</a>'
    (tmp_path / "a.html").write_text(page(body=f"<h2>Supplementary information</h2><p>{linked}</p>"))
    pdf("Supplementary Information", ["The learning rate was 0.125 in all runs."], tmp_path / "1_MOESM1_ESM.pdf")
    pdf("More of it", ["Linked by the article."], tmp_path / "mine.pdf")
    pdf("Supplementary Tables", ["Named by its title alone."], tmp_path / "zz.pdf")
    (tmp_path / "supplementary").mkdir()
    (tmp_path / "supplementary" / "scores.xlsx").write_bytes(b"PK")
    (paper,) = take(papers, tmp_path)
    assert paper.folder is not None
    names = {"1_MOESM1_ESM.pdf", "mine.pdf", "zz.pdf", "scores.xlsx"}
    assert forms_of(paper) == {"article.html"} | {f"supplements/{name}" for name in names}
    read = paper.folder.path / "read"
    assert "0.125" not in (read / "text.md").read_text()
    entries = {one["name"]: one for one in json.loads((read / "supplements.json").read_bytes())}
    assert entries.keys() == names
    assert "0.125" in (read / entries["1_MOESM1_ESM.pdf"]["text"]).read_text()
    assert entries["scores.xlsx"]["text"] is None
    (again,) = take(papers, tmp_path)
    assert again.result.kind == "current"


def test_among_several_articles_a_supplement_finds_its_own_by_name(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page("10.5555/s41467-022-30729-2"))
    (tmp_path / "b.html").write_text(page("10.5555/other"))
    for name in ("41467_2022_30729_MOESM1_ESM.pdf", "b_supplement.pdf", "supplement.pdf"):
        pdf("Notes", ["More words."], tmp_path / name)
    taken = {paper.id: paper for paper in take(papers, tmp_path)}
    assert forms_of(taken["10.5555_s41467-022-30729-2"]) == {
        "article.html", "supplements/41467_2022_30729_MOESM1_ESM.pdf",
    }  # fmt: skip
    assert forms_of(taken["10.5555_other"]) == {"article.html", "supplements/b_supplement.pdf"}
    assert "without the article" in taken["ingest-supplement"].result.reason


def test_a_damaged_supplement_is_a_problem_of_its_article(tmp_path: Path, papers: Papers) -> None:
    (tmp_path / "a.html").write_text(page())
    (tmp_path / "supplement.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    (paper,) = take(papers, tmp_path)
    assert paper.result.kind == "done"
    assert [problem for problem in told_of(paper)["problems"] if "supplement.pdf" in problem]


def test_only_what_stays_inside_goes_along_with_a_repository(tmp_path: Path, papers: Papers) -> None:
    repository = tmp_path / "paper" / "repository"
    (repository / "src").mkdir(parents=True)
    (tmp_path / "paper" / "a.html").write_text(page())
    (tmp_path / "secret").write_text("s")
    (repository / "src" / "x.py").write_text("print()")
    (repository / "inside").symlink_to("src/x.py")
    (repository / "out").symlink_to("../../secret")
    (repository / "absolute").symlink_to(tmp_path / "secret")
    (repository / "elsewhere later").symlink_to(repository / "src" / "x.py")
    (repository / "over").symlink_to("hop/../../secret")
    (repository / "hop").symlink_to("src")
    os.mkfifo(repository / "pipe")
    (paper,) = take(papers, tmp_path / "paper")
    assert paper.folder is not None
    copied = paper.folder.path / "fetch" / "repository"
    assert sorted(path.name for path in copied.iterdir()) == ["hop", "inside", "src"]
    assert (copied / "inside").read_text() == "print()"
    left_out = "\n".join(told_of(paper)["problems"])
    assert all(f"repository/{name} was left out" in left_out for name in ("absolute", "elsewhere later", "out", "pipe"))
    (tmp_path / "later.xml").write_text(xml())
    (later,) = take(papers, tmp_path / "later.xml")
    assert forms_of(later) == {"article.html", "article.xml", "repository/src/x.py"}
    (again,) = take(papers, tmp_path / "paper")
    assert told_of(again)["source"] == "html"


# -- what is told ------------------------------------------------------------------------


def test_two_homes_tell_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "a.html").write_text("<p>Verify you are human</p>")
    (folder / "a.pdf").write_bytes(b"%PDF-1.7 damaged")
    (folder / "a.xml").write_text(xml()[:-40])
    (folder / "supplement.pdf").write_bytes(b"%PDF-1.7 damaged, too")
    told = []
    for home in ("one", "another"):
        papers = Papers(tmp_path / home / "papers")
        (paper,) = take(papers, folder)
        assert paper.folder is not None
        told.append((paper.folder.path / "read" / "paper.json").read_bytes())
        assert str(tmp_path).encode() not in told[-1]
        assert b".fetch." not in told[-1]
    assert told[0] == told[1]


def test_no_text_commands_a_terminal_and_no_doi_is_a_path(tmp_path: Path, papers: Papers) -> None:
    evil = "10.5555/../../../etc/passwd"
    content = page(evil).replace("A title", "A &#27;[31mred\x9b &#x202e;title &#7;of words")
    (tmp_path / "a.html").write_text(content.replace("Words that", "Words\x1b]0;x\x07 &#27;[2J that"))
    (paper,) = take(papers, tmp_path / "a.html")
    assert paper.id == "10.5555_..%2F..%2F..%2Fetc%2Fpasswd"
    assert {path.name for path in papers.root.iterdir()} == {paper.id}
    assert paper.folder is not None
    for file in ("paper.json", "text.md", "document.json"):
        text = (paper.folder.path / "read" / file).read_text()
        decoded = str(json.loads(text)) if file.endswith("json") else text
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(decoded)
    assert told_of(paper)["title"] == "A [31mred title of words"


# -- faults --------------------------------------------------------------------------------


def state(papers: Papers) -> dict[str, bytes]:
    """What the papers' folders show, times apart."""
    return {
        path.relative_to(papers.root).as_posix(): path.read_bytes()
        for paper in papers
        for stage in ("harvest", "fetch", "read")
        for path in sorted((paper.path / stage).rglob("*"))
        if path.is_file() and path.name != "record.json"
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "paper"
    (folder / "repository").mkdir(parents=True)
    (folder / "repository" / "x.py").write_text("print()")
    (folder / "a.html").write_text(page())
    (folder / "b.xml").write_text(xml())
    undisturbed, disturbed = Papers(tmp_path / "one" / "papers"), Papers(tmp_path / "two" / "papers")
    warm = Papers(tmp_path / "warm" / "papers")
    take(warm, folder)  # all modules are loaded, and no moment is spent on them
    take(undisturbed, folder)
    chance = random.Random(seed)
    while not killed_after(chance.randrange(1, 60_000), lambda: take(disturbed, folder)):
        shutil.rmtree(disturbed.root.parent)
    taken = take(disturbed, folder)
    assert [paper.exit_code for paper in taken] == [0]
    assert state(disturbed) == state(undisturbed)
    assert [paper.result.kind for paper in take(disturbed, folder)] == ["current"]


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


ORDER = [
    "id", "doi", "title", "source", "article_type", "sections", "availability", "links", "tables", "figures",
    "problems",
]  # fmt: skip


def test_every_line_is_one_object_of_the_same_shape(tmp_path: Path, app: typer.Typer) -> None:
    (tmp_path / "good.html").write_text(page())
    (tmp_path / "bad.html").write_text("")
    os.mkfifo(tmp_path / "pipe.html")
    result = CliRunner().invoke(app, ["ingest", str(tmp_path), "", str(tmp_path / "nowhere"), "--json"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(line) for line in lines] == [ORDER] * 5
    assert result.exit_code == 3
    assert all(line["problems"] for line in lines if line["id"] != "10.5555_s1-x")
    assert all(isinstance(line["availability"], dict) for line in lines)


@pytest.mark.parametrize("path", ["", "nowhere"])
def test_a_wrong_path_is_a_usage_error(path: str, app: typer.Typer) -> None:
    result = CliRunner().invoke(app, ["ingest", path])
    assert result.exit_code == 2
    assert "read" not in result.stdout
