"""The funnel of screening: how many papers were screened, and how many stopped at which rule with which code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypedDict

from nature_gym.records import PaperFolder
from nature_gym.screening.decisions import RULES
from nature_gym.screening.review import SCREEN


class Step(TypedDict):
    """One rule: the papers that it stopped, by code (``undecided`` for those that wait), and how many are left."""

    rule: str
    stopped: dict[str, int]
    left: int


class Funnel(TypedDict):
    """All rules in their order."""

    screened: int
    verdicts: dict[str, int]
    rules: list[Step]


def funnel_by_rule(papers: Iterable[PaperFolder]) -> Funnel:
    """Count the verdicts of ``papers`` by the rule and code at which each stopped."""
    verdicts: Counter[str] = Counter()
    stops: dict[str, Counter[str]] = {rule: Counter() for rule in RULES}
    for paper in papers:
        record = paper.record(SCREEN)
        if record is None or record.status != "done":
            continue
        verdicts[record.verdict] += 1
        rule = record.facts.get("stopped_at")
        if rule in stops:
            stops[rule][record.facts.get("code") or record.verdict] += 1
    screened = left = sum(verdicts.values())
    rules: list[Step] = []
    for rule, codes in stops.items():
        left -= sum(codes.values())
        rules.append({"rule": rule, "stopped": dict(codes.most_common()), "left": left})
    return {"screened": screened, "verdicts": dict(verdicts), "rules": rules}
