"""X3, X6 and X7 in a sandbox: solvers of nothing that beat the paper, scores of chance, what evaluators take."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.dynamic import again
from checks.model import CheckResult
from checks.running import STATIC_ONLY, run_checks
from nature_gym.errors import InfrastructureError
from nature_gym.sandbox.choosing import chosen_sandbox
from tests.unit.checks.family4_packages import table
from tests.unit.checks.mutations import EVALUATOR, metric, swap
from tests.unit.checks.packages import written

Change = Callable[[dict[str, Any]], None]
RUN = ("X3", "X6", "X7")


@pytest.fixture(autouse=True, scope="module")
def _sandbox() -> None:
    with warnings.catch_warnings():
        # docker-py forgets its socket where no engine answers, in a cycle that is collected later.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            chosen_sandbox("auto")
        except InfrastructureError as error:
            pytest.skip(f"no sandbox works here: {error.message}")
        gc.collect()


def checked(folder: Path, *changes: Change, static: bool = False) -> dict[str, CheckResult]:
    files = table()
    for change in changes:
        change(files)
    report = run_checks(written(folder, files), chosen=set(RUN), extended=True, static=static)
    assert [(one.id, one.reason) for one in report.extended if one.defect] == []
    return {name: report.check(name) for name in RUN}


def scored(old: str, new: str) -> Change:
    return swap(EVALUATOR, old, new)


@pytest.mark.slow
def test_a_right_package_passes(tmp_path: Path) -> None:
    found = checked(tmp_path)
    assert {name: (one.status, one.findings) for name, one in found.items()} == dict.fromkeys(RUN, ("pass", ()))


@pytest.mark.slow
def test_a_solver_of_nothing_that_beats_the_paper_is_told(tmp_path: Path) -> None:
    result = checked(tmp_path, metric(1, 1, sota_score=[{"value": "80.5", "method": "m"}]))["X3"]
    assert result.status == "fail"
    (finding,) = result.findings
    assert finding.message.startswith("'b': RMSE of the")
    assert finding.message.endswith("the anchor 80.5")


CHANCE = 'return {"Accuracy": right / len(truth), "RMSE": math.sqrt(sum(squares) / len(squares))}'
WAYS: dict[str, tuple[str, str]] = {
    "an unseeded number": ("'a': RMSE", CHANCE.replace("math.sqrt", "__import__('random').random() + math.sqrt")),
    "the order of a set": (
        "'a': Accuracy",
        """first = next(iter({one['sample_id'] for one in truth}))
    return {'Accuracy': len(truth) + int(first[1:]), 'RMSE': 1.0}""",
    ),
    "what came before": (
        "'a': Accuracy",
        """SEEN = globals().setdefault('SEEN', [])
    SEEN.append(name)
    return {'Accuracy': right / len(truth) / len(SEEN), 'RMSE': 1.0 / len(SEEN)}""",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_scores_that_are_others_the_second_time_are_told(way: str, tmp_path: Path) -> None:
    about, code = WAYS[way]
    result = checked(tmp_path, scored(CHANCE, code))["X6"]
    assert result.status == "fail"
    assert (result.findings[0].file, result.findings[0].message[: len(about)]) == (EVALUATOR, about)


@pytest.mark.slow
def test_the_digits_of_rounding_are_none(tmp_path: Path) -> None:
    code = CHANCE.replace("right /", "sum(sorted([0.1] * 9 + [right], key=lambda _: os.urandom(1))) / ")
    assert checked(tmp_path, scored(CHANCE, code))["X6"].status == "pass"


@pytest.mark.slow
def test_what_an_evaluator_takes_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "LONG_SECONDS", 0.5)
    monkeypatch.setattr(again, "MUCH_MEMORY", 300 << 20)
    code = (
        "large = bytearray(400 << 20)\n    large[::4096] = b'x' * len(large[::4096])\n"
        f"    squared = sum(one * one for one in range(9_000_000))\n    {CHANCE}"
    )
    result = checked(tmp_path, scored(CHANCE, code))["X7"]
    assert result.status == "warn"
    assert [one.message.rpartition(",")[2] for one in result.findings] == [" more than 0.5", " more than 0"]


@pytest.mark.slow
def test_an_evaluator_that_ends_the_second_time_is_told(tmp_path: Path) -> None:
    code = f"if os.environ.get('PYTHONHASHSEED') == '1':\n        raise MemoryError('no room')\n    {CHANCE}"
    result = checked(tmp_path, scored(CHANCE, code))["X6"]
    assert (result.status, result.findings[0].message[:10]) == ("fail", "run again ")


@pytest.mark.slow
def test_an_evaluator_that_gives_nothing_is_skipped(tmp_path: Path) -> None:
    found = checked(tmp_path, scored(CHANCE, "raise KeyError(name)"))
    assert {name: one.status for name, one in found.items()} == {"X3": "skip", "X6": "skip", "X7": "pass"}


@pytest.mark.slow
def test_an_evaluator_that_ends_is_skipped(tmp_path: Path) -> None:
    found = checked(tmp_path, scored(CHANCE, "raise RuntimeError(name)"))
    assert {one.status for one in found.values()} == {"skip"}


def test_where_nothing_may_run_they_are_skipped(tmp_path: Path) -> None:
    found = checked(tmp_path, static=True)
    assert {one.status for one in found.values()} == {"skip"}
    assert {one.reason for one in found.values()} == {STATIC_ONLY}
