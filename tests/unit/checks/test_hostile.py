"""A package is anyone's: nothing of it runs, and nothing of it stops or breaks the checks."""

from __future__ import annotations

import io
import json
import os
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.mends import mends_of
from checks.model import TOTAL, Report
from checks.package import CheckedPackage
from checks.running import run_checks
from tests.unit.checks.packages import STYLES, cells, written


def checked(path: Path, *, extended: bool = False) -> Report:
    report = run_checks(path, static=True, extended=extended)
    assert [(one.id, one.reason) for one in report.results if one.defect] == []
    assert len(report.checks) == TOTAL
    return report


class Runs:
    """Pickled, it would make a file when it is read."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.canary),)


def canaries(canary: Path) -> dict[str, dict[str, str | bytes]]:
    """Kind of code -> files of it that would make the folder ``canary`` if anything ran, imported or unpickled them."""
    run = f"import os; os.makedirs({str(canary)!r}, exist_ok=True)\n"
    shell = f"mkdir -p {canary}"
    evaluator = str(cells()["evaluation/evaluator.py"])
    decorated = f"\n@(lambda f: os.mkdir({str(canary)!r}))\ndef g(a=os.mkdir('x')): 1\n"
    docker = f"FROM naturebench-base:v3\nRUN pip install `{shell}`\nRUN $({shell}) && {shell}\n"
    template = "\n{{ ''.__class__.__mro__ }}{% include 'x' %}\n"
    called = (f"$({shell.replace('/', '_')}).csv", ";id|sh.csv")
    pickled = pickle.dumps(Runs(canary))
    objects = io.BytesIO()
    np.save(objects, np.asarray([Runs(canary)], dtype=object), allow_pickle=True)
    notebook = {"cells": [{"cell_type": "code", "source": [f"!{shell}", run], "outputs": [], "metadata": {}}]}
    return {
        "evaluator": {"evaluation/evaluator.py": run + evaluator},
        "decorator and default": {"evaluation/evaluator.py": evaluator + decorated},
        "scorer": {"evaluation/ground_truth/breast/s.py": run, "evaluation/shared/__init__.py": run},
        "data script": {"problem/data/breast/setup.py": run, "problem/data/breast/__init__.py": run},
        "modules of other names": {
            f"{name}.py": run for name in ("json", "yaml", "numpy", "pandas", "checks", "nature_gym", "re", "encodings")
        },
        "conftest": {"conftest.py": run, "problem/conftest.py": run},
        "sitecustomize": {"sitecustomize.py": run, "usercustomize.py": run, "a.pth": run},
        "Dockerfile": {"environment/Dockerfile.v3": docker},
        "pickle": {
            f"problem/data/breast/{name}": pickled
            for name in ("a.pkl", "model.joblib", "train.npy", "test.npz", "w.pt")
        },
        "array of objects": {
            "problem/data/breast/X_train.npy": objects.getvalue(), "problem/data/breast/X_test.npy": objects.getvalue(),
            "evaluation/ground_truth/breast/y.npy": objects.getvalue(),
        },
        "notebook": {"problem/data/breast/n.ipynb": json.dumps(notebook)},
        "file name": {f"problem/data/breast/{name}": "x\n" for name in called},
        "yaml": {"task.yaml": f"method: !!python/object/apply:os.mkdir ['{canary}']\n"},
        "git": {".git/hooks/post-checkout": shell, ".git/config": f"[core]\n\tfsmonitor = {shell}\n"},
        "template": {"problem/README.md": str(cells()["problem/README.md"]) + template},
    }  # fmt: skip


@pytest.mark.parametrize("kind", canaries(Path("x")))
def test_nothing_of_a_package_is_run(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = tmp_path / "canary"
    files = cells() | canaries(canary)[kind]
    package = written(tmp_path / "package", files)
    before = sorted(path.relative_to(package) for path in package.rglob("*"))
    monkeypatch.chdir(package)
    checked(Path(), extended=True)
    mends_of(CheckedPackage(Path()))
    assert not canary.exists()
    assert sorted(path.relative_to(package) for path in package.rglob("*")) == before


def test_the_command_runs_nothing_of_the_package_that_it_is_called_in(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    files = cells()
    for kind in ("modules of other names", "sitecustomize", "conftest"):
        files |= canaries(canary)[kind]
    package = written(tmp_path / "package", files)
    command = Path(sys.executable).with_name("naturegym")
    done = subprocess.run(
        [command, "check", ".", "--static", "--extended", "--fix"], cwd=package, capture_output=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert not canary.exists()


def test_links_in_a_circle_are_findings(tmp_path: Path) -> None:
    package = written(tmp_path / "package", cells())
    data = package / "problem/data"
    (data / "one").symlink_to("other")
    (data / "other").symlink_to("one")
    (data / "breast/all").symlink_to("../../..")
    (package / "evaluation/ground_truth/self").symlink_to("self")
    (package / "problem/data_description.md").unlink()
    (package / "problem/data_description.md").symlink_to("data_description.md")
    report = checked(package, extended=True)
    links = {one.file for one in report.check("C0.1").findings}
    assert {"problem/data/one", "problem/data/breast/all", "evaluation/ground_truth/self"} <= links
    assert report.check("C1.9").reason == "problem/data_description.md is a link, not a file"


def test_links_fifos_and_odd_names_are_findings(tmp_path: Path) -> None:
    package = written(tmp_path / "package", cells())
    data = package / "problem/data/breast"
    (data / "up").symlink_to("..")
    (data / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(data / "pipe")
    (package / "metadata.json").unlink()
    (package / "metadata.json").symlink_to("/dev/zero")
    Path(os.fsdecode(os.fsencode(data) + b"/\xff\xfe.csv")).write_text("x")
    report = checked(package)
    found = {one.file: one.message for one in report.check("C0.1").findings}
    assert found["problem/data/breast/up"] == "is a link"
    assert found["problem/data/breast/pipe"] == "is a fifo"
    assert found["metadata.json"] == "metadata.json is a link, not a file"
    assert found["problem/data/breast/\\udcff\\udcfe.csv"] == "has a name that is not printable text"
    assert report.check("C1.3").status == "skip"


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    package = written(tmp_path / "package", cells())
    for name in ("problem/README.md", "problem/data/breast/train.csv", "evaluation/evaluator.py"):
        with (package / name).open("wb") as file:
            file.truncate(5 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = checked(package, extended=True)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
    assert {one.file for one in report.check("C0.1").findings} == {"problem/README.md", "evaluation/evaluator.py"}


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 100_000 + "1",
        "x = 'a'\nfor i in range(300):\n    x = x + x\n    y = [x] + [x]\n" * 20,
        "def f(a):\n    return f(f(a) / 'x')\nf('y')\n",
        "def f():\n    return [f() for a in range(300) for b in range(300)]\nf()\n",
        "x = {}\nx['a'] = x\ny = [x]\ny.append(y)\nopen(y)\n",
        "p = '{0}' * 999\nx = '{:>999999999}'.format(1) + f'{1:>999999999}' + '%999999999d' % 3\nopen('output/' + x)\n",
        "x = 10 ** 10 ** 10\n",
        "\0",
        "# coding: rot13\nvzcbeg bf\n",
        "class A:\n    def __init__(self):\n        self.x = A()\nA()\n",
    ],
)
def test_a_strange_evaluator_is_followed_in_bounds(source: str, tmp_path: Path) -> None:
    files = cells()
    files["evaluation/evaluator.py"] = source
    checked(written(tmp_path, files))


@pytest.mark.parametrize("text", ["[", "`", "10.", "> ", "*a ", "labels ", "hidden a ", "Aa and ", "[a](b", "` a"])
def test_a_document_of_one_endless_line_is_a_finding(text: str, tmp_path: Path) -> None:
    files = cells()
    files["problem/README.md"] = text * (900_000 // len(text))
    start = time.process_time()
    report = checked(written(tmp_path, files))
    assert time.process_time() - start < 5
    assert "characters" in report.check("C0.1").findings[0].message


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    style=st.sampled_from(sorted(STYLES)),
    file=st.sampled_from(["problem/README.md", "problem/data_description.md", "evaluation/evaluator.py",
                          "metadata.json", "environment/Dockerfile.v3", "environment/packages.json", "task.yaml"]),
    start=st.floats(0, 1), length=st.integers(0, 400), put=st.binary(max_size=40),
)  # fmt: skip
def test_no_damage_breaks_a_check(
    style: str, file: str, start: float, length: int, put: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    files = STYLES[style]()
    content = files[file]
    old = content.encode() if isinstance(content, str) else content
    at = int(start * len(old))
    files[file] = old[:at] + put + old[at + length :]
    checked(written(tmp_path_factory.mktemp("package"), files))
