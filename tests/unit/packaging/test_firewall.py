"""Whatever kind of file a forbidden word is in, it is found, with its place."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.acquisition.archive_members import zstd
from nature_gym.digests import digest_file
from nature_gym.kept import Kept
from nature_gym.packaging import firewall
from nature_gym.packaging.faults import FirewallError
from nature_gym.packaging.firewall import find_in_names, find_words, terms
from nature_gym.packaging.specification import Method, Paper, TaskSpecification
from nature_gym.packaging.spellings import in_file_names
from tests.unit.packaging.conftest import TASK

TASK_ = TaskSpecification.model_validate(TASK)
WORDS = terms(TASK_)


def _zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes.txt", "x" * 500 + " made by ZubroNet " + "y" * 500)


def _zip_of(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def _zip_comment(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "nothing")
        archive.comment = b"packed for zubro-net"


def _nested(path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.txt", "the ZubroNet " * 50)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.zip", inner.getvalue())


def _tar(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("data/zubronet/x.txt")
        archive.addfile(member, io.BytesIO(b""))


def _npz(path: Path) -> None:
    np.savez_compressed(path, names=np.array(["plain"] * 50 + ["ZubroNet"]))


def _hdf5(path: Path) -> None:
    with h5py.File(path, "w") as file:
        data = file.create_dataset("x", data=np.zeros(1000), compression="gzip")
        data.attrs["made_by"] = "ZubroNet v2"


def _hdf5_strings(path: Path) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.array([b"plain"] * 500 + [b"zubronet"]), compression="gzip")


def _parquet(path: Path) -> None:
    query = "SELECT CASE WHEN i = 40000 THEN 'by ZubroNet' ELSE 'row ' || i END AS note FROM range(50000) t(i)"
    duckdb.sql(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def _parquet_metadata(path: Path) -> None:
    duckdb.sql(f"COPY (SELECT 1 AS a) TO '{path}' (FORMAT parquet, KV_METADATA {{author: 'Ada Quillfeather'}})")


def _png(path: Path, *chunks: tuple[bytes, bytes]) -> None:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = b"".join(chunk(kind, content) for kind, content in chunks)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + header + body + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    )


MAKERS: dict[str, Callable[[Path], object]] = {
    "table.csv": lambda path: path.write_text("a,zubronet_score\n1,2\n"),
    "text.txt": lambda path: path.write_text("as in Nature  Communications"),
    "utf16.txt": lambda path: path.write_bytes("by ZubroNet, ".encode("utf-16")),
    "array.npy": lambda path: np.save(path, np.array(["a", "ZubroNet"])),
    "archive.npz": _npz,
    "a.zip": _zip,
    "comment.zip": _zip_comment,
    "nested.zip": _nested,
    "a.tar.gz": _tar,
    "a.gz": lambda path: path.write_bytes(gzip.compress(b"ZubroNet " * 9)),
    "a.bz2": lambda path: path.write_bytes(bz2.compress(b"ZubroNet " * 9)),
    "a.zst": lambda path: path.write_bytes(zstd.compress(b"ZubroNet " * 9)),
    "in_zip.zip": lambda path: _zip_of(path, {"a.txt.zst": zstd.compress(b"about the ZubroNet " * 9)}),
    "a.xz": lambda path: path.write_bytes(lzma.compress(b"ZubroNet " * 9)),
    "a.h5": _hdf5,
    "strings.h5": _hdf5_strings,
    "a.parquet": _parquet,
    "metadata.parquet": _parquet_metadata,
    "text.png": lambda path: _png(path, (b"tEXt", b"Author\0Ada Quillfeather")),
    "ztxt.png": lambda path: _png(path, (b"zTXt", b"Software\0\0" + zlib.compress(b"ZubroNet plot " * 5))),
    "zubronet_notes.bin": lambda path: path.write_bytes(b"\0"),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_word_is_found_in_every_kind_of_file(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    MAKERS[name](folder / name)
    findings = find_words(folder, WORDS)
    assert findings, name
    assert findings[0].file.startswith(f"problem/{name}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zubronet", True), ("ZUBRO-NET", True), ("zubro net", True), ("Zubro_Net", True), ("my_zubronet_run", True),
        ("zubro\nnet", True), ("Zubro\u2011Net", True), ("zubronets", False), ("xzubronet", False), ("zubro", False),
        ("10.5555/s41467-099-12345-6", True), ("s41467-099-12345-6", True), ("Ada Quillfeather", True),
        ("Quillfeather, Ada", True), ("Quillfeather et al.", True), ("Quillfeather", False), ("Ada", False),
        ("quill-lab/zubrowka", True), ("zubrowka", True), ("Nature Communications", True), ("the nature of", False),
        ("forecast reaction yields across many solvents", True), ("reaction yields across many solvents", False),
    ],
)  # fmt: skip
def test_words_are_found_as_people_vary_them(text: str, found: bool, tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "a.txt").write_text(f"before {text}, after")
    assert bool(find_words(folder, WORDS)) == found


SECRET = terms(
    TaskSpecification.model_validate(
        TASK
        | {
            "method": {"name": "Secretnet"},
            "paper": {
                "doi": "10.5555/abc.17",
                "title": "",
                "authors": ["Søren Grünwald", "Zweig, Ana Maria", "Jo Brown", "Li Wu"],
            },
        }
    )
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"class SecretnetModel:", True), (b"SecretnetScore = 1", True), (b"useSecretnetModel()", True),
        (b"Secretnetv2", True), (b"Secretnet2", True), (b"my_secretnet_run", True), (b"secret-net", True),
        (b"secret_net", True), (b"SECRET_NET", True), (b"Secret-\nnet", True), (b"Secret\xc2\xadnet", True),
        ("secret\u2010net".encode(), True), (b"secretnetting", False), (b"the secret net result", False),
        (b"topsecretnet", False), (b"se-cretnet", True), (b"s-ecretnet", False), (b"secret\n\nfiles, net", False),
        ("Søren Grünwald".encode(), True), ("Søren Grünwald".encode("latin-1"), True),
        ("Søren Grünwald".encode("utf-16"), True), (b"S\\u00f8ren Gr\\u00fcnwald", True),
        (b"S&oslash;ren Gr&uuml;nwald", True),
        (b"S&#248;ren Gr&#xFC;nwald", True), (b"S%C3%B8ren+Gr%C3%BCnwald", True),
        ("Søren Gru\u0308nwald".encode(), True), (b"Soren Grunwald", True), (b"Soeren Gruenwald", False),
        (b"Soren Gruenwald", True), ("S. Grünwald".encode(), True), (b"Grunwald, S.", True), (b"GRUNWALD S.", True),
        (b"A. Zweig", True), (b"A. M. Zweig", True), (b"A.M. Zweig", True), (b"A.-M. Zweig", True),
        (b"B. Zweig", False), (b"Ana Maria Zweig", True),
        (b"Ana Zweig", True), (b"Zweig et al., 2020", True), (b"Zweig", False),
        (b"J. Brown", True), (b"j. brown", False), (b"a jo brown", True), (b"J Brown", False), (b"L. Wu", False),
        (b"https://doi.org/10.5555%2Fabc.17", True), (b"10.5555&#47;abc&#46;17", True), (b"10.5555&sol;abc.17", True),
        (b"10.5555\\/abc.17", True), (b"10.5555/abc.18", False),
    ],
)  # fmt: skip
def test_words_are_found_as_programs_write_them(text: bytes, found: bool, tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "a.txt").write_bytes(text if text.startswith(b"\xff\xfe") else b"before " + text + b", after")
    assert bool(find_words(folder, SECRET)) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Zweig.csv", True), ("data_zweig_2019.csv", True), ("zweig/a.csv", True), ("zweigs.csv", False),
        ("brown.csv", False), ("fisher.csv", False), ("wu.csv", False), ("grünwald.csv", True), ("grunwald.csv", True),
    ],
)  # fmt: skip
def test_a_rare_surname_is_no_name_of_a_file_but_an_ordinary_word_is(name: str, found: bool, tmp_path: Path) -> None:
    path = tmp_path / "problem" / "data" / name
    path.parent.mkdir(parents=True)
    path.write_text("Zweig")
    words = list(in_file_names(["Ana Zweig", "Jo Brown", "Al Fisher", "Li Wu", "Søren Grünwald"], "an author"))
    assert bool(find_in_names(tmp_path / "problem", words)) == found


@given(
    st.sampled_from(["Secretnet", "secret-net", "Secret_Net", "ZubroNet", "plain", "secret", "net"]),
    st.text(alphabet="abS -_\n.é", max_size=30),
    st.text(alphabet="abS -_\n.é", max_size=30),
)
def test_the_sieve_loses_nothing_that_the_patterns_find(word: str, before: str, after: str) -> None:
    data = f"{before}{word}{after}".encode()
    found = {(hit.offset, hit.found) for hit in firewall._Sought(SECRET).search(data, "x")}
    for term in SECRET:
        for hit in term.pattern.finditer(data):
            assert (hit.start(), hit[0].decode(errors="replace")) in found


def test_a_method_named_like_a_common_word_is_found_in_its_own_spelling_alone(tmp_path: Path) -> None:
    task = TASK_.model_copy(update={"method": Method(name="BREW", common_word=True), "paper": Paper()})
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "a.txt").write_text("to brew coffee; Brew; BREW it")
    (finding,) = find_words(folder, terms(task))
    assert (finding.found, finding.offset) == ("BREW", 22)


@given(st.binary(max_size=200), st.binary(max_size=200), st.integers(1, 64))
def test_no_word_is_lost_between_blocks(before: bytes, after: bytes, block: int) -> None:
    data = before + b" ZubroNet " + after
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(firewall, "BLOCK", block)
        patch.setattr(firewall, "OVERLAP", 64)
        pieces = list(firewall._pieces(io.BytesIO(data)))
    hits = {hit.offset for piece in pieces for hit in firewall._Sought(WORDS).search(piece.data, "x", piece.offset)}
    assert len(before) + 1 in hits


def test_an_archive_that_unpacks_without_end_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "a.gz").write_bytes(gzip.compress(bytes(1 << 20)))
    monkeypatch.setattr(firewall, "LARGEST_UNPACKED", 1 << 16)
    monkeypatch.setattr(firewall, "BLOCK", 1 << 12)
    with pytest.raises(FirewallError, match="unpacks"):
        find_words(folder, WORDS)


@pytest.mark.parametrize(
    "head",
    [
        b"PK\3\4",
        b"\x1f\x8b",
        b"BZh9",
        b"\xfd7zXZ",
        b"\x89PNG\r\n\x1a\n",
        b"\x89HDF\r\n",
        b"PAR1",
        b"\x78\x9c",
        b"\x28\xb5\x2f\xfd",
    ],
)
def test_a_file_that_is_not_what_it_begins_like_is_looked_at_as_bytes(head: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "problem"
    folder.mkdir()
    (folder / "a.parquet").write_bytes(head + b" junk ZubroNet junk")
    assert [one.offset for one in find_words(folder, WORDS)] == [len(head) + 6]


def test_a_content_without_words_is_looked_through_once_for_each_set_of_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, kept = tmp_path / "problem", Kept(tmp_path / "kept.db", 1)
    folder.mkdir()
    for name, text in (("clean.txt", "about barley"), ("told.txt", "by ZubroNet")):
        (folder / name).write_text(text)
    digests = {f"problem/{path.name}": digest_file(path) for path in folder.iterdir()}
    looked: list[str] = []
    bytes_of = firewall.visible_bytes

    def counted(path: Path, name: str) -> Any:
        looked.append(name)
        return bytes_of(path, name)

    monkeypatch.setattr(firewall, "visible_bytes", counted)
    first = find_words(folder, WORDS, digests, kept)
    assert [one.file for one in first] == ["problem/told.txt"]
    assert find_words(folder, WORDS, digests, kept) == first
    assert looked == ["problem/clean.txt", "problem/told.txt", "problem/told.txt"]
    task = TASK_.model_copy(update={"forbidden": ["barley"]})
    assert len(find_words(folder, terms(task), digests, kept)) == 2


def test_a_name_is_looked_at_though_its_content_is_known(tmp_path: Path) -> None:
    folder, kept = tmp_path / "problem", Kept(tmp_path / "kept.db", 1)
    folder.mkdir()
    for name in ("a.txt", "zubronet.txt"):
        (folder / name).write_text("nothing")
    digests = {f"problem/{path.name}": digest_file(path) for path in folder.iterdir()}
    for _ in range(2):
        assert [one.file for one in find_words(folder, WORDS, digests, kept)] == ["problem/zubronet.txt (its name)"]
