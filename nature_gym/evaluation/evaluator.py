"""Starts a package's evaluator in a sandbox of its own, and asks it for one answer's result at a time.

The idea: :mod:`nature_gym.evaluation.host` runs inside; this side gives it what it may see (the package's evaluation
folder, read-only, the copied answer, and a socket), never trusts what it says, and starts it anew when it is
gone. The folder of answers is mounted, and the one to score lies in it under one name, because evaluators read
OUTPUT_DIR when they are imported.
"""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Self

from nature_gym.errors import InfrastructureError
from nature_gym.evaluation import host
from nature_gym.evaluation.improvement import REASONS, EvaluatorFaultError, FaultKind
from nature_gym.evaluation.intake import AnswerLimits
from nature_gym.sandbox import folders
from nature_gym.sandbox.interface import Box, Ended, Limits, Mount, Outcome, Running, Sandbox

log = logging.getLogger(__name__)

KIND = "scoring"
CURRENT = "current"
"""The name of the answer that is being scored, in the folder of answers."""
START_SECONDS = 900.0
"""Imports and two warm-ups; an evaluator that takes longer is not started."""
LIFE_SECONDS = 30 * 86_400.0
GRACE_SECONDS = 15.0
"""What the host may take beyond an answer's time to end what is left of it, and say so."""
DISK_BYTES = 4 << 30
"""What the evaluator may write in all, beside the answer."""
MOST_REPLY = 16 << 20
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
"""Threads make a fork unsafe, and sums differ with their number."""
_EVALUATION, _ANSWERS, _CHANNEL = PurePosixPath("/evaluation"), PurePosixPath("/answers"), PurePosixPath("/channel")
_HOST = PurePosixPath("/scoring/host.py")


@dataclass(frozen=True, slots=True)
class Given:
    """What an evaluator gave for one answer: its result as it is, what it printed, and how long it took in seconds."""

    result: Any
    output: str
    seconds: float


