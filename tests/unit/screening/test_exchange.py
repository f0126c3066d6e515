from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.records import Papers
from nature_gym.screening.decisions import CODES, RULES, Decision, Evidence
from nature_gym.screening.exchange import FilterResult, from_filter_result, to_filter_result
from nature_gym.screening.importing import import_file
from nature_gym.screening.record import Screening
from nature_gym.screening.review import answer, answers, told_task
from nature_gym.screening.task import Metric, Score, Setting, TaskTuple

TEXT = st.text(max_size=30)
SCORES = st.builds(Score, metric=TEXT, value=TEXT, method=TEXT, place=TEXT)
NAMES = st.lists(TEXT, max_size=3, unique=True)


@st.composite
def tasks(draw: st.DrawFn) -> TaskTuple:
    names = draw(NAMES)
    settings = [
        Setting(
            name=name,
            accepted=number % 2 == 0,
            reason=draw(TEXT),
            protocol=draw(st.sampled_from(["fixed_split", "k_fold", "unknown"])),
            sota=tuple(draw(st.lists(SCORES, max_size=2))),
            baseline=tuple(draw(st.lists(SCORES, max_size=2))),
        )
        for number, name in enumerate(names)
    ]
    settings.sort(key=lambda setting: not setting.accepted)  # the layout keeps two lists
    metrics = [
        Metric(
            name=name,
            direction=draw(st.sampled_from([None, "higher_is_better"])),
            primary=number == 0,
            place=draw(TEXT),
        )
        for number, name in enumerate(draw(NAMES))
    ]
    return TaskTuple(
        task_type=draw(TEXT),
        method=draw(TEXT),
        variants=tuple(draw(NAMES)),
        metrics=tuple(metrics),
        baselines=tuple(draw(NAMES)),
        settings=tuple(settings),
    )


@st.composite
def screenings(draw: st.DrawFn) -> Screening:
    reached = draw(st.integers(1, len(RULES)))
    decisions = [
        Decision(
            rule=rule,
            verdict="pass",
            reason=draw(TEXT),
            evidence=(Evidence(quote=draw(TEXT), section="Results", start=3, end=9), Evidence(quote="404")),
            decider=draw(st.sampled_from(["rules", "llm"])),
            version="7",
        )
        for rule in RULES[:reached]
    ]
    stopped = RULES[reached - 1] if draw(st.booleans()) and reached > 1 else None
    if stopped:
        decisions[-1] = decisions[-1].model_copy(update={"verdict": "reject", "code": CODES[stopped][0]})
    return Screening(
        id="10.5555_x",
        title=draw(TEXT),
        verdict="rejected" if stopped else "passed",
        stopped_at=stopped,
        summary=draw(TEXT),
        task=draw(tasks()),
        decisions=tuple(decisions),
    )


@given(screenings())
def test_a_record_survives_the_way_there_and_back(screening: Screening) -> None:
    there = json.loads(json.dumps(to_filter_result(screening)))
    FilterResult.model_validate(there)
    assert from_filter_result(there) == screening


def test_the_layout_has_the_keys_that_were_agreed() -> None:
    value = to_filter_result(
        Screening(id="x", title="t", verdict="passed", stopped_at=None, summary="s", task=TaskTuple(), decisions=())
    )
    assert list(value) == ["paper_id", "paper_title", "task_info", "filtering_process", "final_result"]
    assert list(value["task_info"]) == [
        "task_type", "algorithm", "metrics", "sota", "baseline", "data", "dependencies"
    ]  # fmt: skip
    assert set(value["task_info"]["data"]) == {
        "pattern", "size_tier", "evaluation_settings", "rejected_settings", "setting_dependencies"
    }  # fmt: skip
    assert list(value["final_result"]) == ["passed", "decision_summary", "stopped_at"]


FOREIGN: dict[str, Any] = {
    "paper_id": "10.5555_s41467-022-30001-4",
    "paper_title": "A title",
    "task_info": {
        "task_type": "regression",
        "algorithm": "YieldNet",
        "metrics": [{"name": "RMSE", "score_source": "Table 2", "other": 1}],
        "sota": "0.12",
        "baseline": None,
        "data": {"pattern": "in_repo", "size_tier": "S", "evaluation_settings": [{"name": "Main"}]},
        "dependencies": [],
    },
    "filtering_process": [
        {"level_id": 1, "rules": []},
        {
            "level_id": "level_1",
            "rules": [
                {"rule_id": "1.1", "passed": False, "reason": "non_computational: wet lab", "evidence": "We grew."}
            ],
        },
    ],
    "final_result": {"passed": False, "decision_summary": "no", "stopped_at": "1.1"},
}


def test_what_others_write_is_read() -> None:
    screening = from_filter_result(FOREIGN)
    assert (screening.task.method, screening.task.metrics[0].place) == ("YieldNet", "Table 2")
    assert screening.decisions[0].evidence == (Evidence(quote="We grew."),)
    assert [setting.name for setting in screening.task.settings] == ["Main"]


def test_imported_decisions_become_answers_by_name(tmp_path: Path, naturegym_home: Path) -> None:
    papers = Papers(naturegym_home / "papers")
    folder = papers["10.5555_s41467-022-30001-4"]
    folder.path.mkdir(parents=True)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(FOREIGN))
    outcome = import_file(path, papers)
    assert outcome["paper"] == folder.id
    taken = answers(folder)["1.1"]
    assert (taken.decider, taken.verdict, taken.code) == ("imported", "reject", "non_computational")
    answer(folder, taken.model_copy(update={"decider": "human", "by": "me"}))  # later answers leave the task alone
    task = told_task(folder)
    assert task is not None
    assert (task.method, task.task_type, [metric.name for metric in task.metrics]) == (
        "YieldNet", "regression", ["RMSE"]
    )  # fmt: skip


def test_words_of_others_for_protocols_and_directions_stop_nothing() -> None:
    task = json.loads(json.dumps(FOREIGN["task_info"]))
    task["metrics"][0]["direction"] = "max"
    task["data"]["evaluation_settings"][0]["protocol"] = ["holdout"]
    read = from_filter_result({**FOREIGN, "task_info": task}).task
    assert (read.metrics[0].direction, read.settings[0].protocol) == (None, "unknown")


@pytest.mark.parametrize("text", ["", "[]", "{}", '"x"', '{"paper_id": 3}', "\x00"])
def test_a_file_that_is_no_record_is_told_and_stops_nothing(tmp_path: Path, naturegym_home: Path, text: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text)
    outcome = import_file(path, Papers(naturegym_home / "papers"))
    assert outcome["paper"] is None
    assert "is no filter_result.json" in outcome["outcome"]


def test_a_record_of_a_paper_that_is_not_here_is_told(tmp_path: Path, naturegym_home: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(to_filter_result(from_filter_result({**FOREIGN, "filtering_process": []}))))
    assert "there is no paper" in import_file(path, Papers(naturegym_home / "papers"))["outcome"]
