# ruff: noqa: E501 -- one source a line
"""What an evaluator looks up in an answer is told from what it looks up in a reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.answer_keys import taken_by_evaluator
from checks.package import CheckedPackage
from checks.running import run_checks
from tests.unit.checks.packages import cells, written

HEAD = """import csv, json, os
import numpy as np
import pandas as pd

OUT, GT = os.environ["OUTPUT_DIR"], os.path.join(os.path.dirname(__file__), "ground_truth")
NEEDED = ["id", "score"]
N = 4
"""


@pytest.mark.parametrize(
    ("body", "answer", "reference"),
    [
        ('x = np.load(OUT + "/a/p.npz")["x"]\nt = np.load(GT + "/a/t.npz")["y"]', {"x"}, {"y"}),
        ('with open(OUT + "/a/p.json") as f:\n    v = json.load(f)["v"]\nwith open(GT + "/a/t.json") as f:\n    w = json.load(f)["w"]', {"v"}, {"w"}),
        ('rows = list(csv.DictReader(open(OUT + "/a/p.csv")))\ny = {r["id"]: float(r["score"]) for r in rows}', {"id", "score"}, set()),
        ('df = pd.read_csv(OUT + "/a/p.csv")\nfor c in NEEDED:\n    if c not in df.columns:\n        raise KeyError(c)', {"id", "score"}, set()),
        ('df = pd.read_csv(OUT + "/a/p.csv")\nif not {"id"} <= set(df.columns) or not set(df["kind"]) <= {"u", "v"}:\n    pass', {"id", "kind"}, set()),
        ('a = pd.read_csv(OUT + "/a/p.csv")\nt = pd.read_csv(GT + "/a/t.csv")\nm = t.merge(a, on="id")', {"id"}, {"id"}),
    ],
)  # fmt: skip
def test_names_are_taken_from_the_side_that_is_read(
    body: str, answer: set[str], reference: set[str], tmp_path: Path
) -> None:
    files = cells() | {"evaluation/evaluator.py": HEAD + body + "\n"}
    taken = taken_by_evaluator(CheckedPackage(written(tmp_path, files)))
    assert (set(taken.answer), set(taken.reference)) == (answer, reference)


def test_a_shape_is_that_of_the_answer(tmp_path: Path) -> None:
    body = 'p, t = np.load(OUT + "/a/p.npy"), np.load(GT + "/a/t.npy")\nif p.shape != (N, 3) or t.shape != (9, 9):\n    pass\n'
    body = body.replace("p, t = ", "p = ").replace(", np.load(GT", "\nt = np.load(GT")
    taken = taken_by_evaluator(CheckedPackage(written(tmp_path, cells() | {"evaluation/evaluator.py": HEAD + body})))
    assert list(taken.shapes) == [(4, 3)]


SECTION = """Write `output/{instance}/p.npz` with one array:

| Key | Shape | Dtype | Values |
|---|---|---|---|
| `x` | (200, 3) | float64 | finite |
"""
ARCHIVES = """
def run_evaluation():
    out = {}
    for name in ("breast", "lung-2"):
        with np.load(os.path.join(OUT, name, "p.npz")) as z:
            x = z["x"]
        if x.shape != (200, 3):
            raise ValueError("shape")
        y = np.load(os.path.join(GT, name, "t.npz"))["x"]
        out[name] = {"RMSE": 1.0, "Pearson r": 1.0}
    return out
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", ""),
        ('x = z["x"]', 'x = z["samples"]', "'samples' is looked up in the answer"),
        ("(200, 3)", "(500, 3)", "the shape (500, 3), and section 5 says (200, 3)"),
    ],
)
def test_keys_and_shapes_are_those_of_section_5(old: str, new: str, message: str, tmp_path: Path) -> None:
    files = cells()
    readme = str(files["problem/README.md"])
    start, end = readme.index("Save `output"), readme.index("## 6.")
    files["problem/README.md"] = readme[:start] + SECTION + "\n" + readme[end:]
    files["evaluation/evaluator.py"] = (HEAD + ARCHIVES).replace(old, new, 1)
    for name in ("breast", "lung-2"):
        files[f"evaluation/ground_truth/{name}/t.npz"] = b"x"
    result = run_checks(written(tmp_path, files), chosen={"C1.6"}).check("C1.6")
    assert [message in one.message for one in result.findings] == ([True] if message else [])


def test_a_table_of_fields_and_values_has_no_columns(tmp_path: Path) -> None:
    files = cells()
    upright = "| Field | Value |\n|---|---|\n| **File** | `predictions.csv` |\n| **Format** | CSV |\n| **Columns** | `sample_id`, `response` |\n"
    readme = str(files["problem/README.md"])
    start, end = readme.index("| Column | Type"), readme.index("## 6.")
    files["problem/README.md"] = readme[:start] + upright + "\n" + readme[end:]
    assert run_checks(written(tmp_path, files), chosen={"C1.6"}).check("C1.6").status == "pass"
    files["problem/README.md"] = str(files["problem/README.md"]).replace("`response`", "`level`")
    assert run_checks(written(tmp_path, files), chosen={"C1.6"}).check("C1.6").status == "fail"


def test_files_of_answers_in_section_5_are_no_data(tmp_path: Path) -> None:
    files = cells()
    listed = "| Instance | File |\n|---|---|\n| breast | `output/breast/predictions.csv` |\n| lung-2 | `output/lung-2/predictions.csv` |\n\n| Column |"
    files["problem/README.md"] = str(files["problem/README.md"]).replace("| Column |", listed, 1)
    assert run_checks(written(tmp_path, files), chosen={"C3.1"}).check("C3.1").status == "pass"
