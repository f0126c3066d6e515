"""What strangers' files may do: be locked, broken, endless, full of scripts; the reader says so and goes on."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from nature_gym.errors import InfrastructureError, PaperError
from nature_gym.reading import pdf
from nature_gym.reading.document import Document
from nature_gym.reading.pdf import read_here, read_pdf, supervision
from nature_gym.reading.refusals import NoArticleError, UnreadableError

pymupdf: Any = import_module("pymupdf")

VARIANTS = int(os.environ.get("FUZZ_VARIANTS") or 60)
"""How many damaged files are tried; 2,000 when a change of the reader is to be sure of."""


def written(text: str = "Some words that make a page of running text, line by line. " * 4, pages: int = 2) -> bytes:
    document = pymupdf.open()
    for number in range(pages):
        page = document.new_page()
        page.insert_textbox(pymupdf.Rect(72, 72, 500, 700), f"{text} Page {number + 1}.")
    return bytes(document.tobytes(deflate=True, garbage=3))


@pytest.fixture(autouse=True)
def _no_reader_left_over() -> Iterator[None]:
    yield
    supervision.close_readers()


def locked(owner: str, user: str) -> bytes:
    document = pymupdf.open(stream=written(), filetype="pdf")
    return bytes(
        document.tobytes(
            encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw=owner, user_pw=user, permissions=pymupdf.PDF_PERM_PRINT
        )
    )


def test_a_password_is_asked_for_in_words() -> None:
    with pytest.raises(UnreadableError, match="password") as caught:
        read_pdf(locked("owner", "secret"))
    assert "without a password" in caught.value.hint


def test_a_file_whose_password_only_limits_printing_is_read() -> None:
    assert "running text" in read_pdf(locked("owner", "")).sections[0].text


@pytest.mark.parametrize("content", [b"", b"   \n"])
def test_nothing_is_no_article(content: bytes) -> None:
    with pytest.raises(NoArticleError, match="empty"):
        read_pdf(content)


def test_a_web_page_in_the_place_of_a_pdf_is_named() -> None:
    with pytest.raises(NoArticleError, match="web page"):
        read_pdf(b"<!DOCTYPE html><html><body>Are you a robot?</body></html>")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoArticleError, match=r"lost\.pdf"):
        read_pdf(tmp_path / "lost.pdf")


def test_half_a_file_is_read_as_far_as_it_goes_and_said_to_be_damaged() -> None:
    content = written(pages=12)
    document = read_here(content[: int(len(content) * 0.7)])
    assert any("damaged" in problem for problem in document.problems)
    assert "running text" in "".join(section.text for section in document.sections)


def test_what_mupdf_complains_of_stays_off_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    content = written(pages=12)
    read_here(content[: int(len(content) * 0.7)])
    assert capfd.readouterr() == ("", "")


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.pdf"
    with path.open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(pdf.MAX_BYTES + 1)
    began = time.monotonic()
    with pytest.raises(UnreadableError, match="300 MB"):
        read_here(path)
    assert time.monotonic() - began < 2


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 3)
    with pytest.raises(UnreadableError, match="4 pages"):
        read_here(written(pages=4))


def test_pages_after_the_time_is_up_are_left_out_and_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SECONDS", 0.0)
    monkeypatch.setattr(pdf, "SECONDS_A_PAGE", 0.0)
    document = read_here(written(pages=3))
    assert any("took too long" in problem for problem in document.problems)


def test_pictures_of_pages_are_said_to_be_pictures() -> None:
    source = pymupdf.open(stream=written(), filetype="pdf")
    scanned = pymupdf.open()
    for page in source:
        new = scanned.new_page()
        new.insert_image(new.rect, stream=page.get_pixmap(dpi=50).tobytes("png"))
    document = read_here(bytes(scanned.tobytes()))
    assert document.sections == ()
    assert any("pictures" in problem for problem in document.problems)


def test_scripts_launches_and_attachments_are_neither_run_nor_followed(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    document = pymupdf.open(stream=written(), filetype="pdf")
    document.embfile_add("run.sh", f"touch {trace}".encode())
    page = document[0]
    page.insert_link({"kind": pymupdf.LINK_LAUNCH, "from": pymupdf.Rect(72, 72, 200, 90), "file": str(trace)})
    catalog = document.pdf_catalog()
    document.xref_set_key(catalog, "OpenAction", f"<</S/JavaScript/JS(app.launchURL('file://{trace}'))>>")
    document.xref_set_key(catalog, "AA", f"<</WC<</S/Launch/F({trace})>>>>")
    found = read_pdf(bytes(document.tobytes()))
    assert "running text" in found.sections[0].text
    assert not trace.exists()
    assert found.links == ()


def test_a_stream_that_unpacks_to_gigabytes_costs_neither_time_nor_memory() -> None:
    document = pymupdf.open(stream=written(pages=1), filetype="pdf")
    reference = document[0].get_contents()[0]
    document.update_stream(reference, b"q Q\n" * 20_000_000, compress=True)
    content = bytes(document.tobytes())
    assert len(content) < 2_000_000
    began = time.monotonic()
    outcome(lambda: read_pdf(content, figures=False))
    assert time.monotonic() - began < 60


# -- damage at random ----------------------------------------------------------------------------


def outcome(read: Callable[[], Document]) -> str:
    """``text``, ``problem`` or ``refused``: anything else is a defect and raises."""
    try:
        document = read()
    except PaperError as error:
        if not error.message or "defect of the reader" in error.hint:
            raise
        return "refused"
    return "problem" if document.problems else "text"


def damaged(content: bytes, dice: random.Random) -> bytes:
    """One variant: cut, flipped, spliced, or changed in its words."""
    way = dice.randrange(5)
    if way == 0:
        return content[: dice.randrange(len(content))]
    if way == 1:
        broken = bytearray(content)
        for _ in range(dice.choice((1, 4, 32, 256))):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        return bytes(broken)
    if way == 2:
        start, end = sorted(dice.randrange(len(content)) for _ in range(2))
        return content[:start] + content[end:]
    if way == 3:
        start, end, place = (dice.randrange(len(content)) for _ in range(3))
        return content[:place] + content[min(start, end) : max(start, end)] + content[place:]
    old, new = dice.choice(
        ((b"/Kids", b"/Kidz"), (b"/Count 2", b"/Count -9"), (b" 0 R", b" 9 R"), (b"/Length", b"/Lengt"),
         (b"obj", b"o"), (b"/Font", b"/Fomt"), (b"/Parent", b"/Kids  "), (b"endstream", b"endstreem"),
         (b"0 0 ", b"9e99 "))
    )  # fmt: skip
    return content.replace(old, new, dice.randrange(1, 4))


def corpus() -> list[bytes]:
    from nature_gym.demo.typesetting.pdf import article_pdf
    from nature_gym.demo.world import build_world

    papers = [paper for paper in build_world().papers if paper.tables and paper.figures]
    return [written(), article_pdf(papers[0]), article_pdf(papers[-1])]


@pytest.mark.timeout(3_600)
def test_damaged_files_give_text_or_a_named_problem_and_never_a_crash() -> None:
    sources = corpus()
    dice = random.Random(20260)
    outcomes = []
    for number in range(VARIANTS):
        content = damaged(sources[number % len(sources)], dice)
        began = time.monotonic()
        outcomes.append(outcome(partial(read_pdf, content, figures=number % 10 == 0)))
        assert time.monotonic() - began < 70
    assert {"text", "problem", "refused"} >= set(outcomes)
    assert outcomes.count("refused") < 0.7 * VARIANTS, "most damaged files still have text to give"


# -- the child -----------------------------------------------------------------------------------


def test_the_child_reads_what_this_process_would() -> None:
    content = corpus()[1]
    assert read_pdf(content) == read_here(content)


def test_one_child_reads_many_papers() -> None:
    read_pdf(written())
    (reader,) = supervision._idle
    for _ in range(3):
        read_pdf(written())
    assert supervision._idle == [reader]
    assert reader.jobs == 4


def test_a_child_that_dies_costs_one_paper_and_not_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    read_pdf(written())
    asked = supervision.Reader.ask

    def ask(self: supervision.Reader, content: bytes | Path, *, figures: bool) -> Document:
        if content == b"%PDF deadly":
            self.process.kill()
            self.process.wait()
        return asked(self, content, figures=figures)

    monkeypatch.setattr(supervision.Reader, "ask", ask)
    with pytest.raises(UnreadableError, match="crashed"):
        read_pdf(b"%PDF deadly")
    assert "running text" in read_pdf(written()).sections[0].text


def test_a_child_that_falls_silent_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "PATIENCE", 0.5)
    reader = supervision._take()
    reader.process.send_signal(19)
    supervision._give_back(reader)
    monkeypatch.setattr(supervision, "Reader", lambda: reader)
    with pytest.raises(UnreadableError, match="said nothing"):
        read_pdf(written(), figures=False)
    assert reader.process.poll() is not None


def test_text_is_kept_where_drawing_the_figures_kills_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = supervision.Reader.ask

    def ask(self: supervision.Reader, content: bytes | Path, *, figures: bool) -> Document:
        if figures:
            raise supervision._LostError("crashed")
        return asked(self, content, figures=figures)

    monkeypatch.setattr(supervision.Reader, "ask", ask)
    document = read_pdf(written())
    assert "running text" in document.sections[0].text
    assert document.problems == ("no figures: the reader crashed while it drew them",)


def test_without_memory_for_a_child_the_paper_is_not_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(InfrastructureError, match="no process"):
        read_pdf(written())


def test_the_child_has_limits_and_no_environment_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "secret")
    reader = supervision.Reader()
    try:
        reader.ask(written(), figures=False)
        assert resource.prlimit(reader.process.pid, resource.RLIMIT_FSIZE)[0] == 0
        assert resource.prlimit(reader.process.pid, resource.RLIMIT_AS)[0] <= 4 << 30
        environment = Path(f"/proc/{reader.process.pid}/environ").read_bytes()
        assert b"SOME_TOKEN" not in environment
    finally:
        reader.close()


def test_reading_loads_no_library_of_c_into_this_process(tmp_path: Path) -> None:
    program = (
        "import sys; from nature_gym.reading.pdf import read_pdf; "
        "d = read_pdf(open(sys.argv[1], 'rb').read()); assert d.sections; assert 'pymupdf' not in sys.modules"
    )
    path = tmp_path / "article.pdf"
    path.write_bytes(written())
    subprocess.run([sys.executable, "-c", program, str(path)], check=True, timeout=120)


def test_a_figure_without_a_picture_is_named() -> None:
    document = pymupdf.open(stream=written(), filetype="pdf")
    document[1].insert_text((72, 400), "Fig. 1 | What was on the wall. ", fontname="hebo", fontsize=8)
    read = read_here(bytes(document.tobytes()))
    assert [(figure.label, figure.image) for figure in read.figures] == [("Fig. 1", None)]
    assert "Fig. 1: no picture was found on page 2" in read.problems
