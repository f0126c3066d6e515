from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.evaluation import intake
from nature_gym.evaluation.intake import AnswerLimits, IntakeError, Taken, answer_digests, clear_away, take_in

LIMITS = AnswerLimits()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "output" / "a").mkdir(parents=True)
    (folder / "output" / "a" / "x.csv").write_text("1\n", encoding="utf-8")
    return folder


def refused(workspace: Path, into: Path, limits: AnswerLimits = LIMITS) -> IntakeError:
    with pytest.raises(IntakeError) as caught:
        take_in(workspace, "output", into, limits)
    assert not into.exists()
    assert str(workspace) not in caught.value.message
    return caught.value


def test_regular_files_are_copied_and_named_with_their_digests(workspace: Path, tmp_path: Path) -> None:
    (workspace / "output" / "b.bin").write_bytes(bytes(range(256)) * 40_000)
    taken = take_in(workspace, "output", tmp_path / "copy")
    assert taken.files == {"a/x.csv": 2, "b.bin": 10_240_000}
    assert (tmp_path / "copy" / "b.bin").read_bytes() == (workspace / "output" / "b.bin").read_bytes()
    assert answer_digests(tmp_path / "copy", taken)["a/x.csv"] == {
        "size": 2,
        "sha256": "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865",
    }


@pytest.mark.parametrize("target", ["/etc/passwd", "x.csv", ".."])
def test_a_link_is_refused_whatever_it_leads_to(workspace: Path, tmp_path: Path, target: str) -> None:
    (workspace / "output" / "a" / "link").symlink_to(target)
    assert "is a link" in refused(workspace, tmp_path / "copy").message


def test_the_folder_of_answers_itself_is_no_link(workspace: Path, tmp_path: Path) -> None:
    (workspace / "output").rename(workspace / "elsewhere")
    (workspace / "output").symlink_to("elsewhere")
    refused(workspace, tmp_path / "copy")


def test_a_hard_link_is_refused(workspace: Path, tmp_path: Path) -> None:
    secret = tmp_path / "truth.csv"
    secret.write_text("answers", encoding="utf-8")
    (workspace / "output" / "a" / "y.csv").hardlink_to(secret)
    assert "hard link" in refused(workspace, tmp_path / "copy").message


def test_a_pipe_is_refused_without_being_opened(workspace: Path, tmp_path: Path) -> None:
    os.mkfifo(workspace / "output" / "pipe")  # opening it for reading would wait for ever
    assert "not a regular file" in refused(workspace, tmp_path / "copy").message


def test_a_socket_is_refused(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace / "output")  # its whole path may be too long
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("s")
        assert "not a regular file" in refused(workspace, tmp_path / "copy").message


