import datetime as dt
import os
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.digests import digest_bytes
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.records import Output, PaperFolder, Papers, StageError, StageRecord, paper_id
from tests.faults import instructions_of, killed_after

PAPER = "10.5555_s41467-022-30001-4"
WHEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def a_record(stage: str = "read", text: bytes = b"", **changes: object) -> StageRecord:
    outputs = {"text.md": Output(digest=digest_bytes(text), size=len(text))}
    fields = {"paper": PAPER, "stage": stage, "status": "done", "verdict": "done", "inputs": "sha256:0", "rules": "1"}
    return StageRecord.model_validate({**fields, "started": WHEN, "finished": WHEN, "outputs": outputs, **changes})


def publish(papers: Path, text: bytes, stage: str = "read", files: int = 3) -> None:
    """A publication whose files all say the same, so that a mixture would show."""
    folder = PaperFolder(papers, PAPER)
    with folder.draft(stage) as draft:
        (draft.folder / "tables").mkdir()
        for number in range(files):
            (draft.folder / "tables" / f"{number}.csv").write_bytes(text)
        (draft.folder / "text.md").write_bytes(text)
        folder.publish(draft, a_record(stage, text, facts={"text": text.decode()}))


def what_is_read(papers: Path, stage: str = "read") -> bytes | None:
    """What a reader finds; fails where record and files do not belong together."""
    published = PaperFolder(papers, PAPER).published(stage)
    if published is None:
        return None
    text = (published.folder / "text.md").read_bytes()
    assert published.record.outputs["text.md"].digest == digest_bytes(text)
    assert {path.read_bytes() for path in (published.folder / "tables").iterdir()} == {text}
    return text


def test_what_was_published_is_read_back(tmp_path: Path) -> None:
    publish(tmp_path, b"first")
    assert what_is_read(tmp_path) == b"first"
    publish(tmp_path, b"second")
    assert what_is_read(tmp_path) == b"second"


@pytest.fixture(scope="module")
def instructions(tmp_path_factory: pytest.TempPathFactory) -> int:
    papers = tmp_path_factory.mktemp("papers")
    publish(papers, b"old")
    return instructions_of(lambda: publish(papers, b"new"), scope="nature_gym")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moment=st.floats(0, 1), before=st.booleans())
def test_a_kill_at_any_instruction_leaves_the_old_or_the_new_and_never_half(
    tmp_path_factory: pytest.TempPathFactory, instructions: int, moment: float, before: bool
) -> None:
    papers = tmp_path_factory.mktemp("papers")
    if before:
        publish(papers, b"old")
    killed_after(1 + int(moment * instructions), lambda: publish(papers, b"new"))
    assert what_is_read(papers) in ({b"old", b"new"} if before else {None, b"new"})

    publish(papers, b"later")
    assert what_is_read(papers) == b"later"
    versions = [path for path in (papers / PAPER).iterdir() if path.name.startswith((".read.", ".tmp.", ".swap."))]
    assert len(versions) <= 2, "what the killed process left behind is swept by the next publication"


def test_some_kills_fall_before_the_publication_and_some_after(tmp_path: Path, instructions: int) -> None:
    found = set()
    for number, moment in enumerate((0.05, 0.5, 0.999, 2.0)):
        papers = tmp_path / str(number)
        publish(papers, b"old")
        killed_after(int(moment * instructions), partial(publish, papers, b"new"))
        found.add(what_is_read(papers))
    assert found == {b"old", b"new"}


def _publish_many(papers: Path, letter: str) -> None:
    for number in range(25):
        publish(papers, f"{letter}{number}".encode() * 50, files=5)


def test_two_processes_on_one_paper_do_not_tear_it(tmp_path: Path) -> None:
    publish(tmp_path, b"start", files=5)
    context = get_context("fork")
    writers = [context.Process(target=_publish_many, args=(tmp_path, letter)) for letter in "ab"]
    for writer in writers:
        writer.start()
    readings = 0
    while any(writer.is_alive() for writer in writers):
        # A reader that was slow enough to be overtaken twice finds its version gone, and looks again.
        try:
            what_is_read(tmp_path)
            readings += 1
        except FileNotFoundError:
            continue
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert readings > 0
    assert (what_is_read(tmp_path) or b"")[1:3] == b"24"


