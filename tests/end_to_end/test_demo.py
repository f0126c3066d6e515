"""The main job as a newcomer runs it: the installed command, in a process of its own."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import COMMAND, Demo

STAGES = ["harvest", "fetch", "read", "screen", "acquire", "cut", "build"]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("whole demo"), pytest.mark.timeout(2700)]


def naturegym(*argv: str, **variables: str) -> Any:
    done = subprocess.run(
        [str(COMMAND), *argv, "--json"], capture_output=True, text=True, check=False, env=os.environ | variables
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def publications(home: Path) -> dict[str, str]:
    """Each stage's publication of each paper: another name means that work was done again."""
    return {
        str(link.relative_to(home)): link.readlink().name
        for link in sorted((home / "papers").glob("*/*"))
        if link.is_symlink()
    }


def of(demo: Demo) -> dict[str, str]:
    """The variables of whoever ran the demo: runs that have nothing left to do leave it as it is."""
    return {"HOME": str(demo.user), "NATUREGYM_HOME": str(demo.user / ".naturegym")}


def test_the_demo_fills_the_funnel_and_a_second_run_has_nothing_left_to_do(whole_demo: Demo) -> None:
    first, own, home = whole_demo.told, of(whole_demo), whole_demo.home
    assert [line["stage"] for line in first["funnel"]] == STAGES
    assert first["funnel"][0]["done"] >= 40
    packages = sorted((home / "packages").iterdir())
    assert len([path for path in packages if path.is_dir()]) == first["screening"]["verdicts"]["passed"]
    assert not any(line["errors"] for line in first["funnel"])
    before = publications(home)
    second = naturegym("demo", "--until", "build", **own)
    assert publications(home) == before
    assert second["funnel"] == first["funnel"]
    for step in ("read", "screen", "acquire", "cut", "build"):
        assert set(second["steps"][step]) == {"current"}, step

    own["NATUREGYM_HOME"] = str(home)
    status = naturegym("status", **own)
    assert status["funnel"] == first["funnel"]
    assert {run["state"] for run in status["runs"]} == {"completed"}
    listed = naturegym("paper", "list", "--stage", "read", **own)
    shown = naturegym("paper", "show", listed["papers"][0]["id"], **own)
    assert set(shown["stages"]) == {"harvest", "fetch", "read", "screen"}
    assert naturegym("db", "rebuild", **own)["papers"] == status["funnel"][0]["done"]
    assert naturegym("status", **own)["funnel"] == first["funnel"]


def test_the_whole_demo_ends_with_leaderboard_and_report_and_a_second_run_has_nothing_left_to_do(
    whole_demo: Demo,
) -> None:
    first = whole_demo.told
    assert first["lost"] == []
    assert (whole_demo.home / "report/index.html").samefile(first["report"])
    if first["not_measured"]:
        pytest.skip(first["not_measured"])
    assert len(first["packages"]) == first["screening"]["verdicts"]["passed"]
    agents = {agent["agent"]: agent for agent in first["leaderboard"]["agents"]}
    assert set(agents) == {"constant", "tabular"}
    for agent in agents.values():
        overall = agent["overall"]
        assert overall["task_count"] == len(first["packages"])
        assert overall["score_rate"] == 100.0
        assert "unknown_count" not in overall, "every trial was judged"
    home = whole_demo.home
    left = publications(home), sorted((home / "trials").iterdir())
    second = naturegym("demo", **of(whole_demo))
    assert (publications(home), sorted((home / "trials").iterdir())) == left
    assert second["leaderboard"] == first["leaderboard"]
    assert set(second["steps"]) == {*STAGES, "review"}, "no flow of agents was begun"


def test_every_paper_of_the_demo_is_screened_as_its_truth_says(whole_demo: Demo, tmp_path: Path) -> None:
    demo = whole_demo.told
    naturegym("demo", "world", "--write", str(tmp_path / "world"))
    told = naturegym("screen", "evaluate", str(tmp_path / "world" / "truth.csv"), NATUREGYM_HOME=demo["home"])
    found = [
        cell for cell in told["confusion"] if cell["found"] != "missing"
    ]  # not harvested: other types, other words
    assert [cell for cell in found if cell["truth"] != cell["found"]] == []
    assert told["wrong_code"] == []
    assert sum(cell["count"] for cell in found) == demo["screening"]["screened"] >= 50
    assert demo["screening"]["rules"][-1]["left"] == demo["screening"]["verdicts"]["passed"] >= 5
    assert demo["screening"]["verdicts"].get("undecided", 0) == 0


def test_a_demo_that_was_killed_again_and_again_ends_as_if_it_had_not_been(naturegym_home: Path) -> None:
    finished: dict[str, str] = {}
    for seconds in (1.0, 3.0, 6.0, 8.0):  # from its start: each run comes further than the one before
        process = subprocess.Popen(
            [str(COMMAND), "demo", "--until", "build"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = publications(naturegym_home / "demo")
        assert {name: now[name] for name in finished} == finished, "what was finished was not done again"
        finished = now
    demo = naturegym("demo", "--until", "build")
    after = publications(Path(demo["home"]))
    assert {name: after[name] for name in finished} == finished, "what was finished was not done again"
    assert not any(line["errors"] for line in demo["funnel"])
    states = [run["state"] for run in naturegym("status", NATUREGYM_HOME=demo["home"])["runs"]]
    assert states[-1] == "completed"
    assert "running" not in states


def test_the_world_is_served_until_it_is_told_to_stop(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [str(COMMAND), "demo", "world", "--serve", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    assert told["environment"] == {"NATUREGYM_MIRROR": told["url"]}
    report = naturegym("doctor", **told["environment"])
    assert report["works"]
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert process.wait(20) in (0, 130)
    assert time.monotonic() - began < 10
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.stdout.close()
    process.stderr.close()
