"""A package of a few lines, to try agents on: y is to be told from x, twelve rows to learn from and six to answer."""

from __future__ import annotations

import json
from pathlib import Path

INSTANCE, FILE, PERFECT = "line", "predictions.csv", 0.0
ANSWERED, LEARNED = 6, 12
README = f"""# A line through points

## 1. Scientific Problem

A quantity y follows from a quantity x.

## 2. Task Objective

Predict y of each sample of the evaluation inputs.

## 3. Dataset Information

One instance, `{INSTANCE}`: `train.csv` ({LEARNED} rows) with x and y, `test.csv` ({ANSWERED} rows) with x.

## 4. Evaluation Metrics

### Primary Metric

- **Name**: RMSE
- **Definition**: RMSE: root of the mean squared difference. Lower is better.

## 5. Output Format

Write to `output/{{instance}}/<file>` for each instance:

| File | Format | Shape | Dtype | Values |
|---|---|---|---|---|
| `{FILE}` | csv | {ANSWERED} rows × 2 columns | string, float | finite, columns as below |

`{FILE}`: Each id of `id` stands exactly once, in any order; no other ids.

| Column | Dtype | Values | Meaning |
|---|---|---|---|
| `id` | string |  | the sample |
| `y` | float |  | the predicted quantity |

## 6. Submission Guidelines

```python
INSTANCES = ['{INSTANCE}']
```
"""
DESCRIPTION = """# Data Description

## 3. File Formats & Schemas

### 3.1 `test.csv`

| Field | Role | Type | Range or values | Missing | Meaning |
|---|---|---|---|---|---|
| `id` | ID | string | - | - | the sample |
| `x` | INPUT | float | - | - |  |

### 3.2 `train.csv`

| Field | Role | Type | Range or values | Missing | Meaning |
|---|---|---|---|---|---|
| `id` | ID | string | - | - | the sample |
| `x` | INPUT | float | - | - |  |
| `y` | TARGET | float | - | - |  |
"""
EVALUATOR = f'''"""Scores the predictions."""

import csv
import os
from pathlib import Path

INSTANCES = ["{INSTANCE}"]
TRUTH = Path(__file__).parent / "ground_truth"


def table(path):
    with open(path, newline="") as file:
        return {{row["id"]: float(row["y"]) for row in csv.DictReader(file)}}


def run_evaluation():
    try:
        given = table(Path(os.environ["OUTPUT_DIR"]) / "{INSTANCE}" / "{FILE}")
        truth = table(TRUTH / "{INSTANCE}" / "y.csv")
        error = (sum((given[name] - value) ** 2 for name, value in truth.items()) / len(truth)) ** 0.5
    except (OSError, ValueError, KeyError) as reason:
        return {{"{INSTANCE}": {{"RMSE": None, "error": repr(reason)}}}}
    return {{"{INSTANCE}": {{"RMSE": error}}}}
'''


def write_tiny(folder: Path) -> Path:
    """Write the package into ``folder``, which is made, and give it back."""
    data, truth = folder / "problem" / "data" / INSTANCE, folder / "evaluation" / "ground_truth" / INSTANCE
    for one in (data, truth, folder / "environment"):
        one.mkdir(parents=True)
    rows = [(f"s{number:02d}", number / 4, 3 * number / 4 - 2) for number in range(LEARNED + ANSWERED)]
    asked = rows[::3]
    learned = [row for row in rows if row not in asked]
    _table(data / "train.csv", ["id,x,y", *(f"{name},{x},{y}" for name, x, y in learned)])
    _table(data / "test.csv", ["id,x", *(f"{name},{x}" for name, x, _ in asked)])
    _table(truth / "y.csv", ["id,y", *(f"{name},{y}" for name, _, y in asked)])
    (folder / "problem" / "README.md").write_text(README, encoding="utf-8")
    (folder / "problem" / "data_description.md").write_text(DESCRIPTION, encoding="utf-8")
    (folder / "evaluation" / "evaluator.py").write_text(EVALUATOR, encoding="utf-8")
    metric = {
        "name": "RMSE", "is_primary": True, "metric_direction": "lower_is_better",
        "sota_score": [{"method": "a line", "value": "1.0"}],
    }  # fmt: skip
    metadata = {"performance_entries": [{"dataset_name": INSTANCE, "metrics": [metric]}]}
    (folder / "metadata.json").write_text(json.dumps(metadata, indent=1), encoding="utf-8")
    return folder


def _table(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