def test_a_reader_inside_a_version_keeps_it_while_the_next_is_published(tmp_path: Path) -> None:
    publish(tmp_path, b"old")
    published = PaperFolder(tmp_path, PAPER).published("read")
    assert published is not None
    publish(tmp_path, b"new")
    assert (published.folder / "text.md").read_bytes() == b"old"


def test_an_error_is_kept_beside_what_was_published_and_goes_with_the_next_success(tmp_path: Path) -> None:
    publish(tmp_path, b"good")
    folder = PaperFolder(tmp_path, PAPER)
    folder.fail(StageError(paper=PAPER, stage="read", error="OSError", reason="disk full", at=WHEN))
    assert folder.errors()["read"].reason == "disk full"
    assert folder.has_error("read")
    assert not folder.has_error("fetch")
    assert what_is_read(tmp_path) == b"good"
    publish(tmp_path, b"better")
    assert folder.errors() == {}
    assert not folder.has_error("read")


def test_a_draft_that_is_not_published_leaves_nothing(tmp_path: Path) -> None:
    folder = PaperFolder(tmp_path, PAPER)

    def give_up() -> None:
        with folder.draft("read") as draft:
            (draft.folder / "text.md").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert folder.record("read") is None
    assert [path.name for path in folder.path.iterdir()] == [".lock"]


def test_a_record_edited_into_nonsense_is_named_with_what_to_do(tmp_path: Path) -> None:
    publish(tmp_path, b"text")
    folder = PaperFolder(tmp_path, PAPER)
    published = folder.published("read")
    assert published is not None
    (published.folder / "record.json").write_text("{")
    with pytest.raises(InfrastructureError) as caught:
        folder.record("read")
    assert str(published.folder / "record.json") in caught.value.message
    assert str(folder.path / "read") in caught.value.hint


@pytest.mark.parametrize(
    ("doi", "openalex", "expected"),
    [
        ("10.1038/s41467-022-30729-2", None, "10.1038_s41467-022-30729-2"),
        ("https://doi.org/10.1038/S41467-022-30729-2", "W1", "10.1038_s41467-022-30729-2"),
        ("doi: 10.1000/a(b)c;d", None, "10.1000_a(b)c;d"),
        ("10.1890/0012(2008)89[475:a]2.0;2", None, "10.1890_0012(2008)89%5B475:a%5D2.0;2"),
        ("10.1000/a/b_c", None, "10.1000_a%2Fb_c"),
        (None, "https://openalex.org/W2741809807", "W2741809807"),
        ("", "W5", "W5"),
    ],
)
def test_a_paper_is_named_by_its_doi_and_else_by_openalex(doi: str | None, openalex: str | None, expected: str) -> None:
    assert paper_id(doi, openalex) == expected


@given(st.text(max_size=30))
def test_no_doi_leads_out_of_the_papers_folder(text: str) -> None:
    try:
        name = paper_id("10.5555/" + text)
    except UsageError:
        return
    assert "/" not in name
    assert name not in {".", ".."}
    assert not name.startswith(".")


