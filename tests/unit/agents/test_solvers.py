"""What the table solver understands of documents and data, and that its blend is not worse than its parts."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from nature_gym.agents.solvers import fitting
from nature_gym.agents.solvers.answers import Case, answers
from nature_gym.agents.solvers.fitting import blend, fit
from nature_gym.agents.solvers.grading import macro_f1, score_for, threshold
from nature_gym.agents.solvers.roles import Said, said
from nature_gym.agents.solvers.tables import Table, aligned, features, table_of
from nature_gym.agents.solvers.targets import Source, parts_of
from nature_gym.agents.solvers.writing import WRITERS, write_answer
from nature_gym.baseline.data import Data, NoAnswerError

DESCRIPTION = """### 3.1 `train.csv`

| Field | Role | Type |
|---|---|---|
| `key` | ID | string |
| `x1` to `x3` (3) | INPUT | float |
| `pixel_0_08` to `pixel_0_10` (3) | INPUT | int |
| `y` | TARGET | float |

### 3.2 `test.csv`

| Field | Role | Type |
|---|---|---|
| `key` | ID | string |
"""
README = """## 4. Evaluation Metrics

### Primary Metric

- **Name**: F1
- **Definition**: F1: 2 TP / (2 TP + FP + FN) (positive = M). Higher is better.

### Other Metrics

- **AUROC**

## 5. Output Format

| Column | Dtype | Values | Meaning |
|---|---|---|---|
| `p` | float | from 0 to 1 | probability that the mass is malignant |

## 6. Submission
"""


NOTHING = Said()
CHEAP = ("ridge", "splines", "logistic", "discriminant", "neighbours")


@pytest.fixture(autouse=True)
def cheap_models(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Forests and processes take seconds and change nothing of what these tests look at."""
    whole = fitting.makers
    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(fitting, "makers", lambda *given: {k: v for k, v in whole(*given).items() if k in CHEAP})


def column(name: str, dtype: str = "float", **rest: Any) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "least": None, "most": None, "values": (), **rest}


def form(file: str, columns: list[dict[str, Any]], key: str | None = "key", **rest: Any) -> dict[str, Any]:
    base = {"file": file, "format": file.rpartition(".")[2], "columns": columns, "id": key, "rows": None,
            "follows": (), "shape": (), "dtype": "", "least": None, "most": None, "values": (),
            "example": None, "free": False}  # fmt: skip
    return {**base, **rest}


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def made(folder: Path, wanted: dict[str, Any], told: Said = NOTHING) -> dict[str, dict[str, list[Any]]]:
    return dict(answers(Case(wanted, Data(folder), told, 0, 60.0)))


def test_documents_give_roles_spans_of_names_the_metric_and_the_positive_class() -> None:
    found = said(README, DESCRIPTION)
    assert found.roles["train.csv"] == {
        "key": "ID", "x1": "INPUT", "x2": "INPUT", "x3": "INPUT", "pixel_0_08": "INPUT", "pixel_0_09": "INPUT",
        "pixel_0_10": "INPUT", "y": "TARGET",
    }  # fmt: skip
    assert found.of("train.csv", "TARGET") == ["y"]
    assert found.of("test.csv", "TARGET") == []
    assert "f1" in found.metric
    assert "auroc" not in found.metric
    assert found.positive == "M"
    assert found.meanings == {"p": "probability that the mass is malignant"}


def test_texts_become_columns_or_counts_of_letters_and_empty_cells_stay_empty(tmp_path: Path) -> None:
    rows = [{"n": one or "", "kind": "ab"[one % 2], "sequence": "ACGT"[one % 4] * (one + 1)} for one in range(12)]
    write_csv(tmp_path / "i" / "train.csv", rows)
    table = table_of(Data(tmp_path / "i"), "train.csv")
    assert np.isnan(table.columns["n"][0])
    assert table.columns["n"][1:].tolist() == list(range(1, 12))
    pair = features(table, table, ["n"])
    assert pair is not None
    kinds, sequences = pair[0][:, :2], pair[0][:, 2:]
    assert kinds.sum(axis=1).tolist() == [1.0] * 12
    assert sequences[:, 0].tolist() == list(range(1, 13))  # the length is the first of a sequence's numbers
    assert sequences[3, 1:].max() == 4.0  # TTTT has four T


