# ruff: noqa: E501, PLR0917 -- whole files, a section each
"""Whole packages in ten manners of other people, with data from which an answer can be made: all 36 checks pass them.

Section 5 is written in ten ways, and each evaluator has a shape of its own.
"""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.unit.checks.family4_packages import Content, npy, npz
from tests.unit.checks.packages import environment, metadata

README = """# {title}

## 1. Scientific Problem
{problem}

## 2. Task Objective
{objective}

* **Input**: see section 3.
* **Output**: see section 5.

## 3. Dataset Information
{dataset}

## 4. Evaluation Metrics
### Primary Metric
* **Name**: {primary}
* **Definition**: {primary_definition}

### Other Metrics
{others}

## 5. Output Format

{section}

## 6. Submission Guidelines
### Entry Point (`run.py`)

```python
import os

DATA_DIR = os.environ.get("DATA_DIR", "data")
OUTPUT_DIR = os.environ.get("OUTPUT_DIR", "output")
INSTANCES = {instances}


def main():
    for name in INSTANCES:
        folder = os.path.join(DATA_DIR, name)
        contents = {{one: open(os.path.join(folder, one), "rb").read() for one in os.listdir(folder)}}
        os.makedirs(os.path.join(OUTPUT_DIR, name), exist_ok=True)


if __name__ == "__main__":
    main()
```

### Notes
- Data are read-only.
"""
DIRECTION = {"higher_is_better": "Higher is better.", "lower_is_better": "Lower is better."}


def package(
    title: str, instances: list[str], metrics: Mapping[str, str], section: str, evaluator: str, schemas: str,
    data: Mapping[str, Mapping[str, str | bytes]], truth: Mapping[str, Mapping[str, str | bytes]], anchors: Mapping[str, str],
) -> Content:  # fmt: skip
    """A package: ``data`` and ``truth`` by instance and file."""
    primary, *others = metrics
    listed = [f"* **{name}**: see its name. {DIRECTION[metrics[name]]}" for name in others]
    readme = README.format(
        title=title, problem="It takes long to measure this, and models may help.", objective="Predict what is asked for.",
        dataset=f"There are {len(instances)} instances.", primary=primary, primary_definition=DIRECTION[metrics[primary]],
        others="\n".join(listed) or "None.", section=section.strip(), instances=json.dumps(instances),
    )  # fmt: skip
    tree = "\n".join(f"data/{name}/{file}" for name in instances for file in data[name])
    description = (
        f"# Data Description\n\n## 1. Directory Structure\n\n```\n{tree}\n```\n\n## 2. Dataset Overview\nSmall.\n\n"
        f"## 3. File Formats & Schemas\n{schemas.strip()}\n\n## 4. Special Notes\nNone.\n"
    )
    facts = json.loads(metadata(title, instances, list(metrics.items())))
    for entry in facts["performance_entries"]:
        for metric in entry["metrics"]:
            metric["sota_score"][0]["value"] = anchors[metric["name"]]
    files: Content = {
        "problem/README.md": readme, "problem/data_description.md": description,
        "evaluation/evaluator.py": evaluator.lstrip(), "metadata.json": json.dumps(facts, indent=2), **environment(),
        "task.yaml": "id: x\nmethod:\n  name: ZorbNet\n",
    }  # fmt: skip
    for side, contents in (("problem/data", data), ("evaluation/ground_truth", truth)):
        for name in instances:
            files.update({f"{side}/{name}/{file}": content for file, content in contents[name].items()})
    return files


# -- kinds of cells, in an AnnData file ----------------------------------------------------------

_CELLS = '''
"""Reads obs as AnnData writes it, by h5py alone."""
import json
import os
import sys

import h5py
import numpy as np

BASE = os.path.dirname(os.path.abspath(__file__))
INSTANCES = ["gut", "lung"]
METRIC_NAMES = ["Accuracy", "Macro F1"]


class ValidationError(Exception):
    pass


def kinds_in(path):
    try:
        with h5py.File(path, "r") as f:
            x = f["obs"]["cell_type"]
            if isinstance(x, h5py.Group):
                names = x["categories"].asstr()[:]
                return [names[c] for c in x["codes"][:]]
            return list(x.asstr()[:])
    except (OSError, KeyError, TypeError, UnicodeDecodeError) as e:
        raise ValidationError(f"annotated.h5ad: {e}") from e


def run_evaluation():
    res = {}
    for inst in INSTANCES:
        try:
            pred = kinds_in(os.path.join(os.environ["OUTPUT_DIR"], inst, "annotated.h5ad"))
            with open(os.path.join(BASE, "ground_truth", inst, "cell_type.txt")) as f:
                true = f.read().split()
            if len(pred) != len(true):
                raise ValidationError("number of cells")
            if not set(pred) <= {"B", "T", "NK"}:
                raise ValidationError("unknown cell type")
            y, p = np.array(true), np.array(pred)
            f1 = []
            for k in ("B", "T", "NK"):
                hit = int(((y == k) & (p == k)).sum())
                f1.append(2 * hit / max(int((y == k).sum() + (p == k).sum()), 1))
            res[inst] = {"Accuracy": float((y == p).mean()), "Macro F1": float(np.mean(f1))}
        except ValidationError as e:
            res[inst] = {"Accuracy": None, "Macro F1": None, "error": str(e)}
    return res


if __name__ == "__main__":
    json.dump(run_evaluation(), sys.stdout)
'''


