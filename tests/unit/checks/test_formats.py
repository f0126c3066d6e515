"""Reports as programs read them."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from checks.formats import written as in_format
from checks.model import CheckResult, Finding, Report
from checks.registry import TITLES
from checks.running import run_checks
from checks.suppressions import FILE, suppress
from nature_gym.errors import FindingsError, UsageError
from tests.unit.checks.packages import cells, written
from tests.unit.checks.published import JUNIT, SARIF


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    files = cells()
    files["problem/README.md"] = str(files["problem/README.md"]).replace(
        "Predict", "As Smith et al. | <b>\x01 `did`, predict"
    )
    files["problem/data/breast/run.log"] = "x"
    return written(tmp_path / "p,1:%", files)


@pytest.fixture
def report(faulty: Path) -> Report:
    return run_checks(faulty, static=True)


def test_json_has_all_36_in_order_and_the_counts(report: Report) -> None:
    value = json.loads(in_format([report], "json"))
    assert list(value) == ["package", "summary", "checks"]
    assert value["summary"] == {"passed": 24, "failed": 3, "warned": 0, "skipped": 9, "total": 36}
    ids = [one["id"] for one in value["checks"]]
    assert len(ids) == 36
    assert ids == sorted(ids)
    finding = next(one for one in value["checks"] if one["id"] == "C2.1")["findings"][0]
    assert finding["file"] == "problem/README.md"
    assert (finding["line"], finding["column"], finding["text"]) == (9, 10, "et al.")


@pytest.mark.parametrize("form", ["github", "markdown"])
def test_no_sign_of_a_name_commands_a_terminal_or_turns_the_text(form: Any, tmp_path: Path) -> None:
    files = {**cells(), "problem/data/breast/a\x1b[31m\u202egol.txt": "x", "problem/data/breast/b\u2028c.log": "x"}
    written_as = in_format([run_checks(written(tmp_path, files), static=True)], form)
    assert "gol.txt" in written_as
    assert [sign for sign in written_as if not sign.isprintable() and sign != "\n"] == []
    assert all(line.startswith("::") for line in written_as.splitlines()) or form != "github"


def test_two_packages_are_a_list(report: Report) -> None:
    assert len(json.loads(in_format([report, report], "json"))) == 2


def test_junit_tells_failures_and_skips(report: Report) -> None:
    suite = ET.fromstring(in_format([report], "junit")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("36", "3", "9")
    assert len(suite.findall("testcase")) == 36
    assert len(suite.findall("testcase/failure")) == 3
    assert len(suite.findall("testcase/skipped")) == 9


def test_sarif_points_at_rules_and_places(report: Report) -> None:
    run = json.loads(in_format([report], "sarif"))["runs"][0]
    assert len(run["tool"]["driver"]["rules"]) == 36
    for one in run["results"]:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
        place = one["locations"][0]["physicalLocation"]
        assert place["region"]["startLine"] >= 1
        assert " " not in place["artifactLocation"]["uri"]
    assert {one["ruleId"] for one in run["results"]} == {"C1.8", "C2.1", "C3.2"}


def test_github_annotations_escape_what_would_end_them(report: Report) -> None:
    lines = in_format([report], "github").splitlines()
    assert len(lines) == 3
    assert all(line.startswith("::error file=") and "p%2C1%3A%25" in line for line in lines)


def test_markdown_makes_no_markup_of_a_package(report: Report) -> None:
    assert "<b>" not in in_format([report], "markdown").replace("\\<b", "")


def test_a_suppressed_finding_counts_for_nothing_and_stays_visible(faulty: Path) -> None:
    suppress(faulty, "C3.2", "it is the input", "problem/data/breast/run.log")
    suppress(faulty, "C2.1", "first")
    suppress(faulty, "C2.1", "second")
    report = run_checks(faulty, static=True)
    assert report.check("C3.2").status == "pass"
    assert report.check("C3.2").findings[0].suppressed == "it is the input"
    assert [one.suppressed for one in report.check("C2.1").findings] == ["second"]
    assert report.check("C1.8").status == "fail"
    assert "it is the input" in in_format([report], "markdown")
    assert "run.log" not in "".join(one for one in in_format([report], "github").splitlines() if "C3.2" in one)


def test_a_suppression_needs_a_check_a_file_and_a_reason(faulty: Path) -> None:
    for check, because, file in (("C9.9", "x", ""), ("C1.1", " ", ""), ("C1.1", "x", "no/such")):
        with pytest.raises(UsageError):
            suppress(faulty, check, because, file)
    (faulty / FILE).write_text('[{"check": "C1.1"}]')
    with pytest.raises(FindingsError):  # and a file that cannot be read is not written over
        suppress(faulty, "C1.1", "x")


# -- as published ----------------------------------------------------------------------------


def assert_as_published(reports: list[Report]) -> None:
    jsonschema.Draft7Validator(SARIF, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER).validate(
        json.loads(in_format(reports, "sarif"))
    )
    schema = etree.XMLSchema(etree.fromstring(JUNIT.encode()))
    schema.assertValid(etree.fromstring(in_format(reports, "junit").encode()))


def test_sarif_and_junit_are_of_their_published_forms(report: Report, faulty: Path) -> None:
    suppress(faulty, "C3.2", "it is the input")
    assert_as_published([report, run_checks(faulty, static=True)])


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_the_published_forms_refuse_what_is_none(form: str, report: Report) -> None:
    jsonschema.Draft7Validator.check_schema(SARIF)
    if form == "sarif":
        value = json.loads(in_format([report], "sarif"))
        value["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(value, SARIF)
        return
    text = in_format([report], "junit").replace("<skipped", "<skip", 1).replace("</skipped>", "</skip>", 1)
    schema = etree.XMLSchema(etree.fromstring(JUNIT.encode()))
    assert not schema.validate(etree.fromstring(text.encode()))


WORDS = st.text(max_size=40)


@settings(max_examples=60, deadline=None)
@given(
    said=st.tuples(WORDS, WORDS, WORDS, WORDS.filter(bool), WORDS, WORDS),
    line=st.integers(1, 10**6),
    level=st.sampled_from(["fail", "warn"]),
    status=st.sampled_from(["pass", "fail", "skip"]),
)
def test_whatever_a_package_says_the_forms_hold(said: tuple[str, ...], line: int, level: str, status: str) -> None:
    package, file, text, message, hint, suppressed = said
    finding = Finding.model_validate(
        {"file": file, "line": line, "text": text, "message": message, "hint": hint, "suppressed": suppressed,
         "level": level}
    )  # fmt: skip
    checks = tuple(
        CheckResult.model_validate(
            {"id": name, "title": title, "status": status, "reason": text, "findings": (finding,)}
        )
        for name, title in TITLES.items()
    )
    assert_as_published([Report(package=package, checks=checks)])


@pytest.mark.parametrize("text", ["{}", "[[", '[{"check": "C3.2"}]', "null"])
def test_suppressions_that_are_none_are_a_finding_and_let_nothing_stand(faulty: Path, text: str) -> None:
    (faulty / FILE).write_text(text)
    report = run_checks(faulty, static=True)
    assert [one.file for one in report.check("C0.1").findings] == [FILE]
    assert report.check("C3.2").status == "fail"


def test_suppressions_that_are_a_fifo_are_a_finding(faulty: Path) -> None:
    os.mkfifo(faulty / FILE)
    assert FILE in [one.file for one in run_checks(faulty, static=True).check("C0.1").findings]
