"""Small packages that run: right ones, as different people write them, for what is done in a sandbox."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from tests.unit.checks.packages import environment, metadata

Content = dict[str, str | bytes]
TEMPLATE = """import os
from pathlib import Path

DATA_DIR = Path(os.environ["DATA_DIR"])
OUTPUT_DIR = Path(os.environ["OUTPUT_DIR"])
INSTANCES = {instances}


def main():
    for name in INSTANCES:
        text = (DATA_DIR / name / "{reads}").read_bytes()
        (OUTPUT_DIR / name).mkdir(parents=True, exist_ok=True)


if __name__ == "__main__":
    main()
"""
TAIL = """

def run_evaluation():
    results = {}
    for name in INSTANCES:
        try:
            results[name] = evaluate(name)
        except (ValidationError, ValueError, OSError, KeyError) as error:
            results[name] = {**dict.fromkeys(METRIC_NAMES), "error": str(error)}
    return results
"""
HEAD = """import csv
import json
import math
import os
from pathlib import Path

import numpy as np

TRUTH = Path(__file__).parent / "ground_truth"
OUTPUT = Path(os.environ.get("OUTPUT_DIR", "output"))
"""


def package(
    section: str, instances: Any, reads: str, evaluator: str, metrics: list[tuple[str, str]], anchor: str = "0.99"
) -> Content:
    names = list(instances)
    template = TEMPLATE.format(instances=instances, reads=reads)
    readme = (
        f"# A task\n\n## 4. Evaluation Metrics\n\nMetrics.\n\n## 5. Output Format\n\n{section}\n\n"
        f"## 6. Submission Guidelines\n\n### Entry Point\n\nHand in `run.py`:\n\n```python\n{template}```\n"
    )
    return {
        "problem/README.md": readme, "problem/data_description.md": "# Data Description\n",
        "evaluation/evaluator.py": evaluator, "metadata.json": metadata("A task", names, metrics, anchor),
        **environment(),
    }  # fmt: skip


def npy(array: Any) -> bytes:
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def npz(**arrays: Any) -> bytes:
    target = io.BytesIO()
    np.savez(target, **arrays)
    return target.getvalue()


# -- a table by ids, labels and shares ---------------------------------------------------------

_TABLE = (
    HEAD
    + """
INSTANCES = ["a", "b"]
METRIC_NAMES = ["Accuracy", "RMSE"]


class ValidationError(Exception):
    pass


def rows(path):
    if not path.is_file() or path.stat().st_size == 0:
        raise ValidationError("predictions.csv is missing or empty")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def evaluate(name):
    truth = rows(TRUTH / name / "labels.csv")
    given = {one["sample_id"]: one for one in rows(OUTPUT / name / "predictions.csv")}
    if set(given) != {one["sample_id"] for one in truth}:
        raise ValidationError("ids are missing or nobody asked for them")
    values = [float(given[one["sample_id"]]["response"]) for one in truth]
    if not all(map(math.isfinite, values)):
        raise ValidationError("a response is not finite")
    grades = [given[one["sample_id"]]["grade"] for one in truth]
    wanted = [float(one["response"]) for one in truth]
    right = sum(one == two["grade"] for one, two in zip(grades, truth))
    squares = [(one - two) ** 2 for one, two in zip(values, wanted)]
    return {"Accuracy": right / len(truth), "RMSE": math.sqrt(sum(squares) / len(squares))}
"""
    + TAIL
)
_TABLE_SECTION = """Write `output/{instance}/predictions.csv`, 8 rows, one for each sample of `test.csv`:

| Column | Dtype | Values |
|---|---|---|
| sample_id | string | as in test.csv |
| grade | string | `low`, `high` |
| response | float | from 0 to 10 |
"""


def table() -> Content:
    files = package(
        _TABLE_SECTION, ["a", "b"], "train.csv", _TABLE, [("Accuracy", "higher_is_better"), ("RMSE", "lower_is_better")]
    )
    value = json.loads(files["metadata.json"])
    for entry in value["performance_entries"]:
        entry["metrics"][1]["sota_score"][0]["value"] = "0.01"
    files["metadata.json"] = json.dumps(value, indent=2)
    labels = [(f"s{one}", ("low", "high")[one * 7 % 3 == 0], round(one * 1.7 % 10, 2)) for one in range(40)]
    head = "sample_id,grade,response\n"
    for name in ("a", "b"):
        files[f"problem/data/{name}/train.csv"] = head + "".join(f"{a},{b},{c}\n" for a, b, c in labels[8:])
        files[f"problem/data/{name}/test.csv"] = "sample_id\n" + "".join(f"{a}\n" for a, _, _ in labels[:8])
        files[f"evaluation/ground_truth/{name}/labels.csv"] = head + "".join(
            f"{a},{b},{c}\n" for a, b, c in labels[7::-1]
        )
    return files


# -- arrays in order, in archives, INSTANCES a mapping -------------------------------------------

_ARRAYS = (
    HEAD
    + """
INSTANCES = {"one": 6}
METRIC_NAMES = ["mae"]


class ValidationError(Exception):
    pass


def evaluate(name):
    with np.load(TRUTH / name / "reference.npz") as archive:
        field = archive["field"]
    try:
        with np.load(OUTPUT / name / "fields.npz", allow_pickle=False) as archive:
            given = archive["field"]
    except Exception as error:
        raise ValidationError(f"fields.npz cannot be read: {error}")
    if given.shape != field.shape or not np.isfinite(given).all():
        raise ValidationError("shape or values")
    return {"mae": float(np.abs(given - field).mean())}
"""
    + TAIL
)


def arrays() -> Content:
    section = (
        "`output/{instance}/fields.npz` with one array, in the order of `inputs.npz`:\n\n"
        "- `field`: float64, shape (6, 4), from 0 to 9\n"
    )
    files = package(section, {"one": 6}, "inputs.npz", _ARRAYS, [("mae", "lower_is_better")], "0.01")
    files["problem/data/one/inputs.npz"] = npz(x=np.arange(18.0).reshape(6, 3))
    files["evaluation/ground_truth/one/reference.npz"] = npz(field=np.arange(24.0).reshape(6, 4) / 3, weight=np.ones(6))
    return files


# -- values by id in JSON, against a table -------------------------------------------------------

_KEYED = (
    HEAD
    + """
INSTANCES = ("west",)
METRIC_NAMES = ("R2",)


class ValidationError(Exception):
    pass


def no_constant(name):
    raise ValidationError(f"{name} is no number")


def evaluate(name):
    with open(TRUTH / name / "levels.csv") as file:
        truth = {one["id"]: float(one["level"]) for one in csv.DictReader(file)}
    text = (OUTPUT / name / "levels.json").read_text(encoding="utf-8")
    given = json.loads(text, parse_constant=no_constant)
    if not isinstance(given, dict) or sorted(given) != sorted(truth):
        raise ValidationError("not the ids that are asked for")
    y = np.array([truth[one] for one in truth])
    p = np.array([float(given[one]) for one in truth])
    return {"R2": 1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()}
"""
    + TAIL
)


def keyed() -> Content:
    section = (
        "`output/{instance}/levels.json`, a number for each station of `stations.json`:\n\n"
        '```json\n{"st-1": 0.5, "st-2": 1.5}\n```\n'
    )
    files = package(section, ["west"], "stations.json", _KEYED, [("R2", "higher_is_better")])
    files["problem/data/west/stations.json"] = json.dumps([{"id": f"st-{one}", "height": one} for one in range(1, 7)])
    files["evaluation/ground_truth/west/levels.csv"] = "id,level\n" + "".join(
        f"st-{one},{one * one}\n" for one in range(1, 7)
    )
    return files


# -- designs, scored by an oracle in shared/, by a script that prints ----------------------------

_DESIGNS = """import json, os, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "shared"))
import composition

SUB = Path(os.getenv("OUTPUT_DIR", "output"))


def one(name):
    try:
        lines = (SUB / name / "designs.fasta").read_text().splitlines()
        seqs = lines[1::2]
        if len(lines) != 8 or not all(line.startswith(">") for line in lines[::2]):
            raise ValueError("not four records")
        if not all(set(seq) <= set("ACGT") and 5 <= len(seq) <= 9 for seq in seqs):
            raise ValueError("letters or length")
    except (OSError, ValueError) as error:
        return {"gc": None, "error": str(error)}
    return {"gc": composition.gc(seqs)}


