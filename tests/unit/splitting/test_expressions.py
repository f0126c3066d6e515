"""Expressions come from task files that people and deciders write after hostile papers."""

from __future__ import annotations

import contextlib
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import NatureGymError
from nature_gym.splitting.database import locked_in
from nature_gym.splitting.expressions import check_expression
from nature_gym.splitting.faults import SplitError

COLUMNS = ["age", "split", "Ns", "two words"]


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("age > 18 AND split = 'train'", {"age", "split"}),
        ("AGE IN (1, 2) OR split LIKE 'a%'", {"age", "split"}),
        ("regexp_matches(split, '^a') AND \"two words\" IS NOT NULL", {"split", "two words"}),
        ("CASE WHEN age BETWEEN 1 AND 2 THEN true ELSE age::INT = 3 END", {"age"}),
        ("true -- a comment", set()),
    ],
)
def test_what_looks_at_the_row_may_be_said(expression: str, named: set[str]) -> None:
    assert check_expression(expression, COLUMNS) == named


@pytest.mark.parametrize(
    "expression",
    [
        "(SELECT 1)", "EXISTS (SELECT 1)", "age IN (SELECT 1)", "1) FROM (VALUES (1)) t(x", "1); SELECT (2",
        "1); DROP TABLE (x", "1) UNION SELECT (1", "1) GROUP BY (age", "1) HAVING (true", "1) QUALIFY (true",
        "1) USING SAMPLE (1", "1) LIMIT (1", "1), (2", "sum(age) > 1", "row_number() OVER () = 1", "#1", "$1", "?",
        "COLUMNS(*)", "*", "list_filter([1], x -> true)", "read_csv('/etc/passwd')", "getenv('HOME')", "random() < 0.5",
        "now() > '2020'", "current_setting('memory_limit')", "repeat('x', 1000000000)", "pragma_version()",
        "main.getenv('HOME')", "agee > 1", "age.x > 1", "t.age > 1", "DISTINCT age", "", ")", "1 +", "\0", "a" * 20_000,
        "(" * 3000 + "1" + ")" * 3000, "age" + "+1" * 4000, "nextval('x')", "query('SELECT 1')", "version()",
        "1) AS BOOLEAN), CAST((1",
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_words(expression: str) -> None:
    with pytest.raises(SplitError) as caught:
        check_expression(expression, COLUMNS)
    assert caught.value.hint
    assert len(caught.value.message) < 1000


@given(st.text(alphabet="age ()',;*-/\"#$?=SELCTFROM1\n\\", max_size=40))
def test_no_text_does_anything_but_name_columns_or_be_refused(text: str) -> None:
    with contextlib.suppress(SplitError):
        assert check_expression(text, COLUMNS) <= set(COLUMNS)


def test_names_that_differ_in_case_alone_are_refused_and_not_guessed() -> None:
    with pytest.raises(SplitError, match="differ in their case"):
        check_expression("age > 1", ["age", "Age"])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM 'https://example.org/a.csv'",
        "COPY (SELECT 1) TO '/tmp/naturegym-written.csv'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "ATTACH '/tmp/naturegym-other.db'",
        "SET enable_external_access = true",
        "SET memory_limit = '100GB'",
        "RESET allowed_paths",
    ],
)
def test_even_sql_that_got_through_reaches_nothing(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    with pytest.raises(NatureGymError), locked_in([path]) as connection:
        connection.execute(sql).fetchall()
    with locked_in([path]) as connection:
        assert connection.execute(f"SELECT * FROM read_csv('{path}')").fetchall() == [(1,)]


def test_faults_of_the_disk_are_not_the_tasks(tmp_path: Path) -> None:
    from nature_gym.errors import InfrastructureError

    with pytest.raises(InfrastructureError), locked_in([tmp_path / "a.csv"]):
        raise duckdb.IOException("No space left on device")
