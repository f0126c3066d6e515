from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.folder import cut_folder
from nature_gym.cut.splits import Split
from tests.unit.cut.trees import grow


def splits(root: Path, files: dict[str, str]) -> list[Split]:
    return cut_folder(grow(root, files)).splits


def test_a_random_split_is_told_with_its_parameters(tmp_path: Path) -> None:
    call = "train_test_split(x, test_size=0.2, random_state=S)"
    source = f"from sklearn.model_selection import train_test_split\nS = 7\n{call}\n"
    (found,) = splits(tmp_path, {"a.py": source})
    assert (found.kind, found.parameters["test_size"], found.parameters["random_state"]) == ("random", 0.2, 7)
    assert (found.evidence[0].file, found.evidence[0].line) == ("a.py", 3)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("train_test_split(x, stratify=y)", "stratified"),
        ("KFold(n_splits=5)", "k_fold"),
        ("GroupKFold(5)", "group_k_fold"),
        ("TimeSeriesSplit(3)", "temporal"),
        ("scaffold_split(d)", "scaffold"),
    ],
)
def test_kinds_of_splits_are_told_by_their_functions(tmp_path: Path, call: str, kind: str) -> None:
    assert [each.kind for each in splits(tmp_path, {"a.py": f"import m\nm.{call}\n"})] == [kind]


def test_files_that_differ_by_the_side_alone_are_a_split(tmp_path: Path) -> None:
    (found,) = splits(tmp_path, {"d/x_train.csv": "a\n", "d/x_test.csv": "a\n", "d/x_val.csv": "a\n"})
    assert found.kind == "files"
    assert found.parameters == {"development": ["d/x_train.csv"], "evaluation": ["d/x_test.csv", "d/x_val.csv"]}


def test_columns_and_masks_and_index_files_are_splits(tmp_path: Path) -> None:
    files = {
        "d/a.csv": "id,split,y\n1,train,2\n",
        "a.py": "t[t['split'] == 'test']\nt[t.fold != 3]\n",
        "d/test_idx.txt": "1\n",
        "d/folds.json": "[]",
    }
    found = [(each.kind, each.parameters) for each in splits(tmp_path, files)]
    assert ("column", {"file": "d/a.csv", "column": "split"}) in found
    assert ("column", {"column": "split", "value": "test"}) in found
    assert ("column", {"column": "fold", "value": 3}) in found
    assert ("index_file", {"file": "d/test_idx.txt"}) in found
    assert ("fold_file", {"file": "d/folds.json"}) in found
