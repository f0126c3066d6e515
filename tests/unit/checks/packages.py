"""Good packages in the published format, as different people write them, and how to change one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, str | bytes]


def metadata(name: str, instances: list[str], metrics: list[tuple[str, str]], anchor: str = "0.85 ± 0.02") -> str:
    return json.dumps(
        {
            "task_name": name,
            "workflow_topology": "strict_single_step",
            "methodology_paradigm": "general_ml_application",
            "tooling_metadata": None,
            "domain_metadata": {
                "primary_domain": "Biology",
                "sub_domain": "Genomics",
                "domain_tags": ["genes", "cells", "expression"],
            },
            "compute_resource_requirements": {
                "cpu_compute": {"severity": "low", "quantity_text": ""},
                "gpu_compute": "none",
                "runtime": "short",
            },
            "performance_entries": [
                {
                    "dataset_name": instance,
                    "metrics": [
                        {
                            "name": metric,
                            "is_primary": place == 0,
                            "metric_direction": direction,
                            "source_description": "Table 1",
                            "unit": None,
                            "sota_score": [{"value": anchor, "method": "the method"}],
                            "baseline_score": None,
                        }
                        for place, (metric, direction) in enumerate(metrics)
                    ],
                }
                for instance in instances
            ],
        },
        indent=2,
    )


def environment(packages: str = "", listed: str = "[]", base: str = "naturebench-base:v3") -> dict[str, str]:
    return {
        "environment/Dockerfile.v3": f"FROM {base}\n{packages}",
        "environment/packages.json": f'{{"base_image": "{base}", "from_base": ["numpy"], "task_packages": {listed}}}\n',
    }


# -- label, by os.path and functions ---------------------------------------------------------

_CELLS_README = """# Drug response of cell lines

## 1. Scientific Problem

The nature of the problem: a cell line answers a drug in its own way. Ground truth labels come from assays.

## 2. Task Objective

Predict the response (values in [0, 1]) of single-cell profiles. The model should output probabilities.

## 3. Dataset Information

| Dataset | Samples |
|---|---|
| breast | 3 |
| lung-2 | 3 |

## 4. Evaluation Metrics

### Primary Metric

- **Name**: Pearson r
- **Definition**: correlation over samples, higher is better.

### Other Metrics

- **RMSE** - root of the mean squared error; lower is better.

## 5. Output Format

Save `output/{instance}/predictions.csv`, a comma-separated file with a header:

| Column | Type | Values |
|---|---|---|
| sample_id | string | one of the ids in test.csv |
| response | float | finite |

## 6. Submission Guidelines

### Entry Point

```python
import os
import pandas as pd

DATA_DIR = os.environ["DATA_DIR"]
OUTPUT_DIR = os.environ["OUTPUT_DIR"]
INSTANCES = ["breast", "lung-2"]

def main():
    for instance in INSTANCES:
        train = pd.read_csv(os.path.join(DATA_DIR, instance, "train.csv"))

if __name__ == "__main__":
    main()
```

### Notes

Shape statistics are up to you.
"""

_CELLS_DESCRIPTION = """# Data Description

## 1. Directory Structure

```
data/
|-- breast/
|   |-- train.csv      # training data
|   `-- test.csv
`-- lung-2/
    |-- train.csv
    `-- test.csv
