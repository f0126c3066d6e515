"""Splitting in a paper's life: current until the task or its data change, failed where the task is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from nature_gym.records import Papers
from nature_gym.splitting.stage import SplitStage, splittable
from nature_gym.stages import carry_out
from tests.unit.splitting.conftest import document


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
