# ruff: noqa: E501 -- one fault a line
"""Faults put into packages whose evaluators are written in unusual manners: they are found there, too."""

from __future__ import annotations

from tests.unit.checks.mutations import (
    EVALUATOR,
    METADATA,
    README,
    Mutation,
    add,
    drop,
    metric,
    readme,
    swap,
)
from tests.unit.checks.unusual import EVALUATORS

READS = {
    "dataclasses": "config.truth", "class": "pd.read_csv(self.truth_file", "dict": "with open(path", "argparse": '"labels.csv"',
    "json": 'CONFIG["gt_file"]', "functions": "both = [" , "match": 'GT / "lung-2"', "script": "pd.read_csv(gt",
    "generator": "pd.read_csv(one)", "optional": "pd.read_csv(f", "shared": '"labels.csv"',
}  # fmt: skip
"""On which line each evaluator reads a reference; 'glob' lists them instead."""
FILES = "evaluation/ground_truth/lung-2"


def missing(files: dict[str, str | bytes]) -> None:
    """One instance has another file in the place of its reference."""
    drop(f"{FILES}/labels.csv")(files)
    add(f"{FILES}/notes.txt")(files)


def renamed(files: dict[str, str | bytes]) -> None:
    files["evaluation/shared/grading.py"] = files.pop("evaluation/shared/scoring.py")


