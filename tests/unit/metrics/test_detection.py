"""Detection: small cases by hand; COCO's own program is in test_reference_values."""

from __future__ import annotations

import pytest

from nature_gym.metrics import detection as ours

BOX = [0, 0, 10, 10]


def test_each_object_is_found_once() -> None:
    objects = [[0, 0, *BOX]]
    twice = [[0, 0, 0.9, *BOX], [0, 0, 0.8, *BOX]]
    assert ours.detection_map50(objects, twice) == 1.0  # the second comes after all is found
    worse_first = [[0, 0, 0.9, 50, 50, 60, 60], [0, 0, 0.8, *BOX]]
    assert ours.detection_map50(objects, worse_first) == 0.5


def test_the_wrong_image_or_class_finds_nothing() -> None:
    assert ours.detection_map50([[0, 0, *BOX]], [[1, 0, 0.9, *BOX]]) == 0.0
    assert ours.detection_map50([[0, 0, *BOX]], [[0, 1, 0.9, *BOX]]) == 0.0
    assert ours.detection_map50([[0, 0, *BOX]], []) == 0.0


def test_overlap_decides_how_many_thresholds_are_passed() -> None:
    assert ours.detection_map([[0, 0, 0, 0, 10, 10]], [[0, 0, 1.0, 0, 0, 10, 8]]) == pytest.approx(0.7)  # IoU 0.8


def test_at_most_a_hundred_boxes_an_image_count() -> None:
    noise = [[0, 0, 0.9, 50 + n, 50, 60 + n, 60] for n in range(100)]
    assert ours.detection_map50([[0, 0, *BOX]], [*noise, [0, 0, 0.1, *BOX]]) == 0.0


@pytest.mark.parametrize(
    ("reference", "prediction", "sentence"),
    [
        ([[0, 0, 10, 10, 0, 0]], [[0, 0, 1.0, *BOX]], "before its beginning"),
        ([BOX], [[0, 0, 1.0, *BOX]], "6 columns"),
        ([[0, 0, *BOX]], [[0, 0, *BOX]], "7 columns"),
        ([], [[0, 0, 1.0, *BOX]], "empty"),
    ],
)
def test_what_are_no_boxes_is_refused(
    reference: list[list[float]], prediction: list[list[float]], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        ours.detection_map(reference, prediction)
