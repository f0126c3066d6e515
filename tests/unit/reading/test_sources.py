"""Which files are forms of the same paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.document import Source
from nature_gym.reading.sources import (
    Paper,
    Piece,
    is_supplement_name,
    owner_of,
    papers_among,
    same_title,
    stem_of,
)

FOREST, DESERT = "How forests answer drought", "What deserts remember of rain"


def piece(name: str, doi: str | None = None, title: str = "", form: Source | None = None) -> Piece:
    suffix: Source = form or ("pdf" if name.endswith("pdf") else "xml" if name.endswith("xml") else "html")
    return Piece(Path(name), suffix, f"digest of {name}", doi, title)


def names(papers: list[Paper]) -> list[set[str]]:
    return [{one.path.name for one in (*paper.pieces, *paper.aside)} for paper in papers]


def test_a_doi_that_two_files_state_makes_them_one_paper() -> None:
    papers = papers_among([piece("a.html", "10.1/x"), piece("b.pdf", "10.1/y"), piece("c.xml", "10.1/x")])
    assert names(papers) == [{"a.html", "c.xml"}, {"b.pdf"}]


def test_different_dois_part_files_of_one_name_and_title() -> None:
    papers = papers_among([piece("a.html", "10.1/x", FOREST), piece("a.pdf", "10.1/y", FOREST)])
    assert names(papers) == [{"a.html"}, {"a.pdf"}]


def test_a_title_joins_what_states_no_doi_and_another_parts_it() -> None:
    pieces = [piece("1.pdf", None, FOREST.upper()), piece("2.html", "10.1/x", FOREST), piece("3.xml", None, DESERT)]
    papers = papers_among(pieces)
    assert names(papers) == [{"1.pdf", "2.html"}, {"3.xml"}]


def test_what_says_nothing_goes_with_its_namesake_or_the_only_paper() -> None:
    assert names(papers_among([piece("x.html", "10.1/x"), piece("scan.pdf")])) == [{"x.html", "scan.pdf"}]
    two = [piece("x.html", "10.1/x"), piece("y.html", "10.1/y"), piece("y.pdf"), piece("scan.pdf")]
    assert names(papers_among(two)) == [{"x.html"}, {"y.html", "y.pdf"}, {"scan.pdf"}]
    assert names(papers_among([piece("x.html", "10.1/x"), piece("bad.html")])) == [{"x.html"}, {"bad.html"}]


def test_a_second_file_of_a_form_is_laid_aside_where_it_differs() -> None:
    first, same, other = piece("a.html", "10.1/x"), piece("b.html", "10.1/x"), piece("c.html", "10.1/x")
    same = Piece(same.path, same.form, first.digest, same.doi)
    (paper,) = papers_among([first, same, other])
    assert (paper.articles, [one.path.name for one in paper.aside]) == ({"html": first}, ["c.html"])


PIECES = st.lists(
    st.builds(
        piece,
        st.sampled_from(["a.html", "a.pdf", "b.html", "b.xml", "c.pdf", "d.xml"]),
        st.sampled_from([None, None, "10.1/x", "10.1/y"]),
        st.sampled_from(["", FOREST, DESERT]),
    ),
    unique_by=lambda one: one.path,
)


@given(PIECES)
def test_no_file_is_lost_and_no_paper_states_two_dois(pieces: list[Piece]) -> None:
    papers = papers_among(pieces)
    held = [one.path.name for paper in papers for one in (*paper.pieces, *paper.aside)]
    assert sorted(held) == sorted(one.path.name for one in pieces)
    for paper in papers:
        assert len({one.doi for one in (*paper.pieces, *paper.aside) if one.doi}) <= 1
    assert len({paper.doi for paper in papers if paper.doi}) == sum(1 for paper in papers if paper.doi)


@given(PIECES, st.randoms())
def test_the_papers_with_dois_are_the_same_in_every_order(pieces: list[Piece], chance: object) -> None:
    mixed = list(pieces)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert {paper.doi for paper in papers_among(pieces)} - {None} == {paper.doi for paper in papers_among(mixed)} - {
        None
    }


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FOREST, FOREST + " and heat in Europe", True),
        (FOREST, "how forest answer drought", False),
        ("A longer title about the very many words in it", "A longer title about the very many words of it", True),
        ("Article", "Article", False),
        (FOREST, DESERT, False),
    ],
)
def test_titles_are_one_though_cut_short_or_misread(one: str, other: str, same: bool) -> None:
    assert same_title(piece("a", title=one).words, piece("b", title=other).words) is same


@pytest.mark.parametrize("name", [
    "41467_2022_30729_MOESM1_ESM.pdf", "supplementary.pdf", "Supplementary Information.pdf", "paper_supplement.pdf",
    "supplementary_material_2.pdf", "mmc1.pdf", "x-SI.pdf", "supporting-information.pdf", "Supplementary Table S1.xlsx",
    "supp2.pdf", "esm.docx",
])  # fmt: skip
def test_names_of_supplementary_files(name: str) -> None:
    assert is_supplement_name(Path(name))


@pytest.mark.parametrize("name", [
    "supplementary-motor-area.pdf", "si_units.pdf", "article.pdf", "10.1038_s41467-022-30729-2.html", "supper.pdf",
    "silicon.pdf", "mosi.pdf", "support-vector-machines.pdf",
])  # fmt: skip
def test_names_of_articles(name: str) -> None:
    assert not is_supplement_name(Path(name))


def test_a_supplement_belongs_to_what_links_it_names_it_or_stands_alone() -> None:
    linking = Piece(Path("a.html"), "html", "1", "10.1038/s41467-018-05656-w", linked=frozenset({"data.pdf"}))
    first, second = papers_among([linking, piece("b.pdf", "10.1/y")])
    for name, owner in (
        ("data.pdf", first),
        ("41467_2018_5656_MOESM1_ESM.pdf", first),
        ("b_si.pdf", second),
        ("bc_si.pdf", None),
    ):
        assert owner_of(Path(name), [first, second]) is owner
    assert owner_of(Path("bc_si.pdf"), [second]) is second


def test_a_stem_is_the_name_without_form_and_packing() -> None:
    assert [stem_of(Path(name)) for name in ("a.b.html", "a.PDF", "a.html.gz", "a.txt", "10.1038_x", ".html")] == [
        "a.b", "a", "a", "a", "10.1038_x", ".html",
    ]  # fmt: skip
