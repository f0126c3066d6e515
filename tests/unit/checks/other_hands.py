# ruff: noqa: E501 -- one change a line
"""Fragments of packages in the manner of other hands, written before the checks were tried on them: right ones, and faults.

Each is a change of the package ``cells``; evaluators are whole files, read and never run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.unit.checks.mutations import DESCRIPTION, EVALUATOR, METADATA, README, add, readme, swap

Change = Callable[[dict[str, Any]], None]


def section(number: int, body: str) -> Change:
    """Another body of a section of the README."""

    def change(files: dict[str, Any]) -> None:
        pattern = rf"(## {number}\. [^\n]*\n).*?(?=## {number + 1}\.)"
        files[README] = re.sub(
            pattern, lambda match: f"{match[1]}\n{body}\n\n", files[README], count=1, flags=re.DOTALL
        )

    return change


def tree(body: str) -> Change:
    """Another drawing of the data."""

    def change(files: dict[str, Any]) -> None:
        drawn = f"```\n{body}\n```"
        files[DESCRIPTION] = re.sub(r"```.*?```", lambda _: drawn, files[DESCRIPTION], count=1, flags=re.DOTALL)

    return change


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(files: dict[str, Any]) -> None:
        for one in changes:
            one(files)

    return change


_HEAD = """import os, json
import numpy as np
import pandas as pd
GT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ground_truth")
OUT = os.environ.get("OUTPUT_DIR", "output")
"""
_DEFAULTDICT = """from collections import defaultdict
METRICS = ("Pearson r", "RMSE")
def run_evaluation():
    out = defaultdict(dict)
    for n in ["breast", "lung-2"]:
        t = pd.read_csv(os.path.join(GT, n, "labels.csv")); p = pd.read_csv(os.path.join(OUT, n, "predictions.csv"))
        m = t.merge(p, on="sample_id")
        out[n]["Pearson r"] = m.response_x.corr(m.response_y)
        out[n]["RMSE"] = float(np.sqrt(((m.response_x - m.response_y) ** 2).mean()))
    return dict(out)
"""
_REGISTRY_DECORATOR = """SCORERS = {}
def scorer(name):
    def deco(fn):
        SCORERS[name] = fn
        return fn
    return deco
@scorer("Pearson r")
def pearson(a, b):
    return float(np.corrcoef(a, b)[0, 1])
@scorer("RMSE")
def rmse(a, b):
    return float(np.sqrt(np.mean((a - b) ** 2)))
def load(path):
    return pd.read_csv(path).sort_values("sample_id")["response"].to_numpy()
def run_evaluation():
    res = {}
    for inst in sorted(os.listdir(GT)):
        a = load(os.path.join(GT, inst, "labels.csv")); b = load(os.path.join(OUT, inst, "predictions.csv"))
        res[inst] = {k: fn(a, b) for k, fn in SCORERS.items()}
    return res
"""
_RESULT_DATACLASS = """from dataclasses import dataclass, asdict
@dataclass
class Result:
    pearson: float = None
    rmse: float = None
    error: str = ""
    def as_dict(self):
        d = {"Pearson r": self.pearson, "RMSE": self.rmse}
        if self.error:
            d["error"] = self.error
        return d
def score(n):
    try:
        t = pd.read_csv(f"{GT}/{n}/labels.csv"); p = pd.read_csv(f"{OUT}/{n}/predictions.csv")
        t = t.set_index("sample_id").response; p = p.set_index("sample_id").response.reindex(t.index)
        return Result(t.corr(p), float(((t - p) ** 2).mean() ** .5))
    except Exception as e:
        return Result(error=str(e))
def run_evaluation():
    return {n: score(n).as_dict() for n in ("breast", "lung-2")}
"""
_MAIN_JSON_FILE = """INSTANCES = ["breast", "lung-2"]
def evaluate_instance(name):
    t = pd.read_csv(os.path.join(GT, name, "labels.csv"), index_col="sample_id")["response"]
    p = pd.read_csv(os.path.join(OUT, name, "predictions.csv"), index_col="sample_id")["response"]
    scores = dict()
    scores.update({"Pearson r": float(t.corr(p))})
    scores.update(RMSE=float(np.sqrt(((t - p) ** 2).mean())))
    return scores
