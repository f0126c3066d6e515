"""Every paper stands at one step, and the numbers of the funnel add up, also in its drawing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reporting.life import NAMES, Standing, standing_of, steps_of
from nature_gym.reporting.sankey import MOST_ENDS, STREAM, sankey


def paper(stages: dict[str, str], *, rule: str = "", code: str = "", errors: tuple[str, ...] = ()) -> dict[str, Any]:
    """Stage -> verdict; ``failed`` is a status."""
    told = {
        name: {"status": "failed" if verdict == "failed" else "done", "verdict": verdict}
        for name, verdict in stages.items()
    }
    return {
        "stages": told, "errors": {name: {"error": "OSError"} for name in errors}, "rule": rule, "code": code,
    }  # fmt: skip


ALL = {
    "harvest": "done", "fetch": "done", "read": "done", "screen": "passed", "acquire": "acquired", "cut": "drafted",
    "build": "built",
}  # fmt: skip


def until(stage: str) -> dict[str, str]:
    names = list(ALL)
    return {name: ALL[name] for name in names[: names.index(stage) + 1]}


def stopped(verdict: str, rule: str, code: str = "") -> dict[str, Any]:
    return paper(until("read") | {"screen": verdict}, rule=rule, code=code)


@pytest.mark.parametrize(
    ("found", "step", "kind", "why"),
    [
        (paper({}), "harvest", "waiting", "waiting"),
        (paper(until("harvest") | {"fetch": "no_access"}), "fetch", "rejected", "no access"),
        (paper(until("fetch"), errors=("read",)), "read", "error", "error: OSError"),
        (paper(until("fetch") | {"read": "failed"}), "read", "failed", "unusable input"),
        (paper(until("read")), "screen:0", "waiting", "waiting"),
        (stopped("rejected", "0", "article_type:news"), "screen:0", "rejected", "0 article type: news"),
        (stopped("rejected", "2.1", "model_analysis"), "screen:2", "rejected", "2.1 model analysis"),
        (stopped("undecided", "3.4"), "screen:3", "waiting", "3.4 undecided"),
        (paper({"read": "done", "screen": "passed"}), "acquire", "waiting", "waiting"),
        (paper(ALL, errors=("fetch",)), "build", "waiting", "its package is not there"),
    ],
)  # fmt: skip
def test_a_paper_stands_where_it_did_not_get_through(found: dict[str, Any], step: str, kind: str, why: str) -> None:
    standing = standing_of(found, None)
    assert (standing.step, standing.kind, standing.why) == (step, kind, why)


@pytest.mark.parametrize(
    ("package", "step", "kind", "why"),
    [
        ({"checked": False, "failing": [], "verdict": ""}, "check", "waiting", "waiting"),
        ({"checked": True, "failing": ["C1.1"], "verdict": "admit"}, "check", "rejected", "checks failed"),
        ({"checked": True, "failing": [], "verdict": ""}, "calibrate", "waiting", "waiting"),
        ({"checked": True, "failing": [], "verdict": "drop"}, "calibrate", "rejected", "drop"),
        ({"checked": True, "failing": [], "verdict": "admit"}, "calibrate", "end", "admit"),
    ],
)
def test_a_built_paper_stands_where_its_package_does(package: dict[str, Any], step: str, kind: str, why: str) -> None:
    standing = standing_of(paper(ALL), package)
    assert (standing.step, standing.kind, standing.why) == (step, kind, why)


def test_a_paper_that_was_rejected_after_it_had_gone_further_stands_at_the_rejection() -> None:
    found = paper(ALL | {"screen": "rejected"}, rule="1.1", code="other_out_of_scope")
    assert standing_of(found, None).step == "screen:1"


standings = st.lists(
    st.builds(
        Standing, st.sampled_from(NAMES), st.sampled_from(["rejected", "failed", "error", "waiting"]),
        st.sampled_from(["a", "b", "c", "d", "e", "f", "g", "h"]),
    )
    | st.just(Standing("calibrate", "end", "admit")),
    max_size=200,
)  # fmt: skip


@given(standings)
def test_the_numbers_add_up(found: list[Standing]) -> None:
    steps = steps_of(found)
    assert steps[0].came == len(found)
    assert all(before.passed == after.came for before, after in pairwise(steps))
    assert all(step.came == step.passed + sum(count for _, count in step.standing) for step in steps)
    assert steps[-1].passed == sum(one.kind == "end" for one in found)


@given(standings)
def test_the_drawing_has_every_paper_once_and_its_ends_do_not_overlap(found: list[Standing]) -> None:
    drawing = sankey(steps_of(found))
    ends = [end for row in drawing.rows for end in row.ends]
    admitted = sum(row.came for row in drawing.rows if row.title == "Admitted")
    assert sum(end.count for end in ends) + admitted == len(found)
    assert all(before.y + before.height <= after.y for before, after in pairwise(ends))
    assert all(len(row.ends) <= MOST_ENDS for row in drawing.rows)
    assert all(end.y + end.height <= drawing.height for end in ends)


def test_bands_are_as_thick_as_papers_are_many_in_one_scale() -> None:
    found = [Standing("fetch", "rejected", "no access")] * 60 + [Standing("screen:1", "rejected", "1.1 x")] * 40
    ends = [end for row in sankey(steps_of(found)).rows for end in row.ends]
    assert [end.height for end in ends] == [0.6 * STREAM, 0.4 * STREAM]
    assert ends[0].link == "papers.html#step=fetch&why=no%20access"
