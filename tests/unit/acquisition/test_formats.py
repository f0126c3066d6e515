"""What files are and hold; and that no file, however damaged, is more than unreadable."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import json
import pickle
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import h5py
import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings

from nature_gym.acquisition.formats.looking import look_into


def saved(save: Callable[[Any], object]) -> bytes:
    body = io.BytesIO()
    save(body)
    return body.getvalue()


def h5(body: Any) -> None:
    with h5py.File(body, "w") as file:
        file["x/train"] = np.zeros((3, 4), np.float32)
        file["away"] = h5py.ExternalLink("/etc/passwd", "/x")
        file.attrs["made_by"] = "us"


def parquet(tmp: Path) -> bytes:
    duckdb.execute(f"COPY (SELECT range AS id, 'a' AS word FROM range(7)) TO '{tmp / 'p'}' (FORMAT parquet)")
    return (tmp / "p").read_bytes()


def safetensors() -> bytes:
    header = json.dumps({"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(24)


def torch_zip() -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("model/data.pkl", pickle.dumps({"layer.weight": 1}))
        archive.writestr("model/data/0", b"1234")
    return body.getvalue()


def nifti() -> bytes:
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, 4, 5, 6, 1, 1, 1, 1)
    struct.pack_into("<h", head, 70, 16)
    struct.pack_into("<8f", head, 76, 1, 2, 2, 3, 0, 0, 0, 0)
    head[344:348] = b"n+1\0"
    return bytes(head)


def tiff() -> bytes:
    def directory(following: int) -> bytes:
        tags = [(256, 4, 1, 30), (257, 4, 1, 20)]
        return (
            struct.pack("<H", 2) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + struct.pack("<I", following)
        )

    return b"II*\0" + struct.pack("<I", 8) + directory(38) + directory(0)


def dicom() -> bytes:
    def element(group: int, number: int, kind: bytes, value: bytes) -> bytes:
        return struct.pack("<HH2sH", group, number, kind, len(value)) + value

    return (
        bytes(128)
        + b"DICM"
        + element(2, 16, b"UI", b"1.2.840.10008.1.2.1\0")
        + element(8, 0x60, b"CS", b"MR")
        + element(0x28, 0x10, b"US", struct.pack("<H", 64))
    )


def rds() -> bytes:
    return gzip.compress(
        b"X\n"
        + struct.pack(">3i", 3, 0x040201, 0x030500)
        + struct.pack(">i", 5)
        + b"UTF-8"
        + struct.pack(">2i", 14, 9)
        + bytes(72)
    )


PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 10, 20, 8, 2, 0, 0, 0) + bytes(4) + b"\0\0\0\0IEND"
CASES: list[tuple[str, bytes, str, dict[str, Any]]] = [
    ("a.csv", b"id,name\n1,x\n2,y\n", "csv", {"rows": 2, "width": 2, "header": True}),
    ("a.tsv", b"id\tname\n1\tx\n2\ty\n", "tsv", {"rows": 2, "delimiter": "\t"}),
    ("a.csv.gz", gzip.compress(b"id,v\n1,2\n3,4\n"), "csv", {"rows": 2}),
    ("a.csv.bz2", bz2.compress(b"id,v\n1,2\n3,4\n"), "csv", {"rows": 2}),
    ("nameless", b"a,b\n1,2\n3,4\n5,6\n", "csv", {"rows": 3}),
    ("a.json", b'{"x": [1, 2], "y": {}}', "json", {"top": "object", "keys": ["x", "y"]}),
    ("a.jsonl", b'{"x": 1}\n{"x": 2, "z": 0}\n', "jsonl", {"rows": 2, "keys": ["x", "z"]}),
    ("a.npy", saved(lambda f: np.save(f, np.zeros((3, 4)))), "npy", {"shape": [3, 4], "dtype": "<f8"}),
    ("o.npy", saved(lambda f: np.save(f, np.array([{}], dtype=object))), "npy", {"pickled": True}),
    ("a.npz", saved(lambda f: np.savez(f, x=np.zeros(3), y=np.ones(2, np.int8))), "npz", {"count": 2}),
    ("a.h5", saved(h5), "hdf5", {"count": 2, "attributes": ["made_by"]}),
    ("a.h5ad", saved(h5), "h5ad", {"count": 2}),
    ("a.loom", saved(h5), "loom", {"count": 2}),
    ("a.mat", saved(lambda f: scipy.io.savemat(f, {"X": np.zeros((2, 3))})), "mat", {"count": 1}),
    ("a.safetensors", safetensors(), "safetensors", {"count": 1, "parameters": 6}),
    ("a.pkl", pickle.dumps({"train": np.zeros(2)}), "pickle", {"top": "dict", "protocol": 4}),
    ("a.pt", torch_zip(), "pt", {"form": "zip", "tensors": 1, "words": ["layer.weight"]}),
    ("a.fasta", b">one\nACGT\nAC\n>two\nA\n", "fasta", {"sequences": 2, "letters": 7, "shortest": 1, "longest": 6}),
    ("a.fastq.gz", gzip.compress(b"@r\nACGT\n+\nIIII\n" * 3), "fastq", {"reads": 3}),
    ("a.pdb", b"ATOM      1  N   MET A   1\nHETATM    2  O   HOH B   2\n", "pdb", {"atoms": 1, "hetero_atoms": 1}),
    ("a.cif", b"data_1ABC\nloop_\n_atom_site.id\nATOM 1\nATOM 2\n", "cif", {"blocks": 1, "atoms": 2}),
    ("a.sdf", b"m\nM  END\n> <logP>\n1\n\n$$$$\nn\nM  END\n$$$$\n", "sdf", {"molecules": 2, "properties": ["logP"]}),
    ("a.mol2", b"@<TRIPOS>MOLECULE\nx\n@<TRIPOS>MOLECULE\ny\n", "mol2", {"molecules": 2}),
    ("a.smi", b"CCO ethanol\nC\n", "smi", {"molecules": 2}),
    ("a.xyz", b"1\nwater\nO 0 0 0\n1\n\nH 0 0 0\n", "xyz", {"structures": 2, "atoms": 2}),
    ("a.edgelist", b"# graph\n1 2\n2 3\n", "edges", {"edges": 2, "columns": 2}),
    ("a.png", PNG, "png", {"width": 10, "height": 20, "channels": 3}),
    ("a.tif", tiff(), "tif", {"width": 30, "height": 20, "pages": 2}),
    ("a.nii", nifti(), "nii", {"shape": [4, 5, 6], "dtype": "float32", "spacing": [2.0, 2.0, 3.0]}),
    ("a.nii.gz", gzip.compress(nifti()), "nii", {"shape": [4, 5, 6]}),
    ("a.dcm", dicom(), "dicom", {"modality": "MR", "rows": 64}),
    ("a.rds", rds(), "rds", {"top": "numeric", "length": 9, "version": 3}),
    (".zarray", b'{"shape": [5], "dtype": "<f4", "chunks": [5], "zarr_format": 2}', "zarr", {"shape": [5]}),
    ("README.md", b"# Hello\n", "text", {"lines": 1, "encoding": "utf-8"}),
    ("latin.txt", "Größe\n".encode("latin-1"), "text", {"encoding": "latin-1"}),
    ("train.txt.png", b"id,x\n1,2\n3,4\n4,4\n", "csv", {}),
    ("empty.csv", b"", "empty", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "body", "form", "expected"), CASES, ids=[case[0] for case in CASES])
def test_formats_are_told_with_their_structure(
    tmp_path: Path, name: str, body: bytes, form: str, expected: dict[str, Any]
) -> None:
    path = tmp_path / name
    path.write_bytes(body)
    found = look_into(path)
    assert (found["format"], found["readable"]) == (form, True), found
    assert {key: found["structure"].get(key) for key in expected} == expected


def test_parquet_and_its_columns(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(parquet(tmp_path))
    structure = look_into(tmp_path / "a.parquet")["structure"]
    assert structure["rows"] == 7
    assert [column["name"] for column in structure["columns"]] == ["id", "word"]


FEATHER = (
    "c-qZUI}U<C6dZ7Y4cTG~VkkU-t(_&Dz=XzHYY*U&Jc38CwDdMQ@A-&i4Y75Sx9<b9JHyfs!*0I;p2P(}grG)1i2|M#kvaBY=east"
    "ft=A<{UDz&7Q%0Brc}mJd#AIAhWrwh?ilU7ESJ1Wcn3W*Fe*J$#+^MEy*K8@`hcY=4!ScIPIa^xQL_%JUOb)5YlaUB%)=*nZXPH4"
    "N90M5AHCG)iO+H0K)0njjBk&0v*o(B?<Tyf@$Qz}FTMY9hoZ07fA0k&bt3@"
)
"""A table of an int64 and a string, as the reference implementation writes it: deflated, in base 85."""


def test_feather_and_its_columns(tmp_path: Path) -> None:
    body = zlib.decompress(base64.b85decode(FEATHER))
    (tmp_path / "a.feather").write_bytes(body)
    found = look_into(tmp_path / "a.feather")
    assert found["format"] == "feather"
    assert found["structure"]["columns"] == [{"name": "a", "kind": "int"}, {"name": "b", "kind": "utf8"}]
    assert found["structure"]["batches"] == 1
    (tmp_path / "a.feather").write_bytes(body[:-20])
    assert not look_into(tmp_path / "a.feather")["readable"]


class _Trap:
    def __reduce__(self) -> tuple[Any, ...]:
        return (open, ("trap-was-sprung", "w"))


def test_a_pickle_is_never_carried_out(tmp_path: Path) -> None:
    for name, body in (
        ("a.pkl", pickle.dumps([_Trap()])),
        ("b.npy", saved(lambda f: np.save(f, np.array([_Trap()], dtype=object)))),
    ):
        (tmp_path / name).write_bytes(body)
        found = look_into(tmp_path / name)
        assert found["readable"]
    assert "open" in str(look_into(tmp_path / "a.pkl")["structure"]["imports"])
    assert not Path("trap-was-sprung").exists()


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.npy", saved(lambda f: np.save(f, np.zeros(1000)))[:500]),
        ("a.png", PNG[:-8]),
        ("a.pkl", pickle.dumps({"a": list(range(100))})[:50]),
        ("a.json", b'{"a": '),
        ("a.safetensors", safetensors()[:-4]),
        ("a.h5", saved(h5)[:900]),
        ("a.csv.gz", gzip.compress(b"x" * 9000)[:20]),
        ("a.parquet", b"PAR1 no end"),
        ("x.bin", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n"),
    ],
    ids=["npy", "png", "pickle", "json", "safetensors", "hdf5", "gzip", "parquet", "lfs"],
)
def test_what_is_cut_off_is_unreadable_and_says_why(tmp_path: Path, name: str, body: bytes) -> None:
    (tmp_path / name).write_bytes(body)
    found = look_into(tmp_path / name)
    assert not found["readable"]
    assert found["problem"]


_FUZZED = [case for case in CASES if case[2] not in ("hdf5", "h5ad", "loom", "netcdf")]


@settings(max_examples=400)
@given(
    case=st.sampled_from(_FUZZED),
    edits=st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, 4000),
)
def test_no_file_is_more_than_unreadable(
    tmp_path_factory: pytest.TempPathFactory,
    case: tuple[str, bytes, str, dict[str, Any]],
    edits: list[tuple[int, int]],
    cut: int,
) -> None:
    name, seed, _, _ = case
    body = bytearray(seed)
    for place, value in edits:
        if body:
            body[place % len(body)] = value
    path = tmp_path_factory.mktemp("fuzz") / name
    path.write_bytes(body[: len(body) - cut % max(1, len(body))])
    found = look_into(path)
    assert found["readable"] or found["problem"]
    json.dumps(found)
