"""Evaluators as other people write them, each right for the package ``cells``: one task, a dozen manners.

These are whole files, read and never run.
"""

from __future__ import annotations

from tests.unit.checks.packages import cells

_DATACLASSES = """
import dataclasses
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd


@dataclasses.dataclass(frozen=True)
class Config:
    name: str
    answer: str = "predictions.csv"
    truth: str = "labels.csv"
    metrics: tuple = ("Pearson r", "RMSE")


CONFIGS = [Config("breast"), Config(name="lung-2")]
ROOT = Path(__file__).resolve().parent


def evaluate(config):
    submitted = Path(os.environ["OUTPUT_DIR"]) / config.name / config.answer
    if not submitted.exists():
        return {metric: None for metric in config.metrics}
    pred = pd.read_csv(submitted).set_index("sample_id")["response"]
    true = pd.read_csv(ROOT / "ground_truth" / config.name / config.truth).set_index("sample_id")["response"]
    return {"Pearson r": np.corrcoef(pred, true)[0, 1], "RMSE": float(((pred - true) ** 2).mean() ** 0.5)}


def run_evaluation():
    return {config.name: evaluate(config) for config in CONFIGS}


if __name__ == "__main__":
    print(json.dumps(run_evaluation()))
"""

_CLASS = """
from os import environ, path

import numpy as np
import pandas as pd


class Base:
    truth_name = "labels.csv"

    def truth_file(self, instance):
        return path.join(self.truth_dir, instance, self.truth_name)


class Evaluator(Base):
    INSTANCES = ("breast", "lung-2")

    def __init__(self, truth_dir=None, output_dir=None):
        self.truth_dir = truth_dir or path.join(path.dirname(path.realpath(__file__)), "ground_truth")
        self.output_dir = output_dir or environ.get("OUTPUT_DIR", "./output")

    def prediction_file(self, instance):
        return "{}/{}/predictions.csv".format(self.output_dir, instance)

    def score(self, instance):
        pred = pd.read_csv(self.prediction_file(instance))
        true = pd.read_csv(self.truth_file(instance))
        both = true.merge(pred, on="sample_id", suffixes=("", "_pred"))
        error = both["response"] - both["response_pred"]
        return {"Pearson r": both["response"].corr(both["response_pred"]), "RMSE": np.sqrt((error ** 2).mean())}

    def run(self):
        out = {}
        for instance in self.INSTANCES:
            try:
                out[instance] = self.score(instance)
            except (OSError, KeyError, ValueError) as error:
                out[instance] = {"Pearson r": None, "RMSE": None, "error": str(error)}
        return out


def run_evaluation():
    return Evaluator().run()
"""

_DICT = """
import csv
import math
import os

BASE = os.path.abspath(os.path.dirname(__file__))
INSTANCES = {
    "breast": {"gt": "ground_truth/breast/labels.csv", "pred": "breast/predictions.csv", "n": 3},
    "lung-2": {"gt": "ground_truth/lung-2/labels.csv", "pred": "lung-2/predictions.csv", "n": 3},
}
METRIC_NAMES = {name: ["Pearson r", "RMSE"] for name in INSTANCES}


def _column(path):
    with open(path, newline="") as handle:
        return {row["sample_id"]: float(row["response"]) for row in csv.DictReader(handle)}


def run_evaluation(output_dir=None):
    output_dir = output_dir or os.environ["OUTPUT_DIR"]
    results = {}
    for name, cfg in INSTANCES.items():
        truth = _column(os.path.join(BASE, cfg["gt"]))
        answer = _column(os.path.join(output_dir, cfg["pred"]))
        error = [truth[key] - answer[key] for key in truth]
        results[name] = dict.fromkeys(METRIC_NAMES[name])
        results[name]["RMSE"] = math.sqrt(sum(e * e for e in error) / cfg["n"])
    return results
"""

_ARGPARSE = """
import argparse
import json
import pathlib
import sys

import pandas as pd

METRICS = ["Pearson r", "RMSE"]


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output-dir", type=pathlib.Path, default=pathlib.Path("/workspace/output"))
    parser.add_argument("--gt-dir", type=pathlib.Path, default=pathlib.Path(__file__).parent / "ground_truth")
    return parser.parse_args(argv)


def main(argv=None):
    args = parse(argv)
    result = {}
    for folder in sorted(args.gt_dir.iterdir()):
        if not folder.is_dir():
            continue
        true = pd.read_csv(folder / "labels.csv", index_col="sample_id")
        pred = pd.read_csv(args.output_dir / folder.name / "predictions.csv", index_col="sample_id")
        y, p = (table["response"] for table in (true, pred))
        values = [y.corr(p), ((y - p) ** 2).mean() ** 0.5]
        result[folder.name] = dict(zip(METRICS, values))
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
"""

