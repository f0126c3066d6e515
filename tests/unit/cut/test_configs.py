from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.configs import read_settings
from nature_gym.cut.tree import walk
from tests.unit.cut.trees import grow


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("conf/a.yaml", "data:\n  train: data/train.csv\n"),
        ("config.json", '{"data": {"train": "data/train.csv"}}'),
        ("a.toml", '[data]\ntrain = "data/train.csv"\n'),
        ("a.ini", "[data]\ntrain = data/train.csv\n"),
        ("conf/b.yaml", "data: !mine\n  train: !other data/train.csv\n"),
    ],
)
def test_values_are_found_by_the_end_of_their_keys(tmp_path: Path, name: str, text: str) -> None:
    settings = read_settings(walk(grow(tmp_path, {name: text})))
    assert settings.lookup(("cfg", "data", "train")) == ["data/train.csv"]
    assert settings.children(("data",)) == ["data/train.csv"]
    assert settings.lookup(("none",)) == []


def test_broken_settings_are_a_warning(tmp_path: Path) -> None:
    tree = walk(grow(tmp_path, {"conf/a.yaml": "a: {{ b }}: c\n", "conf/b.yaml": "x: 1\n"}))
    assert read_settings(tree).lookup(("x",)) == ["1"]
    assert any("conf/a.yaml" in each for each in tree.warnings)


def test_a_file_built_to_explode_is_not_expanded(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in range(1, 12):
        bomb += f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n"
    tree = walk(grow(tmp_path, {"conf/bomb.yaml": bomb}))
    assert read_settings(tree).all == []
    assert any("bomb.yaml" in each for each in tree.warnings)
