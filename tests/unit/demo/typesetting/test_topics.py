from __future__ import annotations

import dataclasses

import pytest

from nature_gym.demo.model import Paper
from nature_gym.demo.typesetting.openalex import work
from nature_gym.demo.typesetting.topics import topics
from nature_gym.demo.world import build_world


@pytest.fixture(scope="module")
def papers() -> tuple[Paper, ...]:
    return build_world(0, shallow=200).papers


def test_topics_are_distinct_and_each_number_has_one_meaning(papers: tuple[Paper, ...]) -> None:
    names: dict[str, str] = {}
    for paper in papers:
        told = topics(paper)
        assert 1 <= len({topic["id"] for topic in told}) == len(told) <= 3
        scores = [topic["score"] for topic in told]
        assert scores == sorted(scores, reverse=True)
        for topic in told:
            for one in (topic, topic["subfield"], topic["field"], topic["domain"]):
                assert names.setdefault(one["id"], one["display_name"]) == one["display_name"]
            field = topic["field"]["id"].rsplit("/", 1)[-1]
            assert topic["subfield"]["id"].rsplit("/", 1)[-1].startswith(field)


def test_a_field_lies_in_one_domain(papers: tuple[Paper, ...]) -> None:
    domains: dict[str, str] = {}
    for paper in papers:
        for topic in topics(paper):
            domain = topic["domain"]["display_name"]
            assert domains.setdefault(topic["field"]["display_name"], domain) == domain
    assert domains["Medicine"] == "Health Sciences"
    assert domains["Neuroscience"] == "Life Sciences"
    assert domains["Computer Science"] == "Physical Sciences"


@pytest.mark.parametrize(
    ("subjects", "title", "field"),
    [
        (("Image processing", "Cancer imaging"), "x", "Medicine"),
        (("Machine learning", "Transcriptomics"), "x", "Biochemistry, Genetics and Molecular Biology"),
        (("Batteries", "Computational methods"), "x", "Engineering"),
        (("Atmospheric dynamics", "Computational science"), "x", "Earth and Planetary Sciences"),
        (("Neural decoding", "Motor control"), "x", "Neuroscience"),
        ((), "Air pollution and the risk of rheumatoid arthritis", "Environmental Science"),
        ((), "A porous <i>carbon</i> for hydrogen storage", "Materials Science"),
        ((), "x", "Computer Science"),
    ],
)
def test_the_first_topic_is_what_the_paper_is_about(
    paper: Paper, subjects: tuple[str, ...], title: str, field: str
) -> None:
    about = dataclasses.replace(paper, subjects=subjects, title=title, abstract="")
    record = work(about)
    assert record["primary_topic"] == record["topics"][0]
    assert record["primary_topic"]["field"]["display_name"] == field


def test_every_detailed_paper_has_a_topic_of_its_kind(papers: tuple[Paper, ...]) -> None:
    with_subjects = [paper for paper in papers if paper.subjects]
    vague = [paper.subjects for paper in with_subjects if "Machine Learning" in topics(paper)[0]["display_name"]]
    assert len(vague) < len(with_subjects) / 10, vague