def test_a_file_that_becomes_a_link_after_it_was_looked_at_is_not_followed(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.stat

    def stat(path: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        status = real(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        if path == "x.csv":
            (workspace / "output" / "a" / "x.csv").unlink()
            (workspace / "output" / "a" / "x.csv").symlink_to("/etc/passwd")
        return status

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", stat)
        with pytest.raises(IntakeError):
            take_in(workspace, "output", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_file_that_changes_while_it_is_read_is_refused(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = intake._copy_bytes

    def copy(source: int, target: int, size: int) -> int:
        with (workspace / "output" / "a" / "x.csv").open("a") as file:
            file.write("more")
        return real(source, target, size)

    monkeypatch.setattr(intake, "_copy_bytes", copy)
    assert "changed while it was read" in refused(workspace, tmp_path / "copy").message


def test_a_sparse_file_counts_as_it_reads(workspace: Path, tmp_path: Path) -> None:
    with (workspace / "output" / "hole.bin").open("wb") as file:
        file.truncate(1 << 40)
    error = refused(workspace, tmp_path / "copy", AnswerLimits(size=1 << 30))
    assert error.too_large


def test_files_are_counted_before_all_are_listed(workspace: Path, tmp_path: Path) -> None:
    for number in range(30):
        (workspace / "output" / str(number)).touch()
    assert refused(workspace, tmp_path / "copy", AnswerLimits(files=20)).too_large
    assert refused(workspace, tmp_path / "copy", AnswerLimits(files=31)).too_large
    assert len(take_in(workspace, "output", tmp_path / "copy", AnswerLimits(files=32)).files) == 31


def test_folders_without_end_are_refused(workspace: Path, tmp_path: Path) -> None:
    (workspace / "output" / "/".join("d" * 40)).mkdir(parents=True)
    assert "deeper" in refused(workspace, tmp_path / "copy").message


@pytest.mark.parametrize("name", [b"\x1b[2J", b"\xff\xfe", b"new\nline", b"n" * 201])
def test_a_name_that_cannot_be_printed_is_refused(workspace: Path, tmp_path: Path, name: bytes) -> None:
    Path(os.fsdecode(os.fsencode(workspace / "output") + b"/" + name)).touch()
    message = refused(workspace, tmp_path / "copy").message
    assert message.isprintable()


@pytest.mark.parametrize("there", [True, False])
def test_no_answer_is_said(workspace: Path, tmp_path: Path, there: bool) -> None:
    (workspace / "output").rename(tmp_path / "gone")
    if there:
        (workspace / "output" / "empty").mkdir(parents=True)
    assert refused(workspace, tmp_path / "copy").message == (
        "the folder output is empty" if there else "there is no folder output"
    )


def test_what_an_agent_swaps_all_the_time_gives_whole_copies_or_refusals(workspace: Path, tmp_path: Path) -> None:
    over = threading.Event()
    target = workspace / "output" / "a" / "x.csv"

    def swap() -> None:
        while not over.is_set():
            for content in ("first" * 1000, "second" * 1000):
                draft = workspace / "draft"
                draft.write_text(content, encoding="utf-8")
                draft.rename(target)
            target.unlink()
            target.symlink_to("/etc/passwd")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for number in range(100):
            try:
                take_in(workspace, "output", tmp_path / str(number))
            except IntakeError:
                continue
            assert (tmp_path / str(number) / "a" / "x.csv").read_text() in ("1\n", "first" * 1000, "second" * 1000)
    finally:
        over.set()
        thread.join()


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.binary(max_size=300), min_size=1, max_size=8))
def test_a_copy_has_the_same_bytes(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    place = tmp_path_factory.mktemp("intake")
    (place / "output").mkdir()
    for name, content in files.items():
        (place / "output" / name).write_bytes(content)
    take_in(place, "output", place / "copy")
    assert {path.name: path.read_bytes() for path in (place / "copy").iterdir()} == files


def test_what_an_evaluator_puts_in_a_copys_place_is_neither_followed_nor_waited_for(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the host")
    taken = Taken({"a/x": 1})
    copy = tmp_path / "copy"
    (copy / "a").mkdir(parents=True)
    os.mkfifo(copy / "a" / "pipe")
    (copy / "a" / "link").symlink_to(secret)
    for put in ("pipe", "link"):
        (copy / "a" / put).rename(copy / "a" / "x")
        with pytest.raises(OSError, match=r"regular|symbolic"):
            answer_digests(copy, taken)
        (copy / "a" / "x").unlink()
    (copy / "a").rmdir()
    (copy / "a").symlink_to(tmp_path)
    (tmp_path / "x").write_text("of the host")
    with pytest.raises(OSError, match="directory"):
        answer_digests(copy, taken)


def test_clearing_away_a_link_leaves_its_target(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "x").write_text("x")
    (tmp_path / "current").symlink_to(tmp_path / "kept")
    clear_away(tmp_path / "current")
    assert not (tmp_path / "current").is_symlink()
    assert (tmp_path / "kept" / "x").exists()
    clear_away(tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    clear_away(tmp_path / "kept")
