"""The Makefile in a folder of its own, with scripts that stand for ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".tools").mkdir(parents=True)
    shutil.copy(CHECKOUT / "Makefile", folder)
    (folder / ".tools/set_up.py").write_text("import sys\nprint('set up', sys.argv[1])\n")
    return folder


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=60,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
    )  # fmt: skip


def _script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("python", ["/nonexistent/python3", "/bin/true", "/bin/false", "/", "no such thing"])
def test_a_python_that_is_none_is_told(folder: Path, python: str) -> None:
    done = make(folder, "runtime", f"PYTHON={python}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"'{python}' is no Python that runs here. ")
    assert done.stdout == ""


def test_a_python_that_is_too_old_is_told_with_its_version(folder: Path) -> None:
    old = _script(folder.parent / "python", "echo Python 3.9 False")
    assert make(folder, "runtime", f"PYTHON={old}").stderr.startswith(f"'{old}' is Python 3.9. NatureGym needs ")


def test_a_python_under_any_name_will_do(folder: Path) -> None:
    name = folder.parent / "my python"
    name.symlink_to(sys.executable)
    assert make(folder, "postgres", f"PYTHON={name}").stdout == "set up postgres\n"


def test_benches_go_on_after_one_that_failed_and_the_end_tells_which(folder: Path) -> None:
    _script(folder / ".venv/bin/python", 'case "$*" in *set_up.py*) ;; *) exec sh "$1" ;; esac')
    _script(folder / "benches/first.py", "exit 1")
    _script(folder / "benches/second.py", "echo ran the second")
    done = make(folder, "bench")
    assert done.stdout == "== benches/first.py\n== benches/second.py\nran the second\n"
    assert done.returncode == 2
    assert done.stderr.startswith("Failed, or missed a limit: benches/first.py\n")
    assert make(folder, "bench", "ARGS=second").returncode == 0