_JSON_CONFIG = """
import json
import os

import numpy as np
import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "config.json")) as _f:
    CONFIG = json.load(_f)

METRIC_NAMES = ["Pearson r", "RMSE"]


def run_evaluation():
    out = {}
    for inst in CONFIG["instances"]:
        gt = pd.read_csv(os.path.join(HERE, "ground_truth", inst, CONFIG["gt_file"]))
        pred = pd.read_csv(os.path.join(os.environ["OUTPUT_DIR"], inst, "predictions.csv"))
        y, p = gt.set_index("sample_id")["response"], pred.set_index("sample_id")["response"]
        out[inst] = {"Pearson r": float(y.corr(p)), "RMSE": float(np.sqrt(np.mean((y - p) ** 2)))}
    return out
"""

_FUNCTIONS = """
import os
from functools import partial
from typing import Callable, Dict

import numpy as np
import pandas as pd


def root():
    return os.path.dirname(os.path.abspath(__file__))


def path_of(kind, instance, name):
    if kind == "truth":
        return os.sep.join([root(), "ground_truth", instance, name])
    return os.path.join(os.getenv("OUTPUT_DIR") or "output", instance, name)


truth_of = partial(path_of, "truth")
answer_of = lambda instance: path_of("answer", instance, "predictions.csv")  # noqa: E731


def load(instance):
    both = [pd.read_csv(path_of("truth", instance, "labels.csv")), pd.read_csv(answer_of(instance))]
    return [table.sort_values("sample_id")["response"].to_numpy() for table in both]


SCORES: Dict[str, Callable] = {
    "Pearson r": lambda a, b: np.corrcoef(a, b)[0, 1],
    "RMSE": lambda a, b: np.sqrt(np.mean((a - b) ** 2)),
}
INSTANCES = ["breast"] + ["lung-2"]


def run_evaluation():
    return {i: {k: f(*load(i)) for k, f in SCORES.items()} for i in INSTANCES}
"""

_GLOB = """
import glob
import os

import pandas as pd

EVAL_DIR = os.path.split(os.path.abspath(__file__))[0]
OUT = os.environ.get("OUTPUT_DIR", "/output")


def run_evaluation():
    scores = {}
    for file in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "ground_truth", "*", "labels.csv"))):
        name = os.path.basename(os.path.dirname(file))
        y = pd.read_csv(file).set_index("sample_id")["response"]
        p = pd.read_csv(os.path.join(OUT, name, "predictions.csv")).set_index("sample_id")["response"]
        scores[name] = {"Pearson r": y.corr(p), "RMSE": ((y - p) ** 2).mean() ** .5}
    return scores
"""

_MATCH = """
import os
import sys
from enum import Enum
from pathlib import Path

import pandas as pd


class Line(str, Enum):
    BREAST = "breast"
    LUNG = "lung-2"


GT = Path(__file__).absolute().parents[0].joinpath("ground_truth")
OUT = Path(os.environ.get("OUTPUT_DIR", Path.cwd() / "output"))
FILENAME = "pred" "ictions.csv"


def references(line: Line) -> pd.DataFrame:
    match line.value:
        case "breast":
            return pd.read_csv(GT / "breast" / "labels.csv")
        case "lung-2":
            return pd.read_csv(GT / "lung-2" / "labels.csv")
        case _:
            sys.exit("unknown")


def run_evaluation() -> dict:
    found = {}
    for line in Line:
        ref, got = references(line), pd.read_csv(OUT / line.value / FILENAME)
        assert list(ref.sample_id) == list(got.sample_id)
        found[line.value] = {
            "Pearson r": float(ref.response.corr(got.response)),
            "RMSE": float(((ref.response - got.response) ** 2).mean() ** 0.5),
        }
    return found
"""

_SCRIPT = """
import json, os
import pandas as pd
gt = os.path.dirname(os.path.realpath(__file__)) + "/ground_truth/"
out = os.environ["OUTPUT_DIR"] + "/"
res = {}
for ds in ["breast", "lung-2"]:
    t = pd.read_csv(gt + ds + "/labels.csv"); p = pd.read_csv(out + ds + "/" + "predictions.csv")
    if t.sample_id.tolist() != p.sample_id.tolist(): continue
    res[ds] = {"Pearson r": t.response.corr(p.response)}
    res[ds]["RMSE"] = ((t.response - p.response) ** 2).mean() ** 0.5
json.dump(res, open("score.json", "w"))
"""

