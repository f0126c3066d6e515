"""``naturegym screen``, ``review`` and ``record``: what they print, keep and end with."""

from __future__ import annotations

import csv
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.typesetting import html
from nature_gym.demo.world import build_world
from nature_gym.screening.decisions import CODES, RULES

COMMAND = Path(sys.executable).with_name("naturegym")
KEYS = {"id", "title", "verdict", "stopped_at", "summary", "task", "decisions", "probes", "size"}


def run(*argv: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "200"} | variables
    return subprocess.run([str(COMMAND), *argv], capture_output=True, text=True, check=False, env=environment)


def asked(*argv: str, code: int = 0) -> Any:
    """What a command prints with ``--json``."""
    done = run(*argv, "--json")
    assert done.returncode == code, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def set_pages(entry: Entry, folder: Path) -> Path:
    """A folder with the paper's page and its tables' pages, as a user has them."""
    (folder / "tables").mkdir(parents=True)
    (folder / "article.html").write_bytes(html.article_page(entry.paper))
    for table in entry.paper.tables:
        (folder / "tables" / f"{table.number}.html").write_bytes(html.table_page(entry.paper, table.number))
    return folder


def first(stopped_at: str | None) -> Entry:
    """The demo world's first paper that stops there."""
    return next(entry for entry in build_world(0).entries if entry.truth.stopped_at == stopped_at)


REJECTED, OPEN = first("2.2"), first(None)
"""One that stops by its text alone, and one whose size nobody knows as long as links are not looked at."""


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    return {entry.paper.id: set_pages(entry, tmp_path / entry.paper.id) for entry in (REJECTED, OPEN)}


@pytest.fixture
def corpus(folders: dict[str, Path]) -> list[str]:
    """Both papers, ingested."""
    done = run("ingest", *map(str, folders.values()))
    assert done.returncode == 0, done.stderr
    return list(folders)


# -- screen --------------------------------------------------------------------------------------


def test_one_paper_is_told_as_one_object_with_the_keys_that_others_rely_on(corpus: list[str]) -> None:
    told = asked("screen", REJECTED.paper.id, "--no-probe")
    assert set(told) == KEYS
    assert set(told["task"]) == {"task_type", "method", "variants", "metrics", "baselines", "settings"}
    assert (told["id"], told["verdict"], told["stopped_at"]) == (REJECTED.paper.id, "rejected", "2.2")
    assert [decision["rule"] for decision in told["decisions"]] == ["0", "1.1", "2.1", "2.2"]
    last = told["decisions"][-1]
    assert (last["verdict"], last["code"], last["decider"]) == ("reject", REJECTED.truth.code, "rules")
    assert last["version"]
    for decision in told["decisions"]:
        for evidence in decision["evidence"]:
            assert set(evidence) == {"quote", "section", "start", "end"}


def test_a_doi_names_a_paper_too(corpus: list[str]) -> None:
    assert asked("screen", REJECTED.paper.doi, "--no-probe")["id"] == REJECTED.paper.id


def test_several_papers_are_told_an_object_a_line(corpus: list[str]) -> None:
    done = run("screen", *corpus, "--no-probe", "--json")
    assert done.returncode == 0
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["verdict"]) for one in told] == [
        (REJECTED.paper.id, "rejected"),
        (OPEN.paper.id, "undecided"),
    ]
    assert told[1]["size"]["confidence"] == "indeterminate"
    assert told[1]["size"]["links"] >= 1


def test_a_papers_own_folder_means_that_paper(corpus: list[str], naturegym_home: Path) -> None:
    told = asked("screen", str(naturegym_home / "papers" / corpus[0]), "--no-probe")
    assert told["id"] == corpus[0]
    assert told["decisions"]


def test_an_empty_name_means_no_paper() -> None:
    done = run("screen", "", "--json")
    assert done.returncode == 2
    assert "empty name" in json.loads(done.stdout)["error"]


def test_a_folder_is_ingested_first(folders: dict[str, Path]) -> None:
    told = asked("screen", str(folders[REJECTED.paper.id]), "--no-probe")
    assert (told["id"], told["stopped_at"]) == (REJECTED.paper.id, "2.2")
    assert asked("screen", REJECTED.paper.id, "--no-probe") == told, "now it is known by its id"


