from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import UsageError
from nature_gym.metrics.entry import HIGHER, LOWER, Direction
from nature_gym.scoring.gap import (
    Anchor,
    AnchorError,
    anchor_value,
    best_gap,
    instance_gap,
    matches,
    surpasses,
    task_gap,
)

FINITE = st.floats(-1e6, 1e6)
ANCHORS = FINITE.filter(lambda value: abs(value) > 1e-6)


@pytest.mark.parametrize(
    ("score", "anchor", "direction", "gap"),
    [
        (0.99, 0.9, HIGHER, 0.1),
        (0.9, 0.9, HIGHER, 0.0),
        (0.45, 0.9, HIGHER, -0.5),
        (1.0, 2.0, LOWER, 0.5),
        (3.0, 2.0, LOWER, -0.5),
        (-1.0, -2.0, HIGHER, 0.5),
        (-3.0, -2.0, LOWER, 0.5),
        (9.0, 2.0, LOWER, -3.5),  # nothing is clipped
        (None, 2.0, LOWER, -1.0),
        (math.nan, 2.0, HIGHER, -1.0),
        (math.inf, 2.0, HIGHER, -1.0),
    ],
)
def test_the_gap_of_an_instance(score: float | None, anchor: float, direction: Direction, gap: float) -> None:
    assert instance_gap(score, Anchor("m", direction, anchor)) == pytest.approx(gap)


@given(FINITE, ANCHORS)
def test_the_two_directions_are_opposite(score: float, anchor: float) -> None:
    up, down = (instance_gap(score, Anchor("m", direction, anchor)) for direction in (HIGHER, LOWER))
    assert up == -down


@given(FINITE, ANCHORS, st.sampled_from([2.0, 0.5, 1024.0]))
def test_the_unit_does_not_matter(score: float, anchor: float, factor: float) -> None:
    before = instance_gap(score, Anchor("m", HIGHER, anchor))
    assert instance_gap(score * factor, Anchor("m", HIGHER, anchor * factor)) == pytest.approx(before)


def test_the_line_to_match_is_in_and_the_line_to_surpass_is_out() -> None:
    assert matches(0.0)
    assert not matches(-1e-12)
    assert not surpasses(0.1)
    assert surpasses(math.nextafter(0.1, 1.0))


def test_a_task_is_the_plain_mean_with_failed_instances_at_minus_one() -> None:
    anchors: dict[str, Anchor | None] = {name: Anchor("m", HIGHER, 2.0) for name in "abc"}
    gap = task_gap({"a": 3.0, "b": None}, anchors)
    assert gap.instances == {"a": 0.5, "b": -1.0, "c": -1.0}
    assert gap.value == pytest.approx(-0.5)


def test_an_instance_without_an_anchor_is_an_error_and_leaves_the_mean_as_published() -> None:
    anchors = {"a": Anchor("m", HIGHER, 2.0), "b": None}
    with pytest.raises(AnchorError, match="b has no anchor"):
        task_gap({"a": 3.0, "b": 1.0}, anchors)
    gap = task_gap({"a": 3.0, "b": 1.0}, anchors, "naturebench")
    assert (gap.value, gap.left_out) == (0.5, ("b",))
    assert task_gap({}, {"b": None}, "naturebench").value is None
    with pytest.raises(AnchorError, match="no instance"):
        task_gap({}, {})


@pytest.mark.parametrize(
    ("printed", "higher", "lower"),
    [
        ([{"value": "95.5 ± 0.2", "method": "A"}, {"value": "94.8", "method": "B"}], 95.5, 94.8),
        ({"value": "0.85-0.97"}, 0.97, 0.85),
        ("~0.97", 0.97, 0.97),
        (0.5, 0.5, 0.5),
        (["0.1", 0.2], 0.2, 0.1),
    ],
)
def test_the_anchor_is_the_best_value_listed(printed: Any, higher: float, lower: float) -> None:
    for mode in ("naturegym", "naturebench"):
        assert anchor_value(printed, HIGHER, mode) == higher
        assert anchor_value(printed, LOWER, mode) == lower


@pytest.mark.parametrize("printed", [None, [], "words", [{"value": None}], "0", [{"method": "A"}], "0.0 ± 0.1"])
@pytest.mark.parametrize("mode", ["naturegym", "naturebench"])
def test_an_anchor_that_is_missing_unreadable_or_zero_is_none(printed: Any, mode: Any) -> None:
    with pytest.raises(AnchorError):
        anchor_value(printed, HIGHER, mode)


def test_one_unreadable_variant_is_an_error_and_is_passed_over_as_published() -> None:
    listed = [{"value": "0.9"}, {"value": "words"}]
    with pytest.raises(AnchorError, match="'words' cannot be read: words"):
        anchor_value(listed, HIGHER)
    assert anchor_value(listed, HIGHER, "naturebench") == 0.9


def test_an_unknown_direction_is_never_taken_for_lower() -> None:
    with pytest.raises(UsageError):
        anchor_value("0.9", "lower")


@given(st.lists(st.one_of(st.none(), st.floats(-5, 5), st.just(math.nan)), max_size=6))
def test_the_best_attempt_counts(attempts: list[float | None]) -> None:
    finite = [gap for gap in attempts if gap is not None and math.isfinite(gap)]
    assert best_gap(attempts) == (max(finite) if finite else None)
