"""Rules 0, 1.1, 2.1 and 2.2 over the demo world: each paper stops where its truth says, and the task is as it says.

The world in the wordings that the rules were built on has to agree on every paper, in both designs of its page and as
JATS; in held-out wordings on nine of ten.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import pytest

from nature_gym.demo.model import Entry, Paper
from nature_gym.demo.typesetting import html, jats
from nature_gym.demo.world import build_world
from nature_gym.harvest.works import Work
from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.screening.deciders import Case
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.methods import methods_of
from nature_gym.screening.metric_lexicon import folded, metric_kind
from nature_gym.screening.rules import RulesDecider
from nature_gym.screening.task import TaskTuple

EARLY = ("0", "1.1", "2.1", "2.2")
FORMS = ("new", "old", "xml")
Fate = tuple[str, str | None] | None
"""(rule, code) where a paper stops among the early rules; None where it passes them."""


def read(paper: Paper, form: str) -> Document:
    if form == "xml":
        return read_jats(jats.article_xml(paper))
    shown = dataclasses.replace(paper, template=form)  # type: ignore[arg-type]
    pages = {table.number: html.table_page(shown, table.number) for table in shown.tables}
    return read_html(html.article_page(shown), table_pages=pages)


def screened(entry: Entry, form: str) -> tuple[Fate, TaskTuple]:
    paper = entry.paper
    retracted = paper.retracted and (paper.indexing.knows_retraction or form == "xml")  # the XML has no notice
    work = Work(id=paper.id, article_type=paper.openalex_type, retracted=retracted)
    case = Case(Manuscript(paper.id, read(paper, form), work))
    decider = RulesDecider()
    for rule in EARLY:
        answer = decider.decide(rule, case)
        case.task = answer.task or case.task
        decision = answer.decision
        for evidence in decision.evidence:
            assert evidence.quote
            if evidence.start is not None:
                assert any(
                    text[evidence.start : evidence.end] == evidence.quote
                    for heading, _, text in case.manuscript.passages
                    if heading == evidence.section
                ), (paper.id, rule, evidence)
        if decision.verdict != "pass":
            return (rule, decision.code or decision.verdict), case.task
    return None, case.task


def fate(entry: Entry) -> Fate:
    stopped = entry.truth.stopped_at
    return (stopped, entry.truth.code) if stopped in EARLY else None


def disagreements(entries: Sequence[Entry], form: str) -> list[tuple[str, Fate, Fate]]:
    """(paper, what it should come to, what it came to) of each paper that came to something else."""
    found = [(entry.paper.id, fate(entry), screened(entry, form)[0]) for entry in entries]
    return [one for one in found if one[1] != one[2]]


@pytest.mark.parametrize("form", FORMS)
def test_every_paper_stops_where_its_truth_says(form: str) -> None:
    entries = build_world(0, shallow=40).entries
    assert disagreements(entries, form) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_other_seeds_in_the_same_wordings_agree_too(seed: int) -> None:
    entries = build_world(seed, shallow=40).entries
    assert disagreements(entries, "new") == []


@pytest.mark.parametrize("seed", [0, 3])
def test_held_out_wordings_agree_on_nine_of_ten(seed: int) -> None:
    entries = build_world(seed, shallow=40, unseen=True).entries
    wrong = disagreements(entries, "new")
    confusion = Counter((truth, found) for _, truth, found in wrong)
    assert len(wrong) <= len(entries) // 10, confusion


def test_all_kinds_of_early_rejections_are_there() -> None:
    codes = {entry.truth.code for entry in build_world(0).entries if entry.truth.stopped_at in EARLY}
    assert len(codes) >= 25


@pytest.mark.parametrize("unseen", [False, True])
def test_the_task_is_what_the_truth_says(unseen: bool) -> None:
    entries = [entry for entry in build_world(0, unseen=unseen).entries if entry.truth.task is not None]
    assert len(entries) >= 10
    wrong = []
    for entry in entries:
        truth, (_, task) = entry.truth.task, screened(entry, "new")
        assert truth is not None
        differences = [
            name
            for name, told, found in (
                ("method", truth.method, task.method),
                ("variants", sorted(truth.variants), sorted(task.variants)),
                ("baselines", sorted(truth.baselines), sorted(task.baselines)),
                ("metrics", [same(one.name) for one in truth.metrics], [same(one.name) for one in task.metrics]),
                ("directions", [one.direction for one in truth.metrics], [one.direction for one in task.metrics]),
                ("places", [one.place for one in truth.metrics], [one.place for one in task.metrics]),
                ("primary", [same(one.name) for one in truth.metrics if one.primary],
                 [same(one.name) for one in task.metrics if one.primary]),
            )
            if told != found
        ]  # fmt: skip
        wrong += [(entry.paper.id, differences)] * bool(differences)
    assert len(wrong) <= (len(entries) // 10 if unseen else 0), wrong


def same(name: str) -> str:
    """One name for the spellings of a metric."""
    kind = metric_kind(name)
    return kind.key if kind is not None and kind.key not in {"error", "score"} else folded(name)


def test_the_papers_scores_are_read_off_the_tables() -> None:
    checked = 0
    for entry in build_world(0).entries:
        task = entry.truth.task
        if task is None:
            continue
        methods = methods_of(Manuscript(entry.paper.id, read(entry.paper, "new")))
        primary = next(one.name for one in task.metrics if one.primary)
        own: set[frozenset[str]] = set()
        best: set[str] = set()
        for table in methods.comparisons:
            row = methods.main_row(table)
            others = [method for method in table.methods if not methods.is_own(method)]
            for group in table.groups:
                found = [table.best(metric, group, [row or ""]) for metric in table.metrics]
                own.add(frozenset(one.text for one in found if one is not None))
                rivals = [
                    table.best(metric, group, others) for metric in table.metrics if same(metric) == same(primary)
                ]
                best |= {one.text for one in rivals if one is not None}
        for setting in task.settings:
            if setting.accepted:
                assert any(set(setting.sota.values()) <= values for values in own), (entry.paper.id, setting.name)
                assert setting.baseline[primary] in best, (entry.paper.id, setting.name)
                checked += 1
    assert checked >= 15
