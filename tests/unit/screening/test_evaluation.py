from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.demo.truth import write_truth_csv
from nature_gym.demo.world import build_world
from nature_gym.errors import UsageError
from nature_gym.screening.decisions import Decision, Verdict
from nature_gym.screening.evaluation import Label, compare, read_labels
from nature_gym.screening.record import Screening
from nature_gym.screening.task import TaskTuple


def screening(paper: str, rule: str | None, verdict: Verdict = "reject", code: str | None = None) -> Screening:
    decision = Decision(
        rule=rule or "3.6", verdict=verdict if rule else "pass", code=code, reason="", decider="rules", version="1"
    )
    ends: dict[Verdict, str] = {"reject": "rejected", "undecided": "undecided", "pass": "passed"}
    return Screening(
        id=paper,
        title="",
        verdict=ends[verdict] if rule else "passed",  # type: ignore[arg-type]
        stopped_at=rule,
        summary="",
        task=TaskTuple(),
        decisions=(decision,),
    )


LABELS = {
    "a": Label("passed", None, None),
    "b": Label("passed", None, None),
    "c": Label("rejected", "1.1", "non_computational"),
    "d": Label("rejected", "3.6", "too_large"),
    "e": Label("rejected", "3.6", "too_large"),
    "f": Label("passed", None, None),
}


def test_precision_recall_and_cells_by_hand() -> None:
    found = [
        screening("a", None),
        screening("b", "2.1"),
        screening("c", "1.1", code="non_computational"),
        screening("d", "3.6", code="size_unknown"),
        screening("e", None),
        screening("f", "1.1", "undecided"),
    ]
    comparison = compare(LABELS, found)
    assert comparison.precision == pytest.approx(1 / 2)  # a and e passed, a should
    assert comparison.recall == pytest.approx(1 / 3)  # of a, b, f only a passed
    assert comparison.agreed == 2  # a and c; d ends at the right rule with another code
    assert comparison.wrong_code == ["d"]
    assert comparison.by_place["passed", "undecided at 1.1"] == ["f"]
    assert comparison.by_decider == {"rules": {"right": 2, "wrong": 3, "undecided": 1}}


def test_papers_that_were_not_screened_are_missing_not_right() -> None:
    comparison = compare(LABELS, [])
    assert comparison.agreed == 0
    assert comparison.precision is None
    assert comparison.recall == 0.0
    assert {found for _, found in comparison.by_place} == {"missing"}


def test_papers_without_a_label_do_not_count() -> None:
    assert compare({}, [screening("z", None)]).papers == 0


def test_the_demos_truth_is_such_a_list(tmp_path: Path) -> None:
    world = build_world(0)
    write_truth_csv(world, tmp_path / "truth.csv")
    labels = read_labels(tmp_path / "truth.csv")
    assert len(labels) == len(world.entries)
    assert sum(label.place == "passed" for label in labels.values()) == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,verdict\nx,passed\n", "no column stopped_at, code"),
        ("id,verdict,stopped_at,code\nx,maybe,,\n", "line 2: the verdict is 'maybe'"),
        ("id,verdict,stopped_at,code\nx,rejected,,\n", "line 2: a rejected paper has a rule"),
        ("id,verdict,stopped_at,code\nx,passed,1.1,\n", "line 2: a rejected paper has a rule"),
        ("", "no column"),
    ],
)
def test_a_list_that_is_wrong_is_refused_at_its_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "truth.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_labels(path)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_bytes(b"\xff\xfe\x00id")
    with pytest.raises(UsageError, match="cannot be read"):
        read_labels(path)
