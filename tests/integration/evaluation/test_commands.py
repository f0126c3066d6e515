from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli.main import app
from nature_gym.cli.serving import status_line
from nature_gym.evaluation.trial import UnscorableError, open_task
from nature_gym.packaging.package import open_package
from nature_gym.sandbox.interface import Sandbox
from nature_gym.scoring.gap import AnchorError
from tests.integration.evaluation.conftest import TRUTH, OpenDesk, Workspace

EXAMPLES = Path(__file__).parents[3] / "task_packages" / "examples"
EXAMPLE = EXAMPLES / "demo-48a07731"


def submit(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["submit", str(EXAMPLE), *arguments, "--backend", "bubblewrap"])
    return result.exit_code, result.output


def write_designs(folder: Path) -> None:
    for name in ("antireflection", "edge"):
        targets = json.loads((EXAMPLE / "evaluation" / "ground_truth" / name / "targets.json").read_bytes())
        records = (
            targets if isinstance(targets, list) else next(one for one in targets.values() if isinstance(one, list))
        )
        (folder / name).mkdir(parents=True)
        rows = [f"{one['name']},50,50,50,50,50,50" for one in records]
        heading = "name,d1_nm,d2_nm,d3_nm,d4_nm,d5_nm,d6_nm"
        (folder / name / "designs.csv").write_text("\n".join([heading, *rows]) + "\n", encoding="utf-8")


def test_submit_scores_one_folder_and_says_what_is_wrong(tmp_path: Path, sandbox: Sandbox) -> None:
    write_designs(tmp_path / "answers")
    code, output = submit(str(tmp_path / "answers"), "--json")
    found = json.loads(output)
    assert code == 1  # one instance has no answer
    assert found["errors"] == {"splitter": "designs.csv is missing"}
    assert found["per_instance_improvement"]["splitter"] == -1.0
    assert found["raw_scores"]["edge"]["Mean band error"] > 0
    gaps = found["per_instance_improvement"].values()
    assert found["aggregate_improvement"] == pytest.approx(sum(gaps) / 3)
    code, output = submit(str(tmp_path / "answers"))
    assert "splitter: designs.csv is missing" in output
    assert f"g of the task: {found['aggregate_improvement']:+.6f}" in output


def test_submit_refuses_what_is_no_folder_of_answers(tmp_path: Path, sandbox: Sandbox) -> None:
    result = CliRunner().invoke(app, ["submit", str(EXAMPLE), str(tmp_path / "none"), "--backend", "bubblewrap"])
    assert result.exception is not None
    assert "there is no folder none" in str(result.exception)


def test_the_line_of_a_trial_says_attempts_best_and_time_left(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk(budget=600.0)
    opened = desk.standing().opening.opened
    assert status_line(desk, opened) == "Small: 0 attempts, no score yet, 10:00 left"
    workspace.answer(a=TRUTH, b=TRUTH)
    desk.evaluate(desk.token)
    assert "1 attempt, best g +1.0000 (attempt 1), " in status_line(desk, opened + 100)


def test_every_example_can_be_scored() -> None:
    for package in sorted(EXAMPLES.iterdir()):
        task = open_task(open_package(package))
        assert all(anchor is not None for anchor in task.anchors.values())


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda entries: entries[0]["metrics"][0].update(sota_score=[{"value": "good", "method": "x"}]), AnchorError),
        (lambda entries: entries[0]["metrics"][0].update(is_primary=False), UnscorableError),
        (lambda entries: entries.pop(), UnscorableError),
        (lambda entries: entries.append(entries[0]), UnscorableError),
        (lambda entries: entries.clear(), UnscorableError),
    ],
)
def test_what_keeps_a_package_from_being_scored_is_found_at_once(
    tmp_path: Path, change: object, error: type[Exception]
) -> None:
    package = Path(shutil.copytree(EXAMPLE, tmp_path / "package"))
    metadata = json.loads((package / "metadata.json").read_bytes())
    assert callable(change)
    change(metadata["performance_entries"])
    (package / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    with pytest.raises(error):
        open_task(open_package(package))


def test_without_an_evaluator_nothing_is_scored(tmp_path: Path) -> None:
    package = Path(shutil.copytree(EXAMPLE, tmp_path / "package"))
    (package / "evaluation" / "evaluator.py").unlink()
    with pytest.raises(UnscorableError):
        open_task(open_package(package))
