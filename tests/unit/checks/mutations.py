# ruff: noqa: E501 -- one fault a line
"""Faults put into good packages: which check has to find each, in which file, at which line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

README, DESCRIPTION = "problem/README.md", "problem/data_description.md"
EVALUATOR, METADATA = "evaluation/evaluator.py", "metadata.json"
DOCKER, PACKAGES = "environment/Dockerfile.v3", "environment/packages.json"


@dataclass(frozen=True)
class Mutation:
    """``at`` stands on the line that is to be named; without it any line of ``file`` will do.

    ``also`` are checks that this fault cannot but set off, too.
    """

    check: str
    style: str
    change: Callable[[dict[str, Any]], None]
    file: str
    at: str = ""
    also: tuple[str, ...] = ()
    level: str = "fail"


def swap(file: str, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def change(files: dict[str, Any]) -> None:
        assert old in files[file], old
        files[file] = files[file].replace(old, new, 1)

    return change


def drop(*names: str) -> Callable[[dict[str, Any]], None]:
    def change(files: dict[str, Any]) -> None:
        for name in names:
            found = [one for one in files if one == name or one.startswith(f"{name}/")]
            assert found, name
            for one in found:
                del files[one]

    return change


def add(file: str, content: str | bytes = "x\n") -> Callable[[dict[str, Any]], None]:
    def change(files: dict[str, Any]) -> None:
        files[file] = content

    return change


def fact(edit: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], None]:
    def change(files: dict[str, Any]) -> None:
        value = json.loads(files[METADATA])
        edit(value)
        files[METADATA] = json.dumps(value, indent=2)

    return change


def metric(place: int, index: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return fact(lambda value: value["performance_entries"][place]["metrics"][index].update(fields))


def readme(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    return swap(README, old, new)


def tabs(text: str) -> Callable[[dict[str, Any]], None]:
    """Section 5 asks for a table with tabs, in these words alone, and so does the evaluator."""

    def change(files: dict[str, Any]) -> None:
        before, _, rest = files[README].partition("## 5. Output Format\n")
        body = f"## 5. Output Format\n\n`output/{{instance}}/predictions.tsv`: {text}.\n\n## 6."
        files[README] = before + body + rest.partition("## 6.")[2]
        files[EVALUATOR] = files[EVALUATOR].replace("predictions.csv", "predictions.tsv")

    return change


def said(text: str) -> Callable[[dict[str, Any]], None]:
    return readme("## 2. Task Objective\n", f"## 2. Task Objective\n\n{text}\n")


def described(text: str) -> Callable[[dict[str, Any]], None]:
    return swap(DESCRIPTION, "## 4. Special Notes\n", f"## 4. Special Notes\n\n{text}\n")


def code(line: str) -> Callable[[dict[str, Any]], None]:
    return swap(EVALUATOR, "import numpy as np\n", f"import numpy as np\n{line}\n")


def both(*changes: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    def change(files: dict[str, Any]) -> None:
        for one in changes:
            one(files)

    return change


def everywhere(check: str, texts: list[str], also: tuple[str, ...] = ()) -> list[Mutation]:
    """The same text said in README or description, whichever the check is of."""
    file, say = (README, said) if check in ("C2.1", "C2.3") else (DESCRIPTION, described)
    return [Mutation(check, "cells", say(text), file, text, also) for text in texts]


PAPERS = [
    "See 10.1038/s41586-020-12345-6 for details.",
    "As found by Smith et al., cells differ.",
    "Taken from arXiv:2101.01234.",
    "The profiles were normalised as in [12].",
    "This was published in Nature last year.",
    "In this paper we predict the response.",
    "Data of the original publication are used.",
    "The response was measured before (Miller and Jones, 2019).",
]
NAMES = ["CellSeer does this.", "cell-seer does this.", "the CELL SEER way", "CellSeer XL", "`cellseer_xl` scores"]

MUTATIONS = [
    *(
        Mutation("C0.1", "cells", drop(name), name, also=also)
        for name, also in (
            (README, ()), (DESCRIPTION, ()), (EVALUATOR, ("C0.4",)), (METADATA, ("C0.3",)), (DOCKER, ()), (PACKAGES, ()),
        )
    ),
    Mutation("C0.1", "cells", add(DESCRIPTION, b"# Data \xff\xfe Description\n"), DESCRIPTION, also=("C1.2", "C1.9")),
    Mutation("C0.2", "cells", drop("evaluation/ground_truth/lung-2"), "problem/data/lung-2", also=("C1.7",)),
    Mutation("C0.2", "cells", add("evaluation/ground_truth/skin/labels.csv"), "evaluation/ground_truth/skin"),
    Mutation("C0.2", "flow", drop("evaluation/ground_truth"), "evaluation/ground_truth", also=("C1.7",)),
    Mutation("C0.2", "fold", add("evaluation/ground_truth/beta/target.json"), "evaluation/ground_truth/beta", also=("C1.2",)),
    Mutation("C0.2", "cells", drop("problem/data"), "problem/data", also=("C1.8",)),
    Mutation("C0.3", "cells", fact(lambda value: value.pop("domain_metadata")), METADATA),
    Mutation("C0.3", "cells", metric(0, 0, metric_direction="up"), METADATA, '"up"', also=("C1.4", "C3.6")),
    Mutation("C0.3", "cells", metric(0, 0, is_primary="true"), METADATA, '"true"', also=("C1.5",)),
    Mutation("C0.3", "cells", metric(0, 1, is_primary=0), METADATA, '"is_primary": 0'),
    Mutation("C0.3", "cells", fact(lambda value: value["domain_metadata"].update(domain_tags="abc")), METADATA, '"abc"'),
    Mutation("C0.3", "cells", swap(METADATA, '"none"', '"plenty"'), METADATA, '"plenty"'),
    Mutation("C0.3", "cells", swap(METADATA, '"Biology"', '"Alchemy"'), METADATA, '"Alchemy"'),
    Mutation("C0.3", "cells", swap(METADATA, '"task_name": ', '"task_name" '), METADATA, '"task_name"'),
    Mutation("C0.3", "cells", swap(METADATA, '  "tooling_metadata"', '  "task_name": "Drug response of cell lines",\n  "tooling_metadata"'), METADATA, '"task_name"'),
    Mutation("C0.3", "cells", metric(0, 0, sota_score=[{"value": 0.85}]), METADATA, "0.85", level="warn"),
    *(
        Mutation("C0.4", "cells", swap(EVALUATOR, "class ValidationError", f"{bad}\nclass ValidationError"), EVALUATOR, bad)
        for bad in ("return 3", "if True", "x = = 1", "def f(:", "break")
    ),
    *(
        Mutation("C0.5", "cells", code(line), EVALUATOR, line)
        for line in ("import skbio", "from made_up_package import x", "x = np.float(3)", "import scvelo as sv")
    ),
    Mutation("C0.5", "cells", swap(DOCKER, "v3\n", "v3\nRUN pip install numpy==1.20.0\n"), DOCKER, "1.20.0"),
    Mutation("C0.5", "cells", swap(DOCKER, "v3\n", "v3\nRUN pip install scikit-bio==eight\n"), DOCKER, "eight"),
    Mutation("C0.5", "cells", swap(DOCKER, "v3\n", "v3\nRUN pip install scikit-bio\n"), DOCKER, "scikit-bio", level="warn"),
    Mutation("C0.5", "cells", swap(PACKAGES, "base:v3", "base:v2"), PACKAGES, "v2", level="warn"),
    Mutation("C0.5", "cells", swap(PACKAGES, '"task_packages": []', '"task_packages": [{"pip": "dgl", "import": "dgl", "version": "1.0"}]'), PACKAGES, "dgl", level="warn"),
    *(
        Mutation("C1.1", "cells", readme("# Drug response of cell lines", title), README, title, level="warn")
        for title in ("# Drug Response of Cell Lines", "# Responses", "# Drug response", "# Drug-response of cell lines", "# A B C")
    ),
    Mutation("C1.2", "cells", readme('["breast", "lung-2"]', '["breast", "lung2"]'), README, '"lung2"'),
    Mutation("C1.2", "cells", readme('["breast", "lung-2"]', '["breast"]'), README, "INSTANCES = "),
    Mutation("C1.2", "cells", swap(EVALUATOR, '["breast", "lung-2"]', '["breast", "Lung-2"]'), EVALUATOR, '"Lung-2"', also=("C1.7",)),
    Mutation("C1.2", "cells", swap(EVALUATOR, '["breast", "lung-2"]', '["breast"]'), EVALUATOR, "INSTANCES ="),
    Mutation("C1.2", "cells", swap(METADATA, '"dataset_name": "lung-2"', '"dataset_name": "lung"'), METADATA, '"lung"'),
    Mutation("C1.2", "cells", swap(DESCRIPTION, "lung-2/", "lung_2/"), DESCRIPTION, also=("C1.8",)),
    Mutation("C1.3", "cells", metric(0, 1, name="Rmse"), METADATA, '"Rmse"'),
    Mutation("C1.3", "cells", swap(EVALUATOR, '["Pearson r", "RMSE"]', '["Pearson r", "rmse"]'), EVALUATOR, '"rmse"]'),
    Mutation("C1.3", "cells", readme("**RMSE**", "**Root error**"), README, "Root error", also=("C1.4",)),
    Mutation("C1.3", "cells", readme("Pearson r", "Pearson R"), README, "Pearson R", also=("C1.4", "C1.5")),
    Mutation("C1.3", "flow", readme("| Coverage |", "| coverage |"), README, "coverage", also=("C1.4",)),
    Mutation("C1.3", "flow", swap(EVALUATOR, '"T2": ["W1", "Coverage"', '"T2": ["W1", "Cover"'), EVALUATOR, '"Cover"'),
    Mutation("C1.4", "cells", readme("higher is better", "lower is better"), README, "lower is better"),
    Mutation("C1.4", "cells", readme("; lower is better", ""), README, "**RMSE**"),
    Mutation("C1.4", "flow", readme("↓", "↑"), README, "↑"),
    Mutation("C1.4", "flow", readme("| Coverage | higher |", "| Coverage | lower |"), README, "| Coverage"),
    Mutation("C1.4", "fold", readme("higher_is_better", "lower_is_better"), README, "lower_is_better"),
    Mutation("C1.5", "cells", metric(0, 1, is_primary=True), METADATA, '"is_primary": true'),
    Mutation("C1.5", "cells", metric(0, 0, is_primary=False), METADATA, '"is_primary": false'),
    Mutation("C1.5", "cells", readme("### Primary Metric\n", "### First Metric\n"), README, "## 4.", also=("C3.3",)),
    Mutation("C1.5", "cells", readme("- **Name**: Pearson r", "- **Name**: RMSE"), README, "**Name**: RMSE", also=("C1.3", "C1.4")),
    Mutation("C1.5", "cells", readme("- **Name**: Pearson r\n", "- **Name**: Pearson r\n- **Name**: RMSE\n"), README, "**Name**: RMSE", also=("C1.4",)),
    Mutation("C1.5", "cells", readme("- **Name**: Pearson r\n", "- **Name**: Pearson r\n- **Name**: Spread\n"), README, "**Name**: Spread", also=("C1.3",)),
    Mutation("C1.5", "cells", readme("higher is better.\n", "higher is better.\n- **Name**: Pearson r\n"), README, "- **Name**: Pearson r"),
    Mutation("C1.5", "flow", readme("**W1** (", "**Coverage**, before W1 ("), README, "**Coverage**", also=("C1.4",)),
    Mutation("C1.6", "cells", readme("predictions.csv", "answers.csv"), README, "answers.csv"),
    Mutation("C1.6", "cells", swap(EVALUATOR, "/predictions.csv", "/pred.csv"), EVALUATOR, "pd.read_csv(pred_file)"),
    Mutation("C1.6", "cells", readme("| response |", "| Response |"), README, "| Response"),
    Mutation("C1.6", "cells", readme("| response |", "| level |"), README, "| level"),
    Mutation("C1.6", "cells", readme("| sample_id | string | one of the ids in test.csv |\n| response | float | finite |", "| id | string | |\n| level | float | |"), README, "| id |"),
    Mutation("C1.6", "cells", swap(EVALUATOR, "pd.read_csv(pred_file)", "np.load(pred_file)"), EVALUATOR, "np.load(pred_file)"),
    Mutation("C1.6", "flow", readme("states.npy", "state.npy"), README, "state.npy"),
    Mutation("C1.6", "flow", swap(EVALUATOR, '"energies.npy"', '"energy.npy"'), README, "energies.npy"),
    Mutation("C1.6", "fold", readme("designs.fasta", "designs.fa"), README, "designs.fa"),
    Mutation("C1.7", "cells", drop("evaluation/ground_truth/lung-2/labels.csv"), EVALUATOR, "pd.read_csv(_gt_path(name))", also=("C0.2",)),
    Mutation("C1.7", "cells", add("evaluation/ground_truth/breast/labels.csv", ""), "evaluation/ground_truth/breast/labels.csv"),
    Mutation("C1.7", "cells", swap(EVALUATOR, 'fname="labels.csv"', 'fname="label.csv"'), EVALUATOR, "pd.read_csv(_gt_path(name))"),
    Mutation("C1.7", "flow", drop("evaluation/ground_truth/T1/reference.npz"), EVALUATOR, "reference.npz", also=("C0.2",)),
    Mutation("C1.7", "flow", swap(EVALUATOR, '"reference.npz"', '"truth.npz"'), EVALUATOR, "truth.npz"),
    Mutation("C1.7", "fold", swap(EVALUATOR, '"target.json"', '"targets.json"'), EVALUATOR, "targets.json"),
    Mutation("C1.8", "cells", add("problem/data/breast/extra.csv"), DESCRIPTION, "data/"),
    Mutation("C1.8", "cells", drop("problem/data/lung-2/test.csv"), DESCRIPTION, "    `-- test.csv"),
    Mutation("C1.8", "cells", swap(DESCRIPTION, "    |-- train.csv\n", ""), DESCRIPTION, "data/"),
    Mutation("C1.8", "flow", add("problem/data/T1/notes.txt"), DESCRIPTION, "problem/data/"),
    Mutation("C1.8", "flow", swap(DESCRIPTION, "couplings.json\n", "coupling.json\n"), DESCRIPTION, "coupling.json"),
    Mutation("C1.8", "fold", swap(DESCRIPTION, "alpha/fold.json\n", "alpha/fold.json\nalpha/more.json\n"), DESCRIPTION, "more.json"),
    *(
        Mutation("C1.9", "cells", swap(DESCRIPTION, title, new), DESCRIPTION, at, also=also)
        for title, new, at, also in (
            ("## 2. Dataset Overview\n", "", "", ()),
            ("## 4. Special Notes\n", "## Special Notes\n", "## Special Notes", ()),
            ("## 3. File Formats & Schemas\n", "### 3. File Formats & Schemas\n", "", ()),
            ("## 2. Dataset Overview\n", "## 4. Special Notes\n\n## 2. Dataset Overview\n", "## 4. Special", ()),
            ("## 1. Directory Structure\n", "## 2. Dataset Overview\n\n## 1. Directory Structure\n", "", ()),
        )
    ),
    *everywhere("C2.1", PAPERS),
    *everywhere("C2.2", PAPERS),
    *everywhere("C2.3", NAMES),
    *everywhere("C2.4", NAMES),
    *(
        Mutation("C2.6", "cells", say(text), file, text)
        for text in (
            "Compared with evaluation/ground_truth.", "Scored on a hidden test set.", "Labels of the test samples are withheld.",
            "See `evaluator.py`.", "A held-out set is used.",
        )
        for say, file in ((said, README), (described, DESCRIPTION))
    ),
    Mutation("C3.1", "cells", drop("problem/data/lung-2/train.csv"), DESCRIPTION, "### 3.1 `train.csv`", also=("C1.8",)),
    Mutation("C3.1", "cells", swap(DESCRIPTION, "### 3.1 `train.csv`", "### 3.1 `training.csv`"), DESCRIPTION, "training.csv"),
    Mutation("C3.1", "cells", swap(DESCRIPTION, "Two cell lines.", "| Instance | File |\n|---|---|\n| breast | `dev.csv` |"), DESCRIPTION, "dev.csv"),
    Mutation("C3.1", "cells", readme("| breast | 3 |", "| breast | `all.csv` |"), README, "all.csv"),
    Mutation("C3.1", "cells", drop("problem/data/breast/train.csv"), DESCRIPTION, "### 3.1 `train.csv`", also=("C1.8",)),
    Mutation("C3.1", "cells", both(swap(DESCRIPTION, "Training data with labels.", "`response` is the TARGET."), drop("problem/data/breast/train.csv"), swap(DESCRIPTION, "|   |-- train.csv      # training data\n", "")), DESCRIPTION, "### 3.1 `train.csv`"),
    Mutation("C3.1", "cells", both(swap(DESCRIPTION, "### 3.1 `train.csv`\n\nTraining data with labels.", "`train*.csv`: sample_id (INPUT), response (TARGET). `test.csv`: INPUT."), drop("problem/data/lung-2/train.csv"), swap(DESCRIPTION, "    |-- train.csv\n", "")), DESCRIPTION, "`train*.csv`"),
    *(
        Mutation("C3.2", "flow", add(name), name if file is None else file, also=("C1.8",) if name.startswith("problem/data") else ())
        for name, file in (
            ("problem/data/T1/predictions.csv", None), ("problem/data/T1/results/a.csv", "problem/data/T1/results"),
            ("evaluation/ground_truth/T1/train.log", None), ("problem/data/T2/best_model.pth", None),
            ("evaluation/__pycache__/evaluator.cpython-311.pyc", "evaluation/__pycache__"), ("problem/.DS_Store", None),
            (".git/config", ".git"), ("problem/data/T1/checkpoints/a.bin", "problem/data/T1/checkpoints"),
        )
    ),
    *(
        Mutation("C3.3", "cells", readme(old, new), README, at, also=also)
        for old, new, at, also in (
            ("## 1. Scientific Problem\n", "", "", ()),
            ("## 3. Dataset Information\n", "## Dataset Information\n", "## Dataset Information", ()),
            ("### Entry Point\n", "### Template\n", "## 6.", ()),
            ("## 2. Task Objective\n", "## 2. Task Objective\n\n## 2. Task Objective\n", "", ()),
            ("## 6. Submission Guidelines\n", "## 6. Rules\n", "## 6. Rules", ("C3.5",)),
        )
    ),
    Mutation("C3.4", "cells", readme("`output/{instance}/predictions.csv`", "`predictions.csv`"), README, "## 5."),
    Mutation("C3.4", "cells", tabs("a tab-separated file with these values, all finite"), README, "## 5."),
    Mutation("C3.4", "cells", tabs("tab-separated columns, values finite"), README, "## 5."),
    Mutation("C3.4", "flow", readme("int8 array of shape (1000, 64), values are -1 or 1", "an array"), README, "## 5.", also=()),
    Mutation("C3.4", "flow", swap(README, "int8 array of shape (1000, 64)", "array"), README, "## 5."),
    Mutation("C3.4", "fold", readme("FASTA, 10 records, each sequence has a length between 10 and 50", "ten designs"), README, "## 5."),
    Mutation("C3.4", "cells", readme("`output/{instance}/predictions.csv`, a comma-separated file with a header:", "the answers in `output/{instance}/`."), README, "## 5.", also=("C1.6",)),
    *(
        Mutation("C3.5", "cells", readme(old, new), README, at, also=also)
        for old, new, at, also in (
            ('["breast", "lung-2"]', "[]", "INSTANCES = []", ("C1.2",)),
            ('["breast", "lung-2"]', '["..."]', 'INSTANCES = ["..."]', ("C1.2",)),
            ('["breast", "lung-2"]', "[...]", "INSTANCES = [...]", ("C1.2",)),
            ('INSTANCES = ["breast", "lung-2"]', "INSTANCES: list[str] = []", "INSTANCES: list", ("C1.2",)),
            ("train = pd.read_csv(", "print(", "", ()),
            ("def main():", "def main(:", "", ()),
            ("INSTANCES = [", "NAMES = [", "", ()),
        )
    ),
    Mutation("C3.5", "cells", readme('train = pd.read_csv(os.path.join(DATA_DIR, instance, "train.csv"))', "# TODO: Load data\n        pass"), README, "# TODO: Load data", level="warn"),
    Mutation("C3.5", "cells", readme('train = pd.read_csv(os.path.join(DATA_DIR, instance, "train.csv"))', "load_data(instance)\n\ndef load_data(name):\n    print(name)"), README, ""),
    Mutation("C3.5", "flow", readme('runs = np.load(data_dir / name / "runs.npz")', "...  # your model here"), README, "# your model", level="warn"),
    Mutation("C3.5", "fold", readme('text = open(f"data/{name}/fold.json").read()', "pass  # TODO: design sequences"), README, ""),
    *(
        Mutation("C3.6", "cells", metric(1, 1, sota_score=score), METADATA, at)
        for score, at in (
            ([], '"sota_score": []'), ([{"value": "n/a"}], "n/a"), ([{"value": "0.0"}], '"0.0"'), ([{"value": "see text"}], "see text"),
            ([{"value": "best"}, {"value": "0.8"}], '"best"'),
        )
    ),
    Mutation("C3.7", "fold", swap("evaluation/shared/tinyfold.py", "def score", "from .deep import net\n\n\ndef score"), "evaluation/shared/tinyfold.py", "from .deep"),
    Mutation("C3.7", "fold", add("evaluation/ground_truth/alpha/scorer.py", "def train(loss):\n    loss.backward()\n"), "evaluation/ground_truth/alpha/scorer.py", "loss.backward()"),
    Mutation("C3.7", "fold", add("evaluation/ground_truth/alpha/scorer.py", "def f(optimizer):\n    optimizer.step()\n"), "evaluation/ground_truth/alpha/scorer.py", "optimizer.step()"),
    Mutation("C3.7", "fold", swap("evaluation/shared/tinyfold.py", "def score", "# Copyright (c) 2020 Some Lab\ndef score"), "evaluation/shared/tinyfold.py", "Copyright", level="warn"),
    Mutation("C3.7", "fold", said("Scored by `data/<instance>/tool/scorer.py`."), README, "scorer.py"),
    Mutation("C3.7", "fold", swap("problem/data/alpha/tool/tinyfold.py", "    return", "    bad = [\n    return"), "problem/data/alpha/tool/tinyfold.py"),
    Mutation("C3.7", "fold", swap("evaluation/shared/tinyfold.py", "def score", "import os\nT = open(os.path.join(os.path.dirname(__file__), 'table.txt'))\n\n\ndef score"), "evaluation/shared/tinyfold.py", "table.txt"),
]  # fmt: skip
