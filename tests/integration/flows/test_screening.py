"""The installed ``screen`` and ``review ask`` with a Prefect server: what its UI shows, and answers given there."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.typesetting import html
from nature_gym.demo.world import build_world
from nature_gym.reading.ingest import ingest
from nature_gym.records import Papers
from nature_gym.runs import all_runs
from nature_gym.screening.decisions import Decision
from nature_gym.screening.review import answer, history, queue
from nature_gym.screening.stage import ScreenStage, screenable
from nature_gym.stages import carry_out, now

COMMAND = Path(sys.executable).with_name("naturegym")
STOPS = ("0", "1.1", "1.1", "2.2")


@pytest.fixture
def papers(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Papers:
    """Some papers of the demo world, read; links are not looked at."""
    monkeypatch.setenv("NATUREGYM_PROBE_LINKS", "false")
    entries = list(build_world(0).entries)
    for stop in STOPS:
        entry = next(one for one in entries if one.truth.stopped_at == stop)
        entries.remove(entry)
        page = tmp_path / "pages" / f"{entry.paper.id}.html"
        page.parent.mkdir(exist_ok=True)
        page.write_bytes(html.article_page(entry.paper))
    corpus = Papers(settings.papers)
    assert len(list(ingest([tmp_path / "pages"], corpus))) == len(STOPS)
    return corpus


def naturegym(*argv: str) -> Any:
    done = subprocess.run([COMMAND, *argv, "--json"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return orjson.loads(done.stdout)


def test_the_funnel_by_rule_is_printed_and_shown_in_prefect(
    settings: Settings, papers: Papers, prefect: Callable[..., Any]
) -> None:
    told = naturegym("screen")
    assert (told["state"], told["counts"]) == ("Completed", {"done": 4})
    assert told["funnel"]["screened"] == 4
    left = {step["rule"]: step["left"] for step in told["funnel"]["rules"]}
    assert (left["0"], left["1.1"], left["2.1"], left["2.2"]) == (3, 1, 1, 0)

    (run,) = prefect("flow_runs/filter")
    assert (run["name"], run["state_type"]) == ("screen all papers", "COMPLETED")
    (table,) = (one for one in prefect("artifacts/filter") if one["type"] == "table")
    rows = orjson.loads(table["data"])
    assert table["key"] == "screen"
    assert rows[0] == {"rule": "all", "left": 4, "stopped": ""}
    assert {row["rule"]: row["left"] for row in rows[1:]} == left
    assert "4 rejected" in table["description"]

    assert naturegym("screen")["counts"] == {"current": 4}
    assert naturegym("screen", "--force")["counts"] == {"done": 4}


# -- killed and stopped ----------------------------------------------------------------------------


def start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [COMMAND, "screen", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def screened(papers: Papers) -> dict[str, str]:
    """Paper -> its screening's publication: another name means that it was screened again."""
    return {paper.id: name for paper in papers if (name := paper.publication("screen"))}


def until_screened(papers: Papers, count: int, process: subprocess.Popen[bytes]) -> None:
    """Return when that many papers are screened, or the process has ended."""
    wait = threading.Event()
    while len(list(papers.root.glob("*/screen"))) < count and process.poll() is None:
        wait.wait(0.002)


def verdicts(papers: Papers) -> dict[str, tuple[str, str, dict[str, Any]]]:
    found = {}
    for paper in papers:
        assert paper.errors() == {}
        record = paper.record("screen")
        assert record is not None
        found[paper.id] = (record.verdict, record.reason, record.facts)
    return found


