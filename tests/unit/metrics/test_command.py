"""``naturegym metrics`` and ``naturegym score``, as a user and as a program call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

COMMAND = Path(sys.executable).with_name("naturegym")


def run(*words: str, code: int = 0) -> str:
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def told(*words: str, code: int = 0) -> Any:
    return json.loads(run(*words, "--json", code=code))


def test_a_printed_score_is_read() -> None:
    assert told("score", "parse", "95.5 ± 0.2", "--direction", "higher_is_better") == {
        "value": 95.5,
        "unit": None,
        "form": "plus-minus",
    }
    assert told("score", "parse", "87.3%", "--direction", "higher_is_better")["unit"] == "%"
    assert told("score", "parse", "-0.5", "--direction", "lower_is_better")["value"] == -0.5
    assert run("score", "parse", "~0.97", "--direction", "higher_is_better") == "0.97 (approximate)\n"


def test_a_score_that_is_none_ends_with_one_and_the_reason() -> None:
    refusal = told("score", "parse", "10-fold: 0.9", "--direction", "higher_is_better", code=1)
    assert refusal["error"] == "two numbers with no relation that is known"
    read = told("score", "parse", "10-fold: 0.9", "--direction", "higher_is_better", "--mode", "naturebench")
    assert read["value"] == 10.0


@pytest.mark.parametrize(
    "words",
    [
        ["0.9"],
        ["0.9", "--direction", "up"],
        ["0.9", "--direction", "higher_is_better", "--mode", "other"],
        ["--nonsense", "--direction", "higher_is_better"],
    ],
)
def test_a_wrong_call_is_a_usage_error(words: list[str]) -> None:
    assert "error" in told("score", "parse", *words, code=2)


def test_a_gap_is_told() -> None:
    words = ["--anchor", "0.8 ± 0.1", "--direction", "higher_is_better"]
    assert told("score", "gap", "0.96", *words) == {
        "gap": pytest.approx(0.2),
        "anchor": 0.8,
        "matches": True,
        "surpasses": True,
    }
    assert told("score", "gap", "nan", *words)["gap"] == -1.0
    assert run("score", "gap", "0.4", *words) == "g = -0.500000: falls short of the paper's 0.8\n"
    assert "error" in told("score", "gap", "best", *words, code=2)
    assert "error" in told("score", "gap", "1", "--anchor", "0", "--direction", "lower_is_better", code=1)


def test_a_metric_is_computed_on_files(tmp_path: Path) -> None:
    np.save(tmp_path / "truth.npy", np.array([1.0, 2.0, 3.0]))
    (tmp_path / "answer.csv").write_text("y\n1\n2\n5\n")
    files = ["--reference", str(tmp_path / "truth.npy"), "--prediction", str(tmp_path / "answer.csv")]
    assert told("metrics", "compute", "MAE", *files) == {
        "metric": "mae",
        "value": pytest.approx(2 / 3),
        "direction": "lower_is_better",
    }
    assert "error" in told("metrics", "compute", "AUROC", *files, code=1)
    assert "error" in told("metrics", "compute", "nonsense", *files, code=2)
    assert "error" in told("metrics", "compute", "MAE", "--prediction", str(tmp_path / "answer.csv"), code=2)


def test_parameters_are_given_by_name_or_value_or_file(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("time,event\n1,1\n4,1\n9,0\n")
    np.save(tmp_path / "p.npy", np.full((3, 2), 0.5))
    np.save(tmp_path / "times.npy", np.array([2.0, 5.0]))
    files = ["--reference", str(tmp_path / "r.csv"), "--prediction", str(tmp_path / "p.npy")]
    found = told("metrics", "compute", "IBS", *files, "-p", f"times={tmp_path / 'times.npy'}")
    assert found["value"] == pytest.approx(0.25)
    assert "error" in told("metrics", "compute", "IBS", *files, "-p", "times", code=2)
    (tmp_path / "v.csv").write_text("0\n0\n1\n1\n")
    (tmp_path / "s.csv").write_text("4\n3\n2\n1\n")
    files = ["--reference", str(tmp_path / "v.csv"), "--prediction", str(tmp_path / "s.csv")]
    assert told("metrics", "compute", "Recall@3", *files)["value"] == 0.5
    assert told("metrics", "compute", "Recall@3", *files, "-p", "k=4")["value"] == 1.0


def test_metrics_are_listed_and_shown() -> None:
    listed = told("metrics", "list", "--family", "ranking")
    assert {"ndcg", "bedroc"} <= {one["name"] for one in listed}
    assert {one["family"] for one in listed} == {"ranking"}
    assert "error" in told("metrics", "list", "--family", "nonsense", code=2)
    shown = told("metrics", "show", "R²", "--source")
    assert shown["range"] == [None, 1]
    assert "def r2(" in shown["code"]
    assert "formula" in run("metrics", "show", "NDCG@10")
    assert told("metrics", "show", "NDCG@10")["parameters"]["k"] == 10


def test_metrics_are_tried() -> None:
    assert told("metrics", "test", "RMSE", "AUROC")["failed"] == 0
