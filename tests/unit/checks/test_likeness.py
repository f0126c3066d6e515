"""A scorer that was copied from the paper's repository is found, however it was dressed up."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from checks.likeness import SHORTEST, Repository, passages
from checks.running import run_checks
from nature_gym.cli.main import app
from tests.unit.checks.packages import cells, written

THEIRS = '''
import numpy as np

def concordance(times, scores, events):
    """Share of pairs in the right order."""
    concordant, permissible = 0.0, 0
    for i in range(len(times)):
        for j in range(len(times)):
            if events[i] and times[i] < times[j]:
                permissible += 1
                if scores[i] > scores[j]:
                    concordant += 1.0
                elif scores[i] == scores[j]:
                    concordant += 0.5
    if permissible == 0:
        return float("nan")
    return concordant / permissible


def rmse(a, b):
    return float(np.sqrt(np.mean((np.asarray(a) - np.asarray(b)) ** 2)))
'''
OWN = """
def concordance(times, scores, events):
    order = sorted(range(len(times)), key=times.__getitem__)
    better = [
        (scores[first] > scores[second]) + 0.5 * (scores[first] == scores[second])
        for place, first in enumerate(order)
        for second in order[place + 1 :]
        if events[first] and times[first] != times[second]
    ]
    return sum(better) / len(better) if better else None
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "src/metrics.py").write_text(THEIRS)
    (folder / "broken.py").write_text("def (:\n")
    (folder / "up.py").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.py")
    return folder


def dressed_up(text: str) -> str:
    """Renamed variables, other comments and docstring, another layout."""
    for old, new in (("times", "t"), ("scores", "risk"), ("events", "seen"), ("permissible", "n"), ("concordant", "k")):
        text = re.sub(rf"\b{old}\b", new, text)
    text = text.replace('"""Share of pairs in the right order."""', '"""Ours."""\n    # written by us')
    return text.replace("0.5", "1 / 2").replace("def concordance", "def c_index")


def checked(tmp_path: Path, scorer: str, repository: Path | None) -> list[tuple[str, str, int, str]]:
    files = cells()
    files["evaluation/shared/score.py"] = scorer
    files["evaluation/evaluator.py"] = str(files["evaluation/evaluator.py"]) + "\n# concordance c_index rmse\n"
    report = run_checks(written(tmp_path / "package", files), repository=repository, chosen={"C3.7"})
    return [(one.level, one.text, one.line, one.file) for one in report.check("C3.7").findings]


def test_a_copy_is_found_at_its_function(tmp_path: Path, repository: Path) -> None:
    assert checked(tmp_path, THEIRS, repository) == [("fail", "concordance", 4, "evaluation/shared/score.py")]


def test_a_renamed_copy_is_found(tmp_path: Path, repository: Path) -> None:
    assert checked(tmp_path, dressed_up(THEIRS), repository) == [("fail", "c_index", 4, "evaluation/shared/score.py")]


def test_the_same_metric_written_anew_passes(tmp_path: Path, repository: Path) -> None:
    assert checked(tmp_path, OWN, repository) == []


def test_what_everybody_writes_alike_is_too_short_to_tell(tmp_path: Path, repository: Path) -> None:
    rmse = THEIRS[THEIRS.index("def rmse") :]
    assert checked(tmp_path, f"import numpy as np\n\n{rmse}", repository) == []
    assert [one.name for one in passages(THEIRS, "x")] == ["concordance"]


def test_without_a_repository_nothing_is_compared(tmp_path: Path) -> None:
    assert checked(tmp_path, THEIRS, None) == []


def test_a_copy_in_the_evaluator_is_found(tmp_path: Path, repository: Path) -> None:
    files = cells()
    files["evaluation/evaluator.py"] = str(files["evaluation/evaluator.py"]) + THEIRS.replace("import numpy as np", "")
    report = run_checks(written(tmp_path / "p", files), repository=repository, chosen={"C3.7"})
    (finding,) = report.check("C3.7").findings
    assert (finding.file, finding.text) == ("evaluation/evaluator.py", "concordance")
    assert "src/metrics.py, line 4" in finding.message


def test_a_habit_of_the_whole_repository_tells_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    for number in range(60):
        (folder / f"m{number}.py").write_text(THEIRS)
    (passage,) = passages(THEIRS, "x")
    assert Repository(folder).nearest(passage) is None
    assert len(Repository(folder)) == 60


def test_a_function_counts_from_its_fiftieth_token() -> None:
    def function(additions: int) -> str:
        return "def f(a):\n    return a" + " + a" * additions + "\n"

    assert [len(list(passages(function(count), "x"))) for count in ((SHORTEST - 2) // 2 - 1, SHORTEST // 2)] == [0, 1]


def test_the_command_takes_a_repository(tmp_path: Path, repository: Path) -> None:
    files = cells()
    files["evaluation/shared/score.py"] = THEIRS
    package = written(tmp_path / "p", files)
    call = ["check", str(package), "--static", "--select", "C3.7"]
    assert CliRunner().invoke(app, call).exit_code == 0
    result = CliRunner().invoke(app, [*call, "--repository", str(repository)])
    assert result.exit_code == 1
    assert "100% of its code stands in concordance of src/metrics.py" in result.output