```

## 2. Dataset Overview

Two cell lines.

## 3. File Formats & Schemas

### 3.1 `train.csv`

Training data with labels.

### 3.2 `test.csv`

Inputs.

## 4. Special Notes

None.
"""

_CELLS_EVALUATOR = '''"""Evaluator."""
import json
import math
import os

import numpy as np
import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
GT_DIR = os.path.join(HERE, "ground_truth")
OUT = os.environ.get("OUTPUT_DIR", "/app/output")
INSTANCES = ["breast", "lung-2"]
METRIC_NAMES = ["Pearson r", "RMSE"]
ID_COL = "sample_id"


class ValidationError(Exception):
    pass


def _gt_path(name, fname="labels.csv"):
    return os.path.join(GT_DIR, name, fname)


def load_pair(name):
    pred_file = f"{OUT}/{name}/predictions.csv"
    if not os.path.exists(pred_file):
        raise ValidationError("no predictions.csv")
    pred = pd.read_csv(pred_file)
    if "response" not in pred.columns:
        raise ValidationError("no response")
    gt = pd.read_csv(_gt_path(name))
    return gt.merge(pred, on=ID_COL)


def evaluate_instance(name):
    both = load_pair(name)
    return {"Pearson r": float(np.corrcoef(both["response_x"], both["response_y"])[0, 1]),
            "RMSE": math.sqrt(((both["response_x"] - both["response_y"]) ** 2).mean())}


def run_evaluation():
    results = {}
    for name in INSTANCES:
        try:
            results[name] = evaluate_instance(name)
        except Exception as e:
            results[name] = {m: None for m in METRIC_NAMES}
            results[name]["error"] = str(e)
    return results


if __name__ == "__main__":
    print(json.dumps(run_evaluation()))
'''


def cells() -> dict[str, str | bytes]:
    table = "sample_id,response\na,0.1\nb,0.2\nc,0.4\n"
    files: dict[str, str | bytes] = {
        "problem/README.md": _CELLS_README,
        "problem/data_description.md": _CELLS_DESCRIPTION,
        "evaluation/evaluator.py": _CELLS_EVALUATOR,
        "metadata.json": metadata(
            "Drug response of cell lines",
            ["breast", "lung-2"],
            [("Pearson r", "higher_is_better"), ("RMSE", "lower_is_better")],
        ),
        **environment(),
        "task.yaml": "id: x\nmethod:\n  name: CellSeer\n  variants: [CellSeer-XL]\n",
    }
    for name in ("breast", "lung-2"):
        files[f"problem/data/{name}/train.csv"] = table
        files[f"problem/data/{name}/test.csv"] = "sample_id\na\nb\nc\n"
        files[f"evaluation/ground_truth/{name}/labels.csv"] = table
    return files


# -- distribution, by pathlib, classes and argparse ------------------------------------------

_FLOW_README = """# Equilibrium states of a lattice

## 1. Scientific Problem

States of a lattice at a temperature.

## 2. Task Objective

**Input**: short runs. **Output**: independent states.

## 3. Dataset Information

Instances `T1` and `T2`.

## 4. Evaluation Metrics

### Primary Metric

**W1** (Wasserstein distance of energies, ↓).

### Other Metrics

| Metric | Direction |
|---|---|
| Coverage | higher |
| Jensen-Shannon | lower |

## 5. Output Format

For each instance write two arrays below `output/<instance>/`:

- `states.npy`: int8 array of shape (1000, 64), values are -1 or 1
- `energies.npy`: float64 array of shape (1000,), finite

## 6. Submission Guidelines

### Entry Point

```python
from pathlib import Path
import numpy as np

INSTANCES = [
    "T1",
    "T2",
]

def main(data_dir: Path, output_dir: Path) -> None:
    for name in INSTANCES:
        runs = np.load(data_dir / name / "runs.npz")
```

### Notes

- No network.
"""

_FLOW_DESCRIPTION = """# Data Description

## 1. Directory Structure

```
problem/data/
└── {instance}/              <- T1, T2
    ├── runs.npz             (short runs)
    ├── frames/
    │   ├── frame_000.npy
    │   ├── frame_001.npy
    │   └── ...
    └── couplings.json
