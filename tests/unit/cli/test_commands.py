"""What the commands that need no server say, and how they end."""

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nature_gym.errors import PaperError
from nature_gym.harvest.corpus import HarvestStage
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder, Papers, StageError
from nature_gym.stages import Outcome, carry_out

COMMAND = Path(sys.executable).with_name("naturegym")
A = Work(
    id="10.5555_s41467-022-30001-4", openalex_id="W1", doi="10.5555/s41467-022-30001-4", title="Learning [to] see",
    venue="Nature Methods", published=dt.date(2022, 6, 1), article_type="article",
)  # fmt: skip
B = Work(id="10.5555_s41592-023-00002-1", openalex_id="W2", doi="10.5555/s41592-023-00002-1", title="Learning to hear")


class Failing:
    name = "read"
    rules = "1"

    def inputs(self, paper: PaperFolder) -> Any:
        return 1

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        raise PaperError("article.pdf is encrypted", hint="Ask for another.")


def run(*argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "160"} | variables
    return subprocess.run([str(COMMAND), *argv], capture_output=True, text=True, check=False, env=environment)


@pytest.fixture
def corpus(naturegym_home: Path) -> Papers:
    papers = Papers(naturegym_home / "papers")
    for work in (A, B):
        carry_out(HarvestStage(work), papers[work.id])
    carry_out(Failing(), papers[A.id])
    error = StageError(paper=B.id, stage="read", error="OSError", reason="disk full", at=dt.datetime.now(dt.UTC))
    papers[B.id].fail(error)
    return papers


def test_a_paper_is_shown_with_everything_known(corpus: Papers) -> None:
    shown = run("paper", "show", A.doi or "")
    assert shown.returncode == 0
    for text in ("Learning [to] see", "Nature Methods", "2022-06-01", "harvest", "read", "article.pdf is encrypted"):
        assert text in shown.stdout
    known = json.loads(run("paper", "show", "30001-4", "--json").stdout)
    assert known["work"]["title"] == A.title
    assert known["stages"]["read"]["status"] == "failed"
    assert known["stages"]["harvest"]["outputs"]["work.json"]["size"] > 0


def test_a_paper_shows_what_could_not_be_carried_out(corpus: Papers) -> None:
    assert "read could not be carried out: disk full" in run("paper", "show", B.id).stdout


def test_an_unknown_paper_is_a_usage_error_with_what_to_do(corpus: Papers) -> None:
    failed = run("paper", "show", "nothing")
    assert failed.returncode == 2
    assert "there is no paper 'nothing'" in failed.stderr
    assert "naturegym paper list" in failed.stderr
    assert json.loads(run("paper", "show", "nothing", "--json").stdout)["exit_code"] == 2


def test_papers_are_listed_by_what_they_hold_and_where_they_stand(corpus: Papers) -> None:
    everything = json.loads(run("paper", "list", "--json").stdout)
    assert [paper["id"] for paper in everything["papers"]] == [A.id, B.id]
    assert json.loads(run("paper", "list", "--text", "hear", "--json").stdout)["total"] == 1
    assert json.loads(run("paper", "list", "--stage", "read", "--verdict", "PaperError", "--json").stdout)["total"] == 1
    assert "Learning [to] see" in run("paper", "list").stdout


def test_the_funnel_counts_papers_by_stage(corpus: Papers) -> None:
    funnel = {line["stage"]: line for line in json.loads(run("status", "--json").stdout)["funnel"]}
    assert funnel["harvest"]["done"] == 2
    assert (funnel["read"]["failed"], funnel["read"]["errors"]) == (1, 1)
    assert "1 could not be carried out" in run("status").stdout


def test_an_empty_corpus_points_at_the_demo() -> None:
    assert "naturegym demo" in run("status").stdout


def test_the_doctor_names_what_is_broken_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    report = run("doctor", "--json", NATUREGYM_HOME=str(tmp_path / "file" / "home"), NATUREGYM_WROKERS="3")
    assert report.returncode == 3
    findings = {finding["what"]: finding for finding in json.loads(report.stdout)["findings"]}
    assert findings["home folder"]["state"] == "broken"
    assert "NATUREGYM_HOME" in findings["home folder"]["advice"]
    assert "NATUREGYM_WROKERS" in findings["settings"]["detail"]
    assert run("doctor").returncode == 0


def test_settings_say_where_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "naturegym.toml").write_text("workers = 3")
    rows = json.loads(run("settings", "--json", NATUREGYM_TIMEOUT="9").stdout)
    assert (rows["workers"]["value"], rows["workers"]["origin"]) == (3, "naturegym.toml")
    assert (rows["timeout"]["value"], rows["timeout"]["origin"]) == (9, "NATUREGYM_TIMEOUT")


def test_a_wrong_setting_ends_every_command_with_its_name() -> None:
    failed = run("status", NATUREGYM_WORKERS="many")
    assert failed.returncode == 2
    assert "NATUREGYM_WORKERS" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_venue_list_that_is_not_there_is_told_before_anything_starts() -> None:
    failed = run("harvest", "--venues", "nowhere")
    assert failed.returncode == 2
    assert "nature-family" in failed.stderr


