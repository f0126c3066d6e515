"""Where a user says that something is to be written: files whole, links to their targets, devices as they are."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from nature_gym.files import write_output


def test_a_file_is_written_whole_and_a_link_keeps_leading_to_it(tmp_path: Path) -> None:
    (tmp_path / "report").write_bytes(b"the one before")
    (tmp_path / "link").symlink_to("report")
    write_output(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "report").read_bytes() == b"new"
    write_output(tmp_path / "folder/other", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "link", "report"]


def test_a_fifo_is_written_into(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_output(fifo, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_device_stays_one_and_a_full_one_is_told(tmp_path: Path) -> None:
    full = tmp_path / "full"  # of our own: were it replaced, the machine's would be gone
    try:
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        full.open("wb").close()
    except PermissionError:
        pytest.skip("only root makes devices")
    with pytest.raises(OSError, match="No space left"):
        write_output(full, b"too much")
    assert stat.S_ISCHR(full.stat().st_mode)
