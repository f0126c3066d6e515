"""What section 5 asks for is read however it is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.baseline.asked import Asked, asked_files, instances_of

TABLE = """| File | Format | Shape | Dtype | Values |
|---|---|---|---|---|
| `samples.npy` | npy | (1500, 2) | float64 | from -100 to 100, finite |
"""
COLUMNS = """Save `output/{instance}/predictions.csv`, one row a sample of `test.csv`:

| Column | Type | Values |
|---|---|---|
| sample_id | string | an id of test.csv |
| grade | string | `low`, `high` |
| share | float | a probability |
"""
LISTED = """For each instance write two arrays below `output/<instance>/`:

- `states.npy`: int8 array of shape (1000, 64), values are -1 or 1
- `energies.npy`: float64 array of shape (N,), non-negative
"""
SHOWN = """One file a data set: `output/{dataset}/scores.csv`

```
id,score
a,0.5
```
"""
ARRAYS = """Write `output/{instance}/answer.npz` with the arrays:

- `mean`: float32, shape (40, 3)
- `labels`: int64, shape (40,), values in {0, 1, 2}
"""
SEQUENCES = "`output/{instance}/designs.fasta`, FASTA, 10 records of DNA, each sequence has a length between 10 and 50."


def of(text: str) -> list[Asked]:
    return asked_files(
        f"# T\n\n## 4. Metrics\n\n`other.csv`\n\n## 5. Output Format\n\n{text}\n\n## 6. Submission\n\n`run.csv`\n"
    )


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (TABLE, [{"file": "samples.npy", "shape": (1500, 2), "rows": 1500, "least": -100.0, "most": 100.0}]),
        (COLUMNS, [{"file": "predictions.csv", "id": "sample_id", "rows": None, "follows": ("test.csv",)}]),
        (
            LISTED,
            [
                {"file": "states.npy", "shape": (1000, 64), "dtype": "int8", "values": ("-1", "1")},
                {"file": "energies.npy", "shape": ("N",), "dtype": "float64", "least": 0.0, "rows": None},
            ],
        ),
        (SHOWN, [{"file": "scores.csv", "id": "id"}]),
        (ARRAYS, [{"file": "answer.npz", "format": "npz"}]),
        (SEQUENCES, [{"file": "designs.fasta", "rows": 10, "length": (10, 50), "letters": "ACGT"}]),
        ("Nothing is said.", []),
    ],
)  # fmt: skip
def test_files_are_read_with_their_form(text: str, facts: list[dict[str, Any]]) -> None:
    found = [one.as_form() for one in of(text)]
    assert [{name: form[name] for name in wanted} for form, wanted in zip(found, facts, strict=True)] == facts


def test_columns_have_their_types_limits_and_values() -> None:
    first, second, third = of(COLUMNS)[0].columns
    assert (first.name, first.dtype) == ("sample_id", "string")
    assert second.values == ("low", "high")
    assert (third.dtype, third.least, third.most) == ("float64", 0.0, 1.0)


def test_arrays_of_an_archive_have_their_shapes() -> None:
    mean, labels = of(ARRAYS)[0].columns
    assert (mean.dtype, mean.shape) == ("float32", (40, 3))
    assert (labels.dtype, labels.shape, labels.values) == ("int64", (40,), ("0", "1", "2"))


def test_each_file_and_column_is_told_with_its_line() -> None:
    lines = of(COLUMNS)[0]
    text = f"# T\n\n## 4. Metrics\n\n`other.csv`\n\n## 5. Output Format\n\n{COLUMNS}".split("\n")
    assert "predictions.csv" in text[lines.line - 1]
    assert [one.name in text[one.line - 1] for one in lines.columns] == [True, True, True]


def test_instances_are_those_of_the_template() -> None:
    assert instances_of('```python\nINSTANCES = ["a", "b"]\n```\n') == ["a", "b"]
    assert instances_of('```python\nINSTANCES = {"a": 1}\n```\n') == ["a"]
    assert instances_of("```python\nINSTANCES = [\n```\n") == []


@given(st.text(alphabet="`|-#*{}[]()<>.,:/\n npycsvjson0123456789output", max_size=300))
def test_any_text_is_read(text: str) -> None:
    for one in of(text):
        assert one.line >= 1
        assert one.file


UPRIGHT = """Each instance must produce a file at `output/{instance_name}/masks.npy`.

| Field | Value |
|-------|-------|
| **File** | `masks.npy` |
| **Format** | NumPy binary (`.npy`) |
| **Shape** | (n_test, 32, 32), n_test = 10 for `liver` and 8 for `spleen.ct` |
| **Dtype** | uint8 |
| **Values** | 0 (background) or 1 (organ) |
"""
BULLETS = """- **File**: `pred.npy`
- **Shape**: `(n_samples, 3)`
- **Dtype**: `float32`
- **Values**: class probabilities, in the order of `X_test.npy`
"""
NUMBERED = """Write two files to `output/{instance}/`:

1. **File:** `risk.tsv`
   - Columns: `pid`, `risk`
   - Values: `risk` is non-negative
2. **File:** `times.npy`
   - Shape: (N,)
   - Dtype: float64
"""
TREE = """```
output/
├── jet/velocity.npy
└── cavity/velocity.npy
```