```

## 2. Dataset Overview

Two temperatures.

## 3. File Formats and Schemas

### runs.npz

Development data.

### couplings.json

INPUT.

## 4. Special Notes

- The hidden layer of spins is not observed.
"""

_FLOW_EVALUATOR = """import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import wasserstein_distance

BASE = Path(__file__).resolve().parent
TRUTH = BASE / "ground_truth"
FILES = {"states": "states.npy", "energies": "energies.npy"}
METRICS = {"T1": ["W1", "Coverage", "Jensen-Shannon"], "T2": ["W1", "Coverage", "Jensen-Shannon"]}


@dataclass
class Case:
    name: str
    root: Path

    def reference(self):
        with np.load(self.root / self.name / "reference.npz") as data:
            return data["energies"]

    def weights(self):
        path = self.root / self.name / "weights.npy"
        return np.load(path) if path.exists() else None


def read(output_dir, name):
    arrays = {}
    for key, file in FILES.items():
        path = output_dir / name / file
        if not path.is_file():
            raise ValueError(f"missing {file}")
        arrays[key] = np.load(path, allow_pickle=False)
    return arrays


def run_evaluation(output_dir):
    scores = {}
    for name in METRICS:
        case = Case(name, TRUTH)
        arrays = read(output_dir, name)
        ref = case.reference()
        scores[name] = {"W1": wasserstein_distance(ref, arrays["energies"], case.weights()),
                        "Coverage": 1.0, "Jensen-Shannon": 0.0}
    return scores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output_dir", type=Path, required=True)
    args = parser.parse_args()
    Path("score.json").write_text(json.dumps(run_evaluation(args.output_dir)))


if __name__ == "__main__":
    main()
"""


def flow() -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        "problem/README.md": _FLOW_README,
        "problem/data_description.md": _FLOW_DESCRIPTION,
        "evaluation/evaluator.py": _FLOW_EVALUATOR,
        "metadata.json": metadata(
            "Equilibrium states of a lattice",
            ["T1", "T2"],
            [("W1", "lower_is_better"), ("Coverage", "higher_is_better"), ("Jensen-Shannon", "lower_is_better")],
        ),
        **environment(),
        "task.yaml": "method: {name: Flow, common_word: true}\n",
    }
    for name in ("T1", "T2"):
        for file in ("runs.npz", "frames/frame_000.npy", "frames/frame_001.npy", "frames/frame_002.npy"):
            files[f"problem/data/{name}/{file}"] = b"\x00"
        files[f"problem/data/{name}/couplings.json"] = "{}"
        files[f"evaluation/ground_truth/{name}/reference.npz"] = b"\x00"
    return files


# -- oracle, with a scorer that is loaded ----------------------------------------------------

_FOLD_EVALUATOR = """import json, os, sys
from pathlib import Path

ROOT = Path(os.path.dirname(__file__))
sys.path.insert(0, str(ROOT / "shared"))
import tinyfold

sub_dir = Path(os.getenv("OUTPUT_DIR", "output"))
names = sorted(p.name for p in (ROOT / "ground_truth").iterdir())


def one(n):
    target = json.loads((ROOT / "ground_truth" / n / "target.json").read_text())
    seqs = [l.strip() for l in open(sub_dir / n / "designs.fasta") if not l.startswith(">")]
    return {"recovery": tinyfold.score(target, seqs)}


if __name__ == "__main__":
    print(json.dumps({n: one(n) for n in names}))
"""

_FOLD_README = """# Sequences for a wanted fold

## 1. Scientific Problem

A fold.

## 2. Task Objective

Design.

## 3. Dataset Information

One instance, `alpha`.

## 4. Evaluation Metrics

### Primary Metric

- **Name**: recovery
- **Direction**: higher_is_better

## 5. Output Format

`output/{instance}/designs.fasta`, FASTA, 10 records, each sequence has a length between 10 and 50.

## 6. Submission Guidelines

### Entry Point

```python
INSTANCES = ["alpha"]
for name in INSTANCES:
    text = open(f"data/{name}/fold.json").read()
```
"""

_FOLD_DESCRIPTION = """# Data Description

## 1. Directory Structure

```
alpha/fold.json
alpha/tool/tinyfold.py
alpha/esm_model.pt
```

## 2. Dataset Overview

One.

## 3. File Formats & Schemas

### esm_model.pt

External pretrained weights.

## 4. Special Notes

None.
"""


def fold() -> dict[str, str | bytes]:
    scorer = "def score(target, seqs):\n    return float(len(seqs) == target['n'])\n"
    return {
        "problem/README.md": _FOLD_README,
        "problem/data_description.md": _FOLD_DESCRIPTION,
        "evaluation/evaluator.py": _FOLD_EVALUATOR,
        "evaluation/shared/tinyfold.py": scorer,
        "evaluation/ground_truth/alpha/target.json": '{"n": 10}',
        "problem/data/alpha/fold.json": "{}",
        "problem/data/alpha/tool/tinyfold.py": scorer,
        "problem/data/alpha/esm_model.pt": b"\x00",
        "metadata.json": metadata("Sequences for a wanted fold", ["alpha"], [("recovery", "higher_is_better")]),
        **environment(base="naturegym-slim:v1"),
        "task.yaml": "method: {name: FoldSmith}\n",
    }


STYLES = {"cells": cells, "flow": flow, "fold": fold}


def written(folder: Path, files: Files) -> Path:
    """Put a package's files on the disk."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
