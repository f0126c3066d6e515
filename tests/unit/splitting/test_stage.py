"""Splitting in a paper's life: current until the task or its data change, failed where the task is wrong."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pandas as pd
import pytest
import yaml

from nature_gym.records import Papers
from nature_gym.splitting.stage import SplitStage, splittable
from nature_gym.stages import Result, carry_out
from tests.faults import killed_after, with_room_for
from tests.unit.splitting.conftest import document

KILLS = int(os.environ.get("KILLS") or 6)
PARTS = [
    {"file": f"{part}.{suffix}", "take": f"data/big.{suffix}", "part": f"{suffix}/{part}", "role": role}
    for suffix in ("csv", "parquet")
    for part, role in (("train", "development"), ("test", "inputs"))
]
SPLITS = {
    "csv": {"kind": "random", "of": "data/big.csv", "seed": 3, "size": 0.3, "parts": ["train", "test"]},
    "parquet": {"kind": "expression", "of": "data/big.parquet", "parts": {"train": "x < 900", "test": "x >= 900"}},
}


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    papers = Papers(tmp_path / "papers")
    cut = tmp_path / "papers/10.5555_a/cut"
    (cut / "data").mkdir(parents=True)
    (cut / "data/all.csv").write_text("id,x\na,1\nb,2\n")
    (cut / "task.yaml").write_text(yaml.safe_dump(document()))
    return papers


def test_it_is_made_once_and_again_when_data_change(papers: Papers) -> None:
    paper = papers["10.5555_a"]
    assert splittable(papers) == ["10.5555_a"]
    assert carry_out(SplitStage(), paper).kind == "done"
    assert carry_out(SplitStage(), paper).kind == "current"
    record = paper.record("split")
    assert record is not None
    assert "problem/data/main/all.csv" in record.outputs
    (paper.path / "cut/data/all.csv").write_text("id,x\na,1\nb,2\nc,3\n")
    assert carry_out(SplitStage(), paper).kind == "done"
    assert paper.record("split").facts["digest"] != record.facts["digest"]  # type: ignore[union-attr]


def test_a_task_that_is_wrong_or_not_there_is_the_papers_failure(papers: Papers) -> None:
    paper = papers["10.5555_a"]
    (paper.path / "cut/task.yaml").write_text("id: [\n")
    assert carry_out(SplitStage(), paper).kind == "failed"
    (paper.path / "cut/task.yaml").unlink()
    assert carry_out(SplitStage(), paper).reason == "there is no task.yaml"
    assert splittable(papers) == []


@pytest.fixture
def larger(papers: Papers) -> Papers:
    """The paper with a split of text and one of Parquet."""
    cut = papers["10.5555_a"].path / "cut"
    frame = pd.DataFrame({"id": [f"row {n}" for n in range(3000)], "x": range(3000)})
    frame.to_csv(cut / "data/big.csv", index=False)
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT * FROM '{cut}/data/big.csv') TO '{cut}/data/big.parquet'")
    (cut / "task.yaml").write_text(yaml.safe_dump(document(splits=SPLITS, files=PARTS)))
    return papers


def test_killed_at_any_moment_and_run_again_it_is_the_same(larger: Papers) -> None:
    paper = larger["10.5555_a"]
    assert carry_out(SplitStage(), paper).kind == "done"
    wanted = paper.record("split").facts["digest"]  # type: ignore[union-attr]
    scope = "nature_gym.splitting"

    def again() -> Result:
        return carry_out(SplitStage(), paper, force=True)

    most = 1024
    while killed_after(most, again, scope=scope):
        most *= 2
    chance = random.Random(4)
    kills = 0
    for _ in range(KILLS):
        kills += killed_after(chance.randint(1, most), again, scope=scope)
        record = paper.record("split")
        assert record is not None
        assert record.facts["digest"] == wanted, "what was there stays until the new is whole"
    assert kills >= KILLS // 3
    assert again().kind == "done"
    assert paper.record("split").facts["digest"] == wanted  # type: ignore[union-attr]
    assert len(list(paper.path.glob(".split.*"))) <= 2, "what the dead ones left is swept up"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_disk_that_fills_up_is_an_error_of_ours_and_leaves_what_was_there(larger: Papers, suffix: str) -> None:
    paper = larger["10.5555_a"]
    files = [one for one in PARTS if one["file"].endswith(suffix)]
    task = document(splits={suffix: SPLITS[suffix]}, files=files)
    (paper.path / "cut/task.yaml").write_text(yaml.safe_dump(task))

    def told() -> str:
        result = carry_out(SplitStage(), paper)
        return f"{result.kind}: {result.reason}"

    assert carry_out(SplitStage(), paper).kind == "done"
    before = paper.publication("split")
    with (paper.path / f"cut/data/big.{suffix}").open("ab") as file:
        file.write(b"row 3000,3000\n" if suffix == "csv" else b"")
    os.utime(paper.path / f"cut/data/big.{suffix}", ns=(1, 1))
    assert with_room_for(6_000, told).startswith("error: ")
    assert paper.publication("split") == before
    assert carry_out(SplitStage(), paper).kind == "done"


def test_names_of_other_letters_and_of_250_bytes_are_split_and_longer_ones_are_told(papers: Papers) -> None:
    paper = papers["10.5555_a"]
    long = "ä" * 123 + ".csv"  # 250 bytes
    (paper.path / "cut/data" / long).write_text("id,x\na,1\n")
    for name, kind in ((long, "done"), ("ö" * 126 + ".csv", "failed")):
        files = [{"file": name, "take": f"data/{long}", "role": "inputs"}]
        (paper.path / "cut/task.yaml").write_text(yaml.safe_dump(document(files=files)))
        result = carry_out(SplitStage(), paper)
        assert result.kind == kind, result
    assert "cannot be a file" in result.reason