def test_a_folder_and_an_id_go_together(folders: dict[str, Path]) -> None:
    run("ingest", str(folders[OPEN.paper.id]))
    done = run("screen", OPEN.paper.id, str(folders[REJECTED.paper.id]), "--no-probe", "--json")
    assert {json.loads(line)["id"] for line in done.stdout.splitlines()} == set(folders)


def test_unknown_papers_are_named_and_the_others_go_on(corpus: list[str]) -> None:
    done = run("screen", "10.1/nowhere", REJECTED.paper.id, "--no-probe", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["id"] == REJECTED.paper.id
    assert "10.1/nowhere" in done.stderr
    assert run("screen", "10.1/nowhere").returncode == 2


def test_a_paper_that_was_never_read_is_undecided_with_the_cause(naturegym_home: Path) -> None:
    (naturegym_home / "papers" / "10.1_a").mkdir(parents=True)
    told = asked("screen", "10.1_a", code=1)
    assert set(told) == KEYS
    assert told["verdict"] == "undecided"
    assert "not read yet" in told["summary"]


def test_an_explanation_quotes_sentences_with_section_and_place(corpus: list[str]) -> None:
    done = run("screen", REJECTED.paper.id, "--no-probe", "--explain")
    told = asked("screen", REJECTED.paper.id, "--no-probe")
    assert done.returncode == 0
    for decision in told["decisions"]:
        assert decision["reason"] in done.stdout
        for evidence in decision["evidence"]:
            if evidence["start"] is not None:
                assert f"({evidence['section']}, {evidence['start']}-{evidence['end']})" in done.stdout
                assert evidence["quote"] in done.stdout
    assert told["task"]["method"] in done.stdout
    assert "confidence indeterminate" in run("screen", OPEN.paper.id, "--no-probe", "--explain").stdout
    assert run("screen", "--explain").returncode == 2


def test_a_person_may_decide_everything(corpus: list[str]) -> None:
    told = asked("screen", REJECTED.paper.id, "--no-probe", "--decider", "human")
    assert (told["verdict"], told["stopped_at"]) == ("undecided", "0")
    assert told["decisions"][0]["decider"] == "human"
    assert asked("screen", REJECTED.paper.id, "--no-probe")["verdict"] == "rejected", "the rules are asked again"


def test_a_model_without_a_key_leaves_papers_undecided_with_the_cause(corpus: list[str]) -> None:
    told = asked("screen", REJECTED.paper.id, "--no-probe", "--decider", "llm")
    assert (told["verdict"], told["stopped_at"]) == ("undecided", "1.1")
    assert "could not decide" in told["summary"]


def test_deciders_are_chosen_by_rule_in_the_settings(corpus: list[str]) -> None:
    done = run("screen", REJECTED.paper.id, "--no-probe", "--json", NATUREGYM_DECIDERS="2.1=human")
    assert (json.loads(done.stdout)["stopped_at"], done.returncode) == ("2.1", 0)


def test_a_decider_that_there_is_not_is_a_usage_error(corpus: list[str]) -> None:
    done = run("screen", REJECTED.paper.id, "--decider", "oracle")
    assert done.returncode == 2
    assert "oracle" in done.stderr


def test_what_is_current_is_not_screened_again_unless_forced(corpus: list[str], naturegym_home: Path) -> None:
    link = naturegym_home / "papers" / REJECTED.paper.id / "screen"

    def publication() -> str:
        asked("screen", REJECTED.paper.id, "--no-probe")
        return link.readlink().name

    assert publication() == publication()
    before = publication()
    asked("screen", REJECTED.paper.id, "--no-probe", "--force")
    assert link.readlink().name != before


# -- evaluate ------------------------------------------------------------------------------------


def test_verdicts_are_compared_with_a_labelled_list(corpus: list[str], tmp_path: Path) -> None:
    asked("screen", REJECTED.paper.id, "--no-probe")
    run("screen", OPEN.paper.id, "--no-probe")
    labels = tmp_path / "truth.csv"
    with labels.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "verdict", "stopped_at", "code"))
        rows.writerow((REJECTED.paper.id, "rejected", "2.2", REJECTED.truth.code))
        rows.writerow((OPEN.paper.id, "passed", "", ""))
        rows.writerow(("not/one of [ours]", "passed", "", ""))
    told = asked("screen", "evaluate", str(labels))
    assert (told["papers"], told["agreed"], told["precision"], told["recall"]) == (3, 1, None, 0.0)
    cells = {(cell["truth"], cell["found"]): cell["papers"] for cell in told["confusion"]}
    assert cells == {
        ("2.2", "2.2"): [REJECTED.paper.id],
        ("passed", "undecided at 3.6"): [OPEN.paper.id],
        ("passed", "missing"): ["not/one of [ours]"],
    }
    assert told["deciders"] == {"rules": {"right": 1, "wrong": 0, "undecided": 1}}
    printed = run("screen", "evaluate", str(labels)).stdout
    assert "not/one of [ours]" in printed
    assert OPEN.paper.id in printed