def h5ad(matrix: Any, obs: Mapping[str, list[str]]) -> bytes:
    """A small AnnData file."""
    import h5py

    target = io.BytesIO()
    with h5py.File(target, "w") as file:
        file["X"] = matrix
        for name, values in {"_index": [f"c{one}" for one in range(len(matrix))], **obs}.items():
            file.create_dataset(f"obs/{name}", data=values, dtype=h5py.string_dtype())
        file["obs"].attrs["_index"] = "_index"
    return target.getvalue()


def annotation() -> Content:
    draw = random.Random(1)
    data, truth = {}, {}
    for name in ("gut", "lung"):
        kinds = [draw.choice(["B", "T", "NK"]) for _ in range(50)]
        matrix = np.array([[ord(one[0]) / 10, draw.random()] for one in kinds], dtype="float32")
        data[name] = {"train.h5ad": h5ad(matrix[:30], {"cell_type": kinds[:30]}), "test.h5ad": h5ad(matrix[30:], {})}
        truth[name] = {"cell_type.txt": "\n".join(kinds[30:]) + "\n"}
    return package(
        "Kinds of cells in two organs", ["gut", "lung"],
        {"Accuracy": "higher_is_better", "Macro F1": "higher_is_better"},
        """
Save `output/{instance}/annotated.h5ad` (AnnData, HDF5). What has to be in it:

* `X`: float32 matrix of shape (n_cells, 2), as in `test.h5ad`
* `obs['cell_type']`: string, one of `B`, `T`, `NK`; cells in the order of `test.h5ad`
""",
        _CELLS, "### `train.h5ad`\nLabelled cells. `obs['cell_type']` is the TARGET.\n### `test.h5ad`\nINPUT.",
        data, truth, {"Accuracy": "0.97", "Macro F1": "0.96"},
    )  # fmt: skip


# -- pairs that two columns tell apart -----------------------------------------------------------

_PAIRS = """
from __future__ import annotations

import csv
import json
import math
import os
import pathlib

GT = pathlib.Path(__file__).resolve().parent / "ground_truth"
OUT = pathlib.Path(os.environ.get("OUTPUT_DIR", "output"))
KEY = ("drug", "target")


class ValidationError(Exception):
    pass


def table(path: pathlib.Path, value: str) -> dict[tuple[str, ...], float]:
    if not path.is_file():
        raise ValidationError(f"{path.name} is missing")
    try:
        with path.open(newline="", encoding="utf-8") as handle:
            rows = list(csv.DictReader(handle))
        found = {tuple(row[k] for k in KEY): float(row[value]) for row in rows}
    except (KeyError, TypeError, ValueError) as error:
        raise ValidationError(str(error)) from None
    if len(found) != len(rows):
        raise ValidationError("a pair stands twice")
    return found


def score(name: str) -> dict[str, float]:
    truth, answer = table(GT / name / "affinity.csv", "affinity"), table(OUT / name / "affinity.csv", "affinity")
    if truth.keys() != answer.keys():
        raise ValidationError("pairs differ")
    if not all(math.isfinite(v) for v in answer.values()):
        raise ValidationError("not finite")
    return {"RMSE": math.sqrt(sum((truth[k] - answer[k]) ** 2 for k in truth) / len(truth))}


def run_evaluation() -> dict[str, dict]:
    results: dict[str, dict] = {}
    for folder in sorted(GT.iterdir()):
        try:
            results[folder.name] = score(folder.name)
        except ValidationError as error:
            results[folder.name] = {"RMSE": None, "error": str(error)}
    return results


if __name__ == "__main__":
    pathlib.Path("score.json").write_text(json.dumps(run_evaluation()))
"""


