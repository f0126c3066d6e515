"""Archives of root file systems: what is unpacked, what is refused, and what a box is shown of it."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import UsageError
from nature_gym.sandbox import folders, roots


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "boxes"
    place.mkdir(mode=0o700)
    monkeypatch.setattr(folders, "home", lambda: place)
    return place


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o755) -> tarfile.TarInfo:
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.mode = kind, link, mode
    return found


def archive(*members: tarfile.TarInfo | tuple[str, bytes]) -> io.BytesIO:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        for one in members:
            if isinstance(one, tuple):
                info = member(one[0])
                info.size = len(one[1])
                tar.addfile(info, io.BytesIO(one[1]))
            else:
                tar.addfile(one)
    file.seek(0)
    return file


def unpacked(tmp_path: Path, *members: tarfile.TarInfo | tuple[str, bytes]) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    roots.unpack(archive(*members), folder)
    return folder


def test_files_folders_and_links_are_unpacked_and_devices_are_not(tmp_path: Path) -> None:
    root = unpacked(
        tmp_path,
        member("./", tarfile.DIRTYPE), member("usr/bin", tarfile.DIRTYPE), ("usr/bin/sh", b"shell"),
        member("bin", tarfile.SYMTYPE, "usr/bin"), member("usr/bin/dash", tarfile.LNKTYPE, "usr/bin/sh"),
        member("etc/mtab", tarfile.SYMTYPE, "/proc/mounts"), member("dev/sda", tarfile.BLKTYPE),
        member("run/pipe", tarfile.FIFOTYPE),
    )  # fmt: skip
    assert (root / "usr/bin/dash").read_bytes() == b"shell"
    assert (root / "bin").readlink() == Path("usr/bin")
    assert (root / "etc/mtab").readlink() == Path("/proc/mounts")
    assert not (root / "dev/sda").exists()
    assert not (root / "run/pipe").exists()


def test_no_file_runs_as_its_owner(tmp_path: Path) -> None:
    info = member("usr/bin/su", mode=0o6755)
    assert (unpacked(tmp_path, info) / "usr/bin/su").stat().st_mode & 0o7777 == 0o755


def test_a_folder_closed_to_its_owner_is_filled_all_the_same(tmp_path: Path) -> None:
    root = unpacked(tmp_path, member("root", tarfile.DIRTYPE, mode=0o000), ("root/file", b"x"))
    assert (root / "root/file").read_bytes() == b"x"


@pytest.mark.parametrize(
    "members",
    [
        [("../out", b"x")],
        [("usr/../../out", b"x")],
        [member("link", tarfile.SYMTYPE, "{outside}"), ("link/out", b"x")],
        [member("usr", tarfile.DIRTYPE), member("usr/link", tarfile.SYMTYPE, "{outside}"), ("usr/link/a/out", b"x")],
        [member("file", tarfile.LNKTYPE, "../victim")],
        [member("link", tarfile.SYMTYPE, "{outside}/victim"), member("file", tarfile.LNKTYPE, "link")],
        [member("usr", tarfile.DIRTYPE), ("usr", b"x")],
    ],
)
def test_what_leads_out_is_refused_and_nothing_is_written_there(
    members: list[tarfile.TarInfo | tuple[str, bytes]], tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("as it was")
    (tmp_path / "victim").write_text("as it was")
    for one in members:
        if isinstance(one, tarfile.TarInfo):
            one.linkname = one.linkname.format(outside=outside)
    with pytest.raises(UsageError):
        unpacked(tmp_path, *members)
    assert [path.name for path in outside.iterdir()] == ["victim"]
    assert (outside / "victim").read_text() == "as it was"
    assert not (tmp_path / "out").exists()


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    root = unpacked(tmp_path, member("passwd", tarfile.SYMTYPE, str(victim)), ("passwd", b"mine"))
    assert (root / "passwd").read_bytes() == b"mine"
    assert victim.read_text() == "as it was"


def test_size_and_number_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "MOST_BYTES", 10)
    with pytest.raises(UsageError, match="too large"):
        unpacked(tmp_path, ("a", b"x" * 6), ("b", b"x" * 6))


@given(st.binary(max_size=600))
def test_what_is_no_archive_is_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("root")
    try:
        roots.unpack(io.BytesIO(content), folder)
    except UsageError:
        return
    assert [*folder.iterdir()] == []


def test_an_image_is_unpacked_once_and_found_by_name_and_digest(tmp_path: Path) -> None:
    file = tmp_path / "root.tar"
    file.write_bytes(archive(("usr/bin/sh", b"shell")).getvalue())
    root = roots.add_archive("small", file)
    mark = root.folder.stat().st_ino
    assert roots.add_archive("again", file).folder.stat().st_ino == mark
    assert roots.root_named("small") == roots.root_named(root.digest) == root
    assert [one.name for one in roots.roots()] in (["small", "again"], ["again", "small"])
    roots.remove("small")
    assert root.folder.is_dir()
    roots.remove("again")
    assert not root.folder.exists()
    with pytest.raises(UsageError, match="no unpacked root"):
        roots.root_named("small")


def test_an_archive_without_programs_leaves_nothing(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "some.tar"
    file.write_bytes(archive(("readme", b"x")).getvalue())
    with pytest.raises(UsageError, match="no root"):
        roots.add_archive("some", file)
    assert [*home.glob("root-*")] == []


def test_there_is_room_for_mounts_whose_places_the_image_has_not(tmp_path: Path) -> None:
    root = unpacked(
        tmp_path, ("opt/tool", b""), ("usr/bin/sh", b""), member("bin", tarfile.SYMTYPE, "usr/bin"), ("tmp/x", b""),
        ("proc/x", b""), ("run/x", b""),
    )  # fmt: skip
    told = roots.shown(root, "/tmp/0", [PurePosixPath("/opt/agent/program"), PurePosixPath("/task/problem")])
    assert told == [
        "--symlink", "usr/bin", "/bin", "--dir", "/opt", "--ro-bind", "/tmp/0/opt/tool", "/opt/tool",
        "--ro-bind", "/tmp/0/usr", "/usr",
    ]  # fmt: skip
