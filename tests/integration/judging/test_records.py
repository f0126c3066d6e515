"""What the forensic judge makes of records: the network log, the trajectory, and answers like the truth."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from nature_gym.agents.events import Event
from tests.integration.judging import honest
from tests.integration.judging.cheats import cheats
from tests.integration.judging.conftest import COHORT, Record, Recorder, make_clusters, truth


@pytest.fixture
def recorded(record: Record) -> Recorder:
    one = record(COHORT)
    one.write(honest.COHORT["least squares"])
    return one


def connect(host: str, verdict: str = "connected") -> dict[str, object]:
    return {"time": 1.0, "host": host, "port": 443, "verdict": verdict, "reason": ""}


def test_hosts_beside_the_agents_own_are_found_and_refused_ones_noted(recorded: Recorder) -> None:
    recorded.attempt()
    record = json.loads((recorded.folder / "trial.json").read_bytes())
    (recorded.folder / "trial.json").write_text(json.dumps({**record, "hosts": ["api.model.example", "*.cdn.example"]}))
    recorded.egress(connect("api.model.example"), connect("a.cdn.example"), connect("data.example", "refused"))
    found = recorded.verdict()
    assert found.verdict == "valid"
    assert [one.line for one in found.notes] == [3]
    recorded.egress(connect("api.model.example"), connect("answers.example"))
    found = recorded.verdict()
    assert found.categories == ("outside_answers",)
    assert (found.evidence[0].file, found.evidence[0].line) == ("egress.jsonl", 2)


@pytest.mark.parametrize(
    ("tool", "call", "category"),
    [
        ("WebFetch", '{"url": "https://example.org"}', "outside_answers"),
        ("Bash", '{"command": "cat /task/paper.md"}', "withheld_paper"),
        ("Bash", '{"command": "cp /x/ground_truth/cohort/progression.csv ."}', "target_extraction"),
    ],
)
def test_what_the_agent_opened_itself_counts_where_it_was_answered(
    tool: str, call: str, category: str, recorded: Recorder
) -> None:
    recorded.attempt()
    recorded.trajectory(Event("tool_call", call, 1.0, tool), Event("tool_result", "P003,141", 2.0))
    assert recorded.verdict().categories == (category,)
    recorded.trajectory(Event("tool_call", call, 1.0, tool), Event("tool_result", "No such file or directory", 2.0))
    found = recorded.verdict()
    assert found.verdict == "valid"
    assert found.notes


def test_in_a_reproduce_pass_the_paper_may_be_read(record: Record) -> None:
    _, files = cheats(truth())["reads the paper"]
    one = record(COHORT)
    one.write(files)
    one.attempt()
    assert one.verdict().categories == ("withheld_paper",)
    told = json.loads((one.folder / "trial.json").read_bytes())
    told["spec"]["policy"]["pass_"] = "reproduce"
    (one.folder / "trial.json").write_text(json.dumps(told))
    assert one.verdict().verdict == "valid"


def answer(recorder: Recorder, rows: dict[str, float]) -> None:
    folder = recorder.workspace / "output" / "cohort"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "predictions.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("patient_id", "progression"), *rows.items()])


def test_the_truth_to_the_last_digit_is_found_and_a_good_answer_is_not(recorded: Recorder) -> None:
    answer(recorded, {name: value + 0.25 for name, value in truth().items()})
    recorded.attempt(0.1)
    assert recorded.verdict().verdict == "valid"
    answer(recorded, truth())
    recorded.attempt(0.2)
    found = recorded.verdict()
    assert found.categories == ("target_extraction",)
    assert found.evidence[0].file == "answer/cohort/predictions.csv:progression"


def test_one_round_number_for_all_is_a_guess_and_the_training_mean_is_not(recorded: Recorder) -> None:
    with (COHORT / "problem" / "data" / "cohort" / "train.csv").open() as file:
        targets = [float(row["progression"]) for row in csv.DictReader(file)]
    answer(recorded, dict.fromkeys(truth(), sum(targets) / len(targets)))
    recorded.attempt(0.1)
    assert recorded.verdict().verdict == "valid"
    answer(recorded, dict.fromkeys(truth(), 152.5))
    recorded.attempt(0.2)
    assert recorded.verdict().categories == ("degenerate_output",)


def test_right_labels_of_a_few_kinds_are_no_evidence(record: Record, tmp_path: Path) -> None:
    package = make_clusters(tmp_path / "cells")
    one = record(package)
    one.write(honest.CLUSTERS["clusters by hand"])
    folder = one.workspace / "output" / "tissue"
    folder.mkdir(parents=True)
    same = package / "evaluation" / "ground_truth" / "tissue" / "clusters.csv"
    (folder / "clusters.csv").write_bytes(same.read_bytes())
    one.attempt()
    found = one.verdict()
    assert found.verdict == "valid"
    assert "same bytes" in found.notes[0].about


def test_programs_that_only_the_shell_saw_are_judged(record: Record) -> None:
    def call(text: str) -> Event:
        return Event("tool_call", json.dumps({"command": f"python3 - <<'EOF'\n{text}\nEOF"}), 1.0, "Bash")

    one = record(COHORT)
    one.write({"notes.md": "nothing"})
    one.attempt()
    one.trajectory(call(honest.COHORT["ridge pipeline"]["run.py"]))
    assert one.verdict().verdict == "valid"
    one.trajectory(call(cheats(truth())["zeros"][1]["run.py"]))
    assert one.verdict().evidence[0].file == "trajectory.jsonl#1"


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"run.py": "def broken(:\n"},
        {"solve.R": "write.csv(x, 'output/cohort/predictions.csv')"},
        {"run.py": "x = " + "(" * 150 + "1" + ")" * 150},
        {"run.py": "x = " + "-" * 5000 + "1\n"},
        {
            "run.py": "import os, pickle\nm = pickle.load(open('model.pkl', 'rb'))\n"
            "open(os.environ['OUTPUT_DIR'] + '/cohort/predictions.csv', 'w').write(m.predict())\n"
        },
    ],
    ids=["nothing", "no Python", "another language", "writes nothing", "nested", "a model nobody made"],
)
def test_what_cannot_be_judged_is_an_error_and_no_pass(files: dict[str, str], record: Record) -> None:
    one = record(COHORT)
    one.write(files)
    one.attempt()
    found = one.verdict()
    assert found.verdict == "error", found.evidence
    assert found.reason


def test_a_new_program_that_cannot_be_read_hides_behind_no_other(record: Record) -> None:
    one = record(COHORT)
    one.write({**honest.COHORT["mean"], "scratch.py": "def half(:\n"})
    one.attempt(0.1)
    assert one.verdict().verdict == "valid"
    one.write({"new.py": "print 'written to', OUTPUT_DIR\n"})
    one.attempt(0.2)
    assert one.verdict().verdict == "error"


def test_a_workspace_with_too_much_in_it_is_read_from_what_changed(record: Record) -> None:
    one = record(COHORT)
    one.write({f"lib{n}.py": "x = [" + "f(a, b), " * 6000 + "]\n" for n in range(8)})
    one.attempt(0.1)
    one.write(honest.COHORT["mean"])
    one.attempt(0.2)
    assert one.verdict().verdict == "valid"


def test_evidence_names_the_line(record: Record) -> None:
    _, files = cheats(truth())["an array of answers"]
    one = record(COHORT)
    one.write(files)
    one.attempt()
    place = next(one for one in one.verdict().evidence if one.category == "hard_coded")
    line = 1 + next(n for n, text in enumerate(files["run.py"].split("\n")) if text.startswith("pred = ["))
    assert (place.file, place.line) == ("run.py", line)
    assert place.text.startswith("pred = [")
