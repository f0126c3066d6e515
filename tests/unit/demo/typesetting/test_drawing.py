"""Figures as SVG and PNG."""

from __future__ import annotations

import math

import pytest
from lxml import etree

from nature_gym.demo.model import Figure, Paper, Series
from nature_gym.demo.typesetting.drawing import figure_png, figure_size, figure_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure: Figure) -> etree._Element:
    return etree.fromstring(figure_svg(figure))


def texts(figure: Figure) -> list[str]:
    return [element.text or "" for element in drawn(figure).iter(f"{SVG}text")]


def test_every_kind_is_drawn_and_the_same_each_time(paper: Paper) -> None:
    for figure in paper.figures:
        assert figure_svg(figure) == figure_svg(figure)
        assert drawn(figure).get("width") == str(figure_size(figure)[0])


def test_each_point_of_a_series_is_a_mark() -> None:
    figure = Figure(1, "c", "points", (Series("a", (0, 1, 2), (3, 4, 5)), Series("b", (0, 1), (1, 1))))
    assert len(list(drawn(figure).iter(f"{SVG}circle"))) == 5


def test_higher_values_stand_higher() -> None:
    figure = Figure(1, "c", "points", (Series("a", (0, 1, 2), (-1, 0.5, 7)),))
    heights = [float(circle.get("cy", "0")) for circle in drawn(figure).iter(f"{SVG}circle")]
    assert heights == sorted(heights, reverse=True)


def test_labels_and_legend_are_written_without_markup(paper: Paper) -> None:
    written = texts(paper.figures[0])
    assert {"R²", "Loss <x>", "Method", "Score"} <= set(written)


def test_a_pipeline_names_its_steps(paper: Paper) -> None:
    assert "Score & rank" in texts(paper.figures[3])


@pytest.mark.parametrize("values", [(), (1.0,), (2.0, 2.0), (math.nan, 1.0), (1e-12, 2e-12), (-1e9, 1e9), (0.0, 0.0)])
def test_odd_numbers_can_be_drawn(values: tuple[float, ...]) -> None:
    for kind in ("lines", "points", "bars"):
        series = (Series("s", tuple(map(float, range(len(values)))), values),)
        assert drawn(Figure(1, "c", kind, series)) is not None


def test_a_picture_in_pixels_has_the_figures_size(paper: Paper) -> None:
    picture = figure_png(paper.figures[0])
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == figure_size(paper.figures[0])
