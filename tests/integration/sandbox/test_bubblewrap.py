"""Bubblewrap without what root has: limits that are watched, and the whole for an ordinary user."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nature_gym.sandbox import groups
from nature_gym.sandbox.bubblewrap import Bubblewrap
from nature_gym.sandbox.interface import Box, Ended, Limits, Outcome, Sandbox
from nature_gym.sandbox.watching import tree

MIB = 1 << 20
HOLD = "x = b'x' * (120 << 20); import time; time.sleep(30)"


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Sandbox:
    """Where no control group can be had."""
    monkeypatch.setattr(groups, "MOUNTED", tmp_path / "none")
    sandbox = Bubblewrap()
    if reason := sandbox.missing():
        pytest.skip(reason)
    assert sandbox.isolation().memory.startswith("partly")
    return sandbox


def python(sandbox: Sandbox, code: str, cpus: float = 2) -> Outcome:
    limits = Limits(seconds=30, memory_bytes=256 * MIB, cpus=cpus)
    return sandbox.run(Box(limits=limits), ["python3", "-c", code])


def test_memory_of_the_whole_tree_is_watched(watched: Sandbox) -> None:
    code = f"import subprocess, sys\nheld = [subprocess.Popen([sys.executable, '-c', {HOLD!r}]) for _ in range(4)]\n"
    outcome = python(watched, f"{code}for one in held: one.wait()")
    assert outcome.ended is Ended.OUT_OF_MEMORY
    assert outcome.seconds < 25


def test_files_in_memory_are_watched(watched: Sandbox) -> None:
    code = "import time\nfor n in range(400):\n open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))"
    outcome = python(watched, code)
    assert not outcome.well


def test_processors_are_counted_out(watched: Sandbox) -> None:
    code = "import os; print(len(os.sched_getaffinity(0)))"
    assert python(watched, code, cpus=0.5).stdout.text == "1\n"


SCRIPT = """
import sys
import tempfile
from pathlib import Path, PurePosixPath
from nature_gym.sandbox.bubblewrap import Bubblewrap
from nature_gym.sandbox.interface import Box, Limits, Mount
sandbox = Bubblewrap()
if sandbox.missing():
    sys.exit(sandbox.missing())
here = Path(sys.argv[1])
mounts = (Mount(here / "secret-paper", PurePosixPath("/task")), Mount(here / "w", PurePosixPath("/workspace"), True))
outcome = sandbox.run(
    Box(mounts=mounts, limits=Limits(seconds=30, processes=20)),
    ["sh", "-c", "id -u; cat /task/given; cp /task/given made; touch /task/x; grep -c secret /proc/self/mountinfo"],
)
print(outcome.stdout.text, outcome.stderr.text)
"""


def test_an_ordinary_user_has_boxes_too() -> None:
    """Run as nobody, with the system's Python, from a copy that everybody can read."""
    if os.geteuid() != 0:
        pytest.skip("every other test is this test: we are an ordinary user")
    system = subprocess.run(
        ["/usr/bin/python3", "-c", "import sys; print(sys.version_info >= (3, 11))"], capture_output=True, check=False
    )
    if system.stdout.strip() != b"True":
        pytest.skip("the system has no Python 3.11")
    with tempfile.TemporaryDirectory(prefix="box-test-", dir="/var/tmp") as name:
        here = Path(name)
        here.chmod(0o755)
        room = Path(sys.modules["nature_gym"].__file__ or "").parent
        shutil.copytree(room / "sandbox", here / "nature_gym" / "sandbox")
        for part in ("__init__.py", "errors.py"):
            shutil.copy(room / part, here / "nature_gym" / part)
        for folder in ("secret-paper", "w"):
            (here / folder).mkdir()
        (here / "secret-paper" / "given").write_text("given\n")
        os.chown(here / "w", 65534, 65534)
        done = subprocess.run(
            ["/usr/bin/python3", "-c", SCRIPT, name],
            cwd=name, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": name}, capture_output=True, text=True, check=False,
            user=65534, group=65534, extra_groups=[],
        )  # fmt: skip
        if "user namespaces" in done.stderr:
            pytest.skip(done.stderr.strip())
        assert done.stdout.split()[:3] == ["1000", "given", "0"], (done.stdout, done.stderr)
        assert "Read-only file system" in done.stdout
        assert (here / "w" / "made").read_text() == "given\n"
        assert (here / "w" / "made").stat().st_uid == 65534


def test_a_python_that_lies_below_the_temporary_folder_is_seen(tmp_path: Path) -> None:
    """A checkout in /tmp: the box has a /tmp of its own, and the environment that runs us in its place all the same."""
    made = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made)], check=True)
    program = (
        "from nature_gym.sandbox.choosing import chosen_sandbox; from nature_gym.sandbox.interface import Box; "
        "outcome = chosen_sandbox('bubblewrap').run(Box(), ['python', '-c', 'import sys; print(sys.prefix)']); "
        "print(outcome.stdout.text or outcome.stderr.text)"
    )
    path = os.pathsep.join([str(Path(__file__).parents[3]), *(part for part in sys.path if "site-packages" in part)])
    told = subprocess.run(
        [made / "bin/python", "-c", program], env=os.environ | {"PYTHONPATH": path}, capture_output=True, check=False
    )
    assert told.stdout.decode().strip() == str(made), told.stderr.decode()


OWNER = """
import sys
from nature_gym.sandbox.bubblewrap import Bubblewrap
from nature_gym.sandbox.interface import Box, Limits
sandbox = Bubblewrap()
assert not sandbox.missing()
print("ready", flush=True)
sandbox.start(Box(limits=Limits(seconds=600)), ["sleep", sys.argv[1]]).wait()
"""


def test_an_owner_killed_while_the_box_is_made_leaves_nothing() -> None:
    """Bubblewrap's first process does not die with its parent before its mounts are made; our guard ends it."""
    if reason := Bubblewrap().missing():
        pytest.skip(reason)
    for number in range(4):
        mark = f"3600.{os.getpid()}{number}"
        with subprocess.Popen([sys.executable, "-c", OWNER, mark], stdout=subprocess.PIPE) as owner:
            assert owner.stdout is not None
            assert owner.stdout.readline() == b"ready\n"
            _until(lambda owner=owner: _first_of_a_box(owner.pid))  # type: ignore[misc]
            owner.kill()
        _until(lambda mark=mark: not _with(mark))  # type: ignore[misc]


def _until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until


def _first_of_a_box(owner: int) -> bool:
    """Whether bubblewrap, somewhere below, has made the box's first process."""
    return any(_arguments(one).startswith("/usr/bin/bwrap") and len(tree(one)) > 1 for one in tree(owner))


def _with(mark: str) -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if mark in _arguments(int(path.name))]


def _arguments(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""