@pytest.mark.parametrize(
    "days",
    [
        ("--from", "2025-01-01", "--to", "2024-01-01"),
        ("--from", "2999-01-01"),
        ("--to", "1999-01-01"),
        ("--from", "2025-02-30"),
        ("--to", "soon"),
        ("--from", "2025-01-01", "--to", "2024-01-01", "--snapshot", "."),
    ],
)
def test_days_that_cannot_be_are_told_before_anything_starts(naturegym_home: Path, days: tuple[str, ...]) -> None:
    failed = run("harvest", *days, NATUREGYM_MIRROR="http://127.0.0.1:9")
    assert failed.returncode == 2
    assert days[1] in failed.stderr
    assert not (naturegym_home / "prefect").exists()
    assert not (naturegym_home / "runs").exists()


def test_the_demo_world_asks_what_to_do_with_it() -> None:
    assert run("demo", "world").returncode == 2
    assert run("demo", "world", "--serve", "--write", "x").returncode == 2


def test_hostile_titles_do_not_reach_the_terminal(naturegym_home: Path) -> None:
    papers = Papers(naturegym_home / "papers")
    carry_out(HarvestStage(A.model_copy(update={"title": "\x1b]0;owned\x07[red]x[/nope]"})), papers[A.id])
    for argv in (["paper", "show", A.id], ["paper", "list"]):
        shown = run(*argv)
        assert shown.returncode == 0
        assert "\x1b" not in shown.stdout
        assert "\x07" not in shown.stdout


@pytest.mark.parametrize(
    "argv",
    [
        ["paper", "show"],
        ["paper", "list", "--limit", "many"],
        ["paper", "list", "--limit", "99999999999999999999"],
        ["paper", "list", "--text", b"\xff".decode(errors="surrogateescape")],
        ["harvest", "--from", "yesterday"],
        ["status", "--no-such-option"],
    ],
)
def test_a_wrong_call_is_answered_in_json_where_json_was_asked_for(argv: list[str]) -> None:
    answer = run(*argv, "--json")
    assert answer.returncode == 2
    assert set(json.loads(answer.stdout)) == {"error", "hint", "exit_code"}
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("argv", [["status"], ["paper", "show", "x"], ["paper", "list"], ["demo"], ["db", "rebuild"]])
@pytest.mark.parametrize("home", ["/proc/nope", "file/home"])
def test_what_the_system_refuses_is_told_as_such(tmp_path: Path, argv: list[str], home: str) -> None:
    (tmp_path / "file").touch()
    answer = run(*argv, "--json", NATUREGYM_HOME=home)
    assert answer.returncode in (2, 3)
    assert json.loads(answer.stdout)["hint"]
    assert "Traceback" not in answer.stderr


def test_a_home_whose_name_is_not_utf8_can_be_told_of(tmp_path: Path) -> None:
    home = str(tmp_path) + b"/h\xff".decode(errors="surrogateescape")
    assert "home" in json.loads(run("settings", "--json", NATUREGYM_HOME=home).stdout)


@pytest.mark.parametrize(
    ("name", "content"),
    [("work.json", "{"), ("work.json", "[1, 2]"), ("record.json", "{}"), ("../read.error.json", "nonsense")],
)
def test_a_damaged_record_is_told_and_hides_nothing_else(corpus: Papers, name: str, content: str) -> None:
    published = corpus[A.id].published("harvest")
    assert published is not None
    (published.folder / name).write_text(content)
    shown = run("paper", "show", A.id)
    assert shown.returncode == 0, shown.stderr
    assert "cannot be read" in shown.stdout
    assert "article.pdf is encrypted" in shown.stdout
    assert json.loads(run("paper", "show", A.id, "--json").stdout)["errors"]


def test_papers_whose_last_attempt_was_an_error_can_be_listed(corpus: Papers) -> None:
    assert [
        paper["id"] for paper in json.loads(run("paper", "list", "--status", "error", "--json").stdout)["papers"]
    ] == [B.id]


def test_a_list_keeps_its_columns_where_nobody_looks_at_a_terminal(corpus: Papers) -> None:
    listed = run("paper", "list", COLUMNS="40").stdout.splitlines()
    assert listed[0].split() == ["id", "year", "stage", "verdict", "title"]
    assert listed[1].split() == [A.id, "2022", "read", "PaperError", "Learning", "[to]", "see"]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://h:abc/x", "address cannot be read"),
        ("sqlite:////etc/passwd", "not a database"),
        ("postgresql+psycopg://u@127.0.0.1:9/x", "refused"),
        ("nonsense", "address cannot be read"),
    ],
)
def test_the_doctor_asks_the_database_itself(url: str, says: str) -> None:
    report = run("doctor", "--json", NATUREGYM_DATABASE_URL=url)
    assert report.returncode == 3
    finding = {finding["what"]: finding for finding in json.loads(report.stdout)["findings"]}["database"]
    assert finding["state"] == "broken"
    assert says in finding["detail"]
    assert finding["advice"]
