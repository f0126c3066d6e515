"""What every back end does alike, and what those that isolate keep from a command."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import Literal

import pytest

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox.interface import Box, Ended, Limits, Mount, Outcome, Running, Sandbox

MIB = 1 << 20
WORKSPACE = PurePosixPath("/workspace")
TASK = PurePosixPath("/task")

HOLD = """
import fcntl, os, signal, sys, time
held = open('/workspace/lock', 'w')
fcntl.flock(held, fcntl.LOCK_EX)
if os.fork() == 0:
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.close(1), os.close(2)
        time.sleep(3600)
    os._exit(0)
os.wait()
print('held', flush=True)
"""
"""Leaves a daemon that ignores signals, has left its session and its parent, and holds a lock until it dies."""


def limits(**changed: float) -> Limits:
    return Limits(**{"seconds": 60, "memory_bytes": 512 * MIB, **changed})  # type: ignore[arg-type]


def shell(sandbox: Sandbox, script: str, *mounts: Mount, **changed: float) -> Outcome:
    return sandbox.run(Box(mounts=mounts, limits=limits(**changed)), ["sh", "-c", script])


def python(sandbox: Sandbox, code: str, *mounts: Mount, **changed: float) -> Outcome:
    return sandbox.run(Box(mounts=mounts, limits=limits(**changed)), ["python3", "-c", code])


def started(sandbox: Sandbox, argv: list[str], *mounts: Mount, until: bytes, **changed: float) -> Running:
    """Under way, and it has said ``until``."""
    said = threading.Event()
    seen = bytearray()

    def stream(_: str, piece: bytes) -> None:
        seen.extend(piece)
        if until in seen:
            said.set()

    running = sandbox.start(Box(mounts=mounts, limits=limits(**changed)), argv, stream=stream)
    assert said.wait(60)
    return running


def is_free(lock: Path) -> bool:
    """Whether nobody holds the lock any more."""
    with lock.open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.fixture
def workspace(tmp_path: Path) -> Mount:
    (tmp_path / "w").mkdir()
    return Mount(tmp_path / "w", WORKSPACE, writable=True)


# -- files -------------------------------------------------------------------------------------


def test_a_mount_can_be_read(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("given")
    assert shell(sandbox, "cat /task/given", Mount(tmp_path, TASK)).stdout.text == "given"


def test_a_mount_that_is_not_writable_is_not_written_to(isolating: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("given")
    outcome = shell(isolating, "echo x > /task/given; echo y > /task/more; rm /task/given", Mount(tmp_path, TASK))
    assert not outcome.well
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"given": "given"}


def test_one_file_can_be_mounted(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "given").write_text("given")
    outcome = shell(sandbox, "cat /task/one.txt", Mount(tmp_path / "given", TASK / "one.txt"))
    assert outcome.stdout.text == "given"


def test_a_mount_may_lie_in_another(isolating: Sandbox, tmp_path: Path) -> None:
    for name in ("outer", "inner"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(name)
    (tmp_path / "outer" / "in").mkdir()
    inner, outer = Mount(tmp_path / "inner", TASK / "in"), Mount(tmp_path / "outer", TASK)
    assert shell(isolating, "cat /task/name /task/in/name", inner, outer).stdout.text == "outerinner"


def test_what_is_written_to_a_writable_mount_stays(sandbox: Sandbox, workspace: Mount) -> None:
    assert shell(sandbox, "mkdir a && echo made > a/b", workspace).well
    assert (workspace.source / "a" / "b").read_text() == "made\n"


def test_boxes_with_the_same_writable_mount_share_its_files(sandbox: Sandbox, workspace: Mount) -> None:
    first = started(
        sandbox, ["sh", "-c", "echo one > one; echo up; until [ -e two ]; do :; done"], workspace, until=b"up"
    )
    assert shell(sandbox, "cat one && echo two > two", workspace).stdout.text == "one\n"
    outcome = first.wait(60)
    assert outcome is not None
    assert outcome.well


def test_the_workspace_is_fresh_and_writable(sandbox: Sandbox) -> None:
    for _ in range(2):
        outcome = shell(sandbox, "test ! -e left && echo x > left && echo y > $TMPDIR/left && cat left")
        assert outcome.stdout.text == "x\n", outcome


def test_the_system_cannot_be_written_to(isolating: Sandbox) -> None:
    places = "/x /usr/x /etc/x /dev/x /usr/bin/env /etc/passwd /proc/sys/kernel/core_pattern /proc/sysrq-trigger"
    assert (
        shell(isolating, f"for place in {places}; do (echo x > $place) 2>/dev/null && echo $place; done").stdout.text
        == ""
    )


def test_files_of_the_host_are_not_there(isolating: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "link").symlink_to(tmp_path / "secret")
    outcome = shell(
        isolating, f"cat /task/link {tmp_path}/secret /proc/1/root{tmp_path}/secret", Mount(tmp_path / "given", TASK)
    )
    assert "secret" not in outcome.stdout.text


def test_a_mount_that_is_not_there_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be mounted"):
        shell(sandbox, "true", Mount(tmp_path / "none", TASK))


@pytest.mark.parametrize("target", ["/", "/proc/x", "/dev", "/sys", "relative", "/task/../etc"])
def test_a_target_that_cannot_be_is_refused(sandbox: Sandbox, target: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        shell(sandbox, "true", Mount(tmp_path, PurePosixPath(target)))


# -- user and kernel ---------------------------------------------------------------------------


def test_the_user_is_not_root_and_has_no_rights(isolating: Sandbox) -> None:
    outcome = shell(isolating, "id -u; grep -E 'Cap(Eff|Prm|Bnd|Amb)|NoNewPrivs|Seccomp:' /proc/self/status")
    uid, *lines = outcome.stdout.text.splitlines()
    assert int(uid) != 0
    told = dict(line.split(":\t") for line in lines)
    assert told.pop("NoNewPrivs") == "1"
    assert told.pop("Seccomp") == "2"
    assert set(told.values()) == {"0" * 16}


CALLS = {
    "unshare": "libc.unshare(0x10000000)",
    "clone of a namespace": "libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "mount": "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
    "ptrace": "libc.ptrace(16, os.getppid(), 0, 0)",
    "keyctl": "libc.syscall(250, 0, -3, 0)",
    "bpf": "libc.syscall(321, 0, 0, 0)",
    "perf_event_open": "libc.syscall(298, 0, 0, -1, -1, 0)",
    "vsock": "libc.socket(40, 1, 0)",
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="calls by their numbers")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_calls_to_the_kernel_that_no_command_needs_are_refused(isolating: Sandbox, call: str) -> None:
    code = f"import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print({call}, ctypes.get_errno())"
    if isolating.name == "docker" and ("socket(40" in call or "ptrace" in call):
        pytest.skip("the engine's own filter decides")
    result, errno = python(isolating, code).stdout.text.split()
    assert int(result) == -1
    assert int(errno) in {1, 13, 38, 97}


def test_only_its_own_processes_are_seen(isolating: Sandbox) -> None:
    code = "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit())[-1])"
    assert int(python(isolating, code).stdout.text) < 100
    assert not shell(isolating, f"kill -0 {os.getpid()}").well


def test_the_host_and_the_task_are_not_named(isolating: Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "secret-paper"
    folder.mkdir()
    (folder / "name").write_text("x")
    outcome = shell(
        isolating, "hostname; cat /proc/self/mountinfo /proc/*/cmdline /proc/*/environ", Mount(folder, TASK)
    )
    assert outcome.stdout.text.startswith("box\n")
    assert socket.gethostname() not in outcome.stdout.text.splitlines()
    if "writable mount" in isolating.isolation().files:
        assert "secret-paper" not in outcome.stdout.text


# -- environment, input, output -------------------------------------------------------------------


def test_the_environment_is_what_the_box_says(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    outcome = sandbox.run(Box(environment={"A": "a b=c", "E": ""}), ["env"])
    variables = dict(line.split("=", 1) for line in outcome.stdout.text.splitlines())
    assert {name: variables.pop(name) for name in ("A", "E", "LANG")} == {"A": "a b=c", "E": "", "LANG": "C.UTF-8"}
    assert set(variables) - {"PWD"} == {"PATH", "HOME", "TMPDIR"}


def test_it_starts_in_its_folder(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    assert sandbox.run(Box(mounts=(Mount(tmp_path, TASK),), folder=TASK), ["ls"]).stdout.text == "here\n"


def test_arguments_arrive_as_they_are(sandbox: Sandbox) -> None:
    odd = ["", "a b", "$HOME", "'", "\n", "é", "-c", "--"]
    outcome = sandbox.run(Box(), ["python3", "-c", "import sys; print(sys.argv[1:])", *odd])
    assert outcome.stdout.text.strip() == str(odd)


def test_input_is_passed_on_and_ends(sandbox: Sandbox) -> None:
    assert sandbox.run(Box(), ["wc", "-c"], stdin=b"x" * 3_000_000).stdout.text.strip() == "3000000"
    assert sandbox.run(Box(), ["wc", "-c"]).stdout.text.strip() == "0"


def test_input_that_nobody_reads_holds_nothing_up(sandbox: Sandbox) -> None:
    assert sandbox.run(Box(), ["true"], stdin=b"x" * 3_000_000).well


def test_output_comes_as_it_is_written(sandbox: Sandbox, workspace: Mount) -> None:
    pieces: list[tuple[str, bytes]] = []

    def stream(name: Literal["stdout", "stderr"], piece: bytes) -> None:
        pieces.append((name, piece))
        (workspace.source / "go").touch()  # it waits for this, so it has been heard before its end

    script = "echo first; until [ -e go ]; do :; done; echo second >&2"
    outcome = sandbox.run(Box(mounts=(workspace,), limits=limits()), ["sh", "-c", script], stream=stream)
    assert outcome.well
    assert pieces == [("stdout", b"first\n"), ("stderr", b"second\n")]
    assert (outcome.stdout.text, outcome.stderr.text) == ("first\n", "second\n")


def test_an_error_of_the_listener_is_the_callers(sandbox: Sandbox) -> None:
    def stream(name: str, piece: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sandbox.run(Box(), ["echo", "x"], stream=stream)


def test_a_gigabyte_of_output_is_counted_and_its_ends_are_kept(sandbox: Sandbox) -> None:
    size = 1_000_000_000
    script = f"printf begin; head -c {size - 8} /dev/zero; printf end"
    outcome = shell(sandbox, script, output_bytes=1000, seconds=240)
    assert (outcome.well, outcome.stdout.total, len(outcome.stdout.kept)) == (True, size, 1000)
    assert (outcome.stdout.kept[:6], outcome.stdout.kept[-4:]) == (b"begin\0", b"\0end")


# -- ends -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [0, 1, 77, 127, 255])
def test_the_exit_code_is_told(sandbox: Sandbox, code: int) -> None:
    outcome = shell(sandbox, f"exit {code}")
    assert (outcome.ended, outcome.code) == (Ended.EXITED, code)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_signal_is_told(sandbox: Sandbox, number: int) -> None:
    outcome = shell(sandbox, f"kill -{int(number)} $$")
    assert (outcome.ended, outcome.code) == (Ended.SIGNALLED, 128 + number)


def test_a_program_that_is_not_there_ends_with_127(sandbox: Sandbox) -> None:
    assert sandbox.run(Box(), ["no-such-program"]).code == 127


def test_a_program_that_may_not_run_ends_with_126(sandbox: Sandbox) -> None:
    assert sandbox.run(Box(), ["/etc/passwd"]).code == 126


def test_time_is_bounded(sandbox: Sandbox) -> None:
    outcome = shell(sandbox, "echo x; sleep 600", seconds=1)
    assert (outcome.ended, outcome.code, outcome.stdout.text) == (Ended.TIMED_OUT, 137, "x\n")
    assert 1 <= outcome.seconds < 20


def test_a_stop_ends_it(sandbox: Sandbox) -> None:
    running = started(sandbox, ["sh", "-c", "echo up; sleep 600"], until=b"up")
    assert running.wait(0) is None
    outcome = running.stop()
    assert (outcome.ended, outcome.code, outcome.stdout.text) == (Ended.STOPPED, 137, "up\n")
    assert running.stop() == running.wait() == outcome


@pytest.mark.parametrize("how", ["exit", "time-out", "stop"])
def test_what_daemonised_and_ignores_signals_ends_too(sandbox: Sandbox, workspace: Mount, how: str) -> None:
    code = HOLD if how == "exit" else f"{HOLD}\ntime.sleep(3600)"
    seconds = 6 if how == "time-out" else 60
    running = started(sandbox, ["python3", "-c", code], workspace, until=b"held", seconds=seconds)
    outcome = running.stop() if how == "stop" else running.wait()
    assert outcome is not None
    assert is_free(workspace.source / "lock")


def test_after_kill_9_of_the_parent_a_sweep_leaves_nothing(
    sandbox: Sandbox, workspace: Mount, request: pytest.FixtureRequest
) -> None:
    code = f"""if True:
        from pathlib import Path, PurePosixPath
        from nature_gym.sandbox.choosing import back_end
        from nature_gym.sandbox.interface import Box, Mount
        mount = Mount(Path({str(workspace.source)!r}), PurePosixPath("/workspace"), writable=True)
        back_end({sandbox.name!r}).start(
            Box(mounts=(mount,)), ["python3", "-c", {HOLD + "time.sleep(3600)"!r}],
            stream=lambda name, piece: print(piece, flush=True),
        ).wait()
    """
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=Path.cwd()) as parent:
        assert parent.stdout is not None
        assert b"held" in parent.stdout.readline()
        assert not is_free(workspace.source / "lock")
        parent.kill()
    sandbox.sweep()
    with (workspace.source / "lock").open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another process may be sweeping: it waits for the end


def test_eight_run_at_the_same_time(sandbox: Sandbox) -> None:
    def run(number: int) -> Outcome:
        return sandbox.run(Box(limits=limits()), ["sh", "-c", f"echo {number}; exit {number}"])

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(run, range(8)))
    assert [(one.code, one.stdout.text) for one in outcomes] == [(n, f"{n}\n") for n in range(8)]


def test_a_box_outlives_the_thread_that_started_it(sandbox: Sandbox) -> None:
    runnings: list[Running] = []
    argv = ["sh", "-c", "sleep 0.5; echo well"]
    thread = threading.Thread(target=lambda: runnings.append(sandbox.start(Box(limits=limits()), argv)))
    thread.start()
    thread.join()
    outcome = runnings[0].wait()
    assert outcome is not None
    assert outcome.stdout.text == "well\n"


# -- limits -----------------------------------------------------------------------------------------


def test_memory_is_bounded(sandbox: Sandbox) -> None:
    code = "held = []\nfor _ in range(64): held.append(b'x' * (32 << 20))"
    assert python(sandbox, code, memory_bytes=256 * MIB).ended is Ended.OUT_OF_MEMORY


def test_memory_of_children_counts_together(sandbox: Sandbox) -> None:
    child = "x = b'x' * (120 << 20); import time; time.sleep(8)"
    code = (
        "import subprocess, sys\n"
        f"children = [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in range(6)]\n"
        "sys.exit(any([child.wait() for child in children]))"
    )
    outcome = python(sandbox, code, memory_bytes=384 * MIB, seconds=100)
    assert outcome.ended is Ended.OUT_OF_MEMORY


def test_files_in_memory_count_as_memory(isolating: Sandbox) -> None:
    outcome = shell(isolating, "head -c 300000000 /dev/zero > /dev/shm/x", memory_bytes=128 * MIB)
    assert not outcome.well


def test_cpus_are_bounded(isolating: Sandbox) -> None:
    code = (
        "import os, time\nbegan = time.monotonic()\n"
        "for _ in range(2):\n if os.fork() == 0:\n  while time.monotonic() < began + 2: pass\n  os._exit(0)\n"
        "os.wait(), os.wait()\nused = os.times()\n"
        "print((used.children_user + used.children_system) / (time.monotonic() - began))"
    )
    assert float(python(isolating, code, cpus=1).stdout.text) < 1.3


def test_processes_are_bounded(isolating: Sandbox) -> None:
    code = (
        "import os, signal\ncount = 1\ntry:\n while count < 100:\n"
        "  if os.fork() == 0: signal.pause()\n  count += 1\nexcept BlockingIOError: pass\nprint(count)"
    )
    outcome = python(isolating, code, processes=20)
    assert 15 <= int(outcome.stdout.text) <= 20, outcome


def test_open_files_are_bounded(sandbox: Sandbox) -> None:
    code = "held = []\ntry:\n while len(held) < 999: held.append(open('/dev/null'))\nexcept OSError: print(len(held))"
    assert 40 <= int(python(sandbox, code, open_files=64).stdout.text) < 64


WRITE = (
    "import os\nfor number in range(4000):\n"
    " with open(f'{number}', 'wb') as file: file.write(bytes(1 << 20)); os.fsync(file.fileno())"
)


def test_the_fresh_workspace_is_bounded(sandbox: Sandbox) -> None:
    assert not python(sandbox, WRITE, disk_bytes=64 * MIB).well


def test_a_writable_mount_is_bounded(sandbox: Sandbox, workspace: Mount) -> None:
    assert python(sandbox, WRITE, workspace, disk_bytes=64 * MIB).ended is Ended.DISK_FULL
    assert sum(file.stat().st_size for file in workspace.source.iterdir()) < 4000 * MIB


def test_one_file_is_bounded(sandbox: Sandbox, workspace: Mount) -> None:
    outcome = shell(sandbox, "exec head -c 200000000 /dev/zero > big", workspace, disk_bytes=64 * MIB)
    assert outcome.ended is Ended.DISK_FULL
    assert (workspace.source / "big").stat().st_size <= 64 * MIB


# -- network -------------------------------------------------------------------------------------------


@contextmanager
def listening(family: int, address: str | tuple[str, int]) -> Iterator[socket.socket]:
    with closing(socket.socket(family)) as server:
        server.bind(address)
        server.listen()
        yield server


def test_there_is_no_network(isolating: Sandbox) -> None:
    code = "import os, socket\nprint(socket.if_nameindex())\nsocket.create_connection(('192.0.2.1', 80), 5)"
    outcome = python(isolating, code)
    assert outcome.stdout.text == "[(1, 'lo')]\n"
    assert "Network is unreachable" in outcome.stderr.text


def test_services_of_the_host_cannot_be_reached(isolating: Sandbox) -> None:
    with listening(socket.AF_INET, ("127.0.0.1", 0)) as server:
        outcome = python(
            isolating, f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5)"
        )
    assert "Connection refused" in outcome.stderr.text


def test_nameless_sockets_of_the_host_cannot_be_reached(isolating: Sandbox) -> None:
    name = f"\0box-test-{os.getpid()}"
    with listening(socket.AF_UNIX, name):
        outcome = python(isolating, f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})")
    assert "Connection refused" in outcome.stderr.text


def test_loopback_works_inside(isolating: Sandbox) -> None:
    code = (
        "import socket; address = ('127.0.0.1', 8080); server = socket.create_server(address)\n"
        "socket.create_connection(address); print('well')"
    )
    assert python(isolating, code).stdout.text == "well\n"


def test_a_mounted_socket_can_be_used(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with listening(socket.AF_UNIX, str(path)) as server:
        path.chmod(0o666)

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(connection.recv(99).upper())

        thread = threading.Thread(target=answer)
        thread.start()
        code = (
            "import socket; s = socket.socket(socket.AF_UNIX); s.connect('/task/s')\n"
            "s.sendall(b'well'); print(s.recv(9))"
        )
        assert python(sandbox, code, Mount(path, TASK / "s")).stdout.text == "b'WELL'\n"
        thread.join()


# -- what it says of itself ------------------------------------------------------------------------------


def test_only_what_isolates_is_comparable(sandbox: Sandbox) -> None:
    assert sandbox.isolation().comparable is (sandbox.name != "process")


@pytest.mark.docker
def test_an_image_that_is_not_here_is_refused(isolating: Sandbox) -> None:
    with pytest.raises((UsageError, InfrastructureError), match="no-such-image"):
        isolating.run(Box(image="no-such-image:v0"), ["true"])
