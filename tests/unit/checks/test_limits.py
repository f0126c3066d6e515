"""How long checks take, by processor time: static ones on the examples, and on ten thousand files; their command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checks.package import CheckedPackage
from checks.running import run_checks
from tests.unit.checks.packages import flow, written

COMMAND = Path(sys.executable).with_name("naturegym")
EXAMPLES = sorted((Path(__file__).parents[3] / "task_packages" / "examples").glob("demo-*"))


def seconds_of(path: Path) -> float:
    """Of the better of two looks: the first one loads what all of them need."""
    found = []
    for _ in range(2):
        start = time.process_time()
        assert run_checks(path, static=True).summary.failed == 0
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_takes_less_than_a_second(example: Path) -> None:
    assert seconds_of(example) < 1.0


def test_ten_thousand_files_take_less_than_three_seconds(tmp_path: Path) -> None:
    files = flow()
    files |= {f"problem/data/T1/frames/frame_{number:05d}.npy": b"\x00" for number in range(10_000)}
    path = written(tmp_path, files)
    assert len(CheckedPackage(path).files) > 10_000
    assert seconds_of(path) < 3.0


def test_help_of_the_command_loads_no_check_and_no_prefect() -> None:
    code = (
        "import sys\nfrom nature_gym.cli import main, checking\nheavy = {'checks', 'prefect', 'numpy', 'pydantic'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


def test_static_checks_load_no_prefect_and_no_database(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom checks.running import run_checks\n"
        f"run_checks(Path({str(EXAMPLES[0])!r}), static=True)\n"
        "print(*sorted({'prefect', 'sqlalchemy', 'torch', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


def test_the_command_on_an_example_takes_a_moment() -> None:
    """Its start included; twice as long as on an idle machine, for tests run side by side."""
    costs = []
    for _ in range(2):
        process = subprocess.Popen([COMMAND, "check", EXAMPLES[0], "--static"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        costs.append(usage.ru_utime + usage.ru_stime)
    assert min(costs) < 2.5
