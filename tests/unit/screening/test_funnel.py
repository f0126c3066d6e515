"""The funnel by rule: every paper that was screened is counted once, where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.decisions import RULES
from nature_gym.screening.funnel import funnel_by_rule
from nature_gym.stages import Outcome, carry_out


class Ended:
    """Publishes how a paper's screening ended."""

    name = "screen"
    rules = "1"

    def __init__(self, verdict: str, stopped_at: str | None, code: str | None) -> None:
        self.ended = verdict, stopped_at, code

    def inputs(self, paper: PaperFolder) -> Any:
        return self.ended

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        verdict, stopped_at, code = self.ended
        return Outcome(verdict, facts={"stopped_at": stopped_at, "code": code})


def screened(home: Path, *ends: tuple[str, str | None, str | None]) -> Papers:
    papers = Papers(home)
    for number, end in enumerate(ends):
        carry_out(Ended(*end), papers[f"10.1_{number}"])
    return papers


def test_papers_stop_at_rules_with_codes_and_the_rest_is_left(tmp_path: Path) -> None:
    papers = screened(
        tmp_path,
        ("rejected", "1.1", "non_computational"),
        ("rejected", "1.1", "non_computational"),
        ("undecided", "1.1", None),
        ("rejected", "3.6", "too_large"),
        ("passed", None, None),
    )
    papers["10.1_unscreened"].path.mkdir()
    funnel = funnel_by_rule(papers)
    assert funnel["screened"] == 5
    assert funnel["verdicts"] == {"rejected": 3, "undecided": 1, "passed": 1}
    steps = {step["rule"]: (step["left"], step["stopped"]) for step in funnel["rules"]}
    assert list(steps) == list(RULES)
    assert steps["0"] == (5, {})
    assert steps["1.1"] == (2, {"non_computational": 2, "undecided": 1})
    assert steps["3.6"] == (1, {"too_large": 1})


@given(st.lists(st.sampled_from([*RULES, None]), max_size=6))
def test_whoever_is_left_in_the_end_has_passed(tmp_path_factory: Any, stops: list[str | None]) -> None:
    ends = [("passed" if stop is None else "rejected", stop, None) for stop in stops]
    funnel = funnel_by_rule(screened(tmp_path_factory.mktemp("papers"), *ends))
    assert funnel["rules"][-1]["left"] == stops.count(None)
    assert sum(sum(step["stopped"].values()) for step in funnel["rules"]) == len(stops) - stops.count(None)