def main():
    all_scores = {}
    for name in INSTANCES:
        try:
            all_scores[name] = evaluate_instance(name)
        except FileNotFoundError:
            all_scores[name] = {"Pearson r": None, "RMSE": None, "error": "missing"}
    with open("score.json", "w") as fh:
        json.dump({"scores": all_scores, "n_instances": len(all_scores)}, fh, indent=2)
if __name__ == "__main__":
    main()
"""
_NONE_TEMPLATE = """METRIC_NAMES = ["Pearson r", "RMSE"]
INSTANCES = ["breast", "lung-2"]
class ValidationError(Exception): ...
def _none(msg):
    r = {m: None for m in METRIC_NAMES}
    r["error"] = msg
    return r
def _validate(name):
    path = os.path.join(OUT, name, "predictions.csv")
    if not os.path.exists(path):
        raise ValidationError("missing")
    df = pd.read_csv(path)
    if {"sample_id", "response"} - set(df.columns):
        raise ValidationError("columns")
    return df
def _score(name):
    df = _validate(name)
    gt = pd.read_csv(os.path.join(GT, name, "labels.csv"))
    m = gt.merge(df, on="sample_id", suffixes=("_t", "_p"))
    values = (np.corrcoef(m.response_t, m.response_p)[0, 1], np.sqrt(np.mean((m.response_t - m.response_p) ** 2)))
    return {k: float(v) for k, v in zip(METRIC_NAMES, values)}
def run_evaluation():
    results = {}
    for n in INSTANCES:
        try: results[n] = _score(n)
        except ValidationError as e: results[n] = _none(str(e))
    return results
"""
_LISTS_CONCAT = """def run_evaluation():
    rows = []
    for n in ("breast", "lung-2"):
        t = pd.read_csv(os.path.join(GT, n, "labels.csv")); p = pd.read_csv(os.path.join(OUT, n, "predictions.csv"))
        rows.append((n, t, p))
    frames = []
    frames.append(rows)
    table = pd.concat([r[1] for r in rows])
    errors = table.columns.tolist()
    errors.append("x")
    return {n: {"Pearson r": t.response.corr(p.response), "RMSE": ((t.response - p.response) ** 2).mean() ** .5} for n, t, p in rows}