class Evaluator:
    """One package's evaluator, running. Not for several threads at once.

    ``answers`` is the folder in which the answer to score lies as :data:`CURRENT`; everybody may read it. Its Python
    is the box's: the image's, or where none is named the first of the PATH that the back end gives, which is ours.
    """

    def __init__(
        self, evaluation: Path, answers: Path, sandbox: Sandbox, *, image: str = "",
        memory: int = 8 << 30, as_processes: bool = False, label: str = "",
    ) -> None:  # fmt: skip
        self._evaluation, self._answers, self._sandbox = evaluation, answers, sandbox
        self._image, self._memory, self._as_processes = image, memory, as_processes
        self._label = label
        self._running: Running | None = None
        self._channel: Path | None = None
        self._connection: socket.socket | None = None
        self._lines: Any = None
        self.hello: Mapping[str, Any] = {}
        """How it works: mode ``fork`` or ``process``, and the reason for the latter."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        """Start it where it does not run. Raises EvaluatorFaultError of kind ``start``; InfrastructureError."""
        if self._connection is not None:
            return
        self.close()
        # Unix sockets want short paths; and the box's user is not ours.
        self._channel = place()
        meeting = self._channel / "c"
        meeting.mkdir()
        meeting.chmod(0o777)
        self._running = self._sandbox.start(self._box(meeting), self._argv())
        self._connection = self._connected(meeting / "s")
        self._lines = self._connection.makefile("rwb")
        self.hello = self._heard(START_SECONDS) or {}
        if self.hello.get("reason") and not self._as_processes:
            log.warning("evaluator %s: a process for each answer: %s", self._label, self.hello["reason"])

    def close(self) -> None:
        """End it, and whatever it left."""
        for one in (self._lines, self._connection):
            with suppress(OSError):
                if one is not None:
                    one.close()
        self._lines = self._connection = None
        running, self._running = self._running, None
        if running is not None:
            running.stop()
        if self._channel is not None:
            folders.remove(self._channel)
            self._channel = None

    def score(self, seconds: float) -> Given:
        """The result for the answer that lies in the folder. Raises EvaluatorFaultError; InfrastructureError."""
        self.start()
        asked = {"seconds": seconds, "memory": self._memory}
        try:
            self._lines.write(json.dumps(asked).encode() + b"\n")
            self._lines.flush()
            reply = self._heard(seconds + GRACE_SECONDS)
        except OSError as error:
            log.info("evaluator %s: %s", self._label, error)
            reply = None
        if reply is None:
            raise self._gone()
        if reply.get("leave"):
            self.close()
        self.hello = {name: reply.get(name) for name in ("mode", "reason", "kept")}
        output = str(reply.get("output", ""))[: 2 * host.MOST_OUTPUT]
        if "result" not in reply:
            raise _fault(reply, output)
        return Given(reply["result"], output, float(reply.get("seconds", 0.0)))

    def _box(self, meeting: Path) -> Box:
        mounts = (
            Mount(self._evaluation, _EVALUATION),
            # Writable, because a read-only folder may be shown as it was when the box began, and answers come later.
            # What an evaluator changes in a copy is its own loss: the copy goes when the answer is scored.
            Mount(self._answers, _ANSWERS, writable=True),
            Mount(Path(host.__file__), _HOST),
            Mount(meeting, _CHANNEL, writable=True),
        )
        environment = {**ONE_THREAD, "OUTPUT_DIR": str(_ANSWERS / CURRENT), "PYTHONDONTWRITEBYTECODE": "1"}
        limits = Limits(
            seconds=LIFE_SECONDS, memory_bytes=self._memory + (4 << 30), disk_bytes=AnswerLimits().size + DISK_BYTES
        )  # fmt: skip
        return Box(image=self._image, mounts=mounts, environment=environment, limits=limits, label=self._label)

    def _argv(self) -> list[str]:
        argv = ["python3", "-B", str(_HOST), "serve", str(_EVALUATION / "evaluator.py"), str(_CHANNEL / "s"), "."]
        return [*argv, "--process"] if self._as_processes else argv

    def _connected(self, address: Path) -> socket.socket:
        """A connection, as soon as it listens: then it is ready."""
        until = time.monotonic() + START_SECONDS
        running = self._running
        while running is not None:
            outcome = running.wait(0.02)
            if outcome is not None:
                self._running = None
                raise _start_fault(outcome)
            if time.monotonic() > until:
                raise EvaluatorFaultError("start", f"it did not listen within {START_SECONDS:.0f} s")
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                connection.connect(str(address))
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
                continue
            return connection
        raise InfrastructureError("the evaluator's sandbox did not start", hint="'naturegym doctor' looks at it.")

    def _heard(self, seconds: float) -> dict[str, Any] | None:
        """The next line; None where it hung up. An empty fault where what came is no reply."""
        if self._connection is None:
            return None
        self._connection.settimeout(seconds)
        try:
            line = self._lines.readline(MOST_REPLY)
        except TimeoutError:
            self.close()
            return {"fault": "timeout", "detail": "the host did not answer"}
        if not line:
            return None
        try:
            value = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            self.close()
            return {"fault": "result", "detail": "the host's answer was no JSON"}
        return value if isinstance(value, dict) else {"fault": "result", "detail": "the host's answer was no object"}

    def _gone(self) -> EvaluatorFaultError:
        """Why the sandbox ended while it scored."""
        outcome = self._running.wait(GRACE_SECONDS) if self._running is not None else None
        self.close()
        if outcome is None:
            return EvaluatorFaultError("crash", "the evaluator's host hung up")
        kind: FaultKind = "memory" if outcome.ended is Ended.OUT_OF_MEMORY else "crash"
        return EvaluatorFaultError(kind, f"the evaluator's sandbox ended: {_told(outcome)}")


def place() -> Path:
    """A fresh folder with a short path; before the first one of this process, what killed ones left is removed."""
    _swept()
    return folders.make(KIND)


@cache
def _swept() -> None:
    if count := folders.sweep(KIND):
        log.info("%d folders of evaluators whose owner was killed are removed", count)


def _refuse(name: str) -> float:
    raise ValueError(name)


def _fault(reply: Mapping[str, Any], output: str) -> EvaluatorFaultError:
    kind = reply.get("fault")
    detail = f"{reply.get('detail', '')}\n{output}".strip()
    for known in REASONS:
        if known == kind:
            return EvaluatorFaultError(known, detail)
    return EvaluatorFaultError("result", detail)


def _start_fault(outcome: Outcome) -> EvaluatorFaultError:
    return EvaluatorFaultError("start", _told(outcome))


def _told(outcome: Outcome) -> str:
    return f"{outcome.ended.value}, {outcome.code}\n{outcome.stderr.text[-4000:]}"
