"""A link that could not be looked at is never a reason to reject, alone or beside links that tell."""

from __future__ import annotations

import pytest

from nature_gym.screening.rules import RulesDecider
from tests.unit.screening.papers import case, manuscript

ONE, OTHER = "https://zenodo.org/records/123", "https://lab.example.edu/sets"
TEXT = f"The training structures are at {ONE}. The test structures are at {OTHER}."


def decided(rule: str, told: dict[str, str]) -> str:
    return RulesDecider().decide(rule, case(manuscript(TEXT), told)).decision.verdict


@pytest.mark.parametrize("seen", ["not_found", "error"])
def test_what_is_left_could_not_be_looked_at(seen: str) -> None:
    assert decided("3.1", {ONE: seen, OTHER: "error"}) == "undecided"


def test_a_size_may_stand_behind_the_link_that_was_not_seen() -> None:
    assert decided("3.6", {ONE: "accessible", OTHER: "error"}) == "undecided"
    assert decided("3.6", {ONE: "accessible", OTHER: "accessible"}) == "reject"


@pytest.mark.parametrize("rule", ["3.1", "3.2", "3.3", "3.4", "3.6"])
def test_no_rule_rejects_where_nothing_was_seen(rule: str) -> None:
    assert decided(rule, {ONE: "error", OTHER: "error"}) != "reject"
