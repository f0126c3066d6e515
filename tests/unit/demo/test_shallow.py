"""Shallow papers: many, quick, spread like the published funnel, and true to their own text."""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice

import pytest

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Entry, Paragraph
from nature_gym.demo.shallow import entries
from nature_gym.demo.truth import follows_the_rules


@pytest.fixture(scope="module")
def corpus() -> list[Entry]:
    return list(entries(0, 1500))


def test_a_corpus_of_the_published_size_takes_seconds() -> None:
    start = time.process_time()
    assert sum(1 for _ in entries(0, 5500)) == 5500
    assert time.process_time() - start < 20


def test_fates_are_spread_like_the_published_funnel(corpus: list[Entry]) -> None:
    stops = Counter(entry.truth.stopped_at for entry in corpus)
    research = len(corpus) - stops["0"]
    assert 0.4 < stops["0"] / len(corpus) < 0.6
    assert stops["1.1"] / research > 0.85
    survivors = sum(count for stop, count in stops.items() if stop and stop.startswith("3"))
    assert 0.01 < survivors / len(corpus) < 0.06


def test_journals_and_years_are_all_there(corpus: list[Entry]) -> None:
    assert len({entry.paper.venue.issn_l for entry in corpus}) == 10
    assert {entry.paper.published.year for entry in corpus} == {2022, 2023, 2024, 2025}


def test_quotes_stand_in_the_text_and_rules_come_in_order(corpus: list[Entry]) -> None:
    for entry in corpus:
        assert follows_the_rules(entry.truth)
        parts = [entry.paper.abstract]
        for section in entry.paper.sections:
            parts += [block.text for block in section.blocks if isinstance(block, Paragraph)]
        whole = "\n".join(map(plain, parts))
        assert all(rule.quote in whole for rule in entry.truth.rules), entry.truth


def test_the_winning_row_is_bold_and_wins(corpus: list[Entry]) -> None:
    for entry in corpus:
        if any(rule.rule == "2.1" and rule.verdict == "pass" for rule in entry.truth.rules):
            table = entry.paper.tables[0]
            scores = [float(row[1].strip("*")) for row in table.rows]
            best = min(scores) if table.header[0][1] in {"MAE", "RMSE"} else max(scores)
            assert scores[-1] == best
            assert scores.count(best) == 1
            assert table.rows[-1][1].startswith("**")


def test_a_longer_corpus_begins_with_the_shorter_one() -> None:
    assert list(islice(entries(3, 50), 10)) == list(entries(3, 10))
