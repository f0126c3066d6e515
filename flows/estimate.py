"""What a refresh would take, said before it is begun: units, requests, bytes, tokens and hours, step by step.

The one idea: an estimate says what it rests on. Where the home has records of a step, their means are taken; else the
figures below, which are assumptions and are named as such. Nothing is asked of any host.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import mean
from typing import Any

from flows.steps import AT_ONCE, Step, chosen, stale_papers, steps_until, uncalibrated, unchecked
from nature_gym.config import Settings
from nature_gym.errors import NatureGymError
from nature_gym.harvest.corpus import read_checkpoint
from nature_gym.harvest.openalex import PER_PAGE
from nature_gym.harvest.query import queries
from nature_gym.harvest.venues import VenueList
from nature_gym.records import Papers, StageRecord
from nature_gym.screening.record import read_screening
from nature_gym.screening.stage import STAGE as SCREEN
from nature_gym.stages import now

ARTICLES = 140
"""Articles of a journal in a year: 5,500 in ten journals and four years."""
SHARES: Mapping[Step, float] = {
    "fetch": 1.0, "read": 1.0, "screen": 200 / 5500, "acquire": 0.9, "cut": 0.89, "build": 1.0,
}  # fmt: skip
"""Of the papers that a step works on, those that go on: of 5,500 found, 200 after screening, 180 with data, 160 cut."""
SECONDS: Mapping[Step, float] = {
    "harvest": 1.0, "fetch": 3.0, "read": 0.1, "screen": 2.0, "acquire": 120.0, "cut": 10.0, "build": 5.0,
    "check": 20.0,
}  # fmt: skip
FETCH_REQUESTS, FETCH_BYTES = 8, 6_000_000
SCREEN_REQUESTS = 5
ACQUIRE_REQUESTS, ACQUIRE_BYTES = 10, 2_000_000_000
MODEL_ANSWER = 500
GOOD = {"read": "done", "fetch": "done", "screen": "passed"}
"""The verdict with which a paper goes on, where being done is not enough."""


@dataclass(frozen=True, slots=True)
class StepEstimate:
    """One step. ``stale`` units wait now, ``coming`` are expected of the steps before; the rest is for both."""

    step: str
    unit: str
    stale: int
    coming: int
    requests: int = 0
    bytes: int = 0
    tokens: int = 0
    hours: float = 0.0
    basis: str = ""

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return asdict(self)


@dataclass(slots=True)
class _Known:
    """What records of the home tell of a stage."""

    records: list[StageRecord] = field(default_factory=list)

    def seconds(self) -> float | None:
        done = [record.seconds for record in self.records if record.status == "done"]
        return mean(done) if done else None

    def fact(self, name: str) -> float | None:
        told = [float(value) for record in self.records if isinstance(value := record.facts.get(name), int | float)]
        return mean(told) if told else None

    def share(self, step: Step) -> float | None:
        wanted = GOOD.get(step)
        good = [record for record in self.records if record.status == "done" and wanted in (None, record.verdict)]
        return len(good) / len(self.records) if self.records else None


def estimate(
    settings: Settings, venues: VenueList, until: Step, only: Sequence[str] | None, *, today: dt.datetime | None = None
) -> list[StepEstimate]:
    """What each step up to ``until`` would take. Raises UsageError for names of no paper."""
    papers = Papers(settings.papers)
    ids = chosen(papers, only)
    known = _known(papers)
    found: list[StepEstimate] = []
    coming = 0.0
    for step in steps_until(until):
        if step == "harvest":
            if ids is None:
                found.append(_harvest(settings, venues, today or now()))
                coming = float(found[-1].coming)
        elif step in SHARES:
            stale = stale_papers(step, settings, papers, ids)
            found.append(_stage(step, settings, papers, stale, coming, known[step]))
            share = known[step].share(step)
            coming = (len(stale) + coming) * (SHARES[step] if share is None else share)
        else:
            found.append(_of_packages(step, settings, papers, ids, coming))
    return found


def _known(papers: Papers) -> dict[Step, _Known]:
    known: dict[Step, _Known] = {step: _Known() for step in SHARES}
    for paper in papers:
        published = paper.publications()
        for step, one in known.items():
            if step in published and (record := _readable(papers, paper.id, step)) is not None:
                one.records.append(record)
    return known


def _readable(papers: Papers, paper: str, step: str) -> StageRecord | None:
    try:
        return papers[paper].record(step)
    except NatureGymError:
        return None  # the step itself will say so


def _harvest(settings: Settings, venues: VenueList, today: dt.datetime) -> StepEstimate:
    """A new query is paged whole; one that is known is asked for what changed, and counted."""
    stale = coming = requests = 0
    bases: dict[str, None] = {}
    for query in queries(venues, venues.first, venues.last):
        standing = read_checkpoint(settings, query)
        rate = ARTICLES * len(query.issns) / 365.25
        if standing is None or standing.total is None:
            works = round(rate * (query.last - query.first).days)
            bases[f"never harvested: {ARTICLES} articles a journal and year assumed"] = None
        elif standing.finished is None:
            works = max(0, standing.expected - standing.seen)
            bases["OpenAlex's own count, less what was taken in"] = None
        else:
            end = min(today.date(), query.last)
            works = max(0, round(rate * (end - standing.finished.date()).days))
            bases[f"since the last harvest, {ARTICLES} articles a journal and year assumed"] = None
        stale += 1
        coming += works
        requests += 2 + works // PER_PAGE
    hours = requests * SECONDS["harvest"] / 3600
    return StepEstimate("harvest", "query", stale, coming, requests, requests * 400_000, 0, hours, "; ".join(bases))


def _stage(
    step: Step, settings: Settings, papers: Papers, stale: Sequence[str], coming: float, known: _Known
) -> StepEstimate:
    units = len(stale) + coming
    measured = known.seconds()
    seconds = SECONDS[step] if measured is None else measured
    basis = (
        f"{seconds:g} s a paper assumed" if measured is None
        else f"{seconds:.2g} s a paper in {len(known.records):,} records"
    )  # fmt: skip
    requests = size = tokens = 0.0
    at_once = settings.workers
    if step == "fetch":
        at_once = max(at_once, AT_ONCE)
        requests = units * (known.fact("files") or FETCH_REQUESTS)
        size = units * (known.fact("bytes") or FETCH_BYTES)
    elif step == "screen":
        requests = units * SCREEN_REQUESTS if settings.probe_links else 0
        tokens, told = _tokens(settings, papers, units, known)
        basis += told
    elif step == "acquire":
        sizes = [known_size for paper in stale if (known_size := _size(papers, paper)) is not None]
        requests = units * ACQUIRE_REQUESTS
        size = sum(sizes) + (units - len(sizes)) * (known.fact("bytes") or ACQUIRE_BYTES)
        size = min(size, settings.byte_budget)
        basis += f"; {len(sizes):,} sizes by screening, at most byte_budget"
    hours = units * seconds / at_once / 3600
    if step == "fetch":
        hours = max(hours, requests / settings.requests_per_second / 3600)
        basis += "; one host, requests_per_second"
    return StepEstimate(
        step, "paper", len(stale), round(coming), round(requests), round(size), round(tokens), round(hours, 3), basis
    )  # fmt: skip


def _tokens(settings: Settings, papers: Papers, units: float, known: _Known) -> tuple[float, str]:
    """Tokens of questions put to a model; none where rules decide."""
    asked = [name for name in settings.deciders.values() if name == "llm"]
    if settings.decider != "llm" and not asked:
        return 0.0, ""
    spent = [tokens for record in known.records if (tokens := _spent(papers, record.paper))]
    if spent:
        each, told = mean(spent), f"; tokens of {len(spent):,} screened papers"
    else:
        each = float((settings.model_paper_tokens + MODEL_ANSWER) * (len(asked) or 1))
        told = "; tokens: a paper's text once a rule, assumed"
    return min(units * each, settings.token_budget), f"{told}, at most token_budget"


def _spent(papers: Papers, paper: str) -> int:
    published = papers[paper].published(SCREEN)
    return read_screening(published.folder).tokens if published and published.record.status == "done" else 0


def _size(papers: Papers, paper: str) -> float | None:
    """What screening found the data's size to be."""
    published = papers[paper].published(SCREEN)
    if published is None or published.record.status != "done":
        return None
    size = read_screening(published.folder).size
    return None if size is None else size.size_bytes


def _of_packages(
    step: Step, settings: Settings, papers: Papers, ids: Sequence[str] | None, coming: float
) -> StepEstimate:
    if step == "check":
        stale = len(unchecked(settings, papers, ids))
        hours = (stale + coming) * SECONDS["check"] / settings.workers / 3600
        told = f"{SECONDS['check']:.0f} s a package assumed"
        return StepEstimate(step, "package", stale, round(coming), hours=round(hours, 3), basis=told)
    if step == "calibrate":
        stale = len(uncalibrated(settings, papers, ids))
        return StepEstimate(step, "package", stale, round(coming), basis="'naturegym calibrate' is made of trials")
    return StepEstimate(step, "package", 0, round(coming), basis="'naturegym sweep --dry-run' tells trials and cost")
