from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.explaining import find_verdict, grouped
from nature_gym.cut.folder import cut_folder
from nature_gym.errors import UsageError
from tests.unit.cut.trees import grow


def test_a_file_is_found_by_its_path_or_the_end_of_it(tmp_path: Path) -> None:
    cut = cut_folder(grow(tmp_path, {"a/x.csv": "", "b/x.csv": "", "b/y.csv": "", "x.csv": ""}))
    assert find_verdict(cut, "./a/x.csv").path == "a/x.csv"
    assert find_verdict(cut, "y.csv").path == "b/y.csv"
    assert find_verdict(cut, "x.csv").path == "x.csv"
    with pytest.raises(UsageError, match="no verdict"):
        find_verdict(cut, "z.csv")


def test_an_end_that_fits_several_files_is_refused(tmp_path: Path) -> None:
    cut = cut_folder(grow(tmp_path, {"a/x.csv": "", "b/x.csv": ""}))
    with pytest.raises(UsageError, match="2 files"):
        find_verdict(cut, "x.csv")


def test_files_alike_are_one_group(tmp_path: Path) -> None:
    cut = cut_folder(grow(tmp_path, {"data/a.csv": "", "data/b.csv": "", "data/c.txt": "", "results/d.csv": ""}))
    assert {group.pattern for group in grouped(cut.files)} == {"data/*.csv (2)", "data/c.txt", "results/d.csv"}