def test_a_list_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text("id,verdict\n")
    done = run("screen", "evaluate", str(tmp_path / "truth.csv"))
    assert done.returncode == 2
    assert "stopped_at" in done.stderr


# -- review --------------------------------------------------------------------------------------


@pytest.fixture
def waiting(corpus: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """A paper that waits for a person's answer at rule 1.1."""
    monkeypatch.setenv("NATUREGYM_DECIDERS", "1.1=human")
    monkeypatch.setenv("NATUREGYM_PROBE_LINKS", "false")
    asked("screen", OPEN.paper.id)
    return OPEN.paper.id


class Terminal:
    """The command in a terminal of its own, answered by keys."""

    def __init__(self, *argv: str, **variables: str) -> None:
        terminal, inner = pty.openpty()
        self._terminal = terminal
        environment = os.environ | {"COLUMNS": "200", "TERM": "dumb"} | variables
        self.process = subprocess.Popen(
            [str(COMMAND), *argv], stdin=inner, stdout=inner, stderr=inner, close_fds=True, env=environment
        )
        os.close(inner)
        self.printed = ""

    def answer(self, prompt: str, keys: str) -> None:
        """Wait for ``prompt``, and type."""
        self._read_until(prompt)
        os.write(self._terminal, keys.encode())

    def _read_until(self, text: str) -> None:
        begun, seen = time.monotonic(), ""
        while text not in seen:
            assert time.monotonic() - begun < 60, f"no {text!r} after: {self.printed}"
            seen += self._read()
        self.printed += seen

    def _read(self) -> str:
        if not select.select([self._terminal], [], [], 1.0)[0]:
            return ""
        try:
            return os.read(self._terminal, 65536).decode(errors="replace")
        except OSError:  # the command has ended
            pytest.fail(f"the command ended early: {self.printed}")

    def end(self) -> int:
        """Read to the end; the exit code."""
        while True:
            try:
                part = os.read(self._terminal, 65536)
            except OSError:
                break
            if not part:
                break
            self.printed += part.decode(errors="replace")
        os.close(self._terminal)
        return self.process.wait(30)


def test_what_waits_is_listed_with_rule_and_reason(waiting: str) -> None:
    (question,) = asked("review", "list")
    assert (question["id"], question["rule"], question["verdict"]) == (waiting, "1.1", "undecided")
    assert asked("review") == [question]
    assert waiting in run("review", "list").stdout


def test_a_key_rejects_with_a_code_and_the_answer_is_kept_with_its_author(waiting: str) -> None:
    terminal = Terminal("review", "--as", "A. Reader")
    terminal.answer(" > ", "x\n")  # no such key: it asks again
    terminal.answer(" > ", "r\n")
    terminal.answer("which", "99\n")
    terminal.answer("which", "2\n")
    terminal.answer("why", "a bench study\n")
    assert terminal.end() == 0
    told = asked("screen", waiting)
    last = told["decisions"][-1]
    assert (told["verdict"], told["stopped_at"], last["code"]) == ("rejected", "1.1", CODES["1.1"][1])
    assert (last["decider"], last["by"], last["reason"]) == ("human", "A. Reader", "a bench study")
    assert last["at"]
    assert asked("review", "list") == []


def test_a_key_passes_and_the_cascade_goes_on_with_the_task_filled(waiting: str) -> None:
    terminal = Terminal("review")
    terminal.answer(" > ", "p\n")
    terminal.answer("why", "\n")
    assert terminal.end() == 0
    told = asked("screen", waiting)
    assert [decision["rule"] for decision in told["decisions"]] == list(RULES)
    assert told["decisions"][1]["decider"] == "human"
    assert [question["rule"] for question in asked("review", "list")] == ["3.6"]


@pytest.mark.parametrize("key", ["s", "q", "\x04"])
def test_skipping_and_leaving_answer_nothing(waiting: str, key: str) -> None:
    terminal = Terminal("review")
    terminal.answer(" > ", f"{key}\n" if key.isalpha() else key)
    assert terminal.end() == 0
    assert [question["id"] for question in asked("review", "list")] == [waiting]


def test_a_key_opens_the_papers_text(waiting: str, tmp_path: Path, naturegym_home: Path) -> None:
    program = tmp_path / "bin" / "xdg-open"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    program.chmod(0o755)
    terminal = Terminal("review", PATH=f"{program.parent}:{os.environ['PATH']}")
    terminal.answer(" > ", "o\n")
    terminal.answer(" > ", "q\n")
    assert terminal.end() == 0
    assert "text" in terminal.printed
    assert str(naturegym_home / "papers" / waiting) in terminal.printed


def test_an_answer_is_given_without_asking_and_can_be_taken_back(waiting: str) -> None:
    told = asked("review", "answer", waiting, "1.1", "reject", "--code", "non_computational", "--because", "wet lab")
    assert (told["id"], told["rule"], told["code"]) == (waiting, "1.1", "non_computational")
    assert told["now"].startswith("rejected")
    assert asked("screen", waiting)["verdict"] == "rejected"
    asked("review", "answer", waiting, "1.1", "undecided", "--because", "read too fast")
    assert [question["rule"] for question in asked("review", "list")] == ["1.1"]


@pytest.mark.parametrize(
    "argv", [("1.1", "reject"), ("1.1", "reject", "--code", "too_large"), ("7.7", "pass"), ("1.1", "perhaps")]
)
def test_answers_that_cannot_be_are_usage_errors(waiting: str, argv: tuple[str, ...]) -> None:
    assert run("review", "answer", waiting, *argv, "--because", "x").returncode == 2
    assert len(asked("review", "list")) == 1


def test_an_empty_queue_says_so(corpus: list[str]) -> None:
    assert run("review").stdout == "Nothing waits for an answer.\n"


# -- record --------------------------------------------------------------------------------------


def test_records_go_out_and_settle_the_same_papers_elsewhere(
    corpus: list[str], folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked("screen", REJECTED.paper.id, "--no-probe")
    (result,) = asked("record", "export")
    assert asked("record", "export", REJECTED.paper.id) == result
    assert {"paper_id", "paper_title", "task_info", "filtering_process", "final_result"} <= set(result)
    assert result["final_result"] == {
        "passed": False,
        "decision_summary": f"stopped at rule 2.2: {result['filtering_process'][-1]['rules'][-1]['reason']}",
        "stopped_at": "2.2",
    }
    assert asked("record", "export", "--out", str(tmp_path / "out"))["written"] == 1
    (written,) = (tmp_path / "out").iterdir()
    assert json.loads(written.read_text()) == result

    monkeypatch.setenv("NATUREGYM_HOME", str(tmp_path / "elsewhere"))
    run("ingest", str(folders[REJECTED.paper.id]))
    (outcome,) = asked("record", "import", str(tmp_path / "out"))
    assert (outcome["paper"], outcome["outcome"]) == (REJECTED.paper.id, "4 decisions")
    told = asked("screen", REJECTED.paper.id, "--no-probe", "--decider", "human")
    assert (told["verdict"], told["stopped_at"]) == ("rejected", "2.2")
    assert {decision["decider"] for decision in told["decisions"]} == {"imported"}


def test_what_is_no_record_or_of_no_paper_is_named(corpus: list[str], tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "other.json").write_text('{"paper_id": "10.1_x", "final_result": {"passed": true}}')
    done = run("record", "import", str(tmp_path / "broken.json"), str(tmp_path / "other.json"), "--json")
    assert done.returncode == 1
    first_, second = json.loads(done.stdout)
    assert (first_["paper"], second["paper"]) == (None, None)
    assert "no filter_result.json" in first_["outcome"]
    assert "10.1_x" in second["outcome"]


def test_a_paper_that_was_not_screened_has_no_record(corpus: list[str]) -> None:
    done = run("record", "export", REJECTED.paper.id)
    assert done.returncode == 2
    assert "was not screened" in done.stderr
    assert asked("record", "export") == []