def pairs() -> Content:
    draw = random.Random(2)
    rows = [(f"d{one % 7}", f"t{one // 7}", round(4 + (one % 7) * 0.3 + draw.random(), 3)) for one in range(49)]
    draw.shuffle(rows)
    head = "drug,target,affinity\n"
    known = head + "".join(f"{a},{b},{c}\n" for a, b, c in rows[:30])
    asked = "drug,target\n" + "".join(f"{a},{b}\n" for a, b, _ in rows[30:])
    answers = head + "".join(f"{a},{b},{c}\n" for a, b, c in rows[30:])
    return package(
        "Affinity of drugs and their targets", ["kinases"], {"RMSE": "lower_is_better"},
        """
One CSV file per instance, `affinity.csv`, goes to `output/<instance>/`. Rules:

1. Columns: `drug`, `target`, `affinity` (header required).
2. One row for each pair of `pairs_test.csv`, in any order.
3. `affinity` is a finite float.
""",
        _PAIRS, "`pairs_train.csv`: drug, target (INPUT), affinity (TARGET). `pairs_test.csv`: drug, target.",
        {"kinases": {"pairs_train.csv": known, "pairs_test.csv": asked}}, {"kinases": {"affinity.csv": answers}},
        {"RMSE": "0.05"},
    )  # fmt: skip


# -- mean and spread, in one archive -------------------------------------------------------------

_SPREAD = """
import json, os
import numpy as np

_HERE = os.path.dirname(os.path.realpath(__file__))
INSTANCES = ("north", "south")
METRICS = {}


def metric(name):
    def register(function):
        METRICS[name] = function
        return function
    return register


@metric("CRPS")
def crps(y, mean, std):
    z = np.abs(y - mean)
    return float(np.mean(z + np.abs(std) * 0.1))


@metric("MAE")
def mae(y, mean, std):
    return float(np.abs(y - mean).mean())


METRIC_NAMES = ["CRPS", "MAE"]


class ValidationError(Exception):
    pass


def _open(path, keys):
    try:
        with np.load(path, allow_pickle=False) as archive:
            return [archive[key] for key in keys]
    except Exception as error:
        raise ValidationError(f"{os.path.basename(path)}: {error}")


def _checked(name):
    mean, std = _open(os.path.join(os.environ["OUTPUT_DIR"], name, "forecast.npz"), ("mean", "std"))
    (y,) = _open(os.path.join(_HERE, "ground_truth", name, "wind.npz"), ("wind",))
    for array in (mean, std):
        if array.shape != y.shape:
            raise ValidationError(f"shape {array.shape}")
        if array.dtype.kind != "f" or not np.isfinite(array).all():
            raise ValidationError("finite floats are wanted")
    if (std < 0).any():
        raise ValidationError("std is negative")
    return y, mean, std


def run_evaluation():
    table = {}
    for name in INSTANCES:
        try:
            given = _checked(name)
        except ValidationError as error:
            table[name] = {**{m: None for m in METRIC_NAMES}, "error": str(error)}
        else:
            table[name] = {m: METRICS[m](*given) for m in METRIC_NAMES}
    return table


if __name__ == "__main__":
    with open("score.json", "w") as file:
        json.dump(run_evaluation(), file, allow_nan=False)
"""


def spread() -> Content:
    generator = np.random.default_rng(3)
    data, truth = {}, {}
    for name, count in (("north", 12), ("south", 9)):
        x = generator.normal(size=(count + 30, 4)).astype("float32")
        y = np.stack([x[:, 0] * 2 + 5, x[:, 1] - 1, x[:, 2]], axis=1)
        data[name] = {"past.npz": npz(x=x[:30], wind=y[:30]), "inputs_test.npy": npy(x[30:])}
        truth[name] = {"wind.npz": npz(wind=y[30:])}
    return package(
        "Wind at three heights", ["north", "south"], {"CRPS": "lower_is_better", "MAE": "lower_is_better"},
        """
**File**: `output/{instance_name}/forecast.npz`, a compressed or plain NumPy archive.

It holds two arrays with keys `mean`, of shape (N, 3) and dtype float32, and `std`, of shape (N, 3) and dtype float32.
N is the number of rows of `inputs_test.npy`, whose order is kept. All values are finite, and `std` is non-negative.
""",
        _SPREAD, "- `past.npz`: `x` (INPUT), `wind` (TARGET), training data\n- `inputs_test.npy`: INPUT",
        data, truth, {"CRPS": "0.01", "MAE": "0.01"},
    )  # fmt: skip


# -- a list of objects ---------------------------------------------------------------------------

