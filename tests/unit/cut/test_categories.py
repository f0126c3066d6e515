from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from nature_gym.cut.categories import Verdict
from nature_gym.cut.folder import cut_folder
from tests.unit.cut.trees import grow

TRAIN = """
import pandas as pd, torch
from model import Net
table = pd.read_csv("{data}")
net = Net()
loss = net(table)
loss.backward()
torch.save(net, "out/net.bin")
pd.DataFrame().to_csv("out/guess.csv")
"""
MODEL = "import torch\nclass Net(torch.nn.Module):\n    pass\n"
BASELINE = 'import pandas as pd\nfrom sklearn.svm import SVC\nSVC().fit(pd.read_csv("{data}"))\n'


def verdicts(root: Path, files: Mapping[str, str | bytes]) -> dict[str, Verdict]:
    return {each.path: each for each in cut_folder(grow(root, files)).files}


def test_what_nobody_writes_and_the_core_reads_existed_before(tmp_path: Path) -> None:
    found = verdicts(
        tmp_path, {"train.py": TRAIN.format(data="stuff/a.csv"), "model.py": MODEL, "stuff/a.csv": "x,y\n"}
    )
    assert found["stuff/a.csv"].category == "initial_state"
    assert ("train.py", 4) in {(each.file, each.line) for each in found["stuff/a.csv"].evidence}


def test_what_the_core_writes_is_its_output(tmp_path: Path) -> None:
    files = {"train.py": TRAIN.format(data="a.csv"), "model.py": MODEL, "out/net.bin": "x", "out/guess.csv": "x"}
    found = verdicts(tmp_path, files)
    assert {found[path].category for path in ("out/net.bin", "out/guess.csv")} == {"algorithm_output"}


@pytest.mark.parametrize(
    ("others_read", "category"), [(True, "data_preparation"), (False, "algorithm_preprocessing_output")]
)
def test_a_preparation_is_everybodys_when_baselines_read_it_and_the_methods_when_it_alone_does(
    tmp_path: Path, others_read: bool, category: str
) -> None:
    files = {
        "prepare_inputs.py": 'import pandas as pd\npd.read_csv("raw.csv").to_csv("work/inputs.csv")\n',
        "train.py": TRAIN.format(data="work/inputs.csv"),
        "model.py": MODEL,
        "baselines/svm.py": BASELINE.format(data="work/inputs.csv" if others_read else "raw.csv"),
        "raw.csv": "x",
        "work/inputs.csv": "x",
    }
    assert verdicts(tmp_path, files)["work/inputs.csv"].category == category


def test_a_split_is_everybodys_even_where_the_method_alone_reads_it(tmp_path: Path) -> None:
    files = {
        "scripts/make_split.py": 'import pandas as pd\npd.read_csv("raw.csv").to_csv("work/part.csv")\n',
        "train.py": TRAIN.format(data="work/part.csv"),
        "model.py": MODEL,
        "raw.csv": "x",
        "work/part.csv": "x",
    }
    assert verdicts(tmp_path, files)["work/part.csv"].category == "data_preparation"


@pytest.mark.parametrize(
    ("path", "category"),
    [
        ("README.md", "irrelevant"),
        ("requirements.txt", "irrelevant"),
        ("docs/overview.png", "irrelevant"),
        ("configs/a.yaml", "irrelevant"),
        ("results/table1.csv", "algorithm_output"),
        ("figures/fig1.pdf", "algorithm_output"),
        ("logs/run.log", "algorithm_output"),
        ("checkpoints/best.pth", "algorithm_output"),
        ("pretrained/resnet50.pth", "external_resource"),
        ("resources/vocab.txt", "external_resource"),
        ("data/raw/measurements.csv", "initial_state"),
        ("data/splits/fold_1.txt", "data_preparation"),
        ("tests/data/sample.csv", "irrelevant"),
    ],
)
def test_names_decide_where_programs_are_silent(tmp_path: Path, path: str, category: str) -> None:
    assert verdicts(tmp_path, {path: "x,y\n1,2\n"})[path].category == category


def test_code_outweighs_a_name(tmp_path: Path) -> None:
    files = {"train.py": TRAIN.format(data="raw.csv").replace("out/guess.csv", "data/raw/guess.csv"), "model.py": MODEL,
             "data/raw/guess.csv": "x"}  # fmt: skip
    assert verdicts(tmp_path, files)["data/raw/guess.csv"].category == "algorithm_output"


def test_a_file_leans_to_what_its_neighbours_are(tmp_path: Path) -> None:
    files = {"train.py": TRAIN.format(data="a.csv").replace("guess", "guess_1"), "model.py": MODEL}
    files |= {f"out/guess_{number}.csv": "x" for number in range(1, 4)}
    assert {each.category for path, each in verdicts(tmp_path, files).items()} == {"algorithm_output"}


def test_every_file_but_code_has_one_verdict_with_evidence(tmp_path: Path) -> None:
    files = {"a.py": "", "b/c.csv": "", "b/d.unknown": "", "e": "", "f.ipynb": "", "third_party/sim.py": "", "g.sh": ""}
    found = cut_folder(grow(tmp_path, files)).files
    assert [each.path for each in found] == ["b/c.csv", "b/d.unknown", "e", "third_party/sim.py"]
    assert all(each.evidence and 0 < each.confidence < 1 for each in found)
    assert found[-1].category == "external_resource"


