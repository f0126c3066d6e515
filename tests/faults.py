"""Killing a process at a chosen moment, to see what it leaves on the disk.

``kill -9`` can fall between any two instructions. :func:`killed_after` runs a function in a forked
child that counts the bytecode instructions executed in the modules of ours, and kills itself
with SIGKILL at the one asked for: every moment can be tried, none is a matter of luck.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

SCOPE = "nature_gym"


def killed_after(instructions: int, work: Callable[[], object], *, scope: str = SCOPE) -> bool:
    """Run ``work`` in a child, killed at that many instructions inside modules of ``scope``.

    True when the child was killed, False when it had finished before.
    """
    child = os.fork()
    if child == 0:
        status = 70
        try:
            left = instructions

            def trace(frame: FrameType, event: str, _: Any) -> Any:
                nonlocal left
                if not frame.f_globals.get("__name__", "").startswith(scope):
                    return None
                frame.f_trace_opcodes = True
                if event == "opcode":
                    left -= 1
                    if left <= 0:
                        os.kill(os.getpid(), signal.SIGKILL)
                return trace

            sys.settrace(trace)
            work()
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    if os.WIFSIGNALED(ended):
        assert os.WTERMSIG(ended) == signal.SIGKILL, f"the child died of signal {os.WTERMSIG(ended)}"
        return True
    assert os.WEXITSTATUS(ended) == 0, "the child's work failed before it could be killed"
    return False


def instructions_of(work: Callable[[], object], *, scope: str = SCOPE, limit: int = 1 << 20) -> int:
    """How many instructions ``work`` takes inside modules of ``scope``: the range to draw a moment from."""
    low, high = 1, 2
    while killed_after(high, work, scope=scope):
        low, high = high, high * 2
        assert high < limit, "the work is longer than anybody should wait for"
    while low < high - 1:
        middle = (low + high) // 2
        low, high = (middle, high) if killed_after(middle, work, scope=scope) else (low, middle)
    return low


def with_room_for(size: int, work: Callable[[], object]) -> str:
    """Run ``work`` in a child that can write no file larger than ``size`` bytes; what it said, or '' where it ended.

    The kernel refuses the write that goes beyond, as it does where a disk is full.
    """
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        said = ""
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            result = work()
            said = result if isinstance(result, str) else ""
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(mouth, said.encode()[:4000])
            os._exit(0)
    os.close(mouth)
    with os.fdopen(ear, "rb") as told:
        said = told.read().decode()
    os.waitpid(child, 0)
    return said
