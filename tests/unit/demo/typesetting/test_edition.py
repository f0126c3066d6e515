"""What the journal adds to a manuscript."""

from __future__ import annotations

import dataclasses

import pytest

from nature_gym.demo.model import Paper
from nature_gym.demo.typesetting.edition import (
    body_sections,
    caption_parts,
    citation,
    edition,
    email,
    end_sections,
    source_parts,
)


def test_volume_and_pages_follow_from_the_paper(paper: Paper, old_paper: Paper) -> None:
    place = edition(paper)
    assert (place.volume, place.issue, place.first_page, place.article_number) == (5, 6, 601, None)
    assert place.received < place.accepted < paper.published
    assert (edition(old_paper).volume, edition(old_paper).article_number) == (9, 6342)


def test_any_suffix_has_an_edition(paper: Paper) -> None:
    odd = dataclasses.replace(paper, suffix="ncomms12345")
    assert edition(odd) == edition(odd)
    assert edition(odd).first_page > 0


def test_end_matter_starts_at_the_first_statement(paper: Paper) -> None:
    assert [section.title for section in end_sections(paper)] == [
        "Data availability",
        "Code availability",
        "Acknowledgements",
    ]
    assert body_sections(paper) + end_sections(paper) == paper.sections


@pytest.mark.parametrize(
    ("caption", "title", "rest"),
    [
        ("One sentence.", "One sentence.", ""),
        ("First here. Second here.", "First here.", "Second here."),
        ("Scores vs. 3 baselines at p < 0.05. **a**, Left.", "Scores vs. 3 baselines at p < 0.05.", "**a**, Left."),
        ("No full stop", "No full stop", ""),
    ],
)
def test_the_first_sentence_of_a_caption_is_its_title(caption: str, title: str, rest: str) -> None:
    assert caption_parts(caption) == (title, rest)


def test_a_citation_reads_like_the_journals(paper: Paper) -> None:
    assert citation(dataclasses.replace(paper, title="T.")) == (
        "Björk, Z., O’Hara, Ł. & de la Cruz, M. T. Nat. Mach. Intell. 5, 601–609 (2023)."
    )


def test_addresses_are_plain_ascii(paper: Paper) -> None:
    assert [email(author) for author in paper.authors] == [
        "zoe.bjork@example.org",
        "ukasz.ohara@example.org",
        "mei.delacruz@example.org",
    ]


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("Appl. Opt. 35, 5493–5508", ("Appl. Opt.", "35", "5493–5508")),
        ("Sci. Adv. 4, eaar4206", ("Sci. Adv.", "4", "eaar4206")),
        ("Nat. Energy", ("Nat. Energy", "", "")),
        ("Proc. 3rd Conf. 2015", ("Proc. 3rd Conf. 2015", "", "")),
    ],
)
def test_a_source_is_taken_apart(source: str, parts: tuple[str, str, str]) -> None:
    assert source_parts(source) == parts
