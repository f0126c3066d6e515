"""The steps of a refresh: their order, and what each has to work on now.

A step takes what is stale, so a refresh is the same call as its resumption. Importing this imports no Prefect: the dry
run of a refresh goes by the same lists as the refresh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from checks.corpus import packages_below
from checks.history import history_of
from nature_gym.acquisition.stage import AcquireStage, acquirable
from nature_gym.config import Settings
from nature_gym.cut.stage import CutStage, cuttable
from nature_gym.errors import UsageError
from nature_gym.fulltext.stage import FetchStage, fetchable
from nature_gym.packaging.package import open_package
from nature_gym.packaging.stage import NAME as BUILD
from nature_gym.packaging.stage import SUMMARY, BuildStage, buildable, kept_for, summary_of
from nature_gym.reading.stage import ReadStage, readable
from nature_gym.records import Papers
from nature_gym.screening.stage import ScreenStage, screenable
from nature_gym.stages import Stage, is_current
from nature_gym.sweeping.admission import report_of
from nature_gym.sweeping.identity import kept_digests, task_digest

Step = Literal[
    "harvest", "fetch", "read", "screen", "acquire", "cut", "build", "check", "calibrate", "sweep"
]  # fmt: skip
STEPS: tuple[Step, ...] = get_args(Step)
LAST_BY_ITSELF: Step = "check"
"""What comes after it costs hours and money, so it is done only where it is asked for."""
AT_ONCE = 8
"""Papers that are fetched at the same time, at least: they wait for hosts, not for processors."""


@dataclass(frozen=True, slots=True)
class OfPapers:
    """A step that is a stage of papers: the ids that have come as far, and the stage."""

    ready: Callable[[Papers], list[str]]
    stage: Callable[[Settings], Stage]


OF_PAPERS: dict[Step, OfPapers] = {
    "fetch": OfPapers(fetchable, FetchStage),
    "read": OfPapers(readable, ReadStage),
    "screen": OfPapers(screenable, ScreenStage),
    "acquire": OfPapers(acquirable, AcquireStage),
    "cut": OfPapers(cuttable, lambda _: CutStage()),
    "build": OfPapers(buildable, lambda settings: BuildStage(settings.packages, kept_for(settings))),
}


def steps_until(last: Step) -> tuple[Step, ...]:
    """The steps up to ``last``. Raises UsageError for what is none."""
    if last not in STEPS:
        raise UsageError(f"there is no step {str(last)[:40]!r}", hint=f"There are: {', '.join(STEPS)}.")
    return STEPS[: STEPS.index(last) + 1]


def chosen(papers: Papers, only: Sequence[str] | None) -> list[str] | None:
    """The ids of the papers that a refresh is limited to; None for all. Raises UsageError for a name that is none's."""
    return None if only is None else list(dict.fromkeys(papers.find(name).id for name in only))


def ready_for(step: Step, papers: Papers, only: Sequence[str] | None) -> list[str]:
    """The ids of the papers that have come as far as a stage of papers, stale or not, of ``only`` or of all."""
    found = OF_PAPERS[step].ready(papers)
    return found if only is None else [paper for paper in found if paper in set(only)]


def stale_papers(step: Step, settings: Settings, papers: Papers, only: Sequence[str] | None) -> list[str]:
    """The ids of the papers that a stage of papers would work on now."""
    stage = OF_PAPERS[step].stage(settings)
    return [paper for paper in ready_for(step, papers, only) if not is_current(stage, papers[paper])]


def packages_of(settings: Settings, papers: Papers, only: Sequence[str] | None) -> list[Path]:
    """The packages of the home, or those that were built of some papers."""
    if only is None:
        return packages_below(settings.packages)
    built = (papers[paper] for paper in only)
    names = [summary_of(one, current=True)["task"] for one in built if (one.path / BUILD / SUMMARY).is_file()]
    return [settings.packages / name for name in names if (settings.packages / name).is_dir()]


def unchecked(settings: Settings, papers: Papers, only: Sequence[str] | None) -> list[Path]:
    """The packages that changed since their last check."""
    history = history_of(settings.home)
    return [path for path in packages_of(settings, papers, only) if history.is_stale(path)]


def uncalibrated(settings: Settings, papers: Papers, only: Sequence[str] | None) -> list[Path]:
    """The packages that have no admission report of what they are now."""
    kept = kept_digests(settings.home)
    return [
        path
        for path in packages_of(settings, papers, only)
        if report_of(settings.home, path.name).get("task_digest") != task_digest(open_package(path), kept)
    ]
