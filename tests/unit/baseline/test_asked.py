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
