"""One command under way, for every back end; and one that is a process of this machine: read, watched, ended in time.

The idea: :class:`Kept` is what all have in common. For a process there are two threads a command. One starts it, waits
for it and watches its limits; it lives as long as the command, because the kernel ends a box when the *thread* that
started it is gone. The other moves bytes, so that neither a command that prints without end nor a caller that reads
slowly keeps the first from ending it in time.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import IO, Literal, Protocol

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox.interface import Ended, Limits, Outcome, Stream
from nature_gym.sandbox.output import Ends

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


class Kept(ABC):
    """A command under way (:class:`~nature_gym.sandbox.interface.Running`), whoever started it.

    A back end says how it is kept to its end, in a thread of its own, and how that thread is told to stop. Here is
    what is alike: whoever starts one waits until it is under way, errors are raised where somebody waits, output is
    counted and kept, and a caller's stream that fails costs the caller and not the command.
    """

    def __init__(self, limits: Limits, *, stdin: bytes = b"", stream: Stream | None = None) -> None:
        self._limits = limits
        self._stdin = stdin
        self._stream = stream
        self._ends = {"stdout": Ends(limits.output_bytes), "stderr": Ends(limits.output_bytes)}
        self._started = threading.Event()
        self._ended = threading.Event()
        self._failed_to_start = False
        self._outcome: Outcome | None = None
        self._error: BaseException | None = None
        self._stream_error: BaseException | None = None

    @abstractmethod
    def _kept_to_its_end(self) -> Outcome:
        """Start it, set ``_started`` when it is under way, wait for its end and leave nothing of it."""

    @abstractmethod
    def _ask_to_stop(self) -> None:
        """Have the thread end it now. May be called when it has ended."""

    @abstractmethod
    def _clear_up(self) -> None:
        """Called in the thread when all is over, whatever came of it. Only OSError may come of it."""

    def _begin(self, name: str) -> None:
        """The last thing that a subclass does when it is made. Raises what kept the command from starting."""
        threading.Thread(target=self._keep, name=name, daemon=True).start()
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
        self._ask_to_stop()
        outcome = self.wait()
        if outcome is None:
            raise InfrastructureError("A command that was stopped has no outcome.", hint="This is a defect of ours.")
        return outcome

    def _keep(self) -> None:
        try:
            self._outcome = self._kept_to_its_end()
        except BaseException as error:  # noqa: BLE001 -- told to whoever waits, in their thread
            self._error = error
        finally:
            try:
                self._clear_up()
            except OSError as error:
                self._error = self._error or error
            self._failed_to_start = not self._started.is_set()
            self._ended.set()
            self._started.set()

    def _take(self, name: Literal["stdout", "stderr"], piece: bytes) -> None:
        """A piece of output: kept, and told to the caller."""
        self._ends[name].add(piece)
        if piece and self._stream is not None:
            try:
                self._stream(name, piece)
            except BaseException as error:  # noqa: BLE001 -- the caller's own; told when it waits
                self._stream, self._stream_error = None, error

    def _told(self, ended: Ended, code: int, seconds: float) -> Outcome:
        return Outcome(ended, code, seconds, self._ends["stdout"].output(), self._ends["stderr"].output())


class Keeper(Kept):
    """A process of this machine under way."""

    def __init__(
        self, tree: Tree, limits: Limits, *, name: str, stdin: bytes = b"", stream: Stream | None = None
    ) -> None:
        super().__init__(limits, stdin=stdin, stream=stream)
        self._tree = tree
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._lock = threading.Lock()
        self._stopping = self._cleared = False
        self._begin(f"box {name}")

    def _ask_to_stop(self) -> None:
        with self._lock:
            if not self._cleared:
                self._stopping = True
                with suppress(BlockingIOError):
                    os.write(self._wake_write, b"s")

    def _clear_up(self) -> None:
        try:
            self._tree.close()
        finally:
            with self._lock:
                self._cleared = True
                os.close(self._wake_read)
                os.close(self._wake_write)

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
            ended, code = self._tree.ending(_status(process.returncode), self._ends["stderr"].output().kept)
        else:
            ended, code = verdict, 128 + signal.SIGKILL
        return self._told(ended, code, seconds)

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
        self._take(name, piece)
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
