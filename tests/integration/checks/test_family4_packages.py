"""Packages in a sandbox: right ones pass whoever wrote them, each fault is found by its check, nothing gets out."""

from __future__ import annotations

import gc
import os
import pickle
import socket
import tempfile
import warnings
from pathlib import Path

import pytest

from checks.dynamic import runs
from checks.model import CheckResult, Report
from checks.package import CheckedPackage
from checks.registry import TITLES, Skip
from checks.running import run_checks
from nature_gym.baseline import solver
from nature_gym.digests import digest_folder
from nature_gym.errors import InfrastructureError
from nature_gym.sandbox.choosing import chosen_sandbox
from tests.unit.checks.family4_mutations import RUNNING_MUTATIONS
from tests.unit.checks.family4_packages import NO_TRUTH, RUNNING, samples, table
from tests.unit.checks.manners import MANNERS
from tests.unit.checks.mutations import Mutation
from tests.unit.checks.packages import written

UNTOLD = {"annotation", "spread"}
"""Manners in which nobody is told how the ground truth becomes an answer."""
FAMILY = {name for name in TITLES if name.startswith("C4")}


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


CASES = [pytest.param(one, id=f"{place}-{one.check}-{one.style}") for place, one in enumerate(RUNNING_MUTATIONS)]


def checked(path: Path, *names: str) -> Report:
    report = run_checks(path, chosen=set(names) or FAMILY)
    assert [(one.id, one.reason) for one in report.checks if one.defect] == []
    return report


def of(report: Report) -> dict[str, CheckResult]:
    return {one.id: one for one in report.checks if one.id in FAMILY}


@pytest.mark.slow
@pytest.mark.parametrize("style", RUNNING)
def test_a_right_package_passes_and_stays_as_it_was(style: str, tmp_path: Path) -> None:
    package = written(tmp_path / "package", RUNNING[style]())
    before = digest_folder(package)
    found = of(checked(package))
    assert {name: one.findings for name, one in found.items() if one.findings} == {}
    assert {name for name, one in found.items() if one.status == "skip"} == ({"C4.8"} if style in NO_TRUTH else set())
    assert digest_folder(package) == before


@pytest.mark.slow
@pytest.mark.parametrize("manner", MANNERS)
def test_a_right_package_passes_in_the_manner_of_others(manner: str, tmp_path: Path) -> None:
    found = of(checked(written(tmp_path / "package", MANNERS[manner]())))
    assert {name: one.findings for name, one in found.items() if one.findings} == {}
    skipped = {name for name, one in found.items() if one.status == "skip"}
    assert skipped <= ({"C4.8"} if manner in UNTOLD else set()), [one.reason for one in found.values()]


@pytest.mark.slow
@pytest.mark.parametrize("mutation", CASES)
def test_a_fault_is_found_where_it_is(mutation: Mutation, tmp_path: Path) -> None:
    files = RUNNING[mutation.style]()
    mutation.change(files)
    report = checked(written(tmp_path, files))
    result = report.check(mutation.check)
    assert result.status == mutation.level, {name: (one.reason, one.findings) for name, one in of(report).items()}
    content = files.get(mutation.file, b"")
    lines = (content if isinstance(content, str) else content.decode(errors="replace")).split("\n")
    places = [(one.file, lines[one.line - 1]) for one in result.findings]
    assert any(file == mutation.file and mutation.at in line for file, line in places), result.findings
    others = {one.id for one in report.checks if one.status == "fail"} - {mutation.check, *mutation.also}
    assert others == set(), [report.check(name).findings for name in others]


def test_every_dynamic_check_has_five_faults() -> None:
    counts = {check: sum(one.check == check for one in RUNNING_MUTATIONS) for check in FAMILY}
    assert {check: count for check, count in counts.items() if count < 5} == {}


class Runs:
    """Pickled, it would make a file when it is read."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.canary),)


def test_code_of_a_package_gets_at_nothing_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, canary, package = tmp_path / "home", tmp_path / "canary", tmp_path / "package"
    home.mkdir()
    home.chmod(0o777)
    (home / "secret").write_text("a secret of the home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SECRET_KEY", "a secret of the environment")
    places = [str(one / "canary") for one in (home, tmp_path, package)] + ["/evaluation/canary", "/programs/canary"]
    tries = f"""
import os, socket
from pathlib import Path
SEEN = [os.environ.get("SECRET_KEY", "")]
for place in {places!r}:
    try:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        Path(place).write_text("x")
    except OSError:
        pass
try:
    SEEN.append(Path({str(home / "secret")!r}).read_text())
except OSError:
    pass
try:
    socket.create_connection(("127.0.0.1", PORT), 1)
    SEEN.append("network")
except OSError:
    pass
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        tries = tries.replace("PORT", str(server.getsockname()[1]))
        files = table()
        evaluator = str(files["evaluation/evaluator.py"])
        files["evaluation/evaluator.py"] = tries + evaluator.replace(
            "results = {}", "if any(SEEN):\n        raise AssertionError(SEEN)\n    results = {}", 1
        )
        leaves = f"import os; os.makedirs({str(canary)!r}, exist_ok=True)\n"
        for name in ("conftest.py", "sitecustomize.py", "problem/data/a/numpy.py", "problem/data/a/json.py"):
            files[name] = leaves
        files["problem/data/a/model.pkl"] = pickle.dumps(Runs(canary))
        written(package, files)
        before = digest_folder(package)
        found = of(checked(package, "C4.1", "C4.2", "C4.4", "C4.5"))
    assert found["C4.4"].findings == ()
    assert found["C4.5"].status == "pass"
    assert not canary.exists()
    assert sorted(one.name for one in home.iterdir()) == ["secret"]
    assert digest_folder(package) == before


