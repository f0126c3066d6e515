"""What holds for each study alike: its text, its tables and its repository agree with each other."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from importlib import import_module

import pytest

from nature_gym.demo.inline import plain, plain_text
from nature_gym.demo.model import Bullets, Entry, Paper, Paragraph, Placement
from nature_gym.demo.studies import STUDIES, entries
from nature_gym.demo.words import Words
from tests.unit.demo.studies.authors import flaws, tree_at

KINDS = {"code", "irrelevant", "algorithm_output", "algorithm_preprocessing_output"}


def _entry(study: str, seed: int = 0, *, unseen: bool = False) -> Entry:
    entry = import_module(f"nature_gym.demo.studies.{study}").entry(Words(seed, study, unseen=unseen))
    assert isinstance(entry, Entry)
    return entry


def _texts(paper: Paper) -> Iterator[str]:
    yield paper.abstract
    for section in paper.sections:
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Bullets):
                yield from block.items
    for table in paper.tables:
        yield table.caption
        yield from table.notes
    yield from (figure.caption for figure in paper.figures)


def test_all_studies_are_listed_in_order() -> None:
    papers = [entry.paper for entry in entries(0)]
    assert len(papers) == len(STUDIES) == 8
    for name in ("suffix", "openalex_id", "title"):
        assert len({getattr(paper, name) for paper in papers}) == len(papers)


@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize("study", STUDIES)
def test_truth_quotes_and_categories_agree_with_what_is_published(study: str, unseen: bool) -> None:
    for seed in range(8):
        assert flaws(_entry(study, seed, unseen=unseen)) == []


@pytest.mark.parametrize("study", STUDIES)
def test_every_citation_has_a_reference(study: str) -> None:
    for seed in range(8):
        paper = _entry(study, seed).paper
        cited: set[int] = set()
        for text in _texts(paper):
            for group in re.findall(r"\[@([\d,–-]+)\]", text):
                for part in group.replace("–", "-").split(","):
                    first, _, last = part.partition("-")
                    cited.update(range(int(first), int(last or first) + 1))
        assert len(cited) >= 8
        assert cited <= set(range(1, len(paper.references) + 1))


@pytest.mark.parametrize("study", STUDIES)
def test_tables_are_rectangular(study: str) -> None:
    paper = _entry(study).paper
    for table in paper.tables:
        widths = {len(row) for row in (*table.header, *table.rows)}
        assert len(widths) == 1, table.caption
        assert all(header[0] is not None for header in table.header), "a span needs a cell to its left"


@pytest.mark.parametrize("study", STUDIES)
def test_every_float_is_placed_once_and_mentioned(study: str) -> None:
    paper = _entry(study).paper
    placed = [block for section in paper.sections for block in section.blocks if isinstance(block, Placement)]
    expected = [("table", table.number) for table in paper.tables] + [("figure", f.number) for f in paper.figures]
    assert sorted((block.what, block.number) for block in placed) == sorted(expected)
    mentioned = set(re.findall(r"\[#(table|figure)-(\d+)\]", " ".join(_texts(paper))))
    assert {(what, str(number)) for what, number in expected} <= mentioned


@pytest.mark.parametrize("study", STUDIES)
def test_a_paper_is_long_enough_to_be_read_as_one(study: str) -> None:
    paper = _entry(study).paper
    assert len(plain_text(paper).split()) >= 1000
    titles = {plain(section.title).lower() for section in paper.sections}
    assert any("availab" in title for title in titles)
    assert {"methods", "discussion"} <= titles


@pytest.mark.parametrize("study", STUDIES)
def test_a_repository_gives_the_cut_something_to_cut(study: str) -> None:
    entry = _entry(study)
    for repository in entry.repositories:
        tree = tree_at(repository, entry.paper.published)
        assert {"README.md", "LICENSE"} <= tree.keys()
        assert {rule.category for rule in repository.categories} >= KINDS
        for path, content in tree.items():
            if path.endswith(".py") and b"Python 2" not in content:
                ast.parse(content, path)


@pytest.mark.parametrize("study", STUDIES)
def test_the_same_words_give_the_same_entry_and_other_seeds_other_words(study: str) -> None:
    texts = {plain_text(_entry(study, seed).paper) for seed in range(4)}
    assert len(texts) > 1
    first, second = _entry(study, 3), _entry(study, 3)
    assert (first.paper, first.truth, first.repositories) == (second.paper, second.truth, second.repositories)


@pytest.mark.parametrize("study", STUDIES)
def test_unseen_phrasings_differ_from_all_seen_ones(study: str) -> None:
    seen = {rule.quote for seed in range(30) for rule in _entry(study, seed).truth.rules}
    unseen = {rule.quote for seed in range(8) for rule in _entry(study, seed, unseen=True).truth.rules if rule.quote}
    assert len(unseen - seen) >= 4


@pytest.mark.parametrize("study", STUDIES)
def test_an_entry_is_made_in_a_fraction_of_a_second(study: str) -> None:
    _entry(study)
    started = time.process_time()
    _entry(study, 1)
    assert time.process_time() - started < 0.3


def test_a_newest_commit_after_publication_changes_what_papers_used() -> None:
    changed = [
        entry.paper.title
        for entry in entries(0)
        for repository in entry.repositories
        if repository.files != tree_at(repository, entry.paper.published)
    ]
    assert len(changed) >= 4