if __name__ == "__main__":
    print("scoring")
    print(json.dumps({p.name: one(p.name) for p in sorted((ROOT / "ground_truth").iterdir())}, indent=1))
"""


def designs() -> Content:
    section = "`output/{instance}/designs.fasta`: FASTA, 4 records of DNA, each sequence of length between 5 and 9."
    files = package(section, ["alpha"], "target.json", _DESIGNS, [("gc", "higher_is_better")])
    files["problem/data/alpha/target.json"] = '{"wanted": 1.0}'
    files["evaluation/ground_truth/alpha/target.json"] = '{"wanted": 1.0}'
    files["evaluation/shared/composition.py"] = (
        "def gc(seqs):\n    text = ''.join(seqs)\n    return sum(one in 'GC' for one in text) / len(text)\n"
    )
    return files


# -- molecules, a line each, by a function that takes the folder ---------------------------------

_LINES = """import argparse
import json
from pathlib import Path

HERE = Path(__file__).parent


def run_evaluation(predictions_dir: Path):
    out = {}
    for name in ["set1"]:
        wanted = (HERE / "ground_truth" / name / "truth.smi").read_text().split()
        try:
            given = (predictions_dir / name / "products.smi").read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            out[name] = {"exact match": None, "error": str(error)}
            continue
        if len(given) != len(wanted):
            out[name] = {"exact match": None, "error": "count"}
            continue
        out[name] = {"exact match": sum(a == b for a, b in zip(given, wanted)) / len(wanted)}
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--predictions_dir", type=Path, required=True)
    parser.add_argument("--out", default="score.json")
    given = parser.parse_args()
    Path(given.out).write_text(json.dumps(run_evaluation(given.predictions_dir)))
"""


def molecules() -> Content:
    section = "`output/{instance}/products.smi`: one SMILES a line, 5 lines, in the order of `reactants.smi`."
    files = package(section, ["set1"], "reactants.smi", _LINES, [("exact match", "higher_is_better")])
    files["problem/data/set1/reactants.smi"] = "CCO\nCCN\nCCC\nCO\nCN\n"
    files["evaluation/ground_truth/set1/truth.smi"] = "CC=O\nCC=N\nC=CC\nC=O\nC=N\n"
    return files


# -- an image ------------------------------------------------------------------------------------

_IMAGE = (
    HEAD
    + """
from PIL import Image

INSTANCES = ["tile"]
METRIC_NAMES = ["IoU"]


class ValidationError(Exception):
    pass


def mask(path):
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("L")) > 127
    except Exception as error:
        raise ValidationError(f"{path.name}: {type(error).__name__}")


def evaluate(name):
    truth, given = mask(TRUTH / name / "mask.png"), mask(OUTPUT / name / "mask.png")
    if truth.shape != given.shape:
        raise ValidationError("size")
    return {"IoU": float((truth & given).sum() / max((truth | given).sum(), 1))}
"""
    + TAIL
)


def image() -> Content:
    from PIL import Image

    target = io.BytesIO()
    mask = np.zeros((8, 12), dtype=np.uint8)
    mask[2:5, 3:9] = 255
    Image.fromarray(mask).save(target, format="png")
    section = "`output/{instance}/mask.png`: PNG image of shape (8, 12), values are 0 or 255, as large as `tile.png`."
    files = package(section, ["tile"], "tile.png", _IMAGE, [("IoU", "higher_is_better")])
    files["evaluation/ground_truth/tile/mask.png"] = target.getvalue()
    target = io.BytesIO()
    Image.fromarray(mask // 2 + 20).save(target, format="png")
    files["problem/data/tile/tile.png"] = target.getvalue()
    return files


# -- two types of task, each with files and metrics of its own -----------------------------------

_SEVERAL = (
    HEAD
    + """
METRICS = {"reg": ["Spearman"], "cls": ["Macro F1", "Accuracy"]}


def check(condition, text):
    if not condition:
        raise ValueError(text)


