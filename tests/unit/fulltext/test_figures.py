"""Where pictures of figures are found: on the demo's pages, on real ones, and not where they are others'."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.world import build_world
from nature_gym.fulltext.figures import picture_ending, pictures_of_page, pictures_of_xml

REAL = Path(__file__).parents[4] / "shared" / "real"
SITE = "https://www.nature.com/articles"


def test_each_figure_of_a_demo_paper_is_found_on_its_page_and_in_its_xml() -> None:
    press = JournalPress()
    papers = [paper for paper in build_world(0).papers if paper.figures]
    assert len(papers) > 10
    for paper in papers:
        numbers = [figure.number for figure in paper.figures]
        assert list(pictures_of_page(press.article_page(paper), paper.url)) == numbers, paper.id
        assert list(pictures_of_xml(press.article_xml(paper), "PMC1")) == numbers, paper.id


@pytest.mark.parametrize(
    ("name", "figures", "host"),
    [
        ("s41467-022-30729-2", 4, "https://media.springernature.com/full/"),
        ("s41558-022-01584-2", 4, "https://media.springernature.com/full/"),
        ("s41586-021-03819-2", 5, "https://media.springernature.com/full/"),
        ("s43247-024-01295-w", 5, "https://media.springernature.com/full/"),
        ("srep01011", 6, "https://www.nature.com/srep/2012/"),
    ],
)
def test_the_figures_of_real_pages_are_found(name: str, figures: int, host: str) -> None:
    path = REAL / "html" / f"10.1038_{name}.html"
    if not path.is_file():
        pytest.skip("the real pages are not here")
    found = pictures_of_page(path.read_bytes(), f"{SITE}/{name}")
    assert list(found) == list(range(1, figures + 1))
    assert all(addresses[0].startswith(host) for addresses in found.values())


def test_the_figures_of_real_xml_are_found() -> None:
    path = REAL / "xml" / "10.1038_s41378-018-0027-0.xml"
    if not path.is_file():
        pytest.skip("the real files are not here")
    found = pictures_of_xml(path.read_bytes(), "PMC6220173")
    assert list(found) == list(range(1, 9))


def test_pictures_of_other_articles_and_of_the_house_do_not_count() -> None:
    teaser = "https://media.springernature.com/w215h120/springer-static/image/art%3A10.1038%2Fs9/MediaObjects/9_Fig1_HTML.png"
    page = f'<img src="{teaser}"><img src="/articles/s9/figures/1.png"><img src="/logo.svg"><img alt="x">'
    assert pictures_of_page(page.encode(), f"{SITE}/s1") == {}


@given(st.binary(max_size=300))
def test_nothing_that_stands_in_a_page_or_a_file_stops_the_search(noise: bytes) -> None:
    page = b'<img src="' + noise + b'"><graphic xlink:href="' + noise + b'"/>'
    assert all(isinstance(number, int) for number in pictures_of_page(page, f"{SITE}/s1"))
    assert all(isinstance(number, int) for number in pictures_of_xml(page, "PMC1"))
    assert picture_ending(noise) in {None, "png", "jpg", "gif", "webp", "tif"}
