from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.cut.core import role_of_name, words_of
from nature_gym.cut.folder import cut_folder
from tests.unit.cut.trees import grow


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("download_data", "download"),
        ("make_split", "split"),
        ("prepare_scores", "prepare"),
        ("generate_library", "make"),
        ("make_table1", "evaluate"),
        ("plot_results", "draw"),
        ("evaluate_features", "evaluate"),
        ("extract_features", "encode"),
        ("runBaselines", "baseline"),
        ("main", "other"),
    ],
)
def test_a_name_tells_what_a_part_is_for(name: str, role: str) -> None:
    assert role_of_name(name) == role


def test_words_are_parted_by_case_digits_and_signs() -> None:
    assert words_of("data/MyTest_set2.csv") == ["data", "my", "test", "set", "csv"]
    assert "log" not in words_of("elasticity_log10_logP")


def core(root: Path, files: dict[str, str], method: str | None = None) -> set[tuple[str, str]]:
    return {(part.file, part.name) for part in cut_folder(grow(root, files), method=method).roles.core}


def test_models_estimators_and_training_are_the_core(tmp_path: Path) -> None:
    files = {
        "net.py": "from torch import nn\nclass Net(nn.Module):\n    pass\n",
        "own.py": "class Own:\n    def fit(self, x):\n        pass\n",
        "train.py": "def train(m, opt):\n    opt.step()\n",
        "scale.py": "from sklearn.preprocessing import StandardScaler\nscaler = StandardScaler()\nscaler.fit(x)\n",
    }
    assert core(tmp_path, files) == {("net.py", "Net"), ("own.py", "Own"), ("train.py", "train")}


def test_baselines_are_no_core_and_the_methods_name_comes_first(tmp_path: Path) -> None:
    files = {
        "baselines/net.py": "from torch import nn\nclass Net(nn.Module):\n    pass\n",
        "other.py": "from torch import nn\nclass Head(nn.Module):\n    pass\n",
        "alpha_net.py": "class AlphaNet:\n    pass\n",
    }
    found = cut_folder(grow(tmp_path, files), method="Alpha-Net").roles.core
    assert [part.name for part in found] == ["AlphaNet", "Head"]


def test_a_program_that_imports_the_core_runs_it(tmp_path: Path) -> None:
    files = {
        "net.py": "from torch import nn\nclass Net(nn.Module):\n    pass\n",
        "go.py": "from net import Net\nNet()\n",
    }
    assert cut_folder(grow(tmp_path, files)).roles.of_file["go.py"] == "train"
