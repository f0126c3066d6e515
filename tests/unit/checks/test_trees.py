"""Trees of files as people and programs draw them."""

from __future__ import annotations

import pytest

from checks.trees import read_tree, undrawn, unseen

FILES = ["a/train.csv", "a/x.npy", "b/train.csv", "b/x.npy"]
DRAWN = {
    "by the program tree": """problem/data
├── a
│\u00a0\u00a0 ├── train.csv
│\u00a0\u00a0 └── x.npy
└── b
    ├── train.csv
    └── x.npy

{}
""",
    "with a dot": ".\n|-- a\n|   |-- train.csv\n|   `-- x.npy\n`-- b\n    |-- train.csv\n    `-- x.npy\n\n{}\n",
}


@pytest.mark.parametrize("drawn", DRAWN.values(), ids=list(DRAWN))
@pytest.mark.parametrize("footer", ["", "3 directories, 4 files", "1 directory, 1 file", "2 directories", "4 files"])
def test_what_the_program_counts_below_its_drawing_is_no_file(drawn: str, footer: str) -> None:
    root = read_tree(drawn.format(footer), 1, ["a", "b"])
    assert list(undrawn(root, FILES)) == []
    assert [name for name, _ in unseen(root)] == []


def test_a_file_that_is_named_like_a_count_is_one() -> None:
    root = read_tree("a/\n  3 files.csv\n", 1, ["a"])
    assert [name for name, _ in unseen(root)] != []
