"""A corpus of hostile archives, made here: each is refused by name, and nothing of it is left."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import py7zr
import pytest
from hypothesis import given, settings

from nature_gym.acquisition.archive_members import zstd
from nature_gym.acquisition.archives import ArchiveError, LimitError, Limits, beside, is_archive, unpack
from nature_gym.errors import PaperError
from tests.faults import with_room_for

LIMITS = Limits(depth=3, files=1000, bytes=10_000_000, ratio=50)
Make = Callable[[Path], None]


def tar_with(*infos: tuple[tarfile.TarInfo, bytes]) -> bytes:
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as archive:
        for info, content in infos:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return body.getvalue()


def plain(name: str, content: bytes = b"x") -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), content


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def zip_with(files: dict[str, bytes], path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def zip_bytes(files: dict[str, bytes]) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


@pytest.mark.parametrize("form", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst", "7z"])
def test_what_is_packed_comes_out(tmp_path: Path, form: str) -> None:
    files = {"data/train.csv": b"a,b\n1,2\n" * 1000, "data/ümläut 名.txt": b"y", "empty": b""}
    path = tmp_path / f"a.{form}"
    if form == "zip":
        zip_with(files, path)
    elif form == "7z":
        with py7zr.SevenZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(content, name)
    else:
        body = tar_with(*(plain(name, content) for name, content in files.items()))
        pack: dict[str, Callable[[bytes], bytes]] = {
            "tar": bytes, "tar.gz": gzip.compress, "tar.bz2": bz2.compress, "tar.xz": lzma.compress,
            "tar.zst": zstd.compress,
        }  # fmt: skip
        path.write_bytes(pack[form](body))
    assert is_archive(path)
    unpacked = unpack(path, tmp_path / "out", LIMITS)
    assert {
        p.relative_to(tmp_path / "out").as_posix(): p.read_bytes() for p in (tmp_path / "out").rglob("*") if p.is_file()
    } == files
    assert unpacked.files == 3
    assert unpacked.size == sum(map(len, files.values()))


@pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("zst", zstd.compress)]
)
def test_a_single_packed_file_comes_out_by_its_name(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"table.csv.{suffix}"
    path.write_bytes(pack(b"a,b\n"))
    unpack(path, tmp_path / "out", LIMITS)
    assert (tmp_path / "out" / "table.csv").read_bytes() == b"a,b\n"


def lying_zip(path: Path, said: int) -> None:
    """The directory and the header say another size than the content has."""
    zip_with({"a.txt": b"z" * 1000}, path)
    body = bytearray(path.read_bytes())
    struct.pack_into("<L", body, 22, said)
    struct.pack_into("<L", body, body.rfind(b"PK\x01\x02") + 24, said)
    path.write_bytes(body)


def encrypted_zip(path: Path) -> None:
    zip_with({"secret.txt": b"z"}, path)
    body = bytearray(path.read_bytes())
    body[6] |= 1
    body[body.rfind(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(body)


def encrypted_7z(path: Path) -> None:
    with py7zr.SevenZipFile(path, "w", password="secret") as archive:
        archive.writestr("x", "secret.txt")


def zip_of_mode(name: str, mode: int, content: bytes = b"") -> Make:
    def make(path: Path) -> None:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = mode << 16
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(info, content)

    return make


def twice(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("same.txt", "1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("same.txt", "2")


def of_tar(*infos: tuple[tarfile.TarInfo, bytes]) -> Make:
    return lambda path: void(path.write_bytes(tar_with(*infos)))


def of_zip(files: dict[str, bytes]) -> Make:
    return lambda path: zip_with(files, path)


def void(_: object) -> None:
    return None


def nested(depth: int) -> bytes:
    body = zip_bytes({"x": b"y"})
    for level in range(depth):
        body = zip_bytes({f"level{level}.zip": body})
    return body


def huge_pax_header(path: Path) -> None:
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 1 << 33
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT)[:512] + b"\0" * 2048)


HOSTILE: dict[str, tuple[str, Make, str]] = {
    "slip": ("a.zip", of_zip({"../evil.txt": b"x"}), "../evil.txt"),
    "slip within": ("a.tar", of_tar(plain("a/../../evil")), "a/../../evil"),
    "backslash slip": ("a.zip", of_zip({"..\\evil.txt": b"x"}), "evil.txt"),
    "absolute": ("a.tar", of_tar(plain("/etc/evil")), "absolute"),
    "absolute drive": ("a.zip", of_zip({"C:/evil.txt": b"x"}), "absolute"),
    "link out": ("a.tar", of_tar(special("l", tarfile.SYMTYPE, "../../etc/passwd")), "'l' is a link"),
    "link to root": ("a.tar", of_tar(special("l", tarfile.SYMTYPE, "/etc/passwd")), "'l' is a link"),
    "hard link out": ("a.tar", of_tar(special("l", tarfile.LNKTYPE, "../x")), "'l' is a link"),
    "zip link out": ("a.zip", zip_of_mode("l", stat.S_IFLNK | 0o777, b"/etc/passwd"), "'l' is a link"),
    "through a link": ("a.tar", of_tar(special("d", tarfile.SYMTYPE, "."), plain("d/x")), "both a file and a folder"),
    "device": ("a.tar", of_tar(special("dev", tarfile.CHRTYPE)), "'dev' is a device"),
    "pipe": ("a.tar", of_tar(special("fifo", tarfile.FIFOTYPE)), "'fifo' is a device"),
    "zip device": ("a.zip", zip_of_mode("dev", stat.S_IFBLK | 0o600), "'dev' is a device"),
    "bomb": ("a.zip", of_zip({"zeros": b"\0" * 20_000_000}), "'zeros'"),
    "packed bomb": ("a.csv.gz", lambda path: void(path.write_bytes(gzip.compress(b"\0" * 20_000_000))), "a.csv"),
    "7z bomb": ("a.7z", lambda path: seven(path, "zeros", b"\0" * 20_000_000), "10,000,000|max|limit|more"),
    "nested bomb": ("a.zip", of_zip({"in.zip": zip_bytes({f"z{n}": b"\0" * 3_000_000 for n in range(5)})}), "'z"),
    "too deep": ("a.zip", lambda path: void(path.write_bytes(nested(4))), "nested deeper than 3"),
    "twice": ("a.zip", twice, "'same.txt' is in it twice"),
    "by case": ("a.zip", of_zip({"Data.csv": b"1", "data.csv": b"2"}), "differs from 'Data.csv' by case"),
    "by accents": ("a.zip", of_zip({"\u00e9": b"1", "e\u0301": b"2"}), "by accents only"),
    "folders by case": ("a.zip", of_zip({"A/x": b"1", "a/y": b"2"}), "by case"),
    "file and folder": ("a.tar", of_tar(plain("x"), plain("x/y")), "both a file and a folder"),
    "many": ("a.zip", of_zip({f"{n}": b"" for n in range(1001)}), "more than 1,000 entries"),
    "many in tar": ("a.tar", of_tar(*(plain(f"{n}") for n in range(1001))), "more than 1,000 entries"),
    "says too much": ("a.zip", lambda path: lying_zip(path, 5000), "a.txt"),
    "says too little": ("a.zip", lambda path: lying_zip(path, 10), "a.txt|CRC"),
    "encrypted": ("a.zip", encrypted_zip, "'secret.txt' is encrypted"),
    "encrypted 7z": ("a.7z", encrypted_7z, "encrypted"),
    "long name": ("a.tar", of_tar(plain("n" * 300)), "longer than 255 bytes"),
    "cut off": ("a.tar", lambda path: void(path.write_bytes(tar_with(plain("x", b"y" * 5000))[:2000])), "damaged"),
    "cut off gz": (
        "a.tar.gz",
        lambda path: void(path.write_bytes(gzip.compress(tar_with(plain("x", bytes(range(256)) * 40)))[:200])),
        "damaged",
    ),
    "endless header": ("a.tar", huge_pax_header, "memory"),
    "nothing known": ("a.zip", lambda path: void(path.write_bytes(b"hello")), "no archive that we know"),
}


def seven(path: Path, name: str, content: bytes) -> None:
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(content, name)


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_refused_and_leaves_nothing(tmp_path: Path, case: str) -> None:
    name, make, told = HOSTILE[case]
    home = tmp_path / "deep" / "inside"
    home.mkdir(parents=True)
    path = home / name
    make(path)
    with pytest.raises(PaperError, match=told) as caught:
        unpack(path, home / "out", LIMITS)
    assert caught.value.message.startswith(name) or isinstance(caught.value, LimitError)
    assert caught.value.hint
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


def test_a_ratio_beyond_the_limit_is_a_bomb_however_much_room_there_is(tmp_path: Path) -> None:
    zip_with({"zeros": b"\0" * 100_000_000}, tmp_path / "a.zip")
    with pytest.raises(LimitError, match="more than 50 times its size"):
        unpack(tmp_path / "a.zip", tmp_path / "out", Limits(bytes=10**12, ratio=50))


def test_links_within_become_files_and_those_to_nothing_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(
        tar_with(
            special("d/later", tarfile.SYMTYPE, "../real.txt"),
            special("chain", tarfile.SYMTYPE, "d/later"),
            plain("real.txt", b"here"),
            special("hard", tarfile.LNKTYPE, "real.txt"),
            special("loop", tarfile.SYMTYPE, "loop"),
        )
    )
    unpacked = unpack(tmp_path / "a.tar", tmp_path / "out", LIMITS)
    assert [(tmp_path / "out" / name).read_bytes() for name in ("d/later", "chain", "hard")] == [b"here"] * 3
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))
    assert "loop" in unpacked.notes[0]


def test_archives_in_archives_come_out_beside_themselves(tmp_path: Path) -> None:
    inner = gzip.compress(tar_with(plain("x.csv", b"1")))
    zip_with({"in/more.tar.gz": inner, "in/model.npz": zip_bytes({"a.npy": b"x"})}, tmp_path / "a.zip")
    unpacked = unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS)
    assert (tmp_path / "out/in/more/x.csv").read_bytes() == b"1"
    assert unpacked.nested == ("in/more.tar.gz",)
    assert not (tmp_path / "out/in/model").exists()


def test_a_taken_folder_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "splits.zip"
    zip_with({"x": b"1"}, path)
    assert beside(path) == tmp_path / "splits"
    (tmp_path / "splits").mkdir()
    assert beside(path) == tmp_path / "splits.zip.unpacked"
    with pytest.raises(FileExistsError):
        unpack(path, tmp_path / "splits", LIMITS)


def test_a_rar_without_its_tool_says_what_to_install(tmp_path: Path) -> None:
    if shutil.which("bsdtar"):
        pytest.skip("bsdtar is installed")
    (tmp_path / "a.rar").write_bytes(b"Rar!\x1a\x07\x01\x00rest")
    with pytest.raises(ArchiveError, match="RAR") as caught:
        unpack(tmp_path / "a.rar", tmp_path / "out", LIMITS)
    assert "bsdtar" in caught.value.hint


_SEEDS = [
    zip_bytes({"a/b.txt": b"hello" * 100, "c": b""}),
    tar_with(plain("a/b", b"x" * 600), special("l", tarfile.SYMTYPE, "b")),
    gzip.compress(tar_with(plain("a", b"x" * 600))),
    bz2.compress(tar_with(plain("a", b"x" * 600))),
    lzma.compress(tar_with(plain("a", b"x" * 600))),
    zstd.compress(tar_with(plain("a", b"x" * 600))),
]


@settings(max_examples=150)
@given(
    seed=st.sampled_from(_SEEDS),
    edits=st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=6),
    cut=st.integers(0, 3000),
)
def test_a_damaged_archive_comes_out_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: bytes, edits: list[tuple[int, int]], cut: int
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    body = bytearray(seed)
    for place, value in edits:
        body[place % len(body)] = value
    path = folder / "a.zip"
    path.write_bytes(body[: max(1, len(body) - cut % len(body))])
    try:
        unpack(path, folder / "out", LIMITS)
    except PaperError:
        assert [p.name for p in folder.iterdir()] == ["a.zip"]
    else:
        assert (folder / "out").is_dir()
    assert not any(p.is_symlink() for p in folder.rglob("*"))


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_a_disk_that_fills_up_leaves_nothing_unpacked(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"a.{form}"
    files = {"a.csv": b"1" * 1000, "b.csv": b"2" * 50_000}
    if form == "zip":
        zip_with(files, path)
    else:
        path.write_bytes(tar_with(*(plain(name, content) for name, content in files.items())))

    def told() -> str:
        unpack(path, tmp_path / "out", Limits(depth=3, files=10, bytes=1_000_000, ratio=10_000))
        return "unpacked"

    assert with_room_for(20_000, told) not in ("", "unpacked")
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a.{form}"]
    assert told() == "unpacked"


def test_names_of_other_letters_and_of_250_bytes_come_out(tmp_path: Path) -> None:
    names = ["données/é.csv", "数据/表.csv", "n" * 246 + ".csv"]
    zip_with(dict.fromkeys(names, b"1"), tmp_path / "a.zip")
    unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS)
    found = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.csv"))
    assert found == sorted(names)


def test_a_name_that_no_file_can_have_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    zip_with({"ok.csv": b"1", "n" * 300: b"1"}, tmp_path / "a.zip")
    with pytest.raises((ArchiveError, OSError)):
        unpack(tmp_path / "a.zip", tmp_path / "out", LIMITS)
    assert not (tmp_path / "out").exists()
