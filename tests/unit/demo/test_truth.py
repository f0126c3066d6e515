"""The truth file holds everything, reads back, and names what is wrong with a file that is none."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from nature_gym.demo import fates
from nature_gym.demo.model import (
    RULES,
    CategoryTruth,
    Entry,
    MetricTruth,
    RuleTruth,
    SettingTruth,
    TaskTruth,
    Truth,
    World,
)
from nature_gym.demo.truth import follows_the_rules, read_truth, truth_document, write_truth, write_truth_csv
from nature_gym.errors import UsageError

TASK = TaskTruth(
    "regression",
    "Physical Modeling",
    "Method",
    ("Method (small)",),
    ("Ridge",),
    "label",
    (MetricTruth("RMSE", "lower_is_better", True, "Table 1"),),
    (
        SettingTruth(
            "Set A",
            True,
            development=("data/train.csv",),
            evaluation=("data/test.csv",),
            separability="trivial",
            split={"kind": "random", "seed": 13, "test_size": 0.2},
            sota={"RMSE": "0.21 ± 0.01"},
        ),
        SettingTruth("Set B", False, "cross-validation"),
    ),
)


@pytest.fixture
def world() -> World:
    entries = list(fates.entries(0)[:30])
    passing = Truth(tuple(RuleTruth(rule, "pass", note="seen") for rule in RULES), ("flaky_link",), TASK)
    entries[-1] = with_category(replace(entries[-1], truth=passing))
    return World(0, tuple(entries))


def with_category(entry: Entry) -> Entry:
    category = CategoryTruth("data/*.csv", "initial_state", "as downloaded")
    return replace(
        entry, repositories=tuple(replace(repository, categories=(category,)) for repository in entry.repositories)
    )


def test_what_is_written_reads_back(world: World, tmp_path: Path) -> None:
    write_truth(world, tmp_path / "truth.json")
    assert read_truth(tmp_path / "truth.json") == {entry.paper.id: entry.truth for entry in world.entries}


def test_the_document_states_verdict_and_repositories(world: World) -> None:
    record = truth_document(world)["papers"][world.entries[-1].paper.id]
    assert (record["verdict"], record["stopped_at"], record["code"]) == ("passed", None, None)
    assert record["task"]["settings"][0]["development"] == ("data/train.csv",)
    assert record["repositories"][0]["categories"] == [
        {"pattern": "data/*.csv", "category": "initial_state", "why": "as downloaded"}
    ]


def test_csv_has_one_line_a_paper(world: World, tmp_path: Path) -> None:
    write_truth_csv(world, tmp_path / "truth.csv")
    with (tmp_path / "truth.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [paper.id for paper in world.papers]
    assert rows[0] == {"id": rows[0]["id"], "verdict": "rejected", "stopped_at": "0", "code": "article_type:news"}
    assert rows[-1]["verdict"] == "passed"
    assert rows[-1]["stopped_at"] == ""


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"papers": {"x": {}}}', b'{"papers": {"x": {"rules": [1]}}}', b"\xff"]
)
def test_a_file_that_is_no_truth_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"other\.json"):
        read_truth(path)


@pytest.mark.parametrize(
    "rules",
    [
        (RuleTruth("2.1", "reject", "efficiency_metric"),),
        (RuleTruth("1.1", "reject", "too_large"),),
        (RuleTruth("1.1", "reject", "non_computational"), RuleTruth("2.1", "pass")),
        (RuleTruth("0", "reject", "article_type:poem"),),
        tuple(RuleTruth(rule, "pass") for rule in RULES),
    ],
    ids=[
        "skips a rule",
        "code of another rule",
        "goes on after the stop",
        "unknown article type",
        "passes without a task",
    ],
)
def test_a_truth_that_breaks_the_order_is_found(rules: tuple[RuleTruth, ...]) -> None:
    assert not follows_the_rules(Truth(rules))