* Format: `.npy`
* Shape: `(12, 16, 2)`
* Dtype: `float32`
"""
BY_INSTANCE = """| Instance | File | Format | Structure | Values |
|---|---|---|---|---|
| `site` | `output/site/sites.json` | JSON | object: protein id → list of integers, one per residue | 0 or 1 |
| `kd` | `output/kd/kd.json` | JSON | object: complex id → number | pKd, finite |

Example of `sites.json`:

```json
{"P1": [0, 0, 1], "P2": [1, 0]}
```
"""
IN_A_CELL = """| File | Format | Shape | Dtype | Values |
|---|---|---|---|---|
| `response.csv` | CSV with header | 30 rows; columns `sample`, `probability` | str, float | probability in [0, 1] |
| `dose.npy` | NumPy array | (30,) | float64 | log10 of the dose |

Both below `output/{instance}/`.
"""
BY_FILE = """| Property | `labels.npy` | `scores.npy` |
|---|---|---|
| Shape | (n,) | (n, 4) |
| Dtype | int64 | float32 |
| Values | 0-3 | rows sum to 1 |
"""
PLACES = (
    "Save `output/{instance}/c.h5ad`: an AnnData with `obsm['X_emb']` of shape (n_cells, 8) and `obs['kind']` (string)"
)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (UPRIGHT, [{"file": "masks.npy", "shape": ("n_test", 32, 32), "dtype": "uint8", "values": ("0", "1")}]),
        (
            BULLETS,
            [{"file": "pred.npy", "shape": ("n_samples", 3), "least": 0.0, "most": 1.0, "follows": ("X_test.npy",)}],
        ),
        (
            NUMBERED,
            [
                {"file": "risk.tsv", "id": "pid", "shape": ()},
                {"file": "times.npy", "shape": ("N",), "dtype": "float64"},
            ],
        ),
        (
            TREE,
            [
                {"file": "jet/velocity.npy", "shape": (12, 16, 2), "dtype": "float32"},
                {"file": "cavity/velocity.npy", "shape": (12, 16, 2), "dtype": "float32"},
            ],
        ),
        ("`output/X/s.npy`: a one-dimensional array of float32", [{"file": "s.npy", "shape": ("n",)}]),
        ("`output/{instance}/s.npy` with shape `(len(X_test), )`, float64", [{"file": "s.npy", "shape": ("X_test",)}]),
        ('`output/{i}/r.json`:\n\n```json\n{"share": <float>}\n```\n', [{"example": {"share": 0.5}}]),
        ("`output/{instance}/a.txt`, a single integer", [{"file": "a.txt", "rows": 1, "dtype": "int64"}]),
        (
            IN_A_CELL,
            [{"file": "response.csv", "rows": 30}, {"file": "dose.npy", "shape": (30,), "least": None, "values": ()}],
        ),
        (
            BY_FILE,
            [
                {"file": "labels.npy", "shape": ("n",), "dtype": "int64", "least": 0.0, "most": 3.0},
                {"file": "scores.npy", "shape": ("n", 4), "dtype": "float32", "simplex": True},
            ],
        ),
    ],
)  # fmt: skip
def test_the_manners_of_others_are_read(text: str, facts: list[dict[str, Any]]) -> None:
    found = [one.as_form() for one in of(text)]
    assert [{name: form[name] for name in wanted} for form, wanted in zip(found, facts, strict=True)] == facts


def test_a_length_is_that_of_its_instance() -> None:
    readme = (
        f"## 5. Output Format\n\n{UPRIGHT}\n## 6. Submission\n\n```python\nINSTANCES = ['liver', 'spleen.ct']\n```\n"
    )
    assert set(asked_files(readme)[0].sizes) >= {("n_test", 10, "liver"), ("n_test", 8, "spleen.ct")}


def test_a_row_of_an_instance_is_of_that_alone() -> None:
    readme = f"## 5. Output Format\n\n{BY_INSTANCE}\n## 6. Submission\n\n```python\nINSTANCES = ['site', 'kd']\n```\n"
    sites, kd = asked_files(readme)
    assert (sites.file, sites.instance, sites.values, sites.each) == ("sites.json", "site", ("0", "1"), True)
    assert (kd.file, kd.instance, kd.example) == ("kd.json", "kd", {"id_1": 0.5})


def test_columns_are_read_from_a_cell_a_list_and_a_sentence() -> None:
    first, second = of(IN_A_CELL)[0].columns
    assert (first.name, second.name, second.least, second.most) == ("sample", "probability", 0.0, 1.0)
    assert [one.name for one in of(NUMBERED)[0].columns] == ["pid", "risk"]
    listed = of("`output/{instance}/r.tsv`\n**Columns:**\n1. `pid`: string\n2. `risk`: float, any finite number\n")
    assert [(one.name, one.dtype) for one in listed[0].columns] == [("pid", "string"), ("risk", "float64")]
    assert [(one.name, one.shape) for one in of(PLACES)[0].columns] == [
        ("obsm/X_emb", ("n_cells", 8)),
        ("obs/kind", ()),
    ]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("`output/{i}/p.npy`: a float64 array as large as the grid, in three dimensions", "shape"),
        ("`output/{i}/p.csv` with a header as usual", "columns"),
        ("`output/{i}/p.json`: an object that holds all answers", "keys"),
        ("`output/{i}/p.npy`, float64", ""),
        ("`output/{i}/p.csv`", ""),
    ],
)
def test_what_is_said_and_not_understood_is_told_from_what_is_not_said(text: str, unread: str) -> None:
    assert of(text)[0].unread == ((unread,) if unread else ())
