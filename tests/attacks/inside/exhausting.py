"""Memory, disk, processes, file handles; and outliving the box."""

# ruff: noqa: PTH108, PTH123, PTH208 -- what runs inside a box speaks to the kernel, and prints

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

from tests.attacks.inside.kit import KNOWN, text_of

MIB = 1 << 20


def processes() -> object:
    """As many as can be."""
    children: list[int] = []
    try:
        while len(children) < 4 * KNOWN["processes"]:
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except OSError:
        pass
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    return len(children) if len(children) > KNOWN["processes"] + 8 else None


def open_files() -> object:
    """As many as can be, in one process."""
    held: list[int] = []
    try:
        while len(held) < 10_000:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    return len(held) if len(held) > 4096 else None


def priority() -> object:
    """Come before everybody else on the machine."""
    found = []
    with contextlib.suppress(OSError):
        os.nice(-5)
        found.append("nice")
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        found.append("real time")
    return found


def memory() -> object:
    """Four times what there is, and touched."""
    return len([b"x" * (8 * MIB) for _ in range(4 * KNOWN["memory"] // (8 * MIB))])


def memory_in_files() -> object:
    """Files that lie in memory."""
    written = 0
    for place in ("/dev/shm", "/tmp"):
        try:
            with open(f"{place}/filled", "wb") as file:
                for _ in range(4 * KNOWN["memory"] // MIB):
                    written += file.write(b"x" * MIB)
        except OSError:
            continue
    return written if written > 2 * KNOWN["memory"] else None


def disk() -> object:
    """Many files of the workspace, four times what may be written."""
    written = 0
    for number in range(4 * KNOWN["disk"] // (2 * MIB)):
        with open(f"/workspace/filled{number}", "wb") as file:
            written += file.write(b"x" * (2 * MIB))
        time.sleep(0.03)
    return written


def files_without_a_name() -> object:
    """The same in files that are open and have no name any more, so that no folder shows them."""
    held = []
    for _ in range(4 * KNOWN["disk"] // (2 * MIB)):
        held.append(open("/workspace/nameless", "wb"))  # noqa: SIM115
        os.unlink("/workspace/nameless")
        held[-1].write(b"x" * (2 * MIB))
        held[-1].flush()
        time.sleep(0.03)
    return len(held)


def one_large_file() -> object:
    """A single file beyond the limit."""
    with open("/workspace/large", "wb") as file:
        file.seek(KNOWN["disk"] + MIB)
        file.write(b"x")
    return "written"


DAEMON = """
import os, signal, sys, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
if os.fork():
    os._exit(0)
os.setsid()
if os.fork():
    os._exit(0)
for descriptor in range(3 if sys.argv[2] == 'holding' else 0, 64):
    try:
        os.close(descriptor)
    except OSError:
        pass
until = time.monotonic() + 60
while time.monotonic() < until:
    if sys.argv[2] == 'running':  # a new number all the time, to be missed by whoever kills by number
        if os.fork():
            os._exit(0)
    time.sleep(0.005 if sys.argv[2] == 'running' else 0.5)
"""


def daemon(how: str) -> object:
    """A process of its own session, that hears no signal and whose parent is gone; gone itself after a minute."""
    begun = subprocess.run([sys.executable, "-c", DAEMON, KNOWN["mark"], how], check=False)
    time.sleep(0.3)
    lives = any(KNOWN["mark"] in text_of(f"/proc/{pid}/cmdline") for pid in filter(str.isdigit, os.listdir("/proc")))
    return None if lives and not begun.returncode else "it did not begin"


def daemon_that_is_silent() -> object:
    """With all that it had open closed."""
    return daemon("silent")


def daemon_that_holds_the_streams() -> object:
    """With the streams held open, so that whoever waits for their end waits."""
    return daemon("holding")


def daemon_that_forks_on() -> object:
    """With another number at every look."""
    return daemon("running")


def debugger_that_stops_us() -> object:
    """A tree that stands still does not end by itself."""
    child = os.fork()
    if child == 0:
        os.execv(
            sys.executable,
            [sys.executable, "-c", "import os, time\nos.kill(os.getpid(), 19)\ntime.sleep(60)", KNOWN["mark"]],
        )
    time.sleep(0.2)
    return None


def signals_to_the_host() -> object:
    """Signals to numbers that are the host's."""
    found = []
    for pid in KNOWN["host_pids"]:
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                if "pytest" not in file.read():
                    continue
            os.kill(pid, signal.SIGWINCH)
            found.append(pid)
        except OSError:
            continue
    return found
