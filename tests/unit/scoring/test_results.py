"""Tables of results and of a set's tasks: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.scoring.results import (
    COLUMNS,
    Result,
    ResultsError,
    of_the_set,
    read_cases,
    read_results,
    results_table,
)

HEADER = ",".join(COLUMNS)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Z")), min_size=1, max_size=12)
ROWS = st.lists(
    st.builds(
        Result,
        TEXT,
        TEXT,
        st.one_of(st.none(), st.floats(-5, 5).map(lambda value: round(value, 6))),
        st.sampled_from(["valid", "invalid", "not_applicable"]),
        TEXT,
    ),
    max_size=8,
    unique_by=lambda row: row.case_id,
)


def _table(folder: Path, *lines: str, header: str = HEADER) -> Path:
    path = folder / "results.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


@given(ROWS)
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, rows: list[Result]) -> None:
    path = tmp_path_factory.mktemp("table") / "results.csv"
    path.write_bytes(results_table(rows))
    assert read_results(path) == sorted(rows, key=lambda row: row.case_id)


def test_verdicts_that_are_none_are_unknown_and_columns_may_stand_anywhere(tmp_path: Path) -> None:
    path = _table(tmp_path, "0.25,VALID,a,x", "-1,perhaps,b,x", ",,c,x", header="best_score,judge_verdict,case_id,more")
    assert [(row.case_id, row.best_score, row.judge_verdict) for row in read_results(path)] == [
        ("a", 0.25, "valid"),
        ("b", -1.0, "unknown"),
        ("c", None, "unknown"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,ok,high,valid,", r"results.csv:3: best_score 'high' is no finite number"),
        ("a,ok,nan,valid,", r"results.csv:3: best_score 'nan'"),
        ("a,ok,inf,valid,", r"results.csv:3: best_score 'inf'"),
        ("first,ok,1,valid,", r"results.csv:3: the task first is there twice"),
        (" ,ok,1,valid,", r"results.csv:3: a row has no case_id"),
        ("a,ok,1,valid,why,more", r"results.csv:3: more values than columns"),
        ('a,ok,1,valid,"open', r"no table of text"),
    ],
)
def test_a_row_that_cannot_be_taken_is_told_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(ResultsError, match=message):
        read_results(_table(tmp_path, "first,ok,0.5,valid,", line))


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no column best_score"):
        read_results(_table(tmp_path, header="case_id,judge_verdict"))


def test_a_set_has_to_be_covered_and_no_more(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("\ufeffcase_id,domain\nb,Cells\na,Physics\n", encoding="utf-8")
    rows = [Result("a", "ok", 0.1, "valid"), Result("b", "ok", None, "not_applicable")]
    assert [row.case_id for row in of_the_set(rows, read_cases(cases))] == ["b", "a"]
    with pytest.raises(ResultsError, match=r"1 tasks of the set are missing \(b\)"):
        of_the_set(rows[:1], read_cases(cases))
    with pytest.raises(ResultsError, match=r"1 are not of the set \(c\)"):
        of_the_set([*rows, Result("c", "ok", 0.1, "valid")], read_cases(cases))


def test_a_task_without_a_domain_is_refused(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("case_id,domain\na,\n", encoding="utf-8")
    with pytest.raises(ResultsError, match=r"cases.csv:2"):
        read_cases(cases)