_RECORDS = """
import argparse
import json
import os
import sys
from pathlib import Path

GT = Path(__file__).resolve().parent.joinpath("ground_truth")
INSTANCES = ["reports"]
METRIC_NAMES = ["Accuracy"]
LABELS = ("flood", "fire", "storm")


class ValidationError(Exception):
    pass


def records(path):
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValidationError(str(error))
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValidationError("a list of objects is wanted")
    found = {}
    for one in value:
        if one.get("doc_id") in found or one.get("label") not in LABELS:
            raise ValidationError("an id twice, or an unknown label")
        found[one["doc_id"]] = one["label"]
    return found


def run_evaluation(output_dir=None):
    root = Path(output_dir or os.environ.get("OUTPUT_DIR", "output"))
    result = {}
    for name in INSTANCES:
        try:
            given, wanted = records(root / name / "labels.json"), records(GT / name / "labels.json")
            if sorted(given) != sorted(wanted):
                raise ValidationError("documents differ")
            result[name] = {"Accuracy": sum(given[k] == wanted[k] for k in wanted) / len(wanted)}
        except ValidationError as error:
            result[name] = {"Accuracy": None, "error": str(error)}
    return result


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--output_dir", default=None)
    args = parser.parse_args(argv)
    json.dump(run_evaluation(args.output_dir), open("score.json", "w"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
"""


def records() -> Content:
    words = {"flood": "water rose", "fire": "smoke and flames", "storm": "wind broke trees"}
    kinds = [list(words)[one * 5 % 3 if one % 4 else 0] for one in range(36)]
    docs = [{"doc_id": f"r{one:03d}", "text": f"{words[kind]} {one}", "label": kind} for one, kind in enumerate(kinds)]
    blind = [{"doc_id": one["doc_id"], "text": one["text"]} for one in docs[24:]]
    answers = [{"doc_id": one["doc_id"], "label": one["label"]} for one in docs[24:]]
    return package(
        "Kinds of events in reports", ["reports"], {"Accuracy": "higher_is_better"},
        """
Write a JSON list to `output/reports/labels.json`, an object for each document of `documents_test.json`:

```json
[
  {"doc_id": "r024", "label": "flood"},
  {"doc_id": "r025", "label": "fire"}
]
```

| Key | Type | Allowed values |
|---|---|---|
| `doc_id` | string | each id of `documents_test.json`, once |
| `label` | string | `flood`, `fire`, `storm` |
""",
        _RECORDS, "### documents_train.json\nLabelled: `text` is INPUT, `label` TARGET.\n### documents_test.json\nINPUT.",
        {"reports": {"documents_train.json": json.dumps(docs[:24]), "documents_test.json": json.dumps(blind)}},
        {"reports": {"labels.json": json.dumps(answers)}}, {"Accuracy": "0.95"},
    )  # fmt: skip


# -- molecules, a line each ----------------------------------------------------------------------

_MOLECULES = """
import json, os, sys
from itertools import zip_longest

D = os.path.dirname(os.path.abspath(__file__))


def lines(*parts):
    with open(os.path.join(*parts), encoding="ascii") as f:
        return [l.strip() for l in f if l.strip()]


def grams(s):
    return {s[i:i + 2] for i in range(len(s) - 1)} or {s}


def similarity(a, b):
    a, b = grams(a), grams(b)
    return len(a & b) / len(a | b)


def evaluate(inst):
    try:
        given = lines(os.environ["OUTPUT_DIR"], inst, "products.smi")
    except (OSError, UnicodeDecodeError) as e:
        return {"Exact match": None, "Similarity": None, "error": repr(e)}
    wanted = lines(D, "ground_truth", inst, "products.smi")
    if len(given) != len(wanted) or any(len(s.split()) > 1 for s in given):
        return {"Exact match": None, "Similarity": None, "error": f"{len(wanted)} SMILES, one a line"}
    if any(set(s) - set("CNOS()=#123") for s in given):
        return {"Exact match": None, "Similarity": None, "error": "unknown letters"}
    both = list(zip_longest(given, wanted))
    return {
        "Exact match": sum(a == b for a, b in both) / len(both),
        "Similarity": sum(similarity(a, b) for a, b in both) / len(both),
    }


INSTANCES = ["oxidation", "amination"]
METRIC_NAMES = ["Exact match", "Similarity"]


def run_evaluation():
    return dict(zip(INSTANCES, map(evaluate, INSTANCES)))


if __name__ == "__main__":
    print(json.dumps(run_evaluation(), indent=1), file=sys.stdout)
"""