def test_inputs_that_drifted_are_brought_back_to_the_training_inputs_mean_and_spread() -> None:
    generator = np.random.default_rng(0)
    ours = generator.normal(5.0, 2.0, (400, 3))
    moved = aligned(ours, generator.normal(-1.0, 9.0, (400, 3)))
    assert np.allclose(moved.mean(axis=0), ours.mean(axis=0))
    assert np.allclose(moved.std(axis=0), ours.std(axis=0))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([column("y")], [("y", "", False)]),
        ([column("predicted_y")], [("y", "", False)]),
        ([column("answer")], [("y", "", False)]),
        ([column("p_barolo"), column("p_barbera")], [("y", "barolo", True), ("y", "barbera", True)]),
        ([column("probability", least=0, most=1)], [("y", "barolo", True)]),
        ([column("z")], [("z", "", False)]),
    ],
)
def test_columns_of_an_answer_are_told_by_target_class_or_the_only_target(
    columns: list[dict[str, Any]], expected: list[tuple[str, str, bool]]
) -> None:
    y, z = Source("train.csv", "y"), Source("train.csv", "z")
    parts = parts_of(columns, [y, z], {y: ["barbera", "barolo"]}, Said())
    assert parts is not None
    assert [(one.source.column, one.label, one.is_probability) for one in parts] == expected


def test_without_a_target_no_column_is_told() -> None:
    assert parts_of([column("y")], [], {}, Said()) is None


def test_a_quantity_is_answered_for_each_id_within_its_limits(tmp_path: Path) -> None:
    draw = random.Random(0)
    rows = [
        {"key": f"k{one}", "x": (x := draw.uniform(-3, 3)), "noise": draw.random(), "y": 2 * x} for one in range(80)
    ]
    write_csv(tmp_path / "i" / "train.csv", rows[:60])
    write_csv(
        tmp_path / "i" / "test.csv", [{"key": one["key"], "x": one["x"], "noise": one["noise"]} for one in rows[60:]]
    )
    found = made(tmp_path / "i", form("p.csv", [column("key", "string"), column("y", least=-4.0, most=4.0)]))
    answer = found["blend"]
    assert answer["key"] == [one["key"] for one in rows[60:]]
    assert np.allclose(answer["y"], np.clip([one["y"] for one in rows[60:]], -4, 4), atol=0.1)


def test_classes_and_the_probability_of_the_positive_one_agree(tmp_path: Path) -> None:
    draw = random.Random(1)
    rows = [{"key": one, "x": draw.gauss(3.0 * (one % 2), 1.0), "kind": "BM"[one % 2]} for one in range(120)]
    write_csv(tmp_path / "i" / "train.csv", rows[:90])
    write_csv(tmp_path / "i" / "test.csv", [{"key": one["key"], "x": one["x"]} for one in rows[90:]])
    columns = [column("key", "string"), column("kind", "string", values=("B", "M")), column("p", least=0, most=1)]
    answer = made(tmp_path / "i", form("p.csv", columns), said(README, ""))["blend"]
    truth = [one["kind"] for one in rows[90:]]
    assert sum(one == other for one, other in zip(answer["kind"], truth, strict=True)) >= 26
    means = [np.mean([p for p, kind in zip(answer["p"], truth, strict=True) if kind == one]) for one in "MB"]
    assert means[0] > 0.8
    assert means[1] < 0.2