@pytest.mark.parametrize("name", ["../etc", "/etc", "", ".hidden", "a/b", "a\0b", "a" * 300])
def test_a_folder_is_not_opened_under_a_name_that_is_no_id(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        Papers(tmp_path)[name]


@pytest.fixture
def corpus(tmp_path: Path) -> Papers:
    for name in ("10.5555_s1-01", "10.5555_s1-02", "W77"):
        (tmp_path / name).mkdir()
    return Papers(tmp_path)


@pytest.mark.parametrize("name", ["10.5555_s1-01", "10.5555/s1-01", "https://doi.org/10.5555/S1-01", "s1-01", "-01"])
def test_a_paper_is_found_by_id_doi_or_the_end_of_its_id(corpus: Papers, name: str) -> None:
    assert corpus.find(name).id == "10.5555_s1-01"


def test_a_name_that_means_several_papers_lists_them(corpus: Papers) -> None:
    (corpus.root / "10.5555_s2-01").mkdir()
    with pytest.raises(UsageError, match="2 papers") as caught:
        corpus.find("-01")
    assert "10.5555_s1-01" in caught.value.hint


@pytest.mark.parametrize("name", ["nothing", "", "../W77", "*"])
def test_a_name_that_means_no_paper_says_where_was_looked(corpus: Papers, name: str) -> None:
    with pytest.raises(UsageError, match="there is no paper"):
        corpus.find(name)


def test_records_come_oldest_first(tmp_path: Path) -> None:
    folder = PaperFolder(tmp_path, PAPER)
    for stage, day in (("screen", 3), ("harvest", 1), ("read", 2)):
        with folder.draft(stage) as draft:
            folder.publish(draft, a_record(stage, finished=WHEN + dt.timedelta(days=day)))
    assert list(folder.records()) == ["harvest", "read", "screen"]
    assert set(folder.publications()) == {"harvest", "read", "screen"}


def as_plain_folders(papers: Path) -> None:
    """Copy a home as programs do that know no links: what a link showed becomes a folder of that name."""
    for link in [path for path in (papers / PAPER).iterdir() if path.is_symlink()]:
        version = link.resolve()
        link.unlink()
        version.rename(link)


def test_a_home_copied_without_its_links_is_read_all_the_same(tmp_path: Path) -> None:
    publish(tmp_path, b"old")
    before = PaperFolder(tmp_path, PAPER).mark()
    as_plain_folders(tmp_path)
    folder = PaperFolder(tmp_path, PAPER)
    assert what_is_read(tmp_path) == b"old"
    assert set(folder.publications()) == {"read"}
    marked = folder.mark()
    assert marked != before
    publish(tmp_path, b"new")
    assert what_is_read(tmp_path) == b"new"
    assert folder.mark() != marked
    assert (folder.path / "read").is_symlink()


def test_a_file_in_the_place_of_a_stage_is_nothing_published_and_gives_way(tmp_path: Path) -> None:
    folder = PaperFolder(tmp_path, PAPER)
    folder.path.mkdir()
    (folder.path / "read").write_text("what is this?")
    assert folder.published("read") is None
    assert folder.publications() == {}
    publish(tmp_path, b"new")
    assert what_is_read(tmp_path) == b"new"


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"paper": 1}', "\xff"])
def test_an_error_file_that_cannot_be_read_is_an_error_that_the_next_success_takes_away(
    tmp_path: Path, text: str
) -> None:
    publish(tmp_path, b"good")
    folder = PaperFolder(tmp_path, PAPER)
    (folder.path / "read.error.json").write_text(text, encoding="latin-1")
    assert folder.errors()["read"].error == "Unreadable"
    publish(tmp_path, b"better")
    assert folder.errors() == {}


@pytest.mark.parametrize(
    "doi", ["10.1000/a/b", "10.1000/<x>#?&", "10.1000/ünï", "10.1000/UP", "https://doi.org/10.1000/a%b"]
)
def test_a_paper_is_found_by_the_doi_it_was_stored_under(tmp_path: Path, doi: str) -> None:
    (tmp_path / paper_id(doi)).mkdir()
    assert Papers(tmp_path).find(doi).id == paper_id(doi)


@pytest.mark.parametrize("doi", ["10.1000_x/y", "11.1000/x", "10.1000/"])
def test_what_is_no_doi_names_no_paper(doi: str) -> None:
    with pytest.raises(UsageError):
        paper_id(doi)


def test_a_clock_that_was_put_back_takes_no_time(tmp_path: Path) -> None:
    assert a_record(started=WHEN + dt.timedelta(days=1)).seconds == 0


def test_a_time_without_its_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="timezone"):
        a_record(started=WHEN.replace(tzinfo=None))


def test_a_file_that_a_killed_writer_left_is_swept_when_it_is_old_and_one_in_the_making_is_not(tmp_path: Path) -> None:
    publish(tmp_path, b"old")
    folder = tmp_path / PAPER
    fresh, stale = folder / ".tmp.read.error.json.1", folder / ".tmp.read.error.json.2"
    for path in (fresh, stale):
        path.touch()
    os.utime(stale, (0, 0))
    publish(tmp_path, b"new")
    assert fresh.exists()
    assert not stale.exists()


@given(moments=st.tuples(st.floats(0.1, 0.6), st.floats(0.8, 1)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_a_stage_that_is_published_once_has_nothing_else_in_its_folder_however_often_it_was_killed_before(
    tmp_path_factory: pytest.TempPathFactory, instructions: int, moments: tuple[float, float]
) -> None:
    papers = tmp_path_factory.mktemp("papers")
    for moment in moments:
        if what_is_read(papers) is None:  # what is published is current, and not published again
            killed_after(1 + int(moment * instructions), lambda: publish(papers, b"new"))
    if what_is_read(papers) is None:
        publish(papers, b"new")
    left = {path.name for path in (papers / PAPER).iterdir()}
    assert left == {"read", (papers / PAPER / "read").readlink().name, ".lock"}
