"""The installed ``acquire``, ``cut`` and ``split`` with a Prefect server: screened papers become the files of tasks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.typesetting import jats
from nature_gym.demo.world import build_world
from nature_gym.reading.ingest import ingest
from nature_gym.records import Papers
from nature_gym.screening.stage import ScreenStage
from nature_gym.splitting.result import split_task
from nature_gym.stages import carry_out

pytestmark = pytest.mark.slow
COMMAND = Path(sys.executable).with_name("naturegym")
ENTRIES = [entry for entry in build_world(0).entries if entry.truth.verdict == "passed"][:3]
BUDGET = 2_000_000


def naturegym(*argv: str) -> tuple[int, Any]:
    done = subprocess.run([COMMAND, *argv, "--json"], capture_output=True, check=False)
    assert done.stdout, done.stderr.decode()
    return done.returncode, orjson.loads(done.stdout)


def screened(settings: Settings, web: MiniWeb, articles: Path) -> Papers:
    articles.mkdir()
    for entry in ENTRIES:
        (articles / f"{entry.paper.suffix}.xml").write_bytes(jats.article_xml(entry.paper))
    papers = Papers(settings.papers)
    stage = ScreenStage(load_settings(mirror=web.url, probes_per_second=10_000.0, requests_per_second=1_000.0))
    for paper in ingest([articles], papers):
        assert carry_out(stage, papers[paper.id]).verdict == "passed"
    return papers


def test_screened_papers_become_files_of_tasks_and_the_byte_budget_is_seen(
    settings: Settings, prefect: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behaviour = Behaviour(crawl_delay=0)
    with MiniWeb(build_world(0), behaviour=behaviour, git_cache=tmp_path / "git") as web:
        for name, value in (("MIRROR", web.url), ("PROBES_PER_SECOND", "10000"), ("REQUESTS_PER_SECOND", "1000"),
                            ("BYTE_BUDGET", str(BUDGET))):  # fmt: skip
            monkeypatch.setenv(f"NATUREGYM_{name}", value)
        papers = screened(settings, web, tmp_path / "articles")
        code, told = naturegym("acquire")
        assert (code, told["state"], told["counts"]) == (0, "Completed", {"done": 3}), told
        came = len(web.log.entries())
    sizes: dict[str, int] = {}  # a file that two papers share comes once
    for paper in papers:
        acquired = orjson.loads((paper.path / "acquire/acquired.json").read_bytes())
        sizes |= {one["url"]: one["size"] for source in acquired["sources"] for one in source["files"]}
    (bar,) = prefect("artifacts/filter", artifacts={"key": {"any_": ["acquire-bytes-progress"]}})
    assert sum(sizes.values()) > 0
    assert bar["description"] == f"{sum(sizes.values()):,} of the {BUDGET:,} bytes that a run may download"
    assert bar["data"] == pytest.approx(100 * sum(sizes.values()) / BUDGET)
    assert bar["updated"] > bar["created"], "it moved"

    for command in ("cut", "split"):
        code, told = naturegym(command)
        assert (code, told["state"], told["counts"]) == (0, "Completed", {"done": 3}), (command, told)
        assert naturegym(command)[1]["counts"] == {"current": 3}
    names = [run["name"] for run in prefect("flow_runs/filter", sort="START_TIME_ASC")]
    assert names == [f"{stage} all papers" for stage in ("acquire", "cut", "cut", "split", "split")]
    for paper in papers:
        alone = split_task(paper.path / "cut/task.yaml", tmp_path / paper.id)
        assert paper.record("split").facts["digest"] == alone.digest  # type: ignore[union-attr]
    assert came == len(web.log.entries()), "cutting and splitting ask nobody"


def test_a_task_that_somebody_broke_is_that_papers_failure_alone(
    settings: Settings, prefect: Callable[..., Any]
) -> None:
    from nature_gym.demo.tasks import write_task

    for entry in ENTRIES:
        write_task(entry, settings.papers / entry.paper.id / "cut")
    broken = ENTRIES[1].paper.id
    (settings.papers / broken / "cut/task.yaml").write_text("id: [\n")
    assert naturegym("split")[1]["counts"] == {"done": 2, "failed": 1}
    failed = [run for run in prefect("task_runs/filter") if run["state_type"] == "FAILED"]
    assert [run["name"] for run in failed] == [f"split {broken}"]
    code, told = naturegym("split", broken)
    assert (code, told["kind"], told["folder"]) == (1, "current", None)
    assert told["reason"]