def test_targets_that_are_missing_in_some_rows_are_learned_from_the_others(tmp_path: Path) -> None:
    rows = [{"key": one, "x": one / 10, "a": "" if one % 2 else one, "b": -one if one % 3 else ""} for one in range(60)]
    write_csv(tmp_path / "i" / "train.csv", rows)
    write_csv(tmp_path / "i" / "test.csv", [{"key": "q", "x": 2.05}, {"key": "r", "x": 4.05}])
    answer = made(tmp_path / "i", form("p.csv", [column("key", "string"), column("a"), column("b")]))["blend"]
    assert np.allclose(answer["a"], [20.5, 40.5], atol=0.5)
    assert np.allclose(answer["b"], [-20.5, -40.5], atol=0.5)


def test_inputs_and_labels_in_arrays_of_their_own_are_put_together(tmp_path: Path) -> None:
    generator = np.random.default_rng(2)
    (tmp_path / "i").mkdir()
    inputs = generator.normal(size=(90, 2, 2))
    labels = (inputs[:, 0, 0] > 0).astype(int)
    for name, values in {"X_train": inputs[:60], "y_train": labels[:60], "X_test": inputs[60:]}.items():
        np.save(tmp_path / "i" / f"{name}.npy", values)
    wanted = form("y.npy", [], None, rows=30, dtype="int64", follows=("X_test.npy",))
    answer = made(tmp_path / "i", wanted, Said(metric="accuracy"))["blend"]
    assert np.mean(np.array(answer[""]) == labels[60:]) > 0.85


def test_rows_without_labels_are_grouped(tmp_path: Path) -> None:
    generator = np.random.default_rng(3)
    (tmp_path / "i").mkdir()
    truth = np.arange(90) % 3
    np.save(tmp_path / "i" / "points.npy", generator.normal(size=(90, 2)) * 0.1 + truth[:, None] * 5)
    wanted = form("g.npy", [], None, rows=90, dtype="int64", least=1, most=3, follows=("points.npy",))
    for answer in made(tmp_path / "i", wanted).values():
        assert len({(one, other) for one, other in zip(truth, answer[""], strict=True)}) == 3
        assert set(answer[""]) == {1, 2, 3}


def test_a_query_gets_items_of_its_class_first(tmp_path: Path) -> None:
    generator = np.random.default_rng(4)

    def rows(prefix: str, count: int, named: bool) -> list[dict[str, Any]]:
        found = []
        for one in range(count):
            x, y = generator.normal(size=2) * 0.3 + np.array([(0, 0), (3, 0), (0, 3)][one % 3])
            found.append({"key": f"{prefix}{one}", "x": x, "y": y, **({"symbol": one % 3} if named else {})})
        return found

    for file, prefix, count in (("train", "t", 60), ("gallery", "g", 30), ("queries", "q", 9)):
        write_csv(tmp_path / "i" / f"{file}.csv", rows(prefix, count, file == "train"))
    columns = [column("key", "string"), *(column(f"rank_{one}", "string") for one in range(1, 6))]
    found = made(tmp_path / "i", form("r.csv", columns, follows=("queries.csv",)))
    assert set(found) == {"classes and nearness", "classes", "nearness"}
    answer = found["classes"]
    for place, query in enumerate(answer["key"]):
        for rank in range(1, 6):
            assert int(answer[f"rank_{rank}"][place][1:]) % 3 == int(query[1:]) % 3


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    write_csv(tmp_path / "i" / "test.csv", [{"key": "a", "x": 1}])
    with pytest.raises(NoAnswerError):
        made(tmp_path / "i", form("p.csv", [column("key", "string"), column("y")]))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**31), models=st.integers(1, 5))
def test_the_blend_is_no_worse_than_any_model_on_the_rows_it_is_chosen_on(seed: int, models: int) -> None:
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=30)
    guesses = {str(one): truth + generator.normal(size=30) for one in range(models)}
    score = score_for("rmse", None)(truth)
    weights = blend(guesses, score)
    assert sum(weights.values()) == pytest.approx(1.0)
    mixed = sum(weight * guesses[name] for name, weight in weights.items())
    assert score(mixed) >= max(map(score, guesses.values())) - 1e-9