def products() -> Content:
    chains = ["C" * (1 + one % 5) + "O" * (one % 2) + "C" * (one % 3) for one in range(24)]
    made = {"oxidation": [f"{one}C=O" for one in chains], "amination": [f"{one}CN" for one in chains]}
    data = {
        name: {
            "train.csv": "reactant,product\n"
            + "".join(f"{a}C,{b}\n" for a, b in zip(chains[:14], own[:14], strict=True)),
            "reactants_test.smi": "".join(f"{one}C\n" for one in chains[14:]),
        }
        for name, own in made.items()
    }
    return package(
        "Products of two reactions", ["oxidation", "amination"],
        {"Exact match": "higher_is_better", "Similarity": "higher_is_better"},
        """
For each instance: `output/{instance}/products.smi`

- Format: plain text, one SMILES string per line, no header
- Lines: as many as `reactants_test.smi` has, in the same order
- Values: valid SMILES
""",
        _MOLECULES, "### `train.csv`\nPairs for training: reactant (INPUT), product (TARGET).\n### `reactants_test.smi`\nINPUT.",
        data, {name: {"products.smi": "".join(f"{one}\n" for one in own[14:])} for name, own in made.items()},
        {"Exact match": "0.9", "Similarity": "0.95"},
    )  # fmt: skip


# -- structures of sequences, under the ids that are given -----------------------------------------

_FOLDS = """
import json
import os
from collections import OrderedDict
from pathlib import Path

TRUTH_ROOT = Path(__file__).parent / "ground_truth"
METRIC_NAMES = ["Identity"]


class ValidationError(ValueError):
    pass


def parse_fasta(text):
    records = OrderedDict()
    for block in text.split(">")[1:]:
        header, *body = block.splitlines()
        name = header.split()[0] if header.split() else ""
        if not name or name in records:
            raise ValidationError("a header is empty or stands twice")
        records[name] = "".join(body).strip()
    if not records:
        raise ValidationError("no records")
    return records


class Instance:
    def __init__(self, name):
        self.name = name

    @property
    def reference(self):
        return parse_fasta((TRUTH_ROOT / self.name / "repaired.fasta").read_text())

    @property
    def answer(self):
        path = Path(os.environ["OUTPUT_DIR"]) / self.name / "repaired.fasta"
        try:
            return parse_fasta(path.read_text(encoding="ascii"))
        except (OSError, UnicodeDecodeError) as error:
            raise ValidationError(str(error)) from None

    def evaluate(self):
        reference, answer = self.reference, self.answer
        if set(reference) != set(answer):
            raise ValidationError("ids differ")
        same = total = 0
        for name, wanted in reference.items():
            given = answer[name]
            if len(given) != len(wanted) or set(given) - set("ACGT"):
                raise ValidationError(f"{name}: length or letters")
            same += sum(a == b for a, b in zip(given, wanted))
            total += len(wanted)
        return {"Identity": same / total}


INSTANCES = [Instance("phage"), Instance("yeast")]


def run_evaluation():
    out = {}
    for one in INSTANCES:
        try:
            out[one.name] = one.evaluate()
        except ValidationError as error:
            out[one.name] = {"Identity": None, "error": str(error)}
    return out


if __name__ == "__main__":
    Path("score.json").write_text(json.dumps(run_evaluation()))
"""


def repairs() -> Content:
    draw = random.Random(6)
    data, truth = {}, {}
    for name in ("phage", "yeast"):
        whole = ["".join(draw.choice("ACGT") for _ in range(20 + 3 * one)) for one in range(12)]
        torn = ["".join(letter if draw.random() < 0.8 else "N" for letter in one) for one in whole]
        records = [f">{name}_{place}\n{one}\n" for place, one in enumerate(torn)]
        answers = [f">{name}_{place}\n{one}\n" for place, one in enumerate(whole)]
        data[name] = {
            "train_torn.fasta": "".join(records[:6]), "train_whole.fasta": "".join(answers[:6]),
            "test_torn.fasta": "".join(records[6:]),
        }  # fmt: skip
        truth[name] = {"repaired.fasta": "".join(answers[6:])}
    return package(
        "Gaps in DNA reads", ["phage", "yeast"], {"Identity": "higher_is_better"},
        """
Location: `output/<instance>/repaired.fasta`

| Property | Specification |
|---|---|
| Format | FASTA over the DNA alphabet `ACGT` |
| Records | one for each record of `test_torn.fasta`, under the same identifier |
| Values | sequences of the same length as the torn one |
""",
        _FOLDS, "### `train_torn.fasta`, `train_whole.fasta`\nTraining reads; the whole ones are the TARGET.\n### `test_torn.fasta`\nINPUT.",
        data, truth, {"Identity": "0.95"},
    )  # fmt: skip


# -- arrays whose size depends on the instance ----------------------------------------------------

