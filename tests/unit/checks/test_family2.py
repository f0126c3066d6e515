"""C2.5 finds advice where it stands and lets description pass; what the other firewall checks know of a paper."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from checks.documents import Document
from checks.language.guidance import Data, guidance
from checks.language.sentences import passages
from checks.running import run_checks
from tests.unit.checks.guidance_mutations import ALLOWED, MUTATIONS
from tests.unit.checks.mutations import README, Mutation, said
from tests.unit.checks.packages import STYLES, written

CASES = [pytest.param(one, id=f"{place}") for place, one in enumerate(MUTATIONS)]


@pytest.mark.parametrize("mutation", CASES)
def test_advice_is_found_at_its_line_and_column(mutation: Mutation, tmp_path: Path) -> None:
    files = STYLES[mutation.style]()
    mutation.change(files)
    report = run_checks(written(tmp_path, files), static=True)
    result = report.check("C2.5")
    assert result.status == mutation.level
    lines = str(files[README]).split("\n")
    named = [one for one in result.findings if mutation.at in lines[one.line - 1]]
    assert named, result.findings
    for one in named:
        assert lines[one.line - 1][one.column - 1 :].startswith(one.text.split()[0])
        assert one.hint
    assert {one.id for one in report.checks if one.status == "fail"} <= {"C2.5", "C3.3"}


@pytest.mark.parametrize("text", ALLOWED)
def test_description_passes(text: str, tmp_path: Path) -> None:
    files = STYLES["fold"]()
    said(text)(files)
    assert run_checks(written(tmp_path, files), chosen={"C2.5"}).check("C2.5").findings == ()


def test_weights_are_allowed_only_where_they_lie_in_the_data() -> None:
    text = Document("Use the ResNet-50 in `resnet50.pt`.")
    assert [list(guidance(one, Data(["a/resnet50.pt"]))) for one in passages(text)] == [[]]
    assert [one.sure for passage in passages(text) for one in guidance(passage, Data())] == [True]


def test_names_come_from_the_record_of_the_paper(tmp_path: Path) -> None:
    files = STYLES["cells"]()
    files["task.yaml"] = "id: x\npaper: {id: W77, title: A grand theory of small cells}\n"
    said("CellSeer's scores.\n\nA grand theory of small cells.")(files)
    package = written(tmp_path / "packages" / "p1", files)
    record = tmp_path / "papers" / "W77" / "screening.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"task": {"method": "CellSeer", "variants": ["Seer-XL"]}}))
    report = run_checks(package, chosen={"C2.1", "C2.3"})
    assert [one.text for one in report.check("C2.3").findings] == ["CellSeer"]
    assert [one.text for one in report.check("C2.1").findings] == ["A grand theory of small cells"]


@pytest.mark.parametrize("paper", ["../../etc", "/etc", "", "a/b", "..", 7, None])
def test_a_paper_of_a_strange_name_is_not_looked_for(paper: object, tmp_path: Path) -> None:
    files = STYLES["cells"]()
    files["task.yaml"] = json.dumps({"paper": {"id": paper}})
    (tmp_path / "screening.json").write_text(json.dumps({"task": {"method": "profiles"}}))
    result = run_checks(written(tmp_path / "packages" / "p1", files), chosen={"C2.3"}).check("C2.3")
    assert result.status == "skip"


@pytest.mark.parametrize(
    "line",
    [
        "use a " * 3_000, "`" * 20_000, "[" * 20_000, "*" * 20_000, "a. " * 6_000, "model " * 3_000, "A" * 20_000,
        "should be " * 2_000 + "trained with Adam", "transformer " * 1_600, "( " * 9_000, "dropout of " * 1_800,
        "| " * 9_000,
    ],
)  # fmt: skip
def test_endless_lines_are_read_in_bounded_time(line: str) -> None:
    start = time.process_time()
    for passage in passages(Document(line)):
        list(guidance(passage, Data()))
    assert time.process_time() - start < 5
