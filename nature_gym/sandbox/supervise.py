"""Stands over a bare command, so that its whole tree can be ended: the process back end's first program.

A file of its own without imports from this project, started as ``python -I -S supervise.py SPECIFICATION``.

The idea: the kernel gives the orphans below a "subreaper" to it, whatever session they are in, so nothing that the
command starts can leave the tree. When the command ends, when SIGTERM comes, or when whoever started us is gone (the
kernel sends SIGTERM then, too), everything below is killed until nothing is left.

The specification (JSON): ``parent``, ``limits`` {name: number}, ``folder``, ``argv``, ``environment``.
"""

# ruff: noqa: PTH123, PTH208 -- as few modules as can be, so no pathlib

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def below(pid: int) -> list[int]:
    """All that descend from a process."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{one}/task"):
                with open(f"/proc/{one}/task/{thread}/children", encoding="ascii") as file:
                    children = [int(number) for number in file.read().split()]
                found += children
                waiting += children
        except OSError:
            continue
    return found


def ended(command: int) -> int | None:
    """Take in whatever has ended, without waiting; the status of the command, if it is among them."""
    status = None
    while True:
        try:
            pid, told = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == command:
            status = told


def end_all(command: int) -> None:
    """Kill everything below until nothing is left. SIGCHLD is blocked: it wakes us, and the clock where it is late."""
    while left := below(os.getpid()):
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        signal.sigtimedwait({signal.SIGCHLD}, 0.01)
        ended(command)


def become(wanted: dict[str, Any]) -> None:
    """In the child: the command itself."""
    try:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and a command would inherit that
            signal.signal(number, signal.SIG_DFL)
        for name, value in wanted["limits"].items():
            hard = resource.getrlimit(getattr(resource, name))[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(getattr(resource, name), (allowed, allowed))
        os.chdir(wanted["folder"])
        os.execvpe(wanted["argv"][0], wanted["argv"], wanted["environment"])  # noqa: S606
    except OSError as error:
        os.write(2, f"{wanted['argv'][0]}: {error.strerror}\n".encode())
        os._exit(126 if isinstance(error, PermissionError) else 127)


def take_charge(libc: ctypes.CDLL, parent: int) -> set[signal.Signals]:
    """Get whatever is orphaned below, and SIGTERM when the parent ends; the signals to wait for, blocked from here on.

    Ends with 125 where the parent has ended already.
    """
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    heard = {signal.SIGCHLD, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(125)
    return heard


def stood_over(command: int, heard: set[signal.Signals]) -> int:
    """Wait until the command ends, or SIGTERM comes; then end all below. Its exit code, 128 + a signal's number."""
    status: int | None = None
    while status is None:
        status = int(signal.SIGKILL) if signal.sigwait(heard) == signal.SIGTERM else ended(command)
    end_all(command)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def main() -> None:
    """Ends as the command did; 128 + the signal's number where one ended it."""
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = json.load(file)
    heard = take_charge(ctypes.CDLL(None), wanted["parent"])
    command = os.fork()
    if command == 0:
        become(wanted)
    sys.exit(stood_over(command, heard))


if __name__ == "__main__":
    main()