_IMAGES = """
import json
import os

import numpy as np

CONFIG = {
    "small": dict(truth="masks.npy", n=6, side=8),
    "large": dict(truth="masks.npy", n=4, side=12),
}
METRIC_NAMES = ("IoU", "Dice")


def path_to(kind, name):
    match kind:
        case "truth":
            return os.path.join(os.path.dirname(os.path.abspath(__file__)), "ground_truth", name, CONFIG[name]["truth"])
        case "answer":
            return os.path.join(os.environ.get("OUTPUT_DIR", "./output"), name, "segmentation.npy")


def validate(mask, n, side):
    assert mask.shape == (n, side, side), f"shape is {mask.shape}"
    assert mask.dtype == np.uint8, f"dtype is {mask.dtype}"
    assert mask.max() <= 1, "0 and 1 only"


def scores(name):
    cfg = CONFIG[name]
    truth = np.load(path_to("truth", name)).astype(bool)
    try:
        mask = np.load(path_to("answer", name), allow_pickle=False)
        validate(mask, cfg["n"], cfg["side"])
    except (AssertionError, OSError, ValueError, EOFError, AttributeError) as problem:
        return dict.fromkeys(METRIC_NAMES) | {"error": str(problem) or repr(problem)}
    mask = mask.astype(bool)
    both, any_ = (mask & truth).sum(), (mask | truth).sum()
    return {"IoU": float(both / any_), "Dice": float(2 * both / (mask.sum() + truth.sum()))}


def run_evaluation():
    return {name: scores(name) for name in CONFIG}


if __name__ == "__main__":
    with open("score.json", "w", encoding="utf-8") as stream:
        json.dump(run_evaluation(), stream, indent=2)
"""


def masks() -> Content:
    generator = np.random.default_rng(7)
    data, truth = {}, {}
    for name, count, side in (("small", 6, 8), ("large", 4, 12)):
        marks = (generator.random((count + 10, side, side)) < 0.3).astype("uint8")
        images = (marks * 0.5 + generator.random(marks.shape) * 0.3).astype("float32")
        data[name] = {
            "train_images.npy": npy(images[:10]), "train_masks.npy": npy(marks[:10]), "test_images.npy": npy(images[10:]),
        }  # fmt: skip
        truth[name] = {"masks.npy": npy(marks[10:])}
    return package(
        "Outlines of nuclei at two scales", ["small", "large"], {"IoU": "higher_is_better", "Dice": "higher_is_better"},
        """
| Instance | File | Format | Shape | Dtype | Values |
|:--|:--|:--|:--|:--|:--|
| `small` | `output/small/segmentation.npy` | NumPy | (6, 8, 8) | uint8 | 0 (background) or 1 (nucleus) |
| `large` | `output/large/segmentation.npy` | NumPy | (4, 12, 12) | uint8 | 0 (background) or 1 (nucleus) |
""",
        _IMAGES, "`train_images.npy` is INPUT, `train_masks.npy` TARGET. `test_images.npy` is INPUT.",
        data, truth, {"IoU": "0.9", "Dice": "0.95"},
    )  # fmt: skip


# -- a table with tabs, against packed data --------------------------------------------------------

_RISKS = """
import gzip
import json
import os
from io import StringIO
from typing import NamedTuple

import numpy as np
import pandas as pd

ROOT = os.path.dirname(os.path.abspath(__file__))
OUTPUT_DIR = os.environ.get("OUTPUT_DIR", "output")


class Task(NamedTuple):
    name: str
    column: str = "p_event"


class ValidationError(Exception):
    pass


TASKS = [Task("ward"), Task("clinic")]
INSTANCES = [task.name for task in TASKS]
METRIC_NAMES = ["Brier score"]


def read_truth(task):
    with gzip.open(os.path.join(ROOT, "ground_truth", task.name, "events.tsv.gz"), "rt") as f:
        return pd.read_csv(StringIO(f.read()), sep="\\t", dtype={"patient": str}).set_index("patient")["event"]


def read_answer(task):
    path = os.path.join(OUTPUT_DIR, task.name, "risk.tsv")
    if not os.path.isfile(path):
        raise ValidationError("risk.tsv is missing")
    try:
        frame = pd.read_csv(path, sep="\\t", dtype={"patient": str})
    except Exception as error:
        raise ValidationError(f"risk.tsv: {error}") from error
    if not {"patient", task.column}.issubset(frame.columns):
        raise ValidationError(f"columns are {list(frame.columns)}")
    if frame["patient"].duplicated().any():
        raise ValidationError("a patient stands twice")
    values = pd.to_numeric(frame.set_index("patient")[task.column], errors="coerce")
    if not np.isfinite(values).all() or not values.between(0, 1).all():
        raise ValidationError("no probabilities")
    return values


def run_evaluation():
    results = {}
    for task in TASKS:
        try:
            truth, answer = read_truth(task), read_answer(task)
            if set(truth.index) != set(answer.index):
                raise ValidationError("patients differ")
            results[task.name] = {"Brier score": float(((answer.loc[truth.index] - truth) ** 2).mean())}
        except ValidationError as error:
            results[task.name] = {"Brier score": None, "error": str(error)}
    return results


if __name__ == "__main__":
    print(json.dumps(run_evaluation()))
"""