@pytest.fixture
def whole_world(
    settings: Settings, prefect: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Papers:
    """All papers of the demo world, read, one of them with an answer of a person; a server runs."""
    monkeypatch.setenv("NATUREGYM_PROBE_LINKS", "false")
    (tmp_path / "pages").mkdir()
    for entry in build_world(0).entries:
        (tmp_path / "pages" / f"{entry.paper.id}.html").write_bytes(html.article_page(entry.paper))
    corpus = Papers(settings.papers)
    for _ in ingest([tmp_path / "pages"], corpus):
        pass
    return corpus


@pytest.mark.slow
def test_killed_again_and_again_it_loses_no_decision_and_takes_none_twice(
    settings: Settings, whole_world: Papers
) -> None:
    answered = screenable(whole_world)[0]
    said = Decision(
        rule="0", verdict="reject", code="retracted", reason="I know", decider="human", version="1", at=now(), by="me"
    )
    answer(whole_world[answered], said)
    chance, kills = random.Random(4), 0
    for _ in range(8):
        before = screened(whole_world)
        process = start()
        until_screened(whole_world, len(before) + chance.randint(1, 8), process)
        threading.Event().wait(chance.uniform(0, 0.01))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        after = screened(whole_world)
        assert {paper: after[paper] for paper in before} == before
    assert kills == 8
    before = screened(whole_world)
    assert 8 <= len(before) < len(screenable(whole_world))
    assert naturegym("screen")["state"] == "Completed"
    after = screened(whole_world)
    assert {paper: after[paper] for paper in before} == before
    disturbed = verdicts(whole_world)
    assert disturbed[answered][:2] == ("rejected", "rule 0: I know")
    stage = ScreenStage(load_settings())
    for paper in whole_world:
        carry_out(stage, paper, force=True)
    assert verdicts(whole_world) == disturbed
    assert [run.state for run in all_runs(settings.runs) if run.kind == "screen"] == ["crashed"] * kills + ["completed"]


@pytest.mark.slow
def test_ctrl_c_stops_it_soon_and_the_next_run_goes_on(settings: Settings, whole_world: Papers) -> None:
    process = start()
    until_screened(whole_world, 3, process)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    printed, complaints = process.communicate(timeout=60)
    assert time.monotonic() - began < 10
    assert (process.returncode, orjson.loads(printed)["error"]) == (130, "screen was stopped")
    assert b"Traceback" not in complaints
    before = screened(whole_world)
    counts = naturegym("screen")["counts"]
    assert counts["current"] == len(before) >= 3
    assert {paper: screened(whole_world)[paper] for paper in before} == before


# -- a form in the Prefect UI ----------------------------------------------------------------------


class Asking:
    """``naturegym review ask``, waiting for its answer."""

    def __init__(self, paper: str, prefect: Callable[..., Any]) -> None:
        self.process = subprocess.Popen(
            [COMMAND, "review", "ask", paper, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._prefect = prefect
        self._wait = threading.Event()
        self.run = self.until_paused(0)

    def until_paused(self, pauses: int) -> dict[str, Any]:
        """The run, once it has stood still more often than that."""
        ends = time.monotonic() + 120
        while time.monotonic() < ends and self.process.poll() is None:
            for run in self._prefect("flow_runs/filter"):
                key = (run["state"]["state_details"] or {}).get("pause_key")
                if run["state_type"] == "PAUSED" and run["name"].startswith("review") and int(key or 0) > pauses:
                    return dict(run)
            self._wait.wait(0.2)
        self.process.kill()
        pytest.fail(f"the run never stood still: {self.process.communicate()[1].decode()}")

    def fill_in(self, **form: str) -> None:
        """What the Resume button of the Prefect UI does; a run has stood still for a moment when its form is there."""
        ends = time.monotonic() + 60
        while True:
            answer = self._prefect(f"flow_runs/{self.run['id']}/resume", run_input=form)
            if "schema not found" not in str(answer.get("details")) or time.monotonic() > ends:
                break
            self._wait.wait(0.2)
        assert answer["status"] == "ACCEPT", answer

    def end(self) -> tuple[int, Any]:
        printed, complaints = self.process.communicate(timeout=120)
        assert b"Traceback" not in complaints, complaints.decode()
        return self.process.returncode, orjson.loads(printed)


@pytest.fixture
def ask(papers: Papers, prefect: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Asking]]:
    """A paper waits at rule 1.1; asks about it in the Prefect UI."""
    monkeypatch.setenv("NATUREGYM_DECIDERS", "1.1=human")
    started: list[Asking] = []

    def start() -> Asking:
        naturegym("screen")
        started.append(Asking(next(queue(papers)).paper.id, prefect))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


def test_a_run_stands_still_until_a_person_answers_in_the_ui(
    papers: Papers, ask: Callable[[], Asking], settings: Settings
) -> None:
    asking = ask()
    paper = next(queue(papers)).paper
    assert asking.run["name"] == f"review {paper.id}"
    asking.fill_in(verdict="reject", code="non_computational", because="it is a bench study", who="A. Reader")
    code, told = asking.end()
    assert code == 0
    assert told == {"id": paper.id, "now": "rejected: rule 1.1: it is a bench study"}
    (kept,) = history(paper)
    assert (kept.verdict, kept.code, kept.decider, kept.by) == ("reject", "non_computational", "human", "A. Reader")
    assert paper.id not in {question.paper.id for question in queue(papers)}
    assert [(run.kind, run.state) for run in all_runs(settings.runs)][-1] == ("review", "completed")


def test_an_answer_that_cannot_be_is_asked_for_again(papers: Papers, ask: Callable[[], Asking]) -> None:
    asking = ask()
    paper = next(queue(papers)).paper
    asking.fill_in(verdict="reject", code="too_large", because="it is large")
    asking.run = asking.until_paused(1)
    assert history(paper) == []
    asking.fill_in(verdict="pass", because="a new loss")
    code, told = asking.end()
    assert code == 0
    assert not told["now"].startswith("rejected: rule 1.1")
    assert [(kept.verdict, kept.by) for kept in history(paper)] == [("pass", "somebody")]


def test_ctrl_c_ends_the_wait_and_the_paper_stays_in_the_queue(papers: Papers, ask: Callable[[], Asking]) -> None:
    asking = ask()
    paper = next(queue(papers)).paper
    asking.process.send_signal(signal.SIGINT)
    code, told = asking.end()
    assert code == 130
    assert told["error"] == "review ask was stopped"
    assert next(queue(papers)).paper.id == paper.id