"""

RIGHT: dict[str, Change] = {
    "numbered headings with dots": readme("## 4. Evaluation Metrics", "## 4. Evaluation Metrics (per dataset)"),
    "metrics as table": section(
        4,
        "### Primary Metric\n\n| Metric | Direction | Definition |\n|---|---|---|\n| Pearson r | higher is better | correlation |\n\n### Other Metrics\n\n| Metric | Direction | Definition |\n|---|---|---|\n| RMSE | lower is better | root of mean squared error |",
    ),
    "metrics prose": section(
        4,
        "### Primary Metric\n\n**Pearson r** (↑) is computed over all samples of a dataset.\n\n### Other Metrics\n\n**RMSE** (↓) is reported as well.",
    ),
    "metrics formula": section(
        4,
        "### Primary Metric\n\n- **Name**: `Pearson r`\n- **Definition**: $r = \\mathrm{cov}(x, y)/\\sigma_x\\sigma_y$\n- **Direction**: higher is better\n- **Range**: [-1, 1]\n\n### Other Metrics\n\n- **RMSE**: $\\sqrt{\\frac{1}{n}\\sum (x-y)^2}$, lower is better",
    ),
    "sec5 field value": section(
        5,
        "| Field | Value |\n|---|---|\n| Path | `output/{instance}/predictions.csv` |\n| Format | CSV with header |\n| Columns | `sample_id`, `response` |\n| Rows | one per row of `test.csv` |\n| Values | `response`: finite float |",
    ),
    "sec5 bullets": section(
        5,
        "For each instance write one file:\n\n- **Path**: `output/<instance>/predictions.csv`\n- **Format**: CSV, UTF-8\n- **Columns**:\n  - `sample_id` (string): as in `test.csv`\n  - `response` (float): finite",
    ),
    "sec5 code": section(
        5,
        "```\noutput/\n├── breast/predictions.csv\n└── lung-2/predictions.csv\n```\n\nEach is a CSV file:\n\n```csv\nsample_id,response\ns1,0.25\n```\n\nColumns `sample_id` and `response`; all values must be finite.",
    ),
    "tree program": tree(
        "problem/data\n├── breast\n│   ├── test.csv\n│   └── train.csv\n└── lung-2\n    ├── test.csv\n    └── train.csv\n\n3 directories, 4 files"
    ),
    "tree comments": tree(
        "data/\n├── breast/            # 1st cohort\n│   ├── train.csv      # labelled (INPUT + TARGET)\n│   └── test.csv       # inputs\n└── lung-2/            # 2nd cohort\n    ├── train.csv      # labelled\n    └── test.csv       # inputs"
    ),
    "tree holder": tree(
        "/task/problem/data/\n  <instance>/        one of breast, lung-2\n    train.csv        labelled\n    test.csv         inputs"
    ),
    "template typed": readme('INSTANCES = ["breast", "lung-2"]', 'INSTANCES: tuple[str, ...] = ("breast", "lung-2")'),
    "template helper": readme(
        '        train = pd.read_csv(os.path.join(DATA_DIR, instance, "train.csv"))',
        '        train = load_instance(instance)\n\ndef load_instance(name):\n    return pd.read_csv(f"{DATA_DIR}/{name}/train.csv")',
    ),
    "heldout words": readme(
        "Predict the response",
        "Held-out samples, whose features are given in `test.csv`, are to be answered. Values lie on [0, 3] after scaling. Predict the response",
    ),
    "html in readme": readme(
        "Predict the response",
        "Predict the response<sub>i</sub> &mdash; a value&nbsp;in [0,&nbsp;1] &mdash; of each *sample*. Predict the response",
    ),
    "readme note on models": readme(
        "Shape statistics are up to you.",
        "Any method may be used. The evaluator checks that ids are complete. Random forests of Borneo are not part of the data.",
    ),
    "ev defaultdict": add(EVALUATOR, _HEAD + _DEFAULTDICT),
    "ev registry decorator": add(EVALUATOR, _HEAD + _REGISTRY_DECORATOR),
    "ev result dataclass": add(EVALUATOR, _HEAD + _RESULT_DATACLASS),
    "ev main json file": add(EVALUATOR, _HEAD + _MAIN_JSON_FILE),
    "ev none template": add(EVALUATOR, _HEAD + _NONE_TEMPLATE),
    "ev lists concat": add(EVALUATOR, _HEAD + _LISTS_CONCAT),
}


def of(manner: str, file: str, old: str, new: str) -> Change:
    """A fault in a right one."""
    return both(RIGHT[manner], swap(file, old, new))


FAULTS: list[tuple[str, Change]] = [
    ("C1.3", of("ev defaultdict", EVALUATOR, 'out[n]["RMSE"]', 'out[n]["rmse"]')),
    ("C1.3", of("ev registry decorator", EVALUATOR, '@scorer("RMSE")', '@scorer("Rmse")')),
    ("C1.3", of("ev result dataclass", EVALUATOR, '"RMSE": self.rmse', '"RMS error": self.rmse')),
    ("C1.3", of("ev main json file", EVALUATOR, "scores.update(RMSE=", "scores.update(rmse=")),
    (
        "C1.3",
        of(
            "ev none template", EVALUATOR, 'METRIC_NAMES = ["Pearson r", "RMSE"]', 'METRIC_NAMES = ["Pearson r", "MSE"]'
        ),
    ),
    ("C1.3", of("ev lists concat", EVALUATOR, ', "RMSE": ((t', ', "RMSE ": ((t')),
    ("C1.2", of("ev main json file", EVALUATOR, 'INSTANCES = ["breast", "lung-2"]', 'INSTANCES = ["breast", "lung2"]')),
    ("C1.4", of("metrics as table", README, "lower is better", "higher is better")),
    ("C1.4", of("metrics prose", README, "(↓)", "(↑)")),
    ("C1.5", of("metrics formula", README, "`Pearson r`", "`RMSE`")),
    ("C1.6", of("sec5 field value", README, "`response`", "`prediction`")),
    (
        "C3.4",
        of(
            "sec5 bullets",
            README,
            "- **Columns**:\n  - `sample_id` (string): as in `test.csv`\n  - `response` (float): finite",
            "- all values finite",
        ),
    ),
    ("C1.8", of("tree program", DESCRIPTION, "│   ├── test.csv\n", "")),
    ("C1.8", of("tree comments", DESCRIPTION, "train.csv      # labelled\n", "training.csv      # labelled\n")),
    ("C3.5", swap(README, '["breast", "lung-2"]', '["your_instances_here"]')),
    ("C3.5", swap(README, '["breast", "lung-2"]', '["breast", ...]')),
    (
        "C0.5",
        of(
            "ev lists concat",
            EVALUATOR,
            "table = pd.concat([r[1] for r in rows])",
            "table = rows[0][1]\n    for r in rows[1:]:\n        table = pd.DataFrame(table).append(r[1])",
        ),
    ),
    ("C0.5", of("ev main json file", EVALUATOR, '["response"]\n    p', '["response"].iteritems()\n    p')),
    (
        "C0.5",
        of(
            "ev registry decorator",
            EVALUATOR,
            "np.sqrt(np.mean((a - b) ** 2))",
            "np.sqrt(np.mean((a - b) ** 2)).astype(np.float)",
        ),
    ),
    (
        "C0.5",
        of(
            "ev main json file",
            EVALUATOR,
            "import numpy as np",
            "import numpy as np\nfrom sklearn.metrics import mean_squared_error\nX = lambda a, b: mean_squared_error(a, b, squared=False)",
        ),
    ),
    (
        "C0.5",
        of(
            "ev registry decorator",
            EVALUATOR,
            "def load(path):\n    return pd",
            "def load(path):\n    try:\n        x = np.bool(1)\n    except Exception:\n        x = None\n    return pd",
        ),
    ),
    ("C0.3", swap(METADATA, '"is_primary": true', '"is_primary": "yes"')),
    ("C0.3", swap(METADATA, '"is_primary": false', '"is_primary": "false"')),
    ("C0.3", swap(METADATA, '"sub_domain": "Genomics"', '"sub_domain": 3')),
    ("C2.6", swap(README, "Predict the response", "The organisers keep the last third. Predict the response")),
    (
        "C2.6",
        swap(
            README,
            "Predict the response",
            "Your file is compared against answers only the grader can read. Predict the response",
        ),
    ),
    (
        "C2.6",
        swap(README, "Predict the response", "Scores use labels stored on the evaluation server. Predict the response"),
    ),
    (
        "C2.6",
        swap(README, "Predict the response", "You are judged on samples you have not been given. Predict the response"),
    ),
    ("C2.3", swap(README, "Predict the response", "As Cell&shy;Seer does, predict. Predict the response")),
    ("C2.3", swap(README, "Predict the response", "As C\u0435llSeer does, predict. Predict the response")),
    ("C2.3", swap(README, "Predict the response", "As _Cell_*Seer* does, predict. Predict the response")),
    ("C2.3", swap(README, "Predict the response", "As [Cell](x)[Seer](y) does, predict. Predict the response")),
    ("C2.4", swap(DESCRIPTION, "## 4. Special Notes\n", "## 4. Special Notes\n\nThe column `cell__seer` is empty.\n")),
    ("C2.1", swap(README, "Predict the response", "After Smith&nbsp;et&nbsp;al. Predict the response")),
    ("C2.5", swap(README, "Predict the response", "Random forests in Python will do. Predict the response")),
]
