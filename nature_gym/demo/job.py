"""The demo's main job: the whole pipeline, as far as it exists, over the demo world.

It is the real pipeline with real settings; only the web is the mini-web, in this very process. So it
needs no network, no server of anybody's, no Docker and no keys.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from nature_gym.acquisition.stage import AcquireStage, acquirable
from nature_gym.config import Settings, load_settings
from nature_gym.cut.stage import CutStage, cuttable
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.server import MiniWeb
from nature_gym.demo.model import World
from nature_gym.demo.reviewed import review
from nature_gym.demo.world import build_world
from nature_gym.fulltext.stage import FetchStage, fetchable
from nature_gym.harvest.corpus import Checkpoint, counts_of_run, harvest_corpus
from nature_gym.harvest.venues import load_venues
from nature_gym.packaging.stage import TASK, BuildStage, buildable, kept_for
from nature_gym.reading.stage import ReadStage, readable
from nature_gym.records import Papers
from nature_gym.runs import Run, mark_crashed, running
from nature_gym.screening.stage import ScreenStage, screenable
from nature_gym.stages import Result, Stage, carry_out

VENUES = "nature-family"
AT_ONCE = 8
"""Papers worked on at the same time: most of what they do is wait, for hosts and for the disk."""
WHOLE = {AcquireStage.name: "acquired", CutStage.name: "drafted", BuildStage.name: "built"}
"""What a passed paper comes to at these steps: each of the demo's is known to go all the way."""

Progress = Callable[[str, int, int], None]
"""Told the step's name, how many papers it has done, and how many there are (0: not known yet)."""


@dataclass(frozen=True, slots=True)
class Demo:
    """What a demo run came to: where it is, each step's results by kind, and a line for each paper that was lost."""

    home: Path
    steps: dict[str, dict[str, int]]
    lost: list[str]


def demo_home(settings: Settings) -> Path:
    """The demo's own corpus, apart from the user's."""
    return settings.home / "demo"


def git_cache(settings: Settings) -> Path:
    """Where the mini-web keeps the world's repositories between runs."""
    return demo_home(settings) / "mini-web" / "git"


@contextlib.contextmanager
def demo_settings(settings: Settings, world: World) -> Iterator[Settings]:
    """Serve the demo world, and give the settings that point the pipeline at it."""
    home = demo_home(settings)
    # Nobody is bothered by our own server being asked fast.
    with MiniWeb(world, behaviour=Behaviour(crawl_delay=0), git_cache=git_cache(settings)) as web:
        yield load_settings(
            home=home, database_url="", mirror=web.url, requests_per_second=1000.0, probes_per_second=1000.0
        )


def run(
    settings: Settings, *, seed: int = 0, shallow: int = 0, until: str = "build", progress: Progress = lambda *_: None
) -> Demo:
    """Run the steps on the demo corpus, ``until`` the last. A second run finds nothing left to do.

    Raises what the steps raise; what was done until then stays. A paper that a step lost is in the result.
    """
    progress("prepare", 0, 0)
    world = build_world(seed, shallow=shallow)
    steps: dict[str, dict[str, int]] = {}
    lost: list[str] = []
    with demo_settings(settings, world) as own:
        mark_crashed(own.runs)
        papers = Papers(own.papers)

        def carried_out(stage: Stage, todo: Callable[[Papers], Iterable[str]]) -> dict[str, int]:
            return bring_through(own, stage, todo(papers), lost, progress)

        with running(own.runs, "demo", {"seed": seed, "shallow": shallow}) as record:
            work: dict[str, Callable[[], dict[str, int]]] = {
                "harvest": lambda: _harvest(own, record, progress),
                "fetch": lambda: carried_out(FetchStage(own), fetchable),
                "read": lambda: carried_out(ReadStage(own), readable),
                "screen": lambda: carried_out(ScreenStage(own), screenable),
                "acquire": lambda: carried_out(AcquireStage(own), acquirable),
                "cut": lambda: carried_out(CutStage(), cuttable),
                "review": lambda: _review(own, world, progress),
                "build": lambda: carried_out(BuildStage(own.packages, kept_for(own)), buildable),
            }
            for name, step in work.items():
                steps[name] = step()
                if name == until:
                    break
    return Demo(own.home, steps, lost)


def _harvest(settings: Settings, record: Run, progress: Progress) -> dict[str, int]:
    venues = load_venues(VENUES)

    def tell(checkpoints: list[Checkpoint], _: list[str]) -> None:
        record.note(counts=counts_of_run(checkpoints))
        progress(
            "harvest",
            sum(checkpoint.seen for checkpoint in checkpoints),
            sum(checkpoint.expected for checkpoint in checkpoints),
        )

    counts = harvest_corpus(settings, venues, venues.first, venues.last, on_page=tell)
    record.note(counts=counts)
    return counts


def _review(settings: Settings, world: World, progress: Progress) -> dict[str, int]:
    """The demo's maintainer goes through the drafts."""
    papers = Papers(settings.papers)
    entries = {entry.paper.id: entry for entry in world.entries if entry.truth.task}
    drafted = [paper for paper in cuttable(papers) if (papers[paper].path / TASK).is_file()]
    changed = 0
    for done, paper in enumerate(drafted, start=1):
        changed += review(entries[paper], papers[paper], settings.home / "reviewed" / paper)
        progress("review", done, len(drafted))
    return {"done": changed, "current": len(drafted) - changed}


def bring_through(
    settings: Settings, stage: Stage, ids: Iterable[str], lost: list[str], progress: Progress
) -> dict[str, int]:
    """A stage over many papers, in threads; how many came to what.

    Papers that did not come through are taken again, one at a time: a machine with other things to do makes hosts and
    processes late. What fails again is ``lost``.
    """
    papers, todo = Papers(settings.papers), list(ids)
    results: dict[str, Result] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for result in pool.map(lambda paper: carry_out(stage, papers[paper]), todo):
            results[result.paper] = result
            progress(stage.name, len(results), len(todo))
    for paper in [name for name, result in results.items() if not _came_through(stage, result)]:
        result = results[paper] = carry_out(stage, papers[paper], force=True)
        if not _came_through(stage, result):
            lost.append(f"{stage.name} {paper}: {result.reason or result.verdict}")
    return dict(Counter(result.kind for result in results.values()))


def _came_through(stage: Stage, result: Result) -> bool:
    return result.kind != "error" and result.verdict == WHOLE.get(stage.name, result.verdict)