def risks() -> Content:
    draw = random.Random(8)
    data, truth = {}, {}
    for name in ("ward", "clinic"):
        rows = [(f"{one:04d}", draw.randint(20, 90)) for one in range(45)]
        events = {patient: int(age + draw.randint(-10, 10) > 60) for patient, age in rows}
        known = "patient\tage\tevent\n" + "".join(f"{a}\t{b}\t{events[a]}\n" for a, b in rows[:30])
        asked = "patient\tage\n" + "".join(f"{a}\t{b}\n" for a, b in rows[30:])
        data[name] = {
            "train.tsv.gz": gzip.compress(known.encode(), mtime=0), "test.tsv.gz": gzip.compress(asked.encode(), mtime=0)
        }  # fmt: skip
        answers = "patient\tevent\n" + "".join(f"{a}\t{events[a]}\n" for a, _ in rows[30:])
        truth[name] = {"events.tsv.gz": gzip.compress(answers.encode(), mtime=0)}
    return package(
        "Events after an operation", ["ward", "clinic"], {"Brier score": "lower_is_better"},
        """
Each instance must produce a file at `output/{instance_name}/risk.tsv`.

| Field | Requirement |
|-------|-------------|
| **File** | `risk.tsv` |
| **Format** | tab-separated text with a header line |
| **Columns** | `patient`, `p_event` |
| **Rows** | one per patient of `test.tsv.gz`, in any order |
| **Values** | `p_event` is a probability in [0, 1] |
""",
        _RISKS, "### `train.tsv.gz`\nTraining data: patient, age (INPUT), event (TARGET).\n### `test.tsv.gz`\nINPUT.",
        data, truth, {"Brier score": "0.05"},
    )  # fmt: skip


# -- two files, of which a table has a column each -------------------------------------------------

_CURVES = """
import json
import os
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent
RESULT = {"Curve MAE": None, "Peak error": None}


class ValidationError(Exception):
    pass


def curve(folder):
    try:
        y = np.load(folder / "curve.npy", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ValidationError(f"curve.npy: {error}") from None
    if y.ndim != 1 or len(y) != 25 or y.dtype.kind != "f" or not np.isfinite(y).all():
        raise ValidationError("curve.npy: 25 finite floats")
    return y


def peak(folder):
    try:
        value = json.loads((folder / "summary.json").read_bytes())
    except (OSError, ValueError) as error:
        raise ValidationError(f"summary.json: {error}") from None
    if not isinstance(value, dict) or set(value) != {"peak", "phase"}:
        raise ValidationError("summary.json: keys peak and phase")
    if isinstance(value["peak"], bool) or not isinstance(value["peak"], (int, float)) or not np.isfinite(value["peak"]):
        raise ValidationError("summary.json: peak")
    if value["phase"] not in ("liquid", "solid"):
        raise ValidationError("summary.json: phase")
    return value["peak"]


def evaluate(name):
    answer, truth = pathlib.Path(os.environ["OUTPUT_DIR"], name), ROOT / "ground_truth" / name
    given, height = curve(answer), peak(answer)
    return {
        "Curve MAE": float(np.abs(given - curve(truth)).mean()),
        "Peak error": abs(height - peak(truth)),
    }


def run_evaluation():
    found = {}
    for name in ("argon", "water", "iron"):
        try:
            found[name] = evaluate(name)
        except ValidationError as error:
            found[name] = {**RESULT, "error": str(error)}
    return found


if __name__ == "__main__":
    json.dump(run_evaluation(), open("score.json", "w"))
"""