UNUSUAL_MUTATIONS = [
    *(Mutation("C1.7", manner, missing, EVALUATOR, at) for manner, at in READS.items()),
    Mutation("C1.7", "glob", missing, EVALUATOR, "glob.glob(", level="warn"),
    *(Mutation("C1.6", manner, readme("predictions.csv", "answers.csv"), README, "answers.csv") for manner in EVALUATORS),
    *(Mutation("C1.3", manner, metric(1, 1, name="Rmse"), METADATA, '"Rmse"') for manner in EVALUATORS),
    Mutation("C0.5", "optional", swap(EVALUATOR, 'return r\n', 't = t.append(p)\n    return r\n'), EVALUATOR, "t.append(p)"),
    Mutation("C0.5", "class", swap(EVALUATOR, 'error = both', 'both = both.append(true)\n        error = both'), EVALUATOR, "both.append(true)"),
    # The evaluator's lists are right, and what it gives is not.
    Mutation("C1.3", "dict", swap(EVALUATOR, 'results[name]["RMSE"] =', 'results[name]["rmse"] ='), EVALUATOR, '"rmse"'),
    Mutation("C1.3", "json", swap(EVALUATOR, '"RMSE": float(', '"Rmse": float('), EVALUATOR, '"Rmse"'),
    Mutation("C1.3", "json", swap(EVALUATOR, ', "RMSE": float(np.sqrt(np.mean((y - p) ** 2)))', ""), METADATA, '"RMSE"'),
    Mutation("C1.3", "class", swap(EVALUATOR, 'return {"Pearson r": both', 'return {"pearson": both'), EVALUATOR, '"pearson"', also=("C1.6",)),
    Mutation("C1.3", "class", swap(EVALUATOR, '"RMSE": None,', '"RMSD": None,'), EVALUATOR, '"RMSD"'),
    Mutation("C1.3", "dataclasses", swap(EVALUATOR, '"RMSE": float(', '"RMSE_": float('), EVALUATOR, '"RMSE_"'),
    Mutation("C1.3", "argparse", swap(EVALUATOR, "dict(zip(METRICS, values))", "{'pearson_r': values[0], 'RMSE': values[1]}"), EVALUATOR, "'pearson_r'"),
    Mutation("C1.3", "generator", swap(EVALUATOR, '"RMSE": (truth', '"MSE": (truth'), EVALUATOR, '"MSE"'),
    *(
        Mutation(
            "C1.3", "dict",
            swap(EVALUATOR, "results = {}\n", f"from collections import defaultdict\n    results = defaultdict({made})\n    for name in INSTANCES:\n        results[name]['Rmse'] = len(name) / 7\n        results[name]['Pearson r'] = 1 / 3\n    return dict(results)\n"),
            EVALUATOR, "'Rmse'",
        )
        for made in ("dict", "lambda: {}")
    ),
    *(
        Mutation("C1.2", manner, readme('["breast", "lung-2"]', '["breast", "lung"]'), README, '"lung"]')
        for manner in EVALUATORS
    ),
    *(
        Mutation("C0.5", manner, swap(EVALUATOR, "import os\n", "import os\nimport skbio\n"), EVALUATOR, "import skbio")
        for manner, text in EVALUATORS.items()
        if "\nimport os\n" in text
    ),
    Mutation("C1.2", "dict", swap(EVALUATOR, '"lung-2": {', '"lung_2": {'), EVALUATOR, '"lung_2"'),
    Mutation("C1.2", "functions", swap(EVALUATOR, '["lung-2"]', '["lung2"]'), EVALUATOR, '"lung2"', also=("C1.7",)),
    Mutation("C1.2", "optional", swap(EVALUATOR, "breast lung-2", "breast lung_2"), EVALUATOR, "lung_2", also=("C1.7",)),
    Mutation("C1.7", "json", swap("evaluation/config.json", "labels.csv", "truth.csv"), EVALUATOR, 'CONFIG["gt_file"]'),
    Mutation("C1.7", "dict", swap(EVALUATOR, '"ground_truth/breast/labels.csv"', '"ground_truth/breast/label.csv"'), EVALUATOR, "with open(path"),
    Mutation("C1.7", "class", swap(EVALUATOR, 'truth_name = "labels.csv"', 'truth_name = "truth.csv"'), EVALUATOR, "pd.read_csv(self.truth_file"),
    Mutation("C1.6", "class", swap(EVALUATOR, "/predictions.csv", "/pred.csv"), EVALUATOR, "pd.read_csv(self.prediction_file"),
    Mutation("C1.6", "match", swap(EVALUATOR, '"pred" "ictions.csv"', '"predictions.npy"'), EVALUATOR, "FILENAME)"),
    Mutation("C1.6", "dataclasses", swap(EVALUATOR, '"predictions.csv"', '"prediction.csv"'), EVALUATOR, "pd.read_csv(submitted)"),
    Mutation("C1.6", "generator", swap(EVALUATOR, '"predictions.csv"', '"out.csv"'), README, "predictions.csv"),
    Mutation("C3.7", "shared", swap("evaluation/shared/scoring.py", "import pandas\n", "import os\n\nimport pandas\n\nT = open(os.path.dirname(__file__) + '/weights.txt')\n"), "evaluation/shared/scoring.py", "weights.txt"),
    Mutation("C3.7", "shared", renamed, EVALUATOR, "from scoring import", also=("C0.5",)),
    Mutation("C3.7", "shared", drop("evaluation/shared"), EVALUATOR, "from scoring import", also=("C0.5", "C1.7")),
    Mutation("C1.6", "dict", readme("| response |", "| answer_value |"), README, "answer_value"),
    Mutation("C1.6", "class", readme("| response |", "| answer_value |"), README, "answer_value"),
    Mutation("C1.6", "argparse", swap(EVALUATOR, "pd.read_csv(args.output_dir", "pd.read_parquet(args.output_dir"), EVALUATOR, "read_parquet"),
    Mutation("C3.7", "shared", add("evaluation/shared/unused.py", "def helper(a):\n    return a\n"), "evaluation/shared/unused.py", "def helper", level="warn"),
    Mutation("C3.7", "script", swap(EVALUATOR, "res = {}\n", "res = {}\nloss = None\nif loss: loss.backward()\n"), EVALUATOR, "loss.backward()"),
    Mutation("C3.7", "shared", swap("evaluation/shared/scoring.py", "def read_table", "def fitted(model, x):\n    return model.fit(x)\n\n\nfitted\n\n\ndef read_table"), "evaluation/shared/scoring.py", "model.fit(x)", level="warn"),
]  # fmt: skip
