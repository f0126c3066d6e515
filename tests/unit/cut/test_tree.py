from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from nature_gym.cut.tree import MAX_DEPTH, kind_of, known_suffix, walk
from nature_gym.errors import UsageError
from tests.unit.cut.trees import grow


@pytest.mark.parametrize(
    ("path", "head", "kind"),
    [
        ("a/train.py", b"import os", "python"),
        ("a/image.py", b"\x89PNG\0\0", "other"),
        ("Makefile", b"all:", "make"),
        ("Snakefile", b"rule a:", "snakemake"),
        ("data/x.csv.gz", b"\x1f\x8b", "table"),
        ("README.md", b"# A", "document"),
        ("LICENSE", b"MIT", "document"),
        ("requirements-dev.txt", b"numpy", "environment"),
        (".gitignore", b"*.pyc", "environment"),
        ("conf/model/a.json", b'{"a": 1}', "config"),
        ("data/targets.json", b'[{"a": 1}]', "table"),
        ("runs/a.json", b'{"lr": 0.1, "seed": 1, "name": "x"}', "config"),
        ("model.ckpt-120.data-00000-of-00001", b"\0\1", "weights"),
        ("bag_1.pth.tar", b"\0\1", "weights"),
        ("model.iter-400", b"\0\1", "weights"),
        ("ind.cora.test.index", b"2692\n", "plain"),
        ("data/Y", b"\x80\x03cnumpy", "array"),
        ("data/edges", b"1 2\n3 4\n", "plain"),
        ("run", b"#!/bin/bash\n", "shell"),
        ("tool", b"\x7fELF\1", "binary"),
        ("slurm-123.out", b"epoch 1", "log"),
        ("runs/events.out.tfevents.123.host", b"\0", "log"),
    ],
)
def test_a_file_is_told_by_its_name_and_then_by_its_first_bytes(path: str, head: bytes, kind: str) -> None:
    assert kind_of(path, head) == kind


def test_a_suffix_is_known_when_it_tells_a_format() -> None:
    assert known_suffix("a.csv")
    assert known_suffix("a.csv.gz")
    assert not known_suffix("ind.cora")
    assert not known_suffix(".gitignore")


def test_every_regular_file_is_found_once_and_version_control_is_left_out(tmp_path: Path) -> None:
    grow(tmp_path, {"a.csv": "x", "b/c.txt": "y", ".git/config": "z", "b/__pycache__/d.pyc": "w"})
    assert [entry.path for entry in walk(tmp_path).entries] == ["a.csv", "b/c.txt"]


def test_links_pipes_and_cycles_are_passed_over_with_a_warning(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    root = grow(tmp_path / "root", {"a.csv": "x"})
    grow(outside, {"secret.csv": "s"})
    (root / "out").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.csv")
    tree = walk(root)
    assert [entry.path for entry in tree.entries] == ["a.csv"]
    assert any("links are not followed" in each and "loop" in each and "out" in each for each in tree.warnings)
    assert any("pipe.csv" in each for each in tree.warnings)


def test_folders_below_the_limit_are_named_and_not_entered(tmp_path: Path) -> None:
    grow(tmp_path, {"/".join(["d"] * (MAX_DEPTH + 3)) + "/deep.csv": "x", "a.csv": "y"})
    tree = walk(tmp_path)
    assert [entry.path for entry in tree.entries] == ["a.csv"]
    assert any("deeper" in each for each in tree.warnings)


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "huge.py").open("wb") as file:
        file.write(b"x = 1\n")
        file.truncate(3_000_000_000)
    tree = walk(tmp_path)
    assert len(tree.entries[0].head) <= 512
    assert tree.text("huge.py") is None


def test_a_name_that_is_no_text_is_kept(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("file names are bytes on Linux alone")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv")).write_text("x")
    assert len(walk(tmp_path).entries) == 1


def test_pointers_of_large_files_are_named(tmp_path: Path) -> None:
    grow(tmp_path, {"data/big.csv": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"})
    assert walk(tmp_path).warnings == ["LFS pointers without their content: data/big.csv"]


def test_a_submodule_that_is_gone_is_named(tmp_path: Path) -> None:
    modules = '[submodule "a"]\n  path = libs/a\n  url = https://example.org/a\n[submodule "b"]\n  path = libs/b\n'
    grow(tmp_path, {".gitmodules": modules, "libs/b/x.py": ""})
    assert walk(tmp_path).warnings == ["submodules without their content: libs/a"]


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        walk(tmp_path / "missing")