def curves() -> Content:
    data: dict[str, dict[str, str | bytes]] = {}
    truth: dict[str, dict[str, str | bytes]] = {}
    x = np.linspace(0, 3, 25)
    for place, name in enumerate(("argon", "water", "iron")):
        runs = np.stack([np.exp(-((x - 1 - one / 20) ** 2)) * (1 + place) for one in range(8)])
        data[name] = {"runs_train.npy": npy(runs[:7]), "grid.npy": npy(x)}
        summary = {"peak": float(runs[7].max()), "phase": ("liquid", "solid")[place == 2]}
        truth[name] = {"curve.npy": npy(runs[7]), "summary.json": json.dumps(summary)}
    return package(
        "Distribution of distances in three substances", ["argon", "water", "iron"],
        {"Curve MAE": "lower_is_better", "Peak error": "lower_is_better"},
        """
Two files are written for every instance, to `output/{instance}/curve.npy` and `output/{instance}/summary.json`.

| Item | `curve.npy` | `summary.json` |
|---|---|---|
| Format | NumPy array | JSON object |
| Shape | (25,) | keys `peak`, `phase` |
| Dtype | float64 | float and string |
| Values | finite, on the points of `grid.npy` | `{"peak": 1.5, "phase": "liquid"}`; phase is "liquid" or "solid" |
""",
        _CURVES, "### `runs_train.npy`\nEarlier curves, for training.\n### `grid.npy`\nINPUT.",
        data, truth, {"Curve MAE": "0.01", "Peak error": "0.01"},
    )  # fmt: skip


# -- counts, a line each ---------------------------------------------------------------------------

_COUNTS = """
import os, json

here = os.path.dirname(os.path.abspath(__file__))
out = os.environ.get("OUTPUT_DIR") or os.path.join(os.getcwd(), "output")
INSTANCES = sorted(next(os.walk(os.path.join(here, "ground_truth")))[1])
METRIC_NAMES = ["Spearman", "MAE"]


class ValidationError(Exception): ...


def numbers(file):
    try:
        with open(file) as handle:
            return [int(line) for line in handle.read().splitlines() if line]
    except (OSError, ValueError) as reason:
        raise ValidationError(f"counts.txt: {reason}")


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start:end + 1]:
            found[place] = (start + end) / 2
        start = end + 1
    return found


def correlation(a, b):
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    va, vb = sum((v - ma) ** 2 for v in a), sum((v - mb) ** 2 for v in b)
    return sum((v - ma) * (w - mb) for v, w in zip(a, b)) / (va * vb) ** 0.5 if va * vb else 0.0


def run_evaluation():
    board = {}
    for inst in INSTANCES:
        row = {name: None for name in METRIC_NAMES}
        try:
            truth = numbers(os.path.join(here, "ground_truth", inst, "counts.txt"))
            given = numbers(os.path.join(out, inst, "counts.txt"))
            if len(given) != len(truth):
                raise ValidationError(f"{len(given)} lines instead of {len(truth)}")
            if min(given) < 0:
                raise ValidationError("a count is negative")
            row["Spearman"] = correlation(ranks(truth), ranks(given))
            row["MAE"] = sum(abs(t - g) for t, g in zip(truth, given)) / len(truth)
        except ValidationError as reason:
            row["error"] = str(reason)
        board[inst] = row
    return board


if __name__ == "__main__":
    with open("score.json", "w") as handle:
        json.dump(run_evaluation(), handle)
"""


def counts() -> Content:
    draw = random.Random(10)
    data, truth = {}, {}
    for name in ("forest", "reef"):
        rows = [(draw.uniform(0, 30), draw.randint(0, 9)) for _ in range(40)]
        seen = [int(heat * 2 + depth + draw.randint(0, 3)) for heat, depth in rows]
        lines = [f"{heat:.2f},{depth}" for heat, depth in rows]
        data[name] = {
            "sites_train.csv": "heat,depth,count\n" + "".join(f"{a},{b}\n" for a, b in zip(lines[:25], seen[:25], strict=True)),
            "sites_test.csv": "heat,depth\n" + "".join(f"{one}\n" for one in lines[25:]),
        }  # fmt: skip
        truth[name] = {"counts.txt": "".join(f"{one}\n" for one in seen[25:])}
    return package(
        "Counts of animals at sites", ["forest", "reef"], {"Spearman": "higher_is_better", "MAE": "lower_is_better"},
        """
The answer is a text file, `output/forest/counts.txt` and `output/reef/counts.txt`, with one integer per line: the
count at each row of `sites_test.csv`, in its order. Counts are non-negative; values from 0 to 200 are accepted.
""",
        _COUNTS, "`sites_train.csv`: heat, depth (INPUT), count (TARGET). `sites_test.csv`: heat, depth (INPUT).",
        data, truth, {"Spearman": "0.95", "MAE": "1.0"},
    )  # fmt: skip


MANNERS = {
    "annotation": annotation, "pairs": pairs, "spread": spread, "records": records, "products": products,
    "repairs": repairs, "masks": masks, "risks": risks, "curves": curves, "counts": counts,
}  # fmt: skip