@pytest.mark.slow
def test_the_same_seed_gives_the_same_models_and_no_time_gives_one() -> None:
    generator = np.random.default_rng(5)
    inputs = generator.normal(size=(60, 3))
    target = inputs[:, 0] + generator.normal(size=60)
    with threadpool_limits(1):  # as the solver has it: two threads a fit take five times as long
        once, again = (fit(inputs, target, None, score_for("rmse", None), 7, 1e6) for _ in range(2))
    assert once.scores == again.scores
    assert np.array_equal(once.predict("blend", inputs), again.predict("blend", inputs))
    assert set(fit(inputs, target, None, score_for("rmse", None), 7, 0.0).models) == {"ridge"}


def test_scores_follow_the_metric() -> None:
    truth = np.array([0, 0, 1, 1])
    sure, unsure = (np.array([[1 - p, p] for p in row]) for row in ((0.4, 0.45, 0.55, 0.6), (0.01, 0.6, 0.55, 0.99)))
    two = np.array([0, 1])
    assert score_for("auroc", two)(truth)(sure) == 1.0
    assert score_for("auroc", two)(truth)(unsure) == 0.75
    assert score_for("f1", two)(truth)(sure) > score_for("f1", two)(truth)(unsure)
    assert macro_f1(truth, np.array([0, 1, 1, 1])) == pytest.approx((2 / 3 + 4 / 5) / 2)
    ordered = score_for("spearman", None)(np.array([1.0, 2.0, 3.0]))
    assert (ordered(np.array([0.0, 5.0, 900.0])), ordered(np.array([3.0, 2.0, 1.0]))) == pytest.approx((1.0, -1.0))
    assert score_for("mean absolute error", None)(np.array([0.0, 0.0]))(np.array([1.0, 3.0])) == -2.0


def test_the_positive_class_is_cut_where_f1_is_best_and_at_a_half_otherwise() -> None:
    truth = np.array([True, True, False, False])
    probability = np.array([0.9, 0.3, 0.25, 0.1])
    assert 0.25 < threshold(truth, probability, "f1") <= 0.3
    assert threshold(truth, probability, "accuracy") == 0.5
    assert threshold(truth, probability, "macro f1") == 0.5


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "npz"])
def test_an_answer_is_written_in_the_order_of_its_form(kind: str, tmp_path: Path) -> None:
    wanted = form(f"p.{kind}", [column("key", "string"), column("y")])
    path = tmp_path / "deep" / f"p.{kind}"
    write_answer(path, wanted, {"y": [1.5, 2.0], "key": ["a", "b"]})
    rows = [{"key": "a", "y": 1.5}, {"key": "b", "y": 2.0}]
    if kind in ("csv", "tsv"):
        assert path.read_text() == "key,y\na,1.5\nb,2.0\n".replace(",", "\t" if kind == "tsv" else ",")
    elif kind == "npz":
        with np.load(path) as found:
            assert (found["key"].tolist(), found["y"].tolist()) == (["a", "b"], [1.5, 2.0])
    else:
        text = path.read_text()
        assert (json.loads(text) if kind == "json" else [json.loads(one) for one in text.splitlines()]) == rows
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert kind in WRITERS


def test_an_object_by_id_is_written_as_the_example_has_it(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    write_answer(path, form("p.json", [], example={"id-1": 0.5}), {"key": ["a"], "y": [2.0]})
    assert json.loads(path.read_text()) == {"a": 2.0}
    write_answer(path, form("p.json", [], example={"answers": [{"key": "a"}]}), {"key": ["a"], "y": [2.0]})
    assert json.loads(path.read_text()) == {"answers": [{"key": "a", "y": 2.0}]}


def test_tables_that_name_the_same_inputs_differently_are_matched_by_their_place() -> None:
    ours = Table("train", 2, {"p0": np.array([1.0, 2.0]), "p1": np.array([3.0, 4.0])})
    theirs = Table("test", 3, {"images": np.arange(6.0).reshape(3, 2)})
    pair = features(ours, theirs, [])
    assert pair is not None
    assert pair[0].tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert pair[1].shape == (3, 2)
