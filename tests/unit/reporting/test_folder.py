"""A report takes the place of the one before in one step, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.errors import UsageError
from nature_gym.reporting.folder import DRAFT, MARK, replaced


def write(out: Path, text: str) -> None:
    with replaced(out) as draft:
        (draft / MARK).write_text("{}")
        (draft / "index.html").write_text(text)


def test_a_new_report_takes_the_place_of_the_old_one_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "site"
    write(out, "one")
    (out / "stale.html").touch()
    write(out, "two")
    assert sorted(path.name for path in out.iterdir()) == ["index.html", MARK]
    assert (out / "index.html").read_text() == "two"
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_so_it_does_where_the_kernel_cannot_exchange_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    write(tmp_path / "site", "one")
    write(tmp_path / "site", "two")
    assert (tmp_path / "site" / "index.html").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_report_that_could_not_be_finished_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "site"
    write(out, "one")

    def fill() -> None:
        with replaced(out) as draft:
            (draft / "index.html").write_text("half")
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk"):
        fill()
    assert (out / "index.html").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_drafts_of_killed_runs_are_removed_and_other_folders_beside_it_are_not(tmp_path: Path) -> None:
    (tmp_path / f".site.{DRAFT}.0123").mkdir()
    (tmp_path / ".site.mine").mkdir()
    write(tmp_path / "site", "one")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".site.mine", "site"]


def test_a_draft_that_another_process_is_filling_stays(tmp_path: Path) -> None:
    with replaced(tmp_path / "site") as draft:
        write(tmp_path / "site", "other")
        assert draft.is_dir()
        (draft / MARK).write_text("{}")
        (draft / "index.html").write_text("mine")
    assert (tmp_path / "site" / "index.html").read_text() == "mine"


def test_a_folder_with_other_files_a_file_and_a_link_are_refused_and_kept(tmp_path: Path) -> None:
    own = tmp_path / "thesis"
    own.mkdir()
    (own / "chapter.tex").write_text("words")
    (tmp_path / "file").write_text("words")
    (tmp_path / "link").symlink_to(own)
    for place in ("thesis", "file", "link"):
        with pytest.raises(UsageError) as raised:
            write(tmp_path / place, "one")
        assert "--out" in raised.value.hint
    assert (own / "chapter.tex").read_text() == "words"
    assert (tmp_path / "link").is_symlink()


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write(tmp_path / "site", "one")
    assert (tmp_path / "site" / "index.html").read_text() == "one"