def test_an_evaluator_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SCORE_SECONDS", 1.0)
    files = table()
    evaluator = str(files["evaluation/evaluator.py"])
    files["evaluation/evaluator.py"] = evaluator.replace("    results = {}\n", "    while True:\n        pass\n", 1)
    result = checked(written(tmp_path, files), "C4.4").check("C4.4")
    assert ["takes too long" in one.message for one in result.findings] == [True]


def test_an_evaluator_that_ends_everything_is_told(tmp_path: Path) -> None:
    files = table()
    evaluator = str(files["evaluation/evaluator.py"])
    files["evaluation/evaluator.py"] = evaluator.replace(
        "    results = {}\n", "    import signal\n    os.kill(os.getppid(), signal.SIGKILL)\n    os.kill(-1, 9)\n", 1
    )
    result = checked(written(tmp_path, files), "C4.4").check("C4.4")
    assert result.status == "fail"
    assert "is killed" in result.findings[0].message


def test_what_the_evaluator_imports_and_the_sandbox_lacks_is_named(tmp_path: Path) -> None:
    files = table()
    files["evaluation/evaluator.py"] = "import a_rare_library\n" + str(files["evaluation/evaluator.py"])
    report = checked(written(tmp_path, files), "C4.4", "C4.5", "C4.8", "C4.9")
    for name in ("C4.4", "C4.5", "C4.8", "C4.9"):
        assert report.check(name).status == "skip"
        assert "a_rare_library" in report.check(name).reason


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("array of shape (50, 2), 50 independent states", "array in three dimensions, as large as the grid"),
        ("output/{instance}/samples.npy", "output/{instance}/samples.mat"),
    ],
)
def test_what_is_not_understood_is_a_limit_of_ours(said: str, reason: str, tmp_path: Path) -> None:
    files = samples()
    files["problem/README.md"] = str(files["problem/README.md"]).replace(said, reason, 1)
    found = of(checked(written(tmp_path, files)))
    assert found["C4.1"].status == "skip"
    assert "a limit of this check" in found["C4.1"].reason
    assert {found[name].status for name in ("C4.3", "C4.4", "C4.5")} == {"skip"}


def test_what_the_sandbox_lacks_for_an_answer_is_no_fault_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = solver.solver_source

    def without(*given: object) -> str:
        return source(*given).replace("import numpy as np", "import a_rare_library as np")  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "solver_source", without)
    found = of(checked(written(tmp_path, samples())))
    assert {found[name].status for name in ("C4.1", "C4.2", "C4.4")} == {"skip"}
    assert "a_rare_library" in found["C4.2"].reason


def test_texts_that_had_to_be_guessed_and_are_refused_are_no_fault(tmp_path: Path) -> None:
    files = MANNERS["records"]()
    readme = str(files["problem/README.md"])
    start, end = readme.index("```json"), readme.index("| Key |")
    files["problem/README.md"] = readme[:start] + readme[end:].replace("`flood`, `fire`, `storm`", "a kind of event")
    train = "problem/data/reports/documents_train.json"
    files[train] = str(files[train]).replace('"label"', '"kind"')
    found = of(checked(written(tmp_path, files), "C4.1", "C4.5"))
    assert (found["C4.1"].status, found["C4.5"].status) == ("pass", "skip")
    assert "label" in found["C4.5"].reason


def test_links_and_pipes_in_the_data_hold_nothing_up(tmp_path: Path) -> None:
    package = written(tmp_path / "package", table())
    os.mkfifo(package / "problem/data/a/pipe.csv")
    (package / "problem/data/a/link.csv").symlink_to("/etc/passwd")
    (package / "problem/data/b/round").symlink_to(".")
    found = of(checked(package, "C4.1", "C4.2", "C4.3"))
    assert {one.status for name, one in found.items() if name in ("C4.1", "C4.2", "C4.3")} == {"pass"}


def test_a_package_that_only_its_owner_may_read_runs(tmp_path: Path) -> None:
    package = written(tmp_path / "package", table())
    for path in package.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    package.chmod(0o700)
    assert checked(package, "C4.2", "C4.5").check("C4.5").status == "pass"


def test_the_scratch_folder_is_gone_with_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    checked(written(tmp_path / "package", table()), "C4.2")
    assert list(scratch.iterdir()) == []


def test_without_a_sandbox_all_is_skipped_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> object:
        raise InfrastructureError("Nothing here.", hint="Install something.")

    monkeypatch.setattr(runs, "chosen_sandbox", none)
    with pytest.raises(Skip, match="Nothing here"):
        _ = runs.runs_of(CheckedPackage(written(tmp_path, table()))).solved
    found = of(checked(tmp_path))
    assert {one.status for one in found.values()} == {"skip"}