def test_what_the_folder_lacks_is_judged_as_a_pattern(tmp_path: Path) -> None:
    cut = cut_folder(grow(tmp_path, {"train.py": TRAIN.format(data="data/a.csv"), "model.py": MODEL}))
    found = {each.path: each.category for each in cut.patterns}
    assert found == {
        "data/a.csv": "initial_state",
        "out/guess.csv": "algorithm_output",
        "out/net.bin": "algorithm_output",
    }


def test_a_notebook_that_looks_at_results_alone_is_left_over(tmp_path: Path) -> None:
    look = '{"cells": [{"cell_type": "code", "source": "import numpy as np\\nnp.load(\'results/a.npz\')"}]}'
    assert verdicts(tmp_path, {"look.ipynb": look, "results/a.npz": "x"})["look.ipynb"].category == "irrelevant"


def test_a_file_that_no_program_names_leans_to_those_most_like_it(tmp_path: Path) -> None:
    source = "import torch\nx = open('data/a/embed.txt')\nloss = x\nloss.backward()\nopen('data/a/scores.txt', 'w')"
    names = [f"data/{folder}/{name}.txt" for folder in "ab" for name in ("embed", "scores")]
    found = verdicts(tmp_path, {"train.py": source, **dict.fromkeys(names, "some text\n")})
    assert found["data/b/scores.txt"].category == found["data/a/scores.txt"].category == "algorithm_output"
    assert any(each.file == "data/a/scores.txt" for each in found["data/b/scores.txt"].evidence)
    assert found["data/b/embed.txt"].kept is found["data/a/embed.txt"].kept


def test_what_many_methods_read_is_everybodys_and_what_serves_one_is_its_own(tmp_path: Path) -> None:
    prepare = "import json\nx = open('raw/all.csv')\nopen('d/shared.pkl', 'wb')\nopen('d/graph.pkl', 'wb')\n"
    fit = "from sklearn.svm import SVC\nSVC().fit(open('d/shared.pkl'))\n"
    files = {"preprocess.py": prepare, "m1.py": fit, "m2.py": fit, "m3.py": fit + "open('d/graph.pkl')\n"}
    found = verdicts(tmp_path, {**files, "raw/all.csv": "a,b\n", "d/shared.pkl": "xxx", "d/graph.pkl": "xxx"})
    assert found["d/shared.pkl"].category == "data_preparation"
    assert found["d/graph.pkl"].category == "algorithm_preprocessing_output"


def test_a_file_named_for_another_was_made_from_it(tmp_path: Path) -> None:
    found = verdicts(tmp_path, {"a.txt": "some text\n", "a.txt.h5": "xxxx", "b.txt.gz": "xxxx", "b.txt": "some text\n"})
    assert not found["a.txt.h5"].kept or found["a.txt.h5"].category == "data_preparation"
    assert {found[name].category for name in ("a.txt", "b.txt", "b.txt.gz")} == {"initial_state"}


PREPARE_ARRAYS = "import numpy as np\nnp.save('work/inputs', np.zeros(3))\n"
TRAIN_ON_ARRAYS = "import numpy as np\nfrom sklearn.svm import SVC\nSVC().fit(np.load('work/inputs.npy'))\n"


@pytest.mark.parametrize(
    ("more", "category"),
    [
        ({}, "algorithm_preprocessing_output"),
        (
            {"baselines.py": "def fit(x):\n    pass\n", "train.py": "from baselines import fit\n" + TRAIN_ON_ARRAYS},
            "data_preparation",
        ),
        ({"evaluate.py": "import numpy as np\nnp.load('work/inputs.npy')\n"}, "data_preparation"),
    ],
)
def test_arrays_of_a_preparation_for_training_alone_are_the_methods_unless_there_are_others_to_compare(
    tmp_path: Path, more: dict[str, str], category: str
) -> None:
    files: dict[str, str | bytes] = {
        "prepare.py": PREPARE_ARRAYS,
        "train.py": TRAIN_ON_ARRAYS,
        "raw.csv": "x",
        "work/inputs.npy": b"\x93NUMPY\x01\x00",
        **more,
    }
    assert verdicts(tmp_path, files)["work/inputs.npy"].category == category


def test_what_lies_with_tests_of_the_programs_in_test_is_irrelevant(tmp_path: Path) -> None:
    sample = {"test/data/sample.csv": "a,b\n1,2\n"}
    assert verdicts(tmp_path / "a", {**sample, "test/unit/test_io.py": "x = 1\n"})["test/data/sample.csv"].category == (
        "irrelevant"
    )
    assert verdicts(tmp_path / "b", {**sample, "test.py": "x = 1\n"})["test/data/sample.csv"].kept


@pytest.mark.parametrize("name", ["gene_embedding.csv", "features_all.csv", "protein_vectors.csv"])
def test_a_name_of_an_encoding_tells_against_data_where_no_program_speaks(tmp_path: Path, name: str) -> None:
    found = verdicts(tmp_path, {f"work/{name}": "a,b\n1,2\n", "work/genes.csv": "a,b\n1,2\n"})
    assert not found[f"work/{name}"].kept
    assert found["work/genes.csv"].kept


def test_below_a_run_words_of_data_say_what_it_was_made_of(tmp_path: Path) -> None:
    found = verdicts(tmp_path, {"checkpoints/logp/fold_0.pkl": b"\x80\x04", "data/fold_0.pkl": b"\x80\x04"})
    assert found["checkpoints/logp/fold_0.pkl"].category == "algorithm_output"
    assert found["data/fold_0.pkl"].category == "data_preparation"
