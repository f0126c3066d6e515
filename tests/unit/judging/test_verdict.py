"""What several judges say together, and how verdicts are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from nature_gym.judging.policy import CATEGORIES, INVALID
from nature_gym.judging.verdict import (
    Verdict,
    Word,
    read_outcome,
    read_verdicts,
    together,
    verdict_path,
    write_outcome,
    write_verdict,
)
from tests.unit.judging.test_agreement import said


def test_there_are_twelve_categories_each_with_its_words() -> None:
    assert len(CATEGORIES) == 12
    assert set(INVALID) == set(CATEGORIES)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"forensic": "valid"}, "valid"),
        ({"forensic": "error"}, "error"),
        ({"forensic": "valid", "llm:a": "error"}, "error"),
        ({"forensic": "valid", "llm:a": "valid", "llm:b": "error"}, "error"),
        ({"forensic": "valid", "llm:a": "invalid"}, "error"),
        ({"forensic": "valid", "llm:a": "valid", "llm:b": "invalid"}, "valid"),
        ({"forensic": "valid", "llm:a": "invalid", "llm:b": "invalid"}, "invalid"),
        ({"forensic": "invalid", "llm:a": "valid", "llm:b": "valid"}, "invalid"),
        ({"forensic": "invalid", "llm:a": "error"}, "invalid"),
        ({}, "error"),
    ],
)
def test_the_outcome_of_a_panel(words: dict[str, Word], expected: str) -> None:
    found = together([said(judge, word) for judge, word in words.items()])
    assert found.verdict == expected
    assert found.judges == words
    assert bool(found.categories) == (expected == "invalid")


@given(st.dictionaries(st.sampled_from("abcde"), st.sampled_from(["valid", "invalid", "error"])))
def test_an_error_is_never_a_pass(words: dict[str, Word]) -> None:
    found = together([said(judge, word) for judge, word in words.items()])
    if "error" in words.values() or not words:
        assert found.verdict != "valid"


def test_an_invalid_verdict_without_a_category_is_none() -> None:
    with pytest.raises(ValidationError):
        Verdict(judge="a", version="1", verdict="invalid", reason="r")
    with pytest.raises(ValidationError):
        Verdict(judge="a", version="1", verdict="valid", reason="r", categories=("hard_coded",))


def test_verdicts_are_kept_one_a_judge_whatever_its_name(tmp_path: Path) -> None:
    names = ["forensic", "llm:org/model", "llm:org-model", "llm:../../escape"]
    for name in names:
        write_verdict(tmp_path, said(name, "valid"))
    write_verdict(tmp_path, said("forensic", "error"))
    kept = {one.judge: one.verdict for one in read_verdicts(tmp_path)}
    assert kept == {**dict.fromkeys(names, "valid"), "forensic": "error"}
    assert {verdict_path(tmp_path, name).parent for name in names} == {tmp_path / "verdicts"}


def test_a_verdict_that_was_damaged_is_none(tmp_path: Path) -> None:
    write_verdict(tmp_path, said("forensic", "valid"))
    verdict_path(tmp_path, "forensic").write_bytes(b'{"verdict": "valid"')
    assert read_verdicts(tmp_path) == ()
    assert read_outcome(tmp_path) is None
    write_outcome(tmp_path, together([said("forensic", "valid")]))
    kept = read_outcome(tmp_path)
    assert kept is not None
    assert kept.verdict == "valid"
