"""Answers survive whatever happens while one is being kept; forms and queues are told by what is on the disk."""

from __future__ import annotations

import datetime as dt
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.records import PaperFolder
from nature_gym.screening.decisions import CODES, RULES, Decision
from nature_gym.screening.review import ANSWERS, HUMAN, STAGE, answer, answers, codes_of, history
from tests.faults import instructions_of, killed_after

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
MOMENTS = 25


def said(rule: str, reason: str) -> Decision:
    return Decision(rule=rule, verdict="pass", reason=reason, decider=HUMAN, version="1", by="me", at=NOW)


@pytest.fixture
def paper(tmp_path: Path) -> PaperFolder:
    folder = PaperFolder(tmp_path, "10.1_a")
    folder.path.mkdir()
    return folder


def test_an_answer_that_was_being_kept_at_a_kill_is_there_or_not_and_the_earlier_ones_are(paper: PaperFolder) -> None:
    answer(paper, said("1.1", "first"))
    kept = ["first"]
    length = instructions_of(lambda: answer(PaperFolder(paper.path.parent / "trial", "10.1_b"), said("1.1", "trial")))
    for moment in random.Random(1).sample(range(1, length), MOMENTS):
        reason = f"at {moment}"
        assert killed_after(moment, lambda reason=reason: answer(paper, said("2.1", reason)))  # type: ignore[misc]
        found = [one.reason for one in history(paper)]
        assert found in (kept, [*kept, reason])
        kept = found
    answer(paper, said("2.1", "last"))
    assert [one.reason for one in history(paper)] == [*kept, "last"]
    assert answers(paper)["2.1"].reason == "last"
    assert answers(paper)["1.1"].reason == "first"


def test_answers_that_are_given_at_the_same_time_are_all_kept(paper: PaperFolder) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: answer(paper, said("1.1", f"{number}")), range(20)))
    assert sorted(int(one.reason) for one in history(paper)) == list(range(20))


def test_answers_that_cannot_be_read_are_told_and_not_written_over(paper: PaperFolder) -> None:
    answer(paper, said("1.1", "first"))
    published = paper.published(STAGE)
    assert published is not None
    (published.folder / ANSWERS).write_text("[{")
    with pytest.raises(InfrastructureError, match="cannot be read"):
        answer(paper, said("2.1", "second"))
    assert (published.folder / ANSWERS).read_text() == "[{"


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_codes_to_reject_with(rule: str) -> None:
    codes = codes_of(rule)
    assert codes
    assert len(set(codes)) == len(codes)
    assert rule == "0" or codes == CODES[rule]
