"""One command of a back end that starts a process on this machine: read, watched, ended in time, cleaned up after.

The idea: two threads a command. One starts it, waits for it and watches its limits; it lives as long as the command,
because the kernel ends a box when the *thread* that started it is gone. The other moves bytes, so that neither a
command that prints without end nor a caller that reads slowly keeps the first from ending it in time.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO, Literal, Protocol

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox.interface import Ended, Limits, Outcome, Stream
from nature_gym.sandbox.output import Kept

LOOK_SECONDS = 0.05
_PIECE = 1 << 16


class Tree(Protocol):
    """The processes of one command, as its back end sees them. Called from one thread."""

    def begin(self) -> subprocess.Popen[bytes]:
        """Start; stdin, stdout and stderr are pipes. The command may not be under way yet."""

    def under_way(self) -> None:
        """Wait until the processes can be found. Does not raise if they ended before."""

    def over(self) -> Ended | None:
        """The limit that is passed now, if one is."""

    def kill(self) -> None:
        """End everything that is left of the tree; returns when nothing is."""

    def ending(self, code: int, stderr: bytes) -> tuple[Ended, int]:
        """How it ended by itself, from the exit status of the process that was started. Called before `close`."""

    def close(self) -> None:
        """Remove what was made for it."""


class Keeper:
    """A command under way (:class:`~nature_gym.sandbox.interface.Running`)."""

    def __init__(
        self, tree: Tree, limits: Limits, *, name: str, stdin: bytes = b"", stream: Stream | None = None
    ) -> None:
        self._tree = tree
        self._limits = limits
        self._stdin = stdin
        self._stream = stream
        self._kept = {"stdout": Kept(limits.output_bytes), "stderr": Kept(limits.output_bytes)}
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._lock = threading.Lock()
        self._stopping = False
        self._started = threading.Event()
        self._ended = threading.Event()
        self._failed_to_start = False
        self._outcome: Outcome | None = None
        self._error: BaseException | None = None
        self._stream_error: BaseException | None = None
        threading.Thread(target=self._keep, name=f"box {name}", daemon=True).start()
        self._started.wait()
        if self._failed_to_start:
            self.wait()

    def wait(self, timeout: float | None = None) -> Outcome | None:
        """Its outcome, or None if it runs on after ``timeout`` seconds."""
        if not self._ended.wait(timeout):
            return None
        for error in (self._error, self._stream_error):
            if error is not None:
                raise error
        return self._outcome

    def stop(self) -> Outcome:
        """End the whole tree now, and say how it stood."""
        with self._lock:
            if not self._ended.is_set():
                self._stopping = True
                with suppress(BlockingIOError):
                    os.write(self._wake_write, b"s")
        outcome = self.wait()
        if outcome is None:
            raise InfrastructureError("A command that was stopped has no outcome.", hint="This is a defect of ours.")
        return outcome

    def _keep(self) -> None:
        """The first thread."""
        try:
            self._outcome = self._kept_to_its_end()
        except BaseException as error:  # noqa: BLE001 -- told to whoever waits, in their thread
            self._error = error
        finally:
            try:
                self._tree.close()
            except OSError as error:
                self._error = self._error or error
            with self._lock:
                self._ended.set()
                os.close(self._wake_read)
                os.close(self._wake_write)
            self._failed_to_start = not self._started.is_set()
            self._started.set()

    def _kept_to_its_end(self) -> Outcome:
        process = self._tree.begin()
        pump = threading.Thread(target=self._move, args=(process,), name="box output", daemon=True)
        try:
            pump.start()
            self._tree.under_way()
            began = time.monotonic()
            self._started.set()
            verdict = self._watched(process, began)
            seconds = time.monotonic() - began
        finally:
            self._tree.kill()
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()
        pump.join()
        if verdict is None:
            ended, code = self._tree.ending(_status(process.returncode), self._kept["stderr"].output().kept)
        else:
            ended, code = verdict, 128 + signal.SIGKILL
        return Outcome(ended, code, seconds, self._kept["stdout"].output(), self._kept["stderr"].output())

    def _watched(self, process: subprocess.Popen[bytes], began: float) -> Ended | None:
        """Until it ends by itself (None), or has to be ended and why."""
        descriptor = os.pidfd_open(process.pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.register(self._wake_read, select.POLLIN)
            deadline = began + self._limits.seconds
            while True:
                left = deadline - time.monotonic()
                ready = {number for number, _ in poll.poll(max(0.0, min(left, LOOK_SECONDS)) * 1000)}
                if descriptor in ready:
                    process.wait()
                    return None
                if self._stopping:
                    return Ended.STOPPED
                if time.monotonic() >= deadline:
                    return Ended.TIMED_OUT
                if verdict := self._tree.over():
                    return verdict
        finally:
            os.close(descriptor)

    def _move(self, process: subprocess.Popen[bytes]) -> None:
        """The second thread: what is said to the command, and what it says, until nobody can say more."""
        waiting = memoryview(self._stdin)
        with selectors.DefaultSelector() as selector:
            _register(selector, process.stdout, selectors.EVENT_READ, "stdout")
            _register(selector, process.stderr, selectors.EVENT_READ, "stderr")
            if self._stdin:
                _register(selector, process.stdin, selectors.EVENT_WRITE, "stdin")
            elif process.stdin is not None:
                process.stdin.close()
            while selector.get_map():
                for key, _ in selector.select():
                    if key.data == "stdin":
                        waiting = _pushed(key.fd, waiting)
                        done = not waiting
                    else:
                        done = not self._took(key.data, key.fd)
                    if done:
                        selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]

    def _took(self, name: Literal["stdout", "stderr"], descriptor: int) -> bool:
        piece = os.read(descriptor, _PIECE)
        self._kept[name].add(piece)
        if piece and self._stream is not None:
            try:
                self._stream(name, piece)
            except BaseException as error:  # noqa: BLE001 -- the caller's own; told when it waits
                self._stream, self._stream_error = None, error
        return bool(piece)


def _register(selector: selectors.BaseSelector, file: IO[bytes] | None, event: int, name: str) -> None:
    if file is not None:
        os.set_blocking(file.fileno(), False)
        selector.register(file, event, name)


def _pushed(descriptor: int, waiting: memoryview) -> memoryview:
    """What is left to be said; nothing, if nobody listens."""
    try:
        return waiting[os.write(descriptor, waiting[:_PIECE]) :]
    except BrokenPipeError:
        return waiting[:0]


def _status(returncode: int) -> int:
    """A process's end as a shell says it."""
    return returncode if returncode >= 0 else 128 - returncode