def reg():
    y = np.load(TRUTH / "reg" / "y.npy")
    p = np.load(OUTPUT / "reg" / "y.npy", allow_pickle=False)
    check(p.shape == y.shape and np.isfinite(p).all(), "y.npy")
    ranks = [np.argsort(np.argsort(one)) for one in (y, p)]
    return {"Spearman": float(np.corrcoef(*ranks)[0, 1])}


def cls():
    y = np.load(TRUTH / "cls" / "labels.npy")
    p = np.load(OUTPUT / "cls" / "shares.npy", allow_pickle=False)
    check(p.shape == (len(y), 3) and np.isfinite(p).all() and np.allclose(p.sum(1), 1, atol=1e-3), "shares.npy")
    g = p.argmax(1)
    f1 = []
    for k in range(3):
        hit = ((g == k) & (y == k)).sum()
        f1.append(2 * hit / max((g == k).sum() + (y == k).sum(), 1))
    return {"Macro F1": np.float64(np.mean(f1)), "Accuracy": np.float32((g == y).mean())}


def run_evaluation():
    scores = {}
    for name, function in (("reg", reg), ("cls", cls)):
        try:
            scores[name] = function()
        except Exception as error:
            scores[name] = {m: None for m in METRICS[name]} | {"error": repr(error)}
    return scores
"""
)


def several() -> Content:
    section = """| File | Format | Shape | Dtype | Values |
|---|---|---|---|---|
| `reg/y.npy` | npy | (9,) | float64 | finite |
| `cls/shares.npy` | npy | (10, 3) | float32 | from 0 to 1, rows sum to 1 |

All below `output/`.
"""
    files = package(section, ["reg", "cls"], "x.npy", _SEVERAL, [("Spearman", "higher_is_better")])
    value = json.loads(files["metadata.json"])
    score = value["performance_entries"][1]["metrics"][0]
    value["performance_entries"][1]["metrics"] = [
        {**score, "name": "Macro F1"}, {**score, "name": "Accuracy", "is_primary": False}
    ]  # fmt: skip
    files["metadata.json"] = json.dumps(value, indent=2)
    files["problem/data/reg/x.npy"] = npy(np.arange(9.0))
    files["problem/data/cls/x.npy"] = npy(np.arange(20.0).reshape(10, 2))
    files["evaluation/ground_truth/reg/y.npy"] = npy(np.array([3.0, 1, 4, 1.5, 9, 2, 6, 5, 8]))
    files["evaluation/ground_truth/cls/labels.npy"] = npy(np.array([0, 1, 2, 0, 1, 2, 2, 1, 0, 1]))
    return files


# -- samples of a distribution -------------------------------------------------------------------

_SAMPLES = (
    HEAD
    + """
INSTANCES = sorted(one.name for one in TRUTH.iterdir())
METRIC_NAMES = ["Distance of means"]


class ValidationError(Exception):
    pass


def evaluate(name):
    reference = np.load(TRUTH / name / "reference.npz")["states"]
    try:
        samples = np.load(OUTPUT / name / "samples.npy", allow_pickle=False)
    except (EOFError, ValueError, OSError) as error:
        raise ValidationError(f"samples.npy: {error}")
    if samples.shape != (50, 2):
        raise ValidationError(f"samples.npy has the shape {samples.shape}")
    if not np.isfinite(samples).all():
        raise ValidationError("samples.npy is not finite")
    return {"Distance of means": float(np.linalg.norm(samples.mean(0) - reference.mean(0)))}
"""
    + TAIL
)


def samples() -> Content:
    section = (
        "- `output/{instance}/samples.npy`: float64 array of shape (50, 2), 50 independent states, from -20 to 20\n"
    )
    files = package(section, ["cold"], "short.npy", _SAMPLES, [("Distance of means", "lower_is_better")], "0.001")
    states = np.random.default_rng(5).normal(size=(400, 2)) * 0.01 + 3
    files["problem/data/cold/short.npy"] = npy(states[:40] + 6)
    files["evaluation/ground_truth/cold/reference.npz"] = npz(states=states)
    return files


RUNNING = {
    "table": table, "arrays": arrays, "keyed": keyed, "designs": designs, "molecules": molecules, "image": image,
    "several": several, "samples": samples,
}  # fmt: skip
NO_TRUTH = {"designs"}
"""Those whose answers an oracle scores."""
