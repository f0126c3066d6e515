"""The set-up, run for real on a tiny project with two tiny packages and no package index."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import random
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]


def _write_wheel(folder: Path, name: str) -> str:
    """A package of one module; returns its line for a lock."""
    wheel = folder / f"{name}-1.0-py3-none-any.whl"
    files = {
        f"{name}.py": "",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = f"{name}-1.0.dist-info/RECORD"
    rows = [f"{path},sha256={_digest(text)},{len(text)}" for path, text in files.items()]
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.writestr(record, "\n".join([*rows, f"{record},,", ""]))
    return f"{name}==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


@dataclass
class Project:
    """A checkout with the real set-up script and pip, and locks of its own."""

    root: Path
    wheels: Path
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, purpose: str, *options: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-I", self.root / ".tools/set_up.py", purpose, *options],
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.root),
                "PIP_NO_INDEX": "1",
                "PIP_FIND_LINKS": str(self.wheels),
                **self.environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def set_up(self, purpose: str, *options: str) -> tuple[int, str]:
        process = self.start(purpose, *options)
        said, _ = process.communicate(timeout=120)
        return process.returncode, said

    def says(self, *command: str) -> str:
        done = subprocess.run(
            [self.root / ".venv/bin" / command[0], *command[1:]],
            cwd=self.wheels, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        return done.stdout + done.stderr

    def lock(self, purpose: str, *names: str) -> None:
        (self.root / f"requirements/{purpose}.txt").write_text(
            "".join(_write_wheel(self.wheels, name) for name in names)
        )

    def is_whole(self) -> bool:
        return self.says("naturegym") == "ran\n" and self.says("python", "-c", "import first, second") == ""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "a checkout with blanks"
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for source in [CHECKOUT / ".tools/set_up.py", *CHECKOUT.glob("requirements/bootstrap/pip-*.whl")]:
        copy = root / source.relative_to(CHECKOUT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    command = root / "nature_gym/cli/main.py"
    command.parent.mkdir(parents=True)
    command.write_text("def main() -> None:\n    print('ran')\n")
    project = Project(root, wheels)
    project.lock("runtime", "first")
    project.lock("dev", "first", "second")
    project.lock("postgres", "third")
    return project


def test_sets_up_once_and_adds_what_developers_need_on_top(project: Project) -> None:
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"
    assert "No module named 'second'" in project.says("python", "-c", "import second")
    stamp = project.root / ".venv/set-up.json"
    before = (stamp.stat().st_mtime_ns, stamp.stat().st_ino)
    assert project.set_up("runtime") == (0, "")
    assert project.set_up("runtime", "--check") == (0, "")
    assert (stamp.stat().st_mtime_ns, stamp.stat().st_ino) == before
    assert project.set_up("dev", "--check") == (1, "")
    assert project.set_up("dev")[0] == 0
    assert project.is_whole()
    assert project.set_up("runtime") == (0, "")


def test_the_command_can_be_imported_by_the_processes_that_it_starts(project: Project) -> None:
    project.set_up("runtime")
    script = project.root / ".venv/bin/naturegym"
    assert project.says("python", "-c", f"import runpy; runpy.run_path({str(script)!r}, run_name='__mp_main__')") == ""


def test_an_extra_comes_on_top_of_either(project: Project) -> None:
    assert project.set_up("postgres")[0] == 0
    assert project.says("naturegym") == "ran\n"
    assert project.says("python", "-c", "import first, third") == ""
    assert project.set_up("runtime") == (0, "")
    assert project.set_up("dev")[0] == 0
    assert project.set_up("postgres") == (0, "")
    assert project.says("python", "-c", "import first, second, third") == ""


ELSEWHERE = {
    "target": "{}/elsewhere",
    "prefix": "{}/elsewhere",
    "root": "{}/elsewhere",
    "dry-run": "1",
    "python": "/usr/bin/python3",
    "user": "1",
    "require-virtualenv": "1",
    "constraint": "{}/nowhere.txt",
    "no-binary": ":all:",
    "quiet": "3",
}
"""Settings of pip that would leave the environment empty, or stop the set-up, were they heeded."""


@pytest.mark.parametrize("setting", ELSEWHERE)
def test_a_setting_of_pip_that_leads_elsewhere_is_not_heeded(project: Project, setting: str) -> None:
    value = ELSEWHERE[setting].format(project.wheels)
    project.environment = {f"PIP_{setting.upper().replace('-', '_')}": value}
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"
    assert project.says("python", "-c", "import first") == ""
    assert not (project.wheels / "elsewhere").exists()


def test_of_a_configuration_file_only_where_from_is_heeded(project: Project) -> None:
    configuration = project.root / ".config/pip/pip.conf"
    configuration.parent.mkdir(parents=True)
    redirects = "\n".join(f"{name} = {value.format(project.wheels)}" for name, value in ELSEWHERE.items())
    configuration.write_text(f"[global]\nno-index = 1\n{redirects}\n[install]\nfind-links =\n  {project.wheels}\n")
    project.environment = {"PIP_FIND_LINKS": "", "PIP_NO_INDEX": ""}
    assert project.set_up("runtime")[0] == 0
    assert project.says("python", "-c", "import first") == ""


def test_a_configuration_file_that_is_none_is_told(project: Project) -> None:
    (project.root / ".config/pip").mkdir(parents=True)
    (project.root / ".config/pip/pip.conf").write_text("index-url\n")
    code, said = project.set_up("runtime")
    assert code == 1
    assert "pip's configuration cannot be read" in said
    assert "Traceback" not in said


def test_packages_that_are_not_there_are_noticed_whatever_pip_said(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert project.set_up("dev")[0] == 0
    specification = importlib.util.spec_from_file_location("set_up", project.root / ".tools/set_up.py")
    assert specification
    assert specification.loader
    set_up = importlib.util.module_from_spec(specification)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    specification.loader.exec_module(set_up)
    set_up.check("dev")
    lock = project.root / "requirements/dev.txt"
    lock.write_text(lock.read_text() + "other==2.0 ; sys_platform == 'nothing'\nfirst==1.0.0\n")
    set_up.check("dev")
    shutil.rmtree(next((project.root / ".venv").glob("lib/*/site-packages/second-1.0.dist-info")))
    with pytest.raises(SystemExit, match=r"1 of the locked packages are not in \.venv: second 1\.0\."):
        set_up.check("dev")


def test_a_changed_lock_a_moved_folder_and_a_missing_command_are_noticed(project: Project) -> None:
    project.set_up("dev")
    project.lock("runtime", "first", "third")
    assert project.set_up("runtime")[0] == 0
    assert project.says("python", "-c", "import third") == ""

    moved = project.root.with_name("elsewhere")
    project.root.rename(moved)
    project.root = moved
    assert project.set_up("runtime", "--check")[0] == 1
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"

    (moved / ".venv/bin/naturegym").unlink()
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"


def test_an_environment_whose_python_went_away_is_made_anew(project: Project) -> None:
    project.set_up("runtime")
    python = project.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"


@pytest.mark.slow
def test_killed_at_any_moment_it_repairs_itself(project: Project) -> None:
    moments = random.Random(2).sample(range(20, 1500, 20), k=8)
    for milliseconds in sorted(moments, reverse=True):
        process = project.start("dev")
        try:
            process.wait(timeout=milliseconds / 1000)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate(timeout=60)
        if project.set_up("dev", "--check")[0] == 0:  # It was through: whole it must be.
            assert project.is_whole()
            shutil.rmtree(project.root / ".venv")
    assert project.set_up("dev")[0] == 0
    assert project.is_whole()


def test_two_at_once_do_not_tear_it(project: Project) -> None:
    both = [project.start("dev"), project.start("runtime")]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert project.is_whole()


def test_a_package_that_is_not_the_locked_one_is_refused_and_the_next_run_goes_on(project: Project) -> None:
    lock = project.root / "requirements/runtime.txt"
    right = lock.read_text()
    lock.write_text(right[:-9] + "00000000\n")
    code, said = project.set_up("runtime")
    assert code == 1
    assert "A package that came is not the one that was locked." in said
    assert "Traceback" not in said
    lock.write_text(right)
    assert project.set_up("runtime")[0] == 0
    assert project.says("naturegym") == "ran\n"


@pytest.mark.parametrize("retries", ["0", "1"])
def test_says_that_the_index_cannot_be_reached(project: Project, retries: str) -> None:
    project.environment = {
        "PIP_NO_INDEX": "0",
        "PIP_FIND_LINKS": "",
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_RETRIES": retries,
        "PIP_CONFIG_FILE": os.devnull,
    }
    code, said = project.set_up("runtime")
    assert code == 1
    assert "The package index cannot be reached." in said
    assert "Traceback" not in said


def test_says_that_git_is_missing(project: Project, tmp_path: Path) -> None:
    project.environment = {"PATH": str(tmp_path)}
    code, said = project.set_up("runtime")
    assert code == 1
    assert said.startswith("git is missing")


def test_says_that_its_own_pip_is_damaged(project: Project) -> None:
    next((project.root / "requirements/bootstrap").glob("pip-*.whl")).write_bytes(b"half")
    code, said = project.set_up("runtime")
    assert code == 1
    assert "is damaged" in said