_GENERATOR = """
import os
from pathlib import Path
from typing import Iterator, NamedTuple

import pandas as pd


class Pair(NamedTuple):
    name: str
    truth: Path
    answer: Path


def pairs(names=("breast", "lung-2")) -> Iterator[Pair]:
    here = Path(__file__).parent
    target = Path(os.environ.get("OUTPUT_DIR", "output"))
    for name in names:
        yield Pair(name, here / "ground_truth" / name / "labels.csv", target / name / "predictions.csv")


def run_evaluation():
    scores = {}
    for pair in pairs():
        if not pair.answer.is_file():
            scores[pair.name] = {"Pearson r": None, "RMSE": None, "error": "missing"}
            continue
        truth, answer = (pd.read_csv(one).sort_values(by="sample_id") for one in (pair.truth, pair.answer))
        scores[pair.name] = {"Pearson r": truth["response"].corr(answer["response"]),
                             "RMSE": (truth["response"] - answer["response"]).pow(2).mean() ** 0.5}
    return scores
"""

_OPTIONAL = '''
import os

try:
    import polars
except ImportError:
    polars = None
import numpy as np
import pandas as pd

_DIR = os.path.dirname(__file__) or "."
GT_ROOT = os.environ.get("GT_DIR", os.path.join(_DIR, "ground_truth"))
OUTPUT_ROOT = os.environ.get("OUTPUT_DIR", os.path.join(os.path.dirname(_DIR), "output"))
DATASET_NAMES = "breast lung-2".split()


def weights(name):
    """Weights are optional."""
    path = os.path.join(GT_ROOT, name, "weights.npy")
    return np.load(path) if os.path.isfile(path) else None


def read_any(folder):
    for file in ("predictions.csv",):
        full = os.path.join(folder, file)
        if os.path.exists(full):
            return pd.read_csv(full)
    raise FileNotFoundError(folder)


def run_evaluation():
    r = dict()
    for d in DATASET_NAMES:
        t = pd.read_csv(f"{GT_ROOT}/{d}/labels.csv")["response"]
        p = read_any(os.path.join(OUTPUT_ROOT, d)).sort_values("sample_id")["response"]
        r[d] = {"Pearson r": np.corrcoef(t, p)[0, 1], "RMSE": np.average((t - p) ** 2, weights=weights(d)) ** 0.5}
    return r
'''

_SHARED = """
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "shared"))
from scoring import METRIC_NAMES, read_table, score_all

INSTANCES = ["breast", "lung-2"]


def run_evaluation(out=os.environ.get("OUTPUT_DIR", "output")):
    return {
        name: score_all(
            read_table(Path(__file__).parent / "ground_truth" / name / "labels.csv"),
            read_table(Path(out) / name / "predictions.csv"),
        )
        for name in INSTANCES
    }


NAMES = {"Pearson r": 0, "RMSE": 1}
COLUMNS = ["sample_id", "response"]
"""

EVALUATORS = {
    "dataclasses": _DATACLASSES, "class": _CLASS, "dict": _DICT, "argparse": _ARGPARSE, "json": _JSON_CONFIG,
    "functions": _FUNCTIONS, "glob": _GLOB, "match": _MATCH, "script": _SCRIPT, "generator": _GENERATOR,
    "optional": _OPTIONAL, "shared": _SHARED,
}  # fmt: skip


def unusual(manner: str) -> dict[str, str | bytes]:
    """The package ``cells`` with its evaluator written in another manner."""
    files = cells()
    files["evaluation/evaluator.py"] = EVALUATORS[manner].lstrip()
    if manner == "json":
        files["evaluation/config.json"] = '{"instances": ["breast", "lung-2"], "gt_file": "labels.csv"}\n'
    if manner == "shared":
        files["evaluation/shared/scoring.py"] = (
            'import pandas\n\nMETRIC_NAMES = ["Pearson r", "RMSE"]\n\n\ndef read_table(path):\n'
            '    return pandas.read_csv(path)["response"]\n\n\ndef score_all(a, b):\n'
            "    return {METRIC_NAMES[0]: a.corr(b), METRIC_NAMES[1]: ((a - b) ** 2).mean() ** 0.5}\n"
        )
    return files


__all__ = ["EVALUATORS", "unusual"]
