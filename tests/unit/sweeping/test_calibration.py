"""The admission report: which looks admit a package, which defects send it back, and when it is dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nature_gym.sweeping.admission import keep_report, why_not_admitted
from nature_gym.sweeping.calibration import AdmissionReport, CheckFact, admission, grade, page
from nature_gym.sweeping.spec import Policy
from tests.unit.sweeping.trials import stored

GOOD = {"C4.8": CheckFact("C4.8", "pass"), "C4.9": CheckFact("C4.9", "pass")}


@pytest.mark.parametrize(
    ("gap", "word"),
    [(0.3, "success"), (-0.05, "success"), (-0.0501, "partial"), (-0.2, "partial"), (-0.2001, "failure"),
     (None, "failure")],
)  # fmt: skip
def test_grades(gap: float | None, word: str) -> None:
    assert grade(gap) == word


def report(
    home: Path, *, floor: Any = -0.9, base: Any = -0.3, reproduce: Any = 0.01, blocked: str = "",
    checks: dict[str, CheckFact] = GOOD, **record: Any,
) -> AdmissionReport:  # fmt: skip
    """The report of passes with these best gaps; None: no score, ...: no pass."""
    trials = {}
    for name, gap in {"floor": floor, "base": base, "reproduce": reproduce}.items():
        purpose = "reproduce" if name == "reproduce" else "base"
        if gap is not ...:
            trials[name] = stored(
                home, "p", name, 0, [gap], spec={"policy": Policy(purpose=purpose)},  # type: ignore[arg-type]
                **(record if name == "reproduce" else {}),
            )  # fmt: skip
    return admission("p", "sha256:0", checks, trials, blocked=blocked)


def test_a_package_that_supports_the_result_is_admitted(tmp_path: Path) -> None:
    found = report(tmp_path)
    assert (found.verdict, found.defects) == ("admit", ())
    assert [one.grade for one in found.passes] == ["failure", "failure", "success"]


@pytest.mark.parametrize(
    ("what", "verdict", "kind"),
    [
        ({"floor": 0.0}, "drop", "degenerate_task"),
        ({"base": 0.7}, "repair", "metric_blind_to_shortcuts"),
        ({"reproduce": -0.1}, "repair", "missing_data"),
        ({"reproduce": None}, "repair", "missing_data"),
        ({"reproduce": None, "status": "agent_error"}, "repair", "environment"),
        ({"reproduce": 0.1, "status": "infra_error", "reason": "no disk"}, "repair", "environment"),
        ({"checks": {**GOOD, "C4.8": CheckFact("C4.8", "fail", ("0.9 is not 1",))}}, "repair",
         "evaluator_or_anchor_mismatch"),
        ({"checks": {**GOOD, "C4.9": CheckFact("C4.9", "fail", ("NaN is taken",))}}, "repair",
         "metric_blind_to_shortcuts"),
        ({"blocked": "C2.1 failed"}, "repair", "environment"),
    ],
)  # fmt: skip
def test_each_defect_is_named_with_its_evidence(tmp_path: Path, what: dict[str, Any], verdict: str, kind: str) -> None:
    found = report(tmp_path, **what)
    assert found.verdict == verdict
    assert [one.kind for one in found.defects] == [kind]
    (defect,) = found.defects
    assert defect.evidence
    assert defect.mend
    assert defect.evidence in page(found)


def test_without_a_reproduce_pass_nothing_is_admitted(tmp_path: Path) -> None:
    found = report(tmp_path, reproduce=..., base=...)
    assert (found.verdict, found.defects) == ("repair", ())
    assert [one.grade for one in found.passes] == ["failure", "not_run", "not_run"]


def test_a_reproduction_that_the_judge_finds_invalid_admits_nothing(tmp_path: Path) -> None:
    trial = stored(tmp_path, "p", "x", 0, [0.3], verdict={"verdict": "invalid", "reason": "hard-coded"})
    found = admission("p", "sha256:0", GOOD, {"reproduce": trial})
    assert found.passes[2].grade == "failure"
    assert found.verdict == "repair"


def test_an_admission_is_of_one_state_of_the_package(tmp_path: Path) -> None:
    assert why_not_admitted(tmp_path, "p", "sha256:0") == "it was not calibrated"
    found = report(tmp_path)
    keep_report(tmp_path, "p", found.as_json(), page(found))
    assert why_not_admitted(tmp_path, "p", "sha256:0") == ""
    assert "another one" in why_not_admitted(tmp_path, "p", "sha256:1")
    refused = report(tmp_path, floor=0.0)
    keep_report(tmp_path, "p", refused.as_json(), page(refused))
    assert why_not_admitted(tmp_path, "p", "sha256:0") == "its report says drop"


def test_a_page_cannot_be_given_markup_by_what_it_tells(tmp_path: Path) -> None:
    found = report(tmp_path, reproduce=0.1, status="infra_error", reason="a | b <script> \x1b[31m`")
    assert "<script>" not in page(found)
    assert "\x1b" not in page(found)
